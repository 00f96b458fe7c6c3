package asyncapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/asyncapi/asyncapi3"
)

// documentOf has one channel and the components.
func documentOf(components string) []byte {
	return []byte(`{"asyncapi":"2.6.0","channels":{"orders":{"description":"Takes orders.","subscribe":{"message":{"name":"order","payload":{"$ref":"#/components/schemas/Order"}}}}},
		"components":{"schemas":{` + components + `}}}`)
}

const program = `"Order":{"title":"Order","type":"object","properties":{"status":{"$ref":"#/components/schemas/Status"},"price":{"$ref":"#/components/schemas/Price"}},"required":["status"]},
	"Status":{"title":"Status","type":"string"},"Price":{"title":"Price"}`

func TestDrift_LeavesOutWhatOnlySourceHas(t *testing.T) {
	source := strings.NewReplacer(
		`"status":{"$ref":"#/components/schemas/Status"}`, `"status":{"deprecated":true,"description":"d","allOf":[{"$ref":"#/components/schemas/Status"}],"examples":["a"]}`,
		`"title":"Status",`, `"title":"Status","description":"Where it is.","enum":["a"],"x-enum-varnames":["A"],"x-enum-descriptions":["b"],`,
		`{"title":"Price"}`, `{"title":"Price","allOf":[{"$ref":"#/components/schemas/Amount"}]},"Amount":{"title":"Amount","type":"integer"}`,
	).Replace(program)
	require.NoError(t, asyncapi.Drift(documentOf(source), documentOf(program)))
}

func TestDrift_ComparesEachSchemaOfSeveral(t *testing.T) {
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		program := `"Order":{"title":"Order","` + keyword + `":[{"type":"string"},{"maxLength":3}]}`
		described := strings.Replace(program, `{"type":"string"}`, `{"type":"string","description":"What only source has."}`, 1)
		require.NoError(t, asyncapi.Drift(documentOf(described), documentOf(program)), keyword)
		longer := strings.Replace(program, "3", "4", 1)
		require.ErrorContains(t, asyncapi.Drift(documentOf(longer), documentOf(program)), "#/components/schemas/Order/"+keyword+"/1/maxLength is 4, and in the program 3")
		fewer := strings.Replace(program, `,{"maxLength":3}`, "", 1)
		require.ErrorContains(t, asyncapi.Drift(documentOf(fewer), documentOf(program)), "#/components/schemas/Order/"+keyword+` is [{"type":"string"}], and in the program`)
	}
}

// What the program describes as any JSON, with or without a title, source may know more of.
func TestDrift_LeavesOpenWhatTheProgramDoes(t *testing.T) {
	for _, open := range []string{`{}`, `{"title":"Price"}`, `{"description":"d"}`} {
		program := `"Order":{"title":"Order","type":"object","properties":{"price":` + open + `}}`
		source := strings.Replace(program, open, `{"type":"integer"}`, 1)
		require.NoError(t, asyncapi.Drift(documentOf(source), documentOf(program)), open)
		require.ErrorContains(t, asyncapi.Drift(documentOf(program), documentOf(source)), "#/components/schemas/Order/properties/price", open)
	}
}

func TestDrift_LeavesOutDescriptionsWithinAnyOf(t *testing.T) {
	choice := func(description string) []byte {
		return documentOf(strings.Replace(program, `{"title":"Price"}`, `{"title":"Price","anyOf":[{"type":"integer"`+description+`},{"type":"null"}]}`, 1))
	}
	require.NoError(t, asyncapi.Drift(choice(`,"description":"In cents."`), choice("")))
	require.ErrorContains(t, asyncapi.Drift(choice(`,"minimum":0`), choice("")), "#/components/schemas/Price/anyOf/0/minimum is 0")
}

