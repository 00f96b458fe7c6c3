package observe

import (
	"maps"
	"sync"
	"sync/atomic"
)

// A seriesTable finds series without a lock, up to a number of them. New ones
// wait where they are found with a lock, until they were asked for as often as
// there are series; then the table is copied with them. So a series costs the
// same however many there are.
type seriesTable[K comparable, V any] struct {
	known    atomic.Pointer[map[K]V]
	full     atomic.Bool
	rejected atomic.Uint64

	mu      sync.Mutex
	waiting map[K]V
	asked   int // for those that wait
	size    int
}

// get finds a series without a lock.
func (t *seriesTable[K, V]) get(key K) (V, bool) {
	if known := t.known.Load(); known != nil {
		v, ok := (*known)[key]
		return v, ok
	}
	var none V
	return none, false
}

// find finds one that waits too. In a full table none does.
func (t *seriesTable[K, V]) find(key K) (V, bool) {
	full := t.full.Load()
	if v, ok := t.get(key); ok || full {
		return v, ok
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.locked(key)
}

func (t *seriesTable[K, V]) locked(key K) (V, bool) {
	if v, ok := t.get(key); ok {
		return v, ok
	}
	v, ok := t.waiting[key]
	if ok {
		if t.asked++; t.asked >= t.size {
			t.merge()
		}
	}
	return v, ok
}

// add returns the series of the key, made by create the first time; false where
// it would be one too many.
func (t *seriesTable[K, V]) add(key K, limit int, create func(K) V) (V, bool) {
	if t.full.Load() {
		return t.get(key)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if v, ok := t.locked(key); ok {
		return v, true
	}
	if t.size >= limit {
		var none V
		return none, false
	}
	v := t.put(key, create)
	if t.size == limit {
		t.merge()
		t.full.Store(true)
	}
	return v, true
}

// rest counts a rejection, and returns the series that counts for the key's.
func (t *seriesTable[K, V]) rest(key K, create func(K) V) V {
	t.rejected.Add(1)
	if v, ok := t.get(key); ok {
		return v
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if v, ok := t.locked(key); ok {
		return v
	}
	v := t.put(key, create)
	t.merge()
	return v
}

func (t *seriesTable[K, V]) put(key K, create func(K) V) V {
	if t.waiting == nil {
		t.waiting = make(map[K]V)
	}
	v := create(key)
	t.waiting[key] = v
	t.size++
	return v
}

// merge makes those that wait known.
func (t *seriesTable[K, V]) merge() {
	next := make(map[K]V, t.size)
	if known := t.known.Load(); known != nil {
		maps.Copy(next, *known)
	}
	maps.Copy(next, t.waiting)
	t.known.Store(&next)
	t.waiting, t.asked = nil, 0
}
