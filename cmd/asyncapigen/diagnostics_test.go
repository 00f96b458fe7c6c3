package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/imports"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
	"github.com/warrenmq/warren/internal/modtest"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// An example of docs/diagnostics.md is a program in a block of go (or files in one
// of txtar), what the command says of it in a block of text, and after that its
// remedies: each a block of diff, or one of sh with another command.
type example struct {
	code     string
	files    []txtar.File
	command  []string // the words of the command line
	said     string
	saidAt   [2]int // in the page
	remedies []block
}

// block is a fenced block of the page.
type block struct {
	language, text string
	at             [2]int // of the text
}

var (
	heading = regexp.MustCompile("(?m)^### ([a-z-]+)$")
	fence   = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")
)

// elsewhere are codes without an example here: a fault of the command itself, what
// the compiler or another finding comes before, and what needs other modules,
// which testdata/frameworks holds.
var elsewhere = []string{"internal-error", "endless-type", "protobuf-type"}

// readExamples reads the page. Examples that import other modules' packages are
// left out: testdata/frameworks holds them.
func readExamples(t *testing.T, page []byte) []*example {
	t.Helper()
	var all []*example
	var current *example
	for _, at := range fence.FindAllSubmatchIndex(page, -1) {
		b := block{string(page[at[2]:at[3]]), string(page[at[4]:at[5]]), [2]int{at[4], at[5]}}
		switch b.language {
		case "go":
			current = &example{code: codeAt(page, at[0]), files: []txtar.File{{Name: "main.go", Data: []byte(b.text)}}}
		case "txtar":
			current = &example{code: codeAt(page, at[0]), files: txtar.Parse([]byte(b.text)).Files}
		case "text":
			if current == nil {
				continue
			}
			current.command, current.said, current.saidAt = []string{"asyncapigen"}, b.text, b.at
			if line, rest, ok := strings.Cut(b.text, "\n"); ok && strings.HasPrefix(line, "$ ") {
				current.command, current.said = strings.Fields(line)[1:], rest
				current.saidAt[0] += len(line) + 1
			}
			if !strings.HasPrefix(string(current.files[0].Data), "import ") {
				all = append(all, current)
			}
		case "diff", "sh":
			require.NotNil(t, current)
			current.remedies = append(current.remedies, b)
		}
	}
	require.NotEmpty(t, all)
	return all
}

// codeAt returns the heading before a place of the page.
func codeAt(page []byte, at int) string {
	all := heading.FindAllSubmatch(page[:at], -1)
	if len(all) == 0 {
		return ""
	}
	return string(all[len(all)-1][1])
}

// What docs/diagnostics.md says of each code is so: its examples get these lines,
// and no finding after each remedy. The document is then that of the running
// program.
func TestDiagnostics_AreAsDocumented(t *testing.T) {
	page := filepath.Join(modtest.Root(t), "docs", "diagnostics.md")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	var updated bytes.Buffer
	end := 0
	examples := readExamples(t, text)
	programs := newExamplePrograms(t, examples)
	said := programs.run(t)
	var remedied []*exampleProgram
	for i, e := range examples {
		p := programs.of[i]
		got := said[p]
		updated.Write(text[end:e.saidAt[0]])
		updated.WriteString(got)
		end = e.saidAt[1]
		if !*update {
			assert.Equal(t, e.said, got, "the example of %s", e.code)
		}
		if e.command[0] == "asyncapigen" {
			assert.Contains(t, got, "["+e.code+"]")
		}
		assert.NotEmpty(t, e.remedies, "the example of %s has no remedy:\n%s", e.code, got)
		for k, fixed := range p.remedies {
			assert.Empty(t, said[fixed], "a remedy of %s:\n%s", e.code, e.remedies[k].text)
			if fixed.command[0] == "asyncapigen" {
				remedied = append(remedied, fixed)
			}
		}
	}
	updated.Write(text[end:])
	if *update {
		require.NoError(t, os.WriteFile(page, updated.Bytes(), 0o644))
	}
	requireOwnDocuments(t, remedied)
}

// exampleProgram is an example, in a folder or a module of its own.
type exampleProgram struct {
	code     string
	command  []string
	root     string // the folder that the paths in what is said are in
	dir      string
	files    []txtar.File
	remedies []*exampleProgram // the program after each of them
}

// examplePrograms are those of the page. Each of one file is a folder of one module,
// so that their packages are listed once.
type examplePrograms struct {
	of     []*exampleProgram // by example
	all    []*exampleProgram // with their remedies
	module string
}

func newExamplePrograms(t *testing.T, examples []*example) *examplePrograms {
	t.Helper()
	archive := &txtar.Archive{Files: []txtar.File{{Name: "go.mod", Data: []byte(modtest.GoMod(t, "example.com/shop"))}}}
	all := &examplePrograms{module: modtest.Write(t, archive)}
	for _, e := range examples {
		p := all.add(t, e.code, e.command, e.files)
		all.of = append(all.of, p)
		for _, r := range e.remedies {
			p.remedies = append(p.remedies, all.remedied(t, p, r))
		}
	}
	return all
}

