package inclusion_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion/judge"
)

func TestEmbed_MakesValuesAroundPart(t *testing.T) {
	for name, c := range map[string]struct {
		schema, beside string
		step           inclusion.Step
		want           string // "" for none
	}{
		"member":                           {schema: `{"type":"object","properties":{"a":{}}}`, step: inclusion.Step{Name: "a"}, want: `{"a":7}`},
		"member beside what is required":   {schema: `{"type":"object","properties":{"a":{},"b":{"type":"string"}},"required":["b"]}`, step: inclusion.Step{Name: "a"}, want: `{"a":7,"b":"a"}`},
		"member beside what may be":        {schema: `{"type":"object","properties":{"a":{},"b":{"type":"string"}},"minProperties":2}`, step: inclusion.Step{Name: "a"}, want: `{"a":7,"b":"a"}`},
		"member of another type":           {schema: `{"type":"object","properties":{"a":{"type":"string"}}}`, step: inclusion.Step{Name: "a"}},
		"member that isn't sent":           {schema: `{"type":"object","properties":{"b":{}}}`, step: inclusion.Step{Name: "a"}},
		"member of no object":              {schema: `{"type":"array"}`, step: inclusion.Step{Name: "a"}},
		"member of one of two":             {schema: `{"anyOf":[{"type":"object","properties":{"b":{}},"required":["b"]},{"type":"object","properties":{"a":{}}}]}`, step: inclusion.Step{Name: "a"}, want: `{"a":7}`},
		"member beside what holds as well": {schema: `{"type":"object","properties":{"a":{},"b":{}}}`, beside: `{"required":["b"]}`, step: inclusion.Step{Name: "a"}, want: `{"a":7,"b":"a"}`},
		"member that is refused beside":    {schema: `{"type":"object","properties":{"a":{}}}`, beside: `{"properties":{"a":{"type":"string"}}}`, step: inclusion.Step{Name: "a"}},
		"item":                             {schema: `{"type":"array"}`, step: inclusion.Step{Item: true}, want: `[7]`},
		"third item":                       {schema: `{"type":"array","items":{"type":["string","number"]}}`, step: inclusion.Step{Item: true, Index: 2}, want: `["a","a",7]`},
		"item before others":               {schema: `{"type":"array","items":{"type":"number"},"minItems":3}`, step: inclusion.Step{Item: true, Index: 1}, want: `[1,7,1]`},
		"item of a tuple":                  {schema: `{"type":"array","items":[{"type":"string"},{"type":"number"}]}`, step: inclusion.Step{Item: true, Index: 1}, want: `["a",7]`},
		"item behind what can't be":        {schema: `{"type":"array","items":[false,{"type":"number"}]}`, step: inclusion.Step{Item: true, Index: 1}},
		"item before what can't be":        {schema: `{"type":"array","items":[{"type":"number"},false],"minItems":2}`, step: inclusion.Step{Item: true}},
		"item of very many":                {schema: `{"type":"array","minItems":1000}`, step: inclusion.Step{Item: true}},
		"item of no array":                 {schema: `{"type":"object"}`, step: inclusion.Step{Item: true}},
	} {
		t.Run(name, func(t *testing.T) {
			c.step.Schema = document(t, c.schema, "{}")
			if c.beside != "" {
				c.step.Beside = []*inclusion.Schema{document(t, c.beside, "{}")}
			}
			whole, ok := inclusion.NewProver().Embed([]inclusion.Step{{Schema: document(t, "{}", "{}"), Name: "in"}, c.step}, json.Number("7"))
			require.Equal(t, c.want != "", ok)
			if ok {
				require.JSONEq(t, `{"in":`+c.want+`}`, text(t, whole))
				require.NoError(t, judge.Compile(t, c.schema, "{}").Validate(value(t, c.want)))
			}
		})
	}
}

func TestCandidates_AreSentAndRefused(t *testing.T) {
	p := inclusion.NewProver()
	all := []*inclusion.Schema{document(t, `{"type":"integer"}`, "{}"), document(t, `{"minimum":1}`, "{}")}
	hints := []*inclusion.Schema{document(t, `{"maximum":70}`, "{}")}
	refusing := `{"not":{"enum":[50,70]}}`
	found := p.Candidates(all, hints, document(t, refusing, "{}"))
	require.ElementsMatch(t, []any{json.Number("50"), json.Number("70")}, found)
	require.Equal(t, []any{nil}, p.Candidates(nil, nil, document(t, `{"not":{"const":null}}`, "{}")))
}

func TestCompare_FindsWhatManyOthersAreNot(t *testing.T) {
	var names []string
	for i := range 100 {
		names = append(names, fmt.Sprintf(`"name %d"`, i))
	}
	listed := document(t, `{"enum":[`+strings.Join(names, ",")+`]}`, "{}")
	relation := inclusion.NewProver().Compare(document(t, `{"type":"string"}`, "{}"), listed)
	require.Equal(t, inclusion.Relation{Answer: inclusion.Excluded, Witness: "a"}, relation)
}

// What the formats of integers hold is what Go's types of these names hold.
func TestCompare_KnowsTheLimitsOfIntegers(t *testing.T) {
	for format, limits := range map[string]string{
		"int8":   `{"type":"integer","minimum":-128,"maximum":127}`,
		"int16":  `{"type":"integer","minimum":-32768,"maximum":32767}`,
		"int32":  `{"type":"integer","minimum":-2147483648,"maximum":2147483647}`,
		"int64":  `{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}`,
		"uint8":  `{"type":"integer","minimum":0,"maximum":255}`,
		"uint16": `{"type":"integer","minimum":0,"maximum":65535}`,
		"uint32": `{"type":"integer","minimum":0,"maximum":4294967295}`,
		"uint64": `{"type":"integer","minimum":0,"maximum":18446744073709551615}`,
	} {
		p := inclusion.NewProver()
		a, b := document(t, `{"type":"integer","format":"`+format+`"}`, "{}"), document(t, limits, "{}")
		require.True(t, p.Includes(a, b), format)
		require.True(t, p.Includes(b, a), format)
	}
}

func TestCompare_HasAnExampleOfEachFormat(t *testing.T) {
	for _, format := range []string{
		"date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "iri", "iri-reference",
		"uri-template", "uuid", "json-pointer", "relative-json-pointer", "regex",
	} {
		p, schema := inclusion.NewProver(), `{"type":"string","format":"`+format+`","minLength":1}`
		found, ok := p.Refute(document(t, schema, "{}"), document(t, `{"maxLength":0}`, "{}"))
		require.True(t, ok, format)
		require.NoError(t, judge.Compile(t, schema, "{}").Validate(found), format)
	}
}
