package inclusion

import (
	"encoding/json"
	"math/big"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// numberFormats are the formats of numbers that say which ones there are.
var numberFormats = map[string]interval{
	"int8":   bits(-7, 7),
	"int16":  bits(-15, 15),
	"int32":  bits(-31, 31),
	"int64":  bits(-63, 63),
	"uint8":  bits(0, 8),
	"uint16": bits(0, 16),
	"uint32": bits(0, 32),
	"uint64": bits(0, 64),
}

// bits is from -2^-low, or 0, to 2^high-1.
func bits(low int, high uint) interval {
	first := new(big.Rat)
	if low != 0 {
		first.SetInt(new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), uint(-low))))
	}
	last := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), high), big.NewInt(1))
	return interval{low: first, high: new(big.Rat).SetInt(last)}
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
		return isBase64(text)
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
