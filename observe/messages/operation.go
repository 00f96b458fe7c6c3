package messages

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/warrenmq/warren/observe/internal/cardinality"
	"github.com/warrenmq/warren/observe/internal/cowmap"
	"github.com/warrenmq/warren/observe/internal/keeping"
	"github.com/warrenmq/warren/observe/red"
	"github.com/warrenmq/warren/observe/tenant"
)

// Operations are a counter and a duration of messages that were sent, or handled.
type operations struct {
	metrics  *Metrics
	named    bool // the duration has the operation's name
	counter  *prometheus.CounterVec
	duration *prometheus.HistogramVec
	series   cowmap.Map[operationKey, *operationSeries]
	rejected atomic.Uint64
}

type operationKey struct{ destination, operation, errorType, tenant string }

type operationSeries struct {
	counter   prometheus.Counter
	duration  prometheus.Observer
	tenant    *cardinality.Use // nil without one that may make room
	exemplars keeping.Exemplars
}

type metric struct{ name, help string }

// newOperations returns operations; operation is the label of their name, "" for none.
func newOperations(m *Metrics, constant prometheus.Labels, limit int, counter, duration metric, operation string) *operations {
	o := &operations{metrics: m, named: operation != ""}
	o.series.Limit = limit
	labels := []string{destinationLabel, errorTypeLabel}
	if m.config.tenants {
		labels = append(labels, tenant.Label)
	}
	o.counter = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "messaging", Name: counter.name, Help: counter.help, ConstLabels: constant,
	}, labels)
	if o.named {
		labels = append(labels, operation)
	}
	o.duration = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: "messaging", Name: duration.name, Help: duration.help, ConstLabels: constant, Buckets: red.DefaultBuckets(),
		NativeHistogramBucketFactor: 1.1, NativeHistogramMaxBucketNumber: 160, NativeHistogramMinResetDuration: time.Hour,
	}, labels)
	return o
}

// record counts an operation, whose destination and error type are bounded.
func (o *operations) record(ctx context.Context, destination, operation, errorType string, took time.Duration) {
	key := operationKey{destination: destination, operation: operation, errorType: errorType}
	if o.metrics.config.tenants {
		key.tenant = tenant.FromContext(ctx)
	}
	s := o.find(key)
	s.exemplars.Count(ctx, s.counter, s.duration, took.Seconds())
}

func (o *operations) find(key operationKey) *operationSeries {
	if s, ok := o.series.Get(key); ok {
		s.tenant.Touch()
		return s
	}
	var use *cardinality.Use
	key.tenant, use = o.metrics.tenants.Label(key.tenant)
	s, ok := o.series.Add(key, func(key operationKey) *operationSeries { return o.create(key, use) })
	switch {
	case ok && s.tenant.Gone(): // since it was asked for
		o.forget()
	case ok:
		return s
	}
	o.rejected.Add(1)
	key.destination = cardinality.Overflow
	if o.metrics.config.tenants {
		key.tenant = cardinality.Overflow
	}
	return o.series.AddBeyond(key, func(key operationKey) *operationSeries { return o.create(key, nil) })
}

func (o *operations) create(key operationKey, use *cardinality.Use) *operationSeries {
	counted, timed := o.labels(key)
	return &operationSeries{counter: o.counter.WithLabelValues(counted...), duration: o.duration.WithLabelValues(timed...), tenant: use}
}

// labels are those of the counter, and of the duration.
func (o *operations) labels(key operationKey) (counted, timed []string) {
	counted = []string{key.destination, key.errorType}
	if o.metrics.config.tenants {
		counted = append(counted, key.tenant)
	}
	timed = counted
	if o.named {
		timed = append(counted[:len(counted):len(counted)], key.operation)
	}
	return counted, timed
}

// forget deletes the series of tenants that have made room.
func (o *operations) forget() {
	o.series.DeleteFunc(func(key operationKey, s *operationSeries) bool {
		if !s.tenant.Gone() {
			return false
		}
		counted, timed := o.labels(key)
		o.counter.DeleteLabelValues(counted...)
		o.duration.DeleteLabelValues(timed...)
		return true
	})
}
