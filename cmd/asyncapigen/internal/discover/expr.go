package discover

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// source renders an expression for a message, on one line and not too long.
func source(expr ast.Expr) string {
	const longest = 60
	text := strings.Join(strings.Fields(types.ExprString(expr)), " ")
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest]) + "..."
	}
	return text
}

// eval returns the value of an expression. A call with several results gives a
// Tuple.
func (in *interp) eval(expr ast.Expr) Value {
	if tv, ok := in.frame.pkg.Info.Types[expr]; ok && tv.Value != nil {
		return Const{tv.Value, in.typeOf(expr)}
	}
	switch expr := expr.(type) {
	case *ast.ParenExpr:
		return in.eval(expr.X)
	case *ast.Ident:
		return in.ident(expr)
	case *ast.FuncLit:
		return &Func{Type: in.typeOf(expr), Lit: expr, Pkg: in.frame.pkg, scope: in.frame.scope, targs: in.frame.targs}
	case *ast.CompositeLit:
		return in.composite(expr, in.typeOf(expr))
	case *ast.SelectorExpr:
		return in.selector(expr)
	case *ast.IndexExpr:
		return in.index1(expr)
	case *ast.IndexListExpr:
		return in.instance(expr.X)
	case *ast.SliceExpr:
		return in.slice(expr)
	case *ast.StarExpr:
		return in.deref(expr, in.eval(expr.X)).load()
	case *ast.UnaryExpr:
		return in.unary(expr)
	case *ast.BinaryExpr:
		return in.binaryExpr(expr)
	case *ast.CallExpr:
		return in.prepare(expr)()
	case *ast.TypeAssertExpr:
		v, _ := in.assert(expr)
		return v
	default:
		return in.unknown(expr.Pos(), "the expression "+source(expr))
	}
}

// evalAs evaluates what is assigned to a variable of type t.
func (in *interp) evalAs(expr ast.Expr, t types.Type) Value {
	v := in.eval(expr)
	if t == nil {
		return v
	}
	return retyped(v, in.frame.targs.subst(t))
}

// evalMulti evaluates the right side of an assignment to n places: a call, or
// one of the expressions that also say whether they succeeded.
func (in *interp) evalMulti(expr ast.Expr, n int) Value {
	boolean := func(a answer) Value {
		if a == perhaps {
			return in.unknown(expr.Pos(), "whether "+source(expr)+" succeeds")
		}
		return Const{constant.MakeBool(a == yes), types.Typ[types.Bool]}
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.TypeAssertExpr:
		v, ok := in.assert(e)
		return Tuple{v, boolean(ok)}
	case *ast.IndexExpr:
		x, key, t := in.eval(e.X), in.eval(e.Index), in.typeOf(e)
		if tuple, ok := t.(*types.Tuple); ok {
			t = tuple.At(0).Type()
		}
		switch x := x.(type) {
		case *Map:
			v, present := in.lookup(x, key, t)
			return Tuple{v, boolean(present)}
		case Nil:
			return Tuple{in.zero(t), boolean(no)}
		default:
			return Tuple{in.because(expr, x), boolean(perhaps)}
		}
	case *ast.CallExpr:
		return in.eval(e)
	}
	v := in.eval(expr)
	if n == 2 {
		if _, ok := v.(Tuple); !ok {
			return Tuple{v, in.unknown(expr.Pos(), "whether "+source(expr)+" succeeds")}
		}
	}
	return v
}

func (in *interp) ident(expr *ast.Ident) Value {
	switch obj := in.frame.pkg.Info.Uses[expr].(type) {
	case *types.Var:
		v := in.variable(obj).v
		if u, ok := v.(*Unknown); ok && !u.Pos.IsValid() {
			here := *u
			here.Pos = expr.Pos()
			return &here
		}
		return v
	case *types.Func:
		return in.instance(expr)
	case *types.Nil:
		return Nil{Type: in.typeOf(expr)}
	default:
		return in.unknown(expr.Pos(), "the name "+expr.Name)
	}
}

func (in *interp) variable(v *types.Var) *Cell {
	if cell := in.frame.scope.lookup(v); cell != nil {
		return cell
	}
	if v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return in.global(v)
	}
	// The variable's declaration was jumped over, or couldn't be read.
	return newCell(in.unknown(v.Pos(), "the variable "+v.Name()))
}

