package conformance

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	goruntime "runtime"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

var errFailed = errors.New("failed")

// once fails in the way of fail for deliveries that come the first time.
func once(fail func() error) func(context.Context, runtime.Delivery) error {
	return func(_ context.Context, d runtime.Delivery) error {
		if d.Redelivered {
			return nil
		}
		return fail()
	}
}

var failureTests = []test{
	{"middleware learns what becomes of a message", learnsSettlements},
	{"an error brings the message again", func(c *testCase) { redelivers(c, func() error { return errFailed }) }},
	{"a panic brings the message again", func(c *testCase) { redelivers(c, func() error { panic("bug") }) }},
	{"a handler that ends its goroutine gets the message again", func(c *testCase) {
		redelivers(c, func() error {
			goruntime.Goexit()
			return nil
		})
	}},
	{"what can't succeed leaves a queue without dead letters", leavesWithoutDeadLetters},
	{"a rejected message goes to the dead-letter exchange", func(c *testCase) {
		d := c.deadLettered(func(context.Context, runtime.Delivery) error { return runtime.Reject(errFailed) }, "1")
		require.Equal(c, "1", string(d.Body))
		require.Equal(c, c.prefix+"q", d.Headers["x-first-death-queue"])
		death := d.Headers["x-death"].([]any)[0].(map[string]any)
		require.Equal(c, "rejected", death["reason"])
		require.Equal(c, int64(1), death["count"])
		require.Equal(c, "", death["exchange"])
		require.Equal(c, []any{c.prefix + "q"}, death["routing-keys"])
	}},
	{"headers at their limit outlive dead-lettering", func(c *testCase) {
		q, dead := c.deadLetterQueue()
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(context.Context, []byte) error {
			return runtime.Reject(errFailed)
		})})
		large := strings.Repeat("x", 124<<10-100)
		require.NoError(c, b.Publish(c.ctx(), toQueue(q), &runtime.Message{Headers: map[string]any{"large": large}}))
		require.Equal(c, large, c.next(dead).Headers["large"])
	}},
	{"an undecodable body goes to the dead-letter exchange, and no handler sees it", func(c *testCase) {
		q, in := c.deadLetterQueue()
		handled := make(chan int, 10)
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(_ context.Context, n int) error {
			handled <- n
			return nil
		})})
		for _, body := range []string{"no json", "", `"text"`, "1 2", "7"} {
			c.publish(b, toQueue(q), body)
		}
		for _, body := range []string{"no json", "", `"text"`, "1 2"} {
			require.Equal(c, body, c.body(in))
		}
		require.Equal(c, 7, <-handled)
		c.shutdown(b)
		require.Empty(c, handled)
	}},
	{"an error that may pass isn't dead-lettered", func(c *testCase) {
		q, dead := c.deadLetterQueue()
		in := newInbox()
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.then(once(func() error { return errFailed }))})
		c.publish(b, toQueue(q), "1")
		c.next(in)
		require.True(c, c.next(in).Redelivered)
		require.Empty(c, dead)
	}},
	{"a requeued message keeps its place", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		sender := c.start(Settings{}, runtime.Route{Name: "declare", Queue: q, Handler: newInbox().handler()})
		c.shutdown(sender)
		sender = c.open(Settings{})
		for _, body := range []string{"1", "2", "3"} {
			c.publish(sender, toQueue(q), body)
		}
		c.start(Settings{Prefetch: 1}, runtime.Route{Name: "r", Queue: q, Handler: in.then(once(func() error { return errFailed }))})
		for _, body := range []string{"1", "1", "2", "2", "3", "3"} {
			require.Equal(c, body, c.body(in))
		}
	}},
	{"a panic around a reply brings the request again", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		route := runtime.Route{Name: "r", Queue: q, Handler: runtime.Respond(func(ctx context.Context, body []byte) ([]byte, error) {
			in <- *runtime.DeliveryFrom(ctx)
			return body, nil
		})}
		router := c.router(route)
		router.Intercept(func(next runtime.SendFunc) runtime.SendFunc {
			return func(ctx context.Context, s *runtime.Sending) (*runtime.Message, error) {
				if !s.Request.Redelivered {
					panic("bug")
				}
				return next(ctx, s)
			}
		})
		b := c.open(Settings{})
		require.NoError(c, b.Start(c.ctx(), router))
		reply, err := b.Call(c.ctx(), toQueue(q), text("1"))
		require.NoError(c, err)
		require.Equal(c, "1", string(reply.Body))
		require.False(c, c.next(in).Redelivered)
		require.True(c, c.next(in).Redelivered)
	}},
	{"a panic after the settlement is logged, and the others learn of theirs", panicsWhenSettled},
	{"the stack of a panic is logged", func(c *testCase) {
		var log Log
		q, in := c.queue("q"), newInbox()
		b := c.start(Settings{Logger: slog.New(slog.NewTextHandler(&log, nil))}, runtime.Route{
			Name: "r", Queue: q, Handler: in.then(once(func() error { panic("bug") })),
		})
		c.publish(b, toQueue(q), "1")
		c.next(in)
		c.next(in)
		require.Contains(c, log.String(), "bug")
		require.Contains(c, log.String(), "conformance/failure.go")
	}},
	{"a message that fails again is held, the others go on, and shutdown doesn't wait for it", poison},
	{"however many messages fail, the others are handled", func(c *testCase) { c.poisoned(c.queue("q"), 3, 20) }},
	{"a failing message doesn't stop a route with a prefetch of one", func(c *testCase) { c.poisoned(c.queue("q"), 1, 3) }},
	{"a queue that is deleted with its last consumer outlives failing messages", func(c *testCase) {
		q := c.queue("q")
		q.AutoDelete = true
		c.poisoned(q, 2, 5)
	}},
	{"with a single active consumer a failing message keeps its turn", func(c *testCase) {
		q, in, other := c.queue("q", "x-single-active-consumer", true), newInbox(), newInbox()
		b := c.start(Settings{RedeliveryDelay: 20 * time.Millisecond}, runtime.Route{
			Name: "r", Queue: q, Prefetch: 1, Handler: in.then(func(context.Context, runtime.Delivery) error { return errFailed }),
		})
		c.start(Settings{}, runtime.Route{Name: "other", Queue: q, Handler: other.handler()})
		c.publish(b, toQueue(q), "first")
		c.publish(b, toQueue(q), "second")
		for range 5 {
			require.Equal(c, "first", c.body(in))
		}
		require.Empty(c, other)
	}},
	{"a held message comes again after the delay", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		b := c.start(Settings{RedeliveryDelay: 50 * time.Millisecond}, runtime.Route{
			Name: "r", Queue: q, Handler: in.then(func(context.Context, runtime.Delivery) error { return errFailed }),
		})
		c.publish(b, toQueue(q), "1")
		c.next(in)
		c.next(in)
		second := time.Now()
		c.next(in)
		require.GreaterOrEqual(c, time.Since(second), 25*time.Millisecond)
	}},
}

