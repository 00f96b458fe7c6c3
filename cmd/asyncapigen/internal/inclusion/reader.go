package inclusion

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/jsontree"
)

// A Reader reads the schemas of one document, each once.
type Reader struct {
	root *jsontree.Node
	read map[*jsontree.Node]*Schema
	bad  map[*jsontree.Node]error
}

// NewReader returns a reader of the document, in which references are looked up.
func NewReader(root *jsontree.Node) *Reader {
	return &Reader{root: root, read: make(map[*jsontree.Node]*Schema), bad: make(map[*jsontree.Node]error)}
}

// Schema reads a schema of the document, with all that it refers to. Its error
// names the line.
func (r *Reader) Schema(node *jsontree.Node) (*Schema, error) {
	if s, ok := r.read[node]; ok {
		return s, r.faultBelow(s, make(map[*Schema]bool))
	}
	s := r.schema(node)
	return s, r.faultBelow(s, make(map[*Schema]bool))
}

// faultBelow returns the first error of the schemas that s is made of.
func (r *Reader) faultBelow(s *Schema, seen map[*Schema]bool) error {
	if len(r.bad) == 0 || s == nil || seen[s] {
		return nil
	}
	seen[s] = true
	if err := r.bad[s.Node]; err != nil {
		return err
	}
	for _, child := range s.children() {
		if err := r.faultBelow(child, seen); err != nil {
			return err
		}
	}
	return nil
}

// children are all schemas that s is directly made of.
func (s *Schema) children() []*Schema {
	all := []*Schema{s.Target, s.Items, s.AdditionalItems, s.Contains, s.AdditionalProperties, s.PropertyNames, s.Not, s.If, s.Then, s.Else}
	all = slices.Concat(all, s.Tuple, s.AllOf, s.AnyOf, s.OneOf)
	for _, p := range s.Properties {
		all = append(all, p.Schema)
	}
	for _, p := range s.PatternProperties {
		all = append(all, p.Schema)
	}
	for _, d := range s.Dependencies {
		all = append(all, d.Schema)
	}
	return slices.DeleteFunc(all, func(s *Schema) bool { return s == nil })
}

// schema reads a schema, and notes what is wrong with it.
func (r *Reader) schema(node *jsontree.Node) *Schema {
	if s, ok := r.read[node]; ok {
		return s
	}
	s := &Schema{Node: node}
	r.read[node] = s
	k := &keywords{r: r, s: s}
	switch node.Kind {
	case jsontree.Bool:
		s.Never = !node.Bool
	case jsontree.Object:
		if ref := node.Get("$ref"); ref != nil {
			k.ref(ref)
			break
		}
		for _, m := range node.Members {
			k.read(m)
		}
	default:
		k.fail(node, "a schema is an object or a boolean, and this is of the kind "+node.Kind.String())
	}
	if k.err != nil {
		r.bad[node] = k.err
	}
	return s
}

// keywords reads those of a schema; its error is the first one.
type keywords struct {
	r   *Reader
	s   *Schema
	err error
}

func (k *keywords) fail(at *jsontree.Node, why string) {
	if k.err == nil {
		k.err = fmt.Errorf("line %d: %s", at.Line, why)
	}
}

func (k *keywords) ref(node *jsontree.Node) {
	k.s.Ref = node.Str()
	pointer, within := strings.CutPrefix(k.s.Ref, "#")
	decoded, err := url.PathUnescape(pointer)
	switch {
	case !within || node.Kind != jsontree.String:
		k.fail(node, fmt.Sprintf("the reference %q leads out of the document, and only the document is read", k.s.Ref))
		return
	case err != nil || decoded == "":
		k.fail(node, fmt.Sprintf("the reference %q leads to no schema of the document", k.s.Ref))
		return
	}
	target, err := k.r.root.At(decoded)
	if err != nil {
		k.fail(node, fmt.Sprintf("the reference %q leads nowhere: %v", k.s.Ref, err))
		return
	}
	k.s.Target = k.r.schema(target)
	if k.s.Resolve() == nil {
		k.fail(node, fmt.Sprintf("the reference %q leads back to itself", k.s.Ref))
	}
}

// read reads one keyword. It is a flat switch over all of them.
func (k *keywords) read(m jsontree.Member) {
	s := k.s
	switch m.Name {
	case "type":
		k.types(m.Value)
	case "enum":
		if k.isKind(m, jsontree.Array) {
			s.HasEnum, s.Enum = true, m.Value.Value().([]any)
		}
	case "const":
		s.HasConst, s.Const = true, m.Value.Value()
	case "format":
		s.Format = k.text(m)
	case "contentEncoding":
		s.ContentEncoding = k.text(m)
	case "contentMediaType":
		s.ContentMediaType = k.text(m)
	case "pattern":
		s.Pattern = k.pattern(m.Value, k.text(m))
	case "uniqueItems":
		s.UniqueItems = k.isKind(m, jsontree.Bool) && m.Value.Bool
	case "required":
		s.Required = k.texts(m)
	case "allOf":
		s.AllOf = k.schemas(m)
	case "anyOf":
		s.AnyOf = k.schemas(m)
	case "oneOf":
		s.OneOf = k.schemas(m)
	case "not":
		s.Not = k.r.schema(m.Value)
	case "if":
		s.If = k.r.schema(m.Value)
	case "then":
		s.Then = k.r.schema(m.Value)
	case "else":
		s.Else = k.r.schema(m.Value)
	default:
		if !k.readNumber(m) && !k.readParts(m) {
			s.Others = append(s.Others, m)
		}
	}
}

