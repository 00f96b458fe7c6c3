package rabbitmq

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

const (
	// maxLanes bounds the channels of a publisher. Exchanges beyond it share one.
	maxLanes = 32

	// largeBody is the size from which messages have a lane of their own, in bytes.
	largeBody = 1 << 20

	// laneRoom is how much of messages a lane keeps that aren't settled, in bytes. A
	// larger one is alone.
	laneRoom = 32 << 20

	// requestSize is what a message takes beside its body and headers, about.
	requestSize = 1 << 10
)

// A laneKey says which messages share a lane.
type laneKey struct {
	exchange string
	large    bool // of any exchange
	others   bool // of any exchange, when there are many
}

// A lane is the way of some messages to the server: those to one exchange, or large
// ones. It has a channel of its own, because the server answers some messages by
// closing the channel under all others. Messages that no session has taken wait here
// while there is no connection, so the order of each caller's messages is kept.
// See docs/decisions/0038.
type lane struct {
	publisher *publisher
	wake      chan struct{}       // wakes the session when there are requests
	retired   chan struct{}       // closed when the lane ends
	room      *semaphore.Weighted // of laneRoom
	users     int                 // callers that send or wait for a reply; guarded by the publisher's mutex

	// The server has closed a channel over a message and has taken none since. Only
	// the lane's goroutine uses it.
	careful bool

	mu        sync.Mutex
	entered   uint64
	waiting   []*request
	withdrawn int // requests since the last sweep; some may have been taken since
}

func newLane(p *publisher) *lane {
	return &lane{publisher: p, wake: make(chan struct{}, 1), retired: make(chan struct{}), room: semaphore.NewWeighted(laneRoom)}
}

// makeRoom waits until a message whose body and headers have so many bytes may be kept,
// and returns how much of room it has taken for it.
func (l *lane) makeRoom(ctx context.Context, bytes int) (taken int64, err error) {
	size := min(int64(bytes+requestSize), laneRoom)
	if !l.room.TryAcquire(size) {
		open, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(l.publisher.open, cancel)()
		if err := l.room.Acquire(open, size); err != nil {
			return 0, err
		}
	}
	return size, nil
}

// enter adds r to the waiting requests.
func (l *lane) enter(r *request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entered++
	r.number = l.entered
	l.waiting = append(l.waiting, r)
	l.wakeSession()
}

// wakeSession wakes the session; one that is awake looks again before it sleeps.
func (l *lane) wakeSession() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// take returns the next request, nil if there is none.
func (l *lane) take() *request {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.waiting) > 0 {
		r := l.waiting[0]
		l.waiting[0] = nil
		if len(l.waiting) == 1 {
			l.waiting = l.waiting[:0] // its memory is used again
		} else {
			l.waiting = l.waiting[1:]
		}
		if !r.withdrawn {
			return r
		}
	}
	return nil
}

// latest returns the number of the latest request.
func (l *lane) latest() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.entered
}

// failWaiting ends those that wait for exchange and aren't later than the number.
func (l *lane) failWaiting(exchange string, number uint64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = slices.DeleteFunc(l.waiting, func(r *request) bool {
		if r.withdrawn || r.number > number || r.to.Exchange != exchange {
			return false
		}
		r.claimed = true
		r.fail(err)
		return true
	})
}

// claim makes sure that r may be written. It fails when its caller has gone.
func (l *lane) claim(r *request) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.claimed = !r.withdrawn
	return r.claimed
}

// putBack returns a request that a session could not write.
func (l *lane) putBack(r *request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.claimed = false
	l.waiting = append([]*request{r}, l.waiting...)
	l.wakeSession()
}

func (l *lane) hasWaiting() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting) > 0
}

// withdraw takes r back. It fails when a session has claimed it.
func (l *lane) withdraw(r *request) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.claimed {
		return false
	}
	r.withdrawn = true
	l.sweep()
	return true
}

// sweep removes the withdrawn requests when they may be half of those that wait.
// Without a connection no session does, and callers that try again for hours would
// fill the memory.
func (l *lane) sweep() {
	l.withdrawn++
	if l.withdrawn <= len(l.waiting)/2 {
		return
	}
	l.waiting = slices.DeleteFunc(l.waiting, func(r *request) bool { return r.withdrawn })
	l.withdrawn = 0
}

// serve runs one session after the other on link, until it ends, the publisher
// closes or the lane is retired.
func (l *lane) serve(link *link) {
	p := l.publisher
	log := p.broker.config.Logger.With("role", "publishing")
	ended := func() bool { return p.open.Err() != nil || link.hasEnded() || l.isRetired() }
	var pause backoff
	for {
		wait(pause.next(), p.open.Done(), link.dead)
		if ended() {
			return
		}
		s, err := l.openSession(link)
		if err != nil {
			if !link.hasEnded() {
				log.Error("can't open a channel, trying again", "error", explainChannel(err))
			}
			continue
		}
		began := time.Now()
		s.run()
		if cause := s.end(); cause != nil && !link.hasEnded() {
			log.Warn("channel closed by the server", "error", cause)
			pause = backoff{} // a message caused it, so the next channel needn't wait
			l.careful = !p.noteLimit(cause)
		}
		pause.lasted(time.Since(began))
	}
}

func (l *lane) isRetired() bool {
	select {
	case <-l.retired:
		return true
	default:
		return false
	}
}

// errNotTaken: the server closed the channel over an earlier message, and has taken
// no later one.
var errNotTaken = errors.New("the server closed the channel over an earlier message")
