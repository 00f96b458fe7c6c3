package slo

import "time"

// bucketsPerWindow is the number of buckets in a window: the oldest counts by the
// part of it that is still in the window, so that the error is a part of a bucket,
// less than 0.3 % of the window's time.
const bucketsPerWindow = 360

// counts are events and the failures among them.
type counts struct{ total, failed uint64 }

func (c counts) plus(d counts) counts  { return counts{c.total + d.total, c.failed + d.failed} }
func (c counts) minus(d counts) counts { return counts{c.total - d.total, c.failed - d.failed} }

// A ring is a window: closed buckets, the oldest at next, and an open one.
// See docs/decisions/0032.
type ring struct {
	window Window
	bucket time.Duration
	closed []counts
	next   int
	sum    counts // of the closed buckets
	open   counts
	opened time.Duration // when the open one began, since base
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
