package difference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion"
)

// items compares the keywords about arrays, but for the schemas that both have.
func (l *keywordList) items() {
	if l.old.UniqueItems != l.new.UniqueItems {
		what := map[bool]string{true: "all items have to differ", false: "items may be equal"}[l.new.UniqueItems]
		l.add("schema-unique-items-"+string(formOf(l.old.UniqueItems, l.new.UniqueItems)), what, func(to, from *inclusion.Schema) { to.UniqueItems = from.UniqueItems })
	}
	if (l.old.Items == nil) != (l.new.Items == nil) || len(l.old.Tuple) != len(l.new.Tuple) || (l.old.Tuple == nil) != (l.new.Tuple == nil) {
		has := func(s *inclusion.Schema) bool { return s.Items != nil || s.Tuple != nil }
		l.add("schema-items-"+string(formOf(has(l.old), has(l.new))), "the items are described in another way", func(to, from *inclusion.Schema) { to.Items, to.Tuple = from.Items, from.Tuple })
	}
	l.whole("additional-items", "the items after the listed ones are described in another way", func(s *inclusion.Schema) **inclusion.Schema { return &s.AdditionalItems })
	l.whole("contains", "what one of the items has to be is another", func(s *inclusion.Schema) **inclusion.Schema { return &s.Contains })
}

// whole compares a schema that isn't looked into: what it says has another
// meaning, or a change of it is hard to say in words.
func (l *keywordList) whole(keyword, what string, of func(*inclusion.Schema) **inclusion.Schema) {
	old, new := *of(l.old), *of(l.new)
	if !l.prover.Same(old, new) {
		l.add("schema-"+keyword+"-"+string(formOf(old != nil, new != nil)), what, func(to, from *inclusion.Schema) { *of(to) = *of(from) })
	}
}

// members compares the keywords about objects, but for the schemas that both have.
func (l *keywordList) members() {
	for _, p := range l.new.Properties {
		if l.old.Property(p.Name) == nil {
			l.property(p.Name, added, "the field is new")
		}
	}
	for _, p := range l.old.Properties {
		if l.new.Property(p.Name) == nil {
			l.property(p.Name, removed, "the field is gone")
		}
	}
	for _, name := range l.new.Required {
		if !slices.Contains(l.old.Required, name) {
			l.required(name, added, "the field has to be there")
		}
	}
	for _, name := range l.old.Required {
		if !slices.Contains(l.new.Required, name) {
			l.required(name, removed, "the field may be absent")
		}
	}
	if (l.old.AdditionalProperties == nil) != (l.new.AdditionalProperties == nil) {
		f := formOf(l.old.AdditionalProperties != nil, l.new.AdditionalProperties != nil)
		what := map[form]string{added: "fields that aren't listed are described", removed: "fields that aren't listed aren't described any more"}[f]
		l.add("schema-additional-properties-"+string(f), what, func(to, from *inclusion.Schema) { to.AdditionalProperties = from.AdditionalProperties })
	}
	l.patterns()
	l.whole("property-names", "the names that fields may have are others", func(s *inclusion.Schema) **inclusion.Schema { return &s.PropertyNames })
	l.dependencies()
}

func (l *keywordList) property(name string, f form, what string) {
	l.add("schema-property-"+string(f), fmt.Sprintf("%s: %q", what, name), func(to, from *inclusion.Schema) {
		to.Properties = slices.DeleteFunc(slices.Clone(to.Properties), func(p inclusion.Property) bool { return p.Name == name })
		if of := from.Property(name); of != nil {
			to.Properties = append(to.Properties, inclusion.Property{Name: name, Schema: of})
		}
		to.HasProperties = to.HasProperties || from.HasProperties
	})
	l.at("properties", name)
}

func (l *keywordList) required(name string, f form, what string) {
	l.add("schema-required-"+string(f), fmt.Sprintf("%s: %q", what, name), func(to, from *inclusion.Schema) {
		to.Required = slices.DeleteFunc(slices.Clone(to.Required), func(n string) bool { return n == name })
		if slices.Contains(from.Required, name) {
			to.Required = append(to.Required, name)
		}
	})
	l.at("required")
}

func (l *keywordList) patterns() {
	find := func(s *inclusion.Schema, source string) *inclusion.Schema {
		for _, p := range s.PatternProperties {
			if p.Pattern.Source == source {
				return p.Schema
			}
		}
		return nil
	}
	for _, side := range []struct {
		in, other *inclusion.Schema
		form      form
	}{{l.new, l.old, added}, {l.old, l.new, removed}} {
		for _, p := range side.in.PatternProperties {
			if find(side.other, p.Pattern.Source) != nil {
				continue
			}
			verb := map[form]string{added: "are", removed: "aren't any more"}[side.form]
			l.add("schema-pattern-property-"+string(side.form), fmt.Sprintf("fields whose names match %q %s described", p.Pattern.Source, verb), func(to, from *inclusion.Schema) {
				to.PatternProperties = slices.DeleteFunc(slices.Clone(to.PatternProperties), func(of inclusion.PatternProperty) bool { return of.Pattern.Source == p.Pattern.Source })
				if find(from, p.Pattern.Source) != nil {
					to.PatternProperties = append(to.PatternProperties, p)
				}
			})
		}
	}
}

