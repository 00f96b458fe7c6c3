package memory

import (
	"maps"
	"slices"
)

// cloneTable copies a table that wire.CopyTable has made, and to which the server may
// have added something since.
func cloneTable(table map[string]any) map[string]any {
	c := maps.Clone(table)
	for key, value := range c {
		c[key] = cloneField(value)
	}
	return c
}

func cloneField(value any) any {
	switch value := value.(type) {
	case map[string]any:
		return cloneTable(value)
	case []any:
		c := slices.Clone(value)
		for i := range c {
			c[i] = cloneField(c[i])
		}
		return c
	case []byte:
		return slices.Clone(value)
	default:
		return value
	}
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
