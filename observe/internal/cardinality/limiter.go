// Package cardinality bounds the values of a metric's label: what comes after
// the limit is counted under one value.
package cardinality

import (
	"strings"
	"sync/atomic"

	"github.com/warrenmq/warren/observe/internal/cowmap"
)

// Overflow is the value of all that come after the limit, and of those that are
// too long.
const Overflow = "_other"

// MaxLength is the greatest length of a value, in bytes.
const MaxLength = 200

// A Limiter lets the first values pass, up to a limit. Values that it refuses
// aren't kept, and refusing takes no lock: neither costs memory or time when a
// caller invents values. It is safe for concurrent use.
// See docs/decisions/0033.
type Limiter struct {
	labels   cowmap.Map[string, string] // of the values that pass
	rejected atomic.Uint64
}

// NewLimiter returns a limiter that lets limit values pass.
func NewLimiter(limit int) *Limiter {
	return &Limiter{labels: cowmap.Map[string, string]{Limit: limit}}
}

// Value returns the value as a label may have it: valid UTF-8, or Overflow.
func (l *Limiter) Value(value string) string {
	if label, ok := l.labels.Get(value); ok {
		return label
	}
	if len(value) <= MaxLength && !l.labels.Full() {
		if label, ok := l.labels.Add(strings.Clone(value), validLabel); ok {
			return label
		}
	}
	l.rejected.Add(1)
	return Overflow
}

func validLabel(value string) string { return strings.ToValidUTF8(value, "\ufffd") }

// Rejected returns how often a value was refused.
func (l *Limiter) Rejected() uint64 { return l.rejected.Load() }
