package observe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/common/model"

	"github.com/warrenmq/warren/observe/internal/cardinality"
	"github.com/warrenmq/warren/observe/tenant"
)

// DefaultBuckets returns the upper bounds of the duration buckets, in seconds:
// those of OpenTelemetry's semantic conventions for HTTP.
func DefaultBuckets() []float64 {
	return []float64{.005, .01, .025, .05, .075, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10}
}

// Limits bound the series that REDMetrics make. What comes after a limit is
// counted under the value "_other", and by the counter
// label_values_rejected_total. The zero value of a field means the default.
type Limits struct {
	Endpoints  int // distinct endpoints; 500
	Tenants    int // distinct tenants; 1000
	ErrorTypes int // distinct error types; 100
	Series     int // of requests, and of errors, of all labels together, besides those of "_other"; 10000
}

// A REDOption configures [NewREDMetrics].
type REDOption func(*redConfig)

type redConfig struct {
	namespace string
	buckets   []float64
	limits    Limits
	tenants   bool
	native    bool
}

// WithNamespace puts a name before those of the metrics: shop_requests_total. The
// default is none.
func WithNamespace(namespace string) REDOption {
	return func(c *redConfig) { c.namespace = namespace }
}

// WithBuckets sets the upper bounds of the duration buckets, in seconds, rising.
func WithBuckets(bounds ...float64) REDOption {
	return func(c *redConfig) { c.buckets = slices.Clone(bounds) }
}

// WithTenants adds the label tenant, which comes from the context of
// [REDMetrics.RecordRequestContext] (specification, section C, rule 7). Each
// tenant has its own series.
func WithTenants() REDOption { return func(c *redConfig) { c.tenants = true } }

// WithLimits sets the limits of the series.
func WithLimits(limits Limits) REDOption { return func(c *redConfig) { c.limits = limits } }

// WithoutNativeHistograms keeps the classic buckets only. By default a server
// that asks for it by protobuf gets both.
func WithoutNativeHistograms() REDOption { return func(c *redConfig) { c.native = false } }

// REDMetrics count requests, errors and durations of a service, for Prometheus:
//
//	requests_total{service,method,endpoint,status_code}
//	request_duration_seconds{service,method,endpoint,status_code}
//	errors_total{service,method,endpoint,error_type}
//	label_values_rejected_total{service,label}
//
// It is a prometheus.Collector. Recording is safe for concurrent use, takes no
// lock and allocates nothing, but for the first times of a series and for an
// exemplar, of which a series gets one in 100 ms.
type REDMetrics struct {
	config   redConfig
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	errors   *prometheus.CounterVec
	rejected *prometheus.Desc

	endpoints  *cardinality.Limiter
	tenants    *cardinality.Limiter
	errorTypes *cardinality.Limiter

	series      seriesTable[requestKey, *requestSeries]
	errorSeries seriesTable[errorKey, prometheus.Counter]
}

// NewREDMetrics returns metrics of the service. It fails on a namespace that
// can't be in a metric's name, on an empty service name or one that isn't UTF-8,
// on buckets that don't rise, and on negative limits.
func NewREDMetrics(service string, options ...REDOption) (*REDMetrics, error) {
	c := redConfig{buckets: DefaultBuckets(), native: true}
	for _, option := range options {
		option(&c)
	}
	if err := c.check(service); err != nil {
		return nil, fmt.Errorf("make RED metrics: %w", err)
	}
	c.limits = c.limits.withDefaults()
	m := &REDMetrics{
		config:    c,
		endpoints: cardinality.NewLimiter(c.limits.Endpoints), tenants: cardinality.NewLimiter(c.limits.Tenants),
		errorTypes: cardinality.NewLimiter(c.limits.ErrorTypes),
	}
	m.describe(prometheus.Labels{"service": service})
	return m, nil
}

