package difference

import (
	"fmt"
	"strings"

	"github.com/warrenmq/warren/internal/jsontree"
)

// readThree reads the channels and operations of AsyncAPI 3, as those of AsyncAPI 2
// are read: an operation is a part of its channel, and a reply is what the service
// sends there.
func (r *documentReader) readThree() {
	channels := make(map[*jsontree.Node]*element)
	for _, m := range r.objects(r.root.Get("channels"), "#/channels") {
		name := m.name
		if address := m.node.Get("address").Str(); address != "" && r.contract.find("channel", address) == nil {
			name = address
		}
		e := r.contract.child("channel", name, m.pointer, m.node)
		e.subject = "the channel " + name
		known := keys{"address": "", "messages": "", "parameters": "channel-parameters", "servers": "channel-servers", "bindings": ""}
		for _, name := range []string{"title", "summary", "description", "tags", "externalDocs"} {
			known[name] = "channel-text"
		}
		known["x-bound"], known["x-routing-keys"] = "", ""
		r.members(e, m.node, m.pointer, known)
		r.bound(e, m.node, m.pointer)
		r.bindings(e, m.node.Get("bindings"), m.pointer+"/bindings")
		channels[m.node] = e
	}
	for _, m := range r.objects(r.root.Get("operations"), "#/operations") {
		node, at := r.deref(m.node.Get("channel"), m.pointer+"/channel")
		channel := channels[node]
		if channel == nil {
			r.fail(at, m.node, "the operation %s is of no channel of the document", m.name)
			continue
		}
		r.operationThree(channel, m, node)
	}
}

// bound reads by which channels of exchanges a queue is filled, as asyncapigen writes
// them, and the keys of which a sender chooses one.
func (r *documentReader) bound(e *element, channel *jsontree.Node, pointer string) {
	r.routingKeys(e, channel, pointer)
	if bound := channel.Get("x-bound"); bound != nil {
		for i, one := range bound.Items {
			e.child("routing-key", one.Get("channel").Str(), fmt.Sprintf("%s/x-bound/%d", pointer, i), one)
		}
	}
}

func (r *documentReader) operationThree(channel *element, m object, of *jsontree.Node) {
	name, as := m.node.Get("action").Str(), receiving
	switch name {
	case "receive":
	case "send":
		as = sending
	default:
		r.fail(m.pointer, m.node, "the action %q of the operation %s is neither receive nor send", name, m.name)
		return
	}
	if channel.find("operation", name) != nil {
		name += " " + m.name
	}
	e := channel.child("operation", name, m.pointer, m.node)
	e.role, e.subject = as, m.name
	r.operation(e, m.node, m.pointer, keys{"action": "", "channel": "", "messages": "", "reply": ""})
	e.child("operation-id", "operationId", m.pointer, &jsontree.Node{Kind: jsontree.String, Text: m.name, Line: m.node.Line, Column: m.node.Column})
	r.messagesThree(e, m.node, m.pointer, of)
	if reply := m.node.Get("reply"); reply != nil {
		r.replyThree(channel, e, reply, m.pointer+"/reply")
	}
}

// messagesThree reads the messages that an operation names, which are all of its
// channel where it names none.
func (r *documentReader) messagesThree(e *element, node *jsontree.Node, pointer string, channel *jsontree.Node) {
	if named := node.Get("messages"); named != nil {
		e.oneOf = len(named.Items) > 1
		for _, one := range named.Items {
			ref := one.Get("$ref").Str()
			r.message(e, one, pointer+"/messages", ref[strings.LastIndexByte(ref, '/')+1:])
		}
		return
	}
	all := r.objects(channel.Get("messages"), pointer)
	e.oneOf = len(all) > 1
	for _, m := range all {
		r.message(e, m.node, m.pointer, m.name)
	}
}

// replyThree reads what goes the other way: the service receives the replies to what it
// sends.
func (r *documentReader) replyThree(channel, to *element, node *jsontree.Node, pointer string) {
	node, pointer = r.deref(node, pointer)
	if node == nil {
		return
	}
	name, as := "send", sending
	if to.role == sending {
		name, as = "receive", receiving
	}
	if channel.find("operation", name) != nil {
		name += " " + to.subject + ".reply"
	}
	e := channel.child("operation", name, pointer, node)
	e.role, e.subject, e.replyTo = as, to.subject+".reply", to
	r.members(e, node, pointer, keys{"address": "reply-address", "channel": "", "messages": ""})
	of, _ := r.deref(node.Get("channel"), pointer+"/channel")
	r.messagesThree(e, node, pointer, of)
}
