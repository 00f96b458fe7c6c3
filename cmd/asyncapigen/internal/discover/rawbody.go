package discover

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// checkRawBody warns of a handler that takes bytes and decodes them into one type
// itself: the contract could describe that type.
func (r *reader) checkRawBody(h *handler) {
	if h.Fn == nil || r.quiet || h.Batch != nil || !isBytes(h.Body) {
		return
	}
	pkg, typ, body := r.finder.code(h.Fn)
	if pkg == nil || pkg.Info == nil {
		return
	}
	call, t := decoded(pkg, typ, body)
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

// isBytes reports whether t is []byte or json.RawMessage.
func isBytes(t types.Type) bool {
	slice, ok := types.Unalias(t).Underlying().(*types.Slice)
	if !ok || !types.Identical(slice.Elem(), types.Typ[types.Byte]) {
		return false
	}
	named, isNamed := types.Unalias(t).(*types.Named)
	return !isNamed || named.Obj().Name() == "RawMessage"
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
// encoding/json, and where; nil where that are several or none, or one that says
// nothing.
func decoded(pkg *load.Package, typ *ast.FuncType, body *ast.BlockStmt) (at *ast.CallExpr, into types.Type) {
	message := lastParameter(pkg, typ)
	if message == nil {
		return nil, nil
	}
	var all []types.Type
	ast.Inspect(body, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		if t := decodes(pkg, call, message); t != nil && !slices.ContainsFunc(all, func(other types.Type) bool { return types.Identical(t, other) }) {
			all = append(all, t)
			at = call
		}
		return true
	})
	if len(all) != 1 || !isDescribable(all[0]) {
		return nil, nil
	}
	return at, all[0]
}

func lastParameter(pkg *load.Package, typ *ast.FuncType) types.Object {
	fields := typ.Params.List
	if len(fields) == 0 || len(fields[len(fields)-1].Names) == 0 {
		return nil
	}
	names := fields[len(fields)-1].Names
	return pkg.Info.Defs[names[len(names)-1]]
}

// decodes returns the type into which a call decodes the message: json.Unmarshal,
// or json.NewDecoder of a reader of it.
func decodes(pkg *load.Package, call *ast.CallExpr, message types.Object) types.Type {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	fn, ok := pkg.Info.Uses[selector.Sel].(*types.Func)
	if !ok {
		return nil
	}
	switch {
	case fn.FullName() == "encoding/json.Unmarshal" && len(call.Args) == 2 && mentions(pkg, call.Args[0], message):
	case fn.FullName() == "(*encoding/json.Decoder).Decode" && len(call.Args) == 1 && mentions(pkg, selector.X, message):
	default:
		return nil
	}
	return value.Pointee(pkg.Info.TypeOf(call.Args[len(call.Args)-1]))
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

// isDescribable reports whether a schema of t would say something.
func isDescribable(t types.Type) bool {
	if value.HasTypeParam(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return false
	case *types.Map:
		return isDescribable(u.Elem())
	case *types.Slice:
		return !isBytes(t) && isDescribable(u.Elem())
	}
	return true
}
