package asyncapi3

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/warrenmq/warren/internal/jsontree"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// specificationVersion is the version of AsyncAPI that documents declare.
const specificationVersion = "3.0.0"

// A Document is an AsyncAPI 3.0.0 document, as [Generate] makes it. Its fields are
// marshalled in their order here. It may be changed before it is written, and read
// back by json.Unmarshal.
type Document struct {
	AsyncAPI           string             `json:"asyncapi"` // always "3.0.0"
	ID                 string             `json:"id"`       // a URI that names the service
	Info               Info               `json:"info"`
	DefaultContentType string             `json:"defaultContentType"`
	Servers            Servers            `json:"servers"`
	Channels           Object[Channel]    `json:"channels"`
	Operations         Object[Operation]  `json:"operations"`
	Components         Components         `json:"components"`
	Topology           *asyncapi.Topology `json:"x-topology,omitempty"` // nil where nothing is declared beside the routes
}

// Info is about the service.
type Info struct {
	asyncapi.Info
	Tags         []asyncapi.Tag         `json:"tags,omitempty"`
	ExternalDocs *asyncapi.ExternalDocs `json:"externalDocs,omitempty"`
}

// Servers has the one server of a document.
type Servers struct {
	Broker Server `json:"broker"`
}

// A Server is where the service's queues are.
type Server struct {
	Host            string      `json:"host"`
	Pathname        string      `json:"pathname,omitempty"` // the virtual host, with a slash before it
	Protocol        string      `json:"protocol"`           // "amqp" or "amqps"
	ProtocolVersion string      `json:"protocolVersion"`
	Description     string      `json:"description"`
	Security        []Reference `json:"security,omitempty"` // one of them is enough
}

// A Reference leads to another object of the document.
type Reference struct {
	Ref string `json:"$ref"` // a JSON pointer in a URI fragment
}

// A Channel is a queue, an exchange with a routing key, or where replies go whose
// address a request names.
type Channel struct {
	Address     *string           `json:"address"` // the queue's name, or the routing key; nil where it isn't known before a message is sent
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description,omitempty"`
	Messages    Object[Reference] `json:"messages,omitempty"`
	Bindings    *Bindings         `json:"bindings,omitempty"` // nil where the address isn't known
	Bound       []Bound           `json:"x-bound,omitempty"`  // of a queue: the exchanges that fill it
	RoutingKeys []string          `json:"x-routing-keys,omitempty"`
}

// A Bound is a binding from an exchange to a queue.
type Bound struct {
	Channel   string         `json:"channel"` // the key of the channel of the exchange with the routing key
	Arguments map[string]any `json:"arguments,omitempty"`
}

// Bindings describe a channel in AMQP 0-9-1.
type Bindings struct {
	AMQP AMQPBinding `json:"amqp"`
}

// An AMQPBinding is a queue, or an exchange to which messages are sent with a routing
// key.
type AMQPBinding struct {
	Is               string    `json:"is"` // "queue" or "routingKey"
	Queue            *Queue    `json:"queue,omitempty"`
	Exchange         *Exchange `json:"exchange,omitempty"`
	UnknownArguments []string  `json:"x-unknown-arguments,omitempty"` // those that source code doesn't determine
	BindingVersion   string    `json:"bindingVersion"`
}

// A Queue is one that the service declares, or another one's, of which only the name is
// known.
type Queue struct {
	Name        string         `json:"name"`
	Durable     *bool          `json:"durable,omitempty"` // nil of another service's
	Exclusive   *bool          `json:"exclusive,omitempty"`
	AutoDelete  bool           `json:"autoDelete,omitempty"`
	PerInstance bool           `json:"x-per-instance,omitempty"` // each running instance has one, whose name begins so
	Arguments   map[string]any `json:"x-arguments,omitempty"`    // such as x-queue-type
}

// An Exchange is one that the service declares, or another one's, of which only the
// name is known.
type Exchange struct {
	Name       string         `json:"name"`
	Type       string         `json:"type,omitempty"`   // one that AMQP's bindings list
	Other      string         `json:"x-type,omitempty"` // one that they don't list, in place of Type
	Durable    *bool          `json:"durable,omitempty"`
	AutoDelete bool           `json:"autoDelete,omitempty"`
	Arguments  map[string]any `json:"x-arguments,omitempty"` // such as alternate-exchange
}

