package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/output"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/docpage"
	"github.com/warrenmq/warren/internal/jsontree"
)

const aboutHTML = `
Html writes one page for people: routes with a picture of where their messages
go, schemas and examples. It needs no network and no file beside it. It is made
of a document (JSON, or YAML by its extension), or of the code in the packages
(default "."), of which it shows all that an extended document has.
`

// pageOptions are the values of the command line of html or serve.
type pageOptions struct {
	flags   *flag.FlagSet
	dir     string
	output  string // of html
	address string // of serve
	source  string
	tags    string
	command string
	empty   bool // a program without routes is shown
	verbose bool
	named   []string // the document or the packages
}

// newPageOptions returns what html and serve have in common.
func newPageOptions(name, dir string) *pageOptions {
	o := &pageOptions{flags: flag.NewFlagSet("asyncapigen "+name, flag.ContinueOnError), dir: dir}
	f := o.flags
	f.SetOutput(io.Discard)
	f.StringVar(&o.source, "source-url", "", "link to the source code at `URL`, with {file}, from the module's folder, and {line} in it")
	f.StringVar(&o.tags, "tags", "", "build `TAGS`, separated by commas")
	f.StringVar(&o.command, "run", "", "of a program with commands, show what `COMMAND` registers")
	f.BoolVar(&o.empty, "allow-empty", false, "take a program without routes, which is an error otherwise")
	return o
}

func newHTMLOptions(dir string) *pageOptions {
	o := newPageOptions("html", dir)
	o.flags.StringVar(&o.output, "o", "asyncapi.html", "write the page to `FILE`")
	o.flags.BoolVar(&o.verbose, "v", false, "say whether the page was written")
	return o
}

func (o *pageOptions) parse(args []string) error {
	if err := o.flags.Parse(args); err != nil {
		return err
	}
	o.named = o.flags.Args()
	if o.source != "" && (!strings.Contains(o.source, "{file}") || !strings.HasPrefix(o.source, "http://") && !strings.HasPrefix(o.source, "https://")) {
		return errors.New("flag -source-url: its form is https://example.com/orders/blob/main/{file}#L{line}")
	}
	return service.CheckPatterns(o.named)
}

// runHTML is the command html.
func runHTML(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	dir, err := os.Getwd()
	o := newHTMLOptions(dir)
	if err == nil {
		err = o.parse(args)
	}
	if err == nil && !strings.EqualFold(filepath.Ext(o.output), ".html") {
		err = fmt.Errorf("flag -o: the name of the page, %q, doesn't end with .html", o.output)
	}
	if err != nil {
		return commandLineFault(err, "html", o.flags, stdout, stderr)
	}
	shown := o.read(ctx, stderr)
	if interrupted(ctx, stderr) {
		return findings
	}
	printDiagnostics(stderr, shown.found)
	if shown.fault != nil {
		fmt.Fprintf(stderr, "asyncapigen html: %v\n", shown.fault)
		return shown.status()
	}
	page, err := docpage.Render(shown.root, docpage.Options{SourceURL: o.source})
	if err == nil {
		err = o.write(page, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "asyncapigen html: %s: %v\n", shown.name, err)
		return findings
	}
	return done
}

func (o *pageOptions) write(page []byte, stderr io.Writer) error {
	changed, err := output.Write(output.File{Path: o.output, Content: page, Kind: output.Page})
	switch {
	case err != nil || !o.verbose:
	case len(changed) > 0:
		fmt.Fprintln(stderr, "wrote "+o.output)
	default:
		fmt.Fprintln(stderr, o.output+" is up to date")
	}
	return err
}

// A shownDocument is what a page is made of.
type shownDocument struct {
	name   string         // of its file, or the packages
	root   *jsontree.Node // nil where there is none
	found  diagnostic.List
	fault  error
	unread bool // what the command line names can't be read
	watch  watch
}

func (s shownDocument) status() int {
	if s.unread {
		return usage
	}
	return findings
}

// read reads the document, or makes it of the code.
func (o *pageOptions) read(ctx context.Context, stderr io.Writer) shownDocument {
	if len(o.named) == 1 {
		info, err := os.Stat(o.named[0])
		if err == nil && info.Mode().IsRegular() || err != nil && jsontree.HasExtension(o.named[0]) {
			return readShown(o.named[0])
		}
	}
	return o.makeShown(ctx, stderr)
}

func readShown(name string) shownDocument {
	s := shownDocument{name: name, watch: newWatch()}
	text, err := os.ReadFile(name)
	if err != nil {
		s.fault, s.unread = fmt.Errorf("read the document: %w", err), true
		return s
	}
	s.watch.folders[filepath.Dir(name)] = true
	if s.root, err = jsontree.Parse(name, text); err != nil {
		s.fault = fmt.Errorf("read the document %s: %w", name, err)
	}
	return s
}

// makeShown makes the document of the code, as generate would.
func (o *pageOptions) makeShown(ctx context.Context, stderr io.Writer) shownDocument {
	s := shownDocument{name: strings.Join(o.named, " "), watch: newWatch()}
	if s.name == "" {
		s.name = "."
	}
	args := o.named
	if o.command != "" {
		args = append([]string{"-run", o.command}, args...)
	}
	if o.tags != "" {
		args = append([]string{"-tags", o.tags}, args...)
	}
	if o.empty {
		args = append([]string{"-allow-empty"}, args...)
	}
	made, warnings, err := described(ctx, o.dir, args, func(of *service.Options) {
		of.Documents = []service.Document{{Form: service.AsyncAPI3, File: "asyncapi.json"}}
	}, stderr)
	s.found = warnings
	if err != nil {
		s.fault, s.unread = err, true
		return s
	}
	s.take(made)
	return s
}

// take takes the document of a service.
func (s *shownDocument) take(made service.Outcome) {
	s.watch.add(made)
	s.found = append(s.found, made.Found...)
	s.unread = made.Unread
	switch {
	case made.Fault != nil:
		s.fault = made.Fault
	case len(made.Documents) == 0:
		s.fault = fmt.Errorf("the code in %s has findings, and no page is made of it", s.name)
	default:
		s.root, s.fault = jsontree.Parse(made.Documents[0].Path, made.Documents[0].Content)
	}
}
