package cputime

import (
	"math"
	"testing"
	"time"
)

const (
	growth   = 8  // how much larger the second input is
	tolerant = 3  // how much more than growth times the CPU time it may take
	attempts = 20 // until the machine is taken to be no excuse
)

// RequireLinear fails the test when the CPU time of what prepare returns isn't
// linear in the size: when 8 times the size takes more than 24 times as long as
// the size, where something quadratic takes 64 times as long. Both are measured in
// the same run, in turns, and the least time of each counts, so that neither the
// machine's speed nor its load decides.
func RequireLinear(t testing.TB, what string, size int, prepare func(size int) (run func())) {
	t.Helper()
	small, large := prepare(size), prepare(growth*size)
	leastSmall, leastLarge := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for range attempts {
		leastSmall = min(leastSmall, cost(growth, small))
		leastLarge = min(leastLarge, cost(1, large))
		if leastLarge <= tolerant*leastSmall {
			return
		}
	}
	t.Fatalf("%.40q: %d times the size takes %.0f times as long", what, growth, growth*float64(leastLarge)/float64(leastSmall))
}

// cost is the CPU time of n runs.
func cost(n int, run func()) time.Duration {
	before := used()
	for range n {
		run()
	}
	return used() - before
}
