package inclusion_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion/judge"
	"github.com/warrenmq/warren/internal/jsontree"
)

// A document has a schema, and components that it refers to.
func document(t testing.TB, schema, components string) *inclusion.Schema {
	t.Helper()
	text := fmt.Sprintf(`{"payload":%s,"components":{"schemas":%s}}`, schema, components)
	root, err := jsontree.Parse("", []byte(text))
	require.NoError(t, err, text)
	s, err := inclusion.NewReader(root).Schema(root.Get("payload"))
	require.NoError(t, err, text)
	return s
}

func value(t testing.TB, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err, text)
	return v
}

func text(t testing.TB, v any) string {
	t.Helper()
	written, err := json.Marshal(v)
	require.NoError(t, err)
	return string(written)
}

func TestCompare(t *testing.T) {
	for name, c := range map[string]struct{ a, b, want string }{
		"new optional member":           {`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, "included"},
		"new required member":           {`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["b"]}`, `{}`},
		"member gone, open":             {`{"type":"object","properties":{"a":{"type":"string"},"b":{}}}`, `{"type":"object","properties":{"a":{"type":"string"}}}`, "included"},
		"member gone, closed":           {`{"type":"object","properties":{"b":{"type":"string"}}}`, `{"type":"object","properties":{},"additionalProperties":false}`, `{"b":"a"}`},
		"member became map":             {`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","additionalProperties":{"type":"string"}}`, "included"},
		"map became another":            {`{"type":"object","additionalProperties":{"type":"string"}}`, `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"other":"a"}`},
		"enum in enum":                  {`{"enum":["a","b"]}`, `{"enum":["b","c","a"]}`, "included"},
		"enum value gone":               {`{"enum":["a","b"]}`, `{"enum":["a"]}`, `"b"`},
		"enum in type":                  {`{"enum":["a","b"]}`, `{"type":"string","maxLength":1}`, "included"},
		"integer in number":             {`{"type":"integer"}`, `{"type":"number"}`, "included"},
		"number in integer":             {`{"type":"number"}`, `{"type":"integer"}`, `1.5`},
		"int32 in int64":                {`{"type":"integer","format":"int32"}`, `{"type":"integer","format":"int64"}`, "included"},
		"int64 in int32":                {`{"type":"integer","format":"int64"}`, `{"type":"integer","format":"int32"}`, `2147483648`},
		"bounds of integers":            {`{"type":"integer","exclusiveMinimum":0}`, `{"type":"integer","minimum":1}`, "included"},
		"bounds of numbers":             {`{"type":"number","exclusiveMinimum":0}`, `{"type":"number","minimum":1}`, `0.5`},
		"multiple of a multiple":        {`{"multipleOf":0.02,"type":"number"}`, `{"multipleOf":0.01}`, "included"},
		"no multiple":                   {`{"multipleOf":0.01,"type":"number"}`, `{"multipleOf":0.02}`, `0.01`},
		"no multiple, whole":            {`{"type":"integer"}`, `{"multipleOf":2}`, `1`},
		"null gone":                     {`{"type":["string","null"]}`, `{"type":"string"}`, `null`},
		"reference to itself":           {`{"$ref":"#/components/schemas/Node"}`, `{"$ref":"#/components/schemas/Wide"}`, "included"},
		"reference to itself, wider":    {`{"$ref":"#/components/schemas/Wide"}`, `{"$ref":"#/components/schemas/Node"}`, `{}`},
		"allOf on the left":             {`{"allOf":[{"type":"string"},{"maxLength":3}]}`, `{"type":"string","maxLength":5}`, "included"},
		"oneOf by a member":             {`{"oneOf":[{"$ref":"#/components/schemas/Cat"}]}`, `{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}]}`, "included"},
		"oneOf alternative gone":        {`{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}]}`, `{"oneOf":[{"$ref":"#/components/schemas/Cat"}]}`, `{"kind":"dog"}`},
		"oneOf that overlaps":           {`{"type":"integer"}`, `{"oneOf":[{"type":"integer"},{"type":"number"}]}`, `1`},
		"not":                           {`{"type":"string"}`, `{"not":{"type":"integer"}}`, "included"},
		"not, refuted":                  {`{"type":"integer"}`, `{"not":{"minimum":10}}`, `10`},
		"pattern of one more":           {`{"type":"string","pattern":"^[a-z]+$"}`, `{"type":"string","pattern":"^[a-z]{2,}$"}`, `"a"`},
		"pattern that may be narrower":  {`{"type":"string","pattern":"^a$"}`, `{"type":"string","pattern":"^[a]$"}`, "undecided"},
		"format of text":                {`{"type":"string"}`, `{"type":"string","format":"date-time"}`, `"a"`},
		"unknown format":                {`{"type":"string"}`, `{"type":"string","format":"iban"}`, "undecided"},
		"tuple":                         {`{"items":[{"type":"string"}],"additionalItems":false,"type":"array"}`, `{"type":"array","items":{"type":"string"}}`, "included"},
		"more items":                    {`{"type":"array","maxItems":3}`, `{"type":"array","maxItems":2}`, `["a","a","a"]`},
		"if and then":                   {`{"type":"object","properties":{"a":{"enum":[1]}}}`, `{"if":{"required":["a"]},"then":{"required":["b"]}}`, `{"a":1}`},
		"dependency":                    {`{"type":"object","properties":{"a":{"enum":[1]},"b":{}},"required":["b"]}`, `{"dependencies":{"a":["b"]}}`, "included"},
		"dependency on more":            {`{"type":"object","dependencies":{"a":["b","c"]}}`, `{"type":"object","dependencies":{"a":["b"]}}`, "included"},
		"dependency on fewer":           {`{"type":"object","properties":{"a":{},"b":{}},"dependencies":{"a":["b"]}}`, `{"type":"object","dependencies":{"a":["b","c"]}}`, `{"a":"a","b":"a"}`},
		"dependency of another":         {`{"type":"object","properties":{"a":{},"c":{}},"dependencies":{"c":["b"]}}`, `{"type":"object","dependencies":{"a":["b"]}}`, `{"a":null}`},
		"condition of the sender":       {`{"type":["string","integer"],"if":{"type":"string"},"then":{"maxLength":2},"else":{"minimum":1}}`, `{"maxLength":2,"minimum":1}`, "included"},
		"condition without else":        {`{"type":["string","integer"],"if":{"type":"string"},"then":{"maxLength":2}}`, `{"maxLength":2}`, "included"},
		"either of the sender":          {`{"type":"integer","anyOf":[{"minimum":5,"maximum":6},{"minimum":1,"maximum":2}]}`, `{"minimum":1,"maximum":6}`, "included"},
		"one of the sender":             {`{"type":"integer","oneOf":[{"minimum":5,"maximum":6},{"minimum":1,"maximum":2}]}`, `{"minimum":1,"maximum":6}`, "included"},
		"schema that depends":           {`{"type":"object","dependencies":{"a":{"required":["b"]}},"required":["a"]}`, `{"required":["a"]}`, "included"},
		"fewest items":                  {`{"type":"array","minItems":2}`, `{"minItems":1}`, "included"},
		"too few items":                 {`{"type":"array","minItems":1}`, `{"minItems":2}`, `["a"]`},
		"exactly so many items":         {`{"type":"array","minItems":2,"maxItems":2}`, `{"minItems":2,"maxItems":2}`, "included"},
		"one item is unique":            {`{"type":"array","maxItems":1}`, `{"uniqueItems":true}`, "included"},
		"two items may be equal":        {`{"type":"array","items":{"type":"integer"},"maxItems":2}`, `{"uniqueItems":true}`, `[1,1]`},
		"whole numbers from a half":     {`{"type":"integer","minimum":0.5}`, `{"minimum":1}`, "included"},
		"whole numbers to a half":       {`{"type":"integer","maximum":1.5}`, `{"maximum":1}`, "included"},
		"whole numbers below one":       {`{"type":"integer","exclusiveMaximum":1}`, `{"maximum":0}`, "included"},
		"whole numbers above one bound": {`{"type":"integer","exclusiveMinimum":0}`, `{"minimum":2}`, `1`},
		"whole numbers below a bound":   {`{"type":"integer","exclusiveMaximum":0}`, `{"maximum":-2}`, `-1`},
		"whole numbers from a quarter":  {`{"type":"integer","minimum":2.25}`, `{"minimum":3.5}`, `3`},
		"lengths of no text":            {`{"allOf":[{"type":"string","minLength":3},{"maxLength":2}]}`, `{"type":"integer"}`, "included"},
		"short text in either length":   {`{"type":"string","maxLength":2}`, `{"oneOf":[{"type":"string","maxLength":2},{"type":"string","minLength":3}]}`, "included"},
		"number in two":                 {`{"type":"integer"}`, `{"enum":[0,1]}`, `-1`},
		"number in three":               {`{"type":"integer"}`, `{"enum":[-1,0,1]}`, `1048576`},
		"false":                         {`{"not":{}}`, `{"type":"string"}`, "included"},
	} {
		t.Run(name, func(t *testing.T) {
			components := `{
				"Node":{"type":"object","properties":{"value":{"type":"integer"},"next":{"$ref":"#/components/schemas/Node"}},"required":["value"]},
				"Wide":{"type":"object","properties":{"value":{"type":"integer"},"next":{"$ref":"#/components/schemas/Wide"}}},
				"Cat":{"type":"object","properties":{"kind":{"enum":["cat"]}},"required":["kind"]},
				"Dog":{"type":"object","properties":{"kind":{"enum":["dog"]},"breed":{"type":"string"}},"required":["kind"]}}`
			a, b := document(t, c.a, components), document(t, c.b, components)
			relation := inclusion.NewProver().Compare(a, b)
			got := relation.Answer.String()
			if relation.Answer == inclusion.Excluded {
				got = text(t, relation.Witness)
				require.NoError(t, judge.Compile(t, c.a, components).Validate(value(t, got)))
				require.Error(t, judge.Compile(t, c.b, components).Validate(value(t, got)))
			}
			require.Equal(t, c.want, got)
		})
	}
}

