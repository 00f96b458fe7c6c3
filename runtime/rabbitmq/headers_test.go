package rabbitmq_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/conformance"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// nested returns a table with so many tables within.
func nested(depth int) amqp.Table {
	t := amqp.Table{}
	for range depth {
		t = amqp.Table{"t": t}
	}
	return t
}

// unreadable are headers over which the client library ends the connection.
func unreadable() map[string]amqp.Table {
	wide := amqp.Table{}
	for i := range 8193 {
		wide[string(rune('a'+i%26))+string(rune(i+256))] = true
	}
	return map[string]amqp.Table{
		"tables that are nested too deep": {"deep": nested(32)},
		"an array with too many elements": {"long": slices.Repeat([]any{nil}, 8193)},
		"a table with too many elements":  {"wide": wide},
		"too many headers":                wide,
	}
}

func TestUnreadableHeaders_AreDeadLettered(t *testing.T) {
	for name, headers := range unreadable() {
		t.Run(name, func(t *testing.T) {
			q, dead, other := queue(t), declared(t), queue(t)
			q.Arguments = map[string]any{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": dead.Name}
			q.AutoDelete, other.AutoDelete = true, true
			headers["x-ours"] = "kept"
			var log conformance.Log
			seen, got := make(chan runtime.Delivery, 10), make(chan string, 10)
			look := func(next runtime.HandlerFunc) runtime.HandlerFunc {
				return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
					seen <- *d
					return next(ctx, d)
				}
			}
			handler := func(_ context.Context, body []byte) error {
				got <- string(body)
				return nil
			}
			b := start(t, openWith(t, rabbitmq.Config{URL: node.URL(), Logger: textLogger(&log)}),
				runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(handler).With(look)},
				runtime.Route{Name: "other", Queue: other, Handler: runtime.Consume(handler)})
			sendRaw(t, node, q, amqp.Publishing{Headers: headers, ContentType: "a/b", ContentEncoding: "c", MessageId: "id", Body: []byte("bad")})
			d := <-seen
			require.ErrorContains(t, d.Unreadable, "headers")
			require.Equal(t, []string{"bad", "a/b", "c", "id"}, []string{string(d.Body), d.ContentType, d.ContentEncoding, d.MessageID})
			if len(headers) == 2 {
				require.Equal(t, map[string]any{"x-ours": "kept"}, d.Headers)
			}
			require.Eventually(t, func() bool { return ready(t, dead) == 1 }, patience, 10e6)
			require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Body: []byte("good")}))
			require.Equal(t, "good", <-got)
			require.NoError(t, b.Publish(t.Context(), to(other), &runtime.Message{Body: []byte("other")}))
			require.Equal(t, "other", <-got)
			require.NotContains(t, log.String(), "connection lost")
		})
	}
}

func TestUnreadableHeaders_OfAReplyAreAnError(t *testing.T) {
	q, channel := declared(t), amqpChannel(t)
	requests, err := channel.Consume(q.Name, "", true, false, false, false, nil)
	require.NoError(t, err)
	go func() {
		for d := range requests {
			p := amqp.Publishing{CorrelationId: d.CorrelationId, Body: d.Body}
			if string(d.Body) == "bad" {
				p.Headers = amqp.Table{"deep": nested(32)}
			}
			_ = channel.Publish("", d.ReplyTo, false, false, p)
		}
	}()
	b := open(t, node.URL())
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	_, err = b.Call(ctx, to(q), &runtime.Message{Body: []byte("bad")})
	require.ErrorContains(t, err, "nested more than 32 deep")
	require.NotErrorIs(t, err, runtime.ErrUnknown)
	reply, err := b.Call(ctx, to(q), &runtime.Message{Body: []byte("good")})
	require.NoError(t, err)
	require.Equal(t, "good", string(reply.Body))
}

