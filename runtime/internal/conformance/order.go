package conformance

import (
	"context"
	"fmt"
	"log/slog"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// quickly is a policy that tries again soon.
func quickly(attempts int) *runtime.FailurePolicy {
	return &runtime.FailurePolicy{Attempts: attempts, Delay: 20 * time.Millisecond, MaxDelay: 20 * time.Millisecond}
}

// keyed is the part of a body before the dash.
func keyed(body string) string {
	key, _, _ := strings.Cut(body, "-")
	return key
}

func byBody(d *runtime.Delivery) string { return keyed(string(d.Body)) }

var orderTests = []test{
	{"messages of one key are handled one after the other, and the keys beside each other", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		hold := make(chan struct{})
		b := c.start(Settings{Prefetch: 100}, runtime.Route{
			Name: "r", Queue: q, Concurrency: 4, Order: runtime.PerKey(byBody),
			Handler: in.then(func(_ context.Context, d runtime.Delivery) error {
				if string(d.Body) == "a-0" {
					<-hold
				}
				return nil
			}),
		})
		for i := range 3 {
			for _, key := range []string{"a", "b", "c"} {
				c.publish(b, toQueue(q), fmt.Sprintf("%s-%d", key, i))
			}
		}
		got := make(map[string][]string)
		for range 7 {
			body := c.body(in)
			got[keyed(body)] = append(got[keyed(body)], body)
		}
		require.Equal(c, map[string][]string{"a": {"a-0"}, "b": {"b-0", "b-1", "b-2"}, "c": {"c-0", "c-1", "c-2"}}, got)
		require.Empty(c, in)
		close(hold)
		require.Equal(c, "a-1", c.body(in))
		require.Equal(c, "a-2", c.body(in))
	}},
	{"a message that fails keeps its turn, until it has succeeded or is a dead letter", func(c *testCase) {
		for _, order := range []runtime.Order{runtime.Strict(), runtime.PerKey(byBody)} {
			orderedFailures(c, order)
		}
	}},
	{"keys go on while one of them waits for its next attempt", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		policy := &runtime.FailurePolicy{Delay: time.Hour / 10, MaxDelay: time.Hour / 10, Attempts: 2}
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, Concurrency: 1, Order: runtime.PerBody(func(body string) string { return keyed(body) }), Failure: policy,
			Handler: in.then(func(_ context.Context, d runtime.Delivery) error {
				if string(d.Body) == `"a-0"` {
					return errFailed
				}
				return nil
			}),
		})
		for _, body := range []string{`"a-0"`, `"a-1"`, `"b-0"`, `"c-0"`} {
			c.publish(b, toQueue(q), body)
		}
		require.ElementsMatch(c, []string{`"a-0"`, `"b-0"`, `"c-0"`}, []string{c.body(in), c.body(in), c.body(in)})
		c.shutdown(b)
		require.Empty(c, in)

		again := newInbox() // what waited for its turn went back in its order
		c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: again.handler()})
		require.Equal(c, `"a-0"`, c.body(again))
		require.Equal(c, `"a-1"`, c.body(again))
	}},
	{"no attempts are counted where failures are endless, and the turn is kept", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		b := c.start(Settings{RedeliveryDelay: time.Millisecond}, runtime.Route{
			Name: "r", Queue: q, Order: runtime.Strict(),
			Handler: in.then(failTimes(3)),
		})
		c.publish(b, toQueue(q), "1")
		c.publish(b, toQueue(q), "2")
		for range 3 {
			require.Equal(c, "1", c.body(in))
		}
		require.Equal(c, "1", c.body(in))
		require.Equal(c, "2", c.body(in))
	}},
	{"a handler that ends its goroutine keeps its turn", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		var once sync.Once
		b := c.start(Settings{RedeliveryDelay: time.Millisecond}, runtime.Route{
			Name: "r", Queue: q, Order: runtime.Strict(), Failure: &runtime.FailurePolicy{},
			Handler: in.then(func(context.Context, runtime.Delivery) error {
				once.Do(goruntime.Goexit)
				return nil
			}),
		})
		c.publish(b, toQueue(q), "1")
		c.publish(b, toQueue(q), "2")
		require.Equal(c, []string{"1", "1", "2"}, []string{c.body(in), c.body(in), c.body(in)})
	}},
	{"a message over which the key function panics is a dead letter", func(c *testCase) {
		q, in, dead := c.queue("q"), newInbox(), c.deadLetters("q")
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, Failure: &runtime.FailurePolicy{}, Handler: in.handler(),
			Order: runtime.PerKey(func(d *runtime.Delivery) string { return string(d.Body[:1]) }),
		})
		c.publish(b, toQueue(q), "")
		c.publish(b, toQueue(q), "1")
		require.Equal(c, "1", c.body(in))
		require.Contains(c, deadHeader(c.next(dead))["error"], "the key function of the route's Order panicked")
	}},
	{"a single active consumer that stops gives its messages to the next one in their order", handsOver},
	{"the log warns of an order that several instances would break", func(c *testCase) {
		var log Log
		logger := slog.New(slog.NewTextHandler(&log, nil))
		c.start(Settings{Logger: logger}, runtime.Route{Name: "a", Queue: c.queue("a"), Order: runtime.Strict(), Handler: newInbox().handler()})
		require.Contains(c, log.String(), "x-single-active-consumer")
	}},
}

