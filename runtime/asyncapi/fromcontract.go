package asyncapi

import (
	"encoding/json"
	"slices"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/schema"
)

// FromContract returns the exact document of a contract. A nil cfg means the defaults.
// It is how asyncapigen makes a document from source code; programs call
// [Generate].
func FromContract(c *contract.Contract, cfg *Config) *Document {
	if cfg == nil {
		cfg = &Config{}
	}
	document := &Document{
		AsyncAPI: specificationVersion,
		Info:     cfg.info(),
		Servers:  cfg.servers(),
		Channels: Channels{},
	}
	for _, channel := range c.Channels {
		made := newChannel(channel)
		if cfg.EncodeChannels {
			made.Name = contract.EncodedChannelName(made.Name, channel.HasReferences())
		}
		document.Channels = append(document.Channels, made)
	}
	if len(c.Components) > 0 {
		document.Components = newComponents(c.Components)
	}
	return document
}

func newChannel(c contract.Channel) Channel {
	channel := Channel{
		Name:        c.Queue.Name,
		Description: c.Description,
		Subscribe: &ChannelOperation{
			OperationID: c.Name,
			Message:     Message{Name: c.Name},
			Tags:        sortedTags(c.Tags),
		},
		Bindings: Bindings{AMQP: AMQPBinding{
			Is:    "queue",
			Queue: Queue{Name: c.Queue.Name, Durable: c.Queue.Durable, Exclusive: c.Queue.Exclusive},
		}},
	}
	if !c.Schema.IsEmpty() {
		channel.Subscribe.Message.Payload = c.Schema
	}
	if c.Messages != nil {
		channel.Subscribe.Message = severalMessages(c)
	}
	if e := c.Exchange; e != nil {
		channel.Bindings.AMQP.Exchange = &Exchange{Name: e.Name, Type: string(e.Type), Durable: e.Durable}
	}
	if c.Reply != nil {
		channel.Publish = &ChannelOperation{
			OperationID: c.ReplyID(),
			Message:     Message{Name: c.Name + ".response"},
		}
	}
	return channel
}

// severalMessages describes the messages of a route that tells them apart. See
// docs/decisions/0042.
func severalMessages(c contract.Channel) Message {
	several := Message{OneOf: []Message{}}
	header, byHeader := c.DispatchedBy.Header()
	for _, m := range c.Messages {
		message := Message{Name: m.Name}
		if !m.Schema.IsEmpty() {
			message.Payload = m.Schema
		}
		switch {
		case byHeader:
			message.Headers = headerIs(header, m.Name)
		case c.DispatchedBy.IsKey():
			message.RoutingKey = m.Name
		default:
			message.Bindings = &MessageBindings{AMQP: AMQPMessageBinding{MessageType: m.Name}}
		}
		several.OneOf = append(several.OneOf, message)
	}
	return several
}

// headerIs describes headers of which one is the text.
func headerIs(name, text string) *Schema {
	value, _ := json.Marshal(text) // never fails
	return &Schema{
		Type:       schema.Types{"object"},
		Properties: schema.Properties{{Name: name, Schema: &Schema{Type: schema.Types{"string"}, Enum: []json.RawMessage{value}}}},
		Required:   []string{name},
	}
}

// sortedTags orders the names by their bytes. A name that is given twice is
// listed once: AsyncAPI allows no more.
func sortedTags(names []string) []Tag {
	var tags []Tag
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		tags = append(tags, Tag{Name: name})
	}
	return tags
}

func newComponents(described []schema.Component) *Components {
	all := &Components{}
	for _, c := range described {
		all.Schemas = append(all.Schemas, schema.Property{Name: c.Key, Schema: c.Schema})
	}
	return all
}
