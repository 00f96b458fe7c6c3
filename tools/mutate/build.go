package main

import (
	"bytes"
	"context"
	_ "embed"
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
	folder string
}

func (b *build) close() { os.RemoveAll(b.folder) }

func (b *build) overlay() string { return filepath.Join(b.folder, "overlay.json") }

// changeFile has the number of the change that the build's programs make, and reachedFile
// those whose code was run: see hook.go.txt.
func (b *build) changeFile() string  { return filepath.Join(b.folder, "change") }
func (b *build) reachedFile() string { return filepath.Join(b.folder, "reached") }

// resultsFile has what a hunt has noted, and aliveFile the changes that it begins with.
func (b *build) resultsFile() string { return filepath.Join(b.folder, "results") }
func (b *build) aliveFile() string   { return filepath.Join(b.folder, "alive") }

// A variant is a build, with one of the changes that are in it together.
type variant struct {
	*build
	change     int    // its number, 0 for none, recording to note what is run
	experiment string // of GOEXPERIMENT, "" for none
}

// recording is the number of no change, with which is noted what code of changes is run.
const recording = -1

// in returns the variant with an experiment of the Go toolchain.
func (v variant) in(experiment string) variant {
	v.experiment = experiment
	return v
}

// with returns the variant with a change.
func (v variant) with(change int) variant {
	v.change = change
	return v
}

// run runs a command. If it calls the go command, that builds the variant too.
func (v variant) run(cmd *exec.Cmd) ([]byte, error) {
	if err := os.WriteFile(v.changeFile(), []byte(strconv.Itoa(v.change)), 0o644); err != nil {
		return nil, err
	}
	cmd.Env = append(cmd.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+v.overlay())
	if v.experiment != "" {
		cmd.Env = append(cmd.Env, "GOEXPERIMENT="+v.experiment)
	}
	var said bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout, cmd.Stderr = &said, &said
	}
	ownGroup(cmd)
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	endGroup(cmd) // what the tests have started, and not ended
	return said.Bytes(), err
}

// newBuild replaces files, by their paths, with texts.
func (t *trial) newBuild(texts map[string][]byte) (*build, error) {
	folder, err := os.MkdirTemp(t.folder, "")
	if err != nil {
		return nil, err
	}
	return &build{folder}, writeOverlay(folder, texts)
}

func writeOverlay(folder string, texts map[string][]byte) error {
	replace := map[string]string{}
	for file, text := range texts {
		replace[file] = filepath.Join(folder, strconv.Itoa(len(replace))+".go")
		if err := os.WriteFile(replace[file], text, 0o644); err != nil {
			return err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	return errors.Join(err, os.WriteFile(filepath.Join(folder, "overlay.json"), overlay, 0o644))
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
	if _, err := t.goCommand(ctx, p.Dir, variant{build: b}, "build", "-o", os.DevNull); err != nil {
		b.close()
		return nil, ctx.Err()
	}
	return b, nil
}

// guarded returns a build with changes of a package, of which one is made when the program
// runs.
func (t *trial) guarded(ctx context.Context, c *checker, changes []mutation) (*build, error) {
	folder, err := os.MkdirTemp(t.folder, "")
	if err != nil {
		return nil, err
	}
	texts := c.guarded(changes)
	texts[filepath.Join(c.p.Dir, "mutateslip.go")] = slipFunctions(c.p.Name)
	if err := t.hookTesting(ctx, folder, len(changes), texts); err != nil {
		return nil, err
	}
	return &build{folder}, writeOverlay(folder, texts)
}

//go:embed hook.go.txt
var hook string

// hookTesting adds the texts of the package testing in which tests hunt.
func (t *trial) hookTesting(ctx context.Context, folder string, changes int, texts map[string][]byte) error {
	listed, err := goList(ctx, t.module.root, "-f", "{{.Dir}}", "testing")
	if err != nil {
		return err
	}
	dir := strings.TrimSpace(string(listed))
	file := filepath.Join(dir, "testing.go")
	read, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text := string(read)
	for _, r := range []struct{ old, with string }{
		{"func (t *T) Run(", "func (t *T) mutateRun("},
		{"func (t *T) Parallel(", "func (t *T) mutateParallel("},
		{"testName, ok, _ := t.tstate.match.fullName(&t.common, name)", "testName, ok := t.mutateFullName(name)"},
	} {
		if strings.Count(text, r.old) != 1 {
			return fmt.Errorf("package testing of this version of Go is another than mutate knows: %s hasn't one %q", file, r.old)
		}
		text = strings.Replace(text, r.old, r.with, 1)
	}
	texts[file] = []byte(text)
	hooked := strings.NewReplacer("FOLDER", strconv.Quote(folder), "CHANGES", strconv.Itoa(changes)).Replace(hook)
	texts[filepath.Join(dir, "mutate.go")] = []byte(hooked)
	return nil
}