// instance returns the function that an identifier or a selector from a package
// names, with its type arguments.
func (in *interp) instance(expr ast.Expr) Value {
	expr = ast.Unparen(expr)
	switch e := expr.(type) {
	case *ast.IndexExpr:
		return in.instance(e.X)
	case *ast.IndexListExpr:
		return in.instance(e.X)
	case *ast.SelectorExpr:
		if _, ok := in.frame.pkg.Info.Selections[e]; ok {
			return in.selector(e)
		}
		return in.instance(e.Sel)
	case *ast.Ident:
		obj, ok := in.frame.pkg.Info.Uses[e].(*types.Func)
		if !ok {
			return in.eval(e)
		}
		fn := &Func{Type: in.frame.targs.subst(obj.Type()), Obj: obj}
		if inst, ok := in.frame.pkg.Info.Instances[e]; ok {
			fn.Type = in.frame.targs.subst(inst.Type)
			for i := range inst.TypeArgs.Len() {
				arg := inst.TypeArgs.At(i)
				fn.Generic = fn.Generic || in.generic(arg)
				fn.TArgs = append(fn.TArgs, in.frame.targs.subst(arg))
			}
		}
		return fn
	}
	return in.unknown(expr.Pos(), "the expression "+source(expr))
}

// selector evaluates x.f: a name of a package, a field, a method value or a
// method expression.
func (in *interp) selector(expr *ast.SelectorExpr) Value {
	selection, ok := in.frame.pkg.Info.Selections[expr]
	if !ok {
		return in.ident(expr.Sel)
	}
	switch selection.Kind() {
	case types.FieldVal:
		x := in.eval(expr.X)
		if u, ok := x.(*Unknown); ok && u.pointee == nil {
			return u
		}
		return in.field(expr, x, selection.Index()).load()
	case types.MethodExpr:
		return in.methodExpr(expr, selection)
	default:
		return in.methodValue(expr, selection, in.eval(expr.X))
	}
}

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

// bound returns the method that a selection stands for with its receiver.
func (in *interp) bound(expr *ast.SelectorExpr, selection *types.Selection, recv Value) *Func {
	method := selection.Obj().(*types.Func)
	static := in.frame.targs.subst(selection.Recv())
	fn := &Func{Obj: method, Recv: recv, Bound: true}
	fn.Generic = isTypeParam(selection.Recv()) || in.generic(method.Signature().Recv().Type())
	if types.IsInterface(static) || isTypeParam(selection.Recv()) {
		dynamic := in.dynamicType(recv, static)
		if dynamic == nil || types.IsInterface(dynamic) {
			return fn
		}
		obj, index, _ := types.LookupFieldOrMethod(dynamic, true, method.Pkg(), method.Name())
		found, ok := obj.(*types.Func)
		if !ok {
			return fn
		}
		fn.Obj = found
		fn.Recv = in.receiver(expr, recv, index, found)
		fn.TArgs = receiverArgs(fn.Recv, dynamic, found)
		return fn
	}
	fn.Recv = in.receiver(expr, recv, selection.Index(), method)
	fn.TArgs = receiverArgs(fn.Recv, static, method)
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
	if p, ok := v.(Pointer); ok && !wantsPointer {
		return in.copied(p.To.v)
	}
	return v
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

// composite evaluates T{...}.
func (in *interp) composite(lit *ast.CompositeLit, t types.Type) Value {
	if pointer, ok := t.Underlying().(*types.Pointer); ok { // &T elided in a literal of []*T
		return Pointer{Type: t, To: newCell(in.composite(lit, pointer.Elem()))}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return in.structLit(lit, t, u)
	case *types.Slice:
		cells, ok := in.elementsOf(lit, u.Elem())
		if !ok {
			return in.unknown(lit.Pos(), "a literal whose indexes aren't known")
		}
		return &Slice{Type: t, Elems: cells}
	case *types.Array:
		cells, ok := in.elementsOf(lit, u.Elem())
		if !ok || u.Len() > maxElements {
			return in.unknown(lit.Pos(), "a literal whose indexes aren't known")
		}
		for int64(len(cells)) < u.Len() {
			cells = append(cells, newCell(in.zero(u.Elem())))
		}
		return &Array{Type: t, Elems: cells}
	case *types.Map:
		m := newMap(t)
		for _, elt := range lit.Elts {
			kv, ok := elt.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			in.setEntry(m, in.element(kv.Key, u.Key()), in.element(kv.Value, u.Elem()))
		}
		return m
	default:
		return in.unknown(lit.Pos(), "the literal "+source(lit))
	}
}

func (in *interp) structLit(lit *ast.CompositeLit, t types.Type, u *types.Struct) Value {
	s, ok := in.zero(t).(*Struct)
	if !ok {
		return in.unknown(lit.Pos(), "a value of more elements than are looked at")
	}
	s.Pos = lit.Pos()
	for i, elt := range lit.Elts {
		field := i
		expr := elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			expr = kv.Value
			field = -1
			if name, ok := kv.Key.(*ast.Ident); ok {
				field = fieldIndex(u, name.Name)
			}
		}
		if field < 0 || field >= len(s.Fields) {
			continue
		}
		s.Fields[field] = newCell(in.copied(in.element(expr, u.Field(field).Type())))
	}
	return s
}

