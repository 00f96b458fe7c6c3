package observe

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/httpmethod"
	"github.com/warrenmq/warren/observe/internal/spantext"
	"github.com/warrenmq/warren/observe/tenant"
)

// A TransportOption configures [Transport]. Of two that set the same, the later
// wins.
type TransportOption func(*transport)

// WithTenantTo sends the tenant, as the member tenant_id of the baggage, to the
// hosts for which it returns true. The host is that of the URL, with its port if
// it has one. trusted may be called by many goroutines at a time. By default the
// tenant goes nowhere: it is an identity, which other companies need not have.
func WithTenantTo(trusted func(host string) bool) TransportOption {
	return func(t *transport) { t.trusted = trusted }
}

// Transport returns a RoundTripper that wraps each request in a span of kind
// client, until its body is read or closed, and sends the trace along in the
// headers traceparent and tracestate, and the baggage without the tenant; see
// [WithTenantTo]. What the context carries takes the place of headers of these
// names; a header X-Tenant-ID is the caller's own, and goes where it sends it. The
// request isn't changed: next gets a copy. A nil next is http.DefaultTransport. It
// is safe for concurrent use where next is. The URL is recorded without its user
// and query, and an error by its type, since its text quotes the URL.
//
//	client := &http.Client{Transport: observe.Transport(nil)}
func Transport(next http.RoundTripper, options ...TransportOption) http.RoundTripper {
	return newTransport(tracer, next, options)
}

// Transport is [Transport] for o.
func (o *Observability) Transport(next http.RoundTripper, options ...TransportOption) http.RoundTripper {
	return newTransport(func() trace.Tracer { return o.tracer }, next, options)
}

func newTransport(tracer func() trace.Tracer, next http.RoundTripper, options []TransportOption) http.RoundTripper {
	if next == nil {
		next = http.DefaultTransport
	}
	t := &transport{tracer: tracer, next: next, trusted: func(string) bool { return false }}
	for _, option := range options {
		option(t)
	}
	return t
}

type transport struct {
	tracer  func() trace.Tracer
	next    http.RoundTripper
	trusted func(host string) bool
}

// RoundTrip sends the request. It isn't changed: a copy has the headers.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, span := t.start(r)
	out := r.Clone(ctx)
	t.inject(ctx, out)
	response, err := t.next.RoundTrip(out)
	if err != nil {
		recordTransportError(span, err)
		span.End()
		return response, err
	}
	span.SetAttributes(attribute.Int("http.response.status_code", response.StatusCode))
	if response.StatusCode >= 400 {
		span.SetAttributes(attribute.String("error.type", strconv.Itoa(response.StatusCode)))
		span.SetStatus(codes.Error, "")
	}
	response.Body = endWithBody(response.Body, span)
	return response, nil
}

// recordTransportError leaves the error's text out: it quotes the URL, and with
// it what its query holds.
func recordTransportError(span trace.Span, err error) {
	span.SetAttributes(attribute.String("error.type", ErrorType(err)))
	span.SetStatus(codes.Error, ErrorType(err))
}

func (t *transport) start(r *http.Request) (context.Context, trace.Span) {
	method := httpmethod.Known(r.Method)
	if r.Method == "" {
		method = http.MethodGet
	}
	attrs := []attribute.KeyValue{
		attribute.String("http.request.method", method),
		attribute.String("server.address", r.URL.Hostname()),
		attribute.Int("server.port", port(r.URL)),
		// The path and no more: the user and the query hold secrets.
		attribute.String("url.full", r.URL.Scheme+"://"+r.URL.Host+r.URL.EscapedPath()),
	}
	if method == httpmethod.Other {
		attrs = append(attrs, attribute.String("http.request.method_original", spantext.Cut(r.Method)))
		method = "HTTP"
	}
	return t.tracer().Start(r.Context(), method, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attrs...))
}

func port(u *url.URL) int {
	if n, err := strconv.Atoi(u.Port()); err == nil {
		return n
	}
	if u.Scheme == "https" {
		return 443
	}
	return 80
}

// inject sets the headers. A proxy's request has those of its caller: what is
// left of the context's baggage replaces them, also if that is nothing.
func (t *transport) inject(ctx context.Context, r *http.Request) {
	if r.Header == nil {
		r.Header = make(http.Header)
	}
	carrier := propagation.HeaderCarrier(r.Header)
	propagation.TraceContext{}.Inject(ctx, carrier)
	if baggage.FromContext(ctx).Len() > 0 {
		r.Header.Del("Baggage")
	}
	if !t.trusted(r.URL.Host) {
		ctx = tenant.Without(ctx)
	}
	propagation.Baggage{}.Inject(ctx, carrier)
}

// endWithBody ends the span when the body has been read or closed. The body of
// 101 can be written to, and its span ends at once.
func endWithBody(body io.ReadCloser, span trace.Span) io.ReadCloser {
	if _, writes := body.(io.Writer); writes || body == nil || body == http.NoBody {
		span.End()
		return body
	}
	return &spanBody{ReadCloser: body, span: span}
}

type spanBody struct {
	io.ReadCloser
	span trace.Span
	once sync.Once
}

func (b *spanBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.once.Do(func() {
			if err != io.EOF {
				recordTransportError(b.span, err)
			}
			b.span.End()
		})
	}
	return n, err
}

func (b *spanBody) Close() error {
	err := b.ReadCloser.Close()
	b.once.Do(func() { b.span.End() })
	return err
}
