package model

import (
	"reflect"
	"time"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// printed is the model of the functions of package fmt that return a text.
func printed(print func(*printer, []value.Value) value.Value) Function {
	return func(c *Call) (value.Value, bool) { return print(&printer{c: c}, c.Args), true }
}

// printedOut is the model of those that print to the standard output.
func printedOut(print func(*printer, []value.Value) value.Value) Function {
	return func(c *Call) (value.Value, bool) {
		print(&printer{c: c}, c.Args)
		return writtenSomewhere(c), true
	}
}

func writtenSomewhere(c *Call) value.Value {
	return value.Tuple{
		value.UnknownAt(c.At.Pos(), "the number of bytes written"),
		value.UnknownAt(c.At.Pos(), "the error of "+value.Source(c.At)),
	}
}

// fprinted is the model of those that print to a writer: its Write method is
// called.
func fprinted(print func(*printer, []value.Value) value.Value) Function {
	return func(c *Call) (value.Value, bool) {
		printed := print(&printer{c: c}, c.Args[1:])
		return c.writeTo(c.Args[0], printed), true
	}
}

// appendedText is the model of those that append what f gives for their receiver and
// their other arguments.
func appendedText(f any) Function {
	return func(c *Call) (value.Value, bool) {
		args := c.Args[1:]
		if c.Fn.Bound {
			args = append([]value.Value{c.Fn.Recv}, args...)
		}
		return c.appendBytes(c.Args[0], c.callGo(reflect.ValueOf(f), args)), true
	}
}

// appendedTime is the model of the method AppendFormat of time.Time, which appends a part of the
// text after the other: so it does, where the array has no room at all. Where there is some, but
// too little, parts may be written there.
func appendedTime(c *Call) (value.Value, bool) {
	to, isSlice := c.Args[0].(*value.Slice)
	layout := c.Args[1]
	added := c.callGo(reflect.ValueOf(time.Time.Format), []value.Value{c.Fn.Recv, layout})
	more, known := value.TextOf(added)
	switch {
	case !known || !isSlice && !value.IsNil(c.Args[0]) || isSlice && len(to.Elems)+len(more) <= to.SureCap():
		return c.appendBytes(c.Args[0], added), true
	case isSlice && (to.Open || cap(to.Elems) > len(to.Elems)):
		c.Havoc(value.UnknownResult(c.At), to)
		return c.because(to, added), true
	}
	return c.callGo(reflect.ValueOf(time.Time.AppendFormat), []value.Value{c.Fn.Recv, c.Args[0], layout}), true
}

// appended is the model of those that append a text to a slice of bytes.
func appended(print func(*printer, []value.Value) value.Value) Function {
	return func(c *Call) (value.Value, bool) {
		printed := print(&printer{c: c}, c.Args[1:])
		return c.appendBytes(c.Args[0], printed), true
	}
}

// writeTo writes a text, as far as it is known, to a writer.
func (c *Call) writeTo(w, written value.Value) value.Value {
	method := c.Method(c.At, w, "Write")
	if method == nil {
		c.Expose(c.At, []value.Value{w}, value.UnknownResult(c.At))
		c.Risk(c.At)
		return writtenSomewhere(c)
	}
	data := written
	if known, ok := value.TextOf(written); ok {
		data = value.BytesOrRunes(bytesType, bytesType, known)
	}
	return c.Call(c.At, method, []value.Value{data})
}
