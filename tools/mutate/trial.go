package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// A trial runs tests with a file changed.
type trial struct {
	module  *goModule
	longest time.Duration
	folder  string // of the changed files

	takes map[string]time.Duration // what the tests of a package take without a change
}

func newTrial(module *goModule, longest time.Duration) (*trial, error) {
	folder, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	return &trial{module: module, longest: longest, folder: folder, takes: map[string]time.Duration{}}, nil
}

func (t *trial) close() { os.RemoveAll(t.folder) }

// score tries drawn changes of the package until as many as wanted compiled.
func (t *trial) score(ctx context.Context, p *goPackage, drawn []mutation, o options, listed *unchanged) (score, error) {
	s := score{path: p.ImportPath}
	testers, err := t.testers(ctx, p)
	if err != nil {
		return s, err
	}
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
				fate, err := t.try(ctx, m, p, testers)
				results[i] = result{m, fate, err}
			})
		}
		wait.Wait()
		for _, r := range results {
			if r.err != nil {
				return s, r.err
			}
			s.add(r.mutation, r.fate, listed)
		}
	}
	return s, nil
}

// testers returns the packages whose tests are run for a change of p: its own, and then
// the quick ones before the others.
func (t *trial) testers(ctx context.Context, p *goPackage) ([]*goPackage, error) {
	var own, others []*goPackage
	for _, tester := range t.module.testers(p) {
		limit := t.longest
		if tester == p {
			limit = time.Hour
		}
		took, err := t.baseline(ctx, tester, limit)
		switch {
		case err != nil:
			return nil, err
		case tester == p:
			own = append(own, p)
		case took <= t.longest:
			others = append(others, tester)
		}
	}
	slices.SortStableFunc(others, func(a, b *goPackage) int { return int(t.takes[a.ImportPath] - t.takes[b.ImportPath]) })
	return append(own, others...), nil
}

// baseline returns what the tests of a package take, or more than the limit. They have
// to pass within it.
func (t *trial) baseline(ctx context.Context, p *goPackage, limit time.Duration) (time.Duration, error) {
	if took, ok := t.takes[p.ImportPath]; ok {
		return took, nil
	}
	start := time.Now()
	text, err := t.goTest(ctx, "", p, limit)
	took := time.Since(start)
	if err != nil && took <= limit {
		return 0, fmt.Errorf("the tests of %s fail without a change: %w\n%s", p.ImportPath, err, text)
	}
	t.takes[p.ImportPath] = took
	return took, ctx.Err()
}

// A fate is what became of a change.
type fate int

const (
	invalid  fate = iota // it doesn't compile
	noticed              // a test failed, or didn't end
	survived             // no test failed
)

func (t *trial) try(ctx context.Context, m mutation, p *goPackage, testers []*goPackage) (fate, error) {
	overlay, err := t.overlay(m)
	if err != nil {
		return invalid, err
	}
	defer os.RemoveAll(filepath.Dir(overlay))
	if _, err := t.goCommand(ctx, overlay, "build", "-o", os.DevNull, p.ImportPath); err != nil {
		return invalid, ctx.Err()
	}
	for _, tester := range testers {
		// A test that waits for what a change took away counts as one that noticed.
		if _, err := t.goTest(ctx, overlay, tester, time.Minute+5*t.takes[tester.ImportPath]); err != nil {
			return noticed, ctx.Err()
		}
	}
	return survived, ctx.Err()
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

func (t *trial) goTest(ctx context.Context, overlay string, p *goPackage, limit time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit+time.Minute) // should its own limit not end it
	defer cancel()
	return t.goCommand(ctx, overlay, "test", "-count=1", "-failfast", "-vet=off", "-timeout", limit.String(), p.ImportPath)
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
