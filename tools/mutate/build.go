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
	"strconv"
	"strings"
	"time"
)

// A build is the module with some files replaced, and the tests that were built of it.
type build struct {
	folder  string
	reached map[string][]string // the numbers of the changes whose code the tests of a package run, by its path, where that was noted
}

func (b *build) close() { os.RemoveAll(b.folder) }

func (b *build) overlay() string { return filepath.Join(b.folder, "overlay.json") }

// A variant is a build, with one of the changes that are in it together.
type variant struct {
	*build
	slip       string // the number of the change, "" for none, recording to note what is run
	experiment string // of GOEXPERIMENT, "" for none
}

// in returns the variant with an experiment of the Go toolchain.
func (v variant) in(experiment string) variant {
	v.experiment = experiment
	return v
}

// slipFunction is of a package that has changes, and chooses one: by the build's file
// slip, since programs that tests start needn't have their environment.
const slipFunction = "mutateSlip"

func (b *build) slipFile() string { return filepath.Join(b.folder, "slip") }

// recording is what the file slip has for no change, with a line in the file reached for
// each change whose code is run.
const recording = "recording"

func (b *build) reachedFile() string { return filepath.Join(b.folder, "reached") }

// noteReached notes what has been run while the tests of p were.
func (b *build) noteReached(p *goPackage) error {
	text, err := os.ReadFile(b.reachedFile())
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	b.reached[p.ImportPath] = strings.Fields(string(text))
	return os.RemoveAll(b.reachedFile())
}

// mayReach reports whether the tests of p may run the code of the variant's change.
func (v variant) mayReach(p *goPackage) bool {
	reached, noted := v.reached[p.ImportPath]
	return !noted || v.slip == "" || slices.Contains(reached, v.slip)
}

// run runs a command. If it calls the go command, that builds the variant too.
func (v variant) run(cmd *exec.Cmd) ([]byte, error) {
	if err := os.WriteFile(v.slipFile(), []byte(v.slip), 0o644); err != nil {
		return nil, err
	}
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+v.overlay())
	if v.experiment != "" {
		cmd.Env = append(cmd.Env, "GOEXPERIMENT="+v.experiment)
	}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	ownGroup(cmd)
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	return said.Bytes(), err
}

// newBuild replaces files, by their paths, with texts, and has the packages choose one of
// their changes.
func (t *trial) newBuild(texts map[string][]byte, choosing ...*goPackage) (*build, error) {
	folder, err := os.MkdirTemp(t.folder, "")
	if err != nil {
		return nil, err
	}
	b := &build{folder, map[string][]string{}}
	for _, p := range choosing {
		texts[filepath.Join(p.Dir, "mutateslip.go")] = fmt.Appendf(nil, chooser, p.Name, slipFunction, b.slipFile(), b.reachedFile(), recording)
	}
	replace := map[string]string{}
	for file, text := range texts {
		replace[file] = filepath.Join(folder, strconv.Itoa(len(replace))+".go")
		err = errors.Join(err, os.WriteFile(replace[file], text, 0o644))
	}
	overlay, marshalErr := json.Marshal(map[string]any{"Replace": replace})
	return b, errors.Join(err, marshalErr, os.WriteFile(b.overlay(), overlay, 0o644))
}

// compiles reports whether the package can be built.
func (t *trial) compiles(ctx context.Context, b *build, p *goPackage) bool {
	_, err := t.goCommand(ctx, p.Dir, variant{build: b}, "build", "-o", os.DevNull)
	return err == nil
}

// alone returns a build with one change, nil if it doesn't compile.
func (t *trial) alone(ctx context.Context, p *goPackage, m mutation) (*build, error) {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return nil, err
	}
	b, err := t.newBuild(map[string][]byte{m.file: slices.Concat(text[:m.from], []byte(m.with), text[m.to:])})
	if err != nil {
		return nil, err
	}
	if !t.compiles(ctx, b, p) {
		b.close()
		return nil, ctx.Err()
	}
	return b, nil
}

// A guarded build has several changes of one package, of which one is made when the
// program runs, by its number in a file.
type guarded struct {
	*build
	changes []mutation
}

// together returns a build with as many of the changes as can be in one, and the others.
func (t *trial) together(ctx context.Context, p *goPackage, some []mutation) (*guarded, []mutation, error) {
	var fit, apart []mutation
	for _, m := range some {
		overlaps := func(o mutation) bool {
			return o.file == m.file && o.guard.from < m.guard.to && m.guard.from < o.guard.to
		}
		if m.guard.text == nil || slices.ContainsFunc(fit, overlaps) {
			apart = append(apart, m)
		} else {
			fit = append(fit, m)
		}
	}
	compiling, err := t.compiling(ctx, p, fit)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range fit {
		if !slices.ContainsFunc(compiling, func(o mutation) bool { return o.file == m.file && o.from == m.from && o.kind == m.kind }) {
			apart = append(apart, m)
		}
	}
	b, err := t.guard(p, compiling)
	return &guarded{b, compiling}, apart, err
}

// compiling returns those of the changes that compile together.
func (t *trial) compiling(ctx context.Context, p *goPackage, some []mutation) ([]mutation, error) {
	if len(some) == 0 {
		return nil, nil
	}
	b, err := t.guard(p, some)
	if err != nil {
		return nil, err
	}
	defer b.close()
	if t.compiles(ctx, b, p) {
		return some, nil
	}
	if len(some) == 1 || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	half := len(some) / 2
	first, err := t.compiling(ctx, p, some[:half])
	if err != nil {
		return nil, err
	}
	second, err := t.compiling(ctx, p, some[half:])
	return slices.Concat(first, second), err
}

// guard returns a build with the changes, numbered as they are.
func (t *trial) guard(p *goPackage, some []mutation) (*build, error) {
	texts := map[string][]byte{}
	order := make([]int, len(some))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return some[b].guard.from - some[a].guard.from }) // the last first: offsets stay
	for _, i := range order {
		m := some[i]
		text := texts[m.file]
		if text == nil {
			var err error
			if text, err = os.ReadFile(m.file); err != nil {
				return nil, err
			}
		}
		is := fmt.Sprintf("%s(\"%d\")", slipFunction, i)
		not := "!" + is
		texts[m.file] = slices.Concat(text[:m.guard.from], []byte(m.guard.text(is, not)), text[m.guard.to:])
	}
	return t.newBuild(texts, p)
}

// chooser is the source of the file that reads which change is made.
const chooser = `package %[1]s

import (
	"os"
	"sync"
)

func %[2]s(change string) bool {
	if mutateRecords {
		mutateReached(change)
	}
	return change == mutateChange
}

var mutateChange = func() string {
	text, _ := os.ReadFile(%[3]q)
	return string(text)
}()

var mutateRecords = mutateChange == %[5]q

var mutateSeen sync.Map

func mutateReached(change string) {
	if _, seen := mutateSeen.LoadOrStore(change, true); seen {
		return
	}
	if file, err := os.OpenFile(%[4]q, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
		file.WriteString(change + "\n")
		file.Close()
	}
}
`