// redelivers expects that a handler which fails once gets the message again.
func redelivers(c *testCase, fail func() error) {
	q, in := c.queue("q"), newInbox()
	b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.then(once(fail))})
	c.publish(b, toQueue(q), "1")
	first, second := c.next(in), c.next(in)
	require.False(c, first.Redelivered)
	require.True(c, second.Redelivered)
	require.Equal(c, "1", string(second.Body))
	c.publish(b, toQueue(q), "2")
	require.Equal(c, "2", c.body(in))
}

// leavesWithoutDeadLetters sends what can't be decoded and what is rejected, and expects
// that each is met once and what comes after it is handled.
func leavesWithoutDeadLetters(c *testCase) {
	for name, change := range map[string]func(*runtime.Route){
		"durable":     func(*runtime.Route) {},
		"ordered":     func(r *runtime.Route) { r.Order = runtime.Strict() },
		"auto-delete": func(r *runtime.Route) { r.Queue.AutoDelete = true },
		"exclusive":   func(r *runtime.Route) { r.Queue.Exclusive, r.Queue.Durable = true, false },
		"by hand":     func(r *runtime.Route) { r.AckMode = runtime.AckByHand },
	} {
		settled, handled := make(chan runtime.Settlement, 1000), make(chan int, 1000)
		route := runtime.Route{Name: "r", Queue: c.queue(name), Prefetch: 1}
		change(&route)
		route.Handler = runtime.Consume(func(ctx context.Context, n int) error {
			if n == 0 {
				return runtime.Reject(errFailed)
			}
			handled <- n
			if route.AckMode == runtime.AckByHand {
				return runtime.DeliveryFrom(ctx).Ack()
			}
			return nil
		})
		router := c.router(route)
		router.Use(func(next runtime.HandlerFunc) runtime.HandlerFunc {
			return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
				d.OnSettled(func(s runtime.Settlement, err error) { settled <- s })
				return next(ctx, d)
			}
		})
		b := c.open(Settings{})
		require.NoError(c, b.Start(c.ctx(), router), name)
		for _, body := range []string{"no json", "0", "7"} {
			c.publish(b, toQueue(route.Queue), body)
		}
		for _, want := range []runtime.Settlement{runtime.Refuse, runtime.Refuse, runtime.Ack} {
			select {
			case s := <-settled:
				require.Equal(c, want.String(), s.String(), name)
			case <-time.After(patience):
				require.FailNow(c, "nothing was settled", name)
			}
		}
		require.Equal(c, 7, <-handled, name)
		c.shutdown(b)
		require.Empty(c, settled, name)
	}
}

