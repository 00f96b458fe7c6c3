package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
)

// A score is how a package did.
type score struct {
	path      string
	noticed   int
	unchanged int // of unchanged.txt
	survivors []mutation
	apart     []mutation // changes that were left out, since they need a build of their own
}

// note counts a change. It prints one that survived and shouldn't have.
func (s *score) note(m mutation, f fate, listed *unchanged) {
	switch {
	case f == noticed:
		s.noticed++
	case f == survived && listed.has(m):
		s.unchanged++
	case f == survived:
		s.survivors = append(s.survivors, m)
		fmt.Printf("%s (line %d)\n", m.key(), m.line)
	}
}

// tried is how many changes compiled.
func (s *score) tried() int { return s.noticed + s.unchanged + len(s.survivors) }

// percent is the share of the changes that a test could notice and did.
func (s *score) percent() float64 {
	could := s.noticed + len(s.survivors)
	if could == 0 {
		return 100
	}
	return 100 * float64(s.noticed) / float64(could)
}

func (s score) String() string {
	left := ""
	if len(s.apart) > 0 {
		left = fmt.Sprintf(", %d not made", len(s.apart))
	}
	return fmt.Sprintf("%s: %d of %d noticed (%.1f %%)%s", s.path, s.noticed, s.noticed+len(s.survivors), s.percent(), left)
}

// strict are packages of which 95 % have to be noticed; of the others it is 90 %.
var strict = []string{"/discover", "/eval", "/schema", "/warren/runtime"}

// isBelow reports whether the package is below its bound: whether of so many drawn changes
// so many survive less than once in 20 times where the tests notice just the bound's share.
// Of ten changes that are three: one or two may be chance.
func (s *score) isBelow() bool {
	tried, survivors := s.noticed+len(s.survivors), len(s.survivors)
	rate := 1 - s.bound()/100
	fewer := 0.0 // the probability of fewer survivors
	exactly := math.Pow(1-rate, float64(tried))
	for k := range survivors {
		fewer += exactly
		exactly *= float64(tried-k) / float64(k+1) * rate / (1 - rate)
	}
	return survivors > 0 && 1-fewer < 0.05
}

func (s *score) bound() float64 {
	for _, part := range strict {
		if strings.Contains(s.path, part) {
			return 95
		}
	}
	return 90
}

// report prints a table and reports whether a package is below its bound.
func report(w io.Writer, scores []score, listed *unchanged) (below bool) {
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "package\tnoticed\tsurvived\tunchanged\tshare\tbound\t")
	for _, s := range scores {
		verdict := ""
		if s.isBelow() {
			below, verdict = true, "below its bound"
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%.0f %%\t%.0f %%\t%s\n", s.path, s.noticed, len(s.survivors), s.unchanged, s.percent(), s.bound(), verdict)
	}
	table.Flush()
	for _, line := range listed.stale {
		below = true
		fmt.Fprintf(w, "unchanged.txt: the source has no such change any longer: %s\n", line)
	}
	return below
}
