package consuming

import (
	"math/bits"
	"sync"
)

const (
	// assumedSize is that of a body before one has come, in bytes.
	assumedSize = 1 << 20

	// sizerWindow is how many messages say how large the next ones are.
	sizerWindow = 256
)

// A Sizer chooses the prefetch of a route by the size of its messages, so that the
// bodies that it holds stay within a bound: AMQP can count messages only, and RabbitMQ
// refuses to count bytes. It goes by the largest of the last messages. What has been
// sent already can't be called back, so messages that are larger than those before
// them may exceed the bound until they are handled. See docs/decisions/0045.
type Sizer struct {
	limit int64
	least int
	most  int

	// Resize has an element when the prefetch is another one.
	Resize chan struct{}

	mu       sync.Mutex
	largest  int64 // of the window
	previous int64 // of the window before
	seen     int   // in the window
	prefetch int
}

// NewSizer returns the sizer of a route with the limits, nil where its bytes have none.
// The prefetch is the least at least.
func NewSizer(limits Limits, least int) *Sizer {
	if limits.PrefetchBytes <= 0 {
		return nil
	}
	s := &Sizer{limit: limits.PrefetchBytes, least: min(max(least, 1), limits.Prefetch), most: limits.Prefetch, previous: assumedSize, Resize: make(chan struct{}, 1)}
	s.prefetch = s.wanted()
	return s
}

// Prefetch returns what the prefetch is to be.
func (s *Sizer) Prefetch() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.prefetch
}

// Note notes the size of a body that has come.
func (s *Sizer) Note(size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.largest = max(s.largest, int64(size))
	if s.seen++; s.seen >= sizerWindow {
		s.previous, s.largest, s.seen = s.largest, 0, 0
	}
	// Fewer at once, more only when a window has ended: then a whole one was smaller.
	if wanted := s.wanted(); wanted < s.prefetch || wanted > s.prefetch && s.seen == 0 {
		s.prefetch = wanted
		select {
		case s.Resize <- struct{}{}:
		default:
		}
	}
}

// wanted is a power of two, so that the prefetch seldom changes, or the most.
func (s *Sizer) wanted() int {
	fit := s.limit / max(s.largest, s.previous, 1)
	switch {
	case fit >= int64(s.most):
		return s.most
	case fit <= int64(s.least):
		return s.least
	default:
		return max(s.least, 1<<(bits.Len64(uint64(fit))-1))
	}
}
