package consuming

import (
	"sync"
	"time"
)

// MaxHeld is how many deliveries of a route are held beside its prefetch. Of each the
// client keeps some hundred bytes, and the server the message.
const MaxHeld = 10_000

// A Hold keeps deliveries that have failed again, until they go back to their queue.
// Each is held for the redelivery delay at least, and no more than the prefetch go
// back in one delay, so that however many fail they leave the route time for others.
// See docs/decisions/0037.
type Hold struct {
	delay, pace time.Duration

	mu     sync.Mutex
	line   []held
	last   time.Time   // when the latest one went back
	timer  *time.Timer // nil until one was held
	closed bool
}

type held struct {
	since   time.Time
	release func()
}

// NewHold returns the hold of a route with the limits.
func NewHold(limits Limits) *Hold {
	return &Hold{delay: limits.RedeliveryDelay, pace: limits.RedeliveryDelay / time.Duration(limits.Prefetch)}
}

// Add holds a delivery, which release gives back. It is called once: later, by a
// goroutine of the hold's timer or by Close, or at once where the hold is closed or
// has no delay.
func (h *Hold) Add(release func()) {
	if !h.add(release) {
		release()
	}
}

func (h *Hold) add(release func()) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || h.delay <= 0 {
		return false
	}
	h.line = append(h.line, held{time.Now(), release})
	if len(h.line) == 1 {
		h.schedule()
	}
	return true
}

// Len returns how many are held.
func (h *Hold) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.line)
}

// Close releases all that are held, and holds no more.
func (h *Hold) Close() {
	h.mu.Lock()
	h.closed = true
	if h.timer != nil {
		h.timer.Stop()
	}
	line := h.line
	h.line = nil
	h.mu.Unlock()
	for _, held := range line {
		held.release()
	}
}

func (h *Hold) releaseDue() {
	if release := h.next(); release != nil {
		release()
	}
}

// next takes the first of the line, where its time has come.
func (h *Hold) next() (release func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.line) > 0 && h.untilNext() <= 0 {
		release = h.line[0].release
		h.line[0] = held{}
		h.line = h.line[1:]
		h.last = time.Now()
	}
	if len(h.line) > 0 {
		h.schedule()
	}
	return release
}

// schedule has the first of the line released when it is due.
func (h *Hold) schedule() {
	if h.timer == nil {
		h.timer = time.AfterFunc(h.untilNext(), h.releaseDue)
		return
	}
	h.timer.Reset(h.untilNext())
}

// untilNext returns how long the first of the line is still held.
func (h *Hold) untilNext() time.Duration {
	return max(time.Until(h.line[0].since.Add(h.delay)), time.Until(h.last.Add(h.pace)), 0)
}
