package gotype_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/gotype"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/modtest"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/schema/proof"
)

// shop has a package main, which imports the types from export data.
const shop = `
-- main.go --
package main

import (
	"example.com/shop/events"
	"github.com/warrenmq/warren/runtime"
)

type Local events.All

func main() { runtime.NewRouter() }
-- events/events.go --
package events

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

type All struct {
	Status    Status
	Level     Level
	Size      Size
	Flags     Flags
	Alone     Alone
	Month     time.Month
	hidden    status
	Hidden    []status
	Marked    Marked
	Described Described
	Computed  Computed ` + "`json:\"-\"`" + `

	// Exemplary has an example.
	//
	// Deprecated: use Status.
	//asyncapigen:example {"ID": 7}
	Exemplary Exemplary
}

// Status is where an order stands.
type Status string

const (
	// Open orders wait.
	Open   Status = "open"
	Closed Status = "closed" // Closed orders don't.
	Done          = Closed
	other  Status = "other"
	Text          = "no status"
)

type Level int

const (
	_ Level = iota
	Low
	High
	Negative Level = -1
)

type status string

const (
	a status = "a"
	b status = "b"
)

type Size int64

const (
	KB Size = 1 << (10 * (iota + 1))
	MB
)

type Flags uint8

const (
	Read  Flags = 1
	Write Flags = 2
	Both        = Read | Write
)

type Alone string

const Only Alone = "only"

//asyncapigen:schema {"type": "string", "pattern": "^[A-Z]+$"}
//asyncapigen:example ABC
type Marked struct{ text string }

func (m Marked) MarshalJSON() ([]byte, error) { return json.Marshal(m) }

type Described struct{ text string }

func (d Described) MarshalJSON() ([]byte, error) { return json.Marshal(d) }

const pattern = "^[a-z]+$"

func (Described) JSONSchema() string { return ` + "`{\"type\":\"string\",\"pattern\":\"` + pattern + `\"}`" + ` }

type Computed struct{}

func (Computed) JSONSchema() string { return fmt.Sprint("{}") }

type Exemplary struct{ ID int8 }

// Bodies are types with a MarshalJSON of every sort.
type Bodies struct {
	Field      Field
	Converted  Converted
	Quoted     Quoted
	Glued      Glued
	Formatted  Formatted
	Constant   Constant
	Either     Either
	Extended   Extended
	Delegating Delegating
	Promoting  Promoting
	Appended   Appended
}

type Field struct{ inner []int8 }

func (f Field) MarshalJSON() ([]byte, error) { return json.Marshal(f.inner) }
func (f *Field) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &f.inner) }

type Converted int

func (c Converted) MarshalJSON() ([]byte, error) { return json.Marshal(c.String()) }
func (c Converted) String() string { return "c" }

type Quoted struct{ text string }

func (q Quoted) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, q.text), nil }

type Glued struct{ text string }

func (g Glued) MarshalJSON() ([]byte, error) { return []byte("\"" + g.text + "\""), nil }

type Formatted struct{ n int }

func (f Formatted) MarshalJSON() ([]byte, error) { return []byte(fmt.Sprintf("%d", f.n)), nil }

type Constant struct{}

func (Constant) MarshalJSON() ([]byte, error) { return []byte("true"), nil }

type Either struct{ at time.Time }

func (e Either) MarshalJSON() ([]byte, error) {
	if e.at.IsZero() {
		return []byte("null"), nil
	}
	if e.at.Year() > 9999 {
		return nil, fmt.Errorf("too late")
	}
	return json.Marshal(e.at)
}

type Extended struct{ A int }

func (e Extended) MarshalJSON() ([]byte, error) {
	type plain Extended
	return json.Marshal(struct {
		Kind string
		plain
	}{"extended", plain(e)})
}

type Delegating struct{ inner Field }

func (d *Delegating) MarshalJSON() ([]byte, error) { return d.inner.MarshalJSON() }

type Promoting struct {
	time.Time
	Extra int
}

type Appended struct{ n int64 }

func (a Appended) MarshalJSON() ([]byte, error) { return strconv.AppendInt([]byte{}, a.n, 10), nil }

// Opaque are types whose MarshalJSON isn't understood.
type Opaque struct {
	Any       Any
	Itself    Itself
	Statement Statement
	Prefixed  Prefixed
	Sometimes Sometimes
}

type Any struct{ inner any }

func (a Any) MarshalJSON() ([]byte, error) { return json.Marshal(a.inner) }

type Itself struct{ next *Itself }

func (i Itself) MarshalJSON() ([]byte, error) { return json.Marshal(i.next) }

type Statement struct{}

func (Statement) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(7)
	return text, err
}

type Prefixed struct{ begin []byte }

func (p Prefixed) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(p.begin, "x"), nil }

type Sometimes struct{ text []byte }

func (s Sometimes) MarshalJSON() ([]byte, error) {
	if len(s.text) == 0 {
		return []byte("null"), nil
	}
	return s.text, nil
}
-- unions/unions.go --
package unions

import (
	_ "github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

type Payment interface{ pay() }

type Card struct {
	Type string ` + "`json:\"type\"`" + `
}

type Bank struct {
	Type string ` + "`json:\"type\"`" + `
}

func (Card) pay()  {}
func (*Bank) pay() {}

const discriminator = "type"

var Payments = asyncapi.NewUnion(discriminator, map[string]Payment{
	"card": Card{},
	"bank": &Bank{},
})

type Order struct{ Payment Payment }
-- badunions/unions.go --
package badunions

import (
	_ "github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

type Payment interface{ pay() }

type Card struct{}

func (Card) pay() {}

func name() string { return "type" }

var card Payment = Card{}

var variants = map[string]Payment{"card": Card{}}

var (
	_ = asyncapi.NewUnion(name(), map[string]Payment{"card": Card{}})
	_ = asyncapi.NewUnion("type", variants)
	_ = asyncapi.NewUnion("type", map[string]Payment{"card": card})
	_ = asyncapi.NewUnion("type", map[string]Payment{name(): Card{}})
)

func local() { _ = asyncapi.NewUnion("type", map[string]Payment{"card": Card{}}) }
`