// A program takes a type that writes itself for any value.
func TestDrift_LeavesOutSchemasOfWhatTheProgramTakesForAnyValue(t *testing.T) {
	running := strings.Replace(program, `"price":{"$ref":"#/components/schemas/Price"}`, `"price":{}`, 1)
	committed := strings.Replace(program, `"price":{"$ref":"#/components/schemas/Price"}`, `"price":{"type":"integer"}`, 1)
	require.NoError(t, asyncapi.Drift(documentOf(committed), documentOf(running)))
	require.ErrorContains(t, asyncapi.Drift(documentOf(running), documentOf(committed)), "#/components/schemas/Order/properties/price/type is absent")
}

// Behind a pointer, source adds null to a schema that it knows; any JSON has null.
func TestDrift_LeavesOutTheNullOfWhatTheProgramTakesForAnyValue(t *testing.T) {
	const (
		ref    = `{"$ref":"#/components/schemas/Price"}`
		orNull = `{"anyOf":[` + ref + `,{"type":"null"}]}`
		open   = `{"title":"Price"}`
		known  = `{"title":"Price","type":"integer"}`
	)
	document := func(property, price string) []byte {
		return documentOf(`"Order":{"title":"Order","type":"object","properties":{"price":` + property + `}},"Price":` + price +
			`,"Status":{"title":"Status","type":"string"}`)
	}
	for name, around := range map[string]string{
		"a property": `%s`,
		"an array":   `{"type":["array","null"],"items":%s}`,
		"a map":      `{"type":["object","null"],"additionalProperties":%s}`,
		"maps in it": `{"type":"array","items":{"type":"object","additionalProperties":%s}}`,
	} {
		t.Run(name, func(t *testing.T) {
			within := func(schema string) string { return fmt.Sprintf(around, schema) }
			none := func(source, program string) {
				require.NoError(t, asyncapi.Drift(document(within(source), known), document(within(program), open)), source)
			}
			none(orNull, ref)
			none(ref, ref)
			none(`{"description":"In cents.","deprecated":true,"anyOf":[`+ref+`,{"type":"null"}]}`, ref)
			none(`{"readOnly":true,"anyOf":[`+ref+`,{"type":"null"}]}`, `{"readOnly":true,"allOf":[`+ref+`]}`)

			differs := func(source, inSource, program, inProgram string) {
				err := asyncapi.Drift(document(within(source), inSource), document(within(program), inProgram))
				require.ErrorContains(t, err, "#/components/schemas/Order/properties/price", source)
			}
			differs(orNull, known, ref, known)
			differs(ref, known, orNull, open)
			differs(strings.Replace(orNull, "Price", "Status", 1), known, ref, open)
			differs(strings.Replace(orNull, "null", "string", 1), known, ref, open)
			differs(strings.Replace(orNull, `{"type"`, `{"type":"string"},{"type"`, 1), known, ref, open)
			differs(`{"readOnly":true,"anyOf":[`+ref+`,{"type":"null"}]}`, known, ref, open)
			differs(`{"allOf":[{"minimum":1}],"anyOf":[`+ref+`,{"type":"null"}]}`, known, ref, open)
			differs(`{"type":"integer"}`, known, ref, open)
		})
	}
}

func TestDrift_LeavesOutExamplesAndSummariesOfMessages(t *testing.T) {
	running := documentOf(program)
	committed := strings.Replace(string(running), `"message":{`, `"message":{"summary":"An order.","examples":[{"payload":{}}],`, 1)
	require.NoError(t, asyncapi.Drift([]byte(committed), running))
	titled := strings.Replace(string(running), `"message":{`, `"message":{"title":"An order.",`, 1)
	require.ErrorContains(t, asyncapi.Drift([]byte(titled), running), "#/channels/orders/subscribe/message/title")
}

// So is each message of several.
func TestDrift_LeavesOutExamplesOfEachMessage(t *testing.T) {
	document := func(messages string) []byte {
		return []byte(`{"asyncapi":"2.6.0","channels":{"c":{"subscribe":{"message":{"oneOf":[` + messages + `]}}}}}`)
	}
	committed := document(`{"name":"a","examples":[{"payload":1}]},{"name":"b","summary":"B."}`)
	require.NoError(t, asyncapi.Drift(committed, document(`{"name":"a"},{"name":"b"}`)))
	require.ErrorContains(t, asyncapi.Drift(committed, document(`{"name":"a"}`)), "#/channels/c/subscribe/message/oneOf")
	require.ErrorContains(t, asyncapi.Drift(document(`{"name":"a"}`), document(`{"name":"a"},{"name":"b"}`)), "#/channels/c/subscribe/message/oneOf")
}

