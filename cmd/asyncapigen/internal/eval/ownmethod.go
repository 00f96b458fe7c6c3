package eval

import (
	"cmp"
	"go/ast"
	"go/types"
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
	recv := &value.Unknown{Reason: "a value that is found by reflection", Pos: ev.OwnPos(at.Pos()), NonNil: true, Foreign: true}
	return &value.Func{
		Obj: made.method, Type: made.method.Type(), Recv: recv, Bound: true, TArgs: value.ReceiverArgs(recv, made.of, made.method),
	}
}

// methodMatters reports whether it matters now that a method is called: it leads to
// what the user records, may change variables of others, may end a program that works, or
// returns what may have such methods.
// What it changes of a receiver that isn't known is unknown anyway.
func (ev *Evaluator) methodMatters(method *types.Func) bool {
	pkg, decl := ev.declaration(method)
	return decl != nil && (ev.user.Leads(pkg, decl.Body) || ev.mutatesBeside(pkg, decl) || ev.mayEnd(pkg, decl) || ev.returnsMethods(method))
}

// mattering are the methods that matter while the program works, or doesn't.
type mattering struct {
	methods map[*types.Func]bool        // whether they do
	madeBy  map[types.Type][]madeMethod // of what a type is made of
}

// mattersNow returns those of now.
func (ev *Evaluator) mattersNow() *mattering {
	works := ev.mayWork()
	if ev.mattering[works] == nil {
		ev.mattering[works] = &mattering{methods: make(map[*types.Func]bool), madeBy: make(map[types.Type][]madeMethod)}
	}
	return ev.mattering[works]
}

// methodChanges reports whether a method matters, or may change its receiver, of which all else is
// known.
func (ev *Evaluator) methodChanges(method *types.Func) bool {
	pkg, decl := ev.declaration(method)
	return decl != nil && (ev.user.Leads(pkg, decl.Body) || ev.codeMutates(pkg, decl) || ev.mayEnd(pkg, decl) || ev.returnsMethods(method))
}

// returnsMethods reports whether results of a method may have methods that matter: they are
// interfaces, or have such methods, or lead to such, as the list of a module's handlers. Errors are
// asked for their texts.
func (ev *Evaluator) returnsMethods(method *types.Func) bool {
	for result := range method.Signature().Results().Variables() {
		for part := range PartsOf(result.Type()) {
			if types.IsInterface(part) && !value.IsErrorType(part) || ev.hasMatteringMethod(part) {
				return true
			}
		}
	}
	return false
}

// hasMatteringMethod reports whether a type is one of the program's that declares a method which
// matters by itself.
func (ev *Evaluator) hasMatteringMethod(t types.Type) bool {
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !ev.program.IsOwn(named.Obj().Pkg().Path()) {
		return false
	}
	for method := range named.Methods() {
		pkg, decl := ev.declaration(method)
		if decl != nil && method.Exported() && (ev.user.Leads(pkg, decl.Body) || ev.mutatesBeside(pkg, decl)) {
			return true
		}
	}
	return false
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
	for part := range PartsOf(t) {
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

// ownMethods are the types of the program's own that have a name, those of functions too, and the
// methods that they declare. Of packages that weren't read they are those which the export data
// has: values of others are made by code that is read.
type ownMethods struct {
	read    int // how many of the program's own packages had been read
	types   []*types.Named
	methods []madeMethod
	behind  map[*types.Interface][]madeMethod // of the types that implement an interface, those that others can name
}

// ownMethodsNow returns what is known of them now.
func (ev *Evaluator) ownMethodsNow() *ownMethods {
	read := len(ev.program.Own())
	if ev.ownMethods == nil || ev.ownMethods.read != read {
		ev.ownMethods = &ownMethods{read: read, behind: make(map[*types.Interface][]madeMethod)}
		for _, path := range ev.program.OwnPaths() {
			ev.ownMethods.add(ev.declaredTypes(path))
		}
	}
	return ev.ownMethods
}

func (own *ownMethods) add(declared []*types.Named) {
	own.types = append(own.types, declared...)
	for _, named := range declared {
		for method := range named.Methods() {
			own.methods = append(own.methods, madeMethod{named, method})
		}
	}
}

// declaredTypes returns the types with a name that the package at path declares, in the order of
// the source.
func (ev *Evaluator) declaredTypes(path string) (all []*types.Named) {
	note := func(obj types.Object) {
		if name, ok := obj.(*types.TypeName); ok && !name.IsAlias() {
			if named, ok := name.Type().(*types.Named); ok && !types.IsInterface(named) {
				all = append(all, named)
			}
		}
	}
	if pkg := ev.program.Read(path); pkg != nil {
		for _, obj := range pkg.Info.Defs {
			note(obj)
		}
	} else if exported := ev.program.Exported(path); exported != nil {
		for _, name := range exported.Scope().Names() {
			note(exported.Scope().Lookup(name))
		}
	}
	slices.SortFunc(all, func(a, b *types.Named) int { return cmp.Compare(a.Obj().Pos(), b.Obj().Pos()) })
	return all
}

// implementing returns the methods that the types declare which implement an interface, or promote:
// others than its own are had by a type assertion.
func (own *ownMethods) implementing(iface *types.Interface) (all []madeMethod) {
	if all, known := own.behind[iface]; known {
		return all
	}
	behind := make(map[string]bool)
	for _, named := range own.types {
		pointer := types.NewPointer(named)
		if named.TypeParams().Len() == 0 && !value.Implements(pointer, iface) {
			continue
		}
		for selection := range types.NewMethodSet(pointer).Methods() {
			if method, ok := selection.Obj().(*types.Func); ok && method.Exported() {
				behind[method.FullName()] = true
			}
		}
	}
	for _, made := range own.methods {
		if made.method.Exported() && behind[made.method.FullName()] {
			all = append(all, made)
		}
	}
	own.behind[iface] = all
	return all
}

// thatMatter returns those of the methods that matter: their packages are read, to know that.
func (ev *Evaluator) thatMatter(methods []madeMethod, is func(made madeMethod) bool) (all []madeMethod) {
	for _, made := range methods {
		if is(made) && ev.mattersNow().has(ev, made.method) {
			all = append(all, made)
		}
	}
	return all
}

// has reports whether a method matters.
func (m *mattering) has(ev *Evaluator, method *types.Func) bool {
	matters, known := m.methods[method]
	if !known {
		matters = ev.methodMatters(method)
		m.methods[method] = matters
	}
	return matters
}
