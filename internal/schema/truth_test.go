//lint:file-ignore SA5008 Tags that encoding/json ignores are what is tested here.

package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/schema"
)

// compile makes a validator of what Build says of T.
func compile[T any](t *testing.T) *jsonschema.Schema {
	t.Helper()
	return compileSet(t, build[T]())
}

// compileSet makes a validator of the first payload. Formats that name a Go
// integer are checked against its range.
func compileSet(t *testing.T, set *schema.Set) *jsonschema.Schema {
	t.Helper()
	schemas := map[string]any{}
	for _, c := range set.Components {
		schemas[c.Key] = c.Schema
	}
	whole, err := json.Marshal(map[string]any{
		"$schema":    "http://json-schema.org/draft-07/schema#",
		"payload":    set.Payloads[0],
		"components": map[string]any{"schemas": schemas},
	})
	require.NoError(t, err)
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(whole))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft7)
	compiler.AssertFormat()
	compiler.AssertContent()
	compiler.RegisterFormat(&jsonschema.Format{Name: "int64", Validate: isInt64})
	require.NoError(t, compiler.AddResource("mem:///document.json", parsed))
	compiled, err := compiler.Compile("mem:///document.json#/payload")
	require.NoError(t, err, string(whole))
	return compiled
}

// isInt64 reports integers beyond int64. Numbers come as json.Number.
func isInt64(value any) error {
	number, ok := value.(json.Number)
	if !ok {
		return nil
	}
	n, ok := new(big.Rat).SetString(string(number))
	if ok && n.IsInt() && !n.Num().IsInt64() {
		return errors.New("beyond int64")
	}
	return nil
}

func validate(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	return s.Validate(value)
}

// writes asserts that the schema accepts what encoding/json writes: for the
// values, for the zero value, and by value as well as by pointer.
func writes[T any](values ...T) func(*testing.T) {
	return func(t *testing.T) {
		s := compile[T](t)
		var zero T
		for _, value := range append(values, zero) {
			text, err := json.Marshal(&value)
			require.NoError(t, err)
			require.NoError(t, validate(t, s, text), string(text))
		}
	}
}

// refuses asserts that the schema refuses texts that encoding/json refuses to
// read.
func refuses[T any](texts ...string) func(*testing.T) {
	return func(t *testing.T) {
		s := compile[T](t)
		for _, text := range texts {
			require.Error(t, json.Unmarshal([]byte(text), new(T)), text)
			require.Error(t, validate(t, s, []byte(text)), text)
		}
	}
}

type all struct {
	Bytes    []byte             `json:"bytes"`
	Named    []byte1            `json:"named"`
	Texts    []byteText         `json:"texts"`
	Array    [2]byte            `json:"array"`
	Times    []*time.Time       `json:"times"`
	Wait     time.Duration      `json:"wait"`
	Quoted   *float64           `json:"quoted,string"`
	Twice    string             `json:"twice,string"`
	Number   json.Number        `json:"number"`
	NumberS  json.Number        `json:"numberS,string"`
	Raw      json.RawMessage    `json:"raw"`
	Any      any                `json:"any"`
	Big      *big.Int           `json:"big"`
	Rat      *big.Rat           `json:"rat,omitempty"`
	IP       net.IP             `json:"ip"`
	Mask     net.IPMask         `json:"mask"`
	Addr     netip.Addr         `json:"addr"`
	URL      *url.URL           `json:"url"`
	ByID     map[int]*all       `json:"byID"`
	ByAddr   map[netip.Addr]int `json:"byAddr"`
	Children []all              `json:"children,omitempty"`
	Next     **all              `json:"next"`
	Color    *color             `json:"color"`
	Float    float32            `json:"float"`
	Stamped  stamped            `json:"stamped"`
	*Pointed
}

