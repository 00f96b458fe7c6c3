package discover_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A tally counts what the evaluation of programs was worth.
type tally struct {
	verdicts   map[verdict]int
	determined int    // programs that register the same in every world
	refusals   counts // of these, by reason
	dependent  counts // refused programs whose routes the world decides, by reason
	ends       counts // programs that never serve, by how they end
}

// counts are numbers of programs by reason.
type counts map[string]int

func (c counts) sum() (sum int) {
	for _, n := range c {
		sum += n
	}
	return sum
}

// table returns the counts as lines, the highest first, with their shares.
func (c counts) table(of int) string {
	var text strings.Builder
	for _, reason := range slices.SortedFunc(maps.Keys(c), func(a, b string) int { return cmp.Or(cmp.Compare(c[b], c[a]), cmp.Compare(a, b)) }) {
		fmt.Fprintf(&text, "\n\t%5d  %5.2f %%  %s", c[reason], 100*float64(c[reason])/float64(max(1, of)), reason)
	}
	return text.String()
}

// tally compares the programs of a seed, and writes those that aren't equal to
// the folder of failures.
func (b *bench) tally(t *testing.T, seed uint64) tally {
	t.Helper()
	t.Logf("%d programs of the seed %d", *programs, seed)
	count := tally{verdicts: make(map[verdict]int), refusals: make(counts), dependent: make(counts), ends: make(counts)}
	for _, c := range b.compare(t, b.samples(rand.New(rand.NewPCG(seed, 0)), *programs)) {
		count.add(c)
		v := c.verdict()
		if (v == wrong || v == crashed) && *shrinks > 0 {
			*shrinks--
			c = b.shrunk(t, c)
			t.Logf("a program that is %s:\n%s%s", v, c, c.text)
		}
		if v != equal {
			c.write(t)
		}
	}
	t.Logf("seed %d: %s", seed, count)
	return count
}

func (t *tally) add(c comparison) {
	v := c.verdict()
	t.verdicts[v]++
	if c.determined() {
		t.determined++
	}
	switch {
	case v == unserved:
		t.ends[c.runs[0].end]++
	case v == refused && c.determined():
		t.refusals[reasonOf(c.refusal)]++
	case v == refused:
		t.dependent[reasonOf(c.refusal)]++
	}
}

// String says all counts.
func (t tally) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "equal %d, wrong %d, crashed %d, refused %d, never serving %d", t.verdicts[equal], t.verdicts[wrong], t.verdicts[crashed], t.verdicts[refused], t.verdicts[unserved])
	n := t.refusals.sum()
	fmt.Fprintf(&text, "\n%d are determined, of which refused %d (%.2f %%):%s", t.determined, n, 100*float64(n)/float64(max(1, t.determined)), t.refusals.table(t.determined))
	fmt.Fprintf(&text, "\nof %d refused ones the world decides what is registered:%s", t.dependent.sum(), t.dependent.table(t.verdicts[refused]))
	fmt.Fprintf(&text, "\n%d never serve:%s", t.ends.sum(), t.ends.table(*programs))
	return text.String()
}

// What differs between messages for one reason: names and numbers.
var (
	position = regexp.MustCompile(`^\S+:\d+:\d+: |(main\.go:)\d+(:\d+)?`)
	origin   = regexp.MustCompile(`.*(?:depends on|and so on|isn't known: it is|aren't known: it is) `)
	remedy   = regexp.MustCompile(`: (?:register it|write it|write runtime|give the value|range over).*\[`)
	named    = regexp.MustCompile(`\b[vpr]\d+[\w-]*|\b\d+`)
)

// reasonOf returns the last cause that a message tells, and its code, without
// what is the program's own.
func reasonOf(message string) string {
	text := position.ReplaceAllString(message, "$1")
	text = remedy.ReplaceAllString(text, " [")
	text = origin.ReplaceAllString(text, "")
	return named.ReplaceAllString(text, "N")
}