// What a codec writes source code may not know.
func TestDrift_TakesTheContentTypeOfACodecFromTheProgram(t *testing.T) {
	document := func(contentType string) []byte {
		return []byte(`{"asyncapi":"2.6.0","channels":{"c":{"subscribe":{"message":{"name":"a"` + contentType + `}}}}}`)
	}
	const octets, cbor, text = `,"contentType":"application/octet-stream"`, `,"contentType":"application/cbor"`, `,"contentType":"text/plain"`
	require.NoError(t, asyncapi.Drift(document(octets), document(cbor)))
	require.NoError(t, asyncapi.Drift(document(octets), document(octets)))
	require.ErrorContains(t, asyncapi.Drift(document(octets), document("")), "contentType")
	require.ErrorContains(t, asyncapi.Drift(document(text), document(cbor)), `contentType is "text/plain", and in the program "application/cbor"`)
	require.ErrorContains(t, asyncapi.Drift(document(""), document(cbor)), "contentType")
}

func TestDriftError_CountsTheOtherDifferences(t *testing.T) {
	for n, want := range map[int]string{1: "of the program: a: generate", 2: "of the program: a, and 1 more: generate", 3: "of the program: a, and 2 more: generate"} {
		require.ErrorContains(t, &asyncapi.DriftError{Differences: []string{"a", "b", "c"}[:n]}, want)
	}
}

func TestDrift_NamesFirstDifference(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"type":         {`"title":"Status","type":"string"`, `"title":"Status","type":"integer"`, `#/components/schemas/Status/type is "integer", and in the program "string"`},
		"required":     {`"required":["status"]`, `"required":["status","price"]`, `#/components/schemas/Order/required is ["status","price"], and in the program ["status"]`},
		"property":     {`"price":{`, `"cost":{`, `#/components/schemas/Order/properties/cost is {"$ref":"#/components/schemas/Price"}, and in the program absent`},
		"component":    {`"Price":{"title":"Price"}`, `"Cost":{"title":"Cost"}`, "#/components/schemas/Price isn't in the committed document"},
		"a closed set": {`"title":"Status","type":"string"`, `"title":"Status","type":"string","enum":["a"]`, `#/components/schemas/Status/enum is ["a"], and in the program absent`},
		"large number": {`"title":"Status","type":"string"`, `"title":"Status","type":"string","const":9007199254740993`, `#/components/schemas/Status/const is 9007199254740993, and in the program absent`},
		"bound":        {`"title":"Status","type":"string"`, `"title":"Status","type":"string","maxLength":3`, `#/components/schemas/Status/maxLength is 3, and in the program absent`},
	} {
		err := asyncapi.Drift(documentOf(strings.Replace(program, c.old, c.new, 1)), documentOf(program))
		require.ErrorContains(t, err, c.want, name)
	}
}

func TestDrift_NamesAPropertyOfAnyValueThatSourceLacks(t *testing.T) {
	running := strings.Replace(program, `"price":{"$ref":"#/components/schemas/Price"}`, `"price":{}`, 1)
	committed := strings.Replace(program, `,"price":{"$ref":"#/components/schemas/Price"}`, "", 1)
	err := asyncapi.Drift(documentOf(committed), documentOf(running))
	require.ErrorContains(t, err, "#/components/schemas/Order/properties/price is absent, and in the program {}")
}

func TestDrift_NamesASchemaThatIsMissingOnce(t *testing.T) {
	var drift *asyncapi.DriftError
	committed := strings.Replace(program, `,"Price":{"title":"Price"}`, "", 1)
	running := strings.Replace(program, `{"title":"Price"}`, `{"title":"Price","type":"integer"}`, 1)
	require.ErrorAs(t, asyncapi.Drift(documentOf(committed), documentOf(running)), &drift)
	require.Equal(t, []string{"#/components/schemas/Price isn't in the committed document"}, drift.Differences)
}

