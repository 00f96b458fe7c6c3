package docpage

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/jsontree"
)

const componentSchemas = "#/components/schemas/"

// maxEnum is how many values of an enumeration are listed where it is used; its own
// entry lists maxOwnEnum.
const (
	maxEnum    = 12
	maxOwnEnum = 500
)

// components returns the schemas of the document.
func (r *reader) components() []*schema {
	var all []*schema
	for _, m := range members(r.root.Get("components").Get("schemas")) {
		s := r.schemaOf(m.Value, maxOwnEnum)
		s.Name, s.ID = m.Name, r.componentID(m.Name)
		s.Facts = withoutFact(s.Facts, "title", m.Name)
		all = append(all, s)
	}
	return all
}

// componentID returns the id of a component's element.
func (r *reader) componentID(key string) string {
	return r.ids.of("schema", componentSchemas+key, key)
}

func withoutFact(facts []fact, name, value string) []fact {
	return slices.DeleteFunc(facts, func(f fact) bool { return f.Name == name && f.Value == value })
}

// schema describes a schema where it is used.
func (r *reader) schema(n *jsontree.Node) *schema { return r.schemaOf(n, maxEnum) }

func (r *reader) schemaOf(n *jsontree.Node, most int) *schema {
	s := &schema{Type: "any"}
	switch {
	case n == nil:
		return s
	case n.Kind == jsontree.Bool && !n.Bool:
		s.Type = "nothing"
		return s
	case n.Kind != jsontree.Object:
		return s
	}
	if ref := n.Get("$ref"); ref != nil {
		r.reference(s, n, ref, most)
		return s
	}
	if all := n.Get("allOf"); all != nil && len(all.Items) == 1 && all.Items[0].Get("$ref") != nil && n.Get("type") == nil {
		r.reference(s, all.Items[0], all.Items[0].Get("$ref"), most) // with a description beside it
	} else {
		s.Type = r.typeText(n)
		r.parts(s, n)
		s.Opens = len(s.Children) > 0
		s.flatten()
	}
	r.annotations(s, n, most)
	return s
}

// flatten shows what the elements of an array or a map are in place of the array,
// where they are a component and the type has said the rest.
func (s *schema) flatten() {
	if len(s.Children) != 1 {
		return
	}
	only := s.Children[0]
	if (only.Role == "items" || only.Role == "values") && only.RefID != "" && only.Opens && only.Description == "" && len(only.Facts) == 0 {
		s.Ref, s.RefID, s.Elements, s.Children = only.Ref, only.RefID, true, nil
	}
}

// reference describes a schema that is another one. What has no parts is described
// in its place.
func (r *reader) reference(s *schema, n, ref *jsontree.Node, most int) {
	s.Ref = lastStep(ref.Str())
	target, pointer, err := r.root.Resolve(n, "")
	if err != nil {
		s.Facts = append(s.Facts, fact{Name: "reference", Value: ref.Str(), Code: true})
		r.note(err.Error())
		return
	}
	s.Type = r.typeText(target)
	key, isComponent := strings.CutPrefix(pointer, componentSchemas)
	isComponent = isComponent && r.root.Get("components").Get("schemas").Get(key) == target
	if isComponent {
		s.Ref, s.RefID = key, r.componentID(key)
	}
	if hasParts(target) {
		s.Opens = isComponent
		return
	}
	r.annotations(s, target, most)
	s.Description, s.Facts = "", withoutFact(s.Facts, "title", s.Ref)
}

func lastStep(pointer string) string { return pointer[strings.LastIndexByte(pointer, '/')+1:] }

// partKeywords are those with schemas in them.
var partKeywords = []string{
	"properties", "patternProperties", "additionalProperties", "propertyNames", "items", "additionalItems", "contains",
	"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependencies", "definitions",
}

func hasParts(n *jsontree.Node) bool {
	return slices.ContainsFunc(partKeywords, func(keyword string) bool {
		part := n.Get(keyword)
		return part != nil && (part.Kind == jsontree.Object || part.Kind == jsontree.Array)
	})
}

// typeText says in words what a schema is.
func (r *reader) typeText(n *jsontree.Node) string { return r.typeTextWithin(n, 0) }

