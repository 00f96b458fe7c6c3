package schema_test

//lint:file-ignore U1000 the field is there not to be seen

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/schema/proof"
)

// prove describes T and has the schemas proven.
func prove[T any]() *schema.Set {
	return schema.Options{Check: proof.Check}.Build([]schema.Type{schema.Reflect(reflect.TypeFor[T]())})
}

// sourced is a type as source code says of it.
type sourced struct {
	schema.Type
	source *schema.Source
	doc    string
}

func (s sourced) Source() *schema.Source { return s.source }
func (s sourced) Doc() string            { return s.doc }

// withSource describes T with what its source says.
func withSource[T any](o schema.Options, source schema.Source) *schema.Set {
	o.Check = proof.Check
	return o.Build([]schema.Type{sourced{Type: schema.Reflect(reflect.TypeFor[T]()), source: &source}})
}

func marked(text string) schema.Source {
	return schema.Source{Directives: []schema.Directive{{Name: "schema", Text: text}}}
}

type celsius struct{ degrees float64 }

func (celsius) MarshalJSON() ([]byte, error) { return []byte("1"), nil }
func (celsius) JSONSchema() string           { return `{"type":"number","minimum":-273.15,"examples":[21.5]}` }

func TestRule34_MethodGivesTheSchema(t *testing.T) {
	set := prove[[]celsius]()
	require.Empty(t, set.Problems)
	require.Equal(t, `{"title":"celsius","type":"number","minimum":-273.15,"examples":[21.5]}`, text(t, component(t, set, "celsius")))
}

// fever has both methods of what it embeds.
type fever struct{ celsius }

func TestRule34_EmbeddedMethodGivesTheSchemaOfWhatItWrites(t *testing.T) {
	set := prove[[]fever]()
	require.Empty(t, set.Problems)
	require.Equal(t, `{"title":"fever","type":"number","minimum":-273.15,"examples":[21.5]}`, text(t, component(t, set, "fever")))
}

func TestRule34_DirectiveGivesTheSchema(t *testing.T) {
	set := withSource[custom1](schema.Options{}, marked(`{"type":"integer","maximum":7}`))
	require.Empty(t, set.Problems)
	require.Equal(t, `{"title":"custom1","type":"integer","maximum":7}`, text(t, component(t, set, "custom1")))
}

func TestRule34_DirectiveIsOfSourceOnly(t *testing.T) {
	set := withSource[custom1](schema.Options{ReflectionOnly: true}, marked(`{"type":"integer"}`))
	require.Equal(t, `{"title":"custom1"}`, text(t, component(t, set, "custom1")))
	require.Contains(t, problems(set)[0], "MarshalJSON may write any JSON")
}

func TestRule34_MarkerBeforeMethodAndContradictions(t *testing.T) {
	agreeing := withSource[celsius](schema.Options{}, marked(`{"examples":[21.5], "minimum":-273.15, "type":"number"}`))
	require.Empty(t, agreeing.Problems)

	for name, c := range map[string]struct {
		set  *schema.Set
		want string
	}{
		"marker and method":    {withSource[celsius](schema.Options{}, marked(`{"type":"number"}`)), "give different schemas"},
		"marker and structure": {withSource[Order](schema.Options{}, marked(`{"type":"string"}`)), "its schema says string, but encoding/json has object there"},
		"method and text":      {prove[textual](), "its schema says integer or boolean, but encoding/json has string there"},
	} {
		require.Len(t, c.set.Problems, 1, name)
		require.Equal(t, diagnostic.SchemaConflict, c.set.Problems[0].Code, name)
		require.Equal(t, diagnostic.Error, c.set.Problems[0].Severity, name)
		require.Contains(t, c.set.Problems[0].What, c.want, name)
	}
}

type textual struct{ text1 }

func (textual) JSONSchema() string { return `{"type":["integer","boolean"]}` }

func TestRule34_RefinedStructureIsNoContradiction(t *testing.T) {
	require.Empty(t, withSource[color](schema.Options{}, marked(`{"type":"string","pattern":"^#"}`)).Problems)
	require.Empty(t, withSource[month](schema.Options{}, marked(`{"type":"number"}`)).Problems, "an integer is a number")
}

