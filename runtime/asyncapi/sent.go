package asyncapi

import (
	"cmp"
	"maps"
	"slices"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
)

// A Sent is a message that a service sends, with the reply that it waits for.
type Sent struct {
	Message Message
	Reply   *Message // nil for none
}

// SentFromContract describes what the service of a contract sends, in the order of its
// sends, as the extended document describes messages. AsyncAPI 2.6.0 has no place for
// it beside what the service consumes; later versions have.
func SentFromContract(c *contract.Contract) []Sent {
	w := newExtendedWriter(c)
	all := make([]Sent, len(c.Sends))
	for i, s := range c.Sends {
		all[i] = w.sent(s)
	}
	return all
}

func (w *extendedWriter) sent(s contract.Send) Sent {
	as := contract.Operation{Route: runtime.Route{Codec: s.Codec}}
	sent := Sent{Message: Message{Payload: s.Schema}}
	sent.Message.Name = cmp.Or(s.Type, s.Route)
	if sent.Message.Name == "" {
		sent.Message.Name = s.ID
	}
	if s.Schema.IsEmpty() {
		sent.Message.Payload = nil
	}
	if len(s.Headers) > 0 {
		sent.Message.Headers = headersAre(s.Headers)
	}
	if s.Type != "" {
		sent.Message.Bindings = &MessageBindings{AMQP: AMQPMessageBinding{MessageType: s.Type, BindingVersion: bindingVersion}}
	}
	w.describe(&sent.Message, as, s.Payload, s.Schema)
	sent.Message.Examples = w.examples(&sent.Message)
	if s.Result == nil {
		return sent
	}
	sent.Message.CorrelationID = &CorrelationID{"Comes back in the reply.", correlation}
	as.Reply = new(runtime.Address)
	sent.Reply = &Message{Name: sent.Message.Name + ".response"}
	w.replyMessage(sent.Reply, as, s.Result, s.ResultSchema)
	return sent
}

// headersAre describes headers of which all have these values.
func headersAre(table map[string]any) *Schema {
	headers := &Schema{Type: schema.Types{"object"}}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		headers.Properties = append(headers.Properties, schema.Property{Name: name, Schema: valueIs(table[name])})
		headers.Required = append(headers.Required, name)
	}
	return headers
}
