package runtime

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxBatch bounds the members of a batch: the route holds twice as many deliveries
// unsettled, of which AMQP can count 65,535.
const maxBatch = 1<<15 - 1

// ConsumeBatch makes a Handler of a function that takes messages of type T in batches:
// of size messages, or of as many as have come when the first of them has waited for
// wait, or when the broker stops. The function is called for several batches at a time
// where the route's Concurrency is a multiple of size.
//
//	Handler: runtime.ConsumeBatch(svc.Store, 100, time.Second), // func(context.Context, []Row) error
//
// To the route each message is a delivery of its own: middleware, the failure policy
// and the settlement see them one by one, and one that can't be decoded is no member of
// a batch. Nil means that all members are handled, a [*BatchError] says which have
// failed, and any other error, as a panic, is one of all members.
//
// The context is that of the member that came first, so that the route's Timeout begins
// with its waiting, which takes half of that at most. It has no delivery for [DeliveryFrom]; [DeliveriesFrom] returns
// those of the members. The members are in the order in which they came to the batch,
// which is about that of the queue.
//
// A batch needs as many handlers at a time as it has members, and as many unsettled
// deliveries: the route's Concurrency is size unless it says more, and its Prefetch
// twice size; less than size is refused by [Router.Register], as are an [Order] and
// [AckByHand]. The size is 1 to 32,767, and wait more than 0. In the contract a message
// is one T. See docs/decisions/0044.
func ConsumeBatch[T any](fn func(context.Context, []T) error, size int, wait time.Duration) Handler {
	if fn == nil {
		return Handler{}
	}
	h := Handler{name: functionName(fn), body: reflect.TypeFor[T]()}
	switch {
	case size < 1 || size > maxBatch:
		h.fault = fmt.Sprintf("takes batches of %d messages: use 1 to %d", size, maxBatch)
	case wait <= 0:
		h.fault = fmt.Sprintf("waits %v for a batch: use more than 0", wait)
	}
	h.batch = &batching{size: size, wait: wait, collector: func() batchCollector { return &collector[T]{fn: fn, size: size, wait: wait} }}
	h.run = func(ctx context.Context, d *Delivery) (*Message, error) {
		body, err := decodeDelivery[T](d)
		if err != nil {
			return nil, Reject(err)
		}
		c, ok := d.collector.(*collector[T])
		if !ok { // of a test that calls Handle: each message is a batch
			c = &collector[T]{fn: fn}
		}
		return nil, c.handle(ctx, d, body)
	}
	return h
}

// A BatchError is returned by the function of [ConsumeBatch] where some members of a
// batch have failed: each of them as if its own handler had returned the error, marked
// by [Reject] and the others or not. Members without an error, or with a nil one, have
// succeeded. An index that the batch doesn't have is an error of all members.
type BatchError struct {
	Failed map[int]error // by the index of the member
}

// Error names the first members that failed.
func (e *BatchError) Error() string {
	const most = 3
	var texts []string
	for _, i := range slices.Sorted(maps.Keys(e.Failed)) {
		if len(texts) == most {
			texts = append(texts, "...")
			break
		}
		texts = append(texts, fmt.Sprintf("%d: %v", i, e.Failed[i]))
	}
	return fmt.Sprintf("%d members of the batch failed: %s", len(e.Failed), strings.Join(texts, "; "))
}

type batchKey struct{}

// DeliveriesFrom returns the deliveries of the batch that is being handled, in the order
// of its members; nil outside of a function of [ConsumeBatch]. They must not be
// changed, and are valid until the function returns.
func DeliveriesFrom(ctx context.Context) []*Delivery {
	ds, _ := ctx.Value(batchKey{}).([]*Delivery)
	return ds
}

// BatchSize returns how many messages the handler takes at once, 0 for one that isn't
// made by [ConsumeBatch].
func (h Handler) BatchSize() int {
	if h.batch == nil {
		return 0
	}
	return h.batch.size
}

// Flush hands over the batch that waits for further members, and lets none wait from now
// on. It is for brokers that stop, and for routes of [Router.Routes].
func (r *Route) Flush() {
	if r.Handler.collector != nil {
		r.Handler.collector.flush()
	}
}

// A batching is what a Handler knows of its batches.
type batching struct {
	size      int
	wait      time.Duration
	collector func() batchCollector
}

