package messages_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/warrenmq/warren/internal/otlptest"
	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/internal/scope"
	"github.com/warrenmq/warren/observe/messages"
	"github.com/warrenmq/warren/observe/redact"
	"github.com/warrenmq/warren/observe/tenant"
	"github.com/warrenmq/warren/runtime"
)

// ofTenant is a delivery of a message that carries the tenant.
func ofTenant(id string) *runtime.Delivery {
	return carrying(map[string]any{"baggage": "tenant_id=" + id})
}

func TestOptions_SLOCountsWhatIsHandled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tracker, err := observe.NewSLOTracker("orders", 0.99, observe.WithLatency(time.Second))
		require.NoError(t, err)
		options := messages.Options{SLO: tracker}
		for _, handler := range []runtime.HandlerFunc{
			nothing,
			func(context.Context, *runtime.Delivery) (*runtime.Message, error) {
				return nil, context.DeadlineExceeded
			},
			func(context.Context, *runtime.Delivery) (*runtime.Message, error) {
				time.Sleep(time.Second + 1)
				return nil, nil
			},
		} {
			_, _ = handle(context.Background(), options, carrying(nil), handler)
		}
		_, err = send(options, to("q"), func(context.Context, *runtime.Sending) (*runtime.Message, error) { return nil, errors.New("not sent") })
		require.Error(t, err)
		require.EqualValues(t, 3, tracker.Report().Total)
		require.Equal(t, map[string]uint64{"timeout": 1, "slow": 1}, tracker.Report().Errors)
	})
}

// labels returns the values of a label in the series of a metric.
func labels(t *testing.T, metrics *messages.Metrics, name, label string) map[string]int {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(metrics)
	families, err := registry.Gather()
	require.NoError(t, err)
	found := make(map[string]int)
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, metric := range family.Metric {
			value := "none"
			for _, pair := range metric.Label {
				if pair.GetName() == label {
					value = pair.GetValue()
				}
			}
			found[value]++
		}
	}
	return found
}

func TestMetrics_HaveServiceAndTenant(t *testing.T) { synctest.Test(t, testServiceAndTenant) }

func testServiceAndTenant(t *testing.T) {
	redactor, err := redact.New(redact.Config{})
	require.NoError(t, err)
	metrics := messages.NewMetrics(messages.Limits{Tenants: 2}, messages.WithService("shop"), messages.WithTenants("acme"), messages.WithRedactor(redactor))
	options := messages.Options{Metrics: metrics}
	for _, id := range []string{"acme", "ann@example.com", "a", "b", "a", "c"} {
		time.Sleep(time.Nanosecond) // so that one is used before the other
		_, err := handle(context.Background(), options, ofTenant(id), nothing)
		require.NoError(t, err)
		ctx, err := tenant.NewContext(context.Background(), id)
		require.NoError(t, err)
		_, err = messages.Publish(options)(func(context.Context, *runtime.Sending) (*runtime.Message, error) { return nil, nil })(ctx, to("q"))
		require.NoError(t, err)
	}
	for _, name := range []string{
		"messaging_client_consumed_messages_total", "messaging_process_duration_seconds",
		"messaging_client_sent_messages_total", "messaging_client_operation_duration_seconds",
	} {
		require.Equal(t, map[string]int{"acme": 1, "[REDACTED]": 1, "a": 1, "c": 1}, labels(t, metrics, name, "tenant"), name)
		require.Equal(t, map[string]int{"shop": 4}, labels(t, metrics, name, "service"), name)
	}
	require.Equal(t, map[string]int{"shop": 1}, labels(t, metrics, "messaging_process_active_messages", "service"))
	problems, err := testutil.CollectAndLint(metrics)
	require.NoError(t, err)
	require.Empty(t, problems)
	require.Equal(t, map[string]int{"none": 1}, labels(t, counted(t), "messaging_client_consumed_messages_total", "tenant"), "by default there is none")
}