func TestRule34_SchemasThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":`:                         "unexpected EOF",
		`{"type":7}`:                       "want a string or an array of strings",
		`{"properties":{"a":true}}`:        "cannot unmarshal bool",
		`{"nullable":true}`:                `the word "nullable" isn't known`,
		`{"items":{"$defs":{}}}`:           `the word "$defs" isn't known`,
		`{"anyOf":[{},{"nullable":true}]}`: `the word "nullable" isn't known`,
		`{"type":"text"}`:                  "it is no JSON Schema: /type: value must be one of 'array', ",
		`{"$ref":"#/definitions/A"}`:       `the reference "#/definitions/A" leads nowhere`,
		`{"type":"integer"} trailing`:      "there is text after it",
	} {
		set := withSource[custom1](schema.Options{}, marked(text))
		require.Len(t, set.Problems, 1, text)
		require.Equal(t, diagnostic.BadSchema, set.Problems[0].Code, text)
		require.Contains(t, set.Problems[0].What, want, text)
		require.Equal(t, "schema_test.custom1", set.Problems[0].Type, "the failure names the Go type")
	}
}

func TestCheck_TakesPatternsOfECMA262(t *testing.T) {
	for _, pattern := range []string{`(?i)^a$`, `^(?P<name>a)$`, `[`} {
		set := withSource[color](schema.Options{}, marked(`{"type":"string","pattern":"`+pattern+`"}`))
		require.NotEmpty(t, set.Problems, pattern)
		require.Equal(t, diagnostic.BadPattern, set.Problems[0].Code, pattern)
	}
	require.Empty(t, withSource[color](schema.Options{}, marked(`{"type":"string","pattern":"^(?=.*[0-9]).{8,}$"}`)).Problems)
}

type panicking struct{ *celsius }

func TestRule34_MethodThatCantBeCalled(t *testing.T) {
	set := prove[struct{ P panicking }]()
	require.Contains(t, strings.Join(problems(set), "\n"), "the schema of its method JSONSchema isn't known: on the zero value it panics")
}

type (
	scale struct{ Unit string }
	gauge struct {
		scale
		Value float64
	}
)

func (scale) JSONSchema() string {
	return `{"type":"object","properties":{"Unit":{"type":"string"}},"required":["Unit"]}`
}

func TestRule34_InheritedMethodDoesntDescribeOtherFields(t *testing.T) {
	set := prove[gauge]()
	require.Len(t, set.Problems, 1)
	require.Contains(t, problems(set)[0], "its method JSONSchema is that of an embedded type")
	require.Equal(t, []string{"Unit", "Value"}, names(component(t, set, "gauge")))
}

func TestRule34_TrivialBodies(t *testing.T) {
	body := func(bodies ...schema.Body) string {
		set := withSource[custom1](schema.Options{}, schema.Source{Marshal: bodies})
		require.Empty(t, set.Problems)
		return text(t, component(t, set, "custom1"))
	}
	integers := schema.Reflect(reflect.TypeFor[[]int8]())
	require.Equal(t, `{"title":"custom1","type":["array","null"],"items":{"type":"integer","minimum":-128,"maximum":127}}`, body(schema.Body{Type: integers}))
	require.Equal(t, `{"title":"custom1","type":"string"}`, body(schema.Body{JSON: "string"}, schema.Body{JSON: "string"}))
	require.Equal(t, `{"title":"custom1","anyOf":[{"type":"null"},{"type":"string"}]}`, body(schema.Body{JSON: "null"}, schema.Body{JSON: "string"}))
	small, unsigned := schema.Reflect(reflect.TypeFor[int8]()), schema.Reflect(reflect.TypeFor[uint8]())
	require.Equal(t, `{"title":"custom1","anyOf":[{"type":"integer","minimum":-128,"maximum":127},{"type":"integer","minimum":0,"maximum":255}]}`,
		body(schema.Body{Type: small}, schema.Body{Type: unsigned}))
	yes, perhaps := schema.Reflect(reflect.TypeFor[bool]()), schema.Reflect(reflect.TypeFor[*bool]())
	require.Equal(t, `{"title":"custom1","anyOf":[{"type":"boolean"},{"type":["boolean","null"]}]}`, body(schema.Body{Type: yes}, schema.Body{Type: perhaps}))
	order := schema.Reflect(reflect.TypeFor[Order]())
	require.Equal(t, `{"title":"custom1","allOf":[{"$ref":"#/components/schemas/Order"}]}`, body(schema.Body{Type: order}))
}

