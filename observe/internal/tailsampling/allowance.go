package tailsampling

import (
	"sync/atomic"

	"golang.org/x/time/rate"
)

// burstSeconds is the time over which the rate of errors is an average.
const burstSeconds = 60

// An allowance bounds the traces that are kept because of an error: a storm of errors
// must not become a storm of spans. It is safe for concurrent use.
type allowance struct {
	limiter *rate.Limiter // nil for no bound
	refused atomic.Uint64
}

// newAllowance returns one of so many in a second; of no bound for a negative one.
func newAllowance(perSecond int) *allowance {
	if perSecond < 0 {
		return new(allowance)
	}
	return &allowance{limiter: rate.NewLimiter(rate.Limit(perSecond), burstSeconds*perSecond)}
}

// take reports whether one more is kept, and counts it if it isn't.
func (a *allowance) take() bool {
	if a.limiter == nil || a.limiter.Allow() {
		return true
	}
	a.refused.Add(1)
	return false
}

// has reports whether one more would be kept.
func (a *allowance) has() bool { return a.limiter == nil || a.limiter.Tokens() >= 1 }
