package topology

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/warrenmq/warren/mgmt"
)

// Changes are the difference between what is declared and what a broker has.
type Changes struct {
	VHost string

	Exchanges []Exchange // to be declared
	Queues    []Queue
	Bindings  []Binding

	ExchangeBindings []ExchangeBinding // to be declared

	Inequivalent []Difference // exists with other properties
	Surplus      Surplus      // exists, and isn't declared
}

// A Difference is a queue or an exchange that has other properties than those
// declared.
type Difference struct {
	Kind   Kind
	Name   string
	Fields []Field
	Plan   []string // how to migrate it, one step each
}

// Surplus is what exists, belongs to the program and isn't declared.
// Options.Prune deletes it.
type Surplus struct {
	Exchanges []string
	Queues    []string
	Bindings  []mgmt.BindingInfo
}

// IsEmpty reports whether the broker has what is declared, and no surplus.
func (c Changes) IsEmpty() bool {
	return len(c.Exchanges)+len(c.Queues)+len(c.Bindings)+len(c.ExchangeBindings)+len(c.Inequivalent) == 0 && c.Surplus.IsEmpty()
}

// IsEmpty reports whether nothing is surplus.
func (s Surplus) IsEmpty() bool { return len(s.Exchanges)+len(s.Queues)+len(s.Bindings) == 0 }

// String returns a line for each change: "+" for what is missing, "~" for what
// differs, with its fields and its plan below, and "-" for what is surplus. It
// is empty if the changes are.
func (c Changes) String() string {
	var b strings.Builder
	for _, exchange := range c.Exchanges {
		fmt.Fprintf(&b, "+ %v\n", exchange)
	}
	for _, queue := range c.Queues {
		fmt.Fprintf(&b, "+ %v\n", queue)
	}
	for _, binding := range c.Bindings {
		fmt.Fprintf(&b, "+ %v\n", binding)
	}
	for _, binding := range c.ExchangeBindings {
		fmt.Fprintf(&b, "+ %v\n", binding)
	}
	for _, difference := range c.Inequivalent {
		fmt.Fprintf(&b, "~ %s %q\n", difference.Kind, difference.Name)
		for _, field := range difference.Fields {
			fmt.Fprintf(&b, "    %v\n", field)
		}
		for i, step := range difference.Plan {
			fmt.Fprintf(&b, "  %d. %s\n", i+1, step)
		}
	}
	for _, surplus := range c.Surplus.Bindings {
		binding := Binding{surplus.Source, surplus.Destination, surplus.RoutingKey, surplus.Arguments}
		fmt.Fprintf(&b, "- %v\n", binding)
	}
	for _, name := range c.Surplus.Queues {
		fmt.Fprintf(&b, "- queue %q\n", name)
	}
	for _, name := range c.Surplus.Exchanges {
		fmt.Fprintf(&b, "- exchange %q\n", name)
	}
	return b.String()
}

// Diff asks the broker what it has and returns what is missing, what differs,
// and what is surplus. It changes nothing. If the virtual host doesn't exist,
// the error is mgmt.ErrNotFound. Every argument is compared, also those that
// the broker itself doesn't compare when a queue is declared again.
func Diff(ctx context.Context, client *mgmt.Client, want Topology) (Changes, error) {
	want.VHost = cmp.Or(want.VHost, "/")
	if err := want.check(); err != nil {
		return Changes{}, err
	}
	vhost, err := client.VHost(ctx, want.VHost)
	if err != nil {
		return Changes{}, err
	}
	d := differ{client: client, want: want, changes: Changes{VHost: want.VHost}}
	d.defaultType = cmp.Or(vhost.DefaultQueueType, "classic")
	if d.defaultType == "undefined" {
		d.defaultType = "classic"
	}
	err = errors.Join(d.exchanges(ctx), d.queues(ctx))
	if err == nil {
		err = errors.Join(d.bindings(ctx), d.exchangeBindings(ctx))
	}
	return d.changes, err
}

type differ struct {
	client      *mgmt.Client
	want        Topology
	defaultType string // of queues that name none
	present     map[string]bool
	changes     Changes
}

func (d *differ) exchanges(ctx context.Context) error {
	have := make(map[string]mgmt.ExchangeInfo)
	columns := mgmt.Columns("name", "type", "durable", "auto_delete", "internal", "arguments")
	for exchange, err := range d.client.ExchangesSeq(ctx, mgmt.In(d.want.VHost), columns) {
		if err != nil {
			return err
		}
		have[exchange.Name] = exchange
	}
	declared := make(map[string]bool)
	for _, exchange := range d.want.Exchanges {
		if exchange.Name == "" || declared[exchange.Name] {
			continue
		}
		declared[exchange.Name] = true
		if there, ok := have[exchange.Name]; !ok {
			d.changes.Exchanges = append(d.changes.Exchanges, exchange)
		} else if fields := compareExchange(exchange, there); len(fields) > 0 {
			d.changes.Inequivalent = append(d.changes.Inequivalent,
				Difference{KindExchange, exchange.Name, fields, exchangePlan(exchange)})
		}
	}
	for name := range have {
		if !declared[name] && !isBuiltIn(name) && d.want.Owns != nil && d.want.Owns(KindExchange, name) {
			d.changes.Surplus.Exchanges = append(d.changes.Surplus.Exchanges, name)
		}
	}
	slices.Sort(d.changes.Surplus.Exchanges)
	return nil
}

