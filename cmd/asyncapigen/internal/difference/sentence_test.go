package difference_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"
)

func TestCompare_SaysWhatChangedInASentence(t *testing.T) {
	for _, c := range []struct{ old, new, forth, back string }{
		{`"Shop"`, `"Store"`, `the title is "Store", and was "Shop"`, `the title is "Shop", and was "Store"`},
		{`{"broker"`, `{"other": {"url": "b", "protocol": "amqp"}, "broker"`, "the server other is new", "the server other is gone"},
		{`, {"name": "No"}`, ``, "the message No is gone", "the message No is new"},
		{`"ack": true`, `"ack": false`, "the acknowledgement of the operation (Order) is false, and was true", "the acknowledgement of the operation (Order) is true, and was false"},
		{`{"type": "boolean"}`, `{}`, "the payload: the type is any, and was boolean", "the payload: the type is boolean, and was any"},
		{`"Shop"`, `"` + strings.Repeat("s", 78) + `"`, `the title is "` + strings.Repeat("s", 78) + `", and was "Shop"`, `the title is "Shop", and was "` + strings.Repeat("s", 78) + `"`},
		{`"Shop"`, `"` + strings.Repeat("s", 79) + `"`, `the title is "` + strings.Repeat("s", 79) + `..., and was "Shop"`, `the title is "Shop", and was "` + strings.Repeat("s", 79) + `...`},
		{`, "order.paid"`, ``, "the routing key order.paid is gone", "the routing key order.paid is new"},
		{
			`"tenant": {"type": "string"}`, `"tenant": {"type": "string", "description": "Whose."}`,
			`the field tenant: description is "Whose.", and was absent`, `the field tenant: description is absent, and was "Whose."`,
		},
		{
			`{"type": "boolean"}`, `{"type": "boolean", "description": "Whether."}`,
			`the payload: description is "Whether.", and was absent`, `the payload: description is absent, and was "Whether."`,
		},
	} {
		other := strings.Replace(shop, c.old, c.new, 1)
		for _, way := range []struct{ old, new, want string }{{shop, other, c.forth}, {other, shop, c.back}} {
			var got []string
			for _, change := range difference.Compare(read(t, "old.json", way.old), read(t, "new.json", way.new), nil).Changes {
				got = append(got, change.What)
			}
			require.Contains(t, got, way.want)
		}
	}
}

func TestCompare_NamesWhatAPropertyIsOf(t *testing.T) {
	three := `{"asyncapi":"3.0.0","info":{"title":"T","version":"1.0.0"},"channels":{"q":{"address":"orders","bindings":{"amqp":{"queue":{"durable":true}}}}},"operations":{}}`
	for document, want := range map[string]string{
		three:     "the durability of the queue (the channel orders) is false, and was true",
		declaring: "the durability of the queue (the declared queue audit) is false, and was true",
	} {
		other := strings.Replace(strings.Replace(document, `"audit", "durable": true`, `"audit", "durable": false`, 1), `{"durable":true`, `{"durable":false`, 1)
		require.Equal(t, want, difference.Compare(read(t, "old.json", document), read(t, "new.json", other), nil).Changes[0].What)
	}
}

// A keyword is shown where it stands, and its schema where it doesn't.
func TestCompare_PointsAtKeywords(t *testing.T) {
	for keyword, values := range map[string][2]string{
		"type": {`"string"`, `"integer"`}, "pattern": {`"^a"`, `"^b"`}, "format": {`"uuid"`, `"date"`}, "minimum": {`1`, `2`}, "enum": {`["a"]`, `["b"]`}, "const": {`1`, `2`},
		"required": {`["a"]`, `["b"]`}, "description": {`"a"`, `"b"`},
	} {
		document := func(schema string) *difference.Document {
			return read(t, "a.json", strings.Replace(shop, `{"type": "boolean"}`, schema, 1))
		}
		with := func(value string) *difference.Document { return document(fmt.Sprintf(`{%q: %s}`, keyword, value)) }
		at := "#/channels/orders/publish/message/oneOf/0/payload"
		for _, change := range difference.Compare(with(values[0]), with(values[1]), nil).Changes {
			if change.ID != "version-too-low" {
				require.Equal(t, [2]string{at + "/" + keyword, at + "/" + keyword}, [2]string{change.Old.Pointer, change.New.Pointer}, change.ID)
			}
		}
		change := difference.Compare(document(`{}`), with(values[1]), nil).Changes[0]
		require.Equal(t, [2]string{at, at + "/" + keyword}, [2]string{change.Old.Pointer, change.New.Pointer}, change.ID)
	}
}

func TestCompare_ReportsOnlyThePatternThatIsNew(t *testing.T) {
	document := func(patterns string) string {
		return strings.Replace(shop, `{"type": "boolean"}`, `{"type": "object", "patternProperties": {`+patterns+`}}`, 1)
	}
	require.Equal(t, []string{"schema-pattern-property-added"}, schemaChanges(t, document(`"^a": {}`), document(`"^a": {}, "^b": {}`)))
}

