package consuming

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/warrenmq/warren/runtime"
)

// maxGrace is how long a handler may take to return after its context has ended, at
// most.
const maxGrace = 10 * time.Second

// ErrAllStuck: a route consumes nothing.
var ErrAllStuck = errors.New("all handlers of the route are stuck, so what it holds goes back to the queue until one of them returns")

// A Watch notices the handlers of one route that don't return when their time is
// over. Such a handler can't be ended: it keeps its place and its delivery, and the
// others go on. When all places are taken like that, the route can handle nothing,
// and its broker gives up what it holds until one is free. See docs/decisions/0036.
type Watch struct {
	log     *slog.Logger
	limit   time.Duration // after which a handler is stuck; 0 for never
	places  int
	onStuck func(*runtime.Delivery)

	mu       sync.Mutex
	calls    []call // as many as ran at a time at most
	free     []int  // positions in calls of those that have ended
	stuck    int
	timer    *time.Timer // nil until the first call
	armed    bool
	full     chan struct{} // closed while all places are taken by stuck handlers
	released chan struct{} // closed while not all are
}

// A call is one call of the handler.
type call struct {
	began    time.Time
	delivery *runtime.Delivery // nil where it has ended
	stuck    bool
}

// closed is the first Released of each watch: a route that has nothing to do takes little.
var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// NewWatch returns the watch of a route with the limits. OnStuck is called with each
// delivery whose handler is stuck: it is not to count for the prefetch any more.
func NewWatch(limits Limits, log *slog.Logger, onStuck func(*runtime.Delivery)) *Watch {
	w := &Watch{log: log, places: limits.Concurrency, onStuck: onStuck, full: make(chan struct{}), released: closed}
	if limits.Timeout > 0 {
		w.limit = limits.Timeout + min(limits.Timeout, maxGrace)
	}
	return w
}

// Middleware is to be the outermost around the route's handler.
func (w *Watch) Middleware(next runtime.HandlerFunc) runtime.HandlerFunc {
	if w.limit == 0 {
		return next
	}
	return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
		at := w.begin(d)
		defer w.end(at)
		return next(ctx, d)
	}
}

// Full returns a channel that is closed when every place is taken by a stuck handler.
func (w *Watch) Full() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.full
}

// Released returns a channel that is closed when not every place is taken by a stuck
// handler.
func (w *Watch) Released() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.released
}

// Err returns an error that counts the stuck handlers, nil for none.
func (w *Watch) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stuck == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d handlers are stuck: they haven't returned within %v", w.stuck, w.places, w.limit)
}

// AllStuck returns ErrAllStuck while every place is taken by a stuck handler.
func (w *Watch) AllStuck() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stuck < w.places {
		return nil
	}
	return ErrAllStuck
}

func (w *Watch) begin(d *runtime.Delivery) (at int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.free); n > 0 {
		at, w.free = w.free[n-1], w.free[:n-1]
	} else {
		at = len(w.calls)
		w.calls = append(w.calls, call{})
	}
	w.calls[at] = call{began: time.Now(), delivery: d}
	switch {
	case w.armed:
	case w.timer == nil:
		w.timer = time.AfterFunc(w.limit, w.look)
	default:
		w.timer.Reset(w.limit)
	}
	w.armed = true
	return at
}

func (w *Watch) end(at int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	ended := w.calls[at]
	w.calls[at] = call{}
	w.free = append(w.free, at)
	if !ended.stuck {
		return
	}
	if w.stuck == w.places {
		w.full = make(chan struct{})
		close(w.released)
	}
	w.stuck--
	w.log.Warn("a stuck handler has returned", "message_id", ended.delivery.MessageID, "after", time.Since(ended.began))
}

// look finds those that are stuck, and looks again when the next one may be.
func (w *Watch) look() {
	for _, d := range w.newlyStuck() {
		w.onStuck(d)
	}
}

func (w *Watch) newlyStuck() (ds []*runtime.Delivery) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var next time.Duration
	for i := range w.calls {
		c := &w.calls[i]
		if c.delivery == nil || c.stuck {
			continue
		}
		left := w.limit - time.Since(c.began)
		if left <= 0 {
			w.noteStuck(c)
			ds = append(ds, c.delivery)
		} else if next == 0 || left < next {
			next = left
		}
	}
	if w.armed = next > 0; w.armed {
		w.timer.Reset(next)
	}
	return ds
}

func (w *Watch) noteStuck(c *call) {
	c.stuck = true
	w.stuck++
	w.log.Error("a handler is stuck: it ignores that its context has ended, and keeps its place until it returns",
		"message_id", c.delivery.MessageID, "after", time.Since(c.began), "stuck", w.stuck, "of", w.places)
	if w.stuck == w.places {
		w.released = make(chan struct{})
		close(w.full)
	}
}
