package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/scaffold"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/scan"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
)

const aboutScan = `
Scan finds what packages (default "./...") consume by another client of RabbitMQ:
amqp091-go, streadway/amqp, wagslane/go-rabbitmq or watermill-amqp. It prints each
consumer with what it couldn't find out, and the route of warren to write for it.
With -o it writes the document of the program as it is, with -write a Go file with
the routes. It runs nothing, and changes no line of the packages.
`

// scanOptions are the values of the command line of scan.
type scanOptions struct {
	*service.Options
	flags   *flag.FlagSet
	write   string
	json    bool
	program *load.Program
}

func newScanOptions(dir string) *scanOptions {
	o := &scanOptions{Options: service.NewOptions(dir), flags: flag.NewFlagSet("asyncapigen scan", flag.ContinueOnError)}
	o.Patterns = []string{"./..."}
	o.flags.SetOutput(io.Discard)
	o.OutputFlag(o.flags)
	o.flags.StringVar(&o.Config.Title, "title", "", "`TITLE` of the service in the document, the name of the folder without it")
	o.flags.StringVar(&o.Config.Version, "api-version", "", "`VERSION` of the contract (default \"1.0.0\")")
	o.flags.StringVar(&o.Config.ServerURL, "server-url", "", "`URL` of the broker, without credentials (default \"localhost:5672\")")
	o.flags.StringVar(&o.Tags, "tags", "", "build `TAGS`, separated by commas")
	o.flags.BoolVar(&o.json, "json", false, "print JSON for programs")
	o.flags.StringVar(&o.write, "write", "", "write the routes and their handlers to the Go file `FILE`, which must not exist")
	return o
}

func (o *scanOptions) parse(args []string) error {
	if err := o.flags.Parse(args); err != nil {
		return err
	}
	if o.write != "" {
		if err := scaffold.CheckFile(filepath.Base(o.write)); err != nil {
			return fmt.Errorf("flag -write: %w", err)
		}
	}
	if o.flags.NArg() > 0 {
		o.Patterns = o.flags.Args()
	}
	return service.CheckPatterns(o.Patterns)
}

// runScan is the command scan.
func runScan(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	dir, err := os.Getwd()
	o := newScanOptions(dir)
	if err == nil {
		err = o.parse(args)
	}
	if err != nil {
		return commandLineFault(err, "scan", o.flags, stdout, stderr)
	}
	progress := startProgress(stderr, service.Listing)
	defer progress.stop()
	o.program, err = load.Packages(ctx, load.Config{Dir: dir, Patterns: o.Patterns, Tags: o.Tags, Clients: scan.Clients})
	if err != nil {
		fmt.Fprintf(stderr, "asyncapigen scan: %v\n", err)
		return usage
	}
	progress.step("finding consumers")
	result := scan.Find(ctx, o.program)
	progress.stop()
	if interrupted(ctx, stderr) {
		return findings
	}
	if o.json {
		encoder := json.NewEncoder(stdout)
		encoder.SetIndent("", "  ")
		// The writer's own errors are those of stdout, which can't be reported anywhere.
		_ = encoder.Encode(result.JSON())
	}
	for _, p := range result.Problems {
		fmt.Fprintln(stderr, p)
	}
	if len(result.Consumers) == 0 {
		fmt.Fprintf(stderr, "asyncapigen scan: nothing is consumed in %s by a client that scan knows: %s\n", strings.Join(o.Patterns, " "), knownClients)
		return findings
	}
	if !o.json {
		o.print(result, stdout)
	}
	if err := errors.Join(o.document(result, stderr), o.source(result)); err != nil {
		fmt.Fprintf(stderr, "asyncapigen scan: %v\n", err)
		return findings
	}
	return done
}

const knownClients = "amqp091-go, streadway/amqp, wagslane/go-rabbitmq, watermill-amqp"

// print prints the consumers, and the routes of warren for them.
func (o *scanOptions) print(result scan.Result, w io.Writer) {
	result.Print(w)
	fmt.Fprintln(w, "\nRoutes of warren:")
	for _, literal := range result.Literals(scan.Package{}) {
		fmt.Fprintf(w, "\n%s", literal)
	}
}

// document writes the documents that were asked for.
func (o *scanOptions) document(result scan.Result, stderr io.Writer) error {
	if len(o.Documents) == 0 {
		return nil
	}
	routes, problems := result.Routes()
	for _, p := range problems {
		fmt.Fprintln(stderr, p)
	}
	if len(routes) == 0 {
		return errors.New("write the document: no queue that is consumed is known")
	}
	if o.Config.Title == "" {
		o.Config.Title = filepath.Base(o.Dir)
	}
	_, found, err := service.Describe(o.Options, o.program, routes)
	printDiagnostics(stderr, found)
	if err == nil && found.HasErrors() {
		err = errors.New("write the document: see above")
	}
	return err
}

// source writes the Go file with the routes.
func (o *scanOptions) source(result scan.Result) error {
	if o.write == "" {
		return nil
	}
	text, err := result.Source(o.packageOf(o.write))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(o.write), 0o777); err != nil {
		return fmt.Errorf("write the routes: %w", err)
	}
	err = scaffold.Create(scaffold.File{Path: o.write, Content: text})
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write the routes: %s exists: name another file", o.write)
	}
	if err != nil {
		return fmt.Errorf("write the routes: %w", err)
	}
	return nil
}

// packageOf returns the package that a file is one of: that of the folder, or a new one.
func (o *scanOptions) packageOf(file string) scan.Package {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		dir = filepath.Dir(file)
	}
	for _, pkg := range o.program.Checked() {
		if pkg != nil && len(pkg.Files) > 0 && filepath.Dir(o.program.Fset.Position(pkg.Files[0].Package).Filename) == dir {
			in := scan.Package{Name: pkg.Name, Path: pkg.Path}
			if pkg.Types != nil {
				in.Declared = pkg.Types.Scope().Names()
			}
			return in
		}
	}
	return scan.Package{Name: service.PackageName(filepath.Base(dir))}
}
