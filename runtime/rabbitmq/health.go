package rabbitmq

import (
	"errors"
	"fmt"
	"sync"

	"github.com/warrenmq/warren/runtime"
)

// Ready returns nil while the broker does all that it is for: it consumes every route
// that it was started with, as it is declared and with handlers that come back, and
// has the connections that it needs. Otherwise the error says what is missing, with
// the route and the reason. A broker that hasn't been started or hasn't sent anything
// needs no connection for that. After Shutdown it is ErrClosed.
//
// It asks nobody and returns at once.
func (b *Broker) Ready() error {
	b.mu.Lock()
	stopping, consumers := b.stopping, b.consumers
	b.mu.Unlock()
	if stopping {
		return runtime.ErrClosed
	}
	problems := []error{b.publisher.ready(), b.connection.err()}
	for _, c := range consumers {
		for _, problem := range []error{c.consuming.err(), c.topology.err(), c.watch.Err()} {
			if problem != nil {
				problems = append(problems, fmt.Errorf("route %q, queue %q: %w", c.route.Name, c.route.Queue.Name, problem))
			}
		}
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("%v isn't ready: %w", b, err)
	}
	return nil
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
	switch {
	case p.problem != nil:
		return fmt.Errorf("publishing: %w", p.problem)
	case p.blocked.Load():
		return fmt.Errorf("publishing: %w", runtime.ErrBlocked)
	default:
		return nil
	}
}
