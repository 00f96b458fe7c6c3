package eval

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// Most packages have nothing to do with the routes, and reading them costs more than
// evaluating the others. So a package that doesn't reach the runtime is initialised when
// a variable of it is needed. Where that is another thing than initialising it in its
// turn, the program is evaluated anew with the package in its turn: where the package
// uses what has changed since, where it ends the program, or where a goroutine is the first
// to need it, of which it has to be known before what it can look at.

// late is what is known of packages that are initialised when they are needed.
type late struct {
	inTurn  map[string]bool // by path: those that are initialised in their turn all the same
	turns   map[string]int  // the marks at which the packages had their turn
	changed []*value.Cell   // all that had changed when the outermost one was needed that is being initialised, nil for none
	again   bool            // the program is evaluated anew
}

// noteTurn notes that the package at path would be initialised now.
func (ev *Evaluator) noteTurn(path string) {
	if _, hasHadIt := ev.late.turns[path]; !hasHadIt {
		ev.late.turns[path] = ev.Mark()
	}
}

// startLate initialises a package that is needed now, with its init functions, and as it
// would have been before everything else, whatever is being evaluated.
func (ev *Evaluator) startLate(pkg *load.Package) {
	frame, conds, panics, depth, changed := ev.frame, ev.conds, ev.panics, ev.depth, ev.late.changed
	ev.frame, ev.conds, ev.panics = nil, nil, nil
	defer func() {
		ev.frame, ev.conds, ev.panics, ev.depth, ev.late.changed = frame, conds, panics, depth, changed
	}()
	ev.ready[pkg] = true
	if changed == nil {
		ev.late.changed = append([]*value.Cell{}, ev.ChangedSince(0)...)
	}
	since := ev.late.changed[min(ev.turnOf(pkg.Path), len(ev.late.changed)):]
	ev.work(len(since))
	survives := true
	used := value.Uses(since, func() {
		ev.Apart(func() {
			ev.Early(func() {
				survives = ev.Survives(func() {
					ev.start(pkg)
					ev.runInitFunctions(pkg)
				})
			})
		})
	})
	if (len(used) > 0 || !survives || !ev.IsInMain()) && !ev.isReadNext(pkg.Path) {
		ev.late.inTurn[pkg.Path], ev.late.again = true, true
	}
}

// isReadNext reports whether the package at path is initialised in its turn in the next
// round or in this one.
func (ev *Evaluator) isReadNext(path string) bool {
	return ev.late.inTurn[path] || !ev.program.IsOwn(path) && ev.foreign.more && !model.Evaluated[path]
}

// turnOf returns the mark at which the package at path had its turn: one that has had none
// yet is as good as in it.
func (ev *Evaluator) turnOf(path string) int {
	if turn, ok := ev.late.turns[path]; ok {
		return turn
	}
	return len(ev.late.changed)
}

// isSeenElsewhere reports whether the initialisation of the package at path may change
// what is remembered of a library that isn't read, or known of its variables, give one code
// that it calls later, or end the program.
func (ev *Evaluator) isSeenElsewhere(path string) bool {
	return ev.program.InitMentions(path, func(path, name string) bool {
		return model.MayRemember(path, name) || model.MayEnd(path, name) || ev.isUsedVariable(path, name) || ev.mayKeep(path, name)
	})
}

// mayKeep reports whether a package that isn't the user's may be given code by a name, and keep
// it: by a function or a variable that takes some, or by what it returns or holds. One of another
// module may be given a reference to data as well. Without a name, by any.
func (ev *Evaluator) mayKeep(path, name string) bool {
	if ev.program.IsOwn(path) || model.Evaluated[path] || model.KeepsNothing(path) {
		return false
	}
	pkg := ev.program.Exported(path)
	if pkg == nil || name == "" {
		return true
	}
	obj := pkg.Scope().Lookup(name)
	return givesCodeTo(obj) || !ev.program.InStandardLibrary(path) && givesReferenceTo(obj)
}