// What source code doesn't determine of the arguments isn't compared; where it determines
// them, it is.
func TestDrift_LeavesOutArgumentsThatSourceDoesNotDetermine(t *testing.T) {
	for version, marshal := range forms {
		write := func(c *contract.Contract) []byte {
			text, err := marshal(c)
			require.NoError(t, err)
			return text
		}
		running, err := asyncapi.NewContract([]runtime.Route{{
			Name: "r", Queue: runtime.Queue{Name: "q", Arguments: map[string]any{"x-max-length": 10, "x-message-ttl": 60_000, "x-max-priority": 5}}, Handler: runtime.Consume(onOrder),
		}}, asyncapi.Extended)
		require.NoError(t, err)
		committed := *running
		committed.Channels = slices.Clone(running.Channels)
		committed.Channels[0].Queue.Arguments = nil
		program := write(running)
		require.ErrorContains(t, asyncapi.Drift(write(&committed), program), "x-max-length", version)
		committed.Channels[0].UnknownArguments = []string{"Queue.Arguments"}
		require.NoError(t, asyncapi.Drift(write(&committed), program), version)
		committed.Channels[0].Queue.Arguments = map[string]any{"x-message-ttl": 60_000, "x-max-priority": 5}
		require.NoError(t, asyncapi.Drift(write(&committed), program), "it knows some of them: %s", version)
	}
}

// forms write a contract in the forms that show arguments.
var forms = map[string]func(*contract.Contract) ([]byte, error){
	"2.6.0": func(c *contract.Contract) ([]byte, error) { return asyncapi.ExtendedFromContract(c, nil).JSON(2) },
	"3.0.0": func(c *contract.Contract) ([]byte, error) { return asyncapi3.FromContract(c, nil).JSON(2) },
}

// driftOf compares, in each form, the document of a route with that of the same one of which
// the arguments are changed, and some aren't known.
func driftOf(t *testing.T, route func() runtime.Route, change func(*runtime.Route), unknown []string) map[string]error {
	t.Helper()
	drifts := make(map[string]error)
	for version, marshal := range forms {
		write := func(route runtime.Route, unknown []string) []byte {
			c, err := asyncapi.NewContract([]runtime.Route{route}, asyncapi.Extended)
			require.NoError(t, err)
			c.Channels[0].UnknownArguments = unknown
			text, err := marshal(c)
			require.NoError(t, err)
			return text
		}
		changed := route()
		change(&changed)
		drifts[version] = asyncapi.Drift(write(changed, unknown), write(route(), nil))
	}
	return drifts
}

