package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// builtinArguments evaluates the arguments of one of the language's own
// functions, nil standing for a type.
func (ev *Evaluator) builtinArguments(call *ast.CallExpr) []value.Value {
	if len(call.Args) == 1 {
		if tuple, ok := ev.typeOf(call.Args[0]).(*types.Tuple); ok {
			return spread(ev.eval(call.Args[0]), tuple.Len())
		}
	}
	args := make([]value.Value, len(call.Args))
	ev.inOrder(call.Args, func(i int) {
		if !ev.frame.pkg.Info.Types[call.Args[i]].IsType() && !asksForType(call) {
			args[i] = ev.evalAs(call.Args[i], ev.builtinParam(call, i))
			if name := builtinName(ast.Unparen(call.Fun)); name == "delete" || name == "panic" {
				args[i] = ev.Copied(args[i]) // it may be deferred
			}
		}
	})
	return args
}

// builtinParam returns the type that an argument is converted to, nil for none.
func (ev *Evaluator) builtinParam(call *ast.CallExpr, i int) types.Type {
	if i == 0 || call.Ellipsis.IsValid() || builtinName(ast.Unparen(call.Fun)) != "append" {
		return nil
	}
	return value.SliceElem(ev.typeOf(call))
}

// asksForType reports whether a call is one of unsafe.Sizeof and the like, which aren't
// constants where the type has a type parameter: their argument isn't evaluated then either.
func asksForType(call *ast.CallExpr) bool {
	switch builtinName(ast.Unparen(call.Fun)) {
	case "Sizeof", "Alignof", "Offsetof":
		return true
	}
	return false
}

// builtin calls one of the language's own functions. It is long but flat: a case
// for each.
func (ev *Evaluator) builtin(call *ast.CallExpr, fun ast.Expr, args []value.Value) value.Value {
	name := builtinName(fun)
	switch name {
	case "append":
		return ev.appendTo(call, args)
	case "len", "cap":
		return ev.length(call, name, args[0])
	case "make":
		return ev.makeValue(call, args)
	case "new":
		return ev.newValue(call, args[0])
	case "copy":
		return ev.copyTo(call, args[0], args[1])
	case "delete":
		ev.RequireHashable(call, args[1], ev.typeOf(call.Args[0]))
		return ev.deleteEntry(args[0], args[1])
	case "clear":
		return ev.clear(args[0])
	case "close":
		ev.closeChannel(call, args[0])
		return value.Tuple{}
	case "print", "println":
		return value.Tuple{}
	case "min", "max":
		return ev.extreme(call, name, args)
	case "complex", "real", "imag":
		return complexPart(call, name, args, ev.typeOf(call))
	case "panic":
		ev.panicWith(call, args[0])
		return value.Tuple{}
	case "recover":
		return ev.recover(call)
	case "Sizeof":
		if size, known := memorySize(ev.typeOf(call.Args[0])); known {
			return value.NewConst(constant.MakeInt64(size), types.Typ[types.Uintptr])
		}
		return value.UnknownResult(call)
	case "Alignof", "Offsetof":
		return value.UnknownResult(call)
	default: // of package unsafe
		ev.risk(call)
		return ev.shown(call, args[0], value.UnknownResult(call))
	}
}

func builtinName(fun ast.Expr) string {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	default:
		return ""
	}
}

