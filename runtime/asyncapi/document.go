package asyncapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/warrenmq/warren/internal/schema"
)

// specificationVersion is the version of AsyncAPI that documents declare.
const specificationVersion = "2.6.0"

// A Document is an AsyncAPI 2.6.0 document of the specification's shape, as
// [Generate] makes it. Its fields are marshalled in their order here. It may be
// changed before it is written, and read back by json.Unmarshal.
type Document struct {
	AsyncAPI   string      `json:"asyncapi"` // always "2.6.0"
	Info       Info        `json:"info"`
	Servers    Servers     `json:"servers"`
	Channels   Channels    `json:"channels"`
	Components *Components `json:"components,omitempty"` // nil where no payload refers to one
}

// Info is about the service.
type Info struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description,omitempty"`
}

// Servers has the one server of a document.
type Servers struct {
	Broker Server `json:"broker"`
}

// A Server is where the service's queues are.
type Server struct {
	URL         string `json:"url"`
	Protocol    string `json:"protocol"` // always "amqp"
	Description string `json:"description"`
}

// A Channel is a queue with the operations of the route that consumes it.
type Channel struct {
	Name        string            `json:"-"` // the queue's name, and the channel's key
	Description string            `json:"description,omitempty"`
	Subscribe   *ChannelOperation `json:"subscribe,omitempty"` // what the service consumes
	Publish     *ChannelOperation `json:"publish,omitempty"`   // what it replies; nil where it doesn't
	Bindings    Bindings          `json:"bindings"`
}

// A ChannelOperation is one direction of a channel.
type ChannelOperation struct {
	OperationID string  `json:"operationId"`
	Message     Message `json:"message"`
	Tags        []Tag   `json:"tags,omitempty"` // by name, each once
}

// A Message is what goes through a channel: one message, or one of several, which
// then are all that it has.
type Message struct {
	Name    string  `json:"name,omitempty"`    // empty where there are several
	Payload *Schema `json:"payload,omitempty"` // nil for any JSON, and for bodies that aren't JSON

	// What tells the message from the others of its channel; none where it is the
	// only one.
	Headers    *Schema          `json:"headers,omitempty"`       // requires a header to be the message's name
	RoutingKey string           `json:"x-routing-key,omitempty"` // that it is published with
	Bindings   *MessageBindings `json:"bindings,omitempty"`

	OneOf []Message `json:"oneOf,omitempty"` // nil where there is one
}

// MessageBindings describe a message in AMQP 0-9-1.
type MessageBindings struct {
	AMQP AMQPMessageBinding `json:"amqp"`
}

// An AMQPMessageBinding has what a document contains of a message's properties.
type AMQPMessageBinding struct {
	MessageType string `json:"messageType"` // the property type
}

// A Schema is the JSON Schema of a payload, or of a type that payloads refer to.
type Schema = schema.Schema

// A Tag groups operations.
type Tag struct {
	Name string `json:"name"`
}

// Bindings describe a channel in AMQP 0-9-1.
type Bindings struct {
	AMQP AMQPBinding `json:"amqp"`
}

// An AMQPBinding is a queue and the exchange that it is bound to.
type AMQPBinding struct {
	Is       string    `json:"is"` // always "queue"
	Queue    Queue     `json:"queue"`
	Exchange *Exchange `json:"exchange,omitempty"` // nil for the default exchange
}

// A Queue has what a document contains of a queue.
type Queue struct {
	Name      string `json:"name"`
	Durable   bool   `json:"durable"`
	Exclusive bool   `json:"exclusive"`
}

// An Exchange has what a document contains of an exchange.
type Exchange struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Durable bool   `json:"durable"`
}

// Components are what other parts of the document refer to.
type Components struct {
	Schemas schema.Properties `json:"schemas"` // by key
}

// JSON returns the document as JSON text, without a newline at its end. Indent is
// the number of spaces by which each level is indented; a negative one writes the
// document in one line, without spaces. Unlike [json.Marshal], JSON doesn't escape
// <, > and &. It fails only where a document that was changed has text that isn't
// JSON in its schemas.
func (d *Document) JSON(indent int) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(d); err != nil {
		return nil, fmt.Errorf("write the AsyncAPI document as JSON: %w", err)
	}
	compact := bytes.TrimSuffix(text.Bytes(), []byte("\n"))
	if indent < 0 {
		return compact, nil
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, compact, "", strings.Repeat(" ", indent)); err != nil {
		return nil, fmt.Errorf("indent the AsyncAPI document: %w", err)
	}
	return indented.Bytes(), nil
}
