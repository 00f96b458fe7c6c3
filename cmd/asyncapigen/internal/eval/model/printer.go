package model

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// printer prints values of the program as package fmt does (printArg and
// printValue in its print.go), and calls the same methods. The parts that are
// basic are printed by package fmt itself.
//
// What isn't known makes the text unknown, but the rest is printed all the same,
// since the program calls its methods.
type printer struct {
	c       *Call
	out     strings.Builder
	unknown *value.Unknown // the first part that isn't known

	d             directive
	sharpV, plusV bool // %#v and %+v
	erroring      bool // a bad verb is being printed: no methods
	panicking     bool // the panic of a method is being printed
	levels        int

	wrapErrs  bool  // for Errorf
	wrapped   []int // the operands of %w
	reordered bool
}

const maxLevels = 100

func (p *printer) giveUp(u *value.Unknown) {
	if p.unknown == nil {
		p.unknown = u.Bare()
	}
}

func (p *printer) write(text string) {
	if p.out.Len()+len(text) > value.MaxText {
		p.giveUp(value.UnknownAt(p.c.At.Pos(), "a string longer than those that are looked at"))
	}
	if p.unknown == nil {
		p.out.WriteString(text)
	}
}

// text returns what was printed.
func (p *printer) text() value.Value {
	p.c.Work(p.out.Len())
	if p.unknown != nil {
		return p.unknown
	}
	return text(p.out.String())
}

// wrappedOnce returns the operands of %w, each once, in their order.
func (p *printer) wrappedOnce() []int {
	if p.reordered {
		slices.Sort(p.wrapped)
	}
	return slices.Compact(p.wrapped)
}

// padded prints text with the directive's width.
func (p *printer) padded(text string) {
	if p.d.width > value.MaxText {
		p.giveUp(value.UnknownAt(p.c.At.Pos(), "a string longer than those that are looked at"))
		return
	}
	padding := directive{minus: p.d.minus, zero: p.d.zero, hasWidth: p.d.hasWidth, width: p.d.width}
	p.write(fmt.Sprintf(padding.String()+"s", text))
}

// leaf prints a value of this program.
func (p *printer) leaf(v any, verb rune) {
	if p.d.width > value.MaxText || p.d.precision > value.MaxText {
		p.giveUp(value.UnknownAt(p.c.At.Pos(), "a string longer than those that are looked at"))
		return
	}
	d := p.d
	if p.sharpV || p.plusV {
		d.sharp, d.plus = p.sharpV, p.plusV
	}
	p.write(fmt.Sprintf(d.String()+string(verb), v))
}

// operand prints an operand of the fmt functions.
func (p *printer) operand(v value.Value, verb rune) {
	switch {
	case value.IsUnknown(v) && (value.TypeOf(v) == nil || verb != 'T'):
		p.unknownValue(v.(*value.Unknown), verb, callable)
	case isNilInterface(v):
		if verb == 'T' || verb == 'v' {
			p.padded("<nil>")
			return
		}
		p.write("%!" + string(verb) + "(<nil>)")
	case verb == 'T':
		if isAtomOfInterface(v) {
			p.giveUp(value.UnknownAt(p.c.At.Pos(), "the type of what a library returns as "+typeText(value.TypeOf(v))))
			return
		}
		if name, ok := reflectName(value.TypeOf(v)); ok {
			p.leaf(name, 's')
			return
		}
		p.giveUp(p.c.because())
	case verb == 'p':
		p.address(v, verb)
	default:
		can := callable
		if types.Identical(value.TypeOf(v), bytesType) { // of which fmt asks no methods
			can = hidden
		}
		p.value(v, nil, verb, true, can)
	}
}

// access is whether the methods of what is printed are called: as package reflect lets package fmt
// get at it.
type access int

const (
	callable access = iota
	embedded        // those of its exported fields are: it is embedded, and of a type that isn't exported
	hidden          // a field that isn't exported led to it
)