func loadShop(t *testing.T, patterns ...string) *load.Program {
	t.Helper()
	dir := modtest.Write(t, txtar.Parse([]byte(shop)))
	program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: patterns})
	require.NoError(t, err)
	for _, root := range program.Roots {
		require.Empty(t, root.Errors)
	}
	return program
}

const eventsPath = "example.com/shop/events"

// describe describes a type of the package at path, as those see it that import
// it. It returns the components, and their properties, by name.
func describe(t *testing.T, program *load.Program, path, name string, o schema.Options) (map[string]string, []schema.Problem) {
	t.Helper()
	types := gotype.New(program, program.Position)
	o.Check = proof.Check
	object := program.Exported(path).Scope().Lookup(name)
	require.NotNil(t, object, name)
	set := o.Build([]schema.Type{types.Of(object.Type())})
	all := map[string]string{}
	for _, c := range set.Components {
		for _, p := range c.Schema.Properties {
			all[c.Key+"."+p.Name] = written(t, p.Schema)
		}
		all[c.Key] = written(t, c.Schema)
	}
	return all, set.Problems
}

// written is a schema without its title and description.
func written(t *testing.T, s *schema.Schema) string {
	t.Helper()
	bare := *s
	bare.Title, bare.Description = "", ""
	text, err := json.Marshal(bare)
	require.NoError(t, err)
	return string(text)
}

func TestRule44_Constants(t *testing.T) {
	all, _ := describe(t, loadShop(t, "."), eventsPath, "All", schema.Options{})
	for key, want := range map[string]string{
		"Status": `{"type":"string","enum":["open","closed","other",""],"x-enum-varnames":["Open","Closed","other"],"x-enum-descriptions":["Open orders wait.","Closed orders don't.\n\nAlso Done.",""]}`,
		"Level":  `{"type":"integer","enum":[1,2,-1,0],"x-enum-varnames":["Low","High","Negative"],"format":"int64"}`,
		"status": `{"type":"string","enum":["a","b"],"x-enum-varnames":["a","b"]}`,
		"Size":   `{"type":"integer","format":"int64"}`,
		"Flags":  `{"type":"integer","minimum":0,"maximum":255}`,
		"Alone":  `{"type":"string"}`,
		"Month":  `{"type":"integer","format":"int64"}`,
	} {
		require.Equal(t, want, all[key], key)
	}
}

func TestRule44_ConstantsOfTypesFromExportData(t *testing.T) {
	fromSource, _ := describe(t, loadShop(t, "."), eventsPath, "All", schema.Options{})
	exported, _ := describe(t, loadShop(t, "."), "example.com/shop", "Local", schema.Options{})
	for _, key := range []string{"Status", "Level", "status", "Size", "Flags", "Marked", "Described"} {
		require.Equal(t, fromSource[key], exported[key], key)
	}
}

func TestSources_DirectivesAndMethodsDescribe(t *testing.T) {
	all, problems := describe(t, loadShop(t, "."), eventsPath, "All", schema.Options{})
	require.Empty(t, problems)
	require.Equal(t, `{"type":"string","pattern":"^[A-Z]+$","examples":["ABC"]}`, all["Marked"])
	require.Equal(t, `{"type":"string","pattern":"^[a-z]+$"}`, all["Described"])
	require.Equal(t, `{"deprecated":true,"allOf":[{"$ref":"#/components/schemas/Exemplary"}],"examples":[{"ID":7}]}`, all["All.Exemplary"])
}

