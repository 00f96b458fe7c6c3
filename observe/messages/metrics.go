package messages

import (
	"context"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/warrenmq/warren/observe/internal/cardinality"
	"github.com/warrenmq/warren/observe/internal/logkey"
	"github.com/warrenmq/warren/observe/redact"
	"github.com/warrenmq/warren/observe/tenant"
	"github.com/warrenmq/warren/runtime"
)

// Limits bound the series of [Metrics]. What comes after a limit is counted under
// the value "_other". A field of 0 or less means its default.
type Limits struct {
	Destinations int // distinct destinations, and distinct queues; default 500 each
	ErrorTypes   int // distinct error types; default 100
	Tenants      int // distinct tenants besides those that are known; default 1000
	Series       int // of messages that were sent, and of those that were handled; default 10000 each
}

func (l Limits) withDefaults() Limits {
	for _, field := range []struct {
		value    *int
		fallback int
	}{{&l.Destinations, 500}, {&l.ErrorTypes, 100}, {&l.Tenants, 1000}, {&l.Series, 10000}} {
		if *field.value <= 0 {
			*field.value = field.fallback
		}
	}
	return l
}

// A MetricsOption configures [NewMetrics]. Of two that set the same, the later wins.
type MetricsOption func(*metricsConfig)

type metricsConfig struct {
	service  string
	tenants  bool
	known    []string
	redactor *redact.Redactor
}

// WithService adds the label service, with that name, to all series.
func WithService(name string) MetricsOption { return func(c *metricsConfig) { c.service = name } }

// WithTenants adds the label tenant to the counters and durations of messages, by the rules
// of [red.WithTenants]: known ones always have series of their own.
func WithTenants(known ...string) MetricsOption {
	return func(c *metricsConfig) { c.tenants, c.known = true, slices.Clone(known) }
}

// WithRedactor makes the label of a tenant that is personal data "[REDACTED]": see
// [red.WithRedactor].
func WithRedactor(r *redact.Redactor) MetricsOption {
	return func(c *metricsConfig) { c.redactor = r }
}

// Metrics count messages, under the names of OpenTelemetry's conventions:
//
//	messaging_client_sent_messages_total{messaging_destination_name,error_type}
//	messaging_client_operation_duration_seconds{messaging_destination_name,messaging_operation_name,error_type}
//	messaging_client_consumed_messages_total{messaging_destination_name,error_type}
//	messaging_process_duration_seconds{messaging_destination_name,error_type}
//	messaging_process_active_messages{messaging_destination_name}
//	messaging_client_redelivered_messages_total{messaging_destination_name}
//	messaging_client_settled_messages_total{messaging_destination_name,outcome}
//	messaging_label_values_rejected_total{label}
//
// and of the brokers that [Metrics.Watch] has, of which semantic conventions say
// nothing:
//
//	messaging_broker_events_total{event,connection}
//	messaging_broker_events_dropped_total
//	messaging_broker_live
//	messaging_broker_ready
//	messaging_broker_problems{connection,messaging_destination_name}
//
// event is an EventKind of package runtime, such as "connection_lost" or "late_reply",
// and connection "consuming", "publishing" or "". The last three are 1 or 0, and the
// number of reasons why a broker isn't ready.
//
// The destination of a message that is consumed is its queue, that of one that is
// sent is exchange:key. error_type is "" for success. A message that can't be handled yet
// (runtime.Postpone) isn't counted among those that were handled, and is no failure.
// outcome is "ack", "postponed" for such a message, "retry" for one that is tried again,
// "dead-letter" and "discard" for one that isn't, "nack" for one that went back to its
// queue, "reject", or "lost" where the channel was closed, so that the message comes
// again. The first four metrics have the label tenant with
// [WithTenants], and exemplars, by the rules of red.Metrics.
//
// It is a prometheus.Collector, made by [NewMetrics], and safe for concurrent use.
// In [Options] a nil *Metrics counts nothing.
type Metrics struct {
	config metricsConfig

	sending, handling    *operations
	redelivered, settled *prometheus.CounterVec
	active               *prometheus.GaugeVec
	rejected             *prometheus.Desc
	events               *prometheus.CounterVec
	brokers              *watched

	destinations, queues, errorTypes *cardinality.Limiter
	tenants                          *cardinality.Tenants
}

const (
	destinationLabel = "messaging_destination_name"
	operationLabel   = "messaging_operation_name"
	errorTypeLabel   = "error_type"
)