// to is the access to a field of a struct.
func (a access) to(field *types.Var) access {
	switch {
	case a == hidden || !field.Exported() && (!field.Embedded() || types.IsInterface(field.Type())):
		return hidden
	case field.Exported():
		return callable
	default:
		return embedded
	}
}

// within is the access to an element.
func (a access) within() access {
	if a == embedded {
		return hidden
	}
	return a
}

// value prints a value, or a part of one: static is the type of an interface that
// holds it, else nil; top is for one that is no part.
func (p *printer) value(v value.Value, static types.Type, verb rune, top bool, can access) {
	p.c.Work(1)
	if p.levels == maxLevels {
		p.giveUp(p.c.because())
		return
	}
	p.levels++
	defer func() { p.levels-- }()
	if u, ok := v.(*value.Unknown); ok {
		p.unknownValue(u, verb, can)
		return
	}
	if isNilInterface(v) {
		p.nilInterface(static)
		return
	}
	if can == callable && p.methods(v, verb) {
		return
	}
	switch v := v.(type) {
	case value.Const, value.Number:
		p.basic(v, verb)
	case *value.Struct:
		p.structure(v, verb, top, can)
	case *value.Array:
		p.list(v.Type, v.Elems, verb, top, can)
	case *value.Slice:
		p.list(v.Type, v.Elems, verb, top, can)
	case *value.Map:
		p.mapping(v, verb, top, can)
	case value.Nil:
		p.nothing(v, verb, top)
	case value.Pointer:
		p.pointer(v, verb, top, can)
	default:
		p.address(v, verb)
	}
}

// unknownValue prints a value that isn't known. Where its type is, its methods may print
// it all the same: not those of a pointer and the like, which may be nil.
func (p *printer) unknownValue(u *value.Unknown, verb rune, can access) {
	if u.Type != nil && value.IsBasic(u.Type, types.IsConstType) && can == callable && p.methods(u, verb) {
		return
	}
	p.mayPrint(u, verb, can)
	p.giveUp(p.c.because(u))
}

// isAtomOfInterface reports whether a value stands for one of a library's whose type isn't known.
func isAtomOfInterface(v value.Value) bool {
	_, isAtom := v.(value.Atom)
	t := value.TypeOf(v)
	return isAtom && t != nil && types.IsInterface(t)
}

// mayPrint follows the methods that may print what a value leads to.
func (p *printer) mayPrint(v value.Value, verb rune, can access) {
	if can != hidden && verb != 'T' && verb != 'p' {
		p.c.MayCall(p.c.At, v, strings.Fields(printing)...)
	}
}

func (p *printer) nilInterface(static types.Type) {
	if !p.sharpV {
		p.write("<nil>")
		return
	}
	p.typeName(static)
	p.write("(nil)")
}

// basic prints a boolean, number or string.
func (p *printer) basic(v value.Value, verb rune) {
	plain, ok := value.GoValue(v)
	if !ok {
		p.giveUp(p.c.because())
		return
	}
	if _, named := types.Unalias(value.TypeOf(v)).(*types.Named); named && !goodVerb(plain, verb) {
		p.badVerb(v, verb, func() { p.basic(v, 'v') })
		return
	}
	p.leaf(plain, verb)
}

func goodVerb(plain any, verb rune) bool {
	switch plain.(type) {
	case bool:
		return strings.ContainsRune("tv", verb)
	case string:
		return strings.ContainsRune("vsxXq", verb)
	case float32, float64, complex64, complex128:
		return strings.ContainsRune("vbgGxXfFeE", verb)
	default:
		return strings.ContainsRune("vdboOxXcqU", verb)
	}
}

// badVerb says that a value has no such verb. Package fmt has no directive that prints it
// as it does with the flags # and +.
func (p *printer) badVerb(v value.Value, verb rune, print func()) {
	if p.d.sharp || p.d.plus {
		p.giveUp(p.c.because())
	}
	p.write("%!" + string(verb) + "(")
	p.typeName(value.TypeOf(v))
	p.write("=")
	p.erroring = true
	print()
	p.erroring = false
	p.write(")")
}

