package eval

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// Which methods code can call that isn't followed.

// callsOfParts reports whether the code that is called at an expression may call a
// method of what reflection finds in a value, or makes: the standard library decodes,
// encodes and prints by known ones.
func (ev *Evaluator) callsOfParts(at ast.Expr, method *types.Func) bool {
	path := ev.calledPackage(at)
	if path == "" || load.Reflective[path] || !ev.program.InStandardLibrary(path) {
		return true
	}
	switch name := method.Name(); name {
	case "Error", "Format", "GobDecode", "GobEncode", "GoString", "IsZero", "LogValue", "Scan", "String", "Value":
		return true
	default:
		return strings.HasPrefix(name, "Marshal") || strings.HasPrefix(name, "Unmarshal") || strings.HasPrefix(name, "Append")
	}
}

// foreignCanCall reports whether the code that is called at the expression, or who gets the value
// from it, can call a method. But by reflection, it calls it through an interface type and can name
// all types of the signature. Another module's code may hand a value of the program's own types on to
// that of any. See docs/decisions/0095.
func (ev *Evaluator) foreignCanCall(at ast.Expr, method *types.Func) bool {
	path := ev.calledPackage(at)
	isOwn := method.Pkg() != nil && ev.program.IsOwn(method.Pkg().Path())
	isHandedOn := isOwn && ev.program.IsOthers(path)
	reflects := func() bool { return ev.program.CallsByReflection(path) || isHandedOn && ev.mayReflect(at, path) }
	switch {
	case load.Reflective[path], path == "" && ev.program.LoadsPlugins():
		return true
	case !ev.program.MayBeOfInterface(method) && !reflects():
		return false
	case path == "":
		return ev.isCallableElsewhere(method) || isOwn && ev.unknownReflects(at) && ev.hasArgumentsFor(at, method)
	case isHandedOn:
		return ev.isCallableElsewhere(method) || reflects() && ev.hasArgumentsFor(at, method)
	}
	ok := true
	visit := func(obj *types.TypeName) {
		if obj.Pkg() != nil && !ev.program.Imports(path, obj.Pkg().Path()) {
			ok = false
		}
	}
	eachNamed(method.Signature(), visit)
	return ok
}

// unknownReflects reports whether the code that is called at an expression may have methods by
// reflection, of which the package isn't known: that of any package may, if it gets values. What is
// behind an interface of warren's doesn't.
func (ev *Evaluator) unknownReflects(at ast.Expr) bool {
	sig := ev.calledSignature(at, nil)
	if fn := ev.calledFunction(at); fn != nil {
		sig = fn.Signature()
		if isAbstract(fn) && fn.Pkg() != nil {
			path := fn.Pkg().Path()
			if ev.program.IsOthers(path) && ev.program.CallsByReflection(path) {
				return true
			}
			if load.IsLibrary(path) {
				return false
			}
		}
	}
	return (sig == nil || takesValues(sig)) && ev.program.CallsByReflection("")
}

// takesValues reports whether a parameter may lead to values of the caller's types: it is an interface, but
// for a context, or a function, or has one as a part.
func takesValues(sig *types.Signature) bool {
	for param := range sig.Params().Variables() {
		if types.TypeString(param.Type(), nil) != "context.Context" && holdsCode(param.Type()) {
			return true
		}
	}
	return false
}

// mayReflect reports whether the code of the package at path, which is called at an expression, may
// have methods called by reflection: by packages that import it, or by what such code is given now, or
// was before.
func (ev *Evaluator) mayReflect(at ast.Expr, path string) bool {
	reflects := func(path string) bool { return ev.program.IsOthers(path) && ev.program.CallsByReflection(path) }
	if ev.program.UsersCallByReflection(path) {
		return true
	}
	if slices.ContainsFunc(ev.foreign.lent.all, func(code othersCode) bool { return reflects(code.path) }) {
		return true
	}
	call, ok := at.(*ast.CallExpr)
	return ok && slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return slices.ContainsFunc(ev.packagesOf(arg), reflects) })
}

// packagesOf returns the packages of what an expression names, and of the types of that.
func (ev *Evaluator) packagesOf(expr ast.Expr) (paths []string) {
	note := func(obj types.Object) {
		if obj != nil && obj.Pkg() != nil {
			paths = append(paths, obj.Pkg().Path())
		}
	}
	ast.Inspect(expr, func(node ast.Node) bool {
		if name, ok := node.(*ast.Ident); ok && ev.frame.pkg.Info.Uses[name] != nil {
			obj := ev.frame.pkg.Info.Uses[name]
			note(obj)
			if named := value.NamedOf(obj.Type()); named != nil {
				note(named.Obj())
			}
		}
		return true
	})
	return paths
}

