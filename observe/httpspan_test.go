package observe_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/internal/otlptest"
	"github.com/warrenmq/warren/observe"
)

// answering handles a request by the function, as the route "GET /work".
func answering(handle func(ctx context.Context), options ...observe.HTTPOption) http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /work", func(_ http.ResponseWriter, r *http.Request) { handle(r.Context()) })
	return observe.HTTPMiddleware(options...)(m)
}

// A request that isn't sampled is described as one that is, wherever in its trace
// the error is.
func TestC24_RequestOfATraceWithAnErrorIsWhole(t *testing.T) {
	fail := func(ctx context.Context) {
		_, span := observe.TraceSpan(ctx, "bad")
		err := errTest
		span.End(&err)
	}
	for _, test := range []struct {
		name   string
		keep   observe.ErrorKeep
		events bool
		handle func(ctx context.Context)
		want   []string
	}{
		{"none", observe.KeepLocalTrace, false, func(ctx context.Context) {
			_, span := observe.TraceSpan(ctx, "good")
			span.End(nil)
		}, nil},
		{"in a child", observe.KeepLocalTrace, false, fail, []string{"GET /work", "bad"}},
		{"set by the handler", observe.KeepLocalTrace, false, func(ctx context.Context) {
			trace.SpanFromContext(ctx).SetStatus(codes.Error, "the handler says so")
		}, []string{"GET /work"}},
		{"set by the handler, spans alone", observe.KeepErrorSpans, false, func(ctx context.Context) {
			trace.SpanFromContext(ctx).SetStatus(codes.Error, "the handler says so")
		}, []string{"GET /work"}},
		{"an exception that counts", observe.KeepLocalTrace, true, func(ctx context.Context) {
			trace.SpanFromContext(ctx).RecordError(errTest)
		}, []string{"GET /work"}},
		{"in a child, spans alone", observe.KeepErrorSpans, false, fail, []string{"bad"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			receiver := otlptest.GRPC(t)
			o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint, KeepErrors: test.keep, KeepExceptions: test.events})
			request(answering(test.handle), "GET", "/work", "X-Tenant-ID", "acme")
			flush(t, o)

			require.Equal(t, test.want, names(receiver.Spans()))
			if slices.Contains(test.want, "GET /work") {
				require.Equal(t, map[string]any{
					"http.request.method": "GET", "http.route": "/work", "http.response.status_code": int64(200),
					"url.path": "/work", "url.scheme": "http", "tenant.id": "acme",
					"server.address": "example.com", "client.address": "192.0.2.1", "network.protocol.version": "1.1",
				}, receiver.Named(t, "GET /work").Attributes())
			}
		})
	}
}

func TestC24_FailedRequestIsKept(t *testing.T) {
	for _, test := range []struct{ path, kind string }{{"/broken", "502"}, {"/panics", "panic"}, {"/aborts", "aborted"}, {"/empty", ""}} {
		for _, keep := range []observe.ErrorKeep{observe.KeepLocalTrace, observe.KeepErrorSpans} {
			t.Run(test.path+" "+keep.String(), func(t *testing.T) {
				receiver := otlptest.GRPC(t)
				o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint, KeepErrors: keep})
				red := newRED(t)
				func() {
					defer func() { _ = recover() }() // the handler's panic goes on
					request(observe.HTTPMiddleware(observe.WithRED(red))(mux()), "GET", test.path)
				}()
				flush(t, o)
				if test.kind == "" {
					require.Empty(t, receiver.Spans())
					return
				}
				span := receiver.Named(t, "GET "+test.path)
				require.Equal(t, test.kind, span.Attributes()["error.type"])
				require.Equal(t, test.path, span.Attributes()["url.path"])
				require.Contains(t, scrape(t, red.Handler()), `errors_total{endpoint="`+test.path+`",error_type="`+test.kind+`",method="GET",service="shop"} 1`)
			})
		}
	}
}

func TestC24_ErrorAfterTheAnswerKeepsTheRequest(t *testing.T) {
	receiver := otlptest.GRPC(t)
	o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint})
	answered := make(chan struct{})
	var background sync.WaitGroup
	request(answering(func(ctx context.Context) {
		_, span := observe.TraceSpan(ctx, "background")
		background.Go(func() {
			<-answered
			err := errTest
			span.End(&err)
		})
	}), "GET", "/work")
	close(answered)
	background.Wait()
	flush(t, o)

	require.Equal(t, []string{"GET /work", "background"}, names(receiver.Spans()))
	require.Equal(t, "/work", receiver.Named(t, "GET /work").Attributes()["http.route"])
}