func (p *printer) typeName(t types.Type) {
	if t != nil {
		if name, ok := reflectName(t); ok {
			p.write(name)
			return
		}
	}
	p.giveUp(p.c.because())
}

// structure prints a struct.
func (p *printer) structure(v *value.Struct, verb rune, top bool, can access) {
	u, ok := v.Type.Underlying().(*types.Struct)
	if !ok || u.NumFields() != len(v.Fields) || value.IsKeptOtherwise(v.Type) {
		p.giveUp(p.c.because())
		return
	}
	if p.sharpV {
		p.typeName(v.Type)
	}
	p.write("{")
	for i, cell := range v.Fields {
		p.separate(i)
		if p.plusV || p.sharpV {
			p.write(u.Field(i).Name() + ":")
		}
		p.value(cell.Load(), u.Field(i).Type(), verb, false, can.to(u.Field(i)))
	}
	p.write("}")
}

// separate writes what is between two parts.
func (p *printer) separate(i int) {
	switch {
	case i == 0:
	case p.sharpV:
		p.write(", ")
	default:
		p.write(" ")
	}
}

// list prints a slice or an array.
func (p *printer) list(t types.Type, cells []*value.Cell, verb rune, top bool, can access) {
	elem := t.Underlying().(interface{ Elem() types.Type }).Elem()
	basic, isBasic := elem.Underlying().(*types.Basic)
	if isBasic && basic.Kind() == types.Uint8 {
		if _, isSlice := t.Underlying().(*types.Slice); strings.ContainsRune("sqxX", verb) || isSlice && top && !isNamed(t) && !isNamed(elem) {
			p.bytes(cells, verb)
			return
		}
	}
	begin, end := "[", "]"
	if p.sharpV {
		p.typeName(t)
		begin, end = "{", "}"
	}
	p.write(begin)
	for i, cell := range cells {
		p.separate(i)
		p.value(cell.Load(), elem, verb, false, can.within())
	}
	p.write(end)
}

func isNamed(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Named)
	return ok
}

// bytes prints a slice or an array of bytes.
func (p *printer) bytes(cells []*value.Cell, verb rune) {
	plain := make([]byte, len(cells))
	for i, cell := range cells {
		n, known := value.IntOf(cell.Load())
		if !known {
			p.giveUp(p.c.because(cell.Load()))
		}
		plain[i] = byte(n)
	}
	p.leaf(plain, verb)
}

// mapping prints a map, in the order of its keys.
func (p *printer) mapping(v *value.Map, verb rune, top bool, can access) {
	t := v.Type.Underlying().(*types.Map)
	keys, values, why := p.c.sortedEntries(v)
	if why != nil {
		p.mayPrint(v, verb, can)
		p.giveUp(why)
		return
	}
	begin, end := "map[", "]"
	if p.sharpV {
		p.typeName(v.Type)
		begin, end = "{", "}"
	}
	p.write(begin)
	for i := range keys {
		p.separate(i)
		p.value(keys[i], t.Key(), verb, false, can.within())
		p.write(":")
		p.value(values[i], t.Elem(), verb, false, can.within())
	}
	p.write(end)
}

// sortedEntries returns a map's keys in the order in which the library visits
// them, with their values.
func (c *Call) sortedEntries(m *value.Map) (keys, values []value.Value, why *value.Unknown) {
	if why := m.Uncounted(); why != nil {
		return nil, nil, c.because(why)
	}
	type entry struct{ key, v value.Value }
	var entries []entry
	for key, v := range m.Sorted() {
		entries = append(entries, entry{key, v})
	}
	ordered := true
	slices.SortStableFunc(entries, func(a, b entry) int {
		order, ok := compareKeys(a.key, b.key)
		ordered = ordered && ok
		return order
	})
	if !ordered {
		return nil, nil, c.because()
	}
	for _, e := range entries {
		keys, values = append(keys, e.key), append(values, e.v)
	}
	return keys, values, nil
}

