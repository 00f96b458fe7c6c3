package tenant

import (
	"context"
	"strings"

	"go.opentelemetry.io/otel/baggage"

	"github.com/warrenmq/warren/observe/internal/cowmap"
)

// onlyTenant is the baggage that names a tenant and nothing else, for the 1000
// tenants that came first. Most requests carry no other baggage, which is a map of
// half a kilobyte for each: to share it halves the cost of NewContext. Baggage is
// immutable, and what it holds is bounded, so sharing it can't be noticed.
var onlyTenant = cowmap.Map[string, baggage.Baggage]{Limit: 1000}

// withBaggage returns a context whose baggage names the tenant. Full baggage
// can't; the context is then returned as it is.
func withBaggage(ctx context.Context, id string) context.Context {
	carried := baggage.FromContext(ctx)
	if carried.Len() == 0 {
		if bag, ok := onlyTenant.Get(id); ok {
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
	if carried.Len() == 0 && !onlyTenant.Full() {
		_, _ = onlyTenant.Add(strings.Clone(id), func(string) baggage.Baggage { return bag })
	}
	return baggage.ContextWithBaggage(ctx, bag)
}
