package model

import (
	"bytes"
	"cmp"
	"go/constant"
	"go/types"
	"reflect"
	"slices"
	"sync"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A type of the program that decodes itself from JSON has a mirror that only keeps what
// its method gets. When package json has decoded all, the program's methods are called
// with that, in the order of the document. That comes to the same if no method uses the
// document, or what package json decodes into, but its own variable; if it keeps neither what
// it gets nor a variable that package json moves to another place; and if package json keeps
// what each has made. Else the call is refused, or isn't followed.

// capturedJSON stands for a type with the method UnmarshalJSON.
type capturedJSON struct{ calls []capture }

// UnmarshalJSON implements [json.Unmarshaler].
func (j *capturedJSON) UnmarshalJSON(data []byte) error {
	j.calls = append(j.calls, newCapture(data))
	return nil
}

// capturedText stands for a type with the method UnmarshalText.
type capturedText struct{ calls []capture }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (t *capturedText) UnmarshalText(data []byte) error {
	t.calls = append(t.calls, newCapture(data))
	return nil
}

// capture is what a method gets.
type capture struct {
	data  []byte
	order int
}

// captured counts what is captured by the decoder that holds the lock: what package json
// makes knows nothing of who decodes.
var captured struct {
	sync.Mutex
	calls int
}

func newCapture(data []byte) capture {
	captured.calls++
	return capture{bytes.Clone(data), captured.calls}
}

// capturingAll runs a decoder, and returns how many calls its mirrors have captured.
func capturingAll(decode func(any) error, target any) (calls int, err error) {
	captured.Lock()
	defer captured.Unlock()
	captured.calls = 0
	err = decode(target)
	return captured.calls, err
}

// capturing returns the mirror of a type that decodes itself, nil where it doesn't, or
// where its mirror would be decoded otherwise.
func (m *mirroring) capturing(t types.Type) reflect.Type {
	named, ok := t.(*types.Named)
	if !ok || types.IsInterface(t) || !slices.Equal(m.methods, decoding) {
		return nil
	}
	pointer := types.NewPointer(named)
	if slices.ContainsFunc(decoding, func(name string) bool {
		fn := lookupIn(pointer, name)
		return fn != nil && m.isLibrary(fn.Signature().Recv().Type())
	}) {
		return nil // whose methods aren't followed
	}
	if decodesBy(pointer, "UnmarshalJSON") {
		return reflect.TypeFor[capturedJSON]()
	}
	switch named.Underlying().(type) {
	case *types.Basic, *types.Struct, *types.Array: // null makes others nil
		if decodesBy(pointer, "UnmarshalText") && lookupIn(pointer, "UnmarshalJSON") == nil {
			return reflect.TypeFor[capturedText]()
		}
	}
	return nil
}

// captures reports whether a type, or what a pointer of it leads to, has a mirror that only
// keeps what its method gets.
func (m *mirroring) captures(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return m.capturing(types.Unalias(t)) != nil
}

// decodesBy reports whether a type has a method that decodes it.
func decodesBy(t types.Type, name string) bool {
	fn := lookupIn(t, name)
	if fn == nil {
		return false
	}
	sig := fn.Signature()
	return sameTuple(sig.Params(), []types.Type{bytesType}) && sameTuple(sig.Results(), []types.Type{errorType}) && !sig.Variadic()
}

// lookupIn returns a type's method with a name, nil where it has none.
func lookupIn(t types.Type, name string) *types.Func {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	fn, _ := obj.(*types.Func)
	return fn
}

// capturedCall is a call of a variable's method.
type capturedCall struct {
	capture
	method string
	cell   *value.Cell
	t      types.Type
	moves  bool // package json moves the variable, or uses it for others too
}

// noteCaptured notes the calls that a mirror has captured for a variable of type t, and
// reports whether it is one that captures.
func (m *reflecting) noteCaptured(cell *value.Cell, r reflect.Value, t types.Type) bool {
	var method string
	var calls []capture
	switch {
	case r.Type() == reflect.TypeFor[capturedJSON]():
		method, calls = "UnmarshalJSON", r.Addr().Interface().(*capturedJSON).calls
	case r.Type() == reflect.TypeFor[capturedText]():
		method, calls = "UnmarshalText", r.Addr().Interface().(*capturedText).calls
	default:
		return false
	}
	for _, call := range calls {
		m.calls = append(m.calls, capturedCall{call, method, cell, t, m.moving})
	}
	return true
}

// callCaptured makes the calls that were captured, and returns the first error: nothing
// is known then of what came after it.
func (m *reflecting) callCaptured(target, document value.Value) (failed value.Value) {
	slices.SortFunc(m.calls, func(a, b capturedCall) int { return cmp.Compare(a.order, b.order) })
	decoded := reachOf(append(m.held, target)...)
	used := value.Uses(reachOf(document), func() { failed = m.callEach(decoded, target) })
	if len(used) > 0 {
		m.lose("that a method uses the document while that is decoded", "decode a copy of the document")
	}
	if isNilInterface(failed) {
		for _, after := range m.after {
			after()
		}
	}
	return failed
}

func (m *reflecting) callEach(decoded []*value.Cell, target value.Value) value.Value {
	for _, call := range m.calls {
		err, ended := m.callOne(call, decoded)
		if ended == value.Yes && isNilInterface(err) {
			continue
		}
		touched := append(slices.Clip(m.held), target) // it was decoded up to here
		if ended == value.No {
			changed := value.UnknownAt(m.c.At.Pos(), "a value that "+m.c.name()+" may have changed")
			changed.Foreign = true
			m.c.Havoc(changed, touched...)
			if err == nil {
				m.c.Goexit()
			}
			m.c.Panic(m.c.At, err)
		}
		m.c.Expose(m.c.At, touched, value.UnknownResult(m.c.At))
		failed := *m.c.because(err)
		failed.NonNil = value.IsNonNil(err)
		return &failed
	}
	return noError()
}

// callOne calls a method. It returns its error, or the value of its panic.
func (m *reflecting) callOne(call capturedCall, decoded []*value.Cell) (result value.Value, ended value.Answer) {
	in := m.input(call)
	m.c.Work(len(decoded)/cellsPerStep + len(in.cells))
	var panicked value.Value
	var used []*value.Cell
	keeps := m.c.Keeps(in.notKept, func() {
		used = value.Uses(append(decoded, in.room()), func() {
			panicked, ended = m.c.Recovered(func() { result, _ = m.c.callMethod(in.receiver, call.method, in.data) })
		})
	})
	m.requireOwn(in, used, keeps || haveCommon(reachOf(panicked), in.notKept))
	switch ended {
	case value.No:
		return panicked, ended
	case value.Perhaps:
		return m.c.because(), ended
	}
	return result, ended
}

// methodInput is what a method that decodes gets.
type methodInput struct {
	call     capturedCall
	receiver value.Pointer
	data     *value.Slice
	cells    []*value.Cell // its bytes, and one more: it is a part of a longer slice

	own     []*value.Cell // what the method may use of what is decoded
	notKept []*value.Cell // what it may lead nobody to
}

func (m *reflecting) input(call capturedCall) methodInput {
	in := methodInput{call: call, receiver: value.Pointer{Type: types.NewPointer(call.t), To: call.cell}, cells: cellsOf(append(call.data, 0))}
	in.data = &value.Slice{Type: bytesType, Elems: in.cells[:len(call.data)], Open: true}
	in.notKept = in.cells
	if call.moves {
		in.notKept = slices.Concat(in.cells, []*value.Cell{call.cell}, partsOf(call.cell))
	}
	in.own = []*value.Cell{call.cell}
	for _, cell := range reachOf(in.receiver) {
		if !m.met[cell] {
			in.own = append(in.own, cell)
		}
	}
	return in
}

// room is the byte that follows those that the method gets.
func (in methodInput) room() *value.Cell { return in.cells[len(in.cells)-1] }

// requireOwn says what a method did that doesn't come to the same when it is called after all
// was decoded: what it has used, and whether it keeps what it must not.
func (m *reflecting) requireOwn(in methodInput, used []*value.Cell, keeps bool) {
	text, known := value.TextOf(value.StringOf(m.c.At, in.data, stringType))
	name := in.call.method
	switch {
	case slices.Contains(used, in.room()):
		m.lose("that the method "+name+" may append to the document", "have the method copy what it gets")
	case slices.ContainsFunc(used, func(cell *value.Cell) bool { return !slices.Contains(in.own, cell) }):
		m.lose("that the method "+name+" uses what the rest of the document is decoded into", "decode into a variable that the method doesn't use")
	case keeps:
		m.lose("that the method "+name+" keeps what it gets", "have the method copy what it keeps")
	case !known:
		m.lose("what the method "+name+" does to the document", "leave the document as it is")
	case text != string(in.call.data):
		m.lose("that the method "+name+" writes to the document", "leave the document as it is")
	}
}

// cellsOf returns variables that hold bytes.
func cellsOf(data []byte) []*value.Cell {
	cells := make([]*value.Cell, len(data))
	for i, b := range data {
		cells[i] = value.NewCell(value.NewConst(constant.MakeInt64(int64(b)), types.Typ[types.Byte]))
	}
	return cells
}

// cellsPerStep is how many variables are watched in the time of a step.
const cellsPerStep = 16

// lose says that it isn't known what the methods do.
func (m *reflecting) lose(why, remedy string) {
	m.c.Lost(m.c.At, value.UnknownAt(m.c.At.Pos(), why), remedy)
}

// partsOf returns the variables that a variable consists of.
func partsOf(cell *value.Cell) (parts []*value.Cell) {
	switch v := cell.Load().(type) {
	case *value.Struct:
		parts = v.Fields
	case *value.Array:
		parts = v.Elems
	}
	for _, part := range slices.Clone(parts) {
		parts = append(parts, partsOf(part)...)
	}
	return parts
}

// reachOf returns the variables that values lead to.
func reachOf(values ...value.Value) []*value.Cell {
	r := value.Reach{Captured: func(any) []*value.Cell { return nil }}
	r.Values(values...)
	return r.Cells
}

// haveCommon reports whether one of some variables is one of others.
func haveCommon(some, others []*value.Cell) bool {
	is := make(map[*value.Cell]bool, len(others))
	for _, cell := range others {
		is[cell] = true
	}
	return slices.ContainsFunc(some, func(cell *value.Cell) bool { return is[cell] })
}
