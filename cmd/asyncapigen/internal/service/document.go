package service

import (
	"go/token"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/gotype"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/schema/proof"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// makeDocument returns nil where a problem is an error.
func (g *Generator) makeDocument(o *Options, program *load.Program, routes []registered.Route) (*asyncapi.Document, diagnostic.List) {
	types := gotype.New(program, program.Position)
	operations := make([]contract.Operation, len(routes))
	for i, route := range routes {
		g.reading = route.Pos
		operations[i] = contract.Operation{Route: route.Route, Pos: route.Pos, DispatchedBy: route.DispatchedBy}
		if route.Cases == nil {
			operations[i].Payload = types.Of(route.Body)
		}
		for _, c := range route.Cases {
			if !c.Otherwise {
				operations[i].Messages = append(operations[i].Messages, contract.Message{Name: c.Name, Payload: types.Of(c.Body)})
			}
		}
	}
	g.reading = token.Position{}
	unions, found := types.Unions(program.Roots)
	made, problems := contract.New(operations, schema.Options{
		Direction: o.Direction,
		OpenEnums: o.OpenEnums,
		Unions:    unions,
		Check:     proof.Check,
	})
	for _, p := range problems {
		found.Add(p)
	}
	if made == nil {
		return nil, found
	}
	return asyncapi.FromContract(made, &o.Config), found
}
