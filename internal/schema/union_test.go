package schema_test

import (
	"go/token"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/schema/proof"
)

type (
	payment interface{ pay() }
	card    struct {
		Type   string `json:"type"`
		Number string `json:"number"`
	}
	transfer struct {
		Kind kind   `json:"type,omitempty"`
		IBAN string `json:"iban"`
	}
	kind    string
	cash    struct{ Amount int }
	voucher struct{}
	invoice struct {
		Payment  payment
		Payments []payment
		Optional payment `json:",omitempty"`
	}
)

func (card) pay()                            {}
func (*transfer) pay()                       {}
func (cash) pay()                            {}
func (voucher) pay()                         {}
func (voucher) MarshalJSON() ([]byte, error) { return []byte(`{"type":"voucher"}`), nil }

func payments(variants map[string]any) schema.Options {
	u := schema.Union{Interface: schema.Reflect(reflect.TypeFor[payment]()), Discriminator: "type"}
	for _, value := range slices.Sorted(maps.Keys(variants)) {
		u.Variants = append(u.Variants, schema.Variant{Value: value, Type: schema.Reflect(reflect.TypeOf(variants[value]))})
	}
	return schema.Options{Unions: []schema.Union{u}, Check: proof.Check}
}

func ofInvoice(o schema.Options) *schema.Set {
	return o.Build([]schema.Type{schema.Reflect(reflect.TypeFor[invoice]())})
}

func TestRule18_UnionsAreOneOf(t *testing.T) {
	set := ofInvoice(payments(map[string]any{"card": card{}, "bank": &transfer{}}))
	require.Empty(t, set.Problems)
	require.Equal(t, `{"title":"payment","oneOf":[{"$ref":"#/components/schemas/transfer"},{"$ref":"#/components/schemas/card"}],"discriminator":"type"}`,
		text(t, component(t, set, "payment")))
	require.Equal(t, `{"title":"card","type":"object","properties":{"type":{"title":"cardType","type":"string","enum":["card"]},"number":{"type":"string"}},"required":["type","number"]}`,
		text(t, component(t, set, "card")))
	require.Equal(t, `{"title":"transfer","type":"object","properties":{"type":{"title":"transferType","enum":["bank"],"allOf":[{"$ref":"#/components/schemas/kind"}]},"iban":{"type":"string"}},"required":["iban","type"]}`,
		text(t, component(t, set, "transfer")))
}

type wire chan int

func (wire) pay() {}

func TestRule18_ProblemsOfVariantsAreWhereTheUnionIs(t *testing.T) {
	options := payments(map[string]any{"wire": wire(nil)})
	options.Unions[0].Position = token.Position{Filename: "unions.go", Line: 7}
	set := ofInvoice(options)
	require.NotEmpty(t, set.Problems)
	for _, p := range set.Problems {
		require.Equal(t, "unions.go:7", p.Pos.String(), p.What)
	}
}

func TestRule18_NilInterfacesAreNull(t *testing.T) {
	s := component(t, ofInvoice(payments(map[string]any{"card": card{}, "bank": &transfer{}})), "invoice")
	const ref = `{"$ref":"#/components/schemas/payment"}`
	require.Equal(t, `{"anyOf":[`+ref+`,{"type":"null"}]}`, text(t, s.Properties.Get("Payment")))
	require.Equal(t, `{"type":["array","null"],"items":{"anyOf":[`+ref+`,{"type":"null"}]}}`, text(t, s.Properties.Get("Payments")))
	require.Equal(t, ref, text(t, s.Properties.Get("Optional")))
}

func TestRule18_WhatUnionsHoldValidates(t *testing.T) {
	s := compileSet(t, ofInvoice(payments(map[string]any{"card": card{}, "bank": &transfer{}, "voucher": voucher{}})))
	for document, valid := range map[string]bool{
		`{"Payment":{"type":"card","number":"1"},"Payments":[{"type":"bank","iban":"x"},{"type":"voucher"},null]}`: true,
		`{"Payment":null,"Payments":null}`:                         true,
		`{"Payment":{"type":"bank","number":"1"},"Payments":null}`: false,
		`{"Payment":{"type":"cheque"},"Payments":null}`:            false,
		`{"Payment":{"number":"1"},"Payments":null}`:               false,
		`{"Payment":"card","Payments":null}`:                       false,
	} {
		require.Equal(t, valid, validate(t, s, []byte(document)) == nil, document)
	}
}

func TestRule18_VariantsWithoutDiscriminator(t *testing.T) {
	set := ofInvoice(payments(map[string]any{"cash": cash{}}))
	require.Len(t, set.Problems, 1)
	require.Equal(t, diagnostic.UnionVariant, set.Problems[0].Code)
	require.Contains(t, problems(set)[0], `the variant "cash" has no member "type", by which readers could tell it`)
}

func TestRule18_InterfacesWithoutUnionAreAnError(t *testing.T) {
	require.Equal(t, diagnostic.InterfaceType, ofInvoice(schema.Options{}).Problems[0].Code)
}
