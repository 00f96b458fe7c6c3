package conformance

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

var retryTests = []test{
	{"a message that fails is tried again, as it came", triesAgain},
	{"a message that failed at its last attempt is a dead letter, as it came", buries},
	{"a permanent failure is a dead letter at once", func(c *testCase) {
		errBad := errors.New("bad")
		policy := &runtime.FailurePolicy{Permanent: func(err error) bool { return errors.Is(err, errBad) }}
		q, dead := c.queue("q"), c.deadLetters("q")
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Failure: policy, Handler: runtime.Consume(func(_ context.Context, n int) error {
			if n == 1 {
				return runtime.Reject(errFailed)
			}
			return errBad
		})})
		for body, reason := range map[string]string{"1": "rejected", "2": "rejected", "no json": "undecodable"} {
			c.publish(b, toQueue(q), body)
			d := c.next(dead)
			require.Equal(c, body, string(d.Body))
			require.Equal(c, reason, deadHeader(d)["reason"])
			require.Equal(c, int64(1), deadHeader(d)["attempt"])
		}
	}},
	{"a message that its handler drops is forgotten", func(c *testCase) {
		in := newInbox()
		q, dead := c.queue("q"), c.deadLetters("q")
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Failure: &runtime.FailurePolicy{}, Handler: in.then(func(_ context.Context, d runtime.Delivery) error {
			if string(d.Body) == "1" {
				return runtime.Drop(errFailed)
			}
			return runtime.Reject(errFailed)
		})})
		c.publish(b, toQueue(q), "1")
		require.Equal(c, "1", c.body(in))
		c.publish(b, toQueue(q), "2")
		require.Equal(c, "2", c.body(in))
		require.Equal(c, "2", c.body(dead))
		c.shutdown(b)
		require.Empty(c, in)
	}},
	{"a handler says when it is to be tried again, beyond the longest delay too", func(c *testCase) {
		in := newInbox()
		q := c.queue("q")
		policy := &runtime.FailurePolicy{Attempts: 3, Delay: 10 * time.Millisecond}
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Failure: policy, Handler: in.then(func(_ context.Context, d runtime.Delivery) error {
			if d.Attempt == 1 {
				return runtime.RetryAfter(errFailed, 90*time.Millisecond)
			}
			return nil
		})})
		began := time.Now()
		c.publish(b, toQueue(q), "1")
		require.Equal(c, 1, c.next(in).Attempt)
		require.Equal(c, 2, c.next(in).Attempt)
		require.GreaterOrEqual(c, time.Since(began), 89*time.Millisecond)
	}},
	{"a message whose headers fill the frame is a dead letter at once, and hurts no other", fillsTheFrame},
	{"a message that is postponed waits, and that is no attempt", func(c *testCase) {
		for attempts, wants := range map[int][]int{2: {1, 1, 1, 1, 2}, 1: {1, 1, 1, 1}} {
			in, calls := newInbox(), 0
			q, dead := c.queue("q"+fmt.Sprint(attempts)), c.deadLetters("q"+fmt.Sprint(attempts))
			b := c.start(Settings{RedeliveryDelay: time.Millisecond}, runtime.Route{
				Name: "r", Queue: q, Failure: fast(attempts), Handler: in.then(func(context.Context, runtime.Delivery) error {
					if calls++; calls <= 3 {
						return runtime.Postpone(errFailed, time.Millisecond)
					}
					return errFailed
				}),
			})
			c.publish(b, toQueue(q), "1")
			for _, want := range wants {
				require.Equal(c, want, c.next(in).Attempt)
			}
			d := c.next(dead)
			require.Equal(c, int64(attempts), deadHeader(d)["attempt"])
			require.Empty(c, in)
		}
	}},
	{"a header of whoever publishes doesn't count as an attempt", func(c *testCase) {
		in := newInbox()
		q := c.queue("q")
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Failure: &runtime.FailurePolicy{}, Handler: in.handler()})
		forged := map[string]any{"warren-retry": map[string]any{"attempt": int64(99), "exchange": "forged"}}
		require.NoError(c, b.Publish(c.ctx(), toQueue(q), &runtime.Message{Body: []byte("1"), Headers: forged}))
		d := c.next(in)
		require.Equal(c, 1, d.Attempt)
		require.Empty(c, d.Exchange)
	}},
	{"middleware learns of retries, dead letters and what is dropped", func(c *testCase) {
		settled := make(chan string, 10)
		learn := func(next runtime.HandlerFunc) runtime.HandlerFunc {
			return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
				d.OnSettled(func(s runtime.Settlement, err error) {
					require.NoError(c, err)
					settled <- s.String()
				})
				return next(ctx, d)
			}
		}
		q := c.queue("q")
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Failure: fast(2), Handler: runtime.Consume(func(_ context.Context, body []byte) error {
			if string(body) == "drop" {
				return runtime.Drop(errFailed)
			}
			return errFailed
		}).With(learn)})
		c.publish(b, toQueue(q), "1")
		require.Equal(c, "retry", <-settled)
		require.Equal(c, "dead-letter", <-settled)
		c.publish(b, toQueue(q), "drop")
		require.Equal(c, "discard", <-settled)
	}},
	{"the dead-letter exchange of the queue gets its dead letters, with the key that they came with", func(c *testCase) {
		dlx, dead := c.exchange("dlx", runtime.Direct), newInbox()
		c.start(Settings{}, runtime.Route{Name: "dead", Queue: c.queue("mine"), Exchange: dlx, RoutingKeys: []string{"key"}, Handler: dead.handler()})
		q, x := c.queue("q", "x-dead-letter-exchange", dlx.Name), c.exchange("x", runtime.Direct)
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, Exchange: x, RoutingKeys: []string{"key"}, Failure: fast(2),
			Handler: newInbox().then(func(context.Context, runtime.Delivery) error { return errFailed }),
		})
		c.publish(b, toExchange(x, "key"), "1")
		d := c.next(dead)
		require.Equal(c, "attempts", deadHeader(d)["reason"])
		require.Equal(c, dlx.Name, d.Exchange)
	}},
	{"a route of the router may consume the dead letters", func(c *testCase) {
		dead := newInbox()
		q, morgue := c.queue("q"), c.queue("morgue", "x-max-length", 100)
		b := c.start(Settings{},
			runtime.Route{
				Name: "r", Queue: q, Failure: &runtime.FailurePolicy{DeadLetters: morgue.Name},
				Handler: newInbox().then(func(context.Context, runtime.Delivery) error { return runtime.Reject(errFailed) }),
			},
			runtime.Route{Name: "dead", Queue: morgue, Handler: dead.handler()})
		c.publish(b, toQueue(q), "1")
		require.Equal(c, "1", c.body(dead))
	}},
	{"a queue for copies that was deleted is declared again where it is missed", func(c *testCase) {
		in, dead := newInbox(), newInbox()
		q := c.queue("q")
		b := c.start(Settings{RedeliveryDelay: time.Hour}, runtime.Route{Name: "r", Queue: q, Failure: fast(2), Handler: in.then(func(context.Context, runtime.Delivery) error {
			return errFailed
		})})
		c.server.Delete(c.T, []string{q.Name + ".retry.10ms", q.Name + ".dead"}, nil)
		c.publish(b, toQueue(q), "1")
		require.Equal(c, 1, c.next(in).Attempt)
		require.Equal(c, 2, c.next(in).Attempt)
		c.start(Settings{}, runtime.Route{Name: "dead", Queue: runtime.Queue{Name: q.Name + ".dead", Durable: true}, Handler: dead.handler()})
		require.Equal(c, "1", c.body(dead))
	}},
	{"a message whose copy isn't confirmed stays in its queue", func(c *testCase) {
		in := newInbox()
		q, full := c.queue("q"), c.queue("full", "x-max-length", 1, "x-overflow", "reject-publish")
		router := c.router(runtime.Route{Name: "r", Queue: q, Failure: &runtime.FailurePolicy{DeadLetters: full.Name}, Handler: in.then(func(_ context.Context, d runtime.Delivery) error {
			if d.Redelivered {
				return nil
			}
			return runtime.Reject(errFailed)
		})})
		require.NoError(c, router.Declare(runtime.Topology{Queues: []runtime.Queue{full}}))
		b := c.open(Settings{RedeliveryDelay: time.Millisecond})
		require.NoError(c, b.Start(c.ctx(), router))
		c.publish(b, toQueue(full), "in the way")
		c.publish(b, toQueue(q), "1")
		require.Equal(c, 1, c.next(in).Attempt)
		again := c.next(in)
		require.True(c, again.Redelivered)
		require.Equal(c, 1, again.Attempt)
	}},
	{"failures of a quorum queue wait and end in quorum queues", func(c *testCase) {
		in := newInbox()
		q, dead := c.queue("q", "x-queue-type", "quorum"), newInbox()
		b := c.start(Settings{},
			runtime.Route{Name: "r", Queue: q, Failure: fast(2), Handler: in.then(func(context.Context, runtime.Delivery) error { return errFailed })},
			runtime.Route{Name: "dead", Queue: c.queue("q.dead", "x-queue-type", "quorum"), Handler: dead.handler()})
		c.publish(b, toQueue(q), "1")
		require.Equal(c, 1, c.next(in).Attempt)
		require.Equal(c, 2, c.next(in).Attempt)
		require.Equal(c, "attempts", deadHeader(c.next(dead))["reason"])
	}},
	{"a message that waits keeps no other from being handled", func(c *testCase) {
		in := newInbox()
		q := c.queue("q")
		policy := &runtime.FailurePolicy{Delay: time.Hour, MaxDelay: time.Hour}
		b := c.start(Settings{Prefetch: 2}, runtime.Route{Name: "r", Queue: q, Failure: policy, Handler: in.then(func(_ context.Context, d runtime.Delivery) error {
			if string(d.Body) == "poison" {
				return errFailed
			}
			return nil
		})})
		for range 10 {
			c.publish(b, toQueue(q), "poison")
		}
		c.publish(b, toQueue(q), "fine")
		for range 10 {
			require.Equal(c, "poison", c.body(in))
		}
		require.Equal(c, "fine", c.body(in))
	}},
	{"a request that can't be answered is a dead letter", func(c *testCase) {
		q, dead := c.queue("q"), c.deadLetters("q")
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, Failure: &runtime.FailurePolicy{},
			Handler: runtime.Respond(func(context.Context, int) (int, error) { return 0, nil }),
		})
		c.publish(b, toQueue(q), "1")
		require.Equal(c, "1", c.body(dead))
	}},
}

