package eval

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Functions that are called for real go by variables of package unicode in this process, which
// the evaluated program may change in its own.

// tablesChanged is the variable that holds something when the program may have changed one.
const tablesChanged = "the variables of package unicode"

// noteTable notes that the program may assign to such a variable, or to a part of what it
// holds, where an expression is that.
func (ev *Evaluator) noteTable(expr ast.Expr) {
	v, ok := ev.frame.pkg.Info.Uses[assignedName(ev.frame.pkg.Info, expr)].(*types.Var)
	if ok && v.Pkg() != nil && v.Pkg().Path() == model.Tables {
		ev.Set(ev.Variable(tablesChanged), value.NewConst(constant.MakeBool(true), types.Typ[types.Bool]))
		ev.tables = true
	}
}

// TablesChanged implements [model.Machine].
func (ev *Evaluator) TablesChanged() bool {
	return ev.tables && !value.IsNil(ev.Variable(tablesChanged).Load())
}

// assignedName returns the name of the variable of which an expression is a part, or of
// what it holds, nil for none.
func assignedName(info *types.Info, expr ast.Expr) *ast.Ident {
	for {
		switch e := expr.(type) {
		case *ast.Ident:
			return e
		case *ast.ParenExpr:
			expr = e.X
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.SliceExpr:
			expr = e.X
		case *ast.SelectorExpr:
			if expr = e.X; info.Selections[e] == nil {
				expr = e.Sel // of a package
			}
		default:
			return nil
		}
	}
}
