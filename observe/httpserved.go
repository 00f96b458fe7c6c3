package observe

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/httpmethod"
	"github.com/warrenmq/warren/observe/internal/logkey"
	"github.com/warrenmq/warren/observe/red"
	"github.com/warrenmq/warren/observe/tenant"
)

// A servedRequest is a request and its answer, while the handler is at work.
type servedRequest struct {
	config       *httpConfig
	method, path string        // as they came: handlers may change the request
	request      *http.Request // as the handler got it
	ctx          context.Context
	span         trace.Span
	own          *Observability // that made the span, nil for another provider
	early        bool           // the span has had its attributes from the start
	start        time.Time
	writer       responseWriter
	returned     bool // the handler did, without a panic
}

// begin starts the span, and returns the context of the request.
func (s *servedRequest) begin(r *http.Request) context.Context {
	ctx := r.Context()
	var links []trace.Link
	if r.Header["Traceparent"] != nil {
		ctx = propagation.TraceContext{}.Extract(ctx, traceHeaders(r.Header))
	}
	if s.config.ignoreParent {
		if parent := trace.SpanContextFromContext(ctx); parent.IsValid() {
			links = []trace.Link{{SpanContext: parent}}
		}
		ctx = trace.ContextWithSpanContext(ctx, trace.SpanContext{})
	} else if r.Header["Baggage"] != nil {
		ctx = propagation.Baggage{}.Extract(ctx, propagation.HeaderCarrier(r.Header))
	}
	return s.startSpan(requestTenant(ctx, r), r, links)
}

// traceHeaders are HTTP headers of which a repeated one, such as tracestate, is one
// list (W3C Trace Context, 3.3.1.1).
type traceHeaders http.Header

var _ propagation.TextMapCarrier = traceHeaders(nil)

func (h traceHeaders) Get(key string) string {
	values := http.Header(h).Values(key)
	if len(values) == 1 {
		return values[0]
	}
	if http.CanonicalHeaderKey(key) == "Tracestate" {
		return strings.Join(values, ",")
	}
	return "" // two traceparents are none
}

func (h traceHeaders) Set(key, value string) { http.Header(h).Set(key, value) }

func (h traceHeaders) Keys() []string { return slices.Collect(maps.Keys(h)) }

// requestTenant returns a context with the tenant that the request names.
func requestTenant(ctx context.Context, r *http.Request) context.Context {
	id := ""
	if named := r.Header[tenantHeader]; named == nil {
		id = tenant.FromBaggage(ctx)
	} else if len(named) == 1 {
		id = named[0]
	}
	with, err := tenant.NewContext(ctx, id)
	if err != nil {
		return tenant.Without(ctx)
	}
	return with
}

var tenantHeader = http.CanonicalHeaderKey(tenant.Header)

// end records the request. It is deferred, and lets a panic go on.
func (s *servedRequest) end() {
	var p any
	if !s.returned {
		p = recover()
	}
	failure := s.failure(p)
	status := s.writer.status()
	if failure == "panic" {
		s.writer.fail()
		status = http.StatusInternalServerError
	}
	route := s.route()
	s.endSpan(p, route, status, failure)
	s.record(route, status, failure)
	if p != nil {
		panic(p)
	}
}

// failure returns the type of the error, "" for none.
func (s *servedRequest) failure(p any) string {
	switch {
	case p == http.ErrAbortHandler:
		return "aborted"
	case p != nil:
		return "panic"
	case !s.returned:
		return "goexit" // runtime.Goexit
	case s.writer.status() >= 500:
		return strconv.Itoa(s.writer.status())
	default:
		return ""
	}
}

// route returns the pattern of the route, without the method and the host of a
// ServeMux's pattern.
func (s *servedRequest) route() string {
	if s.config.route != nil {
		return withoutMethod(s.config.route(s.request))
	}
	_, path, found := strings.Cut(s.request.Pattern, "/")
	if !found {
		return ""
	}
	return s.request.Pattern[len(s.request.Pattern)-len(path)-1:]
}

// withoutMethod is for patterns that come from ServeMux.Handler.
func withoutMethod(pattern string) string {
	if method, path, found := strings.Cut(pattern, " "); found && httpmethod.Known(method) == method {
		return path
	}
	return pattern
}

// unmatched is the endpoint of requests for which there is no route.
const unmatched = "_unmatched"

func (s *servedRequest) record(route string, status int, failure string) {
	c := s.config
	took := time.Since(s.start)
	if route == "" {
		route = unmatched
	}
	if c.red != nil {
		c.red.Record(s.ctx, red.Request{
			Method: s.method, Endpoint: route, StatusCode: status, Duration: took, ErrorType: failure, Scheme: s.scheme(),
		})
	}
	if c.slo != nil {
		c.slo.Record(took, failure)
	}
	if c.routeSLOs != nil {
		s.recordRoute(route, took, failure)
	}
	if c.log != nil {
		level := slog.LevelInfo
		if failure != "" {
			level = slog.LevelError
		}
		c.log.LogAttrs(s.ctx, level, "request",
			slog.String(logkey.Method, httpmethod.Known(s.method)), slog.String(logkey.Route, route), slog.Int(logkey.Status, status),
			slog.Int64(logkey.Bytes, s.writer.bytes), slog.Float64(logkey.DurationMS, float64(took.Microseconds())/1000))
	}
}

// recordRoute counts for the objectives of the route.
func (s *servedRequest) recordRoute(route string, took time.Duration, failure string) {
	ofAll := s.config.routeSLOs[route]
	for _, t := range ofAll {
		t.Record(took, failure)
	}
	for _, t := range s.config.routeSLOs[s.spanName(route)] {
		if !slices.Contains(ofAll, t) {
			t.Record(took, failure)
		}
	}
}

func (s *servedRequest) scheme() string {
	if s.request.TLS != nil {
		return "https"
	}
	return "http"
}
