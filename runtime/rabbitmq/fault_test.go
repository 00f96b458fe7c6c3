package rabbitmq_test

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/conformance"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// heartbeat is the shortest that the client library takes for its own. A silent
// connection is given up after one and a half of them.
const heartbeat = time.Second

// across returns a broker that reaches the server through p.
func across(t *testing.T, p *proxy) *rabbitmq.Broker {
	return openWith(t, rabbitmq.Config{URL: p.url, Heartbeat: heartbeat})
}

func TestHalfOpenLink_IsGivenUpByTheConsumer(t *testing.T) {
	t.Parallel()
	p, q := newProxy(t, node.URL()), declared(t)
	got, release := make(chan runtime.Delivery, 10), make(chan struct{})
	start(t, across(t, p), runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(ctx context.Context, _ []byte) error {
		got <- *runtime.DeliveryFrom(ctx)
		<-release
		return nil
	})})
	b := open(t, node.URL())
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{}))
	require.False(t, (<-got).Redelivered)
	p.freeze()
	close(release) // the acknowledgement is lost
	require.True(t, (<-got).Redelivered)
	require.Eventually(t, func() bool { return ready(t, q) == 0 }, patience, 20*time.Millisecond)
}

func TestHalfOpenLink_IsGivenUpByThePublisher(t *testing.T) {
	t.Parallel()
	p, q := newProxy(t, node.URL()), declared(t)
	b := across(t, p)
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{}))
	p.freeze()
	require.ErrorIs(t, b.Publish(t.Context(), to(q), &runtime.Message{}), runtime.ErrUnknown)
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{}))
	require.Equal(t, 2, ready(t, q))
}

// A write that fills the socket's buffers hangs, and the client library's own
// shutdown with it.
func TestHalfOpenLink_IsGivenUpUnderAWriteThatHangs(t *testing.T) {
	t.Parallel()
	p, q := newProxy(t, node.URL()), declared(t)
	b := across(t, p)
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{}))
	p.freeze()
	body := bytes.Repeat([]byte("x"), 1<<20)
	const messages = 32
	results := make(chan error, messages)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for range messages {
		go func() { results <- b.Publish(ctx, to(q), &runtime.Message{Body: body}) }()
	}
	confirmed, unknown := 0, 0
	for range messages {
		if err := <-results; err == nil {
			confirmed++
		} else {
			require.ErrorIs(t, err, runtime.ErrUnknown)
			require.NotErrorIs(t, err, context.DeadlineExceeded)
			unknown++
		}
	}
	require.NotZero(t, confirmed, "none waited for the next connection")
	require.NotZero(t, unknown)
	require.Equal(t, 1+confirmed, ready(t, q))
}

func TestShutdown_EndsInTimeOverHalfOpenLinks(t *testing.T) {
	t.Parallel()
	for name, last := range map[string]func(*frame) bool{
		"from the beginning":             func(*frame) bool { return true },
		"when the connection is closed":  func(f *frame) bool { return f.method == connectionClose },
		"when the channels are closed":   func(f *frame) bool { return f.method == channelClose },
		"when the consumer is cancelled": func(f *frame) bool { return f.method == basicCancel },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, q := newProxy(t, node.URL()), declared(t)
			// Both connections, or one of them, have a shutdown of their own. Nothing else
			// ends them in time.
			consumer, publisher := openWith(t, rabbitmq.Config{URL: p.url}), openWith(t, rabbitmq.Config{URL: p.url})
			consumer.SetCloseTimeout(time.Hour)
			publisher.SetCloseTimeout(time.Hour)
			start(t, consumer, runtime.Route{Name: "r", Queue: q, Handler: silent})
			require.NoError(t, publisher.Publish(t.Context(), to(q), &runtime.Message{}))
			p.obey(always(freeze, last))
			for _, b := range []*rabbitmq.Broker{consumer, publisher} {
				requireShutdown(t, b)
			}
		})
	}
}

// What ends by the protocol isn't a lost client in the server's log.
func TestShutdown_ClosesItsConnectionsByTheProtocol(t *testing.T) {
	t.Parallel()
	p, q := newProxy(t, node.URL()), declared(t)
	b := openWith(t, rabbitmq.Config{URL: p.url})
	start(t, b, runtime.Route{Name: "r", Queue: q, Handler: silent})
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{}))
	closed := make(chan string, 10)
	p.obey(func(f *frame) verdict {
		if !f.fromServer && f.method == connectionClose {
			closed <- f.wire.role
		}
		return pass
	})
	require.NoError(t, b.Shutdown(t.Context()))
	require.Len(t, closed, 2, "each was answered before Shutdown returned")
	require.ElementsMatch(t, []string{"consuming", "publishing"}, []string{<-closed, <-closed})
}