// An argument that is left out is no difference where it is named, of the table that has it; a
// value that is stated is compared.
func TestDrift_LeavesOutJustTheArgumentsThatAreNamed(t *testing.T) {
	route := func() runtime.Route {
		return runtime.Route{
			Name: "r", Queue: runtime.Queue{Name: "q", Arguments: map[string]any{"x-max-length": 10, "x-message-ttl": 60_000}},
			Exchange:         &runtime.Exchange{Name: "x", Type: runtime.Headers, Arguments: map[string]any{"alternate-exchange": "a"}},
			BindingArguments: map[string]any{"x-match": "any", "kind": "k", "tenant": "t"},
			Sources: []runtime.Source{{
				Exchange:  runtime.Exchange{Name: "y", Type: runtime.Fanout, Arguments: map[string]any{"alternate-exchange": "b"}},
				Arguments: map[string]any{"weight": 1},
			}},
			Handler: runtime.Consume(onOrder),
		}
	}
	queue := func(key string) func(*runtime.Route) {
		return func(r *runtime.Route) { delete(r.Queue.Arguments, key) }
	}
	exchange := func(r *runtime.Route) { r.Exchange.Arguments = nil }
	binding := func(r *runtime.Route) { delete(r.BindingArguments, "tenant") }
	other := func(r *runtime.Route) { r.Sources[0].Exchange.Arguments = nil }
	source := func(r *runtime.Route) { r.Sources[0].Arguments = nil }
	for _, test := range []struct {
		change  func(*runtime.Route)
		unknown string
		want    string // part of the difference, "" for none
	}{
		{queue("x-max-length"), `Queue.Arguments "x-max-length"`, ""},
		{queue("x-max-length"), `Queue.Arguments "x-max-length" (may be absent)`, ""},
		{queue("x-max-length"), `Queue.Arguments`, ""},
		{queue("x-message-ttl"), `Queue.Arguments "x-message-ttl"`, ""},
		{queue("x-message-ttl"), `Queue.Arguments "x-max-length"`, "expiration"},
		{queue("x-max-length"), `Queue.Arguments "x-message-ttl"`, "x-max-length"},
		{queue("x-max-length"), `Exchange.Arguments`, "x-max-length"},
		{queue("x-max-length"), `the order`, "x-max-length"},
		{func(r *runtime.Route) { r.Queue.Arguments["x-max-length"] = 11 }, `Queue.Arguments`, "x-max-length is 11"},
		{exchange, `Exchange.Arguments "alternate-exchange"`, ""},
		{exchange, `Exchange.Arguments`, ""},
		{exchange, `Queue.Arguments`, `"alternate-exchange":"a"`},
		{exchange, `Sources[0].Exchange.Arguments`, `"alternate-exchange":"a"`},
		{other, `Sources[0].Exchange.Arguments`, ""},
		{other, `Exchange.Arguments`, `"alternate-exchange":"b"`},
		{binding, `BindingArguments "tenant"`, ""},
		{binding, `BindingArguments`, ""},
		{binding, `BindingArguments "other"`, "tenant"},
		{binding, `Queue.Arguments`, "tenant"},
		{source, `Sources[0].Arguments "weight"`, ""},
		{source, `Sources[0].Arguments`, ""},
		{source, `Sources[0].Exchange.Arguments`, `"weight":1`},
	} {
		for version, err := range driftOf(t, route, test.change, []string{test.unknown}) {
			if test.want == "" {
				require.NoError(t, err, "%s: %s", version, test.unknown)
				continue
			}
			var drift *asyncapi.DriftError
			require.ErrorAs(t, err, &drift, "%s: %s", version, test.unknown)
			require.Contains(t, strings.Join(drift.Differences, "\n"), test.want, "%s: %s", version, test.unknown)
		}
	}
}

