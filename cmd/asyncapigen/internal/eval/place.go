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

// place returns what expr stands for on the left of an assignment.
func (ev *Evaluator) place(expr ast.Expr) value.Place {
	switch expr := expr.(type) {
	case *ast.ParenExpr:
		return ev.place(expr.X)
	case *ast.Ident:
		return ev.identPlace(expr)
	case *ast.SelectorExpr:
		if selection, ok := ev.frame.pkg.Info.Selections[expr]; ok && selection.Kind() == types.FieldVal {
			return ev.placeIn(expr, func(v []value.Value) value.Place { return ev.field(expr, v[0], selection.Index()) }, ev.base(expr.X))
		}
		return ev.identPlace(expr.Sel)
	case *ast.IndexExpr:
		return ev.indexPlace(expr)
	case *ast.StarExpr:
		return ev.placeIn(expr, func(v []value.Value) value.Place { return ev.deref(expr, v[0]) }, ev.eval(expr.X))
	default:
		return value.Nowhere{Value: ev.eval(expr)}
	}
}

// variableAt is the place of a variable of type t.
func (ev *Evaluator) variableAt(cell *value.Cell, t types.Type) value.Variable {
	return value.Variable{State: ev.State, Cell: cell.IsOf(t), Type: t}
}

func (ev *Evaluator) identPlace(expr *ast.Ident) value.Place {
	if v, ok := ev.frame.pkg.Info.ObjectOf(expr).(*types.Var); ok && expr.Name != "_" {
		return ev.variableAt(ev.variable(v), ev.frame.targs.subst(v.Type()))
	}
	return value.Nowhere{Value: value.UnknownAt(expr.Pos(), "the name "+expr.Name)}
}

// base evaluates x of x.f without copying: the address of a variable, or a
// pointer as it is.
func (ev *Evaluator) base(x ast.Expr) value.Value {
	if _, isPointer := ev.typeOf(x).Underlying().(*types.Pointer); isPointer {
		return ev.eval(x)
	}
	switch p := ev.place(x).(type) {
	case value.Variable:
		return value.Pointer{Type: types.NewPointer(p.Type), To: p.Cell}
	case value.OneOf:
		return p.Address()
	case value.Behind:
		return p.Of
	default:
		return p.Load()
	}
}

// evalIndex evaluates x and i of x[i], x by a function.
func (ev *Evaluator) evalIndex(expr *ast.IndexExpr, eval func(x ast.Expr) value.Value) (x, index value.Value) {
	if !ev.hasTurn(expr.Index) {
		return eval(expr.X), ev.evalKey(expr)
	}
	ev.inOrder([]ast.Expr{expr.X, expr.Index}, func(i int) {
		if i == 0 {
			x = eval(expr.X)
			return
		}
		index = ev.evalKey(expr)
	})
	return x, index
}

// evalKey evaluates i of x[i].
func (ev *Evaluator) evalKey(expr *ast.IndexExpr) value.Value {
	m, isMap := ev.typeOf(expr.X).Underlying().(*types.Map)
	if !isMap {
		return ev.eval(expr.Index)
	}
	key := func() value.Value {
		return ev.boxed(expr.Index, value.Retyped(ev.eval(expr.Index), m.Key()), m.Key())
	}
	switch {
	case ev.isKeyInTurn(expr.Index, m):
		return ev.turn(expr.Index, key)
	case ev.isKeyPerhapsCopied(expr.Index, m):
		return value.Retyped(ev.perhapsCopied(expr.Index), m.Key())
	default:
		return key()
	}
}

func (ev *Evaluator) indexPlace(expr *ast.IndexExpr) value.Place {
	t := ev.typeOf(expr)
	if _, isMap := ev.typeOf(expr.X).Underlying().(*types.Map); isMap {
		x, key := ev.evalIndex(expr, ev.eval)
		ev.RequireHashable(expr, key, ev.typeOf(expr.X))
		if m, ok := x.(*value.Map); ok {
			return value.Entry{State: ev.State, Map: m, Key: ev.Copied(key), Type: t}
		}
		if value.IsNil(x) {
			return nilEntry{ev, expr, t}
		}
		if !value.IsNonNil(x) {
			ev.risk(expr, x)
		}
		return ev.behindUnknown(expr, x)
	}
	eval := ev.eval
	if _, isArray := ev.typeOf(expr.X).Underlying().(*types.Array); isArray {
		eval = ev.base
	}
	x, i := ev.evalIndex(expr, eval)
	return ev.placeIn(expr, func(v []value.Value) value.Place { return ev.indexed(expr, v[0], v[1]) }, x, i)
}

// placeIn returns the place that operands lead to: one of several variables where an
// operand is one of several values, each of which leads to one.
func (ev *Evaluator) placeIn(expr ast.Expr, place func(operands []value.Value) value.Place, operands ...value.Value) value.Place {
	var cells []*value.Cell
	elsewhere := false
	_, each := ev.forEach(expr, operands, func(operands []value.Value) value.Value {
		variable, isVariable := place(operands).(value.Variable)
		switch {
		case !isVariable:
			elsewhere = true
		case !slices.Contains(cells, variable.Cell):
			cells = append(cells, variable.Cell)
		}
		return value.Nil{}
	})
	switch {
	case !each || elsewhere:
		return place(operands)
	case len(cells) == 1:
		return ev.variableAt(cells[0], ev.typeOf(expr))
	}
	why := *value.Because(expr, operands...)
	why.Exact = true
	return value.OneOf{State: ev.State, Cells: cells, Type: ev.typeOf(expr), Why: &why}
}

