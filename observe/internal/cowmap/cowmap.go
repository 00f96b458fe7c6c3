// Package cowmap has a map for values that are made once and then read on every
// request: reading takes no lock and allocates nothing, adding and deleting copies the
// map (copy on write). It never grows beyond its limit.
//
// It is built as sync.Map was until Go 1.24, with typed keys: sync.Map allocates
// for a key that is a struct.
package cowmap

import (
	"maps"
	"sync"
	"sync/atomic"
)

// A Map is a bounded map. It is safe for concurrent use, and isn't copied after
// its first use.
//
// A new entry waits where it is found with a lock, until entries that wait were
// asked for as often as there are entries; then the map is copied with them. So
// an entry costs the same however many there are.
type Map[K comparable, V any] struct {
	// Limit is the number of entries that [Map.Add] makes. It is set before the
	// first use; the zero Map holds nothing.
	Limit int

	readable atomic.Pointer[map[K]V]
	full     atomic.Bool // all entries are readable, and no other is added

	mu      sync.Mutex
	waiting map[K]V
	asked   int // for those that wait
	size    int
}

// Get returns the value of the key, without a lock. Of an entry that was added
// lately it may know nothing: ask Add then.
func (m *Map[K, V]) Get(key K) (V, bool) {
	if readable := m.readable.Load(); readable != nil {
		v, ok := (*readable)[key]
		return v, ok
	}
	var none V
	return none, false
}

// Full reports whether the limit is reached, so that Add finds what Get finds.
func (m *Map[K, V]) Full() bool { return m.full.Load() }

// Add returns the value of the key, which create makes the first time; false
// where the entry would be one too many. create is called with a lock, and must
// not use the map. In a full map Add takes no lock.
func (m *Map[K, V]) Add(key K, create func(K) V) (V, bool) {
	if v, ok := m.Get(key); ok || m.full.Load() {
		return v, ok
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.locked(key); ok {
		return v, true
	}
	if m.size >= m.Limit {
		var none V
		return none, false
	}
	v := m.put(key, create)
	if m.size == m.Limit {
		m.merge()
		m.full.Store(true)
	}
	return v, true
}

// AddBeyond is Add without regard to the limit. It is for the few entries that
// stand for all those that Add refuses.
func (m *Map[K, V]) AddBeyond(key K, create func(K) V) V {
	if v, ok := m.Get(key); ok {
		return v
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.locked(key); ok {
		return v
	}
	v := m.put(key, create)
	m.merge()
	m.full.Store(m.size >= m.Limit)
	return v
}

// DeleteFunc deletes the entries for which del returns true. It copies the map once. del
// is called with a lock, and must not use the map.
func (m *Map[K, V]) DeleteFunc(del func(K, V) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.merge()
	next := maps.Clone(*m.readable.Load())
	maps.DeleteFunc(next, del)
	m.size = len(next)
	m.readable.Store(&next)
	m.full.Store(m.size >= m.Limit)
}

// All calls yield with each entry until it returns false.
func (m *Map[K, V]) All(yield func(K, V) bool) {
	m.mu.Lock()
	m.merge()
	entries := *m.readable.Load()
	m.mu.Unlock()
	for k, v := range entries {
		if !yield(k, v) {
			return
		}
	}
}

// locked finds an entry that waits, too.
func (m *Map[K, V]) locked(key K) (V, bool) {
	if v, ok := m.Get(key); ok {
		return v, ok
	}
	v, ok := m.waiting[key]
	if ok {
		if m.asked++; m.asked >= m.size {
			m.merge()
		}
	}
	return v, ok
}

func (m *Map[K, V]) put(key K, create func(K) V) V {
	if m.waiting == nil {
		m.waiting = make(map[K]V)
	}
	v := create(key)
	m.waiting[key] = v
	m.size++
	return v
}

// merge makes the entries that wait readable.
func (m *Map[K, V]) merge() {
	next := make(map[K]V, m.size)
	if readable := m.readable.Load(); readable != nil {
		maps.Copy(next, *readable)
	}
	maps.Copy(next, m.waiting)
	m.readable.Store(&next)
	m.waiting, m.asked = nil, 0
}
