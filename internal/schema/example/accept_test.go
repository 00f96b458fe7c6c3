package example_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/schema/example"
)

// The validator says the same where the Maker is sure.
func TestMaker_JudgesValues(t *testing.T) {
	for _, c := range []struct{ schema, yes, no, unsure string }{
		{schema: `{}`, yes: `null | true | 1 | "a" | [1] | {"a":1}`},
		{schema: `{"type":"null"}`, yes: `null`, no: `true | 1 | "a" | [] | {}`},
		{schema: `{"type":"boolean"}`, yes: `true | false`, no: `null | 1 | "a" | [] | {}`},
		{schema: `{"type":"integer"}`, yes: `1 | 1.0 | 1e2`, no: `null | true | 1.5 | "a" | [] | {}`},
		{schema: `{"type":"number"}`, yes: `1 | 1.5`, no: `null | true | "a" | [] | {}`},
		{schema: `{"type":"string"}`, yes: `"a" | "1"`, no: `null | true | 1 | [] | {}`},
		{schema: `{"type":"array"}`, yes: `[] | [1]`, no: `null | true | 1 | "a" | {}`},
		{schema: `{"type":"object"}`, yes: `{} | {"a":1}`, no: `null | true | 1 | "a" | []`},
		{schema: `{"type":["string","null"]}`, yes: `"a" | null`, no: `1`},

		{schema: `{"const":[1,{"a":1,"b":2}]}`, yes: `[1,{"a":1,"b":2}] | [1.0,{"b":2,"a":1e0}]`, no: `[1] | [{"a":1,"b":2},1] | [1,{"a":1}] | [1,{"a":1,"b":2,"c":3}] | [1,{"a":1,"c":2}] | [1,{"a":1,"b":3}] | 1 | null`},
		{schema: `{"const":1}`, yes: `1.0`, no: `2 | "1" | true | null | [] | {}`},
		{schema: `{"const":false}`, yes: `false`, no: `true | null | 0 | [] | {}`},
		{schema: `{"const":null}`, yes: `null`, no: `false | [] | {}`},
		{schema: `{"const":{}}`, yes: `{}`, no: `[] | null | {"a":1}`},
		{schema: `{"enum":["a",1]}`, yes: `"a" | 1`, no: `"b" | 2 | null`},

		{schema: `{"minimum":3}`, yes: `3 | 4 | "a"`, no: `2.5`},
		{schema: `{"maximum":3}`, yes: `3 | 2`, no: `3.5`},
		{schema: `{"exclusiveMinimum":3}`, yes: `3.5`, no: `3 | 2`},
		{schema: `{"exclusiveMaximum":3}`, yes: `2.5`, no: `3 | 4`},
		{schema: `{"multipleOf":0.5}`, yes: `0 | 1.5 | -1`, no: `1.2`},
		{schema: `{"maximum":1e500}`, unsure: `1`},
		{schema: `{"maximum":1e500,"minimum":2}`, unsure: `2`, no: `1`},
		{schema: `{"multipleOf":1e-500}`, unsure: `1`},
		{schema: `{"format":"int8"}`, yes: `-128 | 127`, unsure: `-129 | 128 | 1.5`},
		{schema: `{"format":"uint8"}`, yes: `0 | 255`, unsure: `-1 | 256`},
		{schema: `{"format":"int64"}`, yes: `-9223372036854775808 | 9223372036854775807`, unsure: `9223372036854775808`},
		{schema: `{"format":"int8","minimum":0}`, yes: `0`, no: `-200`, unsure: `200`},

		{schema: `{"minLength":2}`, yes: `"éa" | 1`, no: `"é"`},
		{schema: `{"maxLength":2}`, yes: `"éa"`, no: `"éab"`},
		{schema: `{"pattern":"^a+$"}`, yes: `"aa" | 1`, no: `"ab"`},
		{schema: `{"pattern":"^(?=a)"}`, unsure: `"a" | "b"`},
		{schema: `{"pattern":"(?i)a"}`, unsure: `"a" | "A"`},
		{schema: `{"pattern":"\\pL"}`, unsure: `"a"`},
		{schema: `{"pattern":"[[:alpha:]]"}`, unsure: `"a"`},
		{schema: `{"format":"date"}`, yes: `"2026-02-28"`, unsure: `"2026-02-30"`},
		{schema: `{"format":"date-time"}`, yes: `"2026-02-28T01:02:03.5+02:00"`, unsure: `"2026-02-28"`},
		{schema: `{"format":"email"}`, yes: `"bob@example.org"`, unsure: `"bob" | "Bob <bob@example.org>"`},
		{schema: `{"format":"ipv4"}`, yes: `"192.0.2.7"`, unsure: `"::1" | "192.0.2"`},
		{schema: `{"format":"ipv6"}`, yes: `"::1"`, unsure: `"192.0.2.7" | "fe80::1%eth0" | "a"`},
		{schema: `{"format":"uri"}`, yes: `"urn:a"`, unsure: `"/b" | ":"`},
		{schema: `{"format":"uuid"}`, yes: `"223e4567-e89b-12d3-a456-426614174000"`, unsure: `"223e4567"`},
		{schema: `{"format":"time"}`, yes: `"15:04:05Z"`, unsure: `"16:04:05Z"`},
		{schema: `{"format":"own"}`, yes: `"a"`},
		{schema: `{"contentEncoding":"base64"}`, yes: `"dGV4dA=="`, unsure: `"dGV4dA"`},
		{schema: `{"contentMediaType":"application/json"}`, yes: `"[1]"`, unsure: `"[1"`},
		{schema: `{"contentEncoding":"base64","contentMediaType":"application/json"}`, yes: `"e30="`, unsure: `"dGV4dA==" | "{}"`},
		{schema: `{"format":"date","maxLength":5}`, unsure: `"2026-02-28"`},

		{schema: `{"minItems":2}`, yes: `[1,1] | 1`, no: `[1]`},
		{schema: `{"maxItems":1}`, yes: `[1]`, no: `[1,1]`},
		{schema: `{"uniqueItems":true}`, yes: `[1,2] | [1,"1"] | [[],{}]`, no: `[1,2,1.0] | [{"a":1,"b":2},{"b":2,"a":1}]`},
		{schema: `{"items":{"type":"integer"}}`, yes: `[] | [1,2]`, no: `[1,"a"] | ["a",1]`},
		{schema: `{"items":{"format":"int8"}}`, yes: `[1]`, unsure: `[200,1]`},
		{schema: `{"contains":{"type":"integer"}}`, yes: `[1,"a"] | ["a",1]`, no: `[] | ["a"]`},
		{schema: `{"contains":{"format":"int8"}}`, yes: `[200,1]`, unsure: `[200]`},

		{schema: `{"required":["a","b"]}`, yes: `{"a":1,"b":2} | 1`, no: `{"a":1} | {"b":1}`},
		{schema: `{"minProperties":2}`, yes: `{"a":1,"b":2}`, no: `{"a":1}`},
		{schema: `{"maxProperties":1}`, yes: `{"a":1}`, no: `{"a":1,"b":2}`},
		{schema: `{"propertyNames":{"maxLength":1}}`, yes: `{"a":1}`, no: `{"a":1,"bc":2}`},
		{schema: `{"properties":{"a":{"type":"integer"}}}`, yes: `{"a":1,"b":"x"} | {}`, no: `{"a":"x"}`},
		{schema: `{"patternProperties":{"^a":{"type":"integer"}}}`, yes: `{"ab":1,"b":"x"}`, no: `{"ab":"x"}`},
		{schema: `{"patternProperties":{"(?=a)":{"type":"integer"}}}`, yes: `{}`, unsure: `{"b":1}`},
		{schema: `{"patternProperties":{"(?=a)":{"type":"integer"}},"properties":{"b":{"type":"string"}}}`, no: `{"b":1}`, unsure: `{"b":"x"}`},
		{schema: `{"properties":{"a":{"minimum":1}},"patternProperties":{"^a":{"maximum":3}},"additionalProperties":{"type":"string"}}`, yes: `{"a":2,"ab":0,"b":"x"}`, no: `{"a":0} | {"a":4} | {"b":1}`},

		{schema: `{"allOf":[{"minimum":1},{"maximum":3}]}`, yes: `1 | 3`, no: `0 | 4`},
		{schema: `{"anyOf":[{"maximum":1},{"minimum":3}]}`, yes: `1 | 3`, no: `2`},
		{schema: `{"anyOf":[{"maximum":1},{"format":"int8"}]}`, yes: `-200 | 2`, unsure: `200`},
		{schema: `{"oneOf":[{"maximum":3},{"minimum":1}]}`, yes: `0 | 4`, no: `2`},
		{schema: `{"oneOf":[{"maximum":1},{"minimum":3}]}`, no: `2`},
		{schema: `{"oneOf":[{"minimum":1},{"format":"int8"}]}`, yes: `0`, no: `2`, unsure: `200 | -200`},
		{schema: `{"not":{"maximum":1}}`, yes: `2`, no: `1`},
		{schema: `{"not":{"format":"int8"}}`, no: `1`, unsure: `200`},
		{schema: `{"if":{"maximum":1},"then":{"minimum":0},"else":{"minimum":5}}`, yes: `0 | 5`, no: `-1 | 4`},
		{schema: `{"if":{"maximum":1},"then":{"minimum":0}}`, yes: `0 | 5`, no: `-1`},
		{schema: `{"if":{"maximum":1},"else":{"minimum":5}}`, yes: `-1 | 5`, no: `4`},
		{schema: `{"if":{"format":"int8"},"then":{"minimum":0}}`, yes: `0`, no: `-1`, unsure: `200`},

		{schema: `{"items":{"$ref":"#/components/schemas/None"}}`, yes: `[]`, unsure: `[1]`},
	} {
		t.Run(c.schema, func(t *testing.T) {
			s, components := read(t, `{"":`+c.schema+`}`)
			maker := example.New(components)
			for want, values := range map[string]string{"yes": c.yes, "no": c.no, "unsure": c.unsure} {
				for value := range strings.SplitSeq(values, " | ") {
					if value == "" {
						continue
					}
					got, err := maker.Judge(s, value)
					require.NoError(t, err)
					require.Equal(t, want, got, value)
					if want == "unsure" || strings.Contains(c.schema, "None") {
						continue
					}
					parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
					require.NoError(t, err)
					require.Equal(t, want == "yes", compile(t, s, components).Validate(parsed) == nil, value)
				}
			}
		})
	}
}

