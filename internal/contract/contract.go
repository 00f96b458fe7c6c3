// Package contract has the contract of a service: its operations, with the
// schemas of their payloads. It is made in one way of the routes of a running
// program, by package asyncapi, and of those that asyncapigen finds in source
// code, so that both give the same document.
//
//	c, problems := contract.New([]contract.Operation{{
//		Route:   route,
//		Payload: schema.Reflect(route.Handler.BodyType()),
//	}}, schema.Options{})
//	if c == nil {
//		return problems
//	}
//	document := asyncapi.FromContract(c, &asyncapi.Config{Title: "Shop"})
//
// The package knows no AsyncAPI document, and reads neither programs nor source
// code. What documents can't have, and what the tools that read them refuse, is
// reported as a [diagnostic.Diagnostic].
package contract

import (
	"bytes"
	"encoding/json"
	"go/token"
	"slices"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
)

// An Operation is a route of a service, in a running program or in source code.
// Its Name is the operation's id and is required; its Handler isn't looked at.
type Operation struct {
	runtime.Route
	Payload schema.Type    // of the message body; nil for none
	Pos     token.Position // of the route, zero where that isn't known

	// Result is what a handler replies. It is nil where it doesn't reply, and for
	// documents that say nothing of replies: what only they refer to is then no
	// component.
	Result schema.Type

	// Messages are those of a route whose messages have several types, in place of
	// the Payload and the Result; nil for all others. DispatchedBy is what tells them
	// apart.
	Messages     []Message
	DispatchedBy runtime.Discriminator

	// What only the extended document has. All of it may be zero.
	Source           Source   // of the route
	HandledBy        Handler  // Name is empty where nothing is known of it
	ContentType      string   // of the Codec's bodies
	FailureUnknown   bool     // it isn't known what becomes of messages that fail, and so left out
	UnknownArguments []string // of queues, exchanges and bindings, which are left out: tables, and names of their arguments
	UnknownSettings  []string // of how the route consumes, likewise, by their names in the document
}

// RoutingType is the type that decides where messages go: an x-delayed-message exchange
// routes as the type that its arguments name.
func RoutingType(x *runtime.Exchange) runtime.ExchangeType {
	if routes, ok := x.Arguments[delayedType].(string); ok && x.Type == delayed {
		return runtime.ExchangeType(routes)
	}
	return x.Type
}

// delayed is the type of exchanges that keep messages back, and delayedType the argument
// that names the type as which one routes.
const (
	delayed     = "x-delayed-message"
	delayedType = "x-delayed-type"
)

// matchArgument says if a headers exchange compares all arguments of a binding, or any.
const matchArgument = "x-match"

// MatchIsKnown reports whether it is known if a headers exchange compares all arguments of
// the binding or any of them.
func (o Operation) MatchIsKnown() bool {
	if match, isSet := o.BindingArguments[matchArgument]; isSet {
		_, isText := match.(string)
		return isText
	}
	return !IsUnknownArgument(o.UnknownArguments, BindingArguments, matchArgument)
}

// HeadersAreUnknown reports whether the source doesn't determine all headers by which an
// exchange routes messages to the queue, or if one of them is enough. The values of those
// whose names are known don't count.
func (o Operation) HeadersAreUnknown() bool {
	x, unknown := o.Exchange, o.UnknownArguments
	if x == nil {
		return false
	}
	_, isSet := o.BindingArguments[matchArgument]
	hidesNames := HidesKeys(unknown, BindingArguments) || !isSet && IsUnknownArgument(unknown, BindingArguments, matchArgument)
	if RoutingType(x) == runtime.Headers {
		return hidesNames
	}
	mayRoute := x.Type == delayed && x.Arguments[delayedType] == nil && IsUnknownArgument(unknown, ExchangeArguments, delayedType)
	return mayRoute && (hidesNames || len(o.BindingArguments) > 0 || UnknownKeys(unknown, BindingArguments) != nil)
}

// A Source is a place in source code. File is named from the folder of the service's
// module, with slashes; it is empty where the place isn't known, or in no file of the
// module.
type Source struct {
	File string
	Line int
}

// A Handler is the function that handles the messages of an operation.
type Handler struct {
	Name   string // with its package's name; empty of a function literal
	Source Source
}

// A Message is one of several types of messages of an operation.
type Message struct {
	Name    string // by which it is told from the others
	Payload schema.Type
	Result  schema.Type    // of the reply to it, as that of an Operation
	Schema  *schema.Schema // of the Payload, in a Contract; empty as that of a Channel

	ResultSchema *schema.Schema // of the Result, in a Contract; nil where that is nil
}