// failTimes returns what fails n times for the message "1".
func failTimes(n int) func(context.Context, runtime.Delivery) error {
	return func(_ context.Context, d runtime.Delivery) error {
		if n--; n >= 0 && string(d.Body) == "1" {
			return errFailed
		}
		return nil
	}
}

// orderedFailures has messages fail in one way each.
func orderedFailures(c *testCase, order runtime.Order) {
	name := "q" + fmt.Sprint(len(c.queues))
	q, in, dead := c.queue(name), newInbox(), c.deadLetters(name)
	var settled []string
	var mu sync.Mutex
	b := c.start(Settings{}, runtime.Route{
		Name: "r", Queue: q, Order: order, Failure: quickly(3),
		Handler: in.then(func(ctx context.Context, d runtime.Delivery) error {
			runtime.DeliveryFrom(ctx).OnSettled(func(s runtime.Settlement, err error) {
				require.NoError(c, err)
				mu.Lock()
				defer mu.Unlock()
				settled = append(settled, s.String())
			})
			switch string(d.Body) {
			case "k-always":
				return errFailed
			case "k-once":
				if d.Attempt == 1 {
					return runtime.RetryAfter(errFailed, time.Millisecond)
				}
			case "k-rejected":
				return runtime.Reject(errFailed)
			}
			return nil
		}),
	})
	for _, body := range []string{"k-always", "k-once", "k-rejected", "k-last"} {
		c.publish(b, toQueue(q), body)
	}
	var got []string
	for range 7 {
		d := c.next(in)
		got = append(got, fmt.Sprintf("%s %d", d.Body, d.Attempt))
	}
	require.Equal(c, []string{"k-always 1", "k-always 2", "k-always 3", "k-once 1", "k-once 2", "k-rejected 1", "k-last 1"}, got)
	first := c.next(dead)
	require.Equal(c, "k-always", string(first.Body))
	require.Equal(c, "attempts", deadHeader(first)["reason"])
	require.Equal(c, int64(3), deadHeader(first)["attempt"])
	require.Equal(c, "k-rejected", c.body(dead))
	c.shutdown(b)
	require.ElementsMatch(c, []string{"retry", "retry", "dead-letter", "retry", "ack", "dead-letter", "ack"}, settled)
}

// handsOver stops one of two instances while it handles a message.
func handsOver(c *testCase) {
	q := c.queue("q", "x-single-active-consumer", true)
	first, second, release := newInbox(), newInbox(), make(chan struct{})
	route := func(in inbox, handle func(context.Context, runtime.Delivery) error) runtime.Route {
		return runtime.Route{Name: "r", Queue: q, Order: runtime.PerKey(byBody), Concurrency: 3, Handler: in.then(handle)}
	}
	one := c.start(Settings{Prefetch: 2}, route(first, func(context.Context, runtime.Delivery) error {
		<-release
		return nil
	}))
	two := c.start(Settings{}, route(second, func(context.Context, runtime.Delivery) error { return nil }))
	var want []string
	for i := range 4 {
		for _, key := range []string{"a", "b"} {
			want = append(want, fmt.Sprintf("%s-%d", key, i))
			c.publish(one, toQueue(q), want[len(want)-1])
		}
	}
	c.next(first)
	c.next(first)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		c.shutdown(one)
	}()
	for i := range 50 { // with each the server looks for a consumer
		want = append(want, fmt.Sprintf("c-%d", i))
		c.publish(two, toQueue(q), want[len(want)-1])
	}
	require.Empty(c, second)
	c.whenStopping(one, release)
	c.await("the first one stops", stopped)
	var got []string
	for range len(want) - 2 {
		got = append(got, c.body(second))
	}
	require.Empty(c, first, "a broker that stops begins nothing")
	want = want[2:]
	byKey := func(a, b string) int { return strings.Compare(keyed(a), keyed(b)) }
	slices.SortStableFunc(got, byKey)
	slices.SortStableFunc(want, byKey)
	require.Equal(c, want, got)
}