// deref returns the variable that a pointer points to.
func (ev *Evaluator) deref(expr ast.Expr, v value.Value) value.Place {
	switch v := v.(type) {
	case value.Pointer:
		return ev.variableAt(v.To, value.Pointee(v.Type))
	case *value.Unknown:
		if !v.NonNil {
			ev.risk(expr, v)
		}
		if v.IsReference() {
			return value.Behind{State: ev.State, Of: v, Type: ev.typeOf(expr), Parts: value.Pointed(ev.typeOf(expr))}
		}
		return ev.behind(v, ev.typeOf(expr))
	case value.Nil:
		ev.Fail(expr, model.NilDereference)
	}
	return value.Nowhere{Value: value.Because(expr, v)}
}

// behindUnknown is what an unknown value leads to by an index.
func (ev *Evaluator) behindUnknown(expr ast.Expr, v value.Value) value.Place {
	u, ok := v.(*value.Unknown)
	if !ok {
		return value.Nowhere{Value: value.Because(expr, v)}
	}
	return value.Behind{State: ev.State, Of: u, Type: ev.typeOf(expr), Parts: value.Elements(ev.typeOf(expr))}
}

// unknownPart is a part of an unknown value, or what one points to.
func unknownPart(u *value.Unknown) *value.Unknown {
	return &value.Unknown{Reason: u.Reason, Pos: u.Pos, Unread: u.Unread, Foreign: u.Foreign, Field: u.Field, Place: u.Place}
}

// behind returns the variable of type t that an unknown pointer points to. It is unknown
// until it is assigned to, and every copy of the pointer leads there.
func (ev *Evaluator) behind(u *value.Unknown, t types.Type) value.Place {
	if u.Pointee == nil {
		u.Pointee = value.NewCell(unknownPart(u))
		if u.Foreign {
			u.Pointee = value.NewEscaped(unknownPart(u))
		}
		ev.Guess(u.Pointee, t, &value.Unknown{
			Reason: "a value that is changed through a pointer which may lead to it, " + u.Reason, Pos: u.Pos, Unread: u.Unread, Foreign: u.Foreign,
		})
	}
	return ev.variableAt(u.Pointee, t)
}

// field follows the path of a selection from v, through embedded fields and
// pointers.
func (ev *Evaluator) field(expr ast.Expr, v value.Value, index []int) value.Place {
	return ev.fieldOfType(expr, v, value.TypeOf(v), index)
}

// fieldOfType is field for a value of type t, nil where the selection alone tells.
func (ev *Evaluator) fieldOfType(expr ast.Expr, v value.Value, t types.Type, index []int) value.Place {
	var at value.Place = value.Nowhere{Value: v}
	for i, n := range index {
		if p, ok := v.(value.Pointer); ok {
			at = ev.variableAt(p.To, value.Pointee(p.Type))
			t = value.Pointee(p.Type)
			v = p.Load()
		}
		if u, ok := v.(*value.Unknown); ok {
			if t == nil && i == 0 {
				t = ev.selectedType(expr)
			}
			ev.riskOfNil(expr, u, t)
			variable, isVariable := at.(value.Variable)
			isStruct := t != nil && value.Pointee(t) == nil && isVariable && variable.Cell.Peek() == u // its fields are its own
			if u.IsReference() && !isStruct {
				of := t
				if elem := value.Pointee(t); elem != nil {
					of = elem
				}
				t = value.FieldType(of, n)
				at, v = value.Behind{State: ev.State, Of: u, Type: t, Parts: value.FieldOf(of, n)}, value.Because(expr, u)
				continue
			}
			s := ev.opened(u, at, t)
			if s == nil {
				return value.Inside{State: ev.State, Of: u}
			}
			v = s
		}
		s, ok := v.(*value.Struct)
		if !ok {
			if value.IsNil(v) {
				ev.Fail(expr, model.NilDereference)
			}
			ev.lookInto(expr, at)
			if holder, ok := v.(value.Holder); ok { // a field may lead to what a model keeps
				ev.Lose(holder.Held()...)
			}
			return value.Nowhere{Value: value.Because(expr, v)}
		}
		if n >= len(s.Fields) {
			return value.Nowhere{Value: value.Because(expr)}
		}
		t = value.FieldType(s.Type, n)
		at = ev.variableAt(s.Fields[n], t)
		v = s.Fields[n].Load()
	}
	return at
}

// riskOfNil notes that what follows a pointer of type t fails where that is nil.
func (ev *Evaluator) riskOfNil(at ast.Node, u *value.Unknown, t types.Type) {
	if !u.NonNil && t != nil && value.Pointee(t) != nil {
		ev.risk(at, u)
	}
}

