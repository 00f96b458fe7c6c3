package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// embedded returns the value of a package variable without an initializer that
// the compiler fills by a directive //go:embed, nil for other variables. The text
// of a single file is known, a file system isn't.
func (ev *Evaluator) embedded(pkg *load.Package, v *types.Var) value.Value {
	directive := embedDirective(pkg, v)
	if directive == nil {
		return nil
	}
	unknown := &value.Unknown{Reason: "what " + directive.Text + " embeds", Pos: v.Pos(), NonNil: true}
	name := strings.TrimSpace(strings.TrimPrefix(directive.Text, "//go:embed"))
	if unquoted, err := strconv.Unquote(name); err == nil {
		name = unquoted
	}
	folder := filepath.Dir(ev.program.Fset.Position(directive.Pos()).Filename)
	text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
	if err != nil || len(text) > value.MaxText {
		return unknown
	}
	ev.work(len(text))
	switch t := v.Type().Underlying().(type) {
	case *types.Basic:
		return value.NewConst(constant.MakeString(string(text)), v.Type())
	case *types.Slice:
		return value.BytesOrRunes(v.Type(), t, string(text))
	}
	return unknown
}

// embedDirective returns the directive above the declaration of v. Empty lines
// and comments may stand between the two.
func embedDirective(pkg *load.Package, v *types.Var) *ast.Comment {
	for _, file := range pkg.Files {
		if v.Pos() < file.FileStart || v.Pos() >= file.FileEnd {
			continue
		}
		above := declaredBefore(file, v.Pos())
		for _, group := range file.Comments {
			for _, comment := range group.List {
				if comment.Pos() > above && comment.End() < v.Pos() && strings.HasPrefix(comment.Text, "//go:embed ") {
					return comment
				}
			}
		}
	}
	return nil
}

// declaredBefore returns the end of what is declared before the name at pos.
func declaredBefore(file *ast.File, pos token.Pos) token.Pos {
	end := file.Name.End()
	for _, decl := range file.Decls {
		if decl.End() <= pos {
			end = decl.End()
			continue
		}
		if decl, ok := decl.(*ast.GenDecl); ok {
			for _, spec := range decl.Specs {
				if spec.End() <= pos {
					end = max(end, spec.End())
				}
			}
		}
	}
	return end
}
