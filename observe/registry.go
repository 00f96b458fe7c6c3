package observe

import (
	"fmt"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/warrenmq/warren/observe/red"
	"github.com/warrenmq/warren/observe/slo"
)

// MetricsHandler serves the metrics of the whole service to Prometheus: those that o
// has made or that were registered, also after this call, and those of the Go runtime,
// of the process, and of o itself. It speaks OpenMetrics, with exemplars, where the
// server asks for it. It may be used after Shutdown.
//
//	mux.Handle("GET /metrics", o.MetricsHandler())
func (o *Observability) MetricsHandler() http.Handler {
	return promhttp.HandlerFor(o.registry, promhttp.HandlerOpts{EnableOpenMetrics: true, Registry: o.registry})
}

// Register adds collectors to [Observability.MetricsHandler], as messages.Metrics. It
// fails on one with a metric that is there already, and then has added those before it.
func (o *Observability) Register(collectors ...prometheus.Collector) error {
	for _, c := range collectors {
		if err := o.registry.Register(c); err != nil {
			return fmt.Errorf("register metrics: %w", err)
		}
	}
	return nil
}

// NewREDMetrics returns metrics of the service, as [NewREDMetrics], which are in
// [Observability.MetricsHandler]. A tenant that is personal data is masked by
// [Config].Redact. It fails on a second one of the same namespace, too.
func (o *Observability) NewREDMetrics(options ...red.Option) (*REDMetrics, error) {
	m, err := red.New(o.service, append([]red.Option{red.WithRedactor(o.redactor)}, options...)...)
	if err != nil {
		return nil, err
	}
	return m, o.Register(m)
}

// NewSLOTracker returns a tracker of the service, as [NewSLOTracker], whose metrics are in
// [Observability.MetricsHandler]. It fails on a second one of that name, too.
func (o *Observability) NewSLOTracker(name string, objective float64, options ...SLOOption) (*SLOTracker, error) {
	t, err := slo.New(name, objective, append([]SLOOption{slo.WithService(o.service)}, options...)...)
	if err != nil {
		return nil, err
	}
	return t, o.Register(t.Collector())
}

func (o *Observability) newRegistry() {
	o.registry = prometheus.NewRegistry()
	o.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), ownCollector{o})
}

// An ownCollector has the metrics of telemetry itself: see [Stats].
type ownCollector struct{ *Observability }

var (
	exportedDesc = prometheus.NewDesc("telemetry_exported_spans_total", "Spans that were exported.", nil, nil)
	failedDesc   = prometheus.NewDesc("telemetry_failed_exports_total", "Exports of spans that failed.", nil, nil)
	droppedDesc  = prometheus.NewDesc("telemetry_dropped_spans_total", "Spans that were dropped for want of room.", []string{"queue"}, nil)
	aloneDesc    = prometheus.NewDesc("telemetry_spans_decided_alone_total", "Spans that were kept or dropped without their trace.", nil, nil)
	limitedDesc  = prometheus.NewDesc("telemetry_limited_error_traces_total", "Traces with an error that weren't kept, because there were too many.", nil, nil)
)

// Describe is for prometheus.Registry.
func (c ownCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, desc := range [...]*prometheus.Desc{exportedDesc, failedDesc, droppedDesc, aloneDesc, limitedDesc} {
		ch <- desc
	}
}

// Collect is for prometheus.Registry.
func (c ownCollector) Collect(ch chan<- prometheus.Metric) {
	if c.sampler == nil {
		return
	}
	stats := c.Stats()
	count := func(desc *prometheus.Desc, n uint64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(n), labels...)
	}
	count(exportedDesc, stats.Exported)
	count(failedDesc, stats.FailedExports)
	count(droppedDesc, stats.Dropped, "sampled")
	count(droppedDesc, stats.DroppedOfError, "errors")
	count(aloneDesc, stats.DecidedAlone)
	count(limitedDesc, stats.LimitedErrorTraces)
}
