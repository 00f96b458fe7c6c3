// Mutate makes small changes of the kind that a slip makes in warren's packages, one
// at a time, and prints which of them the tests notice: a condition is negated, a
// statement dropped, a bound moved by one, an error lost.
//
//	go run . -n 20 -seed 7 ./runtime ./mgmt/...
//
// Of each package -n changes are drawn by the seed; -at makes those of a line, to see
// whether a new test notices them. A change is noticed by the tests of its own package, or
// by those of the packages that import it; the quick ones run first. Those of
// testdata/frameworks, a module of its own, count as importing what asyncapigen imports. The
// own tests run with GOEXPERIMENT=jsonv2 too if the package has a file whose name ends in
// _jsonv2.
// Nothing is written into the tree: the go command reads changed files by its flag
// -overlay. Changes that can be are built together. Package testing is changed, too: one
// process runs each test and subtest with one change after the other, of those whose code it
// runs. Examples and fuzz targets, and changes that need a build of their own, as in
// constants, take a process each.
//
// The exit status is 1 if a package's share of noticed changes is below its bound, and that
// is hardly the chance of the draw.
// Changes that change nothing that a test could see are listed in unchanged.txt, each
// with the reason, and don't count.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.root, "root", "../..", "the `FOLDER` of the module")
	flag.IntVar(&o.number, "n", 10, "draw `N` changes of each package; 0 makes all, but for those that need a build of their own")
	flag.Uint64Var(&o.seed, "seed", 0, "draw by the seed `S`; 0 takes one by the clock")
	flag.DurationVar(&o.longest, "longest", 4*time.Minute, "leave out tests of other packages that take longer than `D` without a change; 0 leaves out all of them")
	flag.StringVar(&o.at, "at", "", "make all changes in the `LINES`, as conn.go:17, or conn.go for all of it, separated by spaces, instead of drawn ones")
	flag.StringVar(&o.tests, "run", "", "run the tests that match `REGEXP`, and no others")
	flag.StringVar(&o.by, "by", "", "run tests of the package itself and, of others, only of the packages that `PATTERNS` name, separated by spaces")
	flag.Parse()
	if o.patterns = flag.Args(); len(o.patterns) == 0 {
		o.patterns = []string{"./..."}
	}
	for o.seed == 0 {
		o.seed = rand.Uint64N(1_000_000)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	below, err := run(ctx, o)
	stop()
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "mutate: %v\n", err)
		os.Exit(2)
	case below:
		os.Exit(1)
	}
}

type options struct {
	root     string
	patterns []string
	number   int
	seed     uint64
	longest  time.Duration
	at       string
	tests    string
	by       string
}

// run reports whether a package is below its bound.
func run(ctx context.Context, o options) (below bool, err error) {
	if o.number != all {
		fmt.Printf("seed %d, %d changes of each package\n", o.seed, o.number)
	}
	module, err := listModule(ctx, o.root)
	if err != nil {
		return false, err
	}
	chosen, err := module.match(ctx, o.patterns)
	if err != nil {
		return false, err
	}
	listed, err := readUnchanged("unchanged.txt")
	if err != nil {
		return false, err
	}
	trial, err := newTrial(ctx, module, o)
	if err != nil {
		return false, err
	}
	defer trial.close()

	var scores []score
	for _, p := range chosen {
		found, err := mutationsOf(module.root, p)
		if err != nil {
			return false, err
		}
		listed.check(found)
		drawn := draw(found, o.seed, p.ImportPath)
		if lines := strings.Fields(o.at); len(lines) > 0 {
			drawn = at(drawn, lines)
			if o.number != all {
				o.number = len(drawn)
			}
		}
		scored, err := trial.score(ctx, p, drawn, o.number, listed)
		fmt.Println(scored)
		if err != nil {
			return false, err
		}
		scores = append(scores, scored)
	}
	return report(os.Stdout, scores, listed), nil
}

// at returns the changes in some lines of files, and in files.
func at(all []mutation, lines []string) []mutation {
	return slices.DeleteFunc(all, func(m mutation) bool {
		file := path.Base(m.path)
		return !slices.Contains(lines, file) && !slices.Contains(lines, file+":"+strconv.Itoa(m.line))
	})
}

// draw returns all changes of a package in a random order, which is the same for the
// same seed whichever packages are chosen beside it.
func draw(all []mutation, seed uint64, importPath string) []mutation {
	var of uint64
	for _, b := range []byte(importPath) {
		of = of*31 + uint64(b)
	}
	random := rand.New(rand.NewPCG(seed, of))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}
