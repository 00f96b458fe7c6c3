package rabbitmq

import (
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime/internal/wire"
)

// toHeaders returns a deep copy of headers as the library sends it, see
// [wire.CopyHeaders].
func toHeaders(headers map[string]any) (amqp.Table, error) {
	c, err := wire.CopyHeaders(headers)
	if err != nil {
		return nil, err
	}
	return toLibrary(c).(amqp.Table), nil
}

// toTable returns a deep copy of table as the library sends it, see
// [wire.CopyTable].
func toTable(kind string, table map[string]any) (amqp.Table, error) {
	c, err := wire.CopyTable(kind, table)
	if err != nil {
		return nil, err
	}
	return toLibrary(c).(amqp.Table), nil
}

// toLibrary gives the tables in a value the library's type, in place.
func toLibrary(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, field := range value {
			value[key] = toLibrary(field)
		}
		return amqp.Table(value)
	case []any:
		for i, element := range value {
			value[i] = toLibrary(element)
		}
		return value
	case wire.Decimal:
		return amqp.Decimal{Scale: value.Scale, Value: value.Value}
	default:
		return value
	}
}

// fromTable turns the library's types into Go's own, in place: a delivery's
// table isn't shared.
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
	case amqp.Decimal:
		return wire.Decimal{Scale: value.Scale, Value: value.Value}
	default:
		return value
	}
}
