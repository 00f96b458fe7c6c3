package discover

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// explained evaluates an expression and notes it as the origin of its value.
func (in *interp) explained(expr ast.Expr) Value {
	around := in.operands
	in.operands = nil
	v := in.evaluate(expr)
	operands := in.operands
	in.operands = around
	c, ok := v.(Const)
	if !ok {
		return v
	}
	if _, inParens := expr.(*ast.ParenExpr); !inParens {
		c.from = &diagnostic.Origin{Pos: in.program.Position(expr.Pos()), Text: source(expr), From: in.sources(expr, c, operands)}
	}
	in.operands = append(in.operands, c.from)
	return c
}

// sources are the origins behind that of an expression: of the value that was
// loaded or returned, which brings its own, else of the operands.
func (in *interp) sources(expr ast.Expr, c Const, operands []*diagnostic.Origin) []*diagnostic.Origin {
	if c.from != nil {
		return []*diagnostic.Origin{c.from}
	}
	if declared := in.declaredConst(expr); declared != nil {
		return []*diagnostic.Origin{declared}
	}
	if _, isCall := expr.(*ast.CallExpr); !isCall && len(operands) > maxOperands {
		return nil
	}
	return operands
}

// maxOperands bounds what an explanation branches into.
const maxOperands = 16

// declaredConst returns the declaration of a named constant, unless everybody
// has it.
func (in *interp) declaredConst(expr ast.Expr) *diagnostic.Origin {
	var name *ast.Ident
	switch expr := expr.(type) {
	case *ast.Ident:
		name = expr
	case *ast.SelectorExpr:
		name = expr.Sel
	default:
		return nil
	}
	obj, ok := in.frame.pkg.Info.Uses[name].(*types.Const)
	if !ok || obj.Pkg() == nil || load.IsLibrary(obj.Pkg().Path()) || in.program.InStandardLibrary(obj.Pkg().Path()) {
		return nil
	}
	return &diagnostic.Origin{Pos: in.program.Position(obj.Pos()), Text: obj.Name() + " = " + obj.Val().String()}
}

// explainField notes where the value of a field comes from. What the program
// never set comes from nowhere.
func (r *reader) explainField(field string, v Value) {
	if c, ok := v.(Const); ok && c.from != nil {
		r.origins = append(r.origins, registered.FieldOrigin{Field: field, Value: constantText(c.Value), Origin: c.from})
	}
}

func constantText(v constant.Value) string { return v.ExactString() }
