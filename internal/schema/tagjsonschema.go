package schema

import (
	"reflect"
	"slices"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// applyJSONSchema adds the rules of a tag of github.com/invopop/jsonschema. Each
// goes where its keyword has a meaning for the JSON type; others are passed over,
// and so are titles, which are the components' keys here.
func (c constraints) applyJSONSchema(s *Schema, t Type, rules []rule) (required bool) {
	only := c.jsonTypes(s)
	isArray := slices.Contains(only, "array")
	words, elements := &Schema{}, &Schema{}
	for _, r := range rules {
		switch r.name {
		case "required":
			required = true
			c.dropNull(s, t)
		case "description":
			s.Description = paragraphs(r.param)
		case "deprecated":
			s.Deprecated = true
		case "readOnly":
			s.ReadOnly = r.param != "false"
		case "writeOnly":
			s.WriteOnly = r.param != "false"
		case "default", "example":
			c.addValue(s, t, r)
		case "enum":
			target, elem := words, t
			if isArray {
				target, elem = elements, behindPointer(t).Elem()
			}
			c.addEnum(target, elem, r)
		default:
			c.keyword(words, t, only, r)
		}
	}
	s.tighten(words)
	if !elements.IsEmpty() {
		if s.Items == nil {
			s.Items = &Schema{}
		}
		s.Items.tighten(elements)
	}
	return required
}

func (c constraints) addValue(s *Schema, t Type, r rule) {
	value, ok := c.valueOf(s, t, r.param)
	switch {
	case !ok:
		c.report(diagnostic.BadExample, c.t, c.at, "the "+r.name+" "+r.param+" is no JSON", "write it as JSON; only strings need no quotes")
	case r.name == "default":
		s.Default = value
	default:
		s.Examples = append(s.Examples, value)
	}
}

func (c constraints) addEnum(words *Schema, t Type, r rule) {
	if t == nil {
		return
	}
	described := &Schema{Type: c.structure(behindPointer(t))}
	value, ok := c.valueOf(described, t, r.param)
	if !ok {
		c.fault(t, "the rule enum=%s has no value that fits", r.param)
		return
	}
	words.Enum = append(words.Enum, value)
}

// keyword adds a keyword of JSON Schema that bounds text, numbers or arrays.
func (c constraints) keyword(words *Schema, t Type, only Types, r rule) {
	isNumber := slices.Contains(only, "integer") || slices.Contains(only, "number")
	switch r.name {
	case "pattern", "format":
		if !slices.Contains(only, "string") {
			return
		}
		if r.name == "pattern" {
			words.addPattern(r.param)
			return
		}
		words.Format = r.param
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		side := map[string]bound{"min": atLeast, "max": atMost}[r.name[:3]]
		kind := map[string]reflect.Kind{"Length": reflect.String, "Items": reflect.Slice, "Properties": reflect.Map}[r.name[3:]]
		name := map[reflect.Kind]string{reflect.String: "string", reflect.Slice: "array", reflect.Map: "object"}[kind]
		if n, ok := c.count(t, r); ok && slices.Contains(only, name) {
			words.tighten(countWords(side, kind, n))
		}
	case "uniqueItems":
		words.UniqueItems = slices.Contains(only, "array") && r.param != "false"
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		limit, ok := c.number(behindPointer(t), r)
		if ok && isNumber {
			words.tighten(map[string]*Schema{
				"minimum": {Minimum: limit}, "maximum": {Maximum: limit}, "multipleOf": {MultipleOf: limit},
				"exclusiveMinimum": {ExclusiveMinimum: limit}, "exclusiveMaximum": {ExclusiveMaximum: limit},
			}[r.name])
		}
	}
}
