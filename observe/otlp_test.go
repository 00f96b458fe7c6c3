package observe_test

import (
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/internal/otlptest"
	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/red"
	"github.com/warrenmq/warren/observe/redact"
	"github.com/warrenmq/warren/observe/tenant"
)

// The metrics of the service arrive by OTLP too, those of the conventions under their names,
// with exemplars that lead to traces.
func TestOTLPMetrics_SendsTheServicesMetrics(t *testing.T) {
	for _, start := range []func(testing.TB) *otlptest.Receiver{otlptest.GRPC, otlptest.HTTP} {
		receiver := start(t)
		o, _ := newObservability(t, observe.Config{ServiceName: "shop", OTLPEndpoint: receiver.Endpoint, TraceSampleRate: 1, OTLPMetrics: true})
		m, err := o.NewREDMetrics(red.WithConventions(), red.WithoutNativeHistograms())
		require.NoError(t, err)
		ctx, span := o.TraceSpan(context.Background(), "work")
		m.Record(ctx, red.Request{Method: "GET", Endpoint: "/orders", StatusCode: 200})
		span.End(nil)
		flush(t, o)

		arrived := receiver.Metrics()
		require.Equal(t, "shop", arrived["requests_total"].Service)
		require.EqualValues(t, 1, arrived["requests_total"].GetSum().DataPoints[0].GetAsDouble())
		require.Contains(t, arrived, "go_goroutines")
		duration := arrived["http.server.request.duration"]
		require.Equal(t, "s", duration.Unit)
		point := duration.GetHistogram().DataPoints[0]
		require.EqualValues(t, 1, point.Count)
		require.Equal(t, map[string]any{
			"http.request.method": "GET", "http.route": "/orders", "http.response.status_code": int64(200), "url.scheme": "http",
		}, otlptest.Values(point.Attributes))
		require.Len(t, point.Exemplars, 1)
		require.Equal(t, observe.TraceContext(ctx)["trace_id"], hex.EncodeToString(point.Exemplars[0].TraceId))
		require.Equal(t, observe.TraceContext(ctx)["span_id"], hex.EncodeToString(point.Exemplars[0].SpanId))
	}
}

// Native histograms arrive as exponential ones.
func TestOTLPMetrics_SendsNativeHistograms(t *testing.T) {
	receiver := otlptest.GRPC(t)
	o, _ := newObservability(t, observe.Config{OTLPEndpoint: receiver.Endpoint, OTLPMetrics: true})
	m, err := o.NewREDMetrics(red.WithConventions())
	require.NoError(t, err)
	m.Record(context.Background(), red.Request{Method: "GET", Endpoint: "/orders", StatusCode: 200})
	own, err := o.MeterProvider().Meter("own").Int64Counter("own")
	require.NoError(t, err)
	own.Add(context.Background(), 1)
	flush(t, o)
	require.Contains(t, receiver.Metrics(), "own")
	require.NotPanics(t, func() { _, _ = new(observe.Observability).MeterProvider().Meter("m").Int64Counter("c") })
	points := receiver.Metrics()["http.server.request.duration"].GetExponentialHistogram().DataPoints
	require.Len(t, points, 1)
	require.Equal(t, "GET", otlptest.Values(points[0].Attributes)["http.request.method"])
}

// What other instrumentation records by OpenTelemetry's global provider arrives, until
// Shutdown.
func TestOTLPMetrics_IsTheProcessesProvider(t *testing.T) {
	receiver := otlptest.GRPC(t)
	before := otel.GetMeterProvider()
	o, err := observe.Configure(context.Background(), observe.Config{OTLPEndpoint: receiver.Endpoint, OTLPMetrics: true, LogWriter: new(strings.Builder)})
	require.NoError(t, err)
	counter, err := otel.GetMeterProvider().Meter("theirs").Int64Counter("theirs")
	require.NoError(t, err)
	counter.Add(context.Background(), 7)
	flush(t, o)
	require.EqualValues(t, 7, receiver.Metrics()["theirs"].GetSum().DataPoints[0].GetAsInt())
	during := otel.GetMeterProvider()
	shutdown(t, o)
	shutdown(t, o)
	require.NotEqual(t, during, otel.GetMeterProvider())
	otel.SetMeterProvider(before)
}

type panickingValue struct{}

func (panickingValue) MarshalJSON() ([]byte, error) { panic("no") }
func (panickingValue) LogValue() slog.Value         { panic("no") }