// What the library reads isn't touched.
func TestHeaders_AtTheLimitsAreRead(t *testing.T) {
	q, got := queue(t), make(chan runtime.Delivery, 10)
	q.AutoDelete = true
	b := start(t, open(t, node.URL()), runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(ctx context.Context, _ []byte) error {
		got <- *runtime.DeliveryFrom(ctx)
		return nil
	})})
	deep, long := any("x"), slices.Repeat([]any{nil}, 8192)
	for range 32 {
		deep = map[string]any{"t": deep}
	}
	headers := map[string]any{"deep": deep, "long": long}
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Headers: headers}))
	d := <-got
	require.NoError(t, d.Unreadable)
	require.Equal(t, headers, d.Headers)
	sendRaw(t, node, q, amqp.Publishing{Headers: amqp.Table{
		"f": float32(1), "d": 1.5, "n": nil, "D": amqp.Decimal{Scale: 1, Value: 2}, "b": int8(1), "B": byte(1), "s": int16(1), "u": uint16(1),
		"i": uint32(1), "x": []byte("x"), "A": []any{amqp.Table{}}, "t": true, "S": "s", "I": int32(1), "l": int64(1),
	}})
	d = <-got
	require.NoError(t, d.Unreadable)
	require.Len(t, d.Headers, 15)
}

// largeHeaders sends a message whose headers are larger than a frame of the client
// library, on a server that allows it.
func largeHeaders(t *testing.T, node *rabbitnode.Node) {
	q, seen, got := queue(t), make(chan runtime.Delivery, 10), make(chan string, 10)
	q.AutoDelete = true
	start(t, open(t, node.URL()), runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(_ context.Context, body []byte) error {
		got <- string(body)
		return nil
	}).With(func(next runtime.HandlerFunc) runtime.HandlerFunc {
		return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			if d.Unreadable == nil {
				return next(ctx, d)
			}
			seen <- *d
			return nil, nil
		}
	})})
	for _, size := range []int{200_000, 1_500_000} {
		headers := amqp.Table{"large": bytes.Repeat([]byte("x"), size), "small": "kept"}
		sendRaw(t, node, q, amqp.Publishing{Headers: headers, MessageId: "id", Body: []byte("bad")})
		d := <-seen
		require.ErrorContains(t, d.Unreadable, "larger than a frame")
		require.Equal(t, "bad", string(d.Body))
		if size < 1_000_000 {
			require.Equal(t, "id", d.MessageID)
			require.Equal(t, map[string]any{"small": "kept"}, d.Headers)
		}
		sendRaw(t, node, q, amqp.Publishing{Body: []byte("good")})
		require.Equal(t, "good", <-got)
	}
}

// sendRaw sends a message by the client library, which checks nothing.
func sendRaw(t *testing.T, node *rabbitnode.Node, q runtime.Queue, p amqp.Publishing) {
	t.Helper()
	conn, err := amqp.DialConfig(node.URL(), amqp.Config{FrameSize: 2 << 20})
	require.NoError(t, err)
	defer conn.Close()
	channel, err := conn.Channel()
	require.NoError(t, err)
	require.NoError(t, channel.Confirm(false))
	confirm, err := channel.PublishWithDeferredConfirm("", q.Name, true, false, p)
	require.NoError(t, err)
	require.True(t, confirm.Wait())
}

// What a copy adds doesn't fit into the frame that was agreed on. The first messages have
// room for another attempt, and then for what the server adds or not.
func TestHeaders_ThatFillTheFrameCloseNothing(t *testing.T) {
	const frameMax, smallFrame = 16 << 10, 4<<10 + 100
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	own, err := rabbitnode.Start(ctx, rabbitnode.WithSettings(fmt.Sprint("frame_max = ", frameMax)))
	require.NoError(t, err)
	t.Cleanup(own.Stop)
	var events record
	dead := make(chan runtime.Delivery, 10)
	b := openWith(t, rabbitmq.Config{URL: own.URL(), Events: events.hooks()})
	require.NoError(t, b.Start(ctx, router(t,
		runtime.Route{
			Name: "r", Queue: runtime.Queue{Name: "q"}, Failure: &runtime.FailurePolicy{Attempts: 2, Delay: time.Millisecond},
			Handler: runtime.Consume(func(context.Context, []byte) error { return errors.New("fails") }),
		},
		runtime.Route{
			Name: "dead", Queue: runtime.Queue{Name: "q.dead", Durable: true}, Failure: &runtime.FailurePolicy{Endless: true},
			Handler: runtime.Consume(func(ctx context.Context, _ []byte) error {
				dead <- *runtime.DeliveryFrom(ctx)
				return nil
			}),
		})))
	for size := frameMax / 2; size < frameMax-smallFrame; size += 300 {
		require.NoError(t, b.Publish(ctx, runtime.Address{RoutingKey: "q"}, &runtime.Message{
			Body: []byte("body"), Headers: map[string]any{"h": strings.Repeat("x", size), "small": "kept"},
		}), size)
		d := <-dead
		require.Equal(t, "body", string(d.Body))
		require.Equal(t, "kept", d.Headers["small"])
		failure, _ := runtime.FailureOf(&d)
		if d.Headers["h"] == nil {
			require.Equal(t, []string{"h"}, failure.Missing, size)
		}
	}
	require.NoError(t, b.Shutdown(ctx))
	for _, e := range events.all {
		require.Equal(t, runtime.EventConnected, e.Kind)
	}
}

