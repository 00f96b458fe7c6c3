package validation_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/runtimetest"
	"github.com/warrenmq/warren/runtime/validation"
)

type line struct {
	Item  string `json:"item"`
	Count uint8  `json:"count"`
}

type order struct {
	ID    string `json:"id"`
	Lines []line `json:"lines"`
}

func serve(t *testing.T, form asyncapi.Form) *runtimetest.Service {
	t.Helper()
	router := runtime.NewRouter()
	require.NoError(t, router.Register(
		runtime.Route{Name: "order", Queue: runtime.Queue{Name: "shop/orders ~ä%"}, Handler: runtime.Consume(func(context.Context, order) error { return nil })},
		runtime.Route{Name: "bytes", Queue: runtime.Queue{Name: "bytes"}, Handler: runtime.Consume(func(context.Context, []byte) error { return nil })},
		runtime.Route{Name: "kinds", Queue: runtime.Queue{Name: "kinds"}, Handler: runtime.Dispatch(
			runtime.On("line", runtime.Consume(func(context.Context, line) error { return nil })),
			runtime.On("text", runtime.Consume(func(context.Context, string) error { return nil })),
		)},
	))
	contract, err := asyncapi.GenerateJSON(router.Routes(), nil, 2, form)
	require.NoError(t, err)
	validate, err := validation.New(contract)
	require.NoError(t, err)
	router.Use(validate)
	return runtimetest.Start(t, router)
}

func TestNew_HoldsBodiesToTheContract(t *testing.T) {
	for _, form := range []asyncapi.Form{asyncapi.Exact, asyncapi.Extended} {
		t.Run(string(form), func(t *testing.T) { holdsBodies(t, serve(t, form)) })
	}
}

func holdsBodies(t *testing.T, service *runtimetest.Service) {
	t.Helper()
	for _, c := range []struct{ route, kind, body, fault string }{
		{"order", "", `{"id":"1","lines":[{"item":"a","count":255}]}`, ""},
		{"order", "", `{"id":"secret","lines":[{"item":"a"}]}`, "/lines/0 violates required"},
		{"order", "", `{"id":7,"lines":[{"item":"a","count":256}]}`, "/id violates type; /lines/0/count violates maximum"},
		{"order", "", `no JSON`, "the body isn't JSON"},
		{"bytes", "", `no JSON`, ""},
		{"kinds", "line", `{"item":"a","count":1}`, ""},
		{"kinds", "line", `{"item":"a"}`, "violates required"},
		{"kinds", "text", `"a"`, ""},
		{"kinds", "text", `1`, "violates type"},
	} {
		service.SendMessage(c.route, runtime.Message{Body: []byte(c.body), Type: c.kind})
		settled := service.Settled()[0]
		if c.fault == "" {
			require.Equal(t, runtime.Ack, settled.End, c.body)
			continue
		}
		require.Equal(t, runtime.DeadLetter, settled.End, c.body)
		require.ErrorContains(t, settled.Err, c.fault, c.body)
		require.NotContains(t, settled.Err.Error(), "secret")
		dead := service.Queue(settled.Delivery.Queue + ".dead").Messages()
		why, _ := runtime.FailureOf(dead[len(dead)-1])
		require.Equal(t, runtime.ReasonUndecodable, why.Reason)
	}
}

// AsyncAPI 2.6.0 has the schemas of draft 07, in which nothing beside a $ref counts.
func TestNew_ReadsSchemasOfDraft07(t *testing.T) {
	validate, err := validation.New([]byte(`{"asyncapi":"2.6.0","channels":{"q":{"subscribe":{"operationId":"text","message":{"payload":{"$ref":"#/components/schemas/Text","maxLength":1}}}}},
		"components":{"schemas":{"Text":{"type":"string"}}}}`))
	require.NoError(t, err)
	handle := validate(func(context.Context, *runtime.Delivery) (*runtime.Message, error) { return nil, nil })
	for body, valid := range map[string]bool{`"a"`: true, `"ab"`: true, `1`: false} {
		_, err := handle(t.Context(), &runtime.Delivery{Route: "text", Message: runtime.Message{Body: []byte(body)}})
		require.Equal(t, valid, err == nil, body)
	}
}

func TestNew_ShowsTenFaultsAtMost(t *testing.T) {
	for faults, want := range map[int]string{10: "", 11: "and 1 more", 12: "and 2 more"} {
		service := serve(t, asyncapi.Exact)
		lines := strings.TrimSuffix(strings.Repeat(`{"item":"a"},`, faults), ",")
		service.SendMessage("order", runtime.Message{Body: []byte(`{"id":"1","lines":[` + lines + `]}`)})
		err := service.Settled()[0].Err
		require.ErrorContains(t, err, want)
		require.Equal(t, 10, strings.Count(err.Error(), "violates required"))
		require.Equal(t, want != "", strings.Contains(err.Error(), "more"))
	}
}

func TestNew_RefusesWhatIsNoContract(t *testing.T) {
	for _, contract := range []string{
		"", "[]", "{}", `{"asyncapi":"2.6.0","channels":7}`, `{"asyncapi":7}`,
		`{"asyncapi":"2.6.0","channels":{"q":{"subscribe":{"operationId":"r","message":{"payload":{"type":"nonsense"}}}}}}`,
		`{"asyncapi":"2.6.0","channels":{"q":{"subscribe":{"operationId":"r","message":{"payload":{"$ref":"#/components/schemas/None"}}}}}}`,
		`{"asyncapi":"3.0.0","channels":{"q":{"address":"q","messages":{"r":{"payload":{"schema":{"type":"string"}}}}}}}`, // nothing would be held to it
	} {
		_, err := validation.New([]byte(contract))
		require.ErrorContains(t, err, "validate by the contract", contract)
	}
}
