package observe

import (
	"context"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/cardinality"
)

// exemplarPeriod is the least time between two exemplars of a series: each costs
// as much as ten requests.
const exemplarPeriod = 100 * time.Millisecond

// A requestKey is the labels of a request as they are recorded.
type requestKey struct {
	tenant, method, endpoint string
	status                   int
}

type errorKey struct{ tenant, method, endpoint, errorType string }

// A requestSeries is the counter and the histogram of one set of labels.
type requestSeries struct {
	requests prometheus.Counter
	duration prometheus.Observer
	exemplar atomic.Int64 // when the last one was, in nanoseconds since the epoch
}

// request returns the series of the labels.
func (m *REDMetrics) request(tenant, method, endpoint string, status int) *requestSeries {
	if s, ok := m.series.get(requestKey{tenant, method, endpoint, status}); ok {
		return s
	}
	key := requestKey{m.tenantLabel(tenant), knownMethod(method), m.endpoints.Value(endpoint), knownStatus(status)}
	if s, ok := m.series.find(key); ok {
		return s
	}
	if s, ok := m.series.add(key, m.config.limits.Series, m.newRequestSeries); ok {
		return s
	}
	key.tenant, key.endpoint = m.overflow(), cardinality.Overflow
	return m.series.rest(key, m.newRequestSeries)
}

func (m *REDMetrics) newRequestSeries(key requestKey) *requestSeries {
	labels := m.labels(key.tenant, key.method, key.endpoint, strconv.Itoa(key.status))
	return &requestSeries{requests: m.requests.WithLabelValues(labels...), duration: m.duration.WithLabelValues(labels...)}
}

// failure returns the counter of the labels.
func (m *REDMetrics) failure(tenant, method, endpoint, errorType string) prometheus.Counter {
	if c, ok := m.errorSeries.get(errorKey{tenant, method, endpoint, errorType}); ok {
		return c
	}
	key := errorKey{m.tenantLabel(tenant), knownMethod(method), m.endpoints.Value(endpoint), m.errorTypes.Value(errorType)}
	if c, ok := m.errorSeries.find(key); ok {
		return c
	}
	if c, ok := m.errorSeries.add(key, m.config.limits.Series, m.newErrorSeries); ok {
		return c
	}
	key.tenant, key.endpoint = m.overflow(), cardinality.Overflow
	return m.errorSeries.rest(key, m.newErrorSeries)
}

func (m *REDMetrics) newErrorSeries(key errorKey) prometheus.Counter {
	return m.errors.WithLabelValues(m.labels(key.tenant, key.method, key.endpoint, key.errorType)...)
}

// tenantLabel returns the label of a tenant. No tenant is a value of its own,
// which never is one too many.
func (m *REDMetrics) tenantLabel(tenant string) string {
	if tenant == "" {
		return ""
	}
	return m.tenants.Value(tenant)
}

func (m *REDMetrics) overflow() string {
	if m.config.tenants {
		return cardinality.Overflow
	}
	return ""
}

func (m *REDMetrics) labels(tenant, method, endpoint, last string) []string {
	if m.config.tenants {
		return []string{method, endpoint, tenant, last}
	}
	return []string{method, endpoint, last}
}

// record counts one request.
func (s *requestSeries) record(ctx context.Context, status int, duration time.Duration) {
	seconds := max(duration, 0).Seconds()
	span := trace.SpanContextFromContext(ctx)
	if span.IsValid() && (span.IsSampled() || status >= 500) && s.exemplarDue() {
		labels := prometheus.Labels{"trace_id": span.TraceID().String(), "span_id": span.SpanID().String()}
		s.requests.(prometheus.ExemplarAdder).AddWithExemplar(1, labels)
		s.duration.(prometheus.ExemplarObserver).ObserveWithExemplar(seconds, labels)
		return
	}
	s.requests.Inc()
	s.duration.Observe(seconds)
}

func (s *requestSeries) exemplarDue() bool {
	now, last := time.Now().UnixNano(), s.exemplar.Load()
	return now-last >= int64(exemplarPeriod) && s.exemplar.CompareAndSwap(last, now)
}

// knownMethod returns the method, or _OTHER, as OpenTelemetry's conventions have
// it, for one that no standard defines (RFC 9110, RFC 5789).
func knownMethod(method string) string {
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY":
		return method
	default:
		return "_OTHER"
	}
}

func knownStatus(status int) int {
	if status < 100 || status > 599 {
		return 0
	}
	return status
}
