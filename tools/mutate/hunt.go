package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// hunt runs the tests of p with each of the changes that are alive, and returns those that
// nothing noticed. One process does it for as many as it can: it runs each test with the
// changes whose code that runs. One that a change ends is followed by another.
func (t *trial) hunt(ctx context.Context, v variant, p *goPackage, alive []int) ([]int, error) {
	binary, err := t.binary(ctx, v, p)
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(v.resultsFile()); err != nil {
		return nil, err
	}
	died := map[string]bool{} // tests that ended a process without a change
	for len(alive) > 0 {
		if err := writeNumbers(v.aliveFile(), alive); err != nil {
			return nil, err
		}
		runErr := t.huntOnce(ctx, v, p, binary)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		found, err := readResults(v.resultsFile())
		if err != nil {
			return nil, err
		}
		var exit *exec.ExitError
		if runErr != nil && !errors.As(runErr, &exit) {
			return nil, runErr
		}
		var over []int
		switch {
		case exit != nil && exit.ExitCode() == hung:
			if over, err = t.hungOver(ctx, v, p, found, alive); err != nil {
				return nil, err
			}
		case found.trying != 0:
			over = []int{found.trying}
		}
		for _, c := range over {
			found.noticed[c] = true
			if err := appendLine(v.resultsFile(), "noticed "+strconv.Itoa(c)); err != nil {
				return nil, err
			}
		}
		alive = slices.DeleteFunc(alive, func(c int) bool { return found.noticed[c] })
		switch {
		case over != nil:
		case found.restart:
		case runErr == nil || exit.ExitCode() == 1: // tests that fail without a change
			return t.huntPlain(ctx, v, p, binary, alive)
		default:
			if found.test == "" || died[found.test] {
				fmt.Printf("left out, as it ends the process without a change: %q of %s: %v\n", found.test, p.ImportPath, runErr)
				if found.test == "" {
					return alive, nil
				}
				err = appendLine(v.resultsFile(), "done "+found.test)
			}
			died[found.test] = true
		}
		if err != nil {
			return nil, err
		}
	}
	return t.huntPlain(ctx, v, p, binary, alive)
}

// hung is the exit status of a process that hunts and has come to no end: see hook.go.txt.
const hung = 5

// hungOver returns the changes over which a process has hung: the one that it made, or one
// that it had made before, whose tests had passed and left a lock held. Of several, all tests
// run with each alone, as they do without a hunt.
func (t *trial) hungOver(ctx context.Context, v variant, p *goPackage, found results, alive []int) ([]int, error) {
	if found.trying != 0 && len(found.passed) == 0 {
		return []int{found.trying}, nil
	}
	suspects := slices.Clone(found.passed)
	slices.Reverse(suspects)
	if found.trying != 0 { // a lock that was held longer would have been waited for before
		suspects = []int{suspects[0], found.trying}
	}
	var over []int
	for _, c := range suspects {
		if slices.Contains(alive, c) && t.notices(ctx, v.with(c), p) {
			over = append(over, c)
		}
		if found.trying == 0 && over != nil {
			break
		}
	}
	if over == nil && found.trying != 0 {
		over = []int{found.trying}
	}
	return over, ctx.Err()
}

func (t *trial) huntOnce(ctx context.Context, v variant, p *goPackage, binary string) error {
	cmd := exec.CommandContext(ctx, binary, "-test.paniconexit0", "-test.timeout", "24h", "-test.run", t.only)
	cmd.Dir = p.Dir
	cmd.Env = append(os.Environ(), "MUTATE_HUNT="+v.folder, "MUTATE_LIMIT="+t.limit(p).String())
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	cmd.Stdout = null
	_, err = v.run(cmd)
	return err
}

// plain matches the functions of tests that don't hunt.
var plain = regexp.MustCompile(`(?m)^func (Fuzz|Example)`)

// huntPlain runs examples and the seeds of fuzz targets, in a process for each change.
func (t *trial) huntPlain(ctx context.Context, v variant, p *goPackage, binary string, alive []int) ([]int, error) {
	has, err := p.testsMatch(plain)
	if err != nil || !has || len(alive) == 0 {
		return alive, err
	}
	run := func(change int) error {
		cmd := exec.CommandContext(ctx, binary, "-test.failfast", "-test.paniconexit0", "-test.timeout", "1m", "-test.run", "^(Fuzz|Example)")
		cmd.Dir = p.Dir
		_, err := v.with(change).run(cmd)
		return err
	}
	os.Remove(v.reachedFile())
	if run(recording) != nil {
		return alive, nil // they fail without a change
	}
	reached, err := readNumbers(v.reachedFile())
	if err != nil {
		return nil, err
	}
	alive = slices.DeleteFunc(alive, func(c int) bool { return reached[c] && run(c) != nil })
	return alive, ctx.Err()
}

// testsMatch reports whether a test file of the package has a match.
func (p *goPackage) testsMatch(of *regexp.Regexp) (bool, error) {
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil || of.Match(text) {
			return err == nil, err
		}
	}
	return false, nil
}

// results are what a hunt has noted.
type results struct {
	noticed map[int]bool
	test    string // the last one that was begun
	passed  []int  // changes with which the last process passed a test
	trying  int    // the change with which the process ended, 0 if it was without one
	restart bool   // it ended behind a failure, which had left something
}

func readResults(name string) (results, error) {
	r := results{noticed: map[int]bool{}}
	text, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return r, err
	}
	for line := range strings.Lines(string(text)) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		number, _, _ := strings.Cut(rest, " ")
		change, _ := strconv.Atoi(number)
		r.restart = kind == "restart"
		r.trying = 0
		switch kind {
		case "begin":
			r.passed = nil
		case "passed":
			r.passed = append(slices.DeleteFunc(r.passed, func(c int) bool { return c == change }), change)
		case "test":
			r.test = rest
		case "try":
			r.trying = change
		case "noticed":
			r.noticed[change] = true
		}
	}
	return r, nil
}

func readNumbers(name string) (map[int]bool, error) {
	numbers := map[int]bool{}
	text, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for word := range strings.FieldsSeq(string(text)) {
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, err
		}
		numbers[n] = true
	}
	return numbers, nil
}

func writeNumbers(name string, numbers []int) error {
	var text strings.Builder
	for _, n := range numbers {
		fmt.Fprintln(&text, n)
	}
	return os.WriteFile(name, []byte(text.String()), 0o644)
}

func appendLine(name, line string) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(file, line)
	return errors.Join(err, file.Close())
}
