package discover

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// An Origin is an expression that gave a value, and the origins of what it was
// computed from: the values of its operands, or the expression that was
// assigned to the variable, or returned by the function.
type Origin struct {
	Pos  token.Position
	Text string
	From []*Origin
}

// A FieldOrigin explains the value of one field of a route.
type FieldOrigin struct {
	Field  string // such as "queue name"
	Value  string // as in Go source
	Origin *Origin
}

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
		c.from = &Origin{Pos: in.program.Position(expr.Pos()), Text: source(expr), From: in.sources(expr, c, operands)}
	}
	in.operands = append(in.operands, c.from)
	return c
}

// sources are the origins behind that of an expression: of the value that was
// loaded or returned, which brings its own, else of the operands.
func (in *interp) sources(expr ast.Expr, c Const, operands []*Origin) []*Origin {
	if c.from != nil {
		return []*Origin{c.from}
	}
	if declared := in.declaredConst(expr); declared != nil {
		return []*Origin{declared}
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
func (in *interp) declaredConst(expr ast.Expr) *Origin {
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
	return &Origin{Pos: in.program.Position(obj.Pos()), Text: obj.Name() + " = " + obj.Val().String()}
}

// explainField notes where the value of a field comes from. What the program
// never set comes from nowhere.
func (r *reader) explainField(field string, v Value) {
	if c, ok := v.(Const); ok && c.from != nil {
		r.origins = append(r.origins, FieldOrigin{Field: field, Value: constantText(c.Value), Origin: c.from})
	}
}

func constantText(v constant.Value) string { return v.ExactString() }
