package discover

import (
	"go/ast"
	"go/types"
)

// methodValue binds a method to its receiver. Where the receiver is an
// interface, its dynamic type decides.
func (in *interp) methodValue(expr *ast.SelectorExpr, selection *types.Selection, recv Value) Value {
	method := selection.Obj().(*types.Func)
	if static := in.frame.targs.subst(selection.Recv()); !types.IsInterface(static) && !isTypeParam(selection.Recv()) {
		recv = in.addressable(expr.X, recv, method)
	}
	fn := in.bound(expr, selection, recv)
	fn.Type = in.typeOf(expr)
	return fn
}

// bound returns the method that a selection stands for with its receiver. That
// of an interface is the one of the value that it holds.
func (in *interp) bound(expr *ast.SelectorExpr, selection *types.Selection, recv Value) *Func {
	method := selection.Obj().(*types.Func)
	static := in.frame.targs.subst(selection.Recv())
	fn := &Func{Obj: method, Recv: recv, Bound: true}
	fn.Generic = isTypeParam(selection.Recv()) || in.generic(method.Signature().Recv().Type())
	dispatched := types.IsInterface(static) || isTypeParam(selection.Recv())
	if !dispatched {
		fn.Recv = in.receiver(expr, recv, selection.Index(), method)
		fn.TArgs = receiverArgs(fn.Recv, static, method)
		static = method.Signature().Recv().Type()
		dispatched = types.IsInterface(static)
	}
	for dispatched { // a method that an embedded interface promotes leads to another
		in.step(expr.Pos())
		dynamic := in.dynamicType(fn.Recv, static)
		if dynamic == nil || types.IsInterface(dynamic) {
			break
		}
		obj, index, _ := types.LookupFieldOrMethod(dynamic, true, method.Pkg(), method.Name())
		found, ok := obj.(*types.Func)
		if !ok {
			break
		}
		fn.Obj = found
		fn.Recv = in.receiver(expr, fn.Recv, index, found)
		fn.TArgs = receiverArgs(fn.Recv, dynamic, found)
		static = found.Signature().Recv().Type()
		dispatched = types.IsInterface(static)
	}
	return fn
}

// generic reports whether a type isn't the same in every instance of the
// function around it: it has a type parameter, or is declared in a generic
// function.
func (in *interp) generic(t types.Type) bool {
	if types.IsInterface(t) && !isTypeParam(t) {
		return false
	}
	if hasTypeParam(t) {
		return true
	}
	named := namedOf(t)
	if named == nil || len(in.frame.targs.of) == 0 || named.Obj().Pkg() == nil {
		return false
	}
	for arg := range named.TypeArgs().Types() {
		if in.generic(arg) {
			return true
		}
	}
	return named.Obj().Parent() != named.Obj().Pkg().Scope() && named.Obj().Parent() != nil
}

// dynamicType returns the type of an interface's value. Where the value isn't
// known, it is the one type of the program that it can have.
func (in *interp) dynamicType(v Value, static types.Type) types.Type {
	if t := typeOf(v); t != nil || !isUnknown(v) {
		return t
	}
	if types.IsInterface(static) {
		return in.universe().implementation(static)
	}
	return static
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// addressable returns the address of x where a method with a pointer receiver
// is called on a variable.
func (in *interp) addressable(x ast.Expr, v Value, method *types.Func) Value {
	if _, wantsPointer := types.Unalias(method.Signature().Recv().Type()).(*types.Pointer); !wantsPointer {
		return v
	}
	if _, isPointer := in.typeOf(x).Underlying().(*types.Pointer); isPointer {
		return v
	}
	if p, ok := in.place(x).(cellPlace); ok {
		return Pointer{Type: types.NewPointer(in.typeOf(x)), To: p.cell}
	}
	return v
}

// receiver follows the embedded fields on the way to a method, and takes the
// address or the value as the method wants it.
func (in *interp) receiver(expr ast.Expr, v Value, index []int, method *types.Func) Value {
	_, wantsPointer := types.Unalias(method.Signature().Recv().Type()).(*types.Pointer)
	if len(index) > 1 {
		p := in.field(expr, v, index[:len(index)-1])
		v = p.load()
		if cell, ok := p.(cellPlace); ok && wantsPointer {
			if _, isPointer := v.(Pointer); !isPointer && !isUnknown(v) && typeOf(v) != nil && !isNil(v) {
				return Pointer{Type: types.NewPointer(typeOf(v)), To: cell.cell}
			}
		}
	}
	if wantsPointer || types.IsInterface(method.Signature().Recv().Type()) {
		return v
	}
	if p, ok := v.(Pointer); ok {
		v = p.To.v
	}
	return in.copied(v) // what is written to the variable later isn't in the method's
}

// receiverArgs returns the type arguments of the receiver's type.
func receiverArgs(recv Value, static types.Type, method *types.Func) []types.Type {
	if method.Signature().RecvTypeParams().Len() == 0 && method.Origin().Signature().RecvTypeParams().Len() == 0 {
		return nil
	}
	t := typeOf(recv)
	if t == nil {
		t = static
	}
	named := namedOf(t)
	if named == nil || named.TypeArgs().Len() == 0 {
		// Promoted from an embedded field: the method's own receiver tells.
		named = namedOf(method.Signature().Recv().Type())
	}
	if named == nil {
		return nil
	}
	var args []types.Type
	for i := range named.TypeArgs().Len() {
		args = append(args, named.TypeArgs().At(i))
	}
	return args
}

// methodExpr evaluates T.Method: a function whose first argument is the
// receiver.
func (in *interp) methodExpr(expr *ast.SelectorExpr, selection *types.Selection) Value {
	frame := in.frame
	return &Func{Type: in.typeOf(expr), Native: func(args []Value) Value {
		if len(args) == 0 {
			return in.unknown(expr.Pos(), "the result of "+source(expr))
		}
		caller := in.frame
		in.frame = frame // whose types the selection is about
		method := in.bound(expr, selection, args[0])
		in.frame = caller
		return in.call(expr, method, args[1:])
	}}
}