// counted are metrics of one message.
func counted(t *testing.T) *messages.Metrics {
	t.Helper()
	metrics := messages.NewMetrics(messages.Limits{})
	_, err := handle(context.Background(), messages.Options{Metrics: metrics}, ofTenant("acme"), nothing)
	require.NoError(t, err)
	return metrics
}

// A message is a use of its tenant, also where its series is found at once.
func TestMetrics_LetTheLeastRecentlyUsedTenantMakeRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		metrics := messages.NewMetrics(messages.Limits{Tenants: 2}, messages.WithTenants())
		for _, id := range []string{"a", "a", "a", "b", "b", "a", "c"} {
			time.Sleep(time.Second)
			_, err := handle(context.Background(), messages.Options{Metrics: metrics}, ofTenant(id), nothing)
			require.NoError(t, err)
		}
		require.Equal(t, map[string]int{"a": 1, "c": 1}, labels(t, metrics, "messaging_client_consumed_messages_total", "tenant"))
	})
}

func TestMetrics_BoundAllSeries(t *testing.T) {
	metrics := messages.NewMetrics(messages.Limits{Series: 3}, messages.WithTenants())
	for i := range 20 {
		_, err := handle(context.Background(), messages.Options{Metrics: metrics}, ofTenant(fmt.Sprint("t", i)), nothing)
		require.NoError(t, err)
	}
	require.Equal(t, map[string]int{"t0": 1, "t1": 1, "t2": 1, "_other": 1}, labels(t, metrics, "messaging_client_consumed_messages_total", "tenant"))
	require.Equal(t, 17.0, testutil.ToFloat64(rejectedOf(t, metrics, "all")))
}

func TestMetrics_CountRejectedTenantsWhereTenantsAreALabel(t *testing.T) {
	for _, test := range []struct {
		metrics *messages.Metrics
		want    int // labels: of destinations, types of errors and all, and of tenants
	}{
		{messages.NewMetrics(messages.Limits{}), 3},
		{messages.NewMetrics(messages.Limits{}, messages.WithTenants()), 4},
	} {
		require.Equal(t, test.want, testutil.CollectAndCount(test.metrics, "messaging_label_values_rejected_total"))
	}
}

// rejectedOf is one counter of the values that were rejected.
func rejectedOf(t *testing.T, metrics *messages.Metrics, label string) prometheus.Collector {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(metrics)
	families, err := registry.Gather()
	require.NoError(t, err)
	gauge := prometheus.NewGauge(prometheus.GaugeOpts{Name: "rejected"})
	for _, family := range families {
		for _, metric := range family.Metric {
			if family.GetName() == "messaging_label_values_rejected_total" && metric.Label[0].GetValue() == label {
				gauge.Set(metric.GetCounter().GetValue())
			}
		}
	}
	return gauge
}

