package observe

import "github.com/warrenmq/warren/observe/internal/tailsampling"

// ErrorKeep is what is kept of traces with an error that the sampler drops
// (specification, section C, rule 5). An error is a span with status Error.
//
// The decision is this process's own (tail sampling within a process). A message
// or request that went out before the error says that the trace isn't sampled, so
// another service keeps its part only where it sees an error itself; nothing
// brings back what it dropped.
type ErrorKeep int

const (
	// KeepLocalTrace keeps all spans of the trace in this process, from its first
	// span that isn't ended to its last. Every span is recorded, and held until
	// the trace has ended here: about three times the cost of a dropped span.
	// Traces are then exported as a whole or not at all, also those that the
	// sampler keeps. It is the default.
	KeepLocalTrace = ErrorKeep(tailsampling.LocalTrace)

	// KeepErrorSpans keeps the spans with an error alone.
	KeepErrorSpans = ErrorKeep(tailsampling.ErrorSpans)

	// KeepNone keeps what the sampler keeps.
	KeepNone = ErrorKeep(tailsampling.Nothing)
)

// String returns the constant's name.
func (k ErrorKeep) String() string {
	switch k {
	case KeepLocalTrace:
		return "KeepLocalTrace"
	case KeepErrorSpans:
		return "KeepErrorSpans"
	case KeepNone:
		return "KeepNone"
	default:
		return "ErrorKeep(invalid)"
	}
}