func TestRule34_InterfacesInBodiesAreAWarning(t *testing.T) {
	for name, body := range map[string]schema.Body{
		"by its name": {Type: schema.Reflect(reflect.TypeFor[[]cell]())},
		"inline":      {Type: schema.Reflect(reflect.TypeFor[[]cell]()), Inline: true},
	} {
		set := withSource[custom1](schema.Options{}, schema.Source{Marshal: []schema.Body{body}})
		require.Len(t, set.Problems, 1, name)
		require.Equal(t, diagnostic.InterfaceType, set.Problems[0].Code, name)
		require.Equal(t, diagnostic.Warning, set.Problems[0].Severity, name)
	}
}

func TestRule34_BodyWithoutAddress(t *testing.T) {
	pointer := schema.Reflect(reflect.TypeFor[pointer1]())
	byValue := withSource[custom1](schema.Options{}, schema.Source{Marshal: []schema.Body{{Type: pointer}}})
	require.Contains(t, problems(byValue)[0], "doesn't call a marshal method of a pointer receiver on what MarshalJSON hands over by value")
	type local struct {
		In  pointer1
		All [1]pointer1
	}
	byValueText, err := json.Marshal(local{})
	require.NoError(t, err)
	addressedText, err := json.Marshal(&local{})
	require.NoError(t, err)
	require.NotEqual(t, string(addressedText), string(byValueText))
	inline := schema.Body{Type: schema.Reflect(reflect.TypeFor[local]()), Inline: true}
	byValue = withSource[custom1](schema.Options{}, schema.Source{Marshal: []schema.Body{inline}})
	require.Contains(t, problems(byValue)[0], "doesn't call a marshal method of a pointer receiver on what MarshalJSON hands over by value")
	require.Equal(t, `{"title":"custom1"}`, text(t, component(t, byValue, "custom1")))
	inline.Addressed = true
	require.Empty(t, withSource[custom1](schema.Options{}, schema.Source{Marshal: []schema.Body{inline}}).Problems)
	require.Empty(t, withSource[custom1](schema.Options{}, schema.Source{Marshal: []schema.Body{{Type: pointer, Addressed: true}}}).Problems)
}

type (
	enumOfText  int
	constOfText int
	choiceOfNot int
	allOfText   int
)

func (enumOfText) JSONSchema() string  { return `{"enum":["a","b"]}` }
func (constOfText) JSONSchema() string { return `{"const":"a"}` }
func (choiceOfNot) JSONSchema() string {
	return `{"oneOf":[{"type":"string"},{"type":["boolean","null"]}]}`
}
func (allOfText) JSONSchema() string { return `{"allOf":[{},{"type":"string"}]}` }

type (
	enumOfNumbers int
	choiceWithOne int
)

func (enumOfNumbers) JSONSchema() string { return `{"enum":[1,2]}` }
func (choiceWithOne) JSONSchema() string {
	return `{"anyOf":[{"type":"string"},{"type":"integer","minimum":3}]}`
}

type oneChoice string

func (oneChoice) JSONSchema() string { return `{"anyOf":[{"type":"string"}]}` }

type oneOfOne string

func (oneOfOne) JSONSchema() string { return `{"oneOf":[{"type":"string"}]}` }

// A pointer adds null to a schema of alternatives, however few, none of which takes it.
func TestRule34_PointerAddsNullToAlternatives(t *testing.T) {
	type holder struct {
		F *oneChoice
		G *oneOfOne
	}
	s := component(t, build[holder](), "holder")
	require.Equal(t, `{"anyOf":[{"$ref":"#/components/schemas/oneChoice"},{"type":"null"}]}`, text(t, s.Properties.Get("F")))
	require.Equal(t, `{"anyOf":[{"$ref":"#/components/schemas/oneOfOne"},{"type":"null"}]}`, text(t, s.Properties.Get("G")))
}

func TestRule34_SchemaAllowsAValueOfTheStructure(t *testing.T) {
	for _, set := range []*schema.Set{build[enumOfText](), build[constOfText](), build[choiceOfNot](), build[allOfText]()} {
		require.Len(t, set.Problems, 1)
		require.Contains(t, problems(set)[0], "its schema says something else by its enum, const, allOf, anyOf or oneOf, but encoding/json has integer there")
	}
	for _, set := range []*schema.Set{build[enumOfNumbers](), build[choiceWithOne]()} {
		require.Empty(t, problems(set))
	}
}
