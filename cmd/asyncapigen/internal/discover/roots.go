package discover

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// split separates the main packages that import the runtime from the others. Of
// several, those that only send messages aren't services.
func (f *finder) split() (mains, libraries []*load.Package) {
	for _, pkg := range f.program.Roots {
		if pkg.Types == nil {
			continue
		}
		if pkg.Name == "main" && f.program.Imports(pkg.Path, load.RuntimePath) {
			mains = append(mains, pkg)
			continue
		}
		libraries = append(libraries, pkg)
	}
	if len(mains) > 1 {
		services := make(map[*types.Package]bool)
		for obj := range f.reaching(registering).reaches {
			services[obj.Pkg()] = true
		}
		mains = slices.DeleteFunc(mains, func(pkg *load.Package) bool {
			return !imports(pkg, services, make(map[*load.Package]bool))
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

func (f *finder) reportMains(mains []*load.Package) {
	paths := make([]string, len(mains))
	for i, pkg := range mains {
		paths[i] = pkg.Path
	}
	last := len(paths) - 1
	f.diagnostics.Add(diagnostic.Diagnostic{
		Code:   diagnostic.SeveralPrograms,
		Pos:    f.program.Position(mains[0].Files[0].Package),
		What:   "the pattern names several programs",
		Why:    strings.Join(paths[:last], ", ") + " and " + paths[last] + " are services of their own, each with its own document",
		Remedy: "write one //go:generate directive in each",
	})
}

func (f *finder) runMain(pkg *load.Package) {
	f.reset()
	if f.panicked = f.ev.Caught(func() { f.ev.Initialize(pkg) }); f.panicked != nil {
		return
	}
	if main, ok := pkg.Types.Scope().Lookup("main").(*types.Func); ok {
		f.panicked = f.ev.Caught(func() { f.ev.EnterMain(ast.NewIdent("main"), &value.Func{Type: main.Type(), Obj: main}) })
	}
	if f.panicked != nil && f.panicked.Waits() { // a handler may end the wait
		f.noteLate()
	}
	f.needServed()
}

// enter calls an entry point with what is known of its parameters.
func (f *finder) enter(fn *types.Func) {
	u := f.ev.Caught(func() {
		sig := fn.Signature()
		target := &value.Func{Type: fn.Type(), Obj: fn}
		if recv := sig.Recv(); recv != nil {
			target.Recv, target.Bound = f.parameter(recv, "the receiver "+recv.Name()+" of "+fn.Name()), true
		}
		args := make([]value.Value, sig.Params().Len())
		for i := range args {
			param := sig.Params().At(i)
			args[i] = f.parameter(param, "the parameter "+param.Name()+" of "+fn.Name())
		}
		f.ev.Enter(ast.NewIdent(fn.Name()), target, args)
	})
	f.reportPanic(u)
}

// reportPanic says that a program that surely panics registers nothing after
// that.
func (f *finder) reportPanic(u *eval.Panic) {
	if u == nil || u.Ends() {
		return
	}
	why := "what it would register after that isn't known"
	if e, ok := u.Value.(*model.RuntimeError); ok && e.Known() {
		why = e.Text
	} else if text, ok := value.TextOf(u.Value); ok && text != "" {
		why = text
	} else if value, ok := u.Value.(*value.Unknown); ok {
		why = value.Reason
	}
	f.report(u.Pos, diagnostic.Diagnostic{
		Code: diagnostic.UnknownRoute, What: "the program panics here", Why: why,
		Remedy: "register the routes before, or don't panic",
	})
}

// parameter is the value of an entry point's parameter: a router where it is
// one, else something that isn't known, but not nil.
func (f *finder) parameter(v *types.Var, reason string) value.Value {
	if isRouter(value.Pointee(v.Type())) {
		return value.Pointer{Type: v.Type(), To: value.NewCell(f.ev.Zero(value.Pointee(v.Type())))}
	}
	if types.IsInterface(v.Type()) {
		if only := f.ev.Implementation(v.Type()); isRouter(value.Pointee(only)) {
			return value.Pointer{Type: only, To: value.NewCell(f.ev.Zero(value.Pointee(only)))}
		}
	}
	return &value.Unknown{Reason: reason + ", which the callers decide", Pos: v.Pos(), NonNil: !value.IsErrorType(v.Type())}
}

// runLibraries calls the exported functions and methods that can register a
// route, or declare something. Those that no other of them refers to come first, since the others are
// called by them, with better arguments.
func (f *finder) runLibraries(libraries []*load.Package) {
	reaching := f.reaching(recording)
	entries := f.entries(libraries, reaching)
	f.reset()
	for _, pkg := range libraries {
		f.ev.Survives(func() { f.ev.Initialize(pkg) })
	}
	var ran []entered
	called := make(map[*types.Func]bool)
	for _, late := range []bool{false, true} {
		for _, fn := range entries {
			if reaching.referred[fn] == late && !(late && called[fn]) {
				e := f.enterAlone(fn)
				ran = append(ran, e)
				maps.Copy(called, e.called)
			}
		}
	}
	f.keep(ran)
}

// entered is what an entry point of a library did.
type entered struct {
	recorded
	fn     *types.Func
	called map[*types.Func]bool
}

func (f *finder) enterAlone(fn *types.Func) entered {
	var called map[*types.Func]bool
	r := f.apart(func() { called = f.ev.Calls(func() { f.enter(fn) }) })
	return entered{r, fn, called}
}

// keep adds what the entry points found, those aside that another one called by
// a function value or through an interface.
func (f *finder) keep(ran []entered) {
	for i, e := range ran {
		inner := false
		for j, other := range ran {
			if other.called[e.fn] && (i > j || !e.called[other.fn]) {
				inner = true
			}
		}
		if !inner {
			f.addAll(e.recorded)
		}
	}
}

// entries returns the exported functions and methods of the packages that can
// reach a registration or a declaration, in the order of their positions.
func (f *finder) entries(libraries []*load.Package, reaching *references) []*types.Func {
	var entries []*types.Func
	for _, pkg := range libraries {
		for obj := range f.ev.Declarations(pkg) {
			fn, ok := obj.(*types.Func)
			if !ok || !fn.Exported() || !reaching.reaches[fn] || isGeneric(fn) {
				continue
			}
			entries = append(entries, fn)
		}
	}
	slices.SortFunc(entries, func(a, b *types.Func) int {
		return comparePositions(f.program.Fset, a.Pos(), b.Pos())
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