// Headers by which messages are routed are compared but for the values, and where
// x-unknown-headers says so the names, that source code doesn't determine.
func TestDrift_LeavesOutHeadersThatSourceDoesNotDetermine(t *testing.T) {
	without := func(keys ...string) func(*runtime.Route) {
		return func(r *runtime.Route) {
			for _, key := range keys {
				delete(r.BindingArguments, key)
			}
		}
	}
	all := map[string]any{"x-match": "all", "kind": "k", "tenant": "t"}
	dispatched := runtime.DispatchByHeader("kind", runtime.On("k", runtime.Consume(onOrder)), runtime.On("l", runtime.Consume(onOrder)))
	for name, test := range map[string]struct {
		arguments map[string]any
		handler   runtime.Handler
		change    func(*runtime.Route)
		unknown   []string
		want      string // part of the difference, "" for none
	}{
		"a value":               {arguments: all, change: without("tenant"), unknown: []string{`BindingArguments "tenant"`}},
		"a value of any":        {arguments: map[string]any{"x-match": "any", "tenant": "t"}, change: without("tenant"), unknown: []string{`BindingArguments "tenant"`}},
		"a name":                {arguments: all, change: without("tenant"), unknown: []string{`BindingArguments "tenant" (may be absent)`}},
		"all names":             {arguments: all, change: without("tenant", "kind", "x-match"), unknown: []string{`BindingArguments`}},
		"names and a value":     {arguments: all, change: without("tenant", "kind"), unknown: []string{`BindingArguments`, `BindingArguments "kind"`}},
		"names that aren't":     {change: without(), unknown: []string{`BindingArguments`}},
		"if any is enough":      {arguments: all, change: without("x-match"), unknown: []string{`BindingArguments "x-match"`}},
		"messages told apart":   {arguments: all, handler: dispatched, change: without("tenant"), unknown: []string{`BindingArguments`}},
		"another value":         {all, runtime.Handler{}, func(r *runtime.Route) { delete(r.BindingArguments, "tenant"); r.BindingArguments["kind"] = "other" }, []string{`BindingArguments`}, "headers/properties/kind/enum"},
		"another example":       {all, runtime.Handler{}, func(r *runtime.Route) { r.BindingArguments = map[string]any{"kind": "other"} }, []string{`BindingArguments`}, "headers/properties/kind/examples"},
		"a name that isn't":     {map[string]any{"kind": "k"}, runtime.Handler{}, func(r *runtime.Route) {}, []string{`BindingArguments "tenant"`}, "headers/properties/tenant"},
		"one that is said":      {map[string]any{"x-match": "all", "kind": "k", "tenant": nil}, runtime.Handler{}, func(r *runtime.Route) { r.BindingArguments["kind"] = nil }, []string{`BindingArguments "other"`}, "headers/properties/kind/enum"},
		"what nothing excuses":  {all, runtime.Handler{}, without("tenant"), nil, "headers/properties/tenant"},
		"what another excuses":  {all, runtime.Handler{}, without("tenant"), []string{"Queue.Arguments", "Exchange.Arguments"}, "headers/properties/tenant"},
		"another of told apart": {all, dispatched, without("tenant", "x-match"), []string{"Queue.Arguments"}, "headers"},
	} {
		if test.handler.IsZero() {
			test.handler = runtime.Consume(onOrder)
		}
		route := func() runtime.Route {
			return runtime.Route{
				Name: "r", Queue: runtime.Queue{Name: "q"}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Headers},
				BindingArguments: maps.Clone(test.arguments), Handler: test.handler,
			}
		}
		for version, err := range driftOf(t, route, test.change, test.unknown) {
			if test.want == "" {
				require.NoError(t, err, "%s: %s", version, name)
				continue
			}
			var drift *asyncapi.DriftError
			require.ErrorAs(t, err, &drift, "%s: %s", version, name)
			require.Contains(t, strings.Join(drift.Differences, "\n"), test.want, "%s: %s", version, name)
		}
	}
}

// So it is with the settings of a consumer, and with what becomes of messages that fail.
func TestDrift_LeavesOutSettingsThatSourceDoesNotDetermine(t *testing.T) {
	document := func(operation string) []byte {
		return []byte(`{"asyncapi":"2.6.0","channels":{"c":{"subscribe":{` + operation + `}}}}`)
	}
	for _, test := range []struct{ committed, running, want string }{
		{`"x-consumer":{"prefetch":2,"unknown":["timeout"]}`, `"x-consumer":{"prefetch":2,"timeout":"1s"}`, ""},
		{`"x-consumer":{"unknown":["prefetch"]}`, ``, ""},
		{`"x-consumer":{"unknown":["prefetch"]}`, `"x-consumer":{"prefetch":2}`, ""},
		{`"x-consumer":{"unknown":["prefetch"]}`, `"x-consumer":{"prefetch":2,"timeout":"1s"}`, `x-consumer is absent, and in the program {"timeout":"1s"}`},
		{`"x-consumer":{"prefetch":2,"unknown":["timeout"]}`, `"x-consumer":{"prefetch":3}`, "x-consumer/prefetch is 2, and in the program 3"},
		{``, `"x-consumer":{"prefetch":2}`, "x-consumer is absent"},
		{`"x-failure":{"unknown":true}`, `"x-failure":{"attempts":5}`, ""},
		{`"x-failure":{"unknown":true}`, ``, ""},
		{``, `"x-failure":{"attempts":5}`, "x-failure is absent"},
		{`"x-failure":{"attempts":4}`, `"x-failure":{"attempts":5}`, "x-failure/attempts is 4, and in the program 5"},
	} {
		err := asyncapi.Drift(document(test.committed), document(test.running))
		if test.want == "" {
			require.NoError(t, err, test)
			continue
		}
		require.ErrorContains(t, err, test.want, test)
	}
}

