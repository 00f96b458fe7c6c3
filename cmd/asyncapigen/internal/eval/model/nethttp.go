package model

import (
	"net/textproto"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// The models of http.Header and textproto.MIMEHeader, which are maps, and of
// http.HandlerFunc.

// header returns the map that is the receiver, and the key in its canonical
// form.
func (c *Call) header() (*value.Map, value.Value) {
	m, _ := c.Fn.Recv.(*value.Map)
	key, known := value.TextOf(c.Args[0])
	if !known {
		return m, c.because(c.Args[0])
	}
	return m, text(textproto.CanonicalMIMEHeaderKey(key))
}

// headerWrite is the model of Set, Add and Del, which change the entry of a key.
func headerWrite(change func(c *Call, m *value.Map, key value.Value)) Function {
	return func(c *Call) (value.Value, bool) {
		m, key := c.header()
		if m == nil {
			return nil, false
		}
		change(c, m, key)
		return value.Tuple{}, true
	}
}

var (
	headerSet = headerWrite(func(c *Call, m *value.Map, key value.Value) {
		c.SetEntry(m, key, newSlice(stringsType, c.Args[1]))
	})

	headerAdd = headerWrite(func(c *Call, m *value.Map, key value.Value) {
		held, found := c.Lookup(m, key, stringsType)
		if _, known := elements(held); found == value.Perhaps || !known {
			c.SetEntry(m, key, c.because(held))
			return
		}
		c.SetEntry(m, key, c.Append(c.At, held, []value.Value{c.Args[1]}, stringsType))
	})

	headerDel = headerWrite(func(c *Call, m *value.Map, key value.Value) { c.DeleteEntry(m, key) })
)

// headerGet is the model of Get: the first value of a key.
func headerGet(c *Call) (value.Value, bool) {
	if value.IsNil(c.Fn.Recv) {
		return text(""), true
	}
	m, key := c.header()
	if m == nil {
		return nil, false
	}
	held, found := c.Lookup(m, key, stringsType)
	all, known := elements(held)
	switch {
	case found == value.Perhaps || !known:
		return c.because(held), true
	case len(all) == 0:
		return text(""), true
	default:
		return all[0], true
	}
}

// callsItself is the model of the method of a function type that calls the function.
func callsItself(c *Call) (value.Value, bool) { return c.Call(c.At, c.Fn.Recv, c.Args), true }
