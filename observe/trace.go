package observe

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/warrenmq/warren/observe/internal/logkey"
	"github.com/warrenmq/warren/observe/internal/scope"
)

// scopeName is the name under which the package makes its spans.
const scopeName = "github.com/warrenmq/warren/observe"

// TraceContext returns the ids of the active span, "trace_id" of 32 and "span_id"
// of 16 lower case hexadecimal digits; an empty map where no span is active. The
// map is the caller's. It is for what leaves the process by other ways than HTTP
// and messages: a job's row in a table, an error page.
//
//	ctx, span := observe.TraceSpan(ctx, "import")
//	defer span.End(nil)
//	row.TraceID = observe.TraceContext(ctx)["trace_id"]
func TraceContext(ctx context.Context) map[string]string {
	span := trace.SpanContextFromContext(ctx)
	if !span.IsValid() {
		return map[string]string{}
	}
	return map[string]string{logkey.TraceID: span.TraceID().String(), logkey.SpanID: span.SpanID().String()}
}

// TraceCorrelationAvailable reports whether spans have ids that records can
// carry: tracing was set up by [Configure] or [SetupTracing] and isn't shut down,
// or the program has installed a provider of its own by otel.SetTracerProvider.
// Without it records are logged all the same, without ids.
func TraceCorrelationAvailable() bool {
	if active.Load() != nil {
		return true
	}
	switch provider := otel.GetTracerProvider(); provider.(type) {
	case nil, noop.TracerProvider, *noop.TracerProvider:
		return false
	default:
		return !isPlaceholder(provider)
	}
}

// tracer returns the tracer of what is set up, or of the program's own provider.
func tracer() trace.Tracer {
	if o := active.Load(); o != nil {
		return o.tracer
	}
	return scope.Tracer(otel.GetTracerProvider(), scopeName)
}

// Propagator returns what reads and writes the W3C headers traceparent, tracestate
// and baggage, whatever OpenTelemetry's global propagator is. It is for transports
// other than HTTP and messages of package runtime, and safe for concurrent use.
func Propagator() propagation.TextMapPropagator {
	return propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})
}
