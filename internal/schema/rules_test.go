//lint:file-ignore SA5008 Tags that encoding/json ignores are what is tested here.

package schema_test

import (
	"encoding"
	"encoding/json"
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/schema"
)

type (
	color string
	month int

	text1    struct{}
	pointer1 struct{ A int }
	custom1  struct{}
	byte1    byte
	byteText byte
	level1   int
)

func (text1) MarshalText() ([]byte, error)     { return []byte("text"), nil }
func (*text1) UnmarshalText([]byte) error      { return nil }
func (*pointer1) MarshalText() ([]byte, error) { return []byte("pointer"), nil }
func (*pointer1) UnmarshalText([]byte) error   { return nil }
func (custom1) MarshalJSON() ([]byte, error)   { return []byte("7"), nil }
func (byteText) MarshalText() ([]byte, error)  { return []byte("b"), nil }
func (*byteText) UnmarshalText([]byte) error   { return nil }
func (level1) MarshalText() ([]byte, error)    { return []byte("low"), nil }
func (*level1) UnmarshalText([]byte) error     { return nil }

func TestRule1To3_Scalars(t *testing.T) {
	for _, c := range []struct{ name, got, want string }{
		{"bool", payload[bool](t), `{"type":"boolean"}`},
		{"string", payload[string](t), `{"type":"string"}`},
		{"int8", payload[int8](t), `{"type":"integer","minimum":-128,"maximum":127}`},
		{"int16", payload[int16](t), `{"type":"integer","minimum":-32768,"maximum":32767}`},
		{"int32", payload[int32](t), `{"type":"integer","format":"int32","minimum":-2147483648,"maximum":2147483647}`},
		{"int64", payload[int64](t), `{"type":"integer","format":"int64"}`},
		{"int", payload[int](t), `{"type":"integer","format":"int64"}`},
		{"uint8", payload[uint8](t), `{"type":"integer","minimum":0,"maximum":255}`},
		{"uint16", payload[uint16](t), `{"type":"integer","minimum":0,"maximum":65535}`},
		{"uint32", payload[uint32](t), `{"type":"integer","format":"int64","minimum":0,"maximum":4294967295}`},
		{"uint64", payload[uint64](t), `{"type":"integer","minimum":0,"maximum":18446744073709551615}`},
		{"uint", payload[uint](t), `{"type":"integer","minimum":0,"maximum":18446744073709551615}`},
		{"uintptr", payload[uintptr](t), `{"type":"integer","minimum":0,"maximum":18446744073709551615}`},
		{"float32", payload[float32](t), `{"type":"number","format":"float","minimum":-3.4028235e38,"maximum":3.4028235e38}`},
		{"float64", payload[float64](t), `{"type":"number","format":"double"}`},
	} {
		require.Equal(t, c.want, c.got, c.name)
	}
}

func TestRule4_NoJSONForm(t *testing.T) {
	for name, c := range map[string]struct {
		got  []string
		want string
	}{
		"chan":    {problems(build[struct{ C chan int }]()), "error: struct { C chan int }.C (chan int): a chan has no JSON form"},
		"func":    {problems(build[struct{ F func() }]()), "error: struct { F func() }.F (func()): a func has no JSON form"},
		"complex": {problems(build[complex128]()), "error: complex128: a complex128 has no JSON form"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Len(t, c.got, 1)
			require.Contains(t, c.got[0], c.want)
		})
	}
	require.Empty(t, build[struct {
		C chan int `json:"-"`
	}]().Problems, "a field left out is no problem")
}

func TestRule5_JSONNumberIsANumber(t *testing.T) {
	require.Equal(t, `{"type":"number"}`, payload[json.Number](t))
}

func TestRule6_DurationIsNanoseconds(t *testing.T) {
	require.Equal(t, `{"description":"A duration in nanoseconds.","type":"integer","format":"int64"}`, payload[time.Duration](t))
	require.Equal(t, `{"payload":{"$ref":"#/components/schemas/Month"},`+
		`"components":{"Month":{"title":"Month","type":"integer","format":"int64"}}}`,
		document(t, build[time.Month]()), "a named integer isn't an enum")
}

