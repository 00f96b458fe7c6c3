package eval

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// methodValue binds a method to its receiver. Where the receiver is an
// interface, its dynamic type decides.
func (ev *Evaluator) methodValue(expr *ast.SelectorExpr, selection *types.Selection, recv value.Value) *value.Func {
	fn := ev.bound(expr, selection, recv)
	fn.Type = ev.typeOf(expr)
	return fn
}

// isBoundLate reports whether a method's receiver was found through what an interface holds:
// the language looks there only when the method is called.
func isBoundLate(held value.Value, fn *value.Func) bool {
	switch held := held.(type) {
	case value.Pointer:
		bound, isPointer := fn.Recv.(value.Pointer)
		return !isPointer || bound.To != held.To
	case *value.Struct:
		own, of := value.NamedOf(value.TypeOf(held)), value.NamedOf(fn.Obj.Signature().Recv().Type())
		return own == nil || of == nil || own.Obj() != of.Obj() // an embedded field has the method
	}
	return false
}

// oneOfMethods returns the methods of the values of which an interface holds one, none of
// them nil or of the standard library, as one of them; nil for another receiver.
func (ev *Evaluator) oneOfMethods(expr *ast.SelectorExpr, selection *types.Selection, recv value.Value) value.Value {
	u, ok := recv.(*value.Unknown)
	if !ok || u.Among == nil || !types.IsInterface(ev.frame.targs.subst(selection.Recv())) {
		return nil
	}
	methods := make([]value.Value, len(u.Among))
	for i, v := range u.Among {
		if value.IsNilInterface(v) || value.IsUnknown(v) {
			return nil
		}
		method := ev.methodValue(expr, selection, v)
		if pkg := method.Obj.Pkg(); pkg == nil || ev.program.InStandardLibrary(pkg.Path()) {
			return nil
		}
		methods[i] = method
	}
	why := *value.Because(expr, recv)
	why.Exact = true
	return value.Merge(&why, methods)
}

// requireReceiver fails where a method of a nil interface is taken, or one of a
// value from a nil pointer. That of a pointer in an interface, or of a type parameter,
// only fails when it is called.
func (ev *Evaluator) requireReceiver(at ast.Expr, selector *ast.SelectorExpr, fn *value.Func) {
	isFirst := ev.isReceiverFirst(selector)
	if fn.Indirect && isFirst {
		ev.risk(CalledExpr(at), fn.Recv)
		fn.Indirect = false
	}
	if fn.MayBeNil {
		ev.risk(CalledExpr(at), fn.Recv)
		fn.MayBeNil = false
	}
	if !fn.Bound || fn.Obj == nil || !value.IsNil(fn.Recv) || fn.NoWay {
		return
	}
	ofInterface := types.IsInterface(fn.Obj.Signature().Recv().Type())
	if ofInterface && value.IsNilInterface(fn.Recv) || isFirst && wantsValue(fn) {
		ev.Fail(at, model.NilDereference)
	}
}

// wantsValue reports whether a method of a value is bound to a nil pointer.
func wantsValue(fn *value.Func) bool {
	wanted := fn.Obj.Signature().Recv().Type()
	return value.IsNil(fn.Recv) && value.Pointee(value.TypeOf(fn.Recv)) != nil && value.Pointee(wanted) == nil && !types.IsInterface(wanted)
}

// bound returns the method that a selection stands for with its receiver. That
// of an interface is the one of the value that it holds.
func (ev *Evaluator) bound(expr *ast.SelectorExpr, selection *types.Selection, recv value.Value) *value.Func {
	method := selection.Obj().(*types.Func)
	static := ev.frame.targs.subst(selection.Recv())
	fn := &value.Func{Obj: method, Recv: recv, Bound: true}
	fn.Generic = value.IsTypeParam(selection.Recv()) || ev.generic(method.Signature().Recv().Type())
	dispatched := types.IsInterface(static) || value.IsTypeParam(selection.Recv())
	if !dispatched {
		ev.bindReceiver(expr, fn, recv, static, selection.Index())
		fn.TArgs = value.ReceiverArgs(fn.Recv, static, method)
		static = method.Signature().Recv().Type()
		dispatched = types.IsInterface(static)
	}
	if !dispatched {
		return fn
	}
	held, frame := fn.Recv, ev.frame
	ev.dispatch(expr, fn, static)
	if isBoundLate(held, fn) {
		fn.Late = func() *value.Func {
			caller := ev.frame
			ev.frame = frame // whose types the selection is about
			defer func() { ev.frame = caller }()
			again := &value.Func{Obj: method, Type: fn.Type, Recv: held, Bound: true, Generic: fn.Generic}
			ev.dispatch(expr, again, static)
			return again
		}
	}
	return fn
}