// Alternatives that refer to schemas are compared by what they refer to, in any order.
func TestCompare_MatchesAlternativesByReference(t *testing.T) {
	document := func(choices, cat, dog string) string {
		return strings.TrimSuffix(strings.Replace(shop, `{"type": "boolean"}`, `{"oneOf": [`+choices+`]}`, 1), "}") +
			`, "components": {"schemas": {"Cat": {"type": "integer", "maximum": ` + cat + `}, "Dog": {"type": "string", "maxLength": ` + dog + `}}}}`
	}
	const cat, dog = `{"$ref": "#/components/schemas/Cat"}`, `{"$ref": "#/components/schemas/Dog"}`
	require.Equal(t, []string{"schema-maximum-raised", "schema-max-length-raised"}, schemaChanges(t, document(cat+","+dog, "1", "1"), document(dog+","+cat, "2", "2")))
}

func TestCompare_NamesAFieldWithinOthers(t *testing.T) {
	for field, payload := range map[string]string{
		"customer.address.city": `{"type": "object", "properties": {"customer": {"type": "object", "properties": {"address": {"type": "object", "properties": {"city": {"type": "string"}}}}}}}`,
		"lines[].sku":           `{"type": "object", "properties": {"lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}}}}`,
		"prices.*.currency":     `{"type": "object", "properties": {"prices": {"type": "object", "additionalProperties": {"type": "object", "properties": {"currency": {"type": "string"}}}}}}`,
	} {
		old := strings.Replace(shop, `{"type": "boolean"}`, payload, 1)
		other := strings.Replace(old, payload, strings.Replace(payload, `{"type": "string"}`, `{"type": "string", "description": "New."}`, 1), 1)
		changes := difference.Compare(read(t, "old.json", old), read(t, "new.json", other), nil).Changes
		require.Len(t, changes, 1)
		require.Equal(t, "the field "+field+`: description is "New.", and was absent`, changes[0].What)
	}
}

func TestCompare_NamesAlternatives(t *testing.T) {
	const both = `{"oneOf": [{"type": "boolean"}, ONE]}`
	for one, name := range map[string]string{
		`{"title": "Card", "type": "object"}`:   "Card",
		`{"type": "object"}`:                    "a schema without a title",
		`{"$ref": "#/components/schemas/Iban"}`: "Iban",
	} {
		document := strings.TrimSuffix(shop, "}") + `, "components": {"schemas": {"Iban": {"type": "string", "title": "A number"}}}}`
		old := strings.Replace(document, `{"type": "boolean"}`, strings.Replace(both, "ONE", one, 1), 1)
		other := strings.Replace(document, `{"type": "boolean"}`, strings.Replace(both, ", ONE", "", 1), 1)
		var got []string
		for _, change := range difference.Compare(read(t, "old.json", old), read(t, "new.json", other), nil).Changes {
			got = append(got, change.What)
		}
		require.Contains(t, strings.Join(got, "\n"), name)
	}
}

// A text of a schema is an id of its own, at its line of either document.
func TestCompare_SaysWhereATextChanged(t *testing.T) {
	for _, keyword := range []string{"title", "description", "$comment", "default", "examples", "readOnly", "x-of-ours"} {
		document := func(lines, text string) *difference.Document {
			return read(t, "a.json", strings.Replace(shop, `{"type": "boolean"}`, `{"type": "boolean",`+lines+` "`+keyword+`": `+text+`}`, 1))
		}
		changes := difference.Compare(document("\n", `["a"]`), document("\n\n\n", `["b"]`), nil).Changes
		require.NotEmpty(t, changes, keyword)
		i := slices.IndexFunc(changes, func(change difference.Change) bool { return strings.Contains(change.What, keyword) })
		require.GreaterOrEqual(t, i, 0, "%v", changes)
		require.Equal(t, changes[i].Old.Line+2, changes[i].New.Line, keyword)
		require.Contains(t, difference.Kinds(), changes[i].ID)
	}
}

func TestMarkdown_EndsWithWhatNothingIsKnownOf(t *testing.T) {
	var text strings.Builder
	new(difference.Report).Markdown(&text)
	require.Equal(t, "## Changes of the contract\n\nno changes\n", text.String())
	text.Reset()
	(&difference.Report{Silent: []string{"the payload of a_b", "the payload of c"}}).Markdown(&text)
	require.True(t, strings.HasSuffix(text.String(), "\n\n- Neither document describes the payload of a\\_b.\n- Neither document describes the payload of c.\n"), text.String())
}