func TestRule8_BytesAreBase64(t *testing.T) {
	require.Equal(t, `{"type":["string","null"],"contentEncoding":"base64"}`, text(t, object[struct{ B []byte }](t).Properties.Get("B")))
	require.Equal(t, `{"type":"string","contentEncoding":"base64"}`, text(t, object[struct {
		B []byte `json:",omitempty"`
	}](t).Properties.Get("B")))
	require.Equal(t, `{}`, payload[[]byte](t), "a body of bytes isn't JSON")
}

func TestRule9_NamedBytes(t *testing.T) {
	require.Equal(t, `{"type":["string","null"],"contentEncoding":"base64"}`, payload[[]byte1](t))
	require.Equal(t, `{"payload":{"type":["array","null"],"items":{"$ref":"#/components/schemas/byteText"}},`+
		`"components":{"byteText":{"title":"byteText","type":"string"}}}`, document(t, build[[]byteText]()))
}

func TestRule10_ByteArraysAreNumbers(t *testing.T) {
	require.Equal(t, `{"type":"array","items":{"type":"integer","minimum":0,"maximum":255},"minItems":3,"maxItems":3}`, payload[[3]byte](t))
	require.Equal(t, `{"type":"array","items":{"type":"boolean"},"minItems":0,"maxItems":0}`, payload[[0]bool](t))
}

func TestRule11And12_Slices(t *testing.T) {
	require.Equal(t, `{"type":["array","null"],"items":{"type":"string"}}`, payload[[]string](t))
	require.Equal(t, `{"type":["array","null"],"items":{"type":["string","null"]}}`, payload[[]*string](t))
}

func TestRule13_MapKeys(t *testing.T) {
	const value = `"additionalProperties":{"type":"boolean"}`
	for _, c := range []struct{ name, got, want string }{
		{"string", payload[map[string]bool](t), `{"type":["object","null"],` + value + `}`},
		{"named string", payload[map[color]bool](t), `{"type":["object","null"],` + value + `}`},
		{"text", payload[map[text1]bool](t), `{"type":["object","null"],` + value + `}`},
		{"named integer with text", payload[map[level1]bool](t), `{"type":["object","null"],` + value + `}`},
		{"address", payload[map[netip.Addr]bool](t), `{"type":["object","null"],` + value + `}`},
		{"pointer with text", payload[map[*pointer1]bool](t), `{"type":["object","null"],` + value + `}`},
	} {
		require.Equal(t, c.want, c.got, c.name)
	}
	for name, got := range map[string][]string{
		"bool":                  problems(build[map[bool]int]()),
		"float":                 problems(build[map[float64]int]()),
		"any":                   problems(build[map[any]int]()),
		"struct":                problems(build[map[struct{ A int }]int]()),
		"pointer receiver text": problems(build[map[pointer1]int]()),
	} {
		require.Len(t, got, 1, name)
		require.Contains(t, got[0], "encoding/json has no form for such a map key", name)
	}
}

type writeOnly int

func (writeOnly) MarshalText() ([]byte, error) { return []byte("x"), nil }

func TestRule13_KeysThatCantBeReadAreAWarning(t *testing.T) {
	got := problems(build[map[writeOnly]bool]())
	require.Len(t, got, 1)
	require.Contains(t, got[0], "warning: map[schema_test.writeOnly]bool[key] (schema_test.writeOnly): the map can be written but not read")
}

func TestRule14_IntegerKeys(t *testing.T) {
	const open = `{"type":["object","null"],"additionalProperties":{"type":"boolean"},`
	require.Equal(t, open+`"propertyNames":{"pattern":"^-?[0-9]+$"}}`, payload[map[int]bool](t))
	require.Equal(t, open+`"propertyNames":{"pattern":"^-?[0-9]+$"}}`, payload[map[time.Duration]bool](t))
	require.Equal(t, open+`"propertyNames":{"pattern":"^[0-9]+$"}}`, payload[map[uint8]bool](t))
}

func TestRule16_MapValues(t *testing.T) {
	require.Equal(t, `{"type":["object","null"],"additionalProperties":{"type":["string","null"]}}`, payload[map[string]*string](t))
	require.Equal(t, `{"type":["object","null"],"additionalProperties":{}}`, payload[map[string]any](t))
}

