package consuming

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/warrenmq/warren/runtime"
)

// maxEvents is how many events wait for their hooks at most.
const maxEvents = 256

// Events give what happens to a broker to its hooks, see [runtime.Events]. Whoever
// emits an event never waits.
type Events struct {
	hooks   []runtime.Events
	log     *slog.Logger
	dropped atomic.Uint64

	mu      sync.Mutex
	waiting []runtime.Event
	closed  bool
	running bool          // a goroutine calls the hooks
	idle    chan struct{} // closed when none does
}

// NewEvents returns events for the hooks. Its goroutine runs while there are events,
// and Close waits for it.
func NewEvents(hooks []runtime.Events, log *slog.Logger) *Events {
	return &Events{hooks: slices.Clone(hooks), log: log}
}

// Emit has the hooks called with the event, at the present time.
func (e *Events) Emit(event runtime.Event) {
	if !e.isWanted(event.Kind) {
		return
	}
	event.Time = time.Now()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed || len(e.waiting) >= maxEvents {
		e.dropped.Add(1)
		return
	}
	e.waiting = append(e.waiting, event)
	if !e.running {
		e.running, e.idle = true, make(chan struct{})
		go e.run()
	}
}

func (e *Events) isWanted(kind runtime.EventKind) bool {
	return slices.ContainsFunc(e.hooks, func(hooks runtime.Events) bool { return hooks.Of(kind) != nil })
}

// Dropped returns how many events no hook has got, because too many were waiting.
func (e *Events) Dropped() uint64 { return e.dropped.Load() }

// run calls the hooks until no event waits.
func (e *Events) run() {
	for {
		event, more := e.next()
		if !more {
			return
		}
		for i := range e.hooks {
			if hook := e.hooks[i].Of(event.Kind); hook != nil {
				e.call(hook, event)
			}
		}
	}
}

func (e *Events) next() (event runtime.Event, more bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.waiting) == 0 {
		e.running, e.waiting = false, nil
		close(e.idle)
		return event, false
	}
	event, e.waiting = e.waiting[0], e.waiting[1:]
	return event, true
}

// call calls one hook, apart from the others: it may panic or end its goroutine.
func (e *Events) call(hook func(runtime.Event), event runtime.Event) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if v := recover(); v != nil {
				e.log.Error("a hook for events panicked", "event", event.Kind, "error", fmt.Sprint(v), "stack", string(debug.Stack()))
			}
		}()
		hook(event)
	}()
	<-done
}

// Close takes no more events, and waits until those that wait have been given to the
// hooks, or ctx ends.
func (e *Events) Close(ctx context.Context) {
	e.mu.Lock()
	e.closed = true
	idle := e.idle
	e.mu.Unlock()
	if idle == nil {
		return
	}
	select {
	case <-idle:
	case <-ctx.Done():
	}
}
