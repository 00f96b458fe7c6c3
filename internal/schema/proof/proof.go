// Package proof validates finished schemas, before they become part of a document.
//
//	options := schema.Options{Check: proof.Check}
//	set := options.Build(types)
//	for _, problem := range set.Problems {
//		fmt.Println(problem) // Order.ID (string): the example 7 isn't valid: ...
//	}
//
// It checks that every $ref leads to a component, that every component is referred
// to, that every pattern is one of ECMA 262, and that every example and default is
// valid. Most of these can fail only because of texts that authors wrote: tags,
// comments, and JSONSchema methods. It never changes a schema.
//
// It is apart from package schema because it needs a validator of JSON Schema and
// another engine of regular expressions, on which running programs shouldn't
// depend.
package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/dlclark/regexp2"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
)

// Check returns the problems of the set's schemas. Each names the Go type that the
// schema is of. See docs/decisions/0015.
func Check(set *schema.Set) []schema.Problem {
	p := checker{set: set, components: map[string]*schema.Schema{}, reached: map[string]bool{}}
	for _, c := range set.Components {
		p.components[c.Key] = c.Schema
	}
	for i, s := range set.Payloads {
		p.walk(s, visit{pointer: "/allOf/" + strconv.Itoa(i), named: s})
	}
	for _, c := range set.Components {
		p.walk(c.Schema, visit{pointer: "/definitions/" + escapePointer(c.Key), named: c.Schema})
	}
	for _, c := range set.Components {
		if !p.reached[c.Key] {
			p.report(diagnostic.BadSchema, c.Schema, "nothing refers to it", "report this as a fault of warren")
		}
	}
	if len(p.values) > 0 || set.ByHand {
		p.validateValues()
	}
	return p.problems
}

// A checker walks through all schemas, and then validates the values in them.
type checker struct {
	set        *schema.Set
	components map[string]*schema.Schema
	reached    map[string]bool // keys of components
	values     []value
	problems   []schema.Problem
}

// A visit is a schema's place in the document of newCompiler, and the schema of a
// Go type that it is part of.
type visit struct {
	pointer string
	named   *schema.Schema
}

func escapePointer(step string) string { return pointerEscapes.Replace(step) }

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// A value has to be valid for the schema that it stands in.
type value struct {
	visit
	keyword string // example or default
	json    json.RawMessage
}

func (p *checker) walk(s *schema.Schema, at visit) {
	if p.set.Knows(s) {
		at.named = s
	}
	p.checkRef(s, at)
	for _, pattern := range patterns(s) {
		if err := checkPattern(pattern); err != nil {
			p.report(diagnostic.BadPattern, at.named,
				fmt.Sprintf("the pattern %q is none of ECMA 262, the regular expressions of JSON Schema: %v", pattern, err), "write it in that syntax")
		}
	}
	for _, example := range s.Examples {
		p.values = append(p.values, value{at, "example", example})
	}
	if s.Default != nil {
		p.values = append(p.values, value{at, "default", s.Default})
	}
	for _, child := range children(s) {
		p.walk(child.schema, visit{pointer: at.pointer + child.step, named: at.named})
	}
}

func (p *checker) checkRef(s *schema.Schema, at visit) {
	if s.Ref == "" {
		return
	}
	key, local := strings.CutPrefix(s.Ref, schema.RefPrefix)
	if !local || p.components[key] == nil {
		p.report(diagnostic.BadSchema, at.named, fmt.Sprintf("the reference %q leads nowhere", s.Ref), "write out what it should refer to")
		return
	}
	p.reached[key] = true
}

func (p *checker) report(code diagnostic.Code, about *schema.Schema, message, remedy string) {
	p.problems = append(p.problems, p.set.Problem(about, code, message, remedy))
}

// validateValues compiles all schemas, and validates the values against those that
// they stand in.
func (p *checker) validateValues() {
	compiler, err := newCompiler(p.set)
	if err != nil {
		p.report(diagnostic.BadSchema, nil, "the schemas can't be read back: "+err.Error(), "report this as a fault of warren")
		return
	}
	for _, c := range p.set.Components {
		pointer := "/definitions/" + escapePointer(c.Key)
		if _, err := compiler.Compile(documentURL + "#" + fragment(pointer)); err != nil && !p.alreadyBad() {
			p.report(diagnostic.BadSchema, c.Schema, "it is no JSON Schema: "+reason(err), "correct the schema that stands in its comment, method or tags")
			return
		}
	}
	for _, v := range p.values {
		s, err := compiler.Compile(documentURL + "#" + fragment(v.pointer))
		if err != nil {
			continue // reported above
		}
		if err := s.Validate(parsed(v.json)); err != nil {
			p.report(diagnostic.BadExample, v.named, fmt.Sprintf("the %s %s isn't valid: %s", v.keyword, v.json, reason(err)), "correct it, or the type")
		}
	}
}