func fieldIndex(u *types.Struct, name string) int {
	for i := range u.NumFields() {
		if u.Field(i).Name() == name {
			return i
		}
	}
	return -1
}

// element evaluates an element of a literal, whose own type may be elided.
func (in *interp) element(expr ast.Expr, t types.Type) Value {
	if lit, ok := expr.(*ast.CompositeLit); ok && lit.Type == nil {
		return in.composite(lit, t)
	}
	return retyped(in.eval(expr), t)
}

func (in *interp) elementsOf(lit *ast.CompositeLit, elem types.Type) ([]*Cell, bool) {
	var cells []*Cell
	i := 0
	for _, elt := range lit.Elts {
		expr := elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			n, known := intOf(in.eval(kv.Key))
			if !known || n < 0 || n > maxElements {
				return nil, false
			}
			i, expr = n, kv.Value
		}
		for len(cells) <= i {
			cells = append(cells, newCell(in.zero(elem)))
		}
		cells[i] = newCell(in.copied(in.element(expr, elem)))
		i++
	}
	return cells, true
}

func intOf(v Value) (int, bool) {
	c, ok := v.(Const)
	if !ok {
		return 0, false
	}
	n, exact := constant.Int64Val(constant.ToInt(c.Value))
	return int(n), exact
}

// index1 evaluates x[i]: an element, or an instance of a generic function.
func (in *interp) index1(expr *ast.IndexExpr) Value {
	if tv := in.frame.pkg.Info.Types[expr.Index]; tv.IsType() {
		return in.instance(expr.X)
	}
	x := in.eval(expr.X)
	if m, ok := x.(*Map); ok {
		v, _ := in.lookup(m, in.eval(expr.Index), in.typeOf(expr))
		return v
	}
	if _, isMap := in.typeOf(expr.X).Underlying().(*types.Map); isMap && isNil(x) {
		return in.zero(in.typeOf(expr))
	}
	return in.indexed(expr, x).load()
}

// slice evaluates x[low:high:max].
func (in *interp) slice(expr *ast.SliceExpr) Value {
	x := in.eval(expr.X)
	low, high, limit := 0, -1, -1
	for _, bound := range []struct {
		expr ast.Expr
		to   *int
	}{{expr.Low, &low}, {expr.High, &high}, {expr.Max, &limit}} {
		if bound.expr == nil {
			continue
		}
		v := in.eval(bound.expr)
		n, known := intOf(v)
		if !known {
			return in.because(expr, v)
		}
		*bound.to = n
	}
	if c, ok := x.(Const); ok && c.Value.Kind() == constant.String {
		text := constant.StringVal(c.Value)
		if high < 0 {
			high = len(text)
		}
		if low < 0 || low > high || high > len(text) {
			in.fail(expr, "the index is out of range")
		}
		return Const{constant.MakeString(text[low:high]), in.typeOf(expr)}
	}
	return in.sliceCells(expr, x, low, high, limit)
}

func (in *interp) sliceCells(expr *ast.SliceExpr, x Value, low, high, limit int) Value {
	var cells []*Cell
	switch x := x.(type) {
	case *Slice:
		cells = x.Elems
	case Pointer:
		if array, ok := x.To.v.(*Array); ok {
			cells = array.Elems
			break
		}
		return in.because(expr, x.To.v)
	case *Array:
		cells = x.Elems
	case Nil:
		return x
	default:
		return in.because(expr, x)
	}
	if high < 0 {
		high = len(cells)
	}
	if limit < 0 {
		limit = cap(cells)
	}
	if low < 0 || low > high || high > limit || limit > cap(cells) {
		in.fail(expr, "the index is out of range")
	}
	return &Slice{Type: in.typeOf(expr), Elems: cells[low:high:limit]}
}

