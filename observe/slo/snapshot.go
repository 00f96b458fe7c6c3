package slo

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"time"
)

// A Snapshot is what a tracker has counted, to be kept across a restart as
// JSON.
type Snapshot struct {
	Name     string             `json:"name"`
	Taken    time.Time          `json:"taken"`
	Age      time.Duration      `json:"age"` // of the tracker, in nanoseconds
	Total    uint64             `json:"total"`
	Failed   uint64             `json:"failed"`
	Failures map[string]uint64  `json:"failures"`
	Windows  map[Window]Buckets `json:"windows"`
}

// Buckets are those of one window: the events and failures of the
// closed ones, the oldest first, and of the open one, last.
type Buckets struct {
	Total  []uint64      `json:"total"`
	Failed []uint64      `json:"failed"`
	Opened time.Duration `json:"opened"` // when the last one began, in nanoseconds of the tracker's age
}

// Snapshot returns what was counted. It is the caller's: nothing changes it later.
func (t *Tracker) Snapshot() Snapshot {
	t.mu.Lock()
	defer t.mu.Unlock()
	age := t.advance()
	s := Snapshot{
		Name: t.name, Taken: time.Now().Round(0).UTC(), Age: age,
		Total: t.total.total + t.tail.total, Failed: t.total.failed + t.tail.failed,
		Failures: maps.Clone(t.failures), Windows: make(map[Window]Buckets, len(t.rings)),
	}
	for i := range t.rings {
		r := &t.rings[i]
		b := Buckets{Opened: r.opened}
		for j := range bucketsPerWindow {
			c := r.closed[(r.next+j)%bucketsPerWindow]
			b.Total, b.Failed = append(b.Total, c.total), append(b.Failed, c.failed)
		}
		last := r.open.plus(t.tail)
		b.Total, b.Failed = append(b.Total, last.total), append(b.Failed, last.failed)
		s.Windows[r.window] = b
	}
	return s
}

// Restore goes on from a snapshot: what it counted is as old as the wall clock
// says, none where that was set back. It fails, and changes nothing, on a
// snapshot of another name, on one that can't be true, and when something was
// counted already.
func (t *Tracker) Restore(s Snapshot) error {
	if err := s.check(t.name); err != nil {
		return fmt.Errorf("restore the SLO tracker %q: %w", t.name, err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.total != (counts{}) || t.tail != (counts{}) {
		return fmt.Errorf("restore the SLO tracker %q: it has counted already: restore before the first record", t.name)
	}
	gap := min(max(time.Since(s.Taken), 0), maxGap)
	t.base = time.Now().Add(-s.Age - gap)
	t.now = s.Age.Truncate(tick)
	t.total = counts{s.Total, s.Failed}
	for errorType, n := range s.Failures {
		t.failures[t.types.Value(errorType)] += n
	}
	for i := range t.rings {
		r := &t.rings[i]
		*r = ring{window: r.window, bucket: r.bucket, closed: make([]counts, bucketsPerWindow), opened: t.now.Truncate(r.bucket)}
		if b, ok := s.Windows[r.window]; ok {
			r.restore(b)
		}
	}
	t.closeTick(time.Since(t.base).Truncate(tick))
	return nil
}

func (r *ring) restore(b Buckets) {
	for j := range bucketsPerWindow {
		c := counts{b.Total[j], b.Failed[j]}
		r.closed[j] = c
		r.sum = r.sum.plus(c)
	}
	r.open = counts{b.Total[bucketsPerWindow], b.Failed[bucketsPerWindow]}
	r.opened = b.Opened
}

// maxAge is the greatest age of a tracker: a snapshot that says more is broken.
// maxGap is longer than all windows. Together they are short enough for the base
// to be of a time that package time has monotonic readings for, which is after
// 1885.
const (
	maxAge = 100 * 365 * 24 * time.Hour
	maxGap = 365 * 24 * time.Hour
)

func (s *Snapshot) check(name string) error {
	switch {
	case s.Name != name:
		return fmt.Errorf("the snapshot is of %q", s.Name)
	case s.Age < 0 || s.Age > maxAge || s.Failed > s.Total || s.Total > math.MaxInt64:
		return errors.New("the snapshot is broken: its age or its counts can't be")
	}
	left := s.Failed
	for _, n := range s.Failures {
		if n > left {
			return errors.New("the snapshot is broken: there are more failures by type than failures")
		}
		left -= n
	}
	if left > 0 {
		return errors.New("the snapshot is broken: there are fewer failures by type than failures")
	}
	for w, b := range s.Windows {
		if w.Duration() == 0 || len(b.Total) != bucketsPerWindow+1 || len(b.Failed) != bucketsPerWindow+1 ||
			b.Opened < 0 || b.Opened > s.Age {
			return fmt.Errorf("the snapshot is broken: its window %q can't be", w)
		}
		left := counts{s.Total, s.Failed}
		for j := range b.Total {
			c := counts{b.Total[j], b.Failed[j]}
			if c.failed > c.total || c.total > left.total || c.failed > left.failed {
				return fmt.Errorf("the snapshot is broken: a bucket of its window %q has more failures than events, or all have more than the tracker", w)
			}
			left = left.minus(c)
		}
	}
	return nil
}
