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
		"members":                               {`{"":` + order + `}`, `{"id":"id"}`, `{"id":"id","note":"note"}`},
		"a component":                           {`{"":{"$ref":"#/components/schemas/O"},"O":` + order + `}`, `{"id":"id"}`, `{"id":"id","note":"note"}`},
		"an array":                              {`{"":{"type":"array","items":` + order + `}}`, `[]`, `[{"id":"id","note":"note"}]`},
		"a map":                                 {`{"":{"type":"object","additionalProperties":{"type":"integer"}}}`, `{}`, `{"key":1}`},
		"anything":                              {`{"":{}}`, `{}`, `{}`},
		"a nullable text":                       {`{"":{"type":["string","null"]}}`, `"text"`, `"text"`},
		"a nullable component":                  {`{"":{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/components/schemas/O"},{"type":"null"}]}},"required":["a"]},"O":` + order + `}`, `{"a":null}`, `{"a":{"id":"id","note":"note"}}`},
		"an enumeration":                        {`{"":{"type":"string","enum":["b","a"]}}`, `"b"`, `"b"`},
		"a constant":                            {`{"":{"const":7}}`, `7`, `7`},
		"an author's example":                   {`{"":{"type":"string","examples":["EUR"]}}`, `"EUR"`, `"EUR"`},
		"a wrong example":                       {`{"":{"type":"string","examples":[7]}}`, `"text"`, `"text"`},
		"bounds":                                {`{"":{"type":"integer","minimum":10,"maximum":20}}`, `10`, `10`},
		"exclusive bounds":                      {`{"":{"type":"integer","exclusiveMinimum":10,"exclusiveMaximum":12}}`, `11`, `11`},
		"a fraction":                            {`{"":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":0.5}}`, `0.25`, `0.25`},
		"a step":                                {`{"":{"type":"integer","multipleOf":7,"minimum":10}}`, `14`, `14`},
		"a length":                              {`{"":{"type":"string","minLength":6}}`, `"textaa"`, `"textaa"`},
		"a short text":                          {`{"":{"type":"string","maxLength":2}}`, `"te"`, `"te"`},
		"a pattern":                             {`{"":{"type":"string","pattern":"^[A-Z]{3}-[0-9]+$"}}`, `"AAA-1"`, `"AAA-1"`},
		"a time":                                {`{"":{"type":"string","format":"date-time"}}`, `"2026-01-02T15:04:05Z"`, `"2026-01-02T15:04:05Z"`},
		"bytes":                                 {`{"":{"type":"string","contentEncoding":"base64"}}`, `"dGV4dA=="`, `"dGV4dA=="`},
		"different items":                       {`{"":{"type":"array","items":{"type":"string"},"minItems":2,"uniqueItems":true}}`, `["text","text2"]`, `["text","text2"]`},
		"allOf":                                 {`{"":{"allOf":[{"$ref":"#/components/schemas/O"}],"required":["note"]},"O":` + order + `}`, `{"id":"id","note":"note"}`, `{"id":"id","note":"note"}`},
		"oneOf":                                 {`{"":{"oneOf":[{"type":"integer"},{"type":"number","minimum":0.5}]}}`, `0`, `0`},
		"recursion":                             {`{"":{"$ref":"#/components/schemas/N"},"N":{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#/components/schemas/N"}}}}`, `{}`, `{"v":1,"next":{}}`},
		"keys of a map":                         {`{"":{"type":"object","additionalProperties":{"type":"integer"},"propertyNames":{"enum":["a","b"]},"minProperties":2}}`, `{"a":1,"b":1}`, `{"a":1,"b":1}`},
		"a condition":                           {`{"":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"if":{"required":["a"]},"then":{"required":["b"]}}}`, `{}`, `{"a":1,"b":1}`},
		"false":                                 {`{"":{"type":"boolean","not":{"const":true}}}`, `false`, `false`},
		"null":                                  {`{"":{"enum":[null]}}`, `null`, `null`},
		"signs of HTML":                         {`{"":{"const":"<&>"}}`, `"<&>"`, `"<&>"`},
		"a nullable object":                     {`{"":{"type":["object","null"],"properties":{"a":{"type":["object","null"]}},"required":["a"]}}`, `{"a":null}`, `{"a":{}}`},
		"a nullable array":                      {`{"":{"type":"object","properties":{"a":{"type":["array","null"]}},"required":["a"]}}`, `{"a":null}`, `{"a":[{}]}`},
		"a nullable payload":                    {`{"":{"anyOf":[{"$ref":"#/components/schemas/O"},{"type":"null"}]},"O":` + order + `}`, `{"id":"id"}`, `{"id":"id","note":"note"}`},
		"a nullable text of anyOf":              {`{"":{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["a"]}}`, `{"a":"a"}`, `{"a":"a"}`},
		"an array of a name":                    {`{"":{"type":"object","properties":{"tag":{"type":"array","minItems":1,"items":{"type":"string"}}},"required":["tag"]}}`, `{"tag":["tag"]}`, `{"tag":["tag"]}`},
		"a component twice":                     {`{"":{"type":"object","properties":{"a":{"$ref":"#/components/schemas/O"},"b":{"$ref":"#/components/schemas/O"}}},"O":` + order + `}`, `{}`, `{"a":{"id":"id","note":"note"},"b":{"id":"id","note":"note"}}`},
		"recursion by alternatives":             {`{"":{"$ref":"#/components/schemas/N"},"N":{"type":"object","properties":{"v":{"type":"integer"},"next":{"description":"the next","anyOf":[{"$ref":"#/components/schemas/N"},{"type":"null"}]}}}}`, `{}`, `{"v":1,"next":{}}`},
		"a member without a value":              {`{"":{"type":"object","properties":{"a":{"type":"string","enum":[1]},"b":{"type":"integer"}}}}`, `{}`, `{"b":1}`},
		"items without a value":                 {`{"":{"type":["array","null"],"items":{"type":"string","enum":[1]}}}`, `[]`, `[]`},
		"alternatives without values":           {`{"":{"anyOf":[{"type":"string","enum":[1]},{"type":"integer","minimum":5}]}}`, `5`, `5`},
		"alternatives and a keyword":            {`{"":{"minimum":5,"anyOf":[{"type":"integer"}]}}`, `5`, `5`},
		"different enumerated items":            {`{"":{"type":"array","items":{"allOf":[{"enum":["c","b","a"]}]},"minItems":3,"uniqueItems":true}}`, `["c","b","a"]`, `["c","b","a"]`},
		"different numbers":                     {`{"":{"type":"array","items":{"type":"integer","minimum":1,"maximum":3},"minItems":3,"uniqueItems":true}}`, `[1,2,3]`, `[1,2,3]`},
		"different booleans":                    {`{"":{"type":"array","items":{"type":"boolean"},"minItems":2,"uniqueItems":true}}`, `[true,false]`, `[true,false]`},
		"different objects":                     {`{"":{"type":"array","items":` + order + `,"minItems":2,"uniqueItems":true}}`, `[{"id":"id"},{"id":"id2"}]`, `[{"id":"id","note":"note"},{"id":"id2","note":"note2"}]`},
		"different anything":                    {`{"":{"type":"array","minItems":2,"uniqueItems":true}}`, `[null,{}]`, `[{},[{}]]`},
		"equal items":                           {`{"":{"type":"array","items":{"type":"string"},"minItems":2}}`, `["text","text"]`, `["text","text"]`},
		"a contained item":                      {`{"":{"type":"array","items":{"type":"integer"},"contains":{"minimum":5},"minItems":2}}`, `[5,1]`, `[5,1]`},
		"keywords of objects":                   {`{"":{"properties":{"a":{"type":"integer"}},"items":{}}}`, `{}`, `{"a":1}`},
		"required members alone":                {`{"":{"required":["a"],"items":{},"properties":{}}}`, `{"a":null}`, `{"a":{}}`},
		"further members alone":                 {`{"":{"additionalProperties":{"type":"integer"},"items":{}}}`, `{}`, `{"key":1}`},
		"patterns of names alone":               {`{"":{"patternProperties":{"^x":{"type":"integer"}},"items":{}}}`, `{}`, `{"x":1}`},
		"a number of members alone":             {`{"":{"minProperties":1,"items":{}}}`, `{"key":null}`, `{"key":{}}`},
		"items alone":                           {`{"":{"items":{"type":"integer"}}}`, `[]`, `[1]`},
		"a number of items alone":               {`{"":{"minItems":1}}`, `[null]`, `[{}]`},
		"a contained item alone":                {`{"":{"contains":{"const":1}}}`, `[1]`, `[1]`},
		"a lower bound alone":                   {`{"":{"minimum":5}}`, `5`, `5`},
		"an upper bound alone":                  {`{"":{"maximum":5}}`, `1`, `1`},
		"exclusive bounds alone":                {`{"":{"exclusiveMinimum":5,"exclusiveMaximum":7}}`, `6`, `6`},
		"a step alone":                          {`{"":{"multipleOf":5}}`, `0`, `0`},
		"a pattern alone":                       {`{"":{"pattern":"^x$"}}`, `"x"`, `"x"`},
		"a format alone":                        {`{"":{"format":"date"}}`, `"2026-01-02"`, `"2026-01-02"`},
		"a least length alone":                  {`{"":{"minLength":1}}`, `"text"`, `"text"`},
		"a largest length alone":                {`{"":{"maxLength":1}}`, `"t"`, `"t"`},
		"no letter":                             {`{"":{"type":"string","maxLength":0}}`, `""`, `""`},
		"half of one":                           {`{"":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}}`, `0.5`, `0.5`},
		"the middle of others":                  {`{"":{"type":"number","minimum":2.2,"exclusiveMinimum":2.2,"exclusiveMaximum":2.6}}`, `2.4`, `2.4`},
		"a step up":                             {`{"":{"type":"number","exclusiveMinimum":0.1,"multipleOf":0.7,"exclusiveMaximum":0.9}}`, `0.7`, `0.7`},
		"a step down":                           {`{"":{"type":"integer","maximum":-10,"multipleOf":7}}`, `-14`, `-14`},
		"JSON in a text":                        {`{"":{"type":"string","contentMediaType":"application/json"}}`, `"{}"`, `"{}"`},
		"many bytes":                            {`{"":{"type":"string","contentEncoding":"base64","minLength":9}}`, `"dGV4dGFhYWFh"`, `"dGV4dGFhYWFh"`},
		"few bytes":                             {`{"":{"type":"string","contentEncoding":"base64","maxLength":5}}`, `"dGV4"`, `"dGV4"`},
		"bytes in a group":                      {`{"":{"type":"string","contentEncoding":"base64","maxLength":4}}`, `"dGV4"`, `"dGV4"`},
		"what may be left out":                  {`{"":{"type":"string","pattern":"^x?y*z{2,}u{1,3}[b-z]+.$"}}`, `"zzuba"`, `"zzuba"`},
		"what may be repeated":                  {`{"":{"type":"string","pattern":"^x?y*z{2,}u{1,2}$","minLength":7}}`, `"xyyyyyyyzzzzzzzzuu"`, `"xyyyyyyyzzzzzzzzuu"`},
		"what follows":                          {`{"":{"type":"string","pattern":"^ab","minLength":5}}`, `"abaaa"`, `"abaaa"`},
		"one letter of two":                     {`{"":{"type":"string","pattern":"^[!a]$"}}`, `"a"`, `"a"`},
		"one sign of two":                       {`{"":{"type":"string","pattern":"^[\\x00!]$"}}`, `"!"`, `"!"`},
		"types of a part":                       {`{"":{"type":"object","properties":{"a":{"allOf":[{},{"type":["string","null"]}]}},"required":["a"]}}`, `{"a":"a"}`, `{"a":"a"}`},
		"members beside alternatives":           {`{"":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"anyOf":[{"properties":{"b":{"type":"integer"}},"required":["b"]}]}}`, `{"a":"a","b":1}`, `{"a":"a","b":1}`},
		"a required member that is no property": {`{"":{"type":"object","properties":{"a":{"type":"integer"}},"required":["c"]}}`, `{"c":null}`, `{"a":1,"c":{}}`},
		"exactly so many":                       {`{"":{"type":"string","pattern":"^(b|c){3}$"}}`, `"bbb"`, `"bbb"`},
		"one of a group":                        {`{"":{"type":"string","pattern":"^(foo|ba)$"}}`, `"foo"`, `"foo"`},
		"letters of other languages":            {`{"":{"type":"string","pattern":"^[é-ü]$"}}`, `"é"`, `"é"`},
		"a sign":                                {`{"":{"type":"string","pattern":"^[!-/]$"}}`, `"-"`, `"-"`},
		"a sign that can be seen":               {`{"":{"type":"string","pattern":"^[\\x00-&]$"}}`, `" "`, `" "`},
		"the first of its class":                {`{"":{"type":"string","pattern":"^[ac-f]$"}}`, `"a"`, `"a"`},
		"the last of its class":                 {`{"":{"type":"string","pattern":"^[X-a]$"}}`, `"a"`, `"a"`},
		"the second of classes":                 {`{"":{"type":"string","pattern":"^[0-9B-Z]$"}}`, `"1"`, `"1"`},
		"short names":                           {`{"":{"type":"object","properties":{"long":{}},"propertyNames":{"maxLength":3},"minProperties":1}}`, `{"key":null}`, `{"key":{}}`},
		"names of a pattern":                    {`{"":{"type":"object","additionalProperties":{"type":"integer"},"propertyNames":{"pattern":"^[xy]$"},"minProperties":1}}`, `{"x":1}`, `{"x":1}`},
		"names that are no texts":               {`{"":{"type":"object","propertyNames":{"enum":[1,"x"]},"minProperties":1}}`, `{"x":null}`, `{"x":{}}`},
		"names that lead nowhere":               {`{"":{"type":"object","propertyNames":{"$ref":"#/components/schemas/None"}}}`, `{}`, `{}`},
		"properties as further ones":            {`{"":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"minProperties":1}}`, `{"a":1}`, `{"a":1,"b":1}`},
		"a property of a pattern":               {`{"":{"type":"object","properties":{"a":{"type":"integer"}},"patternProperties":{"^a":{"minimum":5}},"required":["a"]}}`, `{"a":5}`, `{"a":5,"key":{}}`},
		"members that are many":                 {`{"":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"maxProperties":1}}`, `{}`, `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			s, components := read(t, c.schemas)
			maker := example.New(components)
			small, ok := maker.Small(s)
			require.True(t, ok)
			full, ok := maker.Full(s)
			require.True(t, ok)
			require.Equal(t, c.full, string(full))
			require.Equal(t, c.small, string(small))
			if strings.Contains(c.schemas, "None") {
				return // the validator refuses the schema
			}
			by := compile(t, s, components)
			requireValid(t, by, small)
			requireValid(t, by, full)
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
		"endless alternatives":    `{"":{"$ref":"#/components/schemas/N"},"N":{"anyOf":[{"$ref":"#/components/schemas/N"}]}}`,
		"a class of no letters":   `{"":{"type":"string","pattern":"^[^\\s\\S]$"}}`,
		"a step of nothing":       `{"":{"type":"integer","multipleOf":0}}`,
		"too long a text":         `{"":{"type":"string","minLength":2001}}`,
		"too many items":          `{"":{"type":"array","minItems":81}}`,
		"too many members":        `{"":{"type":"object","minProperties":81}}`,
		"fewer letters than none": `{"":{"type":"string","minLength":3,"maxLength":2}}`,
		"equal items that differ": `{"":{"type":"array","items":{"const":1},"minItems":2,"uniqueItems":true}}`,
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

// A value is made to a depth, and a text to a length.
func TestMaker_MakesWhatIsJustSmallEnough(t *testing.T) {
	deep := func(n int) string {
		return strings.Repeat(`{"type":"array","minItems":1,"items":`, n) + `{}` + strings.Repeat(`}`, n)
	}
	for text, want := range map[string]bool{
		`{"":` + deep(24) + `}`:                     true,
		`{"":` + deep(25) + `}`:                     false,
		`{"":{"type":"string","minLength":2000}}`:   true,
		`{"":{"type":"array","minItems":80}}`:       true,
		`{"":{"type":"object","minProperties":80}}`: true,
	} {
		s, components := read(t, text)
		_, ok := example.New(components).Small(s)
		require.Equal(t, want, ok, text)
	}
}

func TestMaker_FullExamplesEndAtADepthAndANumber(t *testing.T) {
	nested := `{"type":"integer"}`
	for range 8 {
		nested = `{"type":"object","properties":{"a":` + nested + `}}`
	}
	s, components := read(t, `{"":`+nested+`}`)
	full, ok := example.New(components).Full(s)
	require.True(t, ok)
	require.JSONEq(t, `{"a":{"a":{"a":{"a":{"a":{}}}}}}`, string(full))

	var members []string
	for i := range 100 {
		members = append(members, fmt.Sprintf(`"m%d":{"type":"object","properties":{"a":{"type":"integer"}}}`, i))
	}
	s, components = read(t, `{"":{"type":"object","properties":{`+strings.Join(members, ",")+`}}}`)
	full, ok = example.New(components).Full(s)
	require.True(t, ok)
	require.Equal(t, 39, strings.Count(string(full), `"a":1`))
}

func TestMaker_SaysWhatTheTypeReads(t *testing.T) {
	sample := &schema.Schema{Type: schema.Types{"string"}, Sample: "1/3"}
	for _, s := range []*schema.Schema{sample, {AllOf: []*schema.Schema{sample, {}}}, {AllOf: []*schema.Schema{{}, sample}}} {
		text, ok := example.New(nil).Small(s)
		require.True(t, ok)
		require.Equal(t, `"1/3"`, string(text))
	}
}

func TestMaker_TakesNilForNone(t *testing.T) {
	_, ok := example.New(nil).Small(nil)
	require.False(t, ok)
	_, ok = example.New(nil).Full(schema.Build([]schema.Type{schema.Reflect(reflect.TypeFor[int]())}).Payloads[0])
	require.True(t, ok)
}
