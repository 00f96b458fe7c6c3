package service

import (
	"go/token"
	"go/types"
	"path/filepath"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/gotype"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/output"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/schema/proof"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// makeDocuments returns the files of the documents, none where a problem is an error.
func (g *Generator) makeDocuments(o *Options, program *load.Program, routes []registered.Route) ([]output.File, diagnostic.List, error) {
	contracts := contracts{g: g, o: o, program: program, routes: routes, types: gotype.New(program, program.Position)}
	var files []output.File
	for _, d := range o.Documents {
		document := contracts.document(o.form(d))
		if document == nil {
			return nil, contracts.found, nil
		}
		file, err := encode(o.file(d.File), document)
		if err != nil {
			return nil, contracts.found, err
		}
		files = append(files, file)
	}
	return files, contracts.found, nil
}

// contracts are those of a service: the exact document's says nothing of replies,
// whose types would be among its components.
type contracts struct {
	g       *Generator
	o       *Options
	program *load.Program
	routes  []registered.Route
	types   *gotype.Types
	found   diagnostic.List

	exact, full *contract.Contract // nil while they aren't made
}

// document returns nil where a problem is an error.
func (c *contracts) document(form asyncapi.Form) *asyncapi.Document {
	made := &c.exact
	if form != asyncapi.Exact {
		made = &c.full
	}
	if *made == nil {
		*made = c.make(form != asyncapi.Exact)
	}
	switch {
	case *made == nil:
		return nil
	case form == asyncapi.Extended:
		return asyncapi.ExtendedFromContract(*made, &c.o.Config)
	}
	return asyncapi.FromContract(*made, &c.o.Config)
}

// make returns nil where a problem is an error.
func (c *contracts) make(withReplies bool) *contract.Contract {
	operations := make([]contract.Operation, len(c.routes))
	for i, route := range c.routes {
		c.g.reading = route.Pos
		operations[i] = c.operation(route)
		if !withReplies {
			operations[i] = operations[i].WithoutResults()
		}
	}
	c.g.reading = token.Position{}
	unions, found := c.types.Unions(c.program.Roots)
	made, problems := contract.New(operations, schema.Options{
		Direction: c.o.Direction,
		OpenEnums: c.o.OpenEnums,
		Unions:    unions,
		Check:     proof.Check,
	})
	for _, p := range append(found, problems...) {
		c.found.Add(p) // once, of what two contracts have
	}
	return made
}

func (c *contracts) operation(route registered.Route) contract.Operation {
	operation := contract.Operation{
		Route:            route.Ordering(),
		Pos:              route.Pos,
		DispatchedBy:     route.DispatchedBy,
		Source:           c.source(route.Pos),
		HandledBy:        contract.Handler{Name: route.HandledBy.Name, Source: c.source(route.HandledBy.Pos)},
		FailureUnknown:   route.FailureUnknown,
		UnknownArguments: route.UnknownArguments,
	}
	if route.Cases == nil {
		operation.Payload, operation.Result = c.typeOf(route.Body), c.typeOf(route.Result)
	}
	for _, one := range route.Cases {
		if !one.Otherwise {
			operation.Messages = append(operation.Messages, contract.Message{Name: one.Name, Payload: c.typeOf(one.Body), Result: c.typeOf(one.Result)})
		}
	}
	return operation
}

// typeOf returns nil for nil.
func (c *contracts) typeOf(t types.Type) schema.Type {
	if t == nil {
		return nil
	}
	return c.types.Of(t)
}

// source names a place from the folder of the service's module, the zero Source
// where it isn't in that.
func (c *contracts) source(pos token.Position) contract.Source {
	file := pos.Filename
	if !pos.IsValid() || file == "" {
		return contract.Source{}
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(c.g.Dir, file)
	}
	within, err := filepath.Rel(ModuleOf(c.o.Dir), file)
	if err != nil || !filepath.IsLocal(within) {
		return contract.Source{}
	}
	return contract.Source{File: filepath.ToSlash(within), Line: pos.Line}
}
