package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A trial runs tests with changes.
type trial struct {
	module  *goModule
	only    string   // the tests that run, by a regular expression; "" is all
	by      []string // other packages whose tests run, by their import paths; nil is all
	longest time.Duration
	folder  string // of the changed files

	least time.Duration            // that tests have, however quick they are without a change
	takes map[string]time.Duration // of the tests of a package without a change; leftOut
}

// leftOut is what tests take that take too long, or fail without a change.
const leftOut time.Duration = -1

func newTrial(ctx context.Context, module *goModule, o options) (*trial, error) {
	by, err := module.named(ctx, strings.Fields(o.by))
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	return &trial{module: module, only: o.tests, by: by, longest: o.longest, folder: folder, least: 10 * time.Second, takes: map[string]time.Duration{}}, nil
}

func (t *trial) close() { os.RemoveAll(t.folder) }

// all is the number of changes that stands for all of a package that can be in one build.
const all = 0

// score tries drawn changes of the package until as many as wanted compiled. It prints
// those that survive.
func (t *trial) score(ctx context.Context, p *goPackage, drawn []mutation, number int, listed *unchanged) (score, error) {
	s := score{path: p.ImportPath}
	c, err := newChecker(ctx, p)
	if err != nil {
		return s, err
	}
	if number == all {
		var together []mutation
		together, s.apart = c.together(drawn)
		return s, t.scoreTogether(ctx, c, together, &s, listed)
	}
	for next := 0; next < len(drawn) && s.tried() < number; {
		some := drawn[next:min(len(drawn), next+number-s.tried())]
		next += len(some)
		if err := t.scoreSome(ctx, c, some, &s, listed); err != nil {
			return s, err
		}
	}
	return s, nil
}

// scoreSome tries changes: those that can be in one build together, and each other in one
// of its own.
func (t *trial) scoreSome(ctx context.Context, c *checker, some []mutation, s *score, listed *unchanged) error {
	together, apart := c.together(some)
	if err := t.scoreTogether(ctx, c, together, s, listed); err != nil {
		return err
	}
	for _, m := range apart {
		if err := t.scoreAlone(ctx, c.p, m, s, listed); err != nil {
			return err
		}
	}
	return nil
}

// scoreTogether tries changes that are in one build.
func (t *trial) scoreTogether(ctx context.Context, c *checker, changes []mutation, s *score, listed *unchanged) error {
	b, err := t.guarded(ctx, c, changes)
	if err != nil {
		return err
	}
	defer b.close()
	v := variant{build: b}
	if err := t.measureOwn(ctx, v, c.p); err != nil {
		return err
	}
	alive, err := t.huntAll(ctx, v, c.p, changes)
	if err != nil {
		return err
	}
	for i, m := range changes {
		if slices.Contains(alive, i+1) {
			s.note(m, survived, listed)
		} else {
			s.note(m, noticed, listed)
		}
	}
	return nil
}

// huntAll returns the numbers of the changes that neither the package's own tests nor those
// of others notice. It prints what each of them leaves: what is stopped has told so much.
func (t *trial) huntAll(ctx context.Context, v variant, p *goPackage, changes []mutation) ([]int, error) {
	alive := make([]int, len(changes))
	for i := range alive {
		alive[i] = i + 1
	}
	testers, err := t.testers(ctx, v, p)
	if err != nil {
		return nil, err
	}
	for _, tester := range testers {
		for _, experiment := range tester.experimentsFor(p) {
			if alive, err = t.hunt(ctx, v.in(experiment), tester, alive); err != nil {
				return nil, err
			}
			fmt.Println(left(tester, changes, alive))
		}
	}
	return alive, nil
}

// left says which changes the tests of a package, and those that ran before, leave.
func left(tester *goPackage, changes []mutation, alive []int) string {
	var places []string
	for _, number := range alive {
		m := changes[number-1]
		places = append(places, fmt.Sprintf("%s:%d", m.path, m.line))
	}
	return fmt.Sprintf("after the tests of %s, %d of %d are left: %s", tester.ImportPath, len(alive), len(changes), strings.Join(places, " "))
}

// scoreAlone tries a change that has a build of its own, if it compiles.
func (t *trial) scoreAlone(ctx context.Context, p *goPackage, m mutation, s *score, listed *unchanged) error {
	alone, err := t.alone(ctx, p, m)
	if err != nil || alone == nil {
		return err
	}
	defer alone.close()
	fate, err := t.try(ctx, variant{build: alone}, p)
	if err != nil {
		return err
	}
	s.note(m, fate, listed)
	return nil
}

