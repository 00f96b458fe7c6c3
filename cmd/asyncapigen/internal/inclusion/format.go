package inclusion

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"math/big"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// numberFormats are the formats of numbers that say which ones there are.
var numberFormats = map[string]interval{
	"int8":   limits(math.MinInt8, math.MaxInt8),
	"int16":  limits(math.MinInt16, math.MaxInt16),
	"int32":  limits(math.MinInt32, math.MaxInt32),
	"int64":  limits(math.MinInt64, math.MaxInt64),
	"uint8":  limits(0, math.MaxUint8),
	"uint16": limits(0, math.MaxUint16),
	"uint32": limits(0, math.MaxUint32),
	"uint64": limits(0, math.MaxUint64),
}

func limits(low int64, high uint64) interval {
	return interval{low: new(big.Rat).SetInt64(low), high: new(big.Rat).SetUint64(high)}
}

// wideFormats say nothing that a value could break.
var wideFormats = []string{"float", "double", "binary", "password"}

// textFormats are the formats that a validator knows, with examples for witnesses.
var textFormats = map[string][]string{
	"date-time":             {"2026-01-02T03:04:05Z", "1999-12-31T23:59:59.5+02:00"},
	"date":                  {"2026-01-02"},
	"time":                  {"03:04:05Z"},
	"duration":              {"PT1H", "P1D"},
	"email":                 {"ann@example.com"},
	"hostname":              {"example.com", "localhost"},
	"ipv4":                  {"192.0.2.1"},
	"ipv6":                  {"2001:db8::1"},
	"uri":                   {"https://example.com/a", "urn:a:b"},
	"uri-reference":         {"/a", "https://example.com/a"},
	"iri":                   {"https://example.com/a"},
	"iri-reference":         {"/a"},
	"uri-template":          {"/a/{b}"},
	"uuid":                  {"123e4567-e89b-12d3-a456-426614174000"},
	"json-pointer":          {"/a"},
	"relative-json-pointer": {"0/a"},
	"regex":                 {"a+"},
}

// hasFormat asks the validator whether a text has a format that it knows.
func (p *Prover) hasFormat(name, text string) bool {
	if name == "byte" {
		_, err := base64.StdEncoding.DecodeString(text)
		return err == nil
	}
	if _, known := textFormats[name]; !known {
		return true
	}
	compiled := p.formats[name]
	if compiled == nil {
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft7)
		quoted, _ := json.Marshal(name) // text can be written
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"format":` + string(quoted) + `}`))
		if err == nil {
			err = c.AddResource("format.json", value)
		}
		if err == nil {
			compiled, err = c.Compile("format.json")
		}
		if err != nil {
			panic("inclusion: a schema of one known word isn't compiled: " + err.Error())
		}
		p.formats[name] = compiled
	}
	return compiled.Validate(text) == nil
}
