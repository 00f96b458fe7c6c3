package main

import (
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/gotype"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/schema/proof"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// makeDocument returns nil where a problem is an error.
func makeDocument(o *options, program *load.Program, routes []registered.Route) (*asyncapi.Document, diagnostic.List) {
	types := gotype.New(program, program.Position)
	operations := make([]asyncapi.Operation, len(routes))
	for i, route := range routes {
		operations[i] = operation(route, types)
	}
	var found diagnostic.List
	unions, faults := types.Unions(program.Roots)
	for _, p := range faults {
		found.Add(schemaFinding(p, p.Message))
	}
	choices := []asyncapi.Option{asyncapi.Unions(unions), asyncapi.Proof(proof.Check), o.direction}
	if o.openEnums {
		choices = append(choices, asyncapi.OpenEnums)
	}
	// The error repeats those of the problems that are errors.
	document, problems, _ := asyncapi.FromOperations(operations, &o.config, choices...)
	for _, p := range problems {
		found.Add(schemaFinding(p.Problem, p.Summary()))
	}
	return document, found
}

// schemaFinding returns a problem of a schema or document as a diagnostic.
func schemaFinding(p schema.Problem, what string) diagnostic.Diagnostic {
	d := diagnostic.Diagnostic{Code: diagnostic.Code(p.Code), Pos: p.Position, What: what, Remedy: p.Remedy}
	if p.Severity == schema.Warning {
		d.Severity = diagnostic.Warning
	}
	return d
}

// operation is the neutral record of a route, which the runtime's
// asyncapi.Generate makes of the same route in the running program.
func operation(route registered.Route, types *gotype.Types) asyncapi.Operation {
	op := asyncapi.Operation{
		Name:        route.Name,
		Description: route.Description,
		Tags:        route.Tags,
		Queue:       asyncapi.Queue{Name: route.Queue.Name, Durable: route.Queue.Durable, Exclusive: route.Queue.Exclusive},
		RoutingKeys: route.RoutingKeys,
		Payload:     types.Of(route.Body),
		Position:    route.Pos,
	}
	if e := route.Exchange; e != nil {
		op.Exchange = &asyncapi.Exchange{Name: e.Name, Type: string(e.Type), Durable: e.Durable}
	}
	if to := route.Reply; to != nil {
		op.Reply = &asyncapi.Reply{Exchange: to.Exchange, RoutingKey: to.RoutingKey, Payload: types.Of(route.Result)}
	}
	return op
}
