package asyncapi

// A Form says how much of a contract a document has. It is an [Option] of
// [Generate]; the last one given counts.
type Form string

const (
	// Exact is the default: what the specification lists, and components.schemas for
	// the types that payloads refer to.
	Exact Form = "exact"

	// Extended has all that is known beside: replies with their payloads, content
	// types, message ids, headers, examples that the schemas accept, routing keys and
	// arguments, retries and dead letters, and what [Config] has for it. What
	// AsyncAPI 2.6.0 has no place for is in extensions, whose names begin with "x-".
	// Keys of components may differ from those of the exact document, since the types
	// of replies are among them.
	Extended Form = "extended"
)

func (f Form) apply(o *options) { o.form = f }
