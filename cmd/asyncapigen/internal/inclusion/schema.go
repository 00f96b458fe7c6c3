package inclusion

import (
	"math/big"
	"slices"

	"github.com/warrenmq/warren/internal/jsontree"
)

// A Schema is a JSON Schema of draft-07. The zero Schema accepts everything. A
// copy of one may be changed to ask what a single keyword does.
type Schema struct {
	Node  *jsontree.Node // where it is written; nil for one that isn't
	Never bool           // the schema false

	Ref    string // as written; all other keywords are void beside it
	Target *Schema

	Types            []string // nil for all
	HasEnum          bool
	Enum             []any
	HasConst         bool
	Const            any
	Format           string
	ContentEncoding  string
	ContentMediaType string
	Pattern          *Pattern
	MinLength        *big.Rat
	MaxLength        *big.Rat
	Minimum          *big.Rat
	Maximum          *big.Rat
	ExclusiveMinimum *big.Rat
	ExclusiveMaximum *big.Rat
	MultipleOf       *big.Rat

	Items           *Schema
	Tuple           []*Schema // of an array in items
	AdditionalItems *Schema
	Contains        *Schema
	MinItems        *big.Rat
	MaxItems        *big.Rat
	UniqueItems     bool

	HasProperties        bool
	Properties           []Property
	PatternProperties    []PatternProperty
	AdditionalProperties *Schema
	PropertyNames        *Schema
	Required             []string
	Dependencies         []Dependency
	MinProperties        *big.Rat
	MaxProperties        *big.Rat

	AllOf, AnyOf, OneOf []*Schema
	Not, If, Then, Else *Schema

	// Others are the keywords that don't change what is accepted: texts, and what
	// no validator of draft-07 knows.
	Others []jsontree.Member
}

// A Property is a member that a schema lists.
type Property struct {
	Name   string
	Schema *Schema
}

// A PatternProperty is about all members whose names match.
type PatternProperty struct {
	Pattern *Pattern
	Schema  *Schema
}

// A Dependency is what the presence of a member asks for.
type Dependency struct {
	Name     string
	Required []string // nil where there is a Schema
	Schema   *Schema
}

// Property returns the schema of a listed member, nil for none.
func (s *Schema) Property(name string) *Schema {
	for _, p := range s.Properties {
		if p.Name == name {
			return p.Schema
		}
	}
	return nil
}

// maxRefs is how many references in a row are followed.
const maxRefs = 64

// Resolve follows references to the schema that they end at, nil where they lead in
// a circle.
func (s *Schema) Resolve() *Schema {
	for range maxRefs {
		if s.Target == nil {
			return s
		}
		s = s.Target
	}
	return nil
}

// AllowsType reports whether the keyword type has a type, or isn't there. Integers
// are numbers.
func (s *Schema) AllowsType(name string) bool {
	return s.Types == nil || slices.Contains(s.Types, name) || name == "number" && slices.Contains(s.Types, "integer")
}

// values are those that enum and const allow, and whether they are there.
func (s *Schema) values() ([]any, bool) {
	switch {
	case s.HasConst:
		return []any{s.Const}, true
	case s.HasEnum:
		return s.Enum, true
	}
	return nil, false
}
