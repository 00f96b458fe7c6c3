package red

import (
	"context"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/warrenmq/warren/observe/internal/cardinality"
	"github.com/warrenmq/warren/observe/internal/cowmap"
	"github.com/warrenmq/warren/observe/internal/httpmethod"
	"github.com/warrenmq/warren/observe/internal/keeping"
)

// A Request is one that was answered, for [Metrics.Record].
type Request struct {
	Method     string        // "_OTHER" for one that no standard knows
	Endpoint   string        // the pattern of the route, never the path
	StatusCode int           // 0 for one that isn't from 100 to 599
	Duration   time.Duration // 0 for one below
	ErrorType  string        // "" for success; one of a few words
	Scheme     string        // http or https; for [WithConventions]
}

// Record counts a request as RecordRequestContext and, with an error type, as
// RecordErrorContext.
func (m *Metrics) Record(ctx context.Context, r Request) {
	m.RecordRequestContext(ctx, r.Method, r.Endpoint, r.StatusCode, r.Duration)
	if r.ErrorType != "" {
		m.RecordErrorContext(ctx, r.Method, r.Endpoint, r.ErrorType)
	}
	if m.conventions != nil {
		m.conventions.record(ctx, r)
	}
}

// conventions are the histogram under the names of OpenTelemetry's conventions.
type conventions struct {
	metrics  *Metrics
	duration *prometheus.HistogramVec
	series   cowmap.Map[conventionKey, *conventionSeries]
}

type conventionKey struct {
	method, route, errorType, scheme string
	status                           int
}

type conventionSeries struct {
	duration  prometheus.Observer
	exemplars keeping.Exemplars
}

func newConventions(m *Metrics, histogram prometheus.HistogramOpts) *conventions {
	histogram.Namespace, histogram.Name, histogram.ConstLabels = "", "http_server_request_duration_seconds", nil
	histogram.Help = "Duration of HTTP server requests."
	c := &conventions{metrics: m, duration: prometheus.NewHistogramVec(histogram,
		[]string{"http_request_method", "http_route", "http_response_status_code", "error_type", "url_scheme"})}
	c.series.Limit = m.config.limits.Series
	return c
}

func (c *conventions) record(ctx context.Context, r Request) {
	seconds := max(r.Duration, 0).Seconds()
	s := c.find(r)
	if labels := s.exemplars.Next(ctx); labels != nil {
		s.duration.(prometheus.ExemplarObserver).ObserveWithExemplar(seconds, labels)
		return
	}
	s.duration.Observe(seconds)
}

func (c *conventions) find(r Request) *conventionSeries {
	if r.Scheme != "https" {
		r.Scheme = "http"
	}
	if s, ok := c.series.Get(conventionKey{r.Method, r.Endpoint, r.ErrorType, r.Scheme, r.StatusCode}); ok {
		return s
	}
	if r.ErrorType != "" {
		r.ErrorType = c.metrics.errorTypes.Value(r.ErrorType)
	}
	key := conventionKey{httpmethod.Known(r.Method), c.metrics.endpoints.Value(r.Endpoint), r.ErrorType, r.Scheme, knownStatus(r.StatusCode)}
	if s, ok := c.series.Add(key, c.create); ok {
		return s
	}
	c.metrics.rejectedSeries.Add(1)
	key.route = cardinality.Overflow
	return c.series.AddBeyond(key, c.create)
}

func (c *conventions) create(key conventionKey) *conventionSeries {
	return &conventionSeries{duration: c.duration.WithLabelValues(key.method, key.route, strconv.Itoa(key.status), key.errorType, key.scheme)}
}
