package observe

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

// An SLOWindow is the time that an objective is looked at over.
type SLOWindow int

// The windows. A month has 30 days.
const (
	Hour SLOWindow = iota
	Day
	Week
	Month

	windows = Month + 1
)

// bucketsPerWindow is the number of buckets in a window: the oldest counts by the
// part of it that is still in the window, so that the error is a part of a bucket,
// less than 0.3 % of the window's time.
const bucketsPerWindow = 360

// Duration returns the length of the window.
func (w SLOWindow) Duration() time.Duration {
	switch w {
	case Hour:
		return time.Hour
	case Day:
		return 24 * time.Hour
	case Week:
		return 7 * 24 * time.Hour
	case Month:
		return 30 * 24 * time.Hour
	default:
		return 0
	}
}

// String returns "hour", "day", "week" or "month".
func (w SLOWindow) String() string {
	if w < 0 || w >= windows {
		return fmt.Sprintf("SLOWindow(%d)", int(w))
	}
	return [...]string{"hour", "day", "week", "month"}[w]
}

// MarshalText is String.
func (w SLOWindow) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads what String returns.
func (w *SLOWindow) UnmarshalText(text []byte) error {
	for i := range windows {
		if i.String() == string(text) {
			*w = i
			return nil
		}
	}
	return fmt.Errorf("%q is no window: use hour, day, week or month", text)
}

// maxErrorTypes bounds the kinds of failures of a tracker.
const maxErrorTypes = 100

// An SLOTracker follows how well a service keeps an objective, such as "99.9 % of
// the orders are taken", over moving windows.
//
//	slo, err := observe.NewSLOTracker("orders", 0.999, observe.Hour, observe.Month)
//	if err != nil {
//		return err
//	}
//	slo.RecordSuccess()
//	slo.RecordFailure("timeout")
//	slo.Report().BudgetRemaining
//
// It needs 16 bytes for each of 360 buckets of a window, whatever the rate, and
// is safe for concurrent use. Time is monotonic: setting the clock doesn't move
// the windows. What it counts is lost with the process, unless a [SLOSnapshot] is
// kept; what lasts are the counters of its collector and the rules of
// [SLOTracker.Rules] on them.
type SLOTracker struct {
	name      string
	objective float64
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

// counts are events and the failures among them.
type counts struct{ total, failed uint64 }

func (c counts) plus(d counts) counts  { return counts{c.total + d.total, c.failed + d.failed} }
func (c counts) minus(d counts) counts { return counts{c.total - d.total, c.failed - d.failed} }

// A ring is a window: closed buckets, the oldest at next, and an open one.
type ring struct {
	window SLOWindow
	bucket time.Duration
	closed []counts
	next   int
	sum    counts // of the closed buckets
	open   counts
	opened time.Duration // when the open one began, since base
}

// NewSLOTracker returns a tracker. The objective is a ratio above 0 up to 1, such
// as 0.999; without windows it has all four. It fails on another objective, on an
// empty name or one that isn't UTF-8, and on an unknown window.
func NewSLOTracker(name string, objective float64, windows ...SLOWindow) (*SLOTracker, error) {
	switch {
	case name == "" || !model.LabelValue(name).IsValid():
		return nil, errors.New("make an SLO tracker: the name is empty or not valid UTF-8")
	case math.IsNaN(objective) || objective <= 0 || objective > 1:
		return nil, fmt.Errorf("make the SLO tracker %q: the objective is %v: it is a ratio above 0 up to 1, such as 0.999", name, objective)
	}
	if len(windows) == 0 {
		windows = []SLOWindow{Hour, Day, Week, Month}
	}
	windows = slices.Compact(slices.Sorted(slices.Values(windows)))
	t := &SLOTracker{
		name: name, objective: objective, types: cardinality.NewLimiter(maxErrorTypes),
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
func (t *SLOTracker) Name() string { return t.name }

// Objective returns the tracker's objective.
func (t *SLOTracker) Objective() float64 { return t.objective }

// RecordSuccess counts an event that met the objective.
func (t *SLOTracker) RecordSuccess() {
	t.mu.Lock()
	t.advance()
	t.tail.total++
	t.mu.Unlock()
}

// RecordFailure counts an event that didn't. The type is a word of few; after 100
// of them others are counted as "_other".
func (t *SLOTracker) RecordFailure(errorType string) {
	errorType = t.types.Value(errorType)
	t.mu.Lock()
	t.advance()
	t.tail.total++
	t.tail.failed++
	t.failures[errorType]++
	t.mu.Unlock()
}

// advance closes the tick when its time is over, and returns the age of now.
func (t *SLOTracker) advance() time.Duration {
	age := time.Since(t.base)
	if age-t.now >= tick {
		t.closeTick(age.Truncate(tick))
	}
	return age
}

// closeTick moves what was counted into the windows, and these to now.
func (t *SLOTracker) closeTick(now time.Duration) {
	for i := range t.rings {
		t.rings[i].rotate(t.now)
		t.rings[i].open = t.rings[i].open.plus(t.tail)
		t.rings[i].rotate(now)
	}
	t.total = t.total.plus(t.tail)
	t.tail, t.now = counts{}, now
}

// rotate closes the buckets that ended by now: 360 at most, whatever the gap.
func (r *ring) rotate(now time.Duration) {
	for n := 0; now-r.opened >= r.bucket; n++ {
		if n == bucketsPerWindow { // all that is left is older than the window
			clear(r.closed)
			r.sum, r.opened = counts{}, now.Truncate(r.bucket)
			return
		}
		r.sum = r.sum.minus(r.closed[r.next]).plus(r.open)
		r.closed[r.next] = r.open
		r.next = (r.next + 1) % bucketsPerWindow
		r.open = counts{}
		r.opened += r.bucket
	}
}

// at returns what is counted in the window that ends at age. The part of the
// oldest bucket that has left the window is taken to be as full as the rest of it.
func (r *ring) at(age time.Duration, tail counts) (total, failed float64) {
	oldest := r.closed[r.next]
	gone := min(max(float64(age-r.opened)/float64(r.bucket), 0), 1)
	all := r.sum.plus(r.open).plus(tail)
	return float64(all.total) - gone*float64(oldest.total), float64(all.failed) - gone*float64(oldest.failed)
}
