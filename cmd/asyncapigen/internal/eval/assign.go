package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
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
			values = ev.boxedParts(spec.Values[0], ev.evalMulti(spec.Values[0], len(spec.Names)), len(spec.Names), func(i int) types.Type { return ev.typeOf(spec.Names[i]) })
		default:
			if len(spec.Values) > 0 {
				values = make([]value.Value, len(spec.Values))
			}
			ev.inOrder(spec.Values, func(i int) {
				values[i] = ev.Copied(ev.evalAs(spec.Values[i], ev.typeOf(spec.Names[i])))
			})
		}
		for i, name := range spec.Names {
			if v, ok := ev.frame.pkg.Info.Defs[name].(*types.Var); ok {
				ev.declareAs(v, i, values)
			}
		}
	}
}

// declareAs declares a variable of a list with its value, which is zero where there are none.
func (ev *Evaluator) declareAs(v *types.Var, i int, values []value.Value) {
	var initial value.Value
	if values == nil {
		initial = ev.Zero(ev.frame.targs.subst(v.Type()))
	} else {
		initial = ev.Copied(values[i])
	}
	ev.frame.scope.declare(v, ev.Declared(initial))
}

func (ev *Evaluator) increment(stmt *ast.IncDecStmt) {
	op := token.ADD
	if stmt.Tok == token.DEC {
		op = token.SUB
	}
	ev.noteTable(stmt.X)
	place := ev.place(stmt.X)
	one := value.NewConst(constant.MakeInt64(1), ev.typeOf(stmt.X))
	place.Store(ev.binary(stmt, op, place.Load(), one, ev.typeOf(stmt.X)))
}

func (ev *Evaluator) assign(stmt *ast.AssignStmt) {
	if op, ok := assignOps[stmt.Tok]; ok {
		ev.assignOperation(stmt, op)
		return
	}
	places := make([]value.Place, len(stmt.Lhs))
	find := func() {
		if stmt.Tok == token.ASSIGN {
			ev.inOrder(stmt.Lhs, func(i int) { places[i] = ev.assignedPlace(stmt.Lhs[i]) })
		}
	}
	// What is done in its turn for a place comes before what is assigned, unless a select
	// statement has received that. But the place is the one that the calls leave, and what
	// is assigned to a single one may panic first.
	calls := slices.ContainsFunc(stmt.Rhs, ev.hasCall)
	early := ev.frame.selected.receive == nil && (slices.ContainsFunc(stmt.Lhs, ev.isOrdered) || calls && slices.ContainsFunc(stmt.Lhs, ev.hasTurn))
	late := calls || len(stmt.Lhs) == 1
	if early {
		defer ev.remembering()()
	}
	if early || !late {
		find()
	}
	values, failed := ev.rightSide(stmt)
	if failed != nil {
		failed.err = ev.errorVariable(stmt.Lhs)
	}
	declared := make([]*value.Cell, len(stmt.Lhs))
	ev.keep(failed, value.Tuple(values), func(result value.Value) {
		switch {
		case late && early:
			ev.replay(find)
		case late:
			find()
		}
		values := spread(result, len(stmt.Lhs))
		if len(stmt.Rhs) == 1 {
			values = ev.boxedParts(stmt.Rhs[0], result, len(stmt.Lhs), func(i int) types.Type { return ev.assignedType(stmt.Lhs[i]) })
		}
		for i, expr := range stmt.Lhs {
			switch {
			case stmt.Tok == token.ASSIGN:
				places[i].Store(values[i])
				ev.noteGivenToOthers(expr, values[i])
			case declared[i] != nil:
				ev.Set(declared[i], ev.Copied(value.Retyped(values[i], ev.typeOf(expr))))
			default:
				declared[i] = ev.define(expr.(*ast.Ident), values[i])
			}
		}
	})
}

// assignedPlace returns the place of expr on the left of an assignment. Where a nil
// pointer leads there or no element is, it is the assignment that fails, after those
// before it.
func (ev *Evaluator) assignedPlace(expr ast.Expr) (place value.Place) {
	ev.noteAssigned(expr)
	if _, isName := ast.Unparen(expr).(*ast.Ident); isName {
		return ev.place(expr)
	}
	if panicked := ev.operationPanics(func() { place = ev.place(expr) }); panicked != nil {
		return failing{panicked}
	}
	return place
}

// noteAssigned notes that the program may assign to what a model goes by: a field, or a
// variable of the library.
func (ev *Evaluator) noteAssigned(expr ast.Expr) {
	ev.noteTable(expr)
	var t types.Type
	switch expr := ast.Unparen(expr).(type) {
	case *ast.SelectorExpr:
		t = ev.typeOf(expr.X)
	case *ast.StarExpr:
		t = ev.typeOf(expr)
	}
	if t == nil {
		return
	}
	if elem := value.Pointee(t); elem != nil {
		t = elem
	}
	ev.noteGiven(t)
}

// noteGivenToOthers notes that a variable of another module is assigned to: the methods that were
// withheld from code which couldn't call them are for that code to call.
func (ev *Evaluator) noteGivenToOthers(expr ast.Expr, v value.Value) {
	if len(ev.escaped.withheld) > 0 && ev.namesOthersVariable(expr) {
		ev.noteWithheldForAny(expr, ev.typesIn([]value.Value{v}))
	}
}

// noteGiven notes that the program itself gives a field of a type a value.
func (ev *Evaluator) noteGiven(t types.Type) {
	if name := model.AssignedVariable(t); name != "" && ev.inOwn() {
		ev.Set(ev.Variable(name), value.NewConst(constant.MakeBool(true), types.Typ[types.Bool]))
	}
}

// failing is a place that isn't there.
type failing struct{ panicked *Panic }

func (p failing) Load() value.Value { panic(p.panicked) }
func (p failing) Store(value.Value) { panic(p.panicked) }

// assignOperation evaluates x op= y.
func (ev *Evaluator) assignOperation(stmt *ast.AssignStmt, op token.Token) {
	var place value.Place
	var operand value.Value
	exprs := []ast.Expr{stmt.Lhs[0], stmt.Rhs[0]}
	ev.noteTable(stmt.Lhs[0])
	ev.inOrder(exprs, func(i int) {
		if i == 0 {
			place = ev.place(exprs[0])
			return
		}
		operand = ev.eval(exprs[1])
	})
	place.Store(ev.binary(stmt, op, place.Load(), operand, ev.typeOf(stmt.Lhs[0])))
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
	ev.inOrder(stmt.Rhs, func(i int) {
		values[i] = ev.Copied(ev.evalAs(stmt.Rhs[i], ev.assignedType(stmt.Lhs[i])))
	})
	return values, nil
}

// assignedCall evaluates the call on the right of an assignment.
func (ev *Evaluator) assignedCall(stmt *ast.AssignStmt) ([]value.Value, *failure) {
	v, failed := ev.evalKept(stmt.Rhs[0])
	return spread(v, len(stmt.Lhs)), failed
}

// errorVariable returns the variable that the last of the results is assigned
// to, nil where that is no variable.
func (ev *Evaluator) errorVariable(list []ast.Expr) *types.Var {
	return variableOf(ev.frame.pkg.Info, list[len(list)-1])
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
		return ev.frame.scope.declare(obj, ev.Declared(ev.Copied(value.Retyped(v, ev.frame.targs.subst(obj.Type())))))
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
