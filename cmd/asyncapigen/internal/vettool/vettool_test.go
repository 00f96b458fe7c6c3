package vettool_test

import (
	"archive/zip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/vettool"
	"github.com/warrenmq/warren/internal/modtest"
)

// shop repeats a tag, which is a warning with a fix.
const shop = `-- main.go --
package main

import (
	"context"

	"github.com/warrenmq/warren/runtime"
)

//go:generate asyncapigen

func on(context.Context, string) error { return nil }

func main() {
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{Queue: runtime.Queue{Name: "orders"}, Tags: []string{"a", "a"}, Handler: runtime.Consume(on)})
}
`

// A call is one of go vet with a file that describes a package.
type call struct {
	dir  string
	unit map[string]any
}

func newCall(t *testing.T, files string) call {
	t.Helper()
	dir := modtest.Write(t, txtar.Parse([]byte(files)))
	return call{dir, map[string]any{
		"ID": "example.com/shop", "GoFiles": []string{filepath.Join(dir, "main.go")},
		"VetxOutput": filepath.Join(dir, "facts"), "Stdout": filepath.Join(dir, "findings"), "FixArchive": filepath.Join(dir, "fixes"),
	}}
}

// run returns the exit status and what is said of a fault.
func (c call) run(t *testing.T, flags ...string) (int, string) {
	t.Helper()
	text, err := json.Marshal(c.unit)
	require.NoError(t, err)
	config := filepath.Join(c.dir, "vet.cfg")
	require.NoError(t, os.WriteFile(config, text, 0o600))
	var stderr strings.Builder
	status := vettool.Run(append(flags, config), io.Discard, &stderr)
	return status, stderr.String()
}

// findings returns the messages that go vet reads, and the number of the fixes of each.
func (c call) findings(t *testing.T, flags ...string) map[string]int {
	t.Helper()
	status, said := c.run(t, flags...)
	require.Zero(t, status, said)
	text, err := os.ReadFile(filepath.Join(c.dir, "findings"))
	require.NoError(t, err)
	var all map[string]map[string][]struct {
		Posn, Message string
		Fixes         []any `json:"suggested_fixes"`
	}
	require.NoError(t, json.Unmarshal(text, &all))
	found := make(map[string]int)
	for _, f := range all["example.com/shop"]["asyncapigen"] {
		require.Contains(t, f.Posn, "main.go:15:")
		found[f.Message] = len(f.Fixes)
	}
	return found
}

func TestIsCalled(t *testing.T) {
	for line, want := range map[string]bool{
		"": false, "-V=full": true, "-flags": true, "/tmp/vet.cfg": true, "-warnings=false /tmp/vet.cfg": true, "generate": false, "./vet.cfg generate": false,
	} {
		require.Equal(t, want, vettool.IsCalled(strings.Fields(line)), line)
	}
}

func TestRun_SaysWhichToolItIs(t *testing.T) {
	var stdout strings.Builder
	require.Zero(t, vettool.Run([]string{"-V=full"}, &stdout, io.Discard))
	require.Regexp(t, `^\S+ version devel buildID=[0-9a-f]{64}\n$`, stdout.String())
}

func TestRun_SaysWhichFlagsThereAre(t *testing.T) {
	var stdout strings.Builder
	require.Zero(t, vettool.Run([]string{"-flags"}, &stdout, io.Discard))
	require.JSONEq(t, `[{"Name": "warnings", "Bool": true, "Usage": "report warnings as well"}]`, stdout.String())
}

func TestRun_WritesFindingsForGoVet(t *testing.T) {
	c := newCall(t, shop)
	const repeated = `warning: route "on": it has the tag "a" more than once: remove the repeats [repeated-tag]`
	require.Equal(t, map[string]int{repeated: 1}, c.findings(t, "-warnings=true"))
	require.Empty(t, c.findings(t, "-warnings=false"))
	require.NoFileExists(t, filepath.Join(c.dir, "facts"), "the go command would keep what is found")
}

func TestRun_WritesFilesWithTheirFixes(t *testing.T) {
	c := newCall(t, shop)
	status, said := c.run(t, "-warnings=true", "-fix")
	require.Zero(t, status, said)
	archive, err := zip.OpenReader(filepath.Join(c.dir, "fixes"))
	require.NoError(t, err)
	defer archive.Close()
	require.Len(t, archive.File, 1)
	file, err := archive.File[0].Open()
	require.NoError(t, err)
	text, err := io.ReadAll(file)
	require.NoError(t, err)
	_, before, _ := strings.Cut(shop, "--\n")
	require.Equal(t, filepath.Join(c.dir, "main.go"), archive.File[0].Name)
	require.Equal(t, strings.Replace(before, `"a", "a"`, `"a"`, 1), string(text))
}

// The go command keeps the result of a package that has no directive, or is only imported.
func TestRun_HasNoFactsOfPackagesWithoutADirective(t *testing.T) {
	for name, c := range map[string]call{
		"no directive":  newCall(t, strings.Replace(shop, "//go:generate asyncapigen\n", "", 1)),
		"imported only": newCall(t, shop),
	} {
		c.unit["VetxOnly"] = name == "imported only"
		status, said := c.run(t, "-warnings=true")
		require.Zero(t, status, said)
		facts, err := os.ReadFile(filepath.Join(c.dir, "facts"))
		require.NoError(t, err, name)
		require.Empty(t, facts)
		require.NoFileExists(t, filepath.Join(c.dir, "findings"))

		c.unit["VetxOutput"] = ""
		status, said = c.run(t, "-warnings=true")
		require.Zero(t, status, said)
	}
}

func TestRun_SaysWhatWentWrong(t *testing.T) {
	for name, c := range map[string]struct {
		part  string
		value any
		flags string
		want  string
	}{
		"a file that isn't there": {"GoFiles", []string{"/none/main.go"}, "", "no such file"},
		"not what go vet writes":  {"GoFiles", "main.go", "", "read what go vet asks for"},
		"no folder for findings":  {"Stdout", "/none/findings", "", "no such file"},
		"no folder for fixes":     {"FixArchive", "/none/fixes", "-fix", "write the fixes"},
		"no folder for facts":     {"VetxOutput", "/none/facts", "-facts", "no such file"},
		"differences":             {"ID", "a", "-diff", "shows none"},
		"an unknown flag":         {"ID", "a", "-none", "flag provided but not defined"},
	} {
		t.Run(name, func(t *testing.T) {
			made := newCall(t, shop)
			made.unit[c.part] = c.value
			flags := []string{"-warnings=true"}
			if c.flags == "-facts" {
				made.unit["VetxOnly"] = true
			} else if c.flags != "" {
				flags = append(flags, c.flags)
			}
			status, said := made.run(t, flags...)
			require.Equal(t, 1, status)
			require.Contains(t, said, c.want)
		})
	}
	var stderr strings.Builder
	require.Equal(t, 1, vettool.Run([]string{filepath.Join(t.TempDir(), "vet.cfg")}, io.Discard, &stderr))
	require.Contains(t, stderr.String(), "read what go vet asks for")
}
