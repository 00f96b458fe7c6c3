package service

import (
	"context"
	"fmt"
	"go/token"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/client"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/gotype"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/output"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/sends"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// Listing is the first step, in which the go command compiles what it hasn't yet,
// which takes minutes for large modules.
const Listing = "listing packages, and compiling those that the build cache lacks"

// A Generator goes from packages to files, service by service.
type Generator struct {
	Dir     string            // the working directory, from which positions are named
	Changed []string          // with -changed, the absolute paths of the files that have
	Step    func(next string) // is called with what is done next; nil for nothing

	doing   string         // for a fault of asyncapigen's own
	reading token.Position // the route at which it is, if at one
}

// An Outcome is what became of a service.
type Outcome struct {
	Service   *Options
	Routes    []registered.Route
	Declared  registered.Declared
	Sends     []registered.Send // where they are asked for
	Found     diagnostic.List   // about the packages and the routes
	Documents []output.File     // what is written, or would be; nil where they couldn't be made
	Files     []FileState
	Fault     error    // nil where there is none that Found doesn't have
	Unread    bool     // the packages couldn't be loaded
	Unchanged bool     // nothing was looked at, for no change can have touched it
	Folders   []string // of the packages that it depends on, as far as they are known
	Sources   []string // the files of these packages
}

// Failed reports whether the findings are errors.
func (o Outcome) Failed() bool { return o.Found.HasErrors() || o.Service.Werror && len(o.Found) > 0 }

// Run generates services. The packages of those that the go command can list in
// one run are listed once.
func (g *Generator) Run(ctx context.Context, all []*Options) iter.Seq[Outcome] {
	return func(yield func(Outcome) bool) {
		for _, batch := range batches(all) {
			list := g.lister(ctx, batch)
			for _, o := range batch {
				if !yield(g.guarded(o, func() Outcome { return g.service(ctx, o, list) })) {
					return
				}
			}
		}
	}
}

// step notes what is done next.
func (g *Generator) step(doing string) {
	g.doing, g.reading = doing, token.Position{}
	if g.Step != nil {
		g.Step(doing)
	}
}

// withCommands adds to the error of a package whose name could be meant as a
// command.
func withCommands(o *Options, err error) error {
	if strings.ContainsAny(o.Patterns[0], `./\`) {
		return err
	}
	return fmt.Errorf("%w (nor is %s a command: asyncapigen help lists the commands)", err, o.Patterns[0])
}

// A lister lists the packages of a service.
type lister func(*Options) (*load.Listing, error)

// lister returns a function that lists the packages of each of the services. The
// go command lists them all in one run; where that fails, each on its own, so that
// one service's fault isn't that of the others.
func (g *Generator) lister(ctx context.Context, all []*Options) lister {
	alone := func(o *Options) (*load.Listing, error) { return load.List(ctx, g.loadConfig(o)) }
	if len(all) == 1 {
		return alone
	}
	together := load.Config{Dir: all[0].Dir, Tags: all[0].Tags}
	for _, o := range all {
		for _, pattern := range o.Patterns {
			together.Patterns = append(together.Patterns, o.Absolute(pattern))
		}
	}
	listing, err := load.List(ctx, together)
	if err != nil {
		return alone
	}
	return func(o *Options) (*load.Listing, error) {
		if !listing.Names(g.loadConfig(o)) {
			return alone(o) // the go command says why
		}
		return listing, nil
	}
}

func (g *Generator) loadConfig(o *Options) load.Config {
	cfg := load.Config{Dir: o.Dir, Patterns: o.Patterns, Tags: o.Tags, SeenFrom: g.Dir}
	if o.Client != "" {
		cfg.ClientDir, cfg.ClientModule = o.Absolute(o.Client), o.Module
	}
	return cfg
}

// guarded runs the generation of a service. A fault of it, which no program should
// lead to, is a finding instead of a crash.
func (g *Generator) guarded(o *Options, generate func() Outcome) (result Outcome) {
	defer func() {
		if fault := recover(); fault != nil {
			result = Outcome{Service: o, Found: diagnostic.List{{
				Code:   diagnostic.InternalError,
				Pos:    g.reading,
				What:   "asyncapigen failed while " + g.doing,
				Why:    fmt.Sprintf("a fault of asyncapigen, not of the program: %v, in %s", fault, diagnostic.PanicSite()),
				Remedy: "report it with this program and " + Version() + " at https://github.com/warrenmq/warren/issues",
			}}}
		}
	}()
	return generate()
}

// service goes from the packages of a service to its files.
func (g *Generator) service(ctx context.Context, o *Options, list lister) Outcome {
	g.step(Listing)
	listed, err := list(o)
	if err != nil {
		return Outcome{Service: o, Fault: withCommands(o, err), Unread: true}
	}
	made := Outcome{Service: o}
	made.Folders, made.Sources = listed.Sources(g.loadConfig(o))
	if o.Changed != "" && !g.mayHaveChanged(o, listed) {
		made.Unchanged = true
		return made
	}
	g.step("reading packages")
	program, err := listed.Program(ctx, g.loadConfig(o))
	if err != nil {
		made.Fault, made.Unread = withCommands(o, err), true
		return made
	}
	g.generate(ctx, program, &made)
	return made
}

// mayHaveChanged reports whether one of the files that have changed can have a
// part in the service's, or is one of them.
func (g *Generator) mayHaveChanged(o *Options, listing *load.Listing) bool {
	isOutput := func(file string) bool {
		isDocument := func(d Document) bool { return file == o.Absolute(d.File) }
		return slices.ContainsFunc(o.Documents, isDocument) || o.Client != "" && filepath.Dir(file) == o.Absolute(o.Client)
	}
	return slices.ContainsFunc(g.Changed, isOutput) || listing.MayDependOn(g.loadConfig(o), g.Changed)
}

// generate makes everything before anything is written.
func (g *Generator) generate(ctx context.Context, program *load.Program, made *Outcome) {
	o := made.Service
	g.step("finding routes")
	result := findRoutes(ctx, o, program)
	made.Routes, made.Declared = result.Routes, result.Declared
	var unsent diagnostic.List
	unasked := diagnostic.UnknownTarget
	if o.wantsSends() {
		unasked = ""
		made.Sends, unsent = sends.Find(program, result, client.Sends(result.Routes))
	}
	g.step("describing types")
	files, found, err := g.makeFiles(o, program, result, made.Sends)
	found = append(found, unsent...)
	made.Documents = files[:min(len(files), len(o.Documents))]
	made.Found, made.Fault = withoutAccepted(program, found, files != nil, unasked), err
	if ctx.Err() == nil && err == nil && !made.Failed() && (o.Mode == Write || o.Mode == Check) {
		made.Files, made.Fault = writeFiles(o, files)
	}
}

func findRoutes(ctx context.Context, o *Options, program *load.Program) discover.Result {
	options := []discover.Option{discover.Command(o.Command)}
	if o.Mode == Explain {
		options = append(options, discover.Explain())
	}
	if o.wantsSends() {
		options = append(options, discover.Constructions())
	}
	return discover.Routes(ctx, program, options...)
}

// makeFiles makes the documents and then the client, unless routes are missing, and
// returns all diagnostics.
func (g *Generator) makeFiles(o *Options, program *load.Program, result discover.Result, sends []registered.Send) ([]output.File, diagnostic.List, error) {
	found := WithoutRoutes(o, result, Diagnostics(program, result))
	if found.HasErrors() {
		return nil, found, nil
	}
	files, problems, err := g.makeDocuments(o, program, described{result.Routes, result.Declared, sends})
	found = append(found, problems...)
	if files == nil {
		return nil, found, err
	}
	if o.Client == "" {
		return files, found, nil
	}
	source, problems, err := makeClient(o, program, result.Routes)
	name := filepath.Join(o.file(o.Client), program.ClientName+".go")
	files, found = append(files, output.File{Path: name, Content: source, Kind: output.Client}), append(found, problems...)
	if o.Module == "" || source == nil || err != nil {
		return files, found, err
	}
	module, err := moduleFile(o, program, source)
	return append(files, module), found, err
}

// clientDocs are the comments of what a client has copies of.
type clientDocs struct {
	*load.Program
	*gotype.Types
}

// makeClient makes the source of the client package.
func makeClient(o *Options, program *load.Program, routes []registered.Route) ([]byte, diagnostic.List, error) {
	if program.ClientPath == "" {
		return nil, nil, fmt.Errorf("the client's folder %s is in no module, so that nobody could import it: give another by -client, or -client= for no client", o.Client)
	}
	cfg := client.Config{
		PackageName:   program.ClientName,
		PackagePath:   program.ClientPath,
		Title:         o.Config.Title,
		Version:       o.Config.Version,
		ImportsClient: func(path string) bool { return program.Imports(path, program.ClientPath) },
		Docs:          clientDocs{program, gotype.New(program, program.Position)},
		Position:      program.Position,
	}
	if o.copies() {
		cfg.Copied = program.IsOfService
	}
	return client.Generate(cfg, routes)
}
