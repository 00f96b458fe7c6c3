package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/imports"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/modtest"
)

// section matches a section of docs/diagnostics.md that has an example: the
// code, the program, and its diagnostics.
var section = regexp.MustCompile("(?ms)^### ([a-z-]+)$(?:[^`#]|`[^`]+`)*^```go\n(.*?)^```\n^```text\n(.*?)^```$")

// The output in the examples of docs/diagnostics.md is that of the command.
func TestDiagnostics_AreAsDocumented(t *testing.T) {
	page := filepath.Join(modtest.Root(t), "docs", "diagnostics.md")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	sections := section.FindAllSubmatchIndex(text, -1)
	require.NotEmpty(t, sections)
	var updated bytes.Buffer
	end := 0
	for _, at := range sections {
		code, program, want := string(text[at[2]:at[3]]), string(text[at[4]:at[5]]), string(text[at[6]:at[7]])
		got := diagnosticsOf(t, program)
		updated.Write(text[end:at[6]])
		updated.WriteString(got)
		end = at[7]
		if !*update {
			require.Equal(t, want, got, "the example of %s", code)
		}
		require.Contains(t, got, "["+code+"]")
	}
	updated.Write(text[end:])
	if *update {
		require.NoError(t, os.WriteFile(page, updated.Bytes(), 0o644))
	}
}

// diagnosticsOf runs the command on a program, whose other imports than the
// runtime are added.
func diagnosticsOf(t *testing.T, program string) string {
	t.Helper()
	source := "package main\n\nimport \"github.com/warrenmq/warren/runtime\"\n\n" + program
	complete, err := imports.Process("main.go", []byte(source), nil)
	require.NoError(t, err)
	dir := modtest.Write(t, &txtar.Archive{Files: []txtar.File{{Name: "shop/main.go", Data: complete}}})
	t.Chdir(filepath.Join(dir, "shop"))
	var stdout, stderr bytes.Buffer
	run(t.Context(), nil, &stdout, &stderr)
	require.Empty(t, stdout.String())
	return stderr.String()
}

// Every code has a section.
func TestDiagnostics_AreAllDocumented(t *testing.T) {
	root := modtest.Root(t)
	text, err := os.ReadFile(filepath.Join(root, "docs", "diagnostics.md"))
	require.NoError(t, err)
	codes := codesIn(t, filepath.Join(root, "internal", "diagnostic", "code.go"))
	require.NotEmpty(t, codes)
	for _, code := range codes {
		require.True(t, strings.Contains(string(text), "\n### "+code+"\n"), "%s has no section", code)
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
