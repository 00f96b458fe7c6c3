package observe_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/baggage"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/tenant"
)

// answer is a RoundTripper that keeps the headers that it was sent.
type answer struct {
	body io.ReadCloser
	got  http.Header
}

func (a *answer) RoundTrip(r *http.Request) (*http.Response, error) {
	a.got = r.Header
	return &http.Response{StatusCode: http.StatusOK, Body: a.body, Request: r}, nil
}

func outgoing(t *testing.T, ctx context.Context, method, address string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, address, nil)
	require.NoError(t, err)
	return r
}

func TestTransport_SendsARequestWithoutHeaders(t *testing.T) {
	_, _ = traced(t)
	next := new(answer)
	r := outgoing(t, context.Background(), "GET", "http://shop/")
	r.Header = nil
	_, err := observe.Transport(next).RoundTrip(r)
	require.NoError(t, err)
	require.NotEmpty(t, next.got.Get("Traceparent"))
	require.Nil(t, r.Header)
}

func TestTransport_DescribesARequest(t *testing.T) {
	for _, test := range []struct {
		method, address, name string
		want                  map[string]any
	}{
		{"GET", "http://shop/a?b=c#d", "GET", map[string]any{
			"http.request.method": "GET", "server.address": "shop", "server.port": int64(80), "url.full": "http://shop/a",
		}},
		{"", "https://ann:secret@shop", "GET", map[string]any{
			"http.request.method": "GET", "server.address": "shop", "server.port": int64(443), "url.full": "https://shop",
		}},
		{"BREW", "http://[::1]:8080/", "HTTP", map[string]any{
			"http.request.method": "_OTHER", "http.request.method_original": "BREW",
			"server.address": "::1", "server.port": int64(8080), "url.full": "http://[::1]:8080/",
		}},
	} {
		t.Run(test.address, func(t *testing.T) {
			o, receiver := traced(t)
			r := outgoing(t, context.Background(), "GET", test.address)
			r.Method = test.method
			_, err := observe.Transport(new(answer)).RoundTrip(r)
			require.NoError(t, err)
			flush(t, o)
			test.want["http.response.status_code"] = int64(200)
			require.Equal(t, test.want, receiver.Named(t, test.name).Attributes())
		})
	}
}

// A proxy's request has the headers of its caller's.
func TestC26_ProxyKeepsTheTenantInside(t *testing.T) {
	_, _ = traced(t)
	var got http.Header
	outside := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header }))
	defer outside.Close()
	target, err := url.Parse(outside.URL)
	require.NoError(t, err)
	proxy := &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport: observe.Transport(nil),
	}
	w := request(observe.HTTPMiddleware()(proxy), "GET", "/", "Baggage", "tenant_id=acme", "Traceparent", traceparent)
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	require.Equal(t, http.StatusOK, w.Code)
	require.Empty(t, got.Values("Baggage"))
	require.NotEqual(t, traceparent, got.Get("Traceparent"))
	require.Contains(t, got.Get("Traceparent"), traceparent[:36])
}

func TestC26_RedirectToAnotherHostLeavesTheTenantBehind(t *testing.T) {
	_, _ = traced(t)
	got := make(map[string]string)
	keep := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got[r.Host] = r.Header.Get("Baggage")
			next.ServeHTTP(w, r)
		})
	}
	outside := httptest.NewServer(keep(http.NotFoundHandler()))
	defer outside.Close()
	inside := httptest.NewServer(keep(http.RedirectHandler(outside.URL, http.StatusFound)))
	defer inside.Close()
	ctx, err := tenant.NewContext(context.Background(), "acme")
	require.NoError(t, err)
	within := func(host string) bool { return host == inside.Listener.Addr().String() }
	get(ctx, t, observe.Transport(nil, observe.WithTenantTo(within)), inside.URL)
	require.Equal(t, map[string]string{inside.Listener.Addr().String(): "tenant_id=acme", outside.Listener.Addr().String(): ""}, got)
}

func TestTransport_LeavesABaggageHeaderWhereTheContextHasNone(t *testing.T) {
	_, _ = traced(t)
	next := new(answer)
	r := outgoing(t, context.Background(), "GET", "http://shop/")
	r.Header.Set("Baggage", "own=1")
	_, err := observe.Transport(next).RoundTrip(r)
	require.NoError(t, err)
	require.Equal(t, "own=1", next.got.Get("Baggage"))
	require.Zero(t, baggage.FromContext(r.Context()).Len())
}

// torn is a body that breaks off, and says whether it was closed.
type torn struct {
	io.Reader
	closed bool
}

func (b *torn) Close() error {
	b.closed = true
	return nil
}

func TestTransport_EndsTheSpanWithTheBody(t *testing.T) {
	for _, test := range []struct {
		name    string
		body    io.Reader
		use     func(t *testing.T, body io.ReadCloser)
		failure any
	}{
		{"read", strings.NewReader("a"), func(t *testing.T, body io.ReadCloser) {
			_, err := io.ReadAll(body)
			require.NoError(t, err)
		}, nil},
		{"closed", strings.NewReader("a"), func(t *testing.T, body io.ReadCloser) { require.NoError(t, body.Close()) }, nil},
		{"broken off", io.MultiReader(strings.NewReader("a"), iotest.ErrReader(errTest)), func(t *testing.T, body io.ReadCloser) {
			_, err := io.ReadAll(body)
			require.ErrorIs(t, err, errTest)
		}, "*errors.errorString"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o, receiver := traced(t)
			body := &torn{Reader: test.body}
			response, err := observe.Transport(&answer{body: body}).RoundTrip(outgoing(t, context.Background(), "GET", "http://shop/"))
			require.NoError(t, err)
			flush(t, o)
			require.Empty(t, receiver.Spans(), "it isn't over yet")
			test.use(t, response.Body)
			require.NoError(t, response.Body.Close())
			require.True(t, body.closed)
			flush(t, o)
			require.Equal(t, test.failure, receiver.Named(t, "GET").Attributes()["error.type"])
			require.Equal(t, test.failure != nil, receiver.Named(t, "GET").Failed())
		})
	}
}

// conn is the body of an answer of 101.
type conn struct{ torn }

func (*conn) Write(p []byte) (int, error) { return len(p), nil }

func TestTransport_EndsTheSpanAtOnceWithoutABody(t *testing.T) {
	for name, body := range map[string]io.ReadCloser{"none": nil, "an empty one": http.NoBody, "a connection": new(conn)} {
		t.Run(name, func(t *testing.T) {
			o, receiver := traced(t)
			response, err := observe.Transport(&answer{body: body}).RoundTrip(outgoing(t, context.Background(), "GET", "http://shop/"))
			require.NoError(t, err)
			require.Equal(t, body, response.Body, "it can be written to where it could")
			flush(t, o)
			receiver.Named(t, "GET")
		})
	}
}
