package memory

import (
	"slices"
	"time"

	"github.com/warrenmq/warren/runtime"
)

// A queue holds the entries that wait for a consumer. Entries that a consumer
// has are not in it; they come back by requeue.
type queue struct {
	spec  runtime.Queue
	owner *Broker // of an exclusive queue

	ttl         time.Duration // of every message; negative: no limit
	idleLimit   time.Duration
	maxLength   int64 // negative: no limit
	maxBytes    int64 // negative: no limit
	overflow    string
	maxPriority int64
	single      bool // deliver to the first consumer only

	quorum        bool  // counts how often a message came back
	deliveryLimit int64 // of that; negative: no limit

	ready     []*entry // in the order of entry.compare
	bytes     int64    // of the bodies in ready
	out       int      // how many entries consumers have
	consumers []*consumer
	turn      int // whose turn it is of consumers

	expiry    *time.Timer // for the first entry of ready
	idleTimer *time.Timer
}

// Values of the argument x-overflow. The default drops the oldest message.
const (
	rejectPublish    = "reject-publish"
	rejectPublishDLX = "reject-publish-dlx"
)

func newQueue(spec runtime.Queue) (*queue, error) {
	q := &queue{spec: spec, maxLength: unlimited, maxBytes: unlimited, deliveryLimit: unlimited, ttl: unlimited, idleLimit: unlimited}
	if err := q.readArguments(); err != nil {
		return nil, err
	}
	q.overflow, _ = spec.Arguments["x-overflow"].(string)
	q.single, _ = spec.Arguments["x-single-active-consumer"].(bool)
	q.quorum = kindOf(spec) == quorum
	return q, nil
}

// unlimited stands for a limit that isn't declared.
const unlimited = -1

// enqueue adds m to q. It returns false when q is full and refuses it.
func (s *Server) enqueue(q *queue, m *message) bool {
	if q.isFull(int64(len(m.Body))) && (q.overflow == rejectPublish || q.overflow == rejectPublishDLX) {
		if q.overflow == rejectPublishDLX {
			s.deadLetter(q, m, maxLength)
		}
		return false
	}
	s.arrived++
	e := &entry{message: m, position: s.arrived, priority: uint8(min(int64(m.Priority), q.maxPriority))}
	if limit, limited := q.timeToLive(m); limited {
		e.expires = time.Now().Add(limit)
	}
	q.insert(e)
	if c := q.nextConsumer(); c != nil && len(q.ready) == 1 {
		c.take(q.pop()) // whatever its limit: it doesn't wait
		return true
	}
	s.advance(q)
	return true
}

// timeToLive returns the shorter of the message's and the queue's limit.
func (q *queue) timeToLive(m *message) (time.Duration, bool) {
	switch own := m.Expiration.Truncate(time.Millisecond); {
	case m.Expiration <= 0:
		return q.ttl, q.ttl >= 0
	case q.ttl >= 0:
		return min(own, q.ttl), true
	default:
		return own, true
	}
}

func (q *queue) isFull(more int64) bool {
	return q.maxLength >= 0 && int64(len(q.ready)) >= q.maxLength ||
		q.maxBytes >= 0 && q.bytes+more > q.maxBytes
}

func (q *queue) isOverfull() bool {
	return q.maxLength >= 0 && int64(len(q.ready)) > q.maxLength ||
		q.maxBytes >= 0 && q.bytes > q.maxBytes
}

func (q *queue) insert(e *entry) {
	at, _ := slices.BinarySearchFunc(q.ready, e, (*entry).compare)
	q.ready = slices.Insert(q.ready, at, e)
	q.bytes += int64(len(e.Body))
}

// requeue puts back what a consumer had, at its old place. The handler may still
// look at e, so it is a copy that goes back. A quorum queue dead-letters what has
// come back too often (RabbitMQ to 4.2; from 4.3 on it doesn't count what
// consumers give back themselves).
func (s *Server) requeue(q *queue, e *entry) {
	again := *e
	again.redelivered = true
	again.returns++
	if q.quorum && q.deliveryLimit >= 0 && again.returns > q.deliveryLimit {
		s.deadLetter(q, e.message, deliveryLimit)
		return
	}
	q.insert(&again)
}

func (q *queue) pop() *entry {
	e := q.ready[0]
	q.ready[0] = nil
	q.ready = q.ready[1:]
	q.bytes -= int64(len(e.Body))
	return e
}

// advance does what is due in q: it is called after every change. Messages that
// a consumer can take at once neither expire nor count for the length.
func (s *Server) advance(q *queue) {
	for len(q.ready) > 0 {
		switch c := q.nextConsumer(); {
		case q.headExpired():
			s.deadLetter(q, q.pop().message, expired)
		case c != nil:
			c.take(q.pop())
		case q.isOverfull():
			s.deadLetter(q, q.pop().message, maxLength)
		default:
			s.schedule(q)
			return
		}
	}
}

// headExpired reports whether the first entry has outlived its limit. Those
// behind it wait until they are first, as in RabbitMQ.
func (q *queue) headExpired() bool {
	head := q.ready[0]
	return !head.expires.IsZero() && !time.Now().Before(head.expires)
}

// nextConsumer returns the consumer for the first entry: of those that have room, one
// with the highest priority, whose turn it is; nil if none has.
func (q *queue) nextConsumer() (best *consumer) {
	for i := range q.consumers {
		c := q.consumers[(q.turn+i)%len(q.consumers)]
		if q.single {
			c = q.consumers[0]
		}
		if c.hasRoom(q.ready[0]) && (best == nil || c.route.ConsumerPriority > best.route.ConsumerPriority) {
			best = c
		}
	}
	return best
}

// hasRoom reports whether c may have e as well.
func (c *consumer) hasRoom(e *entry) bool {
	count := len(c.taken) - c.held
	fits := c.limits.PrefetchBytes == 0 || count < max(c.route.Handler.BatchSize(), 1) || c.bytes+int64(len(e.Body)) <= c.limits.PrefetchBytes
	return !c.suspended && count < c.limits.Prefetch && fits
}

// take gives e to c, which has room for it.
func (c *consumer) take(e *entry) {
	e.holder = c
	c.taken[e] = struct{}{}
	c.queue.out++
	c.bytes += int64(len(e.Body))
	c.inbox <- e
	q := c.queue
	q.turn = (slices.Index(q.consumers, c) + 1) % len(q.consumers)
}

// forget takes e from c.
func (c *consumer) forget(e *entry) {
	e.holder = nil
	delete(c.taken, e)
	c.queue.out--
	if !e.held {
		c.bytes -= int64(len(e.Body))
		return
	}
	e.held = false
	c.held--
}

func (q *queue) remove(c *consumer) {
	q.consumers = slices.DeleteFunc(q.consumers, func(other *consumer) bool { return other == c })
	q.turn = 0
}

// schedule wakes q when its first entry expires.
func (s *Server) schedule(q *queue) {
	if q.expiry != nil {
		q.expiry.Stop()
	}
	head := q.ready[0]
	if head.expires.IsZero() {
		return
	}
	q.expiry = time.AfterFunc(time.Until(head.expires), func() {
		s.mu.Lock()
		defer s.unlock()
		s.advance(q)
	})
}

func (q *queue) stopIdling() {
	if q.idleTimer != nil {
		q.idleTimer.Stop()
	}
}

// discard ends a deleted queue: its messages are gone.
func (q *queue) discard() {
	q.stopIdling()
	if q.expiry != nil {
		q.expiry.Stop()
	}
	q.ready, q.bytes = nil, 0
}