// collecting returns h with a collector of its own, where it takes batches.
func (h Handler) collecting() Handler {
	if h.batch != nil && h.fault == "" {
		h.collector = h.batch.collector()
	}
	return h
}

// A batchCollector is a collector of any type.
type batchCollector interface{ flush() }

// A collector makes batches of the deliveries of one route on one broker. Their handlers
// wait in it.
type collector[T any] struct {
	fn   func(context.Context, []T) error
	size int
	wait time.Duration

	mu        sync.Mutex
	gathering *batch[T] // that takes members; nil for none
	flushed   bool
}

// A batch is run by the handler of its first member.
type batch[T any] struct {
	members    []T
	deliveries []*Delivery
	complete   chan struct{} // closed when it takes no more members
	done       chan struct{} // closed when the function has returned
	err        error         // of the function
}

// handle makes body a member of a batch, and returns what has become of it.
func (c *collector[T]) handle(ctx context.Context, d *Delivery, body T) error {
	b, at := c.join(d, body)
	if at == 0 {
		c.await(ctx, b)
		b.run(ctx, c.fn)
	}
	<-b.done
	return b.result(at)
}

// join adds a member to the batch that gathers, and returns its index.
func (c *collector[T]) join(d *Delivery, body T) (b *batch[T], at int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gathering == nil {
		c.gathering = &batch[T]{complete: make(chan struct{}), done: make(chan struct{})}
	}
	b = c.gathering
	at = len(b.members)
	b.members, b.deliveries = append(b.members, body), append(b.deliveries, d)
	if len(b.members) >= c.size || c.flushed {
		c.complete()
	}
	return b, at
}

// complete ends the gathering. The caller has the lock.
func (c *collector[T]) complete() {
	close(c.gathering.complete)
	c.gathering = nil
}

// await waits until b takes no more members.
func (c *collector[T]) await(ctx context.Context, b *batch[T]) {
	wait := c.wait
	if end, limited := ctx.Deadline(); limited { // of the route's Timeout, or the broker's
		wait = min(wait, time.Until(end)/2)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-b.complete:
		return
	case <-timer.C:
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gathering == b {
		c.complete()
	}
}

func (c *collector[T]) flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flushed = true
	if c.gathering != nil {
		c.complete()
	}
}

var errBatchGoexit = errors.New("the function of the batch ended its goroutine")

// run calls the function, under the context of the first member.
func (b *batch[T]) run(ctx context.Context, fn func(context.Context, []T) error) {
	b.err = errBatchGoexit
	defer close(b.done)
	defer func() {
		if v := recover(); v != nil {
			b.err = fmt.Errorf("the function of the batch panicked: %w", newPanicError(v))
		}
	}()
	ctx = context.WithValue(withDelivery(ctx, nil), batchKey{}, b.deliveries)
	b.err = fn(ctx, b.members)
}

// result returns what the function has said of a member.
func (b *batch[T]) result(at int) error {
	var some *BatchError
	if !errors.As(b.err, &some) {
		return b.err
	}
	for i := range some.Failed {
		if i < 0 || i >= len(b.deliveries) {
			return fmt.Errorf("the function of a batch of %d returned an error for the member %d, which isn't there: %w", len(b.deliveries), i, b.err)
		}
	}
	return some.Failed[at]
}

// checkBatch finds what a route of batches can't have.
func checkBatch(route *Route) (field, fault string) {
	b := route.Handler.batch
	if b == nil {
		return "", ""
	}
	switch {
	case route.Concurrency >= 1 && route.Concurrency < b.size:
		return "Concurrency", fmt.Sprintf("is %d, and a batch of %d messages has as many handlers at a time: raise it, or leave it out", route.Concurrency, b.size)
	case route.Prefetch >= 1 && route.Prefetch < b.size:
		return "Prefetch", fmt.Sprintf("is %d, and a batch of %d messages has as many unsettled: raise it, or leave it out", route.Prefetch, b.size)
	case route.Timeout > 0 && route.Timeout <= b.wait:
		return "Timeout", fmt.Sprintf("is %v, and a batch waits for %v: make it longer", route.Timeout, b.wait)
	case !route.Order.IsZero():
		return "Order", "is set, and the messages of a batch are handled at once: use runtime.Consume, or remove it"
	case route.AckMode == AckByHand:
		return "AckMode", "is AckByHand, and a batch is settled by what its function returns: return a runtime.BatchError, or use runtime.Consume"
	}
	return "", ""
}