func (l *keywordList) dependencies() {
	same := func(a, b inclusion.Dependency) bool {
		return a.Name == b.Name && sameNames(a.Required, b.Required) && (a.Schema == nil) == (b.Schema == nil) && (a.Schema == nil || l.prover.Same(a.Schema, b.Schema))
	}
	if !slices.EqualFunc(l.old.Dependencies, l.new.Dependencies, same) {
		l.add("schema-dependency-"+string(formOf(l.old.Dependencies != nil, l.new.Dependencies != nil)), "what the presence of a field asks for is another",
			func(to, from *inclusion.Schema) { to.Dependencies = from.Dependencies })
	}
}

// choices compares the keywords that put schemas together.
func (l *keywordList) choices() {
	for _, k := range []struct {
		keyword, what string
		of            func(*inclusion.Schema) *[]*inclusion.Schema
	}{
		{"all-of", "another condition", func(s *inclusion.Schema) *[]*inclusion.Schema { return &s.AllOf }},
		{"any-of", "another alternative", func(s *inclusion.Schema) *[]*inclusion.Schema { return &s.AnyOf }},
		{"one-of", "another alternative", func(s *inclusion.Schema) *[]*inclusion.Schema { return &s.OneOf }},
	} {
		_, onlyOld, onlyNew := matchSchemas(l.prover, *k.of(l.old), *k.of(l.new))
		if len(onlyNew) > 0 {
			l.branches("schema-"+k.keyword+"-added", "there is "+k.what+": "+titles(onlyNew), onlyNew, k.of)
		}
		if len(onlyOld) > 0 {
			l.branches("schema-"+k.keyword+"-removed", "gone is "+titles(onlyOld), onlyOld, k.of)
		}
	}
	l.whole("not", "what is excluded is another", func(s *inclusion.Schema) **inclusion.Schema { return &s.Not })
	p := l.prover
	if !p.Same(l.old.If, l.new.If) || !p.Same(l.old.Then, l.new.Then) || !p.Same(l.old.Else, l.new.Else) {
		l.add("schema-condition-"+string(formOf(l.old.If != nil, l.new.If != nil)), "what holds under a condition is another",
			func(to, from *inclusion.Schema) { to.If, to.Then, to.Else = from.If, from.Then, from.Else })
	}
}

// branches adds a change for schemas that only one list has.
func (l *keywordList) branches(id, what string, alone []*inclusion.Schema, of func(*inclusion.Schema) *[]*inclusion.Schema) {
	l.add(id, what, func(to, from *inclusion.Schema) {
		isAlone := func(s *inclusion.Schema) bool { return slices.Contains(alone, s) }
		list := slices.DeleteFunc(slices.Clone(*of(to)), isAlone)
		if slices.ContainsFunc(*of(from), isAlone) {
			list = append(list, alone...)
		}
		if len(list) == 0 {
			list = nil
		}
		*of(to) = list
	})
}

func titles(all []*inclusion.Schema) string {
	var names []string
	for _, s := range all {
		name := "a schema without a title"
		if at := strings.LastIndexByte(s.Ref, '/'); at >= 0 {
			name = s.Ref[at+1:]
		} else if title := s.Node.Get("title").Str(); title != "" {
			name = title
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// matchSchemas finds the schemas of two lists that are one: those that say the
// same, refer to the same, have the same title, or are the only ones left.
func matchSchemas(p *inclusion.Prover, old, new []*inclusion.Schema) (both [][2]*inclusion.Schema, onlyOld, onlyNew []*inclusion.Schema) {
	left := slices.Clone(new)
	onlyOld = slices.Clone(old)
	for _, same := range []func(a, b *inclusion.Schema) bool{
		p.Same,
		func(a, b *inclusion.Schema) bool { return a.Ref != "" && a.Ref == b.Ref },
		func(a, b *inclusion.Schema) bool {
			return a.Ref == "" && b.Ref == "" && a.Node.Get("title").Str() != "" && a.Node.Get("title").Str() == b.Node.Get("title").Str()
		},
		func(a, b *inclusion.Schema) bool {
			return len(onlyOld) == 1 && len(left) == 1 && a.Ref == "" && b.Ref == ""
		},
	} {
		for _, a := range slices.Clone(onlyOld) {
			i := slices.IndexFunc(left, func(b *inclusion.Schema) bool { return same(a, b) })
			if i < 0 {
				continue
			}
			both = append(both, [2]*inclusion.Schema{a, left[i]})
			left = slices.Delete(left, i, i+1)
			onlyOld = slices.DeleteFunc(onlyOld, func(s *inclusion.Schema) bool { return s == a })
		}
	}
	return both, onlyOld, left
}