// lookInto makes a variable unknown that a model keeps.
func (ev *Evaluator) lookInto(expr ast.Expr, at value.Place) {
	variable, ok := at.(value.Variable)
	if !ok {
		return
	}
	if closed, ok := variable.Cell.Load().(value.Closed); ok && closed.Closed() {
		ev.Set(variable.Cell, &value.Unknown{Reason: "what " + value.Source(expr) + " belongs to", Pos: expr.Pos(), Foreign: true})
	}
}

// opened makes a struct of unknown fields out of an unknown struct, or of what
// an unknown pointer points to, so that a field of it can be assigned.
func (ev *Evaluator) opened(u *value.Unknown, at value.Place, t types.Type) *value.Struct {
	if t == nil {
		return nil
	}
	if elem := value.Pointee(t); elem != nil {
		at = ev.behind(u, elem)
		t = elem
		if s, ok := at.Load().(*value.Struct); ok {
			return s
		}
	}
	p, ok := at.(value.Variable)
	u2, isStruct := t.Underlying().(*types.Struct)
	if !ok || !isStruct {
		return nil
	}
	s := &value.Struct{Type: t, Fields: make([]*value.Cell, u2.NumFields())}
	for i := range s.Fields {
		s.Fields[i] = value.NewCell(ev.fieldOf(u, u2.Field(i))).IsOf(u2.Field(i).Type())
	}
	return ev.Open(p.Cell, s).(*value.Struct)
}

// selectedType returns the static type of x in x.f, nil for other expressions.
func (ev *Evaluator) selectedType(expr ast.Expr) types.Type {
	selector, ok := expr.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	return ev.typeOf(selector.X)
}

// indexed returns the element x[i] of a slice, array or string.
func (ev *Evaluator) indexed(expr *ast.IndexExpr, x, i value.Value) value.Place {
	n, known := value.IntOf(i)
	x = ev.arrayAt(expr.X, x)
	var cells []*value.Cell
	switch x := x.(type) {
	case *value.Slice:
		cells = x.Elems
	case *value.Array:
		cells = x.Elems
	case value.Const:
		text := constant.StringVal(x.Value)
		if !known {
			ev.risk(expr, i)
			return value.Nowhere{Value: value.Because(expr, i)}
		}
		if n < 0 || n >= len(text) {
			ev.failIndex(expr, n, len(text))
		}
		return value.Nowhere{Value: value.NewConst(constant.MakeInt64(int64(text[n])), ev.typeOf(expr))}
	case value.Nil:
		if value.ArrayOf(ev.typeOf(expr.X)) != nil {
			ev.Fail(expr, model.NilDereference)
		}
	default:
		if word := ev.indexedWord(expr, x, i); word != nil {
			return word
		}
		ev.risk(expr, x, i)
		return ev.behindUnknown(expr, x)
	}
	if !known {
		if !ev.isBelow(expr.Index, len(cells)) {
			ev.risk(expr, i)
		}
		return ev.anyOf(expr, cells, i)
	}
	if n < 0 || n >= len(cells) {
		ev.failIndex(expr, n, len(cells))
	}
	return ev.variableAt(cells[n], ev.typeOf(expr))
}

// arrayAt returns the array that a pointer leads to, the value of expr or the address of
// what that stands for. Where the array isn't known, its elements are variables all the same.
func (ev *Evaluator) arrayAt(expr ast.Expr, v value.Value) value.Value {
	t := ev.typeOf(expr)
	if p, isPointer := t.Underlying().(*types.Pointer); isPointer {
		t = p.Elem()
	}
	p, ok := v.(value.Pointer)
	if !ok {
		return v
	}
	if _, isArray := t.Underlying().(*types.Array); isArray {
		ev.OpenAs(p.To, t)
	}
	return p.Load()
}

// isBelow reports whether an index is surely one of n: x&c of a constant c that is.
func (ev *Evaluator) isBelow(index ast.Expr, n int) bool {
	mask, ok := ast.Unparen(index).(*ast.BinaryExpr)
	if !ok || mask.Op != token.AND {
		return false
	}
	return slices.ContainsFunc([]ast.Expr{mask.X, mask.Y}, func(operand ast.Expr) bool {
		c := ev.frame.pkg.Info.Types[operand].Value
		if c == nil {
			return false
		}
		most, exact := value.IntOf(value.NewConst(c, ev.typeOf(operand)))
		return exact && most >= 0 && most < n
	})
}

// anyOf stands for an element whose index isn't known: what is assigned to it
// may be in any.
func (ev *Evaluator) anyOf(expr ast.Expr, cells []*value.Cell, index value.Value) value.Place {
	return value.OneOf{State: ev.State, Cells: cells, Type: ev.typeOf(expr), Why: value.Because(expr, index)}
}

// nilEntry is an entry of a nil map.
type nilEntry struct {
	in *Evaluator
	at ast.Expr
	t  types.Type
}

func (p nilEntry) Load() value.Value { return p.in.Zero(p.t) }
func (p nilEntry) Store(value.Value) { p.in.Fail(p.at, "assignment to entry in nil map") }