// A schemas makes random schemas, small ones whose keywords meet.
type schemas struct{ *rand.Rand }

func (r schemas) pick(of ...string) string { return of[r.IntN(len(of))] }

func (r schemas) schema(depth int) string {
	var words []string
	add := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	switch r.IntN(9) {
	case 0:
		add(`"type":"integer"`)
	case 1:
		add(`"type":"string"`)
	case 2:
		add(`"type":["string","null"]`)
	case 3:
		add(`"type":"number"`)
	case 4, 5:
		add(`"type":"object"`)
	case 6:
		add(`"type":"array"`)
	}
	for range r.IntN(3) {
		r.keyword(add, depth)
	}
	seen := make(map[string]bool)
	var kept []string
	for _, word := range words {
		name, _, _ := strings.Cut(word, ":")
		if !seen[name] {
			seen[name] = true
			kept = append(kept, word)
		}
	}
	return "{" + strings.Join(kept, ",") + "}"
}

func (r schemas) keyword(add func(format string, args ...any), depth int) {
	small := func() int { return r.IntN(4) }
	switch r.IntN(12) {
	case 0:
		add(`"%s":%d`, r.pick("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), small()-1)
	case 1:
		add(`"%s":%d`, r.pick("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), small())
	case 2:
		add(`"enum":[%s,%s]`, r.pick(`"a"`, `1`, `null`, `{}`), r.pick(`"b"`, `2`, `[]`, `{"a":1}`))
	case 3:
		add(`"pattern":"%s"`, r.pick("^a", "b$", "^[ab]*$"))
	case 4:
		add(`"multipleOf":%s`, r.pick("1", "2", "0.5"))
	case 5:
		add(`"required":["%s"]`, r.pick("a", "b"))
	case 6:
		add(`"uniqueItems":true`)
	case 7:
		add(`"format":"%s"`, r.pick("date", "int32", "uuid"))
	default:
		if depth > 0 {
			r.nested(add, depth-1)
		}
	}
}

func (r schemas) nested(add func(format string, args ...any), depth int) {
	switch r.IntN(10) {
	case 0, 1, 2:
		add(`"properties":{"a":%s,"b":%s}`, r.schema(depth), r.schema(depth))
	case 3:
		add(`"additionalProperties":%s`, r.pick("true", "false", r.schema(depth)))
	case 4:
		add(`"items":%s`, r.schema(depth))
	case 5:
		add(`"%s":[%s,%s]`, r.pick("allOf", "anyOf", "oneOf"), r.schema(depth), r.schema(depth))
	case 6:
		add(`"not":%s`, r.schema(depth))
	case 7:
		add(`"if":%s,"then":%s`, r.schema(depth), r.schema(depth))
	case 8:
		add(`"%s":%s`, r.pick("contains", "propertyNames"), r.schema(depth))
	case 9:
		add(`"patternProperties":{"%s":%s}`, r.pick("^a", "b"), r.schema(depth))
	}
	if r.IntN(6) == 0 {
		add(`"dependencies":{"a":%s}`, r.pick(`["b"]`, r.schema(depth)))
	}
}

func (r schemas) value(depth int) any {
	switch n := r.IntN(9); {
	case n == 0:
		return nil
	case n == 1:
		return r.IntN(2) == 0
	case n <= 3:
		return json.Number(r.pick("0", "1", "2", "-1", "0.5", "3", "4", "1.25", "3000000000"))
	case n <= 5 || depth == 0:
		return r.pick("", "a", "b", "ab", "ba", "abab", "2026-01-02", "c")
	case n == 6:
		array := []any{}
		for range r.IntN(4) {
			array = append(array, r.value(depth-1))
		}
		return array
	}
	object := map[string]any{}
	for range r.IntN(4) {
		object[r.pick("a", "b", "ab", "c")] = r.value(depth - 1)
	}
	return object
}

// The two schemas of a pair are often near to each other.
func (r schemas) pair() (a, b string) {
	a = r.schema(2)
	if r.IntN(2) == 0 {
		return a, r.schema(2)
	}
	return a, strings.Replace(a, r.pick(`"a"`, `1`, `2`, `"string"`, `"integer"`, `"allOf"`, `"oneOf"`), r.pick(`"b"`, `3`, `0`, `"number"`, `"anyOf"`), 1)
}

// isSchema leaves out what a replacement has made none.
func isSchema(text string) bool {
	root, err := jsontree.Parse("", []byte(text))
	if err != nil {
		return false
	}
	if _, err := inclusion.NewReader(root).Schema(root); err != nil {
		return false
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return false
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft7)
	if c.AddResource("s.json", value) != nil {
		return false
	}
	_, err = c.Compile("s.json")
	return err == nil
}

func TestAccepts_AgreesWithValidator(t *testing.T) {
	r := schemas{rand.New(rand.NewPCG(3, 5))}
	for range 3000 {
		s := r.schema(3)
		if !isSchema(s) {
			continue
		}
		own, validator := document(t, s, "{}"), judge.Compile(t, s, "{}")
		p := inclusion.NewProver()
		for range 30 {
			v := r.value(3)
			require.Equal(t, validator.Validate(v) == nil, p.Accepts(own, v), "%s of %s", text(t, v), s)
		}
	}
}

// What is proved has no counterexample among random values, and what is refuted has
// one that the validator confirms.
func checkPair(t testing.TB, r schemas, a, b string) inclusion.Answer {
	t.Helper()
	p := inclusion.NewProver()
	own, other := document(t, a, "{}"), document(t, b, "{}")
	judgeA, judgeB := judge.Compile(t, a, "{}"), judge.Compile(t, b, "{}")
	relation := p.Compare(own, other)
	switch relation.Answer {
	case inclusion.Excluded:
		require.True(t, p.Sends(own, relation.Witness))
		require.NoError(t, judgeA.Validate(relation.Witness), "%s isn't sent by %s", text(t, relation.Witness), a)
		require.Error(t, judgeB.Validate(relation.Witness), "%s is accepted by %s", text(t, relation.Witness), b)
	case inclusion.Included:
		for range 200 {
			v := r.value(3)
			if judgeA.Validate(v) == nil && p.Sends(own, v) {
				require.NoError(t, judgeB.Validate(v), "%s\nis sent by     %s\nnot accepted by %s", text(t, v), a, b)
			}
		}
	}
	return relation.Answer
}

func TestCompare_HoldsForRandomPairs(t *testing.T) {
	r := schemas{rand.New(rand.NewPCG(7, 11))}
	answers := make(map[inclusion.Answer]int)
	for range 1500 {
		a, b := r.pair()
		if isSchema(a) && isSchema(b) {
			answers[checkPair(t, r, a, b)]++
		}
	}
	// What leaves more of them undecided understands less than it did.
	require.Equal(t, map[inclusion.Answer]int{inclusion.Included: 885, inclusion.Excluded: 548, inclusion.Undecided: 1}, answers)
}

func FuzzCompare(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := schemas{rand.New(rand.NewPCG(seed, 1))}
		if a, b := r.pair(); isSchema(a) && isSchema(b) {
			checkPair(t, r, a, b)
		}
	})
}
