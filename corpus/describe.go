package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/gotype"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/schema"
)

// A description is what asyncapigen makes of the types of a module.
type description struct {
	module
	written   *schema.Set // a payload for each type, without rules for which random values know nothing
	read      *schema.Set // the same in the other direction
	reflected string      // with rules, but without what only source code says
	constants map[string][]json.RawMessage
}

// describe reads the modules' packages, as asyncapigen reads those that a
// service imports.
func describe(ctx context.Context, found []module) ([]description, error) {
	var patterns []string
	for _, m := range found {
		patterns = append(patterns, m.packages...)
	}
	program, err := load.Packages(ctx, load.Config{Patterns: patterns})
	if err != nil {
		return nil, err
	}
	source := gotype.New(program, program.Position)
	var all []description
	for _, m := range found {
		d := description{module: m, constants: map[string][]json.RawMessage{}}
		var payloads []schema.Type
		for _, t := range m.types {
			object := program.Exported(t.path).Scope().Lookup(t.ident)
			payloads = append(payloads, source.Of(object.Type()))
		}
		d.written = schema.Options{NoRules: true}.Build(payloads)
		d.read = schema.Options{NoRules: true, Direction: schema.Decode}.Build(payloads)
		for _, c := range slices.Concat(d.written.Components, d.read.Components) {
			if named := len(c.Schema.EnumNames); named > 0 { // a zero value that follows them has no name
				d.constants[c.GoName] = c.Schema.Enum[:named]
			}
		}
		if d.reflected, err = document(schema.Options{ReflectionOnly: true}.Build(payloads)); err != nil {
			return nil, fmt.Errorf("describe %s: %w", m.path, err)
		}
		all = append(all, d)
	}
	return all, nil
}

// document writes the schemas of a set in one JSON text.
func document(set *schema.Set) (string, error) {
	var components schema.Properties
	for _, c := range set.Components {
		components = append(components, schema.Property{Name: c.Key, Schema: c.Schema})
	}
	text, err := json.Marshal(struct {
		Schema     string            `json:"$schema"`
		Payloads   []*schema.Schema  `json:"allOf"`
		Components schema.Properties `json:"definitions"`
	}{"http://json-schema.org/draft-07/schema#", set.Payloads, components})
	return string(text), err
}