// add writes a program, with the imports that it needs.
func (all *examplePrograms) add(t *testing.T, code string, command []string, files []txtar.File) *exampleProgram {
	t.Helper()
	p := &exampleProgram{code: code, command: command, files: files, root: all.module}
	p.dir = filepath.Join(p.root, fmt.Sprintf("p%d", len(all.all)))
	if len(files) > 1 { // they import each other
		archive := &txtar.Archive{Files: []txtar.File{{Name: "go.mod", Data: []byte(modtest.GoMod(t, "example.com/shop"))}}}
		p.root = modtest.Write(t, archive)
		p.dir = p.root
	}
	for _, file := range files {
		source := string(file.Data)
		if !strings.HasPrefix(source, "package ") {
			source = "package main\n\nimport \"github.com/warrenmq/warren/runtime\"\n\n" + source
		}
		complete, err := imports.Process("main.go", []byte(source), nil)
		require.NoError(t, err, "%s", source)
		name := filepath.Join(p.dir, file.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, complete, 0o644))
	}
	all.all = append(all.all, p)
	return p
}

// run runs the command of each program and returns what it says.
func (all *examplePrograms) run(t *testing.T) map[*exampleProgram]string {
	t.Helper()
	said := make(map[*exampleProgram]string)
	of := make(map[*service.Options]*exampleProgram)
	var services []*service.Options
	for _, p := range all.all {
		if p.root != all.module || p.command[0] != "asyncapigen" {
			said[p] = p.run(t)
			continue
		}
		options, warnings, err := service.Find(t.Context(), p.dir, service.Unnamed, p.command[1:])
		require.NoError(t, err)
		require.Empty(t, warnings)
		require.Len(t, options, 1)
		options[0].Seen = filepath.Base(p.dir)
		services, of[options[0]] = append(services, options[0]), p
	}
	t.Chdir(all.module)
	var stdout, stderr bytes.Buffer
	r := &textReporter{stdout: &stdout, stderr: &stderr}
	for outcome := range (&service.Generator{Dir: all.module}).Run(t.Context(), services) {
		r.service(outcome)
		p := of[outcome.Service]
		said[p] = strings.ReplaceAll(stderr.String(), filepath.Base(p.dir)+"/", "")
		stderr.Reset()
	}
	require.Empty(t, stdout.String())
	return said
}

// run runs the command in the program's folder and returns what it says.
func (p *exampleProgram) run(t *testing.T) string {
	t.Helper()
	t.Chdir(p.dir)
	command := p.command
	if command[0] != "asyncapigen" {
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		out, _ := cmd.CombinedOutput()
		return strings.TrimSuffix(string(out), "exit status 1\n")
	}
	var stdout, stderr bytes.Buffer
	run(t.Context(), command[1:], &stdout, &stderr)
	require.Empty(t, stdout.String())
	return stderr.String()
}

// remedied adds a program after a remedy, with the command that is then right.
func (all *examplePrograms) remedied(t *testing.T, p *exampleProgram, r block) *exampleProgram {
	t.Helper()
	if r.language == "sh" {
		return all.add(t, p.code, strings.Fields(r.text), p.files)
	}
	files := slices.Clone(p.files)
	before, after := sidesOf(r.text)
	for i, file := range files {
		if bytes.Contains(file.Data, []byte(before)) {
			files[i].Data = bytes.Replace(file.Data, []byte(before), []byte(after), 1)
			return all.add(t, p.code, p.command, files)
		}
	}
	require.Fail(t, "the diff isn't one of the example", "%s:\n%s", p.code, r.text)
	return nil
}

// sidesOf returns the text that a diff changes, and what it becomes.
func sidesOf(diff string) (before, after string) {
	for line := range strings.Lines(diff) {
		if !strings.HasPrefix(line, "+") {
			before += line[1:]
		}
		if !strings.HasPrefix(line, "-") {
			after += line[1:]
		}
	}
	return before, after
}

