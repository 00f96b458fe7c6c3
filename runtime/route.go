package runtime

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// A Route describes one consumer: the queue it reads, the binding that fills
// the queue, and the handler that gets each message. Queue and Handler are
// required. It is a plain value: [Router.Register] copies it deeply, and what is
// changed afterwards has no effect.
type Route struct {
	// Name identifies the route in errors, logs and traces; it is the operation id
	// and the message name of the AsyncAPI document, and unique within a router.
	// Empty means the name of the handler's function (of a method, its name
	// without the receiver). A function literal, the result of a factory that
	// returns one, and a handler decorated by [Handler.With] have no name, and
	// Name is then required. Set it as well where the contract's name must outlive
	// a renamed function.
	Name string

	// Description says what the consumer does, for readers of the AsyncAPI
	// document. Empty leaves it out.
	Description string

	// Tags group routes in the document, where they are sorted and listed once.
	Tags []string

	// Queue is the queue that is declared and consumed. Its name is required.
	// Several routes may have the same queue, declared alike: they share its
	// messages.
	Queue Queue

	// Exchange is declared, and the queue bound to it. Set it where senders
	// shouldn't know the queue, or where several queues get the same message. Nil
	// means the default exchange, through which every queue is reached by its
	// name; nothing is bound then.
	Exchange *Exchange

	// RoutingKeys are the keys of the bindings from Exchange to Queue, one
	// binding each. None means one binding with the empty key, which is what
	// fanout and headers exchanges expect. They are refused without an Exchange.
	RoutingKeys []string

	// BindingArguments are the arguments of every binding; a headers exchange
	// routes by them ("x-match" and the headers to match). They are refused
	// without an Exchange.
	BindingArguments map[string]any

	// Handler handles each message. It is made by [Consume], [Respond] or, for
	// messages of several types, [Dispatch], and required.
	Handler Handler

	// Codec writes and reads the bodies, where they aren't JSON, or bytes as they come.
	// A message of another content type is one that can't be decoded. Nil means JSON.
	Codec Codec

	// Reply is where the result of a [Respond] handler is published. It is
	// refused with Consume. The zero Address, written &runtime.Address{}, means
	// the reply_to property of each request, which a [Caller] sets; it is the
	// default with Respond.
	Reply *Address

	// Failure says what becomes of messages that the handler can't handle. Nil
	// means the router's policy, see [Router.OnFailure].
	Failure *FailurePolicy

	// Prefetch limits the deliveries that the route holds unsettled, those that wait
	// for a handler included. Less than 1 means what the broker's configuration says.
	Prefetch int

	// Concurrency is how many deliveries are handled at a time; more than 1 gives up
	// the order of the queue. Less than 1 means what the broker's configuration says.
	Concurrency int

	// Timeout limits the time of one call of the handler: its context ends then, with
	// [ErrTimeout] as its cause. A handler that doesn't return soon after that is
	// stuck: the broker logs it, and goes on with the others that Concurrency
	// allows. 0 means what the broker's configuration says, less than 0 no limit.
	Timeout time.Duration

	// Order says which messages wait for one another. The zero value is none: with a
	// Concurrency of more than 1 they end in any order, and one that failed comes
	// after those that were behind it.
	Order Order

	// AckMode says when a message leaves the queue. The zero value is when its handler
	// has succeeded.
	AckMode AckMode

	interceptors     []Interceptor // around the sending of replies, see Router.Intercept
	declaredByOthers bool          // the queue for dead letters is that of a route
}

// A Queue is a queue as it is declared. The zero value of each option is the
// broker's own default: transient, shared, kept, without arguments. A broker
// refuses a queue that exists with other options.
type Queue struct {
	// Name is required, and has at most 255 bytes. Names that begin with "amq."
	// are the broker's own.
	Name string

	// Durable queues survive a restart of the broker, with the messages that
	// aren't transient. Set it for all but passing data.
	Durable bool

	// Exclusive queues belong to one connection and end with it. Set it for a
	// queue of this process alone. The messages in it are lost with the
	// connection.
	Exclusive bool

	// AutoDelete queues are deleted when their last consumer goes, with what is in
	// them.
	AutoDelete bool

	// Arguments are the x-arguments, such as "x-queue-type": "quorum". Their values
	// are those of [Message.Headers]. Nil and empty are the same.
	// "x-dead-letter-exchange" decides what becomes of a rejected message, see
	// [Process].
	Arguments map[string]any
}

