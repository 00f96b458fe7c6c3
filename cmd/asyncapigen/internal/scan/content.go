package scan

import (
	"go/types"
	"path"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
)

// content is a message's body, or what was made of it without looking inside: a text,
// a reader, a decoder.
type content struct {
	typ types.Type
	of  *Consumer
}

// DynamicType implements [value.Atom].
func (c *content) DynamicType() types.Type { return c.typ }

// Retyped implements [value.Retypable].
func (c *content) Retyped(t types.Type) value.Value { return &content{t, c.of} }

// replyTo is the address that a request asks a reply to be sent to.
type replyTo struct {
	typ types.Type
	of  *Consumer
}

// DynamicType implements [value.Atom].
func (r *replyTo) DynamicType() types.Type { return r.typ }

// Retyped implements [value.Retypable].
func (r *replyTo) Retyped(t types.Type) value.Value { return &replyTo{t, r.of} }

// encoded is the encoding of a value of a type.
type encoded struct {
	typ types.Type
	of  types.Type
}

// DynamicType implements [value.Atom].
func (e *encoded) DynamicType() types.Type { return e.typ }

// Retyped implements [value.Retypable].
func (e *encoded) Retyped(t types.Type) value.Value { return &encoded{t, e.of} }

// contentCall evaluates a call of a function that isn't read and gets a body: it
// decodes it, or makes something else of it.
func (s *scanner) contentCall(call *model.Call, fn *types.Func) (value.Value, bool) {
	if v, ok := encode(call, fn); ok {
		return v, true
	}
	given := contentIn(call)
	if given == nil {
		return nil, false
	}
	if target := s.decoded(call, fn, given); target != nil {
		if copied(call, given, target) {
			return results(call), true
		}
		s.noteDecoded(call, fn, given.of, target)
		return nil, false
	}
	if s.program.IsOwn(fn.Pkg().Path()) {
		return nil, false
	}
	declared := call.Fn.Obj.Signature().Results()
	if declared.Len() == 0 || isScalar(declared.At(0).Type()) {
		return nil, false
	}
	return results(call, &content{declared.At(0).Type(), given.of}), true
}

func isScalar(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return value.IsErrorType(t) || ok && basic.Info()&types.IsString == 0
}

// contentIn returns the body that a call gets, nil for none.
func contentIn(call *model.Call) *content {
	for _, v := range append([]value.Value{call.Fn.Recv}, call.Args...) {
		if c, ok := v.(*content); ok {
			return c
		}
	}
	return nil
}

// decoders are the beginnings of the names of functions that decode.
var decoders = []string{"Unmarshal", "Decode", "Deserialize", "Parse", "Read", "FromJSON", "Bind"}

// decoded returns the value that a call decodes a body into: an argument of
// Unmarshal(body, &v) or Decode(&v), or the receiver of v.UnmarshalJSON(body). It is
// nil where the call doesn't decode.
func (s *scanner) decoded(call *model.Call, fn *types.Func, body *content) value.Value {
	isDecoder := false
	for _, name := range decoders {
		isDecoder = isDecoder || strings.HasPrefix(fn.Name(), name)
	}
	if !isDecoder {
		return nil
	}
	if recv := fn.Signature().Recv(); recv != nil && call.Fn.Recv != value.Value(body) && strings.HasPrefix(fn.Name(), "Unmarshal") && len(call.Args) == 1 {
		if !types.IsInterface(recv.Type()) && !isOfLibrary(fn) {
			return call.Fn.Recv
		}
	}
	if s.program.IsOwn(fn.Pkg().Path()) {
		return nil // it is followed
	}
	for i, v := range call.Args {
		if _, ok := v.(value.Pointer); ok {
			return v
		}
		if u, ok := v.(*value.Unknown); ok && !isContext(fn.Signature().Params().At(i).Type()) {
			return u
		}
	}
	return nil
}

// isOfLibrary reports whether a method is one of an encoding's own types, such as
// protojson.UnmarshalOptions, rather than of a message.
func isOfLibrary(fn *types.Func) bool {
	return strings.HasSuffix(fn.FullName(), "Options).Unmarshal") || strings.HasPrefix(fn.FullName(), "(*github.com/json-iterator")
}

func isContext(t types.Type) bool {
	named := value.NamedOf(t)
	return named != nil && named.Obj().Name() == "Context"
}

func (s *scanner) noteDecoded(call *model.Call, fn *types.Func, c *Consumer, target value.Value) {
	pos := s.program.Position(call.At.Pos())
	t := targetType(target)
	if t == nil || value.HasTypeParam(t) {
		why := "it is decoded into a value whose type isn't known"
		if u, ok := target.(*value.Unknown); ok && u.Reason != "" {
			why += ": it is " + u.Reason
		}
		c.addGap(Gap{What: whichType, Why: why, Pos: pos})
		return
	}
	c.addBody(Body{Type: t, Format: path.Base(fn.Pkg().Path()), Pos: pos})
}

// copied stores a body that is decoded into a json.RawMessage: it stays what it is. It
// reports whether the target is of that type. Into []byte, JSON decodes base64.
func copied(call *model.Call, body *content, target value.Value) bool {
	p, ok := target.(value.Pointer)
	if !ok {
		return false
	}
	t := value.Pointee(p.Type)
	if t == nil || !registered.IsRawMessage(t) {
		return false
	}
	call.Store(p.To, &content{t, body.of}, t)
	return true
}

// targetType returns the type of what a pointer leads to, nil where it isn't known.
func targetType(v value.Value) types.Type {
	for range 4 {
		p, ok := v.(value.Pointer)
		if !ok {
			break
		}
		if _, isPointer := p.Load().(value.Pointer); !isPointer {
			return value.Pointee(p.Type)
		}
		v = p.Load()
	}
	if t := value.TypeOf(v); t != nil {
		return value.Pointee(t)
	}
	return nil
}

// encode evaluates a call that encodes a value, such as json.Marshal.
func encode(call *model.Call, fn *types.Func) (value.Value, bool) {
	switch {
	case fn.Signature().Recv() != nil || !strings.HasPrefix(fn.Name(), "Marshal") || len(call.Args) == 0:
		return nil, false
	case contentIn(call) != nil:
		return nil, false
	}
	t := value.TypeOf(call.Args[0])
	declared := call.Fn.Obj.Signature().Results()
	if t == nil || declared.Len() != 2 || !value.IsErrorType(declared.At(1).Type()) {
		return nil, false
	}
	if pointee := value.Pointee(t); pointee != nil {
		t = pointee
	}
	return results(call, &encoded{declared.At(0).Type(), t}), true
}