// requireOwnDocuments holds the documents of programs against those of their
// running selves. They run in one program, which is built once: package main of
// each is a package there.
func requireOwnDocuments(t *testing.T, programs []*exampleProgram) {
	t.Helper()
	archive := new(txtar.Archive)
	var list strings.Builder
	for i, p := range programs {
		name := fmt.Sprintf("p%d", i)
		for _, file := range p.sources(t) {
			text := strings.Replace(string(file.Data), "package main\n", "package "+name+"\n", 1)
			text = strings.Replace(text, "func main()", "func Main()", 1)
			text = strings.ReplaceAll(text, "runtime.NewRouter()", "noted.Router(runtime.NewRouter())")
			text = strings.Replace(text, "import (", "import (\n\"example.com/shop/noted\"\n", 1)
			text = strings.Replace(text, "import \"", "import \"example.com/shop/noted\"\nimport \"", 1)
			archive.Files = append(archive.Files, txtar.File{Name: name + "/" + file.Name, Data: []byte(text)})
		}
		union := ""
		if bytes.Contains(p.files[0].Data, []byte("var Payments = asyncapi.NewUnion")) {
			union = name + ".Payments"
		}
		fmt.Fprintf(&list, "%q: {%s.Main, []asyncapi.Option{%s}},\n", name, name, union)
	}
	runner, err := imports.Process("main.go", []byte(strings.Replace(runnerSource, "PROGRAMS", list.String(), 1)), nil)
	require.NoError(t, err)
	for i := range programs {
		runner = bytes.Replace(runner, []byte("import (\n"), fmt.Appendf(nil, "import (\n\t\"example.com/shop/p%d\"\n", i), 1)
	}
	archive.Files = append(archive.Files, txtar.File{Name: "main.go", Data: runner}, txtar.File{Name: "noted/noted.go", Data: []byte(notedSource)})
	dir := modtest.Write(t, archive)
	t.Chdir(dir)
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", "all", ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for i, p := range programs {
		var stderr bytes.Buffer
		cmd := exec.CommandContext(t.Context(), "./all", append([]string{fmt.Sprintf("p%d", i)}, p.arguments()...)...)
		cmd.Stderr = &stderr
		own, err := cmd.Output()
		require.NoError(t, err, "a remedy of %s: %s", p.code, &stderr)
		document, err := os.ReadFile(filepath.Join(p.dir, "asyncapi.json"))
		require.NoError(t, err)
		require.True(t, json.Valid(own), "a remedy of %s: %s", p.code, own)
		assert.NoError(t, asyncapi.Drift(document, own), "a remedy of %s", p.code)
	}
}

// sources returns the files of the package that the command describes.
func (p *exampleProgram) sources(t *testing.T) []txtar.File {
	t.Helper()
	dir := p.dir
	if last := p.command[len(p.command)-1]; strings.HasPrefix(last, "./") {
		dir = filepath.Join(dir, last)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var files []txtar.File
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		files = append(files, txtar.File{Name: filepath.Base(name), Data: data})
	}
	return files
}

// arguments returns those with which the program starts as described.
func (p *exampleProgram) arguments() []string {
	if i := slices.Index(p.command, "-run"); i >= 0 {
		return strings.Fields(p.command[i+1])
	}
	return nil
}

const notedSource = `// Package noted keeps the routers of a program.
package noted

import "github.com/warrenmq/warren/runtime"

var routers []*runtime.Router

func Router(r *runtime.Router) *runtime.Router {
	routers = append(routers, r)
	return r
}

func Routes() []runtime.Route {
	var all []runtime.Route
	for _, r := range routers {
		all = append(all, r.Routes()...)
	}
	return all
}
`

const runnerSource = `package main

import (
	"log"
	"os"

	"example.com/shop/noted"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

func main() {
	log.SetOutput(os.Stderr)
	stdout := os.Stdout
	os.Stdout = os.Stderr
	program := map[string]struct {
		main    func()
		options []asyncapi.Option
	}{
		PROGRAMS
	}[os.Args[1]]
	os.Args = append(os.Args[:1], os.Args[2:]...)
	program.main()
	text, err := asyncapi.GenerateJSON(noted.Routes(), nil, 2, program.options...)
	if err != nil {
		log.Fatal(err)
	}
	stdout.Write(text)
}
`

// Every code has a section with an example.
func TestDiagnostics_AreAllDocumented(t *testing.T) {
	root := modtest.Root(t)
	text, err := os.ReadFile(filepath.Join(root, "docs", "diagnostics.md"))
	require.NoError(t, err)
	codes := codesIn(t, filepath.Join(root, "internal", "diagnostic", "code.go"))
	require.NotEmpty(t, codes)
	examples := readExamples(t, text)
	for _, code := range codes {
		require.True(t, strings.Contains(string(text), "\n### "+code+"\n"), "%s has no section", code)
		has := slices.ContainsFunc(examples, func(e *example) bool { return e.code == code })
		require.Equal(t, !slices.Contains(elsewhere, code), has, "the example of %s", code)
	}
}

// codesIn returns the constants of a type called Code.
func codesIn(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	var codes []string
	ast.Inspect(parsed, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || spec.Type == nil || len(spec.Values) != 1 {
			return true
		}
		literal, isLiteral := spec.Values[0].(*ast.BasicLit)
		if name, ok := spec.Type.(*ast.Ident); ok && isLiteral && name.Name == "Code" {
			code, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			codes = append(codes, code)
		}
		return true
	})
	return codes
}