// A decimal has no type in Go, and is passed on as it came.
func TestHeaders_OfADeadLetterHaveDecimals(t *testing.T) {
	q, want := queue(t), amqp.Decimal{Scale: 2, Value: 1050}
	b := open(t, node.URL())
	start(t, b, runtime.Route{Name: "r", Queue: q, Failure: &runtime.FailurePolicy{Attempts: 1}, Handler: runtime.Consume(func(context.Context, []byte) error {
		return errors.New("fails")
	})})
	t.Cleanup(func() { deleteQueues(t, node.URL(), q.Name, q.Name+".dead") })
	sendRaw(t, node, q, amqp.Publishing{Headers: amqp.Table{"price": want}})
	channel := amqpChannel(t)
	require.Eventually(t, func() bool {
		d, found, err := channel.Get(q.Name+".dead", true)
		require.NoError(t, err)
		return found && d.Headers["price"] == want
	}, patience, time.Millisecond)
}

// The server ends a connection over headers that don't fit into a frame, so such a
// message is refused before it is sent, and no other one notices.
func TestHeaders_BeyondTheFrameAreRefusedAlone(t *testing.T) {
	const frameMax = 16 << 10
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	own, err := rabbitnode.Start(ctx, rabbitnode.WithSettings(fmt.Sprint("frame_max = ", frameMax)))
	require.NoError(t, err)
	t.Cleanup(own.Stop)
	var events record
	b := openWith(t, rabbitmq.Config{URL: own.URL(), Events: events.hooks()})
	var sending sync.WaitGroup
	for i := range 50 {
		sending.Go(func() {
			size := frameMax - 8<<10
			if i%2 == 0 {
				size = frameMax
			}
			err := b.Publish(ctx, runtime.Address{RoutingKey: "q"}, &runtime.Message{AllowUnroutable: true, Headers: map[string]any{"h": strings.Repeat("x", size)}})
			if i%2 == 0 {
				assert.ErrorContains(t, err, "don't fit into a frame of the server")
				assert.NotErrorIs(t, err, runtime.ErrUnknown)
			} else {
				assert.NoError(t, err)
			}
		})
	}
	sending.Wait()
	require.NoError(t, b.Shutdown(ctx))
	for _, e := range events.all {
		require.Equal(t, runtime.EventConnected, e.Kind)
	}
}

// A copy would lose the headers that no client can read.
func TestReviewDeadLetters_CopiesNothingThatIsUnreadable(t *testing.T) {
	dead, q := declared(t), declared(t)
	for _, headers := range []amqp.Table{{"x-first-death-queue": q.Name}, {"x-delivery-count": int64(15)}} {
		headers["deep"] = nested(32)
		sendRaw(t, node, dead, amqp.Publishing{Headers: headers, MessageId: "id", Body: []byte("bad")})
		verdict := rabbitmq.Replay
		if headers["x-delivery-count"] != nil {
			verdict = rabbitmq.Keep
		}
		b := open(t, node.URL())
		for range 2 { // it stays
			_, err := b.ReviewDeadLetters(t.Context(), dead.Name, func(d *runtime.Delivery) (rabbitmq.Verdict, error) {
				require.Error(t, d.Unreadable)
				return verdict, nil
			})
			require.ErrorContains(t, err, "would lose headers")
		}
		review, err := b.ReviewDeadLetters(t.Context(), dead.Name, func(*runtime.Delivery) (rabbitmq.Verdict, error) { return rabbitmq.Drop, nil })
		require.NoError(t, err)
		require.Equal(t, rabbitmq.Review{Dropped: 1}, review)
	}
}
