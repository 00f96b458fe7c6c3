package rabbitmq

import (
	"slices"
	"sync"
	"time"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
)

const (
	// defaultAckBatch is where more gains little: 50 to 100 acknowledgements at once
	// were measured to be 1.5 to 1.7 times as fast as one (RabbitMQ 3.10).
	defaultAckBatch = 50

	// ackDelay bounds the wait of an acknowledgement behind a handler that runs.
	ackDelay = 10 * time.Millisecond
)

// A settler settles deliveries with the server.
type settler interface {
	Ack(tag uint64, multiple bool) error
	Nack(tag uint64, multiple, requeue bool) error
}

// acks are the acknowledgements of one channel with one consumer, to whose
// deliveries the server gives the tags 1, 2, 3 and so on. It holds some of them
// back, and then acknowledges all that are done up to the first one that isn't by
// one method. What isn't done is never acknowledged, whatever the order in which
// handlers end.
//
// What is held is sent when there are enough of them, when the caller has nothing
// else to do (see flush), and after ackDelay. See docs/decisions/0024. The owner's
// waiter counts the goroutine of ackDelay from before it begins until what it sent was
// reported.
type acks struct {
	channel settler
	limit   int                                      // how many are held at most, with the last one
	sent    func(ds []consuming.Settlement, _ error) // called with what was sent, or couldn't be
	waiter  *sync.WaitGroup

	mu      sync.Mutex
	settled spans                  // the tags that are settled or held
	held    []consuming.Settlement // acknowledgements that weren't sent
	timer   *time.Timer            // nil until there was something to hold
	armed   bool                   // the timer runs
}

// newAcks returns the acknowledgements of a channel. What waiter counts calls ack.
func newAcks(channel settler, limit int, sent func([]consuming.Settlement, error), waiter *sync.WaitGroup) *acks {
	return &acks{channel: channel, limit: limit, sent: sent, waiter: waiter}
}

// ack acknowledges d, now or later.
func (a *acks) ack(d consuming.Settlement) {
	if a.hold(d) {
		a.flush()
	}
}

// hold reports whether there are enough to be sent.
func (a *acks) hold(d consuming.Settlement) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.settled.add(d.Delivery.Tag)
	a.held = append(a.held, d)
	if len(a.held) >= a.limit {
		return true
	}
	a.arm()
	return false
}

// arm has what is held sent after ackDelay.
func (a *acks) arm() {
	if a.armed {
		return
	}
	a.armed = true
	a.waiter.Add(1)
	if a.timer == nil {
		a.timer = time.AfterFunc(ackDelay, func() {
			defer a.waiter.Done()
			a.flush()
		})
		return
	}
	a.timer.Reset(ackDelay)
}

// disarm is the end of arm, unless the goroutine has begun.
func (a *acks) disarm() {
	if a.armed && a.timer.Stop() {
		a.waiter.Done()
	}
	a.armed = false
}

// now settles d at once.
func (a *acks) now(d consuming.Settlement) (err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	// In this order: an acknowledgement of all up to a later tag includes this one
	// unless it has been settled before.
	switch d.End {
	case runtime.Requeue, runtime.Refuse:
		err = a.channel.Nack(d.Delivery.Tag, false, d.End == runtime.Requeue)
	default:
		err = a.channel.Ack(d.Delivery.Tag, false)
	}
	a.settled.add(d.Delivery.Tag)
	return err
}

// flush sends what is held. A worker without a delivery calls it, so that an
// acknowledgement waits only while its route has something to do.
func (a *acks) flush() {
	if ds, err := a.send(); len(ds) > 0 {
		a.sent(ds, err)
	}
}

// send acknowledges those that are held: by one method up to the first tag that
// isn't settled, and one by one beyond it. The last of the former is held itself,
// because the server refuses a tag that it has forgotten.
func (a *acks) send() (ds []consuming.Settlement, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.held) == 0 {
		return nil, nil
	}
	prefix, last := a.settled.prefix(), uint64(0)
	for _, d := range a.held {
		switch {
		case d.Delivery.Tag <= prefix:
			last = max(last, d.Delivery.Tag)
		case err == nil:
			err = a.channel.Ack(d.Delivery.Tag, false)
		}
	}
	if last > 0 && err == nil {
		err = a.channel.Ack(last, true)
	}
	a.disarm()
	ds, a.held = a.held, make([]consuming.Settlement, 0, cap(a.held))
	return ds, err
}

// spans is a set of tags, as closed ranges in their order with gaps between
// them. There are about as many as handlers that run, since the gaps are the
// deliveries that aren't settled.
type spans []span

type span struct{ first, last uint64 }

// prefix returns the last tag of those that are in the set with all before them,
// 0 for none.
func (s spans) prefix() uint64 {
	if len(s) == 0 || s[0].first != 1 {
		return 0
	}
	return s[0].last
}

// add adds a tag that isn't in the set. The latest deliveries mostly end last, so
// it looks for its place from the end.
func (s *spans) add(tag uint64) {
	at := len(*s)
	for at > 0 && (*s)[at-1].first > tag {
		at--
	}
	after := at > 0 && (*s)[at-1].last+1 == tag
	before := at < len(*s) && (*s)[at].first == tag+1
	switch {
	case after && before:
		(*s)[at-1].last = (*s)[at].last
		*s = slices.Delete(*s, at, at+1)
	case after:
		(*s)[at-1].last = tag
	case before:
		(*s)[at].first = tag
	default:
		*s = slices.Insert(*s, at, span{tag, tag})
	}
}