// NewMetrics returns metrics. Nothing is registered: pass them to
// observe.Observability.Register, to red.Metrics.Handler, or to a registry, once.
func NewMetrics(limits Limits, options ...MetricsOption) *Metrics {
	limits = limits.withDefaults()
	m := &Metrics{
		destinations: cardinality.NewLimiter(limits.Destinations), queues: cardinality.NewLimiter(limits.Destinations),
		errorTypes: cardinality.NewLimiter(limits.ErrorTypes),
	}
	for _, option := range options {
		option(&m.config)
	}
	m.tenants = cardinality.NewTenants(limits.Tenants, m.config.known, m.config.redactor, m.forget)
	var constant prometheus.Labels
	if m.config.service != "" {
		constant = prometheus.Labels{logkey.Service: m.config.service}
	}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "messaging", Name: name, Help: help, ConstLabels: constant}, labels)
	}
	m.sending = newOperations(m, constant, limits.Series,
		metric{"client_sent_messages_total", "Messages that were sent."},
		metric{"client_operation_duration_seconds", "Time until the broker confirmed a message, or a reply came."}, operationLabel)
	m.handling = newOperations(m, constant, limits.Series,
		metric{"client_consumed_messages_total", "Messages that were handled."},
		metric{"process_duration_seconds", "Time that handling a message took."}, "")
	m.redelivered = counter("client_redelivered_messages_total", "Messages that were delivered again.", destinationLabel)
	m.settled = counter("client_settled_messages_total", "Messages that were acknowledged, requeued or rejected.", destinationLabel, "outcome")
	m.active = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "messaging", Name: "process_active_messages", Help: "Messages that are being handled.", ConstLabels: constant,
	}, []string{destinationLabel})
	m.events = counter("broker_events_total", "What has happened to connections and routes of brokers.", "event", "connection")
	m.brokers = newWatched(constant)
	m.rejected = prometheus.NewDesc("messaging_label_values_rejected_total",
		"Label values that were counted as _other, because there were too many.", []string{"label"}, constant)
	return m
}

func (m *Metrics) started(queue string) {
	if m != nil {
		m.active.WithLabelValues(m.queues.Value(queue)).Inc()
	}
}

func (m *Metrics) processed(ctx context.Context, d *runtime.Delivery, failure string, took time.Duration) {
	if m == nil {
		return
	}
	m.handling.record(ctx, m.queues.Value(d.Queue), "", m.errorType(failure), took)
}

// ended notes that a message isn't being handled any more.
func (m *Metrics) ended(d *runtime.Delivery) {
	if m == nil {
		return
	}
	queue := m.queues.Value(d.Queue)
	m.active.WithLabelValues(queue).Dec()
	if d.Redelivered {
		m.redelivered.WithLabelValues(queue).Inc()
	}
}

func (m *Metrics) wasSettled(queue, outcome string) {
	if m != nil {
		m.settled.WithLabelValues(m.queues.Value(queue), outcome).Inc()
	}
}

func (m *Metrics) sent(ctx context.Context, s *runtime.Sending, failure string, took time.Duration) {
	if m == nil {
		return
	}
	operation := "publish"
	if s.Call {
		operation = "call"
	}
	m.sending.record(ctx, m.destinations.Value(joined(s.To.Exchange, s.To.RoutingKey, "").label()), operation, m.errorType(failure), took)
}

func (m *Metrics) errorType(failure string) string {
	if failure == "" {
		return ""
	}
	return m.errorTypes.Value(failure)
}

// forget deletes the series of tenants that have made room.
func (m *Metrics) forget() {
	m.sending.forget()
	m.handling.forget()
}

// Describe is for prometheus.Registry.
func (m *Metrics) Describe(ch chan<- *prometheus.Desc) {
	for _, c := range m.vectors() {
		c.Describe(ch)
	}
	ch <- m.rejected
	m.brokers.describe(ch)
}

// Collect is for prometheus.Registry.
func (m *Metrics) Collect(ch chan<- prometheus.Metric) {
	m.brokers.collect(ch, m.queues)
	for _, c := range m.vectors() {
		c.Collect(ch)
	}
	rejected := map[string]uint64{
		destinationLabel: m.destinations.Rejected() + m.queues.Rejected(), errorTypeLabel: m.errorTypes.Rejected(),
		"all": m.sending.rejected.Load() + m.handling.rejected.Load(),
	}
	if m.config.tenants {
		rejected[tenant.Label] = m.tenants.Rejected()
	}
	for label, count := range rejected {
		ch <- prometheus.MustNewConstMetric(m.rejected, prometheus.CounterValue, float64(count), label)
	}
}

func (m *Metrics) vectors() []prometheus.Collector {
	return []prometheus.Collector{
		m.sending.counter, m.sending.duration, m.handling.counter, m.handling.duration, m.redelivered, m.settled, m.active, m.events,
	}
}
