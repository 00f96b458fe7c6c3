package schema_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/schema"
)

var colors = schema.Source{Constants: []schema.Constant{
	{Name: "Red", Doc: "Red is warm.", Value: json.RawMessage(`"red"`)},
	{Name: "Blue", Value: json.RawMessage(`"blue"`)},
	{Name: "Azure", Value: json.RawMessage(`"blue"`)},
}}

const redAndBlue = `"x-enum-varnames":["Red","Blue"],"x-enum-descriptions":["Red is warm.","Also Azure."]`

func TestRule44_ConstantsAreAnEnum(t *testing.T) {
	set := withSource[color](schema.Options{}, colors)
	require.Empty(t, set.Problems)
	require.Equal(t, `{"title":"color","type":"string","enum":["red","blue"],`+redAndBlue+`}`, text(t, component(t, set, "color")))
}

func TestRule44_FurtherNameOfTheFirstValue(t *testing.T) {
	set := withSource[color](schema.Options{}, schema.Source{Constants: []schema.Constant{
		{Name: "Red", Value: json.RawMessage(`"red"`)}, {Name: "Crimson", Value: json.RawMessage(`"red"`)},
	}})
	require.Equal(t, `{"title":"color","type":"string","enum":["red"],"x-enum-varnames":["Red"],"x-enum-descriptions":["Also Crimson."]}`, text(t, component(t, set, "color")))
}

func TestRule44_OpenEnums(t *testing.T) {
	set := withSource[color](schema.Options{OpenEnums: true}, colors)
	require.Equal(t, `{"title":"color","type":"string"}`, text(t, component(t, set, "color")))
}

func TestRule44_EnumsAreOfSourceOnly(t *testing.T) {
	set := withSource[color](schema.Options{ReflectionOnly: true}, colors)
	require.Equal(t, `{"title":"color","type":"string"}`, text(t, component(t, set, "color")))
}

func TestRule44_TypesThatWriteThemselvesAreNoEnum(t *testing.T) {
	set := withSource[level1](schema.Options{}, schema.Source{Constants: []schema.Constant{{Name: "A", Value: json.RawMessage("1")}, {Name: "B", Value: json.RawMessage("2")}}})
	require.Equal(t, `{"title":"level1","type":"string"}`, text(t, component(t, set, "level1")))
}

// painted has a field of color for each way in which its zero value may, or may
// not, be written.
type painted struct {
	schema.Type
	field reflect.StructField
}

func (p painted) Fields() []schema.Field {
	t := schema.Reflect(p.field.Type)
	var shown schema.Type = sourced{Type: t, source: &colors}
	if p.field.Type.Kind() == reflect.Array {
		shown = row{t}
	}
	return []schema.Field{{Name: p.field.Name, Type: shown, Tag: p.field.Tag, Exported: true}}
}

type row struct{ schema.Type }

func (r row) Elem() schema.Type { return sourced{Type: r.Type.Elem(), source: &colors} }

func TestRule44_ZeroValueIsListedWhereItIsWritten(t *testing.T) {
	for tag, want := range map[reflect.StructTag]string{
		"":                     `"enum":["red","blue",""],` + redAndBlue,
		`json:",omitempty"`:    `"enum":["red","blue"],` + redAndBlue,
		`json:",omitzero"`:     `"enum":["red","blue"],` + redAndBlue,
		`validate:"required"`:  `"enum":["red","blue"],` + redAndBlue,
		`validate:"omitempty"`: `"enum":["red","blue",""],` + redAndBlue,
	} {
		field := reflect.StructField{Name: "C", Type: reflect.TypeFor[color](), Tag: tag}
		set := schema.Build([]schema.Type{painted{schema.Reflect(reflect.TypeFor[struct{}]()), field}})
		require.Equal(t, `{"title":"color","type":"string",`+want+`}`, text(t, component(t, set, "color")), tag)
	}
	field := reflect.StructField{Name: "C", Type: reflect.TypeFor[[2]color]()}
	set := schema.Build([]schema.Type{painted{schema.Reflect(reflect.TypeFor[struct{}]()), field}})
	require.Contains(t, text(t, component(t, set, "color")), `"enum":["red","blue",""]`, "elements of arrays aren't set either")

	set = schema.Options{Direction: schema.Decode}.Build([]schema.Type{painted{schema.Reflect(reflect.TypeFor[struct{}]()), reflect.StructField{Name: "C", Type: reflect.TypeFor[color]()}}})
	require.Contains(t, text(t, component(t, set, "color")), `"enum":["red","blue",""]`, "what is written is read")
}