// fast is a policy with a delay of 10 ms before each further attempt.
func fast(attempts int) *runtime.FailurePolicy {
	const delay = 10 * time.Millisecond
	return &runtime.FailurePolicy{Attempts: attempts, Delay: delay, MaxDelay: delay}
}

// deadLetters returns what arrives in the queue for dead letters of the queue name.
func (c *testCase) deadLetters(name string) inbox {
	in := newInbox()
	c.start(Settings{}, runtime.Route{Name: "dead", Queue: c.queue(name + ".dead"), Handler: in.handler()})
	return in
}

func fillsTheFrame(c *testCase) {
	var log Log
	in := newInbox()
	q, dead := c.queue("q"), c.deadLetters("q")
	b := c.start(Settings{Logger: slog.New(slog.NewTextHandler(&log, nil))}, runtime.Route{
		Name: "r", Queue: q, Failure: fast(3), Handler: in.then(func(_ context.Context, d runtime.Delivery) error {
			if d.Headers == nil {
				return nil
			}
			return errFailed
		}),
	})
	many := make(map[string]any)
	for i := range 8192 {
		many[strconv.Itoa(i)] = true
	}
	large := map[string]any{"large": strings.Repeat("x", 126_900), "small": "kept"}
	for _, headers := range []map[string]any{large, many} {
		require.NoError(c, b.Publish(c.ctx(), toQueue(q), &runtime.Message{Body: []byte("1"), Headers: headers}))
		require.Len(c, c.next(in).Headers, len(headers))
		d := c.next(dead)
		require.Equal(c, "1", string(d.Body))
		require.Len(c, d.Headers, len(headers), "one less, and that of the dead letter")
		failure, _ := runtime.FailureOf(&d)
		require.Len(c, failure.Missing, 1)
		require.Contains(c, failure.Error, errFailed.Error())
		require.Contains(c, failure.Error, "frame")
	}
	c.publish(b, toQueue(q), "2")
	require.Equal(c, "2", c.body(in))
	require.Empty(c, in)
	require.NotContains(c, log.String(), "closed by the server")
	require.NotContains(c, log.String(), "connection lost")
}

