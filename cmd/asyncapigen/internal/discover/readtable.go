package discover

import (
	"go/constant"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/internal/contract"
)

// table reads an AMQP field table, which diagnostics and documents call by the name.
// Arguments that aren't known are left out, for the contract doesn't show them, and noted.
func (r *reader) table(s *value.Struct, field, name string) map[string]any {
	t := readTable(fieldOf(s, field))
	if t.isOpen {
		r.missing = append(r.missing, name)
	}
	for _, key := range t.unknown {
		called := contract.ArgumentName(name, key)
		if slices.Contains(t.unsure, key) {
			called = contract.PossibleArgumentName(name, key)
		}
		r.missing = append(r.missing, called)
	}
	return t.values
}

// consumerArguments reads those of the consumer, which brokers don't compare.
func (r *reader) consumerArguments() map[string]any {
	t := readTable(fieldOf(r.route, "ConsumerArguments"))
	if !t.isKnown() {
		r.unset = append(r.unset, "arguments")
	}
	return t.values
}

// A fieldTable is what is known of an AMQP field table.
type fieldTable struct {
	values  map[string]any
	isOpen  bool     // there may be other keys
	unknown []string // keys whose values aren't known
	unsure  []string // those of them that may not be there
}

func (t fieldTable) isKnown() bool { return !t.isOpen && t.unknown == nil }

func readTable(v value.Value) fieldTable {
	m, ok := v.(*value.Map)
	if !ok {
		return fieldTable{isOpen: !value.IsNil(v)}
	}
	t := fieldTable{values: make(map[string]any), isOpen: !m.Complete()}
	for k, v := range m.Sorted() {
		c, ok := k.(value.Const)
		if !ok || c.Value.Kind() != constant.String {
			continue
		}
		key := constant.StringVal(c.Value)
		if field, known := fieldValue(v); known {
			t.values[key] = field
			continue
		}
		t.unknown = append(t.unknown, key)
		if u, ok := v.(*value.Unknown); ok && u.Absent {
			t.unsure = append(t.unsure, key)
		}
	}
	return t
}

// fieldValue returns the value of a field, with all that is in it.
func fieldValue(v value.Value) (any, bool) {
	switch v := v.(type) {
	case value.Const:
		return value.GoValue(v)
	case value.Nil:
		return nil, true
	case *value.Slice:
		return listValue(v)
	case *value.Map:
		if !isTable(v.Type) {
			return nil, false
		}
		t := readTable(v)
		return t.values, t.isKnown()
	default:
		return nil, false
	}
}

// listValue returns an array of fields, or bytes.
func listValue(s *value.Slice) (any, bool) {
	list, ok := types.Unalias(s.Type).(*types.Slice)
	if !ok {
		return nil, false
	}
	isBytes := types.Identical(list.Elem(), types.Typ[types.Byte])
	if !isBytes && !isAny(list.Elem()) {
		return nil, false
	}
	fields, bytes := []any{}, []byte{}
	for _, cell := range s.Elems {
		field, known := fieldValue(cell.Load())
		if !known {
			return nil, false
		}
		fields = append(fields, field)
		if b, ok := field.(byte); ok && isBytes {
			bytes = append(bytes, b)
		}
	}
	if isBytes {
		return bytes, true
	}
	return fields, true
}

// isTable reports whether t is map[string]any.
func isTable(t types.Type) bool {
	m, ok := types.Unalias(t).(*types.Map)
	return ok && types.Identical(m.Key(), types.Typ[types.String]) && isAny(m.Elem())
}
