package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

func (ev *Evaluator) declare(stmt *ast.DeclStmt) {
	decl, ok := stmt.Decl.(*ast.GenDecl)
	if !ok || decl.Tok != token.VAR {
		return
	}
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ValueSpec)
		var values []value.Value
		switch {
		case len(spec.Values) == 1 && len(spec.Names) > 1:
			values = spread(ev.eval(spec.Values[0]), len(spec.Names))
		default:
			for i, expr := range spec.Values {
				values = append(values, ev.evalAs(expr, ev.typeOf(spec.Names[i])))
			}
		}
		for i, name := range spec.Names {
			v, ok := ev.frame.pkg.Info.Defs[name].(*types.Var)
			if !ok {
				continue
			}
			if values == nil {
				ev.frame.scope.declare(v, ev.Zero(ev.frame.targs.subst(v.Type())))
				continue
			}
			ev.frame.scope.declare(v, ev.Copied(values[i]))
		}
	}
}

func (ev *Evaluator) increment(stmt *ast.IncDecStmt) {
	op := token.ADD
	if stmt.Tok == token.DEC {
		op = token.SUB
	}
	place := ev.place(stmt.X)
	one := value.NewConst(constant.MakeInt64(1), ev.typeOf(stmt.X))
	place.Store(ev.binary(stmt, op, place.Load(), one, ev.typeOf(stmt.X)))
}

func (ev *Evaluator) assign(stmt *ast.AssignStmt) {
	if op, ok := assignOps[stmt.Tok]; ok {
		place := ev.place(stmt.Lhs[0])
		t := ev.typeOf(stmt.Lhs[0])
		operand := ev.eval(stmt.Rhs[0]) // first, as the compiler does, where it is a call that changes the left side
		place.Store(ev.binary(stmt, op, place.Load(), operand, t))
		return
	}
	var places []value.Place
	if stmt.Tok == token.ASSIGN {
		for _, expr := range stmt.Lhs {
			places = append(places, ev.place(expr))
		}
	}
	values, failed := ev.rightSide(stmt)
	if failed != nil {
		failed.err = ev.errorVariable(stmt.Lhs)
	}
	declared := make([]*value.Cell, len(stmt.Lhs))
	ev.keep(failed, value.Tuple(values), func(result value.Value) {
		values := spread(result, len(stmt.Lhs))
		for i, expr := range stmt.Lhs {
			switch {
			case stmt.Tok == token.ASSIGN:
				places[i].Store(values[i])
			case declared[i] != nil:
				ev.Set(declared[i], ev.Copied(value.Retyped(values[i], ev.typeOf(expr))))
			default:
				declared[i] = ev.define(expr.(*ast.Ident), values[i])
			}
		}
	})
}

// rightSide evaluates what is assigned, with the copies that an assignment of
// several values needs.
func (ev *Evaluator) rightSide(stmt *ast.AssignStmt) ([]value.Value, *failure) {
	if len(stmt.Rhs) == 1 {
		if _, isCall := ast.Unparen(stmt.Rhs[0]).(*ast.CallExpr); isCall {
			return ev.assignedCall(stmt)
		}
	}
	if len(stmt.Rhs) == 1 && len(stmt.Lhs) > 1 {
		return spread(ev.evalMulti(stmt.Rhs[0], len(stmt.Lhs)), len(stmt.Lhs)), nil
	}
	values := make([]value.Value, len(stmt.Rhs))
	for i, expr := range stmt.Rhs {
		values[i] = ev.Copied(ev.evalAs(expr, ev.assignedType(stmt.Lhs[i])))
	}
	return values, nil
}

// assignedCall evaluates the call on the right of an assignment.
func (ev *Evaluator) assignedCall(stmt *ast.AssignStmt) ([]value.Value, *failure) {
	v, failed := ev.evalKept(stmt.Rhs[0])
	values := slices.Clone(spread(v, len(stmt.Lhs)))
	if len(stmt.Lhs) == 1 {
		if t := ev.assignedType(stmt.Lhs[0]); t != nil {
			v = value.Retyped(v, ev.frame.targs.subst(t))
		}
		values[0] = ev.Copied(v)
	}
	return values, failed
}

// errorVariable returns the variable that the last of the results is assigned
// to, nil where that is the blank identifier or no variable.
func (ev *Evaluator) errorVariable(list []ast.Expr) *types.Var {
	name, ok := list[len(list)-1].(*ast.Ident)
	if !ok || name.Name == "_" {
		return nil
	}
	v, _ := ev.frame.pkg.Info.ObjectOf(name).(*types.Var)
	return v
}

// assignedType returns the type of what stands left of an assignment, nil for
// the blank identifier.
func (ev *Evaluator) assignedType(expr ast.Expr) types.Type {
	if ident, ok := expr.(*ast.Ident); ok && ident.Name == "_" {
		return nil
	}
	return ev.typeOf(expr)
}

// define declares the variable on the left of :=, and returns it, or assigns to
// one that exists.
func (ev *Evaluator) define(ident *ast.Ident, v value.Value) *value.Cell {
	if ident.Name == "_" {
		return nil
	}
	if obj, ok := ev.frame.pkg.Info.Defs[ident].(*types.Var); ok {
		return ev.frame.scope.declare(obj, ev.Copied(value.Retyped(v, ev.frame.targs.subst(obj.Type()))))
	}
	ev.place(ident).Store(v)
	return nil
}

var assignOps = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL,
	token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND,
	token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR, token.SHL_ASSIGN: token.SHL,
	token.SHR_ASSIGN: token.SHR, token.AND_NOT_ASSIGN: token.AND_NOT,
}
