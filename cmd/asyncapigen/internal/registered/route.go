// Package registered has the record of a route that a program registers, as its
// source describes it: discovery finds it, and documents, clients and topologies
// are made of it.
package registered

import (
	"context"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
)

// A Route is the program's own runtime.Route, and what only source knows beside
// it. Its Handler is the zero one: see Body and Result.
type Route struct {
	runtime.Route
	Body             types.Type // what the handler takes; nil where the route has no handler
	Result           types.Type // what a Respond handler returns, nil of a Consume handler
	HandledBy        Handler
	Pos              token.Position // the route's literal
	Router           any            // identifies the router that it is registered with; nil where that isn't known
	Origins          []FieldOrigin  // where the values come from; nil unless they are asked for
	UnknownArguments []string       // arguments of queue, exchange and binding that are left out
	FailureUnknown   bool           // the failure policy, of the route or its router, isn't known and left out
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
	switch {
	case r.Body == nil:
	case r.Result != nil && r.IsTyped():
		route.Handler = runtime.Respond(func(context.Context, struct{}) ([]byte, error) { return nil, nil })
	case r.Result != nil:
		route.Handler = runtime.Respond(func(context.Context, []byte) ([]byte, error) { return nil, nil })
	case r.IsTyped():
		route.Handler = runtime.Consume(func(context.Context, struct{}) error { return nil })
	default:
		route.Handler = runtime.Consume(func(context.Context, []byte) error { return nil })
	}
	return route
}

// IsTyped reports whether the handler takes one type of messages, as
// runtime.Router.Register sees it.
func (r Route) IsTyped() bool {
	switch t := types.Unalias(r.Body).(type) {
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
// Go source.
func (r Route) BodyName() string { return TypeName(r.Body) }

// ResultName returns the type of the reply, "-" where there is none.
func (r Route) ResultName() string { return TypeName(r.Result) }

// TypeName returns a type with its package's name, as in Go source, "-" for none.
func TypeName(t types.Type) string {
	if t == nil {
		return "-"
	}
	return types.TypeString(t, (*types.Package).Name)
}