// because returns the unknown that made an expression unknown.
func (in *interp) because(expr ast.Expr, values ...Value) *Unknown {
	for _, v := range values {
		if u, ok := v.(*Unknown); ok {
			return u
		}
	}
	return in.unknown(expr.Pos(), "the expression "+source(expr))
}

// fail is a run-time panic of the evaluated program.
func (in *interp) fail(at ast.Node, text string) {
	panic(&unwinding{value: &Unknown{Reason: text, Pos: at.Pos(), NonNil: true}, pos: at.Pos()})
}

// assert evaluates x.(T) and says whether it succeeds.
func (in *interp) assert(expr *ast.TypeAssertExpr) (Value, answer) {
	v := in.eval(expr.X)
	if expr.Type == nil {
		return v, yes
	}
	t := in.typeOf(expr)
	if tuple, ok := t.(*types.Tuple); ok {
		t = tuple.At(0).Type()
	}
	switch a := in.hasType(v, t); a {
	case yes:
		return v, yes
	case no:
		return in.zero(t), no
	default:
		return in.because(expr, v), perhaps
	}
}

// answer is what can be said of a question about a value.
type answer int

const (
	no answer = iota
	perhaps
	yes
)

// hasType reports whether the dynamic type of v is t, or implements it.
func (in *interp) hasType(v Value, t types.Type) answer {
	if isUnknown(v) {
		return perhaps
	}
	dynamic := typeOf(v)
	if isNil(v) && (dynamic == nil || types.IsInterface(dynamic) || types.Identical(dynamic, types.Typ[types.UntypedNil])) {
		if types.Identical(t, types.Typ[types.UntypedNil]) {
			return yes
		}
		return no
	}
	if dynamic == nil {
		return perhaps
	}
	if iface, ok := t.Underlying().(*types.Interface); ok {
		if implements(dynamic, iface) {
			return yes
		}
		return no
	}
	if sameType(dynamic, t) {
		return yes
	}
	return no
}

func isNil(v Value) bool {
	_, ok := v.(Nil)
	return ok
}

func isErrorType(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

func (in *interp) unary(expr *ast.UnaryExpr) Value {
	switch expr.Op {
	case token.AND:
		return in.address(expr)
	case token.ARROW:
		in.eval(expr.X)
		received := in.unknown(expr.Pos(), "a value received from the channel "+source(expr.X))
		if _, ok := in.frame.pkg.Info.TypeOf(expr).(*types.Tuple); ok {
			return Tuple{received, received}
		}
		return received
	}
	x := in.eval(expr.X)
	c, ok := x.(Const)
	if !ok {
		return in.because(expr, x)
	}
	return in.convert(expr, Const{constant.UnaryOp(expr.Op, c.Value, precision(c.Type)), c.Type}, in.typeOf(expr))
}

// precision is the size in bits that ^x of an unsigned x needs.
func precision(t types.Type) uint {
	basic, ok := t.Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsUnsigned == 0 {
		return 0
	}
	switch basic.Kind() {
	case types.Uint8:
		return 8
	case types.Uint16:
		return 16
	case types.Uint32:
		return 32
	default:
		return 64
	}
}

func (in *interp) address(expr *ast.UnaryExpr) Value {
	t := in.typeOf(expr)
	if lit, ok := ast.Unparen(expr.X).(*ast.CompositeLit); ok {
		return Pointer{Type: t, To: newCell(in.composite(lit, in.typeOf(lit)))}
	}
	if p, ok := in.place(expr.X).(cellPlace); ok {
		return Pointer{Type: t, To: p.cell}
	}
	return &Unknown{Reason: "the address of " + source(expr.X), Pos: expr.Pos(), NonNil: true}
}

// binaryExpr evaluates x op y; the right side of && and || only where it is.
func (in *interp) binaryExpr(expr *ast.BinaryExpr) Value {
	x := in.eval(expr.X)
	if expr.Op == token.LAND || expr.Op == token.LOR {
		holds, known := truth(x)
		switch {
		case known && holds == (expr.Op == token.LOR):
			return x
		case known:
			return in.eval(expr.Y)
		}
		var y Value
		in.fork(in.condition(expr.X, x), func() control { y = in.eval(expr.Y); return control{} }, func() control { return control{} })
		if holds, known := truth(y); known && holds == (expr.Op == token.LOR) {
			return y
		}
		return x
	}
	return in.binary(expr, expr.Op, x, in.eval(expr.Y), in.typeOf(expr))
}

// binary computes x op y as a value of type t.
func (in *interp) binary(at ast.Node, op token.Token, x, y Value, t types.Type) Value {
	if op == token.EQL || op == token.NEQ {
		return in.equal(at, op, x, y)
	}
	a, ok1 := x.(Const)
	b, ok2 := y.(Const)
	if !ok1 || !ok2 {
		return in.notKnown(at, x, y)
	}
	switch op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		return Const{constant.MakeBool(constant.Compare(a.Value, op, b.Value)), types.Typ[types.Bool]}
	case token.SHL, token.SHR:
		return in.shift(at, op, a, b, t)
	case token.ADD:
		if a.Value.Kind() == constant.String {
			return in.concatenate(at, a, b, t)
		}
	case token.QUO, token.REM:
		if constant.Sign(b.Value) == 0 {
			if !isInteger(t) {
				return in.notKnown(at)
			}
			in.fail(at, "division by zero")
		}
		if op == token.QUO && isInteger(t) {
			op = token.QUO_ASSIGN // integer division, in the terms of go/constant
		}
	}
	return in.convert(at, Const{constant.BinaryOp(a.Value, op, b.Value), t}, t)
}

