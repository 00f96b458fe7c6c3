package difference

import (
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion"
	"github.com/warrenmq/warren/internal/jsontree"
)

// An element is a part of a contract that a rule is about, whatever the version of
// AsyncAPI that it is written in.
type element struct {
	base     string // of the ids of its changes, a key of rules
	name     string // among its siblings of that base, "" for the only one
	value    *jsontree.Node
	at       place
	role     role // of messages and operations
	subject  string
	oneOf    bool     // of an operation: its messages are told apart by their names
	replyTo  *element // of a reply: the operation that it belongs to
	children []*element

	schema *inclusion.Schema // of a payload
}

// A place is where something stands in a document.
type place struct {
	pointer string
	line    int
	column  int
}

func placeOf(pointer string, node *jsontree.Node) place {
	if node == nil {
		return place{pointer: pointer}
	}
	return place{pointer, node.Line, node.Column}
}

// child adds an element.
func (e *element) child(base, name, pointer string, node *jsontree.Node) *element {
	c := &element{base: base, name: name, value: node, at: placeOf(pointer, node), subject: e.subject, role: e.role}
	e.children = append(e.children, c)
	return c
}

// leaf adds an element for a value, if there is one.
func (e *element) leaf(base, pointer string, node *jsontree.Node) {
	if node != nil {
		e.child(base, "", pointer, node)
	}
}

// find returns the child of a base and a name, nil for none.
func (e *element) find(base, name string) *element {
	for _, c := range e.children {
		if c.base == base && c.name == name {
			return c
		}
	}
	return nil
}

// named are the children of a base.
func (e *element) named(base string) []*element {
	var all []*element
	for _, c := range e.children {
		if c.base == base {
			all = append(all, c)
		}
	}
	return all
}
