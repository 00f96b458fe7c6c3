package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/messages"
	"github.com/warrenmq/warren/observe/redact"
	"github.com/warrenmq/warren/runtime"
)

// telemetry is the service's logs, traces, metrics and objective. Spans go to
// OTEL_EXPORTER_OTLP_ENDPOINT; without it they only give ids to the log records.
type telemetry struct {
	*observe.Observability
	red      *observe.REDMetrics
	slo      *observe.SLOTracker
	messages messages.Options
}

func newTelemetry(ctx context.Context, log io.Writer, level slog.Level) (*telemetry, error) {
	redactor, err := redact.New(redact.Config{})
	if err != nil {
		return nil, err
	}
	red, err := observe.NewREDMetrics("orders", observe.WithTenants())
	if err != nil {
		return nil, err
	}
	slo, err := newSLO()
	if err != nil {
		return nil, err
	}
	configured, err := observe.Configure(ctx, observe.Config{
		ServiceName:     "orders",
		TraceSampleRate: 1, // a small shop keeps all of its traces
		LogWriter:       log,
		LogLevel:        level,
		Redact:          redactor,
	})
	if err != nil {
		return nil, err
	}
	return &telemetry{configured, red, slo, messages.Options{
		Metrics: messages.NewMetrics(messages.Limits{}),
		Logger:  observe.Logger("messages"),
	}}, nil
}

// newSLO returns the shop's objective: 999 of 1,000 requests are answered.
func newSLO() (*observe.SLOTracker, error) {
	return observe.NewSLOTracker("orders", 0.999, observe.WithService("orders"))
}

// trace makes the router's deliveries and replies part of their traces.
func (t *telemetry) trace(router *runtime.Router) {
	router.Use(messages.Consume(t.messages))
	router.Intercept(messages.Publish(t.messages))
}

// traced makes what a client sends part of its trace.
func (t *telemetry) traced() runtime.ClientOption {
	return runtime.WithInterceptors(messages.Publish(t.messages))
}

// watch makes each request a span, counts it, and logs it, but for the requests of
// Prometheus.
func (t *telemetry) watch(api http.Handler) http.Handler {
	return observe.HTTPMiddleware(
		observe.WithRED(t.red), observe.WithSLO(t.slo), observe.WithAccessLog(observe.Logger("http")),
		observe.WithSkip(func(r *http.Request) bool { return r.URL.Path == "/metrics" }),
	)(api)
}

// metrics serves the metrics to Prometheus.
func (t *telemetry) metrics() http.Handler {
	return t.red.Handler(t.messages.Metrics, t.slo.Collector())
}
