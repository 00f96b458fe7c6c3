package slo

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/common/model"

	"github.com/warrenmq/warren/observe/internal/cardinality"
)

// maxErrorTypes bounds the kinds of failures of a tracker.
const maxErrorTypes = 100

// A Tracker follows how well a service keeps an objective, such as "99.9 % of
// the orders are taken", over moving windows.
//
//	tracker, err := slo.New("orders", 0.999, slo.Hour, slo.Month)
//	if err != nil {
//		return err
//	}
//	tracker.RecordSuccess()
//	tracker.RecordFailure("timeout")
//	tracker.Report().BudgetRemaining
//
// [New] makes it; a nil *Tracker and the zero Tracker can't be used. It is safe for
// concurrent use. It needs 16 bytes for each of 360 buckets of a window, whatever
// the rate. Time is monotonic: setting the clock doesn't move the windows. What it
// counts is lost with the process, unless a [Snapshot] is kept; what lasts are the
// counters of its collector and the rules of [Tracker.Rules] on them.
type Tracker struct {
	name      string
	service   string // empty for none
	objective float64
	latency   time.Duration // 0 for none
	histogram *histogram    // nil for none
	types     *cardinality.Limiter

	mu       sync.Mutex
	base     time.Time     // of the ages below
	now      time.Duration // the tick that tail is of, since base
	tail     counts        // of this tick
	rings    []ring
	total    counts            // since the start
	failures map[string]uint64 // since the start, by type
}

// tick is the time that the counts of all windows share.
const tick = 10 * time.Second

// New returns a tracker. The name is the label of its metrics and rules; name the
// service too, by [WithService], where another service may have an objective of that
// name. The objective is a ratio above 0 up to 1, such as 0.999. Without windows it
// has all four; their order doesn't matter, and two of one length are one. It fails
// on another objective, on an empty name or one that isn't UTF-8, and on an unknown
// window, on a latency below 0, and on a histogram without a latency.
func New(name string, objective float64, options ...Option) (*Tracker, error) {
	var c config
	for _, option := range options {
		option.apply(&c)
	}
	switch {
	case name == "" || !model.LabelValue(name).IsValid():
		return nil, errors.New("make an SLO tracker: the name is empty or not valid UTF-8")
	case !model.LabelValue(c.service).IsValid():
		return nil, fmt.Errorf("make the SLO tracker %q: the service's name isn't valid UTF-8", name)
	case c.latency < 0:
		return nil, fmt.Errorf("make the SLO tracker %q: the latency is %v: it is above 0", name, c.latency)
	case c.histogram != nil && (c.latency == 0 || !model.LegacyValidation.IsValidMetricName(c.histogram.name)):
		return nil, fmt.Errorf("make the SLO tracker %q: a histogram needs a name of Prometheus', and a bound by WithLatency", name)
	case math.IsNaN(objective) || objective <= 0 || objective > 1:
		return nil, fmt.Errorf("make the SLO tracker %q: the objective is %v: it is a ratio above 0 up to 1, such as 0.999", name, objective)
	}
	windows := c.windows
	if len(windows) == 0 {
		windows = []Window{Hour, Day, Week, Month}
	}
	windows = slices.Compact(slices.Sorted(slices.Values(windows)))
	t := &Tracker{
		name: name, service: c.service, objective: objective, latency: c.latency, histogram: c.histogram, types: cardinality.NewLimiter(maxErrorTypes),
		base: time.Now(), failures: make(map[string]uint64),
	}
	for _, w := range windows {
		if w.Duration() == 0 {
			return nil, fmt.Errorf("make the SLO tracker %q: %v is no window: use Hour, Day, Week or Month", name, w)
		}
		t.rings = append(t.rings, ring{window: w, bucket: w.Duration() / bucketsPerWindow, closed: make([]counts, bucketsPerWindow)})
	}
	return t, nil
}

// Name returns the tracker's name.
func (t *Tracker) Name() string { return t.name }

// Service returns the name of the service, empty for none.
func (t *Tracker) Service() string { return t.service }

// Objective returns the tracker's objective.
func (t *Tracker) Objective() float64 { return t.objective }

// Latency returns the bound of [WithLatency], 0 for none.
func (t *Tracker) Latency() time.Duration { return t.latency }

// Record counts an event by how long it took and the type of its error, which is "" for
// success.
func (t *Tracker) Record(took time.Duration, errorType string) {
	switch {
	case errorType != "":
		t.RecordFailure(errorType)
	case t.latency > 0 && took > t.latency:
		t.RecordFailure("slow")
	default:
		t.RecordSuccess()
	}
}

// RecordSuccess counts an event that met the objective.
func (t *Tracker) RecordSuccess() {
	t.mu.Lock()
	t.advance()
	t.tail.total++
	t.mu.Unlock()
}

// RecordFailure counts an event that didn't meet the objective. The type is one of
// a few words, as "timeout" or what observe.ErrorType returns; after 100 of them
// others are counted as "_other".
func (t *Tracker) RecordFailure(errorType string) {
	errorType = t.types.Value(errorType)
	t.mu.Lock()
	t.advance()
	t.tail.total++
	t.tail.failed++
	t.failures[errorType]++
	t.mu.Unlock()
}

// advance closes the tick when its time is over, and returns the age of now.
func (t *Tracker) advance() time.Duration {
	age := time.Since(t.base)
	if age-t.now >= tick {
		t.closeTick(age.Truncate(tick))
	}
	return age
}

// closeTick moves what was counted into the windows, and these to now.
func (t *Tracker) closeTick(now time.Duration) {
	for i := range t.rings {
		t.rings[i].rotate(t.now)
		t.rings[i].open = t.rings[i].open.plus(t.tail)
		t.rings[i].rotate(now)
	}
	t.total = t.total.plus(t.tail)
	t.tail, t.now = counts{}, now
}
