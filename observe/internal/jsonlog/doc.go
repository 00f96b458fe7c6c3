// Package jsonlog writes log records as JSON lines that agree with traces: it is
// the slog.Handler of observe.NewHandler and the logger of observe.Logger. It adds
// the ids of the active span and the tenant of the context, and masks personal
// data, in one pass over the record.
//
// A record is encoded as its fields come (encoder.body). Where a key comes twice,
// it must be known what comes later: then, and only then, the record is built as a
// tree first (encoder.tree).
//
// Writing a record never panics and never fails for a value: NaN and infinities
// become strings, what encoding/json refuses (cycles, channels) or what panics
// becomes a string that says so, invalid UTF-8 becomes U+FFFD. Groups of a
// LogValuer in groups of it end at a depth of 32, or after 16384 fields.
package jsonlog
