package discover

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

func (in *interp) declare(stmt *ast.DeclStmt) {
	decl, ok := stmt.Decl.(*ast.GenDecl)
	if !ok || decl.Tok != token.VAR {
		return
	}
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ValueSpec)
		var values []Value
		switch {
		case len(spec.Values) == 1 && len(spec.Names) > 1:
			values = spread(in.eval(spec.Values[0]), len(spec.Names))
		default:
			for i, expr := range spec.Values {
				values = append(values, in.evalAs(expr, in.typeOf(spec.Names[i])))
			}
		}
		for i, name := range spec.Names {
			v, ok := in.frame.pkg.Info.Defs[name].(*types.Var)
			if !ok {
				continue
			}
			if values == nil {
				in.frame.scope.declare(v, in.zero(in.frame.targs.subst(v.Type())))
				continue
			}
			in.frame.scope.declare(v, in.copied(values[i]))
		}
	}
}

func (in *interp) increment(stmt *ast.IncDecStmt) {
	op := token.ADD
	if stmt.Tok == token.DEC {
		op = token.SUB
	}
	place := in.place(stmt.X)
	one := constOf(constant.MakeInt64(1), in.typeOf(stmt.X))
	place.store(in.binary(stmt, op, place.load(), one, in.typeOf(stmt.X)))
}

func (in *interp) assign(stmt *ast.AssignStmt) {
	if op, ok := assignOps[stmt.Tok]; ok {
		place := in.place(stmt.Lhs[0])
		t := in.typeOf(stmt.Lhs[0])
		operand := in.eval(stmt.Rhs[0]) // first, as the compiler does, where it is a call that changes the left side
		place.store(in.binary(stmt, op, place.load(), operand, t))
		return
	}
	var places []place
	if stmt.Tok == token.ASSIGN {
		for _, expr := range stmt.Lhs {
			places = append(places, in.place(expr))
		}
	}
	values := in.rightSide(stmt)
	for i, expr := range stmt.Lhs {
		if stmt.Tok == token.ASSIGN {
			places[i].store(values[i])
			continue
		}
		in.define(expr.(*ast.Ident), values[i])
	}
}

// rightSide evaluates what is assigned, with the copies that an assignment of
// several values needs.
func (in *interp) rightSide(stmt *ast.AssignStmt) []Value {
	if len(stmt.Rhs) == 1 && len(stmt.Lhs) > 1 {
		return spread(in.evalMulti(stmt.Rhs[0], len(stmt.Lhs)), len(stmt.Lhs))
	}
	values := make([]Value, len(stmt.Rhs))
	for i, expr := range stmt.Rhs {
		values[i] = in.copied(in.evalAs(expr, in.assignedType(stmt.Lhs[i])))
	}
	return values
}

// assignedType returns the type of what stands left of an assignment, nil for
// the blank identifier.
func (in *interp) assignedType(expr ast.Expr) types.Type {
	if ident, ok := expr.(*ast.Ident); ok && ident.Name == "_" {
		return nil
	}
	return in.typeOf(expr)
}

// define declares the variable on the left of :=, or assigns to it where it
// exists.
func (in *interp) define(ident *ast.Ident, v Value) {
	if ident.Name == "_" {
		return
	}
	if obj, ok := in.frame.pkg.Info.Defs[ident].(*types.Var); ok {
		in.frame.scope.declare(obj, in.copied(retyped(v, in.frame.targs.subst(obj.Type()))))
		return
	}
	in.place(ident).store(v)
}

var assignOps = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL,
	token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND,
	token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR, token.SHL_ASSIGN: token.SHL,
	token.SHR_ASSIGN: token.SHR, token.AND_NOT_ASSIGN: token.AND_NOT,
}
