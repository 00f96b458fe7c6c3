package cowmap_test

import (
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/internal/cowmap"
)

func double(n int) int { return 2 * n }

func TestAdd_MakesAValueOnce(t *testing.T) {
	m := cowmap.Map[int, int]{Limit: 10}
	made := 0
	for range 3 {
		v, ok := m.Add(7, func(n int) int {
			made++
			return double(n)
		})
		require.True(t, ok)
		require.Equal(t, 14, v)
	}
	require.Equal(t, 1, made)
}

func TestAdd_RefusesWhatIsBeyondTheLimit(t *testing.T) {
	m := cowmap.Map[int, int]{Limit: 2}
	for i := range 2 {
		require.False(t, m.Full())
		_, ok := m.Add(i, double)
		require.True(t, ok)
	}
	require.True(t, m.Full())
	_, ok := m.Add(2, double)
	require.False(t, ok)
	v, ok := m.Get(1)
	require.True(t, ok, "what a full map holds is readable at once")
	require.Equal(t, 2, v)

	require.Equal(t, 4, m.AddBeyond(2, double))
	v, ok = m.Get(2)
	require.True(t, ok)
	require.Equal(t, 4, v)
}

func TestFull_CountsWhatIsThere(t *testing.T) {
	m := cowmap.Map[int, int]{Limit: 2}
	m.AddBeyond(0, double)
	require.False(t, m.Full())
	m.AddBeyond(1, double)
	require.True(t, m.Full())
	m.AddBeyond(2, double)
	m.DeleteFunc(func(key, _ int) bool { return key == 0 })
	require.True(t, m.Full(), "two are left")
	m.DeleteFunc(func(key, _ int) bool { return key == 1 })
	require.False(t, m.Full())
}

func TestMap_ZeroHoldsNothing(t *testing.T) {
	var m cowmap.Map[int, int]
	_, ok := m.Add(1, double)
	require.False(t, ok)
	_, ok = m.Get(1)
	require.False(t, ok)
}

// An entry is readable when it was asked for as often as there are entries.
func TestGet_FindsWhatIsAskedFor(t *testing.T) {
	m := cowmap.Map[int, int]{Limit: 100}
	for range 2 {
		for i := range 20 {
			_, ok := m.Add(i, double)
			require.True(t, ok)
		}
	}
	for i := range 20 {
		v, ok := m.Get(i)
		require.True(t, ok)
		require.Equal(t, 2*i, v)
	}
}

func TestGet_FindsNothingThatWasAskedForLess(t *testing.T) {
	m, added := cowmap.Map[int, int]{Limit: 100}, 0
	for range 3 {
		for range 10 {
			m.Add(added, double)
			added++
		}
		for range added - 1 {
			m.Add(added-1, double)
			_, ok := m.Get(added - 1)
			require.False(t, ok)
		}
		m.Add(added-1, double)
		_, ok := m.Get(added - 1)
		require.True(t, ok)
	}
}

func TestMap_IsReadWithoutAllocating(t *testing.T) {
	m := cowmap.Map[string, int]{Limit: 1}
	m.Add("a", func(string) int { return 1 })
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		_, _ = m.Get("a")
		_, _ = m.Add("b", func(string) int { return 2 })
	}))
}

// A map that is copied for each entry would need 64 times the memory for 8 times
// the entries.
func TestAdd_IsLinear(t *testing.T) {
	allocated := func(n int) uint64 {
		m := cowmap.Map[int, int]{Limit: n}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 2 {
			for i := range n {
				m.Add(i, double)
			}
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	require.Less(t, allocated(8000), 16*allocated(1000))
}

func TestMap_IsSafeForConcurrentUse(t *testing.T) {
	const goroutines, keys = 16, 200
	m := cowmap.Map[string, int]{Limit: keys / 2}
	var running sync.WaitGroup
	for range goroutines {
		running.Go(func() {
			for i := range keys {
				key := strconv.Itoa(i)
				v, ok := m.Get(key)
				if !ok {
					v, ok = m.Add(key, func(string) int { return i })
				}
				if !ok {
					v = m.AddBeyond(key, func(string) int { return i })
				}
				if v != i {
					panic("another key's value")
				}
			}
		})
	}
	running.Wait()
	for i := range keys {
		require.Equal(t, i, m.AddBeyond(strconv.Itoa(i), func(string) int { return -1 }))
	}
}

// What is deleted leaves its place to another, also what is still waiting.
func TestDeleteFunc_MakesRoom(t *testing.T) {
	m := cowmap.Map[int, int]{Limit: 3}
	m.DeleteFunc(func(int, int) bool { return true })
	for i := range 3 {
		m.Add(i, double)
	}
	require.Equal(t, 6, m.AddBeyond(3, double))
	m.DeleteFunc(func(key, value int) bool { return key < 2 && value == 2*key })
	require.False(t, m.Full())
	left := make(map[int]int)
	for key, value := range m.All {
		left[key] = value
	}
	require.Equal(t, map[int]int{2: 4, 3: 6}, left)
	_, ok := m.Get(0)
	require.False(t, ok)
	_, ok = m.Add(4, double)
	require.True(t, ok)
	require.True(t, m.Full())
	_, ok = m.Add(5, double)
	require.False(t, ok)
	for range m.All {
		break
	}

	waiting := cowmap.Map[int, int]{Limit: 3}
	waiting.Add(1, double)
	waiting.DeleteFunc(func(key, _ int) bool { return key == 1 })
	made := 0
	waiting.Add(1, func(int) int {
		made++
		return 1
	})
	require.Equal(t, 1, made)
}
