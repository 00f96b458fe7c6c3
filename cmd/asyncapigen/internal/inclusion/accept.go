package inclusion

import (
	"encoding/base64"
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"unicode/utf8"
)

// Accepts reports whether a validator takes a value, which is as encoding/json has
// it with UseNumber. It is false, too, where that can't be told.
func (p *Prover) Accepts(s *Schema, value any) bool {
	t := trial{p: p}
	ok := t.valid(s, value)
	return ok && !t.unsure
}

// Refuses reports whether a validator takes no such value. It is false, too, where
// that can't be told.
func (p *Prover) Refuses(s *Schema, value any) bool {
	t := trial{p: p}
	ok := t.valid(s, value)
	return !ok && !t.unsure
}

// A trial of a value.
type trial struct {
	p      *Prover
	depth  int  // of schemas within each other
	unsure bool // the result means nothing
}

// maxTrialDepth is how many schemas within each other are tried.
const maxTrialDepth = 2000

// valid tries a value on a schema.
func (t *trial) valid(s *Schema, value any) bool {
	t.depth++
	defer func() { t.depth-- }()
	s = s.Resolve()
	if s == nil || t.depth > maxTrialDepth {
		t.unsure = true
		return false
	}
	if s.Never || !t.scalar(s, value) || !t.array(s, value) || !t.object(s, value) {
		return false
	}
	for _, part := range s.AllOf {
		if !t.valid(part, value) {
			return false
		}
	}
	if s.AnyOf != nil && t.count(s.AnyOf, value) == 0 || s.OneOf != nil && t.count(s.OneOf, value) != 1 {
		return false
	}
	if s.Not != nil && t.valid(s.Not, value) {
		return false
	}
	if s.If == nil {
		return true
	}
	branch := s.Else
	if t.valid(s.If, value) {
		branch = s.Then
	}
	return branch == nil || t.valid(branch, value)
}

// count returns how many of the schemas take a value.
func (t *trial) count(all []*Schema, value any) int {
	n := 0
	for _, s := range all {
		if t.valid(s, value) {
			n++
		}
	}
	return n
}

// kindOf returns the type of a value.
func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

// scalar tries the keywords that aren't about parts.
func (t *trial) scalar(s *Schema, value any) bool {
	kind := kindOf(value)
	if !s.AllowsType(kind) {
		return false
	}
	if values, limited := s.values(); limited && !slices.ContainsFunc(values, func(v any) bool { return sameValue(v, value) }) {
		return false
	}
	if s.HasEnum && s.HasConst && !slices.ContainsFunc(s.Enum, func(v any) bool { return sameValue(v, value) }) {
		return false
	}
	switch value := value.(type) {
	case json.Number:
		return t.number(s, value)
	case string:
		return t.text(s, value)
	}
	return true
}

func (t *trial) number(s *Schema, value json.Number) bool {
	number := rational(value)
	if number == nil {
		t.unsure = true
		return false
	}
	if s.Types != nil && !slices.Contains(s.Types, "number") && !number.IsInt() {
		return false
	}
	var limits interval
	limits.narrow(s)
	return limits.contains(number) && (s.MultipleOf == nil || isMultiple(number, s.MultipleOf))
}

func (t *trial) text(s *Schema, value string) bool {
	if !within(utf8.RuneCountInString(value), s.MinLength, s.MaxLength) {
		return false
	}
	if s.Pattern != nil && !t.matches(s.Pattern, value) {
		return false
	}
	return (s.Format == "" || t.p.hasFormat(s.Format, value)) && isContent(s, value)
}

func (t *trial) matches(pattern *Pattern, text string) bool {
	ok, err := pattern.match(text)
	t.unsure = t.unsure || err != nil
	return ok
}

// isContent reports whether a text is what contentEncoding and contentMediaType say,
// as far as validators check them.
func isContent(s *Schema, text string) bool {
	content := []byte(text)
	if s.ContentEncoding == "base64" {
		var err error
		if content, err = base64.StdEncoding.DecodeString(text); err != nil {
			return false
		}
	}
	return s.ContentMediaType != "application/json" || json.Valid(content)
}

// within reports whether a count is between two bounds, nil for none.
func within(n int, low, high *big.Rat) bool {
	return interval{low: low, high: high}.contains(integer(n))
}

func (t *trial) array(s *Schema, value any) bool {
	array, ok := value.([]any)
	if !ok {
		return true
	}
	if !within(len(array), s.MinItems, s.MaxItems) || s.UniqueItems && hasTwins(array) {
		return false
	}
	for i, item := range array {
		if of := s.item(i); of != nil && !t.valid(of, item) {
			return false
		}
	}
	return s.Contains == nil || slices.ContainsFunc(array, func(item any) bool { return t.valid(s.Contains, item) })
}

// item returns the schema of the item at an index, nil for none.
func (s *Schema) item(i int) *Schema {
	switch {
	case s.Tuple == nil:
		return s.Items
	case i < len(s.Tuple):
		return s.Tuple[i]
	}
	return s.AdditionalItems
}

func hasTwins(array []any) bool {
	for i, item := range array {
		if slices.ContainsFunc(array[:i], func(other any) bool { return sameValue(item, other) }) {
			return true
		}
	}
	return false
}

func (t *trial) object(s *Schema, value any) bool {
	object, ok := value.(map[string]any)
	if !ok {
		return true
	}
	if !within(len(object), s.MinProperties, s.MaxProperties) {
		return false
	}
	for _, name := range s.Required {
		if _, ok := object[name]; !ok {
			return false
		}
	}
	for name, member := range object {
		of, err := s.member(name)
		t.unsure = t.unsure || err != nil
		for _, schema := range of {
			if !t.valid(schema, member) {
				return false
			}
		}
		if s.PropertyNames != nil && !t.valid(s.PropertyNames, name) {
			return false
		}
	}
	return t.dependencies(s, object)
}

func (t *trial) dependencies(s *Schema, object map[string]any) bool {
	for _, d := range s.Dependencies {
		if _, ok := object[d.Name]; !ok {
			continue
		}
		for _, name := range d.Required {
			if _, ok := object[name]; !ok {
				return false
			}
		}
		if d.Schema != nil && !t.valid(d.Schema, object) {
			return false
		}
	}
	return true
}

// member returns the schemas of the member of a name: none where s says nothing
// about it.
func (s *Schema) member(name string) ([]*Schema, error) {
	var all []*Schema
	if p := s.Property(name); p != nil {
		all = append(all, p)
	}
	for _, p := range s.PatternProperties {
		matches, err := p.Pattern.match(name)
		if err != nil {
			return nil, err
		}
		if matches {
			all = append(all, p.Schema)
		}
	}
	if all == nil && s.AdditionalProperties != nil {
		all = append(all, s.AdditionalProperties)
	}
	return all, nil
}

// sameValue reports whether two values are one to JSON Schema: 1 is 1.0.
func sameValue(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		if !ok {
			return false
		}
		x, y := rational(a), rational(b)
		if x == nil || y == nil {
			return a == b
		}
		return x.Cmp(y) == 0
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, sameValue)
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, value := range a {
			other, ok := b[name]
			if !ok || !sameValue(value, other) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}
