package observe

import (
	"context"
	"maps"
	"strconv"
	"strings"
	"sync"
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

// A seriesTable finds series without a lock. Making one copies the table, which
// is bounded.
type seriesTable[K comparable, V any] struct {
	mu       sync.Mutex
	known    atomic.Pointer[map[K]V]
	rejected atomic.Uint64
}

func (t *seriesTable[K, V]) get(key K) (V, bool) {
	if known := t.known.Load(); known != nil {
		v, ok := (*known)[key]
		return v, ok
	}
	var none V
	return none, false
}

func (t *seriesTable[K, V]) len() int {
	if known := t.known.Load(); known != nil {
		return len(*known)
	}
	return 0
}

// add returns the series of the key, made by create the first time.
func (t *seriesTable[K, V]) add(key K, create func() V) V {
	t.mu.Lock()
	defer t.mu.Unlock()
	if v, ok := t.get(key); ok {
		return v
	}
	next := make(map[K]V)
	if known := t.known.Load(); known != nil {
		next = maps.Clone(*known)
	}
	v := create()
	next[key] = v
	t.known.Store(&next)
	return v
}

// request returns the series of the labels.
func (m *REDMetrics) request(tenant, method, endpoint string, status int) *requestSeries {
	if s, ok := m.series.get(requestKey{tenant, method, endpoint, status}); ok {
		return s
	}
	key := requestKey{m.tenants.Value(tenant), knownMethod(method), m.endpoints.Value(endpoint), knownStatus(status)}
	if s, ok := m.series.get(key); ok {
		return s
	}
	if m.series.len() >= m.config.limits.Series {
		m.series.rejected.Add(1)
		key.tenant, key.endpoint = m.overflow(), cardinality.Overflow
		if s, ok := m.series.get(key); ok {
			return s
		}
	}
	return m.series.add(key, func() *requestSeries {
		labels := m.labels(key.tenant, key.method, key.endpoint, strconv.Itoa(key.status))
		return &requestSeries{requests: m.requests.WithLabelValues(labels...), duration: m.duration.WithLabelValues(labels...)}
	})
}

// failure returns the counter of the labels.
func (m *REDMetrics) failure(tenant, method, endpoint, errorType string) prometheus.Counter {
	if c, ok := m.errorSeries.get(errorKey{tenant, method, endpoint, errorType}); ok {
		return c
	}
	key := errorKey{m.tenants.Value(tenant), knownMethod(method), m.endpoints.Value(endpoint), m.errorTypes.Value(errorType)}
	if c, ok := m.errorSeries.get(key); ok {
		return c
	}
	if m.errorSeries.len() >= m.config.limits.Series {
		m.errorSeries.rejected.Add(1)
		key.tenant, key.endpoint = m.overflow(), cardinality.Overflow
		if c, ok := m.errorSeries.get(key); ok {
			return c
		}
	}
	return m.errorSeries.add(key, func() prometheus.Counter {
		return m.errors.WithLabelValues(m.labels(key.tenant, key.method, key.endpoint, key.errorType)...)
	})
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

// An EndpointMetrics is REDMetrics for one method and endpoint, which records
// faster for not looking them up.
type EndpointMetrics struct {
	metrics          *REDMetrics
	method, endpoint string
	byStatus         atomic.Pointer[[]statusSeries]
	mu               sync.Mutex
}

type statusSeries struct {
	status int
	series *requestSeries
}

// Endpoint returns the metrics of a method and an endpoint.
func (m *REDMetrics) Endpoint(method, endpoint string) *EndpointMetrics {
	return &EndpointMetrics{metrics: m, method: strings.Clone(method), endpoint: strings.Clone(endpoint)}
}

// RecordRequest counts a request, as [REDMetrics.RecordRequest].
func (e *EndpointMetrics) RecordRequest(statusCode int, duration time.Duration) {
	e.RecordRequestContext(context.Background(), statusCode, duration)
}

// RecordRequestContext counts a request, as [REDMetrics.RecordRequestContext].
// Where the metrics have tenants it isn't faster than that.
func (e *EndpointMetrics) RecordRequestContext(ctx context.Context, statusCode int, duration time.Duration) {
	if e.metrics.config.tenants {
		e.metrics.RecordRequestContext(ctx, e.method, e.endpoint, statusCode, duration)
		return
	}
	e.request(statusCode).record(ctx, statusCode, duration)
}

// RecordError counts a failure, as [REDMetrics.RecordError].
func (e *EndpointMetrics) RecordError(errorType string) {
	e.metrics.RecordError(e.method, e.endpoint, errorType)
}

func (e *EndpointMetrics) request(status int) *requestSeries {
	if known := e.byStatus.Load(); known != nil {
		for _, s := range *known {
			if s.status == status {
				return s.series
			}
		}
	}
	series := e.metrics.request("", e.method, e.endpoint, status)
	if knownStatus(status) != status {
		return series
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	var next []statusSeries
	if known := e.byStatus.Load(); known != nil {
		next = append(next, *known...)
	}
	next = append(next, statusSeries{status, series})
	e.byStatus.Store(&next)
	return series
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
