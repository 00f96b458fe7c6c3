package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/modtest"
)

// The tables of docs/reference/runtime.md list the fields of these structs, in
// their order, under a heading each.
var runtimeTables = []struct{ heading, dir, name string }{
	{"### Route", "runtime", "Route"},
	{"### Source", "runtime", "Source"},
	{"### Queue", "runtime", "Queue"},
	{"### Exchange", "runtime", "Exchange"},
	{"### FailurePolicy", "runtime", "FailurePolicy"},
	{"### Topology", "runtime", "Topology"},
	{"### rabbitmq.Config", "runtime/rabbitmq", "Config"},
	{"### memory.Config", "runtime/memory", "Config"},
}

func TestRuntimeReference_ListsFieldsAndErrors(t *testing.T) {
	page := read(t, filepath.Join("reference", "runtime.md"))
	for _, table := range runtimeTables {
		var fields []string
		for _, field := range exportedFields(t, table.dir, table.name) {
			fields = append(fields, field.name)
		}
		require.NotEmpty(t, fields, table.name)
		require.Equal(t, fields, codeCells(section(t, page, table.heading), ""), table.heading)
	}
	require.Equal(t, exportedErrors(t, "runtime"), codeCells(section(t, page, "## Errors"), "Err"), "## Errors")
}

// What both configurations have means the same, and says so in the same words.
func TestConfigs_ShareTheCommentsOfSharedFields(t *testing.T) {
	comments := make(map[string]string)
	for _, field := range exportedFields(t, "runtime/rabbitmq", "Config") {
		comments[field.name] = field.comment
	}
	shared := 0
	for _, field := range exportedFields(t, "runtime/memory", "Config") {
		if comment, both := comments[field.name]; both {
			shared++
			require.Equal(t, comment, field.comment, field.name)
		}
	}
	require.Equal(t, 8, shared)
}

// section returns the text from a heading to the next one of its level or above.
func section(t *testing.T, page, heading string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, "\n"+heading+"\n")
	require.True(t, found, "no heading %q", heading)
	level := strings.Count(strings.Fields(heading)[0], "#")
	for i := range rest {
		line := rest[i:]
		marks := len(line) - len(strings.TrimLeft(line, "#"))
		if (i == 0 || rest[i-1] == '\n') && marks > 0 && marks <= level {
			return rest[:i]
		}
	}
	return rest
}

// codeCells returns the first cells of the tables that are a name in code with
// the prefix.
func codeCells(text, prefix string) []string {
	var names []string
	for _, cells := range tableRows(text, regexp.MustCompile("^`"+prefix+"\\w+`$")) {
		names = append(names, strings.Trim(cells[0], "`"))
	}
	return names
}

type structField struct{ name, comment string }

// exportedFields returns the exported fields of a struct in a package's folder.
func exportedFields(t *testing.T, dir, name string) []structField {
	t.Helper()
	var fields []structField
	for _, file := range parse(t, dir) {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != name {
				return true
			}
			for _, field := range spec.Type.(*ast.StructType).Fields.List {
				for _, ident := range field.Names {
					if ident.IsExported() {
						fields = append(fields, structField{ident.Name, field.Doc.Text()})
					}
				}
			}
			return false
		})
	}
	return fields
}

// exportedErrors returns the exported variables of a package whose names begin
// with Err.
func exportedErrors(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	for _, file := range parse(t, dir) {
		for _, decl := range file.Decls {
			declared, ok := decl.(*ast.GenDecl)
			if !ok || declared.Tok != token.VAR {
				continue
			}
			for _, spec := range declared.Specs {
				for _, ident := range spec.(*ast.ValueSpec).Names {
					if strings.HasPrefix(ident.Name, "Err") {
						names = append(names, ident.Name)
					}
				}
			}
		}
	}
	return names
}

// parse returns the files of a package in the order of their names.
func parse(t *testing.T, dir string) []*ast.File {
	t.Helper()
	files := make(map[string]*ast.File)
	goFiles(t, ".go", func(path, text string) {
		if filepath.ToSlash(filepath.Dir(path)) != dir || strings.HasSuffix(path, "_test.go") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(modtest.Root(t), path), text, parser.ParseComments)
		require.NoError(t, err)
		files[path] = file
	})
	var sorted []*ast.File
	for _, path := range slices.Sorted(maps.Keys(files)) {
		sorted = append(sorted, files[path])
	}
	return sorted
}