// deadLetterQueue returns a queue with a dead-letter queue behind it, and what
// arrives there.
func (c *testCase) deadLetterQueue(arguments ...any) (runtime.Queue, inbox) {
	dlx, in := c.exchange("dlx", runtime.Fanout), newInbox()
	c.start(Settings{}, runtime.Route{Name: "dead", Queue: c.queue("dead"), Exchange: dlx, Handler: in.handler()})
	return c.queue("q", append(arguments, "x-dead-letter-exchange", dlx.Name)...), in
}

// deadLettered returns the dead letter of a message that handle doesn't take.
func (c *testCase) deadLettered(handle func(context.Context, runtime.Delivery) error, body string) runtime.Delivery {
	q, dead := c.deadLetterQueue()
	b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: newInbox().then(handle)})
	c.publish(b, toQueue(q), body)
	return c.next(dead)
}

// poisoned fills q with messages that fail, more of them than the prefetch, and
// expects that others are handled beside them.
func (c *testCase) poisoned(q runtime.Queue, prefetch, failing int) {
	in := newInbox()
	b := c.start(Settings{Prefetch: prefetch, RedeliveryDelay: time.Hour}, runtime.Route{
		Name: "r", Queue: q, Handler: in.then(func(_ context.Context, d runtime.Delivery) error {
			if string(d.Body) == "poison" {
				return errFailed
			}
			return nil
		}),
	})
	for range failing {
		c.publish(b, toQueue(q), "poison")
	}
	for range 20 {
		c.publish(b, toQueue(q), "fine")
	}
	handled := make(map[string]int)
	for handled["fine"] < 20 || handled["poison"] < 2*failing {
		handled[c.body(in)]++
	}
	require.Equal(c, map[string]int{"fine": 20, "poison": 2 * failing}, handled)
	if q.AutoDelete {
		return
	}
	c.shutdown(b)
	other := newInbox()
	c.start(Settings{}, runtime.Route{Name: "other", Queue: q, Handler: other.handler()})
	for range failing {
		require.Equal(c, "poison", c.body(other), "it went back")
	}
}

