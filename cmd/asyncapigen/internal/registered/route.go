// Package registered has the record of a route that a program registers, as its
// source describes it: discovery finds it, and documents, clients and topologies
// are made of it.
package registered

import (
	"context"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"time"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
)

// A Route is the program's own runtime.Route, and what only source knows beside
// it. Its Handler is the zero one: see Body and Result.
type Route struct {
	runtime.Route
	Body             types.Type            // what the handler takes; nil where the route has no handler
	Result           types.Type            // what a Respond handler returns, nil of a Consume handler
	Cases            []Case                // of a Dispatch handler, which has no Body and Result of its own
	DispatchedBy     runtime.Discriminator // what tells its cases apart
	CodecType        *types.TypeName       // of Codec, whose value is that of a type without fields; nil for JSON
	CodecFault       string                // why Register refuses the Codec, "" where it takes it or that isn't known
	Batch            *Batch                // of a ConsumeBatch handler, nil of any other
	Ordered          bool                  // it has an Order, which the embedded route has not
	Strict           bool                  // the Order is runtime.Strict
	HandledBy        Handler
	Pos              token.Position // the route's literal
	Router           any            // identifies the router that it is registered with; nil where nothing does
	Origins          []FieldOrigin  // where the values come from; nil unless they are asked for
	UnknownArguments []string       // arguments of queue, exchange and binding that are left out
	UnknownSettings  []string       // of how it consumes, likewise, by their names in the extended document
	FailureUnknown   bool           // the failure policy, of the route or its router, isn't known and left out
}

// What becomes of messages that fail depends on these arguments of the queue, beside the
// policy, the order and when the route acknowledges.
var decideFailure = []string{"x-queue-type", "x-dead-letter-exchange", "x-dead-letter-routing-key"}

// Names of UnknownArguments that are none.
const (
	TheOrder   = "the order"
	TheAckMode = "the AckMode"
)

// FailureIsKnown reports whether it is known what becomes of messages that fail.
func (r Route) FailureIsKnown() bool {
	isUnknown := func(key string) bool {
		return contract.IsUnknownArgument(r.UnknownArguments, contract.QueueArguments, key)
	}
	return !r.FailureUnknown && !slices.Contains(r.UnknownArguments, TheOrder) && !slices.Contains(r.UnknownArguments, TheAckMode) &&
		!slices.ContainsFunc(decideFailure, isUnknown)
}

// Unknown names all that the code doesn't determine and that is left out.
func (r Route) Unknown() []string {
	all := slices.Clone(r.UnknownArguments)
	for _, name := range r.UnknownSettings {
		if name != "order" && name != "acknowledges" { // TheOrder and TheAckMode
			all = append(all, "the consumer's "+name)
		}
	}
	if r.FailureUnknown {
		all = append(all, "the failure policy")
	}
	return all
}

// AddressIsKnown reports whether the arguments are known by which the exchange routes: those
// of the binding to a headers exchange, and the type as which a delaying exchange routes.
func (r Route) AddressIsKnown() bool {
	isHeaders := r.Exchange != nil && r.Exchange.Type == runtime.Headers
	isDelaying := r.Exchange != nil && r.Exchange.Type == "x-delayed-message"
	hidesHeaders := contract.UnknownOf(r.UnknownArguments, contract.BindingArguments, "") != nil
	return !(hidesHeaders && (isHeaders || isDelaying) ||
		isDelaying && contract.IsUnknownArgument(r.UnknownArguments, contract.ExchangeArguments, "x-delayed-type"))
}

// A Batch is how a ConsumeBatch handler takes its messages; fields that aren't known are
// those of a handler that Register accepts.
type Batch struct {
	Size   int
	Wait   time.Duration
	IsOpen bool // one of them isn't known
}

// A Case is one case of a Dispatch handler: what the messages of that name are.
type Case struct {
	Name         string
	Body, Result types.Type // as of a Route
	Batch        *Batch     // likewise; Register refuses it
	Otherwise    bool       // it takes what the others don't
}

// A Handler is the function that handles the messages of a route.
type Handler struct {
	Name string         // with its package's name; "" of a literal, and where it isn't known
	Pos  token.Position // of its declaration; zero where that isn't known
	Made token.Position // where Consume or Respond makes the handler
}

// A FieldOrigin explains the value of one field of a route.
type FieldOrigin struct {
	Field  string // such as "queue name"
	Value  string // as in Go source
	Origin *diagnostic.Origin
}

