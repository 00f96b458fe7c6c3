package example

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/internal/schema"
)

// A value is nil, a bool, a json.Number that rational reads, a string, []any or an *object.

// An object is one with its members in their order.
type object struct {
	names  []string
	values map[string]any
}

func newObject() *object { return &object{values: make(map[string]any)} }

func (o *object) set(name string, value any) {
	if _, ok := o.values[name]; !ok {
		o.names = append(o.names, name)
	}
	o.values[name] = value
}

// MarshalJSON writes the members in their order.
func (o *object) MarshalJSON() ([]byte, error) {
	return schema.MarshalObject(func(yield func(string, any) bool) {
		for _, name := range o.names {
			if !yield(name, o.values[name]) {
				return
			}
		}
	})
}

// marshal writes a value without escaping <, > and &.
func marshal(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// parse reads what authors have written. A number that can't be compared is an error.
func parse(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return read(decoder)
}

func read(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		items := []any{}
		for decoder.More() {
			item, err := read(decoder)
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
		_, err := decoder.Token()
		return items, err
	case json.Delim('{'):
		members := newObject()
		for decoder.More() {
			name, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			value, err := read(decoder)
			if err != nil {
				return nil, err
			}
			members.set(name.(string), value)
		}
		_, err := decoder.Token()
		return members, err
	}
	if n, ok := token.(json.Number); ok && rational(n) == nil {
		return nil, fmt.Errorf("the number %s is too large, or too exact", n)
	}
	return token, nil
}

// equal compares values as JSON Schema does: numbers by their value, members in any
// order.
func equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && rational(a).Cmp(rational(b)) == 0
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	case *object:
		b, ok := b.(*object)
		if !ok || len(a.names) != len(b.names) {
			return false
		}
		for name, value := range a.values {
			if other, ok := b.values[name]; !ok || !equal(value, other) {
				return false
			}
		}
		return true
	}
	switch b.(type) {
	case []any, *object:
		return false
	}
	return a == b
}

// rational returns nil for text that is no number, or one that is too large to be
// written out.
func rational(n json.Number) *big.Rat {
	if len(n) > 400 {
		return nil
	}
	if _, text, ok := strings.Cut(strings.ToLower(string(n)), "e"); ok {
		exponent, err := strconv.Atoi(text)
		if err != nil || exponent > 400 || exponent < -400 {
			return nil
		}
	}
	value, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return nil
	}
	return value
}