// Records arrive by OTLP with what the JSON has: ids, tenant, fields of the context, groups,
// and personal data masked.
func TestOTLPLogs_SendsRecordsAsTheyAreWritten(t *testing.T) {
	redactor, err := redact.New(redact.Config{ExceptKeys: []string{"contact"}})
	require.NoError(t, err)
	for _, start := range []func(testing.TB) *otlptest.Receiver{otlptest.GRPC, otlptest.HTTP} {
		receiver := start(t)
		o, out := newObservability(t, observe.Config{ServiceName: "shop", OTLPEndpoint: receiver.Endpoint, TraceSampleRate: 1, OTLPLogs: true, Redact: redactor})
		ctx, err := tenant.NewContext(context.Background(), "acme")
		require.NoError(t, err)
		ctx, span := o.TraceSpan(observe.ContextWithFields(ctx, slog.String("queue", "orders"), slog.String("from", "ann@example.com")), "work")
		log := o.Logger("orders").With("password", "hunter2", "card", "4111 1111 1111 1111").WithGroup("order").With("id", 7)
		log.Log(ctx, observe.LevelCritical, "mail from bob@example.com", "lines", 2, "mail", "bob@example.com", "contact", "bob@example.org",
			"bad", "\xff", "fails", panickingValue{})
		o.Logger("orders").Debug("not enabled")
		span.End(nil)
		flush(t, o)

		records := receiver.Records()
		require.Len(t, records, 1)
		record := records[0]
		require.Equal(t, "shop", record.Service)
		require.Equal(t, "orders", record.Logger)
		require.Equal(t, "mail from [REDACTED]", record.Body.GetStringValue())
		require.Equal(t, "critical", record.SeverityText)
		require.EqualValues(t, 21, record.SeverityNumber, "FATAL")
		require.Equal(t, trace.SpanContextFromContext(ctx).TraceID().String(), record.Trace())
		attrs := record.Attributes()
		for key, want := range map[string]any{"tenant_id": "acme", "queue": "orders", "from": "[REDACTED]", "password": "[REDACTED]", "card": "[REDACTED]"} {
			require.Equal(t, want, attrs[key], key)
		}
		for _, kv := range record.LogRecord.Attributes {
			if kv.Key == "order" {
				group := otlptest.Values(kv.Value.GetKvlistValue().Values)
				require.Equal(t, int64(7), group["id"])
				require.Equal(t, int64(2), group["lines"])
				require.Equal(t, "[REDACTED]", group["mail"])
				require.Equal(t, "bob@example.org", group["contact"])
				require.Equal(t, "\ufffd", group["bad"])
			}
		}
		require.Contains(t, attrs, "order")
		require.Equal(t, 1, strings.Count(out.String(), "\n"), "the writer has the record too")
		require.NotContains(t, record.String(), "hunter2")
	}
}

// A collector that takes nothing is named, and costs one record a minute, which isn't sent.
func TestOTLPLogs_SaysThatTheyAreNotSent(t *testing.T) {
	receiver := otlptest.HTTP(t)
	receiver.Break(errors.New("no"))
	o, out := newObservability(t, observe.Config{Exporter: discarding{}, TraceSampleRate: 1, OTLPEndpoint: receiver.Endpoint, OTLPLogs: true})
	for range 3 {
		o.Logger("orders").Info("taken")
		flush(t, o)
	}
	require.Equal(t, 1, strings.Count(out.String(), `"event":"log records are not exported"`))
	var failed *observe.ExportError
	require.ErrorAs(t, o.Diagnose(context.Background()), &failed)
	require.Equal(t, "log records", failed.What)

	receiver.Break(nil)
	o.Logger("orders").Info("taken again")
	flush(t, o)
	require.NoError(t, o.Diagnose(context.Background()))
	require.Len(t, receiver.Records(), 1)
}

func TestOTLPMetrics_SaysThatTheyAreNotSent(t *testing.T) {
	receiver := otlptest.HTTP(t)
	receiver.Break(errors.New("no"))
	o, out := newObservability(t, observe.Config{Exporter: discarding{}, TraceSampleRate: 1, OTLPEndpoint: receiver.Endpoint, OTLPMetrics: true})
	require.Error(t, o.Flush(context.Background()))
	require.Equal(t, 1, strings.Count(out.String(), `"event":"metrics are not exported"`))
	var failed *observe.ExportError
	require.ErrorAs(t, o.Diagnose(context.Background()), &failed)
	require.Equal(t, "metrics", failed.What)

	receiver.Break(nil)
	flush(t, o)
	require.NoError(t, o.Diagnose(context.Background()))
}