// Registrable returns the route with a handler of the same kind as the
// program's, which does nothing: a router accepts it exactly where it accepts the
// program's own.
func (r Route) Registrable() runtime.Route {
	route := r.Route
	if r.FailureUnknown {
		route.Failure = &runtime.FailurePolicy{Endless: true}
	}
	route.Handler = idle(r.Body, r.Result, r.Batch)
	if r.Cases != nil {
		route.Handler = r.dispatch()
	}
	return r.withOrder(route)
}

// Ordering returns the embedded route with an Order where r has one, whose function
// does nothing.
func (r Route) Ordering() runtime.Route { return r.withOrder(r.Route) }

func (r Route) withOrder(route runtime.Route) runtime.Route {
	switch {
	case r.Strict:
		route.Order = runtime.Strict()
	case r.Ordered:
		route.Order = runtime.PerKey(func(*runtime.Delivery) string { return "" })
	}
	return route
}

// FailureQueues returns the queues that the brokers of package runtime declare for the
// route's failure policy.
func (r Route) FailureQueues() []runtime.Queue { return r.Ordering().FailureQueues() }

// dispatch returns a handler with the route's cases, which do nothing.
func (r Route) dispatch() runtime.Handler {
	cases := make([]runtime.Case, len(r.Cases))
	for i, c := range r.Cases {
		handler := idle(c.Body, c.Result, c.Batch)
		if cases[i] = runtime.On(c.Name, handler); c.Otherwise {
			cases[i] = runtime.Otherwise(handler)
		}
	}
	if header, ok := r.DispatchedBy.Header(); ok {
		return runtime.DispatchByHeader(header, cases...)
	}
	if r.DispatchedBy.IsKey() {
		return runtime.DispatchByKey(cases...)
	}
	return runtime.Dispatch(cases...)
}

// idle returns a handler that does nothing, of the kind that takes and returns the
// types, in batches where there is one.
func idle(body, result types.Type, batch *Batch) runtime.Handler {
	switch {
	case body == nil:
		return runtime.Handler{}
	case batch != nil && isTyped(body):
		return runtime.ConsumeBatch(func(context.Context, []struct{}) error { return nil }, batch.Size, batch.Wait)
	case batch != nil:
		return runtime.ConsumeBatch(func(context.Context, [][]byte) error { return nil }, batch.Size, batch.Wait)
	case result != nil && isTyped(body):
		return runtime.Respond(func(context.Context, struct{}) ([]byte, error) { return nil, nil })
	case result != nil:
		return runtime.Respond(func(context.Context, []byte) ([]byte, error) { return nil, nil })
	case isTyped(body):
		return runtime.Consume(func(context.Context, struct{}) error { return nil })
	default:
		return runtime.Consume(func(context.Context, []byte) error { return nil })
	}
}

// isTyped reports whether a handler of messages of type body takes one type of
// them, as runtime.Router.Register sees it.
func isTyped(body types.Type) bool {
	switch t := types.Unalias(body).(type) {
	case nil:
		return false
	case *types.Interface:
		return !t.Empty()
	case *types.Slice:
		return !types.Identical(t.Elem(), types.Typ[types.Byte])
	case *types.Named:
		return t.Obj().Name() != "RawMessage" || t.Obj().Pkg() == nil || t.Obj().Pkg().Path() != "encoding/json"
	}
	return true
}

// BodyName returns the type of the message body with its package's name, as in
// Go source; of a Dispatch handler those that the contract shows.
func (r Route) BodyName() string {
	return r.typeNames(r.Body, func(c Case) types.Type { return c.Body })
}

// ResultName returns the type of the reply as BodyName does, "-" where there is
// none.
func (r Route) ResultName() string {
	return r.typeNames(r.Result, func(c Case) types.Type { return c.Result })
}

func (r Route) typeNames(own types.Type, of func(Case) types.Type) string {
	if len(r.Cases) == 0 {
		return TypeName(own)
	}
	var names []string
	for _, c := range r.Cases {
		if name := TypeName(of(c)); !c.Otherwise && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, "|")
}

// Replies reports whether the handler replies to its messages.
func (r Route) Replies() bool {
	return r.Result != nil || len(r.Cases) > 0 && r.Cases[0].Result != nil
}

// TypeName returns a type with its package's name, as in Go source, "-" for none.
func TypeName(t types.Type) string {
	if t == nil {
		return "-"
	}
	return types.TypeString(t, (*types.Package).Name)
}

// A Send is a message that a program sends by a runtime.Publisher or a runtime.Caller.
type Send struct {
	runtime.Endpoint            // where to; its Codec stands for the program's
	HeadersUnknown   bool       // not all headers are known; the endpoint has those that are
	Body             types.Type // of the message
	Result           types.Type // of the reply that is waited for; nil for none
	Pos              token.Position
}
