package asyncapi

import "github.com/warrenmq/warren/internal/schema"

// An Option changes what the payload schemas of a document say. It is a
// [Direction] or a [*Union].
type Option interface {
	apply(*schema.Options)
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

func (d Direction) apply(o *schema.Options) { o.Direction = schema.Direction(d) }

// String returns "encode" or "decode".
func (d Direction) String() string {
	if d == Decode {
		return "decode"
	}
	return "encode"
}

func schemaOptions(options []Option) schema.Options {
	var o schema.Options
	for _, option := range options {
		option.apply(&o)
	}
	return o
}
