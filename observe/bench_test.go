package observe_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/internal/cputime"
	"github.com/warrenmq/warren/observe/red"
	"github.com/warrenmq/warren/observe/redact"
)

// BenchmarkREDRecord is one request, beside a counter and a histogram of the
// same kind that are looked up already.
func BenchmarkREDRecord(b *testing.B) {
	m := newRED(b)
	endpoint := m.Endpoint("GET", "/users/{id}")
	counter := prometheus.NewCounter(prometheus.CounterOpts{Name: "c"})
	histogram := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "h", Buckets: red.DefaultBuckets(), NativeHistogramBucketFactor: 1.1, NativeHistogramMaxBucketNumber: 160,
	})
	record := func() { m.RecordRequest("GET", "/users/{id}", 200, 12*time.Millisecond) }
	times := cputime.Compare(b, []cputime.Candidate{
		{Name: "own", Run: record},
		{Name: "endpoint", Run: func() { endpoint.RecordRequest(200, 12*time.Millisecond) }},
		{Name: "bare", Run: func() {
			counter.Inc()
			histogram.Observe(0.012)
		}},
	})
	b.ReportMetric(times["own"], "ns/record")
	b.ReportMetric(times["own"]/times["bare"], "x-bare")
	b.ReportMetric(times["endpoint"]/times["bare"], "endpoint-x-bare")
	b.ReportMetric(testing.AllocsPerRun(1000, record), "allocs/record")
}

// BenchmarkSLORecord is one success, beside the call of time.Now that it needs.
func BenchmarkSLORecord(b *testing.B) {
	tracker := newSLO(b, 0.999)
	times := cputime.Compare(b, []cputime.Candidate{
		{Name: "own", Run: tracker.RecordSuccess},
		{Name: "now", Run: func() { _ = time.Now() }},
		{Name: "report", Run: func() { tracker.Report() }},
	})
	b.ReportMetric(times["own"], "ns/record")
	b.ReportMetric(times["own"]/times["now"], "x-now")
	b.ReportMetric(times["report"], "ns/report")
	b.ReportMetric(testing.AllocsPerRun(1000, tracker.RecordSuccess), "allocs/record")
}

// BenchmarkHTTPMiddleware is a request with span, tenant and RED, beside
// otelhttp's span and metrics alone; both without the cost of the mux. All
// traces are sampled, then none. The last has redaction, objectives and the metrics of the
// semantic conventions too.
func BenchmarkHTTPMiddleware(b *testing.B) {
	redactor, err := redact.New(redact.Config{})
	require.NoError(b, err)
	fast, err := observe.NewSLOTracker("fast", 0.99, observe.WithLatency(300*time.Millisecond))
	require.NoError(b, err)
	for _, test := range []struct {
		name    string
		config  observe.Config
		red     []red.Option
		options []observe.HTTPOption
	}{
		{"sampled", observe.Config{TraceSampleRate: 1}, nil, nil},
		{"dropped", observe.Config{KeepErrors: observe.KeepNone}, nil, nil},
		{"errors kept", observe.Config{}, nil, nil},
		{
			"everything",
			observe.Config{TraceSampleRate: 1, Redact: redactor},
			[]red.Option{red.WithConventions(), red.WithRedactor(redactor)},
			[]observe.HTTPOption{observe.WithSLO(newSLO(b, 0.999)), observe.WithRouteSLO(fast, "GET /users/{id}"), observe.WithSkipPaths("/metrics", "/livez", "/readyz")},
		},
	} {
		b.Run(test.name, func(b *testing.B) {
			metrics := newRED(b, append(test.red, observe.WithTenants())...)
			benchmarkHTTP(b, test.config, observe.HTTPMiddleware(append(test.options, observe.WithRED(metrics))...))
		})
	}
}

// discarding exports nowhere.
type discarding struct{}

func (discarding) ExportSpans(context.Context, []sdktrace.ReadOnlySpan) error { return nil }
func (discarding) Shutdown(context.Context) error                             { return nil }

func benchmarkHTTP(b *testing.B, config observe.Config, middleware func(http.Handler) http.Handler) {
	config.Exporter = discarding{}
	configure(b, config)
	sampler := sdktrace.ParentBased(sdktrace.TraceIDRatioBased(config.TraceSampleRate))
	theirs := sdktrace.NewTracerProvider(sdktrace.WithBatcher(discarding{}), sdktrace.WithSampler(sampler))
	b.Cleanup(func() { require.NoError(b, theirs.Shutdown(context.Background())) })
	routes := http.NewServeMux()
	routes.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	own := middleware(routes)
	other := otelhttp.NewHandler(routes, "server", otelhttp.WithTracerProvider(theirs), otelhttp.WithPropagators(propagation.TraceContext{}))
	r := httptest.NewRequest("GET", "/users/7", nil)
	r.Header.Set("X-Tenant-ID", "acme")
	serve := func(h http.Handler) func() {
		w := httptest.NewRecorder()
		return func() { h.ServeHTTP(w, r) }
	}
	times := cputime.Compare(b, []cputime.Candidate{
		{Name: "own", Run: serve(own)}, {Name: "otelhttp", Run: serve(other)}, {Name: "mux", Run: serve(routes)},
	})
	b.ReportMetric(times["own"]-times["mux"], "ns/request")
	b.ReportMetric((times["own"]-times["mux"])/(times["otelhttp"]-times["mux"]), "x-otelhttp")
}