// shift computes x << n and x >> n. A shift by more than the type has bits is
// one by all of them.
func (in *interp) shift(at ast.Node, op token.Token, x, n Const, t types.Type) Value {
	const most = 512
	if constant.Sign(n.Value) < 0 {
		in.fail(at, "a negative shift amount")
	}
	count, exact := constant.Uint64Val(constant.ToInt(n.Value))
	if !exact || count > most {
		count = most
	}
	return in.convert(at, Const{constant.Shift(constant.ToInt(x.Value), op, uint(count)), t}, t)
}

// maxText bounds the strings that are followed, in bytes.
const maxText = 1 << 16

func (in *interp) concatenate(at ast.Node, x, y Const, t types.Type) Value {
	text := constant.StringVal(x.Value) + constant.StringVal(y.Value)
	if len(text) > maxText {
		return in.unknown(at.Pos(), "a string longer than those that are looked at")
	}
	in.work(len(text) >> 3)
	return Const{constant.MakeString(text), t}
}

func isInteger(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsInteger != 0
}

func (in *interp) notKnown(at ast.Node, values ...Value) *Unknown {
	if expr, ok := at.(ast.Expr); ok {
		return in.because(expr, values...)
	}
	for _, v := range values {
		if u, ok := v.(*Unknown); ok {
			return u
		}
	}
	return in.unknown(at.Pos(), "a value that isn't followed")
}

// equal compares. An error that isn't known is taken to be nil: the contract
// describes the service that has started.
func (in *interp) equal(at ast.Node, op token.Token, x, y Value) Value {
	boolean := func(equal bool) Value {
		return Const{constant.MakeBool(equal == (op == token.EQL)), types.Typ[types.Bool]}
	}
	if isNil(y) {
		x, y = y, x
	}
	if isNil(x) {
		switch y := y.(type) {
		case Nil:
			return boolean(equalNils(x.(Nil).Type, y.Type))
		case *Unknown:
			if y.NonNil {
				return boolean(false)
			}
			if in.comparesErrors(at) {
				return boolean(true)
			}
			return y
		default:
			return boolean(false)
		}
	}
	switch compare(maxNesting, x, y) {
	case yes:
		return boolean(true)
	case no:
		return boolean(false)
	default:
		return in.notKnown(at, x, y)
	}
}

// equalNils reports whether nil values are equal: an interface that holds a nil
// pointer isn't nil itself.
func equalNils(a, b types.Type) bool {
	return a == nil || b == nil || isUntyped(a) || isUntyped(b) || types.IsInterface(a) == types.IsInterface(b)
}

