package discover

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// usedOrLent returns what code refers to, and the methods of the values that it gives to functions
// of other modules: those may call them.
func (f *finder) usedOrLent(pkg *load.Package, code ast.Node) []types.Object {
	used := eval.UsedObjects(pkg, code)
	ast.Inspect(code, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok {
			used = append(used, f.lent(pkg, call)...)
		}
		return true
	})
	return used
}

// lent returns the methods that a function which isn't the program's may call of the arguments of a
// call, and of all that those lead to. In the standard library it calls those that the type of its
// parameter has.
func (f *finder) lent(pkg *load.Package, call *ast.CallExpr) (methods []types.Object) {
	fn, ok := typeutil.Callee(pkg.Info, call).(*types.Func)
	if !ok || fn.Pkg() == nil || f.program.IsOwn(fn.Pkg().Path()) || load.IsLibrary(fn.Pkg().Path()) {
		return nil
	}
	params := fn.Signature().Params()
	for i, arg := range call.Args {
		calls := func(*types.Func) bool { return true }
		if f.program.InStandardLibrary(fn.Pkg().Path()) && params.Len() > 0 {
			param := params.At(min(i, params.Len()-1)).Type()
			calls = func(method *types.Func) bool { return asksFor(param, method.Name()) }
		}
		for _, t := range typesGiven(pkg, arg) {
			methods = append(methods, f.methodsBehind(t, calls)...)
		}
	}
	return methods
}

// asksFor reports whether an interface that values of a type lead to has a method of a name.
func asksFor(t types.Type, name string) bool {
	for part := range eval.PartsOf(t) {
		if types.IsInterface(part) {
			if obj, _, _ := types.LookupFieldOrMethod(part, false, nil, name); obj != nil {
				return true
			}
		}
	}
	return false
}

// typesGiven returns the types of an argument and of what it is composed of.
func typesGiven(pkg *load.Package, arg ast.Expr) []types.Type {
	given := []types.Type{pkg.Info.TypeOf(arg)}
	if results, ok := given[0].(*types.Tuple); ok { // f(g())
		given = nil
		for result := range results.Variables() {
			given = append(given, result.Type())
		}
	}
	switch arg := ast.Unparen(arg).(type) {
	case *ast.UnaryExpr:
		given = append(given, typesGiven(pkg, arg.X)...)
	case *ast.CompositeLit:
		for _, part := range arg.Elts {
			if pair, ok := part.(*ast.KeyValueExpr); ok {
				part = pair.Value
			}
			given = append(given, typesGiven(pkg, part)...)
		}
	}
	return given
}

// methodsBehind returns the methods of a type, and of those that its values lead to.
func (f *finder) methodsBehind(t types.Type, wanted func(*types.Func) bool) (methods []types.Object) {
	for part := range eval.PartsOf(t) {
		for _, selection := range typeutil.IntuitiveMethodSet(part, &f.methodSets) {
			if method := selection.Obj().(*types.Func).Origin(); wanted(method) {
				methods = append(methods, method)
			}
		}
	}
	return methods
}
