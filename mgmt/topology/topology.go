package topology

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/warrenmq/warren/mgmt"
)

// A Topology is what a program declares in one virtual host. The order of the
// slices doesn't matter, and of two queues or exchanges with the same name the
// first counts.
type Topology struct {
	VHost     string // empty is the default, "/"
	Exchanges []Exchange
	Queues    []Queue
	Bindings  []Binding

	// ExchangeBindings are those from exchange to exchange. What is missing is found,
	// and nothing of it is surplus: exchanges are shared more often than queues.
	ExchangeBindings []ExchangeBinding

	// Owns reports whether a queue or exchange that the program doesn't declare is
	// the program's all the same, and so is surplus. Nil owns none: a virtual host
	// may be shared. The bindings of declared queues are always the program's.
	Owns func(kind Kind, name string) bool
}

// A Kind says what a name is the name of.
type Kind string

// The kinds of objects with a name.
const (
	KindQueue    Kind = "queue"
	KindExchange Kind = "exchange"
)

// A Queue is a declared queue. One that is exclusive, or whose name the broker
// chooses (it is empty), lives as long as its connection and isn't compared.
// Arguments may hold numbers of any type.
type Queue struct {
	Name       string
	Durable    bool
	AutoDelete bool
	Exclusive  bool
	Arguments  map[string]any
}

// An Exchange is a declared exchange. The default one, whose name is empty,
// isn't compared. Those whose names begin with "amq." are the broker's: they
// can only be declared as they are, and are never surplus. An empty Type means
// direct.
type Exchange struct {
	Name       string
	Type       string
	Durable    bool
	AutoDelete bool
	Internal   bool
	Arguments  map[string]any
}

// A Binding is a declared binding of a declared queue.
type Binding struct {
	Exchange   string
	Queue      string
	RoutingKey string
	Arguments  map[string]any
}

// An ExchangeBinding is a declared binding of an exchange to another one.
type ExchangeBinding struct {
	Source      string
	Destination string
	RoutingKey  string
	Arguments   map[string]any
}

func (b ExchangeBinding) settings() mgmt.BindingSettings {
	return mgmt.BindingSettings{RoutingKey: b.RoutingKey, Arguments: b.Arguments}
}

func (b ExchangeBinding) String() string {
	return fmt.Sprintf("binding of exchange %q to exchange %q by %q%s", b.Destination, b.Source, b.RoutingKey, with(b.Arguments))
}

// check refuses a binding whose queue isn't declared, and so wouldn't be
// compared.
func (t Topology) check() error {
	declared := make(map[string]bool)
	for _, queue := range t.Queues {
		declared[queue.Name] = true
	}
	for _, binding := range t.Bindings {
		if !declared[binding.Queue] {
			return fmt.Errorf("compare topology: %v: its queue isn't among the Queues: declare it, too", binding)
		}
	}
	return nil
}

func (q Queue) settings() mgmt.QueueSettings {
	return mgmt.QueueSettings{Transient: !q.Durable, AutoDelete: q.AutoDelete, Arguments: q.Arguments}
}

func (q Queue) String() string {
	return fmt.Sprintf("queue %q%s", q.Name, with(q.Arguments, property{"transient", !q.Durable}, property{"auto-delete", q.AutoDelete}))
}

func (e Exchange) settings() mgmt.ExchangeSettings {
	return mgmt.ExchangeSettings{
		Type: e.Type, Transient: !e.Durable, AutoDelete: e.AutoDelete, Internal: e.Internal, Arguments: e.Arguments,
	}
}

func (e Exchange) String() string {
	return fmt.Sprintf("exchange %q (%s)%s", e.Name, cmp.Or(e.Type, mgmt.Direct), with(e.Arguments,
		property{"transient", !e.Durable}, property{"auto-delete", e.AutoDelete}, property{"internal", e.Internal}))
}

func (b Binding) settings() mgmt.BindingSettings {
	return mgmt.BindingSettings{RoutingKey: b.RoutingKey, Arguments: b.Arguments}
}

func (b Binding) String() string {
	return fmt.Sprintf("binding of queue %q to exchange %q by %q%s", b.Queue, b.Exchange, b.RoutingKey, with(b.Arguments))
}

// A property is one that isn't usual, and whether an object has it.
type property struct {
	name string
	has  bool
}

// with describes what is unusual of an object: properties and arguments.
func with(arguments map[string]any, properties ...property) string {
	var all []string
	for _, property := range properties {
		if property.has {
			all = append(all, property.name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		all = append(all, fmt.Sprintf("%s=%v", name, arguments[name]))
	}
	if len(all) == 0 {
		return ""
	}
	return " with " + strings.Join(all, ", ")
}
