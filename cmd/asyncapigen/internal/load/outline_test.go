package load

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

// The regions of an outline are the declarations of the parser, with their
// comments.
func TestOutline_DividesAsTheParser(t *testing.T) {
	divided := 0
	for _, path := range []string{"encoding/json", "go/types", "math", "reflect", "sync/atomic", "time"} {
		names, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", path, "*.go"))
		require.NoError(t, err)
		for _, name := range names {
			if outline := outlineOf(name); outline != nil {
				divided++
				requireDeclarations(t, outline)
			}
		}
	}
	require.Greater(t, divided, 150)
}

func requireDeclarations(t *testing.T, o *outline) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, o.name, o.text, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	require.Len(t, o.regions, len(file.Decls)+1, o.name)
	at := func(pos token.Pos) int { return fset.Position(pos).Offset }
	for i, decl := range file.Decls {
		r := o.regions[i+1]
		require.Equal(t, r.at, at(decl.Pos()), o.name)
		require.LessOrEqual(t, at(decl.End()), r.end, o.name)
		require.Equal(t, r.line, 1+countLines(o.text[:r.start]), o.name)
		require.NotEqual(t, "\n", string(o.text[r.start]), "%s: blank lines above a declaration are no part of it", o.name)
		require.Contains(t, o.at(fset.Position(decl.Pos()).Line), r, o.name)
		if doc := docOf(decl); doc != nil {
			require.GreaterOrEqual(t, at(doc.Pos()), r.start, o.name)
		}
		requireNames(t, o, r, decl)
	}
}

func countLines(text []byte) (lines int) {
	for _, c := range text {
		if c == '\n' {
			lines++
		}
	}
	return lines
}

func docOf(decl ast.Decl) *ast.CommentGroup {
	if f, ok := decl.(*ast.FuncDecl); ok {
		return f.Doc
	}
	return decl.(*ast.GenDecl).Doc
}

// requireNames requires that the names that are read from the text are those of
// the declaration.
func requireNames(t *testing.T, o *outline, r region, decl ast.Decl) {
	t.Helper()
	var want []string
	if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
		want = append(want, f.Name.Name)
	} else if ok {
		receiver, known := o.receiver(r)
		require.True(t, known, o.name)
		base, _, _ := strings.Cut(types.ExprString(f.Recv.List[0].Type), "[")
		require.Equal(t, strings.TrimPrefix(base, "*"), receiver, o.name)
	} else {
		for _, spec := range decl.(*ast.GenDecl).Specs {
			for _, name := range declaredBy(spec) {
				want = append(want, name.Name)
			}
		}
	}
	if r.keyword != "import" {
		require.Equal(t, want, o.names(r), "%s: %s", o.name, o.text[r.start:r.end])
	}
}

func TestOutline_OfUnusualText(t *testing.T) {
	for text, regions := range map[string]int{
		"package p":                         1,
		"package p; type A int; type B int": 3,
		"package p\nvar c chan\nfunc()\nvar d = 1.\nfunc f()":                      4,
		"package p\nvar a = b.\nC\nfunc f() {}":                                    3,
		"package p\nvar a = 1":                                                     2,
		"package p\nvar a = b":                                                     2,
		"package p\nvar f =\nfunc() { }\nfunc g() {}":                              3,
		"package p\nvar a = `\nfunc x() {}\n`\nvar b = '\"'; var c = \"\\\"type\"": 4,
		"package p\ntype A int /* a\n*/ type B int":                                3,
		"package p\n// type A int\n/* type B int */":                               1,
		"package p\n\n\n//line x.go:1\ntype A int":                                 0, // its positions are of another file
		"package p\ntype /* no */ A int":                                           0,
		"package p\ntype A struct {":                                               0,
		"package p\n}":                                                             0,
		"package p\nvar s = \"\n":                                                  0,
		"package p\nvar s = \"":                                                    0,
		"package p\nvar s = \"\\":                                                  0,
		"package p\nvar s = `":                                                     0,
		"package p\n/*":                                                            0,
		"package p\nelse":                                                          0,
		"package p\n\"text\"":                                                      0,
		"":                                                                         0,
	} {
		name := filepath.Join(t.TempDir(), "p.go")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		outline := outlineOf(name)
		if regions == 0 {
			require.Nil(t, outline, text)
			continue
		}
		require.NotNil(t, outline, text)
		require.Len(t, outline.regions, regions, text)
	}
}

func TestOutline_NamesEachVariable(t *testing.T) {
	name := filepath.Join(t.TempDir(), "p.go")
	require.NoError(t, os.WriteFile(name, []byte("package p\n\nvar a , b,c int\n\nconst d, e = 1, 2\n"), 0o600))

	requireDeclarations(t, outlineOf(name))
}

func TestIsReplaced_ByAnotherModule(t *testing.T) {
	replaced := func(by *packages.Module) *packages.Package {
		return &packages.Package{Module: &packages.Module{Path: "example.com/a", Replace: by}}
	}
	program := &Program{byPath: map[string]*packages.Package{
		"fork":    replaced(&packages.Module{Path: "example.com/fork"}),
		"version": replaced(&packages.Module{Path: "example.com/a", Version: "v1.2.0"}),
		"itself":  replaced(nil),
		"os":      {},
	}}
	for path, want := range map[string]bool{"fork": true, "version": false, "itself": false, "os": false, "unknown": false} {
		require.Equal(t, want, program.IsReplaced(path), path)
	}
}