func (r *reader) typeTextWithin(n *jsontree.Node, depth int) string {
	const deepest = 4
	if ref := n.Get("$ref"); ref != nil {
		return lastStep(ref.Str())
	}
	types := textsOf(n.Get("type"))
	if n.Get("type").Str() != "" {
		types = []string{n.Get("type").Str()}
	}
	for i, name := range types {
		switch {
		case depth > deepest:
		case name == "array" && n.Get("items") != nil && n.Get("items").Kind == jsontree.Object:
			types[i] = "array of " + r.typeTextWithin(n.Get("items"), depth+1)
		case name == "object" && n.Get("properties") == nil && n.Get("additionalProperties") != nil && n.Get("additionalProperties").Kind == jsontree.Object:
			types[i] = "map of " + r.typeTextWithin(n.Get("additionalProperties"), depth+1)
		}
	}
	text := strings.Join(types, " or ")
	if len(types) == 0 {
		text = untyped(n)
	}
	if format := n.Get("format").Str(); format != "" {
		text += " (" + format + ")"
	}
	return text
}

// untyped says what a schema without a type is.
func untyped(n *jsontree.Node) string {
	for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
		if n.Get(keyword) != nil {
			return map[string]string{"oneOf": "one of", "anyOf": "any of", "allOf": "all of"}[keyword]
		}
	}
	switch {
	case n.Get("const") != nil, n.Get("enum") != nil:
		return "constant"
	case n.Get("properties") != nil:
		return "object, if it is one"
	}
	return "any"
}

// parts adds the schemas that are in a schema.
func (r *reader) parts(s *schema, n *jsontree.Node) {
	required := textsOf(n.Get("required"))
	properties := members(n.Get("properties"))
	for _, m := range properties {
		child := r.schema(m.Value)
		child.Name, child.Required = m.Name, slices.Contains(required, m.Name)
		s.Children = append(s.Children, child)
	}
	for _, name := range required {
		if n.Get("properties").Get(name) == nil {
			s.Children = append(s.Children, &schema{Name: name, Type: "any", Required: true})
		}
	}
	for _, m := range members(n.Get("patternProperties")) {
		r.part(s, "names like /"+m.Name+"/", m.Value)
	}
	for _, part := range [...]struct{ keyword, role string }{
		{"additionalProperties", "values"},
		{"items", "items"},
		{"additionalItems", "further items"},
		{"propertyNames", "names"},
		{"contains", "contains"},
		{"not", "not"},
		{"if", "if"},
		{"then", "then"},
		{"else", "else"},
	} {
		r.keywordPart(s, part.keyword, part.role, n.Get(part.keyword))
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, one := range items(n.Get(keyword)) {
			r.part(s, strings.TrimSuffix(keyword, "Of")+" of", one)
		}
	}
	for _, keyword := range []string{"dependencies", "definitions"} {
		for _, m := range members(n.Get(keyword)) {
			if m.Value.Kind == jsontree.Array {
				s.Facts = append(s.Facts, fact{Name: m.Name + " requires", Value: strings.Join(textsOf(m.Value), ", "), Code: true})
				continue
			}
			r.part(s, map[string]string{"dependencies": "with ", "definitions": "definition "}[keyword]+m.Name, m.Value)
		}
	}
}

// keywordPart adds the schema of a keyword.
func (r *reader) keywordPart(s *schema, keyword, role string, n *jsontree.Node) {
	switch {
	case n == nil:
	case keyword == "additionalProperties" && n.Kind == jsontree.Bool && !n.Bool:
		s.Facts = append(s.Facts, fact{Value: "no other members"})
	case keyword == "items" && n.Kind == jsontree.Array:
		for _, item := range n.Items {
			r.part(s, "item", item)
		}
	case n.Kind == jsontree.Object && len(n.Members) > 0:
		r.part(s, role, n)
	}
}

// part adds a schema that has no name, unless its type says all that there is.
func (r *reader) part(s *schema, role string, n *jsontree.Node) {
	child := r.schema(n)
	child.Role = role
	plain := child.Description == "" && len(child.Facts)+len(child.Enum)+len(child.Examples)+len(child.Children) == 0 && child.RefID == ""
	if plain && (role == "items" || role == "values") {
		return
	}
	s.Children = append(s.Children, child)
}

// annotations adds all that isn't a schema.
func (r *reader) annotations(s *schema, n *jsontree.Node, most int) {
	if text := n.Get("description").Str(); text != "" {
		s.Description = text
	}
	s.Deprecated = s.Deprecated || isTrue(n.Get("deprecated"))
	s.Facts = append(s.Facts, constraints(n)...)
	for _, one := range items(n.Get("examples")) {
		s.Examples = append(s.Examples, compact(one))
	}
	r.enum(s, n, most)
}

