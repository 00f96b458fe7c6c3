package tenant

import (
	"context"
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"go.opentelemetry.io/otel/baggage"
)

// maxAlone bounds the tenants whose baggage is remembered.
const maxAlone = 1000

// alone is the baggage of the tenants that came first. Most requests carry no
// other baggage, which is a map of half a kilobyte for each: to share it halves
// the cost of NewContext. Baggage is immutable, and what it holds is bounded, so
// nobody can tell that it is shared.
var alone table

// A table finds baggage without a lock. Adding to it copies it.
type table struct {
	mu    sync.Mutex
	known atomic.Pointer[map[string]baggage.Baggage]
}

// withBaggage returns a context whose baggage names the tenant. Full baggage
// can't; the context is then returned as it is.
func withBaggage(ctx context.Context, id string) context.Context {
	carried := baggage.FromContext(ctx)
	if carried.Len() == 0 {
		if bag, ok := alone.get(id); ok {
			return baggage.ContextWithBaggage(ctx, bag)
		}
	}
	member, err := baggage.NewMemberRaw(BaggageKey, id)
	if err != nil {
		return ctx
	}
	bag, err := carried.SetMember(member)
	if err != nil {
		return ctx
	}
	if carried.Len() == 0 {
		alone.add(id, bag)
	}
	return baggage.ContextWithBaggage(ctx, bag)
}

func (t *table) get(id string) (baggage.Baggage, bool) {
	known := t.known.Load()
	if known == nil {
		return baggage.Baggage{}, false
	}
	bag, ok := (*known)[id]
	return bag, ok
}

func (t *table) add(id string, bag baggage.Baggage) {
	if known := t.known.Load(); known != nil && len(*known) >= maxAlone {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	next := map[string]baggage.Baggage{}
	if known := t.known.Load(); known != nil {
		if len(*known) >= maxAlone {
			return
		}
		next = maps.Clone(*known)
	}
	next[strings.Clone(id)] = bag
	t.known.Store(&next)
}
