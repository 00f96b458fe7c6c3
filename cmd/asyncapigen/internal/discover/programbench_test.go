package discover_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/modtest"
)

// bench evaluates programs of one file without asking the go command about
// each: they may import what base does.
type bench struct {
	program  *load.Program
	root     *load.Package
	packages map[string]*types.Package
	lenient  bool // evaluate programs with type errors too, as the command does
}

// base imports what programs may import.
var base = strings.ReplaceAll(prelude[:strings.Index(prelude, "\n)\n")], "\t\"", "\t_ \"") + "\n\t_ \"flag\"\n)\n\nfunc main() {}\n"

func newBench(t testing.TB) *bench {
	t.Helper()
	dir := modtest.Write(t, &txtar.Archive{Files: []txtar.File{{Name: "main.go", Data: []byte(base)}}})
	program, err := load.Packages(context.Background(), load.Config{Dir: dir, Patterns: []string{"."}})
	require.NoError(t, err)
	b := &bench{program: program, root: program.Roots[0], packages: make(map[string]*types.Package)}
	require.Empty(t, b.root.Errors)
	for _, pkg := range b.root.Types.Imports() {
		b.packages[pkg.Path()] = pkg
	}
	b.addShow(t)
	return b
}

// addShow makes the package that the goldens print their documents by.
func (b *bench) addShow(t testing.TB) {
	file, err := parser.ParseFile(b.program.Fset, "show.go", `package show

import "github.com/warrenmq/warren/runtime"

func Document(*runtime.Router) {}
`, parser.SkipObjectResolution)
	require.NoError(t, err)
	config := types.Config{Importer: b}
	pkg, err := config.Check("example.com/shop/show", b.program.Fset, []*ast.File{file}, nil)
	require.NoError(t, err)
	b.packages[pkg.Path()] = pkg
}

// Import gives a program the packages that base imports.
func (b *bench) Import(path string) (*types.Package, error) {
	if pkg := b.packages[path]; pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}

// routes evaluates the program; the error says that it doesn't compile.
func (b *bench) routes(ctx context.Context, source string) (discover.Result, error) {
	done, err := b.check(source)
	defer done()
	if err != nil {
		return discover.Result{}, err
	}
	return discover.Routes(ctx, b.program), nil
}

// check makes the program the one to be evaluated.
func (b *bench) check(source string) (done func(), err error) {
	file, err := parser.ParseFile(b.program.Fset, "main.go", source, parser.SkipObjectResolution)
	done = func() {
		if file != nil {
			b.program.Fset.RemoveFile(b.program.Fset.File(file.FileStart))
		}
	}
	if err != nil {
		return done, err
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Instances: make(map[*ast.Ident]types.Instance),
		Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
	}
	config := types.Config{Importer: b, Sizes: types.SizesFor("gc", "amd64"), Error: func(error) {}}
	pkg, err := config.Check(b.root.Path, b.program.Fset, []*ast.File{file}, info)
	if err != nil && !b.lenient {
		return done, err
	}
	b.root.Errors = nil
	if err != nil {
		b.root.Errors = []load.Error{{Msg: err.Error()}}
	}
	b.root.Files, b.root.Types, b.root.Info = []*ast.File{file}, pkg, info
	return done, nil
}

func goldens(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(modtest.Root(t), "testdata", "golden", "*.txtar"))
	require.NoError(t, err)
	var sources []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, file := range txtar.Parse(text).Files {
			if file.Name == "main.go" {
				sources = append(sources, string(file.Data))
			}
		}
	}
	require.NotEmpty(t, sources)
	return sources
}
