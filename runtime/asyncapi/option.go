package asyncapi

import "github.com/warrenmq/warren/internal/schema"

// An Option changes what the payload schemas of a document say: a [Direction], a
// [*Union], or [OpenEnums].
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

// OpenEnums leaves the constants of types out of a document that is made from
// source code. encoding/json enforces no constants, so that a schema without them
// accepts what a newer version of the program may write.
const OpenEnums = openEnums(true)

type openEnums bool

func (open openEnums) apply(o *schema.Options) { o.OpenEnums = bool(open) }

// Unions says what interfaces hold, as found in source code. A running program
// has a [*Union] for each.
type Unions []schema.Union

func (u Unions) apply(o *schema.Options) { o.Unions = append(o.Unions, u...) }

// Proof is a last look at the schemas, which may find more problems. Asyncapigen
// has one that needs modules which no running program should have to have.
type Proof func(*schema.Set) []schema.Problem

func (p Proof) apply(o *schema.Options) { o.Proof = p }

func schemaOptions(options []Option) schema.Options {
	var o schema.Options
	for _, option := range options {
		option.apply(&o)
	}
	return o
}
