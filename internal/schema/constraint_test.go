package schema_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
)

type short string

// member is the schema of the only field of T, and whether it is required.
func member[T any](t *testing.T) (text_ string, required bool) {
	t.Helper()
	set := prove[T]()
	require.Empty(t, set.Problems)
	s := set.Payloads[0]
	require.Len(t, s.Properties, 1)
	return text(t, s.Properties[0].Schema), len(s.Required) == 1
}

func TestValidateTag_ByKind(t *testing.T) {
	for _, c := range []struct {
		name string
		got  func(*testing.T) (string, bool)
		want string
	}{
		{"length of text", member[struct {
			F string `validate:"min=2,max=4"`
		}], `{"type":"string","minLength":2,"maxLength":4}`},
		{"exact length", member[struct {
			F string `validate:"len=3"`
		}], `{"type":"string","minLength":3,"maxLength":3}`},
		{"strict length", member[struct {
			F string `validate:"gt=2,lt=9"`
		}], `{"type":"string","minLength":3,"maxLength":8}`},
		{"no length but none", member[struct {
			F string `validate:"max=0"`
		}], `{"type":"string","maxLength":0}`},
		{"less than no length, or none", member[struct {
			F string `validate:"omitempty,lt=0"`
		}], `{"type":"string","maxLength":0}`},
		{"the stricter of two bounds, which comes last", member[struct {
			F string `validate:"min=2,gte=3,max=5,lte=4"`
		}], `{"type":"string","minLength":3,"maxLength":4}`},
		{"the stricter of two bounds, which comes first", member[struct {
			F string `validate:"min=3,gte=2,max=4,lte=5"`
		}], `{"type":"string","minLength":3,"maxLength":4}`},
		{"two patterns", member[struct {
			F string `validate:"alpha,hexadecimal"`
		}], `{"type":"string","pattern":"^[a-zA-Z]+$","allOf":[{"pattern":"^(0[xX])?[0-9a-fA-F]+$"}]}`},
		{"one pattern by two tags", member[struct {
			F string `validate:"number" jsonschema:"pattern=^[0-9]+$"`
		}], `{"type":"string","pattern":"^[0-9]+$"}`},
		{"number", member[struct {
			F int `validate:"gte=1,lte=10"`
		}], `{"type":"integer","format":"int64","minimum":1,"maximum":10}`},
		{"strict number", member[struct {
			F float64 `validate:"gt=0,lt=1.5"`
		}], `{"type":"number","format":"double","exclusiveMinimum":0,"exclusiveMaximum":1.5}`},
		{"the type's own bound stays", member[struct {
			F int8 `validate:"min=-1000,max=5"`
		}], `{"type":"integer","minimum":-128,"maximum":5}`},
		{"elements", member[struct {
			F []int `validate:"min=1,unique"`
		}], `{"type":"array","items":{"type":"integer","format":"int64"},"minItems":1,"uniqueItems":true}`},
		{"a short text, or none", member[struct {
			F string `validate:"omitempty,max=3"`
		}], `{"type":"string","maxLength":3}`},
		{"one of one, or none", member[struct {
			F string `validate:"omitempty,oneof=a"`
		}], `{"type":"string","anyOf":[{"enum":[""]},{"enum":["a"]}]}`},
		{"one of one number, or none", member[struct {
			F int8 `validate:"omitempty,oneof=7"`
		}], `{"type":"integer","minimum":-128,"maximum":127,"anyOf":[{"enum":[0]},{"enum":[7]}]}`},
		{"elements of a field", member[struct {
			F []string `validate:"unique=Name"`
		}], `{"type":["array","null"],"items":{"type":"string"}}`},
		{"elements of an array", member[struct {
			F [2]int8 `validate:"unique"`
		}], `{"type":"array","items":{"type":"integer","minimum":-128,"maximum":127},"minItems":2,"maxItems":2,"uniqueItems":true}`},
		{"values of a map", member[struct {
			F map[string]int8 `validate:"unique"`
		}], `{"type":["object","null"],"additionalProperties":{"type":"integer","minimum":-128,"maximum":127}}`},
		{"structs", member[struct {
			F []struct{} `validate:"unique"`
		}], `{"type":["array","null"],"items":{"type":"object"}}`},
		{"members", member[struct {
			F map[string]int `validate:"len=2"`
		}], `{"type":"object","additionalProperties":{"type":"integer","format":"int64"},"minProperties":2,"maxProperties":2}`},
		{"duration", member[struct {
			F time.Duration `validate:"min=1s"`
		}], `{"description":"A duration in nanoseconds.","type":"integer","format":"int64","minimum":1000000000}`},
		{"oneof", member[struct {
			F string `validate:"oneof=a 'b c' d"`
		}], `{"type":"string","enum":["a","b c","d"]}`},
		{"oneof of numbers", member[struct {
			F uint8 `validate:"oneof=0 2"`
		}], `{"type":"integer","enum":[0,2],"minimum":0,"maximum":255}`},
		{"escaped", member[struct {
			F string `validate:"oneof=0x2C a0x7Cb"`
		}], `{"type":"string","enum":[",","a|b"]}`},
		{"email", member[struct {
			F string `validate:"email"`
		}], `{"type":"string","format":"email"}`},
		{"uuid", member[struct {
			F string `validate:"uuid4"`
		}], `{"type":"string","format":"uuid"}`},
		{"url", member[struct {
			F string `validate:"url"`
		}], `{"type":"string","format":"uri"}`},
		{"day", member[struct {
			F string `validate:"datetime=2006-01-02"`
		}], `{"type":"string","format":"date"}`},
		{"time", member[struct {
			F string `validate:"datetime=2006-01-02T15:04:05Z07:00"`
		}], `{"type":"string","format":"date-time"}`},
		{"other layouts have no format", member[struct {
			F string `validate:"datetime=15h04"`
		}], `{"type":"string"}`},
		{"elements of elements", member[struct {
			F [][]string `validate:"dive,min=1,dive,min=3"`
		}], `{"type":["array","null"],"items":{"type":"array","items":{"type":"string","minLength":3},"minItems":1}}`},
		{"keys and values", member[struct {
			F map[string]string `validate:"dive,keys,min=3,endkeys,max=5"`
		}], `{"type":["object","null"],"additionalProperties":{"type":"string","maxLength":5},"propertyNames":{"minLength":3}}`},
		{"defined type", member[struct {
			F short `validate:"max=5"`
		}], `{"maxLength":5,"allOf":[{"$ref":"#/components/schemas/short"}]}`},
		{"unknown and alternative rules", member[struct {
			F string `validate:"isbn,hexcolor|rgb,required_if=A b"`
		}], `{"type":"string"}`},
		{"left out", member[struct {
			F string `validate:"-"`
		}], `{"type":"string"}`},
		{"quoted", member[struct {
			F int `json:",string" validate:"min=3"`
		}], `{"type":"string","pattern":"^-?[0-9]+$"}`},
		{"base64", member[struct {
			F []byte `validate:"max=3"`
		}], `{"type":["string","null"],"contentEncoding":"base64"}`},
		{"one number", member[struct {
			F float64 `validate:"eq=1.5"`
		}], `{"type":"number","enum":[1.5],"format":"double"}`},
		{"one integer", member[struct {
			F uint8 `validate:"eq=3"`
		}], `{"type":"integer","enum":[3],"minimum":0,"maximum":255}`},
		{"one number of a range", member[struct {
			F int `validate:"min=5,max=5"`
		}], `{"type":"integer","format":"int64","minimum":5,"maximum":5}`},
		{"one of what is no scalar", member[struct {
			F struct{} `validate:"eq=1"`
		}], `{"type":"object"}`},
		{"types that write themselves", member[struct {
			F []text1 `validate:"dive,min=3"`
		}], `{"type":["array","null"],"items":{"$ref":"#/components/schemas/text1"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := c.got(t)
			require.Equal(t, c.want, got)
		})
	}
}

func TestValidateTag_Required(t *testing.T) {
	for _, c := range []struct {
		name     string
		got      func(*testing.T) (string, bool)
		want     string
		required bool
	}{
		{"text isn't empty", member[struct {
			F string `json:",omitempty" validate:"required"`
		}], `{"type":"string","minLength":1}`, true},
		{"a pointer isn't nil, but what it points to may be zero", member[struct {
			F *string `json:",omitempty" validate:"required"`
		}], `{"type":"string"}`, true},
		{"a slice isn't nil", member[struct {
			F []int `validate:"required"`
		}], `{"type":"array","items":{"type":"integer","format":"int64"}}`, true},
		{"a reference isn't null", member[struct {
			F *node `validate:"required"`
		}], `{"$ref":"#/components/schemas/node"}`, true},
		{"a defined slice isn't null", member[struct {
			F lines `validate:"required"`
		}], `{"type":"array","allOf":[{"$ref":"#/components/schemas/lines"}]}`, true},
		{"rules refuse nil", member[struct {
			F *int `validate:"max=5"`
		}], `{"type":"integer","format":"int64","maximum":5}`, true},
		{"unless it is optional", member[struct {
			F *int `validate:"omitempty,max=5"`
		}], `{"type":["integer","null"],"format":"int64","maximum":5}`, true},
		{"rules refuse the zero value", member[struct {
			F string `json:",omitempty" validate:"email"`
		}], `{"type":"string","format":"email"}`, true},
		{"unless it is optional, and left out", member[struct {
			F string `json:",omitempty" validate:"omitempty,email"`
		}], `{"type":"string","format":"email"}`, false},
		{"unless it is optional, and written", member[struct {
			F string `validate:"omitempty,email"`
		}], `{"type":"string","anyOf":[{"enum":[""]},{"format":"email"}]}`, true},
		{"or a number", member[struct {
			F int `validate:"omitempty,min=3"`
		}], `{"type":"integer","format":"int64","anyOf":[{"enum":[0]},{"minimum":3}]}`, true},
		{"which the rules may take", member[struct {
			F int `validate:"omitempty,max=3"`
		}], `{"type":"integer","format":"int64","maximum":3}`, true},
		{"null among the values", member[struct {
			F *string `validate:"omitempty,oneof=a b"`
		}], `{"type":["string","null"],"enum":["a","b",null]}`, true},
		{"quoted", member[struct {
			F *int `json:",string" validate:"required"`
		}], `{"type":"string","pattern":"^-?[0-9]+$"}`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, required := c.got(t)
			require.JSONEq(t, c.want, got)
			require.Equal(t, c.required, required)
		})
	}
}

func TestValidateTag_RequiresWhereTheZeroValueIsRefused(t *testing.T) {
	for rules, refuses := range map[string]bool{
		"min=1": true, "min=0": false, "min=-1": false,
		"gt=0": true, "gt=-1": false, "gt=3": true,
		"max=-1": true, "max=0": false, "max=1": false,
		"lt=0": true, "lt=1": false, "lt=-3": true,
		"oneof=1 2": true, "oneof=1 0": false,
	} {
		f := reflect.StructField{Name: "F", Type: reflect.TypeFor[int](), Tag: reflect.StructTag(`json:",omitempty" validate:"` + rules + `"`)}
		set := schema.Build([]schema.Type{schema.Reflect(reflect.StructOf([]reflect.StructField{f}))})
		require.Equal(t, refuses, len(set.Payloads[0].Required) == 1, rules)
	}
}

func TestBuild_ReportsContradictoryRules(t *testing.T) {
	for name, c := range map[string]struct {
		set  *schema.Set
		want string
	}{
		"bounds": {prove[struct {
			F string `validate:"min=5,max=2"`
		}](), "its rules leave no value: at least 5 and at most 2"},
		"range of the type": {prove[struct {
			F uint8 `validate:"min=300"`
		}](), "its rules leave no value: at least 300 and at most 255"},
		"strict bounds": {prove[struct {
			F int `validate:"gt=5,lt=5"`
		}](), "its rules leave no value: at least 5 and at most 5"},
		"a strict lower bound": {prove[struct {
			F int `validate:"gt=5,max=5"`
		}](), "its rules leave no value: at least 5 and at most 5"},
		"a strict upper bound": {prove[struct {
			F int `validate:"min=5,lt=5"`
		}](), "its rules leave no value: at least 5 and at most 5"},
		"elements": {prove[struct {
			F []int `validate:"dive,min=5,max=2"`
		}](), "its rules leave no value: at least 5 and at most 2"},
		"optional": {prove[struct {
			F int `validate:"omitempty,min=5,max=2"`
		}](), "its rules leave no value: at least 5 and at most 2"},
		"kind": {prove[struct {
			F bool `validate:"min=1"`
		}](), "the rule min isn't for a bool"},
		"format of a number": {prove[struct {
			F int `validate:"email"`
		}](), "the rule email is for strings, and this is a int"},
		"no number": {prove[struct {
			F int `validate:"max=many"`
		}](), "the rule max=many has no number that fits"},
		"no number for a float": {prove[struct {
			F float64 `validate:"max=many"`
		}](), "the rule max=many has no number that fits"},
		"no number of JSON": {prove[struct {
			F float64 `validate:"max=inf"`
		}](), "the rule max=inf has no number that fits"},
		"more than a length": {prove[struct {
			F string `validate:"len=3x"`
		}](), "the rule len=3x has no length"},
		"no length": {prove[struct {
			F string `validate:"len=-1"`
		}](), "the rule len=-1 has no length"},
		"oneof of a number that isn't whole": {prove[struct {
			F float64 `validate:"oneof=1.5 2"`
		}](), "the rule oneof isn't for a float64"},
		"oneof of a struct": {prove[struct {
			F struct{} `validate:"oneof=a b"`
		}](), "the rule oneof isn't for a struct"},
		"dive": {prove[struct {
			F int `validate:"dive,min=1"`
		}](), "the rule dive is for slices, arrays and maps"},
		"jsonschema": {prove[struct {
			F int `jsonschema:"minimum=x"`
		}](), "the rule minimum=x has no number that fits"},
	} {
		require.Len(t, c.set.Problems, 1, name)
		require.Equal(t, diagnostic.BadConstraint, c.set.Problems[0].Code, name)
		require.Contains(t, c.set.Problems[0].What, c.want, name)
		require.Contains(t, c.set.Problems[0].Path, ".F", name)
	}
}

func TestJSONSchemaTag(t *testing.T) {
	for _, c := range []struct {
		name string
		got  func(*testing.T) (string, bool)
		want string
	}{
		{"text", member[struct {
			F string `jsonschema:"minLength=1,maxLength=5,pattern=^a\\,b$,format=uri,description=Where it is."`
		}], `{"type":"string","description":"Where it is.","minLength":1,"maxLength":5,"pattern":"^a,b$","format":"uri"}`},
		{"number", member[struct {
			F float64 `jsonschema:"minimum=1,exclusiveMaximum=2.5,multipleOf=0.5"`
		}], `{"type":"number","format":"double","minimum":1,"exclusiveMaximum":2.5,"multipleOf":0.5}`},
		{"array", member[struct {
			F []string `jsonschema:"minItems=1,maxItems=3,uniqueItems=true,enum=a,enum=b"`
		}], `{"type":["array","null"],"items":{"type":"string","enum":["a","b"]},"minItems":1,"maxItems":3,"uniqueItems":true}`},
		{"enumeration", member[struct {
			F int `jsonschema:"enum=1,enum=2"`
		}], `{"type":"integer","format":"int64","enum":[1,2]}`},
		{"values", member[struct {
			F int `jsonschema:"default=3,example=4,example=5"`
		}], `{"type":"integer","format":"int64","default":3,"examples":[4,5]}`},
		{"sides", member[struct {
			F string `jsonschema:"readOnly=true,deprecated"`
		}], `{"type":"string","readOnly":true,"deprecated":true}`},
		{"the other side", member[struct {
			F string `jsonschema:"writeOnly=true,readOnly=false"`
		}], `{"type":"string","writeOnly":true}`},
		{"no side", member[struct {
			F string `jsonschema:"writeOnly=false"`
		}], `{"type":"string"}`},
		{"required", member[struct {
			F *int `json:",omitempty" jsonschema:"required"`
		}], `{"type":"integer","format":"int64"}`},
		{"words of other types and unknown words", member[struct {
			F int `jsonschema:"title=T,minLength=3,minItems=1,oneof_required=a,pattern=x,uniqueItems=true"`
		}], `{"type":"integer","format":"int64"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := c.got(t)
			require.JSONEq(t, c.want, got)
		})
	}
}

