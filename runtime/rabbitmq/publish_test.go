package rabbitmq_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
)

func TestReturns_BelongToTheirMessages(t *testing.T) {
	q := queue(t)
	channel := amqpChannel(t)
	_, err := channel.QueueDeclare(q.Name, true, false, false, false, nil)
	require.NoError(t, err)
	t.Cleanup(func() { channel.QueueDelete(q.Name, false, false, false) })
	b := open(t, node.URL())
	// All messages are equal save for their address, and share one channel.
	const publishers, messages = 16, 100
	var publishing sync.WaitGroup
	errs := make(chan error, publishers*messages)
	for p := range publishers {
		publishing.Go(func() {
			for i := range messages {
				address := to(q)
				if (p+i)%2 == 0 {
					address.RoutingKey += "-unbound"
				}
				err := b.Publish(context.Background(), address, &runtime.Message{Body: []byte("same"), Headers: map[string]any{"n": 1}})
				if routable := address == to(q); routable == (err == nil) {
					err = nil
				} else {
					err = fmt.Errorf("routable: %v, but the error is %v", routable, err)
				}
				errs <- err
			}
		})
	}
	publishing.Wait()
	for range publishers * messages {
		require.NoError(t, <-errs)
	}
	found, err := channel.QueueDeclarePassive(q.Name, true, false, false, false, nil)
	require.NoError(t, err)
	require.Equal(t, publishers*messages/2, found.Messages)
}

// The server refuses messages by PRECONDITION_FAILED for more than their size.
func TestRefusal_IsNotThatOfASizeWhereTheServerNamesNone(t *testing.T) {
	err := open(t, node.URL()).Publish(t.Context(), to(queue(t)), &runtime.Message{ReplyTo: "amq.rabbitmq.reply-to"})
	require.ErrorContains(t, err, "fast reply consumer does not exist")
	require.ErrorContains(t, err, "the server refuses the message")
	require.NotErrorIs(t, err, runtime.ErrTooLarge)
	require.NotErrorIs(t, err, runtime.ErrUnknown)
}

func TestMissingExchange_FailsOnlyItsMessages(t *testing.T) {
	q, channel := queue(t), amqpChannel(t)
	_, err := channel.QueueDeclare(q.Name, true, false, false, false, nil)
	require.NoError(t, err)
	t.Cleanup(func() { channel.QueueDelete(q.Name, false, false, false) })
	b := open(t, node.URL())
	good, bad := make(chan error, 200), make(chan error, 20)
	var publishing sync.WaitGroup
	for i := range 200 {
		publishing.Go(func() { good <- b.Publish(t.Context(), to(q), &runtime.Message{}) })
		if i%10 == 0 {
			publishing.Go(func() { bad <- b.Publish(t.Context(), runtime.Address{Exchange: q.Name}, &runtime.Message{}) })
		}
	}
	publishing.Wait()
	for range 200 {
		require.NoError(t, <-good)
	}
	for range 20 {
		require.ErrorIs(t, <-bad, runtime.ErrNoExchange)
	}
}

func TestDeletedExchange_FailsOnlyItsMessages(t *testing.T) {
	x, channel := queue(t).Name, amqpChannel(t)
	t.Cleanup(func() { channel.ExchangeDelete(x, false, false) })
	require.NoError(t, channel.ExchangeDeclare(x, "fanout", false, false, false, false, nil))
	b := open(t, node.URL())
	address := runtime.Address{Exchange: x}
	require.NoError(t, b.Publish(t.Context(), address, &runtime.Message{AllowUnroutable: true}))
	require.NoError(t, channel.ExchangeDelete(x, false, false))
	err := b.Publish(t.Context(), address, &runtime.Message{AllowUnroutable: true})
	require.ErrorIs(t, err, runtime.ErrNoExchange)
	require.NotErrorIs(t, err, runtime.ErrUnknown)
	require.ErrorContains(t, err, x)
	require.NoError(t, channel.ExchangeDeclare(x, "fanout", false, false, false, false, nil))
	require.NoError(t, b.Publish(t.Context(), address, &runtime.Message{AllowUnroutable: true}))
}

func TestDeletedExchange_HurtsNoMessageToAnother(t *testing.T) {
	q, x, channel := declared(t), queue(t).Name, amqpChannel(t)
	b := open(t, node.URL())
	for range 10 {
		require.NoError(t, channel.ExchangeDeclare(x, "fanout", false, false, false, false, nil))
		require.NoError(t, b.Publish(t.Context(), runtime.Address{Exchange: x}, &runtime.Message{AllowUnroutable: true}))
		require.NoError(t, channel.ExchangeDelete(x, false, false))
		good, bad := make(chan error, 50), make(chan error, 1)
		var publishing sync.WaitGroup
		for i := range 50 {
			publishing.Go(func() { good <- b.Publish(t.Context(), to(q), &runtime.Message{}) })
			if i == 25 {
				publishing.Go(func() { bad <- b.Publish(t.Context(), runtime.Address{Exchange: x}, &runtime.Message{}) })
			}
		}
		publishing.Wait()
		require.ErrorIs(t, <-bad, runtime.ErrNoExchange)
		for range 50 {
			require.NoError(t, <-good)
		}
	}
	require.Equal(t, 500, ready(t, q))
}

