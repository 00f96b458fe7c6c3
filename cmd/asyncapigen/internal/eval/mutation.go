package eval

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// mutates reports whether a function may change variables that aren't its own, or
// calls one that isn't known from its code.
func (ev *Evaluator) mutates(fn *value.Func) bool {
	if c, ok := fn.Closure.(*closure); ok {
		return ev.codeMutates(c.pkg, c.lit)
	}
	if fn.Obj == nil {
		return fn.Native != nil
	}
	pkg, decl := ev.declaration(fn.Obj)
	return model.Remembers(fn.Obj) || decl != nil && ev.codeMutates(pkg, decl)
}

// codeMutates is mutates of a function literal or declaration.
func (ev *Evaluator) codeMutates(pkg *load.Package, code ast.Node) bool {
	return ev.mutating.of(ev, pkg, code, func(pkg *load.Package, code ast.Node) bool {
		return changesOthers(pkg, code, ownNodes(code)) || ev.callsUnknown(pkg, code)
	})
}

// mutatesBeside is codeMutates of a method whose receiver is unknown anyway: what it
// changes of that itself doesn't count.
func (ev *Evaluator) mutatesBeside(pkg *load.Package, method *ast.FuncDecl) bool {
	if !ev.codeMutates(pkg, method) {
		return false
	}
	own := ownNodes(method)
	if method.Recv != nil {
		own = append(own, method.Recv)
	}
	return changesOthers(pkg, method, own) || ev.callsUnknown(pkg, method) ||
		slices.ContainsFunc(usedFunctions(pkg, method), func(fn *types.Func) bool {
			in, decl := ev.declaration(fn)
			return decl != nil && ev.codeMutates(in, decl)
		})
}

// usedFunctions returns the functions and methods that code names.
func usedFunctions(pkg *load.Package, code ast.Node) []*types.Func {
	var all []*types.Func
	for _, obj := range UsedObjects(pkg, code) {
		if fn, ok := obj.(*types.Func); ok {
			all = append(all, fn)
		}
	}
	return all
}

// callsUnknown reports whether code calls functions that aren't known from it: values,
// methods of interfaces, what functions that aren't read call of their arguments, those
// that remember what they get or change what isn't here, and runtime.Goexit, which ends more
// than the function. What it finds in an interface may be another's.
func (ev *Evaluator) callsUnknown(pkg *load.Package, code ast.Node) bool {
	return callsUnnamed(pkg, code) || asserts(pkg, code) || ev.givesAway(pkg, code) || slices.ContainsFunc(usedFunctions(pkg, code), ev.changesUnseen)
}

func (ev *Evaluator) changesUnseen(fn *types.Func) bool {
	return model.Remembers(fn) || fn.FullName() == "runtime.Goexit" || ev.actsElsewhere(fn)
}

// actsElsewhere reports whether a function of another module that isn't read may tell a library something,
// set a variable of the environment, or do something to a package that is read: it mentions one.
func (ev *Evaluator) actsElsewhere(fn *types.Func) bool {
	if fn.Pkg() == nil || isAbstract(fn) || ev.source(fn.Pkg().Path()) != nil || model.Lookup(fn.Origin().FullName()) != nil {
		return false
	}
	path := fn.Pkg().Path()
	return slices.ContainsFunc([]*load.Names{telling, settingVariables, ev.namesOfExposed()}, func(something *load.Names) bool {
		return ev.tells(path, fn.Name(), something)
	})
}

// namesOfExposed are all names of the packages that are read and that others can import.
func (ev *Evaluator) namesOfExposed() *load.Names {
	if ev.foreign.exposed == nil {
		texts := make(map[string]string)
		for _, path := range ev.exposedPackages() {
			texts[path] = ""
		}
		is := func(path, _ string) bool { _, isExposed := texts[path]; return isExposed }
		ev.foreign.exposed = &load.Names{Is: is, Texts: texts}
	}
	return ev.foreign.exposed
}

