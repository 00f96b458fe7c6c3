// Package logkey has the keys of log records. Metrics and trace contexts that name
// the same things use the same words, so that one search finds all of them.
package logkey

import "github.com/warrenmq/warren/observe/tenant"

// The keys that a record has of its own, at its top level.
const (
	Event     = "event" // the message
	Level     = "level"
	Timestamp = "timestamp"
	Logger    = "logger"
	Service   = "service"
	TraceID   = "trace_id" // in exemplars and trace contexts, too
	SpanID    = "span_id"  // in exemplars and trace contexts, too
	TenantID  = tenant.BaggageKey
	Source    = "source" // the place of the call
)

// The fields of the middleware for HTTP and for messages.
const (
	Method      = "method"
	Route       = "route"
	Status      = "status"
	Bytes       = "bytes"
	DurationMS  = "duration_ms"
	Queue       = "queue"
	MessageID   = "message_id"
	Destination = "destination"
	Redelivered = "redelivered"
	ErrorType   = "error_type"
	Error       = "error"
)