// deadHeader returns what the runtime has added to a dead letter.
func deadHeader(d runtime.Delivery) map[string]any {
	table, _ := d.Headers["warren-dead"].(map[string]any)
	return table
}

// full is a message with every property and header that a copy could lose or that
// the server could act upon. Its second key is the name of a queue, too.
func full(c *testCase, x *runtime.Exchange) (runtime.Address, *runtime.Message) {
	return toExchange(x, "key"), &runtime.Message{
		Body:            []byte("{\"a\":\x00\xff"),
		ContentType:     "application/x-odd",
		ContentEncoding: "identity",
		Headers: map[string]any{
			"int8": int8(-1), "int16": int16(2), "int32": int32(-3), "int64": int64(4), "float32": float32(0.5), "float64": 0.25,
			"bool": true, "text": "t", "bytes": []byte{0, 1}, "time": time.Unix(1700000000, 0).UTC(), "nil": nil,
			"array": []any{int32(1), "x"}, "table": map[string]any{"x": "y"}, "CC": []any{c.prefix + "other"}, "x-delay": int32(5),
		},
		MessageID: "id", CorrelationID: "correlation", ReplyTo: "reply", Type: "type", AppID: "app",
		Timestamp: time.Unix(1700000001, 0).UTC(), Expiration: time.Hour, Priority: 3, Transient: true,
	}
}

