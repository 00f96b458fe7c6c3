// Package passive asks a RabbitMQ broker over AMQP how many messages a queue
// has now, which the management API reports seconds later. Package mgmt needs
// it to delete or migrate quorum queues safely:
//
//	err := mgmt.SafeDeleteQueue(ctx, client, "/", "orders", passive.New("amqp://ops:secret@rabbit.example.com"))
//
// It declares queues passively: nothing is created, consumed or changed. Each
// call opens a connection and closes it.
package passive

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/mgmt"
)

// timeout bounds connecting and the login, if the context doesn't.
const timeout = 10 * time.Second

// An Inspector is a mgmt.Inspector. It is safe for concurrent use. New returns
// one; the zero Inspector doesn't work.
type Inspector struct {
	dial func(ctx context.Context, vhost string) (*amqp.Connection, error)
}

var _ mgmt.Inspector = (*Inspector)(nil)

// errURL doesn't quote the URL, as the parser's own errors do.
var errURL = errors.New("the URL isn't valid (it isn't shown, since it may hold a password): " +
	"its form is amqp://user:password@host:5672, or amqps, with reserved characters percent-encoded")

// New returns an inspector of the broker at url, amqp or amqps. The virtual
// host of the URL isn't used. New connects to nothing: InspectQueue reports a
// URL that isn't valid, without showing it, since it may hold a password.
func New(url string) *Inspector {
	// The URL is in the closure because what prints an inspector's fields doesn't
	// find it there.
	return &Inspector{dial: func(ctx context.Context, vhost string) (*amqp.Connection, error) {
		if _, err := amqp.ParseURI(url); err != nil {
			return nil, errURL
		}
		return amqp.DialConfig(url, amqp.Config{Vhost: vhost, Heartbeat: timeout, Dial: dialer(ctx)})
	}}
}

// dialer dials within ctx, gives the login a deadline, and ends both with ctx.
func dialer(ctx context.Context) func(network, address string) (net.Conn, error) {
	return func(network, address string) (net.Conn, error) {
		d := net.Dialer{Timeout: timeout}
		conn, err := d.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if err := conn.SetDeadline(time.Now().Add(timeout)); err != nil {
			conn.Close()
			return nil, err
		}
		context.AfterFunc(ctx, func() { conn.Close() })
		return conn, nil
	}
}

// InspectQueue returns how many messages are ready in a queue, without those
// that consumers hold unacknowledged, and how many consumers it has. If the
// queue or the virtual host doesn't exist, the error is mgmt.ErrNotFound.
// Connecting and the login take at most 10 seconds each; ctx bounds the whole
// call.
func (i *Inspector) InspectQueue(ctx context.Context, vhost, queue string) (ready, consumers int, err error) {
	state, err := i.declare(ctx, vhost, queue)
	if err != nil {
		return 0, 0, fmt.Errorf("inspect queue %q in vhost %q: %w", queue, vhost, err)
	}
	return state.Messages, state.Consumers, nil
}

func (i *Inspector) declare(ctx context.Context, vhost, queue string) (amqp.Queue, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	conn, err := i.dial(ctx, vhost)
	if err != nil {
		return amqp.Queue{}, because(ctx, err)
	}
	defer conn.Close()
	channel, err := conn.Channel()
	if err != nil {
		return amqp.Queue{}, because(ctx, err)
	}
	state, err := channel.QueueDeclarePassive(queue, true, false, false, false, nil)
	return state, because(ctx, err)
}

// because returns err, the cause of ctx if it has ended, or mgmt.ErrNotFound.
func because(ctx context.Context, err error) error {
	var refused *amqp.Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &refused) && (refused.Code == amqp.NotFound || isUnknownVHost(refused)):
		return fmt.Errorf("%w: %s", mgmt.ErrNotFound, refused.Reason)
	}
	return err
}

// isUnknownVHost reports whether the virtual host doesn't exist. Only the text
// says so: "NOT_ALLOWED - vhost x not found" (measured on 3.10, 4.0 and 4.3).
func isUnknownVHost(refused *amqp.Error) bool {
	return refused.Code == amqp.NotAllowed && strings.Contains(refused.Reason, "vhost ") && strings.HasSuffix(refused.Reason, " not found")
}
