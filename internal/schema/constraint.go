package schema

import (
	"encoding/json"
	"fmt"
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