// asserts reports whether code finds something in an interface, such as an error, by which
// variables can be changed.
func asserts(pkg *load.Package, code ast.Node) bool {
	found := false
	ast.Inspect(code, func(node ast.Node) bool {
		if assertion, ok := node.(*ast.TypeAssertExpr); ok {
			found = found || assertion.Type == nil || !isFixed(pkg.Info.TypeOf(assertion.Type))
		}
		return !found
	})
	return found
}

// givesAway reports whether code gives a function that isn't read something that it may
// call: a function, an interface, or a value with methods of the program's own. One on
// the reviewed list calls the methods that the list names.
func (ev *Evaluator) givesAway(pkg *load.Package, code ast.Node) bool {
	found := false
	ast.Inspect(code, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || found {
			return !found
		}
		fn, ok := typeutil.Callee(pkg.Info, call).(*types.Func)
		if !ok || isAbstract(fn) {
			return true // see callsUnnamed
		}
		if _, decl := ev.declaration(fn); decl != nil {
			return true // it is read
		}
		effects := model.EffectsOf(fn)
		if effects.Known && len(effects.Methods) == 0 {
			return true
		}
		found = slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return ev.mayCallPart(pkg.Info.TypeOf(arg)) })
		return !found
	})
	return found
}

// mayCallPart reports whether who has a value of a type may call something of the
// program's own in it.
func (ev *Evaluator) mayCallPart(t types.Type) bool {
	if t == nil {
		return true
	}
	for part := range PartsOf(t) {
		switch part.Underlying().(type) {
		case *types.Signature, *types.Interface:
			return true
		}
		if named, ok := part.(*types.Named); ok && ev.isReadType(named) && types.NewMethodSet(types.NewPointer(named)).Len() > 0 {
			return true
		}
	}
	return false
}

// ownNodes returns where a function's own variables are declared. Its receiver isn't its
// own.
func ownNodes(code ast.Node) []ast.Node {
	decl, ok := code.(*ast.FuncDecl)
	if !ok {
		return []ast.Node{code}
	}
	own := []ast.Node{decl.Type.Params}
	if decl.Type.Results != nil {
		own = append(own, decl.Type.Results)
	}
	if decl.Body != nil {
		own = append(own, decl.Body)
	}
	return own
}

// changesOthers reports whether code may change variables that aren't declared in one of
// the nodes.
func changesOthers(pkg *load.Package, code ast.Node, own []ast.Node) bool {
	for v := range changedVariables(pkg, code) {
		if !slices.ContainsFunc(own, func(node ast.Node) bool { return node.Pos() <= v.Pos() && v.Pos() < node.End() }) {
			return true
		}
	}
	return false
}

// callsUnnamed reports whether code calls a function that is a value, or a method of a
// value whose type isn't known.
func callsUnnamed(pkg *load.Package, code ast.Node) bool {
	found := false
	ast.Inspect(code, func(node ast.Node) bool {
		if loop, ok := node.(*ast.RangeStmt); ok {
			found = found || mayRangeOverFunction(pkg.Info.TypeOf(loop.X))
		}
		call, ok := node.(*ast.CallExpr)
		if !ok || pkg.Info.Types[call.Fun].IsType() || pkg.Info.Types[call.Fun].IsBuiltin() {
			return !found
		}
		if _, isLiteral := ast.Unparen(call.Fun).(*ast.FuncLit); !isLiteral {
			fn, ok := typeutil.Callee(pkg.Info, call).(*types.Func)
			found = found || !ok || isAbstract(fn)
		}
		return !found
	})
	return found
}

// mayRangeOverFunction reports whether a loop over a value of a type may call it. That of
// a type parameter may be one of a function.
func mayRangeOverFunction(t types.Type) bool {
	if t == nil {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Signature, *types.Interface:
		return true
	default:
		return false
	}
}