func TestDrift_ComparesOtherPartsAsTheyAre(t *testing.T) {
	changed := strings.Replace(string(documentOf(program)), "Takes orders.", "Takes them.", 1)
	require.ErrorContains(t, asyncapi.Drift([]byte(changed), documentOf(program)), `#/channels/orders/description is "Takes them.", and in the program "Takes orders."`)
	without := strings.Replace(string(documentOf(program)), `,"payload":{"$ref":"#/components/schemas/Order"}`, "", 1)
	require.ErrorContains(t, asyncapi.Drift([]byte(without), documentOf(program)), "#/channels/orders/subscribe/message/payload isn't in the committed document")
	require.ErrorContains(t, asyncapi.Drift(documentOf(program), []byte(without)), "#/channels/orders/subscribe/message/payload is in the committed document only")
}

func TestDrift_ComparesEachMessageOfSeveral(t *testing.T) {
	orders := func(handler runtime.Handler) []byte {
		text, err := asyncapi.GenerateJSON([]runtime.Route{{Name: "orders", Queue: runtime.Queue{Name: "orders"}, Handler: handler}}, nil, 2)
		require.NoError(t, err)
		return text
	}
	created := runtime.On("created", runtime.Consume(func(context.Context, struct{ ID string }) error { return nil }))
	cancelled := runtime.On("cancelled", runtime.Consume(func(context.Context, struct{ Reason string }) error { return nil }))
	both := orders(runtime.Dispatch(created, cancelled))
	require.NoError(t, asyncapi.Drift(both, both))
	require.ErrorContains(t, asyncapi.Drift(orders(runtime.Dispatch(created)), both), "#/channels/orders/subscribe/message/oneOf/1/payload isn't in the committed document")
	require.ErrorContains(t, asyncapi.Drift(orders(runtime.Dispatch(cancelled, created)), both), "#/channels/orders/subscribe/message/oneOf/0/payload/properties/ID is absent")
	require.ErrorContains(t, asyncapi.Drift(orders(runtime.DispatchByKey(created, cancelled)), both), "#/channels/orders/subscribe/message/oneOf")
	described := strings.Replace(string(both), `"payload": {`, `"payload": {"description": "What only source has.",`, 1)
	require.NoError(t, asyncapi.Drift([]byte(described), both))
}

func TestGenerate_RefusesAHandlerThatRegisterRefuses(t *testing.T) {
	_, err := asyncapi.Generate([]runtime.Route{{Name: "orders", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Dispatch()}}, nil)
	require.ErrorContains(t, err, `the handler of route "orders" of queue "orders" has no case of runtime.On`)
}

func TestDrift_FindsNoneInOneDocument(t *testing.T) {
	text, err := asyncapi.GenerateJSON(shop(), nil, 2)
	require.NoError(t, err)
	require.NoError(t, asyncapi.Drift(text, text))
	other, err := asyncapi.GenerateJSON([]runtime.Route{route()}, nil, 2)
	require.NoError(t, err)
	require.Error(t, asyncapi.Drift(text, other))
}

func TestDrift_RefusesOtherText(t *testing.T) {
	require.ErrorContains(t, asyncapi.Drift([]byte("x"), documentOf(program)), "compare documents: the committed one: it is no JSON object")
	require.ErrorContains(t, asyncapi.Drift(documentOf(program), []byte("[]")), "compare documents: the running program's")
}

// A service that only sends has no routes, and so the program's document no channels.
func TestDrift_OfAServiceThatOnlySends(t *testing.T) {
	committed := `{"asyncapi":"3.0.0","channels":{"c":{"messages":{"m":{"$ref":"#/components/messages/m"}}}},
		"operations":{"send":{"action":"send","channel":{"$ref":"#/channels/c"},"messages":[{"$ref":"#/channels/c/messages/m"}]}},
		"components":{"messages":{"m":{"name":"m","payload":{"type":"string"}}}}}`
	require.NoError(t, asyncapi.Drift([]byte(committed), []byte(`{"asyncapi":"3.0.0","channels":{},"operations":{}}`)))
}

