package observe

import (
	"time"

	"github.com/warrenmq/warren/observe/slo"
)

// An SLOTracker follows how well a service keeps an objective: see RecordSuccess,
// RecordFailure, Report, Rules and Collector. It is that of package [slo].
type SLOTracker = slo.Tracker

// An SLOReport says how well an objective is kept.
type SLOReport = slo.Report

// An SLOWindow is the time over which an objective is measured.
type SLOWindow = slo.Window

// The windows. A month has 30 days.
const (
	Hour  = slo.Hour
	Day   = slo.Day
	Week  = slo.Week
	Month = slo.Month
)

// An SLOOption configures [NewSLOTracker]: a window, or [WithService] and what package slo has besides.
type SLOOption = slo.Option

// WithService names the service whose objective it is; see [slo.WithService].
func WithService(name string) SLOOption { return slo.WithService(name) }

// WithLatency makes it an objective of latency; see [slo.WithLatency].
func WithLatency(bound time.Duration) SLOOption { return slo.WithLatency(bound) }

// NewSLOTracker returns a tracker; see [slo.New].
func NewSLOTracker(name string, objective float64, options ...SLOOption) (*SLOTracker, error) {
	return slo.New(name, objective, options...)
}
