package discover

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// The methods of a router by which routes are registered, and those of what is recorded.
var (
	registering = []string{"Register", "MustRegister"}
	recording   = []string{"Declare", "Register", "MustRegister"}
)

// references says which functions and package variables can reach a call of some
// functions, and which of them those refer to.
type references struct {
	ends     func(*types.Func) bool // the functions
	names    []string               // of the methods among them that a program's own interface may have
	used     usedObjects
	reaches  map[types.Object]bool
	uses     map[types.Object][]types.Object
	referred map[types.Object]bool // by another one, which reaches a call if it does
	methods  map[string]bool       // the names of the methods that reach a call, and are called
}

// usedObjects returns what code of a package may call or look at.
type usedObjects func(pkg *load.Package, code ast.Node) []types.Object

// reaching works out the references to methods of a router.
func (f *finder) reaching(methods []string) *references {
	return f.referencesTo(func(fn *types.Func) bool { return isOfRouter(fn, methods) }, methods, eval.UsedObjects)
}

// referencesTo works out the references of all packages that were read from source.
// Calls through interfaces count for every method of the name.
func (f *finder) referencesTo(ends func(*types.Func) bool, names []string, used usedObjects) *references {
	r := &references{
		ends: ends, names: names, used: used,
		reaches:  make(map[types.Object]bool),
		uses:     make(map[types.Object][]types.Object),
		referred: make(map[types.Object]bool),
	}
	seen := make(map[*load.Package]bool)
	var visit func(pkg *load.Package)
	visit = func(pkg *load.Package) {
		if seen[pkg] {
			return
		}
		seen[pkg] = true
		for _, imported := range pkg.Imports {
			visit(imported)
		}
		for obj, decl := range f.ev.Declarations(pkg) {
			r.uses[obj] = used(pkg, decl.Body)
		}
		for _, initializer := range pkg.Info.InitOrder {
			behind := used(pkg, initializer.Rhs)
			for _, v := range initializer.Lhs {
				r.uses[v] = behind
			}
		}
	}
	for _, pkg := range f.program.Roots {
		visit(pkg)
	}
	r.spread()
	for user, used := range r.uses {
		for _, obj := range used {
			if user != obj {
				r.referred[obj] = true
			}
		}
	}
	return r
}

// spread finds everything that leads to a call.
func (r *references) spread() {
	for changed := true; changed; {
		changed = false
		r.methods = r.allNames()
		for user, used := range r.uses {
			if !r.reaches[user] && slices.ContainsFunc(used, r.leads) {
				r.reaches[user], changed = true, true
			}
		}
	}
}

// allNames returns the names of the methods that reach a call, and are called.
func (r *references) allNames() map[string]bool {
	names := make(map[string]bool)
	for _, name := range r.names {
		names[name] = true
	}
	for obj := range r.reaches {
		if fn, ok := obj.(*types.Func); ok && fn.Signature().Recv() != nil {
			names[fn.Name()] = true
		}
	}
	return names
}

func (r *references) leads(obj types.Object) bool {
	if r.reaches[obj] {
		return true
	}
	fn, ok := obj.(*types.Func)
	if !ok {
		return false
	}
	recv := fn.Signature().Recv()
	return r.ends(fn) || recv != nil && types.IsInterface(recv.Type()) && r.methods[fn.Name()]
}

// Leads reports whether code can lead to a registration, or to a declaration.
func (f *finder) Leads(pkg *load.Package, code ast.Node) bool {
	if f.recordingCode == nil {
		f.recordingCode = f.reaching(recording)
	}
	return f.reaches(f.recordingCode, pkg, code)
}

// MayServe reports whether code can give a router to a broker.
func (f *finder) MayServe(pkg *load.Package, code ast.Node) bool {
	if f.servingCode == nil {
		f.servingCode = f.referencesTo(takesRouter, nil, f.usedOrLent)
	}
	return f.reaches(f.servingCode, pkg, code)
}

// reference is an object, and what it may refer to.
type reference struct {
	to   *references
	from types.Object
}

// reaches reports whether code can reach a call.
func (f *finder) reaches(r *references, pkg *load.Package, code ast.Node) bool {
	return slices.ContainsFunc(r.used(pkg, code), func(obj types.Object) bool {
		reaches, known := f.reachable[reference{r, obj}]
		return reaches || !known && f.reachesBehind(r, obj)
	})
}

// reachesBehind reports whether what uses an object can reach a call: by what a package declares
// that can't reach the runtime, but for the methods of interfaces, too. Such a package is read when
// one of its functions or variables is asked for.
func (f *finder) reachesBehind(r *references, obj types.Object) bool {
	waiting, seen := []types.Object{obj}, map[types.Object]bool{obj: true}
	for len(waiting) > 0 {
		next := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if f.reachable[reference{r, next}] || r.leads(next) {
			f.reachable[reference{r, obj}] = true
			return true
		}
		if _, isKnown := r.uses[next]; isKnown {
			continue
		}
		for _, used := range f.ev.UsedBy(next, r.used) {
			if !seen[used] {
				seen[used] = true
				waiting = append(waiting, used)
			}
		}
	}
	for obj := range seen {
		f.reachable[reference{r, obj}] = false
	}
	return false
}

// takesRouter reports whether fn is a function of warren that is given a router, or asks one
// for its routes; a method of an interface that is given one may be such a function.
func takesRouter(fn *types.Func) bool {
	isAbstract := fn.Signature().Recv() != nil && types.IsInterface(fn.Signature().Recv().Type())
	if !isAbstract && (fn.Pkg() == nil || !load.IsLibrary(fn.Pkg().Path())) {
		return false
	}
	for param := range fn.Signature().Params().Variables() {
		if isRouter(value.Pointee(param.Type())) {
			return true
		}
	}
	return isOfRouter(fn, []string{"Routes"})
}

// isOfRouter reports whether fn is one of the methods of runtime.Router.
func isOfRouter(fn *types.Func, methods []string) bool {
	recv := fn.Signature().Recv()
	return recv != nil && isRouter(value.Pointee(recv.Type())) && slices.Contains(methods, fn.Name())
}

// registers reports whether a call is one of Register or MustRegister.
func (f *finder) registers(pkg *load.Package, call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := pkg.Info.Uses[selector.Sel].(*types.Func)
	return ok && isOfRouter(fn, registering)
}
