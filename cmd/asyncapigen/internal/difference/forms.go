package difference

import (
	"maps"
	"slices"
)

// asyncapigen writes a contract in two forms of AsyncAPI 2.6.0: the exact one has no
// place for much of what the extended one says. That a document says nothing of it is
// then no change.

// beyondExact are the elements that only extended documents have.
var beyondExact = slices.Concat(declaredBases, []string{
	"id", "info", "default-content-type", "document-tags", "external-docs", "server-protocol-version", "server-security",
	"operation-text", "operation-property", "operation-ack", "reply-address", "binding-version",
	"message-id", "message-text", "message-content-type", "message-correlation", "message-examples",
	"queue-auto-delete", "queue-argument", "exchange-auto-delete", "exchange-argument", "routing-key", "extension",
})

// comparedElements returns the elements of two documents that both could have.
func comparedElements(old, new *Document) (a, b *element) {
	if areOfTwoForms(old, new) {
		return old.contract.asExact(), new.contract.asExact()
	}
	return old.contract.without(old.undecidedIn(new)), new.contract.without(new.undecidedIn(old))
}

// areOfTwoForms reports whether one document is exact, and the other one extended.
func areOfTwoForms(old, new *Document) bool {
	return old.form != "" && new.form != "" && old.form != new.form
}

// asExact returns a copy of e without what the exact form has no place for. It says of
// replies only that there are some, and of headers only those that tell messages apart.
func (e *element) asExact() *element {
	copied := *e
	copied.children = nil
	for _, c := range e.children {
		isOfReply := c.base == "message" && c.role == sending
		if slices.Contains(beyondExact, c.base) || isOfReply {
			continue
		}
		child := c.asExact()
		if c.base == "message" && !e.oneOf {
			child.children = slices.DeleteFunc(child.children, func(part *element) bool { return part.name == "headers" })
		}
		copied.children = append(copied.children, child)
	}
	return &copied
}

// A documentForm is that of a document which asyncapigen has written, "" of others.
type documentForm string

const (
	exactForm    documentForm = "exact"
	extendedForm documentForm = "extended"
)

// extensions are those of extended documents, by the element that each is; "" for one
// that no comparison is about. Others are of no known meaning.
var extensions = map[string]string{
	"x-source":            "", // lines move with every change of the code
	"x-consumer":          "operation-text",
	"x-failure":           "operation-text",
	"x-reply-address":     "reply-address",
	"x-unknown-arguments": "channel-text",
	"x-unknown-headers":   "message-text",
}

// withExtensions adds those of extended documents to what an object may have.
func (r *documentReader) withExtensions(known keys) keys {
	if r.form == extendedForm {
		maps.Copy(known, extensions)
	}
	return known
}
