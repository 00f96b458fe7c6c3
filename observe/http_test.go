package observe_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/baggage"
	tracev1 "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/tenant"
)

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

// request sends a request with headers in pairs through the handler.
func request(handler http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

// mux has a route for each thing that a handler may do.
func mux() *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) {
		observe.Logger("users").InfoContext(r.Context(), "found")
		w.WriteHeader(http.StatusAccepted)
	})
	m.HandleFunc("GET /empty", func(http.ResponseWriter, *http.Request) {})
	m.HandleFunc("GET /broken", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusBadGateway) })
	m.HandleFunc("GET /panics", func(http.ResponseWriter, *http.Request) { panic("boom") })
	m.HandleFunc("GET /aborts", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	return m
}

func TestC15_EachRequestIsASpanWhoseIDsAreInRecords(t *testing.T) {
	var out bytes.Buffer
	o, receiver := traced(t)
	setLog(t, &out)
	handler := observe.HTTPMiddleware()(mux())
	request(handler, "GET", "/users/7")
	flush(t, o)

	span := receiver.Named(t, "GET /users/{id}")
	require.Equal(t, tracev1.Span_SPAN_KIND_SERVER, span.Kind)
	require.Equal(t, map[string]any{
		"http.request.method": "GET", "http.route": "/users/{id}", "http.response.status_code": int64(202),
		"url.path": "/users/7", "url.scheme": "http", "server.address": "example.com", "client.address": "192.0.2.1", "network.protocol.version": "1.1",
	}, span.Attributes())
	require.Contains(t, out.String(), `"trace_id":"`+span.Trace()+`","span_id":"`+span.ID()+`"`)
}

func TestC25_TraceOfTheHeadersGoesOn(t *testing.T) {
	o, receiver := traced(t)
	var sent http.Header
	outside := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { sent = r.Header }))
	defer outside.Close()
	handler := observe.HTTPMiddleware()(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		get(r.Context(), t, observe.Transport(http.DefaultTransport), outside.URL)
	}))
	request(handler, "GET", "/", "Traceparent", traceparent, "Tracestate", "vendor=1", "Tracestate", "other=2")
	flush(t, o)

	server, client := receiver.Spans()[1], receiver.Spans()[0]
	require.Equal(t, "4bf92f3577b34da6a3ce929d0e0e4736", server.Trace())
	require.Equal(t, "00f067aa0ba902b7", server.Parent())
	require.Equal(t, server.ID(), client.Parent())
	require.Equal(t, "00-4bf92f3577b34da6a3ce929d0e0e4736-"+client.ID()+"-01", sent.Get("traceparent"))
	require.Equal(t, "vendor=1,other=2", sent.Get("tracestate"))
	require.Equal(t, "vendor=1,other=2", server.TraceState)
}

func TestHTTPMiddleware_TakesTwoTraceparentsForNone(t *testing.T) {
	o, receiver := traced(t)
	request(observe.HTTPMiddleware()(http.NotFoundHandler()), "GET", "/", "Traceparent", traceparent, "Traceparent", traceparent)
	flush(t, o)
	require.Empty(t, receiver.Spans()[0].Parent())
}

func TestC25_UnsampledTraceSaysSo(t *testing.T) {
	configure(t, observe.Config{OTLPEndpoint: "localhost:1"})
	var sent http.Header
	outside := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { sent = r.Header }))
	defer outside.Close()
	get(context.Background(), t, observe.Transport(nil), outside.URL)
	require.Regexp(t, `^00-[0-9a-f]{32}-[0-9a-f]{16}-00$`, sent.Get("traceparent"))
}

func get(ctx context.Context, t *testing.T, transport http.RoundTripper, url string) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	require.NoError(t, err)
	client := &http.Client{Transport: transport}
	response, err := client.Do(r)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	client.CloseIdleConnections()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}

