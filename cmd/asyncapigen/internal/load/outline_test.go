package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	root := os.Getenv("ZZROOT")
	n, bad, size := 0, 0, 0
	filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		fset := token.NewFileSet()
		text, _ := os.ReadFile(path)
		file, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		n++
		size += len(text)
		o := outlineOf(path)
		if o == nil {
			bad++
			if bad < 40 && !strings.Contains(string(text), "//line ") && !strings.Contains(string(text), "/*line ") {
				t.Log("none", path)
			}
			return nil
		}
		if len(o.regions)-1 != len(file.Decls) {
			t.Error(path, len(o.regions)-1, len(file.Decls))
			return nil
		}
		for i, decl := range file.Decls {
			r := o.regions[i+1]
			if at := fset.Position(decl.Pos()).Offset; at != r.at {
				t.Error(path, r, at)
			}
			if end := fset.Position(decl.End()).Offset; end > r.end || end < r.start {
				t.Error(path, r, end)
			}
			var doc *ast.CommentGroup
			switch decl := decl.(type) {
			case *ast.GenDecl:
				doc = decl.Doc
			case *ast.FuncDecl:
				doc = decl.Doc
			}
			if doc != nil && fset.Position(doc.Pos()).Offset < r.start {
				t.Error(path, "doc")
			}
		}
		return nil
	})
	t.Log(n, bad, size>>20)
}
func BenchmarkOutline(b *testing.B) {
	names, _ := filepath.Glob("/root/go/pkg/mod/github.com/stripe/stripe-go/v82@v82.5.1/*.go")
	for b.Loop() {
		for _, n := range names {
			outlineOf(n)
		}
	}
}