// An Operation is a route, or a message that the service sends.
type Operation struct {
	Action      string                      `json:"action"` // "receive" or "send"
	Channel     Reference                   `json:"channel"`
	Title       string                      `json:"title,omitempty"` // the name where the key differs
	Summary     string                      `json:"summary,omitempty"`
	Description string                      `json:"description,omitempty"`
	Tags        []asyncapi.Tag              `json:"tags,omitempty"`
	Bindings    *asyncapi.OperationBindings `json:"bindings,omitempty"`
	Messages    []Reference                 `json:"messages,omitempty"`
	Reply       *Reply                      `json:"reply,omitempty"`      // nil for none
	Consumer    *asyncapi.Consumer          `json:"x-consumer,omitempty"` // of a route
	Failure     *asyncapi.Failure           `json:"x-failure,omitempty"`  // of a route
	Target      *Target                     `json:"x-target,omitempty"`   // of what is sent
	Source      *asyncapi.Source            `json:"x-source,omitempty"`   // nil of a running program
}

// A Reply is what comes back.
type Reply struct {
	Address  *ReplyAddress `json:"address,omitempty"` // nil for a fixed one, which is the channel's
	Channel  Reference     `json:"channel"`
	Messages []Reference   `json:"messages,omitempty"`
}

// A ReplyAddress is where a request says who wants the reply.
type ReplyAddress struct {
	Location    string `json:"location"`
	Description string `json:"description,omitempty"`
}

// A Target is where a message is sent, as code names it.
type Target struct {
	Route       string         `json:"route,omitempty"`
	Exchange    string         `json:"exchange,omitempty"`    // empty for the default exchange
	RoutingKey  string         `json:"routingKey,omitempty"`  // of the default exchange, the name of a queue
	RoutingKeys []string       `json:"routingKeys,omitempty"` // the patterns from which the sender chooses
	Type        string         `json:"type,omitempty"`        // the property type
	Headers     map[string]any `json:"headers,omitempty"`
	Unknown     []string       `json:"unknown,omitempty"` // members that source code determines in part or not at all: "headers"
}

// A Message is one that goes through channels.
type Message struct {
	Name           string                    `json:"name"`
	Title          string                    `json:"title,omitempty"`
	Summary        string                    `json:"summary,omitempty"`
	ContentType    string                    `json:"contentType,omitempty"`
	Headers        *asyncapi.Schema          `json:"headers,omitempty"`
	UnknownHeaders bool                      `json:"x-unknown-headers,omitempty"` // source code doesn't determine all by which it is routed
	Payload        *asyncapi.Schema          `json:"payload,omitempty"`           // nil for any JSON, and for bodies that aren't JSON
	CorrelationID  *asyncapi.CorrelationID   `json:"correlationId,omitempty"`
	Bindings       *asyncapi.MessageBindings `json:"bindings,omitempty"`
	RoutingKey     string                    `json:"x-routing-key,omitempty"` // that it is published with
	Examples       []asyncapi.Example        `json:"examples,omitempty"`
}

// Components are what other parts of the document refer to.
type Components struct {
	Schemas         schema.Properties                  `json:"schemas,omitempty"` // by key
	Messages        Object[Message]                    `json:"messages,omitempty"`
	SecuritySchemes map[string]asyncapi.SecurityScheme `json:"securitySchemes,omitempty"`
}

// An Object is a JSON object whose members keep their order.
type Object[T any] []Member[T]

// A Member is one of an [Object].
type Member[T any] struct {
	Name  string
	Value T
}

// Get returns the value of a member, nil where there is none of that name. It is the
// value in o itself, not a copy.
func (o Object[T]) Get(name string) *T {
	for i := range o {
		if o[i].Name == name {
			return &o[i].Value
		}
	}
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (o Object[T]) MarshalJSON() ([]byte, error) {
	return schema.MarshalObject(func(yield func(string, any) bool) {
		for _, member := range o {
			if !yield(member.Name, member.Value) {
				return
			}
		}
	})
}

// UnmarshalJSON reads a JSON object and keeps the order of its members.
func (o *Object[T]) UnmarshalJSON(text []byte) error {
	members := Object[T]{}
	err := schema.UnmarshalObject(text, func(name string, decode func(any) error) error {
		member := Member[T]{Name: name}
		if err := decode(&member.Value); err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
		members = append(members, member)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read an object of an AsyncAPI document: %w", err)
	}
	*o = members
	return nil
}

// refTo returns the reference to what the names lead to from the document's root.
func refTo(names ...string) Reference {
	ref := "#"
	for _, name := range names {
		ref += "/" + url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
	}
	return Reference{ref}
}

// JSON returns the document as JSON text, without a newline at its end. Indent is
// the number of spaces by which each level is indented; a negative one writes the
// document in one line. Unlike [json.Marshal], JSON doesn't escape <, > and &. It
// fails only where a document that was changed has text that isn't JSON in its schemas.
func (d *Document) JSON(indent int) ([]byte, error) { return jsontree.WriteDocument(d, indent) }
