package deduplication

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// A Memory is a store in the process, bounded in number. It is made by [NewMemory], has
// no goroutine, and is safe for concurrent use.
type Memory struct {
	limit int

	mu      sync.Mutex
	entries map[string]*list.Element
	handled *list.List // of *entry, those that were handled, the earliest first
}

type entry struct {
	key     string
	token   string // of the claim, "" where it was handled
	expires time.Time
}

func (e *entry) wasHandled() bool { return e.token == "" }

// NewMemory returns a store that remembers up to limit messages that were handled, and
// forgets the earliest where there are more; an entry takes about 200 bytes and its key.
// Those that are being handled are as many as there are handlers, and aren't forgotten.
func NewMemory(limit int) *Memory {
	return &Memory{limit: max(limit, 1), entries: make(map[string]*list.Element), handled: list.New()}
}

// Claim implements [Store]. It never fails.
func (m *Memory) Claim(_ context.Context, key, token string, lease time.Duration) (State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	m.forgetBefore(now)
	if known, ok := m.entries[key]; ok {
		if e := known.Value.(*entry); now.Before(e.expires) {
			if e.wasHandled() {
				return Handled, nil
			}
			return Busy, nil
		}
		m.remove(known)
	}
	m.entries[key] = &list.Element{Value: &entry{key: key, token: token, expires: now.Add(lease)}}
	return Claimed, nil
}

// Keep implements [Store]. It never fails.
func (m *Memory) Keep(_ context.Context, key string, retention time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if known, ok := m.entries[key]; ok {
		m.remove(known)
	}
	m.entries[key] = m.handled.PushBack(&entry{key: key, expires: time.Now().Add(retention)})
	for m.handled.Len() > m.limit {
		m.remove(m.handled.Front())
	}
	return nil
}

// Release implements [Store]. It never fails.
func (m *Memory) Release(_ context.Context, key, token string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if known, ok := m.entries[key]; ok && known.Value.(*entry).token == token {
		m.remove(known)
	}
	return nil
}

// Len returns how many messages are remembered, those that are being handled included.
func (m *Memory) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgetBefore(time.Now())
	return len(m.entries)
}

// forgetBefore removes the earliest of those that were handled, as far as their time is
// over.
func (m *Memory) forgetBefore(now time.Time) {
	for first := m.handled.Front(); first != nil && !now.Before(first.Value.(*entry).expires); first = m.handled.Front() {
		m.remove(first)
	}
}

func (m *Memory) remove(known *list.Element) {
	e := known.Value.(*entry)
	delete(m.entries, e.key)
	if e.wasHandled() {
		m.handled.Remove(known)
	}
}
