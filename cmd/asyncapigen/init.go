package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/scaffold"
)

const aboutInit = `
Init adds two files to the package in a folder (default "."), a library or a
program: one with a go:generate directive, a message and a route that handles
it, and one with a test of the route, on a broker in memory, and of the
contract. It overwrites nothing, and prints what to run next.
`

// initOptions are the values of the command line of init.
type initOptions struct {
	flags *flag.FlagSet
	scaffold.Options
}

func newInitOptions() *initOptions {
	o := &initOptions{flags: flag.NewFlagSet("asyncapigen init", flag.ContinueOnError)}
	o.flags.SetOutput(io.Discard)
	o.flags.StringVar(&o.File, "o", "routes.go", "write the route to `FILE` in that folder, and its test to FILE_test.go")
	o.flags.StringVar(&o.Title, "title", "", "call the service `TITLE` in its contract; without it, as the package or its folder")
	return o
}

func (o *initOptions) parse(args []string) error {
	if err := o.flags.Parse(args); err != nil {
		return err
	}
	if err := scaffold.CheckFile(o.File); err != nil {
		return fmt.Errorf("flag -o: %w", err)
	}
	if o.flags.NArg() > 1 {
		return fmt.Errorf("it takes one folder, and got %d", o.flags.NArg())
	}
	o.Dir = "."
	if o.flags.NArg() == 1 {
		o.Dir = o.flags.Arg(0)
	}
	info, err := os.Stat(o.Dir)
	switch {
	case err != nil:
		return fmt.Errorf("look at the package's folder: %w", err)
	case !info.IsDir():
		return fmt.Errorf("%s isn't a folder: name that of the package", o.Dir)
	}
	return nil
}

// runInit is the command init.
func runInit(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o := newInitOptions()
	if err := o.parse(args); err != nil {
		return commandLineFault(err, "init", o.flags, stdout, stderr)
	}
	added, err := scaffold.New(ctx, o.Options)
	if interrupted(ctx, stderr) {
		return findings
	}
	if err == nil {
		err = added.Write()
	}
	if err != nil {
		fmt.Fprintf(stderr, "asyncapigen init: %v\n", err)
		return findings
	}
	for _, file := range added.Files {
		fmt.Fprintln(stdout, "wrote "+file.Path)
	}
	printNext(stdout, o.Dir, added)
	return done
}

// printNext says what to do after the files were written.
func printNext(stdout io.Writer, dir string, added *scaffold.Scaffold) {
	if added.Main != "" {
		fmt.Fprintf(stdout, "\nCall it in main, at %s: without that the program consumes nothing.\n\n"+
			"\tif err := consume(ctx); err != nil {\n\t\tlog.Fatal(err)\n\t}\n", added.Main)
	}
	pattern := ""
	if clean := filepath.ToSlash(filepath.Clean(dir)); filepath.IsAbs(dir) {
		pattern = " " + clean
	} else if clean != "." {
		pattern = " ./" + clean
	}
	fmt.Fprint(stdout, "\nNow run\n\n\tgo mod tidy\n")
	if added.Vendored {
		fmt.Fprint(stdout, "\tgo mod vendor\n")
	}
	fmt.Fprintf(stdout, "\tgo generate%s\n\tgo test%s\n\n", pattern, pattern)
	fmt.Fprint(stdout, "and commit it all: go generate has written the contract and its client. Then put your\n"+
		"own message in the place of Greeting, and run both again.\n")
}