// An exemplar leads from a duration to the trace of its message.
func TestMetrics_HaveExemplars(t *testing.T) {
	exporter := tracetest.NewInMemoryExporter()
	o, err := observe.New(context.Background(), observe.Config{Exporter: exporter, TraceSampleRate: 1})
	require.NoError(t, err)
	defer func() { require.NoError(t, o.Shutdown(context.Background())) }()
	metrics := messages.NewMetrics(messages.Limits{})
	options := messages.Options{Metrics: metrics, TracerProvider: o.TracerProvider(), NoSettling: true}
	_, err = handle(context.Background(), options, carrying(nil), nothing)
	require.NoError(t, err)
	_, err = send(options, to("q"), func(context.Context, *runtime.Sending) (*runtime.Message, error) { return nil, nil })
	require.NoError(t, err)
	require.NoError(t, o.Flush(context.Background()))
	kept := make(map[string]bool)
	for _, span := range exporter.GetSpans() {
		kept[span.SpanContext.TraceID().String()] = true
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(metrics)
	families, err := registry.Gather()
	require.NoError(t, err)
	found := 0
	for _, family := range families {
		for _, metric := range family.Metric {
			for _, bucket := range metric.GetHistogram().GetBucket() {
				if e := bucket.GetExemplar(); e != nil {
					found++
					for _, label := range e.Label {
						if label.GetName() == "trace_id" {
							require.True(t, kept[label.GetValue()])
						}
					}
				}
			}
			if metric.GetCounter().GetExemplar() != nil {
				found++
			}
		}
	}
	require.Equal(t, 4, found, "two counters and two durations")
}

// The duration of what failed is apart from that of what didn't.
func TestMetrics_HaveTheErrorTypeOnDurations(t *testing.T) {
	metrics := messages.NewMetrics(messages.Limits{})
	options := messages.Options{Metrics: metrics}
	_, err := send(options, to("q"), func(context.Context, *runtime.Sending) (*runtime.Message, error) { return nil, runtime.ErrNacked })
	require.Error(t, err)
	_, err = handle(context.Background(), options, carrying(nil), func(context.Context, *runtime.Delivery) (*runtime.Message, error) { return nil, context.Canceled })
	require.Error(t, err)
	require.Equal(t, map[string]int{"nacked": 1}, labels(t, metrics, "messaging_client_operation_duration_seconds", "error_type"))
	require.Equal(t, map[string]int{"canceled": 1}, labels(t, metrics, "messaging_process_duration_seconds", "error_type"))
}

// What a handler's error says of a person doesn't reach the collector: neither by the status
// nor by the event.
func TestConsume_MasksErrorsOnTheirWayOut(t *testing.T) {
	receiver := otlptest.GRPC(t)
	redactor, err := redact.New(redact.Config{})
	require.NoError(t, err)
	o, err := observe.New(context.Background(), observe.Config{OTLPEndpoint: receiver.Endpoint, Redact: redactor})
	require.NoError(t, err)
	options := messages.Options{TracerProvider: o.TracerProvider()}
	_, err = handle(context.Background(), options, carrying(nil), func(context.Context, *runtime.Delivery) (*runtime.Message, error) {
		return nil, errors.New("no account of ann@example.com")
	})
	require.Error(t, err)
	require.Panics(t, func() {
		_, _ = handle(context.Background(), options, carrying(nil), func(context.Context, *runtime.Delivery) (*runtime.Message, error) {
			panic("no account of ann@example.com")
		})
	})
	require.NoError(t, o.Shutdown(context.Background()))
	spans := receiver.Spans()
	events := 0
	for _, span := range spans {
		require.NotContains(t, span.String(), "ann@")
		events += len(span.Events)
		for _, event := range span.Events {
			attrs := otlptest.Values(event.Attributes)
			require.Equal(t, "exception", event.Name)
			require.Equal(t, "[REDACTED]", attrs["exception.message"])
			require.NotEmpty(t, attrs["exception.type"])
		}
	}
	require.Equal(t, 2, events)
}

// The span of settling has the tenant, as those of handling and publishing do; all name
// their instrumentation.
func TestSettling_HasTheTenant(t *testing.T) {
	done := make(chan struct{})
	s := start(t, messages.Options{}, onCreated(runtime.Consume(func(context.Context, order) error {
		close(done)
		return nil
	})))
	ctx, err := tenant.NewContext(context.Background(), "acme")
	require.NoError(t, err)
	require.NoError(t, s.publisher(messages.Options{}).Publish(ctx, order{}))
	<-done
	s.stop(t)
	require.Equal(t, "acme", s.spans.Named(t, "ack shop:created:orders").Attributes()["tenant.id"])
	for _, span := range s.spans.Spans() {
		require.Equal(t, otlptest.Scope{Name: "github.com/warrenmq/warren/observe/messages", Version: scope.Version, SchemaURL: scope.SchemaURL}, span.Scope)
	}
}
