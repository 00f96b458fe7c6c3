package asyncapi

import (
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
)

// An Option changes what a document has, or what its payload schemas say. It is a
// [Form], a [Direction], a [*Union], or made by [WithTopology].
type Option interface {
	apply(*options)
}

type options struct {
	form     Form
	schemas  schema.Options
	declared runtime.Topology
}

// A Direction is the side of encoding/json that payload schemas describe. The
// last one given counts.
type Direction schema.Direction

const (
	// Encode describes what json.Marshal writes, and is the default: members
	// that are always written are required, and null stands only where nil is
	// written.
	Encode = Direction(schema.Encode)

	// Decode describes what json.Unmarshal accepts: no member is required, and
	// null is accepted for any of them, because Unmarshal ignores it. Members
	// that a validate tag requires stay so.
	Decode = Direction(schema.Decode)
)

func (d Direction) apply(o *options) { o.schemas.Direction = schema.Direction(d) }

// String returns "encode" or "decode".
func (d Direction) String() string {
	if d == Decode {
		return "decode"
	}
	return "encode"
}

func chosen(given []Option) options {
	o := options{form: Exact}
	for _, option := range given {
		option.apply(&o)
	}
	return o
}