// An Exchange is an exchange as it is declared. Name and Type are required. A
// broker refuses an exchange that exists with other options.
type Exchange struct {
	// Name is required, and has at most 255 bytes. Of the names that begin with
	// "amq.", only those that every broker has are allowed, such as "amq.topic".
	Name string

	// Type says how the exchange routes. It is required.
	Type ExchangeType

	// Durable exchanges survive a restart of the broker.
	Durable bool

	// AutoDelete exchanges are deleted when their last binding goes.
	AutoDelete bool

	// Arguments are such as "alternate-exchange" and "x-delayed-type". Nil and
	// empty are the same.
	Arguments map[string]any
}

// ExchangeType is the type of an exchange. Any string is allowed: plugins add
// types, such as "x-delayed-message".
type ExchangeType string

// The types of exchange that every broker has.
const (
	Direct  ExchangeType = "direct"  // routes by equal keys
	Fanout  ExchangeType = "fanout"  // routes to every bound queue
	Topic   ExchangeType = "topic"   // routes by patterns: * is one word, # any number of words
	Headers ExchangeType = "headers" // routes by headers, see Route.BindingArguments
)

// An Address is where a message is published.
type Address struct {
	Exchange   string // "" is the default exchange
	RoutingKey string // of the default exchange, the name of a queue
}

// IsZero reports whether a names neither an exchange nor a key.
func (a Address) IsZero() bool { return a == Address{} }

// String names a for people, in errors and logs: queue "q" for the default
// exchange, else exchange "x" with key "k".
func (a Address) String() string {
	if a.Exchange == "" {
		return fmt.Sprintf("queue %q", a.RoutingKey)
	}
	return fmt.Sprintf("exchange %q with key %q", a.Exchange, a.RoutingKey)
}

// A Binding is one binding of a queue to an exchange, as a broker declares it.
type Binding struct {
	Exchange   string
	Queue      string
	RoutingKey string
	Arguments  map[string]any
}

// Bindings returns the bindings that r declares: one for each routing key, in
// their order, and one with the empty key where there are none. A route without
// an exchange has no bindings. Their arguments are r's own map.
func (r Route) Bindings() []Binding {
	if r.Exchange == nil {
		return nil
	}
	keys := r.RoutingKeys
	if len(keys) == 0 {
		keys = []string{""}
	}
	bindings := make([]Binding, len(keys))
	for i, key := range keys {
		bindings[i] = Binding{Exchange: r.Exchange.Name, Queue: r.Queue.Name, RoutingKey: key, Arguments: r.BindingArguments}
	}
	return bindings
}

// WithDefaults returns r with what [Router.Register] adds to it: the name of the
// handler's function where Name is empty, and the zero address where Reply is nil
// and the handler is one of [Respond].
func (r Route) WithDefaults() Route {
	if r.Name == "" {
		r.Name = r.Handler.Name()
	}
	if r.Reply == nil && r.Handler.answers() {
		r.Reply = new(Address)
	}
	return r
}

// clone returns a copy of r that shares no memory with it, the handler aside,
// which is immutable.
func (r Route) clone() Route {
	r.Tags = slices.Clone(r.Tags)
	r.RoutingKeys = slices.Clone(r.RoutingKeys)
	r.Queue.Arguments = cloneTable(r.Queue.Arguments)
	r.BindingArguments = cloneTable(r.BindingArguments)
	if r.Exchange != nil {
		exchange := *r.Exchange
		exchange.Arguments = cloneTable(exchange.Arguments)
		r.Exchange = &exchange
	}
	if r.Reply != nil {
		reply := *r.Reply
		r.Reply = &reply
	}
	if r.Failure != nil {
		failure := *r.Failure
		r.Failure = &failure
	}
	return r
}

// cloneTable copies an AMQP field table with the tables, arrays and byte
// strings in it. A nil table stays nil.
func cloneTable(table map[string]any) map[string]any {
	table = maps.Clone(table)
	for key, value := range table {
		table[key] = cloneField(value)
	}
	return table
}

func cloneField(value any) any {
	switch value := value.(type) {
	case map[string]any:
		return cloneTable(value)
	case []any:
		values := slices.Clone(value)
		for i := range values {
			values[i] = cloneField(values[i])
		}
		return values
	case []byte:
		return slices.Clone(value)
	default:
		return value
	}
}
