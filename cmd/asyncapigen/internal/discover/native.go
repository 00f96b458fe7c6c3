package discover

import (
	"go/ast"
	"go/constant"
	"go/types"
	"sort"
	"strings"
)

// native evaluates functions of the standard library whose source uses what
// can't be evaluated, such as reflection and unsafe pointers, or starts
// goroutines.
func (in *interp) native(at ast.Expr, name string, fn *Func, args []Value) (Value, bool) {
	if method, ok := strings.CutPrefix(name, "(*strings.Builder)."); ok {
		return in.textBuffer(at, method, fn.Recv, args)
	}
	if method, ok := strings.CutPrefix(name, "(*bytes.Buffer)."); ok {
		return in.textBuffer(at, method, fn.Recv, args)
	}
	if strings.HasPrefix(name, "reflect.") || strings.HasPrefix(name, "(reflect.Type).") {
		return in.reflected(at, name, fn, args)
	}
	switch name {
	case "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln":
		return in.printTo(at, name, fn, args)
	case "sort.Slice":
		return in.sortSlice(at, args, sort.Sort), true
	case "sort.SliceStable":
		return in.sortSlice(at, args, sort.Stable), true
	case "maps.Clone":
		return in.cloneMap(args)
	case "slices.overlaps":
		return overlap(args)
	case "(*sync.WaitGroup).Go":
		in.survives(func() { in.call(at, args[0], nil) })
		return Tuple{}, true
	case "sync.OnceFunc", "sync.OnceValue", "sync.OnceValues":
		return in.onceFunction(at, fn, args[0]), true
	case "errors.Is", "errors.As":
		return in.ofError(args)
	}
	return nil, false
}

// textBuffer evaluates the methods of strings.Builder and bytes.Buffer that
// collect text. What was written is kept in the variable of the field buf, as a
// string.
func (in *interp) textBuffer(at ast.Expr, method string, recv Value, args []Value) (Value, bool) {
	buf := bufferOf(recv)
	if buf == nil {
		return nil, false
	}
	written, known := textOf(buf.v)
	integer := func(n int) Value { return constOf(constant.MakeInt64(int64(n)), types.Typ[types.Int]) }
	switch method {
	case "String":
		if !known {
			return in.because(at, buf.v), true
		}
		return constOf(constant.MakeString(written), types.Typ[types.String]), true
	case "Len":
		if !known {
			return in.because(at, buf.v), true
		}
		return integer(len(written)), true
	case "Reset":
		in.set(buf, Nil{})
		return Tuple{}, true
	case "Grow":
		return Tuple{}, true
	case "Write", "WriteString", "WriteByte", "WriteRune":
		added := in.addedText(at, method, args)
		in.appendText(at, buf, added)
		noError := Nil{Type: types.Universe.Lookup("error").Type()}
		if method == "WriteByte" {
			return noError, true
		}
		text, _ := textOf(added)
		return Tuple{integer(len(text)), noError}, true
	}
	return nil, false
}

func bufferOf(recv Value) *Cell {
	p, ok := recv.(Pointer)
	if !ok {
		return nil
	}
	s, ok := p.To.v.(*Struct)
	if !ok {
		return nil
	}
	u, ok := s.Type.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	if i := fieldIndex(u, "buf"); i >= 0 {
		return s.Fields[i]
	}
	return nil
}

// textOf returns what a string constant says; nil is an empty buffer.
func textOf(v Value) (string, bool) {
	switch v := v.(type) {
	case Nil:
		return "", true
	case Const:
		if v.Value.Kind() == constant.String {
			return constant.StringVal(v.Value), true
		}
	}
	return "", false
}

// addedText returns what a method writes, as a string constant or an Unknown.
func (in *interp) addedText(at ast.Expr, method string, args []Value) Value {
	if len(args) != 1 {
		return in.because(at, args...)
	}
	text := types.Typ[types.String]
	switch v := args[0].(type) {
	case Const:
		n, exact := intOf(v)
		switch {
		case method == "WriteString":
			return v
		case method == "WriteByte" && exact:
			return constOf(constant.MakeString(string([]byte{byte(n)})), text)
		case method == "WriteRune" && exact:
			return constOf(constant.MakeString(string(rune(n))), text)
		}
	case *Slice:
		return in.stringOf(at, v, text)
	case Nil:
		return constOf(constant.MakeString(""), text)
	}
	return in.because(at, args...)
}

