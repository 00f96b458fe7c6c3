package red

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/warrenmq/warren/observe/internal/cardinality"
	"github.com/warrenmq/warren/observe/internal/cowmap"
	"github.com/warrenmq/warren/observe/internal/logkey"
	"github.com/warrenmq/warren/observe/tenant"
)

// Metrics count requests, errors and durations of a service, for Prometheus:
//
//	requests_total{service,method,endpoint,status_code}
//	request_duration_seconds{service,method,endpoint,status_code}
//	errors_total{service,method,endpoint,error_type}
//	label_values_rejected_total{service,label}
//
// It is a prometheus.Collector, made by [New]; a nil *Metrics and the zero Metrics
// can't be used. All methods are safe for concurrent use. Recording takes no lock
// and allocates nothing, but for the first times of a series and for an exemplar,
// of which a series gets one in 100 ms.
type Metrics struct {
	config   config
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	errors   *prometheus.CounterVec
	rejected *prometheus.Desc

	endpoints  *cardinality.Limiter
	tenants    *cardinality.Tenants
	errorTypes *cardinality.Limiter

	series         cowmap.Map[requestKey, *requestSeries]
	errorSeries    cowmap.Map[errorKey, *errorSeries]
	conventions    *conventions // nil without WithConventions
	rejectedSeries atomic.Uint64
}

// New returns metrics of the service, whose name is the label service of each
// series. It fails on a namespace that can't be in a metric's name, on an empty
// service name or one that isn't UTF-8, on buckets that don't rise, and on
// negative limits. Nothing is registered: see [Metrics.Handler].
func New(service string, options ...Option) (*Metrics, error) {
	c := config{buckets: DefaultBuckets(), native: true}
	for _, option := range options {
		option(&c)
	}
	if err := c.check(service); err != nil {
		return nil, fmt.Errorf("make RED metrics: %w", err)
	}
	c.limits = c.limits.withDefaults()
	m := &Metrics{
		config:    c,
		endpoints: cardinality.NewLimiter(c.limits.Endpoints), errorTypes: cardinality.NewLimiter(c.limits.ErrorTypes),
	}
	m.tenants = cardinality.NewTenants(c.limits.Tenants, c.known, c.redactor, m.forget)
	m.series.Limit, m.errorSeries.Limit = c.limits.Series, c.limits.Series
	m.describe(prometheus.Labels{logkey.Service: service})
	return m, nil
}

func (m *Metrics) describe(constant prometheus.Labels) {
	c := m.config
	labels := []string{"method", "endpoint"}
	if c.tenants {
		labels = append(labels, tenant.Label)
	}
	byStatus := append(slices.Clone(labels), "status_code")
	m.requests = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: c.namespace, Name: "requests_total", Help: "Requests that were answered.", ConstLabels: constant,
	}, byStatus)
	histogram := prometheus.HistogramOpts{
		Namespace: c.namespace, Name: "request_duration_seconds", Help: "Time from request to answer.", ConstLabels: constant,
		Buckets: c.buckets,
	}
	if c.native {
		histogram.NativeHistogramBucketFactor = 1.1
		histogram.NativeHistogramMaxBucketNumber = 160
		histogram.NativeHistogramMinResetDuration = time.Hour
	}
	m.duration = prometheus.NewHistogramVec(histogram, byStatus)
	if c.conventions {
		m.conventions = newConventions(m, histogram)
	}
	m.errors = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: c.namespace, Name: "errors_total", Help: "Requests that failed, by the kind of failure.", ConstLabels: constant,
	}, append(slices.Clone(labels), "error_type"))
	m.rejected = prometheus.NewDesc(prometheus.BuildFQName(c.namespace, "", "label_values_rejected_total"),
		"Label values that were counted as _other, because there were too many.", []string{"label"}, constant)
}

// RecordRequest counts a request with its answer's status, and how long it took.
// An unknown HTTP method is counted as _OTHER, a status that isn't from 100 to
// 599 as 0, a duration below 0 as 0. The endpoint is the route's pattern, never
// the path of the request.
func (m *Metrics) RecordRequest(method, endpoint string, statusCode int, duration time.Duration) {
	m.RecordRequestContext(context.Background(), method, endpoint, statusCode, duration)
}

// RecordRequestContext is RecordRequest with the tenant of the context, where the
// metrics have tenants, and with an exemplar of its trace if that is exported: where
// observe.Configure has set up tracing its sampler knows, which also keeps traces
// with errors; elsewhere what is sampled is.
func (m *Metrics) RecordRequestContext(ctx context.Context, method, endpoint string, statusCode int, duration time.Duration) {
	m.request(m.tenantOf(ctx), method, endpoint, statusCode).record(ctx, duration)
}

// RecordError counts a failure. The type is one of a few words, as "timeout" or
// what observe.ErrorType returns, never an error's text. It doesn't count a
// request: RecordRequest does.
func (m *Metrics) RecordError(method, endpoint, errorType string) {
	m.RecordErrorContext(context.Background(), method, endpoint, errorType)
}

// RecordErrorContext is RecordError with the tenant of the context, where the
// metrics have tenants.
func (m *Metrics) RecordErrorContext(ctx context.Context, method, endpoint, errorType string) {
	m.failure(m.tenantOf(ctx), method, endpoint, errorType).Inc()
}

func (m *Metrics) tenantOf(ctx context.Context) string {
	if !m.config.tenants {
		return ""
	}
	return tenant.FromContext(ctx)
}

// Describe is for prometheus.Registry.
func (m *Metrics) Describe(ch chan<- *prometheus.Desc) {
	m.requests.Describe(ch)
	m.duration.Describe(ch)
	m.errors.Describe(ch)
	if m.conventions != nil {
		m.conventions.duration.Describe(ch)
	}
	ch <- m.rejected
}

// Collect is for prometheus.Registry.
func (m *Metrics) Collect(ch chan<- prometheus.Metric) {
	m.requests.Collect(ch)
	m.duration.Collect(ch)
	m.errors.Collect(ch)
	if m.conventions != nil {
		m.conventions.duration.Collect(ch)
	}
	for label, count := range map[string]uint64{
		"endpoint": m.endpoints.Rejected(), "error_type": m.errorTypes.Rejected(), tenant.Label: m.tenants.Rejected(),
		"all": m.rejectedSeries.Load(),
	} {
		if label != tenant.Label || m.config.tenants {
			ch <- prometheus.MustNewConstMetric(m.rejected, prometheus.CounterValue, float64(count), label)
		}
	}
}

// Handler serves the metrics to Prometheus, besides those of the Go runtime, of
// the process, and of more collectors, as those of slo.Tracker. It has a registry
// of its own. It speaks OpenMetrics, with exemplars, where the server asks for it.
// It panics when two collectors have the same metric.
func (m *Metrics) Handler(more ...prometheus.Collector) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(append(more, m, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))...)
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: true, Registry: registry})
}
