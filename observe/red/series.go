package red

import (
	"context"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/warrenmq/warren/observe/internal/cardinality"
	"github.com/warrenmq/warren/observe/internal/httpmethod"
	"github.com/warrenmq/warren/observe/internal/keeping"
)

// A requestKey is the labels of a request as they are recorded.
type requestKey struct {
	tenant, method, endpoint string
	status                   int
}

type errorKey struct{ tenant, method, endpoint, errorType string }

// A requestSeries is the counter and the histogram of one set of labels.
type requestSeries struct {
	requests  prometheus.Counter
	duration  prometheus.Observer
	tenant    *cardinality.Use // nil without one that may make room
	exemplars keeping.Exemplars
}

// An errorSeries is the counter of one set of labels.
type errorSeries struct {
	failures prometheus.Counter
	tenant   *cardinality.Use // nil without one that may make room
}

// request returns the series of the labels. Labels that need no change are found
// at once, as they are in the map.
func (m *Metrics) request(tenant, method, endpoint string, status int) *requestSeries {
	if s, ok := m.series.Get(requestKey{tenant, method, endpoint, status}); ok {
		s.tenant.Touch()
		return s
	}
	label, use := m.tenants.Label(tenant)
	key := requestKey{label, httpmethod.Known(method), m.endpoints.Value(endpoint), knownStatus(status)}
	s, ok := m.series.Add(key, func(key requestKey) *requestSeries { return m.newRequestSeries(key, use) })
	switch {
	case ok && s.tenant.Gone(): // since it was asked for
		m.forget()
	case ok:
		return s
	}
	m.rejectedSeries.Add(1)
	key.tenant, key.endpoint = m.overflowTenant(), cardinality.Overflow
	return m.series.AddBeyond(key, func(key requestKey) *requestSeries { return m.newRequestSeries(key, nil) })
}

func (m *Metrics) newRequestSeries(key requestKey, use *cardinality.Use) *requestSeries {
	labels := m.requestLabels(key)
	return &requestSeries{requests: m.requests.WithLabelValues(labels...), duration: m.duration.WithLabelValues(labels...), tenant: use}
}

// failure returns the counter of the labels.
func (m *Metrics) failure(tenant, method, endpoint, errorType string) prometheus.Counter {
	if s, ok := m.errorSeries.Get(errorKey{tenant, method, endpoint, errorType}); ok {
		s.tenant.Touch()
		return s.failures
	}
	label, use := m.tenants.Label(tenant)
	key := errorKey{label, httpmethod.Known(method), m.endpoints.Value(endpoint), m.errorTypes.Value(errorType)}
	s, ok := m.errorSeries.Add(key, func(key errorKey) *errorSeries { return m.newErrorSeries(key, use) })
	switch {
	case ok && s.tenant.Gone(): // since it was asked for
		m.forget()
	case ok:
		return s.failures
	}
	m.rejectedSeries.Add(1)
	key.tenant, key.endpoint = m.overflowTenant(), cardinality.Overflow
	return m.errorSeries.AddBeyond(key, func(key errorKey) *errorSeries { return m.newErrorSeries(key, nil) }).failures
}

func (m *Metrics) newErrorSeries(key errorKey, use *cardinality.Use) *errorSeries {
	return &errorSeries{failures: m.errors.WithLabelValues(m.errorLabels(key)...), tenant: use}
}

// forget deletes the series of tenants that have made room.
func (m *Metrics) forget() {
	m.series.DeleteFunc(func(key requestKey, s *requestSeries) bool {
		if !s.tenant.Gone() {
			return false
		}
		labels := m.requestLabels(key)
		m.requests.DeleteLabelValues(labels...)
		m.duration.DeleteLabelValues(labels...)
		return true
	})
	m.errorSeries.DeleteFunc(func(key errorKey, s *errorSeries) bool {
		if !s.tenant.Gone() {
			return false
		}
		m.errors.DeleteLabelValues(m.errorLabels(key)...)
		return true
	})
}

func (m *Metrics) overflowTenant() string {
	if m.config.tenants {
		return cardinality.Overflow
	}
	return ""
}

func (m *Metrics) requestLabels(key requestKey) []string {
	return m.labels(key.tenant, key.method, key.endpoint, strconv.Itoa(key.status))
}

func (m *Metrics) errorLabels(key errorKey) []string {
	return m.labels(key.tenant, key.method, key.endpoint, key.errorType)
}

func (m *Metrics) labels(tenant, method, endpoint, last string) []string {
	if m.config.tenants {
		return []string{method, endpoint, tenant, last}
	}
	return []string{method, endpoint, last}
}

// record counts one request.
func (s *requestSeries) record(ctx context.Context, duration time.Duration) {
	s.exemplars.Count(ctx, s.requests, s.duration, max(duration, 0).Seconds())
}

// The statuses of HTTP (RFC 9110, section 15).
const minStatus, maxStatus = 100, 599

func knownStatus(status int) int {
	if status < minStatus || status > maxStatus {
		return 0
	}
	return status
}
