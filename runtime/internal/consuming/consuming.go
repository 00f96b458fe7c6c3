// Package consuming holds what the consumers of both brokers have in common: the
// limits of a route, handlers that are stuck, deliveries that are held because they
// failed, and what is logged of failures.
//
//	limits := consuming.Limits{Prefetch: config.Prefetch}.Of(&route)
//
// It declares and consumes nothing itself.
package consuming

import (
	"cmp"
	"errors"
	"log/slog"
	"time"

	"github.com/warrenmq/warren/runtime"
)

const (
	defaultPrefetch = 100
	maxPrefetch     = 1<<16 - 1 // of AMQP; a client would send more as the rest of a division

	defaultPrefetchBytes = 64 << 20

	// defaultTimeout is the default of RabbitMQ's consumer_timeout, after which what a
	// handler returns can't be settled any more.
	defaultTimeout = 30 * time.Minute
)

// Limits are those of one route.
type Limits struct {
	Prefetch        int
	PrefetchBytes   int64 // 0 for no limit
	Concurrency     int
	Timeout         time.Duration // 0 for none
	RedeliveryDelay time.Duration
}

// WithDefaults returns l complete: the limits of a broker.
func (l Limits) WithDefaults() Limits {
	l.Concurrency = max(l.Concurrency, 1)
	if l.Prefetch < 1 {
		l.Prefetch = max(defaultPrefetch, l.Concurrency)
	}
	l.Prefetch = min(l.Prefetch, maxPrefetch)
	l.PrefetchBytes = max(cmp.Or(l.PrefetchBytes, defaultPrefetchBytes), 0)
	l.Timeout = max(cmp.Or(l.Timeout, defaultTimeout), 0)
	l.RedeliveryDelay = max(cmp.Or(l.RedeliveryDelay, time.Second), 0)
	return l
}

// Of returns the limits of route, on a broker that has l. A batch needs as many places
// as it has members. The concurrency isn't more than the prefetch: a route that says one
// of them means it, whatever the broker's other one is.
func (l Limits) Of(route *runtime.Route) Limits {
	size := route.Handler.BatchSize()
	l.Concurrency = max(l.Concurrency, size)
	l.Prefetch = max(l.Prefetch, 2*size)
	if route.Concurrency >= 1 {
		l.Concurrency = route.Concurrency
		l.Prefetch = max(l.Prefetch, l.Concurrency)
	}
	if route.Order.IsStrict() {
		l.Concurrency = 1
	}
	if route.Prefetch >= 1 {
		l.Prefetch = route.Prefetch
	}
	l.Prefetch = min(l.Prefetch, maxPrefetch)
	l.Concurrency = min(l.Concurrency, l.Prefetch)
	if route.PrefetchBytes != 0 {
		l.PrefetchBytes = max(route.PrefetchBytes, 0)
	}
	if !MayBeReplaced(route) || route.Queue.AutoDelete { // which ends without a consumer
		l.PrefetchBytes = 0
	}
	if route.Timeout != 0 {
		l.Timeout = max(route.Timeout, 0)
	}
	return l
}

// MayBeReplaced reports whether a consumer of route may be replaced by another one
// while it goes on: that would lose the order of a route, the turn of a single active
// consumer, where the order is worth more, and the place in a stream.
func MayBeReplaced(route *runtime.Route) bool {
	arguments := route.Queue.Arguments
	return route.Order.IsZero() && arguments["x-single-active-consumer"] != true && arguments["x-queue-type"] != "stream"
}

// Logger returns log, or one that discards everything for nil.
func Logger(log *slog.Logger) *slog.Logger {
	if log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return log
}

// NoRoutes is logged by a broker that starts with an empty router: routes that are
// registered later don't reach it.
const NoRoutes = "nothing is consumed: the router had no routes when the broker started"

// WarnOfOrder warns of an ordered route whose queue several processes may consume at a
// time.
func WarnOfOrder(log *slog.Logger, route *runtime.Route) {
	if route.Queue.Exclusive || route.Queue.Arguments["x-single-active-consumer"] == true {
		return
	}
	log.Warn("the order of the route holds within this process alone: for several instances, declare its queue with x-single-active-consumer")
}

// ErrGoexit stands for the result of a handler that ended its goroutine, and so
// has none.
var ErrGoexit = errors.New("the handler ended its goroutine, as testing.T.FailNow does")
