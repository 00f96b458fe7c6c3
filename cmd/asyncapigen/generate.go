package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/client"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/output"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// generate goes from packages to files. Everything is made before anything is
// written.
func generate(ctx context.Context, o *options, stdout, stderr io.Writer) int {
	progress := startProgress(stderr, "reading packages")
	defer progress.stop()
	program, err := loadPackages(ctx, o)
	if err != nil {
		progress.stop()
		if interrupted(ctx, stderr) {
			return findings
		}
		fmt.Fprintf(stderr, "asyncapigen: %v\n", err)
		return usage
	}
	progress.step("finding routes")
	result := findRoutes(ctx, o, program)
	progress.step("describing types")
	files, found, err := makeFiles(o, program, result)
	progress.stop()
	if interrupted(ctx, stderr) {
		return findings
	}

	printDiagnostics(stderr, found)
	failed := found.HasErrors() || o.werror && len(found) > 0
	switch {
	case o.list:
		printRoutes(stdout, result.Routes)
	case o.explain:
		printOrigins(stdout, result.Routes)
	case err == nil && !failed:
		failed, err = writeFiles(o, files, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "asyncapigen: %v\n", err)
	}
	if failed || err != nil {
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

func loadPackages(ctx context.Context, o *options) (*load.Program, error) {
	cfg := load.Config{Dir: o.dir, Patterns: o.patterns, Tags: o.tags}
	if o.client != "" {
		cfg.ClientDir = o.absolute(o.client)
	}
	return load.Packages(ctx, cfg)
}

func findRoutes(ctx context.Context, o *options, program *load.Program) discover.Result {
	options := []discover.Option{discover.Command(o.command)}
	if o.explain {
		options = append(options, discover.Explain())
	}
	return discover.Routes(ctx, program, options...)
}

// makeFiles makes the document and the client, unless routes are missing, and
// returns all diagnostics.
func makeFiles(o *options, program *load.Program, result discover.Result) ([]output.File, diagnostic.List, error) {
	found := diagnostics(program, result)
	if found.HasErrors() {
		return nil, found, nil
	}
	document, problems := makeDocument(o, program, result.Routes)
	found = append(found, problems...)
	if document == nil {
		return nil, found, nil
	}
	text, err := document.JSON(2)
	if err != nil {
		return nil, found, err
	}
	files := []output.File{{Path: filepath.Clean(o.document), Content: append(text, '\n'), Kind: output.Document}}
	if o.client == "" {
		return files, found, nil
	}
	source, problems, err := makeClient(o, program, result.Routes)
	name := filepath.Join(o.client, program.ClientName+".go")
	return append(files, output.File{Path: name, Content: source, Kind: output.Client}), append(found, problems...), err
}

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