func TestMaker_IsUnsureOfWhatTakesLong(t *testing.T) {
	for text, value := range map[string]string{
		`{"":{"items":{"type":"integer"}}}`: "[1" + strings.Repeat(",1", 50_000) + "]",
		`{"":{"$ref":"#/components/schemas/N"},"N":{"allOf":[{"$ref":"#/components/schemas/N"}]}}`: "1",
	} {
		s, components := read(t, text)
		got, err := example.New(components).Judge(s, value)
		require.NoError(t, err)
		require.Equal(t, "unsure", got)
	}
}

func TestMaker_IsNotTiredOfManyExamples(t *testing.T) {
	s, components := read(t, `{"":{"type":"integer"}}`)
	maker := example.New(components)
	for range 25_000 {
		_, ok := maker.Small(s)
		require.True(t, ok)
	}
}

// What an author wrote may be anything.
func TestMaker_ReadsNoInvalidJSON(t *testing.T) {
	for _, text := range []string{``, `[1`, `[1,`, `[x]`, `{`, `{"a"`, `{"a":`, `{"a":x}`, `{"a":1`, `{1:1}`, `[1e401]`, `1e-401`} {
		s, components := read(t, `{"":{}}`)
		_, err := example.New(components).Judge(s, text)
		require.Error(t, err, text)
	}
}

