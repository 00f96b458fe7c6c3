package observe

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/httpmethod"
	"github.com/warrenmq/warren/observe/tenant"
)

// An exchange is a request and its answer.
type exchange struct {
	config       *httpConfig
	method, path string        // as they came: handlers may change the request
	request      *http.Request // as the handler got it
	ctx          context.Context
	span         trace.Span
	own          *Observability // that made the span, nil for another provider
	start        time.Time
	writer       responseWriter
	returned     bool // the handler did, without a panic
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
	return x.startSpan(requestTenant(ctx, r), r, links)
}

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

// end records the exchange. It is deferred, and lets a panic go on.
func (x *exchange) end() {
	var p any
	if !x.returned {
		p = recover()
	}
	failure := x.failure(p)
	status := x.writer.status()
	if failure == "panic" {
		x.writer.fail()
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
	case !x.returned:
		return "goexit" // runtime.Goexit
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
		return withoutMethod(x.config.route(x.request))
	}
	_, path, found := strings.Cut(x.request.Pattern, "/")
	if !found {
		return ""
	}
	return x.request.Pattern[len(x.request.Pattern)-len(path)-1:]
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

func (x *exchange) record(route string, status int, failure string) {
	c := x.config
	took := time.Since(x.start)
	if route == "" {
		route = unmatched
	}
	if c.red != nil {
		c.red.RecordRequestContext(x.ctx, x.method, route, status, took)
		if failure != "" {
			c.red.RecordErrorContext(x.ctx, x.method, route, failure)
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
			slog.String("method", httpmethod.Known(x.method)), slog.String("route", route), slog.Int("status", status),
			slog.Int64("bytes", x.writer.bytes), slog.Float64("duration_ms", float64(took.Microseconds())/1000))
	}
}
