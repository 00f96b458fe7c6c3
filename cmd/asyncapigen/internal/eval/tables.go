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
	var path string
	switch root := ev.frame.pkg.Info.Uses[rootOf(expr)].(type) {
	case *types.PkgName:
		path = root.Imported().Path()
	case *types.Var: // of a package that is imported by a dot
		if root.Pkg() != nil {
			path = root.Pkg().Path()
		}
	}
	if path == model.Tables {
		ev.Set(ev.Variable(tablesChanged), value.NewConst(constant.MakeBool(true), types.Typ[types.Bool]))
		ev.tables = true
	}
}

// TablesChanged implements [model.Machine].
func (ev *Evaluator) TablesChanged() bool {
	return ev.tables && !value.IsNil(ev.Variable(tablesChanged).Load())
}
