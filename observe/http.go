package observe

import (
	"log/slog"
	"net/http"
	"slices"
	"time"

	"go.opentelemetry.io/otel/trace"
)

// An HTTPOption configures [HTTPMiddleware]. Of two that set the same, the later
// wins. Functions that are given may be called by many goroutines at a time.
type HTTPOption func(*httpConfig)

type httpConfig struct {
	own          *Observability // nil for that of Configure
	red          *REDMetrics
	slo          *SLOTracker
	routeSLOs    map[string][]*SLOTracker // by pattern
	log          *slog.Logger
	route        func(*http.Request) string
	skip         func(*http.Request) bool
	skipPaths    []string
	provider     trace.TracerProvider
	ignoreParent bool
}

// WithRED counts requests, their durations and their errors. The endpoint is the
// route's pattern, "_unmatched" where there is none. Nil counts nothing.
func WithRED(m *REDMetrics) HTTPOption { return func(c *httpConfig) { c.red = m } }

// WithSLO counts answers below 500 as successes, others and panics as failures, and
// with slo.WithLatency those that took too long as failures of type "slow". Nil counts
// nothing.
func WithSLO(t *SLOTracker) HTTPOption { return func(c *httpConfig) { c.slo = t } }

// WithRouteSLO is WithSLO for the requests of some routes alone, by their patterns, such
// as "POST /orders", or "/orders/{id}" for all methods. It may be given several times: a
// request counts once for each tracker that its route is given, and for that of WithSLO. Nil
// counts nothing.
func WithRouteSLO(t *SLOTracker, patterns ...string) HTTPOption {
	return func(c *httpConfig) {
		if c.routeSLOs == nil {
			c.routeSLOs = make(map[string][]*SLOTracker)
		}
		for _, pattern := range patterns {
			if t != nil && !slices.Contains(c.routeSLOs[pattern], t) {
				c.routeSLOs[pattern] = append(c.routeSLOs[pattern], t)
			}
		}
	}
}

// WithAccessLog logs each request when it has been answered: method, route,
// status, bytes of the body, and duration_ms; at level error from status 500 on.
// The path isn't logged: it holds identities. Nil logs nothing.
func WithAccessLog(log *slog.Logger) HTTPOption { return func(c *httpConfig) { c.log = log } }

// WithRoute names the pattern of a request's route, for routers other than
// http.ServeMux. It is called when the request has been handled, with the request
// that the middleware has passed on; "" means that no route was found. The
// routers of chi and gorilla pass on another request than they got, so the
// middleware belongs inside of them, into their method Use:
//
//	observe.WithRoute(func(r *http.Request) string { // chi
//		return chi.RouteContext(r.Context()).RoutePattern()
//	})
//	observe.WithRoute(func(r *http.Request) string { // gorilla/mux
//		pattern, _ := mux.CurrentRoute(r).GetPathTemplate()
//		return pattern
//	})
//
// A ServeMux sets its pattern in the request that it gets. Other middleware
// between it and this, which replaces the request by r.WithContext, hides it; then
// ask the ServeMux:
//
//	observe.WithRoute(func(r *http.Request) string {
//		_, pattern := mux.Handler(r)
//		return pattern
//	})
func WithRoute(route func(*http.Request) string) HTTPOption {
	return func(c *httpConfig) { c.route = route }
}

// WithSkip leaves the requests alone for which skip returns true, as those for
// health and metrics: they have no span, and aren't counted or logged.
func WithSkip(skip func(*http.Request) bool) HTTPOption {
	return func(c *httpConfig) { c.skip = skip }
}

// WithSkipPaths is WithSkip for the requests with one of these paths: those that Prometheus
// and an orchestrator send, a span and a success every few seconds.
//
//	observe.WithSkipPaths("/metrics", "/livez", "/readyz")
//
// It goes with WithSkip.
func WithSkipPaths(paths ...string) HTTPOption {
	return func(c *httpConfig) { c.skipPaths = paths }
}

// WithTracerProvider makes spans by the provider, in place of that of [Configure].
// Nil is the default.
func WithTracerProvider(p trace.TracerProvider) HTTPOption {
	return func(c *httpConfig) { c.provider = p }
}

// WithPublicEndpoint begins a trace for each request, with a link to the trace
// that the caller sent, and takes no baggage: for callers that aren't trusted to
// decide what is sampled.
func WithPublicEndpoint() HTTPOption { return func(c *httpConfig) { c.ignoreParent = true } }

// HTTPMiddleware wraps each request in a span of kind server, in one pass with
// the tenant, metrics and the access log. Put it around the ServeMux, once: each
// one around a request counts it.
//
//	http.ListenAndServe(":8080", observe.HTTPMiddleware(observe.WithRED(red))(mux))
//
// What it returns is safe for concurrent use, and may wrap several handlers.
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
// recorded as an error of type "panic", and goes on, so that the server closes the
// connection. http.ErrAbortHandler goes on too; it is recorded as an error of type
// "aborted". The handler's ResponseWriter is a Flusher or a Hijacker where the
// server's is, and works with http.ResponseController.
func HTTPMiddleware(options ...HTTPOption) func(http.Handler) http.Handler {
	return newHTTPMiddleware(httpConfig{}, options)
}

// HTTPMiddleware is [HTTPMiddleware] for o.
func (o *Observability) HTTPMiddleware(options ...HTTPOption) func(http.Handler) http.Handler {
	return newHTTPMiddleware(httpConfig{own: o}, options)
}

func newHTTPMiddleware(c httpConfig, options []HTTPOption) func(http.Handler) http.Handler {
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
	if h.config.skip != nil && h.config.skip(r) || slices.Contains(h.config.skipPaths, r.URL.Path) {
		h.next.ServeHTTP(w, r)
		return
	}
	s := servedRequest{config: &h.config, method: r.Method, path: r.URL.Path, start: time.Now()}
	s.ctx = s.begin(r)
	s.request = r.WithContext(s.ctx)
	s.writer.ResponseWriter = w
	defer s.end()
	h.next.ServeHTTP(s.writer.wrap(), s.request)
	s.returned = true
}