// requireShutdown requires that the shutdown of a broker ends with its context.
func requireShutdown(t *testing.T, b *rabbitmq.Broker) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- b.Shutdown(ctx) }()
	select {
	case err := <-ended:
		if err != nil {
			require.ErrorIs(t, err, context.DeadlineExceeded)
		}
	case <-time.After(patience):
		require.FailNow(t, "the shutdown doesn't end")
	}
}

// After the server has closed a channel over a message, each waits for the confirm of the
// one before, until one has it.
func TestPublish_SendsWithoutWaitingAgainAfterAConfirm(t *testing.T) {
	t.Parallel()
	p, x, channel := newProxy(t, node.URL()), queue(t).Name, amqpChannel(t)
	t.Cleanup(func() { channel.ExchangeDelete(x, false, false) })
	b, address, message := across(t, p), runtime.Address{Exchange: x}, &runtime.Message{AllowUnroutable: true}
	require.NoError(t, channel.ExchangeDeclare(x, "fanout", false, false, false, false, nil))
	require.NoError(t, b.Publish(t.Context(), address, message))
	require.NoError(t, channel.ExchangeDelete(x, false, false))
	require.ErrorIs(t, b.Publish(t.Context(), address, message), runtime.ErrNoExchange)
	require.NoError(t, channel.ExchangeDeclare(x, "fanout", false, false, false, false, nil))
	require.NoError(t, b.Publish(t.Context(), address, message))

	sent := make(chan struct{}, 10)
	p.obey(func(f *frame) verdict {
		if f.method == basicPublish {
			sent <- struct{}{}
		}
		if f.method == basicAck {
			return drop
		}
		return pass
	})
	ctx, cancel := context.WithCancel(t.Context())
	var publishing sync.WaitGroup
	for range 2 {
		publishing.Go(func() { _ = b.Publish(ctx, address, message) })
	}
	require.Eventually(t, func() bool { return len(sent) == 2 }, patience, time.Millisecond)
	p.end("publishing") // so that nothing waits for their confirms
	cancel()
	publishing.Wait()
}

// The request hasn't been sent then, so the call is made over the next connection.
func TestCall_GoesOnWhereTheConnectionEndsBeforeReplies(t *testing.T) {
	t.Parallel()
	p, q := newProxy(t, node.URL()), queue(t)
	b := across(t, p)
	start(t, b, runtime.Route{Name: "r", Queue: q, Reply: &runtime.Address{}, Handler: runtime.Respond(func(_ context.Context, body []byte) ([]byte, error) {
		return body, nil
	})})
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{}))
	p.obey(once(cut, func(f *frame) bool { return !f.fromServer && f.method == basicConsume && f.wire.role == "publishing" }))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	reply, err := b.Call(ctx, to(q), &runtime.Message{Body: []byte("1")})
	require.NoError(t, err)
	require.Equal(t, "1", string(reply.Body))
}

func TestPublish_IsErrUnknownWhereTheConfirmIsLost(t *testing.T) {
	t.Parallel()
	p, q := newProxy(t, node.URL()), declared(t)
	b := across(t, p)
	p.obey(once(cut, func(f *frame) bool { return f.fromServer && f.method == basicAck }))
	err := b.Publish(t.Context(), to(q), &runtime.Message{Body: []byte("1")})
	require.ErrorIs(t, err, runtime.ErrUnknown)
	require.NotContains(t, err.Error(), "not sent")
	require.Equal(t, 1, ready(t, q), "the server has it")
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Body: []byte("2")}))
	require.Equal(t, 2, ready(t, q))
}

func TestPublish_IsErrUnknownWhereTheMessageIsLost(t *testing.T) {
	t.Parallel()
	p, q := newProxy(t, node.URL()), declared(t)
	b := across(t, p)
	p.obey(once(cut, func(f *frame) bool { return f.method == basicPublish }))
	require.ErrorIs(t, b.Publish(t.Context(), to(q), &runtime.Message{Body: []byte("1")}), runtime.ErrUnknown)
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Body: []byte("2")}))
	require.Equal(t, 1, ready(t, q))
}

