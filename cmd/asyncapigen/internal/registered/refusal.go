package registered

import (
	"math"

	"github.com/warrenmq/warren/runtime"
)

// MayBeRefused reports whether a router may refuse the program's route for what isn't known
// of it: where it accepts the route without that, and refuses another value of it.
func (r Route) MayBeRefused() bool {
	switch {
	case r.FailureUnknown || r.Batch != nil && r.Batch.IsOpen:
		return true
	case len(r.UnknownSettings) == 0:
		return false
	}
	accepted := r.isAccepted()
	for _, concurrency := range []int{1, math.MaxInt} { // too few for a batch, too many for the prefetch
		if accepted && !r.strictest(concurrency).isAccepted() {
			return true
		}
	}
	return false
}

func (r Route) isAccepted() bool { return runtime.NewRouter().Register(r.Registrable()) == nil }

// strictest returns the route with the values that a router refuses soonest for the settings
// that aren't known.
func (r Route) strictest(concurrency int) Route {
	for _, name := range r.UnknownSettings {
		switch name {
		case "acknowledges":
			r.AckMode = -1
		case "arguments":
			r.ConsumerArguments = map[string]any{"x-priority": "none"}
		case "concurrency":
			r.Concurrency = concurrency
		case "order":
			r.Strict = true
		case "prefetch":
			r.Prefetch = 1
		case "prefetchBytes":
			r.PrefetchBytes = 1
		case "timeout":
			r.Timeout = 1
		}
	}
	return r
}
