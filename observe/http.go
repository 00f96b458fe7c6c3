package observe

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/tenant"
)

// An HTTPOption configures [HTTPMiddleware].
type HTTPOption func(*httpConfig)

type httpConfig struct {
	red          *REDMetrics
	slo          *SLOTracker
	log          *slog.Logger
	route        func(*http.Request) string
	skip         func(*http.Request) bool
	provider     trace.TracerProvider
	ignoreParent bool
}

// WithRED counts requests and errors.
func WithRED(m *REDMetrics) HTTPOption { return func(c *httpConfig) { c.red = m } }

// WithSLO counts answers below 500 as successes, others and panics as failures.
func WithSLO(t *SLOTracker) HTTPOption { return func(c *httpConfig) { c.slo = t } }

// WithAccessLog logs each request when it has been answered: method, route,
// status, bytes of the body, and duration_ms; at level error from status 500 on.
// The path isn't logged: it holds identities.
func WithAccessLog(log *slog.Logger) HTTPOption { return func(c *httpConfig) { c.log = log } }

// WithRoute names the pattern of a request's route, for routers other than
// http.ServeMux. It is called when the request has been handled; "" means that no
// route was found.
//
//	observe.WithRoute(func(r *http.Request) string { // chi
//		return chi.RouteContext(r.Context()).RoutePattern()
//	})
//	observe.WithRoute(func(r *http.Request) string { // gorilla/mux, with the middleware in Router.Use
//		pattern, _ := mux.CurrentRoute(r).GetPathTemplate()
//		return pattern
//	})
func WithRoute(route func(*http.Request) string) HTTPOption {
	return func(c *httpConfig) { c.route = route }
}

// WithSkip leaves requests alone, as those for health and metrics.
func WithSkip(skip func(*http.Request) bool) HTTPOption {
	return func(c *httpConfig) { c.skip = skip }
}

// WithTracerProvider makes spans by the provider, in place of that of
// [Configure].
func WithTracerProvider(p trace.TracerProvider) HTTPOption {
	return func(c *httpConfig) { c.provider = p }
}

// WithPublicEndpoint begins a trace for each request, with a link to the trace
// that the caller sent, and takes no baggage: for callers that aren't trusted to
// decide what is sampled.
func WithPublicEndpoint() HTTPOption { return func(c *httpConfig) { c.ignoreParent = true } }

// HTTPMiddleware wraps each request in a span of kind server, in one pass with
// the tenant, metrics and the access log. Put it around the ServeMux:
//
//	http.ListenAndServe(":8080", observe.HTTPMiddleware(observe.WithRED(red))(mux))
//
// The request's context has the span, so that records logged with it have its
// ids. The span goes on with the trace of the headers traceparent and tracestate
// (specification, section C, rule 6), and is named by method and route pattern.
//
// The tenant comes from the header X-Tenant-ID, otherwise from the member
// tenant_id of the header baggage; see package tenant for what is valid. A header
// that isn't valid means no tenant, whatever the baggage says. The tenant is in
// the context and its baggage, in log records as tenant_id, in the span as
// tenant.id and, with [WithTenants], in the label tenant.
//
// A panic of the handler is answered by status 500 if nothing was written,
// recorded as an error of type "panic", and goes on. http.ErrAbortHandler goes on
// too; it is recorded as an error of type "aborted". The handler's ResponseWriter
// is a Flusher or a Hijacker where the server's is, and works with
// http.ResponseController.
func HTTPMiddleware(options ...HTTPOption) func(http.Handler) http.Handler {
	var c httpConfig
	for _, option := range options {
		option(&c)
	}
	return func(next http.Handler) http.Handler { return &httpHandler{config: c, next: next} }
}

type httpHandler struct {
	config httpConfig
	next   http.Handler
}

func (h *httpHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.config.skip != nil && h.config.skip(r) {
		h.next.ServeHTTP(w, r)
		return
	}
	x := exchange{config: &h.config, start: time.Now()}
	ctx := x.begin(r)
	x.request = r.WithContext(ctx)
	x.ctx = ctx
	x.writer.ResponseWriter = w
	defer x.end()
	h.next.ServeHTTP(x.writer.wrap(), x.request)
	x.returned = true
}

// An exchange is a request and its answer.
type exchange struct {
	config   *httpConfig
	request  *http.Request // as the handler got it
	ctx      context.Context
	span     trace.Span
	start    time.Time
	writer   responseWriter
	returned bool // the handler did, without a panic
}

