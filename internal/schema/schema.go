package schema

import (
	"encoding/json"
	"fmt"
	"slices"
)

// RefPrefix is the JSON pointer that precedes a component's key in a $ref.
const RefPrefix = "#/components/schemas/"

// A Schema is a JSON Schema of the kind that AsyncAPI 2.6 documents carry. Its
// keywords are marshalled in the order of the fields. The zero Schema accepts
// everything and is marshalled as {}.
type Schema struct {
	Ref                  string            `json:"$ref,omitempty"` // the only keyword where it is set
	Title                string            `json:"title,omitempty"`
	Description          string            `json:"description,omitempty"`
	Deprecated           bool              `json:"deprecated,omitempty"`
	ReadOnly             bool              `json:"readOnly,omitempty"`
	WriteOnly            bool              `json:"writeOnly,omitempty"`
	Type                 Types             `json:"type,omitempty"`
	Enum                 []json.RawMessage `json:"enum,omitempty"`
	EnumNames            []string          `json:"x-enum-varnames,omitempty"`     // in the order of Enum, which may have more
	EnumDescriptions     []string          `json:"x-enum-descriptions,omitempty"` // likewise
	Const                json.RawMessage   `json:"const,omitempty"`
	Format               string            `json:"format,omitempty"`
	ContentEncoding      string            `json:"contentEncoding,omitempty"`
	ContentMediaType     string            `json:"contentMediaType,omitempty"`
	Pattern              string            `json:"pattern,omitempty"`
	MinLength            *int              `json:"minLength,omitempty"`
	MaxLength            *int              `json:"maxLength,omitempty"`
	Minimum              json.Number       `json:"minimum,omitempty"`
	Maximum              json.Number       `json:"maximum,omitempty"`
	ExclusiveMinimum     json.Number       `json:"exclusiveMinimum,omitempty"`
	ExclusiveMaximum     json.Number       `json:"exclusiveMaximum,omitempty"`
	MultipleOf           json.Number       `json:"multipleOf,omitempty"`
	Items                *Schema           `json:"items,omitempty"`
	Contains             *Schema           `json:"contains,omitempty"`
	MinItems             *int              `json:"minItems,omitempty"`
	MaxItems             *int              `json:"maxItems,omitempty"`
	UniqueItems          bool              `json:"uniqueItems,omitempty"`
	Properties           Properties        `json:"properties,omitempty"`
	PatternProperties    Properties        `json:"patternProperties,omitempty"`
	Required             []string          `json:"required,omitempty"` // in the order of Properties
	AdditionalProperties *Schema           `json:"additionalProperties,omitempty"`
	PropertyNames        *Schema           `json:"propertyNames,omitempty"`
	MinProperties        *int              `json:"minProperties,omitempty"`
	MaxProperties        *int              `json:"maxProperties,omitempty"`
	AllOf                []*Schema         `json:"allOf,omitempty"`
	AnyOf                []*Schema         `json:"anyOf,omitempty"`
	OneOf                []*Schema         `json:"oneOf,omitempty"`
	Not                  *Schema           `json:"not,omitempty"`
	If                   *Schema           `json:"if,omitempty"`
	Then                 *Schema           `json:"then,omitempty"`
	Else                 *Schema           `json:"else,omitempty"`
	Discriminator        string            `json:"discriminator,omitempty"` // a property's name, as AsyncAPI has it
	Default              json.RawMessage   `json:"default,omitempty"`
	Examples             []json.RawMessage `json:"examples,omitempty"`

	// Sample is a text that the Go type itself reads, where the keywords accept many that
	// it doesn't; "" where none is known. It is for examples, and no keyword.
	Sample string `json:"-"`
}

// IsEmpty reports whether s is marshalled as {}: it says nothing about a value.
// A nil Schema is empty.
func (s *Schema) IsEmpty() bool {
	if s == nil {
		return true
	}
	text, err := s.MarshalJSON()
	return err == nil && string(text) == "{}"
}

// MarshalJSON writes s without escaping <, > and &. A caller that marshals s as
// part of a larger value turns the escaping off itself, see
// [json.Encoder.SetEscapeHTML].
func (s Schema) MarshalJSON() ([]byte, error) {
	type plain Schema
	return marshal(plain(s))
}

// Types are the JSON types that a schema accepts. One alone is marshalled as a
// string, which every tool reads; several as an array.
type Types []string

// MarshalJSON implements [json.Marshaler].
func (t Types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return marshal(t[0])
	}
	return marshal([]string(t))
}

// UnmarshalJSON reads a string or an array of strings.
func (t *Types) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*t = Types{one}
		return nil
	}
	var several []string
	if err := json.Unmarshal(text, &several); err != nil {
		return fmt.Errorf("read the schema keyword \"type\": want a string or an array of strings: %w", err)
	}
	*t = several
	return nil
}

// Has reports whether name is one of t.
func (t Types) Has(name string) bool { return slices.Contains(t, name) }

// A Property is one named member of an object.
type Property struct {
	Name   string
	Schema *Schema
}

// Properties are the members of an object. They are marshalled as a JSON object
// in their own order, which is that of the Go fields.
type Properties []Property

// Get returns the schema of the property called name, nil where there is none.
func (p Properties) Get(name string) *Schema {
	for _, property := range p {
		if property.Name == name {
			return property.Schema
		}
	}
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (p Properties) MarshalJSON() ([]byte, error) {
	return MarshalObject(func(yield func(string, any) bool) {
		for _, property := range p {
			if !yield(property.Name, property.Schema) {
				return
			}
		}
	})
}

// UnmarshalJSON reads a JSON object and keeps the order of its members.
func (p *Properties) UnmarshalJSON(text []byte) error {
	var properties Properties
	err := UnmarshalObject(text, func(name string, decode func(any) error) error {
		property := Property{Name: name}
		if err := decode(&property.Schema); err != nil {
			return fmt.Errorf("property %q: %w", name, err)
		}
		properties = append(properties, property)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read schema properties: %w", err)
	}
	*p = properties
	return nil
}
