package cardinality_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/internal/cardinality"
)

// use returns the label of the value, "" where there is no room.
func use(r *cardinality.Recent, value string) string {
	if u := r.Use(value); u != nil {
		return u.Label()
	}
	return ""
}

func TestRecent_LetsTheLeastRecentlyUsedMakeRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var left []string
		r := cardinality.NewRecent(3, []string{"known"}, func(values map[string]bool) { left = append(left, slices.Sorted(maps.Keys(values))...) })
		first := r.Use("a")
		for _, value := range []string{"b", "c\xff", "known"} {
			time.Sleep(time.Second)
			require.NotNil(t, r.Use(value))
		}
		time.Sleep(time.Second)
		first.Touch()
		require.False(t, first.Gone())
		time.Sleep(time.Second)
		require.Equal(t, "d", use(r, "d"))
		require.Equal(t, []string{"b"}, left)
		time.Sleep(time.Second)
		require.Equal(t, "c\ufffd", use(r, "c\xff"))
		require.Equal(t, "e", use(r, "e"))
		require.Equal(t, []string{"b", "a"}, left)
		require.True(t, first.Gone())
		require.Equal(t, "known", use(r, "known"))
		require.Zero(t, r.Rejected())
	})
}

// As many values as the limit change places in ten minutes; a refusal costs no lock and keeps
// nothing.
func TestRecent_ChangesPlacesSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changed := 0
		r := cardinality.NewRecent(10, nil, func(values map[string]bool) { changed += len(values) })
		invent := func() {
			for i := range 1000 {
				use(r, fmt.Sprint(time.Now().Unix(), "-", i))
			}
		}
		invent()
		require.Equal(t, 10, changed, "at once")
		require.EqualValues(t, 980, r.Rejected())
		for range 10 {
			time.Sleep(time.Minute)
			invent()
		}
		require.Equal(t, 20, changed, "one in a minute")
		require.Zero(t, testing.AllocsPerRun(100, func() { r.Use("invented") }))
	})
}

func TestRecent_RefusesLongValues(t *testing.T) {
	r := cardinality.NewRecent(1, nil, func(map[string]bool) {})
	require.Empty(t, use(r, strings.Repeat("x", cardinality.MaxLength+1)))
	require.NotEmpty(t, use(r, strings.Repeat("x", cardinality.MaxLength)))
	require.EqualValues(t, 1, r.Rejected())
}

// Many at a time: there are never more values than the limit.
func TestRecent_HoldsItsLimitForManyAtATime(t *testing.T) {
	var mu sync.Mutex
	left := 0
	r := cardinality.NewRecent(100, nil, func(values map[string]bool) {
		mu.Lock()
		defer mu.Unlock()
		left += len(values)
	})
	var running sync.WaitGroup
	var in sync.Map
	for g := range 16 {
		running.Go(func() {
			for i := range 200 {
				if label := use(r, fmt.Sprint(g, "-", i)); label != "" {
					in.Store(label, true)
				}
			}
		})
	}
	running.Wait()
	n := 0
	in.Range(func(any, any) bool {
		n++
		return true
	})
	require.Equal(t, 200, n, "100 first, and 100 changes")
	require.Equal(t, 100, left)
	require.EqualValues(t, 16*200-200, r.Rejected())
}
