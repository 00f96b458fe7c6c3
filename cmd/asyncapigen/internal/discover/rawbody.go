package discover

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// checkRawBody warns of a handler that takes bytes and decodes them into one type
// itself: the contract could describe that type.
func (r *reader) checkRawBody(h *handler) {
	if h.Fn == nil || r.quiet || h.Batch != nil || !registered.IsBytes(h.Body) {
		return
	}
	pkg, typ, body := r.finder.code(h.Fn)
	if body == nil {
		return
	}
	call, t := r.finder.decoded(pkg, typ, body)
	if t == nil {
		return
	}
	message := registered.TypeName(t)
	of, result := "Consume["+message+"]", "error"
	if h.Reply != nil {
		reply := registered.TypeName(h.Reply)
		of, result = "Respond["+message+", "+reply+"]", "("+reply+", error)"
	}
	r.finder.diagnostics.Add(diagnostic.Diagnostic{
		Code: diagnostic.RawBody, Severity: diagnostic.Warning, Pos: r.finder.program.Position(call.Pos()), Route: r.name, Type: message,
		What:   "its handler decodes the messages itself",
		Why:    fmt.Sprintf("it takes %s, so that the document can't say that they are %s", registered.TypeName(h.Body), message),
		Remedy: fmt.Sprintf("write runtime.%s of a func(context.Context, %s) %s", of, message, result),
	})
}

// code returns the source of a function, nil where there is none. That of a package
// which can't register routes is read for it.
func (f *finder) code(fn *value.Func) (*load.Package, *ast.FuncType, *ast.BlockStmt) {
	if pkg, lit := eval.Literal(fn); lit != nil {
		return pkg, lit.Type, lit.Body
	}
	if fn.Obj == nil || fn.Obj.Pkg() == nil || !f.program.IsOwn(fn.Obj.Pkg().Path()) {
		return nil, nil, nil
	}
	pkg := f.program.Source(fn.Obj.Pkg().Path())
	if pkg == nil {
		return nil, nil, nil
	}
	for obj, decl := range f.ev.Declarations(pkg) {
		// Types of export data are others than those of the source.
		if found, ok := obj.(*types.Func); ok && found.FullName() == fn.Obj.Origin().FullName() {
			return pkg, decl.Type, decl.Body
		}
	}
	return nil, nil, nil
}

// decoded returns the one type that a handler decodes its message into by
// encoding/json, itself or by a function of its own modules, and where; nil where
// that are several or none, or one that says nothing.
func (f *finder) decoded(pkg *load.Package, typ *ast.FuncType, body *ast.BlockStmt) (at *ast.CallExpr, into types.Type) {
	last := typ.Params.NumFields() - 1
	all := f.decodings(pkg, body, parameterAt(pkg, typ, last), maxHelpers)
	for _, d := range all {
		if into != nil && registered.TypeName(d.into) != registered.TypeName(into) {
			return nil, nil
		}
		at, into = d.at, d.into
	}
	if into == nil || value.HasTypeParam(into) || !registered.IsDescribable(into) {
		return nil, nil
	}
	return at, into
}

// maxHelpers is how many functions a message is followed through.
const maxHelpers = 3

// A decoding is a call that decodes the message.
type decoding struct {
	at     *ast.CallExpr
	target ast.Expr // where to
	into   types.Type
}

// decodings returns the calls in a function's body that decode the message, which
// is one of its parameters: json.Unmarshal, Decode of a reader of it, and those of
// functions that do so with their parameters.
func (f *finder) decodings(pkg *load.Package, body *ast.BlockStmt, message types.Object, helpers int) []decoding {
	if message == nil {
		return nil
	}
	var all []decoding
	ast.Inspect(body, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok {
			all = append(all, f.decodingsOf(pkg, call, message, helpers)...)
		}
		return true
	})
	return all
}

func (f *finder) decodingsOf(pkg *load.Package, call *ast.CallExpr, message types.Object, helpers int) []decoding {
	fn := typeutil.StaticCallee(pkg.Info, call)
	if fn == nil {
		return nil
	}
	switch fn.FullName() {
	case "encoding/json.Unmarshal":
		if len(call.Args) == 2 && mentions(pkg, call.Args[0], message) {
			return []decoding{{call, call.Args[1], value.Pointee(pkg.Info.TypeOf(call.Args[1]))}}
		}
	case "(*encoding/json.Decoder).Decode":
		if selector, ok := call.Fun.(*ast.SelectorExpr); ok && len(call.Args) == 1 && mentions(pkg, selector.X, message) {
			return []decoding{{call, call.Args[0], value.Pointee(pkg.Info.TypeOf(call.Args[0]))}}
		}
	default:
		if helpers > 0 {
			return f.decodingsBy(pkg, call, fn, message, helpers-1)
		}
	}
	return nil
}

// decodingsBy returns what a function decodes the message into that gets it.
func (f *finder) decodingsBy(pkg *load.Package, call *ast.CallExpr, fn *types.Func, message types.Object, helpers int) []decoding {
	given := slices.IndexFunc(call.Args, func(arg ast.Expr) bool { return isMessage(pkg, arg, message) })
	if given < 0 {
		return nil
	}
	inside, typ, body := f.code(&value.Func{Obj: fn})
	if body == nil {
		return nil
	}
	var all []decoding
	for _, d := range f.decodings(inside, body, parameterAt(inside, typ, given), helpers) {
		outer := decoding{at: call, into: d.into}
		if param, ok := types.Unalias(d.into).(*types.TypeParam); ok {
			outer.into = typeArgument(pkg, call, param.Index())
		}
		for i, arg := range call.Args {
			if target, ok := ast.Unparen(d.target).(*ast.Ident); ok && inside.Info.Uses[target] == parameterAt(inside, typ, i) {
				outer.target, outer.into = arg, value.Pointee(pkg.Info.TypeOf(arg))
			}
		}
		if outer.into != nil {
			all = append(all, outer)
		}
	}
	return all
}

// isMessage reports whether an argument is the message, perhaps converted.
func isMessage(pkg *load.Package, arg ast.Expr, message types.Object) bool {
	switch arg := ast.Unparen(arg).(type) {
	case *ast.Ident:
		return pkg.Info.Uses[arg] == message
	case *ast.CallExpr:
		return pkg.Info.Types[arg.Fun].IsType() && len(arg.Args) == 1 && isMessage(pkg, arg.Args[0], message)
	default:
		return false
	}
}

// parameterAt returns a parameter of a function, nil where it has no name.
func parameterAt(pkg *load.Package, typ *ast.FuncType, index int) types.Object {
	for _, field := range typ.Params.List {
		for _, name := range field.Names {
			if index == 0 {
				return pkg.Info.Defs[name]
			}
			index--
		}
	}
	return nil
}

// typeArgument returns a type argument of the function that is called.
func typeArgument(pkg *load.Package, call *ast.CallExpr, index int) types.Type {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	if selector, ok := fun.(*ast.SelectorExpr); ok {
		fun = selector.Sel
	}
	name, ok := fun.(*ast.Ident)
	if !ok {
		return nil
	}
	args := pkg.Info.Instances[name].TypeArgs
	if args == nil || index >= args.Len() {
		return nil // of the method's receiver
	}
	return args.At(index)
}

func mentions(pkg *load.Package, x ast.Expr, obj types.Object) bool {
	found := false
	ast.Inspect(x, func(node ast.Node) bool {
		if ident, ok := node.(*ast.Ident); ok && pkg.Info.Uses[ident] == obj {
			found = true
		}
		return !found
	})
	return found
}
