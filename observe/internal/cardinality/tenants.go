package cardinality

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/warrenmq/warren/observe/internal/cowmap"
	"github.com/warrenmq/warren/observe/redact"
)

// turnover is the time in which as many tenants change places as there are.
const turnover = 10 * time.Minute

// Tenants bound the values of the label of a metric's tenant, and let the one that was used
// least recently make room for a new one: what callers invent doesn't keep its place for
// ever. No more tenants than the limit change places in 10 minutes, so that inventing costs
// little, and tenants that are used more often than that keep theirs as long as nobody
// invents faster. Known tenants always have theirs. They are safe for concurrent use.
// See docs/decisions/0070.
type Tenants struct {
	known    map[string]*Use
	limit    int
	redactor *redact.Redactor
	forget   func()
	uses     cowmap.Map[string, *Use]
	changes  *rate.Limiter
	closed   atomic.Int64 // until when none makes room, in nanoseconds since the epoch
	rejected atomic.Uint64

	mu sync.Mutex // of making room
}

// A Use is when a tenant was used last. A nil Use is that of a label that never makes room.
type Use struct {
	label string
	known bool
	last  atomic.Int64 // in nanoseconds since the epoch
	gone  atomic.Bool
}

// Gone reports whether the tenant has made room, so that its series are to be deleted.
func (u *Use) Gone() bool { return u != nil && u.gone.Load() }

// Touch notes that the tenant is used.
func (u *Use) Touch() {
	if u != nil && !u.known {
		u.last.Store(time.Now().UnixNano())
	}
}

// NewTenants returns those that have places for limit tenants besides those that are known.
// A nil redactor finds nothing personal. They call forget, under a lock, when the uses of
// some tenants are gone.
func NewTenants(limit int, known []string, redactor *redact.Redactor, forget func()) *Tenants {
	t := &Tenants{
		known: make(map[string]*Use, len(known)), limit: limit, redactor: redactor, forget: forget,
		uses: cowmap.Map[string, *Use]{Limit: limit}, changes: rate.NewLimiter(rate.Limit(float64(limit)/turnover.Seconds()), limit),
	}
	for _, tenant := range known {
		t.known[tenant] = &Use{label: validLabel(tenant), known: true}
	}
	return t
}

// Label returns the label of a tenant, with its use. No tenant is a value of its own, which
// the limit doesn't count; so is one that is personal data, which is masked, and one that
// has the name of all for whom there is no room. See docs/decisions/0085.
func (t *Tenants) Label(tenant string) (string, *Use) {
	switch {
	case tenant == "" || tenant == Overflow:
		return tenant, nil
	case t.redactor.Value(tenant):
		return redact.Mask, nil
	}
	if u := t.use(tenant); u != nil {
		return u.label, u
	}
	return Overflow, nil
}

// use returns the use of the tenant, nil where there is no room for it.
func (t *Tenants) use(tenant string) *Use {
	if u, ok := t.known[tenant]; ok {
		return u
	}
	if u, ok := t.uses.Get(tenant); ok {
		u.Touch()
		return u
	}
	if len(tenant) <= MaxLength && (!t.uses.Full() || time.Now().UnixNano() >= t.closed.Load()) {
		if u := t.add(tenant); u != nil {
			return u
		}
	}
	t.rejected.Add(1)
	return nil
}

func (t *Tenants) add(tenant string) *Use {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.uses.Full() {
		if _, found := t.uses.Get(tenant); !found {
			if !t.changes.Allow() {
				t.closed.Store(time.Now().Add(turnover / time.Duration(t.limit)).UnixNano()) // refuses without the lock
				return nil
			}
			t.makeRoom()
		}
	}
	u, _ := t.uses.Add(string([]byte(tenant)), func(tenant string) *Use { return &Use{label: validLabel(tenant)} })
	u.Touch()
	return u
}

// makeRoom takes the places of the tenants that were used least recently: of a 64th of
// them, so that finding them costs little for each.
func (t *Tenants) makeRoom() {
	type entry struct {
		use  *Use
		last int64
	}
	var entries []entry
	t.uses.All(func(_ string, u *Use) bool {
		entries = append(entries, entry{u, u.last.Load()})
		return true
	})
	slices.SortFunc(entries, func(a, b entry) int { return int(max(min(a.last-b.last, 1), -1)) })
	for _, e := range entries[:max(t.limit/64, 1)] {
		e.use.gone.Store(true)
	}
	t.uses.DeleteFunc(func(_ string, u *Use) bool { return u.Gone() })
	t.forget()
}

// Rejected returns how often there was no room for a tenant.
func (t *Tenants) Rejected() uint64 { return t.rejected.Load() }
