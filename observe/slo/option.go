package slo

import (
	"maps"
	"time"
)

// An Option configures [New]: a [Window], [WithService], [WithLatency] or
// [WithHistogram].
type Option interface{ apply(*config) }

type config struct {
	service   string
	latency   time.Duration // 0 for none
	histogram *histogram    // nil for none
	windows   []Window
}

type option func(*config)

func (o option) apply(c *config) { o(c) }

func (w Window) apply(c *config) { c.windows = append(c.windows, w) }

// WithService names the service whose objective it is. The name is the label service
// of the metrics and the rules, so that objectives of one name in two services aren't
// taken for one. Of two names the later counts.
func WithService(name string) Option { return option(func(c *config) { c.service = name }) }

// WithLatency makes it an objective of latency: what [Tracker.Record] gets meets it when
// it has succeeded within the bound, as in "99 % of the requests are answered within
// 300 ms". What took longer is a failure of the type "slow".
func WithLatency(bound time.Duration) Option { return option(func(c *config) { c.latency = bound }) }

// WithHistogram has the rules take the share below the bound of [WithLatency] from a
// histogram that is there anyway, in place of the tracker's counters: what they then say
// holds for all instances of the service, and needs no traffic of this process. The name is
// that of the histogram, such as "request_duration_seconds", and labels are those that its
// series must have, beside service where the tracker has one.
//
// The bound must be the upper bound of one of its classic buckets. A Prometheus that stores
// native histograms takes no classic ones by default: have it scrape them too
// (always_scrape_classic_histograms: true), or leave native ones out by
// red.WithoutNativeHistograms. Where there is no such bucket, SLOAbsent fires. A request
// that fails fast counts as fast: give labels that leave it out, or keep an objective of
// errors too.
func WithHistogram(name string, labels map[string]string) Option {
	return option(func(c *config) { c.histogram = &histogram{name, maps.Clone(labels)} })
}

// A histogram of Prometheus.
type histogram struct {
	name   string
	labels map[string]string
}