type node struct {
	Next *node   `json:"next"`
	Kids []*node `json:"kids"`
	Omit *node   `json:"omit,omitempty"`
	Zero *node   `json:"zero,omitzero"`
}

func TestRule17_PointersAreNullable(t *testing.T) {
	require.Equal(t, `{"type":"object","properties":{"P":{"type":["boolean","null"]},"PP":{"type":["boolean","null"]},"Omit":{"type":"boolean"}},"required":["P","PP"]}`,
		payload[struct {
			P    *bool
			PP   **bool
			Omit *bool `json:",omitempty"`
		}](t))
	require.Equal(t, `{"type":"boolean"}`, payload[*bool](t), "a body is there")
}

type lines []string

func TestRule17_NullableReferences(t *testing.T) {
	require.JSONEq(t, `{
		"payload": {"$ref": "#/components/schemas/node"},
		"components": {"node": {"title": "node", "type": "object", "required": ["next", "kids"], "properties": {
			"next": {"anyOf": [{"$ref": "#/components/schemas/node"}, {"type": "null"}]},
			"kids": {"type": ["array", "null"], "items": {"anyOf": [{"$ref": "#/components/schemas/node"}, {"type": "null"}]}},
			"omit": {"$ref": "#/components/schemas/node"},
			"zero": {"$ref": "#/components/schemas/node"}
		}}}
	}`, document(t, build[node]()))
	require.Equal(t, `{"$ref":"#/components/schemas/lines"}`, text(t, object[struct{ L *lines }](t).Properties.Get("L")),
		"a component that accepts null needs no second null")
}

type (
	named1 *named2
	named2 struct{ A named1 }
)

func TestRule17_DefinedPointer(t *testing.T) {
	require.JSONEq(t, `{
		"payload": {"$ref": "#/components/schemas/named2"},
		"components": {
			"named1": {"title": "named1", "anyOf": [{"$ref": "#/components/schemas/named2"}, {"type": "null"}]},
			"named2": {"title": "named2", "type": "object", "required": ["A"], "properties": {"A": {"$ref": "#/components/schemas/named1"}}}
		}
	}`, document(t, build[named2]()))
}

type (
	pointerToLines *lines
	pointerToBool  *bool
)

func TestRule17_DefinedPointerToNullable(t *testing.T) {
	set := build[struct {
		L pointerToLines
		B *pointerToBool
	}]()
	require.Equal(t, `{"title":"pointerToLines","anyOf":[{"$ref":"#/components/schemas/lines"},{"type":"null"}]}`,
		text(t, component(t, set, "pointerToLines")), "a component's title needs a schema of its own")
	require.Equal(t, `{"$ref":"#/components/schemas/pointerToBool"}`, text(t, set.Payloads[0].Properties.Get("B")))
	require.Equal(t, `{"$ref":"#/components/schemas/named1"}`, text(t, object[struct{ P *named1 }](t).Properties.Get("P")))
	require.Equal(t, `{"$ref":"#/components/schemas/pointerToLines"}`, text(t, object[struct{ P *pointerToLines }](t).Properties.Get("P")))
}

func TestRule18_Interfaces(t *testing.T) {
	require.Equal(t, `{}`, payload[any](t))
	got := problems(build[struct{ S interface{ M() } }]())
	require.Len(t, got, 1)
	require.Contains(t, got[0], "error: struct { S interface { M() } }.S (interface { M() }): encoding/json can't read into an interface with methods")
}

func TestRule18_MethodsOfInterfacesAreNotCalled(t *testing.T) {
	got := problems(build[struct{ T encoding.TextMarshaler }]())
	require.Len(t, got, 1)
	require.Contains(t, got[0], "encoding/json can't read into an interface with methods")
}

func TestRule19_ErrorsAreAWarning(t *testing.T) {
	got := problems(build[struct{ Err error }]())
	require.Len(t, got, 1)
	require.Contains(t, got[0], "warning: struct { Err error }.Err (error): most errors are written as {}")
}

