package mgmt

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// An Opt is a value that the API may leave out. The zero Opt is absent. It also
// stands for a value that isn't there although its key is: null, and what isn't
// of type T at all, which RabbitMQ answers at times ("undefined" for a port) and
// which must not fail the rest of an answer.
type Opt[T any] struct {
	value T
	state state
}

type state uint8

const (
	absent state = iota
	null
	odd
	present
)

// Some returns an Opt that holds value.
func Some[T any](value T) Opt[T] { return Opt[T]{value, present} }

// Get returns the value, and whether there is one.
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == present }

// Or returns the value, or otherwise where there is none.
func (o Opt[T]) Or(otherwise T) T {
	if o.state == present {
		return o.value
	}
	return otherwise
}

// IsZero reports that the key was absent. It makes omitzero leave it out again.
func (o Opt[T]) IsZero() bool { return o.state == absent }

// IsNull reports that the broker sent null.
func (o Opt[T]) IsNull() bool { return o.state == null }

// IsOdd reports that the broker sent something that isn't a T.
func (o Opt[T]) IsOdd() bool { return o.state == odd }

// String is the value's text, or the reason why there is none.
func (o Opt[T]) String() string {
	switch o.state {
	case present:
		return fmt.Sprint(o.value)
	case null:
		return "null"
	case odd:
		return "odd"
	}
	return "absent"
}

// MarshalJSON writes the value, or null where there is none.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if o.state != present {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON never fails on valid JSON.
func (o *Opt[T]) UnmarshalJSON(data []byte) error {
	*o = Opt[T]{state: present}
	switch {
	case string(data) == "null":
		o.state = null
	case !decodeInto(&o.value, data):
		*o = Opt[T]{state: odd}
	}
	return nil
}

// decodeInto spares the usual kinds of value a second run of the JSON decoder.
func decodeInto(target any, data []byte) bool {
	switch target := target.(type) {
	case *bool:
		*target = string(data) == "true"
		return *target || string(data) == "false"
	case *int64:
		var ok bool
		*target, ok = parseInt(data)
		return ok
	case *float64:
		var err error
		*target, err = strconv.ParseFloat(string(data), 64)
		return err == nil && isNumber(data)
	}
	return json.Unmarshal(data, target) == nil
}

// isNumber tells JSON's numbers from what else strconv takes for one.
func isNumber(data []byte) bool {
	return len(data) > 0 && (data[0] == '-' || data[0] >= '0' && data[0] <= '9')
}

// parseInt parses a JSON number that is a whole one, such as 12, and 12.0, which
// some versions write for it.
func parseInt(data []byte) (int64, bool) {
	const most = 18 // digits that can't overflow
	digits, negative := data, false
	if len(digits) > 0 && digits[0] == '-' {
		digits, negative = digits[1:], true
	}
	var n int64
	for _, digit := range digits {
		if digit < '0' || digit > '9' || len(digits) > most {
			return parseLongInt(data)
		}
		n = n*10 + int64(digit-'0')
	}
	if negative {
		n = -n
	}
	return n, len(digits) > 0
}

func parseLongInt(data []byte) (int64, bool) {
	if !isNumber(data) {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(data), 10, 64); err == nil {
		return n, true
	}
	const exact = 1 << 53
	f, err := strconv.ParseFloat(string(data), 64)
	n := int64(max(-exact, min(f, exact)))
	return n, err == nil && float64(n) == f
}
