package discover

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// The entry points: main and the init functions of a main package. Without one,
// the exported functions and methods of the packages that were named, with a
// Router for a Router parameter and unknown values for the others, except those
// that another of them calls with values of its own.

// split separates the main packages that import the runtime from the others. Of
// several, those that only send messages aren't services.
func (in *interp) split() (mains, libraries []*load.Package) {
	for _, pkg := range in.program.Roots {
		if pkg.Types == nil {
			continue
		}
		if pkg.Name == "main" && in.program.Imports(pkg.Path, load.RuntimePath) {
			mains = append(mains, pkg)
			continue
		}
		libraries = append(libraries, pkg)
	}
	if len(mains) > 1 {
		registering := make(map[*types.Package]bool)
		for obj := range in.reaching().reaches {
			registering[obj.Pkg()] = true
		}
		mains = slices.DeleteFunc(mains, func(pkg *load.Package) bool {
			return !imports(pkg, registering, make(map[*load.Package]bool))
		})
	}
	return mains, libraries
}

// imports reports whether pkg is one of the wanted packages, or imports one,
// directly or not.
func imports(pkg *load.Package, wanted map[*types.Package]bool, seen map[*load.Package]bool) bool {
	if wanted[pkg.Types] {
		return true
	}
	seen[pkg] = true
	return slices.ContainsFunc(pkg.Imports, func(imported *load.Package) bool {
		return !seen[imported] && imports(imported, wanted, seen)
	})
}

func (in *interp) reportMains(mains []*load.Package) {
	paths := make([]string, len(mains))
	for i, pkg := range mains {
		paths[i] = pkg.Path
	}
	last := len(paths) - 1
	in.diagnostics.Add(diagnostic.Diagnostic{
		Code:   diagnostic.SeveralPrograms,
		Pos:    in.program.Position(mains[0].Files[0].Package),
		What:   "the pattern names several programs",
		Why:    strings.Join(paths[:last], ", ") + " and " + paths[last] + " are services of their own, each with its own document",
		Remedy: "write one //go:generate directive in each",
	})
}

func (in *interp) runMain(pkg *load.Package) {
	in.onDemand(func() {
		if u := in.caught(func() { in.runInits(pkg, make(map[*load.Package]bool)) }); u != nil {
			in.reportPanic(u)
			return
		}
		if main, ok := pkg.Types.Scope().Lookup("main").(*types.Func); ok {
			in.enter(main)
		}
	})
}

// runInits initialises pkg and what it imports, as the language says: the
// imports first, then the variables, then the init functions in the order of
// the files.
func (in *interp) runInits(pkg *load.Package, done map[*load.Package]bool) {
	if done[pkg] {
		return
	}
	done[pkg] = true
	for _, imported := range pkg.Imports {
		in.runInits(imported, done)
	}
	in.start(pkg)
	in.runInitFunctions(pkg)
}

func (in *interp) runInitFunctions(pkg *load.Package) {
	for _, file := range pkg.Files {
		for _, decl := range file.Decls {
			decl, ok := decl.(*ast.FuncDecl)
			if !ok || decl.Recv != nil || decl.Name.Name != "init" || decl.Body == nil {
				continue
			}
			sig := types.NewSignatureType(nil, nil, nil, nil, nil, false)
			in.invoke(function{pkg: pkg, sig: sig, typ: decl.Type, body: decl.Body}, decl.Name, nil)
		}
	}
}

// enter calls an entry point with what is known of its parameters.
func (in *interp) enter(fn *types.Func) {
	u := in.caught(func() {
		sig := fn.Signature()
		target := &Func{Type: fn.Type(), Obj: fn}
		if recv := sig.Recv(); recv != nil {
			target.Recv, target.Bound = in.parameter(recv, "the receiver "+recv.Name()+" of "+fn.Name()), true
		}
		args := make([]Value, sig.Params().Len())
		for i := range args {
			param := sig.Params().At(i)
			args[i] = in.parameter(param, "the parameter "+param.Name()+" of "+fn.Name())
		}
		in.callDeclared(ast.NewIdent(fn.Name()), target, args)
	})
	in.reportPanic(u)
}

