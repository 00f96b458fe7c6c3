package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
)

// runGenerator is the commands generate, check, list and explain.
func runGenerator(ctx context.Context, m service.Mode, args []string, stdout, stderr io.Writer) int {
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintf(stderr, "asyncapigen: %v\n", err)
		return usage
	}
	once := func() (watch, int) { return generateOnce(ctx, dir, m, args, stdout, stderr) }
	if o := service.NewOptions(dir); o.Parse(m, args) == nil && o.Watch {
		return repeated(ctx, stderr, once)
	}
	_, status := once()
	return status
}

// generateOnce does what the command line asks for, and says what that depends on:
// nothing where it is wrong.
func generateOnce(ctx context.Context, dir string, m service.Mode, args []string, stdout, stderr io.Writer) (watch, int) {
	all, warnings, err := service.Find(ctx, dir, m, args)
	if err != nil {
		return watch{}, commandLineFault(err, m.Name(), flagsHere(m), stdout, stderr)
	}
	if all[0].Version {
		return watch{}, runVersion(ctx, nil, stdout, stderr)
	}
	g := &service.Generator{Dir: dir}
	if ref := all[0].Changed; ref != "" {
		if g.Changed, err = service.ChangedFiles(ctx, dir, ref); err != nil {
			return watch{}, commandLineFault(err, m.Name(), flagsHere(m), stdout, stderr)
		}
	}
	return generateAll(ctx, g, all, newReporter(all, warnings, stdout, stderr), stderr)
}

// generateAll generates the services, and reports each.
func generateAll(ctx context.Context, g *service.Generator, all []*service.Options, r reporter, stderr io.Writer) (watch, int) {
	progress := startProgress(stderr, service.Listing)
	defer func() { progress.stop() }()
	g.Step = func(next string) { progress.step(next) }
	depends, status := newWatch(), done
	for outcome := range g.Run(ctx, all) {
		progress.stop()
		if interrupted(ctx, stderr) {
			return depends, findings
		}
		depends.add(outcome)
		r.service(outcome)
		status = max(status, statusOf(outcome))
		progress = startProgress(stderr, "finding routes")
	}
	progress.stop()
	r.end()
	return depends, status
}

// statusOf returns the exit status of a service.
func statusOf(o service.Outcome) int {
	isStale := func(f service.FileState) bool { return f.State == service.Stale || f.State == service.Missing }
	switch {
	case o.Unread:
		return usage
	case o.Fault != nil, o.Failed(), slices.ContainsFunc(o.Files, isStale):
		return findings
	}
	return done
}

// interrupted reports on stderr that the user has stopped the program, if so. What
// was found until then means nothing: a stopped analysis ends anywhere.
func interrupted(ctx context.Context, stderr io.Writer) bool {
	if ctx.Err() == nil {
		return false
	}
	fmt.Fprintln(stderr, "asyncapigen: interrupted: nothing was written")
	return true
}
