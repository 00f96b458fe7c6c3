package asyncapi_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

type Payment interface{ pay() }

type Card struct {
	Type   string `json:"type"`
	Number string `json:"number"`
}

type Bank struct {
	Type string `json:"type"`
	IBAN string `json:"iban"`
}

func (Card) pay()  {}
func (*Bank) pay() {}

var payments = asyncapi.NewUnion("type", map[string]Payment{"card": Card{}, "bank": (*Bank)(nil)})

// Sale is written by its fields; its payment is read by the union.
type Sale struct {
	Payment Payment `json:"payment"`
}

func (s *Sale) UnmarshalJSON(text []byte) error {
	var read struct{ Payment json.RawMessage }
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	var err error
	s.Payment, err = payments.Decode(read.Payment)
	return err
}

func onSale(context.Context, Sale) error { return nil }

func sale(r *runtime.Route) { r.Handler = runtime.Consume(onSale) }

func TestUnion_IsOneOf(t *testing.T) {
	text, err := asyncapi.GenerateJSON([]runtime.Route{route(sale)}, nil, -1, payments)
	require.NoError(t, err)
	require.Contains(t, string(text), `"Payment":{"title":"Payment","oneOf":[{"$ref":"#/components/schemas/Bank"},{"$ref":"#/components/schemas/Card"}],"discriminator":"type"}`)
}

// Below a type with methods of its own, as Sale is, an interface may hold anything.
func TestGenerate_RefusesInterfacesWithoutUnion(t *testing.T) {
	type plain struct{ Payment Payment }
	_, err := asyncapi.Generate([]runtime.Route{route(func(r *runtime.Route) {
		r.Handler = runtime.Consume(func(context.Context, plain) error { return nil })
	})}, nil)
	require.ErrorContains(t, err, "say by asyncapi.NewUnion what it holds")
	text, err := asyncapi.GenerateJSON([]runtime.Route{route(sale)}, nil, -1)
	require.NoError(t, err)
	require.Contains(t, string(text), `"payment":{}`)
}

func TestUnion_Decodes(t *testing.T) {
	for text, want := range map[string]Payment{
		`{"payment":{"type":"card","number":"17"}}`: Card{Type: "card", Number: "17"},
		`{"payment":{"type":"bank","iban":"x"}}`:    &Bank{Type: "bank", IBAN: "x"},
		`{"payment":null}`:                          nil,
	} {
		var got Sale
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		require.Equal(t, want, got.Payment)
		again, err := json.Marshal(got)
		require.NoError(t, err)
		require.JSONEq(t, text, string(again))
	}
}

func TestUnion_RefusesOtherJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"cash"}`:           `its member "type" is "cash": want bank or card`,
		`{"number":"17"}`:           `its member "type", which says the variant, is missing or no string`,
		`{"type":7}`:                `is missing or no string`,
		`[]`:                        "decode a asyncapi_test.Payment: json: cannot unmarshal array",
		`{"type":"bank","iban":[]}`: "cannot unmarshal array into Go struct field",
	} {
		_, err := payments.Decode([]byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

func TestNewUnion_PanicsWithoutVariants(t *testing.T) {
	require.PanicsWithValue(t, "asyncapi: union of asyncapi_test.Payment: it needs an interface, a discriminator and a variant",
		func() { asyncapi.NewUnion[Payment]("type", nil) })
	require.PanicsWithValue(t, `asyncapi: union of asyncapi_test.Payment: the variant "card" is nil: give a value of its type`,
		func() { asyncapi.NewUnion("type", map[string]Payment{"card": nil}) })
	require.Panics(t, func() { asyncapi.NewUnion("type", map[string]Card{"card": {}}) })
}

func TestDirection(t *testing.T) {
	text, err := asyncapi.GenerateJSON([]runtime.Route{route()}, nil, -1, asyncapi.Decode)
	require.NoError(t, err)
	require.Contains(t, string(text), `"Order":{"title":"Order","type":"object","properties":{"id":{"type":["string","null"]},"note":{"type":["string","null"]}}}`)
	encoded, err := asyncapi.GenerateJSON([]runtime.Route{route()}, nil, -1, asyncapi.Encode)
	require.NoError(t, err)
	require.Contains(t, string(encoded), `"required":["id"]`)
	require.Equal(t, "encode decode", asyncapi.Encode.String()+" "+asyncapi.Decode.String())
}
