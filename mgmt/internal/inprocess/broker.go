// Package inprocess has a broker in the process, for tests without a RabbitMQ: the
// part of the management API that package mgmt/topology and the safe functions of
// package mgmt ask, over queues that hold numbered messages. It is held to what
// real brokers do by the tests that both pass, in package mgmt/internal/conformance.
package inprocess

import (
	"context"
	"fmt"
	"sync"

	"github.com/warrenmq/warren/mgmt"
)

// A Broker is one broker with the virtual host "/". It is an http.Handler of the
// management API, and a mgmt.Inspector. New returns one. It is safe for concurrent
// use.
type Broker struct {
	routes []route

	mu     sync.Mutex
	is4    bool
	vhosts map[string]*vhost
}

var _ mgmt.Inspector = (*Broker)(nil)

// A Version is that of a RabbitMQ, as far as they differ.
type Version string

// The versions that a broker can have.
const (
	V3 Version = "3.10" // names no type in the arguments, and refuses a delivery limit of -1
	V4 Version = "4.3"
)

// New returns a broker of a version.
func New(version Version) *Broker {
	b := &Broker{is4: version == V4, vhosts: map[string]*vhost{"/": newVHost("classic")}}
	b.routes = b.newRoutes()
	return b
}

type vhost struct {
	defaultType string
	exchanges   map[string]*exchange
	queues      map[string]*queue
	bindings    []binding
	policies    map[string]policy // by kind and name
	shovels     map[string]map[string]any
}

func newVHost(defaultType string) *vhost {
	v := &vhost{
		defaultType: defaultType, exchanges: make(map[string]*exchange), queues: make(map[string]*queue),
		policies: make(map[string]policy), shovels: make(map[string]map[string]any),
	}
	for name, kind := range map[string]string{"": "direct", "amq.direct": "direct", "amq.fanout": "fanout", "amq.topic": "topic", "amq.headers": "headers"} {
		v.exchanges[name] = &exchange{Name: name, Type: kind, Durable: true, Arguments: map[string]any{}}
	}
	return v
}

type exchange struct {
	Name       string         `json:"name"`
	Type       string         `json:"type"`
	Durable    bool           `json:"durable"`
	AutoDelete bool           `json:"auto_delete"`
	Internal   bool           `json:"internal"`
	Arguments  map[string]any `json:"arguments"`
}

type queue struct {
	durable, autoDelete bool
	kind                string
	arguments           map[string]any // with the type, if it was named
	messages            []string
	consumers           int
	counted             [2]int // messages at the two calls before, of which the API tells the older
}

type binding struct {
	Source          string         `json:"source"`
	VHost           string         `json:"vhost"`
	Destination     string         `json:"destination"`
	DestinationType string         `json:"destination_type"`
	RoutingKey      string         `json:"routing_key"`
	Arguments       map[string]any `json:"arguments"`
	PropertiesKey   string         `json:"properties_key"`
}

type policy struct {
	Name       string         `json:"name"`
	VHost      string         `json:"vhost"`
	Pattern    string         `json:"pattern"`
	ApplyTo    string         `json:"apply-to"`
	Priority   int            `json:"priority"`
	Definition map[string]any `json:"definition"`
}

// InspectQueue is what AMQP's passive declare says.
func (b *Broker) InspectQueue(ctx context.Context, vhost, name string) (ready, consumers int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.find(vhost, name)
	if q == nil {
		return 0, 0, fmt.Errorf("inspect queue %q: %w", name, mgmt.ErrNotFound)
	}
	return len(q.messages), q.consumers, ctx.Err()
}

// Publish puts n messages of one byte each into a queue of the virtual host "/",
// which keeps what its limits let it.
func (b *Broker) Publish(name string, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range n {
		b.put(b.vhosts["/"], name, "m")
	}
}

func (b *Broker) find(vhost, name string) *queue {
	if v := b.vhosts[vhost]; v != nil {
		return v.queues[name]
	}
	return nil
}

// put adds a message to a queue, and drops what its limits don't let it keep: the
// oldest messages, or those that may not live.
func (b *Broker) put(v *vhost, name, message string) {
	q := v.queues[name]
	q.messages = append(q.messages, message)
	limits := v.limitsOf(name, q)
	if most, ok := limits["max-length"]; ok && len(q.messages) > most {
		q.messages = q.messages[len(q.messages)-most:]
	}
	if most, ok := limits["max-length-bytes"]; ok && len(q.messages) > most { // of one byte each
		q.messages = q.messages[len(q.messages)-most:]
	}
	if ttl, ok := limits["message-ttl"]; ok && ttl == 0 {
		q.messages = nil
	}
}

// limitsOf returns the limits of a queue's arguments and of the policies that match
// it, the lower ones where there are several.
func (v *vhost) limitsOf(name string, q *queue) map[string]int {
	all := make(map[string]int)
	merge := func(prefix string, from map[string]any) {
		for _, limit := range []string{"max-length", "max-length-bytes", "message-ttl"} {
			if value, ok := from[prefix+limit].(float64); ok {
				if have, ok := all[limit]; !ok || int(value) < have {
					all[limit] = int(value)
				}
			}
		}
	}
	merge("x-", q.arguments)
	for _, policy := range v.policies {
		info := mgmt.PolicyInfo{Pattern: policy.Pattern, ApplyTo: policy.ApplyTo}
		if matches, err := info.Matches(policyKinds[q.kind], name); err == nil && matches {
			merge("", policy.Definition)
		}
	}
	return all
}

var policyKinds = map[string]string{"classic": mgmt.ApplyToClassicQueues, "quorum": mgmt.ApplyToQuorumQueues, "stream": mgmt.ApplyToStreams}

// move is what a shovel does that ends after the length of its source, at once.
func (b *Broker) move(v *vhost, from, to string) {
	source := v.queues[from]
	if source == nil || v.queues[to] == nil {
		return
	}
	messages := source.messages
	source.messages = nil
	for _, message := range messages {
		b.put(v, to, message)
	}
	if source.autoDelete { // with its last consumer, which was the shovel
		delete(v.queues, from)
	}
}