// compare reports whether two values are equal.
func compare(levels int, x, y Value) answer {
	if levels < 0 || isUnknown(x) || isUnknown(y) || isAbsent(x) || isAbsent(y) {
		return perhaps
	}
	if !comparableTypes(typeOf(x), typeOf(y)) {
		return no
	}
	switch x := x.(type) {
	case Const:
		if y, ok := y.(Const); ok {
			return answerOf(constant.Compare(x.Value, token.EQL, y.Value))
		}
	case Pointer:
		if y, ok := y.(Pointer); ok {
			return answerOf(x.To == y.To)
		}
	case Nil:
		return answerOf(isNil(y))
	case *Struct:
		if y, ok := y.(*Struct); ok {
			return compareCells(levels-1, x.Fields, y.Fields)
		}
	case *Array:
		if y, ok := y.(*Array); ok {
			return compareCells(levels-1, x.Elems, y.Elems)
		}
	}
	if isNil(y) {
		return no
	}
	return perhaps
}

// comparableTypes reports whether values of these dynamic types can be equal.
func comparableTypes(a, b types.Type) bool {
	return a == nil || b == nil || isUntyped(a) || isUntyped(b) || types.IsInterface(a) || types.IsInterface(b) || sameType(a, b)
}

func answerOf(holds bool) answer {
	if holds {
		return yes
	}
	return no
}

func compareCells(levels int, a, b []*Cell) answer {
	if len(a) != len(b) {
		return no
	}
	result := yes
	for i := range a {
		result = min(result, compare(levels, a[i].v, b[i].v))
	}
	return result
}

func isUntyped(t types.Type) bool {
	basic, ok := t.(*types.Basic)
	return ok && basic.Info()&types.IsUntyped != 0
}

// comparesErrors reports whether at compares an error with nil.
func (in *interp) comparesErrors(at ast.Node) bool {
	expr, ok := at.(*ast.BinaryExpr)
	return ok && (isErrorType(in.typeOf(expr.X)) || isErrorType(in.typeOf(expr.Y)))
}

// convert makes a constant one of type t, as the conversion t(v) does.
func (in *interp) convert(at ast.Node, v Value, t types.Type) Value {
	c, ok := v.(Const)
	basic, isBasic := t.Underlying().(*types.Basic)
	if !ok || !isBasic {
		return retyped(v, t)
	}
	switch info := basic.Info(); {
	case info&types.IsString != 0 && c.Value.Kind() == constant.Int:
		n, exact := constant.Int64Val(c.Value)
		if !exact {
			n = -1
		}
		return Const{constant.MakeString(string(rune(n))), t}
	case info&types.IsInteger != 0:
		return in.convertInteger(at, c, t, basic)
	case info&types.IsFloat != 0:
		value := constant.ToFloat(c.Value)
		if basic.Kind() == types.Float32 {
			f, _ := constant.Float32Val(value)
			value = constant.MakeFloat64(float64(f))
		} else if basic.Kind() == types.Float64 {
			f, _ := constant.Float64Val(value)
			value = constant.MakeFloat64(f)
		}
		if value.Kind() == constant.Unknown {
			return in.notKnown(at)
		}
		return Const{value, t}
	default:
		return Const{c.Value, t}
	}
}

// convertInteger cuts to the type's size, as the machine does.
func (in *interp) convertInteger(at ast.Node, c Const, t types.Type, basic *types.Basic) Value {
	value := c.Value
	if value.Kind() == constant.Float && !isUntyped(t) {
		f, _ := constant.Float64Val(value)
		value = constant.MakeInt64(int64(f))
	}
	value = constant.ToInt(value)
	if value.Kind() != constant.Int {
		return in.notKnown(at)
	}
	if basic.Info()&types.IsUntyped != 0 {
		return Const{value, t}
	}
	bits := uint(64)
	switch basic.Kind() {
	case types.Int8, types.Uint8:
		bits = 8
	case types.Int16, types.Uint16:
		bits = 16
	case types.Int32, types.Uint32:
		bits = 32
	}
	modulus := constant.Shift(constant.MakeInt64(1), token.SHL, bits)
	value = constant.BinaryOp(value, token.AND, constant.BinaryOp(modulus, token.SUB, constant.MakeInt64(1)))
	half := constant.Shift(constant.MakeInt64(1), token.SHL, bits-1)
	if basic.Info()&types.IsUnsigned == 0 && constant.Compare(value, token.GEQ, half) {
		value = constant.BinaryOp(value, token.SUB, modulus)
	}
	return Const{value, t}
}
