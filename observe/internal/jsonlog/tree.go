package jsonlog

import (
	"log/slog"
	"slices"
)

// A node is a field of a record that has a key twice, for which what comes later
// must be known. It is a group if it has a nil value.
type node struct {
	key     *key
	value   *slog.Value
	members []*node
	byName  map[string]*node // of maxScanned members and more
}

// set makes the node a field that is no group.
func (n *node) set(value slog.Value) { n.value, n.members, n.byName = &value, nil, nil }

// member returns the member of that name, nil if there is none.
func (n *node) member(name string) *node {
	if n.byName != nil {
		return n.byName[name]
	}
	i := slices.IndexFunc(n.members, func(m *node) bool { return m.key.written == name })
	if i < 0 {
		return nil
	}
	return n.members[i]
}

func (n *node) append(member *node) {
	n.members = append(n.members, member)
	if n.byName == nil && len(n.members) >= maxScanned {
		n.byName = make(map[string]*node)
		for _, m := range n.members {
			n.byName[m.key.written] = m
		}
	}
	if n.byName != nil {
		n.byName[member.key.written] = member
	}
}

// tree writes the fields of the context, of the handler and of the record
// without a key twice: slower than body, and rare.
func (e *encoder) tree(fields []slog.Attr, r slog.Record) {
	attrs := make([]slog.Attr, 0, r.NumAttrs())
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, a)
		return true
	})
	for _, s := range slices.Backward(e.handler.steps) {
		if s.group == "" {
			attrs = slices.Concat(s.attrs, attrs)
		} else {
			attrs = []slog.Attr{{Key: s.group, Value: slog.GroupValue(attrs...)}}
		}
	}
	root := new(node)
	e.fields = 0
	e.add(root, fields, true, 0)
	e.add(root, attrs, true, 0)
	e.empty = false
	e.members(root)
}

// child returns the member of that name, a new group if there is none.
func (e *encoder) child(parent *node, name string, top bool) *node {
	e.top = top
	k := e.own(name)
	n := parent.member(k.written)
	if n == nil {
		n = &node{key: k}
		parent.append(n)
	}
	return n
}

func (e *encoder) add(parent *node, attrs []slog.Attr, top bool, depth int) {
	for _, a := range attrs {
		e.fields++
		value := resolve(a.Value)
		switch {
		case isEmpty(a.Key, value):
		case value.Kind() != slog.KindGroup:
			e.child(parent, a.Key, top).set(value)
		case e.tooDeep(depth):
			if a.Key != "" {
				e.child(parent, a.Key, top).set(slog.StringValue(tooDeep))
			}
		case a.Key == "":
			e.add(parent, value.Group(), top, depth+1)
		case e.hold(value.Group(), depth+1):
			n := e.child(parent, a.Key, top)
			n.value = nil
			e.add(n, value.Group(), false, depth+1)
		}
	}
}

// hold reports whether one of the fields isn't empty.
func (e *encoder) hold(attrs []slog.Attr, depth int) bool {
	return slices.ContainsFunc(attrs, func(a slog.Attr) bool {
		e.fields++
		value := resolve(a.Value)
		switch {
		case value.Kind() != slog.KindGroup:
			return !isEmpty(a.Key, value)
		case e.tooDeep(depth):
			return a.Key != ""
		default:
			return e.hold(value.Group(), depth+1)
		}
	})
}

func (e *encoder) members(parent *node) {
	for _, n := range parent.members {
		e.begins(n.key)
		switch {
		case n.value != nil:
			e.value(*n.value, n.value.Kind(), n.key.verdict)
		case n.key.verdict.Mask && !e.exempt:
			e.mark()
		default:
			exempt := e.exempt
			e.exempt = exempt || n.key.verdict.Excepted
			e.buf = append(e.buf, '{')
			e.empty = true
			e.members(n)
			e.empty = false
			e.buf = append(e.buf, '}')
			e.exempt = exempt
		}
	}
}
