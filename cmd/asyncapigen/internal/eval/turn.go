package eval

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// What the compiler does in its turn among the calls of a statement
// (cmd/compile/internal/walk/order.go).

// isCopied reports whether the compiler copies an operand of a conversion to an interface
// (cmd/compile/internal/walk/convert.go, dataWordFuncName).
func (ev *Evaluator) isCopied(expr ast.Expr) bool {
	t := ev.typeOf(expr)
	if types.IsInterface(t) || value.IsUntyped(t) || value.HasTypeParam(t) {
		return false
	}
	switch u := soleComponent(t).Underlying().(type) {
	case *types.Tuple, *types.Slice:
		return false
	case *types.Basic:
		if u.Info()&types.IsString != 0 || u.Kind() == types.Invalid {
			return false
		}
	}
	size := sizes.Sizeof(t)
	isWord := size == 2 || size == 4 || size == 8
	return !isWord || sizes.Alignof(t) != size || hasPointers(t)
}

// soleComponent returns what a struct of one field or an array of one element holds, or
// t where it isn't one.
func soleComponent(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if u.NumFields() == 1 {
			return soleComponent(u.Field(0).Type())
		}
	case *types.Array:
		if u.Len() == 1 {
			return soleComponent(u.Elem())
		}
	}
	return t
}

// isInTurn reports whether an expression, apart from its operands, is evaluated in its
// turn among the calls of a statement: calls themselves and the like of them.
func (ev *Evaluator) isInTurn(expr ast.Expr) bool {
	switch expr := expr.(type) {
	case *ast.CallExpr:
		tv := ev.frame.pkg.Info.Types[ast.Unparen(expr.Fun)]
		return tv.Value == nil && (!tv.IsType() || ev.copiesText(expr))
	case *ast.UnaryExpr:
		return expr.Op == token.ARROW
	case *ast.SliceExpr:
		return true
	case *ast.BinaryExpr:
		return expr.Op == token.LAND || expr.Op == token.LOR
	case *ast.TypeAssertExpr:
		return expr.Type != nil && !isPointerShaped(ev.writtenType(expr))
	case *ast.CompositeLit:
		_, isMap := ev.writtenType(expr).Underlying().(*types.Map)
		return isMap
	}
	return false
}

// isKeyInTurn reports whether the key of a map's entry is copied in its turn, unless it is
// a variable: where it is no integer of a machine's word, pointer or string
// (cmd/compile/internal/walk, mapKeyTemp).
func (ev *Evaluator) isKeyInTurn(key ast.Expr, m *types.Map) bool {
	tv := ev.frame.pkg.Info.Types[key]
	switch {
	case tv.Value != nil:
		return false
	case types.IsInterface(m.Key()) && !types.IsInterface(ev.typeOf(key)):
		return true
	case tv.Addressable():
		return false
	}
	return value.HasTypeParam(m) || sizes.Sizeof(m.Elem()) > largestFastEntry || !isFastKey(m.Key())
}

// isKeyPerhapsCopied reports whether the key of a map's entry is a variable of the function of
// which it depends on what the compiler inlines whether it is copied in its turn
// (cmd/compile/internal/walk, addrTemp).
func (ev *Evaluator) isKeyPerhapsCopied(key ast.Expr, m *types.Map) bool {
	return ev.frame.pkg.Info.Types[key].Addressable() && ev.isLocal(key) && !isFastKey(m.Key())
}

// largestFastEntry is the size in bytes of the largest values of maps that the compiler
// has functions of their own for.
const largestFastEntry = 128

func isFastKey(key types.Type) bool {
	switch u := key.Underlying().(type) {
	case *types.Pointer, *types.Chan:
		return true
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Info()&types.IsInteger != 0 && sizes.Sizeof(u) >= 4 || u.Kind() == types.UnsafePointer
	}
	return false
}

// hasKeyInTurn reports whether an expression is a map's entry whose key is copied in its turn.
func (ev *Evaluator) hasKeyInTurn(expr ast.Expr) bool {
	entry, ok := expr.(*ast.IndexExpr)
	if !ok {
		return false
	}
	m, isMap := ev.writtenType(entry.X).Underlying().(*types.Map)
	return isMap && (ev.isKeyInTurn(entry.Index, m) || ev.isKeyPerhapsCopied(entry.Index, m))
}

// copiesText reports whether a conversion is one of a string to a slice.
func (ev *Evaluator) copiesText(conversion *ast.CallExpr) bool {
	_, isSlice := ev.writtenType(conversion).Underlying().(*types.Slice)
	return isSlice && len(conversion.Args) == 1 && isString(ev.writtenType(conversion.Args[0]))
}

// isPointerShaped reports whether the data of an interface that holds a t is the value
// itself, or isn't known to the compiler: it reads such in no turn.
func isPointerShaped(t types.Type) bool {
	if value.HasTypeParam(t) {
		return true
	}
	switch u := soleComponent(t).Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	}
	return false
}

// isCall reports whether a call expression can change anything: conversions and
// len can't.
func (ev *Evaluator) isCall(expr *ast.CallExpr) bool {
	fun := ast.Unparen(expr.Fun)
	tv := ev.frame.pkg.Info.Types[fun]
	if tv.IsBuiltin() {
		switch builtinName(fun) {
		case "len", "cap", "min", "max", "real", "imag", "complex":
			return false
		}
	}
	return !tv.IsType()
}

// hasCall reports whether a function is called in the evaluation of an
// expression.
func (ev *Evaluator) hasCall(expr ast.Expr) bool { return ev.turnsIn(expr).call }

// hasTurn reports whether something is done in its turn in the evaluation of an
// expression.
func (ev *Evaluator) hasTurn(expr ast.Expr) bool { return ev.turnsIn(expr).any }

// turns tells of an expression whether something in it is done in its turn, and whether
// that may change anything.
type turns struct{ any, call bool }

func (ev *Evaluator) turnsIn(expr ast.Expr) turns {
	switch expr.(type) {
	case nil, *ast.Ident, *ast.BasicLit, *ast.FuncLit:
		return turns{}
	}
	if known, ok := ev.turnsOf[expr]; ok {
		return known
	}
	var found turns
	ast.Inspect(expr, func(node ast.Node) bool {
		part, ok := node.(ast.Expr)
		if _, isLiteral := node.(*ast.FuncLit); isLiteral {
			return false
		}
		if ok && (ev.isInTurn(part) || ev.hasKeyInTurn(part)) {
			call, isCall := part.(*ast.CallExpr)
			_, isReceive := part.(*ast.UnaryExpr)
			found.any = true
			found.call = found.call || isReceive || isCall && ev.isCall(call)
		}
		return !found.call
	})
	ev.turnsOf[expr] = found
	return found
}
