package registered

import (
	"maps"
	"math"
	"slices"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/runtime"
)

// MayBeRefused reports whether a router may refuse the program's route for what isn't known
// of it: where it accepts the route without that, and refuses another value of it.
func (r Route) MayBeRefused() bool {
	switch {
	case r.FailureUnknown || r.Batch != nil && r.Batch.IsOpen:
		return true
	case len(r.UnknownSettings) == 0 && len(r.UnknownArguments) == 0 || !r.isAccepted():
		return false
	case r.mayDeclareTwice() || r.Exchange == nil && hasUnknown(r.UnknownArguments, contract.BindingArguments):
		return true
	}
	some := r.arguments()
	for _, concurrency := range []int{1, math.MaxInt} { // too few for a batch, too many for the prefetch
		strict := r.strictest(concurrency)
		refuses := func(of arguments) bool { return !strict.with(of).isAccepted() }
		if !strict.isAccepted() || slices.ContainsFunc(some, refuses) {
			return true
		}
	}
	return false
}

// mayDeclareTwice reports whether a route may declare an exchange in two ways.
func (r Route) mayDeclareTwice() bool {
	names, open := r.Declares()
	for i, name := range names {
		if slices.Contains(names[:i], name) && slices.Contains(open, name) {
			return true
		}
	}
	return false
}

// A Name is that of a queue or an exchange.
type Name struct {
	Of   string // queue or exchange
	Name string
}

// Declares returns what a route declares itself, and those of them whose arguments aren't all
// known.
func (r Route) Declares() (names, open []Name) {
	declare := func(of, name, table string) {
		names = append(names, Name{of, name})
		if hasUnknown(r.UnknownArguments, table) {
			open = append(open, Name{of, name})
		}
	}
	declare("queue", r.Queue.Name, contract.QueueArguments)
	if r.Exchange != nil {
		declare("exchange", r.Exchange.Name, contract.ExchangeArguments)
	}
	for i, source := range r.Sources {
		declare("exchange", source.Exchange.Name, contract.SourceExchangeArguments(i))
	}
	return names, open
}

func hasUnknown(unknown []string, table string) bool {
	return contract.UnknownOf(unknown, table, "") != nil
}

// arguments are some that a queue and an exchange may have.
type arguments struct{ queue, exchange map[string]any }

// arguments returns those that a router may refuse, beside the fields that say the same or want
// a queue or an exchange of another kind.
func (r Route) arguments() []arguments {
	all := []arguments{
		{queue: map[string]any{"x-queue-type": "stream"}},
		{queue: map[string]any{"x-queue-type": "quorum"}},
		{queue: map[string]any{"x-single-active-consumer": true}},
		{queue: map[string]any{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": r.Queue.Name}},
		{exchange: map[string]any{"x-delayed-type": "direct"}},
	}
	router := runtime.NewRouter()
	_ = router.Register(r.Registrable()) // it is accepted
	for _, route := range router.Routes() {
		for key := range route.Queue.Arguments { // what fields say
			all = append(all, arguments{queue: map[string]any{key: "another"}})
		}
	}
	return all
}

// with returns the route with those of the arguments that aren't known of it.
func (r Route) with(of arguments) Route {
	fill := func(known, with map[string]any, table string) map[string]any {
		filled := maps.Clone(known)
		for key, v := range with {
			if !contract.IsUnknownArgument(r.UnknownArguments, table, key) {
				continue
			}
			if filled == nil {
				filled = make(map[string]any)
			}
			filled[key] = v
		}
		return filled
	}
	r.Queue.Arguments = fill(r.Queue.Arguments, of.queue, contract.QueueArguments)
	if r.Exchange != nil {
		exchange := *r.Exchange
		exchange.Arguments = fill(exchange.Arguments, of.exchange, contract.ExchangeArguments)
		r.Exchange = &exchange
	}
	return r
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
