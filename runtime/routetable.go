package runtime

import (
	"fmt"
	"slices"
	"strings"
)

// replySuffix makes the operation id of a reply (specification: the document's
// channels.<queue>.publish.operationId).
const replySuffix = ".reply"

// A routeTable holds routes in order, and finds those that another one could
// contradict without looking at all of them. The zero value is empty.
type routeTable struct {
	routes   []Route
	declared Topology

	// Positions in routes, of the first one that declares the thing.
	names, queues, exchanges map[string]int

	typed map[string]int // of the route that takes the messages of a queue as those of one type
}

// add appends route, whose name must be free.
func (t *routeTable) add(route Route) {
	if t.names == nil {
		t.names, t.queues, t.exchanges, t.typed = make(map[string]int), make(map[string]int), make(map[string]int), make(map[string]int)
	}
	at := len(t.routes)
	t.routes = append(t.routes, route)
	t.names[route.Name] = at
	if _, ok := t.queues[route.Queue.Name]; !ok {
		t.queues[route.Queue.Name] = at
	}
	if route.Handler.isTyped() {
		t.typed[route.Queue.Name] = at
	}
	for _, x := range route.Exchanges() {
		if _, ok := t.exchanges[x.Name]; !ok {
			t.exchanges[x.Name] = at
		}
	}
}

// truncate forgets all routes but the first n.
func (t *routeTable) truncate(n int) {
	for i := len(t.routes) - 1; i >= n; i-- {
		route := &t.routes[i]
		delete(t.names, route.Name)
		if t.queues[route.Queue.Name] == i {
			delete(t.queues, route.Queue.Name)
		}
		if at, ok := t.typed[route.Queue.Name]; ok && at == i {
			delete(t.typed, route.Queue.Name)
		}
		for _, x := range route.Exchanges() {
			if at, ok := t.exchanges[x.Name]; ok && at == i {
				delete(t.exchanges, x.Name)
			}
		}
	}
	clear(t.routes[n:])
	t.routes = t.routes[:n]
}

// declare adds a topology that was checked, each queue and exchange once.
func (t *routeTable) declare(added Topology) {
	d := &t.declared
	for _, q := range added.Queues {
		if !slices.ContainsFunc(d.Queues, func(other Queue) bool { return other.Name == q.Name }) {
			d.Queues = append(d.Queues, q)
		}
	}
	for _, x := range added.Exchanges {
		if !slices.ContainsFunc(d.Exchanges, func(other Exchange) bool { return other.Name == x.Name }) {
			d.Exchanges = append(d.Exchanges, x)
		}
	}
	d.Bindings = append(d.Bindings, added.Bindings...)
	d.ExchangeBindings = append(d.ExchangeBindings, added.ExchangeBindings...)
}

// queue returns the queue that is declared by this name, and by whom, nil for none.
func (t *routeTable) queue(name string) (declared *Queue, by string) {
	if other := t.at(t.queues, name); other != nil {
		return &other.Queue, fmt.Sprintf("route %q", other.Name)
	}
	if i := slices.IndexFunc(t.declared.Queues, func(q Queue) bool { return q.Name == name }); i >= 0 {
		return &t.declared.Queues[i], "Router.Declare"
	}
	return nil, ""
}

// exchange returns the exchange that is declared by this name, and by whom, nil for
// none.
func (t *routeTable) exchange(name string) (declared *Exchange, by string) {
	isNamed := func(x Exchange) bool { return x.Name == name }
	if other := t.at(t.exchanges, name); other != nil {
		exchanges := other.Exchanges()
		return &exchanges[slices.IndexFunc(exchanges, isNamed)], fmt.Sprintf("route %q", other.Name)
	}
	if i := slices.IndexFunc(t.declared.Exchanges, isNamed); i >= 0 {
		return &t.declared.Exchanges[i], "Router.Declare"
	}
	return nil, ""
}

// checkBeside finds what a registered route contradicts.
func (t *routeTable) checkBeside(route *Route) (field, fault string) {
	if other := t.at(t.names, route.Name); other != nil {
		return "Name", fmt.Sprintf("is taken by the route of queue %q: names are unique", other.Queue.Name)
	}
	if other, reply := t.clash(route); other != nil {
		return "Name", fmt.Sprintf("clashes with route %q: a route named %q stands beside a reply of that name", other.Name, reply)
	}
	if other, by := t.queue(route.Queue.Name); other != nil && !sameQueue(route.Queue, *other) {
		return "Queue", declaredTwice(route.Queue.Name, by)
	}
	if other := t.at(t.typed, route.Queue.Name); other != nil && route.Handler.isTyped() {
		return "Queue", fmt.Sprintf("%q is consumed by route %q, and the broker gives each message to either of the two: "+
			"give each route a queue of its own, bound by its own keys, or make one route of them with a case of runtime.Dispatch for each",
			route.Queue.Name, other.Name)
	}
	for _, x := range route.Exchanges() {
		if other, by := t.exchange(x.Name); other != nil && !sameExchange(x, *other) {
			return "Exchange", declaredTwice(x.Name, by)
		}
	}
	return "", ""
}

func declaredTwice(name, by string) string {
	return fmt.Sprintf("%q is declared in another way by %s: declare it once and use that value in both", name, by)
}

// clash finds a route that is named as the reply of route, or whose reply has
// route's name, and returns that name too.
func (t *routeTable) clash(route *Route) (other *Route, name string) {
	if route.Reply != nil {
		reply := route.Name + replySuffix
		if other := t.at(t.names, reply); other != nil {
			return other, reply
		}
	}
	requested, isReply := strings.CutSuffix(route.Name, replySuffix)
	if !isReply {
		return nil, ""
	}
	if other := t.at(t.names, requested); other != nil && other.Reply != nil {
		return other, route.Name
	}
	return nil, ""
}

// at returns the route that positions gives for name, nil for none.
func (t *routeTable) at(positions map[string]int, name string) *Route {
	i, ok := positions[name]
	if !ok {
		return nil
	}
	return &t.routes[i]
}
