package memory

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// copyTable returns a deep copy of an AMQP field table with the types that come
// out at the other end of a connection. kind names its entries in the error.
func copyTable(kind string, table map[string]any) (map[string]any, error) {
	if len(table) == 0 {
		return nil, nil
	}
	c := make(map[string]any, len(table))
	for key, value := range table {
		if len(key) > maxShortString {
			return nil, fmt.Errorf("the name of the %s %q... has %d bytes, and AMQP allows %d", kind, key[:32], len(key), maxShortString)
		}
		field, err := copyField(value)
		if err != nil {
			return nil, fmt.Errorf("%s %q: %w", kind, key, err)
		}
		c[key] = field
	}
	return c, nil
}

// maxShortString is the length of the longest name in AMQP 0-9-1, in bytes.
const maxShortString = 255

// copyField is the exchange of types that package rabbitmq makes, too; the
// conformance suite holds them equal. Integers of machine size become int64,
// times lose their zone and what is below a second.
func copyField(value any) (any, error) {
	switch value := value.(type) {
	case nil, bool, int8, int16, int32, int64, uint8, uint16, uint32, float32, float64, string:
		return value, nil
	case int:
		return int64(value), nil
	case uint:
		return fromUnsigned(uint64(value))
	case uint64:
		return fromUnsigned(value)
	case []byte:
		return slices.Clone(value), nil
	case time.Time:
		return wholeSeconds(value), nil
	case []any:
		return copyArray(value)
	case map[string]any:
		table, err := copyTable("field", value)
		if table == nil {
			table = map[string]any{}
		}
		return table, err
	default:
		return nil, fmt.Errorf("AMQP has no form for a %T: use a string, number, bool, time, []byte, []any or map[string]any", value)
	}
}

func copyArray(values []any) (any, error) {
	c := make([]any, len(values))
	for i, value := range values {
		field, err := copyField(value)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
		c[i] = field
	}
	return c, nil
}

func fromUnsigned(value uint64) (any, error) {
	if value > math.MaxInt64 {
		return nil, fmt.Errorf("AMQP has no integer of the size of %d", value)
	}
	return int64(value), nil
}

// cloneTable copies a table that copyTable has made.
func cloneTable(table map[string]any) map[string]any {
	c, err := copyTable("header", table)
	if err != nil {
		panic(err) // copyTable accepts what it has made
	}
	return c
}

func wholeSeconds(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return time.Unix(t.Unix(), 0).UTC()
}

// integer returns the value of an integer field of any size.
func integer(value any) (int64, bool) {
	switch value := value.(type) {
	case int8:
		return int64(value), true
	case int16:
		return int64(value), true
	case int32:
		return int64(value), true
	case int64:
		return value, true
	case uint8:
		return int64(value), true
	case uint16:
		return int64(value), true
	case uint32:
		return int64(value), true
	default:
		return 0, false
	}
}
