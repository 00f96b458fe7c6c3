package scan

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/runtime"
)

// Routes returns the consumers as routes of warren, and says of each that can't be one
// why. What isn't known of a route is left out.
func (r Result) Routes() ([]registered.Route, []Problem) {
	var routes []registered.Route
	var problems []Problem
	names := make(map[string]int)
	router := runtime.NewRouter()
	for _, c := range r.Consumers {
		route, ok := c.route(names)
		if !ok {
			problems = append(problems, Problem{c.Pos, "this consumer isn't in the document: the name of its queue isn't known: it is " + c.Queue.Name.Why})
			continue
		}
		if c.isVague() || c.Queue.isVague() {
			problems = append(problems, Problem{c.Pos, "this consumer isn't in the document: it isn't known " + c.booleans()})
			continue
		}
		if err := router.Register(route.Registrable()); err != nil {
			problems = append(problems, Problem{c.Pos, fmt.Sprintf("this consumer isn't in the document: warren has no such route: %v", err)})
			continue
		}
		if bodies := c.described(); len(bodies) > 1 {
			problems = append(problems, Problem{c.Pos, "the document says nothing of these messages, which have several types: what tells them apart isn't known"})
		}
		routes = append(routes, route)
	}
	return routes, problems
}

// booleans lists those of a consumer and its queue that aren't known.
func (c *Consumer) booleans() string {
	var all []string
	for _, g := range slices.Concat(c.Queue.Gaps, c.Gaps) {
		if g.boolean {
			all = append(all, g.What)
		}
	}
	return strings.Join(all, ", ")
}

// route returns a consumer as a route, and false where its queue isn't known. Names
// are those that others have. Of messages of several types it isn't known what tells
// them apart: their route takes bytes.
func (c *Consumer) route(names map[string]int) (registered.Route, bool) {
	queue, ok := c.queue()
	route := registered.Route{Pos: c.Pos, FailureUnknown: true}
	route.Name = queue.Name
	if !ok {
		route.Name = "unknown"
	}
	if names[route.Name]++; names[route.Name] > 1 {
		route.Name += "-" + strconv.Itoa(names[route.Name])
	}
	route.Queue, route.Prefetch = queue, c.Prefetch
	for _, g := range c.gaps() {
		switch g.What {
		case whichType, whichReply: // the schema is open
		case whichPrefetch:
			route.UnknownSettings = append(route.UnknownSettings, "prefetch")
		default:
			route.UnknownArguments = append(route.UnknownArguments, g.What)
		}
	}
	for i, s := range c.sources() {
		if i == 0 {
			route.Exchange, route.RoutingKeys, route.BindingArguments = &s.Exchange, s.RoutingKeys, s.Arguments
			continue
		}
		route.Sources = append(route.Sources, s)
	}
	if c.AutoAck && !c.Replies {
		route.AckMode = runtime.AckFirst
	}
	bytes := types.NewSlice(types.Typ[types.Byte])
	route.Body = bytes
	if c.Replies {
		route.Result = bytes
		if c.Reply != nil {
			route.Result = c.Reply
		}
	}
	bodies := c.described()
	if len(bodies) == 1 {
		route.Body = bodies[0].Type
	}
	return route, ok
}

// described returns the bodies of whose types a document can say something.
func (c *Consumer) described() []Body {
	return slices.DeleteFunc(slices.Clone(c.Bodies), func(b Body) bool { return !registered.IsDescribable(b.Type) || b.Format == "proto" })
}

// caseName is the name of a case of messages that are told apart in a way that isn't
// known: that of the type.
func caseName(t types.Type) string {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name()
	}
	return registered.TypeName(t)
}

// queue returns the queue as warren declares it, and false where its name isn't known.
// One that the broker names is one for each instance.
func (c *Consumer) queue() (runtime.Queue, bool) {
	q := runtime.Queue{Name: c.Queue.Name.Value, Durable: c.Queue.Durable, AutoDelete: c.Queue.AutoDelete, Exclusive: c.Queue.Exclusive}
	if c.Queue.Server {
		q = runtime.Queue{Name: c.instanceName(), PerInstance: true}
	}
	q.Arguments = knownArguments(c.Queue.Arguments)
	return q, c.Queue.Name.Known() && q.Name != ""
}

