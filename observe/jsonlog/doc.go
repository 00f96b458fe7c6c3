// Package jsonlog writes log records as JSON lines that agree with traces: a
// slog.Handler that adds the ids of the active span and the tenant of the
// context, and masks personal data, in one pass over the record.
//
//	handler := jsonlog.NewHandler(os.Stdout, &jsonlog.Options{Service: "orders"})
//	log := slog.New(handler)
//	log.InfoContext(ctx, "order taken", "order", 7)
//	// {"event":"order taken","level":"info","timestamp":"2026-01-02T15:04:05.000000Z",
//	//  "service":"orders","trace_id":"4bf9...","span_id":"00f0...","order":7}
//
// Package observe has all of this under its own names, and configures it
// together with tracing. A program that only logs imports this package, and
// compiles the API of OpenTelemetry but neither its SDK nor an exporter.
//
// # Records
//
// A record has the keys event, level (debug, info, warning, error or critical),
// timestamp (UTC, with six digits of a second and a trailing Z), logger and
// service where they are set, trace_id and span_id while a span is active,
// tenant_id while a tenant is, the fields of the context, and those of the call.
// The ids are at the top level also under a group.
//
// No object of a record has a key twice. A later field takes the place of an
// earlier one of the same name; two groups of one name become one. A field of
// the caller at the top level that has the name of one of the record's own gets
// an underscore: event_ for event.
//
// Writing a record never panics and never fails for a value: NaN and infinities
// become strings, what encoding/json refuses (cycles, channels) or what panics
// becomes a string that says so, invalid UTF-8 becomes U+FFFD. Groups of a
// LogValuer in groups of it end at a depth of 32, or after 16384 fields. A
// record is one call of Write, errors of which are returned to the caller of
// Handle; slog's own methods drop them.
package jsonlog
