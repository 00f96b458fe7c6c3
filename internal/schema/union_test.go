package schema_test

import (
	"go/token"
	"maps"
	"reflect"
	"slices"
	"strings"
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

// Which of two unions a service writes by can't be told. The first is described.
func TestRule18_UnionsThatContradictAreAnError(t *testing.T) {
	both := func(first, second schema.Options) schema.Options {
		first.Unions[0].Position = token.Position{Filename: "a.go", Line: 7}
		second.Unions[0].Position = token.Position{Filename: "b.go", Line: 3}
		first.Unions = append(first.Unions, second.Unions...)
		return first
	}
	cards := map[string]any{"card": card{}}
	const what = "the union of the interface at a.go:7 has other variants, or another discriminator"
	for name, second := range map[string]map[string]any{
		"more variants":   {"card": card{}, "bank": &transfer{}},
		"another value":   {"cards": card{}},
		"another type":    {"card": &transfer{}},
		"another pointer": {"card": &card{}},
	} {
		set := ofInvoice(both(payments(cards), payments(second)))
		require.Len(t, set.Problems, 1, name)
		problem := set.Problems[0]
		require.Equal(t, []any{diagnostic.UnknownUnion, what, "b.go:3"}, []any{problem.Code, problem.What, problem.Pos.String()}, name)
		require.Contains(t, text(t, component(t, set, "payment")), `"oneOf":[{"$ref":"#/components/schemas/card"}]`, name)
	}
	discriminated := payments(cards)
	discriminated.Unions[0].Discriminator = "number"
	require.Len(t, ofInvoice(both(payments(cards), discriminated)).Problems, 1)

	require.Empty(t, ofInvoice(both(payments(cards), payments(cards))).Problems)
	unused := both(payments(cards), payments(map[string]any{"bank": &transfer{}}))
	require.Empty(t, unused.Build([]schema.Type{schema.Reflect(reflect.TypeFor[card]())}).Problems)

	literal := both(ofLiteral(payments(cards)), ofLiteral(payments(map[string]any{"bank": &transfer{}})))
	require.Len(t, literal.Build([]schema.Type{twoLiterals}).Problems, 1, "once")

	nowhere := payments(cards)
	nowhere.Unions = append(nowhere.Unions, payments(map[string]any{"bank": &transfer{}}).Unions...)
	require.Equal(t, "another union of the interface has other variants, or another discriminator", ofInvoice(nowhere).Problems[0].What)
}

var twoLiterals = schema.Reflect(reflect.TypeFor[struct{ A, B interface{ pay() } }]())

// ofLiteral makes the union that of an interface without a name.
func ofLiteral(o schema.Options) schema.Options {
	o.Unions[0].Interface = schema.Reflect(reflect.TypeFor[interface{ pay() }]())
	return o
}

// Such an interface is no component: it is described at each place.
func TestRule18_InterfacesWithoutNameHaveUnions(t *testing.T) {
	set := ofLiteral(payments(map[string]any{"card": card{}, "voucher": voucher{}})).Build([]schema.Type{twoLiterals})
	const either = `"oneOf":[{"$ref":"#/components/schemas/card"},{"type":"object","properties":{"type":{"type":"string","enum":["voucher"]}},"required":["type"],"allOf":[{"$ref":"#/components/schemas/voucher"}]}]`
	require.Equal(t, 2, strings.Count(text(t, set.Payloads[0]), either), text(t, set.Payloads[0]))
}
