package cardinality

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/warrenmq/warren/observe/internal/cowmap"
)

// turnover is the time in which as many values change places as there are.
const turnover = 10 * time.Minute

// A Recent bounds the values of a label as a [Limiter] does, and lets the value that was
// used least recently make room for a new one: what callers invent doesn't keep its place
// for ever. No more values than the limit change places in 10 minutes, so that inventing
// costs little, and values that are used more often than that keep theirs as long as nobody
// invents faster. Known values always have theirs. It is safe for concurrent use.
// See docs/decisions/0070.
type Recent struct {
	known    map[string]*Use
	limit    int
	forget   func(values map[string]bool)
	uses     cowmap.Map[string, *Use]
	changes  *rate.Limiter
	closed   atomic.Int64 // until when no value makes room, in nanoseconds since the epoch
	rejected atomic.Uint64

	mu sync.Mutex // of making room
}

// A Use is when a value was used last.
type Use struct {
	label string
	known bool
	last  atomic.Int64 // in nanoseconds since the epoch
	gone  atomic.Bool
}

// Label returns the value as a label may have it.
func (u *Use) Label() string { return u.label }

// Gone reports whether the value has made room.
func (u *Use) Gone() bool { return u.gone.Load() }

// Touch notes that the value is used. A nil Use has nothing to note.
func (u *Use) Touch() {
	if u != nil && !u.known {
		u.last.Store(time.Now().UnixNano())
	}
}

// NewRecent returns one for limit values besides those that are known. It calls forget,
// under a lock, with the values that make room.
func NewRecent(limit int, known []string, forget func(values map[string]bool)) *Recent {
	r := &Recent{
		known: make(map[string]*Use, len(known)), limit: limit, forget: forget,
		uses: cowmap.Map[string, *Use]{Limit: limit}, changes: rate.NewLimiter(rate.Limit(float64(limit)/turnover.Seconds()), limit),
	}
	for _, value := range known {
		r.known[value] = &Use{label: validLabel(value), known: true}
	}
	return r
}

// Use returns the use of the value, nil where there is no room for it.
func (r *Recent) Use(value string) *Use {
	if u, ok := r.known[value]; ok {
		return u
	}
	if u, ok := r.uses.Get(value); ok {
		u.Touch()
		return u
	}
	if len(value) <= MaxLength && (!r.uses.Full() || time.Now().UnixNano() >= r.closed.Load()) {
		if u := r.add(value); u != nil {
			return u
		}
	}
	r.rejected.Add(1)
	return nil
}

func (r *Recent) add(value string) *Use {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.uses.Full() {
		if _, found := r.uses.Get(value); !found {
			if !r.changes.Allow() {
				r.closed.Store(time.Now().Add(turnover / time.Duration(r.limit)).UnixNano()) // refuses without the lock
				return nil
			}
			r.makeRoom()
		}
	}
	u, _ := r.uses.Add(string([]byte(value)), func(value string) *Use { return &Use{label: validLabel(value)} })
	u.Touch()
	return u
}

// makeRoom takes the places of the values that were used least recently: of a 64th of
// them, so that finding them costs little for each.
func (r *Recent) makeRoom() {
	type entry struct {
		value string
		use   *Use
		last  int64
	}
	var entries []entry
	r.uses.All(func(value string, u *Use) bool {
		entries = append(entries, entry{value, u, u.last.Load()})
		return true
	})
	slices.SortFunc(entries, func(a, b entry) int { return int(max(min(a.last-b.last, 1), -1)) })
	leaving := make(map[string]bool)
	for _, e := range entries[:max(r.limit/64, 1)] {
		e.use.gone.Store(true)
		leaving[e.value] = true
	}
	r.uses.DeleteFunc(func(value string, _ *Use) bool { return leaving[value] })
	r.forget(leaving)
}

// Rejected returns how often there was no room for a value.
func (r *Recent) Rejected() uint64 { return r.rejected.Load() }
