package model

import (
	"bytes"
	"encoding/json"
	"go/types"
	"io"
	"path/filepath"
	"reflect"
	"runtime"
	"time"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// What package json looks for in types.
var (
	encoding = methodNames{"MarshalJSON", "MarshalText", "IsZero"}
	decoding = methodNames{"UnmarshalJSON", "UnmarshalText"}
)

// jsonMarshal is the model of json.Marshal.
func jsonMarshal(c *Call) (value.Value, bool) {
	return c.marshal(func(v any) ([]byte, error) { return json.Marshal(v) })
}

// jsonMarshalIndent is the model of json.MarshalIndent.
func jsonMarshalIndent(c *Call) (value.Value, bool) {
	prefix, known := value.TextOf(c.Args[1])
	indent, known2 := value.TextOf(c.Args[2])
	if !known || !known2 || len(prefix)+len(indent) > 1000 {
		return nil, false
	}
	return c.marshal(func(v any) ([]byte, error) { return json.MarshalIndent(v, prefix, indent) })
}

func (c *Call) marshal(marshal func(any) ([]byte, error)) (value.Value, bool) {
	r, unknown := c.reflecting(encoding).mirrored(c.Args[0])
	if c.Lacked = unknown; unknown != nil {
		return nil, false
	}
	var v any
	if r.IsValid() && r.Kind() != reflect.Interface {
		v = r.Interface()
	}
	data, err := marshal(v)
	return value.Tuple{c.sliceFromGo(reflect.ValueOf(data), bytesType), c.errorOf(err)}, true
}

// errorOf is the error of a function of this program: nil, that of the end of what is read,
// or one of which only the type is known.
func (c *Call) errorOf(err error) value.Value {
	switch err {
	case nil:
		return noError()
	case io.EOF, io.ErrUnexpectedEOF:
		return c.Held("io", err)
	}
	u := &value.Unknown{Reason: "the error of " + value.Source(c.At), Pos: c.At.Pos(), NonNil: true}
	t, path := reflect.TypeOf(err), c.Fn.Obj.Pkg().Path()
	if t.Kind() == reflect.Pointer && (t.Elem().PkgPath() == path || isYAML[t.Elem().PkgPath()] && isYAML[path]) {
		if named := c.Fn.Obj.Pkg().Scope().Lookup(t.Elem().Name()); named != nil {
			u.Type = types.NewPointer(named.Type())
		}
	}
	return u
}

// jsonUnmarshal is the model of json.Unmarshal.
func jsonUnmarshal(c *Call) (value.Value, bool) {
	document, known := c.documentOf(c.Args[0])
	if !known || !c.hasThisJSON() {
		return nil, false
	}
	return c.decode(c.Args[1], decoding, c.Args[0], func(target any) error { return json.Unmarshal([]byte(document), target) })
}

// hasThisJSON reports whether the program has the package json that this one has: an experiment
// of the Go project decodes by another.
func (c *Call) hasThisJSON() bool {
	pc := reflect.ValueOf(json.Unmarshal).Pointer()
	own, _ := runtime.FuncForPC(pc).FileLine(pc)
	return filepath.Base(own) == c.FileOf(c.Fn.Obj.Pkg().Scope().Lookup("Unmarshal"))
}

// documentOf returns the text of bytes that are to be decoded.
func (c *Call) documentOf(data value.Value) (document string, known bool) {
	if slice, ok := data.(*value.Slice); ok {
		data = value.StringOf(c.At, slice, stringType)
	}
	return value.TextOf(data)
}

// decode has a function of this program decode a document into what target points
// to. methods are those that it looks for in types. from is the document where that is read
// while the target is written to, else nil.
func (c *Call) decode(target value.Value, methods methodNames, from value.Value, decode func(any) error) (value.Value, bool) {
	p, ok := target.(value.Pointer)
	if !ok {
		return nil, false
	}
	read := reachOf(from)
	if haveCommon(read, reachOf(p)) {
		return nil, false
	}
	t := value.Pointee(p.Type)
	if _, isUnnamed := types.Unalias(p.Type).(*types.Pointer); !isUnnamed { // a type of its own has none of the methods
		return nil, false
	}
	mirroring := mirroring{methods: methods, isLibrary: c.IsOfLibrary}
	r := mirroring.of(t)
	if r == nil {
		c.Lacked = mirroring.lacking()
		return nil, false
	}
	m := c.reflecting(methods)
	m.decoding = true
	m.seen[p.To] = true
	m.meet(p.To)
	to := reflect.New(r)
	if c.Lacked = m.copy(to.Elem(), p.Load()); c.Lacked != nil || m.shared {
		return nil, false
	}
	calls, err := capturingAll(decode, to.Interface())
	mark := c.Mark()
	m.store(p.To, to.Elem(), t)
	for _, store := range m.back {
		store()
	}
	if len(m.calls) != calls || m.lost { // package json has thrown away what some have made
		c.Undo(mark)
		return nil, false
	}
	if failed := m.callCaptured(target, from); !isNilInterface(failed) {
		return failed, true
	}
	return c.errorOf(err), true
}

// store assigns what a mirror holds to a variable of type t. The parts of a struct and of
// an array are variables that others may point to.
func (m *reflecting) store(cell *value.Cell, r reflect.Value, t types.Type) {
	if m.noteCaptured(cell, r, t) {
		return
	}
	switch held := cell.Load().(type) {
	case *value.Struct:
		u, ok := t.Underlying().(*types.Struct)
		if !ok || r.Kind() != reflect.Struct || r.Type() == reflect.TypeFor[time.Time]() {
			break
		}
		for i, field := range held.Fields {
			if r.Type().Field(i).PkgPath == "" {
				m.store(field, r.Field(i), u.Field(i).Type())
			}
		}
		return
	case *value.Array:
		for i, elem := range held.Elems {
			m.store(elem, r.Index(i), elemOf(t))
		}
		return
	}
	m.c.Set(cell, m.value(r, t))
}

// fill adds the entries of a mirror to a map of type t.
func (m *reflecting) fill(to *value.Map, r reflect.Value, t types.Type) {
	u := t.Underlying().(*types.Map)
	for _, e := range sortedEntries(r) {
		elem, calls := reflect.New(r.Type().Elem()).Elem(), len(m.calls)
		elem.Set(e.elem)
		k, cell := m.value(e.key, u.Key()), m.element(elem, u.Elem())
		if len(m.calls) == calls {
			m.c.SetEntry(to, k, cell.Load())
		} else { // the entry is set when its methods have been called
			m.after = append(m.after, func() { m.c.SetEntry(to, k, cell.Load()) })
		}
	}
}

// cell returns a variable of type t that holds what a mirror does.
func (m *reflecting) cell(r reflect.Value, t types.Type) *value.Cell {
	if cell := value.NewCell(m.c.Zero(t)); m.noteCaptured(cell, r, t) {
		return cell
	}
	return value.NewCell(m.value(r, t))
}

// element is cell for an element of a map, which package json copies there, or of a slice, whose
// elements it moves when the slice grows.
func (m *reflecting) element(r reflect.Value, t types.Type) *value.Cell {
	around := m.moving
	m.moving = true
	defer func() { m.moving = around }()
	return m.cell(r, t)
}

// pointee is cell for a variable that a decoder has made.
func (m *reflecting) pointee(r reflect.Value, t types.Type) *value.Cell {
	around := m.moving
	m.moving = false
	defer func() { m.moving = around }()
	return m.cell(r, t)
}

// Answer returns a value of this program, which has no fields but exported ones, as one of type t
// of the other.
func (c *Call) Answer(r reflect.Value, t types.Type) value.Value {
	return c.reflecting(methodNames{}).value(r, t)
}

// value returns what a mirror holds as a value of type t.
func (m *reflecting) value(r reflect.Value, t types.Type) value.Value {
	m.c.Work(1)
	if at, ok := r.Interface().(time.Time); ok && m.decoding && at.Location() != time.UTC {
		return value.UnknownAt(m.c.At.Pos(), "a time of a zone whose name depends on the machine")
	}
	if hostedTypes[r.Type()] {
		return m.c.hostedFromGo(r, t)
	}
	if held := m.referenceOf(r); held != nil {
		return value.Retyped(held, t)
	}
	switch r.Kind() {
	case reflect.Pointer:
		if r.IsNil() {
			return value.Nil{Type: t}
		}
		return value.Pointer{Type: t, To: m.pointee(r.Elem(), value.Pointee(t))}
	case reflect.Interface:
		if r.IsNil() {
			return value.Nil{Type: t}
		}
		if was, ok := r.Elem().Interface().(kept); ok {
			return was.v
		}
		if r.Elem().Type() == reflect.TypeFor[json.Number]() {
			return m.c.fromGo(r.Elem(), m.c.Fn.Obj.Pkg().Scope().Lookup("Number").Type())
		}
		if hostedTypes[r.Elem().Type()] { // whose type nothing here names
			return value.UnknownAt(m.c.At.Pos(), "a "+r.Elem().Type().String()+" of the document")
		}
		return m.value(r.Elem(), plainType(r.Elem().Type()))
	case reflect.Map:
		if r.IsNil() {
			return value.Nil{Type: t}
		}
		made := value.NewMap(t)
		m.fill(made, r, t)
		return made
	case reflect.Struct:
		s := value.Zero(t).(*value.Struct)
		for i := range s.Fields {
			if r.Type().Field(i).PkgPath == "" {
				s.Fields[i] = m.cell(r.Field(i), value.FieldType(t, i))
			}
		}
		return s
	case reflect.Array:
		a := &value.Array{Type: t, Elems: make([]*value.Cell, r.Len())}
		for i := range a.Elems {
			a.Elems[i] = m.cell(r.Index(i), elemOf(t))
		}
		return a
	case reflect.Slice:
		return m.slice(r, t)
	default:
		return m.c.fromGo(r, t)
	}
}

func (m *reflecting) slice(r reflect.Value, t types.Type) value.Value {
	if r.IsNil() {
		return value.Nil{Type: t}
	}
	m.lost = m.lost || m.coarse[r.Type()] // that it has what is lost
	n := r.Len()
	if r.Cap() > value.MaxElements {
		return value.UnknownAt(m.c.At.Pos(), "a slice of more elements than are looked at")
	}
	open := !growsAs(r.Type().Elem(), value.SliceElem(t), r.Cap())
	if !open {
		r = r.Slice3(0, r.Cap(), r.Cap())
	}
	s := &value.Slice{Type: t, Elems: make([]*value.Cell, r.Len()), Open: open}
	for i := range s.Elems {
		s.Elems[i] = m.element(r.Index(i), value.SliceElem(t))
	}
	s.Elems = s.Elems[:n]
	return s
}

// plainType is the type of what a decoder puts into an interface.
func plainType(r reflect.Type) types.Type {
	switch r.Kind() {
	case reflect.Map:
		return types.NewMap(plainType(r.Key()), plainType(r.Elem()))
	case reflect.Slice:
		return types.NewSlice(plainType(r.Elem()))
	case reflect.Interface:
		return anyType
	default:
		for kind, t := range value.GoTypes {
			if t == r {
				return types.Typ[kind]
			}
		}
		return types.Typ[types.Invalid]
	}
}

// jsonDecoder is what a json.Decoder holds.
type jsonDecoder struct {
	stream
	strict bool
	number bool        // numbers in interfaces are json.Numbers
	failed value.Value // what Decode returns from now on, nil for nothing yet
	live   *liveJSON   // may be of another state
}

// liveJSON is a decoder of this program that has read documents of a stream.
type liveJSON struct {
	*json.Decoder
	from      *reading
	documents int // -1 where it hasn't come to the end of one
}

// newJSONDecoder is the model of json.NewDecoder.
func newJSONDecoder(c *Call) (value.Value, bool) {
	if !c.hasThisJSON() {
		return nil, false
	}
	return hostedIn(c.Fn.Obj.Signature().Results().At(0).Type(), &jsonDecoder{stream: stream{from: c.Args[0]}}), true
}

// jsonDisallow is the model of json.Decoder's DisallowUnknownFields.
func jsonDisallow(c *Call) (value.Value, bool) {
	return c.setDecoder(func(d *jsonDecoder) { d.strict = true })
}

// jsonUseNumber is the model of json.Decoder's UseNumber.
func jsonUseNumber(c *Call) (value.Value, bool) {
	return c.setDecoder(func(d *jsonDecoder) { d.number = true })
}

// setDecoder changes the decoder that a call is of.
func (c *Call) setDecoder(change func(*jsonDecoder)) (value.Value, bool) {
	d, cell := hostedAt[*jsonDecoder](c)
	if d == nil {
		return nil, false
	}
	next := *d
	change(&next)
	c.setHosted(cell, &next)
	return value.Tuple{}, true
}

// jsonDecode is the model of json.Decoder's Decode. It reads a document to its end, and then
// decodes it; when it has failed to read one, it reads no other.
func jsonDecode(c *Call) (value.Value, bool) {
	d, cell := hostedAt[*jsonDecoder](c)
	if d == nil {
		return nil, false
	}
	if d.failed != nil {
		return d.failed, true
	}
	next := *d
	hold := func(now stream) {
		next.stream = now
		d = new(next)
		c.setHosted(cell, d)
	}
	next.live = d.liveFor(c, hold)
	document, err := next.live.read()
	from := next.live.from
	result, known := c.errorOf(err), from.unknown == nil
	if err != nil {
		next.failed = result
	}
	hold(from.decoded())
	if known && err == nil {
		decode := func(target any) error { return d.unmarshal(document, target) }
		result, known = c.decode(c.Args[0], decoding, nil, decode)
	}
	if now, _ := hostedAt[*jsonDecoder](c); !known || now != d {
		return from.notDecoded(), true
	}
	return result, true
}

// liveFor returns a decoder of this program that has read what the program's has.
func (d *jsonDecoder) liveFor(c *Call, hold func(stream)) *liveJSON {
	if live := d.live; live != nil && live.documents == d.documents && live.from.isAt(d.stream) {
		live.from.of(c, d.stream, hold)
		return live
	}
	from := &reading{c: c, stream: d.stream, hold: hold}
	live := &liveJSON{Decoder: json.NewDecoder(from), from: from}
	for range d.documents {
		_, _ = live.read()
	}
	return live
}

// read returns the next document.
func (live *liveJSON) read() (document json.RawMessage, err error) {
	n := live.documents
	live.documents = -1
	err = live.Decode(&document)
	live.documents = n + 1
	return document, err
}

// unmarshal decodes a document as the decoder does.
func (d *jsonDecoder) unmarshal(document []byte, target any) error {
	decoder := json.NewDecoder(bytes.NewReader(document))
	if d.strict {
		decoder.DisallowUnknownFields()
	}
	if d.number {
		decoder.UseNumber()
	}
	return decoder.Decode(target)
}