func TestC26_TenantIsInContextBaggageSpanRecordAndMetric(t *testing.T) {
	var out bytes.Buffer
	o, receiver := traced(t)
	setLog(t, &out)
	red := newRED(t, observe.WithTenants())
	var inside string
	handler := observe.HTTPMiddleware(observe.WithRED(red))(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		inside = baggage.FromContext(r.Context()).Member("tenant_id").Value()
		require.Equal(t, "acme", tenant.FromContext(r.Context()))
		observe.Logger("").InfoContext(r.Context(), "in")
		_, child := observe.TraceSpan(r.Context(), "child")
		child.End(nil)
	}))
	request(handler, "GET", "/", "X-Tenant-ID", "acme")
	flush(t, o)

	require.Equal(t, "acme", inside)
	require.Contains(t, out.String(), `"tenant_id":"acme"`)
	require.Equal(t, "acme", receiver.Named(t, "GET").Attributes()["tenant.id"])
	require.Equal(t, "acme", receiver.Named(t, "child").Attributes()["tenant.id"])
	require.Contains(t, scrape(t, red.Handler()), `requests_total{endpoint="_unmatched",method="GET",service="shop",status_code="200",tenant="acme"} 1`)
}

func TestC26_TenantComesFromHeaderOrBaggage(t *testing.T) {
	for _, test := range []struct {
		name    string
		headers []string
		want    string
	}{
		{"none", nil, ""},
		{"of the header", []string{"X-Tenant-ID", "acme"}, "acme"},
		{"of the baggage", []string{"Baggage", "tenant_id=acme,other=1"}, "acme"},
		{"the header over the baggage", []string{"X-Tenant-ID", "acme", "Baggage", "tenant_id=evil"}, "acme"},
		{"a header that isn't valid is none", []string{"X-Tenant-ID", "a b", "Baggage", "tenant_id=acme"}, ""},
		{"two headers are none", []string{"X-Tenant-ID", "a", "X-Tenant-ID", "b"}, ""},
		{"an empty header is none", []string{"X-Tenant-ID", "", "Baggage", "tenant_id=acme"}, ""},
		{"one that is too long is none", []string{"X-Tenant-ID", strings.Repeat("x", 65)}, ""},
		{"baggage that isn't valid is none", []string{"Baggage", "tenant_id=a%20b"}, ""},
		{"baggage that can't be read is none", []string{"Baggage", ";;;"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got, inBaggage string
			handler := observe.HTTPMiddleware()(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				got = tenant.FromContext(r.Context())
				inBaggage = baggage.FromContext(r.Context()).Member("tenant_id").Value()
			}))
			request(handler, "GET", "/", test.headers...)
			require.Equal(t, test.want, got)
			require.Equal(t, test.want, inBaggage)
		})
	}
}

func TestC26_TenantStaysInsideByDefault(t *testing.T) {
	var sent http.Header
	outside := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { sent = r.Header }))
	defer outside.Close()
	member, err := baggage.NewMember("a", "1")
	require.NoError(t, err)
	bag, err := baggage.New(member)
	require.NoError(t, err)
	ctx, err := tenant.NewContext(baggage.ContextWithBaggage(context.Background(), bag), "acme")
	require.NoError(t, err)

	get(ctx, t, observe.Transport(nil), outside.URL)
	require.Equal(t, "a=1", sent.Get("Baggage"))
	require.Empty(t, sent.Get("X-Tenant-ID"))

	get(ctx, t, observe.Transport(nil, observe.WithTenantTo(func(host string) bool { return "http://"+host == outside.URL })), outside.URL)
	require.Contains(t, sent.Get("Baggage"), "tenant_id=acme")
}