func TestSources_RefuseComputedJSONSchema(t *testing.T) {
	_, problems := describe(t, loadShop(t, "."), eventsPath, "Computed", schema.Options{})
	require.Len(t, problems, 1)
	require.Equal(t, "the schema of its method JSONSchema isn't known: it does more than returning a constant", problems[0].What)
	require.True(t, strings.HasSuffix(problems[0].Pos.Filename, "events.go"))
}

func TestRule34_BodiesThatAreUnderstood(t *testing.T) {
	all, problems := describe(t, loadShop(t, "."), eventsPath, "Bodies", schema.Options{})
	require.Empty(t, problems)
	for key, want := range map[string]string{
		"Field":      `{"type":["array","null"],"items":{"type":"integer","minimum":-128,"maximum":127}}`,
		"Converted":  `{"type":"string"}`,
		"Quoted":     `{"type":"string"}`,
		"Glued":      `{"type":"string"}`,
		"Formatted":  `{"type":"integer"}`,
		"Constant":   `{"type":"boolean"}`,
		"Either":     `{"anyOf":[{"type":"null"},{"type":"string","format":"date-time"}]}`,
		"Extended":   `{"type":"object","properties":{"Kind":{"type":"string"},"A":{"type":"integer","format":"int64"}},"required":["Kind","A"]}`,
		"Delegating": `{"allOf":[{"$ref":"#/components/schemas/Field"}]}`,
		"Promoting":  `{"type":"string","format":"date-time"}`,
		"Appended":   `{"type":"integer"}`,
	} {
		require.Equal(t, want, all[key], key)
	}
	require.NotContains(t, all, "plain", "a type of the method is no component")
}

func TestRule34_BodiesThatRead(t *testing.T) {
	all, _ := describe(t, loadShop(t, "."), eventsPath, "Bodies", schema.Options{Direction: schema.Decode})
	require.Equal(t, `{"type":["array","null"],"items":{"type":["integer","null"],"minimum":-128,"maximum":127}}`, all["Field"])
}

func TestRule34_BodiesThatAreNot(t *testing.T) {
	_, problems := describe(t, loadShop(t, "."), eventsPath, "Opaque", schema.Options{})
	require.Len(t, problems, 5)
	for _, p := range problems {
		require.Equal(t, diagnostic.CustomJSON, p.Code)
		require.True(t, p.Pos.IsValid())
	}
}

// Nobody can edit what is declared elsewhere: the user's own field leads there.
func TestTypes_HavePositionsInTheUsersOwnPackages(t *testing.T) {
	dir := modtest.Write(t, txtar.Parse([]byte(`-- go.mod --
module example.com/shop

go 1.26
-- shop.go --
package shop

import "net/http"

type Order struct {
	Request http.Request
}
`)))
	program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}})
	require.NoError(t, err)
	_, problems := describe(t, program, "example.com/shop", "Order", schema.Options{})
	require.NotEmpty(t, problems)
	for _, p := range problems {
		require.Equal(t, "shop.go:6", fmt.Sprintf("%s:%d", p.Pos.Filename, p.Pos.Line), p.Path)
	}
	types := gotype.New(program, program.Position)
	require.Zero(t, types.Of(program.Exported("net/http").Scope().Lookup("Request").Type()).Position())
}

func TestUnions_AreFound(t *testing.T) {
	program := loadShop(t, "./unions")
	types := gotype.New(program, program.Position)
	unions, problems := types.Unions(program.Roots)
	require.Empty(t, problems)
	require.Len(t, unions, 1)
	all, found := describe(t, program, "example.com/shop/unions", "Order", schema.Options{Unions: unions})
	require.Empty(t, found)
	require.Equal(t, `{"oneOf":[{"$ref":"#/components/schemas/Bank"},{"$ref":"#/components/schemas/Card"}],"discriminator":"type"}`, all["Payment"])
	require.Equal(t, `{"type":"string","enum":["card"]}`, all["Card.type"])
}

func TestUnions_ReportsUnknown(t *testing.T) {
	program := loadShop(t, "./badunions")
	unions, problems := gotype.New(program, program.Position).Unions(program.Roots)
	require.Empty(t, unions)
	var said []string
	for _, p := range problems {
		require.Equal(t, diagnostic.UnknownUnion, p.Code)
		require.True(t, p.Pos.IsValid())
		said = append(said, p.What)
	}
	require.Equal(t, []string{
		"the union's discriminator isn't a constant",
		"the union's variants aren't known",
		`the type of the variant "card" isn't known`,
		"the variant's name isn't a constant",
		"the union isn't that of a variable of the package, so it can't be known which one counts",
	}, said)
}