// Nothing is known of numbers too large to be written out, so they aren't shown.
func TestMaker_ShowsNoNumberThatItCannotCompare(t *testing.T) {
	for text, want := range map[string]string{
		`{"":{"not":{"type":"integer"},"examples":[1e500]}}`:        `{}`,
		`{"":{"examples":[1e401,1E-401,1e400]}}`:                    `1e400`,
		`{"":{"examples":[` + strings.Repeat("1", 401) + `,7]}}`:    `7`,
		`{"":{"enum":[{"a":[1e401]},7]}}`:                           `7`,
		`{"":{"type":"integer","minimum":1` + zeros(399) + `e400}}`: ``,
	} {
		s, components := read(t, text)
		got, ok := example.New(components).Full(s)
		require.Equal(t, want, string(got), text)
		require.Equal(t, want != "", ok)
	}
}

func zeros(n int) string { return strings.Repeat("0", n) }

// Parts of allOf are read as one schema, whichever comes first.
func TestMaker_JoinsPartsOfAllOf(t *testing.T) {
	for name, c := range map[string]struct{ one, other, small, full string }{
		"types":                          {`"type":["string","integer"],"minimum":5`, `"type":["integer","boolean"]`, `5`, `5`},
		"integers of numbers":            {`"type":"number"`, `"type":["integer","null"],"minimum":2.5`, `3`, `3`},
		"an enumeration":                 {`"type":"string"`, `"enum":["x","y"]`, `"x"`, `"x"`},
		"a constant":                     {`"type":"string"`, `"const":"x"`, `"x"`, `"x"`},
		"an example":                     {`"type":"string"`, `"examples":["x"]`, `"x"`, `"x"`},
		"examples of both":               {`"type":"string","examples":[7]`, `"examples":[8,"x"]`, `"x"`, `"x"`},
		"an enumeration of alternatives": {`"type":"string"`, `"anyOf":[{"enum":[1]},{"enum":["x"]}]`, `"x"`, `"x"`},
		"a format":                       {`"type":"string"`, `"format":"date"`, `"2026-01-02"`, `"2026-01-02"`},
		"a pattern":                      {`"type":"string"`, `"pattern":"^[xy]$"`, `"x"`, `"x"`},
		"a content":                      {`"contentEncoding":"base64","contentMediaType":"application/json"`, `"type":"string"`, `"e30="`, `"e30="`},
		"bounds too large":               {`"minimum":1e500`, `"minimum":1`, ``, ``},
		"integers and texts":             {`"type":["number","string"],"pattern":"^x$"`, `"type":["integer","object"],"minimum":2.5`, `3`, `3`},
		"lower bounds":                   {`"type":"integer","minimum":5`, `"minimum":7`, `7`, `7`},
		"upper bounds":                   {`"type":"integer","maximum":-5`, `"maximum":-7`, `-7`, `-7`},
		"exclusive ones":                 {`"type":"integer","exclusiveMinimum":5`, `"exclusiveMinimum":7,"exclusiveMaximum":9`, `8`, `8`},
		"exclusive upper ones":           {`"type":"integer","exclusiveMaximum":-5`, `"exclusiveMaximum":-7`, `-8`, `-8`},
		"a step":                         {`"type":"integer","minimum":5`, `"multipleOf":7`, `7`, `7`},
		"least lengths":                  {`"type":"string","minLength":5`, `"minLength":6`, `"textaa"`, `"textaa"`},
		"most lengths":                   {`"type":"string","maxLength":3`, `"maxLength":2`, `"te"`, `"te"`},
		"least items":                    {`"type":"array","minItems":1`, `"minItems":2`, `[null,null]`, `[{},{}]`},
		"most items":                     {`"type":"array","maxItems":1`, `"maxItems":0`, `[]`, `[]`},
		"different items":                {`"type":"array","minItems":2`, `"uniqueItems":true,"items":{"type":"integer"}`, `[1,2]`, `[1,2]`},
		"items":                          {`"type":"array","items":{"minimum":5,"type":"integer"},"minItems":1`, `"items":{"minimum":7}`, `[7]`, `[7]`},
		"contained ones":                 {`"type":"array"`, `"contains":{"const":5}`, `[5]`, `[5]`},
		"least members":                  {`"type":"object","minProperties":1`, `"minProperties":2`, `{"key":null,"key'":null}`, `{"key":{},"key'":{}}`},
		"most members":                   {`"type":"object","properties":{"a":{},"b":{}}`, `"maxProperties":1`, `{}`, `{}`},
		"further members":                {`"type":"object","additionalProperties":{"minimum":5}`, `"additionalProperties":{"type":"integer"}`, `{}`, `{"key":5}`},
		"names":                          {`"type":"object","additionalProperties":{"type":"integer"}`, `"propertyNames":{"enum":["x"]}`, `{}`, `{"x":1}`},
		"properties":                     {`"type":"object","properties":{"a":{"type":"integer"}}`, `"properties":{"a":{"minimum":5},"b":{"type":"boolean"}}`, `{}`, `{"a":5,"b":true}`},
		"patterns of names":              {`"type":"object"`, `"patternProperties":{"^x":{"type":"integer"}}`, `{}`, `{"x":1}`},
		"required members":               {`"type":"object","required":["a"]`, `"required":["b"],"properties":{"a":{"type":"integer"},"b":{"type":"integer"}}`, `{"a":1,"b":1}`, `{"a":1,"b":1}`},
		"alternatives":                   {`"type":"integer"`, `"anyOf":[{"minimum":5}]`, `5`, `5`},
		"one of alternatives":            {`"type":"integer"`, `"oneOf":[{"minimum":5}]`, `5`, `5`},
		"parts within the part":          {`"type":"integer"`, `"allOf":[{"minimum":5},{"minimum":6}]`, `6`, `6`},
	} {
		t.Run(name, func(t *testing.T) {
			for _, parts := range []string{`{` + c.one + `},{` + c.other + `}`, `{` + c.other + `},{` + c.one + `}`} {
				s, components := read(t, `{"":{"allOf":[`+parts+`]}}`)
				maker := example.New(components)
				small, _ := maker.Small(s)
				full, _ := maker.Full(s)
				if c.small == "" {
					require.Empty(t, small)
					require.Empty(t, full)
					continue
				}
				require.Equal(t, c.small, sorted(t, small))
				require.Equal(t, c.full, sorted(t, full))
				requireValid(t, compile(t, s, components), full)
			}
		})
	}
}

// sorted writes the members in the order of their names: those of parts come one part
// after the other.
func sorted(t *testing.T, text json.RawMessage) string {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal(text, &value), string(text))
	again, err := json.Marshal(value)
	require.NoError(t, err)
	return string(again)
}
