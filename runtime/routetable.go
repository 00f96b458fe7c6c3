package runtime

import (
	"fmt"
	"strings"
)

// replySuffix makes the operation id of a reply (specification: the document's
// channels.<queue>.publish.operationId).
const replySuffix = ".reply"

// A routeTable holds routes in order, and finds those that another one could
// contradict without looking at all of them. The zero value is empty.
type routeTable struct {
	routes []Route

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
	if route.Exchange == nil {
		return
	}
	if _, ok := t.exchanges[route.Exchange.Name]; !ok {
		t.exchanges[route.Exchange.Name] = at
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
		if route.Exchange != nil && t.exchanges[route.Exchange.Name] == i {
			delete(t.exchanges, route.Exchange.Name)
		}
	}
	clear(t.routes[n:])
	t.routes = t.routes[:n]
}

// checkBeside finds what a registered route contradicts.
func (t *routeTable) checkBeside(route *Route) (field, fault string) {
	if other := t.at(t.names, route.Name); other != nil {
		return "Name", fmt.Sprintf("is taken by the route of queue %q: names are unique", other.Queue.Name)
	}
	if other, reply := t.clash(route); other != nil {
		return "Name", fmt.Sprintf("clashes with route %q: a route named %q stands beside a reply of that name", other.Name, reply)
	}
	if other := t.at(t.queues, route.Queue.Name); other != nil && !sameQueue(route.Queue, other.Queue) {
		return "Queue", declaredTwice(route.Queue.Name, other)
	}
	if other := t.at(t.typed, route.Queue.Name); other != nil && route.Handler.isTyped() {
		return "Queue", fmt.Sprintf("%q is consumed by route %q, and the broker gives each message to either of the two: "+
			"give each route a queue of its own, bound by its own keys, or make one route of them with a case of runtime.Dispatch for each",
			route.Queue.Name, other.Name)
	}
	if route.Exchange == nil {
		return "", ""
	}
	if other := t.at(t.exchanges, route.Exchange.Name); other != nil && !sameExchange(*route.Exchange, *other.Exchange) {
		return "Exchange", declaredTwice(route.Exchange.Name, other)
	}
	return "", ""
}

func declaredTwice(name string, other *Route) string {
	return fmt.Sprintf("%q is declared in another way by route %q: declare it once and use that value in both", name, other.Name)
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
