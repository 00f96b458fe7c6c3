// Package modtest lays out Go modules for tests that load, build or run code of
// a user of warren. It is imported by tests only.
package modtest

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// Root returns warren's own folder.
func Root(t testing.TB) string {
	t.Helper()
	_, file, _, ok := runtime.Caller(0)
	require.True(t, ok)
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}

// yamlLine is the line of warren's go.mod with the module that package asyncapi
// imports, which the go command wants in that of its user.
var yamlLine = regexp.MustCompile(`go\.yaml\.in/yaml/v3 v\S+`)

// GoMod returns the go.mod of a module called path that uses warren from this
// checkout. It needs the go.sum of [GoSum] beside it.
func GoMod(t testing.TB, path string) string {
	t.Helper()
	own, err := os.ReadFile(filepath.Join(Root(t), "go.mod"))
	require.NoError(t, err)
	yaml := yamlLine.FindString(string(own))
	require.NotEmpty(t, yaml)
	return "module " + path + "\n\ngo 1.26.0\n\nrequire github.com/warrenmq/warren v0.0.0\n\nrequire " + yaml + " // indirect\n\n" +
		"replace github.com/warrenmq/warren => " + Root(t) + "\n"
}

// GoSum returns the go.sum of a module that uses warren from this checkout.
func GoSum(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Root(t), "go.sum"))
	require.NoError(t, err)
	return text
}

// Write lays out the files of an archive in a folder of the test's own and
// returns it. An archive without a go.mod gets that of the module
// example.com/shop, and one without a go.sum that of [GoSum].
func Write(t testing.TB, archive *txtar.Archive) string {
	t.Helper()
	dir := t.TempDir()
	hasModule, hasSum := false, false
	for _, file := range archive.Files {
		name := filepath.Join(dir, filepath.FromSlash(file.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, file.Data, 0o644))
		hasModule = hasModule || file.Name == "go.mod"
		hasSum = hasSum || file.Name == "go.sum"
	}
	if !hasModule {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(GoMod(t, "example.com/shop")), 0o644))
	}
	if !hasSum {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), GoSum(t), 0o644))
	}
	return dir
}
