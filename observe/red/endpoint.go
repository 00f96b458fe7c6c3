package red

import (
	"context"
	"strings"
	"time"

	"github.com/warrenmq/warren/observe/internal/cowmap"
)

// An Endpoint records for one method and endpoint of [Metrics], faster for not
// looking them up. It is safe for concurrent use, and as good as any other of the
// same method and endpoint. [Metrics.Endpoint] makes it.
type Endpoint struct {
	metrics          *Metrics
	method, endpoint string
	byStatus         cowmap.Map[int, *requestSeries]
}

// Endpoint returns the metrics of a method and an endpoint. They count the same
// series as m does.
func (m *Metrics) Endpoint(method, endpoint string) *Endpoint {
	return &Endpoint{
		metrics: m, method: strings.Clone(method), endpoint: strings.Clone(endpoint),
		byStatus: cowmap.Map[int, *requestSeries]{Limit: maxStatus - minStatus + 1},
	}
}

// RecordRequest counts a request, as [Metrics.RecordRequest].
func (e *Endpoint) RecordRequest(statusCode int, duration time.Duration) {
	e.RecordRequestContext(context.Background(), statusCode, duration)
}

// RecordRequestContext counts a request, as [Metrics.RecordRequestContext]. Where
// the metrics have tenants it isn't faster than that.
func (e *Endpoint) RecordRequestContext(ctx context.Context, statusCode int, duration time.Duration) {
	if e.metrics.config.tenants {
		e.metrics.RecordRequestContext(ctx, e.method, e.endpoint, statusCode, duration)
		return
	}
	e.request(statusCode).record(ctx, duration)
}

// RecordError counts a failure, as [Metrics.RecordError].
func (e *Endpoint) RecordError(errorType string) {
	e.metrics.RecordError(e.method, e.endpoint, errorType)
}

// RecordErrorContext counts a failure, as [Metrics.RecordErrorContext].
func (e *Endpoint) RecordErrorContext(ctx context.Context, errorType string) {
	e.metrics.RecordErrorContext(ctx, e.method, e.endpoint, errorType)
}

func (e *Endpoint) request(status int) *requestSeries {
	if series, ok := e.byStatus.Get(status); ok {
		return series
	}
	if knownStatus(status) == status {
		if series, ok := e.byStatus.Add(status, e.find); ok {
			return series
		}
	}
	return e.find(status)
}

func (e *Endpoint) find(status int) *requestSeries {
	return e.metrics.request("", e.method, e.endpoint, status)
}
