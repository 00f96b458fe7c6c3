package wire

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/warrenmq/warren/runtime"
)

// maxTable is the largest size of a table, in bytes. Headers share one frame with
// the properties, of which each has at most a short string, arguments share it with
// names, and a server that gets a frame above its limit ends the connection under
// all other messages (RabbitMQ's default frame_max is 128 KiB).
const maxTable = 128<<10 - 4<<10

// What clients read of a table. amqp091-go (v1.16.0) ends its connection over more,
// and the server sends the message again to the next one.
const (
	MaxDepth    = 32   // of tables and arrays within the outermost table
	MaxElements = 8192 // of one table or array
)

// CopyHeaders returns a deep copy of a message's headers, as [CopyTable] does. It
// also fails for headers by which the server would refuse the message, and close the
// channel under others.
func CopyHeaders(headers map[string]any) (map[string]any, error) {
	for _, name := range [...]string{"CC", "BCC"} { // RabbitMQ, sender-selected distribution
		if value, given := headers[name]; given {
			if _, ok := value.([]any); !ok {
				return nil, fmt.Errorf("header %q is a %T: RabbitMQ wants a []any of routing keys", name, value)
			}
		}
	}
	table, err := CopyTable("header", headers)
	if errors.Is(err, errTooLarge) {
		return nil, fmt.Errorf("%w: %w", runtime.ErrHeadersTooLarge, err)
	}
	return table, err
}

var errTooLarge = errors.New("put large values into the body")

// A Decimal is a field that has no type in Go. It comes from others, and can be sent again.
type Decimal struct {
	Scale uint8 // how many digits of Value are behind the point
	Value int32
}

// CopyTable returns a deep copy of an AMQP field table with the types that come
// out at the other end of a connection, nil for an empty one. kind names its
// entries in the error. It fails for a table that isn't allowed, that doesn't fit
// into one frame, or that not every client reads, see [MaxDepth].
func CopyTable(kind string, table map[string]any) (map[string]any, error) {
	c := copier{left: maxTable}
	return c.table(kind, table, 0)
}

// SizeOf returns about how many bytes a table takes, and no more than what fits into
// a frame.
func SizeOf(table map[string]any) int {
	c := copier{left: maxTable}
	c.measure(table, 0)
	return maxTable - max(c.left, 0)
}

// measure counts a value, and reports whether it fits.
func (c *copier) measure(value any, depth int) bool {
	if depth > MaxDepth+1 || c.take(sizeOf(value)) != nil {
		return false
	}
	switch value := value.(type) {
	case map[string]any:
		for key, field := range value {
			if c.take(1+len(key)) != nil || !c.measure(field, depth+1) {
				return false
			}
		}
	case []any:
		for _, element := range value {
			if !c.measure(element, depth+1) {
				return false
			}
		}
	}
	return true
}

// A copier copies one table, as long as it fits into a frame: a table may contain
// itself.
type copier struct{ left int }

// take counts n bytes.
func (c *copier) take(n int) error {
	if c.left -= n; c.left < 0 {
		return fmt.Errorf("the table has more than %d bytes, and no more fit into a frame: %w", maxTable, errTooLarge)
	}
	return nil
}

func (c *copier) table(kind string, table map[string]any, depth int) (map[string]any, error) {
	if len(table) == 0 {
		return nil, nil
	}
	if err := checkContainer(len(table), depth); err != nil {
		return nil, err
	}
	result := make(map[string]any, len(table))
	for key, value := range table {
		if len(key) > maxShortString {
			return nil, fmt.Errorf("the name of the %s %q... has %d bytes, and AMQP allows %d", kind, key[:32], len(key), maxShortString)
		}
		if err := c.take(1 + len(key)); err != nil {
			return nil, err
		}
		field, err := c.field(value, depth)
		if err != nil {
			return nil, fmt.Errorf("%s %q: %w", kind, key, err)
		}
		result[key] = field
	}
	return result, nil
}

// field returns a field as it arrives. Integers of machine size become int64, times
// lose their zone and what is below a second.
func (c *copier) field(value any, depth int) (any, error) {
	if err := c.take(sizeOf(value)); err != nil {
		return nil, err
	}
	switch value := value.(type) {
	case nil, bool, int8, int16, int32, int64, uint8, uint16, uint32, float32, float64, string, Decimal:
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
		return c.array(value, depth+1)
	case map[string]any:
		table, err := c.table("field", value, depth+1)
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
		return fmt.Errorf("a table or an array has %d elements, and clients read %d: %w", n, MaxElements, errTooLarge)
	}
	return nil
}

func (c *copier) array(values []any, depth int) (any, error) {
	if err := checkContainer(len(values), depth); err != nil {
		return nil, err
	}
	result := make([]any, len(values))
	for i, value := range values {
		field, err := c.field(value, depth)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
		result[i] = field
	}
	return result, nil
}

// sizeOf returns the bytes that a field takes on the wire, without those of its
// elements.
func sizeOf(value any) int {
	const typeByte, length, long = 1, 4, 8
	switch value := value.(type) {
	case nil:
		return typeByte
	case string:
		return typeByte + length + len(value)
	case []byte:
		return typeByte + length + len(value)
	case []any, map[string]any:
		return typeByte + length
	default:
		return typeByte + long // or less
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
