package mgmt

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// An Opt is a value that the API may leave out. The zero Opt is absent: no
// value was sent, which isn't zero. The key may also come without a value of
// type T: as null, or as a value of another type, which RabbitMQ sends at times
// ("undefined" for a port) and which doesn't fail the rest of an answer.
type Opt[T any] struct {
	value T
	state state
}

type state uint8

const (
	absent state = iota
	null
	mismatch
	present
)

// Some returns an Opt that has a value.
func Some[T any](value T) Opt[T] { return Opt[T]{value, present} }

// Get returns the value, and whether there is one. Without one it is zero.
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == present }

// Or returns the value, or otherwise if there is none.
func (o Opt[T]) Or(otherwise T) T {
	if o.state == present {
		return o.value
	}
	return otherwise
}

// IsZero reports whether the key was absent. The tag option omitzero calls it.
func (o Opt[T]) IsZero() bool { return o.state == absent }

// IsNull reports whether the broker sent null.
func (o Opt[T]) IsNull() bool { return o.state == null }

// IsMismatch reports whether the broker sent a value that isn't a T.
func (o Opt[T]) IsMismatch() bool { return o.state == mismatch }

// String returns the value's text, or "absent", "null" or "mismatch".
func (o Opt[T]) String() string {
	switch o.state {
	case present:
		return fmt.Sprint(o.value)
	case null:
		return "null"
	case mismatch:
		return "mismatch"
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
		*o = Opt[T]{state: mismatch}
	}
	return nil
}

// decodeInto decodes the usual types itself, which is cheaper than a second run
// of the JSON decoder.
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
		return err == nil // NaN and others that strconv also takes aren't JSON
	}
	return json.Unmarshal(data, target) == nil
}

// parseInt parses a JSON number that is whole, such as 12, and 12.0, which some
// versions write for it.
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
	if n, err := strconv.ParseInt(string(data), 10, 64); err == nil {
		return n, true
	}
	const exact = 1 << 53
	f, err := strconv.ParseFloat(string(data), 64)
	n := int64(max(-exact, min(f, exact)))
	return n, err == nil && float64(n) == f
}
