// Package cputime compares what things cost, for benchmarks whose result is a
// ratio: the candidates run in turns, in rounds, and the medians of the rounds'
// CPU times are compared, so that the machine's load and its changes of clock
// matter little.
package cputime

import (
	"runtime"
	"slices"
	"testing"
	"time"
)

// A Candidate is one of the things that are compared.
type Candidate struct {
	Name string
	Run  func()
}

const (
	rounds = 9
	round  = 30 * time.Millisecond
)

// Compare returns the nanoseconds of CPU time of one run of each candidate,
// garbage collection included, with one processor. b.Loop is called once a
// measurement.
func Compare(b *testing.B, candidates []Candidate) map[string]float64 {
	b.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	times := make(map[string][]float64)
	for b.Loop() {
		for range rounds {
			for _, c := range candidates {
				times[c.Name] = append(times[c.Name], measure(c.Run))
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	medians := make(map[string]float64)
	for name, all := range times {
		slices.Sort(all)
		medians[name] = all[len(all)/2]
	}
	return medians
}

// measure runs for the time of a round.
func measure(run func()) float64 {
	for n := 64; ; n *= 2 {
		before := used()
		for range n {
			run()
		}
		if spent := used() - before; spent >= round || n > 1<<28 {
			return float64(spent) / float64(n)
		}
	}
}
