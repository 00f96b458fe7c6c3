package main

import (
	"context"
	"fmt"
	"go/token"
	"io"
	"iter"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/client"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/output"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// runGenerator is the commands generate, check, list and explain.
func runGenerator(ctx context.Context, m mode, args []string, stdout, stderr io.Writer) int {
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintf(stderr, "asyncapigen: %v\n", err)
		return usage
	}
	once := func() (watch, int) { return generateOnce(ctx, dir, m, args, stdout, stderr) }
	if o := newOptions(dir); o.parse(m, args) == nil && o.watch {
		return repeated(ctx, stderr, once)
	}
	_, status := once()
	return status
}

// generateOnce does what the command line asks for, and says what that depends on:
// nothing where it is wrong.
func generateOnce(ctx context.Context, dir string, m mode, args []string, stdout, stderr io.Writer) (watch, int) {
	all, warnings, err := services(ctx, dir, m, args)
	if err != nil {
		return watch{}, commandLineFault(err, m.name(), flagsHere(m), stdout, stderr)
	}
	if all[0].version {
		return watch{}, runVersion(ctx, nil, stdout, stderr)
	}
	g := &generator{dir: dir, depends: watch{make(map[string]bool), make(map[string]bool)}}
	if all[0].changed != "" {
		if g.changed, err = changedFiles(ctx, dir, all[0].changed); err != nil {
			return watch{}, commandLineFault(err, m.name(), flagsHere(m), stdout, stderr)
		}
	}
	status := g.report(ctx, all, newReporter(all, warnings, stdout, stderr), stderr)
	return g.depends, status
}

// report generates the services, and reports each.
func (g *generator) report(ctx context.Context, all []*options, r reporter, stderr io.Writer) int {
	g.progress = startProgress(stderr, listing)
	defer func() { g.progress.stop() }()
	status := done
	for _, batch := range batches(all) {
		for outcome := range g.run(ctx, batch) {
			g.progress.stop()
			if interrupted(ctx, stderr) {
				return findings
			}
			r.service(outcome)
			status = max(status, outcome.status())
			g.progress = startProgress(stderr, "finding routes")
		}
	}
	g.progress.stop()
	r.end()
	return status
}

// A generator goes from packages to files, service by service.
type generator struct {
	dir      string // the working directory, from which positions are named
	progress *progress
	changed  []string // with -changed, the absolute paths of the files that have
	depends  watch
	doing    string         // for a fault of asyncapigen's own
	reading  token.Position // the route at which it is, if at one
}

// An outcome is what became of a service.
type outcome struct {
	service   *options
	routes    []registered.Route
	found     diagnostic.List // about the packages and the routes
	files     []output.File   // what would be written, or was
	states    []fileState
	fault     error // nil where there is none that found doesn't have
	unread    bool  // the packages couldn't be loaded
	unchanged bool  // nothing was looked at, for no change can have touched it
}

// failed reports whether the findings are errors.
func (o outcome) failed() bool { return o.found.HasErrors() || o.service.werror && len(o.found) > 0 }

func (o outcome) status() int {
	isStale := func(s fileState) bool { return s.state == stale || s.state == missing }
	switch {
	case o.unread:
		return usage
	case o.fault != nil, o.failed(), slices.ContainsFunc(o.states, isStale):
		return findings
	}
	return done
}

// run lists the packages of a batch once, and generates its services one after
// the other.
func (g *generator) run(ctx context.Context, all []*options) iter.Seq[outcome] {
	return func(yield func(outcome) bool) {
		list := g.lister(ctx, all)
		for _, o := range all {
			if !yield(g.guarded(o, func() outcome { return g.service(ctx, o, list) })) {
				return
			}
		}
	}
}

// step notes what is done next.
func (g *generator) step(doing string) {
	g.doing, g.reading = doing, token.Position{}
	g.progress.step(doing)
}

