// Package bus consumes events.
package bus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"
)

type subscription struct {
	queue, event string
	handle       func(context.Context, amqp.Delivery) error
}

// Bus is a connection with what is subscribed.
type Bus struct {
	*amqp.Connection
	exchange      string
	subscriptions []subscription
}

// ErrDecode means that a message isn't what was expected.
var ErrDecode = errors.New("decode")

func New(url, exchange string) (*Bus, error) {
	conn, err := amqp.DialConfig(url, amqp.Config{Locale: "en_US"})
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	return &Bus{Connection: conn, exchange: exchange}, nil
}

// On subscribes to an event.
func On[T any](b *Bus, event string, handle func(context.Context, T) error) {
	b.subscriptions = append(b.subscriptions, subscription{
		queue: "warehouse." + event, event: event,
		handle: func(ctx context.Context, d amqp.Delivery) error {
			var v T
			decoder := json.NewDecoder(bytes.NewReader(d.Body))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&v); err != nil {
				return errors.Join(ErrDecode, err)
			}
			return handle(ctx, v)
		},
	})
}

// Run consumes until ctx ends.
func (b *Bus) Run(ctx context.Context) error {
	for _, s := range b.subscriptions {
		if err := b.start(ctx, s); err != nil {
			return err
		}
	}
	<-ctx.Done()
	return b.Close()
}

func (b *Bus) start(ctx context.Context, s subscription) error {
	ch, err := b.Channel()
	if err != nil {
		return err
	}
	declarations := []func() error{
		func() error { return ch.ExchangeDeclare(b.exchange, "direct", true, false, false, false, nil) },
		func() error { _, err := ch.QueueDeclare(s.queue, true, false, false, false, nil); return err },
		func() error { return ch.QueueBind(s.queue, s.event, b.exchange, false, nil) },
		func() error { return ch.Qos(16, 0, false) },
	}
	for _, declare := range declarations {
		if err := declare(); err != nil {
			return err
		}
	}
	deliveries, err := ch.Consume(s.queue, s.queue, false, false, false, false, nil)
	if err != nil {
		return err
	}
	go func() {
		for d := range deliveries {
			switch err := s.handle(ctx, d); {
			case err == nil:
				_ = d.Ack(false)
			case errors.Is(err, ErrDecode):
				_ = d.Reject(false)
			default:
				_ = d.Nack(false, true)
			}
		}
	}()
	return nil
}
