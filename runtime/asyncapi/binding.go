package asyncapi

import "github.com/warrenmq/warren/internal/schema"

// bindingVersion is that of AMQP's bindings, which AsyncAPI 3 wants as well.
const bindingVersion = "0.3.0"

// Bindings describe a channel in AMQP 0-9-1.
type Bindings struct {
	AMQP AMQPBinding `json:"amqp"`
}

// An AMQPBinding is a queue and the exchange that it is bound to.
type AMQPBinding struct {
	Is               string         `json:"is"` // always "queue"
	Queue            Queue          `json:"queue"`
	Exchange         *Exchange      `json:"exchange,omitempty"`            // nil for the default exchange
	RoutingKeys      []string       `json:"x-routing-keys,omitempty"`      // extended: of the bindings to Exchange; none for the empty key
	BindingArguments map[string]any `json:"x-binding-arguments,omitempty"` // extended: of each of these bindings
	Sources          []BoundSource  `json:"x-sources,omitempty"`           // extended: further exchanges
	UnknownArguments []string       `json:"x-unknown-arguments,omitempty"` // extended: those that source code doesn't determine, by the field and the key
	BindingVersion   string         `json:"bindingVersion,omitempty"`      // extended
}

// A Queue has what a document contains of a queue.
type Queue struct {
	Name        string         `json:"name"`
	Durable     bool           `json:"durable"`
	Exclusive   bool           `json:"exclusive"`
	AutoDelete  bool           `json:"autoDelete,omitempty"`     // extended
	PerInstance bool           `json:"x-per-instance,omitempty"` // extended: each running instance has one, whose name begins so
	Arguments   map[string]any `json:"x-arguments,omitempty"`    // extended: such as x-queue-type
}

// An Exchange has what a document contains of an exchange.
type Exchange struct {
	Name       string         `json:"name"`
	Type       string         `json:"type"`
	Durable    bool           `json:"durable"`
	AutoDelete bool           `json:"autoDelete,omitempty"`  // extended
	Arguments  map[string]any `json:"x-arguments,omitempty"` // extended: such as alternate-exchange
}

// A BoundSource is one more exchange that fills a queue.
type BoundSource struct {
	Exchange    Exchange       `json:"exchange"`
	RoutingKeys []string       `json:"routingKeys,omitempty"` // none for the empty key
	Arguments   map[string]any `json:"arguments,omitempty"`   // of each binding
}

// OperationBindings describe the messages of an operation in AMQP 0-9-1.
type OperationBindings struct {
	AMQP AMQPOperationBinding `json:"amqp"`
}

// An AMQPOperationBinding has the properties with which clients of package runtime
// send the messages of an operation.
type AMQPOperationBinding struct {
	Expiration     *int64 `json:"expiration,omitempty"` // milliseconds for which the queue keeps a message; nil for no limit
	Priority       *int   `json:"priority,omitempty"`   // nil where the queue has no priorities
	DeliveryMode   int    `json:"deliveryMode"`         // 2: persistent
	Mandatory      bool   `json:"mandatory"`            // a message that no queue takes is an error of the sender
	Ack            bool   `json:"ack,omitempty"`        // of Subscribe: each message is acknowledged
	BindingVersion string `json:"bindingVersion"`
}

// MessageBindings describe a message in AMQP 0-9-1.
type MessageBindings struct {
	AMQP AMQPMessageBinding `json:"amqp"`
}

// An AMQPMessageBinding has what a document contains of a message's properties.
type AMQPMessageBinding struct {
	MessageType    string `json:"messageType"`              // the property type
	BindingVersion string `json:"bindingVersion,omitempty"` // extended
}

// A Schema is the JSON Schema of a payload, or of a type that payloads refer to.
type Schema = schema.Schema
