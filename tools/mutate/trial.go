package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// A trial runs tests with a file changed.
type trial struct {
	module  *goModule
	chosen  []*goPackage // whose changes are tried
	only    string       // the tests that run, by a regular expression; "" is all
	longest time.Duration
	folder  string // of the changed files

	measured map[string]*tester // packages whose tests run for another's changes
}

// A tester is a package whose tests run, and what they do without a change.
type tester struct {
	*goPackage
	took time.Duration
	ran  coverage
}

func newTrial(module *goModule, chosen []*goPackage, o options) (*trial, error) {
	folder, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	return &trial{module: module, chosen: chosen, only: o.tests, longest: o.longest, folder: folder, measured: map[string]*tester{}}, nil
}

func (t *trial) close() { os.RemoveAll(t.folder) }

// score tries drawn changes of the package until as many as wanted compiled. It prints
// each that survives at once.
func (t *trial) score(ctx context.Context, p *goPackage, drawn []mutation, o options, listed *unchanged) (score, error) {
	s := score{path: p.ImportPath}
	own, err := t.own(ctx, p)
	if err != nil {
		return s, err
	}
	others := sync.OnceValues(func() ([]*tester, error) { return t.others(ctx, p) })
	type result struct {
		mutation
		fate
		err error
	}
	for next := 0; next < len(drawn) && s.tried() < o.number; {
		at := drawn[next:min(len(drawn), next+min(o.parallel, o.number-s.tried()))]
		next += len(at)
		results := make([]result, len(at))
		var wait sync.WaitGroup
		for i, m := range at {
			wait.Go(func() {
				fate, err := t.try(ctx, m, own, others)
				results[i] = result{m, fate, err}
			})
		}
		wait.Wait()
		for _, r := range results {
			if r.err != nil {
				return s, r.err
			}
			if s.add(r.mutation, r.fate, listed) {
				fmt.Printf("%s (line %d)\n", r.key(), r.line)
			}
		}
	}
	return s, nil
}

// own measures the tests of a package itself. They have to pass.
func (t *trial) own(ctx context.Context, p *goPackage) (*tester, error) {
	own := &tester{goPackage: p}
	if !p.hasTests() {
		return own, nil
	}
	text, err := t.goTest(ctx, "", p, time.Hour)
	if err != nil {
		return nil, fmt.Errorf("the tests of %s fail without a change: %w\n%s", p.ImportPath, err, text)
	}
	own.took = elapsed(text)
	return own, nil
}

// others measures the packages whose tests run code of p too, and returns them, the
// quick ones first. It leaves out those that take too long, or fail.
func (t *trial) others(ctx context.Context, p *goPackage) ([]*tester, error) {
	var others []*tester
	for _, other := range t.module.testers(p) {
		if other == p {
			continue
		}
		measured, err := t.measure(ctx, other)
		if err != nil {
			return nil, err
		}
		if measured.ran != nil {
			others = append(others, measured)
		}
	}
	slices.SortStableFunc(others, func(a, b *tester) int { return cmp.Compare(a.took, b.took) })
	return others, nil
}

// measure runs the tests of a package without a change, once, and notes which lines of
// the chosen packages they run. It notes none if they don't pass in time.
func (t *trial) measure(ctx context.Context, p *goPackage) (*tester, error) {
	if known := t.measured[p.ImportPath]; known != nil {
		return known, nil
	}
	var covered []string
	for _, c := range t.chosen {
		if slices.Contains(t.module.testers(c), p) {
			covered = append(covered, c.ImportPath)
		}
	}
	profile := filepath.Join(t.folder, "cover.out")
	measured := &tester{goPackage: p}
	text, err := t.goTest(ctx, "", p, t.longest, "-coverpkg="+strings.Join(covered, ","), "-coverprofile="+profile)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil:
		measured.took = elapsed(text)
		if measured.ran, err = readCoverage(profile); err != nil {
			return nil, err
		}
	case !bytes.Contains(text, []byte("panic: test timed out")):
		fmt.Printf("left out, as they fail without a change: the tests of %s\n", p.ImportPath)
	}
	t.measured[p.ImportPath] = measured
	return measured, nil
}

var passed = regexp.MustCompile(`(?m)^ok\s+\S+\s+(\S+s)\b`)

// elapsed returns what go test says that tests took.
func elapsed(text []byte) time.Duration {
	found := passed.FindSubmatch(text)
	if found == nil {
		return 0
	}
	took, _ := time.ParseDuration(string(found[1]))
	return took
}

// A fate is what became of a change.
type fate int

const (
	invalid  fate = iota // it doesn't compile
	noticed              // a test failed, or didn't end
	survived             // no test failed
)

// try runs the package's own tests, and then those of others that run the changed line.
func (t *trial) try(ctx context.Context, m mutation, own *tester, others func() ([]*tester, error)) (fate, error) {
	overlay, err := t.overlay(m)
	if err != nil {
		return invalid, err
	}
	defer os.RemoveAll(filepath.Dir(overlay))
	if _, err := t.goCommand(ctx, overlay, "build", "-o", os.DevNull, own.ImportPath); err != nil {
		return invalid, ctx.Err()
	}
	if own.hasTests() && t.notices(ctx, overlay, own) {
		return noticed, ctx.Err()
	}
	testers, err := others()
	if err != nil {
		return invalid, err
	}
	for _, other := range testers {
		if other.ran.has(own.ImportPath, m) && t.notices(ctx, overlay, other) {
			return noticed, ctx.Err()
		}
	}
	return survived, ctx.Err()
}

// notices reports whether a test fails, or waits for what the change took away.
func (t *trial) notices(ctx context.Context, overlay string, by *tester) bool {
	_, err := t.goTest(ctx, overlay, by.goPackage, time.Minute+5*by.took)
	return err != nil
}

// overlay writes the changed file, and the file that tells the go command of it.
func (t *trial) overlay(m mutation) (string, error) {
	text, err := m.apply()
	if err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(t.folder, "")
	if err != nil {
		return "", err
	}
	changed := filepath.Join(folder, "changed.go")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{m.file: changed}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(folder, "overlay.json")
	return overlay, errors.Join(os.WriteFile(changed, text, 0o644), os.WriteFile(overlay, replace, 0o644))
}

func (t *trial) goTest(ctx context.Context, overlay string, p *goPackage, limit time.Duration, flags ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit+10*time.Minute) // should its own limit not end it
	defer cancel()
	args := []string{"test", "-count=1", "-failfast", "-vet=off", "-timeout", limit.String(), "-run", t.only}
	return t.goCommand(ctx, overlay, append(append(args, flags...), p.ImportPath)...)
}

// goCommand runs the go command. Tests that call it themselves get the overlay too.
func (t *trial) goCommand(ctx context.Context, overlay string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = t.module.root
	cmd.Env = os.Environ()
	if overlay != "" {
		cmd.Env = append(cmd.Env, "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+overlay)
	}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	ownGroup(cmd)
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	return said.Bytes(), err
}