// WithoutResults returns o for documents that say nothing of what is replied.
func (o Operation) WithoutResults() Operation {
	o.Result, o.Messages = nil, slices.Clone(o.Messages)
	for i := range o.Messages {
		o.Messages[i].Result = nil
	}
	return o
}

// ReplyID returns the id of the operation that replies to o.
func (o Operation) ReplyID() string { return o.Name + ".reply" }

// A Contract is what a service and those who send to it agree on.
type Contract struct {
	Channels   []Channel          // one for each queue, in the order of the operations
	Sends      []Send             // what the service sends
	Components []schema.Component // what the schemas refer to, by key

	// What only the extended document has, as the Operations have of each route.
	Declared        runtime.Topology // beside the routes
	DeclaredUnknown bool             // not all of that is known, and what isn't is left out
}

// A Channel is a queue with the operation that consumes it.
type Channel struct {
	Operation
	Schema *schema.Schema // of the Payload; empty for any JSON, and for bodies that aren't JSON; nil where there are Messages

	ResultSchema *schema.Schema // of the Result, likewise; nil where that is nil
}

// New returns the contract of the operations and of what the service sends, whose
// schemas the options choose.
// Of two operations on one queue the later one replaces the earlier and takes its
// place (specification rule A39).
//
// The problems are all that were found, in the order in which they were found. The
// contract is nil where one of them is an error.
func New(operations []Operation, options schema.Options, sends ...Send) (*Contract, diagnostic.List) {
	operations, problems := onePerQueue(operations)
	problems = append(problems, checkOperations(operations)...)

	var payloads []schema.Type
	var of []interface {
		tied(diagnostic.Diagnostic) diagnostic.Diagnostic
	} // of each payload
	for _, operation := range operations {
		for _, payload := range operation.payloads() {
			payloads, of = append(payloads, payload), append(of, operation)
		}
	}
	sends = named(sends, operations)
	for _, send := range sends {
		for _, payload := range send.payloads() {
			payloads, of = append(payloads, payload), append(of, send)
		}
	}
	set := options.Build(payloads)
	for _, p := range set.Problems {
		problems = append(problems, of[p.Payload].tied(p.Diagnostic))
	}
	if problems.HasErrors() {
		return nil, problems
	}
	c := &Contract{Components: set.Components}
	schemas := set.Payloads
	for _, operation := range operations {
		n := len(operation.payloads())
		c.Channels = append(c.Channels, operation.described(schemas[:n]))
		schemas = schemas[n:]
	}
	for i, send := range sends {
		c.Sends = append(c.Sends, send.described(schemas[2*i:]))
	}
	return c, append(problems, c.checkDecodedNames()...)
}

// HasReferences reports whether a part of c refers to a component.
func (c Channel) HasReferences() bool {
	schemas := []*schema.Schema{c.Schema, c.ResultSchema}
	for _, m := range c.Messages {
		schemas = append(schemas, m.Schema, m.ResultSchema)
	}
	text, err := json.Marshal(schemas)
	return err != nil || bytes.Contains(text, []byte(`"$ref":`))
}

// payloads returns those of all messages of o, each with its result behind it. A
// codec's bodies aren't what encoding/json writes, so they are none.
func (o Operation) payloads() []schema.Type {
	messages := o.Messages
	if messages == nil {
		messages = []Message{{Payload: o.Payload, Result: o.Result}}
	}
	var payloads []schema.Type
	for _, m := range messages {
		if o.Codec != nil {
			m.Payload, m.Result = nil, nil
		}
		payloads = append(payloads, m.Payload, m.Result)
	}
	return payloads
}

// described returns the channel of o, whose payloads have the schemas.
func (o Operation) described(schemas []*schema.Schema) Channel {
	result := func(t schema.Type, i int) *schema.Schema {
		if t == nil {
			return nil
		}
		return schemas[i]
	}
	if o.Messages == nil {
		return Channel{Operation: o, Schema: schemas[0], ResultSchema: result(o.Result, 1)}
	}
	o.Messages = slices.Clone(o.Messages)
	for i := range o.Messages {
		m := &o.Messages[i]
		m.Schema, m.ResultSchema = schemas[2*i], result(m.Result, 2*i+1)
	}
	return Channel{Operation: o}
}

// onePerQueue leaves out the operations that a later one replaces. The later one
// gets the place of the first.
func onePerQueue(operations []Operation) ([]Operation, diagnostic.List) {
	var kept []Operation
	var problems diagnostic.List
	at := map[string]int{} // of a queue in kept
	for _, operation := range operations {
		i, taken := at[operation.Queue.Name]
		if !taken {
			at[operation.Queue.Name] = len(kept)
			kept = append(kept, operation)
			continue
		}
		problems = append(problems, operation.replaces(kept[i]))
		kept[i] = operation
	}
	return kept, problems
}
