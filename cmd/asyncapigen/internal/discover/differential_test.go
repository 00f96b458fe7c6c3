package discover_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/modtest"
)

var (
	programs = flag.Int("programs", 300, "how many generated programs the evaluation is compared with")
	seed     = flag.Uint64("seed", 1, "which programs are generated")
)

// The evaluation of programs that meet no outside world finds what they
// register when they are compiled and run.
func TestRoutes_EqualThoseOfTheRunningProgram(t *testing.T) {
	b := newBench(t)
	random := rand.New(rand.NewPCG(*seed, 0))
	var all, main strings.Builder
	for i := 0; i < *programs; {
		name := fmt.Sprintf("p%d", i)
		g := &generator{next: random.IntN}
		g.program(name)
		text := g.text.String()
		if _, err := b.check(prelude + addRoute + text + "func main() { " + name + "() }\n"); err != nil {
			continue // such as a constant that is too large
		}
		all.WriteString(text)
		fmt.Fprintf(&main, "\tadd(%q)\n\t%s()\n", name, name)
		i++
	}
	source := prelude + all.String() + "func main() {\n" + main.String() + "}\n"
	static, dynamic := addRoute, `
func add(name string) { fmt.Printf("%q\n", name) }
`
	ran := runProgram(t, source+dynamic)
	result, err := b.routes(t.Context(), source+static)
	require.NoError(t, err)
	var found []string
	for _, route := range result.Routes {
		found = append(found, fmt.Sprintf("%q", route.Description))
	}
	for _, d := range result.Diagnostics {
		t.Error(d)
	}
	requireSameLines(t, ran, found, source)
}

// addRoute tells the text in the description, which may be anything.
const addRoute = `
var routes int

func add(text string) {
	routes++
	name := strconv.Itoa(routes)
	router.MustRegister(runtime.Route{Name: name, Description: text, Queue: runtime.Queue{Name: name}, Handler: runtime.Consume(on)})
}
`

func requireSameLines(t *testing.T, want, got []string, source string) {
	t.Helper()
	program := ""
	for i, line := range want {
		if strings.HasPrefix(line, `"p`) && !strings.Contains(line, " ") {
			program = strings.Trim(line, `"`)
		}
		if i >= len(got) || got[i] != line {
			_, body, _ := strings.Cut(source, "func "+program+"() {")
			body, _, _ = strings.Cut(body, "\n}\n\nfunc ")
			t.Fatalf("the program says %s, the evaluation %q, in\n%s", line, got[i:min(i+1, len(got))], body)
		}
	}
	require.Len(t, got, len(want))
}

func runProgram(t *testing.T, source string) []string {
	t.Helper()
	dir := modtest.Write(t, &txtar.Archive{Files: []txtar.File{{Name: "main.go", Data: []byte(source)}}})
	cmd := exec.CommandContext(t.Context(), "go", "run", ".")
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// bench evaluates programs of one file without asking the go command about
// each: they may import what base does.
type bench struct {
	program  *load.Program
	root     *load.Package
	packages map[string]*types.Package
	lenient  bool // evaluate programs with type errors too, as the command does
}

const base = `package main

import (
	_ "cmp"
	_ "context"
	_ "encoding/json"
	_ "errors"
	_ "flag"
	_ "fmt"
	_ "iter"
	_ "log"
	_ "maps"
	_ "os"
	_ "path"
	_ "reflect"
	_ "slices"
	_ "sort"
	_ "strconv"
	_ "strings"
	_ "sync"
	_ "time"

	_ "github.com/warrenmq/warren/runtime"
)

func main() {}
`

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
	return sources
}
