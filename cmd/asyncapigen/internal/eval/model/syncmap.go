package model

import (
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// The model of sync.Map. What it holds is kept, as a map, in the variable of its
// last field.

var syncMapType = types.NewMap(anyType, anyType)

// syncMap returns the map behind the receiver, nil where it isn't known.
func (c *Call) syncMap() *value.Map {
	s := pointedStruct(c.Fn.Recv)
	if s == nil {
		return nil
	}
	cell := s.Fields[len(s.Fields)-1]
	switch v := cell.Load().(type) {
	case *value.Map:
		return v
	case *value.Struct:
		if lost := value.UnknownIn(v); lost != nil { // it may have been filled
			c.Lacked = lost
			return nil
		}
		m := value.NewMap(syncMapType)
		c.Set(cell, m)
		return m
	case *value.Unknown:
		c.Lacked = v
	}
	return nil
}

// onSyncMap is the model of a method of sync.Map that takes a key first. It is
// given what the map holds for the key, and whether it does.
func onSyncMap(do func(c *Call, m *value.Map, held value.Value, found value.Answer) value.Value) Function {
	return func(c *Call) (value.Value, bool) {
		m := c.syncMap()
		if m == nil {
			return nil, false
		}
		c.RequireHashable(c.At, c.Args[0], syncMapType)
		held, found := c.Lookup(m, c.Args[0], anyType)
		return do(c, m, held, found), true
	}
}

// answered is a value and whether it was found.
func answered(c *Call, held value.Value, found value.Answer) value.Value {
	if found == value.Perhaps {
		why := c.because(held)
		return value.Tuple{why, why}
	}
	return value.Tuple{held, boolean(found == value.Yes)}
}

var (
	syncMapLoad = onSyncMap(func(c *Call, _ *value.Map, held value.Value, found value.Answer) value.Value {
		return answered(c, held, found)
	})

	syncMapStore = onSyncMap(func(c *Call, m *value.Map, _ value.Value, _ value.Answer) value.Value {
		c.SetEntry(m, c.Args[0], c.Args[1])
		return value.Tuple{}
	})

	syncMapSwap = onSyncMap(func(c *Call, m *value.Map, held value.Value, found value.Answer) value.Value {
		c.SetEntry(m, c.Args[0], c.Args[1])
		return answered(c, held, found)
	})

	syncMapLoadOrStore = onSyncMap(func(c *Call, m *value.Map, held value.Value, found value.Answer) value.Value {
		switch found {
		case value.Yes:
			return value.Tuple{held, boolean(true)}
		case value.No:
			c.SetEntry(m, c.Args[0], c.Args[1])
			return value.Tuple{c.Args[1], boolean(false)}
		}
		why := c.because(held, c.Args[1])
		c.SetEntry(m, c.Args[0], why)
		return value.Tuple{why, why}
	})

	syncMapDelete = onSyncMap(func(c *Call, m *value.Map, _ value.Value, _ value.Answer) value.Value {
		c.DeleteEntry(m, c.Args[0])
		return value.Tuple{}
	})

	syncMapLoadAndDelete = onSyncMap(func(c *Call, m *value.Map, held value.Value, found value.Answer) value.Value {
		c.DeleteEntry(m, c.Args[0])
		return answered(c, held, found)
	})
)

func syncMapClear(c *Call) (value.Value, bool) {
	m := c.syncMap()
	if m == nil {
		return nil, false
	}
	c.ClearMap(m)
	return value.Tuple{}, true
}

// syncMapRange is the model of Range, which visits the entries in any order.
func syncMapRange(c *Call) (value.Value, bool) {
	m := c.syncMap()
	if m == nil {
		return nil, false
	}
	n, known := m.Size()
	if !known {
		return nil, false
	}
	order := value.Ascending
	if n > 1 {
		order = c.OrderOf(c.At, n)
	}
	visited, added := 0, m.Added()
	for key, v := range m.In(order) {
		more := c.Call(c.At, c.Args[0], []value.Value{key, v})
		visited++
		if left, _ := m.Size(); left == 0 && visited < n { // Clear leaves the others to Range, Delete doesn't
			c.Expose(c.At, c.Args, value.UnknownAt(c.At.Pos(), "a sync.Map that is emptied while it is visited"))
		}
		if m.Added() != added { // it may visit that too
			c.Expose(c.At, c.Args, value.UnknownAt(c.At.Pos(), "a sync.Map that is added to while it is visited"))
		}
		goesOn, known := value.Truth(more)
		if !known {
			c.Expose(c.At, c.Args, c.because(more)) // whether there is another round isn't known
		}
		if !goesOn {
			break
		}
	}
	return value.Tuple{}, true
}

// poolGet is the model of sync.Pool's Get: what was put may be gone.
func poolGet(c *Call) (value.Value, bool) {
	s := pointedStruct(c.Fn.Recv)
	if s == nil {
		return nil, false
	}
	made, size := fieldNamed(s, "New"), fieldNamed(s, "localSize")
	if u, wasPut := size.Load().(*value.Unknown); wasPut {
		c.exposeFunctions([]value.Value{made.Load()}, u)
		c.Risk(c.At)
		return u, true
	}
	if value.IsNil(made.Load()) {
		return value.Nil{Type: anyType}, true
	}
	if u, ok := made.Load().(*value.Unknown); ok {
		c.exposeFunctions([]value.Value{u}, u)
		c.Risk(c.At)
		return c.because(u), true
	}
	return c.Call(c.At, made.Load(), nil), true
}

// poolPut is the model of sync.Pool's Put.
func poolPut(c *Call) (value.Value, bool) {
	s := pointedStruct(c.Fn.Recv)
	if s == nil {
		return nil, false
	}
	why := value.UnknownAt(c.At.Pos(), "a value of the pool that "+value.Source(c.At)+" returns to")
	c.Expose(c.At, c.Args, why)
	c.Set(fieldNamed(s, "localSize"), why)
	return value.Tuple{}, true
}