// dispatch makes a method of an interface that of the value which it holds.
func (ev *Evaluator) dispatch(expr *ast.SelectorExpr, fn *value.Func, static types.Type) {
	method := fn.Obj
	var through []types.Type
	for { // a method that an embedded interface promotes leads to another
		ev.step(expr.Pos())
		u, isUnknown := fn.Recv.(*value.Unknown)
		mayBeNil := isUnknown && !u.NonNil && u.Type == nil
		switch isFirst := len(through) == 0; { // what an interface holds is only looked into when it is called
		case isFirst:
			fn.MayBeNil = mayBeNil
		case mayBeNil:
			fn.Indirect = true
		case value.IsNilInterface(fn.Recv):
			fn.NoWay = true
		}
		dynamic := ev.dynamicType(fn.Recv, static)
		if dynamic == nil || types.IsInterface(dynamic) || value.IsUnknown(fn.Recv) && containsType(through, dynamic) {
			return // a struct may be the only type of the interface that it embeds
		}
		through = append(through, dynamic)
		obj, index, _ := types.LookupFieldOrMethod(dynamic, true, method.Pkg(), method.Name())
		found, ok := obj.(*types.Func)
		if !ok {
			return
		}
		fn.Obj = found
		if ev.Caught(func() { ev.bindReceiver(expr, fn, value.Unboxed(fn.Recv, dynamic), dynamic, index) }) != nil {
			fn.NoWay = true
			return
		}
		fn.TArgs = value.ReceiverArgs(fn.Recv, dynamic, found)
		static = found.Signature().Recv().Type()
		if !types.IsInterface(static) {
			return
		}
	}
}

// Method returns the method with a name of a value's dynamic type, bound to the
// value; nil where it has none, or isn't known.
func (ev *Evaluator) Method(at ast.Expr, v value.Value, name string) *value.Func {
	var through []types.Type
	for {
		ev.step(at.Pos())
		dynamic := value.TypeOf(v)
		if dynamic == nil || types.IsInterface(dynamic) || value.IsUnknown(v) && containsType(through, dynamic) {
			return nil
		}
		through = append(through, dynamic)
		obj, index, _ := types.LookupFieldOrMethod(dynamic, false, nil, name)
		method, ok := obj.(*types.Func)
		if !ok {
			return nil
		}
		recv := method.Signature().Recv().Type()
		_, wantsPointer := types.Unalias(recv).(*types.Pointer)
		if value.IsNil(v) && value.Pointee(dynamic) != nil && !wantsPointer {
			ev.Fail(at, model.NilDereference)
		}
		fn := &value.Func{Obj: method, Type: method.Type(), Bound: true}
		ev.bindReceiver(at, fn, value.Unboxed(v, dynamic), dynamic, index)
		if !types.IsInterface(recv) {
			fn.TArgs = value.ReceiverArgs(fn.Recv, dynamic, method)
			return fn
		}
		v = fn.Recv // an embedded interface promotes it
	}
}

func containsType(all []types.Type, t types.Type) bool {
	return slices.ContainsFunc(all, func(one types.Type) bool { return value.SameType(one, t) })
}

// generic reports whether a type isn't the same in every instance of the
// function around it: it has a type parameter, or is declared in a generic
// function.
func (ev *Evaluator) generic(t types.Type) bool {
	if types.IsInterface(t) && !value.IsTypeParam(t) {
		return false
	}
	if value.HasTypeParam(t) {
		return true
	}
	named := value.NamedOf(t)
	if named == nil || len(ev.frame.targs.of) == 0 || named.Obj().Pkg() == nil {
		return false
	}
	for arg := range named.TypeArgs().Types() {
		if ev.generic(arg) {
			return true
		}
	}
	return named.Obj().Parent() != named.Obj().Pkg().Scope() && named.Obj().Parent() != nil
}

