// Package cardinality bounds the values of a metric's label: what comes after
// the limit is counted under one value.
package cardinality

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// Overflow is the value of all that come after the limit, and of those that are
// too long.
const Overflow = "_other"

// MaxLength is the greatest length of a value, in bytes.
const MaxLength = 200

// A Limiter lets the first values pass, up to a limit. Values that it refuses
// aren't kept, and refusing takes no lock: neither costs memory or time when a
// caller invents values.
type Limiter struct {
	limit    int
	mu       sync.Mutex
	known    atomic.Pointer[map[string]string]
	rejected atomic.Uint64
}

// NewLimiter returns a limiter.
func NewLimiter(limit int) *Limiter {
	l := &Limiter{limit: limit}
	l.known.Store(&map[string]string{})
	return l
}

// Value returns the value as a label may have it: valid UTF-8, or Overflow.
func (l *Limiter) Value(value string) string {
	known := *l.known.Load()
	if v, ok := known[value]; ok {
		return v
	}
	if len(known) >= l.limit || len(value) > MaxLength {
		l.rejected.Add(1)
		return Overflow
	}
	return l.add(value)
}

func (l *Limiter) add(value string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := *l.known.Load()
	if v, ok := known[value]; ok {
		return v
	}
	if len(known) >= l.limit {
		l.rejected.Add(1)
		return Overflow
	}
	next := maps.Clone(known)
	label := strings.Clone(value)
	if !utf8.ValidString(label) {
		label = strings.ToValidUTF8(label, "\ufffd")
	}
	next[strings.Clone(value)] = label
	l.known.Store(&next)
	return label
}

// Rejected returns how often a value was refused.
func (l *Limiter) Rejected() uint64 { return l.rejected.Load() }