func TestRule28_Quoted(t *testing.T) {
	type tagged struct {
		I  int             `json:",string"`
		U  uint8           `json:",string"`
		F  float64         `json:",string"`
		B  bool            `json:",string"`
		S  string          `json:",string"`
		C  color           `json:",string"`
		N  json.Number     `json:",string"`
		D  time.Duration   `json:",string"`
		P  *int            `json:",string"`
		O  *int            `json:",string,omitempty"`
		PP **int           `json:",string"`
		L  []int           `json:",string"`
		A  any             `json:",string"`
		T  level1          `json:",string"`
		M  map[string]bool `json:",string"`
	}
	s := component(t, build[tagged](), "tagged")
	for name, want := range map[string]string{
		"I":  `{"type":"string","pattern":"^-?[0-9]+$"}`,
		"U":  `{"type":"string","pattern":"^[0-9]+$"}`,
		"F":  `{"type":"string","pattern":"^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?$"}`,
		"B":  `{"type":"string","pattern":"^(true|false)$"}`,
		"S":  `{"type":"string","pattern":"^\".*\"$"}`,
		"C":  `{"type":"string","pattern":"^\".*\"$"}`,
		"N":  `{"type":"string","pattern":"^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?$"}`,
		"D":  `{"type":"string","pattern":"^-?[0-9]+$"}`,
		"P":  `{"type":["string","null"],"pattern":"^-?[0-9]+$"}`,
		"O":  `{"type":"string","pattern":"^-?[0-9]+$"}`,
		"PP": `{"type":["integer","null"],"format":"int64"}`,
		"L":  `{"type":["array","null"],"items":{"type":"integer","format":"int64"}}`,
		"A":  `{}`,
		"T":  `{"$ref":"#/components/schemas/level1"}`,
		"M":  `{"type":["object","null"],"additionalProperties":{"type":"boolean"}}`,
	} {
		require.Equal(t, want, text(t, s.Properties.Get(name)), name)
	}
}

func TestRule29_AnonymousStructsAreInline(t *testing.T) {
	require.Equal(t, `{"type":"object","properties":{"In":{"type":"object"}},"required":["In"]}`, payload[struct{ In struct{} }](t))
}

func TestRule31_MarshalJSONBeforeMarshalText(t *testing.T) {
	set := build[both]()
	require.Equal(t, `{"payload":{"$ref":"#/components/schemas/both"},"components":{"both":{"title":"both"}}}`, document(t, set))
	require.Len(t, set.Problems, 1)
	require.Contains(t, problems(set)[0], "warning: both (schema_test.both): MarshalJSON may write any JSON")
}

type both struct{ custom1 }

func (both) MarshalText() ([]byte, error) { return nil, nil }

func TestRule32_PointerReceivers(t *testing.T) {
	set := build[[]pointer1]()
	require.Empty(t, set.Problems)
	require.Equal(t, `{"title":"pointer1","type":"string"}`, text(t, component(t, set, "pointer1")))
}

func TestRule32_PointerReceiversInMaps(t *testing.T) {
	for name, got := range map[string][]string{
		"value":     problems(build[map[string]pointer1]()),
		"in struct": problems(build[map[string]struct{ P pointer1 }]()),
		"in array":  problems(build[map[string][1]pointer1]()),
		"big.Int":   problems(build[map[string]big.Int]()),
	} {
		require.Len(t, got, 1, name)
		require.Contains(t, got[0], "doesn't call a marshal method of a pointer receiver on a map's values", name)
	}
	for name, set := range map[string][]string{
		"pointer":           problems(build[map[string]*pointer1]()),
		"slice":             problems(build[map[string][]pointer1]()),
		"pointer in struct": problems(build[map[string]struct{ P *pointer1 }]()),
		"embedded pointer":  problems(build[map[string]struct{ *Holder }]()),
	} {
		require.Empty(t, set, name)
	}
}

type Holder struct{ P pointer1 }

type reader1 struct{ A int }

func (*reader1) UnmarshalJSON([]byte) error { return nil }

