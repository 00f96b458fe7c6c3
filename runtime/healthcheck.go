package runtime

import (
	"fmt"
	"strings"
)

// A HealthChecker says how a broker is. Those of packages rabbitmq and memory are
// checkers; package health makes HTTP handlers of one.
type HealthChecker interface {
	// Live returns nil unless only a restart of the program helps: all handlers of a
	// route are stuck. A server that can't be reached is no reason. It does no I/O and
	// returns at once.
	Live() error

	// Ready returns nil while the broker does all that it is for; the error is, or
	// wraps, a [*NotReadyError] that says what is missing, or ErrClosed. From the call of
	// Start until every route is consumed, and after a Start that failed, it is an error
	// with the connection "consuming". Before Start is called, a broker is only for
	// sending. It does no I/O and returns at once.
	Ready() error
}

// A NotReadyError says what a broker lacks.
type NotReadyError struct{ Problems []Problem }

// A Problem is one thing that isn't as it should be, of a route or of a connection.
type Problem struct {
	Connection string // "consuming" or "publishing", "" where it isn't about one
	Route      string // the name of the route, "" where it isn't about one
	Queue      string // of that route
	Err        error  // the reason
}

// String names the route or the connection, and the reason.
func (p Problem) String() string {
	switch {
	case p.Route != "":
		return fmt.Sprintf("route %q, queue %q: %v", p.Route, p.Queue, p.Err)
	case p.Connection != "":
		return fmt.Sprintf("%s: %v", p.Connection, p.Err)
	default:
		return p.Err.Error()
	}
}

// Error lists the problems, one a line.
func (e *NotReadyError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the reasons.
func (e *NotReadyError) Unwrap() []error {
	reasons := make([]error, len(e.Problems))
	for i, p := range e.Problems {
		reasons[i] = p.Err
	}
	return reasons
}