func (ev *Evaluator) length(call *ast.CallExpr, name string, v value.Value) value.Value {
	if array := value.ArrayOf(ev.typeOf(call.Args[0])); array != nil {
		return value.NewConst(constant.MakeInt64(array.Len()), types.Typ[types.Int])
	}
	count := func(n int) value.Value { return value.NewConst(constant.MakeInt64(int64(n)), types.Typ[types.Int]) }
	switch v := v.(type) {
	case value.Nil:
		return count(0)
	case value.Const:
		return count(len(constant.StringVal(v.Value)))
	case *value.Slice:
		if name == "cap" && (v.Caps != nil || v.Open) {
			if !v.Open && ev.program.InStandardLibrary(ev.frame.pkg.Path) {
				return count(v.SureCap()) // more room would save it an array, and change nothing else
			}
			return value.UnknownAt(call.Pos(), ofUnknownCapacity)
		}
		if name == "cap" {
			return count(cap(v.Elems))
		}
		return count(len(v.Elems))
	case value.Channel:
		return ev.channelLength(call, name, v)
	case *value.Map:
		n, known := v.Size()
		ev.work(n >> 3)
		if known {
			return count(n)
		}
		return value.Because(call, v.Uncounted())
	}
	if words := ev.countOf(call, name, v); words != nil {
		return words
	}
	if n, ok := ev.forEach(call, []value.Value{v}, func(v []value.Value) value.Value { return ev.length(call, name, v[0]) }); ok {
		return n
	}
	return value.Because(call, v)
}

func (ev *Evaluator) makeValue(call *ast.CallExpr, args []value.Value) value.Value {
	t := ev.typeOf(call)
	switch u := t.Underlying().(type) {
	case *types.Map:
		return value.NewMap(t)
	case *types.Chan:
		return ev.makeChannel(call, t, u.Elem(), args[1:])
	default:
		return ev.makeSlice(call, t, value.SliceElem(t), args[1:])
	}
}

// makeSlice evaluates make([]T, n) and make([]T, n, capacity).
func (ev *Evaluator) makeSlice(call *ast.CallExpr, t, elem types.Type, sizes []value.Value) value.Value {
	n, known := ev.sizeOf(call, call.Args[1], sizes[0], elem, "makeslice: len out of range")
	capacity, open := n, false
	if len(sizes) > 1 {
		var capacityKnown bool
		capacity, capacityKnown = ev.sizeOf(call, call.Args[2], sizes[1], elem, "makeslice: cap out of range")
		if !capacityKnown && known && n > 0 && ev.isLength(call.Args[2]) { // sizeOf takes it for enough
			ev.risk(call, sizes[1])
		}
		if open = !capacityKnown || capacity > value.MaxElements; open {
			capacity = n
		}
	}
	if !known || capacity > value.MaxElements {
		why := value.Because(call, sizes...)
		if why.Reason == "the expression "+value.Source(call) {
			why.Reason = "a slice of more elements than are looked at"
		}
		slice := why.Bare()
		slice.NonNil = true
		return slice
	}
	if capacity < n {
		ev.Fail(call, "makeslice: cap out of range")
	}
	s := &value.Slice{Type: t, Elems: make([]*value.Cell, capacity), Open: open}
	for i := range s.Elems {
		s.Elems[i] = ev.Declared(ev.Zero(elem))
	}
	s.Elems = s.Elems[:n]
	return s
}

// sizeOf returns the length or capacity that make is given, and fails where no
// memory holds as many elements.
func (ev *Evaluator) sizeOf(call *ast.CallExpr, expr ast.Expr, v value.Value, elem types.Type, failure string) (int, bool) {
	const memory = 1 << 48
	size, sizeKnown := memorySize(elem)
	c, ok := v.(value.Const)
	if !ok {
		if !ev.isLength(expr) || !sizeKnown || size > memory>>32 {
			ev.risk(call, v)
		}
		return 0, false
	}
	n, exact := constant.Int64Val(constant.ToInt(c.Value))
	if !exact || n < 0 || size > 0 && n > memory/size {
		ev.Fail(call, failure)
	}
	return int(n), true
}

// isLength reports whether an expression is the length of something whose elements take
// memory, or time to be sent, of which there are never so many that make would fail.
func (ev *Evaluator) isLength(expr ast.Expr) bool {
	call, ok := ast.Unparen(expr).(*ast.CallExpr)
	if !ok || !isBuiltin(ev.frame.pkg.Info, call, "len") {
		return false
	}
	slice, ofSlice := ev.typeOf(call.Args[0]).Underlying().(*types.Slice)
	if !ofSlice {
		return true
	}
	size, _ := memorySize(slice.Elem())
	return size > 0
}

