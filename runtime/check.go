package runtime

import (
	"fmt"
	"go/token"
	"math"
	"slices"

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
		checkHandler, checkNames, checkQueue, checkExchange, checkKeys, checkKeyWords, checkReply, checkCodec, checkAckMode, checkBatch, checkFailure, registered.checkBeside,
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
	if d := route.Handler.dispatcher; d != nil && d.by.IsKey() && len(route.Exchanges()) == 0 {
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
	for i, source := range route.Sources {
		for j, key := range source.RoutingKeys {
			names = append(names, struct{ field, value string }{fmt.Sprintf("Sources[%d].RoutingKeys[%d]", i, j), key})
		}
	}
	if route.Reply != nil {
		names = append(names,
			struct{ field, value string }{"Reply.Exchange", route.Reply.Exchange},
			struct{ field, value string }{"Reply.RoutingKey", route.Reply.RoutingKey})
	}
	for _, name := range names {
		if field, fault := checkText(name.field, name.value); fault != "" {
			return field, fault
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

// checkKeyWords finds names that aren't those of the wildcards of the routing key. Where
// there is a routing key there is an exchange: checkExchange was before.
func checkKeyWords(route *Route) (field, fault string) {
	if len(route.KeyWords) == 0 {
		return "", ""
	}
	keys := slices.Compact(slices.Sorted(slices.Values(route.RoutingKeys)))
	if len(keys) != 1 || !route.Exchange.matchesPatterns() {
		return "KeyWords", "name the wildcards of the only one of RoutingKeys, of a topic exchange: remove them, or the other keys"
	}
	if n := topic.CountWildcards(keys[0]); n != len(route.KeyWords) {
		return "KeyWords", fmt.Sprintf("are %d names, and the routing key %q has %d wildcards: name each of them", len(route.KeyWords), keys[0], n)
	}
	for i, name := range route.KeyWords {
		field := fmt.Sprintf("KeyWords[%d]", i)
		if !token.IsIdentifier(name) || name == "_" {
			return field, fmt.Sprintf("is %q, which isn't a Go identifier that can name a parameter: use letters and digits", name)
		}
		if slices.Contains(route.KeyWords[:i], name) {
			return field, fmt.Sprintf("is %q again: give each word a name of its own", name)
		}
	}
	return "", ""
}

// matchesPatterns reports whether the keys of bindings may be patterns: of types that
// the runtime doesn't know as well.
func (x *Exchange) matchesPatterns() bool {
	routes := x.Type
	if delayed, ok := x.Arguments["x-delayed-type"].(string); ok && x.Type == "x-delayed-message" {
		routes = ExchangeType(delayed)
	}
	switch routes {
	case Direct, Fanout, Headers, "x-consistent-hash", "x-modulus-hash":
		return false
	}
	return true
}

// checkExchange returns the field of the exchanges that isn't valid, and why; both
// are empty if they are valid.
func checkExchange(route *Route) (field, fault string) {
	switch {
	case route.Exchange == nil && len(route.RoutingKeys) > 0:
		return "RoutingKeys", "there is no Exchange to bind to: the default exchange routes by the queue's name alone"
	case route.Exchange == nil && len(route.BindingArguments) > 0:
		return "BindingArguments", "there is no Exchange to bind to"
	case route.Exchange == nil && len(route.Sources) > 0:
		return "Sources", "are further exchanges, and there is no Exchange: make the first of them the Exchange"
	case route.Exchange == nil && route.Queue.PerInstance:
		return "Exchange", "is missing, and senders can't know the name of a PerInstance queue: set it"
	case route.Exchange == nil:
		return "", ""
	}
	if field, fault := route.Exchange.check(); fault != "" {
		return "Exchange." + field, fault
	}
	own := map[string]Exchange{route.Exchange.Name: *route.Exchange}
	for i, source := range route.Sources {
		if field, fault := source.Exchange.check(); fault != "" {
			return fmt.Sprintf("Sources[%d].Exchange.%s", i, field), fault
		}
		if other, twice := own[source.Exchange.Name]; twice && !sameExchange(source.Exchange, other) {
			return fmt.Sprintf("Sources[%d].Exchange", i), fmt.Sprintf("%q is declared in another way by the same route: declare it once and use that value in both", other.Name)
		}
		own[source.Exchange.Name] = source.Exchange
	}
	return "", ""
}

// checkQueue returns the field of the queue that isn't valid, or that doesn't fit the
// route, and why.
func checkQueue(route *Route) (field, fault string) {
	if field, fault := route.Queue.check(); fault != "" {
		return "Queue." + field, fault
	}
	said, given := route.ConsumerArguments[argPriority]
	switch {
	case route.PrefetchBytes > 0 && (route.Queue.isStream() || route.Queue.AutoDelete || route.Queue.Arguments[argSingleConsumer] == true || !route.Order.IsZero()):
		return "PrefetchBytes", "is set, but the prefetch of a stream, of a single active consumer, of an auto-delete queue and of a route with an Order can't change while it is consumed: lower Prefetch"
	case route.Prefetch > 0 && route.Concurrency > route.Prefetch:
		return "Concurrency", fmt.Sprintf("is %d, and Prefetch is %d, so that no more are handled at a time: raise Prefetch", route.Concurrency, route.Prefetch)
	case route.ConsumerPriority < math.MinInt32 || route.ConsumerPriority > math.MaxInt32:
		return "ConsumerPriority", fmt.Sprintf("is %d, and AMQP has 32 bits for it", route.ConsumerPriority)
	case route.ConsumerPriority != 0 && given && !sameField(said, route.ConsumerPriority):
		return "ConsumerPriority", fmt.Sprintf("is %d, and ConsumerArguments say %s=%v: say it once", route.ConsumerPriority, argPriority, said)
	case route.ConsumerPriority != 0 && route.Queue.isStream():
		return "ConsumerPriority", "is set, but each consumer of a stream reads all of it: remove it"
	case route.QueueDeletion == FailReadiness && (route.Queue.Exclusive || route.Queue.AutoDelete):
		return "QueueDeletion", "is FailReadiness, but the queue ends with its consumer: use runtime.DeclareAnew"
	case route.QueueDeletion != DeclareAnew && route.QueueDeletion != FailReadiness:
		return "QueueDeletion", fmt.Sprintf("is %d: use runtime.DeclareAnew or FailReadiness", route.QueueDeletion)
	default:
		return "", ""
	}
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

func sameExchange(a, b Exchange) bool {
	return a.Name == b.Name && a.Type == b.Type && a.Durable == b.Durable && a.AutoDelete == b.AutoDelete &&
		sameTable(a.Arguments, b.Arguments)
}