func (r *reader) enum(s *schema, n *jsontree.Node, most int) {
	names, descriptions := textsOf(n.Get("x-enum-varnames")), textsOf(n.Get("x-enum-descriptions"))
	at := func(texts []string, i int) string {
		if i < len(texts) {
			return texts[i]
		}
		return ""
	}
	values := items(n.Get("enum"))
	for i, value := range values {
		if i == most {
			s.More = len(values) - most
			return
		}
		s.Enum = append(s.Enum, enumValue{compact(value), at(names, i), at(descriptions, i)})
	}
}

// readApart are the keywords that aren't written as they are.
var readApart = append([]string{
	"type", "format", "required", "description", "deprecated", "examples", "enum", "x-enum-varnames", "x-enum-descriptions", "$ref", "$schema",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems",
}, partKeywords...)

// constraints returns what a schema asks of values, and all that isn't known.
func constraints(n *jsontree.Node) []fact {
	var all []fact
	add := func(name, value string) {
		if value != "" {
			all = append(all, fact{Name: name, Value: value, Code: true})
		}
	}
	add("", between(n.Get("minimum"), n.Get("maximum"), "≥ ", "≤ "))
	add("", between(n.Get("exclusiveMinimum"), n.Get("exclusiveMaximum"), "> ", "< "))
	for _, of := range []struct{ keyword, unit string }{{"Length", "length"}, {"Items", "items"}, {"Properties", "members"}} {
		add(of.unit, between(n.Get("min"+of.keyword), n.Get("max"+of.keyword), "≥ ", "≤ "))
	}
	if isTrue(n.Get("uniqueItems")) {
		all = append(all, fact{Value: "no two items alike"})
	}
	for _, m := range n.Members {
		switch {
		case slices.Contains(readApart, m.Name):
		case m.Value.Kind == jsontree.Bool && m.Value.Bool && !strings.HasPrefix(m.Name, "x-"):
			all = append(all, fact{Value: m.Name})
		case m.Name == "pattern", m.Name == "title":
			add(m.Name, m.Value.Str())
		default:
			add(m.Name, compact(m.Value))
		}
	}
	return all
}

// between writes the bounds that there are.
func between(low, high *jsontree.Node, atLeast, atMost string) string {
	var bounds []string
	if low != nil {
		bounds = append(bounds, atLeast+compact(low))
	}
	if high != nil {
		bounds = append(bounds, atMost+compact(high))
	}
	return strings.Join(bounds, ", ")
}

// compact writes a value as JSON in one line.
func compact(n *jsontree.Node) string { return string(write(n)) }

// indented writes a value as JSON over several lines.
func indented(n *jsontree.Node) string {
	var text bytes.Buffer
	if json.Indent(&text, write(n), "", "  ") != nil {
		return compact(n)
	}
	return text.String()
}

func write(n *jsontree.Node) []byte {
	switch {
	case n == nil:
		return nil
	case n.Kind == jsontree.Array:
		text := []byte{'['}
		for i, item := range n.Items {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(text, write(item)...)
		}
		return append(text, ']')
	case n.Kind == jsontree.Object:
		text := []byte{'{'}
		for i, m := range n.Members {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(append(text, quoted(m.Name)...), ':')
			text = append(text, write(m.Value)...)
		}
		return append(text, '}')
	case n.Kind == jsontree.String:
		return quoted(n.Text)
	case n.Kind == jsontree.Number:
		return []byte(n.Text)
	case n.Kind == jsontree.Bool && n.Bool:
		return []byte("true")
	case n.Kind == jsontree.Bool:
		return []byte("false")
	}
	return []byte("null")
}

// quoted writes a text as JSON that people can read.
func quoted(text string) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string can always be written
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// members are those of an object, none of anything else.
func members(n *jsontree.Node) []jsontree.Member {
	if n == nil {
		return nil
	}
	return n.Members
}

// items are those of an array, none of anything else.
func items(n *jsontree.Node) []*jsontree.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// textsOf are the strings of an array.
func textsOf(n *jsontree.Node) []string {
	var all []string
	for _, item := range items(n) {
		all = append(all, item.Str())
	}
	return all
}

func isTrue(n *jsontree.Node) bool { return n != nil && n.Kind == jsontree.Bool && n.Bool }
