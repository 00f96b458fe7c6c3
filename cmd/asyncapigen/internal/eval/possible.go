package eval

import (
	"go/ast"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// An Explorer is a [User] that wants to see what a program may do, where it isn't
// known what it does.
type Explorer interface {
	User

	// Explores has a call of a function that isn't known go to each of those that it
	// may be, such as the entries of a map whose key isn't known.
	Explores(at ast.Expr) bool
}

// callPossible calls the functions that a call which can't be entered may call, for a user
// that wants to know. What they leave is one of the ways on which the program goes on.
func (ev *Evaluator) callPossible(at ast.Expr, fn *value.Func, callee value.Value, args []value.Value) {
	user, ok := ev.user.(Explorer)
	if !ok {
		return
	}
	var may []*value.Func
	cond := ev.condition(at, value.Source(CalledExpr(at)))
	if u, ok := callee.(*value.Unknown); ok {
		cond.Why = u
		for _, target := range u.Targets {
			if f, isFunc := target.(*value.Func); isFunc {
				may = append(may, f)
			}
		}
	}
	if fn != nil && fn.Bound && fn.Obj != nil {
		recv, isUnknown := fn.Recv.(*value.Unknown)
		cond.Why = recv
		if isUnknown && types.IsInterface(fn.Obj.Signature().Recv().Type()) {
			for _, target := range recv.Targets {
				if method := ev.methodToCall(at, target, fn.Obj.Name()); method != nil {
					may = append(may, method)
				}
			}
		}
	}
	if len(may) == 0 || !user.Explores(at) {
		return
	}
	for _, f := range may {
		ev.perhaps(cond, func() { ev.Call(at, f, args) })
	}
}

// callImplementations follows a method of an interface whose value isn't known: any type
// of the program's may be in it, whose value leads nowhere else.
func (ev *Evaluator) callImplementations(at ast.Expr, fn *value.Func, args []value.Value) {
	if fn == nil || fn.Obj == nil || !fn.Bound {
		return
	}
	u, ok := fn.Recv.(*value.Unknown)
	if !ok || u.Library {
		return
	}
	recv := fn.Obj.Signature().Recv()
	if recv == nil || !types.IsInterface(recv.Type()) {
		return
	}
	name := ev.calledName(at)
	may := ev.thatMatter(ev.ownMethodsNow().methods, func(made madeMethod) bool {
		return made.method.Name() == fn.Obj.Name() && made.method.Signature().Params().Len() == fn.Obj.Signature().Params().Len()
	})
	for _, made := range may {
		method := ev.methodOfAny(at, made)
		cond := ev.condition(at, name+" is the method of "+made.of.Obj().Name())
		cond.Why = u
		ev.perhaps(cond, func() { ev.Call(at, method, args) })
	}
}

// noteUnknowns notes what code that isn't followed may call of the interfaces among values
// of which nothing is known: the methods of any type of the program's that implements one.
// What comes from such code itself has escaped to it before, but for the methods that it
// couldn't call.
func (ev *Evaluator) noteUnknowns(at ast.Expr, of *types.Tuple, values []value.Value) {
	if len(ev.ownMethodsNow().methods) == 0 && len(ev.escaped.withheld) == 0 {
		return
	}
	gives := false // what comes from such code itself
	note := func(v value.Value, t types.Type) {
		u, ok := v.(*value.Unknown)
		if !ok || u.Targets != nil {
			return
		}
		if u.Type != nil {
			t = u.Type
		}
		switch {
		case !mayLead(t):
		case u.Foreign:
			gives = true
		default:
			ev.noteImplementations(at, t)
		}
	}
	ev.eachVariable(of, values, note)
	if gives {
		ev.noteWithheld(at)
	}
}

// eachVariable visits values, and the variables that they lead to, each with its static
// type. It reports whether it came to all of them.
func (ev *Evaluator) eachVariable(of *types.Tuple, values []value.Value, visit func(value.Value, types.Type)) bool {
	for i, v := range values {
		if i < of.Len() {
			visit(v, of.At(i).Type())
		}
	}
	w := value.Walk{Visit: func(_ *value.Cell, v value.Value) {
		ev.work(1)
		eachPart(v, visit)
	}}
	w.All(values)
	return w.IsWhole()
}

// noteWithheld notes those of the methods that were withheld from code which isn't followed
// that the called one can call.
func (ev *Evaluator) noteWithheld(at ast.Expr) {
	ev.noteWithheldIf(at, ev.escaped.withheld, func(method *types.Func) bool { return ev.foreignCanCall(at, method) })
}

// noteWithheldForAny notes those of the methods of some types that any package of another module can
// call.
func (ev *Evaluator) noteWithheldForAny(at ast.Expr, of typeSet) {
	ev.noteWithheldIf(at, ev.escaped.withheld, func(method *types.Func) bool {
		if named := value.NamedOf(method.Signature().Recv().Type()); named == nil || !of.any && !of.named[named.Obj()] {
			return false
		}
		return ev.program.MayBeOfInterface(method) && ev.isCallableElsewhere(method) ||
			ev.program.OthersCallByReflection() && ev.hasArgumentsFor(at, method)
	})
}

// A typeSet is a number of types with names, or any.
type typeSet struct {
	named map[*types.TypeName]bool
	any   bool
}

// typesIn returns the types of what some values lead to: any where that isn't known.
func (ev *Evaluator) typesIn(values []value.Value) typeSet {
	set := typeSet{named: make(map[*types.TypeName]bool)}
	w := value.Walk{Visit: func(_ *value.Cell, v value.Value) {
		ev.work(1)
		t := value.TypeOf(v)
		if named := value.NamedOf(typeOrInvalid(v)); named != nil {
			set.named[named.Obj()] = true
		}
		set.any = set.any || value.IsUnknown(v) && (t == nil || mayLead(t))
	}}
	w.All(values)
	set.any = set.any || !w.IsWhole()
	return set
}

func (ev *Evaluator) noteWithheldIf(at ast.Expr, all []withheld, canCall func(*types.Func) bool) {
	ev.work(len(all))
	asked := make(map[*types.Func]bool) // many values have the same methods
	for _, w := range all {
		can, known := asked[w.fn.Obj]
		if !known {
			can = canCall(w.fn.Obj)
			asked[w.fn.Obj] = can
		}
		if can {
			ev.escapes(at, w.fn)
		}
	}
}

// eachPart visits the variables that a value consists of, or leads to, each with its
// static type.
func eachPart(v value.Value, visit func(value.Value, types.Type)) {
	t := value.TypeOf(v)
	if t == nil {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if s, ok := v.(*value.Struct); ok {
			for i, cell := range s.Fields {
				visit(cell.Load(), u.Field(i).Type())
			}
		}
	case *types.Array:
		if a, ok := v.(*value.Array); ok {
			eachOf(a.Elems, u.Elem(), visit)
		}
	case *types.Slice:
		if s, ok := v.(*value.Slice); ok {
			eachOf(s.Elems, u.Elem(), visit)
		}
	case *types.Map:
		if m, ok := v.(*value.Map); ok {
			m.In(value.Ascending)(func(_, elem value.Value) bool { visit(elem, u.Elem()); return true })
		}
	case *types.Chan:
		if c, ok := v.(value.Channel); ok {
			queue, _ := value.Queued(c.State.Queue)
			for _, elem := range queue {
				visit(elem, u.Elem())
			}
		}
	case *types.Pointer:
		if p, ok := v.(value.Pointer); ok {
			visit(p.Load(), u.Elem())
		}
	}
}

func eachOf(cells []*value.Cell, t types.Type, visit func(value.Value, types.Type)) {
	if _, isBasic := t.Underlying().(*types.Basic); isBasic {
		return // a large one isn't searched in vain
	}
	for _, cell := range cells {
		visit(cell.Load(), t)
	}
}

// noteImplementations notes the methods of the program's types that may be in the
// interfaces of which values of a type consist.
func (ev *Evaluator) noteImplementations(at ast.Expr, t types.Type) {
	for part := range PartsOf(t) {
		iface, ok := part.Underlying().(*types.Interface)
		if !ok {
			continue
		}
		may := ev.thatMatter(ev.ownMethodsNow().implementing(iface), func(made madeMethod) bool {
			return !ev.isNoted(made.method) && ev.foreignCanCall(at, made.method)
		})
		for _, made := range may {
			ev.escapes(at, ev.methodOfAny(at, made))
		}
	}
}
