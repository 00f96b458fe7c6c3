package runtimetest

import (
	"strings"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
)

// A Queue is a queue of the broker, as it is when a method is called.
type Queue struct {
	service *Service
	name    string
}

// Queue returns a queue, such as "orders.dead". That of an instance, see
// [runtime.Queue.PerInstance], goes by the name of its route's Queue. The test ends where
// there is none when a method is called.
func (s *Service) Queue(name string) Queue { return Queue{s, name} }

// Len returns how many messages wait in the queue. Those that a handler has don't.
func (q Queue) Len() int {
	q.service.t.Helper()
	return len(q.state().Ready)
}

// Messages returns copies of those that wait, in the order in which they would be
// delivered. [runtime.FailureOf] says why a dead letter is one.
func (q Queue) Messages() []*runtime.Delivery {
	q.service.t.Helper()
	return q.state().Ready
}

func (q Queue) state() memory.Queue {
	q.service.t.Helper()
	state, ok := q.service.broker.Queue(q.name)
	if !ok {
		q.service.t.Fatalf("runtimetest: there is no queue %q: there are %s", q.name, strings.Join(q.service.server.Queues(), ", "))
	}
	return state
}
