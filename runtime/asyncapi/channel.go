package asyncapi

import "encoding/json"

// A Channel is a queue with the operations of the route that consumes it.
type Channel struct {
	Name        string            `json:"-"` // the channel's key: the queue's name, which may be encoded
	Description string            `json:"description,omitempty"`
	Subscribe   *ChannelOperation `json:"subscribe,omitempty"` // what the service consumes
	Publish     *ChannelOperation `json:"publish,omitempty"`   // what it replies; nil where it doesn't
	Bindings    Bindings          `json:"bindings"`
}

// A ChannelOperation is one direction of a channel.
type ChannelOperation struct {
	OperationID string             `json:"operationId"`
	Summary     string             `json:"summary,omitempty"`     // extended: the first sentence of the description
	Description string             `json:"description,omitempty"` // extended
	Message     Message            `json:"message"`
	Tags        []Tag              `json:"tags,omitempty"`            // by name, each once
	Bindings    *OperationBindings `json:"bindings,omitempty"`        // extended
	Reply       *ReplyAddress      `json:"x-reply-address,omitempty"` // extended, of Publish
	Consumer    *Consumer          `json:"x-consumer,omitempty"`      // extended, of Subscribe
	Failure     *Failure           `json:"x-failure,omitempty"`       // extended, of Subscribe
	Source      *Source            `json:"x-source,omitempty"`        // extended, of Subscribe; nil of a running program
}

// A Message is what goes through a channel: one message, or one of several, which
// then are all that it has.
type Message struct {
	MessageID     string         `json:"messageId,omitempty"` // extended
	Name          string         `json:"name,omitempty"`      // empty where there are several
	Title         string         `json:"title,omitempty"`     // extended: the title of the payload, or the name
	Summary       string         `json:"summary,omitempty"`   // extended: the first sentence about the payload
	ContentType   string         `json:"contentType,omitempty"`
	Payload       *Schema        `json:"payload,omitempty"`       // nil for any JSON, and for bodies that aren't JSON
	CorrelationID *CorrelationID `json:"correlationId,omitempty"` // extended, of requests and replies

	// What tells the message from the others of its channel; none where it is the
	// only one. The extended document has the headers of a binding by headers, too.
	Headers        *Schema          `json:"headers,omitempty"`           // requires a header to be the message's name
	UnknownHeaders bool             `json:"x-unknown-headers,omitempty"` // extended: source code doesn't determine all by which it is routed
	RoutingKey     string           `json:"x-routing-key,omitempty"`     // that it is published with
	Bindings       *MessageBindings `json:"bindings,omitempty"`

	Examples []Example `json:"examples,omitempty"` // extended: a small one and a full one
	OneOf    []Message `json:"oneOf,omitempty"`    // nil where there is one
}

// A CorrelationID is where the id is by which a reply belongs to its request.
type CorrelationID struct {
	Description string `json:"description,omitempty"`
	Location    string `json:"location"` // a runtime expression of AsyncAPI
}

// An Example is a message that its schema accepts.
type Example struct {
	Name    string          `json:"name"` // "small" or "full"
	Summary string          `json:"summary,omitempty"`
	Headers json.RawMessage `json:"headers,omitempty"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// A ReplyAddress is where replies are published.
type ReplyAddress struct {
	Location   string `json:"location,omitempty"`   // of a request: "$message.header#/reply_to"; empty for a fixed address
	Exchange   string `json:"exchange,omitempty"`   // empty for the default exchange
	RoutingKey string `json:"routingKey,omitempty"` // of the default exchange, the name of a queue
}

// A Consumer is how a route consumes its queue. What is zero is as the broker's
// configuration says.
type Consumer struct {
	Prefetch      int            `json:"prefetch,omitempty"`
	PrefetchBytes int64          `json:"prefetchBytes,omitempty"`
	Concurrency   int            `json:"concurrency,omitempty"`
	Timeout       string         `json:"timeout,omitempty"`      // as of time.Duration.String
	Order         string         `json:"order,omitempty"`        // "strict" or "per key"; empty for none
	Acknowledges  string         `json:"acknowledges,omitempty"` // "by hand" or "first"; empty for on success
	Priority      int            `json:"priority,omitempty"`
	Arguments     map[string]any `json:"arguments,omitempty"`
	Unknown       []string       `json:"unknown,omitempty"` // members that source code doesn't determine and are left out, by name
}

// A Failure is what becomes of messages that the handler can't handle.
type Failure struct {
	Endless     bool     `json:"endless,omitempty"`     // a message that fails comes again until it is handled
	Attempts    int      `json:"attempts,omitempty"`    // 0 where it is Endless
	Retries     []Retry  `json:"retries,omitempty"`     // the shortest delay first
	DeadLetters *Address `json:"deadLetters,omitempty"` // where messages go that failed for good; nil for nowhere
	Unknown     bool     `json:"unknown,omitempty"`     // source code doesn't determine it, and all else is left out
}

// A Retry is a queue in which messages wait until they are tried again.
type Retry struct {
	Queue string `json:"queue"`
	Delay string `json:"delay"` // as of time.Duration.String
}

// An Address is where messages are published.
type Address struct {
	Exchange   string `json:"exchange,omitempty"`   // empty for the default exchange
	RoutingKey string `json:"routingKey,omitempty"` // of the default exchange, the name of a queue
}

// A Source is where a route stands in the source code. Files are named from the
// folder of the document's module, with slashes.
type Source struct {
	File    string         `json:"file"`
	Line    int            `json:"line"`
	Handler *SourceHandler `json:"handler,omitempty"` // nil where it isn't known
}

// A SourceHandler is the function that handles the messages of a route.
type SourceHandler struct {
	Name string `json:"name,omitempty"` // as in Go, with its package's name; empty of a function literal
	File string `json:"file"`
	Line int    `json:"line"`
}