func TestHTTPMiddleware_RecordsAnAnswer(t *testing.T) {
	for _, test := range []struct {
		method, path string
		span         string
		failed       bool
		metrics      []string
	}{
		{"GET", "/users/7", "GET /users/{id}", false, []string{`requests_total{endpoint="/users/{id}",method="GET",service="shop",status_code="202"} 1`}},
		{"GET", "/empty", "GET /empty", false, []string{`requests_total{endpoint="/empty",method="GET",service="shop",status_code="200"} 1`}},
		{"GET", "/none", "GET", false, []string{`requests_total{endpoint="_unmatched",method="GET",service="shop",status_code="404"} 1`}},
		{"BREW", "/none", "HTTP", false, []string{`requests_total{endpoint="_unmatched",method="_OTHER",service="shop",status_code="404"} 1`}},
		{"GET", "/broken", "GET /broken", true, []string{
			`requests_total{endpoint="/broken",method="GET",service="shop",status_code="502"} 1`,
			`errors_total{endpoint="/broken",error_type="502",method="GET",service="shop"} 1`,
		}},
	} {
		t.Run(test.method+test.path, func(t *testing.T) {
			o, receiver := traced(t)
			red := newRED(t)
			request(observe.HTTPMiddleware(observe.WithRED(red))(mux()), test.method, test.path)
			flush(t, o)
			require.Equal(t, test.failed, receiver.Named(t, test.span).Failed())
			text := scrape(t, red.Handler())
			for _, line := range test.metrics {
				require.Contains(t, text, line)
			}
		})
	}
}

func TestHTTPMiddleware_AnswersAPanicWith500AndPanicsOn(t *testing.T) {
	o, receiver := traced(t)
	red := newRED(t)
	slo := newSLO(t, 0.9)
	handler := observe.HTTPMiddleware(observe.WithRED(red), observe.WithSLO(slo))(mux())
	w := httptest.NewRecorder()
	require.PanicsWithValue(t, "boom", func() { handler.ServeHTTP(w, httptest.NewRequest("GET", "/panics", nil)) })
	flush(t, o)

	require.Equal(t, 500, w.Code)
	span := receiver.Named(t, "GET /panics")
	require.True(t, span.Failed())
	require.Equal(t, int64(500), span.Attributes()["http.response.status_code"])
	require.Contains(t, scrape(t, red.Handler()), `errors_total{endpoint="/panics",error_type="panic",method="GET",service="shop"} 1`)
	require.EqualValues(t, 1, slo.Report().Failures)
}

