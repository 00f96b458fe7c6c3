package asyncapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/fieldtable"
	"github.com/warrenmq/warren/runtime"
)

// A Topology is what a service declares beside its routes, see
// [runtime.Router.Declare]. See docs/decisions/0078.
type Topology struct {
	Queues           []Queue           `json:"queues,omitempty"`
	Exchanges        []Exchange        `json:"exchanges,omitempty"`
	Bindings         []Binding         `json:"bindings,omitempty"`         // of queues
	ExchangeBindings []ExchangeBinding `json:"exchangeBindings,omitempty"` // of exchanges to exchanges
	Unknown          bool              `json:"unknown,omitempty"`          // there may be more, which source code doesn't determine
}

// A Binding is one of a queue to an exchange.
type Binding struct {
	Exchange   string         `json:"exchange"`
	Queue      string         `json:"queue"`
	RoutingKey string         `json:"routingKey"`
	Arguments  map[string]any `json:"arguments,omitempty"`
}

// An ExchangeBinding is one of an exchange to another: what Source gets and the binding
// matches goes to Destination, too.
type ExchangeBinding struct {
	Source      string         `json:"source"`
	Destination string         `json:"destination"`
	RoutingKey  string         `json:"routingKey"`
	Arguments   map[string]any `json:"arguments,omitempty"`
}

// WithTopology has the extended document, and that of package asyncapi3, show what a
// service declares beside its routes: the topology of its router.
//
//	document, err := asyncapi.Generate(router.Routes(), cfg, asyncapi.Extended, asyncapi.WithTopology(router.Topology()))
//
// The last one given counts. The topology is neither changed nor kept.
func WithTopology(t runtime.Topology) Option { return declared(t) }

// declared is the option of [WithTopology].
type declared runtime.Topology

func (d declared) apply(o *options) { o.declared = runtime.Topology(d) }

// topologyOf returns nil where nothing is declared.
func topologyOf(c *contract.Contract) *Topology {
	d := c.Declared
	if d.IsEmpty() && !c.DeclaredUnknown {
		return nil
	}
	t := &Topology{Unknown: c.DeclaredUnknown}
	for _, q := range d.Queues {
		t.Queues = append(t.Queues, Queue{
			Name: q.Name, Durable: q.Durable, Exclusive: q.Exclusive, AutoDelete: q.AutoDelete, Arguments: fieldtable.Clone(q.Arguments),
		})
	}
	for _, e := range d.Exchanges {
		t.Exchanges = append(t.Exchanges, exchangeOf(e))
	}
	for _, b := range d.Bindings {
		t.Bindings = append(t.Bindings, Binding{b.Exchange, b.Queue, b.RoutingKey, fieldtable.Clone(b.Arguments)})
	}
	for _, b := range d.ExchangeBindings {
		t.ExchangeBindings = append(t.ExchangeBindings, ExchangeBinding{b.Source, b.Destination, b.RoutingKey, fieldtable.Clone(b.Arguments)})
	}
	t.sort()
	return t
}

// sort orders all of t by names, and leaves out what is there twice: neither means
// anything to the broker.
func (t *Topology) sort() {
	slices.SortFunc(t.Queues, func(a, b Queue) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(t.Exchanges, func(a, b Exchange) int { return cmp.Compare(a.Name, b.Name) })
	t.Bindings = sorted(t.Bindings, func(b Binding) []string {
		return []string{b.Queue, b.Exchange, b.RoutingKey, argumentsKey(b.Arguments)}
	})
	t.ExchangeBindings = sorted(t.ExchangeBindings, func(b ExchangeBinding) []string {
		return []string{b.Destination, b.Source, b.RoutingKey, argumentsKey(b.Arguments)}
	})
}

// argumentsKey tells arguments apart that differ by their types alone.
func argumentsKey(arguments map[string]any) string {
	text, err := json.Marshal(arguments)
	if err != nil {
		return fmt.Sprintf("%#v", arguments)
	}
	return string(text)
}

// sorted orders bindings by their keys, each once.
func sorted[B any](bindings []B, key func(B) []string) []B {
	compare := func(a, b B) int { return slices.Compare(key(a), key(b)) }
	slices.SortFunc(bindings, compare)
	return slices.CompactFunc(bindings, func(a, b B) bool { return compare(a, b) == 0 })
}
