package asyncapi

import (
	"go/token"
	"slices"

	"github.com/warrenmq/warren/internal/schema"
)

// An Operation is a route as documents and clients see it, whether it was found
// in a running program or in source code.
type Operation struct {
	Name        string
	Description string
	Tags        []string // in any order, perhaps repeated
	Queue       Queue
	Exchange    *Exchange // nil for the default exchange
	RoutingKeys []string
	Payload     schema.Type // of the message body; nil for none
	Reply       *Reply      // nil for none

	// Position is where the route is, zero where that isn't known.
	Position token.Position
}

// A Reply is what an operation answers. The zero Exchange and RoutingKey mean
// the address that the request names.
type Reply struct {
	Exchange   string
	RoutingKey string
	Payload    schema.Type
}

// FromOperations makes the document of the operations, with a channel for each
// queue in the order of the operations. Where two share a queue, the later one
// takes the place of the earlier (specification rule A39).
//
// The problems are all that were found, warnings too. The error is a
// [*ProblemError] where some of them are errors; the document is nil then.
func FromOperations(operations []Operation, cfg *Config, options ...Option) (*Document, []Problem, error) {
	operations, problems := onePerQueue(operations)
	problems = append(problems, checkOperations(operations)...)

	payloads := make([]schema.Type, len(operations))
	for i, operation := range operations {
		payloads[i] = operation.Payload
	}
	set := schemaOptions(options).Build(payloads)
	for _, p := range set.Problems {
		problems = append(problems, about(operations[p.Payload], p))
	}
	if err := asError(problems); err != nil {
		return nil, problems, err
	}

	document := &Document{
		AsyncAPI: specificationVersion,
		Info:     cfg.info(),
		Servers:  cfg.servers(),
		Channels: Channels{},
	}
	for i, operation := range operations {
		document.Channels = append(document.Channels, operation.channel(set.Payloads[i]))
	}
	if len(set.Components) > 0 {
		document.Components = components(set)
	}
	return document, problems, nil
}

// onePerQueue leaves out the operations that a later one replaces. The later one
// gets the place of the first.
func onePerQueue(operations []Operation) ([]Operation, []Problem) {
	var kept []Operation
	var problems []Problem
	at := map[string]int{} // of a queue in kept
	for _, operation := range operations {
		i, taken := at[operation.Queue.Name]
		if !taken {
			at[operation.Queue.Name] = len(kept)
			kept = append(kept, operation)
			continue
		}
		problems = append(problems, replaced(kept[i], operation))
		kept[i] = operation
	}
	return kept, problems
}

func (o Operation) channel(payload *Schema) Channel {
	channel := Channel{
		Name:        o.Queue.Name,
		Description: o.Description,
		Subscribe: &ChannelOperation{
			OperationID: o.Name,
			Message:     Message{Name: o.Name},
			Tags:        sortedTags(o.Tags),
		},
		Bindings: Bindings{AMQP: AMQPBinding{Is: "queue", Queue: o.Queue}},
	}
	if !payload.IsEmpty() {
		channel.Subscribe.Message.Payload = payload
	}
	if o.Exchange != nil {
		exchange := *o.Exchange
		channel.Bindings.AMQP.Exchange = &exchange
	}
	if o.Reply != nil {
		channel.Publish = &ChannelOperation{
			OperationID: o.replyID(),
			Message:     Message{Name: o.Name + ".response"},
		}
	}
	return channel
}

func (o Operation) replyID() string { return o.Name + ".reply" }

// sortedTags orders the names by their bytes. A name that is given twice is
// listed once: AsyncAPI allows no more.
func sortedTags(names []string) []Tag {
	var tags []Tag
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		tags = append(tags, Tag{Name: name})
	}
	return tags
}

func components(set *schema.Set) *Components {
	all := &Components{}
	for _, c := range set.Components {
		all.Schemas = append(all.Schemas, schema.Property{Name: c.Key, Schema: c.Schema})
	}
	return all
}
