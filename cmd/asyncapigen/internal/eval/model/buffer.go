package model

import (
	"go/constant"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// The model of strings.Builder. What was written is kept in the variable of its
// field buf, as a string. (bytes.Buffer, whose bytes others can see and change,
// is evaluated by its source.)

// bufferOf returns the variable in which a builder keeps its text, nil where the
// builder isn't known.
func bufferOf(recv value.Value) *value.Cell {
	s := pointedStruct(recv)
	if s == nil {
		return nil
	}
	return fieldNamed(s, "buf")
}

func bufferString(c *Call) (value.Value, bool) {
	buf := bufferOf(c.Fn.Recv)
	if buf == nil {
		return nil, false
	}
	written, known := value.TextOf(buf.Load())
	if !known {
		return c.because(buf.Load()), true
	}
	return text(written), true
}

// bufferCap is the model of strings.Builder's Cap, which depends on how the
// running program allocates.
func bufferCap(c *Call) (value.Value, bool) {
	buf := bufferOf(c.Fn.Recv)
	if buf == nil {
		return nil, false
	}
	if value.IsNil(buf.Load()) {
		return integer(0), true
	}
	return value.UnknownResult(c.At), true
}

func bufferGrow(c *Call) (value.Value, bool) {
	buf := bufferOf(c.Fn.Recv)
	if buf == nil {
		return nil, false
	}
	c.uncopied()
	n, known := value.IntOf(c.Args[0])
	switch {
	case known && n < 0:
		c.panics("strings.Builder.Grow: negative count")
	case value.IsNil(buf.Load()) && !known:
		c.Set(buf, c.because(c.Args...))
	case value.IsNil(buf.Load()) && n > 0:
		c.Set(buf, text(""))
	}
	return value.Tuple{}, true
}

// uncopied fails where the builder is a copy of one that was written to.
func (c *Call) uncopied() {
	p := c.Fn.Recv.(value.Pointer)
	addr := fieldNamed(pointedStruct(p), "addr")
	switch first := addr.Load().(type) {
	case value.Nil:
		c.Set(addr, p)
	case value.Pointer:
		if first.To != p.To {
			c.panics("strings: illegal use of non-zero Builder copied by value")
		}
	case *value.Unknown:
		c.Risk(c.At)
	}
}

// bufferWrite is the model of the methods that write.
func bufferWrite(c *Call) (value.Value, bool) {
	buf := bufferOf(c.Fn.Recv)
	if buf == nil {
		return nil, false
	}
	c.uncopied()
	added := c.Args[0]
	n, exact := value.IntOf(added)
	switch name := c.Fn.Obj.Name(); {
	case name == "WriteByte":
		if exact {
			added = text(string([]byte{byte(n)}))
		}
		c.writeText(buf, added)
		return noError(), true
	case name == "WriteRune" && exact:
		added = text(string(rune(n)))
	}
	return c.writeText(buf, added), true
}

func integer(n int) value.Value { return value.NewConst(constant.MakeInt64(int64(n)), intType) }

func noError() value.Value { return value.Nil{Type: errorType} }

// writeText adds a string or a slice of bytes to a text, and returns what a
// Write method does.
func (c *Call) writeText(buf *value.Cell, added value.Value) value.Value {
	if slice, ok := added.(*value.Slice); ok {
		added = value.StringOf(c.At, slice, stringType)
	}
	before, known := value.TextOf(buf.Load())
	more, also := value.TextOf(added)
	switch {
	case !known:
		c.Set(buf, c.because(buf.Load(), added)) // others may wait for what is written
	case !also || len(before)+len(more) > value.MaxText:
		c.Set(buf, c.because(added))
	default:
		c.Work(len(before) + len(more))
		c.Set(buf, text(before+more))
	}
	if !also {
		return value.Tuple{c.because(added), noError()}
	}
	return value.Tuple{integer(len(more)), noError()}
}

// boundedText returns a string, unless it is too long.
func (c *Call) boundedText(s string) value.Value {
	if len(s) > value.MaxText {
		return value.UnknownAt(c.At.Pos(), "a string longer than those that are looked at")
	}
	c.Work(len(s))
	return text(s)
}

// appendBytes is append(to, added...) for a text.
func (c *Call) appendBytes(to, added value.Value) value.Value {
	more, known := value.TextOf(added)
	if _, ok := elements(to); !ok || !known {
		c.Havoc(value.UnknownResult(c.At), to)
		return c.because(to, added)
	}
	elems := make([]value.Value, len(more))
	for i := range elems {
		elems[i] = value.NewConst(constant.MakeInt64(int64(more[i])), types.Typ[types.Byte])
	}
	c.Work(len(elems))
	return c.Append(c.At, to, elems, bytesType)
}
