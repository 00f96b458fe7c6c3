package difference

import (
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion"
	"github.com/warrenmq/warren/internal/jsontree"
)

// An Operation is something that a service does with the messages of a channel.
type Operation struct {
	Name     string
	Sends    bool           // else it receives
	Channel  Channel        // of a reply, that of the request
	Node     *jsontree.Node // as the document has it
	Messages []Message
	Reply    *Operation // nil for none; it goes the other way
}

// A Channel is one of a document.
type Channel struct {
	Name string // its address, where it has one
	Node *jsontree.Node
}

// A Message is one of those of an operation.
type Message struct {
	Name string
	Node *jsontree.Node // as the document has it, after its references

	element  *element
	document *Document
}

// Root returns the document itself.
func (d *Document) Root() *jsontree.Node { return d.root }

// HidesSends reports whether the document has no place for what the service sends of its
// own accord: those that asyncapigen writes of AsyncAPI 2.
func (d *Document) HidesSends() bool { return d.form != "" }

// HidesKeys reports whether the document has no place for routing keys: the exact ones
// of asyncapigen.
func (d *Document) HidesKeys() bool { return d.form == exactForm }

// Operations returns those of a document, in its order. Of AsyncAPI 2 documents that
// asyncapigen didn't write, publish is what the service receives, as the specification
// has it.
func (d *Document) Operations() []Operation {
	var all []Operation
	at := make(map[*element]int)
	for _, channel := range d.contract.named("channel") {
		for _, e := range channel.named("operation") {
			o := d.operation(channel, e)
			if e.replyTo != nil { // which was read before
				all[at[e.replyTo]].Reply = &o
				continue
			}
			at[e] = len(all)
			all = append(all, o)
		}
	}
	return all
}

func (d *Document) operation(channel, e *element) Operation {
	o := Operation{
		Name: e.subject, Sends: e.role == sending || e.role == either && e.name == string(Subscribe),
		Channel: Channel{channel.name, channel.value}, Node: e.value,
	}
	for _, m := range e.named("message") {
		o.Messages = append(o.Messages, Message{Name: m.name, Node: m.value, element: m, document: d})
	}
	return o
}

// Disagreements returns where a message that one service sends isn't what another one
// accepts, or may not be: the changes from the sender's contract to the receiver's that
// aren't compatible. Of a message whose payload one side doesn't describe nothing is
// known.
func Disagreements(sent, accepted Message) []Change {
	c := &comparison{old: sent.document, new: accepted.document, prover: inclusion.NewProver(), report: &Report{}}
	for _, base := range []string{"message-content-type", "message-encoding", "message-schema-format"} {
		if of, other := sent.element.find(base, ""), accepted.element.find(base, ""); of != nil && other != nil {
			c.leaf(of, other)
		}
	}
	of, other := sent.element.find("payload", "payload"), accepted.element.find("payload", "payload")
	if of != nil && other != nil {
		to := *other
		to.role, to.subject = receiving, accepted.Name
		c.roots = append(c.roots, &rootPair{element: &to, old: of, new: &to})
	}
	c.payloads()
	c.order()
	return slices.DeleteFunc(c.report.Changes, func(change Change) bool {
		return change.Severity != Breaking && change.Severity != Undecided
	})
}