func isBuiltIn(exchange string) bool { return exchange == "" || strings.HasPrefix(exchange, "amq.") }

func (d *differ) queues(ctx context.Context) error {
	declared := make(map[string]bool)
	for _, queue := range d.want.Queues {
		declared[queue.Name] = true
	}
	have := make(map[string]mgmt.QueueInfo)
	columns := mgmt.Columns("name", "vhost", "type", "durable", "auto_delete", "exclusive", "arguments")
	for queue, err := range d.client.QueuesSeq(ctx, mgmt.In(d.want.VHost), columns) {
		if err != nil {
			return err
		}
		switch {
		case declared[queue.Name]:
			have[queue.Name] = queue
		case d.want.Owns != nil && !queue.Exclusive.Or(false) && d.want.Owns(KindQueue, queue.Name):
			d.changes.Surplus.Queues = append(d.changes.Surplus.Queues, queue.Name)
		}
	}
	slices.Sort(d.changes.Surplus.Queues)
	d.present = make(map[string]bool)
	seen := make(map[string]bool)
	for _, queue := range d.want.Queues {
		if queue.Name == "" || queue.Exclusive || seen[queue.Name] {
			continue
		}
		seen[queue.Name] = true
		there, ok := have[queue.Name]
		d.present[queue.Name] = ok
		if !ok {
			d.changes.Queues = append(d.changes.Queues, queue)
		} else if fields := compareQueue(queue, there, d.defaultType); len(fields) > 0 {
			d.changes.Inequivalent = append(d.changes.Inequivalent,
				Difference{KindQueue, queue.Name, fields, queuePlan(queue)})
		}
	}
	return nil
}

// bindings compares those of the declared queues.
func (d *differ) bindings(ctx context.Context) error {
	for _, queue := range d.want.Queues {
		exists, compared := d.present[queue.Name]
		delete(d.present, queue.Name) // it may be declared twice
		if !compared {
			continue
		}
		var have []mgmt.BindingInfo
		if exists { // of a queue that doesn't exist the broker invents one
			var err error
			if have, err = d.client.QueueBindings(ctx, d.want.VHost, queue.Name); err != nil {
				return err
			}
		}
		d.compareBindings(queue.Name, have)
	}
	return nil
}

// exchangeBindings finds those that are missing.
func (d *differ) exchangeBindings(ctx context.Context) error {
	have := make(map[string][]mgmt.BindingInfo) // by destination
	isSeen := func(b ExchangeBinding) bool {
		return slices.ContainsFunc(d.changes.ExchangeBindings, func(other ExchangeBinding) bool { return reflect.DeepEqual(b, other) })
	}
	for _, want := range d.want.ExchangeBindings {
		isMissing := func(x Exchange) bool { return x.Name == want.Destination }
		if _, asked := have[want.Destination]; !asked && !slices.ContainsFunc(d.changes.Exchanges, isMissing) {
			bindings, err := d.client.BindingsTo(ctx, d.want.VHost, want.Destination)
			if err != nil {
				return fmt.Errorf("compare %v: %w", want, err)
			}
			have[want.Destination] = bindings
		}
		isThere := func(b mgmt.BindingInfo) bool {
			return isSame(Binding{want.Source, want.Destination, want.RoutingKey, want.Arguments}, b)
		}
		if !slices.ContainsFunc(have[want.Destination], isThere) && !isSeen(want) {
			d.changes.ExchangeBindings = append(d.changes.ExchangeBindings, want)
		}
	}
	return nil
}

func (d *differ) compareBindings(queue string, have []mgmt.BindingInfo) {
	declared := make([]bool, len(have))
	for _, binding := range d.want.Bindings {
		if binding.Queue != queue || binding.Exchange == "" {
			continue
		}
		at := slices.IndexFunc(have, func(b mgmt.BindingInfo) bool { return isSame(binding, b) })
		if at >= 0 {
			declared[at] = true
		} else if again := func(b Binding) bool { return reflect.DeepEqual(b, binding) }; !slices.ContainsFunc(d.changes.Bindings, again) {
			d.changes.Bindings = append(d.changes.Bindings, binding)
		}
	}
	for i, binding := range have {
		if binding.Source != "" && !declared[i] {
			d.changes.Surplus.Bindings = append(d.changes.Surplus.Bindings, binding)
		}
	}
}
