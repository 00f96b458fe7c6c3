package messages

import (
	"errors"
	"slices"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/warrenmq/warren/observe/internal/cardinality"
	"github.com/warrenmq/warren/runtime"
)

// A Broker is what [Metrics.Watch] asks: those of packages rabbitmq and memory.
type Broker interface {
	runtime.HealthChecker
	EventsDropped() uint64
}

// Events returns hooks that count the events of a broker, for its configuration. They
// are safe for concurrent use, and count nothing of a nil *Metrics.
//
//	metrics := messages.NewMetrics(messages.Limits{})
//	broker, err := rabbitmq.New(rabbitmq.Config{URL: url, Events: []runtime.Events{metrics.Events()}})
//	metrics.Watch(broker)
func (m *Metrics) Events() runtime.Events {
	if m == nil {
		return runtime.Events{}
	}
	count := func(e runtime.Event) { m.events.WithLabelValues(string(e.Kind), e.Connection).Inc() }
	return runtime.Events{
		Connected: count, ConnectionLost: count, Blocked: count, Unblocked: count,
		ConsumerCancelled: count, ChannelLost: count, TopologyRefused: count, LateReply: count,
	}
}

// Watch has the metrics tell whether a broker is live and ready, whenever they are
// collected. Of several brokers all have to be. One that was shut down isn't ready.
func (m *Metrics) Watch(broker Broker) {
	if m != nil {
		m.brokers.add(broker)
	}
}

// watched are the brokers that are asked.
type watched struct {
	live, ready, problems, dropped *prometheus.Desc

	mu  sync.Mutex
	all []Broker
}

func newWatched(constant prometheus.Labels) *watched {
	return &watched{
		live:  prometheus.NewDesc("messaging_broker_live", "1 unless only a restart helps.", nil, constant),
		ready: prometheus.NewDesc("messaging_broker_ready", "1 while the broker does all that it is for.", nil, constant),
		problems: prometheus.NewDesc("messaging_broker_problems", "Reasons why the broker isn't ready.",
			[]string{"connection", destinationLabel}, constant),
		dropped: prometheus.NewDesc("messaging_broker_events_dropped_total", "Events that hooks haven't got, because too many waited.", nil, constant),
	}
}

func (w *watched) add(broker Broker) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, broker)
}

func (w *watched) describe(ch chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{w.live, w.ready, w.problems, w.dropped} {
		ch <- desc
	}
}

// collect asks the brokers; queues bounds the label.
func (w *watched) collect(ch chan<- prometheus.Metric, queues *cardinality.Limiter) {
	w.mu.Lock()
	all := slices.Clone(w.all)
	w.mu.Unlock()
	if len(all) == 0 {
		return
	}
	live, ready, dropped := 1.0, 1.0, uint64(0)
	type place struct{ connection, queue string }
	problems := make(map[place]int)
	for _, broker := range all {
		dropped += broker.EventsDropped()
		if broker.Live() != nil {
			live = 0
		}
		err := broker.Ready()
		if err == nil {
			continue
		}
		ready = 0
		var missing *runtime.NotReadyError
		if errors.As(err, &missing) {
			for _, p := range missing.Problems {
				queue := p.Queue
				if queue != "" {
					queue = queues.Value(queue)
				}
				problems[place{p.Connection, queue}]++
			}
		}
	}
	ch <- prometheus.MustNewConstMetric(w.live, prometheus.GaugeValue, live)
	ch <- prometheus.MustNewConstMetric(w.ready, prometheus.GaugeValue, ready)
	ch <- prometheus.MustNewConstMetric(w.dropped, prometheus.CounterValue, float64(dropped))
	for at, n := range problems {
		ch <- prometheus.MustNewConstMetric(w.problems, prometheus.GaugeValue, float64(n), at.connection, at.queue)
	}
}
