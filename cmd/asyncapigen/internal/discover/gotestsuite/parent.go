package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// batch is how many programs a child loads at once.
const batch = 60

// judgeAll judges the programs in the module in dir, by as many children at a
// time as told.
func judgeAll(ctx context.Context, dir string, names []string, children int) ([]verdict, error) {
	batches := slices.Collect(slices.Chunk(names, batch))
	results := make([][]verdict, len(batches))
	errs := make([]error, len(batches))
	var group sync.WaitGroup
	slots := make(chan struct{}, children)
	for i, names := range batches {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			results[i], errs[i] = judgeBatch(ctx, dir, names)
			fmt.Fprint(os.Stderr, ".")
		})
	}
	group.Wait()
	fmt.Fprintln(os.Stderr)
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return slices.Concat(results...), nil
}

// judgeBatch judges programs by a child, and by further ones where one ends early.
func judgeBatch(ctx context.Context, dir string, names []string) ([]verdict, error) {
	var all []verdict
	for len(names) > 0 {
		verdicts, err := oneChild(ctx, dir, names)
		if err != nil {
			return nil, err
		}
		for _, v := range verdicts {
			names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == v.Program })
		}
		all = append(all, verdicts...)
	}
	return all, nil
}

// oneChild judges programs by one child, up to the first with which it crashes or
// hangs.
func oneChild(ctx context.Context, dir string, names []string) ([]verdict, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	child := exec.CommandContext(ctx, self, append([]string{"-child", "-dir", dir}, names...)...)
	var stderr bytes.Buffer
	child.Stderr = &stderr
	stdout, err := child.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := child.Start(); err != nil {
		return nil, err
	}
	var verdicts []verdict
	current, killed := "", false
	watch := time.AfterFunc(time.Hour, func() { killed = true; _ = child.Process.Kill() })
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var m message
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			continue // the evaluation printed something
		}
		if m.Verdict == nil {
			current = m.Begins
			watch.Reset(2 * limit)
			continue
		}
		verdicts, current = append(verdicts, *m.Verdict), ""
		watch.Reset(time.Hour)
	}
	err = child.Wait()
	watch.Stop()
	switch {
	case current == "" && err != nil:
		return nil, fmt.Errorf("a child failed: %w: %s", err, stderr.String())
	case current == "" && len(verdicts) < len(names):
		return nil, fmt.Errorf("a child judged %d of %d programs", len(verdicts), len(names))
	case current != "" && killed:
		verdicts = append(verdicts, verdict{current, hung, "the evaluation hangs"})
	case current != "":
		verdicts = append(verdicts, verdict{current, crashed, crashLine(stderr.String())})
	}
	return verdicts, nil
}

// crashLine returns the message of a crash and the first line of our own that led
// there.
func crashLine(stderr string) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(stderr), "\n")
	for line := range strings.Lines(rest) {
		if strings.HasPrefix(line, "\t") && strings.Contains(line, "/asyncapigen/internal/") {
			return first + " at " + strings.TrimSpace(line)
		}
	}
	return first
}
