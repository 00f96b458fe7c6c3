package example_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"math/rand/v2"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/schema/example"
	"github.com/warrenmq/warren/internal/schema/random"
)

// read returns the schemas of a JSON object: the first is "", the others are
// components.
func read(t *testing.T, text string) (*schema.Schema, []schema.Component) {
	t.Helper()
	var s *schema.Schema
	var components []schema.Component
	var all schema.Properties
	require.NoError(t, json.Unmarshal([]byte(text), &all), text)
	for _, p := range all {
		if p.Name == "" {
			s = p.Schema
			continue
		}
		components = append(components, schema.Component{Key: p.Name, Schema: p.Schema})
	}
	return s, components
}

// compile returns a validator of s, which knows formats and contents.
func compile(t testing.TB, s *schema.Schema, components []schema.Component) *jsonschema.Schema {
	t.Helper()
	all := map[string]any{}
	for _, c := range components {
		all[c.Key] = c.Schema
	}
	text, err := json.Marshal(map[string]any{"payload": s, "components": map[string]any{"schemas": all}})
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft7)
	compiler.AssertFormat()
	compiler.AssertContent()
	compiler.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) {
		compiled, err := regexp2.Compile(pattern, regexp2.ECMAScript)
		return ecma262{compiled}, err
	})
	require.NoError(t, compiler.AddResource("mem:///document.json", document))
	compiled, err := compiler.Compile("mem:///document.json#/payload")
	require.NoError(t, err, string(text))
	return compiled
}

// ecma262 are the regular expressions of JSON Schema.
type ecma262 struct{ *regexp2.Regexp }

func (e ecma262) MatchString(text string) bool {
	matches, err := e.Regexp.MatchString(text)
	return matches && err == nil
}

// requireValid holds an example against the validator.
func requireValid(t testing.TB, by *jsonschema.Schema, text json.RawMessage) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	require.NoError(t, err)
	require.NoError(t, by.Validate(value), string(text))
}

