package rabbitmq

import (
	"math/rand/v2"
	"time"
)

const (
	firstDelay = 50 * time.Millisecond

	// maxDelay is short enough to be back within a second of the server's
	// return, and a refused connection costs little.
	maxDelay = 800 * time.Millisecond

	// stable is how long a session has to last to count as a success, after
	// which the next attempt is made at once.
	stable = time.Second
)

// A backoff is the wait before the next attempt: none before the first, then
// exponentially longer ones with jitter, so that the clients of one server don't
// all come back at once.
type backoff struct{ failures int }

// next returns the delay before the next attempt.
func (b *backoff) next() time.Duration {
	b.failures++
	if b.failures == 1 {
		return 0
	}
	limit := min(firstDelay<<min(b.failures-2, 10), maxDelay)
	return limit/2 + rand.N(limit/2)
}

// lasted resets b where what was attempted has lasted for long enough.
func (b *backoff) lasted(d time.Duration) {
	if d >= stable {
		b.failures = 0
	}
}
