package observe

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

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

// RecordErrorContext counts a failure, as [REDMetrics.RecordErrorContext].
func (e *EndpointMetrics) RecordErrorContext(ctx context.Context, errorType string) {
	e.metrics.RecordErrorContext(ctx, e.method, e.endpoint, errorType)
}

func (e *EndpointMetrics) request(status int) *requestSeries {
	if series := e.known(status); series != nil {
		return series
	}
	series := e.metrics.request("", e.method, e.endpoint, status)
	if knownStatus(status) != status {
		return series
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.known(status) == nil { // nobody else was faster
		var next []statusSeries
		if known := e.byStatus.Load(); known != nil {
			next = slices.Clone(*known)
		}
		next = append(next, statusSeries{status, series})
		e.byStatus.Store(&next)
	}
	return series
}

func (e *EndpointMetrics) known(status int) *requestSeries {
	known := e.byStatus.Load()
	if known == nil {
		return nil
	}
	for _, s := range *known {
		if s.status == status {
			return s.series
		}
	}
	return nil
}
