package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// constrain adds the rules that the tags validate and jsonschema state of a
// member, so that the schema describes the values which the program takes for
// valid. It reports whether the rules require the member.
func (b *builder) constrain(s *Schema, m member, at place) (required bool) {
	validate, jsonschema := m.field.Tag.Get("validate"), m.field.Tag.Get("jsonschema")
	if b.NoRules || validate == "" && jsonschema == "" {
		return false
	}
	c := constraints{builder: b, t: m.field.Type, at: at, omits: m.tag.OmitEmpty || m.tag.OmitZero}
	if validate != "" && validate != "-" {
		rules := validateRules(validate)
		if b.quoted(m) != nil || b.reshaped(m) { // rules are about the value, not about its text
			required = hasRule(rules, "required")
		} else {
			required = c.apply(s, m.field.Type, rules)
		}
		if required {
			b.dropNull(s, m.field.Type)
		}
	}
	if jsonschema != "" && jsonschema != "-" {
		required = c.applyJSONSchema(s, m.field.Type, jsonschemaRules(jsonschema)) || required
	}
	c.checkBounds(s)
	return required
}

// constraints are being added to the schema of a member.
type constraints struct {
	*builder
	t     Type // of the member
	at    place
	omits bool // the zero value isn't written
}

func (c constraints) fault(t Type, format string, values ...any) {
	c.report(diagnostic.BadConstraint, t, c.at, fmt.Sprintf(format, values...), "correct the tag, or the field's type")
}

// apply adds the rules of the tag validate for a t that s describes. It reports
// whether the rules refuse nil and the zero value.
func (c constraints) apply(s *Schema, t Type, rules []rule) (required bool) {
	own, inner, dives := cutRules(rules, "dive")
	isPointer := t.Kind() == reflect.Pointer
	target := t
	for target.Kind() == reflect.Pointer {
		target = target.Elem()
	}
	words := &Schema{}
	for _, r := range own {
		c.rule(words, target, r)
	}
	optional := hasRule(own, "omitempty") || hasRule(own, "omitnil") || hasRule(own, "omitzero")
	required = hasRule(own, "required")
	switch {
	case required:
		if c.isText(target) && !isPointer && !c.isRef(s) {
			words.tighten(&Schema{MinLength: new(1)})
		}
	case optional && !isPointer && !c.omits && words.refusesZero(target.Kind()):
		words = &Schema{AnyOf: []*Schema{{Enum: []json.RawMessage{json.RawMessage(zeroOf(target.Kind()))}}, words}}
	case !optional && !words.IsEmpty():
		required = isPointer || words.refusesZero(target.Kind())
	}
	if required {
		c.dropNull(s, t)
	}
	s.tighten(words)
	if dives {
		c.dive(s, target, inner)
	}
	return required
}

// dive adds the rules of the elements of a slice, an array or a map.
func (c constraints) dive(s *Schema, t Type, rules []rule) {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		c.within(&s.Items, t.Elem(), rules)
	case reflect.Map:
		if keys, rest, found := cutRules(rules, "endkeys"); found && len(keys) > 0 && keys[0].name == "keys" {
			if c.isText(t.Key()) {
				c.within(&s.PropertyNames, t.Key(), keys[1:])
			}
			rules = rest
		}
		c.within(&s.AdditionalProperties, t.Elem(), rules)
	case reflect.Interface:
	default:
		c.fault(t, "the rule dive is for slices, arrays and maps")
	}
}

// within adds the rules to the schema of a part, which may be nil. The zero value
// of a part is always written.
func (c constraints) within(part **Schema, t Type, rules []rule) {
	c.omits = false
	if *part != nil {
		c.apply(*part, t, rules)
		return
	}
	added := &Schema{}
	c.apply(added, t, rules)
	if !added.IsEmpty() {
		*part = added
	}
}

// dropNull makes s refuse null.
func (b *builder) dropNull(s *Schema, t Type) {
	if r, ok := b.refs[s]; ok {
		b.refs[s] = reference{target: r.target}
		if kind := t.Kind(); (kind == reflect.Slice || kind == reflect.Map) && b.hasForm(t) {
			s.Type = b.structure(t)
		}
		return
	}
	s.Type = slices.DeleteFunc(s.Type, func(name string) bool { return name == "null" })
}

