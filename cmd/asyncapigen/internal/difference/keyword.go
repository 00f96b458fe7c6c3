package difference

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion"
)

// A keywordChange is a difference of two schemas in one keyword, apart from all
// others.
type keywordChange struct {
	id   string
	what string
	path []string // of the keyword in the schemas
	// take gives a copy of one of the schemas what another one has of it.
	take func(to *inclusion.Schema, from *inclusion.Schema)
}

// A keywordList collects the changes of two schemas.
type keywordList struct {
	prover   *inclusion.Prover
	old, new *inclusion.Schema
	changes  []keywordChange
}

// keywordChanges returns the changes of two schemas themselves: not of those
// within them that are compared on their own.
func keywordChanges(p *inclusion.Prover, old, new *inclusion.Schema) []keywordChange {
	l := &keywordList{prover: p, old: old, new: new}
	if old.Never != new.Never {
		l.add("schema-boolean-schema-changed", "one of the schemas is false, which accepts nothing", func(to, from *inclusion.Schema) { *to = *from })
		return l.changes
	}
	l.types()
	l.enum()
	l.texts()
	l.numbers()
	l.items()
	l.members()
	l.choices()
	return l.changes
}

func (l *keywordList) add(id, what string, take func(to, from *inclusion.Schema)) {
	l.changes = append(l.changes, keywordChange{id: id, what: what, take: take})
}

// at says where the change that was added last stands in the schemas.
func (l *keywordList) at(path ...string) { l.changes[len(l.changes)-1].path = path }

// formOf says how a value went from one to another that is different.
func formOf(inOld, inNew bool) form {
	switch {
	case !inOld:
		return added
	case !inNew:
		return removed
	}
	return changed
}

// types compares the keyword type. Null is told apart: it is what a pointer adds.
func (l *keywordList) types() {
	old, new := l.old.Types, l.new.Types
	if (old == nil) == (new == nil) && sameNames(old, new) {
		return
	}
	take := func(to, from *inclusion.Schema) { to.Types = from.Types }
	what := fmt.Sprintf("the type is %s, and was %s", typeText(new), typeText(old))
	without := func(names []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "null" })
	}
	switch {
	case old != nil && new != nil && sameNames(without(old), without(new)):
		id := "schema-null-added"
		if slices.Contains(old, "null") {
			id = "schema-null-removed"
		}
		l.add(id, what, take)
	case new == nil || old != nil && hasTypes(new, old):
		l.add("schema-type-widened", what, take)
	case old == nil || hasTypes(old, new):
		l.add("schema-type-narrowed", what, take)
	default:
		l.add("schema-type-changed", what, take)
	}
	l.at("type")
}

func hasTypes(all, some []string) bool {
	return !slices.ContainsFunc(some, func(name string) bool {
		return !slices.Contains(all, name) && (name != "integer" || !slices.Contains(all, "number"))
	})
}