func (c *redConfig) check(service string) error {
	switch {
	case service == "" || !model.LabelValue(service).IsValid():
		return errors.New("the service's name is empty or not valid UTF-8")
	case c.namespace != "" && !model.LegacyValidation.IsValidMetricName(c.namespace):
		return fmt.Errorf("the namespace %q can't be in a metric's name: use letters, digits and underscores", c.namespace)
	case len(c.buckets) == 0:
		return errors.New("there are no buckets: name one bound at least")
	case min(c.limits.Endpoints, c.limits.Tenants, c.limits.ErrorTypes, c.limits.Series) < 0:
		return errors.New("a limit is negative: leave it 0 for the default")
	}
	for i, bound := range c.buckets {
		if !(bound > 0) || i > 0 && bound <= c.buckets[i-1] {
			return fmt.Errorf("the buckets %v don't rise from above 0", c.buckets)
		}
	}
	return nil
}

func (l Limits) withDefaults() Limits {
	for _, field := range []struct {
		value    *int
		fallback int
	}{{&l.Endpoints, 500}, {&l.Tenants, 1000}, {&l.ErrorTypes, 100}, {&l.Series, 10000}} {
		if *field.value == 0 {
			*field.value = field.fallback
		}
	}
	return l
}

func (m *REDMetrics) describe(constant prometheus.Labels) {
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
func (m *REDMetrics) RecordRequest(method, endpoint string, statusCode int, duration time.Duration) {
	m.RecordRequestContext(context.Background(), method, endpoint, statusCode, duration)
}

// RecordRequestContext is RecordRequest with the tenant of the context, where the
// metrics have tenants, and with an exemplar of its trace: where that is sampled,
// or the status is 500 or more and the trace is kept for that.
func (m *REDMetrics) RecordRequestContext(ctx context.Context, method, endpoint string, statusCode int, duration time.Duration) {
	m.request(m.tenantOf(ctx), method, endpoint, statusCode).record(ctx, statusCode, duration)
}

// RecordError counts a failure. The type is a word of few, as "timeout" or what
// [ErrorType] returns, never an error's text.
func (m *REDMetrics) RecordError(method, endpoint, errorType string) {
	m.RecordErrorContext(context.Background(), method, endpoint, errorType)
}

// RecordErrorContext is RecordError with the tenant of the context.
func (m *REDMetrics) RecordErrorContext(ctx context.Context, method, endpoint, errorType string) {
	m.failure(m.tenantOf(ctx), method, endpoint, errorType).Inc()
}

func (m *REDMetrics) tenantOf(ctx context.Context) string {
	if !m.config.tenants {
		return ""
	}
	return tenant.FromContext(ctx)
}

// Describe is for prometheus.Registry.
func (m *REDMetrics) Describe(ch chan<- *prometheus.Desc) {
	m.requests.Describe(ch)
	m.duration.Describe(ch)
	m.errors.Describe(ch)
	ch <- m.rejected
}

// Collect is for prometheus.Registry.
func (m *REDMetrics) Collect(ch chan<- prometheus.Metric) {
	m.requests.Collect(ch)
	m.duration.Collect(ch)
	m.errors.Collect(ch)
	for label, count := range map[string]uint64{
		"endpoint": m.endpoints.Rejected(), "error_type": m.errorTypes.Rejected(), tenant.Label: m.tenants.Rejected(),
		"all": m.series.rejected.Load() + m.errorSeries.rejected.Load(),
	} {
		if label != tenant.Label || m.config.tenants {
			ch <- prometheus.MustNewConstMetric(m.rejected, prometheus.CounterValue, float64(count), label)
		}
	}
}

// Handler serves the metrics at /metrics, besides those of the Go runtime, of the
// process, and of more collectors, as those of [SLOTracker.Collector]. It speaks
// OpenMetrics, with exemplars, where the server asks for it. It panics when two
// collectors have the same metric.
func (m *REDMetrics) Handler(more ...prometheus.Collector) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(append(more, m, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))...)
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: true, Registry: registry})
}
