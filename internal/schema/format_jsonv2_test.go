//go:build goexperiment.jsonv2

//lint:file-ignore SA5008 Tags that only the engine of encoding/json/v2 reads are what is tested here.

package schema_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
)

// withOptions is a struct of one field F with the options.
func withOptions(t reflect.Type, options string) reflect.Type {
	return reflect.StructOf([]reflect.StructField{{Name: "F", Type: t, Tag: reflect.StructTag(fmt.Sprintf("json:%q", ","+options))}})
}

func optionsOf[T any](options string) reflect.Type { return withOptions(reflect.TypeFor[T](), options) }

func buildOf(t reflect.Type, d schema.Direction) *schema.Set {
	return schema.Options{Direction: d}.Build([]schema.Type{schema.Reflect(t)})
}

type (
	ratio    float64
	digest   [4]byte
	position struct{ X int }
)

const (
	hexText   = `"type":"string","contentEncoding":"base16","pattern":"^([0-9a-f]{2})*$"`
	dateText  = `{"type":"string","format":"date"}`
	nonfinite = `{"type":"string","enum":["NaN","Infinity","-Infinity"]}`
)

// Each row: what is written for a field of the type with the option.
func TestRule48_Formats(t *testing.T) {
	for _, c := range []struct {
		field reflect.Type
		want  string
	}{
		{optionsOf[[]byte]("format:base64"), `{"type":["string","null"],"contentEncoding":"base64"}`},
		{optionsOf[[]byte]("omitempty,format:hex"), `{` + hexText + `}`},
		{optionsOf[*[]byte]("omitempty,format:hex"), `{"type":["string","null"],"contentEncoding":"base16","pattern":"^([0-9a-f]{2})*$"}`},
		{optionsOf[[]byte]("omitempty,format:base64url"), `{"type":"string","contentEncoding":"base64url","pattern":"^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2}={2}|[A-Za-z0-9_-]{3}={1})?$"}`},
		{optionsOf[[]byte](",omitempty,,format:hex,"), `{` + hexText + `}`},
		{optionsOf[digest]("format:base16"), `{` + hexText + `,"minLength":8,"maxLength":8}`},
		{optionsOf[[4]byte]("format:base64"), `{"type":"string","contentEncoding":"base64","minLength":8,"maxLength":8}`},
		{optionsOf[[]byteText]("omitempty,format:hex"), `{` + hexText + `}`},
		{optionsOf[[]byte]("format:array"), `{"type":["array","null"],"items":{"type":"integer","minimum":0,"maximum":255}}`},
		{optionsOf[float64]("format:nonfinite"), `{"anyOf":[{"type":"number","format":"double"},` + nonfinite + `]}`},
		{optionsOf[*ratio]("format:nonfinite"), `{"anyOf":[{"$ref":"#/components/schemas/ratio"},` + nonfinite + `,{"type":"null"}]}`},
		{optionsOf[*ratio]("omitempty,format:nonfinite"), `{"anyOf":[{"$ref":"#/components/schemas/ratio"},` + nonfinite + `]}`},
		{optionsOf[time.Time]("format:RFC3339"), `{"type":"string","format":"date-time"}`},
		{optionsOf[time.Time]("format:DateOnly"), dateText},
		{optionsOf[time.Time]("format:'2006-01-02'"), dateText},
		{optionsOf[time.Time]("format:Kitchen"), `{"description":"A time in the layout \"3:04PM\", as Go's package time has them.","type":"string"}`},
		{optionsOf[time.Time]("string,format:unix"), `{"description":"Seconds since 1970-01-01T00:00:00Z.","type":"number"}`},
		{optionsOf[time.Time]("format:unixnano"), `{"description":"Nanoseconds since 1970-01-01T00:00:00Z.","type":"integer"}`},
		{optionsOf[time.Time]("format:''"), `{"type":"string","format":"date-time"}`},
		{optionsOf[time.Duration]("format:sec"), `{"description":"A duration in seconds.","type":"number","minimum":-9223372037,"maximum":9223372037}`},
		{optionsOf[time.Duration]("format:nano"), `{"description":"A duration in nanoseconds.","type":"integer","format":"int64"}`},
		{optionsOf[**time.Duration]("string,format:nano"), `{"description":"A duration in nanoseconds.","type":["integer","null"],"format":"int64"}`},
		{optionsOf[[]int]("format:emitempty"), `{"type":"array","items":{"type":"integer","format":"int64"}}`},
		{optionsOf[[]int]("format:emitnull"), `{"type":["array","null"],"items":{"type":"integer","format":"int64"}}`},
		{optionsOf[lines]("format:emitempty"), `{"type":"array","allOf":[{"$ref":"#/components/schemas/lines"}]}`},
		{optionsOf[map[string]bool]("format:emitempty"), `{"type":"object","additionalProperties":{"type":"boolean"}}`},
		{optionsOf[text1]("format:hex"), `{"$ref":"#/components/schemas/text1"}`},
		{optionsOf[json.Number]("format:hex"), `{"type":"number"}`},
	} {
		set := buildOf(c.field, schema.Encode)
		require.Empty(t, set.Problems, c.field)
		require.Equal(t, c.want, text(t, set.Payloads[0].Properties.Get("F")), c.field)
	}
}

