package memory

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
)

// A Config says which server a broker uses and how it consumes. The zero Config
// is a server of the broker's own and every default. [New] copies it. Fields of
// the same name as in rabbitmq.Config mean the same.
type Config struct {
	// Server is what the broker connects to. Set it where several brokers are to
	// see each other's messages, as services on one RabbitMQ node do. Nil means a
	// server of the broker's own, whose content ends with Shutdown.
	Server *Server

	// User is who the broker is for the server, which refuses a message with another
	// [runtime.Message.UserID]. The default is "guest", as RabbitMQ's.
	User string

	// Prefetch limits the deliveries that a route holds unsettled, those that
	// wait for a handler included. The default is 100, or Concurrency where that is
	// more; less than 1 means the default, and 65,535 is the most. RabbitMQ wants all of them settled within its consumer_timeout,
	// which is 30 minutes by default: lower Prefetch where a handler takes longer
	// than some seconds.
	Prefetch int

	// PrefetchBytes limits the bodies of the deliveries that a route holds, in bytes.
	// RabbitMQ can count deliveries only, so the route asks for fewer where they are
	// large, by the largest of the last; ones that are larger than those before them
	// may exceed it until they are handled, and a single one, or those of one batch, are
	// always taken. Those of stuck handlers don't count, see Timeout. The default is 64 MiB; negative means no limit. A single active
	// consumer, an auto-delete queue, a stream and a route with an Order have none.
	PrefetchBytes int64

	// Concurrency is how many deliveries of one route are handled at a time. Raise
	// it where handlers mostly wait for something else, and the order of messages
	// doesn't matter. The default is 1, which keeps the order of the queue; less
	// than 1 means the default. A route holds no more than its Prefetch, so that one
	// with a Prefetch of its own has no more handlers either.
	Concurrency int

	// Timeout limits the time of one call of a handler, see [runtime.Route], whose
	// own limit comes before this one. The default is 30 minutes, which is
	// RabbitMQ's default of consumer_timeout; negative means no limit.
	Timeout time.Duration

	// RedeliveryDelay is how long a delivery that has failed again is held before
	// it goes back to its queue, so that a message which always fails doesn't keep
	// the service busy. The first failure isn't held. Of a route, no more than
	// Prefetch go back in one delay, and up to 10,000 are held beside Prefetch; with
	// a single active consumer, they count for it. The default is one second;
	// negative means no delay.
	RedeliveryDelay time.Duration

	// OnPublish, where it isn't nil, is called for everything that the broker sends,
	// replies and the copies of failed messages included; publish sends it. It is for
	// tests: an error without a call of publish is a message that the server doesn't
	// get, and runtime.ErrUnknown after one a confirmation that is lost. It is called
	// by as many goroutines as send, and changes nothing of the message.
	OnPublish func(ctx context.Context, to runtime.Address, msg *runtime.Message, publish func() error) error

	// OnSettled, where it isn't nil, is called for each delivery that was settled,
	// after the functions of [runtime.Delivery.OnSettled], with the error that the
	// broker logs. It is for tests. It is called by as many goroutines as there are
	// handlers, and may keep the delivery.
	OnSettled func(d *runtime.Delivery, end runtime.Settlement, err error)

	// Topology says whether the queues, exchanges and bindings of the router are
	// declared, only looked for, or neither. The default declares them.
	Topology runtime.TopologyMode

	// Events are called with what happens to connections and routes, see [runtime.Events]. The default is
	// none.
	Events []runtime.Events

	// Logger gets what is consumed, the errors of deliveries, both with route and
	// queue, and the loss and return of connections where the broker has any. Nil
	// means that nothing is logged.
	Logger *slog.Logger
}

// withDefaults returns c complete.
func (c Config) withDefaults() Config {
	if c.Server == nil {
		c.Server = new(Server)
	}
	c.User = cmp.Or(c.User, "guest")
	c.Logger = consuming.Logger(c.Logger)
	return c
}

// limits are those of the broker, which a route may change.
func (c Config) limits() consuming.Limits {
	return consuming.Limits{
		Prefetch: c.Prefetch, PrefetchBytes: c.PrefetchBytes, Concurrency: c.Concurrency, Timeout: c.Timeout, RedeliveryDelay: c.RedeliveryDelay,
	}.WithDefaults()
}
