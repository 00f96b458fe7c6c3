package frameworks_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/warrenmq/warren/runtime/asyncapi"
)

var update = flag.Bool("update", false, "rewrite what docs/diagnostics.md says of the examples")

// pageExample matches an example of docs/diagnostics.md that imports other
// modules' packages: the program, what asyncapigen says of it, and its remedy.
var pageExample = regexp.MustCompile("(?ms)^```go\n(import .*?)^```\n^```text\n(.*?)^```\n\n^```diff\n(.*?)^```$")

// The examples of docs/diagnostics.md that need other modules get the lines there,
// and nothing after the remedy: then the document is that of the running program.
// The others are held by the tests of cmd/asyncapigen.
func TestPage_ExamplesAndRemediesAreRight(t *testing.T) {
	page := filepath.Join("..", "..", "docs", "diagnostics.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	asyncapigen := build(t)
	updated, end := "", 0
	found := pageExample.FindAllSubmatchIndex(text, -1)
	if len(found) == 0 {
		t.Fatal("the page has no such examples")
	}
	for _, at := range found {
		source, want := string(text[at[2]:at[3]]), string(text[at[4]:at[5]])
		_, got, status := run(t, packageOf(t, source), nil, asyncapigen, "-client=")
		updated += string(text[end:at[4]]) + got
		end = at[5]
		if !*update && (status == 0 || got != want) {
			t.Errorf("asyncapigen ends with %d:\n%s\nwanted:\n%s", status, got, want)
		}
		requireRemedy(t, asyncapigen, applied(t, source, string(text[at[6]:at[7]])))
	}
	if *update {
		if err := os.WriteFile(page, []byte(updated+string(text[end:])), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// requireRemedy runs asyncapigen after a remedy, and the program.
func requireRemedy(t *testing.T, asyncapigen, source string) {
	t.Helper()
	dir := packageOf(t, source)
	if stdout, stderr, status := run(t, dir, nil, asyncapigen, "-client="); status != 0 || stderr != "" {
		t.Fatalf("after the remedy, asyncapigen ends with %d:\n%s%s\n%s", status, stdout, stderr, source)
	}
	document, err := os.ReadFile(filepath.Join(dir, "asyncapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	own, stderr, status := run(t, packageOf(t, printing(source)), nil, "go", "run", ".")
	if status != 0 {
		t.Fatalf("the program ends with %d:\n%s", status, stderr)
	}
	if err := asyncapi.Drift(document, []byte(own)); err != nil {
		t.Fatal(err)
	}
}

// printing returns a program that prints the document of its routes.
func printing(source string) string {
	source = strings.Replace(source, "runtime.NewRouter().MustRegister(", "printed(", 1)
	return source + `
func printed(routes ...runtime.Route) {
	router := runtime.NewRouter()
	router.MustRegister(routes...)
	text, err := asyncapi.GenerateJSON(router.Routes(), nil, 2)
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(text)
}
`
}

// applied returns a text after a diff.
func applied(t *testing.T, text, diff string) string {
	t.Helper()
	var before, after strings.Builder
	for line := range strings.Lines(diff) {
		if !strings.HasPrefix(line, "+") {
			before.WriteString(line[1:])
		}
		if !strings.HasPrefix(line, "-") {
			after.WriteString(line[1:])
		}
	}
	if !strings.Contains(text, before.String()) {
		t.Fatalf("the diff isn't one of the example:\n%s", diff)
	}
	return strings.Replace(text, before.String(), after.String(), 1)
}

// standard are the packages that the examples use without importing them.
var standard = map[string]string{
	"asyncapi": "github.com/warrenmq/warren/runtime/asyncapi", "context": "context", "log": "log", "os": "os",
	"runtime": "github.com/warrenmq/warren/runtime", "time": "time",
}

// packageOf writes a program in a copy of this module and returns its folder.
func packageOf(t *testing.T, source string) string {
	t.Helper()
	var imports strings.Builder
	for _, name := range []string{"asyncapi", "context", "log", "os", "runtime", "time"} {
		if regexp.MustCompile(`\b` + name + `\.[A-Z]`).MatchString(source) {
			imports.WriteString("import \"" + standard[name] + "\"\n")
		}
	}
	dir := filepath.Join(module(t), "page")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	program := "package main\n\n" + imports.String() + "\n" + source
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}
