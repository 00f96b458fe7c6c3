package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/warrenmq/warren/runtime"
)

// A Queue is what a queue holds at one moment.
type Queue struct {
	Ready     []*runtime.Delivery // what waits, in the order in which it will be delivered; copies
	Unsettled int                 // how many a consumer has
	Consumers int                 // how many there are
}

// Queue returns what the queue of a name holds, false where there is none.
func (s *Server) Queue(name string) (Queue, bool) {
	s.mu.Lock()
	defer s.unlock()
	q := s.queues[name]
	if q == nil {
		return Queue{}, false
	}
	state := Queue{Ready: make([]*runtime.Delivery, len(q.ready)), Unsettled: q.out, Consumers: len(q.consumers)}
	for i, e := range q.ready {
		state.Ready[i] = e.delivery(q)
		state.Ready[i].Queue = name
	}
	return state, true
}

// Queue returns what a queue of the broker's server holds, as [Server.Queue] does. The
// queue that the broker has for its own instance goes by the name that the contract has,
// see [runtime.Queue.PerInstance].
func (b *Broker) Queue(name string) (Queue, bool) {
	if state, found := b.config.Server.Queue(name); found {
		return state, true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.consumers {
		if c.route.Queue.PerInstance && c.route.Queue.Name == name {
			state, found := b.config.Server.Queue(c.queue.spec.Name)
			for _, d := range state.Ready {
				d.Queue = name
			}
			return state, found
		}
	}
	return Queue{}, false
}

// Queues returns the names of all queues, in alphabetical order.
func (s *Server) Queues() []string {
	s.mu.Lock()
	defer s.unlock()
	return slices.Sorted(maps.Keys(s.queues))
}

// WaitIdle returns nil when every message has come to rest: no consumer has one, and
// none waits where it is consumed, or where it will expire into a dead-letter exchange,
// as a copy does that is tried again. The handlers have returned then, and the functions
// of [runtime.Delivery.OnSettled]. When ctx ends first, the error says where messages
// are.
func (s *Server) WaitIdle(ctx context.Context) error {
	s.mu.Lock()
	if s.inMotion() == nil {
		s.mu.Unlock()
		return nil
	}
	idle := make(chan struct{})
	s.waiting = append(s.waiting, idle)
	s.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		s.mu.Lock()
		defer s.unlock()
		s.waiting = slices.DeleteFunc(s.waiting, func(other chan struct{}) bool { return other == idle })
		return fmt.Errorf("wait until no message is handled or waits to be: %s: %w", strings.Join(s.inMotion(), ", "), ctx.Err())
	}
}

// unlock releases the mutex, and tells those who wait when all is at rest.
func (s *Server) unlock() {
	if len(s.waiting) > 0 && s.inMotion() == nil {
		for _, idle := range s.waiting {
			close(idle)
		}
		s.waiting = nil
	}
	s.mu.Unlock()
}

// inMotion says where messages are that haven't come to rest, nil for nowhere.
func (s *Server) inMotion() []string {
	var places []string
	for _, name := range slices.Sorted(maps.Keys(s.queues)) {
		q := s.queues[name]
		waits := 0
		if len(q.consumers) > 0 || q.passesOn() {
			waits = len(q.ready)
		}
		if q.out > 0 || waits > 0 {
			places = append(places, fmt.Sprintf("queue %q has %d that wait and %d that are handled", name, waits, q.out))
		}
	}
	if s.settling > 0 {
		places = append(places, fmt.Sprintf("%d are being settled", s.settling))
	}
	if s.delayed > 0 {
		places = append(places, fmt.Sprintf("exchanges delay %d", s.delayed))
	}
	return places
}

// passesOn reports whether the first message of q will expire into a dead-letter
// exchange.
func (q *queue) passesOn() bool {
	_, declared := q.spec.Arguments["x-dead-letter-exchange"].(string)
	return declared && len(q.ready) > 0 && !q.ready[0].expires.IsZero()
}
