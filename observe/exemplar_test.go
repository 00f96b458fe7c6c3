package observe_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe"
)

// An exemplar has to lead to a trace that was exported, and a failed request whose
// trace was has to have one.
func TestExemplars_LeadToTracesThatAreExported(t *testing.T) {
	fail := func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }
	for _, test := range []struct {
		name    string
		config  observe.Config
		handler http.HandlerFunc
	}{
		{"sampled", observe.Config{TraceSampleRate: 1}, func(http.ResponseWriter, *http.Request) {}},
		{"not sampled", observe.Config{}, func(http.ResponseWriter, *http.Request) {}},
		{"failed", observe.Config{}, fail},
		{"failed, of which errors alone are kept", observe.Config{KeepErrors: observe.KeepErrorSpans}, fail},
		{"failed, of which nothing is kept", observe.Config{KeepErrors: observe.KeepNone}, fail},
		{"failed, which the handler says is well", observe.Config{}, func(w http.ResponseWriter, r *http.Request) {
			trace.SpanFromContext(r.Context()).SetStatus(codes.Ok, "")
			fail(w, r)
		}},
		{"failed in a part", observe.Config{}, func(_ http.ResponseWriter, r *http.Request) {
			failure := errTest
			_, span := observe.TraceSpan(r.Context(), "part")
			span.End(&failure)
			// The request goes on with a trace that is kept, as another span of it shows.
			_, other := observe.TraceSpan(r.Context(), "other")
			t.Cleanup(func() { other.End(nil) })
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			exporter := &gated{gate: make(chan struct{})}
			close(exporter.gate)
			test.config.Exporter = exporter
			o := configure(t, test.config)
			require.Equal(t, exported(t, o, exporter, test.handler) > 0, hasExemplar(t, test.handler))
		})
	}
	t.Run("without an exporter", func(t *testing.T) {
		configure(t, observe.Config{TraceSampleRate: 1})
		require.False(t, hasExemplar(t, fail))
	})
}

// exported returns how many spans of a request are exported.
func exported(t *testing.T, o *observe.Observability, exporter *gated, handler http.HandlerFunc) int {
	t.Helper()
	request(observe.HTTPMiddleware()(handler), "GET", "/")
	flush(t, o)
	return exporter.count("GET")
}

func hasExemplar(t *testing.T, handler http.HandlerFunc) bool {
	t.Helper()
	red, err := observe.NewREDMetrics("shop")
	require.NoError(t, err)
	request(observe.HTTPMiddleware(observe.WithRED(red))(handler), "GET", "/")
	return strings.Contains(request(red.Handler(), "GET", "/metrics", "Accept", "application/openmetrics-text").Body.String(), "trace_id=")
}