// newValue evaluates new(T), and new(x) as of Go 1.26.
func (ev *Evaluator) newValue(call *ast.CallExpr, initial value.Value) value.Value {
	t := ev.typeOf(call)
	if initial != nil {
		return value.Pointer{Type: t, To: ev.Declared(ev.Copied(value.Retyped(initial, value.Pointee(t))))}
	}
	return value.Pointer{Type: t, To: ev.Declared(ev.Zero(value.Pointee(t)))}
}

func (ev *Evaluator) copyTo(call *ast.CallExpr, to, from value.Value) value.Value {
	if value.IsNil(to) || value.IsNil(from) {
		return value.NewConst(constant.MakeInt64(0), types.Typ[types.Int])
	}
	if text, ok := from.(value.Const); ok {
		from = value.BytesOrRunes(value.TypeOf(to), types.NewSlice(types.Typ[types.Byte]), constant.StringVal(text.Value))
	}
	return ev.copyElements(call, to, from)
}

func (ev *Evaluator) copyElements(call *ast.CallExpr, dst, src value.Value) value.Value {
	to, ok1 := dst.(*value.Slice)
	from, ok2 := src.(*value.Slice)
	if !ok1 || !ok2 {
		why := elementBecause(call, value.SliceElem(ev.typeOf(call.Args[0])), dst, src)
		ev.Havoc(why, dst)
		if u, ok := dst.(*value.Unknown); ok {
			ev.WriteForeign(u, why)
			ev.Lose(value.ElementsOf(src)...)
		}
		return why
	}
	n := min(len(to.Elems), len(from.Elems))
	ev.work(n)
	values := make([]value.Value, n)
	for i := range values {
		values[i] = ev.Copied(from.Elems[i].Load())
	}
	for i, v := range values {
		ev.Store(to.Elems[i], v, value.SliceElem(to.Type))
	}
	return value.NewConst(constant.MakeInt64(int64(n)), types.Typ[types.Int])
}

func (ev *Evaluator) deleteEntry(m, key value.Value) value.Value {
	switch m := m.(type) {
	case *value.Map:
		ev.DeleteEntry(m, key)
	case *value.Unknown:
		ev.WriteThrough(m)
	}
	return value.Tuple{}
}

func (ev *Evaluator) clear(v value.Value) value.Value {
	switch v := v.(type) {
	case *value.Map:
		ev.ClearMap(v)
	case *value.Slice:
		for _, cell := range v.Elems {
			ev.Store(cell, ev.Zero(value.SliceElem(v.Type)), value.SliceElem(v.Type))
		}
	case *value.Unknown:
		ev.WriteThrough(v)
	}
	return value.Tuple{}
}

func (ev *Evaluator) extreme(call *ast.CallExpr, name string, args []value.Value) value.Value {
	op := token.LSS
	if name == "max" {
		op = token.GTR
	}
	t := ev.typeOf(call)
	best := args[0]
	for _, v := range args[1:] {
		f := extremeFloat(name, best, v, t)
		better, known := value.Truth(ev.binary(call, op, v, best, types.Typ[types.Bool]))
		switch {
		case f != nil:
			best = f
		case !known:
			return value.Because(call, v, best)
		case better:
			best = v
		}
	}
	return best
}

// extremeFloat returns the smaller or larger of two floating-point numbers: a NaN is
// both, and a negative zero is smaller than zero. It is nil where they aren't such.
func extremeFloat(name string, x, y value.Value, t types.Type) value.Value {
	a, ok1 := value.FloatOf(x)
	b, ok2 := value.FloatOf(y)
	switch {
	case !ok1 || !ok2 || !value.IsFloat(t):
		return nil
	case name == "max":
		return value.NewFloat(max(a, b), t)
	default:
		return value.NewFloat(min(a, b), t)
	}
}