func sameNames(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func typeText(types []string) string {
	if types == nil {
		return "any"
	}
	return strings.Join(types, " or ")
}

// enum compares enum and const.
func (l *keywordList) enum() {
	if l.old.HasConst != l.new.HasConst || l.old.HasConst && jsonText(l.old.Const) != jsonText(l.new.Const) {
		l.add("schema-const-"+string(formOf(l.old.HasConst, l.new.HasConst)),
			fmt.Sprintf("the only value is %s, and was %s", constText(l.new), constText(l.old)),
			func(to, from *inclusion.Schema) { to.HasConst, to.Const = from.HasConst, from.Const })
		l.at("const")
	}
	whole := func(to, from *inclusion.Schema) { to.HasEnum, to.Enum = from.HasEnum, from.Enum }
	switch {
	case !l.old.HasEnum && l.new.HasEnum:
		l.add("schema-enum-added", "only the values "+jsonTexts(l.new.Enum)+" are left", whole)
		l.at("enum")
	case l.old.HasEnum && !l.new.HasEnum:
		l.add("schema-enum-removed", "the values aren't enumerated any more", whole)
		l.at("enum")
	default:
		l.enumValues("schema-enum-value-removed", "is no value any more", l.old.Enum, l.new.Enum)
		l.enumValues("schema-enum-value-added", "is a new value", l.new.Enum, l.old.Enum)
	}
}

// enumValues adds a change for the values that only one enumeration has.
func (l *keywordList) enumValues(id, what string, one, other []any) {
	has := make(map[string]bool)
	for _, value := range other {
		has[jsonText(value)] = true
	}
	var alone []any
	for _, value := range one {
		if !has[jsonText(value)] {
			alone = append(alone, value)
		}
	}
	if alone == nil {
		return
	}
	isAlone := func(value any) bool {
		return slices.ContainsFunc(alone, func(v any) bool { return jsonText(v) == jsonText(value) })
	}
	l.add(id, jsonTexts(alone)+" "+what, func(to, from *inclusion.Schema) {
		to.Enum = slices.DeleteFunc(slices.Clone(to.Enum), isAlone)
		if slices.ContainsFunc(from.Enum, isAlone) {
			to.Enum = append(to.Enum, alone...)
		}
	})
	l.at("enum")
}

func constText(s *inclusion.Schema) string {
	if !s.HasConst {
		return "any"
	}
	return jsonText(s.Const)
}

func jsonText(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

func jsonTexts(values []any) string {
	var texts []string
	for _, value := range values[:min(len(values), 10)] {
		texts = append(texts, jsonText(value))
	}
	if len(values) > 10 {
		texts = append(texts, fmt.Sprintf("and %d more", len(values)-10))
	}
	return strings.Join(texts, ", ")
}

// texts compares the keywords whose values are texts.
func (l *keywordList) texts() {
	for _, k := range []struct {
		keyword string
		of      func(*inclusion.Schema) *string
	}{
		{"format", func(s *inclusion.Schema) *string { return &s.Format }},
		{"contentEncoding", func(s *inclusion.Schema) *string { return &s.ContentEncoding }},
		{"contentMediaType", func(s *inclusion.Schema) *string { return &s.ContentMediaType }},
	} {
		old, new := *k.of(l.old), *k.of(l.new)
		if old != new {
			l.add("schema-"+kebab(k.keyword)+"-"+string(formOf(old != "", new != "")), fmt.Sprintf("%s is %s, and was %s", k.keyword, textOrNone(new), textOrNone(old)),
				func(to, from *inclusion.Schema) { *k.of(to) = *k.of(from) })
			l.at(k.keyword)
		}
	}
	source := func(p *inclusion.Pattern) string {
		if p == nil {
			return ""
		}
		return p.Source
	}
	if old, new := source(l.old.Pattern), source(l.new.Pattern); (l.old.Pattern == nil) != (l.new.Pattern == nil) || old != new {
		l.add("schema-pattern-"+string(formOf(l.old.Pattern != nil, l.new.Pattern != nil)), fmt.Sprintf("the pattern is %s, and was %s", textOrNone(new), textOrNone(old)),
			func(to, from *inclusion.Schema) { to.Pattern = from.Pattern })
		l.at("pattern")
	}
}

func textOrNone(text string) string {
	if text == "" {
		return "none"
	}
	return strconv.Quote(text)
}

// numbers compares the keywords whose values are numbers.
func (l *keywordList) numbers() {
	for _, k := range []struct {
		keyword string
		of      func(*inclusion.Schema) **big.Rat
	}{
		{"minimum", func(s *inclusion.Schema) **big.Rat { return &s.Minimum }},
		{"maximum", func(s *inclusion.Schema) **big.Rat { return &s.Maximum }},
		{"exclusiveMinimum", func(s *inclusion.Schema) **big.Rat { return &s.ExclusiveMinimum }},
		{"exclusiveMaximum", func(s *inclusion.Schema) **big.Rat { return &s.ExclusiveMaximum }},
		{"multipleOf", func(s *inclusion.Schema) **big.Rat { return &s.MultipleOf }},
		{"minLength", func(s *inclusion.Schema) **big.Rat { return &s.MinLength }},
		{"maxLength", func(s *inclusion.Schema) **big.Rat { return &s.MaxLength }},
		{"minItems", func(s *inclusion.Schema) **big.Rat { return &s.MinItems }},
		{"maxItems", func(s *inclusion.Schema) **big.Rat { return &s.MaxItems }},
		{"minProperties", func(s *inclusion.Schema) **big.Rat { return &s.MinProperties }},
		{"maxProperties", func(s *inclusion.Schema) **big.Rat { return &s.MaxProperties }},
	} {
		old, new := *k.of(l.old), *k.of(l.new)
		if old == nil && new == nil || old != nil && new != nil && old.Cmp(new) == 0 {
			continue
		}
		how := string(formOf(old != nil, new != nil))
		if old != nil && new != nil && k.keyword != "multipleOf" {
			how = "raised"
			if new.Cmp(old) < 0 {
				how = "lowered"
			}
		}
		l.add("schema-"+kebab(k.keyword)+"-"+how, fmt.Sprintf("%s is %s, and was %s", k.keyword, numberText(new), numberText(old)),
			func(to, from *inclusion.Schema) { *k.of(to) = *k.of(from) })
		l.at(k.keyword)
	}
}

func numberText(n *big.Rat) string {
	if n == nil {
		return "none"
	}
	digits, _ := n.FloatPrec()
	return n.FloatString(min(digits, 20))
}