// instanceName is the name of a queue that the program leaves to the broker: that of
// the first exchange that fills it.
func (c *Consumer) instanceName() string {
	for _, b := range c.Bindings {
		if b.Exchange.Name.Known() && b.Exchange.Name.Value != "" {
			return b.Exchange.Name.Value
		}
	}
	return "instance"
}

func knownArguments(table map[string]any) map[string]any {
	known := make(map[string]any)
	for name, v := range table {
		if v != nil {
			known[name] = v
		}
	}
	if len(known) == 0 {
		return nil
	}
	return known
}

// sources returns the exchanges that fill the queue, each with its keys. One whose name
// or type isn't known is left out, as are keys that aren't.
func (c *Consumer) sources() []runtime.Source {
	var all []runtime.Source
	for _, b := range c.Bindings {
		x := b.Exchange
		if !x.complete() || !b.Key.Known() || x.isVague() || !b.hasArguments() {
			continue
		}
		i := slices.IndexFunc(all, func(s runtime.Source) bool {
			return s.Exchange.Name == x.Name.Value && maps.Equal(s.Arguments, knownArguments(b.Arguments))
		})
		if i < 0 {
			i = len(all)
			all = append(all, runtime.Source{Exchange: runtime.Exchange{
				Name: x.Name.Value, Type: runtime.ExchangeType(x.kind()), Durable: x.Durable, AutoDelete: x.AutoDelete, Arguments: knownArguments(x.Arguments),
			}, Arguments: knownArguments(b.Arguments)})
		}
		if b.Key.Value != "" {
			all[i].RoutingKeys = append(all[i].RoutingKeys, b.Key.Value)
		}
	}
	return all
}

// hasArguments reports whether all arguments of a binding are known: which messages it
// lets through may depend on any.
func (b Binding) hasArguments() bool { return len(b.Gaps) == 0 }

// isOfBroker reports whether every broker has the exchange. All of these are durable.
func (x Exchange) isOfBroker() bool { return x.Kind.Value == "" && x.kind() != "" }

func (x Exchange) complete() bool { return x.Name.Known() && x.Name.Value != "" && x.kind() != "" }

// kind returns the type of an exchange, "" where it isn't known. Every broker has those
// whose names begin with "amq.", which say it.
func (x Exchange) kind() string {
	if x.Kind.Known() && x.Kind.Value != "" {
		return x.Kind.Value
	}
	for _, kind := range []string{"direct", "fanout", "topic", "headers"} {
		if x.Name.Value == "amq."+kind {
			return kind
		}
	}
	return ""
}

// gaps returns all that isn't known of a consumer.
func (c *Consumer) gaps() []Gap {
	var all []Gap
	add := func(what string, t Text) {
		if !t.Known() {
			all = append(all, Gap{What: what, Why: "it is " + t.Why, Pos: t.Pos})
		}
	}
	add("the name of the queue", c.Queue.Name)
	if !c.Queue.Declared && !c.Queue.Server && c.Queue.Name.Known() {
		all = append(all, Gap{What: "how the queue is declared", Why: "no code that is followed declares it"})
	}
	all = append(all, c.Queue.Gaps...)
	for _, b := range c.Bindings {
		all = append(append(all, b.Gaps...), b.Exchange.Gaps...)
		add("an exchange that fills the queue", b.Exchange.Name)
		add("a routing key", b.Key)
		switch kind := "the type of the exchange " + strconv.Quote(b.Exchange.Name.Value); {
		case !b.Exchange.Name.Known() || b.Exchange.kind() != "":
		case b.Exchange.Kind.Known():
			all = append(all, Gap{What: kind, Why: "no code that is followed declares it"})
		default:
			add(kind, b.Exchange.Kind)
		}
	}
	all = append(all, c.Gaps...)
	if len(c.Bodies) == 0 && !c.lacks(whichType) {
		all = append(all, Gap{What: whichType, Why: "no code that is followed decodes them"})
	}
	if c.Replies && c.Reply == nil {
		all = append(all, Gap{What: whichReply, Why: "no code that is followed encodes them"})
	}
	return slices.Compact(all)
}