// readNumber reads a keyword whose value is a number.
func (k *keywords) readNumber(m jsontree.Member) bool {
	s := k.s
	numbers := map[string]**big.Rat{
		"minimum": &s.Minimum, "maximum": &s.Maximum, "exclusiveMinimum": &s.ExclusiveMinimum, "exclusiveMaximum": &s.ExclusiveMaximum,
		"multipleOf": &s.MultipleOf,
	}
	counts := map[string]**big.Rat{
		"minLength": &s.MinLength, "maxLength": &s.MaxLength, "minItems": &s.MinItems, "maxItems": &s.MaxItems,
		"minProperties": &s.MinProperties, "maxProperties": &s.MaxProperties,
	}
	field, isCount := counts[m.Name]
	if !isCount {
		field = numbers[m.Name]
	}
	if field == nil {
		return false
	}
	if !k.isKind(m, jsontree.Number) {
		return true
	}
	value := rational(json.Number(m.Value.Text))
	switch {
	case value == nil:
		k.fail(m.Value, "the number "+m.Name+" is too large")
	case isCount && (!value.IsInt() || value.Sign() < 0):
		k.fail(m.Value, m.Name+" is no count")
	case m.Name == "multipleOf" && value.Sign() <= 0:
		k.fail(m.Value, "multipleOf isn't above 0")
	default:
		*field = value
	}
	return true
}

// readParts reads a keyword that describes the parts of arrays and objects.
func (k *keywords) readParts(m jsontree.Member) bool {
	s := k.s
	switch m.Name {
	case "items":
		if m.Value.Kind == jsontree.Array {
			s.Tuple = k.schemas(m)
		} else {
			s.Items = k.r.schema(m.Value)
		}
	case "additionalItems":
		s.AdditionalItems = k.r.schema(m.Value)
	case "contains":
		s.Contains = k.r.schema(m.Value)
	case "additionalProperties":
		s.AdditionalProperties = k.r.schema(m.Value)
	case "propertyNames":
		s.PropertyNames = k.r.schema(m.Value)
	case "properties":
		s.HasProperties = k.isKind(m, jsontree.Object)
		for _, p := range m.Value.Members {
			s.Properties = append(s.Properties, Property{p.Name, k.r.schema(p.Value)})
		}
	case "patternProperties":
		k.isKind(m, jsontree.Object)
		for _, p := range m.Value.Members {
			if pattern := k.pattern(p.Value, p.Name); pattern != nil {
				s.PatternProperties = append(s.PatternProperties, PatternProperty{pattern, k.r.schema(p.Value)})
			}
		}
	case "dependencies":
		k.isKind(m, jsontree.Object)
		for _, d := range m.Value.Members {
			if d.Value.Kind == jsontree.Array {
				s.Dependencies = append(s.Dependencies, Dependency{Name: d.Name, Required: k.texts(d)})
			} else {
				s.Dependencies = append(s.Dependencies, Dependency{Name: d.Name, Schema: k.r.schema(d.Value)})
			}
		}
	default:
		return false
	}
	return true
}

func (k *keywords) isKind(m jsontree.Member, kind jsontree.Kind) bool {
	if m.Value.Kind != kind {
		k.fail(m.Value, fmt.Sprintf("%s is of the kind %s, not %s", m.Name, m.Value.Kind, kind))
		return false
	}
	return true
}

func (k *keywords) text(m jsontree.Member) string {
	k.isKind(m, jsontree.String)
	return m.Value.Str()
}

func (k *keywords) texts(m jsontree.Member) []string {
	all := []string{}
	if k.isKind(m, jsontree.Array) {
		for _, item := range m.Value.Items {
			all = append(all, k.text(jsontree.Member{Name: "a name in " + m.Name, Value: item}))
		}
	}
	return all
}

func (k *keywords) schemas(m jsontree.Member) []*Schema {
	all := []*Schema{}
	if k.isKind(m, jsontree.Array) {
		for _, item := range m.Value.Items {
			all = append(all, k.r.schema(item))
		}
	}
	return all
}

func (k *keywords) pattern(at *jsontree.Node, source string) *Pattern {
	p, err := newPattern(source)
	if err != nil {
		k.fail(at, err.Error())
	}
	return p
}

var typeNames = []string{"null", "boolean", "integer", "number", "string", "array", "object"}

func (k *keywords) types(node *jsontree.Node) {
	names := []*jsontree.Node{node}
	if node.Kind == jsontree.Array {
		names = node.Items
	}
	k.s.Types = []string{}
	for _, name := range names {
		if !slices.Contains(typeNames, name.Str()) {
			k.fail(name, fmt.Sprintf("%q is no type of JSON Schema", name.Str()))
		}
		k.s.Types = append(k.s.Types, name.Str())
	}
}
