package difference_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion/judge"
)

// A pair of schemas differs in one way, and the other way round in another.
type pair struct{ forth, back, old, new string }

// pairs have every kind of change of a schema.
var pairs = []pair{
	{"type-widened", "type-narrowed", `{"type":"integer"}`, `{"type":"number"}`},
	{"type-changed", "type-changed", `{"type":"integer"}`, `{"type":"string"}`},
	{"null-added", "null-removed", `{"type":"string"}`, `{"type":["string","null"]}`},
	{"enum-added", "enum-removed", `{"type":"string"}`, `{"type":"string","enum":["a","b"]}`},
	{"enum-value-added", "enum-value-removed", `{"enum":["a","b"]}`, `{"enum":["a","b","c"]}`},
	{"const-added", "const-removed", `{"type":"integer"}`, `{"type":"integer","const":1}`},
	{"const-changed", "const-changed", `{"const":1}`, `{"const":2}`},
	{"format-added", "format-removed", `{"type":"string"}`, `{"type":"string","format":"uuid"}`},
	{"format-changed", "format-changed", `{"type":"integer","format":"int32"}`, `{"type":"integer","format":"int64"}`},
	{"pattern-added", "pattern-removed", `{"type":"string"}`, `{"type":"string","pattern":"^a+$"}`},
	{"pattern-changed", "pattern-changed", `{"type":"string","pattern":"^a$"}`, `{"type":"string","pattern":"^b$"}`},
	{"content-encoding-added", "content-encoding-removed", `{"type":"string"}`, `{"type":"string","contentEncoding":"base64"}`},
	{"minimum-added", "minimum-removed", `{"type":"integer"}`, `{"type":"integer","minimum":3}`},
	{"minimum-raised", "minimum-lowered", `{"type":"integer","minimum":3}`, `{"type":"integer","minimum":4}`},
	{"maximum-added", "maximum-removed", `{"type":"number"}`, `{"type":"number","maximum":3}`},
	{"maximum-raised", "maximum-lowered", `{"type":"number","maximum":3}`, `{"type":"number","maximum":3.5}`},
	{"exclusive-minimum-added", "exclusive-minimum-removed", `{"type":"number"}`, `{"type":"number","exclusiveMinimum":3}`},
	{"exclusive-minimum-raised", "exclusive-minimum-lowered", `{"type":"number","exclusiveMinimum":3}`, `{"type":"number","exclusiveMinimum":4}`},
	{"exclusive-maximum-added", "exclusive-maximum-removed", `{"type":"integer"}`, `{"type":"integer","exclusiveMaximum":3}`},
	{"exclusive-maximum-raised", "exclusive-maximum-lowered", `{"type":"integer","exclusiveMaximum":3}`, `{"type":"integer","exclusiveMaximum":5}`},
	{"multiple-of-added", "multiple-of-removed", `{"type":"integer"}`, `{"type":"integer","multipleOf":3}`},
	{"multiple-of-changed", "multiple-of-changed", `{"type":"integer","multipleOf":4}`, `{"type":"integer","multipleOf":2}`},
	{"min-length-added", "min-length-removed", `{"type":"string"}`, `{"type":"string","minLength":2}`},
	{"min-length-raised", "min-length-lowered", `{"type":"string","minLength":1}`, `{"type":"string","minLength":2}`},
	{"max-length-added", "max-length-removed", `{"type":"string"}`, `{"type":"string","maxLength":2}`},
	{"max-length-raised", "max-length-lowered", `{"type":"string","maxLength":2}`, `{"type":"string","maxLength":3}`},
	{"min-items-added", "min-items-removed", `{"type":"array","items":{"type":"integer"}}`, `{"type":"array","items":{"type":"integer"},"minItems":2}`},
	{"min-items-raised", "min-items-lowered", `{"type":"array","items":{},"minItems":1}`, `{"type":"array","items":{},"minItems":2}`},
	{"max-items-added", "max-items-removed", `{"type":"array","items":{"type":"integer"}}`, `{"type":"array","items":{"type":"integer"},"maxItems":2}`},
	{"max-items-raised", "max-items-lowered", `{"type":"array","items":{},"maxItems":1}`, `{"type":"array","items":{},"maxItems":2}`},
	{"min-properties-added", "min-properties-removed", `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"type":"object","additionalProperties":{"type":"integer"},"minProperties":1}`},
	{"min-properties-raised", "min-properties-lowered", `{"type":"object","minProperties":1}`, `{"type":"object","minProperties":2}`},
	{"max-properties-added", "max-properties-removed", `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"type":"object","additionalProperties":{"type":"integer"},"maxProperties":1}`},
	{"max-properties-raised", "max-properties-lowered", `{"type":"object","maxProperties":1}`, `{"type":"object","maxProperties":2}`},
	{"unique-items-added", "unique-items-removed", `{"type":"array","items":{"type":"integer"}}`, `{"type":"array","items":{"type":"integer"},"uniqueItems":true}`},
	{"items-added", "items-removed", `{"type":"array"}`, `{"type":"array","items":{"type":"integer"}}`},
	{"items-changed", "items-changed", `{"type":"array","items":{"type":"integer"}}`, `{"type":"array","items":[{"type":"integer"},{"type":"string"}]}`},
	{"additional-items-added", "additional-items-removed", `{"type":"array","items":[{"type":"integer"}]}`, `{"type":"array","items":[{"type":"integer"}],"additionalItems":false}`},
	{"additional-items-changed", "additional-items-changed", `{"type":"array","items":[{"type":"integer"}],"additionalItems":{"type":"string"}}`, `{"type":"array","items":[{"type":"integer"}],"additionalItems":{"type":"integer"}}`},
	{"contains-added", "contains-removed", `{"type":"array","items":{"type":"integer"}}`, `{"type":"array","items":{"type":"integer"},"contains":{"const":2}}`},
	{"contains-changed", "contains-changed", `{"type":"array","items":{"type":"integer"},"contains":{"const":2}}`, `{"type":"array","items":{"type":"integer"},"contains":{"const":3}}`},
	{"property-added", "property-removed", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}`},
	{"property-added", "property-removed", `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"additionalProperties":false}`},
	{"property-added", "property-removed", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a","b"]}`},
	{"required-added", "required-removed", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`},
	{"additional-properties-added", "additional-properties-removed", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`},
	{"additional-properties-added", "additional-properties-removed", `{"type":"object"}`, `{"type":"object","additionalProperties":{"type":"integer"}}`},
	{"pattern-property-added", "pattern-property-removed", `{"type":"object"}`, `{"type":"object","patternProperties":{"^b":{"type":"integer"}}}`},
	{"property-names-added", "property-names-removed", `{"type":"object"}`, `{"type":"object","propertyNames":{"maxLength":1}}`},
	{"property-names-changed", "property-names-changed", `{"type":"object","propertyNames":{"maxLength":1}}`, `{"type":"object","propertyNames":{"maxLength":2}}`},
	{"dependency-added", "dependency-removed", `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}`, `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"dependencies":{"a":["b"]}}`},
	{"dependency-changed", "dependency-changed", `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"dependencies":{"a":["b"]}}`, `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"dependencies":{"b":["a"]}}`},
	{"all-of-added", "all-of-removed", `{"type":"integer","allOf":[{"minimum":1}]}`, `{"type":"integer","allOf":[{"minimum":1},{"maximum":5}]}`},
	{"any-of-added", "any-of-removed", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"string"},{"type":"null"},{"type":"integer"}]}`},
	{"one-of-added", "one-of-removed", `{"oneOf":[{"$ref":"#/components/schemas/Cat"}]}`, `{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}]}`},
	{"any-of-added", "any-of-removed", `{"type":["string","integer"]}`, `{"type":["string","integer"],"anyOf":[{"type":"string"}]}`},
	{"one-of-added", "one-of-removed", `{"type":["string","integer"]}`, `{"type":["string","integer"],"oneOf":[{"type":"string"}]}`},
	{"not-added", "not-removed", `{"type":"integer"}`, `{"type":"integer","not":{"const":2}}`},
	{"not-changed", "not-changed", `{"type":"integer","not":{"const":2}}`, `{"type":"integer","not":{"const":3}}`},
	{"condition-added", "condition-removed", `{"type":"integer"}`, `{"type":"integer","if":{"minimum":2},"then":{"multipleOf":2}}`},
	{"condition-changed", "condition-changed", `{"type":"integer","if":{"minimum":2},"then":{"multipleOf":2}}`, `{"type":"integer","if":{"minimum":2},"then":{"multipleOf":4}}`},
	{"boolean-schema-changed", "boolean-schema-changed", `{"type":"object","properties":{"a":true}}`, `{"type":"object","properties":{"a":false}}`},
	// Below references, and within what holds a schema.
	{"minimum-added", "minimum-removed", `{"$ref":"#/components/schemas/Tree"}`, `{"$ref":"#/components/schemas/PositiveTree"}`},
	{"maximum-lowered", "maximum-raised", `{"type":"array","items":[{"type":"string"},{"type":"integer","maximum":5}],"minItems":2}`, `{"type":"array","items":[{"type":"string"},{"type":"integer","maximum":4}],"minItems":2}`},
	{"max-length-lowered", "max-length-raised", `{"type":"array","items":{"type":"object","properties":{"a":{"type":"string","maxLength":3}},"required":["a"]},"minItems":1}`, `{"type":"array","items":{"type":"object","properties":{"a":{"type":"string","maxLength":2}},"required":["a"]},"minItems":1}`},
	{"required-added", "required-removed", `{"allOf":[{"$ref":"#/components/schemas/Cat"},{"type":"object","properties":{"a":{}}}]}`, `{"allOf":[{"$ref":"#/components/schemas/Cat"},{"type":"object","properties":{"a":{}},"required":["a"]}]}`},
	{"maximum-lowered", "maximum-raised", `{"oneOf":[{"title":"a","type":"integer","maximum":5},{"title":"b","type":"string"}]}`, `{"oneOf":[{"title":"a","type":"integer","maximum":4},{"title":"b","type":"string"}]}`},
	{"type-changed", "type-changed", `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"type":"object","additionalProperties":{"type":"string"}}`},
	{"min-length-added", "min-length-removed", `{"type":"object","patternProperties":{"^b":{"type":"string"}}}`, `{"type":"object","patternProperties":{"^b":{"type":"string","minLength":2}}}`},
	// Nothing that is valid changes.
	{"exclusive-minimum-added", "exclusive-minimum-removed", `{"type":"integer","minimum":1}`, `{"type":"integer","exclusiveMinimum":0}`},
	{"max-length-added", "max-length-removed", `{"enum":["a","b"]}`, `{"enum":["a","b"],"maxLength":1}`},
	{"all-of-added", "all-of-removed", `{"type":"integer","minimum":3}`, `{"type":"integer","minimum":3,"allOf":[{"minimum":2}]}`},
}

const components = `{
	"Cat": {"type":"object","properties":{"kind":{"enum":["cat"]},"lives":{"type":"integer"}},"required":["kind"]},
	"Dog": {"type":"object","properties":{"kind":{"enum":["dog"]},"breed":{"type":"string"}},"required":["kind"]},
	"Tree": {"type":"object","properties":{"value":{"type":"integer"},"below":{"type":"array","items":{"$ref":"#/components/schemas/Tree"}}},"required":["value"]},
	"PositiveTree": {"type":"object","properties":{"value":{"type":"integer","minimum":1},"below":{"type":"array","items":{"$ref":"#/components/schemas/PositiveTree"}}},"required":["value"]}
}`

// contract returns a document whose service receives messages of a schema, or
// sends them.
func contract(t testing.TB, key, schema, components string) *difference.Document {
	t.Helper()
	other := map[string]string{"subscribe": "", "publish": `"subscribe":{"operationId":"Ask","message":{"name":"Ask","payload":{"type":"string"}}},`}[key]
	text := fmt.Sprintf(`{"asyncapi":"2.6.0","info":{"title":"T","version":"1.0.0"},"channels":{"q":{%s%q:{"operationId":%q,"message":{"name":"M","payload":%s}},
		"bindings":{"amqp":{"is":"queue","queue":{"name":"q","durable":true}}}}},"components":{"schemas":%s}}`,
		other, key, map[string]string{"subscribe": "Ask", "publish": "Ask.reply"}[key], schema, components)
	d, err := difference.Read("asyncapi.json", []byte(text), difference.ByShape)
	require.NoError(t, err, text)
	return d
}

// A sender makes values as a program does that has a type for a schema: with the
// members that the schema lists, and no others.
type sender struct {
	*rand.Rand
	components map[string]any
	closed     bool // all objects that list members
}

func (s sender) value(schema any, depth int) any {
	m, ok := schema.(map[string]any)
	if !ok || len(m) == 0 || depth > 6 {
		return s.anything(depth)
	}
	if ref, ok := m["$ref"].(string); ok {
		return s.value(s.components[strings.TrimPrefix(ref, "#/components/schemas/")], depth+1)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if choices, ok := m[keyword].([]any); ok {
			return s.value(choices[s.IntN(len(choices))], depth+1)
		}
	}
	if values, ok := m["enum"].([]any); ok {
		return values[s.IntN(len(values))]
	}
	if value, ok := m["const"]; ok {
		return value
	}
	types, _ := m["type"].([]any)
	if one, ok := m["type"].(string); ok {
		types = []any{one}
	}
	if len(types) > 0 {
		switch types[s.IntN(len(types))] {
		case "integer":
			return json.Number([]string{"0", "1", "2", "3", "4", "5", "6", "8", "-1", "2147483648", "-70"}[s.IntN(11)])
		case "number":
			return json.Number([]string{"0", "1", "2.5", "3", "3.5", "3.25", "4", "-1", "5"}[s.IntN(9)])
		case "string":
			return []string{"", "a", "b", "aa", "bbb", "aaaa", "YQ==", "123e4567-e89b-12d3-a456-426614174000"}[s.IntN(8)]
		case "boolean":
			return s.IntN(2) == 0
		case "null":
			return nil
		case "array":
			return s.array(m, depth)
		}
	}
	return s.object(m, depth)
}

func (s sender) anything(depth int) any {
	all := []any{nil, true, json.Number("1"), json.Number("7.5"), "a", "bb", map[string]any{}, []any{}}
	if depth < 3 && s.IntN(3) == 0 {
		return map[string]any{"b": s.anything(depth + 1), "aa": s.anything(depth + 1)}
	}
	return all[s.IntN(len(all))]
}

func (s sender) array(m map[string]any, depth int) any {
	array := []any{}
	for i := range s.IntN(4) {
		items := m["items"]
		if tuple, ok := items.([]any); ok {
			items = m["additionalItems"]
			if i < len(tuple) {
				items = tuple[i]
			}
		}
		array = append(array, s.value(items, depth+1))
	}
	return array
}

func (s sender) object(m map[string]any, depth int) any {
	object := make(map[string]any)
	schemas := []any{m}
	for len(schemas) > 0 {
		of, _ := schemas[0].(map[string]any)
		schemas = schemas[1:]
		if ref, ok := of["$ref"].(string); ok {
			schemas = append(schemas, s.components[strings.TrimPrefix(ref, "#/components/schemas/")])
		}
		all, _ := of["allOf"].([]any)
		schemas = append(schemas, all...)
		properties, lists := of["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			if s.IntN(3) > 0 {
				object[name] = s.value(properties[name], depth+1)
			}
		}
		additional, described := of["additionalProperties"]
		if of["allOf"] == nil && of["$ref"] == nil && (!lists && !s.closed || described) && additional != false {
			for _, name := range []string{"b", "c", "dd"} {
				if s.IntN(3) == 0 && properties[name] == nil {
					object[name] = s.value(additional, depth+1)
				}
			}
		}
		patterns, _ := of["patternProperties"].(map[string]any)
		for _, schema := range patterns {
			object["bb"] = s.value(schema, depth+1)
		}
	}
	return object
}

// breaks sends values by one schema, and reports whether one of them isn't
// accepted by the other. The validator decides what is sent, and what is accepted.
func breaks(t *testing.T, sends, accepts string) (refused any, found bool) {
	t.Helper()
	sent, accepted := judge.Compile(t, sends, components), judge.Compile(t, accepts, components)
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(sends))
	require.NoError(t, err)
	all, err := jsonschema.UnmarshalJSON(strings.NewReader(components))
	require.NoError(t, err)
	s := sender{Rand: rand.New(rand.NewPCG(1, 2)), components: all.(map[string]any)}
	if m, ok := schema.(map[string]any); ok && m["allOf"] != nil {
		s.closed = true
	}
	n := 0
	for range 3000 {
		value := s.value(schema, 0)
		if m, ok := schema.(map[string]any); ok && m["allOf"] != nil && m["type"] == nil {
			value = s.object(m, 0)
		}
		if sent.Validate(value) != nil {
			continue
		}
		n++
		if accepted.Validate(value) != nil {
			return value, true
		}
	}
	require.Greater(t, n, 10, "values are sent by %s", sends)
	return nil, false
}

func TestCompare_VerdictsAreThoseOfValues(t *testing.T) {
	ids := make(map[string]bool)
	for _, p := range pairs {
		for _, way := range []struct{ id, old, new string }{{p.forth, p.old, p.new}, {p.back, p.new, p.old}} {
			ids["schema-"+way.id] = true
			for key, order := range map[string][2]string{"subscribe": {way.old, way.new}, "publish": {way.new, way.old}} {
				t.Run(way.id+" "+key, func(t *testing.T) {
					report := difference.Compare(contract(t, key, way.old, components), contract(t, key, way.new, components), nil)
					of := slices.IndexFunc(report.Changes, func(c difference.Change) bool { return c.ID == "schema-"+way.id })
					require.GreaterOrEqual(t, of, 0, "%v", report.Changes)
					refused, broken := breaks(t, order[0], order[1])
					require.Equal(t, broken, report.HasBreaking(), "%s to %s, by the value %v: %v", way.old, way.new, refused, report.Changes)
					require.Zero(t, report.Count(difference.Undecided))
					isWhole := func(c difference.Change) bool { return c.ID == "payload-narrowed" }
					require.False(t, slices.ContainsFunc(report.Changes, isWhole), "the change is alone, and what it does is known: %v", report.Changes)
					checkExamples(t, report, order[0], order[1])
				})
			}
		}
	}
	for _, id := range difference.Kinds() {
		if strings.HasPrefix(id, "schema-") && !ids[id] {
			require.Contains(t, withoutValues, id)
		}
	}
	require.Greater(t, len(ids), 90)
}

// What a change alone does is said of it, whatever is changed beside it.
func TestCompare_SaysWhatAChangeAloneDoes(t *testing.T) {
	for _, c := range []struct {
		old, new string
		want     []string
	}{
		{
			`{"type":["string","integer","null"],"anyOf":[{"type":["string","integer"]}]}`, `{"type":["integer","null"]}`,
			[]string{"breaking schema-type-narrowed", "compatible schema-any-of-removed"},
		},
		{
			`{"type":["string","integer","null"],"oneOf":[{"type":["string","integer"]}]}`, `{"type":["integer","null"]}`,
			[]string{"breaking schema-type-narrowed", "compatible schema-one-of-removed"},
		},
		{
			`{"type":"object","properties":{"a":{"type":"string"},"c":{"type":"integer"}},"additionalProperties":false}`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"},"c":{"type":"string"}},"additionalProperties":false}`,
			[]string{"breaking schema-type-changed", "compatible schema-property-added"},
		},
		{ // b may have been sent, as nothing was said of it
			`{"type":"object","required":["a"]}`, `{"type":"object","properties":{"b":{"type":"integer"}}}`,
			[]string{"breaking schema-property-added", "compatible schema-required-removed"},
		},
		{ // a is sent as before, and is now among the fields that aren't listed
			`{"type":"object","properties":{"a":{"type":"integer"}}}`, `{"type":"object","additionalProperties":{"type":"string"}}`,
			[]string{"breaking payload-narrowed", "compatible schema-property-removed", "compatible schema-additional-properties-added"},
		},
	} {
		report := difference.Compare(contract(t, "subscribe", c.old, components), contract(t, "subscribe", c.new, components), nil)
		var got []string
		for _, change := range report.Changes {
			if change.ID != "version-too-low" {
				got = append(got, string(change.Severity)+" "+change.ID)
			}
		}
		require.Equal(t, c.want, got, "%s to %s", c.old, c.new)
	}
}

// Changes of schemas on which no validator acts.
var withoutValues = []string{
	"schema-content-media-type-added", "schema-content-media-type-removed", "schema-content-media-type-changed", "schema-content-encoding-changed",
	"schema-keyword-changed", "schema-title-changed", "schema-description-changed", "schema-examples-changed", "schema-default-changed",
	"schema-deprecated-changed", "schema-read-only-changed", "schema-write-only-changed", "schema-discriminator-changed",
	"schema-external-docs-changed", "schema-comment-changed", "schema-enum-names-changed", "schema-enum-descriptions-changed",
}

// checkExamples shows the examples of a report to the validator.
func checkExamples(t testing.TB, report *difference.Report, sends, accepts string) {
	t.Helper()
	for _, c := range report.Changes {
		if !strings.HasPrefix(c.ID, "schema-") && c.ID != "payload-narrowed" {
			continue
		}
		require.Equal(t, c.Severity == difference.Breaking, c.Example != "", "%v", c)
		if c.Example == "" {
			continue
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(c.Example))
		require.NoError(t, err)
		require.NoError(t, judge.Compile(t, sends, components).Validate(value), "%v", c)
		require.Error(t, judge.Compile(t, accepts, components).Validate(value), "%v", c)
	}
}
