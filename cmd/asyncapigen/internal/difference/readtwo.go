package difference

import (
	"fmt"

	"github.com/warrenmq/warren/internal/jsontree"
)

// readTwo reads the channels of AsyncAPI 2.
func (r *documentReader) readTwo() {
	channels := r.objects(r.root.Get("channels"), "#/channels")
	if r.receives == ByShape && r.isOwn(channels) {
		r.receives, r.form = Subscribe, exactForm
		if r.contentType != nil {
			r.form = extendedForm
		}
	}
	for _, m := range channels {
		e := r.contract.child("channel", m.name, m.pointer, m.node)
		e.subject = "the channel " + m.name
		known := keys{"description": "channel-text", "servers": "channel-servers", "parameters": "channel-parameters", "subscribe": "", "publish": "", "bindings": ""}
		r.members(e, m.node, m.pointer, known)
		r.bindings(e, m.node.Get("bindings"), m.pointer+"/bindings")
		for _, key := range []string{"subscribe", "publish"} {
			if operation := m.node.Get(key); operation != nil {
				r.operationTwo(e, key, operation, m.pointer+"/"+key)
			}
		}
	}
}

// isOwn reports whether asyncapigen has written the channels: each is a queue
// whose messages the service receives, and publish has only replies.
func (r *documentReader) isOwn(channels []object) bool {
	for _, m := range channels {
		id := m.node.Get("subscribe").Get("operationId").Str()
		publish := m.node.Get("publish")
		if m.node.Get("bindings").Get("amqp").Get("is").Str() != "queue" || id == "" {
			return false
		}
		if publish != nil && publish.Get("operationId").Str() != id+".reply" {
			return false
		}
	}
	return true
}

func (r *documentReader) operationTwo(channel *element, key string, node *jsontree.Node, pointer string) {
	name, of := key, either
	switch {
	case r.receives == Direction(key):
		name, of = "receive", receiving
	case r.receives != ByShape:
		name, of = "send", sending
	}
	id := node.Get("operationId").Str()
	e := channel.child("operation", name, pointer, node)
	e.role, e.subject = of, operationSubject(id, channel.name, key)
	if r.form != "" && of == sending { // publish of asyncapigen's own documents
		e.replyTo = channel.find("operation", "receive")
	}
	r.operation(e, node, pointer, r.withExtensions(keys{"operationId": "operation-id", "message": ""}))
	message := node.Get("message")
	if message == nil {
		r.silent = append(r.silent, "the payload of "+e.subject)
		return
	}
	several := message.Get("oneOf")
	if several == nil {
		r.message(e, message, pointer+"/message", "")
		return
	}
	e.oneOf = true
	for i, one := range several.Items {
		r.message(e, one, fmt.Sprintf("%s/message/oneOf/%d", pointer, i), "")
	}
}

func operationSubject(id, channel, key string) string {
	if id != "" {
		return id
	}
	return key + " of the channel " + channel
}

// operation reads what is common to the versions.
func (r *documentReader) operation(e *element, node *jsontree.Node, pointer string, known keys) {
	for _, name := range []string{"title", "summary", "description", "tags", "externalDocs"} {
		known[name] = "operation-text"
	}
	for _, name := range []string{"x-consumer", "x-failure", "x-target"} {
		known[name] = "operation-text" // asyncapigen's own, of what the wire doesn't show or shows elsewhere
	}
	known["x-source"] = "" // lines move with every change of the code
	known["security"], known["traits"], known["bindings"] = "operation-security", "operation-traits", ""
	r.members(e, node, pointer, known)
	for _, m := range r.objects(node.Get("bindings"), pointer+"/bindings") {
		if m.name != "amqp" {
			e.child("protocol-binding", m.name, m.pointer, m.node)
			continue
		}
		known := keys{"bindingVersion": "binding-version", "ack": "operation-ack"}
		for _, name := range []string{"expiration", "userId", "cc", "priority", "deliveryMode", "mandatory", "bcc", "timestamp", "replyTo"} {
			known[name] = "operation-property"
		}
		r.members(e, m.node, m.pointer, known)
	}
}

// message reads a message of an operation. The name is a key that the document has
// for it, "" for none.
func (r *documentReader) message(operation *element, node *jsontree.Node, pointer, key string) {
	node, pointer = r.deref(node, pointer)
	if node == nil {
		return
	}
	name := r.messageName(node, key, pointer)
	e := operation.child("message", name, pointer, node)
	known := r.withExtensions(keys{
		"name": "message-name", "messageId": "message-id", "payload": "", "headers": "", "schemaFormat": "message-schema-format",
		"contentType": "", "correlationId": "message-correlation", "examples": "message-examples", "traits": "message-traits", "bindings": "",
	})
	for _, name := range []string{"title", "summary", "description", "tags", "externalDocs"} {
		known[name] = "message-text"
	}
	r.members(e, node, pointer, known)
	contentType := node.Get("contentType")
	if contentType == nil {
		contentType = r.contentType
	}
	e.leaf("message-content-type", pointer+"/contentType", contentType)
	for _, m := range r.objects(node.Get("bindings"), pointer+"/bindings") {
		if m.name == "amqp" {
			r.members(e, m.node, m.pointer, keys{"bindingVersion": "binding-version", "contentEncoding": "message-encoding", "messageType": "message-type"})
		} else {
			e.child("protocol-binding", m.name, m.pointer, m.node)
		}
	}
	r.payloads(e, node, pointer)
}

// messageName returns what a message is known by. In documents that asyncapigen has
// written it is the name: only extended ones have ids.
func (r *documentReader) messageName(node *jsontree.Node, key, pointer string) string {
	if name := node.Get("name").Str(); r.form != "" && name != "" {
		return name
	}
	for _, name := range []string{node.Get("messageId").Str(), node.Get("name").Str(), key, node.Get("title").Str()} {
		if name != "" {
			return name
		}
	}
	return pointer
}

// payloads reads the schemas of a message.
func (r *documentReader) payloads(e *element, node *jsontree.Node, pointer string) {
	for _, part := range []string{"payload", "headers"} {
		value, at := node.Get(part), pointer+"/"+part
		if part == "payload" && value.Get("schemaFormat") != nil { // of AsyncAPI 3
			e.leaf("message-schema-format", at+"/schemaFormat", value.Get("schemaFormat"))
			value, at = value.Get("schema"), at+"/schema"
		}
		if value == nil {
			if part == "payload" {
				r.silent = append(r.silent, "the payload of "+e.subject)
			}
			continue
		}
		schema, err := r.reader.Schema(value)
		if err != nil {
			r.fail(at, value, "the %s of %s can't be read: %v", part, e.subject, err)
			continue
		}
		e.child(part, part, at, value).schema = schema
	}
}