// hasForm reports whether the JSON of a t is that of its kind, so that rules
// about the Go value are rules about the JSON.
func (b *builder) hasForm(t Type) bool {
	return !writesItself(t) && !readsItself(t) && t.Method(JSONSchema) == NoReceiver &&
		len(b.directives(t, SchemaDirective)) == 0
}

// isText reports whether the JSON of a t is the Go string.
func (c constraints) isText(t Type) bool {
	return t.Kind() == reflect.String && !isJSONNumber(t.Name()) && c.hasForm(t)
}

// rule adds one rule of the tag validate. Those that have no keyword in JSON
// Schema, and those that aren't known, are passed over.
func (c constraints) rule(words *Schema, t Type, r rule) {
	if !c.hasForm(t) || t.Kind() == reflect.Interface {
		return
	}
	switch r.name {
	case "min", "gte", "gt", "max", "lte", "lt", "len":
		c.bound(words, t, r, bounds[r.name])
	case "oneof":
		c.values(words, t, r, splitQuoted(r.param))
	case "eq":
		c.values(words, t, r, []string{r.param})
	case "unique":
		if kind := t.Kind(); (kind == reflect.Slice || kind == reflect.Array) && r.param == "" && isScalar(t.Elem().Kind()) && !isByteSlice(t) {
			words.UniqueItems = true
		}
	default:
		c.format(words, t, r)
	}
}

func isByteSlice(t Type) bool { return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 }

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

// values adds an enumeration.
func (c constraints) values(words *Schema, t Type, r rule, texts []string) {
	kind := t.Kind()
	switch {
	case c.isText(t):
	case isInteger(kind), r.name == "eq" && (kind == reflect.Float32 || kind == reflect.Float64):
	case r.name == "eq":
		return
	default:
		c.fault(t, "the rule %s isn't for a %s", r.name, kind)
		return
	}
	for _, text := range texts {
		value := json.RawMessage(text)
		if c.isText(t) {
			value, _ = marshal(text)
		} else if limit, ok := c.number(t, rule{r.name, text}); ok {
			value = json.RawMessage(limit)
		} else {
			return
		}
		if !slices.ContainsFunc(words.Enum, func(other json.RawMessage) bool { return string(other) == string(value) }) {
			words.Enum = append(words.Enum, value)
		}
	}
}

// formats are the rules of the tag validate that JSON Schema has a format for.
var formats = map[string]string{
	"email": "email", "url": "uri", "http_url": "uri", "hostname": "hostname", "ipv4": "ipv4", "ipv6": "ipv6",
	"uuid": "uuid", "uuid3": "uuid", "uuid4": "uuid", "uuid5": "uuid",
}

// classes are those that are a pattern.
var classes = map[string]string{
	"alpha": "^[a-zA-Z]+$", "alphanum": "^[a-zA-Z0-9]+$", "number": "^[0-9]+$", "hexadecimal": "^(0[xX])?[0-9a-fA-F]+$",
}

// layouts are the times that JSON Schema has a format for.
var layouts = map[string]string{"2006-01-02": "date", "2006-01-02T15:04:05Z07:00": "date-time"}

func (c constraints) format(words *Schema, t Type, r rule) {
	format, pattern := formats[r.name], classes[r.name]
	if r.name == "datetime" {
		format = layouts[r.param]
	}
	switch {
	case format == "" && pattern == "":
	case c.isText(t):
		words.tighten(&Schema{Format: format, Pattern: pattern})
	case isScalar(t.Kind()) && pattern == "":
		c.fault(t, "the rule %s is for strings, and this is a %s", r.name, t.Kind())
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

// splitQuoted divides a list at spaces, quoted parts aside.
func splitQuoted(list string) []string {
	var parts []string
	for list = strings.TrimSpace(list); list != ""; list = strings.TrimSpace(list) {
		end, skip := strings.IndexByte(list, ' '), 0
		if list[0] == '\'' {
			if quote := strings.IndexByte(list[1:], '\''); quote >= 0 {
				parts = append(parts, list[1:1+quote])
				list = list[quote+2:]
				continue
			}
		}
		if end < 0 {
			end = len(list)
		}
		parts = append(parts, list[skip:end])
		list = list[end:]
	}
	return parts
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
