package rabbitmq

import (
	"fmt"
	"math"
	"slices"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// maxShortString is the length of the longest name in AMQP 0-9-1, in bytes. The
// library ends the connection over a longer one.
const maxShortString = 255

// toTable returns a deep copy of table as the library sends it. kind names its
// entries in the error.
func toTable(kind string, table map[string]any) (amqp.Table, error) {
	if len(table) == 0 {
		return nil, nil
	}
	t := make(amqp.Table, len(table))
	for key, value := range table {
		if len(key) > maxShortString {
			return nil, fmt.Errorf("the name of the %s %q... has %d bytes, and AMQP allows %d", kind, key[:32], len(key), maxShortString)
		}
		field, err := toField(value)
		if err != nil {
			return nil, fmt.Errorf("%s %q: %w", kind, key, err)
		}
		t[key] = field
	}
	return t, nil
}

// toField is the exchange of types that package memory makes, too; the
// conformance suite holds them equal. Integers of machine size become int64,
// since the library would cut them to 32 bits. Times are sent in whole seconds.
func toField(value any) (any, error) {
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
		return toArray(value)
	case map[string]any:
		table, err := toTable("field", value)
		if table == nil {
			table = amqp.Table{}
		}
		return table, err
	default:
		return nil, fmt.Errorf("AMQP has no form for a %T: use a string, number, bool, time, []byte, []any or map[string]any", value)
	}
}

func toArray(values []any) (any, error) {
	array := make([]any, len(values))
	for i, value := range values {
		field, err := toField(value)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
		array[i] = field
	}
	return array, nil
}

func fromUnsigned(value uint64) (any, error) {
	if value > math.MaxInt64 {
		return nil, fmt.Errorf("AMQP has no integer of the size of %d", value)
	}
	return int64(value), nil
}

// fromTable turns the library's types into Go's own, in place: a delivery's
// table is nobody else's.
func fromTable(t amqp.Table) map[string]any {
	if len(t) == 0 {
		return nil
	}
	for key, value := range t {
		t[key] = fromField(value)
	}
	return t
}

func fromField(value any) any {
	switch value := value.(type) {
	case amqp.Table:
		if len(value) == 0 {
			return map[string]any{}
		}
		return fromTable(value)
	case []any:
		for i := range value {
			value[i] = fromField(value[i])
		}
		return value
	case time.Time:
		return value.UTC()
	default:
		return value
	}
}

func wholeSeconds(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return time.Unix(t.Unix(), 0).UTC()
}