func TestWithTopology_KeepsBindingsWhoseArgumentsDifferByType(t *testing.T) {
	var declared runtime.Topology
	for _, value := range []any{1, "1"} {
		declared.Bindings = append(declared.Bindings, runtime.Binding{Exchange: "x", Queue: "q", Arguments: map[string]any{"k": value}})
		declared.ExchangeBindings = append(declared.ExchangeBindings, runtime.ExchangeBinding{Source: "x", Destination: "y", Arguments: map[string]any{"k": value}})
	}
	document, err := asyncapi.Generate(nil, nil, asyncapi.Extended, asyncapi.WithTopology(declared))
	require.NoError(t, err)
	text, err := json.Marshal(document)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(text), `"k":1`))
	require.Equal(t, 2, strings.Count(string(text), `"k":"1"`))
}

// The queue of a channel to which the service sends has properties where it is declared
// beside the routes.
func TestDrift_AllowsPropertiesOfWhatMayBeDeclared(t *testing.T) {
	document := func(queue, topology string) []byte {
		return []byte(`{"asyncapi":"3.0.0",` + topology + `"channels":{"c":{"bindings":{"amqp":{"is":"queue","queue":` + queue + `}}}},
			"operations":{"o":{"action":"receive","channel":{"$ref":"#/channels/c"}}}}`)
	}
	named, full := `{"name":"results"}`, `{"name":"results","durable":true}`
	running := document(full, `"x-topology":{"queues":[`+full+`]},`)
	require.NoError(t, asyncapi.Drift(document(named, `"x-topology":{"unknown":true},`), running))
	require.Error(t, asyncapi.Drift(document(named, ""), document(full, "")))
	require.Error(t, asyncapi.Drift(document(`{"name":"results","durable":false}`, `"x-topology":{"unknown":true},`), running))
	require.Error(t, asyncapi.Drift(document(`{"name":"other"}`, `"x-topology":{"unknown":true},`), running))
}

// The exchange to which the queue of a route is bound has a channel of its own, which no
// operation names.
func TestDrift_ComparesTheChannelsOfBindings(t *testing.T) {
	document := func(kind string) []byte {
		return []byte(`{"asyncapi":"3.0.0","channels":{"q":{"x-bound":[{"channel":"x"}]},"other":{},
			"x":{"bindings":{"amqp":{"is":"routingKey","exchange":{"name":"x","type":"` + kind + `"}}}}},
			"operations":{"o":{"action":"receive","channel":{"$ref":"#/channels/q"}}}}`)
	}
	require.NoError(t, asyncapi.Drift(document("topic"), document("topic")))
	require.ErrorContains(t, asyncapi.Drift(document("topic"), document("direct")), "#/channels/x/")
}

// Of what the program declares beside its routes, the source may not list all. What it
// lists has to be so.
func TestDrift_ComparesWhatAnUnknownTopologyLists(t *testing.T) {
	document := func(topology string) []byte {
		return []byte(`{"asyncapi":"2.6.0","channels":{},"x-topology":` + topology + `}`)
	}
	running := document(`{"queues":[{"name":"a","durable":true},{"name":"b"}],"bindings":[{"queue":"a","exchange":"x"},{"queue":"b","exchange":"x"}]}`)
	for listed, same := range map[string]bool{
		`{"unknown":true}`: true,
		`{"unknown":true,"queues":[{"name":"a","durable":true}]}`:    true,
		`{"unknown":true,"queues":[{"name":"b"}]}`:                   true,
		`{"unknown":true,"queues":[{"name":"a","durable":false}]}`:   false,
		`{"unknown":true,"queues":[{"name":"c"}]}`:                   false,
		`{"unknown":true,"bindings":[{"queue":"b","exchange":"x"}]}`: true,
		`{"unknown":true,"bindings":[{"queue":"b","exchange":"y"}]}`: false,
		`{"queues":[{"name":"a","durable":true}]}`:                   false,
	} {
		err := asyncapi.Drift(document(listed), running)
		require.Equal(t, same, err == nil, "%s: %v", listed, err)
	}
}