func (in *interp) appendText(at ast.Expr, buf *Cell, added Value) {
	before, known := textOf(buf.v)
	text, also := textOf(added)
	switch {
	case !known:
	case !also || len(before)+len(text) > maxText:
		in.set(buf, in.because(at, added))
	default:
		in.work(len(before) + len(text))
		in.set(buf, constOf(constant.MakeString(before+text), types.Typ[types.String]))
	}
}

// printTo evaluates fmt.Fprint and its kin where the writer collects text.
func (in *interp) printTo(at ast.Expr, name string, fn *Func, args []Value) (Value, bool) {
	if len(args) < 2 {
		return nil, false
	}
	buf := bufferOf(args[0])
	if buf == nil {
		return nil, false
	}
	text, ok := in.library(at, strings.Replace(name, "Fprint", "Sprint", 1), &Func{Obj: fn.Obj}, args[1:])
	if !ok {
		return nil, false
	}
	if tuple, isTuple := text.(Tuple); isTuple {
		text = tuple[0]
	}
	in.appendText(at, buf, text)
	return Tuple{in.unknown(at.Pos(), "the number of bytes written"), Nil{Type: types.Universe.Lookup("error").Type()}}, true
}

// sortSlice sorts in place, by the same swaps as the running program. It is
// sorted by the program's own function.
func (in *interp) sortSlice(at ast.Expr, args []Value, run func(sort.Interface)) Value {
	if len(args) != 2 || isNil(args[0]) {
		return Tuple{}
	}
	slice, ok := args[0].(*Slice)
	if !ok {
		return Tuple{}
	}
	s := &sorter{in: in, at: at, cells: slice.Elems, less: args[1]}
	run(s)
	if s.unknown != nil {
		in.havoc(slice, s.unknown, make(map[*Cell]bool))
	}
	return Tuple{}
}

type sorter struct {
	in      *interp
	at      ast.Expr
	cells   []*Cell
	less    Value
	unknown *Unknown // the first comparison that isn't known
}

func (s *sorter) Len() int { return len(s.cells) }

func (s *sorter) Less(i, j int) bool {
	if s.unknown != nil {
		return false
	}
	index := func(i int) Value { return constOf(constant.MakeInt64(int64(i)), types.Typ[types.Int]) }
	v := s.in.call(s.at, s.less, []Value{index(i), index(j)})
	holds, known := truth(v)
	if !known {
		s.unknown = s.in.because(s.at, v)
	}
	return holds
}

func (s *sorter) Swap(i, j int) {
	a, b := s.in.copied(s.cells[i].v), s.in.copied(s.cells[j].v)
	s.in.store(s.cells[i], b)
	s.in.store(s.cells[j], a)
}

func (in *interp) cloneMap(args []Value) (Value, bool) {
	m, ok := args[0].(*Map)
	if !ok {
		return args[0], true
	}
	clone := newMap(m.Type)
	for key, v := range m.sorted() {
		in.setEntry(clone, key, v)
	}
	clone.vague.v = m.vague.v
	return clone, true
}

// overlap reports whether two slices share elements.
func overlap(args []Value) (Value, bool) {
	var cells [2][]*Cell
	for i := range cells {
		if slice, ok := args[i].(*Slice); ok {
			cells[i] = slice.Elems
		}
	}
	shared := make(map[*Cell]bool, len(cells[0]))
	for _, cell := range cells[0] {
		shared[cell] = true
	}
	found := false
	for _, cell := range cells[1] {
		found = found || shared[cell]
	}
	return constOf(constant.MakeBool(found), types.Typ[types.Bool]), true
}

// onceFunction is a function that remembers the result of its first call.
func (in *interp) onceFunction(at ast.Expr, fn *Func, f Value) Value {
	t := fn.Obj.Signature().Results().At(0).Type()
	if sig, ok := fn.Type.Underlying().(*types.Signature); ok {
		t = sig.Results().At(0).Type()
	}
	result := newCell(nil)
	return &Func{Type: t, Native: func([]Value) Value {
		if result.v == nil {
			in.set(result, in.call(at, f, nil))
		}
		return result.v
	}}
}

// ofError answers for an error that isn't known, which is taken to be nil.
func (in *interp) ofError(args []Value) (Value, bool) {
	u, isUnknown := args[0].(*Unknown)
	if !isNil(args[0]) && (!isUnknown || u.NonNil) {
		return nil, false
	}
	return constOf(constant.MakeBool(false), types.Typ[types.Bool]), true
}