// Of those that send to one exchange at a time the server is asked once.
func TestMissingExchange_IsLookedUpForAllThatWait(t *testing.T) {
	p, lookups := newProxy(t, node.URL()), 0
	p.obey(func(f *frame) verdict {
		if f.method == exchangeDeclare {
			lookups++
		}
		return pass
	})
	const senders = 500
	b, missing := across(t, p), runtime.Address{Exchange: queue(t).Name}
	errs := make(chan error, senders)
	for range senders {
		go func() { errs <- b.Publish(t.Context(), missing, &runtime.Message{}) }()
	}
	for range senders {
		require.ErrorIs(t, <-errs, runtime.ErrNoExchange)
	}
	require.NoError(t, b.Shutdown(t.Context()))
	require.Less(t, lookups, senders/10)
}

// Each lane has replies of its own.
func TestCall_ReachesManyExchanges(t *testing.T) {
	q := queue(t)
	q.AutoDelete = true
	var routes []runtime.Route
	for i := range 40 { // more than there are lanes
		routes = append(routes, runtime.Route{
			Name: fmt.Sprint("r", i), Queue: q, Exchange: &runtime.Exchange{Name: fmt.Sprint(q.Name, i), Type: runtime.Fanout, AutoDelete: true},
			Handler: runtime.Respond(func(_ context.Context, body []byte) ([]byte, error) { return body, nil }),
		})
	}
	b, errs := start(t, open(t, node.URL()), routes...), make(chan error, len(routes))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for _, route := range routes {
		go func() {
			reply, err := b.Call(ctx, runtime.Address{Exchange: route.Exchange.Name}, &runtime.Message{Body: []byte(route.Name)})
			if err == nil && string(reply.Body) != route.Name {
				err = fmt.Errorf("the reply is %q", reply.Body)
			}
			errs <- err
		}()
	}
	for range routes {
		require.NoError(t, <-errs)
	}
}

func TestPublish_RefusesAnotherUsersID(t *testing.T) {
	b := open(t, node.URL())
	err := b.Publish(t.Context(), runtime.Address{RoutingKey: "q"}, &runtime.Message{UserID: "somebody else"})
	require.ErrorContains(t, err, "user id")
}

func TestPublish_AllowsDelayedMessagesToBeUnroutable(t *testing.T) {
	b := open(t, node.URL())
	unbound := runtime.Address{Exchange: "amq.direct", RoutingKey: queue(t).Name}
	require.ErrorIs(t, b.Publish(t.Context(), unbound, &runtime.Message{}), runtime.ErrUnroutable)
	delayed := &runtime.Message{Headers: map[string]any{"x-delay": 1}}
	require.NoError(t, b.Publish(t.Context(), unbound, delayed))
	unbound.Exchange = ""
	require.ErrorIs(t, b.Publish(t.Context(), unbound, delayed), runtime.ErrUnroutable, "the default exchange delays nothing")
}

func TestConsumer_DeclaresADeletedQueueAgain(t *testing.T) {
	q, handled, channel := queue(t), make(chan string, 10), amqpChannel(t)
	t.Cleanup(func() { channel.QueueDelete(q.Name, false, false, false) })
	x := runtime.Exchange{Name: q.Name, Type: runtime.Fanout, AutoDelete: true}
	b := start(t, open(t, node.URL()), runtime.Route{
		Name: "r", Queue: q, Exchange: &x,
		Handler: runtime.Consume(func(_ context.Context, body []byte) error {
			handled <- string(body)
			return nil
		}),
	})
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Body: []byte("before")}))
	require.Equal(t, "before", <-handled)
	_, err := channel.QueueDelete(q.Name, false, false, false)
	require.NoError(t, err)
	awaitConsumers(t, node, q, 1)
	require.NoError(t, b.Publish(t.Context(), runtime.Address{Exchange: x.Name}, &runtime.Message{Body: []byte("after")}))
	require.Equal(t, "after", <-handled)
}

// amqpChannel is a channel without this package.
func amqpChannel(t *testing.T) *amqp.Channel {
	t.Helper()
	return channelOf(t, node)
}

// channelOf returns a channel of the library's own, to a node.
func channelOf(t *testing.T, node *rabbitnode.Node) *amqp.Channel {
	t.Helper()
	conn, err := amqp.Dial(node.URL())
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	channel, err := conn.Channel()
	require.NoError(t, err)
	return channel
}