func TestMaker_MakesASmallAndAFullValue(t *testing.T) {
	const order = `{"type":"object","properties":{"id":{"type":"string"},"note":{"type":"string"}},"required":["id"]}`
	for name, c := range map[string]struct{ schemas, small, full string }{
		"members":               {`{"":` + order + `}`, `{"id":"id"}`, `{"id":"id","note":"note"}`},
		"a component":           {`{"":{"$ref":"#/components/schemas/O"},"O":` + order + `}`, `{"id":"id"}`, `{"id":"id","note":"note"}`},
		"an array":              {`{"":{"type":"array","items":` + order + `}}`, `[]`, `[{"id":"id","note":"note"}]`},
		"a map":                 {`{"":{"type":"object","additionalProperties":{"type":"integer"}}}`, `{}`, `{"key":1}`},
		"anything":              {`{"":{}}`, `{}`, `{}`},
		"a nullable text":       {`{"":{"type":["string","null"]}}`, `"text"`, `"text"`},
		"a nullable component":  {`{"":{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/components/schemas/O"},{"type":"null"}]}},"required":["a"]},"O":` + order + `}`, `{"a":null}`, `{"a":{"id":"id","note":"note"}}`},
		"an enumeration":        {`{"":{"type":"string","enum":["b","a"]}}`, `"b"`, `"b"`},
		"a constant":            {`{"":{"const":7}}`, `7`, `7`},
		"an author's example":   {`{"":{"type":"string","examples":["EUR"]}}`, `"EUR"`, `"EUR"`},
		"a wrong example":       {`{"":{"type":"string","examples":[7]}}`, `"text"`, `"text"`},
		"bounds":                {`{"":{"type":"integer","minimum":10,"maximum":20}}`, `10`, `10`},
		"exclusive bounds":      {`{"":{"type":"integer","exclusiveMinimum":10,"exclusiveMaximum":12}}`, `11`, `11`},
		"a fraction":            {`{"":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":0.5}}`, `0.25`, `0.25`},
		"a step":                {`{"":{"type":"integer","multipleOf":7,"minimum":10}}`, `14`, `14`},
		"a length":              {`{"":{"type":"string","minLength":6}}`, `"textaa"`, `"textaa"`},
		"a short text":          {`{"":{"type":"string","maxLength":2}}`, `"te"`, `"te"`},
		"a pattern":             {`{"":{"type":"string","pattern":"^[A-Z]{3}-[0-9]+$"}}`, `"AAA-1"`, `"AAA-1"`},
		"a time":                {`{"":{"type":"string","format":"date-time"}}`, `"2026-01-02T15:04:05Z"`, `"2026-01-02T15:04:05Z"`},
		"bytes":                 {`{"":{"type":"string","contentEncoding":"base64"}}`, `"dGV4dA=="`, `"dGV4dA=="`},
		"different items":       {`{"":{"type":"array","items":{"type":"string"},"minItems":2,"uniqueItems":true}}`, `["text","text2"]`, `["text","text2"]`},
		"allOf":                 {`{"":{"allOf":[{"$ref":"#/components/schemas/O"}],"required":["note"]},"O":` + order + `}`, `{"id":"id","note":"note"}`, `{"id":"id","note":"note"}`},
		"oneOf":                 {`{"":{"oneOf":[{"type":"integer"},{"type":"number","minimum":0.5}]}}`, `0`, `0`},
		"recursion":             {`{"":{"$ref":"#/components/schemas/N"},"N":{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#/components/schemas/N"}}}}`, `{}`, `{"v":1,"next":{}}`},
		"keys of a map":         {`{"":{"type":"object","additionalProperties":{"type":"integer"},"propertyNames":{"enum":["a","b"]},"minProperties":2}}`, `{"a":1,"b":1}`, `{"a":1,"b":1}`},
		"a condition":           {`{"":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"if":{"required":["a"]},"then":{"required":["b"]}}}`, `{}`, `{"a":1,"b":1}`},
		"members that are many": {`{"":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"maxProperties":1}}`, `{}`, `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			s, components := read(t, c.schemas)
			maker := example.New(components)
			small, ok := maker.Small(s)
			require.True(t, ok)
			full, ok := maker.Full(s)
			require.True(t, ok)
			by := compile(t, s, components)
			requireValid(t, by, small)
			requireValid(t, by, full)
			require.Equal(t, c.full, string(full))
			require.Equal(t, c.small, string(small))
		})
	}
}

func TestMaker_HasNoneWhereItIsNotSure(t *testing.T) {
	for name, text := range map[string]string{
		"no value at all":         `{"":{"type":"string","enum":[1]}}`,
		"contradicting bounds":    `{"":{"type":"integer","minimum":2,"maximum":1}}`,
		"a pattern of ECMA alone": `{"":{"type":"string","pattern":"^(?=a)b"}}`,
		"an unknown pattern":      `{"":{"type":"object","patternProperties":{"(?=a)":{"type":"string"}},"required":["a"]}}`,
		"an endless value":        `{"":{"$ref":"#/components/schemas/N"},"N":{"type":"object","properties":{"n":{"$ref":"#/components/schemas/N"}},"required":["n"]}}`,
		"a reference to nothing":  `{"":{"$ref":"#/components/schemas/None"}}`,
		"nothing is allowed":      `{"":{"not":{}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			s, components := read(t, text)
			maker := example.New(components)
			_, ok := maker.Small(s)
			require.False(t, ok)
			_, ok = maker.Full(s)
			require.False(t, ok)
		})
	}
}

type (
	node struct {
		Value int32
		Left  *node
		Right *node `json:",omitempty"`
	}
	line struct {
		SKU   string `json:"sku" validate:"required,min=3,max=20"`
		Count uint8  `json:"count" validate:"min=1"`
	}
)

// pool has the named types that random types are made of.
var pool = []reflect.Type{
	reflect.TypeFor[node](), reflect.TypeFor[line](), reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[[]byte](),
	reflect.TypeFor[json.RawMessage](), reflect.TypeFor[json.Number](), reflect.TypeFor[netip.Addr](), reflect.TypeFor[url.URL](), reflect.TypeFor[big.Int](),
}

// Types of Go programs have examples, but for what they can't be put into.
func TestMaker_ExamplesOfRandomTypesAreValid(t *testing.T) {
	made, none := 0, 0
	for seed := range uint64(400) {
		source := random.Source{Rand: rand.New(rand.NewPCG(seed, 11)), MaxDepth: 5}
		set := schema.Build([]schema.Type{schema.Reflect(source.Type(pool))})
		if len(set.Problems) > 0 {
			continue
		}
		maker, by := example.New(set.Components), compile(t, set.Payloads[0], set.Components)
		for _, of := range []func(*schema.Schema) (json.RawMessage, bool){maker.Small, maker.Full} {
			text, ok := of(set.Payloads[0])
			if !ok {
				none++
				continue
			}
			made++
			requireValid(t, by, text)
			again, _ := of(set.Payloads[0])
			require.Equal(t, string(text), string(again), "equal schemas give equal examples")
		}
	}
	require.Greater(t, made, 600)
	require.Zero(t, none)
}

// Types that write texts of their own read the examples of their schemas.
func TestMaker_ExamplesAreReadByTheirTypes(t *testing.T) {
	for _, value := range []any{
		new(netip.Addr), new(netip.AddrPort), new(netip.Prefix), new(net.IP), new(big.Float), new(big.Rat), new(regexp.Regexp), new(slog.Level), new(time.Time),
	} {
		set := schema.Build([]schema.Type{schema.Reflect(reflect.TypeOf(value).Elem())})
		text, ok := example.New(set.Components).Full(set.Payloads[0])
		require.True(t, ok)
		require.NoError(t, json.Unmarshal(text, value), "%T of %s", value, text)
	}
}

// Schemas that authors write may hold any keywords together.
func TestMaker_ExamplesOfRandomSchemasAreValid(t *testing.T) {
	made, all := 0, 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 12))
		text := fmt.Sprintf(`{"":%s,"A":%s,"B":%s}`, randomSchema(r, 0), randomSchema(r, 0), randomSchema(r, 0))
		s, components := read(t, text)
		maker, by := example.New(components), compile(t, s, components)
		for _, of := range []func(*schema.Schema) (json.RawMessage, bool){maker.Small, maker.Full} {
			all++
			if text, ok := of(s); ok {
				made++
				requireValid(t, by, text)
			}
		}
	}
	require.Greater(t, made, all*3/5, "of %d", all)
}

