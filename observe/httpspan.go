package observe

import (
	"context"
	"net/http"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/httpmethod"
	"github.com/warrenmq/warren/observe/internal/spantext"
	"github.com/warrenmq/warren/observe/tenant"
)

// serverKind has no capacity left: what is appended to it goes elsewhere.
var serverKind = []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer)}

// startSpan starts the span. A provider of the program's own gets the attributes
// at once, because its sampler may ask for them. That of [Configure] doesn't: see
// endSpan.
func (x *exchange) startSpan(ctx context.Context, r *http.Request, links []trace.Link) context.Context {
	options := serverKind
	if links != nil {
		options = append(options, trace.WithLinks(links...))
	}
	if o := active.Load(); o != nil && x.config.provider == nil {
		x.own = o
		ctx, x.span = o.tracer.Start(ctx, x.spanMethod(), options...)
		return ctx
	}
	provider := x.config.provider
	if provider == nil {
		provider = otel.GetTracerProvider()
	}
	options = append(options, trace.WithAttributes(x.describe(ctx, r)...))
	ctx, x.span = provider.Tracer(scope).Start(ctx, x.spanMethod(), options...)
	return ctx
}

// describe returns what is known of the request before it is handled.
func (x *exchange) describe(ctx context.Context, r *http.Request) []attribute.KeyValue {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	method := httpmethod.Known(x.method)
	attrs := append(make([]attribute.KeyValue, 0, 8),
		attribute.String("http.request.method", method), attribute.String("url.path", x.path), attribute.String("url.scheme", scheme))
	if method != x.method {
		attrs = append(attrs, attribute.String("http.request.method_original", spantext.Cut(x.method)))
	}
	if id := tenant.FromContext(ctx); id != "" {
		attrs = append(attrs, attribute.String(tenant.Attribute, id))
	}
	return attrs
}

// endSpan names and ends the span. One of [Configure]'s provider gets all its
// attributes here, and none where the whole trace is dropped: of an average
// request, a third of the time would go into them.
func (x *exchange) endSpan(p any, route string, status int, failure string) {
	defer x.span.End()
	if !x.span.IsRecording() || failure == "" && x.abandon() {
		return
	}
	if route != "" {
		x.span.SetName(x.spanName(route))
	}
	var attrs []attribute.KeyValue
	if x.own != nil {
		attrs = x.describe(x.ctx, x.request)
	}
	if route != "" {
		attrs = append(attrs, attribute.String("http.route", route))
	}
	attrs = append(attrs, attribute.Int("http.response.status_code", status))
	if failure != "" && p == nil || failure == "aborted" {
		attrs = append(attrs, attribute.String("error.type", failure))
		x.span.SetStatus(codes.Error, "")
	}
	x.span.SetAttributes(attrs...)
	if failure == "panic" {
		recordPanic(x.span, p)
	}
}

// abandon drops the trace if nobody will see it.
func (x *exchange) abandon() bool {
	if x.own == nil || x.own.keeper == nil {
		return false
	}
	span, ok := x.span.(sdktrace.ReadOnlySpan)
	return ok && x.own.keeper.abandon(span)
}

// spanMethod is the method as the names of spans have it.
func (x *exchange) spanMethod() string {
	if method := httpmethod.Known(x.method); method != httpmethod.Other {
		return method
	}
	return "HTTP"
}

// spanName returns the method and the route, which is what most patterns are.
func (x *exchange) spanName(route string) string {
	method := x.spanMethod()
	if own, path, found := strings.Cut(x.request.Pattern, " "); found && own == method && path == route {
		return x.request.Pattern
	}
	return method + " " + route
}