func TestLink_LosesAndDoublesNothingWhereItEndsWithinAMessage(t *testing.T) {
	t.Parallel()
	p, q, body := newProxy(t, node.URL()), declared(t), bytes.Repeat([]byte("0123456789"), 50_000)
	got := make(chan []byte, 10)
	start(t, across(t, p), runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(_ context.Context, body []byte) error {
		got <- bytes.Clone(body)
		return nil
	})})
	b := across(t, p)
	p.obey(once(halve, func(f *frame) bool { return !f.fromServer && f.kind == bodyFrame }))
	// Where the end is noticed before all is written, the server can't have the
	// message, and it goes again.
	if err := b.Publish(t.Context(), to(q), &runtime.Message{Body: body}); err == nil {
		require.Equal(t, body, <-got)
	} else {
		require.ErrorIs(t, err, runtime.ErrUnknown)
	}
	p.obey(once(halve, func(f *frame) bool { return f.fromServer && f.kind == bodyFrame }))
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Body: body}))
	require.Equal(t, body, <-got)
	require.Empty(t, got)
}

func TestLink_DelaysAndLosesNothingWhereItIsSlow(t *testing.T) {
	t.Parallel()
	p, q := newProxy(t, node.URL()), declared(t)
	p.throttle(t, 200_000)
	const messages = 20
	body, got := bytes.Repeat([]byte("x"), 8000), make(chan []byte, messages)
	b := start(t, across(t, p), runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(_ context.Context, body []byte) error {
		got <- bytes.Clone(body)
		return nil
	})})
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{}), "which connects")
	require.Empty(t, <-got)
	hasty, cancel := context.WithCancel(t.Context())
	defer cancel()
	p.obey(once(pass, func(f *frame) bool { // its body takes half a second
		if f.method == basicPublish {
			cancel()
		}
		return f.method == basicPublish
	}))
	require.ErrorIs(t, b.Publish(hasty, to(q), &runtime.Message{Body: bytes.Repeat(body, 10)}), context.Canceled)
	var publishing sync.WaitGroup
	errs := make(chan error, messages)
	for range messages {
		publishing.Go(func() { errs <- b.Publish(t.Context(), to(q), &runtime.Message{Body: body}) })
	}
	publishing.Wait()
	for range messages {
		require.NoError(t, <-errs)
	}
	require.Len(t, <-got, 10*len(body), "the hasty one arrives late")
	for range messages {
		require.Equal(t, body, <-got)
	}
}

// The heartbeats pass, so that only the missing answer tells.
func TestLink_IsGivenUpWithoutAnswers(t *testing.T) {
	t.Parallel()
	t.Run("by the publisher", func(t *testing.T) {
		t.Parallel()
		p, q := newProxy(t, node.URL()), declared(t)
		b := across(t, p)
		p.obey(once(drop, func(f *frame) bool { return f.method == exchangeDeclareOK }))
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		require.NoError(t, b.Publish(ctx, runtime.Address{Exchange: "amq.fanout"}, &runtime.Message{AllowUnroutable: true}))
		require.NoError(t, b.Publish(ctx, to(q), &runtime.Message{}))
	})
	t.Run("by the consumer", func(t *testing.T) {
		t.Parallel()
		p, q, got := newProxy(t, node.URL()), declared(t), make(chan string, 10)
		start(t, across(t, p), runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(_ context.Context, body []byte) error {
			got <- string(body)
			return nil
		})})
		p.obey(once(drop, func(f *frame) bool { return f.method == queueDeclareOK }))
		_, err := amqpChannel(t).QueueDelete(q.Name, false, false, false)
		require.NoError(t, err)
		awaitConsumers(t, node, q, 1)
		require.NoError(t, open(t, node.URL()).Publish(t.Context(), to(q), &runtime.Message{Body: []byte("1")}))
		require.Equal(t, "1", <-got)
	})
}

func TestConsumer_OpensAChannelAgainThatTheServerClosed(t *testing.T) {
	t.Parallel()
	p, q := newProxy(t, node.URL()), declared(t)
	var log conformance.Log
	var events record
	got := make(chan runtime.Delivery, 10)
	start(t, openWith(t, rabbitmq.Config{URL: p.url, Logger: textLogger(&log), Events: events.hooks()}), runtime.Route{
		Name: "r", Queue: q, Handler: runtime.Consume(func(ctx context.Context, _ []byte) error {
			got <- *runtime.DeliveryFrom(ctx)
			return nil
		}),
	})
	// The tag of the acknowledgement becomes one that the server has never given.
	p.obey(once(pass, func(f *frame) bool {
		if f.fromServer || f.method != basicAck {
			return false
		}
		f.raw[18] += 9
		return true
	}))
	b := open(t, node.URL())
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{}))
	require.False(t, (<-got).Redelivered)
	require.True(t, (<-got).Redelivered)
	require.Contains(t, log.String(), "unknown delivery tag")
	lost := events.await(t, runtime.EventChannelLost, "consuming")
	require.Equal(t, "r", lost.Route)
	require.Equal(t, q.Name, lost.Queue)
	require.ErrorContains(t, lost.Err, "unknown delivery tag")
	require.Eventually(t, func() bool { return ready(t, q) == 0 }, patience, 20*time.Millisecond)
}

