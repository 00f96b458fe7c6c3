package red

import (
	"context"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/cardinality"
	"github.com/warrenmq/warren/observe/internal/httpmethod"
	"github.com/warrenmq/warren/observe/internal/keeping"
	"github.com/warrenmq/warren/observe/internal/logkey"
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

// request returns the series of the labels. Labels that need no change are found
// at once, as they are in the map.
func (m *Metrics) request(tenant, method, endpoint string, status int) *requestSeries {
	if s, ok := m.series.Get(requestKey{tenant, method, endpoint, status}); ok {
		return s
	}
	key := requestKey{m.tenantLabel(tenant), httpmethod.Known(method), m.endpoints.Value(endpoint), knownStatus(status)}
	if s, ok := m.series.Add(key, m.newRequestSeries); ok {
		return s
	}
	m.rejectedSeries.Add(1)
	key.tenant, key.endpoint = m.overflowTenant(), cardinality.Overflow
	return m.series.AddBeyond(key, m.newRequestSeries)
}

func (m *Metrics) newRequestSeries(key requestKey) *requestSeries {
	labels := m.labels(key.tenant, key.method, key.endpoint, strconv.Itoa(key.status))
	return &requestSeries{requests: m.requests.WithLabelValues(labels...), duration: m.duration.WithLabelValues(labels...)}
}

// failure returns the counter of the labels.
func (m *Metrics) failure(tenant, method, endpoint, errorType string) prometheus.Counter {
	if c, ok := m.errorSeries.Get(errorKey{tenant, method, endpoint, errorType}); ok {
		return c
	}
	key := errorKey{m.tenantLabel(tenant), httpmethod.Known(method), m.endpoints.Value(endpoint), m.errorTypes.Value(errorType)}
	if c, ok := m.errorSeries.Add(key, m.newErrorSeries); ok {
		return c
	}
	m.rejectedSeries.Add(1)
	key.tenant, key.endpoint = m.overflowTenant(), cardinality.Overflow
	return m.errorSeries.AddBeyond(key, m.newErrorSeries)
}

func (m *Metrics) newErrorSeries(key errorKey) prometheus.Counter {
	return m.errors.WithLabelValues(m.labels(key.tenant, key.method, key.endpoint, key.errorType)...)
}

// tenantLabel returns the label of a tenant. No tenant is a value of its own,
// which the limit doesn't count.
func (m *Metrics) tenantLabel(tenant string) string {
	if tenant == "" {
		return ""
	}
	return m.tenants.Value(tenant)
}

func (m *Metrics) overflowTenant() string {
	if m.config.tenants {
		return cardinality.Overflow
	}
	return ""
}

func (m *Metrics) labels(tenant, method, endpoint, last string) []string {
	if m.config.tenants {
		return []string{method, endpoint, tenant, last}
	}
	return []string{method, endpoint, last}
}

// record counts one request.
func (s *requestSeries) record(ctx context.Context, duration time.Duration) {
	seconds := max(duration, 0).Seconds()
	if keeping.Keeps(trace.SpanFromContext(ctx)) && s.exemplarDue() {
		span := trace.SpanContextFromContext(ctx)
		labels := prometheus.Labels{logkey.TraceID: span.TraceID().String(), logkey.SpanID: span.SpanID().String()}
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

// The statuses of HTTP (RFC 9110, section 15).
const minStatus, maxStatus = 100, 599

func knownStatus(status int) int {
	if status < minStatus || status > maxStatus {
		return 0
	}
	return status
}
