package runtime

import (
	"fmt"
	"slices"
	"time"

	"github.com/warrenmq/warren/internal/fieldtable"
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

	// KeyWords name the words that the wildcards of the only one of RoutingKeys stand
	// for, in their order: of "order.cancelled.*" the word "by", for instance. Generated
	// clients name parameters after them. They are Go identifiers, one for each wildcard.
	// None means names without a meaning.
	KeyWords []string

	// BindingArguments are the arguments of every binding from Exchange; a headers
	// exchange routes by them ("x-match" and the headers to match). They are refused
	// without an Exchange.
	BindingArguments map[string]any

	// Sources are further exchanges that fill the queue. Generated clients send to
	// Exchange alone, which is required beside them.
	Sources []Source

	// Handler handles each message. It is made by [Consume], [Respond],
	// [ConsumeBatch] or, for messages of several types, [Dispatch], and required.
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
	// for a handler included. Less than 1 means what the broker's configuration says, or
	// Concurrency where that is more.
	Prefetch int

	// PrefetchBytes limits the bodies of these deliveries, in bytes; see the broker's
	// configuration for how. Less than 0 means no limit, 0 what the configuration says.
	// It is refused for a queue with a single active consumer, for one that is deleted
	// without a consumer, for a [Stream] and with an [Order]: their prefetch can't
	// change while they are consumed.
	PrefetchBytes int64

	// Concurrency is how many deliveries are handled at a time; more than 1 gives up
	// the order of the queue, and 65,535 is the most. Less than 1 means what the broker's
	// configuration says.
	Concurrency int

	// Timeout limits the time of one call of the handler: its context ends then, with
	// [ErrTimeout] as its cause. A handler that doesn't return soon after that is
	// stuck: the broker logs it, and goes on with the others that Concurrency
	// allows; its delivery doesn't count for Prefetch and PrefetchBytes any more. 0 means what the broker's configuration says, less than 0 no limit.
	Timeout time.Duration

	// Order says which messages wait for one another. The zero value is none: with a
	// Concurrency of more than 1 they end in any order, and one that failed comes
	// after those that were behind it.
	Order Order

	// AckMode says when a message leaves the queue. The zero value is when its handler
	// has succeeded.
	AckMode AckMode

	// ConsumerPriority is above 0 where the route is to get messages before other
	// consumers of the queue, below 0 where it is to get what they leave (RabbitMQ,
	// consumer priorities). A consumer that has as many as its prefetch allows is
	// passed over.
	ConsumerPriority int

	// ConsumerArguments are those of consuming the queue, such as "x-stream-offset"
	// of a stream: where the route begins to read it. After the loss of a connection
	// it goes on where it was. "x-cancel-on-ha-failover" is true unless they say
	// otherwise: the server then tells the route of a queue that was deleted.
	ConsumerArguments map[string]any

	// QueueDeletion says what happens when the queue is deleted while it is consumed.
	QueueDeletion DeletionPolicy

	base             string        // the queue's name without that of the instance, see Queue.PerInstance; "" for Queue.Name
	interceptors     []Interceptor // around the sending of replies, see Router.Intercept
	declaredByOthers bool          // the queue for dead letters is that of a route
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

// A Source is an exchange that fills the queue of a route, with its bindings.
type Source struct {
	Exchange    Exchange       // is declared, and the queue bound to it
	RoutingKeys []string       // one binding each; none means one with the empty key
	Arguments   map[string]any // of every binding
}

// A DeletionPolicy says what happens when the queue of a route is deleted while it
// is consumed. It can't tell who has deleted it, or why.
type DeletionPolicy int

// What happens when the queue of a route is deleted.
const (
	DeclareAnew   DeletionPolicy = iota // it is declared as at the start, and consumed
	FailReadiness                       // it stays deleted: Ready of the broker names it until somebody else declares it
)

// Exchanges returns the exchanges that r declares: Exchange, then those of Sources.
func (r Route) Exchanges() []Exchange {
	var exchanges []Exchange
	if r.Exchange != nil {
		exchanges = append(exchanges, *r.Exchange)
	}
	for _, source := range r.Sources {
		exchanges = append(exchanges, source.Exchange)
	}
	return exchanges
}

// Bindings returns the bindings that r declares: one for each routing key, in
// their order, and one with the empty key where there are none; first those of
// Exchange, then those of Sources. A route without an exchange has no bindings. Their
// arguments are r's own maps.
func (r Route) Bindings() []Binding {
	var bindings []Binding
	bind := func(exchange string, keys []string, arguments map[string]any) {
		if len(keys) == 0 {
			keys = []string{""}
		}
		for _, key := range keys {
			bindings = append(bindings, Binding{Exchange: exchange, Queue: r.Queue.Name, RoutingKey: key, Arguments: arguments})
		}
	}
	if r.Exchange != nil {
		bind(r.Exchange.Name, r.RoutingKeys, r.BindingArguments)
	}
	for _, source := range r.Sources {
		bind(source.Exchange.Name, source.RoutingKeys, source.Arguments)
	}
	return bindings
}

// ForInstance returns r with a queue for one instance of the service, where its
// queue is one for each: the name then ends with a dot and id. It is for brokers.
func (r Route) ForInstance(id string) Route {
	if r.Queue.PerInstance {
		r.base = r.queueName()
		r.Queue.Name = r.base + "." + id
	}
	return r
}

// queueName returns the name of the queue as the contract has it.
func (r *Route) queueName() string {
	if r.base != "" {
		return r.base
	}
	return r.Queue.Name
}

// WithDefaults returns r with what [Router.Register] adds to it: the name of the
// handler's function where Name is empty, the zero address where Reply is nil
// and the handler is one of [Respond], and the queue's fields as its Arguments.
func (r Route) WithDefaults() Route {
	r.Queue = r.Queue.withArguments()
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
	r.KeyWords = slices.Clone(r.KeyWords)
	r.Queue = r.Queue.clone()
	r.BindingArguments = fieldtable.Clone(r.BindingArguments)
	r.ConsumerArguments = fieldtable.Clone(r.ConsumerArguments)
	if r.Exchange != nil {
		exchange := r.Exchange.clone()
		r.Exchange = &exchange
	}
	r.Sources = slices.Clone(r.Sources)
	for i := range r.Sources {
		s := &r.Sources[i]
		*s = Source{s.Exchange.clone(), slices.Clone(s.RoutingKeys), fieldtable.Clone(s.Arguments)}
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

func (x Exchange) clone() Exchange {
	x.Arguments = fieldtable.Clone(x.Arguments)
	return x
}
