package client_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/client"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/runtime"
)

var update = flag.Bool("update", false, "rewrite the wanted files in testdata")

const (
	module     = "example.com/test"
	repository = "../../../.."
)

// testCase is one archive of testdata: a user's packages, the routes that a
// client is generated for, and what is wanted. It becomes the folder of its name
// in a module that holds all cases, so that the go command runs once for all.
type testCase struct {
	name    string
	archive *txtar.Archive
	spec    spec
	source  []byte
	problem []string
}

// spec is the file routes.json of an archive.
type spec struct {
	In      string // the folder of the package in which types are looked up
	Client  string // the folder of the client
	Package string // the client's name, by default its folder
	Title   string
	Version string
	Routes  []routeSpec
}

type routeSpec struct {
	Name        string
	Description string
	Queue       string
	Exchange    *runtime.Exchange
	Keys        []string
	Words       []string // KeyWords
	Arguments   map[string]any
	Body        string
	Reply       string
	ToCaller    bool
	In          string // instead of the archive's
}

// workspace is the module of all cases, loaded.
type workspace struct {
	dir      string
	packages map[string]*packages.Package
	docs     docs
	fset     *token.FileSet
}

func readCases(t *testing.T) []*testCase {
	paths, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	var cases []*testCase
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		c := &testCase{name: strings.TrimSuffix(filepath.Base(path), ".txtar"), archive: archive}
		decoder := json.NewDecoder(bytes.NewReader(c.file("routes.json")))
		decoder.UseNumber()
		decoder.DisallowUnknownFields()
		require.NoError(t, decoder.Decode(&c.spec), path)
		if c.spec.Package == "" {
			c.spec.Package = filepath.Base(c.spec.Client)
		}
		cases = append(cases, c)
	}
	return cases
}

func (c *testCase) file(name string) []byte {
	for _, f := range c.archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// want compares got with a file of the archive, or puts it there.
func (c *testCase) want(t *testing.T, name string, got []byte) {
	i := slices.IndexFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == name })
	if *update && i >= 0 {
		c.archive.Files[i].Data = got
		require.NoError(t, os.WriteFile("testdata/"+c.name+".txtar", txtar.Format(c.archive), 0o644))
	}
	if i >= 0 {
		require.Equal(t, string(c.archive.Files[i].Data), string(got), "run the test with -update if the change is meant")
	}
}

// newWorkspace writes the packages of all cases and loads them. The clients are
// missing, as they are when a user generates for the first time.
func newWorkspace(t *testing.T, cases []*testCase) *workspace {
	dir := t.TempDir()
	root, err := filepath.Abs(repository)
	require.NoError(t, err)
	write(t, dir, "go.mod", fmt.Appendf(nil,
		"module %s\n\ngo 1.26.0\n\nrequire github.com/warrenmq/warren v0.0.0\n\nreplace github.com/warrenmq/warren => %s\n", module, root))
	for _, c := range cases {
		for _, f := range c.archive.Files {
			if strings.HasSuffix(f.Name, ".go") && !strings.HasPrefix(f.Name, "want/") {
				write(t, filepath.Join(dir, c.name), f.Name, f.Data)
			}
		}
	}
	ws := &workspace{dir: dir, packages: make(map[string]*packages.Package), docs: make(docs), fset: token.NewFileSet()}
	loaded, err := packages.Load(&packages.Config{
		Dir: dir, Fset: ws.fset,
		Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
	}, "./...")
	require.NoError(t, err)
	for pkg := range packages.Postorder(loaded) {
		ws.packages[pkg.PkgPath] = pkg
		if strings.HasPrefix(pkg.PkgPath, module) {
			ws.docs.read(pkg)
		}
	}
	return ws
}

func write(t *testing.T, dir, name string, content []byte) {
	path := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, content, 0o644))
}