func TestRule33_ReadOnlyMethodsAreAWarning(t *testing.T) {
	set := build[reader1]()
	require.Len(t, set.Problems, 1)
	require.Contains(t, problems(set)[0], "it reads itself by UnmarshalJSON")
	require.Equal(t, []string{"A"}, names(component(t, set, "reader1")))
}

type (
	rawBytes json.RawMessage
	plain    time.Time
)

func TestRule35_DefinedTypesLoseMethods(t *testing.T) {
	require.Equal(t, `{"title":"rawBytes","type":["string","null"],"contentEncoding":"base64"}`,
		text(t, component(t, build[rawBytes](), "rawBytes")))
	set := build[plain]()
	require.Equal(t, `{"title":"plain","type":"object"}`, text(t, component(t, set, "plain")))
	require.Contains(t, problems(set)[0], "warning: plain (schema_test.plain): it has no exported field")
}

func TestRule36To40_WellKnown(t *testing.T) {
	for _, c := range []struct{ name, got, want string }{
		{"time.Time", payload[time.Time](t), `{"type":"string","format":"date-time"}`},
		{"*time.Time", payload[[]*time.Time](t), `{"type":["array","null"],"items":{"type":["string","null"],"format":"date-time"}}`},
		{"net.IP", payload[net.IP](t), `{"type":"string"}`},
		{"netip.Prefix", payload[netip.Prefix](t), `{"type":"string"}`},
		{"regexp.Regexp", payload[regexp.Regexp](t), `{"type":"string"}`},
		{"big.Int", payload[big.Int](t), `{"type":"integer"}`},
		{"big.Rat", payload[big.Rat](t), `{"type":"string"}`},
		{"json.RawMessage", payload[json.RawMessage](t), `{}`},
	} {
		require.Equal(t, c.want, c.got, c.name)
	}
	require.Equal(t, `{"title":"HardwareAddr","type":["string","null"],"contentEncoding":"base64"}`,
		text(t, component(t, build[net.HardwareAddr](), "HardwareAddr")))
}

// foreign stands for a type of a package that isn't there.
type foreign struct {
	schema.Type
	name schema.Name
}

func (f foreign) ID() any           { return f.name.PkgPath + "." + f.name.Ident }
func (f foreign) Name() schema.Name { return f.name }

func TestRule40_OtherModules(t *testing.T) {
	for _, c := range []struct{ path, ident, want string }{
		{"github.com/google/uuid", "UUID", `{"type":"string","format":"uuid"}`},
		{"github.com/gofrs/uuid", "UUID", `{"type":"string","format":"uuid"}`},
		{"github.com/gofrs/uuid/v5", "UUID", `{"type":"string","format":"uuid"}`},
		{"github.com/shopspring/decimal", "Decimal", `{"type":["string","number"]}`},
	} {
		set := schema.Build([]schema.Type{foreign{schema.Reflect(reflect.TypeFor[struct{}]()), schema.Name{PkgPath: c.path, Ident: c.ident}}})
		require.Equal(t, c.want, text(t, set.Payloads[0]), c.path)
	}
}

type textKey string

func (textKey) MarshalText() ([]byte, error) { return []byte("text"), nil }
func (*textKey) UnmarshalText([]byte) error  { return nil }

func TestRule15_StringKeysWithMarshalText(t *testing.T) {
	require.Equal(t, `{"type":["object","null"],"additionalProperties":{"type":"boolean"}}`, payload[map[textKey]bool](t),
		"one engine writes the string, the other calls the method")
	writes(map[textKey]bool{"a": true})(t)
}

type (
	itself *itself
	ring1  *ring2
	ring2  *ring1
)

func TestRule17_PointerToItselfIsNull(t *testing.T) {
	type holder struct {
		A itself `json:",format:hex"`
		B ring1
		C *itself
	}
	set := build[holder]()
	require.Empty(t, problems(set))
	require.Contains(t, document(t, set), `"itself":{"title":"itself","type":"null"},"ring1":{"title":"ring1","type":"null"}`)
	text, err := json.Marshal(holder{A: itself(new(itself)), B: ring1(new(ring2)), C: new(itself)})
	require.NoError(t, err)
	require.JSONEq(t, `{"A":null,"B":null,"C":null}`, string(text))
}