// withCommands adds to the error of a package whose name could be meant as a
// command.
func withCommands(o *options, err error) error {
	if strings.ContainsAny(o.patterns[0], `./\`) {
		return err
	}
	return fmt.Errorf("%w (nor is %s a command: asyncapigen help lists the commands)", err, o.patterns[0])
}

// lister returns a function that lists the packages of each of the services. The
// go command lists them all in one run; where that fails, each on its own, so that
// one service's fault isn't that of the others.
func (g *generator) lister(ctx context.Context, all []*options) func(*options) (*load.Listing, error) {
	alone := func(o *options) (*load.Listing, error) { return load.List(ctx, g.loadConfig(o)) }
	if len(all) == 1 {
		return alone
	}
	together := load.Config{Dir: all[0].dir, Tags: all[0].tags}
	for _, o := range all {
		for _, pattern := range o.patterns {
			together.Patterns = append(together.Patterns, o.absolute(pattern))
		}
	}
	listing, err := load.List(ctx, together)
	if err != nil {
		return alone
	}
	return func(o *options) (*load.Listing, error) {
		if !listing.Names(g.loadConfig(o)) {
			return alone(o) // the go command says why
		}
		return listing, nil
	}
}

func (g *generator) loadConfig(o *options) load.Config {
	cfg := load.Config{Dir: o.dir, Patterns: o.patterns, Tags: o.tags, SeenFrom: g.dir}
	if o.client != "" {
		cfg.ClientDir = o.absolute(o.client)
	}
	return cfg
}

// guarded runs the generation of a service. A fault of it, which no program should
// lead to, is a finding instead of a crash.
func (g *generator) guarded(o *options, generate func() outcome) (result outcome) {
	defer func() {
		if fault := recover(); fault != nil {
			result = outcome{service: o, found: diagnostic.List{{
				Code:   diagnostic.InternalError,
				Pos:    g.reading,
				What:   "asyncapigen failed while " + g.doing,
				Why:    fmt.Sprintf("a fault of asyncapigen, not of the program: %v, in %s", fault, panicSite()),
				Remedy: "report it with this program and " + version() + " at https://github.com/warrenmq/warren/issues",
			}}}
		}
	}()
	return generate()
}

// panicSite returns the function and the line that panicked. It is for deferred
// functions that recover.
func panicSite() string {
	frames := runtime.CallersFrames(callers())
	for panicked := false; ; {
		frame, more := frames.Next()
		if panicked && !strings.HasPrefix(frame.Function, "runtime.") || !more {
			return fmt.Sprintf("%s (%s:%d)", path.Base(frame.Function), path.Base(frame.File), frame.Line)
		}
		panicked = panicked || frame.Function == "runtime.gopanic"
	}
}

func callers() []uintptr {
	pcs := make([]uintptr, 64)
	return pcs[:runtime.Callers(1, pcs)]
}

// service goes from the packages of a service to its files.
func (g *generator) service(ctx context.Context, o *options, list func(*options) (*load.Listing, error)) outcome {
	g.step(listing)
	listed, err := list(o)
	g.depends.add(o, nil)
	if err == nil {
		g.depends.add(o, listed.Folders(g.loadConfig(o)))
	}
	if err == nil && o.changed != "" && !g.mayHaveChanged(o, listed) {
		return outcome{service: o, unchanged: true}
	}
	var program *load.Program
	if err == nil {
		g.step("reading packages")
		program, err = listed.Program(ctx, g.loadConfig(o))
	}
	if err != nil {
		return outcome{service: o, fault: withCommands(o, err), unread: true}
	}
	return g.generate(ctx, o, program)
}

// mayHaveChanged reports whether one of the files that have changed can have a
// part in the service's, or is one of them.
func (g *generator) mayHaveChanged(o *options, listing *load.Listing) bool {
	isOutput := func(file string) bool {
		return file == o.absolute(o.document) || o.client != "" && filepath.Dir(file) == o.absolute(o.client)
	}
	return slices.ContainsFunc(g.changed, isOutput) || listing.MayDependOn(g.loadConfig(o), g.changed)
}

// generate makes everything before anything is written.
func (g *generator) generate(ctx context.Context, o *options, program *load.Program) outcome {
	made := outcome{service: o}
	g.step("finding routes")
	result := findRoutes(ctx, o, program)
	made.routes = result.Routes
	g.step("describing types")
	files, found, err := g.makeFiles(o, program, result)
	made.found, made.fault, made.files = withoutAccepted(program, found, files != nil), err, files
	if ctx.Err() == nil && err == nil && !made.failed() && (o.mode == write || o.mode == check) {
		made.states, made.fault = writeFiles(o, files)
	}
	return made
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

func findRoutes(ctx context.Context, o *options, program *load.Program) discover.Result {
	options := []discover.Option{discover.Command(o.command)}
	if o.mode == explain {
		options = append(options, discover.Explain())
	}
	return discover.Routes(ctx, program, options...)
}

// makeFiles makes the document and the client, unless routes are missing, and
// returns all diagnostics.
func (g *generator) makeFiles(o *options, program *load.Program, result discover.Result) ([]output.File, diagnostic.List, error) {
	found := withoutRoutes(o, result, diagnostics(program, result))
	if found.HasErrors() {
		return nil, found, nil
	}
	document, problems := g.makeDocument(o, program, result.Routes)
	found = append(found, problems...)
	if document == nil {
		return nil, found, nil
	}
	text, err := document.JSON(2)
	if err != nil {
		return nil, found, err
	}
	files := []output.File{{Path: o.file(o.document), Content: append(text, '\n'), Kind: output.Document}}
	if o.client == "" {
		return files, found, nil
	}
	source, problems, err := makeClient(o, program, result.Routes)
	name := filepath.Join(o.file(o.client), program.ClientName+".go")
	return append(files, output.File{Path: name, Content: source, Kind: output.Client}), append(found, problems...), err
}

// makeClient makes the source of the client package.
func makeClient(o *options, program *load.Program, routes []registered.Route) ([]byte, diagnostic.List, error) {
	if program.ClientPath == "" {
		return nil, nil, fmt.Errorf("the client's folder %s is in no module, so that nobody could import it: give another by -client, or -client= for no client", o.client)
	}
	cfg := client.Config{
		PackageName:   program.ClientName,
		PackagePath:   program.ClientPath,
		Title:         o.config.Title,
		Version:       o.config.Version,
		ImportsClient: func(path string) bool { return program.Imports(path, program.ClientPath) },
		Docs:          program,
		Position:      program.Position,
	}
	return client.Generate(cfg, routes)
}
