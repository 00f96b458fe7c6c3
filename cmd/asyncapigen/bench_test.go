package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"github.com/warrenmq/warren/internal/modtest"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// The benchmarks of the budgets for generation. Each runs what it compares in
// turns, on a module that it makes, with a warm build cache, and reports ratios
// of CPU time, children included.

// BenchmarkGenerate is a module of about 650 reachable packages: 45 of its own
// that register routes, which use 300 of a dependency's and the standard
// library.
func BenchmarkGenerate(b *testing.B) {
	dir := writeModule(b, shape{services: 45, dependencies: 300, routes: 4})
	compare(b, program{dir, "./..."}, "source", loadFromSource)
}

// BenchmarkGenerateSparse is a module of 2,000 packages of which 20 register
// routes.
func BenchmarkGenerateSparse(b *testing.B) {
	dir := writeModule(b, shape{services: 20, dependencies: 1980, routes: 1})
	compare(b, program{dir, "./..."}, "", nil)
}

// BenchmarkGeneratePrograms is the example, and programs whose payloads are types
// of large modules. These are in a module of their own, which is downloaded and
// built first.
func BenchmarkGeneratePrograms(b *testing.B) {
	payloads := filepath.Join(modtest.Root(b), "testdata", "payloads")
	for name, p := range map[string]program{
		"orders":     {filepath.Join(modtest.Root(b), "examples", "orders"), "."},
		"kubernetes": {payloads, "./kubernetes"},
		"cloud":      {payloads, "./cloud"},
	} {
		b.Run(name, func(b *testing.B) {
			compare(b, p, "", nil)
			b.ReportMetric(float64(schemas(b, p)), "schemas")
		})
	}
}

// program is what a benchmark generates for.
type program struct{ dir, pattern string }

// schemas counts the components of a program's document.
func schemas(b *testing.B, p program) int {
	b.Chdir(p.dir)
	name := filepath.Join(b.TempDir(), "asyncapi.json")
	require.Equal(b, done, run(b.Context(), []string{"-client=", "-o", name, p.pattern}, io.Discard, io.Discard))
	text, err := os.ReadFile(name)
	require.NoError(b, err)
	document := new(asyncapi.Document)
	require.NoError(b, json.Unmarshal(text, document))
	return len(document.Components.Schemas)
}

// compare reports the CPU time of asyncapigen relative to go list -export of
// the same packages and, where other is given, of other relative to asyncapigen.
func compare(b *testing.B, p program, name string, other func(b *testing.B, dir string) *exec.Cmd) {
	dir := p.dir
	tool := filepath.Join(b.TempDir(), "asyncapigen")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", tool, ".")
	require.NoError(b, build.Run())
	goList := func() spent { return measure(b, command(dir, "go", "list", "-deps", "-export", "-json", p.pattern)) }
	generate := func() spent { return measure(b, command(dir, tool, "-client=", "-o", os.DevNull, "-list", p.pattern)) }
	goList()
	generate()
	var lists, generations, others []spent
	for b.Loop() {
		lists = append(lists, goList())
		generations = append(generations, generate())
		if other != nil {
			others = append(others, measure(b, other(b, dir)))
		}
	}
	list, generation := median(lists), median(generations)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(generation.cpu.Seconds(), "cpu-s")
	b.ReportMetric(float64(generation.memory)/(1<<20), "MiB")
	b.ReportMetric(generation.cpu.Seconds()/list.cpu.Seconds(), "x-go-list")
	if other != nil {
		b.ReportMetric(generation.cpu.Seconds()/median(others).cpu.Seconds(), "x-"+name)
	}
}

// spent is what a command took.
type spent struct {
	cpu    time.Duration
	memory int64 // the largest resident set of one process, in bytes
}

func command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	return cmd
}

func measure(b *testing.B, cmd *exec.Cmd) spent {
	b.Helper()
	var stderr strings.Builder
	cmd.Stderr = &stderr
	require.NoError(b, cmd.Run(), stderr.String())
	state := cmd.ProcessState
	return spent{cpu: state.UserTime() + state.SystemTime(), memory: residentSet(state)}
}

func median(all []spent) spent {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b spent) int { return int(a.cpu - b.cpu) })
	return sorted[len(sorted)/2]
}

