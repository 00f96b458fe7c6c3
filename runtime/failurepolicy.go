package runtime

import (
	"cmp"
	"fmt"
	"time"
)

// Defaults of a FailurePolicy.
const (
	defaultAttempts = 5
	defaultDelay    = time.Second
	defaultMaxDelay = time.Minute
)

// A FailurePolicy says what becomes of messages that a handler can't handle: how
// often each is tried, how long it waits before it is tried again, and where it
// goes in the end. The zero value is the default: five attempts, after one, two,
// four and eight seconds, and then the queue <queue>.dead. It is set by
// [Route.Failure] or, for all routes, by [Router.OnFailure].
//
// A message waits in a queue of its own, <queue>.retry.<delay>, from which the
// server brings it back, so that it holds up nothing: neither a place of the
// prefetch nor a message with a shorter delay. The brokers declare these queues
// with the route's. A message leaves its queue when the copy that waits, or the
// dead letter, has been confirmed; until then it stays where it is.
//
// Of a classic queue, a message that is brought back may be lost where the server is killed
// or stopped before it is handled. The queues beside a [Quorum] queue are quorum queues,
// which lose nothing then.
//
// Queues that end with their consumer ([Queue.Exclusive], [Queue.AutoDelete]) have
// no queues beside them: Endless is then set. Of a [Stream] Attempts is 1, since a
// message that is put into it again comes to all who read it.
type FailurePolicy struct {
	// Attempts is how often a message is handled at most, the first time included.
	// 1 means no second one. 0 means the default, which is 5.
	Attempts int

	// Delay is how long a message waits after its first failure, in whole
	// milliseconds. Each further delay is twice as long, up to MaxDelay. Up to a
	// fifth of a delay is left out at random, so that messages that failed together
	// don't come back together. 0 means the default, which is one second.
	Delay time.Duration

	// MaxDelay bounds the delays. 0 means the default, which is one minute, or Delay
	// where that is longer.
	MaxDelay time.Duration

	// Permanent reports whether trying again can't help. It is asked about errors
	// that aren't marked by [Reject], [RetryAfter], [Postpone] or [Drop], by as many
	// goroutines as there are handlers. Nil means that nothing else is permanent.
	Permanent func(error) bool

	// DeadLetters is the durable queue for messages that failed for good. A queue of
	// the router that has this name is used as it is. Empty means the dead-letter
	// exchange that the route's queue declares, or else the queue <queue>.dead.
	DeadLetters string

	// Endless leaves the other fields without effect: a message that fails goes back
	// to its queue, and comes again until it is handled. One that can't succeed, since it
	// is marked by [Reject] or can't be decoded, leaves the queue at once: the server brings it
	// to the queue's dead-letter exchange, which an argument of the queue or a policy of
	// the server names, without a confirmation. Where there is none it drops the message, and
	// the log has an error.
	Endless bool
}

// withDefaults returns p with the default for each field that has none.
func (p FailurePolicy) withDefaults() FailurePolicy {
	p.Attempts = cmp.Or(p.Attempts, defaultAttempts)
	p.Delay = cmp.Or(p.Delay, defaultDelay)
	p.MaxDelay = cmp.Or(p.MaxDelay, max(defaultMaxDelay, p.Delay))
	return p
}

// check returns the field of p that isn't valid, and why.
func (p FailurePolicy) check() (field, fault string) {
	full := p.withDefaults()
	switch {
	case p.Attempts < 0:
		return "Attempts", fmt.Sprintf("is %d: use 1 or more, 0 for the default, or Endless", p.Attempts)
	case full.Delay < time.Millisecond || full.Delay%time.Millisecond != 0:
		return "Delay", fmt.Sprintf("is %v: use whole milliseconds, or 0 for the default", p.Delay)
	case full.MaxDelay < full.Delay:
		return "MaxDelay", fmt.Sprintf("is %v, and Delay is %v: it can't be shorter", p.MaxDelay, full.Delay)
	case full.MaxDelay%time.Millisecond != 0:
		return "MaxDelay", fmt.Sprintf("is %v: use whole milliseconds, or 0 for the default", p.MaxDelay)
	case full.MaxDelay > maxQueueDelay:
		return "MaxDelay", fmt.Sprintf("is %v, and the server keeps a message for %v at most", p.MaxDelay, maxQueueDelay)
	case len(full.delays()) > maxRetryQueues:
		return "Attempts", fmt.Sprintf("and the delays need %d queues for each route, and %d are allowed: make Delay longer or MaxDelay shorter", len(full.delays()), maxRetryQueues)
	}
	return "", ""
}

// maxQueueDelay is the longest x-message-ttl, 2^32-1 milliseconds (RabbitMQ
// refuses a longer one).
const maxQueueDelay = (1<<32 - 1) * time.Millisecond

// maxRetryQueues bounds what one route declares.
const maxRetryQueues = 20

// delay returns how long a message waits after its nth failure, 1 being the first.
func (p FailurePolicy) delay(n int) time.Duration {
	delay := p.Delay
	for ; n > 1 && delay < p.MaxDelay; n-- {
		delay = min(2*delay, p.MaxDelay)
	}
	return delay
}

// delays returns the different delays, in ascending order.
func (p FailurePolicy) delays() []time.Duration {
	var delays []time.Duration
	for n := 1; n < p.Attempts; n++ {
		delay := p.delay(n)
		if n > 1 && delay == delays[len(delays)-1] {
			break
		}
		delays = append(delays, delay)
	}
	return delays
}

// atLeast returns the shortest of the delays that isn't shorter than d, or the
// longest of all.
func (p FailurePolicy) atLeast(d time.Duration) time.Duration {
	delays := p.delays()
	for _, delay := range delays {
		if delay >= d {
			return delay
		}
	}
	return delays[len(delays)-1]
}

// failure returns the policy of r, as it applies.
func (r *Route) failure() FailurePolicy {
	if r.Failure == nil || r.Failure.Endless || r.Queue.Exclusive || r.Queue.AutoDelete {
		return FailurePolicy{Endless: true}
	}
	policy := r.Failure.withDefaults()
	switch {
	case r.Queue.isStream(): // a copy that comes again would come to all who read the stream
		policy.Attempts = 1
	case r.AckMode == AckFirst:
		policy.Attempts = 1
	}
	return policy
}

// answersCallers reports whether results and errors go to whoever sent the request.
func (r *Route) answersCallers() bool { return r.Reply != nil && r.Reply.IsZero() }