// reportPanic says that a program that surely panics registers nothing after
// that.
func (in *interp) reportPanic(u *unwinding) {
	if u == nil || u.final {
		return
	}
	why := "what it would register after that isn't known"
	if text, ok := textOf(u.value); ok && text != "" {
		why = text
	} else if value, ok := u.value.(*Unknown); ok {
		why = value.Reason
	}
	in.report(u.pos, diagnostic.Diagnostic{
		Code: diagnostic.UnknownRoute, What: "the program panics here", Why: why,
		Remedy: "register the routes before, or don't panic",
	})
}

// parameter is the value of an entry point's parameter: a router where it is
// one, else something that isn't known, but not nil.
func (in *interp) parameter(v *types.Var, reason string) Value {
	if isRouter(elemOf(v.Type())) {
		return Pointer{Type: v.Type(), To: newCell(in.zero(elemOf(v.Type())))}
	}
	if types.IsInterface(v.Type()) {
		if only := in.universe().implementation(v.Type()); isRouter(elemOf(only)) {
			return Pointer{Type: only, To: newCell(in.zero(elemOf(only)))}
		}
	}
	return &Unknown{Reason: reason + ", which the callers decide", Pos: v.Pos(), NonNil: !isErrorType(v.Type())}
}

func isRouter(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == load.RuntimePath && named.Obj().Name() == "Router"
}

// runLibraries calls the exported functions and methods that can register a
// route. Those that no other of them refers to come first, since the others are
// called by them, with better arguments.
func (in *interp) runLibraries(libraries []*load.Package) {
	reaching := in.reaching()
	entries := in.entries(libraries, reaching)
	in.onDemand(func() {
		done := make(map[*load.Package]bool)
		for _, pkg := range libraries {
			in.survives(func() { in.runInits(pkg, done) })
		}
		var ran []entered
		called := make(map[*types.Func]bool)
		for _, late := range []bool{false, true} {
			for _, fn := range entries {
				if reaching.referred[fn] == late && !(late && called[fn]) {
					e := in.enterAlone(fn)
					ran = append(ran, e)
					maps.Copy(called, e.called)
				}
			}
		}
		in.keep(ran)
	})
}

// entered is what an entry point of a library did.
type entered struct {
	fn          *types.Func
	found       []registered.Route
	diagnostics diagnostic.List
	called      map[*types.Func]bool
}

func (in *interp) enterAlone(fn *types.Func) entered {
	found, diagnostics, called := in.found, in.diagnostics, in.called
	in.found, in.diagnostics, in.called = nil, diagnostic.List{}, make(map[*types.Func]bool)
	in.enter(fn)
	e := entered{fn, in.found, in.diagnostics, in.called}
	in.found, in.diagnostics, in.called = found, diagnostics, called
	return e
}

// keep adds what the entry points found, those aside that another one called by
// a function value or through an interface.
func (in *interp) keep(ran []entered) {
	for i, e := range ran {
		inner := false
		for j, other := range ran {
			if i != j && other.called[e.fn] && (i > j || !e.called[other.fn]) {
				inner = true
			}
		}
		if inner {
			continue
		}
		in.found = append(in.found, e.found...)
		for _, d := range e.diagnostics {
			in.diagnostics.Add(d)
		}
	}
}

// entries returns the exported functions and methods of the packages that can
// reach a registration, in the order of their positions.
func (in *interp) entries(libraries []*load.Package, reaching references) []*types.Func {
	var entries []*types.Func
	for _, pkg := range libraries {
		for obj := range in.index(pkg) {
			fn, ok := obj.(*types.Func)
			if !ok || !fn.Exported() || !reaching.reaches[fn] || isGeneric(fn) {
				continue
			}
			entries = append(entries, fn)
		}
	}
	slices.SortFunc(entries, func(a, b *types.Func) int {
		return comparePositions(in.program.Fset, a.Pos(), b.Pos())
	})
	return entries
}