func TestCancelOnLoss_TellsTheHandler(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(*testing.T, *proxy, runtime.Queue){
		"the connection": func(_ *testing.T, p *proxy, _ runtime.Queue) { p.each((*wire).end) },
		"the queue": func(t *testing.T, _ *proxy, q runtime.Queue) {
			_, err := amqpChannel(t).QueueDelete(q.Name, false, false, false)
			require.NoError(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, q := newProxy(t, node.URL()), declared(t)
			entered, causes := make(chan struct{}, 10), make(chan error, 10)
			start(t, openWith(t, rabbitmq.Config{URL: p.url, CancelOnLoss: true}), runtime.Route{
				Name: "r", Queue: q, Handler: runtime.Consume(func(ctx context.Context, _ []byte) error {
					if runtime.DeliveryFrom(ctx).Redelivered {
						return ctx.Err()
					}
					entered <- struct{}{}
					<-ctx.Done()
					causes <- context.Cause(ctx)
					return ctx.Err()
				}),
			})
			require.NoError(t, open(t, node.URL()).Publish(t.Context(), to(q), &runtime.Message{}))
			<-entered
			lose(t, p, q)
			require.ErrorIs(t, <-causes, runtime.ErrLost)
			awaitConsumers(t, node, q, 1)
		})
	}
}

func TestAck_IsErrLostWhereTheConnectionHasGone(t *testing.T) {
	t.Parallel()
	p, q, deliveries := newProxy(t, node.URL()), declared(t), make(chan *runtime.Delivery, 10)
	start(t, across(t, p), runtime.Route{
		Name: "r", Queue: q, AckMode: runtime.AckByHand, Handler: runtime.Consume(func(ctx context.Context, _ []byte) error {
			deliveries <- runtime.DeliveryFrom(ctx)
			return nil
		}),
	})
	require.NoError(t, open(t, node.URL()).Publish(t.Context(), to(q), &runtime.Message{}))
	first := <-deliveries
	p.each((*wire).end)
	second := <-deliveries
	require.True(t, second.Redelivered)
	require.ErrorIs(t, first.Ack(), runtime.ErrLost)
	require.ErrorIs(t, first.Nack(errors.New("fails")), runtime.ErrLost)
	require.NoError(t, second.Ack())
}

// An acknowledgement waits neither for others nor for the handler that comes next.
func TestAcks_AreSentWhileTheNextHandlerRuns(t *testing.T) {
	t.Parallel()
	p, q := newProxy(t, node.URL()), declared(t)
	entered, release, acked := make(chan string, 10), make(chan struct{}), make(chan struct{}, 10)
	b := open(t, node.URL())
	for _, body := range []string{"fast", "slow"} {
		require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Body: []byte(body)}))
	}
	p.obey(always(pass, func(f *frame) bool {
		if !f.fromServer && f.method == basicAck {
			acked <- struct{}{}
		}
		return false
	}))
	start(t, across(t, p), runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(_ context.Context, body []byte) error {
		entered <- string(body)
		if string(body) == "slow" {
			<-release
		}
		return nil
	})})
	require.Equal(t, "fast", <-entered)
	require.Equal(t, "slow", <-entered)
	<-acked
	close(release)
	<-acked
}

// silent is a handler that does nothing.
var silent = runtime.Consume(func(context.Context, []byte) error { return nil })

// declared returns a durable queue that the server has until the test ends.
func declared(t *testing.T) runtime.Queue {
	t.Helper()
	q, channel := queue(t), amqpChannel(t)
	_, err := channel.QueueDeclare(q.Name, q.Durable, false, false, false, nil)
	require.NoError(t, err)
	t.Cleanup(func() { channel.QueueDelete(q.Name, false, false, false) })
	return q
}

// ready is the number of the queue's messages that no consumer has.
func ready(t *testing.T, q runtime.Queue) int {
	t.Helper()
	conn, err := amqp.Dial(node.URL())
	require.NoError(t, err)
	defer conn.Close()
	channel, err := conn.Channel()
	require.NoError(t, err)
	found, err := channel.QueueDeclarePassive(q.Name, q.Durable, false, false, false, nil)
	require.NoError(t, err)
	return found.Messages
}