func TestJSONSchemaTag_EnumOfElementsThatAreNotKnown(t *testing.T) {
	require.Equal(t, `{"type":"object","properties":{"F":{"$ref":"#/components/schemas/listed"}},"required":["F"]}`, text(t, build[struct {
		F listed `jsonschema:"enum=a"`
	}]().Payloads[0]))
}

// listed writes an array, and has no elements.
type listed struct{}

func (listed) MarshalJSON() ([]byte, error) { return []byte("[]"), nil }
func (listed) JSONSchema() string           { return `{"type":"array"}` }

func TestRules_LeaveOutAValueOfAnotherType(t *testing.T) {
	set := build[struct {
		F int `jsonschema:"enum=a,enum=1"`
	}]()
	require.Len(t, set.Problems, 1)
	require.Contains(t, problems(set)[0], "the rule enum=a has no value that fits")
	require.Equal(t, `{"type":"integer","enum":[1],"format":"int64"}`, text(t, set.Payloads[0].Properties.Get("F")))
}

func TestOptions_NoRulesLeavesOutRules(t *testing.T) {
	set := schema.Options{NoRules: true}.Build([]schema.Type{schema.Reflect(reflect.TypeFor[struct {
		F int `json:",omitempty" validate:"required,min=3" jsonschema:"maximum=5"`
	}]())})
	require.Equal(t, `{"type":"object","properties":{"F":{"type":"integer","format":"int64"}}}`, text(t, set.Payloads[0]))
}

type (
	Parcel struct {
		Size       string   `json:"parcel_size" validate:"oneof=s m l"`
		Labels     []string `validate:"dive,oneof=a b"`
		Kind       string   `json:"kind" validate:"oneof=a b"`
		ParcelKind ParcelKind
	}
	ParcelKind struct{}
)

func TestBuild_GivesTitlesToEnumerationsOfMembers(t *testing.T) {
	s := component(t, build[Parcel](), "Parcel")
	require.Equal(t, "ParcelParcelSize", s.Properties.Get("parcel_size").Title)
	require.Equal(t, "ParcelLabels", s.Properties.Get("Labels").Items.Title)
	require.Equal(t, "ParcelKindValue", s.Properties.Get("kind").Title, "a component has the name")
}