// loadFromSource runs this test binary again, to load everything from source.
func loadFromSource(b *testing.B, dir string) *exec.Cmd {
	executable, err := os.Executable()
	require.NoError(b, err)
	cmd := command(dir, executable, "-test.run=^TestLoad_FromSource$")
	cmd.Env = append(os.Environ(), "WARREN_LOAD_FROM_SOURCE=1")
	return cmd
}

// TestLoad_FromSource is the other side of BenchmarkGenerate when that runs it in
// a process of its own; by itself it loads this package alone.
func TestLoad_FromSource(t *testing.T) {
	patterns := []string{"."}
	mode := packages.NeedName
	if os.Getenv("WARREN_LOAD_FROM_SOURCE") != "" {
		patterns, mode = []string{"./..."}, packages.LoadAllSyntax
	}
	loaded, err := packages.Load(&packages.Config{Mode: mode}, patterns...)
	require.NoError(t, err)
	require.NotEmpty(t, loaded)
}

// shape is what a generated module looks like.
type shape struct {
	services     int // packages that register routes
	routes       int // of each
	dependencies int // packages that don't
}

func writeModule(b *testing.B, s shape) string {
	b.Helper()
	dir := b.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(b, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(b, os.WriteFile(path, []byte(text), 0o666))
	}
	write("go.mod", modtest.GoMod(b, "example.com/shop"))
	write("go.sum", string(modtest.GoSum(b)))
	for i := range s.dependencies {
		write(fmt.Sprintf("dep/d%d/d.go", i), dependencySource(i))
	}
	var imports, calls strings.Builder
	for i := range s.services {
		write(fmt.Sprintf("svc/s%d/s.go", i), serviceSource(i, s))
		fmt.Fprintf(&imports, "\t\"example.com/shop/svc/s%d\"\n", i)
		fmt.Fprintf(&calls, "\ts%d.Register(r)\n", i)
	}
	write("main.go", "package main\n\nimport (\n"+imports.String()+"\n\t\"github.com/warrenmq/warren/runtime\"\n)\n\nfunc main() {\n\tr := runtime.NewRouter()\n"+calls.String()+"}\n")
	return dir
}

// dependencySource is a package of some types and functions, which imports the
// standard library and its neighbours.
func dependencySource(i int) string {
	var text strings.Builder
	fmt.Fprintf(&text, "// Package d%d has messages.\npackage d%d\n\nimport (\n\t\"encoding/json\"\n\t\"net/http\"\n\t\"time\"\n", i, i)
	if i > 0 {
		fmt.Fprintf(&text, "\n\t\"example.com/shop/dep/d%d\"\n", i/2)
	}
	text.WriteString(")\n\n")
	for j := range 20 {
		fmt.Fprintf(&text, "// Event%d happens.\ntype Event%d struct {\n\tID string\n\tAt time.Time // it happened\n\tNext *Event%d\n\tRaw json.RawMessage\n}\n\n", j, j, (j+1)%20)
		fmt.Fprintf(&text, "func (e *Event%d) ServeHTTP(w http.ResponseWriter, r *http.Request) {\n\tfor k, v := range r.Header {\n\t\tif len(v) > %d {\n\t\t\tw.Header()[k] = v\n\t\t}\n\t}\n\tw.WriteHeader(http.StatusOK)\n}\n\n", j, j)
	}
	if i > 0 {
		fmt.Fprintf(&text, "type Before = d%d.Event0\n", i/2)
	}
	return text.String()
}

// serviceSource is a package that registers routes for a dependency's types.
func serviceSource(i int, s shape) string {
	var text strings.Builder
	dep := i % s.dependencies
	fmt.Fprintf(&text, "package s%d\n\nimport (\n\t\"context\"\n\n\t\"example.com/shop/dep/d%d\"\n\t\"github.com/warrenmq/warren/runtime\"\n)\n\nfunc Register(r *runtime.Router) {\n", i, dep)
	for j := range s.routes {
		fmt.Fprintf(&text, "\tr.MustRegister(runtime.Route{Name: \"s%d.e%d\", Queue: runtime.Queue{Name: \"s%d.e%d\"}, Handler: runtime.Consume(on%d)})\n", i, j, i, j, j)
	}
	text.WriteString("}\n")
	for j := range s.routes {
		fmt.Fprintf(&text, "\nfunc on%d(context.Context, d%d.Event%d) error { return nil }\n", j, dep, j%20)
	}
	return text.String()
}
