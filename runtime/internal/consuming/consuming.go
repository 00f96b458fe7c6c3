// Package consuming holds what the consumers of both brokers have in common: the
// defaults of the settings that rabbitmq.Config and memory.Config share, and the
// error of a handler that returns nothing.
//
//	c.Prefetch = consuming.Prefetch(c.Prefetch)
//
// It declares and consumes nothing itself.
package consuming

import (
	"cmp"
	"errors"
	"log/slog"
	"time"
)

// Prefetch returns n, or the default for less than 1.
func Prefetch(n int) int {
	if n < 1 {
		return 100
	}
	return n
}

// Concurrency returns n, or the default for less than 1.
func Concurrency(n int) int { return max(n, 1) }

// RedeliveryDelay returns d, the default for 0, and 0 for less.
func RedeliveryDelay(d time.Duration) time.Duration {
	return max(cmp.Or(d, time.Second), 0)
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

// ErrGoexit stands for the result of a handler that ended its goroutine, and so
// has none.
var ErrGoexit = errors.New("the handler ended its goroutine, as testing.T.FailNow does")