// generate runs the generator for one case.
func (ws *workspace) generate(t *testing.T, c *testCase) {
	routes := make([]registered.Route, len(c.spec.Routes))
	for i, r := range c.spec.Routes {
		routes[i] = registered.Route{
			Route: runtime.Route{
				Name: r.Name, Description: r.Description, Queue: runtime.Queue{Name: r.Queue}, Exchange: r.Exchange,
				RoutingKeys: r.Keys, KeyWords: r.Words, BindingArguments: integers(r.Arguments),
			},
			Pos:  token.Position{Filename: "routes.go", Line: i + 1, Column: 2},
			Body: ws.typeOf(t, c, cmp.Or(r.In, c.spec.In), r.Body),
		}
		if r.Reply != "" {
			routes[i].Reply = &runtime.Address{Exchange: "replies"}
			routes[i].Result = ws.typeOf(t, c, cmp.Or(r.In, c.spec.In), r.Reply)
		}
		if r.ToCaller {
			routes[i].Reply = &runtime.Address{}
		}
	}
	cfg := client.Config{
		PackageName: c.spec.Package, PackagePath: c.path(c.spec.Client),
		Title: c.spec.Title, Version: c.spec.Version,
		ImportsClient: func(path string) bool { return ws.imports(path, c.path(c.spec.Client)) },
		Docs:          ws.docs, Position: ws.fset.Position,
	}
	source, problems, err := client.Generate(cfg, routes)
	require.NoError(t, err)
	again, _, err := client.Generate(cfg, routes)
	require.NoError(t, err)
	require.Equal(t, string(source), string(again), "the same input gives the same bytes")
	c.source = source
	for _, problem := range problems {
		problem.Pos.Filename = filepath.Base(problem.Pos.Filename)
		c.problem = append(c.problem, problem.String())
	}
	if source != nil {
		write(t, ws.dir, c.name+"/"+c.spec.Client+"/client.go", source)
	}
}

func (c *testCase) path(folder string) string {
	return strings.TrimSuffix(module+"/"+c.name+"/"+folder, "/")
}

// typeOf evaluates a type expression in a package of the case; "local X" is the
// type X that is declared inside a function.
func (ws *workspace) typeOf(t *testing.T, c *testCase, folder, expr string) types.Type {
	pkg := ws.packages[c.path(folder)]
	require.NotNil(t, pkg, "%s has no package in %q", c.name, folder)
	if name, ok := strings.CutPrefix(expr, "local "); ok {
		for _, obj := range pkg.TypesInfo.Defs {
			if typeName, ok := obj.(*types.TypeName); ok && obj.Name() == name && obj.Parent() != pkg.Types.Scope() {
				return typeName.Type()
			}
		}
		require.Fail(t, "no local type", name)
	}
	var value types.TypeAndValue
	var err error
	for _, file := range pkg.Syntax { // the one that has the imports
		if value, err = types.Eval(ws.fset, pkg.Types, file.End(), expr); err == nil {
			return value.Type
		}
	}
	require.NoError(t, err, "%s: %s", c.name, expr)
	return nil
}

func (ws *workspace) imports(from, to string) bool {
	pkg := ws.packages[from]
	if pkg == nil {
		return false
	}
	for path := range pkg.Imports {
		if path == to || ws.imports(path, to) {
			return true
		}
	}
	return false
}

// run calls the go command in the workspace.
func (ws *workspace) run(t *testing.T, args ...string) {
	cmd := exec.Command("go", args...)
	cmd.Dir = ws.dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "go %s:\n%s", strings.Join(args, " "), out)
}

// integers makes whole JSON numbers int, as constants in Go source are.
func integers(table map[string]any) map[string]any {
	for key, value := range table {
		if number, ok := value.(json.Number); ok {
			n, err := number.Int64()
			if err != nil {
				panic(err)
			}
			table[key] = int(n)
		}
	}
	return table
}

// docs is a DocSource over syntax trees.
type docs map[types.Object]string

func (d docs) TypeDoc(obj *types.TypeName) string { return d[obj] }
func (d docs) FieldDoc(field *types.Var) string   { return d[field] }

// Constant takes a flag to be what is shifted.
func (d docs) Constant(c *types.Const) (doc string, computed bool) {
	return d[c], strings.HasPrefix(c.Name(), "Flag")
}

func (d docs) read(pkg *packages.Package) {
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.GenDecl:
				for _, spec := range node.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok {
						d[pkg.TypesInfo.Defs[spec.Name]] = node.Doc.Text()
					}
				}
			case *ast.ValueSpec:
				for _, name := range node.Names {
					d[pkg.TypesInfo.Defs[name]] = node.Doc.Text()
				}
			case *ast.Field:
				for _, name := range node.Names {
					d[pkg.TypesInfo.Defs[name]] = node.Doc.Text()
				}
			}
			return true
		})
	}
}
