package memory

import "github.com/warrenmq/warren/runtime/internal/wire"

// cloneTable copies a table that wire.CopyTable has made.
func cloneTable(table map[string]any) map[string]any {
	c, err := wire.CopyTable("header", table)
	if err != nil {
		panic(err) // CopyTable accepts what it has made
	}
	return c
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