// givesReferenceTo reports whether a reference may be given to a package by an object of its scope:
// which takes some, has places for them in what it returns or holds, or has methods that take some.
func givesReferenceTo(obj types.Object) bool {
	switch obj := obj.(type) {
	case *types.Func:
		sig := obj.Signature()
		return !model.EffectsOf(obj).Known && (sig.TypeParams().Len() > 0 || takes(sig, holdsReference) || slices.ContainsFunc(slices.Collect(sig.Results().Variables()), hasPlace))
	case *types.Var:
		return holdsReference(obj.Type()) || hasPlace(obj)
	case *types.TypeName:
		return !types.IsInterface(obj.Type()) && methodTakes(obj.Type(), holdsReference)
	default:
		return false
	}
}

// takes reports whether a function has a parameter of a type that holds what is asked for.
func takes(sig *types.Signature, holds func(types.Type) bool) bool {
	return slices.ContainsFunc(slices.Collect(sig.Params().Variables()), func(v *types.Var) bool { return holds(v.Type()) })
}

// methodTakes reports whether an exported method of a type's values, or of pointers to them, does.
func methodTakes(t types.Type, holds func(types.Type) bool) bool {
	for _, selection := range typeutil.IntuitiveMethodSet(t, nil) {
		if method := selection.Obj().(*types.Func); method.Exported() && takes(method.Signature(), holds) {
			return true
		}
	}
	return false
}

// holdsReference reports whether values of a type lead to what others may change, or are functions;
// errors aren't taken to.
func holdsReference(t types.Type) bool {
	if value.IsErrorType(t) {
		return false
	}
	for part := range PartsOf(t) {
		switch part.Underlying().(type) {
		case *types.Chan, *types.Interface, *types.Map, *types.Pointer, *types.Signature, *types.Slice:
			return true
		}
	}
	return false
}

// hasPlace reports whether others may put a reference where a variable leads, by a field, an
// element or a method.
func hasPlace(v *types.Var) bool {
	t := v.Type()
	if value.IsErrorType(t) {
		return false
	}
	if methodTakes(t, holdsReference) {
		return true
	}
	if to := value.Pointee(t); to != nil {
		t = to
	}
	s, isStruct := t.Underlying().(*types.Struct)
	if !isStruct {
		return holdsReference(t)
	}
	for field := range s.Fields() {
		if field.Exported() && holdsReference(field.Type()) {
			return true
		}
	}
	return false
}

// givesCodeTo reports whether code may be given to a package by an object of its scope: which takes
// some itself, or what it returns or holds does by its methods.
func givesCodeTo(obj types.Object) bool {
	if fn, isFunc := obj.(*types.Func); isFunc {
		results := slices.Collect(fn.Signature().Results().Variables())
		return !model.EffectsOf(fn).Known && (takes(fn.Signature(), holdsCode) || slices.ContainsFunc(results, func(v *types.Var) bool { return anyTakesCode(v.Type()) }))
	}
	v, isVar := obj.(*types.Var)
	return isVar && (holdsCode(v.Type()) || anyTakesCode(v.Type()))
}

// anyTakesCode reports whether a method takes code of a variable of a type, or of what that may
// lead to.
func anyTakesCode(t types.Type) bool {
	for part := range PartsOf(t) {
		if methodTakes(part, holdsCode) {
			return true
		}
	}
	return false
}

// holdsCode reports whether values of a type may lead to functions, or to values with methods
// that aren't known.
func holdsCode(t types.Type) bool {
	for part := range PartsOf(t) {
		switch part.Underlying().(type) {
		case *types.Signature, *types.Interface:
			return true
		}
	}
	return false
}

// isUsedVariable reports whether a package of the standard library whose functions are
// evaluated, or go by its variables, has a variable of a name, or may have any where that is
// empty.
func (ev *Evaluator) isUsedVariable(path, name string) bool {
	isUsed := model.Evaluated[path] || path == model.Tables
	if !isUsed || name == "" {
		return isUsed
	}
	pkg := ev.program.Exported(path)
	if pkg == nil {
		return true
	}
	_, isVariable := pkg.Scope().Lookup(name).(*types.Var)
	return isVariable
}
