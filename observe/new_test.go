package observe_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/warrenmq/warren/internal/otlptest"
	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/redact"
	"github.com/warrenmq/warren/observe/tenant"
)

// newObservability returns one that isn't the process's, with its log.
func newObservability(t *testing.T, c observe.Config) (*observe.Observability, *bytes.Buffer) {
	t.Helper()
	out := new(bytes.Buffer)
	c.LogWriter = out
	o, err := observe.New(context.Background(), c)
	require.NoError(t, err)
	t.Cleanup(func() { shutdown(t, o) })
	return o, out
}

// Services in one process, at the same time: each has its own spans, records, metrics and
// rate, and the process has none of them.
func TestNew_WorksBesideOthers(t *testing.T) {
	provider := otel.GetTracerProvider()
	for _, name := range []string{"shop", "depot", "bank"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			exporter := tracetest.NewInMemoryExporter()
			o, out := newObservability(t, observe.Config{ServiceName: name, TraceSampleRate: 1, Exporter: exporter})
			red, err := o.NewREDMetrics()
			require.NoError(t, err)
			server := httptest.NewServer(o.HTTPMiddleware(observe.WithRED(red))(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				ctx, span := o.TraceSpan(r.Context(), "work")
				defer span.End(nil)
				o.Logger("log").InfoContext(ctx, "worked", "in", observe.TraceContext(ctx)["trace_id"])
			})))
			defer server.Close()
			client := &http.Client{Transport: o.Transport(nil)}
			for range 3 {
				response, err := client.Get(server.URL)
				require.NoError(t, err)
				_, err = io.Copy(io.Discard, response.Body)
				require.NoError(t, err)
				require.NoError(t, response.Body.Close())
			}
			server.Close()
			flush(t, o)
			traces := map[string]int{}
			for _, span := range exporter.GetSpans() {
				traces[span.SpanContext.TraceID().String()]++
				require.Contains(t, span.Resource.String(), "service.name="+name)
			}
			require.Len(t, traces, 3)
			for id, spans := range traces {
				require.Equal(t, 3, spans, "client, server and the work within")
				require.Contains(t, out.String(), fmt.Sprintf(`"service":%q,"trace_id":%q`, name, id))
			}
			require.Contains(t, scrape(t, o.MetricsHandler()), `requests_total{endpoint="_unmatched",method="GET",service="`+name+`",status_code="200"} 3`)
			require.NoError(t, o.Diagnose(context.Background()))
			require.False(t, observe.TraceCorrelationAvailable(), "the process has no tracing of its own")
		})
	}
	require.Equal(t, provider, otel.GetTracerProvider())
}

// The error handler of the program is in place again after Shutdown, and so are its provider
// and propagator; but what somebody has set meanwhile stays.
func TestShutdown_RestoresWhatWasThere(t *testing.T) {
	provider, propagator := otel.GetTracerProvider(), otel.GetTextMapPropagator()
	handler := otel.GetErrorHandler()
	defer func() {
		otel.SetTracerProvider(provider)
		otel.SetTextMapPropagator(propagator)
		otel.SetErrorHandler(handler)
	}()
	var seen []error
	own := otel.ErrorHandlerFunc(func(err error) { seen = append(seen, err) })
	ownProvider, ownPropagator := sdktrace.NewTracerProvider(), &propagation.Baggage{}
	otel.SetTracerProvider(ownProvider)
	otel.SetTextMapPropagator(ownPropagator)
	otel.SetErrorHandler(own)

	var out bytes.Buffer
	o, err := observe.Configure(context.Background(), observe.Config{LogWriter: &out})
	require.NoError(t, err)
	during := otel.GetErrorHandler()
	otel.Handle(errTest)
	require.Empty(t, seen)
	require.Contains(t, out.String(), `"error":"failed"`)
	shutdown(t, o)
	otel.Handle(errTest)
	during.Handle(errTest) // others may keep it
	require.Len(t, seen, 2)
	require.Same(t, ownProvider, otel.GetTracerProvider())
	require.Same(t, ownPropagator, otel.GetTextMapPropagator())

	o, err = observe.Configure(context.Background(), observe.Config{LogWriter: &out})
	require.NoError(t, err)
	other := sdktrace.NewTracerProvider()
	otel.SetTracerProvider(other)
	shutdown(t, o)
	require.Same(t, other, otel.GetTracerProvider())
}

// In a process of its own the error handler is OpenTelemetry's, which prints.
func TestShutdown_RestoresOpenTelemetrysErrorHandler(t *testing.T) {
	if os.Getenv("OBSERVE_TEST_PROCESS") == "" {
		command := exec.Command(os.Args[0], "-test.v", "-test.run=^TestShutdown_RestoresOpenTelemetrysErrorHandler$")
		command.Env = append(os.Environ(), "OBSERVE_TEST_PROCESS=1")
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "--- PASS: TestShutdown_RestoresOpenTelemetrysErrorHandler")
		return
	}
	before := otel.GetErrorHandler()
	for range 2 {
		o, err := observe.Configure(context.Background(), observe.Config{LogWriter: io.Discard})
		require.NoError(t, err)
		shutdown(t, o)
		require.Same(t, before, otel.GetErrorHandler())
		var out bytes.Buffer
		log.SetOutput(&out)
		otel.Handle(errTest)
		log.SetOutput(os.Stderr)
		require.Contains(t, out.String(), "failed")
	}
}