// begin starts the span, and returns the context of the request.
func (x *exchange) begin(r *http.Request) context.Context {
	ctx := r.Context()
	var links []trace.Link
	if r.Header["Traceparent"] != nil {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(r.Header))
	}
	if x.config.ignoreParent {
		if parent := trace.SpanContextFromContext(ctx); parent.IsValid() {
			links = []trace.Link{{SpanContext: parent}}
		}
		ctx = trace.ContextWithSpanContext(ctx, trace.SpanContext{})
	} else if r.Header["Baggage"] != nil {
		ctx = propagation.Baggage{}.Extract(ctx, propagation.HeaderCarrier(r.Header))
	}
	ctx, id := requestTenant(ctx, r)
	method := knownMethod(r.Method)
	attrs := make([]attribute.KeyValue, 0, 8)
	attrs = append(attrs, attribute.String("http.request.method", method), attribute.String("url.path", r.URL.Path), attribute.String("url.scheme", scheme(r)))
	if method != r.Method {
		attrs = append(attrs, attribute.String("http.request.method_original", cut(r.Method)))
		method = "HTTP"
	}
	if id != "" {
		attrs = append(attrs, attribute.String(tenant.Attribute, id))
	}
	starting := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attrs...), trace.WithTimestamp(x.start)}
	if links != nil {
		starting = append(starting, trace.WithLinks(links...))
	}
	ctx, x.span = x.config.tracer().Start(ctx, method, starting...)
	return ctx
}

func (c *httpConfig) tracer() trace.Tracer {
	if c.provider != nil {
		return c.provider.Tracer(scope)
	}
	return tracer()
}

// requestTenant returns a context with the tenant that the request names.
func requestTenant(ctx context.Context, r *http.Request) (context.Context, string) {
	if named := r.Header[tenantHeader]; named != nil {
		if len(named) == 1 {
			if ctx, err := tenant.NewContext(ctx, named[0]); err == nil {
				return ctx, named[0]
			}
		}
		return tenant.Without(ctx), ""
	}
	if baggage.FromContext(ctx).Len() == 0 {
		return ctx, ""
	}
	id := tenant.FromBaggage(ctx)
	if id == "" {
		return tenant.Without(ctx), ""
	}
	ctx, err := tenant.NewContext(ctx, id)
	if err != nil {
		return ctx, ""
	}
	return ctx, id
}

var tenantHeader = http.CanonicalHeaderKey(tenant.Header)

func scheme(r *http.Request) string {
	if r.TLS != nil {
		return "https"
	}
	return "http"
}

// end records the exchange. It is deferred, and lets a panic go on.
func (x *exchange) end() {
	var p any
	if !x.returned {
		p = recover()
	}
	failure := x.failure(p)
	if p != nil && p != http.ErrAbortHandler && !x.writer.wrote() {
		x.writer.WriteHeader(http.StatusInternalServerError)
	}
	status := x.writer.status()
	if failure == "panic" {
		status = http.StatusInternalServerError
	}
	route := x.route()
	x.endSpan(p, route, status, failure)
	x.record(route, status, failure)
	if p != nil {
		panic(p)
	}
}

// failure returns the type of the error, "" for none.
func (x *exchange) failure(p any) string {
	switch {
	case p == http.ErrAbortHandler:
		return "aborted"
	case p != nil:
		return "panic"
	case x.writer.status() >= 500:
		return strconv.Itoa(x.writer.status())
	default:
		return ""
	}
}

// route returns the pattern of the route, without the method and the host of a
// ServeMux's pattern.
func (x *exchange) route() string {
	if x.config.route != nil {
		return x.config.route(x.request)
	}
	_, path, found := strings.Cut(x.request.Pattern, "/")
	if !found {
		return ""
	}
	return x.request.Pattern[len(x.request.Pattern)-len(path)-1:]
}

// unmatched is the endpoint of requests for which there is no route.
const unmatched = "_unmatched"

func (x *exchange) endSpan(p any, route string, status int, failure string) {
	if !x.span.IsRecording() {
		x.span.End()
		return
	}
	if route != "" {
		method := knownMethod(x.request.Method)
		if method == "_OTHER" {
			method = "HTTP"
		}
		x.span.SetName(method + " " + route)
		x.span.SetAttributes(attribute.String("http.route", route), attribute.Int("http.response.status_code", status))
	} else {
		x.span.SetAttributes(attribute.Int("http.response.status_code", status))
	}
	switch failure {
	case "":
	case "panic":
		recordPanic(x.span, p)
	default:
		x.span.SetAttributes(attribute.String("error.type", failure))
		x.span.SetStatus(codes.Error, "")
	}
	x.span.End()
}

func (x *exchange) record(route string, status int, failure string) {
	c := x.config
	took := time.Since(x.start)
	if route == "" {
		route = unmatched
	}
	if c.red != nil {
		c.red.RecordRequestContext(x.ctx, x.request.Method, route, status, took)
		if failure != "" {
			c.red.RecordErrorContext(x.ctx, x.request.Method, route, failure)
		}
	}
	if c.slo != nil {
		if failure == "" {
			c.slo.RecordSuccess()
		} else {
			c.slo.RecordFailure(failure)
		}
	}
	if c.log != nil {
		level := slog.LevelInfo
		if failure != "" {
			level = slog.LevelError
		}
		c.log.LogAttrs(x.ctx, level, "request",
			slog.String("method", knownMethod(x.request.Method)), slog.String("route", route), slog.Int("status", status),
			slog.Int64("bytes", x.writer.bytes), slog.Float64("duration_ms", float64(took.Microseconds())/1000))
	}
}
