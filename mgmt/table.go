package mgmt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Table is a JSON object: the arguments of a queue, the definition of a
// policy, the value of a parameter. nil is the empty table.
//
// A table to send may hold whatever encoding/json writes. It isn't changed or
// kept. A received one belongs to the caller, and holds nil, bool, int64,
// float64, string, []any and map[string]any. Whole numbers stay whole, since
// the broker takes 1e21 for a float and refuses it. A number that fits neither
// int64 nor float64 is a json.Number.
type Table map[string]any

// MarshalJSON never writes null: a nil table is {}, also within another one,
// because the broker answers null with status 500 and no text (measured on
// 3.10, 4.0 and 4.3). Text in invalid UTF-8 is refused, which JSON would
// change.
func (t Table) MarshalJSON() ([]byte, error) {
	clean, err := withoutNil(reflect.ValueOf(map[string]any(t)), maxDepth)
	if err != nil {
		return nil, err
	}
	return json.Marshal(clean)
}

// maxDepth is how deep encoding/json reads what is nested.
const maxDepth = 10_000

var errTooDeep = fmt.Errorf("it is nested more than %d deep, or holds itself", maxDepth)

// withoutNil returns a copy of v in which nil maps and slices are empty ones. It
// refuses what is nested deeper than depth.
func withoutNil(v reflect.Value, depth int) (any, error) {
	if depth == 0 {
		return nil, errTooDeep
	}
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return nil, nil
		}
		return withoutNil(v.Elem(), depth)
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			return nil, errors.New("the text isn't valid UTF-8")
		}
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.String {
			return mapWithoutNil(v, depth-1)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 {
			return sliceWithoutNil(v, depth-1)
		}
	}
	if !v.IsValid() {
		return nil, nil
	}
	return v.Interface(), nil
}

func mapWithoutNil(v reflect.Value, depth int) (any, error) {
	clean := make(map[string]any, v.Len())
	for entries := v.MapRange(); entries.Next(); {
		key := entries.Key().String()
		value, err := withoutNil(entries.Value(), depth)
		if err == nil && !utf8.ValidString(key) {
			err = errors.New("the key isn't valid UTF-8")
		}
		switch {
		case err == errTooDeep:
			return nil, err // without the 10,000 places
		case err != nil:
			return nil, fmt.Errorf("%q: %w", key, err)
		}
		clean[key] = value
	}
	return clean, nil
}

func sliceWithoutNil(v reflect.Value, depth int) (any, error) {
	clean := make([]any, v.Len())
	for i := range clean {
		value, err := withoutNil(v.Index(i), depth)
		switch {
		case err == errTooDeep:
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		clean[i] = value
	}
	return clean, nil
}

// UnmarshalJSON leaves the table empty where data isn't an object: Erlang writes
// an empty table as [] at times. Of equal keys the last one counts. What is nested
// more than 10,000 deep is an error, as for encoding/json.
func (t *Table) UnmarshalJSON(data []byte) error {
	*t = nil
	if len(data) <= len("{}") || data[0] != '{' {
		return nil
	}
	table, err := decodeTable(data)
	if err != nil {
		return err
	}
	if len(table) > 0 {
		*t = wholeNumbers(table).(map[string]any)
	}
	return nil
}

// A tableDecoder is a decoder that is used for many tables, over a reader that
// is reset for each. A new decoder costs more than most tables do: with one for
// each table, a list of queues takes twice the memory.
type tableDecoder struct {
	data    bytes.Reader
	decoder *json.Decoder
}

var tableDecoders = sync.Pool{New: func() any {
	d := new(tableDecoder)
	d.decoder = json.NewDecoder(&d.data)
	d.decoder.UseNumber()
	return d
}}

// decodeTable decodes one object. The decoder is used again when it holds nothing
// of this one: no error, and no input that is left over.
func decodeTable(data []byte) (map[string]any, error) {
	d := tableDecoders.Get().(*tableDecoder)
	start := d.decoder.InputOffset()
	d.data.Reset(data)
	var table map[string]any
	if err := d.decoder.Decode(&table); err != nil {
		return nil, err
	}
	d.data.Reset(nil)
	if d.decoder.InputOffset()-start == int64(len(data)) {
		tableDecoders.Put(d)
	}
	return table, nil
}

// wholeNumbers replaces the numbers in a decoded value by int64 where they are
// whole, and by float64 elsewhere. encoding/json alone makes floats of them all.
func wholeNumbers(value any) any {
	switch value := value.(type) {
	case json.Number:
		return number(value)
	case map[string]any:
		for key, inner := range value {
			value[key] = wholeNumbers(inner)
		}
	case []any:
		for i, inner := range value {
			value[i] = wholeNumbers(inner)
		}
	}
	return value
}

// number returns a number that neither int64 nor float64 can hold as it is.
func number(text json.Number) any {
	if n, err := text.Int64(); err == nil {
		return n
	}
	if strings.ContainsAny(string(text), ".eE") {
		if f, err := text.Float64(); err == nil {
			return f
		}
	}
	return text
}
