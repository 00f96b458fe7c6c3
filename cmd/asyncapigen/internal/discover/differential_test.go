package discover_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/internal/diagnostic"
)

var (
	programs = flag.Int("programs", 75, "how many programs are generated for a seed")
	seed     = flag.Uint64("seed", 1, "which programs are generated; 0 is a random seed")
	shrinks  = flag.Int("shrinks", 3, "how many of the programs on which the evaluation is wrong are made small")
	failures = flag.String("failures", "", "the folder that programs are written to on which the evaluation isn't equal")
)

// Of the determined programs, so many may be refused.
//
// A program is determined if it serves, and registers the same in every world in
// which it does. All programs run in a few worlds; a program that is refused and
// has registered the same in them runs in many more (see worlds and moreWorlds). It is
// refused if the evaluation reports an error. A refused program that registers
// other routes in another world is refused with reason: it is no part of the share,
// and neither is a program that serves in no world.
const refusedShare = 0.03

// mayBeRefused returns how many of n determined programs may be refused. Few programs
// are a sample: they may have three standard deviations more than the share.
func mayBeRefused(n int) int {
	most := refusedShare * float64(n)
	if n < 1000 {
		most += 3 * math.Sqrt(most*(1-refusedShare))
	}
	return int(most)
}

// A verdict says what the evaluation of a program is worth.
type verdict string

const (
	equal    verdict = "equal"    // it found the routes of every run that got as far as serving
	refused  verdict = "refused"  // it said that it can't
	wrong    verdict = "wrong"    // it said nothing, and other routes are registered
	crashed  verdict = "crashed"  // it failed
	unserved verdict = "unserved" // no run gets as far as serving
)

// A comparison is a program with what the evaluation and the runs say of it.
type comparison struct {
	sample
	found   []string // routes
	refusal string   // why there are none
	crash   string   // where it failed
	runs    []run
}

func (c comparison) verdict() verdict {
	served := c.served()
	switch {
	case c.crash != "":
		return crashed
	case len(served) == 0:
		return unserved // whatever is said of it
	case c.refusal != "":
		return refused
	case slices.ContainsFunc(served, func(r run) bool { return !slices.Equal(r.routes, c.found) }):
		return wrong
	}
	return equal
}

// served returns the runs that got as far as serving.
func (c comparison) served() []run {
	return slices.DeleteFunc(slices.Clone(c.runs), func(r run) bool { return !r.served })
}

// determined reports whether the program registers the same in every world in
// which it serves.
func (c comparison) determined() bool {
	served := c.served()
	return len(served) > 0 && !slices.ContainsFunc(served, func(r run) bool { return !slices.Equal(r.routes, served[0].routes) })
}

// String tells what differs.
func (c comparison) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "// discovery: %s\n", c.verdict())
	for _, r := range c.runs {
		if !r.served {
			fmt.Fprintf(&text, "//\twith %s: doesn't serve: %s\n", r.world, r.end)
			continue
		}
		fmt.Fprintf(&text, "//\twith %s: serves %d routes\n", r.world, len(r.routes))
		differences(&text, "run", r.routes, c.found)
		differences(&text, "discovery", c.found, r.routes)
	}
	if c.refusal+c.crash != "" {
		fmt.Fprintf(&text, "//\t%s%s\n", c.refusal, c.crash)
	}
	return text.String()
}

func differences(text *strings.Builder, whose string, of, from []string) {
	for _, route := range of {
		if !slices.Contains(from, route) {
			fmt.Fprintf(text, "//\t\tonly the %s has %s\n", whose, route)
		}
	}
}

// What the evaluation finds without an error is what programs register when
// they are compiled and run, in every world that lets them serve.
func TestRoutes_EqualThoseOfTheRunningProgram(t *testing.T) {
	b := newBench(t)
	if *seed == 0 {
		*seed = rand.Uint64N(1_000_000)
	}
	count := b.tally(t, *seed)
	require.Zero(t, count.verdicts[wrong]+count.verdicts[crashed], "programs on which the evaluation is wrong or crashes")
	require.LessOrEqual(t, count.refusals.sum(), mayBeRefused(count.determined), "refused programs that are determined")
}

func (c comparison) write(t *testing.T) {
	t.Helper()
	if *failures == "" {
		return
	}
	require.NoError(t, os.MkdirAll(*failures, 0o755))
	name := filepath.Join(*failures, fmt.Sprintf("%s_%s_%s.go", c.kind(), worldName(c.world), c.id))
	require.NoError(t, os.WriteFile(name, []byte(c.String()+c.source()), 0o644))
}

// kind is the verdict, with whether the world decides what a refused program
// registers.
func (c comparison) kind() string {
	if v := c.verdict(); v != refused || c.determined() {
		return string(v)
	}
	return "rightly-refused"
}

func worldName(world bool) string {
	if world {
		return "world"
	}
	return "plain"
}

// source returns the program as a file of its own. Something comes after the sample: the
// end of main would be no service.
func (s sample) source() string {
	return prelude + s.text + "func main() {\n\t" + s.id + "()\n\tunused(router)\n}\n"
}

// samples generates programs that compile. Every third meets the world.
func (b *bench) samples(random *rand.Rand, n int) []sample {
	var samples []sample
	for len(samples) < n {
		g := &generator{next: random.IntN, world: len(samples)%3 == 2}
		s := g.sample(fmt.Sprintf("p%d", len(samples)))
		if b.check(s.source()) != nil {
			continue // such as a constant that is too large
		}
		samples = append(samples, s)
	}
	return samples
}

// compare runs and evaluates programs.
func (b *bench) compare(t testing.TB, samples []sample) []comparison {
	t.Helper()
	command := build(t, samples)
	all := make([]comparison, len(samples))
	for i, runs := range command.runAll(t, samples, worlds) {
		all[i] = b.evaluate(t, samples[i])
		all[i].runs = runs
		if all[i].verdict() == refused && all[i].determined() {
			more := command.runAll(t, samples[i:i+1], moreWorlds)[0]
			all[i].runs = append(all[i].runs, more...)
		}
	}
	b.meetNoted(t, command, all)
	return all
}

// evaluate has a program evaluated.
func (b *bench) evaluate(t testing.TB, s sample) (c comparison) {
	t.Helper()
	c.sample = s
	result, err := b.routes(t.Context(), s.source())
	require.NoError(t, err)
	for _, d := range result.Diagnostics {
		if d.Code == diagnostic.InternalError {
			c.crash = d.String()
			return c
		}
	}
	if result.Diagnostics.HasErrors() {
		c.refusal = firstError(result)
		return c
	}
	c.found = foundRoutes(result)
	return c
}

// foundRoutes returns the routes in the words in which the running program says them.
func foundRoutes(result discover.Result) (found []string) {
	for _, r := range result.Routes {
		found = append(found, described(r.Route, r.BodyName()))
	}
	slices.Sort(found)
	return found
}

func firstError(result discover.Result) string {
	for _, d := range result.Diagnostics {
		if d.Severity == 0 {
			return d.String()
		}
	}
	return ""
}
