package slo

import "github.com/prometheus/client_golang/prometheus"

// Collector returns the tracker's metrics, computed when they are asked for:
//
//	slo_requests_total{name}             events
//	slo_failed_requests_total{name}      failures of all types, from 0 on
//	slo_failures_total{name,error_type}  failures
//	slo_objective{name}
//	slo_sli{name,window}
//	slo_budget_remaining{name,window}
//	slo_burn_rate{name,window}
//
// Of a tracker with a service they have the label service too. Collectors of several trackers go into one registry.
func (t *Tracker) Collector() prometheus.Collector {
	constant := prometheus.Labels{"name": t.name}
	if t.service != "" {
		constant["service"] = t.service
	}
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("slo_"+name, help, labels, constant)
	}
	return &collector{
		tracker:   t,
		requests:  desc("requests_total", "Events that the objective is about."),
		failed:    desc("failed_requests_total", "Events that did not meet the objective."),
		failures:  desc("failures_total", "Events that did not meet the objective, by the kind of failure.", "error_type"),
		objective: desc("objective", "Part of the events that is to meet the objective."),
		sli:       desc("sli", "Part of the events in the window that met the objective.", "window"),
		remaining: desc("budget_remaining", "Part of the error budget of the window that is left.", "window"),
		burnRate:  desc("burn_rate", "How many times faster than allowed the error budget is used in the window.", "window"),
	}
}

type collector struct {
	tracker                                                         *Tracker
	requests, failed, failures, objective, sli, remaining, burnRate *prometheus.Desc
}

func (c *collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range [...]*prometheus.Desc{c.requests, c.failed, c.failures, c.objective, c.sli, c.remaining, c.burnRate} {
		ch <- d
	}
}

func (c *collector) Collect(ch chan<- prometheus.Metric) {
	report := c.tracker.Report()
	counter := func(d *prometheus.Desc, value uint64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), labels...)
	}
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	recorded := c.tracker.recorded()
	counter(c.requests, recorded.total)
	counter(c.failed, recorded.failed)
	for errorType, n := range report.Errors {
		counter(c.failures, n, errorType)
	}
	gauge(c.objective, report.Objective)
	for window, w := range report.Windows {
		gauge(c.sli, w.SLI, window.String())
		gauge(c.remaining, w.BudgetRemaining, window.String())
		gauge(c.burnRate, w.BurnRate, window.String())
	}
}

// recorded returns what was counted since the start.
func (t *Tracker) recorded() counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.total.plus(t.tail)
}
