package rabbitmq

import (
	"fmt"
	"sync"

	"github.com/warrenmq/warren/runtime"
)

var _ runtime.HealthChecker = (*Broker)(nil)

// Live returns nil unless all handlers of a route are stuck, see
// [runtime.HealthChecker]. It is nil after Shutdown.
func (b *Broker) Live() error {
	b.mu.Lock()
	stopping, consumers := b.stopping, b.consumers
	b.mu.Unlock()
	var problems []runtime.Problem
	for _, c := range consumers {
		if err := c.watch.AllStuck(); err != nil && !stopping {
			problems = append(problems, c.problem(err))
		}
	}
	if len(problems) > 0 {
		return fmt.Errorf("%v isn't live: %w", b, &runtime.NotReadyError{Problems: problems})
	}
	return nil
}

// Ready returns nil while the broker does all that it is for: it consumes every route
// that it was started with, as it is declared and with handlers that come back, and
// has the connections that it needs. Otherwise the error wraps a
// [*runtime.NotReadyError] that says what is missing, with the route or the connection
// and the reason. From the call of Start until every route is consumed, and after a
// Start that failed, that is the connection "consuming". A broker that hasn't been
// started or hasn't sent anything needs no connection. After Shutdown it is ErrClosed.
//
// It does no I/O and returns at once.
func (b *Broker) Ready() error {
	b.mu.Lock()
	stopping, consumers := b.stopping, b.consumers
	b.mu.Unlock()
	if stopping {
		return runtime.ErrClosed
	}
	var problems []runtime.Problem
	add := func(p runtime.Problem) {
		if p.Err != nil {
			problems = append(problems, p)
		}
	}
	add(runtime.Problem{Connection: "publishing", Err: b.publisher.ready()})
	add(runtime.Problem{Connection: "consuming", Err: b.connection.err()})
	add(runtime.Problem{Err: b.topology.err()})
	for _, c := range consumers {
		for _, err := range []error{c.consuming.err(), c.topology.err(), c.watch.Err()} {
			add(c.problem(err))
		}
	}
	if len(problems) > 0 {
		return fmt.Errorf("%v isn't ready: %w", b, &runtime.NotReadyError{Problems: problems})
	}
	return nil
}

func (c *consumer) problem(err error) runtime.Problem {
	return runtime.Problem{Route: c.route.Name, Queue: c.route.Queue.Name, Err: err}
}

// A problem is why something isn't as it should be, nil while it is.
type problem struct {
	mu    sync.Mutex
	cause error
}

func (p *problem) set(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cause = cause
}

func (p *problem) err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cause
}

func (p *publisher) ready() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.problem == nil && p.blocked.Load() {
		return runtime.ErrBlocked
	}
	return p.problem
}
