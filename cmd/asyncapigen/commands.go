package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/nearest"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
)

// A subcommand is a command of asyncapigen.
type subcommand struct {
	name      string
	synopsis  string // what follows the name
	summary   string // what it does
	about     string // what help says beyond that
	arguments []string
	flags     func() *flag.FlagSet // those that -h and completions list; nil for none
	run       func(ctx context.Context, args []string, stdout, stderr io.Writer) int
}

// commands returns the table of commands. Adding one is a line here, and its
// section in docs/reference/command.md.
func commands() []subcommand {
	generator := func(m service.Mode) subcommand {
		return subcommand{
			flags: func() *flag.FlagSet { return flagsHere(m) },
			run: func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
				return runGenerator(ctx, m, args, stdout, stderr)
			},
		}
	}
	all := []subcommand{
		{name: "generate", synopsis: "[flags] [packages]", summary: "write the document and the client; the default"},
		{name: "check", synopsis: "[flags] [packages]", summary: "write nothing; exit 1 and print a diff if a file is stale or missing"},
		{name: "list", synopsis: "[flags] [packages]", summary: "print the routes as a table"},
		{name: "explain", synopsis: "[flags] [packages]", summary: "print where each value of each route comes from"},
		{
			name: "diff", synopsis: "[flags] OLD NEW", summary: "compare two contracts: what breaks, for whom, and which version comes next", about: aboutDiff,
			flags: func() *flag.FlagSet { return newDiffOptions("").flags }, run: runDiff,
		},
		{
			name: "html", synopsis: "[flags] [DOC | packages]", summary: "write one page for people, of a document or of the code", about: aboutHTML,
			flags: func() *flag.FlagSet { return newHTMLOptions("").flags }, run: runHTML,
		},
		{
			name: "serve", synopsis: "[flags] [DOC | packages]", summary: "show that page in a browser, and again when something changes", about: aboutServe,
			flags: func() *flag.FlagSet { return newServeOptions("").flags }, run: runServe,
		},
		{
			name: "map", synopsis: "[flags] DOC...", summary: "join the documents of many services: who sends what to whom", about: aboutMap,
			flags: func() *flag.FlagSet { return newMapOptions().flags }, run: runMap,
		},
		{
			name: "topology", synopsis: "diff|apply -mgmt URL [flags] [packages]", summary: "compare the routes with a broker, or declare them on it", about: aboutTopology,
			arguments: []string{"diff", "apply"}, flags: func() *flag.FlagSet { return newTopologyOptions("").flags }, run: runTopology,
		},
		{
			name: "dead", synopsis: "list|show|replay|drop -amqp URL -queue NAME [flags]", summary: "list, show, replay or drop messages that failed for good", about: aboutDead,
			arguments: deadActions, flags: func() *flag.FlagSet { return newDeadOptions().flags }, run: runDead,
		},
		{
			name: "init", synopsis: "[flags] [folder]", summary: "add a first route, its directive and its test to a package", about: aboutInit,
			flags: func() *flag.FlagSet { return newInitOptions().flags }, run: runInit,
		},
		{
			name: "scan", synopsis: "[flags] [packages]", summary: "find what is consumed by other clients of RabbitMQ, and the routes to write", about: aboutScan,
			flags: func() *flag.FlagSet { return newScanOptions("").flags }, run: runScan,
		},
		{name: "completion", synopsis: "bash|zsh|fish", summary: "print a script that completes command lines", arguments: shells(), run: runCompletion},
		{name: "version", summary: "print the version", run: runVersion},
		{name: "help", synopsis: "[topic]", summary: "explain a command or another topic", run: runHelp},
	}
	for i, m := range []service.Mode{service.Write, service.Check, service.List, service.Explain} {
		of := generator(m)
		all[i].flags, all[i].run = of.flags, of.run
	}
	all[len(all)-1].arguments = topics(all)
	return all
}

// run is main with its environment as arguments. All errors have been printed when
// it returns.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return runGenerator(ctx, service.Unnamed, args, stdout, stderr)
	}
	c, err := find(args[0])
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "asyncapigen: %v\n", err)
		return usage
	case c == nil:
		return runGenerator(ctx, service.Unnamed, args, stdout, stderr)
	}
	if c.flags == nil && len(args) == 2 && slices.Contains([]string{"-h", "-help", "--help"}, args[1]) {
		printCommandHelp(stdout, c.name, nil)
		return done
	}
	return c.run(ctx, args[1:], stdout, stderr)
}

// find returns the command of a name, nil where the word is a package. What is
// nearly a command is an error: packages of the user's own are written with a dot
// or a slash.
func find(word string) (*subcommand, error) {
	all := commands()
	names := make([]string, len(all))
	for i, c := range all {
		if c.name == word {
			return &all[i], nil
		}
		names[i] = c.name
	}
	if strings.ContainsAny(word, `./\`) {
		return nil, nil
	}
	if near := nearest.Of(word, names); near != "" {
		return nil, fmt.Errorf("there is no command %s: did you mean asyncapigen %s? (a package of that name is ./%s, or generate %s)", word, near, word, word)
	}
	return nil, nil
}

// commandLineFault prints what is wrong with the command line of a command, or
// the help that was asked for.
func commandLineFault(err error, name string, flags *flag.FlagSet, stdout, stderr io.Writer) int {
	if errors.Is(err, flag.ErrHelp) {
		printCommandHelp(stdout, name, flags)
		return done
	}
	title := strings.TrimSpace("asyncapigen " + name)
	fmt.Fprintf(stderr, "%s: %v (%s -h lists the flags)\n", title, service.WrongFlag(err, flags), title)
	return usage
}

func runVersion(_ context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		fmt.Fprintf(stderr, "asyncapigen version: it takes no argument, and got %s\n", args[0])
		return usage
	}
	fmt.Fprintln(stdout, service.Version())
	return done
}