func comparePositions(fset *token.FileSet, a, b token.Pos) int {
	x, y := fset.Position(a), fset.Position(b)
	if x.Filename != y.Filename {
		return strings.Compare(x.Filename, y.Filename)
	}
	return x.Offset - y.Offset
}

// isGeneric reports whether a function can't be called without type arguments.
func isGeneric(fn *types.Func) bool {
	sig := fn.Signature()
	return sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0
}

// references says which functions and package variables can reach a
// registration, and which of them those refer to.
type references struct {
	reaches  map[types.Object]bool
	uses     map[types.Object][]types.Object
	referred map[types.Object]bool // by another one that reaches a registration
}

// reaching works out the references of all packages that were read from source.
// Calls through interfaces count for every method of the name.
func (in *interp) reaching() references {
	r := references{
		reaches:  make(map[types.Object]bool),
		uses:     make(map[types.Object][]types.Object),
		referred: make(map[types.Object]bool),
	}
	seen := make(map[*load.Package]bool)
	var visit func(pkg *load.Package)
	visit = func(pkg *load.Package) {
		if seen[pkg] || pkg.Info == nil {
			return
		}
		seen[pkg] = true
		for _, imported := range pkg.Imports {
			visit(imported)
		}
		for obj, decl := range in.index(pkg) {
			r.uses[obj] = usedObjects(pkg, decl.Body)
		}
		for _, initializer := range pkg.Info.InitOrder {
			used := usedObjects(pkg, initializer.Rhs)
			for _, v := range initializer.Lhs {
				r.uses[v] = used
			}
		}
	}
	for _, pkg := range in.program.Roots {
		visit(pkg)
	}
	r.spread()
	for user, used := range r.uses {
		for _, obj := range used {
			if user != obj && r.reaches[user] {
				r.referred[obj] = true
			}
		}
	}
	return r
}

// spread finds everything that leads to a registration.
func (r references) spread() {
	for changed := true; changed; {
		changed = false
		names := r.names()
		for user, used := range r.uses {
			if !r.reaches[user] && slices.ContainsFunc(used, func(obj types.Object) bool { return r.leads(obj, names) }) {
				r.reaches[user], changed = true, true
			}
		}
	}
}

// usedObjects lists the functions and package variables that are referred to.
func usedObjects(pkg *load.Package, in ast.Node) []types.Object {
	var used []types.Object
	ast.Inspect(in, func(node ast.Node) bool {
		ident, ok := node.(*ast.Ident)
		if !ok {
			return true
		}
		switch obj := pkg.Info.Uses[ident].(type) {
		case *types.Func:
			used = append(used, obj.Origin())
		case *types.Var:
			if obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
				used = append(used, obj)
			}
		}
		return true
	})
	return used
}

// names returns the names of the methods that reach a registration.
func (r references) names() map[string]bool {
	names := map[string]bool{"Register": true, "MustRegister": true}
	for obj := range r.reaches {
		if fn, ok := obj.(*types.Func); ok && fn.Signature().Recv() != nil {
			names[fn.Name()] = true
		}
	}
	return names
}

func (r references) leads(obj types.Object, names map[string]bool) bool {
	if r.reaches[obj] {
		return true
	}
	fn, ok := obj.(*types.Func)
	if !ok {
		return false
	}
	recv := fn.Signature().Recv()
	return isRegistration(fn) || recv != nil && types.IsInterface(recv.Type()) && names[fn.Name()]
}

func isRegistration(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && isRouter(elemOf(recv.Type())) && (fn.Name() == "Register" || fn.Name() == "MustRegister")
}
