package jsonlog

import (
	"log/slog"
	"slices"
)

// A node is a field of a record that has a key twice, for which what comes later
// must be known. It is a group if it has a nil value.
type node struct {
	key     *key
	masked  bool // it is a group of which nothing is shown
	value   *slog.Value
	members []*node
}

// tree writes the fields of the context, of the handler and of the record
// without a key twice: slower than body, and rare.
func (e *encoder) tree(fields []slog.Attr, r slog.Record) {
	root := new(node)
	e.add(root, fields, true, 0)
	current := root
	for _, s := range e.handler.steps {
		if s.group == "" {
			e.add(current, s.attrs, current == root, 0)
			continue
		}
		current = e.child(current, s.group, current == root)
		current.value, current.masked = nil, false
	}
	attrs := make([]slog.Attr, 0, r.NumAttrs())
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, a)
		return true
	})
	e.add(current, attrs, current == root, 0)
	e.empty = false
	e.members(root)
}

// child returns the member of that name, a new group if there is none.
func (e *encoder) child(parent *node, name string, top bool) *node {
	e.top = top
	k := e.own(name)
	i := slices.IndexFunc(parent.members, func(n *node) bool { return n.key.written == k.written })
	if i >= 0 {
		return parent.members[i]
	}
	n := &node{key: k, masked: k.verdict.Mask}
	parent.members = append(parent.members, n)
	return n
}

func (e *encoder) add(parent *node, attrs []slog.Attr, top bool, depth int) {
	for _, a := range attrs {
		value := resolve(a.Value)
		switch {
		case a.Key == "" && value.Equal(slog.Value{}):
		case value.Kind() == slog.KindGroup && a.Key == "":
			if depth < maxGroupDepth {
				e.add(parent, value.Group(), top, depth+1)
			}
		case value.Kind() == slog.KindGroup && depth < maxGroupDepth:
			if len(value.Group()) > 0 {
				n := e.child(parent, a.Key, top)
				n.value = nil
				e.add(n, value.Group(), false, depth+1)
			}
		case value.Kind() == slog.KindGroup:
			deep := slog.StringValue("!ERROR: groups nested too deeply")
			e.child(parent, a.Key, top).value = &deep
		default:
			n := e.child(parent, a.Key, top)
			n.value, n.members = &value, nil
		}
	}
}

func (e *encoder) members(parent *node) {
	for _, n := range parent.members {
		switch {
		case n.value != nil:
			e.begins(n.key)
			e.value(*n.value, n.key.verdict)
		case !n.holdsSomething():
		case n.masked:
			e.begins(n.key)
			e.mark()
		default:
			e.begins(n.key)
			e.buf = append(e.buf, '{')
			e.empty = true
			e.members(n)
			e.empty = false
			e.buf = append(e.buf, '}')
		}
	}
}

func (n *node) holdsSomething() bool {
	return n.value != nil || slices.ContainsFunc(n.members, (*node).holdsSomething)
}
