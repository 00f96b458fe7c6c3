package mgmt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// A Table is a JSON object: the arguments of a queue, the definition of a
// policy, the value of a parameter. One that is received holds nil, bool, int64,
// float64, string, []any and map[string]any; a whole number stays one, since
// the broker takes 1e21 for a float and refuses it. A number that fits neither
// is a json.Number. An empty one is nil.
type Table map[string]any

// MarshalJSON never writes null: a nil table is {}, also within another one,
// because the broker answers null with an error 500 and no text (measured on
// 3.10, 4.0 and 4.3). Text in invalid UTF-8 is refused, which JSON would change.
func (t Table) MarshalJSON() ([]byte, error) {
	clean, err := withoutNil(reflect.ValueOf(map[string]any(t)))
	if err != nil {
		return nil, err
	}
	return json.Marshal(clean)
}

// withoutNil returns a copy of v in which nil maps and slices are empty ones.
func withoutNil(v reflect.Value) (any, error) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return nil, nil
		}
		return withoutNil(v.Elem())
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			return nil, errors.New("the text isn't valid UTF-8")
		}
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.String {
			return mapWithoutNil(v)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 {
			return sliceWithoutNil(v)
		}
	}
	if !v.IsValid() {
		return nil, nil
	}
	return v.Interface(), nil
}

func mapWithoutNil(v reflect.Value) (any, error) {
	clean := make(map[string]any, v.Len())
	for entries := v.MapRange(); entries.Next(); {
		key := entries.Key().String()
		value, err := withoutNil(entries.Value())
		if err == nil && !utf8.ValidString(key) {
			err = errors.New("the key isn't valid UTF-8")
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", key, err)
		}
		clean[key] = value
	}
	return clean, nil
}

func sliceWithoutNil(v reflect.Value) (any, error) {
	clean := make([]any, v.Len())
	for i := range clean {
		value, err := withoutNil(v.Index(i))
		if err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		clean[i] = value
	}
	return clean, nil
}

// UnmarshalJSON leaves the table empty where data isn't an object: Erlang writes
// an empty table as [] at times.
func (t *Table) UnmarshalJSON(data []byte) error {
	*t = nil
	if len(data) > 2 && data[0] == '{' {
		p := parser{data}
		*t = p.object()
	}
	return nil
}

// A parser turns JSON that is known to be valid into values. It exists because
// encoding/json makes floats of whole numbers.
type parser struct{ rest []byte }

func (p *parser) value() any {
	p.skipSpace()
	switch p.rest[0] {
	case '{':
		return map[string]any(p.object())
	case '[':
		return p.array()
	case '"':
		return p.text()
	case 't':
		p.rest = p.rest[len("true"):]
		return true
	case 'f':
		p.rest = p.rest[len("false"):]
		return false
	case 'n':
		p.rest = p.rest[len("null"):]
		return nil
	}
	return p.number()
}

func (p *parser) object() Table {
	object := make(Table)
	for p.next('}') {
		key := p.text()
		p.skipSpace()
		p.rest = p.rest[1:] // the colon
		object[key] = p.value()
	}
	return object
}

func (p *parser) array() []any {
	array := []any{}
	for p.next(']') {
		array = append(array, p.value())
	}
	return array
}

// next steps over the opening bracket or a comma, or over the closing bracket,
// of which it returns false.
func (p *parser) next(closing byte) bool {
	p.skipSpace()
	at := p.rest[0]
	p.rest = p.rest[1:]
	if at == closing {
		return false
	}
	p.skipSpace()
	if p.rest[0] == closing { // only an empty one has it here
		p.rest = p.rest[1:]
		return false
	}
	return true
}

func (p *parser) skipSpace() { p.rest = bytes.TrimLeft(p.rest, " \t\r\n") }

func (p *parser) text() string {
	end, plain := 1, true
	for ; p.rest[end] != '"'; end++ {
		if p.rest[end] == '\\' {
			plain = false
			end++
		}
	}
	quoted := p.rest[:end+1]
	p.rest = p.rest[end+1:]
	if plain && utf8.Valid(quoted) {
		return string(quoted[1:end])
	}
	var text string
	json.Unmarshal(quoted, &text) // can't fail, since the JSON is valid
	return text
}

func (p *parser) number() any {
	end := bytes.IndexAny(p.rest, ",]} \t\r\n")
	if end < 0 {
		end = len(p.rest)
	}
	text := string(p.rest[:end])
	p.rest = p.rest[end:]
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	if bytes.ContainsAny([]byte(text), ".eE") {
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return f
		}
	}
	return json.Number(text)
}
