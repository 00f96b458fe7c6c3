package registered

import (
	"go/token"
	"reflect"
	"slices"

	"github.com/warrenmq/warren/runtime"
)

// Declared is what the routers of a program declare beside their routes, by
// [runtime.Router.Declare].
type Declared struct {
	Topology runtime.Topology // what is certain, each queue and exchange once
	Unknown  bool             // there may be more
	Pos      token.Position   // of the first call that isn't certain, where there is one
}

// IsEmpty reports whether nothing is declared, for certain.
func (d Declared) IsEmpty() bool { return d.Topology.IsEmpty() && !d.Unknown }

// Equal reports whether both are the same, in whichever order.
func (d Declared) Equal(other Declared) bool {
	a, b := d.Topology, other.Topology
	return d.Unknown == other.Unknown && equal(a.Queues, b.Queues) && equal(a.Exchanges, b.Exchanges) &&
		equal(a.Bindings, b.Bindings) && equal(a.ExchangeBindings, b.ExchangeBindings)
}

// Common returns what is certain where the program declares one or the other: what
// both have. Where they differ, there may be more.
func (d Declared) Common(other Declared) Declared {
	a, b := d.Topology, other.Topology
	common := Declared{
		Topology: runtime.Topology{
			Queues: within(a.Queues, b.Queues), Exchanges: within(a.Exchanges, b.Exchanges),
			Bindings: within(a.Bindings, b.Bindings), ExchangeBindings: within(a.ExchangeBindings, b.ExchangeBindings),
		},
		Unknown: d.Unknown || !d.Equal(other), Pos: d.Pos,
	}
	if !d.Pos.IsValid() {
		common.Pos = other.Pos
	}
	return common
}

// equal reports whether a and b have the same elements, any number of times.
func equal[E any](a, b []E) bool { return len(within(a, b)) == len(a) && len(within(b, a)) == len(b) }

// within returns the elements of a that b has, too.
func within[E any](a, b []E) []E {
	var both []E
	for _, one := range a {
		if slices.ContainsFunc(b, func(other E) bool { return reflect.DeepEqual(one, other) }) {
			both = append(both, one)
		}
	}
	return both
}
