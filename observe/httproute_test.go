package observe_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe"
)

func TestHTTPMiddleware_TakesServeMuxPatternsForRoutes(t *testing.T) {
	for _, test := range []struct{ pattern, path, want string }{
		{"/things/{id}", "/things/7", "GET /things/{id}"},
		{"GET /things/{id}", "/things/7", "GET /things/{id}"},
		{"GET example.com/things/{rest...}", "/things/a/b", "GET /things/{rest...}"},
		{"example.com/things/", "/things/a", "GET /things/"},
		{"GET /{$}", "/", "GET /{$}"},
		{"POST /things", "/things", "GET"},
	} {
		t.Run(test.pattern, func(t *testing.T) {
			o, receiver := traced(t)
			m := http.NewServeMux()
			m.HandleFunc(test.pattern, func(http.ResponseWriter, *http.Request) {})
			request(observe.HTTPMiddleware()(m), "GET", test.path)
			flush(t, o)
			receiver.Named(t, test.want)
		})
	}
}

func TestHTTPMiddleware_TakesTheInnerServeMuxPattern(t *testing.T) {
	inner := http.NewServeMux()
	inner.HandleFunc("GET /things/{id}", func(http.ResponseWriter, *http.Request) {})
	for _, test := range []struct {
		name    string
		mounted http.Handler
		path    string
		want    string
	}{
		{"the inner one's", inner, "/things/7", "GET /things/{id}"},
		{"the outer one's where the prefix is cut off", http.StripPrefix("/api", inner), "/api/things/7", "GET /api/"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o, receiver := traced(t)
			outer := http.NewServeMux()
			outer.Handle("/api/", test.mounted)
			outer.Handle("/things/", test.mounted)
			request(observe.HTTPMiddleware()(outer), "GET", test.path)
			flush(t, o)
			receiver.Named(t, test.want)
		})
	}
}

// withValue returns a handler that passes on another request, as authentication does.
func withValue(value any, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), routeKey{}, value)))
	})
}

type routeKey struct{}

func TestWithRoute_FindsTheRouteBehindOtherMiddleware(t *testing.T) {
	m := http.NewServeMux()
	m.HandleFunc("GET /things/{id}", func(http.ResponseWriter, *http.Request) {})
	asking := observe.WithRoute(func(r *http.Request) string {
		_, pattern := m.Handler(r)
		return pattern
	})
	o, receiver := traced(t)
	red := newRED(t)
	request(observe.HTTPMiddleware(asking, observe.WithRED(red))(withValue("ann", m)), "GET", "/things/7")
	flush(t, o)
	require.Equal(t, "/things/{id}", receiver.Named(t, "GET /things/{id}").Attributes()["http.route"])
	require.Contains(t, scrape(t, red.Handler()), `requests_total{endpoint="/things/{id}",method="GET",service="shop",status_code="200"} 1`)
}

// Routers such as chi put what they know of the route into the context of a
// request of their own, which their middleware gets, and fill it in later.
func TestWithRoute_ReadsTheRoutersOwnRequest(t *testing.T) {
	var pattern string
	routing := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		*r.Context().Value(routeKey{}).(*string) = "/things/{id}"
	})
	o, receiver := traced(t)
	inside := observe.HTTPMiddleware(observe.WithRoute(func(r *http.Request) string { return *r.Context().Value(routeKey{}).(*string) }))
	request(withValue(&pattern, inside(routing)), "GET", "/things/7")
	flush(t, o)
	receiver.Named(t, "GET /things/{id}")
}
