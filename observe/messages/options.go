package messages

import (
	"log/slog"
	"reflect"
	"sync/atomic"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/internal/scope"
)

const scopeName = "github.com/warrenmq/warren/observe/messages"

// Options configure [Consume] and [Publish]. The zero Options trace only. One value
// may serve both, and any number of routers and clients; they copy it.
type Options struct {
	// Metrics counts messages. Nil counts nothing.
	Metrics *Metrics

	// SLO counts the messages that are handled: successes and failures, and with
	// slo.WithLatency those that took too long. What is sent doesn't count. Nil counts
	// nothing.
	SLO *observe.SLOTracker

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

	tracers *tracers // set where the Options are put to use
}

// A tracerOf is the tracer of a provider. It is kept, because the provider makes it
// anew for each that asks.
type tracerOf struct {
	provider trace.TracerProvider
	tracer   trace.Tracer
}

// tracers keeps the last tracer. It may be made at the same time twice, and is the
// same then.
type tracers struct{ last atomic.Pointer[tracerOf] }

func (t *tracers) of(o *Options) trace.Tracer {
	provider := o.TracerProvider
	if provider == nil {
		provider = otel.GetTracerProvider()
	}
	if !reflect.TypeOf(provider).Comparable() {
		return scope.Tracer(provider, scopeName)
	}
	if last := t.last.Load(); last != nil && last.provider == provider {
		return last.tracer
	}
	made := &tracerOf{provider, scope.Tracer(provider, scopeName)}
	t.last.Store(made)
	return made.tracer
}

func (o *Options) tracer() trace.Tracer { return o.tracers.of(o) }

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
