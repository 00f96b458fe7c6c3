package messages

import (
	"log/slog"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

const scope = "github.com/warrenmq/warren/observe/messages"

// Options configure [Consume] and [Publish]. The zero Options trace only. One value
// may serve both, and any number of routers and clients; they copy it.
type Options struct {
	// Metrics counts messages. Nil counts nothing.
	Metrics *Metrics

	// Logger logs each message that was handled or published, with its route,
	// destination and duration_ms; at level error, with error_type and error, if
	// that failed. Nil logs nothing.
	Logger *slog.Logger

	// TracerProvider makes the spans. The default is that of observe.Configure,
	// which is OpenTelemetry's global one.
	TracerProvider trace.TracerProvider

	// LinkOnly begins a trace for each message that is handled, with a link to
	// the span that published it, in place of going on with its trace: for
	// queues that decouple, where a trace would last for hours.
	LinkOnly bool

	// NoSettling leaves out the spans of settling, one for each message that is
	// handled. They last from the end of the handler until the message has been
	// acknowledged, requeued or rejected, which is after its reply is confirmed.
	NoSettling bool

	// ServerAddress and ServerPort are the broker's, for the attributes
	// server.address and server.port. Zero values leave them out.
	ServerAddress string
	ServerPort    int
}

func (o *Options) tracer() trace.Tracer {
	provider := o.TracerProvider
	if provider == nil {
		provider = otel.GetTracerProvider()
	}
	return provider.Tracer(scope)
}

// common returns the attributes that all spans have.
func (o *Options) common(operation, kind string, to destination) []attribute.KeyValue {
	attrs := to.describe(append(make([]attribute.KeyValue, 0, 16),
		attribute.String("messaging.system", "rabbitmq"),
		attribute.String("messaging.operation.name", operation),
		attribute.String("messaging.operation.type", kind)))
	if o.ServerAddress != "" {
		attrs = append(attrs, attribute.String("server.address", o.ServerAddress))
	}
	if o.ServerPort != 0 {
		attrs = append(attrs, attribute.Int("server.port", o.ServerPort))
	}
	return attrs
}