// dynamicType returns the type of an interface's value. Where the value isn't
// known, it is the one type of the program that it can have.
func (ev *Evaluator) dynamicType(v value.Value, static types.Type) types.Type {
	if t := value.TypeOf(v); t != nil || !value.IsUnknown(v) {
		return t
	}
	if types.IsInterface(static) {
		if u, ok := v.(*value.Unknown); ok && u.Foreign {
			return nil
		}
		return ev.Implementation(static)
	}
	return static
}

// receiverOf evaluates x of the method value x.m: its address where a method with a pointer
// receiver is that of a variable.
func (ev *Evaluator) receiverOf(x ast.Expr, selection *types.Selection) value.Value {
	_, isPointer := ev.typeOf(x).Underlying().(*types.Pointer)
	_, wantsPointer := types.Unalias(selection.Obj().(*types.Func).Signature().Recv().Type()).(*types.Pointer)
	if isPointer || !wantsPointer || !ev.frame.pkg.Info.Types[x].Addressable() {
		return ev.eval(x)
	}
	switch p := ev.place(x).(type) {
	case value.Variable:
		return value.Pointer{Type: types.NewPointer(ev.typeOf(x)), To: p.Cell}
	case value.OneOf:
		return p.Address()
	case value.Behind:
		return p.Address()
	default:
		return p.Load()
	}
}

// bindReceiver binds a method to v, a value of type t, from which the path of a
// selection leads to it.
func (ev *Evaluator) bindReceiver(expr ast.Expr, fn *value.Func, v value.Value, t types.Type, index []int) {
	fn.Recv = ev.receiver(expr, v, t, index, fn.Obj)
	for _, n := range index[:len(index)-1] {
		if elem := value.Pointee(t); elem != nil {
			t = elem
		}
		t = value.FieldType(t, n)
	}
	wanted := fn.Obj.Signature().Recv().Type()
	u, isUnknown := fn.Recv.(*value.Unknown)
	if !isUnknown || value.Pointee(t) == nil || value.Pointee(wanted) != nil || types.IsInterface(wanted) {
		return
	}
	fn.Indirect = !u.NonNil
	if u.Pointee != nil && !u.IsReference() { // else what it leads to is as unknown
		fn.Recv = ev.Copied(u.Pointee.Load())
	}
}

// receiver follows the embedded fields of v, a value of type t, on the way to a method, and
// takes the address or the value as the method wants it.
func (ev *Evaluator) receiver(expr ast.Expr, v value.Value, t types.Type, index []int, method *types.Func) value.Value {
	_, wantsPointer := types.Unalias(method.Signature().Recv().Type()).(*types.Pointer)
	if len(index) > 1 {
		p := ev.fieldOfType(expr, v, cmp.Or(value.TypeOf(v), t), index[:len(index)-1])
		v = p.Load()
		if of, ok := p.(value.Behind); ok && wantsPointer && of.Type != nil && value.Pointee(of.Type) == nil && !types.IsInterface(of.Type) {
			return of.Address()
		}
		if field, ok := p.(value.Variable); ok && wantsPointer && field.Type != nil && value.Pointee(field.Type) == nil && !types.IsInterface(field.Type) {
			return value.Pointer{Type: types.NewPointer(field.Type), To: field.Cell}
		}
	}
	if wantsPointer || types.IsInterface(method.Signature().Recv().Type()) {
		return v
	}
	if p, ok := v.(value.Pointer); ok {
		v = p.Load()
	}
	return ev.Copied(v) // what is written to the variable later isn't in the method's
}

// methodExpr evaluates T.Method: a function whose first argument is the
// receiver.
func (ev *Evaluator) methodExpr(expr *ast.SelectorExpr, selection *types.Selection) value.Value {
	frame := ev.frame
	return &value.Func{Type: ev.typeOf(expr), Native: func(args []value.Value) value.Value {
		caller := ev.frame
		ev.frame = frame // whose types the selection is about
		method := ev.bound(expr, selection, args[0])
		ev.frame = caller
		if value.IsNilInterface(method.Recv) && types.IsInterface(method.Obj.Signature().Recv().Type()) {
			ev.Fail(expr, model.NilDereference)
		}
		if method.MayBeNil {
			ev.risk(expr, args[0])
		}
		return ev.Call(expr, method, args[1:])
	}, Bound: true, Recv: &value.Func{Obj: selection.Obj().(*types.Func)}}
}
