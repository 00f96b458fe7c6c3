package asyncapi

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/headermatch"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
)

// correlation is by the property correlation_id.
const correlation = "$message.header#/correlation_id"

// octets is the content type of bodies that aren't known to be anything else.
const octets = "application/octet-stream"

// errorHeader carries the text of an error in a reply to a caller.
const errorHeader = "warren-error"

// messages adds to what a route consumes.
func (w *extendedWriter) messages(message *Message, c contract.Channel) {
	if message.OneOf == nil {
		message.MessageID = w.messageID(c.Name)
		w.message(message, c.Operation, c.Payload, c.Schema)
		return
	}
	for i := range message.OneOf {
		one, m := &message.OneOf[i], c.Messages[i]
		one.MessageID = w.messageID(c.Name + "." + m.Name)
		w.message(one, c.Operation, m.Payload, m.Schema)
	}
}

func (w *extendedWriter) message(message *Message, o contract.Operation, payload schema.Type, s *schema.Schema) {
	w.describe(message, o, payload, s)
	message.Headers, message.UnknownHeaders = withBinding(message.Headers, o), o.HeadersAreUnknown()
	if message.Bindings != nil {
		message.Bindings.AMQP.BindingVersion = bindingVersion
	}
	message.Examples = w.examples(message)
	if hidesHeaders(o) {
		for i := range message.Examples {
			message.Examples[i].Headers = nil // their values would be made up
		}
	}
	if o.Reply != nil {
		message.CorrelationID = &CorrelationID{"Comes back in the reply.", correlation}
	}
}

// replies adds to what a route replies.
func (w *extendedWriter) replies(message *Message, c contract.Channel) {
	id := message.Name
	var results []contract.Message // of different types
	for _, m := range c.Messages {
		same := func(other contract.Message) bool { return other.Result.ID() == m.Result.ID() }
		if m.Result != nil && !slices.ContainsFunc(results, same) {
			results = append(results, m)
		}
	}
	if c.Messages == nil || len(results) == 1 {
		result, s := c.Result, c.ResultSchema
		if len(results) == 1 {
			result, s = results[0].Result, results[0].ResultSchema
		}
		message.MessageID = w.messageID(id)
		w.replyMessage(message, c.Operation, result, s)
		return
	}
	*message = Message{OneOf: []Message{}}
	for _, m := range results {
		one := Message{MessageID: w.messageID(id + "." + m.Name), Name: m.Name + ".response"}
		w.replyMessage(&one, c.Operation, m.Result, m.ResultSchema)
		message.OneOf = append(message.OneOf, one)
	}
}

func (w *extendedWriter) replyMessage(message *Message, o contract.Operation, result schema.Type, s *schema.Schema) {
	if !s.IsEmpty() {
		message.Payload = s
	}
	w.describe(message, o, result, s)
	message.CorrelationID = &CorrelationID{"That of the request, or else its message id.", correlation}
	if o.Reply.IsZero() {
		message.Headers = &Schema{
			Type: schema.Types{"object"},
			Properties: schema.Properties{{Name: errorHeader, Schema: &Schema{
				Description: "The text of the handler's error. A message that has it is no result, and its body is empty.",
				Type:        schema.Types{"string"},
			}}},
		}
	}
	message.Examples = w.examples(message)
}

// describe adds what messages and replies have alike.
func (w *extendedWriter) describe(message *Message, o contract.Operation, payload schema.Type, s *schema.Schema) {
	message.Title = message.Name
	if described := w.resolved(s); described != nil {
		if described.Title != "" {
			message.Title = described.Title
		}
		message.Summary = firstSentence(described.Description)
	}
	switch {
	case o.Codec != nil && o.ContentType != "":
		message.ContentType = o.ContentType
	case o.Codec != nil || schema.IsBytes(payload):
		message.ContentType = octets
	default:
		message.ContentType = jsonMedia
	}
}

// examples returns a small message and a full one, or one that is both, none of bodies
// without a schema.
func (w *extendedWriter) examples(message *Message) []Example {
	if message.Payload == nil {
		return nil
	}
	var headers json.RawMessage
	if message.Headers != nil && len(message.Headers.Required) > 0 {
		headers, _ = w.maker.Small(message.Headers)
	}
	var examples []Example
	small, ok := w.maker.Small(message.Payload)
	full, hasFull := w.maker.Full(message.Payload)
	if ok && !bytes.Equal(small, full) {
		examples = append(examples, Example{Name: "small", Summary: "What is required.", Headers: headers, Payload: small})
	}
	if hasFull {
		examples = append(examples, Example{Name: "full", Summary: "With all members.", Headers: headers, Payload: full})
	}
	return examples
}

// resolved returns the component that s refers to, and s where it refers to none.
func (w *extendedWriter) resolved(s *schema.Schema) *schema.Schema {
	if s == nil || s.Ref == "" {
		return s
	}
	return w.components[strings.TrimPrefix(s.Ref, schema.RefPrefix)]
}

// messageID returns an id that no message before has: id itself where it can be.
func (w *extendedWriter) messageID(id string) string {
	for w.messageIDs[id] {
		id += "'"
	}
	w.messageIDs[id] = true
	return id
}

// withBinding adds to the schema of a message's headers those by which a headers
// exchange routes it to the queue. Their values are required where there is no other way
// there; else they are examples. Of one that source code doesn't determine the value is
// left out.
func withBinding(headers *Schema, o contract.Operation) *Schema {
	if !isRoutedByHeaders(o) {
		return headers
	}
	mode := headermatch.Of(o.BindingArguments)
	isNeeded := len(o.Sources) == 0 && !mode.IsAny && o.MatchIsKnown()
	unknown := contract.UnknownKeys(o.UnknownArguments, contract.BindingArguments)
	for _, name := range slices.Sorted(slices.Values(slices.AppendSeq(unknown, maps.Keys(o.BindingArguments)))) {
		if !mode.Compares(name) {
			continue
		}
		if headers == nil {
			headers = &Schema{Type: schema.Types{"object"}}
		}
		if headers.Properties.Get(name) != nil {
			continue
		}
		value := valueIs(o.BindingArguments[name])
		if isNeeded {
			headers.Required = append(headers.Required, name)
		} else {
			value = &Schema{Examples: value.Enum}
		}
		headers.Properties = append(headers.Properties, schema.Property{Name: name, Schema: value})
	}
	return headers
}

func isRoutedByHeaders(o contract.Operation) bool {
	return o.Exchange != nil && contract.RoutingType(o.Exchange) == runtime.Headers
}

// hidesHeaders reports whether a header by which messages are routed isn't known, or its
// value.
func hidesHeaders(o contract.Operation) bool {
	return o.HeadersAreUnknown() || isRoutedByHeaders(o) && contract.UnknownKeys(o.UnknownArguments, contract.BindingArguments) != nil
}

// valueIs describes the value of a binding's argument, of which nil matches any.
func valueIs(argument any) *Schema {
	switch argument.(type) {
	case string, bool, int, int8, int16, int32, int64, uint8, uint16, uint32, float32, float64:
		if text, err := json.Marshal(argument); err == nil {
			return &Schema{Enum: []json.RawMessage{text}}
		}
	}
	return &Schema{}
}