func poison(c *testCase) {
	q, in := c.queue("q"), newInbox()
	b := c.start(Settings{RedeliveryDelay: time.Hour}, runtime.Route{
		Name: "r", Queue: q, Handler: in.then(func(_ context.Context, d runtime.Delivery) error {
			if string(d.Body) == "poison" {
				return errFailed
			}
			return nil
		}),
	})
	c.publish(b, toQueue(q), "poison")
	require.Equal(c, "poison", c.body(in))
	require.Equal(c, "poison", c.body(in))
	for range 20 {
		c.publish(b, toQueue(q), "fine")
		require.Equal(c, "fine", c.body(in))
	}
	c.shutdown(b)
	other := newInbox()
	c.start(Settings{}, runtime.Route{Name: "other", Queue: q, Handler: other.handler()})
	d := c.next(other)
	require.Equal(c, "poison", string(d.Body))
	require.True(c, d.Redelivered)
}

// panicsWhenSettled has a function of OnSettled that panics, and one that ends its
// goroutine.
func panicsWhenSettled(c *testCase) {
	var log Log
	q, settled := c.queue("q"), make(chan string, 100)
	handler := runtime.Consume(func(ctx context.Context, body []byte) error {
		d := runtime.DeliveryFrom(ctx)
		d.OnSettled(func(runtime.Settlement, error) {
			switch string(body) {
			case "panic":
				panic("bug")
			case "end":
				goruntime.Goexit()
			}
		})
		d.OnSettled(func(s runtime.Settlement, _ error) { settled <- string(body) + " " + s.String() })
		if string(body) == "fails" && !d.Redelivered {
			return errFailed
		}
		return nil
	})
	b := c.start(Settings{Logger: slog.New(slog.NewTextHandler(&log, nil))}, runtime.Route{Name: "r", Queue: q, Handler: handler})
	var want, got []string
	for _, body := range []string{"panic", "end", "fine", "end", "panic", "fails"} {
		c.publish(b, toQueue(q), body)
		want = append(want, body+" ack")
	}
	want = append(want, "fails requeue")
	for range want {
		select {
		case s := <-settled:
			got = append(got, s)
		case <-time.After(patience):
			require.Fail(c, "settlements are missing", "%q", got)
		}
	}
	require.ElementsMatch(c, want, got)
	require.Contains(c, log.String(), "bug")
	require.Contains(c, log.String(), "conformance/failure.go")
}

// learnsSettlements has messages acknowledged, requeued and rejected, in turn.
func learnsSettlements(c *testCase) {
	q, in := c.deadLetterQueue()
	settled := make(chan string, 10)
	learn := func(next runtime.HandlerFunc) runtime.HandlerFunc {
		return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			body := string(d.Body)
			d.OnSettled(func(s runtime.Settlement, err error) { settled <- fmt.Sprint(body, " ", s, " ", err) })
			return next(ctx, d)
		}
	}
	handler := runtime.Consume(func(ctx context.Context, body []byte) error {
		switch d := runtime.DeliveryFrom(ctx); {
		case string(body) == "reject":
			return runtime.Reject(errFailed)
		case string(body) == "again" && !d.Redelivered:
			return errFailed
		case string(body) == "end" && !d.Redelivered:
			goruntime.Goexit()
		}
		return nil
	})
	b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: handler.With(learn)})
	for _, body := range []string{"ok", "again", "end", "reject"} {
		c.publish(b, toQueue(q), body)
	}
	require.Equal(c, "reject", c.body(in))
	var all []string
	for range 6 {
		select {
		case s := <-settled:
			all = append(all, s)
		case <-time.After(patience):
			require.Fail(c, "settlements are missing", "%q", all)
		}
	}
	require.ElementsMatch(c, []string{
		"ok ack <nil>", "again requeue <nil>", "again ack <nil>", "end requeue <nil>", "end ack <nil>", "reject refuse <nil>",
	}, all)
}