func TestHTTPMiddleware_TakesStatusesFrom500OnForErrors(t *testing.T) {
	o, receiver := traced(t)
	for status, failure := range map[int]any{499: nil, 500: "500", 501: "501"} {
		handler := observe.HTTPMiddleware()(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		method := map[int]string{499: "GET", 500: "PUT", 501: "POST"}[status]
		request(handler, method, "/")
		flush(t, o)
		span := receiver.Named(t, method)
		require.Equal(t, failure, span.Attributes()["error.type"], status)
		require.Equal(t, failure != nil, span.Failed(), status)
	}
}

func TestHTTPMiddleware_AnswersNoAbort(t *testing.T) {
	o, receiver := traced(t)
	w := httptest.NewRecorder()
	require.PanicsWithValue(t, http.ErrAbortHandler, func() {
		observe.HTTPMiddleware()(mux()).ServeHTTP(w, httptest.NewRequest("GET", "/aborts", nil))
	})
	flush(t, o)
	require.Equal(t, "aborted", receiver.Named(t, "GET /aborts").Attributes()["error.type"])
}

func TestWithAccessLog(t *testing.T) {
	var out bytes.Buffer
	handler := observe.HTTPMiddleware(observe.WithAccessLog(slog.New(observe.NewHandler(&out, nil))))(mux())
	request(handler, "GET", "/users/secret-person")
	request(handler, "GET", "/broken")

	lines := strings.Split(out.String(), "\n")
	require.Regexp(t, `"level":"info".*"method":"GET","route":"/users/\{id\}","status":202,"bytes":0,"duration_ms":[0-9.]+\}$`, lines[0])
	require.Regexp(t, `"level":"error".*"route":"/broken","status":502,"bytes":3,`, lines[1])
	require.NotContains(t, out.String(), "secret-person")
}

func TestWithRoute_NamesTheRouteOfAnotherRouter(t *testing.T) {
	o, receiver := traced(t)
	route := observe.WithRoute(func(r *http.Request) string { return "/pattern-of" + r.URL.Path })
	request(observe.HTTPMiddleware(route)(http.NotFoundHandler()), "GET", "/x")
	flush(t, o)
	receiver.Named(t, "GET /pattern-of/x")
}

func TestWithSkip_LeavesRequestsAlone(t *testing.T) {
	o, receiver := traced(t)
	skip := observe.WithSkip(func(r *http.Request) bool { return r.URL.Path == "/empty" })
	require.Equal(t, 200, request(observe.HTTPMiddleware(skip)(mux()), "GET", "/empty").Code)
	flush(t, o)
	require.Empty(t, receiver.Spans())
}

func TestWithSkipPaths_LeavesRequestsAlone(t *testing.T) {
	o, receiver := traced(t)
	red, slo := newRED(t), newSLO(t, 0.9)
	handler := observe.HTTPMiddleware(observe.WithRED(red), observe.WithSLO(slo), observe.WithSkipPaths("/metrics", "/empty"))(mux())
	for _, path := range []string{"/empty", "/metrics", "/users/7"} {
		request(handler, "GET", path)
	}
	flush(t, o)
	require.Len(t, receiver.Spans(), 1)
	require.EqualValues(t, 1, slo.Report().Total)
	require.NotContains(t, scrape(t, red.Handler()), `endpoint="/empty"`)
}

func TestWithRouteSLO_CountsTheRequestsOfItsRoutes(t *testing.T) {
	all, users, either := newSLO(t, 0.9), newSLO(t, 0.9), newSLO(t, 0.9)
	handler := observe.HTTPMiddleware(observe.WithSLO(all), observe.WithRouteSLO(users, "GET /users/{id}"),
		observe.WithRouteSLO(either, "/users/{id}", "GET /broken", "GET /users/{id}", "/users/{id}"), observe.WithRouteSLO(nil, "/users/{id}"))(mux())
	for _, path := range []string{"/users/7", "/users/8", "/broken", "/empty", "/none"} {
		request(handler, "GET", path)
	}
	request(handler, "PUT", "/users/7")
	for _, test := range []struct {
		tracker         *observe.SLOTracker
		total, failures uint64
	}{{all, 6, 1}, {users, 2, 0}, {either, 3, 1}} {
		report := test.tracker.Report()
		require.Equal(t, []uint64{test.total, test.failures}, []uint64{report.Total, report.Failures})
	}
}

// A request that takes too long fails an objective of latency, and meets others.
func TestWithSLO_CountsSlowRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast, err := observe.NewSLOTracker("fast", 0.9, observe.WithLatency(300*time.Millisecond))
		require.NoError(t, err)
		all := newSLO(t, 0.9)
		handler := observe.HTTPMiddleware(observe.WithSLO(fast), observe.WithRouteSLO(all, "/work"))(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			r.Pattern = "/work"
			took, _ := time.ParseDuration(r.URL.Query().Get("took"))
			time.Sleep(took)
		}))
		for _, took := range []string{"0ms", "300ms", "301ms"} {
			request(handler, "GET", "/work?took="+took)
		}
		require.EqualValues(t, 3, fast.Report().Total)
		require.Equal(t, map[string]uint64{"slow": 1}, fast.Report().Errors)
		require.Zero(t, all.Report().Failures)
	})
}

func TestWithPublicEndpoint_LinksToTheCallersTrace(t *testing.T) {
	o, receiver := traced(t)
	var bag string
	handler := observe.HTTPMiddleware(observe.WithPublicEndpoint())(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		bag = baggage.FromContext(r.Context()).String()
	}))
	request(handler, "GET", "/", "Traceparent", traceparent, "Baggage", "tenant_id=evil")
	flush(t, o)
	span := receiver.Named(t, "GET")
	require.NotEqual(t, "4bf92f3577b34da6a3ce929d0e0e4736", span.Trace())
	require.Len(t, span.Links, 1)
	require.Empty(t, bag)
}

