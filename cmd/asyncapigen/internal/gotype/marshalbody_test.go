package gotype_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/modtest"
	"github.com/warrenmq/warren/internal/schema"
)

// A body is of the method of a type T of the fields, with what T's schema is: "" where
// the body isn't understood.
type body struct{ fields, body, want string }

const (
	anInteger         = `{"type":"integer"}`
	aNumber           = `{"type":"number"}`
	aBoolean          = `{"type":"boolean"}`
	aString           = `{"type":"string"}`
	nullableIntegers  = `{"type":["array","null"],"items":{"type":"integer","minimum":-128,"maximum":127}}`
	somethingNullable = `{"anyOf":[{"$ref":"#/components/schemas/Inner"},{"type":"null"}]}`
	something         = `{"allOf":[{"$ref":"#/components/schemas/Inner"}]}`
)

// describeBodies declares a type T0 and so on for each of the bodies, by a format of the
// method, and compares its schemas.
func describeBodies(t *testing.T, bodies []body, method string, direction schema.Direction) {
	t.Helper()
	var source strings.Builder
	source.WriteString(`package bodies

import (
	"encoding/json"
	"fmt"
	"strconv"

	_ "github.com/warrenmq/warren/runtime"
)

var _ = fmt.Sprint(strconv.Itoa(1))

type Inner struct{ Number int8 }

type Marshaling struct{ Numbers []int8 }

func (m Marshaling) MarshalJSON() ([]byte, error) { return json.Marshal(m.Numbers) }
func (m *Marshaling) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &m.Numbers) }

type Pointing struct{ Numbers []int8 }

func (p *Pointing) MarshalJSON() ([]byte, error) { return json.Marshal(p.Numbers) }

type Raw struct{ Number int8 }

func (Raw) MarshalJSON() (json.RawMessage, error) { return json.RawMessage("1"), nil }

type Formatting int

func (Formatting) Format(state fmt.State, _ rune) { fmt.Fprint(state, "{}") }

func pick(i Inner) *Inner { return &i }

var marshal, unmarshal = json.Marshal, json.Unmarshal
`)
	for i, b := range bodies {
		fmt.Fprintf(&source, "\ntype T%d struct{ %s }\n\nfunc (T%d) err() error { return nil }\n"+method, i, b.fields, i, i, b.body)
	}
	dir := modtest.Write(t, txtar.Parse([]byte("-- bodies.go --\n"+source.String())))
	program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}})
	require.NoError(t, err)
	require.Empty(t, program.Errors(), source.String())
	for i, b := range bodies {
		name := fmt.Sprintf("T%d", i)
		all, problems := describe(t, program, program.Roots[0].Path, name, schema.Options{Direction: direction})
		if b.want == "" {
			require.Len(t, problems, 1, b.body)
			require.Equal(t, diagnostic.CustomJSON, problems[0].Code, b.body)
			continue
		}
		require.Empty(t, problems, b.body)
		require.Equal(t, b.want, all[name], b.body)
	}
}

