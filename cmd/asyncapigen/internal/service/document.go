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
	"github.com/warrenmq/warren/runtime/asyncapi/asyncapi3"
)

// described is what documents are made of.
type described struct {
	routes   []registered.Route
	declared registered.Declared
	sends    []registered.Send
}

// makeDocuments returns the files of the documents, none where a problem is an error.
func (g *Generator) makeDocuments(o *Options, program *load.Program, of described) ([]output.File, diagnostic.List, error) {
	contracts := contracts{described: of, g: g, o: o, program: program, types: gotype.New(program, program.Position)}
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

// contracts are those of a service: the exact document's says nothing of replies, and
// that of AsyncAPI 2.6.0 nothing of what is sent, whose types would be among the
// components.
type contracts struct {
	described
	g       *Generator
	o       *Options
	program *load.Program
	types   *gotype.Types
	found   diagnostic.List

	made map[asyncapi.Form]*contract.Contract
}

// document returns nil where a problem is an error.
func (c *contracts) document(form asyncapi.Form) document {
	made := c.contract(form)
	switch {
	case made == nil:
		return nil
	case form == AsyncAPI3:
		return asyncapi3.FromContract(made, &c.o.Config)
	case form == asyncapi.Extended:
		return asyncapi.ExtendedFromContract(made, &c.o.Config)
	}
	return asyncapi.FromContract(made, &c.o.Config)
}

// contract returns that of a form, nil where a problem is an error.
func (c *contracts) contract(form asyncapi.Form) *contract.Contract {
	made, ok := c.made[form]
	if !ok {
		made = c.make(form)
		if c.made == nil {
			c.made = make(map[asyncapi.Form]*contract.Contract)
		}
		c.made[form] = made
	}
	return made
}

// make returns nil where a problem is an error.
func (c *contracts) make(form asyncapi.Form) *contract.Contract {
	operations := make([]contract.Operation, len(c.routes))
	for i, route := range c.routes {
		c.g.reading = route.Pos
		operations[i] = c.operation(route)
		if form == asyncapi.Exact {
			operations[i] = operations[i].WithoutResults()
		}
	}
	var sends []contract.Send
	if form == AsyncAPI3 {
		sends = c.sent()
	}
	c.g.reading = token.Position{}
	unions, found := c.types.Unions(c.program.Roots)
	made, problems := contract.New(operations, schema.Options{
		Direction: c.o.Direction,
		OpenEnums: c.o.OpenEnums,
		Unions:    unions,
		Check:     proof.Check,
	}, sends...)
	if made != nil {
		made.Declared, made.DeclaredUnknown = c.declared.Topology, c.declared.Unknown
	}
	namesChannelsPlain := c.o.Config.EncodeChannels || form == AsyncAPI3
	for _, p := range append(found, problems...) {
		if p.Code != diagnostic.ChannelName || !namesChannelsPlain {
			c.found.Add(p) // once, of what two contracts have
		}
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
		FailureUnknown:   !route.FailureIsKnown(),
		UnknownArguments: route.UnknownArguments,
		UnknownSettings:  route.UnknownSettings,
	}
	if route.Codec != nil {
		operation.ContentType = route.Codec.ContentTypes()[0]
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

func (c *contracts) sent() []contract.Send {
	all := make([]contract.Send, len(c.sends))
	for i, s := range c.sends {
		c.g.reading = s.Pos
		all[i] = contract.Send{
			Endpoint: s.Endpoint, HeadersUnknown: s.HeadersUnknown,
			Payload: c.typeOf(s.Body), Result: c.typeOf(s.Result), Pos: s.Pos, Source: c.source(s.Pos),
		}
	}
	return all
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