func TestHTTPMiddleware_RecordsSchemeAndUnknownMethod(t *testing.T) {
	o, receiver := traced(t)
	r := httptest.NewRequest("BREW", "https://example.com:8443/pot", nil)
	r.Header.Set("User-Agent", "kettle/1.0")
	observe.HTTPMiddleware()(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), r)
	flush(t, o)
	require.Equal(t, map[string]any{
		"http.request.method": "_OTHER", "http.request.method_original": "BREW", "http.response.status_code": int64(404),
		"url.path": "/pot", "url.scheme": "https", "server.address": "example.com", "server.port": int64(8443),
		"client.address": "192.0.2.1", "user_agent.original": "kettle/1.0", "network.protocol.version": "1.1",
	}, receiver.Named(t, "HTTP").Attributes())
}

// A host without a name is none, also where it has a port.
func TestHTTPMiddleware_RecordsNoHostWithoutAName(t *testing.T) {
	o, receiver := traced(t)
	r := httptest.NewRequest("GET", "/pot", nil)
	r.Host = ":8443"
	observe.HTTPMiddleware()(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), r)
	flush(t, o)
	attributes := receiver.Spans()[0].Attributes()
	require.NotContains(t, attributes, "server.address")
	require.NotContains(t, attributes, "server.port")
}

// deciding samples by an attribute.
type deciding struct{}

func (deciding) Description() string { return "by the path" }

func (deciding) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	if slices.Contains(p.Attributes, attribute.String("url.path", "/work")) {
		return sdktrace.SamplingResult{Decision: sdktrace.RecordAndSample}
	}
	return sdktrace.SamplingResult{Decision: sdktrace.Drop}
}

func TestWithTracerProvider_ShowsItsSamplerTheAttributes(t *testing.T) {
	provider := sdktrace.NewTracerProvider(sdktrace.WithSampler(deciding{}))
	t.Cleanup(func() { require.NoError(t, provider.Shutdown(context.Background())) })
	var sampled bool
	handler := answering(func(ctx context.Context) { sampled = trace.SpanContextFromContext(ctx).IsSampled() }, observe.WithTracerProvider(provider))
	request(handler, "GET", "/work")
	require.True(t, sampled)
}

func TestConfig_SamplerSeesTheAttributes(t *testing.T) {
	exporter := tracetest.NewInMemoryExporter()
	o := configure(t, observe.Config{Exporter: exporter, Sampler: deciding{}, KeepErrors: observe.KeepNone})
	handler := answering(func(context.Context) {})
	request(handler, "GET", "/work")
	request(handler, "GET", "/other")
	flush(t, o)
	spans := exporter.GetSpans()
	require.Len(t, spans, 1)
	require.Equal(t, "GET /work", spans[0].Name)
	require.Contains(t, spans[0].Attributes, attribute.Int("http.response.status_code", 200))
}

func TestHTTPMiddleware_TellsTheProtocolsVersion(t *testing.T) {
	o, receiver := traced(t)
	for _, version := range [][2]int{{1, 0}, {1, 1}, {2, 0}, {3, 0}} {
		r := httptest.NewRequest("GET", "/work", nil)
		r.ProtoMajor, r.ProtoMinor = version[0], version[1]
		observe.HTTPMiddleware()(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), r)
	}
	flush(t, o)
	var versions []any
	for _, span := range receiver.Spans() {
		versions = append(versions, span.Attributes()["network.protocol.version"])
	}
	require.Equal(t, []any{"1.0", "1.1", "2", "3"}, versions)
}

func TestHTTPMiddleware_TakesGoexitForAnError(t *testing.T) {
	o, receiver := traced(t)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		request(answering(func(context.Context) { runtime.Goexit() }), "GET", "/work")
	}()
	<-ended
	flush(t, o)
	require.Equal(t, "goexit", receiver.Named(t, "GET /work").Attributes()["error.type"])
}

func TestHTTPMiddleware_RecordsTheRequestAsItCame(t *testing.T) {
	o, receiver := traced(t)
	request(observe.HTTPMiddleware()(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		r.Method, r.URL.Path = "POST", "/elsewhere"
	})), "GET", "/work")
	flush(t, o)
	require.Equal(t, "/work", receiver.Named(t, "GET").Attributes()["url.path"])
}
