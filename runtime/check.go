package runtime

import (
	"fmt"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/warrenmq/warren/internal/topic"
)

// maxName is the longest short string of AMQP 0-9-1, in bytes.
const maxName = 255

// A RouteError says why [Router.Register] refused a route.
type RouteError struct {
	Route string // the route's name; its queue's where it has none
	Field string // the field of Route, such as "Queue.Name"
	Fault string // why the field is refused, and the remedy
}

// Error names the route, the field and the fault.
func (e *RouteError) Error() string {
	if e.Route == "" {
		return fmt.Sprintf("register a route without name and queue: %s: %s", e.Field, e.Fault)
	}
	return fmt.Sprintf("register route %q: %s: %s", e.Route, e.Field, e.Fault)
}

// check returns the first fault of route, alone, under the router's failure policy,
// or beside the routes that are registered.
func check(route *Route, policy FailurePolicy, registered *routeTable) error {
	checkFailure := func(route *Route) (field, fault string) { return checkFailure(route, policy) }
	for _, find := range []func(*Route) (field, fault string){
		checkHandler, checkNames, checkExchange, checkKeys, checkReply, checkCodec, checkAckMode, checkFailure, registered.checkBeside,
	} {
		if field, fault := find(route); fault != "" {
			return refuse(route, field, fault)
		}
	}
	return nil
}

func refuse(route *Route, field, fault string) error {
	name := route.Name
	if name == "" {
		name = route.Queue.Name
	}
	return &RouteError{Route: name, Field: field, Fault: fault}
}

func checkHandler(route *Route) (field, fault string) {
	if err := route.Handler.Err(); err != nil {
		return "Handler", err.Error()
	}
	if d := route.Handler.dispatcher; d != nil && d.by.IsKey() && route.Exchange == nil {
		return "Handler", "dispatches by the routing key, and there is no Exchange: the key of every message is the queue's name then"
	}
	if route.Name == "" {
		return "Name", "is empty, and the handler is no declared function whose name could serve: name the route"
	}
	if route.Queue.Name == "" {
		return "Queue.Name", "is empty: name the queue"
	}
	return "", ""
}

func checkNames(route *Route) (field, fault string) {
	names := []struct{ field, value string }{
		{"Name", route.Name},
		{"Queue.Name", route.Queue.Name},
	}
	if route.Exchange != nil {
		names = append(names, struct{ field, value string }{"Exchange.Name", route.Exchange.Name})
	}
	for i, key := range route.RoutingKeys {
		names = append(names, struct{ field, value string }{fmt.Sprintf("RoutingKeys[%d]", i), key})
	}
	if route.Reply != nil {
		names = append(names,
			struct{ field, value string }{"Reply.Exchange", route.Reply.Exchange},
			struct{ field, value string }{"Reply.RoutingKey", route.Reply.RoutingKey})
	}
	for _, name := range names {
		if len(name.value) > maxName {
			return name.field, fmt.Sprintf("has %d bytes, and AMQP allows %d: shorten it", len(name.value), maxName)
		}
		if !utf8.ValidString(name.value) {
			return name.field, fmt.Sprintf("%q is not valid UTF-8", name.value)
		}
	}
	return "", ""
}

// checkKeys finds cases of DispatchByKey whose messages can't reach the queue.
func checkKeys(route *Route) (field, fault string) {
	cases, by := route.Handler.Cases()
	if !by.IsKey() || route.Exchange == nil || route.Exchange.Type != Direct && route.Exchange.Type != Topic {
		return "", ""
	}
	for _, c := range cases {
		reached := slices.ContainsFunc(route.Bindings(), func(b Binding) bool {
			return b.Exchange != route.Exchange.Name || b.RoutingKey == c.name || route.Exchange.Type == Topic && topic.Match(b.RoutingKey, c.name)
		})
		if !reached {
			return "Handler", fmt.Sprintf("has a case for the routing key %q, which none of RoutingKeys lets through: bind the queue by it, or remove the case", c.name)
		}
	}
	return "", ""
}

// checkExchange returns the field of the exchange that isn't valid, and why; both
// are empty if it is valid. See docs/decisions/0010.
func checkExchange(route *Route) (field, fault string) {
	switch {
	case route.Exchange == nil && len(route.RoutingKeys) > 0:
		return "RoutingKeys", "there is no Exchange to bind to: the default exchange routes by the queue's name alone"
	case route.Exchange == nil && len(route.BindingArguments) > 0:
		return "BindingArguments", "there is no Exchange to bind to"
	case route.Exchange == nil:
		return "", ""
	case route.Exchange.Name == "":
		return "Exchange.Name", "is empty: leave Exchange nil for the default exchange"
	case route.Exchange.Type == "":
		return "Exchange.Type", "is empty: use runtime.Direct, Fanout, Topic, Headers or the name of a plugin's type"
	}
	return "", ""
}

func checkReply(route *Route) (field, fault string) {
	if !route.Handler.answers() && route.Reply != nil {
		return "Reply", "is set, but a Consume handler has no result: use runtime.Respond, or remove it"
	}
	return "", ""
}

// checkFailure returns the field of the route's failure policy that isn't valid, or
// doesn't fit the route, and why.
func checkFailure(route *Route, policy FailurePolicy) (field, fault string) {
	if route.Failure != nil {
		if field, fault := route.Failure.check(); fault != "" {
			return "Failure." + field, fault
		}
	}
	return checkUnderPolicy(route, policy)
}

// checkUnderPolicy checks the names that the policy makes of the route's, and its
// delays beside the route's Order; policy is that of its router.
func checkUnderPolicy(route *Route, policy FailurePolicy) (field, fault string) {
	under := *route
	if under.Failure == nil {
		under.Failure = &policy
	}
	if field, fault := checkOrder(&under, under.failure()); fault != "" {
		return field, fault
	}
	if under.failure().Endless {
		return "", ""
	}
	if under.deadLetterQueue(under.failure()) == route.Queue.Name {
		return "Failure.DeadLetters", "is the route's own queue, to which dead letters would come back: name another"
	}
	for _, queue := range under.FailureQueues() {
		if len(queue.Name) > maxName {
			return "Queue.Name", fmt.Sprintf("has %d bytes, and with it the queue %q of its failure policy has more than the %d that AMQP allows: shorten it, or set Failure.Endless",
				len(route.Queue.Name), queue.Name, maxName)
		}
	}
	return "", ""
}

func sameQueue(a, b Queue) bool {
	a.Arguments, b.Arguments = orNil(a.Arguments), orNil(b.Arguments)
	return reflect.DeepEqual(a, b)
}

func sameExchange(a, b Exchange) bool {
	a.Arguments, b.Arguments = orNil(a.Arguments), orNil(b.Arguments)
	return reflect.DeepEqual(a, b)
}

// orNil makes the empty table and no table the same.
func orNil(table map[string]any) map[string]any {
	if len(table) == 0 {
		return nil
	}
	return table
}