func TestRule34_BodiesThatWrite(t *testing.T) {
	describeBodies(t, []body{
		{"b bool", `return []byte(fmt.Sprintf("%t", t.b)), nil`, aBoolean},
		{"s string", `return []byte(fmt.Sprintf("%q", t.s)), nil`, aString},
		{"n int", `return []byte(fmt.Sprintf("\"%d\"", t.n)), nil`, aString},
		{"n int", `return []byte(fmt.Sprintf("\"%d", t.n)), nil`, ""},
		{"n int", `return []byte(fmt.Sprintf("%d\"", t.n)), nil`, ""},
		{"n int", `return []byte(fmt.Sprintf("\"", t.n)), nil`, ""},
		{"n int", `return []byte(fmt.Sprintf("%x", t.n)), nil`, ""},
		{"f string", `return []byte(fmt.Sprintf(t.f, 1)), nil`, ""},
		{"s [1]string", `return fmt.Appendf(nil, "%q", t.s), nil`, ""},
		{"s []string", `return []byte(fmt.Sprintf("%q", t.s)), nil`, ""},
		{"n [1]int", `return fmt.Appendf(nil, "%d", t.n), nil`, ""},
		{"n any", `return fmt.Appendf(nil, "%d", t.n), nil`, ""},
		{"n Formatting", `return fmt.Appendf(nil, "%d", t.n), nil`, ""},
		{"n int8", `return fmt.Appendf(nil, "%d", t.n), nil`, anInteger},
		{"n int8", `return fmt.Appendf(nil, "%q", t.n), nil`, ""},
		{"s string", `return fmt.Appendf(nil, "%d", t.s), nil`, ""},
		{"b [1]bool", `return fmt.Appendf(nil, "%t", t.b), nil`, ""},
		{"n int", `return fmt.Appendf(nil, "%t", t.n), nil`, ""},
		{"", `return fmt.Appendf(nil, "%d"), nil`, ""},
		{"", `return []byte("12.5"), nil`, aNumber},
		{"", `return []byte("\"a\""), nil`, aString},
		{"", `return []byte("null"), nil`, `{"type":"null"}`},
		{"", `return []byte("{}"), nil`, ""},
		{"", `return []byte("nothing"), nil`, ""},
		{"", `return ([]byte)("true"), nil`, aBoolean},
		{"s string", `return []byte("\"" + t.s + t.s), nil`, ""},
		{"s string", `return []byte(t.s + "\""), nil`, ""},
		{"s string", `return []byte(("\"" + t.s) + "\""), nil`, aString},
		{"s string", `return []byte(t.s), nil`, ""},
		{"s string", `return []byte(strconv.Quote(t.s)), nil`, aString},
		{"s string", `return []byte(strconv.QuoteToASCII(t.s)), nil`, aString},
		{"s string", `return []byte(strconv.QuoteToGraphic(t.s)), nil`, ""},
		{"n int", `return []byte(strconv.Itoa(t.n)), nil`, anInteger},
		{"n int64", `return []byte(strconv.FormatInt(t.n, 10)), nil`, anInteger},
		{"n uint64", `return []byte(strconv.FormatUint(t.n, 10)), nil`, anInteger},
		{"b bool", `return []byte(strconv.FormatBool(t.b)), nil`, aBoolean},
		{"s string", `return strconv.AppendQuoteToASCII(nil, t.s), nil`, aString},
		{"n uint64", `return strconv.AppendUint(nil, t.n, 10), nil`, anInteger},
		{"f float64", `return strconv.AppendFloat(nil, t.f, 'g', -1, 64), nil`, aNumber},
		{"b bool", `return strconv.AppendBool(nil, t.b), nil`, aBoolean},
		{"b bool", `return fmt.Appendf(nil, "%t", t.b), nil`, aBoolean},
		{"b bool", `return fmt.Append(nil, t.b), nil`, ""},
		{"b bool", `return strconv.AppendBool(make([]byte, 0), t.b), nil`, aBoolean},
		{"b bool", `return strconv.AppendBool(make([]byte, 0, 8), t.b), nil`, aBoolean},
		{"b bool", `return strconv.AppendBool(make([]byte, 1), t.b), nil`, ""},
		{"b bool; n int", `return strconv.AppendBool(make([]byte, t.n), t.b), nil`, ""},
		{"b bool", `return strconv.AppendBool([]byte{' '}, t.b), nil`, ""},
		{"b bool", `return strconv.AppendBool(append([]byte{' '}, 0), t.b), nil`, ""},
		{"b bool", "size := func() (int, bool) { return 1, t.b }\n\t_, _ = size()\n\treturn []byte(`true`), nil", aBoolean},
		{"in Inner", `return json.Marshal(t.in)`, something},
		{"in Inner", `return json.Marshal(&t.in)`, something},
		{"in *Inner", `return json.Marshal(t.in)`, somethingNullable},
		{"in Inner", `return json.Marshal(pick(t.in))`, somethingNullable},
		{"in Inner", `return json.Marshal((*Inner)(&t.in))`, something},
		{"in *Inner", `type plain Inner; return json.Marshal((*plain)(t.in))`, ""},
		{"in *Inner", `return json.Marshal((*Inner)(t.in))`, somethingNullable},
		{"in chan *Inner", `return json.Marshal(<-t.in)`, somethingNullable},
		{"in Inner", `return json.Marshal("a")`, aString},
		{"in Inner", `return marshal(t.in)`, ""},
		{"in Inner", `return json.MarshalIndent(t.in, "", "")`, ""},
		{"", `return json.Marshal(nil)`, ""},
		{"", `return json.Marshal(&t)`, ""},
		{"", `return nil, nil`, ""},
		{"", `return nil, fmt.Errorf("never")`, ""},
		{"in json.RawMessage", `return t.in, nil`, ""},
		{"in Marshaling", `return t.in.MarshalJSON()`, `{"allOf":[{"$ref":"#/components/schemas/Marshaling"}]}`},
		{"in Pointing", `return t.in.MarshalJSON()`, `{"allOf":[{"$ref":"#/components/schemas/Pointing"}]}`},
		{"in Raw", `return t.in.MarshalJSON()`, ""},
		{"in json.Marshaler", `return t.in.MarshalJSON()`, ""},
		{"in []int8", `if t.in == nil { return []byte("null"), t.err() }; return json.Marshal(t.in)`, ""},
		{"in []int8", `if t.in == nil { return nil, t.err() }; return json.Marshal(t.in)`, nullableIntegers},
		{"in []int8", `defer func() {}(); return json.Marshal(t.in)`, nullableIntegers},
	}, "\nfunc (t T%d) MarshalJSON() ([]byte, error) {\n\t%s\n}\n", schema.Encode)
}

