package observe

import (
	"context"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/httpmethod"
	"github.com/warrenmq/warren/observe/internal/scope"
	"github.com/warrenmq/warren/observe/internal/spantext"
	"github.com/warrenmq/warren/observe/tenant"
)

// serverKind has no capacity left: what is appended to it goes elsewhere.
var serverKind = []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer)}

// startSpan starts the span. A provider or a sampler of the program's own gets the
// attributes at once, because it may read them. That of [Configure] gets them at the
// end: see endSpan.
func (s *servedRequest) startSpan(ctx context.Context, r *http.Request, links []trace.Link) context.Context {
	options := serverKind
	if links != nil {
		options = append(options, trace.WithLinks(links...))
	}
	own := s.config.own
	if own == nil {
		own = active.Load()
	}
	if own != nil && s.config.provider == nil {
		s.own, s.early = own, own.early
		if s.early {
			options = append(options, trace.WithAttributes(s.describe(ctx, nil, r)...))
		}
		ctx, s.span = own.tracer.Start(ctx, s.spanMethod(), options...)
		return ctx
	}
	s.early = true
	provider := s.config.provider
	if provider == nil {
		provider = otel.GetTracerProvider()
	}
	options = append(options, trace.WithAttributes(s.describe(ctx, nil, r)...))
	ctx, s.span = scope.Tracer(provider, scopeName).Start(ctx, s.spanMethod(), options...)
	return ctx
}

// describe appends the attributes that a request has before it is handled.
// See docs/decisions/0017.
func (s *servedRequest) describe(ctx context.Context, attrs []attribute.KeyValue, r *http.Request) []attribute.KeyValue {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	method := httpmethod.Known(s.method)
	attrs = append(slices.Grow(attrs, usualAttributes),
		attribute.String("http.request.method", method), attribute.String("url.path", s.path), attribute.String("url.scheme", scheme),
		attribute.String("network.protocol.version", protocolVersion(r)))
	if method != s.method {
		attrs = append(attrs, attribute.String("http.request.method_original", spantext.Cut(s.method)))
	}
	if host, port := address(r.Host); host != "" {
		attrs = append(attrs, attribute.String("server.address", host))
		if port != "" {
			if n, err := strconv.Atoi(port); err == nil {
				attrs = append(attrs, attribute.Int("server.port", n))
			}
		}
	}
	if host, _ := address(r.RemoteAddr); host != "" {
		attrs = append(attrs, attribute.String("client.address", host))
	}
	if agent := r.UserAgent(); agent != "" {
		attrs = append(attrs, attribute.String("user_agent.original", spantext.Cut(agent)))
	}
	if id := tenant.FromContext(ctx); id != "" {
		attrs = append(attrs, attribute.String(tenant.Attribute, id))
	}
	return attrs
}

// address parts a host from its port, "" for none. Most hosts have none, of which
// SplitHostPort would make an error.
func address(text string) (host, port string) {
	text = spantext.Cut(text)
	if strings.IndexByte(text, ':') >= 0 {
		if host, port, err := net.SplitHostPort(text); err == nil {
			return host, port
		}
	}
	return strings.Trim(text, "[]"), ""
}

// protocolVersion is that of HTTP, as the conventions write it.
func protocolVersion(r *http.Request) string {
	if r.ProtoMajor >= 2 {
		return strconv.Itoa(r.ProtoMajor)
	}
	if r.ProtoMinor == 0 {
		return "1.0"
	}
	return "1.1"
}

// usualAttributes is how many attributes a request has, or more.
const usualAttributes = 16

var attributeBuffers = sync.Pool{New: func() any { return new([usualAttributes]attribute.KeyValue) }}

// endSpan names and ends the span. One of [Configure]'s provider gets all its
// attributes here, and none where the whole trace is dropped: of an average
// request, a third of the time would go into them.
func (s *servedRequest) endSpan(p any, route string, status int, failure string) {
	defer s.span.End()
	if !s.span.IsRecording() || failure == "" && s.discard() {
		return
	}
	if route != "" {
		s.span.SetName(s.spanName(route))
	}
	var attrs []attribute.KeyValue
	if !s.early { // the SDK's own spans, which copy what they get
		buffer := attributeBuffers.Get().(*[usualAttributes]attribute.KeyValue)
		defer func() {
			clear(buffer[:])
			attributeBuffers.Put(buffer)
		}()
		attrs = s.describe(s.ctx, buffer[:0], s.request)
	}
	if route != "" {
		attrs = append(attrs, attribute.String("http.route", route))
	}
	attrs = append(attrs, attribute.Int("http.response.status_code", status))
	if failure != "" && p == nil || failure == "aborted" {
		attrs = append(attrs, attribute.String("error.type", failure))
		s.span.SetStatus(codes.Error, "")
	}
	s.span.SetAttributes(attrs...)
	if failure == "panic" {
		recordPanic(s.span, p)
	}
}

// discard drops the trace if no exporter will see it.
func (s *servedRequest) discard() bool {
	if s.own == nil || s.own.sampler == nil {
		return false
	}
	span, ok := s.span.(sdktrace.ReadOnlySpan)
	return ok && s.own.sampler.Discard(span)
}

// spanMethod is the method as the names of spans have it.
func (s *servedRequest) spanMethod() string {
	if method := httpmethod.Known(s.method); method != httpmethod.Other {
		return method
	}
	return "HTTP"
}

// spanName returns the method and the route, which is what most patterns are.
func (s *servedRequest) spanName(route string) string {
	method := s.spanMethod()
	if own, path, found := strings.Cut(s.request.Pattern, " "); found && own == method && path == route {
		return s.request.Pattern
	}
	return method + " " + route
}