// The judge of these is encoding/json: what it writes validates, what it refuses
// to read is refused, and what it reads validates.
func TestRule48_FormatsAreTrue(t *testing.T) {
	bytes := []any{[]byte(nil), []byte{}, []byte("a"), []byte("ab?>"), []byte{1, 2, 255, 4, 5, 6, 7}, new([]byte), [4]byte{1, 255}, [1]byte{}, [5]byte{9}, digest{1}, []byteText{1, 2}, []byte1{3}}
	numbers := []any{math.NaN(), math.Inf(-1), 1.5, float32(math.MaxFloat32), ratio(math.Inf(1)), new(math.NaN()), new(*float64)}
	times := []any{time.Time{}, time.Unix(-1, 5), time.Date(2024, 2, 29, 23, 59, 59, 120_000_000, time.FixedZone("CET", 3600)), new(time.Time)}
	durations := []any{
		time.Duration(0), time.Duration(math.MinInt64), time.Duration(math.MaxInt64), -1500 * time.Nanosecond, 90 * time.Minute,
		time.Second / 3, 3 * time.Millisecond, 2 * time.Nanosecond, new(time.Hour), (*time.Duration)(nil),
	}
	lists := []any{[]int(nil), []int{}, []int{1}, lines(nil), map[string]int(nil), map[string]int{"a": 1}, new([]int), (*[]int)(nil), new(lines)}
	texts := []string{
		`null`, `true`, `{}`, `[]`, `[1]`, `["a"]`, `[300]`, `1`, `-1.5`, `1e300`, `""`, `"a"`, `"ab"`, `"ABCD"`, `"0F"`, `"AQID"`, `"AQ=="`, `"AQL_"`, `"AQ\n=="`, `"\nA\r\nQID"`,
		`"AEBA===="`, `"AEBAG\nBAF"`, `"NaN"`, `"-Infinity"`, `"Infinity"`, `"inf"`, `"1"`, `"+1"`, `".5"`, `"1.5"`, `"01"`, `"null"`, `"-7"`,
		`"1h"`, `"-.5h1.m"`, `"+0"`, `"1us"`, `"3µs"`, `"4μs"`, `"5d"`, `"PT1H2.5S"`, `"pt1,5h"`, `"-PT1M"`, `"P1D"`,
	}
	for _, c := range []struct {
		values  []any
		formats []string
	}{
		{bytes, []string{"base64", "base64url", "base32", "base32hex", "base16", "hex", "array"}},
		{numbers, []string{"nonfinite"}},
		{times, []string{"unix", "unixmilli", "unixmicro", "unixnano", "ANSIC", "RFC1123Z", "RFC3339", "RFC3339Nano", "DateTime", "DateOnly", "Stamp", "'Jan 2'", "'2006-01-02T15:04:05Z07:00'"}},
		{durations, []string{"units", "sec", "milli", "micro", "nano", "iso8601"}},
		{lists, []string{"emitnull", "emitempty"}},
	} {
		for _, format := range c.formats {
			for _, value := range c.values {
				for _, option := range []string{"", "string,", "omitempty,", "omitzero,"} {
					goType := withOptions(reflect.TypeOf(value), option+"format:"+format)
					writesAndReads(t, goType, reflect.ValueOf(value), texts)
				}
			}
		}
	}
}

func writesAndReads(t *testing.T, goType reflect.Type, value reflect.Value, texts []string) {
	t.Helper()
	holder := reflect.New(goType)
	holder.Elem().Field(0).Set(value)
	written, err := json.Marshal(holder.Interface())
	require.NoError(t, err, goType)
	for _, d := range []schema.Direction{schema.Encode, schema.Decode} {
		set := buildOf(goType, d)
		require.NoError(t, validate(t, compileSet(t, set), written), "%v: %s", goType, written)
	}
	set := buildOf(goType, schema.Decode)
	compiled := compileSet(t, set)
	for _, text := range texts {
		text = `{"F":` + text + `}`
		invalid := validate(t, compiled, []byte(text))
		switch err := json.Unmarshal([]byte(text), reflect.New(goType).Interface()); {
		case err == nil:
			require.NoError(t, invalid, "%v: %s\n%s", goType, text, document(t, set))
		case expressible(err, nil):
			require.Error(t, invalid, "%v: %s\n%v", goType, text, err)
		}
	}
}

