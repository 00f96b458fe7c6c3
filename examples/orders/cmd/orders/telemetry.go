package main

import (
	"context"
	_ "embed"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/messages"
	"github.com/warrenmq/warren/observe/redact"
	"github.com/warrenmq/warren/observe/slo"
	"github.com/warrenmq/warren/runtime"
)

// dashboard is for Grafana: requests, objectives, queues and retries in one picture.
//
//go:embed dashboard.json
var dashboard []byte

// telemetry is the service's logs, traces, metrics and objectives. Spans go to
// OTEL_EXPORTER_OTLP_ENDPOINT; without it they only give ids to the log records.
type telemetry struct {
	*observe.Observability
	red            *observe.REDMetrics
	answered, fast *observe.SLOTracker
	messages       messages.Options
}

func newTelemetry(ctx context.Context, log io.Writer, level slog.Level) (*telemetry, error) {
	redactor, err := redact.New(redact.Config{})
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
	t := &telemetry{Observability: configured}
	if err := t.addMetrics(redactor); err != nil {
		return nil, errors.Join(err, configured.Shutdown(ctx))
	}
	return t, nil
}

// addMetrics makes the metrics, all of which MetricsHandler serves.
func (t *telemetry) addMetrics(redactor *redact.Redactor) (err error) {
	if t.red, err = t.NewREDMetrics(observe.WithTenants()); err != nil {
		return err
	}
	if t.answered, t.fast, err = newSLOs(); err != nil {
		return err
	}
	counted := messages.NewMetrics(messages.Limits{}, messages.WithService("orders"), messages.WithTenants(), messages.WithRedactor(redactor))
	t.messages = messages.Options{Metrics: counted, Logger: observe.Logger("messages")}
	return t.Register(counted, t.answered.Collector(), t.fast.Collector())
}

// newSLOs returns the shop's objectives: 999 of 1,000 requests are answered, and 99 of
// 100 orders are taken within 250 ms.
func newSLOs() (answered, fast *observe.SLOTracker, err error) {
	service := observe.WithService("orders")
	if answered, err = observe.NewSLOTracker("answered", 0.999, service); err != nil {
		return nil, nil, err
	}
	fast, err = observe.NewSLOTracker("fast", 0.99, service, observe.WithLatency(250*time.Millisecond),
		slo.WithHistogram("request_duration_seconds", map[string]string{"method": "POST", "endpoint": "/orders"}))
	return answered, fast, err
}

// rules are those of Prometheus for the objectives.
func rules() ([]byte, error) {
	answered, fast, err := newSLOs()
	if err != nil {
		return nil, err
	}
	return slo.Rules(answered, fast), nil
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

// watch makes each request a span, counts it, and logs it, but for those of Prometheus
// and of the orchestrator.
func (t *telemetry) watch(api http.Handler) http.Handler {
	return observe.HTTPMiddleware(
		observe.WithRED(t.red), observe.WithSLO(t.answered), observe.WithRouteSLO(t.fast, "POST /orders"),
		observe.WithAccessLog(observe.Logger("http")), observe.WithSkipPaths("/metrics", "/healthz", "/livez", "/readyz"),
	)(api)
}