// The connection of an exporter that could be made ends too: package goleak finds what is left of one.
func TestNew_LeavesNoExporterWhenOneFails(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_METRICS_HEADERS", "secret")
	_, err := observe.New(context.Background(), observe.Config{OTLPEndpoint: otlptest.GRPC(t).Endpoint, OTLPLogs: true, OTLPMetrics: true})
	require.ErrorContains(t, err, "OTEL_EXPORTER_OTLP_METRICS_HEADERS")
}

// The variables of a signal are its own.
func TestOTLPSignals_GoWhereTheVariablesSay(t *testing.T) {
	spans, metrics, logs := otlptest.HTTP(t), otlptest.HTTP(t), otlptest.HTTP(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", spans.Endpoint)
	t.Setenv("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", metrics.Endpoint+"/v1/metrics")
	t.Setenv("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", logs.Endpoint+"/v1/logs")
	o, _ := newObservability(t, observe.Config{TraceSampleRate: 1, OTLPMetrics: true, OTLPLogs: true})
	_, span := o.TraceSpan(context.Background(), "work")
	span.End(nil)
	o.Logger("orders").Info("taken")
	flush(t, o)
	require.Len(t, spans.Spans(), 1)
	require.Empty(t, spans.Records())
	require.NotEmpty(t, metrics.Metrics())
	require.Len(t, logs.Records(), 1)

	t.Setenv("OTEL_EXPORTER_OTLP_LOGS_PROTOCOL", "smoke")
	_, err := observe.New(context.Background(), observe.Config{OTLPLogs: true})
	require.ErrorContains(t, err, "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL")
	t.Setenv("OTEL_EXPORTER_OTLP_LOGS_PROTOCOL", "")
	t.Setenv("OTEL_EXPORTER_OTLP_METRICS_HEADERS", "secret")
	_, err = observe.New(context.Background(), observe.Config{OTLPMetrics: true})
	require.ErrorContains(t, err, "OTEL_EXPORTER_OTLP_METRICS_HEADERS")
	require.NotContains(t, err.Error(), "secret")
}

// Headers authenticate all signals.
func TestOTLPSignals_SendTheHeaders(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Bearer%207")
	for want, headers := range map[string]map[string]string{"Bearer 7": nil, "Bearer 8": {"Authorization": "Bearer 8"}} {
		var paths []string
		server := recording(t, func(r *http.Request) {
			if r.Header.Get("Authorization") == want {
				paths = append(paths, r.URL.Path)
			}
		})
		o, _ := newObservability(t, observe.Config{
			OTLPEndpoint: server + "/otlp/v1/traces", TraceSampleRate: 1, OTLPMetrics: true, OTLPLogs: true, Headers: headers,
		})
		clear(headers) // of which nothing is kept
		_, span := o.TraceSpan(context.Background(), "work")
		span.End(nil)
		o.Logger("orders").Info("taken")
		flush(t, o)
		require.Equal(t, []string{"/otlp/v1/traces", "/otlp/v1/metrics", "/otlp/v1/logs"}, paths, want)
	}
}

// recording serves a collector that takes everything, and returns its URL.
func recording(t *testing.T, see func(*http.Request)) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		see(r)
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestOTLPMetrics_NamesTheAttributesOfSums(t *testing.T) {
	receiver := otlptest.GRPC(t)
	o, _ := newObservability(t, observe.Config{Exporter: discarding{}, OTLPEndpoint: receiver.Endpoint, OTLPMetrics: true})
	sent := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "messaging_client_sent_messages_total"}, []string{"messaging_operation_name"})
	require.NoError(t, o.Register(sent))
	sent.WithLabelValues("publish").Inc()
	flush(t, o)
	points := receiver.Metrics()["messaging.client.sent.messages"].GetSum().DataPoints
	require.Len(t, points, 1)
	require.Equal(t, map[string]any{"messaging.operation.name": "publish"}, otlptest.Values(points[0].Attributes))
}

// Another collector can't have the names of what is counted of telemetry itself.
func TestRegister_RefusesTheNamesOfItsOwnMetrics(t *testing.T) {
	o, _ := newObservability(t, observe.Config{Exporter: discarding{}})
	for _, name := range []string{"telemetry_exported_spans_total", "telemetry_failed_exports_total"} {
		require.Error(t, o.Register(prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: "Others."})), name)
	}
}

func TestShutdown_SaysWhatFailed(t *testing.T) {
	receiver := otlptest.HTTP(t)
	receiver.Break(errors.New("no"))
	o, _ := newObservability(t, observe.Config{Exporter: discarding{}, OTLPEndpoint: receiver.Endpoint, OTLPMetrics: true})
	require.ErrorContains(t, o.Shutdown(context.Background()), "shut down metrics: ")
}