// One handler has the metrics of the whole service, also those that come after it was made.
func TestMetricsHandler_ServesTheWholeService(t *testing.T) {
	t.Parallel()
	receiver := otlptest.GRPC(t)
	o, _ := newObservability(t, observe.Config{ServiceName: "shop", OTLPEndpoint: receiver.Endpoint, ErrorTraceRate: -1})
	handler := o.MetricsHandler()
	red, err := o.NewREDMetrics()
	require.NoError(t, err)
	tracker, err := o.NewSLOTracker("orders", 0.999)
	require.NoError(t, err)
	require.NoError(t, o.Register(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "own_total", Help: "Own."}, func() float64 { return 7 })))
	red.RecordRequest("GET", "/", 200, 0)
	tracker.RecordSuccess()
	_, span := o.TraceSpan(context.Background(), "fails")
	failure := errTest
	span.End(&failure)
	flush(t, o)
	text := scrape(t, handler)
	for _, line := range []string{
		`requests_total{endpoint="/",method="GET",service="shop",status_code="200"} 1`, `slo_requests_total{name="orders",service="shop"} 1`, `own_total 7`,
		`telemetry_exported_spans_total 1`, `telemetry_failed_exports_total 0`, `telemetry_limited_error_traces_total 0`,
		`telemetry_dropped_spans_total{queue="errors"} 0`, `telemetry_dropped_spans_total{queue="sampled"} 0`,
		`telemetry_spans_decided_alone_total 0`, `go_goroutines`, `process_cpu_seconds_total`,
	} {
		require.Contains(t, text, "\n"+line)
	}

	_, err = o.NewREDMetrics()
	require.ErrorContains(t, err, "register metrics")
	_, err = o.NewSLOTracker("orders", 0.999)
	require.ErrorContains(t, err, "register metrics")
	_, err = o.NewSLOTracker("others", 0.999)
	require.NoError(t, err)
	_, err = o.NewSLOTracker("", 0.999)
	require.Error(t, err)
	_, err = o.NewREDMetrics(observe.WithNamespace("1"))
	require.Error(t, err)
}

// A storm of errors is kept in part, and the rest is counted.
func TestErrorTraceRate_BoundsAStorm(t *testing.T) {
	t.Parallel()
	exporter := tracetest.NewInMemoryExporter()
	o, _ := newObservability(t, observe.Config{Exporter: exporter, ErrorTraceRate: 1})
	for range 1000 {
		_, span := o.TraceSpan(context.Background(), "fails")
		failure := errTest
		span.End(&failure)
	}
	flush(t, o)
	kept := uint64(len(exporter.GetSpans()))
	require.GreaterOrEqual(t, kept, uint64(60), "a minute's worth at once")
	require.Equal(t, 1000-kept, o.Stats().LimitedErrorTraces)
	require.Positive(t, o.Stats().LimitedErrorTraces)
	require.Contains(t, scrape(t, o.MetricsHandler()), fmt.Sprintf("telemetry_limited_error_traces_total %d", 1000-kept))
}

// A tenant that is personal data is masked in records, labels and spans, by one redactor;
// handlers see it as it is.
func TestRedact_MasksTheTenantEverywhere(t *testing.T) {
	t.Parallel()
	redactor, err := redact.New(redact.Config{})
	require.NoError(t, err)
	exporter := tracetest.NewInMemoryExporter()
	o, out := newObservability(t, observe.Config{Exporter: exporter, TraceSampleRate: 1, Redact: redactor})
	red, err := o.NewREDMetrics(observe.WithTenants())
	require.NoError(t, err)
	handler := o.HTTPMiddleware(observe.WithRED(red))(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		require.Equal(t, "ann@example.com", tenant.FromContext(r.Context()))
		_, span := o.TraceSpan(r.Context(), "work")
		span.End(nil)
		o.Logger("log").InfoContext(r.Context(), "worked")
	}))
	request(handler, "GET", "/", "X-Tenant-ID", "ann@example.com")
	flush(t, o)
	text := scrape(t, o.MetricsHandler())
	require.Contains(t, text, `tenant="[REDACTED]"`)
	require.Contains(t, out.String(), `"tenant_id":"[REDACTED]"`)
	spans := exporter.GetSpans()
	require.Len(t, spans, 2)
	for _, span := range spans {
		require.Contains(t, span.Attributes, attribute.String("tenant.id", "[REDACTED]"), span.Name)
	}
	require.NotContains(t, text+out.String()+fmt.Sprint(spans), "ann@")
}
