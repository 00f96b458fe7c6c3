package runtime

import (
	"context"
	"time"
)

// A Message is what is published. The zero value of a field leaves the
// property out.
type Message struct {
	Body            []byte
	ContentType     string // "application/json" for JSON bodies
	ContentEncoding string
	Headers         map[string]any // an AMQP field table: nil, bool, numbers, string, []byte, time.Time, []any and map[string]any
	MessageID       string
	CorrelationID   string
	ReplyTo         string // the queue that gets the reply
	Type            string
	AppID           string
	UserID          string // checked by the broker against the connection's user
	Timestamp       time.Time
	Expiration      time.Duration // time to live in the queue; 0 means no limit; fractions of a millisecond are cut, and what is left may be no time
	Priority        uint8

	// Transient messages may be lost when the broker restarts. The zero value
	// is a persistent message.
	Transient bool

	// AllowUnroutable makes a message that no queue takes a success, rather
	// than ErrUnroutable.
	AllowUnroutable bool
}

// A Delivery is a message as it came from a queue.
type Delivery struct {
	Message

	Route       string // the name of the route that handles it
	Queue       string // the queue that it was taken from
	Exchange    string // the exchange that it was published to
	RoutingKey  string // the key that it was published with
	Redelivered bool   // an earlier delivery of it wasn't acknowledged
	Tag         uint64 // RabbitMQ's number of the delivery in its channel; 0 in memory

	// ReplyHeaders are for middleware: they are set on the reply, unless it has
	// a header of that name, and on the error that is sent in its place.
	ReplyHeaders map[string]any

	settled []func(Settlement, error)
}

// OnSettled calls fn when the delivery has been settled, which is after the
// handler and its middleware have returned and the reply was sent. An error says
// that it couldn't be: the message then comes again. Functions are called once,
// in the order in which they were added, by the goroutine that settles; they must
// not block.
func (d *Delivery) OnSettled(fn func(Settlement, error)) { d.settled = append(d.settled, fn) }

// Settled calls the functions of OnSettled. It is for brokers.
func (d *Delivery) Settled(settlement Settlement, err error) {
	for _, fn := range d.settled {
		fn(settlement, err)
	}
	d.settled = nil
}

type deliveryKey struct{}

// DeliveryFrom returns the delivery that is being handled, nil outside of a
// handler. It is valid until the handler returns, and must not be changed.
func DeliveryFrom(ctx context.Context) *Delivery {
	d, _ := ctx.Value(deliveryKey{}).(*Delivery)
	return d
}

func withDelivery(ctx context.Context, d *Delivery) context.Context {
	return context.WithValue(ctx, deliveryKey{}, d)
}