// measureOwn measures the tests of the package itself without a change. They have to pass.
func (t *trial) measureOwn(ctx context.Context, v variant, p *goPackage) error {
	if t.takes[p.ImportPath] > 0 || !p.hasTests() {
		return nil
	}
	for _, experiment := range p.experiments() {
		if _, err := t.binary(ctx, v.in(experiment), p); err != nil {
			return err
		}
		start := time.Now()
		text, err := t.test(ctx, v.in(experiment), p, time.Hour)
		if err != nil {
			return fmt.Errorf("the tests of %s fail without a change: %w\n%s", p.ImportPath, err, text)
		}
		t.takes[p.ImportPath] = max(t.takes[p.ImportPath], time.Since(start))
	}
	return nil
}

// testers returns the packages whose tests may run code of p, the quick ones first: its own,
// and others without those that take too long, or fail.
func (t *trial) testers(ctx context.Context, v variant, p *goPackage) ([]*goPackage, error) {
	var testers []*goPackage
	if p.hasTests() {
		testers = append(testers, p)
	}
	for _, other := range t.module.testers(p) {
		if other == p || t.longest == 0 || t.by != nil && !slices.Contains(t.by, other.ImportPath) {
			continue
		}
		if t.takes[other.ImportPath] == 0 {
			if err := t.measure(ctx, v, other); err != nil {
				return nil, err
			}
		}
		if t.takes[other.ImportPath] > 0 {
			testers = append(testers, other)
		}
	}
	slices.SortStableFunc(testers, func(a, b *goPackage) int { return cmp.Compare(t.takes[a.ImportPath], t.takes[b.ImportPath]) })
	return testers, nil
}

// measure notes what the tests of another package take without a change.
func (t *trial) measure(ctx context.Context, v variant, p *goPackage) error {
	v.change = 0
	if _, err := t.binary(ctx, v, p); err != nil {
		return err
	}
	start := time.Now()
	text, err := t.test(ctx, v, p, t.longest)
	took := time.Since(start)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && took <= t.longest:
		t.takes[p.ImportPath] = took
		return nil
	case err != nil && took < t.longest:
		fmt.Printf("left out, as they fail without a change: the tests of %s\n%s\n", p.ImportPath, text)
	default:
		fmt.Printf("left out, as they take longer than %v: the tests of %s\n", t.longest, p.ImportPath)
	}
	t.takes[p.ImportPath] = leftOut
	return nil
}

// A fate is what became of a change.
type fate int

const (
	invalid  fate = iota // it wasn't tried to the end
	noticed              // a test failed, or didn't end
	survived             // no test failed
)

// try runs the tests of the package and of others.
func (t *trial) try(ctx context.Context, v variant, p *goPackage) (fate, error) {
	testers, err := t.testers(ctx, v, p)
	if err != nil {
		return invalid, err
	}
	for _, tester := range testers {
		for _, experiment := range tester.experimentsFor(p) {
			if t.notices(ctx, v.in(experiment), tester) {
				return noticed, ctx.Err()
			}
		}
	}
	return survived, ctx.Err()
}

// notices reports whether a test fails, or waits for what the change took away.
func (t *trial) notices(ctx context.Context, v variant, p *goPackage) bool {
	_, err := t.test(ctx, v, p, t.limit(p))
	return err != nil
}

// limit is the time after which the tests of a package hang.
func (t *trial) limit(p *goPackage) time.Duration { return t.least + 3*t.takes[p.ImportPath] }

// test runs the tests of a package, and ends them after the limit: they don't know of it, for some
// end what they have started, and fail, before it.
func (t *trial) test(ctx context.Context, v variant, p *goPackage, limit time.Duration) ([]byte, error) {
	binary, err := t.binary(ctx, v, p)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "-test.failfast", "-test.paniconexit0", "-test.timeout", "0", "-test.run", t.only)
	cmd.Dir = p.Dir
	return v.run(cmd)
}

// binary returns the file of a package's tests, which it builds when first asked.
func (t *trial) binary(ctx context.Context, v variant, p *goPackage) (string, error) {
	file := filepath.Join(v.folder, strings.ReplaceAll(p.ImportPath, "/", "_")+v.experiment+".test")
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	text, err := t.goCommand(ctx, p.Dir, v, "test", "-c", "-vet=off", "-ldflags=-s -w", "-o", file)
	if err != nil {
		return "", fmt.Errorf("build the tests of %s: %w\n%s", p.ImportPath, err, text)
	}
	return file, nil
}

func (t *trial) goCommand(ctx context.Context, dir string, v variant, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	return v.run(cmd)
}