// randomSchema writes one with keywords of all kinds.
func randomSchema(r *rand.Rand, depth int) string {
	one := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	inner := func() string {
		if depth > 2 {
			return one(`{"type":"string"}`, `{"type":"integer"}`, `{}`, `{"type":"boolean"}`)
		}
		return randomSchema(r, depth+1)
	}
	number := func() string { return one("-3", "0", "1", "2.5", "7", "100") }
	if depth > 0 && r.IntN(6) == 0 {
		return one(`{"$ref":"#/components/schemas/A"}`, `{"$ref":"#/components/schemas/B"}`)
	}
	var words []string
	add := func(chance int, word func() string) {
		if r.IntN(chance) == 0 {
			words = append(words, word())
		}
	}
	kind := one("string", "integer", "number", "object", "object", "array", "boolean", "")
	if kind != "" {
		words = append(words, one(`"type":"`+kind+`"`, `"type":["`+kind+`","null"]`))
	}
	switch kind {
	case "string":
		add(3, func() string { return `"minLength":` + one("0", "1", "9") })
		add(3, func() string { return `"maxLength":` + one("2", "10", "40") })
		add(4, func() string {
			return `"pattern":"` + one(`^[a-c]+$`, `^x?y*z$`, `\\d{2,4}`, `^(foo|bar)-[0-9]$`, `^a(?!b)`, `[^a]`, `\\bword\\b`) + `"`
		})
		add(4, func() string {
			return `"format":"` + one("date-time", "date", "time", "email", "uuid", "uri", "ipv4", "ipv6", "hostname", "regex", "int64", "other") + `"`
		})
		add(8, func() string { return `"contentEncoding":"base64"` })
	case "integer", "number":
		for _, word := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
			add(5, func() string { return `"` + word + `":` + number() })
		}
		add(5, func() string { return `"multipleOf":` + one("0.5", "2", "3") })
	case "object":
		words = append(words, fmt.Sprintf(`"properties":{"a":%s,"b":%s,"c":%s}`, inner(), inner(), inner()))
		add(2, func() string { return `"required":` + one(`["a"]`, `["a","b"]`, `["c","d"]`) })
		add(4, func() string { return `"additionalProperties":` + inner() })
		add(8, func() string { return `"minProperties":` + one("1", "2", "4") })
		add(8, func() string { return `"maxProperties":` + one("1", "2", "4") })
		add(8, func() string {
			return `"propertyNames":` + one(`{"pattern":"^[a-d]"}`, `{"maxLength":2}`, `{"enum":["a","b","d"]}`)
		})
		add(8, func() string { return `"patternProperties":{"^` + one("a", "k", "x") + `":` + inner() + `}` })
	case "array":
		add(2, func() string { return `"items":` + inner() })
		add(4, func() string { return `"minItems":` + one("0", "1", "3") })
		add(6, func() string { return `"maxItems":` + one("0", "1", "3") })
		add(5, func() string { return `"uniqueItems":true` })
		add(8, func() string { return `"contains":` + inner() })
	}
	if depth < 2 {
		for _, word := range []string{"allOf", "anyOf", "oneOf"} {
			add(9, func() string { return fmt.Sprintf(`"%s":[%s,%s]`, word, inner(), inner()) })
		}
		add(15, func() string { return `"not":` + inner() })
		add(15, func() string { return fmt.Sprintf(`"if":%s,"then":%s,"else":%s`, inner(), inner(), inner()) })
	}
	add(12, func() string { return `"enum":` + one(`[1,"a",null]`, `["x"]`, `[{"a":1}]`) })
	add(12, func() string { return `"examples":` + one(`["x"]`, `[1.0]`, `[null]`, `[{"a":"a","b":2}]`) })
	return "{" + strings.Join(words, ",") + "}"
}

// A payload of many types has an example of a size that can be read.
func TestMaker_FullExamplesAreBounded(t *testing.T) {
	var schemas strings.Builder
	schemas.WriteString(`{"":{"$ref":"#/components/schemas/T0"}`)
	for i := range 200 {
		fmt.Fprintf(&schemas, `,"T%d":{"type":"object","properties":{`, i)
		for j := range 10 {
			fmt.Fprintf(&schemas, `"m%d":{"$ref":"#/components/schemas/T%d"},`, j, (i*7+j*13+1)%200)
		}
		schemas.WriteString(`"id":{"type":"string"}}}`)
	}
	s, components := read(t, schemas.String()+"}")
	full, ok := example.New(components).Full(s)
	require.True(t, ok)
	require.Less(t, len(full), 20_000)
	requireValid(t, compile(t, s, components), full)
}

func TestMaker_TakesNilForNone(t *testing.T) {
	_, ok := example.New(nil).Small(nil)
	require.False(t, ok)
	_, ok = example.New(nil).Full(schema.Build([]schema.Type{schema.Reflect(reflect.TypeFor[int]())}).Payloads[0])
	require.True(t, ok)
}
