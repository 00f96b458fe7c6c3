package example

import (
	"encoding/json"
	"slices"

	"github.com/warrenmq/warren/internal/schema"
)

// accepts reports whether s surely accepts a value, as a validator of draft-07
// does. What can't be decided counts as refused.
func (m *Maker) accepts(s *schema.Schema, value any) bool {
	return m.judge(s, value) == yes
}

// A verdict is what is known of a value and a schema.
type verdict int

const (
	no verdict = iota
	unsure
	yes
)

func verdictOf(holds bool) verdict {
	if holds {
		return yes
	}
	return no
}

// judge is unsure of a schema that isn't there, and when it is tired.
func (m *Maker) judge(s *schema.Schema, value any) verdict {
	if s = m.resolve(s); s == nil || m.tired() {
		return unsure
	}
	all := yes
	and := func(v verdict) { all = min(all, v) }
	and(verdictOf(len(s.Type) == 0 || isOfTypes(s.Type, value)))
	and(verdictOf(s.Enum == nil || slices.ContainsFunc(s.Enum, func(one json.RawMessage) bool { return isValue(one, value) })))
	and(verdictOf(s.Const == nil || isValue(s.Const, value)))
	if all == no {
		return no
	}
	switch value := value.(type) {
	case json.Number:
		and(judgeNumber(s, value))
	case string:
		and(m.judgeText(s, value))
	case []any:
		and(m.judgeArray(s, value))
	case *object:
		and(m.judgeObject(s, value))
	}
	if all == no {
		return no
	}
	return min(all, m.judgeCombined(s, value))
}

// judgeText is sure of a refusal only where it doesn't depend on a pattern or a
// format that isn't understood.
func (m *Maker) judgeText(s *schema.Schema, text string) verdict {
	if m.isText(s, text) {
		return yes
	}
	if s.Pattern != "" && m.pattern(s.Pattern) == nil || s.Format != "" || s.ContentEncoding != "" || s.ContentMediaType != "" {
		return unsure
	}
	return no
}

func isValue(text json.RawMessage, value any) bool {
	parsed, err := parse(text)
	return err == nil && equal(parsed, value)
}

func isOfTypes(types schema.Types, value any) bool {
	switch value.(type) {
	case nil:
		return types.Has("null")
	case bool:
		return types.Has("boolean")
	case string:
		return types.Has("string")
	case []any:
		return types.Has("array")
	case *object:
		return types.Has("object")
	}
	return types.Has("number") || types.Has("integer") && rational(value.(json.Number)).IsInt()
}

func (m *Maker) judgeArray(s *schema.Schema, items []any) verdict {
	if s.MinItems != nil && len(items) < *s.MinItems || s.MaxItems != nil && len(items) > *s.MaxItems {
		return no
	}
	if s.UniqueItems {
		for i := range items {
			if slices.ContainsFunc(items[:i], func(other any) bool { return equal(other, items[i]) }) {
				return no
			}
		}
	}
	all := yes
	for _, item := range items {
		if s.Items != nil {
			all = min(all, m.judge(s.Items, item))
		}
	}
	if s.Contains != nil {
		some := no
		for _, item := range items {
			some = max(some, m.judge(s.Contains, item))
		}
		all = min(all, some)
	}
	return all
}

func (m *Maker) judgeObject(s *schema.Schema, members *object) verdict {
	n := len(members.names)
	if s.MinProperties != nil && n < *s.MinProperties || s.MaxProperties != nil && n > *s.MaxProperties {
		return no
	}
	for _, name := range s.Required {
		if _, ok := members.values[name]; !ok {
			return no
		}
	}
	all := yes
	for _, name := range members.names {
		if s.PropertyNames != nil {
			all = min(all, m.judge(s.PropertyNames, name))
		}
		for _, part := range m.schemasOf(s, name) {
			all = min(all, m.judge(part, members.values[name]))
		}
	}
	return all
}

// schemasOf returns those of a member, nil among them for one that can't be decided.
func (m *Maker) schemasOf(s *schema.Schema, name string) []*schema.Schema {
	var all []*schema.Schema
	if own := s.Properties.Get(name); own != nil {
		all = append(all, own)
	}
	for _, property := range s.PatternProperties {
		p := m.pattern(property.Name)
		if p == nil {
			all = append(all, nil)
		} else if p.match.MatchString(name) {
			all = append(all, property.Schema)
		}
	}
	if len(all) == 0 && s.AdditionalProperties != nil {
		all = append(all, s.AdditionalProperties)
	}
	return all
}

// judgeCombined is about the keywords that combine schemas.
func (m *Maker) judgeCombined(s *schema.Schema, value any) verdict {
	all := yes
	for _, part := range s.AllOf {
		all = min(all, m.judge(part, value))
	}
	if s.AnyOf != nil {
		some := no
		for _, part := range s.AnyOf {
			some = max(some, m.judge(part, value))
		}
		all = min(all, some)
	}
	if s.OneOf != nil {
		all = min(all, m.judgeOneOf(s.OneOf, value))
	}
	if s.Not != nil {
		all = min(all, yes-m.judge(s.Not, value))
	}
	if s.If != nil {
		switch m.judge(s.If, value) {
		case unsure:
			all = min(all, unsure)
		case yes:
			all = min(all, m.judgeOptional(s.Then, value))
		case no:
			all = min(all, m.judgeOptional(s.Else, value))
		}
	}
	return all
}

func (m *Maker) judgeOptional(s *schema.Schema, value any) verdict {
	if s == nil {
		return yes
	}
	return m.judge(s, value)
}

func (m *Maker) judgeOneOf(parts []*schema.Schema, value any) verdict {
	counts := map[verdict]int{}
	for _, part := range parts {
		counts[m.judge(part, value)]++
	}
	switch {
	case counts[yes] > 1 || counts[yes]+counts[unsure] == 0:
		return no
	case counts[unsure] > 0:
		return unsure
	}
	return yes
}
