package eval

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// callMethods follows the methods by which a function of the library, which only
// reads its arguments, prints or encodes them.
func (ev *Evaluator) callMethods(at ast.Expr, effects model.Effects, args []value.Value) {
	if len(effects.Methods) == 0 {
		return
	}
	name := ev.calledName(at)
	pointed, followed := make(map[*value.Cell]bool), make(map[*types.Func]bool)
	standing := make(map[value.Value]bool) // for a value of their type, as the target of another one
	w := value.Walk{Visit: func(cell *value.Cell, v value.Value) {
		switch v := v.(type) {
		case value.Pointer:
			pointed[v.To] = true
		case *value.Unknown:
			if standing[v] {
				return
			}
			for _, target := range v.Targets {
				if u, ok := target.(*value.Unknown); ok {
					standing[u] = true
					ev.callMethodsOf(at, name, leadingTo(u, v.Targets), effects.Methods)
				}
			}
			ev.callMethodsOfUnknown(at, name, effects, v, followed)
		}
		if pointed[cell] || value.TypeOf(v) == nil {
			return
		}
		if _, isPointer := v.(value.Pointer); cell != nil && !isPointer && !types.IsInterface(value.TypeOf(v)) {
			v = value.Pointer{Type: types.NewPointer(value.TypeOf(v)), To: cell} // reflection has its address
		}
		ev.callMethodsOf(at, name, v, effects.Methods)
	}}
	ev.Giving(args, func() { w.All(args) })
}

// leadingTo returns an unknown of a type, as one that leads to what the value may, of which
// it is a target.
func leadingTo(u *value.Unknown, targets []value.Value) *value.Unknown {
	leading := *u
	leading.Targets = targets
	return &leading
}

func (ev *Evaluator) callMethodsOf(at ast.Expr, name string, v value.Value, methods []string) {
	if named := value.NamedOf(typeOrInvalid(v)); named == nil || !ev.isReadType(named) && !ev.mayCallOthers(named) {
		return
	}
	for _, method := range methods {
		ev.callMethod(at, name, v, method)
	}
}

// mayCallOthers reports whether methods of a type that isn't read may do more than tell what a value
// of it holds: those of another module, and those of a function's type of the standard library.
func (ev *Evaluator) mayCallOthers(named *types.Named) bool {
	pkg := named.Obj().Pkg()
	if pkg == nil || types.IsInterface(named) {
		return false
	}
	_, isFunc := named.Underlying().(*types.Signature)
	return isFunc || ev.program.IsOthers(pkg.Path())
}

func (ev *Evaluator) callMethod(at ast.Expr, name string, v value.Value, method string) {
	obj, _, _ := types.LookupFieldOrMethod(value.TypeOf(v), false, nil, method)
	declared, ok := obj.(*types.Func)
	isError := ok && strings.HasPrefix(method, "Marshal") // whose error the function of the library returns
	if !ok || !model.IsCalled(declared) || model.EffectsOf(declared).Known {
		return
	}
	if _, decl := ev.declaration(declared); decl != nil && !isError && !ev.methodChanges(declared) {
		return
	}
	fn := ev.methodToCall(at, v, method)
	if fn != nil {
		ev.mayCall(at, name, fn)
	}
}

// methodToCall is [Evaluator.Method] for code that may call the method: nil where that
// panics for a nil pointer before the method begins.
func (ev *Evaluator) methodToCall(at ast.Expr, v value.Value, name string) (fn *value.Func) {
	if value.IsNil(v) {
		ev.Survives(func() { fn = ev.Method(at, v, name) })
		return fn
	}
	return ev.Method(at, v, name)
}

// callMethodsOfUnknown follows those of a value that isn't known, once each: of its type
// and what that is made of, or where the type isn't known, of any type of the program's.
func (ev *Evaluator) callMethodsOfUnknown(at ast.Expr, name string, effects model.Effects, u *value.Unknown, followed map[*types.Func]bool) {
	mayCall := func(made madeMethod) bool {
		return slices.Contains(effects.Methods, made.method.Name()) && model.IsCalled(made.method) && !followed[made.method]
	}
	var all []madeMethod
	if t := value.TypeOf(u); t != nil && !types.IsInterface(t) {
		all = ev.methodsMadeBy(t)
	} else {
		all = ev.thatMatter(ev.ownMethodsNow().methods, mayCall)
	}
	for _, made := range all {
		if mayCall(made) {
			followed[made.method] = true
			ev.mayCall(at, name, ev.methodOfAny(at, made))
		}
	}
	if u.Foreign {
		ev.elsewhere(at) // it may lead to any of what has escaped
	}
}

// MayCall implements [model.Machine].
func (ev *Evaluator) MayCall(at ast.Expr, v value.Value, methods ...string) {
	ev.callMethods(at, model.Effects{Methods: methods}, []value.Value{v})
}

// MayCallFunction implements [model.Machine].
func (ev *Evaluator) MayCallFunction(at ast.Expr, fn *value.Func) {
	ev.mayCall(at, ev.calledName(at), fn)
}

// MayCallAny implements [model.Machine].
func (ev *Evaluator) MayCallAny(at ast.Expr, v *value.Unknown, methods ...string) {
	name := ev.calledName(at)
	for _, target := range v.Targets {
		if u, ok := target.(*value.Unknown); ok {
			target = leadingTo(u, v.Targets)
		}
		ev.callMethodsOf(at, name, target, methods)
	}
	ev.callMethodsOfUnknown(at, name, model.Effects{Methods: methods}, v, make(map[*types.Func]bool))
}

// mayCall follows a call of a function that a function of the library may make, with
// values of the library's own.
func (ev *Evaluator) mayCall(at ast.Expr, name string, fn *value.Func) {
	cond := ev.condition(at, name+" calls "+calledText(fn))
	cond.Call = true
	ev.maySurvive(at, cond, func() {
		args := ev.unknownArgs(at, fn, name, nil)
		for i, arg := range args {
			if types.TypeString(signatureOf(fn).Params().At(i).Type(), nil) == "fmt.State" {
				args[i] = model.AnyState(arg.(*value.Unknown))
			}
		}
		ev.methodResults = append(ev.methodResults, ev.Call(at, fn, args))
	})
}
