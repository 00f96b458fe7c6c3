package runtime

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/warrenmq/warren/internal/fieldtable"
)

// A Topology is what a service declares beside its routes: queues and exchanges that
// it sends to and doesn't consume, bindings of them or of the routes' queues, and
// bindings from exchange to exchange. See [Router.Declare].
type Topology struct {
	Queues           []Queue // none of them PerInstance
	Exchanges        []Exchange
	Bindings         []Binding         // to queues
	ExchangeBindings []ExchangeBinding // to exchanges
}

// A Binding is one binding of a queue to an exchange, as a broker declares it.
type Binding struct {
	Exchange   string
	Queue      string
	RoutingKey string
	Arguments  map[string]any
}

// An ExchangeBinding is one binding of an exchange to another one: what Source gets
// and the binding matches goes to Destination, too.
type ExchangeBinding struct {
	Source      string
	Destination string
	RoutingKey  string
	Arguments   map[string]any
}

// A TopologyMode says what a broker does with the queues, exchanges and bindings of
// its router.
type TopologyMode string

// What a broker does with the topology. A queue for each instance is declared in
// each mode.
const (
	// TopologyDeclare declares all of it, and again from time to time. It is the
	// default.
	TopologyDeclare TopologyMode = ""

	// TopologyVerify declares nothing, and fails where a queue or an exchange isn't
	// there, for services whose user may not configure. AMQP can't ask about
	// properties, arguments and bindings: compare them by asyncapigen topology diff.
	TopologyVerify TopologyMode = "verify"

	// TopologyNone neither declares nor asks. A queue that isn't there is an error when
	// it is consumed, an exchange when something is sent to it.
	TopologyNone TopologyMode = "none"
)

// Declare adds to what brokers declare with the routes, see [Topology]. Either all
// of t is added or nothing: the error names the first fault. Refused is what
// [Router.Register] refuses of a route: a queue or an exchange that is declared in
// another way, by a route or by an earlier Declare, one without a name or a type, and
// a binding without both of its ends. The ends themselves may be declared by others.
// t is copied. A broker takes what is declared when it starts: a Declare after that has no
// effect on it.
func (r *Router) Declare(t Topology) error {
	t = t.clone()
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := t.check(&r.table); err != nil {
		return fmt.Errorf("declare %w", err)
	}
	r.table.declare(t)
	return nil
}

// Topology returns what was declared by [Router.Declare], in its order, each queue and
// exchange once, with the fields of queues among their Arguments. It is the caller's. It
// is for brokers and for whatever describes the service; the routes have their own.
func (r *Router) Topology() Topology {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.table.declared.clone()
}

// IsEmpty reports whether nothing is declared.
func (t Topology) IsEmpty() bool {
	return len(t.Queues)+len(t.Exchanges)+len(t.Bindings)+len(t.ExchangeBindings) == 0
}

func (t Topology) clone() Topology {
	c := Topology{slices.Clone(t.Queues), slices.Clone(t.Exchanges), slices.Clone(t.Bindings), slices.Clone(t.ExchangeBindings)}
	for i := range c.Queues {
		c.Queues[i] = c.Queues[i].clone().withArguments()
	}
	for i := range c.Exchanges {
		c.Exchanges[i] = c.Exchanges[i].clone()
	}
	for i := range c.Bindings {
		c.Bindings[i].Arguments = fieldtable.Clone(c.Bindings[i].Arguments)
	}
	for i := range c.ExchangeBindings {
		c.ExchangeBindings[i].Arguments = fieldtable.Clone(c.ExchangeBindings[i].Arguments)
	}
	return c
}

// check returns the first fault of t, alone or beside what is registered.
func (t *Topology) check(registered *routeTable) error {
	names := make(map[string]bool)
	for i := range t.Queues {
		q := &t.Queues[i]
		field, fault := checkName("Name", q.Name)
		if fault == "" {
			field, fault = q.check()
		}
		switch {
		case fault != "":
			return fmt.Errorf("queue %q: %s: %s", q.Name, field, fault)
		case q.PerInstance:
			return fmt.Errorf("queue %q: PerInstance: is for queues of routes, and no route would consume it: register one", q.Name)
		case names[q.Name]:
			return fmt.Errorf("queue %q: it is declared twice: declare it once", q.Name)
		}
		names[q.Name] = true
		if other, by := registered.queue(q.Name); other != nil && !sameQueue(*q, *other) {
			return fmt.Errorf("queue %q: it is declared in another way by %s: declare it once and use that value in both", q.Name, by)
		}
	}
	if err := t.checkExchanges(registered); err != nil {
		return err
	}
	return t.checkBindings()
}

func (t *Topology) checkExchanges(registered *routeTable) error {
	names := make(map[string]bool)
	for _, x := range t.Exchanges {
		if field, fault := x.check(); fault != "" {
			return fmt.Errorf("exchange %q: %s: %s", x.Name, field, fault)
		}
		if names[x.Name] {
			return fmt.Errorf("exchange %q: it is declared twice: declare it once", x.Name)
		}
		names[x.Name] = true
		if other, by := registered.exchange(x.Name); other != nil && !sameExchange(x, *other) {
			return fmt.Errorf("exchange %q: it is declared in another way by %s: declare it once and use that value in both", x.Name, by)
		}
	}
	return nil
}

func (t *Topology) checkBindings() error {
	for _, b := range t.Bindings {
		for field, name := range map[string]string{"Exchange": b.Exchange, "Queue": b.Queue} {
			if field, fault := checkName(field, name); fault != "" {
				return fmt.Errorf("the binding of queue %q to exchange %q: %s: %s", b.Queue, b.Exchange, field, fault)
			}
		}
		if field, fault := checkText("RoutingKey", b.RoutingKey); fault != "" {
			return fmt.Errorf("the binding of queue %q to exchange %q: %s: %s", b.Queue, b.Exchange, field, fault)
		}
	}
	for _, b := range t.ExchangeBindings {
		for field, name := range map[string]string{"Source": b.Source, "Destination": b.Destination} {
			if field, fault := checkName(field, name); fault != "" {
				return fmt.Errorf("the binding of exchange %q to exchange %q: %s: %s", b.Destination, b.Source, field, fault)
			}
		}
		if field, fault := checkText("RoutingKey", b.RoutingKey); fault != "" {
			return fmt.Errorf("the binding of exchange %q to exchange %q: %s: %s", b.Destination, b.Source, field, fault)
		}
	}
	return nil
}

// checkName checks a field that is a name and required.
func checkName(field, name string) (_, fault string) {
	if name == "" {
		return field, "is empty: name it"
	}
	return checkText(field, name)
}

// checkText checks a short string of AMQP.
func checkText(field, text string) (_, fault string) {
	if len(text) > maxName {
		return field, fmt.Sprintf("has %d bytes, and AMQP allows %d: shorten it", len(text), maxName)
	}
	if !utf8.ValidString(text) {
		return field, fmt.Sprintf("%q is not valid UTF-8", text)
	}
	return field, ""
}

// check returns the field of an exchange that isn't valid, and why.
// See docs/decisions/0010.
func (x *Exchange) check() (field, fault string) {
	if x.Name == "" {
		return "Name", "is empty: leave Exchange nil for the default exchange"
	}
	if x.Type == "" {
		return "Type", "is empty: use runtime.Direct, Fanout, Topic, Headers or the name of a plugin's type"
	}
	return checkText("Name", x.Name)
}