func TestCompare_ReadsPayloadsThatNameTheirFormat(t *testing.T) {
	const document = `{"asyncapi":"3.0.0","info":{"title":"T","version":"1.0.0"},
		"channels":{"a":{"address":"a","messages":{"A":{"name":"A","payload":{"schemaFormat":"application/schema+json;version=draft-07","schema":{"type":"object","properties":{"n":{"type":"integer"}}}}}}}},
		"operations":{"A":{"action":"receive","channel":{"$ref":"#/channels/a"}}}}`
	for _, c := range []struct{ old, new, id string }{
		{`"integer"`, `"string"`, "schema-type-changed"},
		{"draft-07", "draft-06", "message-schema-format-changed"},
	} {
		other := strings.Replace(document, c.old, c.new, 1)
		changes := difference.Compare(read(t, "old.json", document), read(t, "new.json", other), nil).Changes
		require.True(t, slices.ContainsFunc(changes, func(change difference.Change) bool { return change.ID == c.id }), "%v", changes)
	}
}

func TestCompare_TakesSeveritiesOfThePolicy(t *testing.T) {
	other := strings.NewReplacer(`"Shop"`, `"Store"`, `"urn:shop"`, `"urn:store"`).Replace(shop)
	report := difference.Compare(read(t, "old.json", shop), read(t, "new.json", other), difference.Policy{"title-changed": difference.Compatible})
	got := make(map[string]difference.Severity)
	for _, change := range report.Changes {
		got[change.ID] = change.Severity
	}
	require.Equal(t, map[string]difference.Severity{"title-changed": difference.Compatible, "id-changed": difference.Documentation}, got)
}

func TestCompare_ReportsATextOfASharedSchemaOnce(t *testing.T) {
	const document = `{"asyncapi":"2.6.0","info":{"title":"T","version":"1.0.0"},"channels":{
		"a":{"subscribe":{"operationId":"A","message":{"name":"A","payload":{"$ref":"#/components/schemas/Order"}}}},
		"b":{"subscribe":{"operationId":"B","message":{"name":"B","payload":{"$ref":"#/components/schemas/Order"}}}}},
		"components":{"schemas":{"Order":{"type":"object","description":"An order."}}}}`
	other := strings.Replace(document, "An order.", "What is ordered.", 1)
	report := difference.Compare(read(t, "old.json", document), read(t, "new.json", other), nil)
	require.Len(t, report.Changes, 1, "%v", report.Changes)
}

// schemaChanges returns the IDs of what is reported of the schemas of two documents.
func schemaChanges(t *testing.T, old, other string) (ids []string) {
	t.Helper()
	for _, change := range difference.Compare(read(t, "old.json", old), read(t, "new.json", other), nil).Changes {
		if strings.HasPrefix(change.ID, "schema-") {
			ids = append(ids, change.ID)
		}
	}
	return ids
}

func TestCompare_ReportsNoTextOfASchemaThatOnlyOneHas(t *testing.T) {
	const without = `{"asyncapi":"2.6.0","info":{"title":"T","version":"1.0.0"},"channels":{
		"a":{"subscribe":{"operationId":"A","message":{"name":"A"}}}}}`
	with := strings.Replace(without, `"name":"A"`, `"name":"A","payload":{"type":"object","description":"An order."}`, 1)
	for _, way := range []struct{ old, new, want string }{{without, with, "schema-type-narrowed"}, {with, without, "schema-type-widened"}} {
		require.Equal(t, []string{way.want}, schemaChanges(t, way.old, way.new))
		require.Len(t, changesOf(t, read(t, "old.json", way.old), read(t, "new.json", way.new)), 1)
	}
}

func TestCompare_ReportsWhatItCannotReadOfEither(t *testing.T) {
	broken := strings.Replace(shop, `{"type": "boolean"}`, `"boolean"`, 1)
	for _, way := range []struct{ old, new string }{{shop, broken}, {broken, shop}} {
		report := difference.Compare(read(t, "old.json", way.old), read(t, "new.json", way.new), nil)
		require.Equal(t, 1, report.Count(difference.Undecided), "%v", report.Changes)
		i := slices.IndexFunc(report.Changes, func(c difference.Change) bool { return c.ID == "unreadable" })
		require.Equal(t, way.old == broken, report.Changes[i].Old.IsValid())
		require.Equal(t, way.new == broken, report.Changes[i].New.IsValid())
	}
}

func TestCompare_ReportsOnlyTheEnumValueThatChanged(t *testing.T) {
	whole := strings.Replace(shop, `{"type": "boolean"}`, `{"enum": ["a", "b"]}`, 1)
	part := strings.Replace(shop, `{"type": "boolean"}`, `{"enum": ["a"]}`, 1)
	for _, way := range []struct{ old, new, want string }{{whole, part, "schema-enum-value-removed"}, {part, whole, "schema-enum-value-added"}} {
		require.Equal(t, []string{way.want}, schemaChanges(t, way.old, way.new))
	}
}
