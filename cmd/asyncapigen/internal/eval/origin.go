package eval

import (
	"go/ast"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// explained evaluates an expression by a function and, where that is asked for, notes it as
// the origin of its value.
func (ev *Evaluator) explained(expr ast.Expr, evaluate func() value.Value) value.Value {
	if !ev.Explain {
		return evaluate()
	}
	around := ev.operands
	ev.operands = nil
	v := evaluate()
	operands := ev.operands
	ev.operands = around
	c, ok := v.(value.Const)
	if !ok {
		return v
	}
	if _, inParens := expr.(*ast.ParenExpr); !inParens {
		c.Origin = &diagnostic.Origin{Pos: ev.program.Position(expr.Pos()), Text: value.Source(expr), From: ev.sources(expr, c, operands)}
	}
	ev.operands = append(ev.operands, c.Origin)
	return c
}

// sources are the origins behind that of an expression: of the value that was
// loaded or returned, which brings its own, else of the operands.
func (ev *Evaluator) sources(expr ast.Expr, c value.Const, operands []*diagnostic.Origin) []*diagnostic.Origin {
	if c.Origin != nil {
		return []*diagnostic.Origin{c.Origin}
	}
	if declared := ev.declaredConst(expr); declared != nil {
		return []*diagnostic.Origin{declared}
	}
	return operands
}

// declaredConst returns the declaration of a named constant, unless everybody
// has it.
func (ev *Evaluator) declaredConst(expr ast.Expr) *diagnostic.Origin {
	obj, ok := ev.frame.pkg.Info.Uses[nameIn(expr)].(*types.Const)
	if !ok || obj.Pkg() == nil || load.IsLibrary(obj.Pkg().Path()) || ev.program.InStandardLibrary(obj.Pkg().Path()) {
		return nil
	}
	return &diagnostic.Origin{Pos: ev.program.Position(obj.Pos()), Text: obj.Name() + " = " + obj.Val().String()}
}