// A deferred function can set results that have names.
func TestRule34_BodiesWithNamedResults(t *testing.T) {
	describeBodies(t, []body{
		{"in int8", `return json.Marshal("a")`, aString},
		{"in int8", `defer func() { out = append(append([]byte{'['}, out...), ']') }(); return json.Marshal(t.in)`, ""},
		{"in int8", `defer func() { if recover() != nil { out = []byte("{}") } }(); return json.Marshal(t.in)`, ""},
		{"in int8", `if t.in > 0 { defer func() { out = nil }() }; return json.Marshal(t.in)`, ""},
	}, "\nfunc (t T%d) MarshalJSON() (out []byte, err error) {\n\t%s\n}\n", schema.Encode)
}

func TestRule34_BodiesThatReadOrNot(t *testing.T) {
	const nullable = `{"type":["array","null"],"items":{"type":["integer","null"],"minimum":-128,"maximum":127}}`
	describeBodies(t, []body{
		{"in []int8", `return json.Unmarshal(text, &t.in)`, nullable},
		{"in *[]int8", `return json.Unmarshal(text, t.in)`, ""},
		{"in any", `return json.Unmarshal(text, &t.in)`, ""},
		{"in []int8", `return json.Unmarshal(text[1:], &t.in)`, ""},
		{"in []int8; text []byte", `return json.Unmarshal(t.text, &t.in)`, ""},
		{"in []int8", `return unmarshal(text, &t.in)`, ""},
		{"in []int8", `return t.err()`, ""},
		{"in []int8", `err := json.Unmarshal(text, &t.in); return err`, ""},
		{"in []int8", `if text == nil { return nil }; return json.Unmarshal(text, &t.in)`, ""},
		{"in []int8", `type numbers []int8; return json.Unmarshal(text, (*numbers)(&t.in))`, nullable},
		{"Marshaling", `return json.Unmarshal(text, &t.Marshaling)`, `{"anyOf":[{"$ref":"#/components/schemas/Marshaling"},{"type":"null"}]}`},
	}, "\nfunc (t *T%d) UnmarshalJSON(text []byte) error {\n\t%s\n}\n", schema.Decode)
}

// The body of a generic type's method says what is written by type parameters.
func TestRule34_BodiesOfGenericTypesAreNotUnderstood(t *testing.T) {
	dir := modtest.Write(t, txtar.Parse([]byte(`-- generic.go --
package generic

import (
	"encoding/json"

	_ "github.com/warrenmq/warren/runtime"
)

type Box[A any] struct{ in A }

func (b Box[A]) MarshalJSON() ([]byte, error) { return json.Marshal(b.in) }

func (b *Box[A]) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &b.in) }

type Order struct{ Box Box[int8] }
`)))
	program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}})
	require.NoError(t, err)
	for _, direction := range []schema.Direction{schema.Encode, schema.Decode} {
		_, problems := describe(t, program, "example.com/shop", "Order", schema.Options{Direction: direction})
		require.Len(t, problems, 1)
		require.Equal(t, diagnostic.CustomJSON, problems[0].Code)
	}
}
