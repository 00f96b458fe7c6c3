package wire

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// maxHeaders is the largest size of a message's headers, in bytes. They share one
// frame with the properties, of which each has at most a short string, and a
// server that gets a frame above its limit ends the connection under all other
// messages (RabbitMQ's default frame_max is 128 KiB).
const maxHeaders = 128<<10 - 4<<10

// What clients read of a table. amqp091-go (v1.16.0) ends its connection over more,
// and the server sends the message again to the next one.
const (
	MaxDepth    = 32   // of tables and arrays within the outermost table
	MaxElements = 8192 // of one table or array
)

// CopyHeaders returns a deep copy of a message's headers, as [CopyTable] does. It
// fails where they don't fit into one frame.
func CopyHeaders(headers map[string]any) (map[string]any, error) {
	c, err := CopyTable("header", headers)
	if err != nil {
		return nil, err
	}
	if n := sizeOf(c); n > maxHeaders {
		return nil, fmt.Errorf("the headers have %d bytes, and %d fit into a frame: put large values into the body", n, maxHeaders)
	}
	return c, nil
}

// CopyTable returns a deep copy of an AMQP field table with the types that come
// out at the other end of a connection, nil for an empty one. kind names its
// entries in the error. It fails for a table that isn't allowed, or that not every
// client reads, see [MaxDepth].
func CopyTable(kind string, table map[string]any) (map[string]any, error) {
	return copyTable(kind, table, 0)
}

func copyTable(kind string, table map[string]any, depth int) (map[string]any, error) {
	if len(table) == 0 {
		return nil, nil
	}
	if err := checkContainer(len(table), depth); err != nil {
		return nil, err
	}
	c := make(map[string]any, len(table))
	for key, value := range table {
		if len(key) > maxShortString {
			return nil, fmt.Errorf("the name of the %s %q... has %d bytes, and AMQP allows %d", kind, key[:32], len(key), maxShortString)
		}
		field, err := copyField(value, depth)
		if err != nil {
			return nil, fmt.Errorf("%s %q: %w", kind, key, err)
		}
		c[key] = field
	}
	return c, nil
}

// copyField returns a field as it arrives. Integers of machine size become
// int64, times lose their zone and what is below a second.
func copyField(value any, depth int) (any, error) {
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
		return WholeSeconds(value), nil
	case []any:
		return copyArray(value, depth+1)
	case map[string]any:
		table, err := copyTable("field", value, depth+1)
		if table == nil {
			table = map[string]any{}
		}
		return table, err
	default:
		return nil, fmt.Errorf("AMQP has no form for a %T: use a string, number, bool, time, []byte, []any or map[string]any", value)
	}
}

// checkContainer refuses a table or an array with n elements that clients don't read.
func checkContainer(n, depth int) error {
	if depth > MaxDepth {
		return fmt.Errorf("tables and arrays are nested more than %d deep, and clients refuse to read that: put the value into the body", MaxDepth)
	}
	if n > MaxElements {
		return fmt.Errorf("a table or an array has %d elements, and clients read %d: put the value into the body", n, MaxElements)
	}
	return nil
}

func copyArray(values []any, depth int) (any, error) {
	if err := checkContainer(len(values), depth); err != nil {
		return nil, err
	}
	c := make([]any, len(values))
	for i, value := range values {
		field, err := copyField(value, depth)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
		c[i] = field
	}
	return c, nil
}

// sizeOf returns the bytes that a field takes on the wire, without its type. Its
// type is one that copyField returns.
func sizeOf(value any) int {
	const typeByte, length, long = 1, 4, 8
	switch value := value.(type) {
	case string:
		return length + len(value)
	case []byte:
		return length + len(value)
	case []any:
		size := length
		for _, element := range value {
			size += typeByte + sizeOf(element)
		}
		return size
	case map[string]any:
		size := length
		for key, field := range value {
			size += 1 + len(key) + typeByte + sizeOf(field)
		}
		return size
	default:
		return long // or less
	}
}

func fromUnsigned(value uint64) (any, error) {
	if value > math.MaxInt64 {
		return nil, fmt.Errorf("AMQP has no integer of the size of %d", value)
	}
	return int64(value), nil
}

// WholeSeconds is a time as AMQP carries it. The zero time stays.
func WholeSeconds(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return time.Unix(t.Unix(), 0).UTC()
}