// alreadyBad reports whether a fault was found that keeps schemas from being
// compiled.
func (p *checker) alreadyBad() bool {
	return slices.ContainsFunc(p.problems, func(found schema.Problem) bool {
		return found.Code == diagnostic.BadSchema || found.Code == diagnostic.BadPattern
	})
}

const documentURL = "mem:///document.json"

// newCompiler compiles the set in one document. The components stand where JSON
// Schema itself has definitions: the compiler collects those once, but what is
// referred to elsewhere again at each reference, which takes minutes for thousands.
func newCompiler(set *schema.Set) (*jsonschema.Compiler, error) {
	definitions := map[string]*schema.Schema{}
	for _, c := range set.Components {
		definitions[c.Key] = c.Schema
	}
	text, err := json.Marshal(map[string]any{
		"$schema":     "http://json-schema.org/draft-07/schema#",
		"allOf":       set.Payloads,
		"definitions": definitions,
	})
	if err != nil {
		return nil, err
	}
	text = bytes.ReplaceAll(text, []byte(`"$ref":"`+schema.RefPrefix), []byte(`"$ref":"#/definitions/`))
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	compiler.AssertContent()
	compiler.UseRegexpEngine(compileECMA)
	return compiler, compiler.AddResource(documentURL, parsed(text))
}

func parsed(text []byte) any {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil
	}
	return value
}

func compileECMA(pattern string) (jsonschema.Regexp, error) {
	compiled, err := regexp2.Compile(pattern, ecma262)
	if err != nil {
		return nil, err
	}
	return ecmaRegexp{compiled}, nil
}

// reason is an innermost cause that the validator gives, with the place in the value, or in the
// component's schema if that is no schema. Of several places, which the validator visits in no
// order, it is the first.
func reason(err error) string {
	var noSchema *jsonschema.SchemaValidationError
	if errors.As(err, &noSchema) {
		err = noSchema.Err
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err.Error()
	}
	invalid = slices.MinFunc(causes(invalid), func(a, b *jsonschema.ValidationError) int {
		return slices.Compare(a.InstanceLocation, b.InstanceLocation)
	})
	at := invalid.InstanceLocation
	if noSchema != nil {
		at = at[2:] // behind the component's key in definitions
	}
	_, text, _ := strings.Cut(invalid.Error(), "at '")
	if _, after, found := strings.Cut(text, "': "); found {
		text = after
	}
	if len(at) == 0 {
		return text
	}
	return "/" + strings.Join(at, "/") + ": " + text
}

// causes returns the innermost causes of an error.
func causes(invalid *jsonschema.ValidationError) (innermost []*jsonschema.ValidationError) {
	if len(invalid.Causes) == 0 {
		return []*jsonschema.ValidationError{invalid}
	}
	for _, cause := range invalid.Causes {
		innermost = append(innermost, causes(cause)...)
	}
	return innermost
}

// fragment writes a JSON pointer as the fragment of a URL.
func fragment(pointer string) string { return (&url.URL{Fragment: pointer}).EscapedFragment() }

// patterns returns the regular expressions of s itself.
func patterns(s *schema.Schema) []string {
	var all []string
	for _, property := range s.PatternProperties {
		all = append(all, property.Name)
	}
	if s.Pattern != "" {
		all = append(all, s.Pattern)
	}
	return all
}

// A child is a schema within another one, by its JSON pointer from there.
type child struct {
	step   string
	schema *schema.Schema
}

// children returns the schemas within s, in the order of their pointers.
func children(s *schema.Schema) []child {
	var all []child
	add := func(step string, c *schema.Schema) {
		if c != nil {
			all = append(all, child{step, c})
		}
	}
	add("/items", s.Items)
	add("/contains", s.Contains)
	add("/additionalProperties", s.AdditionalProperties)
	add("/propertyNames", s.PropertyNames)
	add("/not", s.Not)
	add("/if", s.If)
	add("/then", s.Then)
	add("/else", s.Else)
	addAll := func(word string, list []*schema.Schema) {
		for i, c := range list {
			add("/"+word+"/"+strconv.Itoa(i), c)
		}
	}
	addAll("allOf", s.AllOf)
	addAll("anyOf", s.AnyOf)
	addAll("oneOf", s.OneOf)
	for _, property := range s.Properties {
		add("/properties/"+escapePointer(property.Name), property.Schema)
	}
	for _, property := range s.PatternProperties {
		add("/patternProperties/"+escapePointer(property.Name), property.Schema)
	}
	slices.SortFunc(all, func(a, b child) int { return strings.Compare(a.step, b.step) })
	return all
}
