package consuming

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/warrenmq/warren/runtime"
)

// A Turn is a delivery of an ordered route, as its broker has it.
type Turn interface {
	// Process runs d through the route, see [runtime.Process].
	Process(d *runtime.Delivery) runtime.Outcome

	// Settle settles d with the server. Requeue leaves it unsettled, so that it goes
	// back with those after it.
	Settle(d *runtime.Delivery, s runtime.Settlement)

	// IsStale reports whether the delivery can't be settled any more.
	IsStale() bool

	// Lost returns a channel that is closed when the channel or connection of the
	// delivery has ended, which makes it stale.
	Lost() <-chan struct{}
}

// Ordered handles the deliveries of one route with an [runtime.Order]: those of one
// key one after the other, and as many keys at a time as the limits say. A delivery
// that fails keeps its turn until it is settled for good. It outlives channels, so
// that a handler which still runs after its channel has gone holds its key. See
// docs/decisions/0043.
type Ordered struct {
	route     *runtime.Route
	transport runtime.Transport
	log       *slog.Logger
	delay     time.Duration   // before a delivery that could neither succeed nor fail is tried again
	handling  context.Context // of the handlers
	stop      <-chan struct{} // closed when the broker stops: nothing more is begun
	start     func(func())    // in a goroutine that the broker waits for
	places    chan struct{}   // as many as handlers may run at a time

	mu    sync.Mutex
	lines map[string][]*waiting // by key; the first one of each is at work
}

// waiting is a delivery that is at work or waits for its turn.
type waiting struct {
	turn     Turn
	delivery *runtime.Delivery
	pause    time.Duration // before the next attempt
}

// NewOrdered returns what handles the deliveries of route, whose handlers run under
// handling. It begins nothing after stop was closed. Start runs a function in a
// goroutine that the broker waits for.
func NewOrdered(route *runtime.Route, limits Limits, transport runtime.Transport, log *slog.Logger,
	handling context.Context, stop <-chan struct{}, start func(func()),
) *Ordered {
	return &Ordered{
		route: route, transport: transport, log: log, delay: max(limits.RedeliveryDelay, time.Millisecond),
		handling: handling, stop: stop, start: start,
		places: make(chan struct{}, limits.Concurrency), lines: make(map[string][]*waiting),
	}
}

// Add puts d at the end of the line of its key. It is called for the deliveries of a
// queue in their order.
func (o *Ordered) Add(t Turn, d *runtime.Delivery) {
	key := ""
	defer func() { o.enter(key, t, d) }() // even where the key function ends the goroutine
	key = o.route.OrderKey(d)
}

func (o *Ordered) enter(key string, t Turn, d *runtime.Delivery) {
	o.mu.Lock()
	defer o.mu.Unlock()
	line, busy := o.lines[key]
	o.lines[key] = append(line, &waiting{turn: t, delivery: d})
	if !busy {
		o.start(func() { o.work(key) })
	}
}

// Clean forgets the deliveries that wait for their turn and can't be settled any more.
func (o *Ordered) Clean() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for key, line := range o.lines {
		kept := slices.DeleteFunc(line[1:], func(w *waiting) bool { return w.turn.IsStale() })
		o.lines[key] = line[:1+len(kept)]
	}
}

// Len returns how many deliveries are at work or wait.
func (o *Ordered) Len() (n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, line := range o.lines {
		n += len(line)
	}
	return n
}

// work handles one delivery of a key after the other until there are none. Where a
// handler ends the goroutine, another one takes over.
func (o *Ordered) work(key string) {
	finished := false
	defer func() {
		if !finished {
			o.start(func() { o.work(key) })
		}
	}()
	for w := o.first(key); w != nil; {
		if !o.attempt(w) {
			continue
		}
		w = o.advance(key)
	}
	finished = true
}

func (o *Ordered) first(key string) *waiting {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lines[key][0]
}

// advance ends the turn of the first of a line, and returns the next one, nil for none.
func (o *Ordered) advance(key string) *waiting {
	o.mu.Lock()
	defer o.mu.Unlock()
	line := o.lines[key]
	line[0] = nil
	if line = line[1:]; len(line) == 0 {
		delete(o.lines, key)
		return nil
	}
	o.lines[key] = line
	return line[0]
}

// attempt handles a delivery once, when its pause is over and a place is free. It
// reports whether its turn has ended: it is settled for good, or isn't this
// consumer's any more.
func (o *Ordered) attempt(w *waiting) (ended bool) {
	if !o.rest(w) || !o.takePlace(w) {
		return true
	}
	outcome := runtime.Outcome{Settlement: runtime.Requeue, Err: ErrGoexit}
	returned := false
	defer func() {
		if !returned { // the handler has ended the goroutine: another one tries again
			<-o.places
			LogFailure(o.log, w.delivery, outcome)
			Settled(o.log, []Settlement{{Delivery: w.delivery, End: outcome.Settlement}}, nil)
			w.pause = o.delay
		}
	}()
	outcome = w.turn.Process(w.delivery)
	returned = true
	<-o.places
	return o.conclude(w, outcome)
}

// conclude settles the delivery, or prepares its next attempt.
func (o *Ordered) conclude(w *waiting, outcome runtime.Outcome) (ended bool) {
	if outcome.Pending() {
		outcome.Conclude(o.handling, o.transport)
	}
	LogFailure(o.log, w.delivery, outcome)
	next, pause, again := outcome.Again(w.delivery)
	switch {
	case !again:
		w.turn.Settle(w.delivery, outcome.Settlement)
		return true
	case o.handling.Err() != nil: // there is no copy of it: it comes again
		w.turn.Settle(w.delivery, runtime.Requeue)
		return true
	}
	Settled(o.log, []Settlement{{Delivery: w.delivery, End: outcome.Settlement}}, nil)
	if pause == 0 {
		pause = o.delay
	}
	w.delivery, w.pause = next, pause
	return false
}

// rest waits for the pause of w. It returns false where there is nothing to do any more:
// the broker stops, or the message comes again.
func (o *Ordered) rest(w *waiting) bool {
	if w.pause > 0 {
		select {
		case <-time.After(w.pause):
		case <-w.turn.Lost():
		case <-o.stop:
		}
	}
	select {
	case <-o.stop:
		return false
	default:
		return !w.turn.IsStale()
	}
}

// takePlace waits until a handler may run, and returns false as rest does.
func (o *Ordered) takePlace(w *waiting) bool {
	select {
	case o.places <- struct{}{}:
	case <-w.turn.Lost():
		return false
	case <-o.stop:
		return false
	}
	if w.turn.IsStale() {
		<-o.places
		return false
	}
	return true
}