// hasArgumentsFor reports whether code of other modules may have values of all types of a method's
// parameters: reflection calls it with those, and needs no names of types. It makes those of the
// program's types itself, of JSON for example. One of warren's it is given, at the call or before.
func (ev *Evaluator) hasArgumentsFor(at ast.Expr, method *types.Func) bool {
	given := make(map[*types.TypeName]bool)
	if call, ok := at.(*ast.CallExpr); ok {
		for _, arg := range call.Args {
			if named := value.NamedOf(ev.frame.pkg.Info.TypeOf(arg)); named != nil {
				given[named.Obj()] = true
			}
		}
	}
	has := true
	for param := range method.Signature().Params().Variables() {
		namesIn(param.Type(), func(obj *types.TypeName) {
			isLibrary := obj.Pkg() != nil && load.IsLibrary(obj.Pkg().Path())
			has = has && (!isLibrary || given[obj] || ev.escaped.given[obj] || ev.isNamedElsewhere(obj))
		})
	}
	return has
}

// calledPackage returns the path of the package whose function is called, "" where
// it isn't known: an interface's method is that of any package, but for reflect.Type, and what a
// variable of another module gets is for any to have, also where a function of the standard library
// puts it there.
func (ev *Evaluator) calledPackage(at ast.Expr) string {
	fn := ev.calledFunction(at)
	if fn == nil || fn.Pkg() == nil || isAbstract(fn) && fn.Pkg().Path() != "reflect" {
		return ""
	}
	call := at.(*ast.CallExpr)
	if ev.isOfOthersVariable(call) || ev.program.InStandardLibrary(fn.Pkg().Path()) && ev.fillsOthers(call) {
		return ""
	}
	return fn.Pkg().Path()
}

// calledFunction returns the function or method that is called at an expression, nil where it isn't known.
func (ev *Evaluator) calledFunction(at ast.Expr) *types.Func {
	call, ok := at.(*ast.CallExpr)
	if !ok {
		return nil
	}
	if ev.unfollowed.at == at && ev.unfollowed.fn != nil {
		return ev.unfollowed.fn // not the interface's method, but that of the value in it
	}
	fn, _ := typeutil.Callee(ev.frame.pkg.Info, call).(*types.Func)
	return fn
}

// fillsOthers reports whether a call takes a variable of another module, or a value of which it is
// said by a type, as in a list, that it implements an interface of one.
func (ev *Evaluator) fillsOthers(call *ast.CallExpr) bool {
	isOthers := func(expr ast.Expr) bool {
		found := ev.namesOthersVariable(expr)
		if t := ev.frame.pkg.Info.TypeOf(expr); t != nil && !found {
			namesIn(t, func(obj *types.TypeName) {
				found = found || obj.Pkg() != nil && types.IsInterface(obj.Type()) && ev.program.IsOthers(obj.Pkg().Path())
			})
		}
		return found
	}
	if selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && isOthers(selector.X) {
		return true
	}
	return slices.ContainsFunc(call.Args, isOthers)
}

// namesOthersVariable reports whether an expression names a package-level variable of another module.
func (ev *Evaluator) namesOthersVariable(expr ast.Expr) bool {
	found := false
	ast.Inspect(expr, func(node ast.Node) bool {
		name, isName := node.(*ast.Ident)
		found = found || isName && ev.isOthersVariable(name)
		return !found
	})
	return found
}

// isOfOthersVariable reports whether a method of a package-level variable of another module is called.
func (ev *Evaluator) isOfOthersVariable(call *ast.CallExpr) bool {
	selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	return ev.isOthersVariable(nameIn(ast.Unparen(selector.X)))
}

// isOthersVariable reports whether a name, which may be nil, is that of a package-level variable of another
// module.
func (ev *Evaluator) isOthersVariable(name *ast.Ident) bool {
	v, ok := ev.frame.pkg.Info.Uses[name].(*types.Var)
	return ok && isPackageVariable(v) && ev.program.IsOthers(v.Pkg().Path())
}

// isCallableElsewhere reports whether a package of another module may name all types of
// a method's signature, or needs no names of them: an interface type has them by its type arguments,
// and reflection by values.
func (ev *Evaluator) isCallableElsewhere(method *types.Func) bool {
	if ev.program.IsCalledUnnamed(method) {
		return true
	}
	ok := true
	eachNamed(method.Signature(), func(obj *types.TypeName) { ok = ok && ev.isNamedElsewhere(obj) })
	return ok
}

// isNamedElsewhere reports whether a package of another module may name a type.
func (ev *Evaluator) isNamedElsewhere(obj *types.TypeName) bool {
	if obj.Pkg() == nil {
		return true
	}
	path := obj.Pkg().Path()
	return !ev.program.IsOwn(path) && !load.IsLibrary(path) || ev.program.ImportedByOtherModule(path)
}
