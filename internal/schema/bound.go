package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
)

// A bound is a side of a range of numbers, lengths or counts.
type bound int

const (
	atLeast bound = iota
	moreThan
	atMost
	lessThan
)

// bounds are those that rules of the tag validate set.
var bounds = map[string][]bound{
	"min": {atLeast}, "gte": {atLeast}, "gt": {moreThan},
	"max": {atMost}, "lte": {atMost}, "lt": {lessThan},
	"len": {atLeast, atMost},
}

// bound adds bounds of a number, a length or a count.
func (c constraints) bound(words *Schema, t Type, r rule, sides []bound) {
	if r.param == "" && t.Name().qualified() == "time.Time" {
		return // compared with now
	}
	kind := t.Kind()
	switch {
	case isScalar(kind) && kind != reflect.String && kind != reflect.Bool:
		if limit, ok := c.number(t, r); ok {
			for _, side := range sides {
				words.tighten(numberWords(side, limit))
			}
		}
	case isByteSlice(t): // the length of the base64 text is another
	case c.isText(t), kind == reflect.Map, kind == reflect.Slice, kind == reflect.Array:
		if n, ok := c.count(t, r); ok {
			for _, side := range sides {
				words.tighten(countWords(side, kind, n))
			}
		}
	default:
		c.fault(t, "the rule %s isn't for a %s", r.name, kind)
	}
}

func numberWords(side bound, limit json.Number) *Schema {
	switch side {
	case atLeast:
		return &Schema{Minimum: limit}
	case moreThan:
		return &Schema{ExclusiveMinimum: limit}
	case atMost:
		return &Schema{Maximum: limit}
	default:
		return &Schema{ExclusiveMaximum: limit}
	}
}

// countWords bounds the length of text, or the number of elements or members.
func countWords(side bound, kind reflect.Kind, n int) *Schema {
	switch side {
	case moreThan:
		n++
	case lessThan:
		n--
	}
	n = max(n, 0)
	isUpper := side == atMost || side == lessThan
	switch {
	case kind == reflect.String && isUpper:
		return &Schema{MaxLength: &n}
	case kind == reflect.String:
		return &Schema{MinLength: &n}
	case kind == reflect.Map && isUpper:
		return &Schema{MaxProperties: &n}
	case kind == reflect.Map:
		return &Schema{MinProperties: &n}
	case isUpper:
		return &Schema{MaxItems: &n}
	default:
		return &Schema{MinItems: &n}
	}
}

// number reads a rule's parameter as a value of the numeric type t.
func (c constraints) number(t Type, r rule) (json.Number, bool) {
	limit, err := parseLimit(t, r.param)
	if err != nil {
		c.fault(t, "the rule %s=%s has no number that fits", r.name, r.param)
		return "", false
	}
	return limit, true
}

func (c constraints) count(t Type, r rule) (int, bool) {
	var n int
	if _, err := fmt.Sscanf(r.param, "%d", &n); err != nil || fmt.Sprint(n) != r.param || n < 0 {
		c.fault(t, "the rule %s=%s has no length", r.name, r.param)
		return 0, false
	}
	return n, true
}

// checkBounds reports bounds that leave no value.
func (c constraints) checkBounds(s *Schema) {
	whole := *s
	if r, ok := c.refs[s]; ok {
		whole.tighten(&Schema{Minimum: r.target.schema.Minimum, Maximum: r.target.schema.Maximum})
	}
	for _, child := range append([]*Schema{&whole}, s.AnyOf...) {
		if low, high, none := child.emptyRange(); none {
			c.fault(c.t, "its rules leave no value: at least %s and at most %s", low, high)
			return
		}
	}
	if s.Items != nil {
		c.checkBounds(s.Items)
	}
	if s.AdditionalProperties != nil {
		c.checkBounds(s.AdditionalProperties)
	}
}

// emptyRange returns bounds of s that exclude each other.
func (s *Schema) emptyRange() (low, high string, none bool) {
	for _, bounds := range [][2]*int{{s.MinLength, s.MaxLength}, {s.MinItems, s.MaxItems}, {s.MinProperties, s.MaxProperties}} {
		if bounds[0] != nil && bounds[1] != nil && *bounds[0] > *bounds[1] {
			return fmt.Sprint(*bounds[0]), fmt.Sprint(*bounds[1]), true
		}
	}
	for _, bounds := range []struct {
		low, high json.Number
		reach     int
	}{
		{s.Minimum, s.Maximum, 1},
		{s.ExclusiveMinimum, s.Maximum, 0},
		{s.Minimum, s.ExclusiveMaximum, 0},
		{s.ExclusiveMinimum, s.ExclusiveMaximum, 0},
	} {
		if bounds.low != "" && bounds.high != "" && compareNumbers(bounds.low, bounds.high) >= bounds.reach {
			return string(bounds.low), string(bounds.high), true
		}
	}
	return "", "", false
}

// refusesZero reports whether the keywords refuse the zero value of the kind, for
// slices and maps also nil.
func (s *Schema) refusesZero(kind reflect.Kind) bool {
	above := func(n *int) bool { return n != nil && *n > 0 }
	switch kind {
	case reflect.String:
		return above(s.MinLength) || s.Format != "" || s.Pattern != "" || len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, isZeroText)
	case reflect.Slice:
		return above(s.MinItems)
	case reflect.Map:
		return above(s.MinProperties)
	case reflect.Array, reflect.Struct, reflect.Bool:
		return false
	default:
		return s.Minimum != "" && compareNumbers(s.Minimum, "0") > 0 ||
			s.ExclusiveMinimum != "" && compareNumbers(s.ExclusiveMinimum, "0") >= 0 ||
			s.Maximum != "" && compareNumbers(s.Maximum, "0") < 0 ||
			s.ExclusiveMaximum != "" && compareNumbers(s.ExclusiveMaximum, "0") <= 0 ||
			len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, isZeroNumber)
	}
}

func isZeroText(value json.RawMessage) bool   { return string(value) == `""` }
func isZeroNumber(value json.RawMessage) bool { return string(value) == "0" }

func compareNumbers(x, y json.Number) int {
	a, _ := new(big.Rat).SetString(string(x))
	b, _ := new(big.Rat).SetString(string(y))
	if a == nil || b == nil {
		return 0
	}
	return a.Cmp(b)
}