func TestBuild_ValidatesWhatEncodingJSONWrites(t *testing.T) {
	now, half, red := time.Date(2024, 2, 29, 12, 0, 0, 123, time.FixedZone("", 7200)), 0.5, color("red")
	next := &all{Wait: -1, Float: -math.MaxFloat32}
	full := all{
		Bytes: []byte("a?>"), Named: []byte1{1}, Texts: []byteText{1}, Times: []*time.Time{&now, nil}, Wait: time.Hour,
		Quoted: &half, Twice: "line\nand \"quote\" \u2028 </script>", Number: "1e400", NumberS: "-1.5E+10", Raw: json.RawMessage(`[1]`),
		Any: map[string]int{"a": 1}, Big: new(big.Int).Lsh(big.NewInt(1), 100), Rat: big.NewRat(1, 3), IP: net.IPv6loopback,
		Mask: net.CIDRMask(8, 32), Addr: netip.MustParseAddr("10.0.0.1"), URL: &url.URL{Host: "example.com"},
		ByID: map[int]*all{-1: {}, 2: nil}, ByAddr: map[netip.Addr]int{netip.IPv6Unspecified(): 1},
		Children: []all{{}}, Next: &next, Color: &red, Float: math.MaxFloat32, Pointed: &Pointed{Far: 1},
	}
	t.Run("struct", writes(all{}, full))
	t.Run("slice", writes([]all{full}, []all{}))
	t.Run("numbers", writes(struct {
		I8  []int8
		U64 []uint64
		I64 []int64
		F   []float64
	}{
		[]int8{-128, 127},
		[]uint64{math.MaxUint64},
		[]int64{math.MinInt64, math.MaxInt64},
		[]float64{1e-7, 1e21, math.MaxFloat64, math.SmallestNonzeroFloat64},
	}))
	t.Run("scalar", writes("text", "\xff"))
	t.Run("list", writes(list[list[int]]{Next: &list[list[int]]{}}))
	t.Run("values in maps", writes(map[string]pointer1{"a": {}}, map[string]pointer1{}))
	t.Run("custom", writes(custom1{}))
	t.Run("dominance", writes(struct {
		left
		right
		Shadow string
	}{Shadow: "x"}))
	t.Run("omitted", writes(struct {
		A []int  `json:",omitzero"`
		B **int  `json:",omitempty"`
		C lines  `json:",omitempty"`
		D *lines `json:",omitempty"`
	}{A: []int{}, B: new(*int), C: lines{}, D: new(lines)}))
}

type list[T any] struct {
	Value T
	Next  *list[T]
}

func TestBuild_RefusesWhatEncodingJSONRefuses(t *testing.T) {
	t.Run("ranges", refuses[uint8]("300", "-1", `"1"`, "1.5"))
	t.Run("float32", refuses[float32]("1e300"))
	t.Run("kinds", refuses[string]("1", "{}", "true"))
	t.Run("elements", refuses[[]int8]("[128]", "{}"))
	t.Run("base64", refuses[struct{ B []byte }](`{"B":"%%"}`, `{"B":"_-8="}`))
	t.Run("keys", refuses[map[uint8]int](`{"-1":1}`, `{"a":1}`))
	t.Run("text", refuses[struct{ A netip.Addr }](`{"A":1}`))
	t.Run("time", refuses[struct{ T time.Time }](`{"T":"yesterday"}`, `{"T":1}`))
	t.Run("big", refuses[struct{ B *big.Int }](`{"B":"5"}`))
	t.Run("quoted", refuses[struct {
		I int `json:",string"`
	}](`{"I":5}`, `{"I":"x"}`))
}

// The rules that decide which fields are written have encoding/json itself as
// their judge: the names that it writes are the names of the properties.
func TestBuild_PropertiesAreWhatEncodingJSONWrites(t *testing.T) {
	t.Run("dominance", sameNames[struct {
		left
		right
		Shadow string
	}])
	t.Run("repeated", sameNames[struct {
		once
		twice
	}])
	t.Run("repeated below", sameNames[struct {
		branch1
		branch2
	}])
	t.Run("embedding", sameNames[struct {
		deep
		Status
		hidden
		Iface
		error
	}])
	t.Run("tags", sameNames[struct {
		deep       `json:"named"`
		Pointed    `json:",omitempty"`
		left       `json:"-"`
		Valid      int `json:"a-b.c/d $%"`
		Quote      int `json:"a\"b"`
		Apostrophe int `json:"a'b"`
		Dash       int `json:"-,"`
		Unknown    int `json:",unknown"`
	}])
	t.Run("self", sameNames[selfish])
}

type (
	branch1 struct{ trunk }
	branch2 struct{ trunk }
	trunk   struct{ shared }
	selfish struct {
		A int
		*selfishB
	}
	selfishB struct {
		B int
		*selfish
	}
)

func sameNames[T any](t *testing.T) {
	var value T
	text, err := json.Marshal(value)
	require.NoError(t, err)
	written := map[string]any{}
	require.NoError(t, json.Unmarshal(text, &written))

	set := build[T]()
	s := set.Payloads[0]
	if s.Ref != "" {
		s = component(t, set, s.Ref[len("#/components/schemas/"):])
	}
	described := map[string]any{}
	for _, name := range s.Required {
		described[name] = written[name]
	}
	require.Equal(t, written, described)
}