// compareKeys compares keys as the library sorts them, and reports whether their order is
// sure: that of pointers isn't, and neither is that of different types.
func compareKeys(a, b value.Value) (order int, ok bool) {
	switch a := a.(type) {
	case value.Const:
		b, ok := b.(value.Const)
		if !ok || a.Value.Kind() == constant.Complex || !value.SameType(a.Type, b.Type) {
			return 0, false
		}
		return compareConstants(a, b), true
	case *value.Struct:
		if b, ok := b.(*value.Struct); ok && value.SameType(a.Type, b.Type) {
			return compareParts(a.Fields, b.Fields)
		}
	case *value.Array:
		if b, ok := b.(*value.Array); ok && value.SameType(a.Type, b.Type) {
			return compareParts(a.Elems, b.Elems)
		}
	}
	return 0, false
}

func compareParts(a, b []*value.Cell) (order int, ok bool) {
	for i := range a {
		if order, ok = compareKeys(a[i].Load(), b[i].Load()); order != 0 || !ok {
			return order, ok
		}
	}
	return 0, true
}

func compareConstants(a, b value.Const) int {
	switch a.Value.Kind() {
	case constant.Bool:
		return cmp.Compare(boolRank(a.Value), boolRank(b.Value))
	case constant.String:
		return cmp.Compare(constant.StringVal(a.Value), constant.StringVal(b.Value))
	default:
		return constant.Sign(constant.BinaryOp(a.Value, token.SUB, b.Value))
	}
}

func boolRank(v constant.Value) int {
	if constant.BoolVal(v) {
		return 1
	}
	return 0
}

// nothing prints a nil that has a type of its own.
func (p *printer) nothing(v value.Nil, verb rune, top bool) {
	switch v.Type.Underlying().(type) {
	case *types.Slice, *types.Map:
		_, isMap := v.Type.Underlying().(*types.Map)
		switch {
		case p.sharpV && top && types.Identical(v.Type, bytesType):
			p.write("[]byte(nil)")
		case p.sharpV:
			p.typeName(v.Type)
			p.write("(nil)")
		case isMap:
			p.write("map[]")
		default:
			p.list(v.Type, nil, verb, top, hidden)
		}
	case *types.Pointer, *types.Signature, *types.Chan:
		p.nilAddress(v, verb)
	default:
		p.giveUp(p.c.because())
	}
}

// nilAddress prints a nil pointer, function or channel.
func (p *printer) nilAddress(v value.Nil, verb rune) {
	switch {
	case verb == 'v' && p.sharpV:
		p.write("(")
		p.typeName(v.Type)
		p.write(")(nil)")
	case verb == 'v':
		p.padded("<nil>")
	case strings.ContainsRune("bodxX", verb):
		p.leaf(uint(0), verb)
	default:
		p.badVerb(v, verb, func() { p.nilAddress(v, 'v') })
	}
}

// pointer prints what a pointer at the top points to, if it has parts.
func (p *printer) pointer(v value.Pointer, verb rune, top bool, can access) {
	if elem := value.Pointee(v.Type); top && elem != nil {
		switch elem.Underlying().(type) {
		case *types.Array, *types.Slice, *types.Struct, *types.Map:
			p.write("&")
			p.value(v.Load(), nil, verb, false, can)
			return
		}
	}
	p.address(v, verb)
}

// address prints what differs in each run of the program.
func (p *printer) address(v value.Value, verb rune) {
	if n, ok := v.(value.Nil); ok && verb == 'p' {
		switch n.Type.Underlying().(type) {
		case *types.Pointer, *types.Signature, *types.Chan, *types.Map, *types.Slice:
			p.d.sharp = !p.d.sharp
			p.leaf(uint(0), 'x')
			return
		}
	}
	p.giveUp(value.UnknownAt(p.c.At.Pos(), "an address in "+value.Source(p.c.At)))
}

// isNilInterface reports whether v is the nil of an interface.
func isNilInterface(v value.Value) bool {
	n, ok := v.(value.Nil)
	return ok && (n.Type == nil || value.IsUntyped(n.Type) || types.IsInterface(n.Type))
}