func TestRule48_FormatsThatAreRefused(t *testing.T) {
	for _, value := range []any{
		"text", 1, true, 1.5,
		[]byte{1},
		[2]byte{},
		[2]int{},
		[]int{1},
		map[string]int{},
		position{},
		time.Now(), time.Hour, new(1),
		time.Month(1), month(1),
	} {
		goType := withOptions(reflect.TypeOf(value), "format:other")
		holder := reflect.New(goType)
		holder.Elem().Field(0).Set(reflect.ValueOf(value))
		_, err := json.Marshal(holder.Interface())
		require.ErrorContains(t, err, "invalid format", goType)
		for _, d := range []schema.Direction{schema.Encode, schema.Decode} {
			set := buildOf(goType, d)
			require.Len(t, set.Problems, 1, goType)
			require.Equal(t, diagnostic.NoJSON, set.Problems[0].Code)
			require.Equal(t, diagnostic.Error, set.Problems[0].Severity)
			require.Contains(t, set.Problems[0].What, `encoding/json has no format "other" for a `)
		}
	}
	for _, word := range []string{"a", "A", "z", "Z", "era1", "zone_2"} {
		goType := withOptions(reflect.TypeFor[time.Time](), "format:"+word)
		_, err := json.Marshal(reflect.New(goType).Interface())
		require.ErrorContains(t, err, "invalid format", word)
		require.Len(t, buildOf(goType, schema.Encode).Problems, 1, word)
	}
	for _, goType := range []reflect.Type{optionsOf[any]("format:hex"), optionsOf[json.Marshaler]("format:hex")} {
		_, err := json.Marshal(reflect.New(goType).Interface())
		require.ErrorContains(t, err, "invalid format", goType)
		require.Contains(t, buildOf(goType, schema.Encode).Problems[0].What, `no format "hex"`)
	}
}

// The rules of the tag validate are about the Go value.
func TestRule48_RulesAreNotOfText(t *testing.T) {
	type rules struct {
		Wait  time.Duration `json:"wait,format:sec" validate:"min=1s"`
		Units time.Duration `json:"units,format:units" validate:"min=1s"`
		Sum   [4]byte       `json:"sum,format:hex" validate:"min=1"`
		When  *time.Time    `json:"when,format:DateOnly" validate:"required"`
	}
	set := build[rules]()
	require.Empty(t, set.Problems)
	s := component(t, set, "rules")
	require.Equal(t, json.Number("-9223372037"), s.Properties.Get("wait").Minimum)
	require.Empty(t, s.Properties.Get("units").Minimum)
	require.Nil(t, s.Properties.Get("sum").MinItems)
	require.Equal(t, dateText, text(t, s.Properties.Get("when")))
}

func TestRule48_TagsAreWrittenAsTheyAreRead(t *testing.T) {
	for tag, want := range map[reflect.StructTag]string{
		`json:"a,format:hex"`:                  `json:"a,format:hex"`,
		`json:",format:'it\\'s, 2006',string"`: `json:",string,format:'it\\'s, 2006'"`,
		`json:"a,format:hex,format:base32"`:    `json:"a,format:base32"`,
		`json:"a,format:'2006,string,2'"`:      `json:"a,format:'2006,string,2'"`,
		`json:"a,format,omitempty"`:            `json:"a,omitempty"`,
		`json:"a,format:,omitempty"`:           `json:"a,omitempty"`,
		`json:"a,format'string'"`:              `json:"a,string"`,
		`json:"a,case:ignore,format:hex"`:      `json:"a,format:hex"`,
	} {
		require.Equal(t, want, schema.ParseJSONTag(tag).String(), string(tag))
	}
}

// Which of the options of a malformed tag count is decided by encoding/json.
func TestRule48_MalformedTags(t *testing.T) {
	for _, options := range []string{"format'string'", "format:'string", "format:+,string", "format:,string", "format,string", "format:''"} {
		goType := optionsOf[int](options)
		written, err := json.Marshal(reflect.New(goType).Interface())
		set := buildOf(goType, schema.Encode)
		if err != nil {
			require.Len(t, set.Problems, 1, options)
			continue
		}
		require.Empty(t, set.Problems, options)
		require.NoError(t, validate(t, compileSet(t, set), written), "%s: %s", options, written)
	}
}