func TestHTTPMiddleware_ReplacesInvalidUTF8InThePath(t *testing.T) {
	o, receiver := traced(t)
	request(observe.HTTPMiddleware()(mux()), "GET", "/%ff")
	flush(t, o)
	require.Equal(t, "/\ufffd", receiver.Named(t, "GET").Attributes()["url.path"])
}

// Writers with and without what a server's writer can do.
type (
	bare     struct{ http.ResponseWriter }
	flusher  struct{ bare }
	hijacker struct{ bare }
	both     struct {
		flusher
		h hijacker
	}
)

func (flusher) Flush() {}
func (hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return nil, nil, errors.New("not here")
}
func (b both) Hijack() (net.Conn, *bufio.ReadWriter, error) { return b.h.Hijack() }

func TestResponseWriter_ImplementsWhatTheServersDoes(t *testing.T) {
	w := bare{httptest.NewRecorder()}
	for _, test := range []struct {
		name            string
		writer          http.ResponseWriter
		flushes, hijack bool
	}{
		{"nothing", w, false, false},
		{"flush", flusher{w}, true, false},
		{"hijack", hijacker{w}, false, true},
		{"both", both{flusher{w}, hijacker{w}}, true, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			observe.HTTPMiddleware()(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, flushes := w.(http.Flusher)
				_, hijacks := w.(http.Hijacker)
				require.Equal(t, [2]bool{test.flushes, test.hijack}, [2]bool{flushes, hijacks})
			})).ServeHTTP(test.writer, httptest.NewRequest("GET", "/", nil))
		})
	}
}

func TestResponseWriter_FlushesAndHijacks(t *testing.T) {
	o, receiver := traced(t)
	m := http.NewServeMux()
	m.HandleFunc("/hijack", func(w http.ResponseWriter, _ *http.Request) {
		conn, rw, err := w.(http.Hijacker).Hijack()
		require.NoError(t, err)
		_, _ = rw.WriteString("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
		_ = rw.Flush()
		_ = conn.Close()
	})
	m.HandleFunc("/flush", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "a")
		w.(http.Flusher).Flush()
		require.NoError(t, http.NewResponseController(w).Flush())
		require.NoError(t, http.NewResponseController(w).EnableFullDuplex())
		_, _ = io.Copy(w, strings.NewReader("b"))
	})
	handler, handled := observe.HTTPMiddleware()(m), make(chan struct{}, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r)
		handled <- struct{}{} // the server doesn't wait for connections that were taken from it
	}))
	defer server.Close()
	for _, path := range []string{"/flush", "/hijack"} {
		get(context.Background(), t, http.DefaultTransport, server.URL+path)
		<-handled
	}
	flush(t, o)
	require.Equal(t, int64(200), receiver.Named(t, "GET /flush").Attributes()["http.response.status_code"])
	require.Equal(t, int64(101), receiver.Named(t, "GET /hijack").Attributes()["http.response.status_code"])
}

func TestTransport_RecordsStatusAndFailure(t *testing.T) {
	o, receiver := traced(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "no", http.StatusTeapot)
	}))
	get(context.Background(), t, observe.Transport(nil), server.URL+"/path?password=hunter2")
	server.Close()
	client := &http.Client{Transport: observe.Transport(nil)}
	_, err := client.Get(server.URL + "/gone?password=hunter2")
	require.Error(t, err)
	flush(t, o)

	spans := receiver.Spans()
	require.Len(t, spans, 2)
	require.Equal(t, tracev1.Span_SPAN_KIND_CLIENT, spans[0].Kind)
	require.Equal(t, int64(418), spans[0].Attributes()["http.response.status_code"])
	require.Equal(t, server.URL+"/path", spans[0].Attributes()["url.full"])
	require.True(t, spans[0].Failed())
	require.True(t, spans[1].Failed())
	text, err := json.Marshal(spans)
	require.NoError(t, err)
	require.NotContains(t, string(text), "hunter2")
}

func TestTransport_LeavesTheRequestUnchanged(t *testing.T) {
	_, _ = traced(t)
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, server.URL, nil)
	require.NoError(t, err)
	response, err := observe.Transport(nil).RoundTrip(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Empty(t, r.Header)
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}
