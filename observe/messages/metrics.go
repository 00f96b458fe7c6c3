package messages

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/warrenmq/warren/observe/internal/cardinality"
	"github.com/warrenmq/warren/observe/red"
	"github.com/warrenmq/warren/runtime"
)

// Limits bound the series of [Metrics]. What comes after a limit is counted under
// the value "_other". A field of 0 or less means its default.
type Limits struct {
	Destinations int // distinct destinations, and distinct queues; default 500 each
	ErrorTypes   int // distinct error types; default 100
}

// Metrics count messages, under the names of OpenTelemetry's conventions:
//
//	messaging_client_sent_messages_total{messaging_destination_name,error_type}
//	messaging_client_operation_duration_seconds{messaging_destination_name,messaging_operation_name}
//	messaging_client_consumed_messages_total{messaging_destination_name,error_type}
//	messaging_process_duration_seconds{messaging_destination_name}
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
// sent is exchange:key. error_type is "" for success. outcome is "ack", "nack" for
// a message that went back to its queue, "reject", or "lost" where the channel was
// closed, so that the message comes again.
//
// It is a prometheus.Collector, made by [NewMetrics], and safe for concurrent use.
// In [Options] a nil *Metrics counts nothing.
type Metrics struct {
	sentMessages, consumedMessages, redelivered, settlements *prometheus.CounterVec

	sendDuration, processDuration *prometheus.HistogramVec
	active                        *prometheus.GaugeVec
	rejected                      *prometheus.Desc
	events                        *prometheus.CounterVec
	brokers                       *watched

	destinations, queues, errorTypes *cardinality.Limiter
}

// NewMetrics returns metrics. Nothing is registered: pass them to red.Metrics.Handler
// or to a registry, once.
func NewMetrics(limits Limits) *Metrics {
	if limits.Destinations <= 0 {
		limits.Destinations = 500
	}
	if limits.ErrorTypes <= 0 {
		limits.ErrorTypes = 100
	}
	const destination, errorType = "messaging_destination_name", "error_type"
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "messaging", Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "messaging", Name: name, Help: help, Buckets: red.DefaultBuckets(),
			NativeHistogramBucketFactor: 1.1, NativeHistogramMaxBucketNumber: 160, NativeHistogramMinResetDuration: time.Hour,
		}, labels)
	}
	return &Metrics{
		sentMessages:     counter("client_sent_messages_total", "Messages that were sent.", destination, errorType),
		consumedMessages: counter("client_consumed_messages_total", "Messages that were handled.", destination, errorType),
		redelivered:      counter("client_redelivered_messages_total", "Messages that were delivered again.", destination),
		settlements:      counter("client_settled_messages_total", "Messages that were acknowledged, requeued or rejected.", destination, "outcome"),
		sendDuration:     histogram("client_operation_duration_seconds", "Time until the broker confirmed a message, or a reply came.", destination, "messaging_operation_name"),
		processDuration:  histogram("process_duration_seconds", "Time that handling a message took.", destination),
		active: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: "messaging", Name: "process_active_messages", Help: "Messages that are being handled.",
		}, []string{destination}),
		events:  counter("broker_events_total", "What has happened to connections and routes of brokers.", "event", "connection"),
		brokers: newWatched(),
		rejected: prometheus.NewDesc("messaging_label_values_rejected_total",
			"Label values that were counted as _other, because there were too many.", []string{"label"}, nil),
		destinations: cardinality.NewLimiter(limits.Destinations), queues: cardinality.NewLimiter(limits.Destinations),
		errorTypes: cardinality.NewLimiter(limits.ErrorTypes),
	}
}

func (m *Metrics) started(queue string) {
	if m != nil {
		m.active.WithLabelValues(m.queues.Value(queue)).Inc()
	}
}

func (m *Metrics) processed(d *runtime.Delivery, failure string, took time.Duration) {
	if m == nil {
		return
	}
	queue := m.queues.Value(d.Queue)
	m.active.WithLabelValues(queue).Dec()
	m.consumedMessages.WithLabelValues(queue, m.errorType(failure)).Inc()
	m.processDuration.WithLabelValues(queue).Observe(took.Seconds())
	if d.Redelivered {
		m.redelivered.WithLabelValues(queue).Inc()
	}
}

func (m *Metrics) settled(queue, outcome string) {
	if m != nil {
		m.settlements.WithLabelValues(m.queues.Value(queue), outcome).Inc()
	}
}

func (m *Metrics) sent(s *runtime.Sending, failure string, took time.Duration) {
	if m == nil {
		return
	}
	destination := m.destinations.Value(joined(s.To.Exchange, s.To.RoutingKey, "").label())
	operation := "publish"
	if s.Call {
		operation = "call"
	}
	m.sentMessages.WithLabelValues(destination, m.errorType(failure)).Inc()
	m.sendDuration.WithLabelValues(destination, operation).Observe(took.Seconds())
}

func (m *Metrics) errorType(failure string) string {
	if failure == "" {
		return ""
	}
	return m.errorTypes.Value(failure)
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
	for label, count := range map[string]uint64{
		"messaging_destination_name": m.destinations.Rejected() + m.queues.Rejected(), "error_type": m.errorTypes.Rejected(),
	} {
		ch <- prometheus.MustNewConstMetric(m.rejected, prometheus.CounterValue, float64(count), label)
	}
}

func (m *Metrics) vectors() []prometheus.Collector {
	return []prometheus.Collector{m.sentMessages, m.consumedMessages, m.redelivered, m.settlements, m.sendDuration, m.processDuration, m.active, m.events}
}
