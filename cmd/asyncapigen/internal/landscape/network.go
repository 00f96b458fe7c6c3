package landscape

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/jsontree"
	"github.com/warrenmq/warren/internal/topic"
)

// A network is what all documents say of exchanges, which are those of one broker.
type network struct {
	queues     map[string][]binding // to queues, by the exchange
	exchanges  map[string][]onward  // to other exchanges, by the exchange
	alternates map[string][]string  // the exchanges that get what an exchange can't route
	unknown    string               // whose bindings aren't all known, "" where they are
}

// An onward is a binding of an exchange to another one.
type onward struct {
	binding
	to string
}

// newNetwork adds the bindings that services declare beside their routes to the
// receivers of their queues.
func newNetwork(services []*service) *network {
	n := &network{
		queues: make(map[string][]binding), exchanges: make(map[string][]onward), alternates: make(map[string][]string),
		unknown: declareUnknown(services),
	}
	kinds := make(map[string]string) // the types of exchanges
	know := func(b binding) {
		if kinds[b.exchange] == "" {
			kinds[b.exchange] = b.routes
		}
		if b.alternate != "" && !slices.Contains(n.alternates[b.exchange], b.alternate) {
			n.alternates[b.exchange] = append(n.alternates[b.exchange], b.alternate)
		}
	}
	for _, s := range services {
		for _, r := range s.receives {
			for _, b := range r.bindings {
				know(b)
				n.queues[b.exchange] = append(n.queues[b.exchange], b)
			}
		}
		for _, e := range itemsOf(s.root.Get("x-topology").Get("exchanges")) {
			know(s.bound(nil, e, nil, nil)[0])
		}
	}
	for _, s := range services {
		topology := s.root.Get("x-topology")
		for _, node := range itemsOf(topology.Get("bindings")) {
			b := declaredBinding(node, "exchange", kinds)
			n.queues[b.exchange] = append(n.queues[b.exchange], b)
			receive(services, node.Get("queue").Str(), b)
		}
		for _, node := range itemsOf(topology.Get("exchangeBindings")) {
			b := declaredBinding(node, "source", kinds)
			n.exchanges[b.exchange] = append(n.exchanges[b.exchange], onward{b, node.Get("destination").Str()})
		}
	}
	return n
}

// declareUnknown says which services may bind or declare more than their documents say,
// "" where none does.
func declareUnknown(services []*service) string {
	var names []string
	for _, s := range services {
		if s.hidesAlternates || s.root.Get("x-topology").Get("unknown").Value() == true {
			names = append(names, s.Name)
		}
	}
	if names == nil {
		return ""
	}
	return "not all is known that " + strings.Join(names, " and ") + " declares"
}

// declaredBinding reads one that is declared beside the routes.
func declaredBinding(node *jsontree.Node, source string, kinds map[string]string) binding {
	b := binding{exchange: node.Get(source).Str(), key: node.Get("routingKey").Str()}
	b.routes = kinds[b.exchange]
	b.arguments, _ = node.Get("arguments").Value().(map[string]any)
	return b
}

// receive adds a binding to the receivers of a queue.
func receive(services []*service, queue string, b binding) {
	for _, s := range services {
		for _, r := range s.receives {
			if r.queue == queue {
				r.bindings = append(r.bindings, b)
			}
		}
	}
}

// A way is an exchange to which a message gets, surely or perhaps.
type way struct {
	exchange string
	answer   answer
}

// ways returns for each key of a target the exchanges to which messages get: that of the
// target, those that are bound to it, and alternate exchanges, which get what no queue of
// an exchange takes. The latter is never certain: another service may have a queue that
// takes it.
func (n *network) ways(to target) map[string][]way {
	all := make(map[string][]way)
	for _, key := range to.keys {
		if _, ok := all[key]; !ok && to.exchange != "" {
			all[key] = n.waysOf(to, key)
		}
	}
	return all
}

func (n *network) waysOf(to target, key string) []way {
	found := []way{{to.exchange, answer{is: true}}}
	add := func(exchange string, how answer) {
		i := slices.IndexFunc(found, func(w way) bool { return w.exchange == exchange })
		switch {
		case i < 0:
			found = append(found, way{exchange, how})
		case how.is && !found[i].answer.is: // look again at what follows from it
			found = append(slices.Delete(found, i, i+1), way{exchange, how})
		}
	}
	looked := make(map[way]bool)
	for {
		i := slices.IndexFunc(found, func(w way) bool { return !looked[w] })
		if i < 0 {
			return found
		}
		at := found[i]
		looked[at] = true
		isTaken := false
		for _, b := range n.exchanges[at.exchange] {
			matched := to.passes(key, b.binding)
			isTaken = isTaken || matched.is
			if how := matched.and(at.answer); how.is || how.undecided != "" {
				add(b.to, how)
			}
		}
		if isTaken || n.isTaken(to, at.exchange, key) {
			continue
		}
		for _, alternate := range n.alternates[at.exchange] {
			add(alternate, answer{undecided: fmt.Sprintf("the alternate exchange %s gets only what no queue takes from the exchange %s", alternate, at.exchange)})
		}
	}
}

// passes says whether what is sent with a key goes through the binding of an exchange to
// another one.
func (to target) passes(key string, b binding) answer {
	how := to.matches(key, b)
	if how.is && topic.HasWildcard(key) && b.routes == "topic" && b.key != "#" {
		return answer{undecided: fmt.Sprintf("the sender chooses the words of the key %q", key)}
	}
	return how
}

// isTaken reports whether a queue of an exchange surely takes whatever is sent with a key.
func (n *network) isTaken(to target, exchange, key string) bool {
	if topic.HasWildcard(key) {
		return false // of the keys that the sender may choose others perhaps aren't
	}
	return slices.ContainsFunc(n.queues[exchange], func(b binding) bool { return to.matches(key, b).is })
}
