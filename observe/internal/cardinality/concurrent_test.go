package cardinality_test

import (
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/internal/cardinality"
)

// A thousand goroutines that invent values get as many labels as the limit, and
// each value is either one of these or a rejection.
func TestLimiter_HoldsItsLimitForManyAtATime(t *testing.T) {
	const goroutines, each, limit = 1000, 20, 50
	l := cardinality.NewLimiter(limit)
	labels := make([]map[string]int, goroutines)
	begin := make(chan struct{})
	var running sync.WaitGroup
	for g := range goroutines {
		running.Go(func() {
			labels[g] = map[string]int{}
			<-begin
			for i := range each {
				labels[g][l.Value(strconv.Itoa(g*each+i))]++
			}
		})
	}
	close(begin)
	running.Wait()
	all := map[string]int{}
	for _, some := range labels {
		for label, n := range some {
			all[label] += n
		}
	}
	require.Len(t, all, limit+1)
	require.EqualValues(t, all[cardinality.Overflow], l.Rejected())
	require.Equal(t, goroutines*each-limit, all[cardinality.Overflow])
}
