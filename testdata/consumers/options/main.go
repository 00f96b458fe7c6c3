// Command options takes names through functional options, and prefetches per consumer.
package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"os/signal"

	amqp "github.com/rabbitmq/amqp091-go"
)

type options struct {
	exchange, kind string
	keys           []string
	prefetch       int
	args           amqp.Table
}

type Option func(*options)

func WithExchange(name, kind string) Option {
	return func(o *options) { o.exchange, o.kind = name, kind }
}

func WithKeys(keys ...string) Option { return func(o *options) { o.keys = append(o.keys, keys...) } }
func WithPrefetch(n int) Option      { return func(o *options) { o.prefetch = n } }
func WithDeadLetter(exchange string) Option {
	return func(o *options) {
		if o.args == nil {
			o.args = amqp.Table{}
		}
		o.args["x-dead-letter-exchange"] = exchange
	}
}

type Subscriber struct {
	conn *amqp.Connection
	log  *slog.Logger
}

func (s *Subscriber) Subscribe(ctx context.Context, queue string, handle func(context.Context, amqp.Delivery) error, opts ...Option) error {
	o := options{prefetch: 1}
	for _, opt := range opts {
		opt(&o)
	}
	ch, err := s.conn.Channel()
	if err != nil {
		return err
	}
	if err := ch.Qos(o.prefetch, 0, false); err != nil {
		return err
	}
	if _, err := ch.QueueDeclare(queue, true, false, false, false, o.args); err != nil {
		return err
	}
	if o.exchange != "" {
		if err := ch.ExchangeDeclare(o.exchange, o.kind, true, false, false, false, nil); err != nil {
			return err
		}
		for _, key := range o.keys {
			if err := ch.QueueBind(queue, key, o.exchange, false, nil); err != nil {
				return err
			}
		}
	}
	deliveries, err := ch.ConsumeWithContext(ctx, queue, "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case d, open := <-deliveries:
				if !open {
					return
				}
				if err := handle(ctx, d); err != nil {
					s.log.Error("handle", "error", err)
					d.Nack(false, !d.Redelivered)
					continue
				}
				d.Ack(false)
			}
		}
	}()
	return nil
}

type Paid struct {
	Order  string `json:"order"`
	Amount int64  `json:"amount"`
}

type Refunded struct {
	Order  string `json:"order"`
	Reason string `json:"reason,omitempty"`
}

func onPaid(_ context.Context, d amqp.Delivery) error {
	var p Paid
	return json.Unmarshal(d.Body, &p)
}

type refunds struct{}

func (refunds) handle(_ context.Context, d amqp.Delivery) error {
	r := new(Refunded)
	return json.Unmarshal(d.Body, r)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	conn, err := amqp.Dial(os.Getenv("AMQP_URL"))
	if err != nil {
		slog.Error("dial", "error", err)
		os.Exit(1)
	}
	s := &Subscriber{conn, slog.Default()}
	if err := s.Subscribe(ctx, "billing.paid", onPaid, WithExchange("payments", amqp.ExchangeTopic), WithKeys("payment.paid", "payment.settled"), WithPrefetch(20), WithDeadLetter("dead")); err != nil {
		slog.Error("subscribe", "error", err)
		os.Exit(1)
	}
	if err := s.Subscribe(ctx, "billing.refunded", refunds{}.handle, WithExchange("payments", amqp.ExchangeTopic), WithKeys("payment.refunded")); err != nil {
		slog.Error("subscribe", "error", err)
		os.Exit(1)
	}
	<-ctx.Done()
}
