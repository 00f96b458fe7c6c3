package conformance

import (
	"context"
	"errors"
	goruntime "runtime"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// deliveries gets what a route that settles by hand handles.
type deliveries chan *runtime.Delivery

func newDeliveries() deliveries { return make(deliveries, 1000) }

func (ds deliveries) handler() runtime.Handler {
	return ds.then(func(*runtime.Delivery) error { return nil })
}

func (ds deliveries) then(handle func(*runtime.Delivery) error) runtime.Handler {
	return runtime.Consume(func(ctx context.Context, _ []byte) error {
		d := runtime.DeliveryFrom(ctx)
		err := handle(d)
		ds <- d
		return err
	})
}

func (c *testCase) delivery(ds deliveries) *runtime.Delivery {
	c.Helper()
	select {
	case d := <-ds:
		return d
	case <-time.After(patience):
		require.FailNow(c, "no delivery has come")
		return nil
	}
}

var acknowledgeTests = []test{
	{"a delivery is settled by hand after its handler, without a place of the concurrency", func(c *testCase) {
		q, ds := c.queue("q"), newDeliveries()
		b := c.start(Settings{Prefetch: 3}, runtime.Route{Name: "r", Queue: q, Concurrency: 1, AckMode: runtime.AckByHand, Handler: ds.handler()})
		for range 4 {
			c.publish(b, toQueue(q), "1")
		}
		first, second := c.delivery(ds), c.delivery(ds)
		c.delivery(ds)
		require.Empty(c, ds, "what is unsettled counts for the prefetch")
		require.NoError(c, second.Ack())
		require.ErrorIs(c, second.Ack(), runtime.ErrSettled)
		require.ErrorIs(c, second.Nack(errFailed), runtime.ErrSettled)
		fourth := c.delivery(ds)
		require.NoError(c, fourth.Ack())
		require.NoError(c, first.Ack())
		c.shutdownWithin(b, 50*time.Millisecond, "the third one is unsettled")

		rest := newInbox()
		c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: rest.handler()})
		require.True(c, c.next(rest).Redelivered)
		require.Empty(c, rest)
	}},
	{"what is refused by hand has failed, as the policy says", func(c *testCase) {
		q, ds, dead := c.queue("q"), newDeliveries(), c.deadLetters("q")
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, AckMode: runtime.AckByHand, Failure: quickly(2), Handler: ds.handler()})
		c.publish(b, toQueue(q), "1")
		require.NoError(c, c.delivery(ds).Nack(errFailed))
		second := c.delivery(ds)
		require.Equal(c, 2, second.Attempt)
		require.NoError(c, second.Nack(nil))
		require.Equal(c, "attempts", deadHeader(c.next(dead))["reason"])
		c.publish(b, toQueue(q), "2")
		require.NoError(c, c.delivery(ds).Nack(runtime.Reject(errFailed)))
		require.Equal(c, "rejected", deadHeader(c.next(dead))["reason"])
	}},
	{"a refusal by hand fails where the copy isn't confirmed, also of what comes again", func(c *testCase) {
		q, full, ds := c.queue("q"), c.queue("full", "x-max-length", 1, "x-overflow", "reject-publish"), newDeliveries()
		router := c.router(runtime.Route{
			Name: "r", Queue: q, AckMode: runtime.AckByHand, Failure: &runtime.FailurePolicy{Attempts: 1, DeadLetters: full.Name}, Handler: ds.handler(),
		})
		require.NoError(c, router.Declare(runtime.Topology{Queues: []runtime.Queue{full}}))
		b := c.open(Settings{RedeliveryDelay: time.Millisecond})
		require.NoError(c, b.Start(c.ctx(), router))
		c.publish(b, toQueue(full), "in the way")
		require.Eventually(c, func() bool { // the real queue counts a moment later
			return b.Publish(c.ctx(), toQueue(full), text("2")) != nil
		}, patience, time.Millisecond)
		c.publish(b, toQueue(q), "1")
		for _, again := range []bool{false, true, true} {
			d := c.delivery(ds)
			require.Equal(c, again, d.Redelivered)
			require.ErrorIs(c, d.Nack(errFailed), runtime.ErrNacked)
		}
		require.NoError(c, c.delivery(ds).Ack())
	}},
	{"a handler that fails refuses by hand, unless the delivery is settled", func(c *testCase) {
		q, ds, dead := c.queue("q"), newDeliveries(), c.deadLetters("q")
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, AckMode: runtime.AckByHand, Failure: &runtime.FailurePolicy{Attempts: 1},
			Handler: ds.then(func(d *runtime.Delivery) error {
				if string(d.Body) == "settled" {
					return errors.Join(d.Ack(), errFailed)
				}
				return errFailed
			}),
		})
		c.publish(b, toQueue(q), "settled")
		c.publish(b, toQueue(q), "fails")
		require.ErrorIs(c, c.delivery(ds).Ack(), runtime.ErrSettled)
		d := c.delivery(ds)
		require.Equal(c, "fails", c.body(dead))
		require.ErrorIs(c, d.Ack(), runtime.ErrSettled)
		c.shutdown(b)
		require.Empty(c, dead)
	}},
	{"a delivery that isn't settled by hand in its time has failed, also where the handler ends its goroutine", func(c *testCase) {
		q, ds, dead := c.queue("q"), newDeliveries(), c.deadLetters("q")
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, AckMode: runtime.AckByHand, Timeout: 50 * time.Millisecond, Failure: &runtime.FailurePolicy{Attempts: 1},
			Handler: runtime.Consume(func(ctx context.Context, body []byte) error {
				ds <- runtime.DeliveryFrom(ctx)
				if string(body) == "ends" {
					goruntime.Goexit()
				}
				return nil
			}),
		})
		for _, body := range []string{"returns", "ends"} {
			c.publish(b, toQueue(q), body)
			d := c.delivery(ds)
			require.Contains(c, deadHeader(c.next(dead))["error"], "it wasn't settled by hand")
			require.ErrorIs(c, d.Ack(), runtime.ErrSettled)
		}
	}},
	{"a shutdown waits for what is unsettled, and what comes too late says so", func(c *testCase) {
		q, ds := c.queue("q"), newDeliveries()
		route := runtime.Route{Name: "r", Queue: q, AckMode: runtime.AckByHand, Handler: ds.handler()}
		b := c.start(Settings{}, route)
		c.publish(b, toQueue(q), "1")
		d := c.delivery(ds)
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			c.shutdown(b)
		}()
		time.AfterFunc(20*time.Millisecond, func() { require.NoError(c, d.Ack()) })
		c.await("the shutdown", stopped)

		again := c.start(Settings{}, route)
		c.publish(again, toQueue(q), "2")
		late := c.delivery(ds)
		require.Equal(c, "2", string(late.Body))
		told := make(chan error, 1)
		late.OnSettled(func(_ runtime.Settlement, err error) { told <- err })
		c.shutdownWithin(again, time.Millisecond, "one is unsettled")
		require.Error(c, <-told)
		err := late.Ack()
		require.True(c, errors.Is(err, runtime.ErrClosed) || errors.Is(err, runtime.ErrLost), "%v", err)
	}},
	{"only one of many that settle does so", func(c *testCase) {
		q, ds := c.queue("q"), newDeliveries()
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, AckMode: runtime.AckByHand, Failure: &runtime.FailurePolicy{}, Handler: ds.handler()})
		c.publish(b, toQueue(q), "1")
		d := c.delivery(ds)
		var all sync.WaitGroup
		results := make(chan error, 20)
		for range 10 {
			all.Go(func() { results <- d.Ack() })
			all.Go(func() { results <- d.Nack(runtime.Drop(errFailed)) })
		}
		all.Wait()
		succeeded := 0
		for range 20 {
			if err := <-results; err == nil {
				succeeded++
			} else {
				require.ErrorIs(c, err, runtime.ErrSettled)
			}
		}
		require.Equal(c, 1, succeeded)
	}},
	{"middleware learns of a settlement that was before it asked", func(c *testCase) {
		q, told := c.queue("q"), make(chan runtime.Settlement, 2)
		note := func(s runtime.Settlement, err error) {
			require.NoError(c, err)
			told <- s
		}
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, AckMode: runtime.AckByHand,
			Handler: runtime.Consume(func(ctx context.Context, _ []byte) error {
				d, settled := runtime.DeliveryFrom(ctx), make(chan struct{})
				d.OnSettled(note)
				go func() {
					defer close(settled)
					require.NoError(c, d.Ack())
				}()
				<-settled
				d.OnSettled(note)
				return nil
			}),
		})
		c.publish(b, toQueue(q), "1")
		require.Equal(c, []runtime.Settlement{runtime.Ack, runtime.Ack}, []runtime.Settlement{<-told, <-told})
	}},
	{"a handler keeps the message that it has given back", func(c *testCase) {
		q, bodies := c.queue("q"), make(chan string, 10)
		b := c.start(Settings{RedeliveryDelay: time.Millisecond}, runtime.Route{
			Name: "r", Queue: q, AckMode: runtime.AckByHand, Failure: &runtime.FailurePolicy{Endless: true},
			Handler: runtime.Consume(func(ctx context.Context, _ []byte) error {
				d := runtime.DeliveryFrom(ctx)
				if len(bodies) == 2 {
					return d.Ack()
				}
				require.NoError(c, d.Nack(errFailed))
				bodies <- string(d.Body)
				return nil
			}),
		})
		c.publish(b, toQueue(q), "1")
		require.Eventually(c, func() bool { return len(bodies) == 2 }, patience, time.Millisecond)
		require.Equal(c, []string{"1", "1"}, []string{<-bodies, <-bodies})
	}},
	{"nothing is settled by hand where the route doesn't say so", func(c *testCase) {
		q, ds := c.queue("q"), newDeliveries()
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: ds.then(func(d *runtime.Delivery) error { return d.Ack() })})
		c.publish(b, toQueue(q), "1")
		require.ErrorContains(c, c.delivery(ds).Ack(), "AckByHand")
	}},
	{"a message that is acknowledged first is handled once, whatever becomes of it", func(c *testCase) {
		q, in, dead := c.queue("q"), newInbox(), c.deadLetters("q")
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, AckMode: runtime.AckFirst, Failure: quickly(5),
			Handler: in.then(func(_ context.Context, d runtime.Delivery) error {
				if string(d.Body) == "fails" {
					return errFailed
				}
				return nil
			}),
		})
		c.publish(b, toQueue(q), "fails")
		require.Equal(c, "fails", c.body(in))
		require.Equal(c, "attempts", deadHeader(c.next(dead))["reason"])
		c.publish(b, toQueue(q), "fine")
		require.Equal(c, "fine", c.body(in))
		c.shutdown(b)
		require.Empty(c, in)
		require.Empty(c, dead)
	}},
	{"a message that is acknowledged first is handled once in an order, too", func(c *testCase) {
		q, in, interrupted := c.queue("q"), newInbox(), make(chan struct{}, 10)
		events := []runtime.Events{{ChannelLost: func(runtime.Event) { interrupted <- struct{}{} }}}
		b := c.start(Settings{RedeliveryDelay: time.Millisecond, Events: events}, runtime.Route{
			Name: "r", Queue: q, AckMode: runtime.AckFirst, Order: runtime.Strict(),
			Handler: in.then(func(_ context.Context, d runtime.Delivery) error {
				if string(d.Body) == "ends" {
					goruntime.Goexit()
				}
				return nil
			}),
		})
		c.publish(b, toQueue(q), "ends")
		c.publish(b, toQueue(q), "fine")
		require.Equal(c, "ends", c.body(in))
		require.Equal(c, "fine", c.body(in))
		c.shutdown(b)
		require.Empty(c, in)
		require.Empty(c, interrupted, "it was acknowledged once")
	}},
	{"a message that is acknowledged first has left its queue when its handler begins", func(c *testCase) {
		q, in, release := c.queue("q"), newInbox(), make(chan struct{})
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, AckMode: runtime.AckFirst,
			Handler: in.then(func(context.Context, runtime.Delivery) error {
				<-release
				return nil
			}),
		})
		c.publish(b, toQueue(q), "1")
		c.next(in)
		c.shutdownWithin(b, time.Millisecond, "the handler runs")
		close(release)
		rest := newInbox()
		c.publish(c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: rest.handler()}), toQueue(q), "2")
		require.Equal(c, "2", c.body(rest), "the first one is gone")
	}},
}

// shutdownWithin stops a broker that can't finish in time.
func (c *testCase) shutdownWithin(b runtime.Broker, grace time.Duration, why string) {
	c.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	require.ErrorIs(c, b.Shutdown(ctx), context.DeadlineExceeded, why)
}
