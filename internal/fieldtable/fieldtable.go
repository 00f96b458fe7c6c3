// Package fieldtable handles the field tables of AMQP 0-9-1, which arguments and
// headers are.
package fieldtable

import (
	"maps"
	"slices"
)

// Clone copies a table with the tables, arrays and byte strings in it. A nil table
// stays nil.
func Clone(table map[string]any) map[string]any {
	table = maps.Clone(table)
	for key, value := range table {
		table[key] = cloneField(value)
	}
	return table
}

func cloneField(value any) any {
	switch value := value.(type) {
	case map[string]any:
		return Clone(value)
	case []any:
		values := slices.Clone(value)
		for i := range values {
			values[i] = cloneField(values[i])
		}
		return values
	case []byte:
		return slices.Clone(value)
	default:
		return value
	}
}

// Integer returns the value of an integer field of any size, as programs and servers
// have them.
func Integer(value any) (int64, bool) {
	switch value := value.(type) {
	case int:
		return int64(value), true
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
