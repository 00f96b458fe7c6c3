package eval

import (
	"go/ast"
	"go/types"
	"iter"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// Methods of the program's own types matter where they lead to what the user records,
// may change variables, or end the program: it matters then whether code that isn't followed calls them.

// madeMethod is a method of a type of the program's own.
type madeMethod struct {
	of     *types.Named
	method *types.Func
}

// methodOfAny returns a method of a value that isn't known.
func (ev *Evaluator) methodOfAny(at ast.Expr, made madeMethod) *value.Func {
	recv := &value.Unknown{Reason: "a value that is found by reflection", Pos: ev.ownPos(at.Pos()), NonNil: true, Foreign: true}
	return &value.Func{
		Obj: made.method, Type: made.method.Type(), Recv: recv, Bound: true, TArgs: value.ReceiverArgs(recv, made.of, made.method),
	}
}

// methodMatters reports whether it matters now that a method is called: it leads to
// what the user records, may change variables of others, or may end a program that works.
// What it changes of a receiver that isn't known is unknown anyway.
func (ev *Evaluator) methodMatters(method *types.Func) bool {
	pkg, decl := ev.declaration(method)
	return decl != nil && (ev.user.Leads(pkg, decl.Body) || ev.mutatesBeside(pkg, decl) || ev.mayEnd(pkg, decl))
}

// mattering are the methods that matter while the program works, or doesn't.
type mattering struct {
	ofAll  []madeMethod                // of all types of the program's own, nil while they aren't known
	madeBy map[types.Type][]madeMethod // of what a type is made of
}

// mattersNow returns those of now.
func (ev *Evaluator) mattersNow() *mattering {
	works := ev.mayWork()
	if ev.mattering[works] == nil {
		ev.mattering[works] = &mattering{madeBy: make(map[types.Type][]madeMethod)}
	}
	return ev.mattering[works]
}

// methodChanges reports whether a method matters, or may change its receiver, of which all else is
// known.
func (ev *Evaluator) methodChanges(method *types.Func) bool {
	pkg, decl := ev.declaration(method)
	return decl != nil && (ev.user.Leads(pkg, decl.Body) || ev.codeMutates(pkg, decl) || ev.mayEnd(pkg, decl))
}

// leads reports whether a function can lead to what the user records.
func (ev *Evaluator) leads(fn *value.Func) bool {
	pkg, body := ev.bodyOf(fn)
	if body != nil && ev.user.Leads(pkg, body) {
		return true
	}
	c, ok := fn.Closure.(*closure)
	return ok && !ev.program.IsOwn(pkg.Path) && ev.holdsOwn(c)
}

// bodyOf returns the body of a function with its package, nil where it isn't read.
func (ev *Evaluator) bodyOf(fn *value.Func) (*load.Package, *ast.BlockStmt) {
	if c, ok := fn.Closure.(*closure); ok {
		return c.pkg, c.lit.Body
	}
	if fn.Obj == nil {
		return nil, nil
	}
	pkg, decl := ev.declaration(fn.Obj)
	if decl == nil {
		return nil, nil
	}
	return pkg, decl.Body
}

// holdsOwn reports whether a function literal of another module leads to a function of the
// program's, or to a value with methods, of which it matters that it calls it.
func (ev *Evaluator) holdsOwn(c *closure) bool {
	found := false
	r := value.Reach{Captured: ev.capturedBy, Visit: func(v value.Value) {
		fn, isFunc := v.(*value.Func)
		switch {
		case found:
		case isFunc:
			found = ev.isOwnFunc(fn) && (ev.leads(fn) || ev.mutates(fn))
		default:
			found = len(ev.methodsMadeBy(typeOrInvalid(v))) > 0
		}
	}}
	r.Add(ev.captured(c)...)
	ev.work(len(r.Cells))
	return found
}

// isOwnFunc reports whether a function is one of the program's.
func (ev *Evaluator) isOwnFunc(fn *value.Func) bool {
	if c, isLiteral := fn.Closure.(*closure); isLiteral {
		return ev.program.IsOwn(c.pkg.Path)
	}
	return fn.Obj != nil && fn.Obj.Pkg() != nil && ev.program.IsOwn(fn.Obj.Pkg().Path())
}

// methodsMadeBy returns the methods that matter of a type, and of the types that it is
// made of.
func (ev *Evaluator) methodsMadeBy(t types.Type) []madeMethod {
	now := ev.mattersNow()
	if all, known := now.madeBy[t]; known {
		return all
	}
	var all []madeMethod
	for part := range partsOf(t) {
		named, ok := part.(*types.Named)
		if !ok || types.IsInterface(named) || !ev.isReadType(named) {
			continue
		}
		for selection := range types.NewMethodSet(types.NewPointer(named)).Methods() {
			method, ok := selection.Obj().(*types.Func)
			if ok && method.Exported() && !isAbstract(method) && ev.methodMatters(method) {
				all = append(all, madeMethod{named, method})
			}
		}
	}
	now.madeBy[t] = all
	return all
}

// methodsThatMatter returns those of all types of the program's own.
func (ev *Evaluator) methodsThatMatter() []madeMethod {
	now := ev.mattersNow()
	if now.ofAll != nil {
		return now.ofAll
	}
	now.ofAll = make([]madeMethod, 0, 1)
	for _, pkg := range ev.program.Checked() {
		if !ev.program.IsOwn(pkg.Path) {
			continue
		}
		for obj := range ev.Declarations(pkg) {
			method, ok := obj.(*types.Func)
			if !ok || method.Signature().Recv() == nil || !ev.methodMatters(method) {
				continue
			}
			if named := value.NamedOf(method.Signature().Recv().Type()); named != nil {
				now.ofAll = append(now.ofAll, madeMethod{named, method})
			}
		}
	}
	slices.SortFunc(now.ofAll, func(a, b madeMethod) int { return int(a.method.Pos() - b.method.Pos()) })
	return now.ofAll
}

// methodsBehind returns the methods that matter of the program's types that implement an
// interface: others than its own are had by a type assertion.
func (ev *Evaluator) methodsBehind(iface *types.Interface) []madeMethod {
	matter := ev.methodsThatMatter()
	if len(matter) == 0 {
		return nil
	}
	behind := make(map[types.Object]bool)
	for named := range ev.ownTypes() {
		pointer := types.NewPointer(named)
		if named.TypeParams().Len() == 0 && !types.Implements(pointer, iface) {
			continue
		}
		for selection := range types.NewMethodSet(pointer).Methods() {
			behind[selection.Obj()] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(matter), func(made madeMethod) bool {
		return !made.method.Exported() || !behind[made.method]
	})
}

// ownTypes returns the program's own types that have a name, those of functions too, in
// no order.
func (ev *Evaluator) ownTypes() iter.Seq[*types.Named] {
	return func(yield func(*types.Named) bool) {
		for _, pkg := range ev.program.Checked() {
			if !ev.program.IsOwn(pkg.Path) {
				continue
			}
			for _, obj := range pkg.Info.Defs {
				name, ok := obj.(*types.TypeName)
				if !ok || name.IsAlias() {
					continue
				}
				if named, ok := name.Type().(*types.Named); ok && !types.IsInterface(named) && !yield(named) {
					return
				}
			}
		}
	}
}
