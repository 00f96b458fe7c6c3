package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"time"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// limit is the time that the evaluation of a program may take. It only stops a
// hang: a program takes some milliseconds, and seconds where it is given up.
const limit = 10 * time.Minute

// message is what a child tells its parent, a line of JSON each: which program it
// begins with, or how it went.
type message struct {
	Begins  string   `json:",omitempty"`
	Verdict *verdict `json:",omitempty"`
}

// runChild judges the programs with these names in the module in dir.
func runChild(ctx context.Context, dir string, names []string) error {
	patterns := make([]string, len(names))
	byPath := make(map[string]string)
	for i, name := range names {
		patterns[i] = "./" + folderOf(name)
		byPath[path.Join("suite", folderOf(name))] = name
	}
	program, err := load.Packages(ctx, load.Config{Dir: dir, Patterns: patterns})
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	for _, root := range program.Roots {
		name := byPath[root.Path]
		if err := out.Encode(message{Begins: name}); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(ctx, limit)
		v := judge(ctx, program, name, root)
		if v.Class == missing && endsItself(ctx, dir, name) {
			v.Class = right
		}
		cancel()
		if err := out.Encode(message{Verdict: &v}); err != nil {
			return err
		}
	}
	return nil
}

// endsItself runs a program and reports whether it ends before it has registered
// the route, as by os.Exit.
func endsItself(ctx context.Context, dir, name string) bool {
	run := exec.CommandContext(ctx, "go", "run", "./"+folderOf(name))
	run.Dir = dir
	out, _ := run.CombinedOutput()
	return ctx.Err() == nil && !bytes.Contains(out, []byte("suite: registered"))
}
