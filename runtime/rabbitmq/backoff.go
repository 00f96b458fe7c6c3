package rabbitmq

import (
	"math/rand/v2"
	"time"
)

const (
	// leastDelay is the longest pause at the beginning of an outage, maxDelay at any
	// time.
	leastDelay = 50 * time.Millisecond
	maxDelay   = 10 * time.Second

	// delayShare is the part of an outage that the next pause may take: what the
	// client adds to the outage is never more.
	delayShare = 5

	// stable is how long a session has to last to count as a success, after
	// which the next attempt is made at once.
	stable = time.Second

	// refusedDelay is the mean pause after a declaration that the server has refused:
	// another one is refused as well, until somebody changes something.
	refusedDelay = 30 * time.Second
)

// A backoff is the pause before the next attempt: none before the first, then any
// time up to a part of the outage, so that the clients of one server neither come
// back at the same time nor much later than it does. See docs/decisions/0039.
type backoff struct{ since time.Time }

// next returns the pause before the next attempt.
func (b *backoff) next() time.Duration {
	if b.since.IsZero() {
		b.since = time.Now()
		return 0
	}
	return rand.N(min(max(time.Since(b.since)/delayShare, leastDelay), maxDelay))
}

// lasted ends the outage where what was attempted has lasted for long enough.
func (b *backoff) lasted(d time.Duration) {
	if d >= stable {
		b.since = time.Time{}
	}
}