// triesAgain compares the second attempt with the first one.
func triesAgain(c *testCase) {
	in, other := newInbox(), newInbox()
	q, x := c.queue("q"), c.exchange("x", runtime.Direct)
	b := c.start(Settings{},
		runtime.Route{Name: "r", Queue: q, Exchange: x, RoutingKeys: []string{"key"}, Failure: fast(4), Handler: in.then(func(_ context.Context, d runtime.Delivery) error {
			if d.Attempt < 3 {
				return errFailed
			}
			return nil
		})},
		runtime.Route{Name: "other", Queue: c.queue("other"), Exchange: x, RoutingKeys: []string{c.prefix + "other"}, Handler: other.handler()})
	to, m := full(c, x)
	require.NoError(c, b.Publish(c.ctx(), to, m))
	first := c.next(in)
	require.Equal(c, 1, first.Attempt)
	for attempt := 2; attempt <= 3; attempt++ {
		again := c.next(in)
		require.Equal(c, attempt, again.Attempt)
		first.Attempt, again.Tag, again.Redelivered = attempt, first.Tag, false
		require.Equal(c, first, again)
	}
	c.next(other)
	c.shutdown(b)
	require.Empty(c, other, "a copy was routed by the header CC")
}

// buries compares a dead letter with the message.
func buries(c *testCase) {
	in := newInbox()
	q, x := c.queue("q"), c.exchange("x", runtime.Direct)
	dead := c.deadLetters("q")
	b := c.start(Settings{}, runtime.Route{
		Name: "r", Queue: q, Exchange: x, RoutingKeys: []string{"key"}, Failure: fast(3),
		Handler: in.then(func(context.Context, runtime.Delivery) error { return errFailed }),
	})
	to, m := full(c, x)
	delete(m.Headers, "CC")
	require.NoError(c, b.Publish(c.ctx(), to, m))
	first := c.next(in)
	letter := c.next(dead)
	table := deadHeader(letter)
	require.Equal(c, "attempts", table["reason"])
	require.Equal(c, "failed", table["error"])
	require.Equal(c, int64(3), table["attempt"])
	require.Equal(c, "r", table["route"])
	require.Equal(c, q.Name, table["queue"])
	require.Equal(c, x.Name, table["exchange"])
	require.Equal(c, "key", table["routing-key"])
	require.Equal(c, time.Hour.Milliseconds(), table["expiration"])
	require.IsType(c, time.Time{}, table["first-failure"])
	delete(letter.Headers, "warren-dead")
	require.Equal(c, first.Headers, letter.Headers)
	require.Equal(c, first.Body, letter.Body)
	require.Zero(c, letter.Expiration, "a dead letter would expire")
	require.True(c, slices.Equal([]any{first.MessageID, first.Type, first.Priority}, []any{letter.MessageID, letter.Type, letter.Priority}))
}
