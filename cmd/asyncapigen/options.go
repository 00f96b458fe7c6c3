package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"unicode"

	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// options are the values of the command line.
type options struct {
	flags *flag.FlagSet

	patterns []string
	dir      string // the working directory
	tags     string
	command  string // the program's own, "" for the one that serves

	document string // the file of the AsyncAPI document
	client   string // the folder of the client package, "" for none
	config   asyncapi.Config

	direction schema.Direction
	openEnums bool

	check   bool
	list    bool
	explain bool
	werror  bool
	verbose bool
	version bool
}

const synopsis = `usage: asyncapigen [flags] [packages]
       asyncapigen topology diff|apply -mgmt URL [flags] [packages]

Asyncapigen finds the consumer routes that the packages (default ".") register
with github.com/warrenmq/warren/runtime, without running them, and writes their
AsyncAPI 2.6.0 document and a typed client package. Use it by go generate:

	//go:generate go tool asyncapigen

Flags:
`

const epilogue = `
A file is written only when its content changes, and only over a file that
asyncapigen wrote. The exit status is 0 when all is well, 1 when something is
wrong with the packages or, with -check, a file is stale, 2 when something is
wrong with the command line. Findings go to stderr, file:line:col first.
`

// parse reads the command line. Where -check is called by hand, it checks what
// each directive in the folder writes, with their flags and then its own.
func parse(ctx context.Context, args []string) ([]*options, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	o, err := parseAll(dir, args)
	if err != nil || !o.check || os.Getenv("GOFILE") != "" {
		return []*options{o}, err
	}
	calls, err := directiveCalls(ctx, dir, o.tags)
	if err != nil || len(calls) == 0 {
		return []*options{o}, err
	}
	all := make([]*options, len(calls))
	for i, call := range calls {
		if all[i], err = parseAll(dir, call.args, args); err != nil {
			return all, fmt.Errorf("%s: the go:generate directive: %w", call.at, err)
		}
	}
	return all, nil
}

// parseAll reads command lines, of which the later override the earlier.
func parseAll(dir string, commandLines ...[]string) (*options, error) {
	o := &options{dir: dir, flags: flag.NewFlagSet("asyncapigen", flag.ContinueOnError), patterns: []string{"."}}
	o.flags.SetOutput(io.Discard)
	o.define()
	for _, args := range commandLines {
		if err := o.flags.Parse(args); err != nil {
			return o, err
		}
		if o.flags.NArg() > 0 {
			o.patterns = o.flags.Args()
		}
	}
	return o, o.validate()
}

func (o *options) define() {
	f := o.flags
	f.StringVar(&o.document, "o", "asyncapi.json", "write the document to `FILE`")
	f.StringVar(&o.client, "client", clientName(o.dir), "write the client package to the folder `DIR`; -client= writes none")
	f.StringVar(&o.config.Title, "title", "", "`TITLE` of the service (default \"warren Service\")")
	f.StringVar(&o.config.Version, "api-version", "", "`VERSION` of the contract (default \"1.0.0\")")
	f.StringVar(&o.config.Description, "description", "", "`TEXT` that describes the service")
	f.StringVar(&o.config.ServerURL, "server-url", "", "`URL` of the broker, without credentials (default \"localhost:5672\")")
	f.StringVar(&o.config.ServerDescription, "server-description", "", "`TEXT` that describes the broker (default \"RabbitMQ\")")
	f.Func("direction", "describe what encoding/json does to messages: `SIDE` is encode (writes, the default) or decode (reads)", o.setDirection)
	f.BoolVar(&o.openEnums, "open-enums", false, "leave the constants of types out of their schemas")
	f.StringVar(&o.tags, "tags", "", "build `TAGS`, separated by commas")
	f.StringVar(&o.command, "run", "", "of a program with commands, describe what `COMMAND` registers")
	f.BoolVar(&o.check, "check", false, "write nothing; print a diff and exit 1 when a file is stale; takes the flags of the folder's go:generate directives")
	f.BoolVar(&o.list, "list", false, "write nothing; print the routes as a table")
	f.BoolVar(&o.explain, "explain", false, "write nothing; print where each value of each route comes from")
	f.BoolVar(&o.werror, "werror", false, "treat warnings as errors")
	f.BoolVar(&o.verbose, "v", false, "say what was written")
	f.BoolVar(&o.version, "V", false, "print the version and exit")
}

func (o *options) setDirection(side string) error {
	switch side {
	case "encode":
		o.direction = schema.Encode
	case "decode":
		o.direction = schema.Decode
	default:
		return errors.New("it is encode or decode")
	}
	return nil
}

func (o *options) validate() error {
	if o.client == `""` { // go generate passes quotes inside a word on
		o.client = ""
	}
	if o.document == "" {
		return errors.New("flag -o: the name of the document's file is empty")
	}
	if os.IsPathSeparator(o.document[len(o.document)-1]) {
		return fmt.Errorf("flag -o: %s names a folder: name the document's file, such as %sasyncapi.json", o.document, o.document)
	}
	if err := checkPatterns(o.patterns); err != nil {
		return err
	}
	if o.check && o.list || o.check && o.explain || o.list && o.explain {
		return errors.New("flags -check, -list and -explain: use one of them")
	}
	if o.client == "" {
		return nil
	}
	if filepath.Clean(o.absolute(o.client)) == o.dir {
		return errors.New("flag -client: the client is a package of its own and needs a folder of its own")
	}
	if name := filepath.Base(o.client); packageName(name) != name {
		return fmt.Errorf("flag -client: the folder's name %q can't be a package's: use a name such as %q", name, packageName(name))
	}
	return nil
}

// checkPatterns refuses what is no package pattern but a slip of the command line.
func checkPatterns(patterns []string) error {
	for _, pattern := range patterns {
		switch {
		case strings.HasPrefix(pattern, "-"):
			return fmt.Errorf("flag %s: it comes after the packages: write flags before them", pattern)
		case strings.ContainsAny(pattern, `"'`):
			return fmt.Errorf("the package %s has a quote in its name: "+
				"go generate takes only double quotes, and only around whole words: write \"-title=The Shop\" rather than -title=\"The Shop\"", pattern)
		}
	}
	return nil
}

// absolute resolves a path of the command line.
func (o *options) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(o.dir, path)
}

// clientName names the client after the folder: ordersclient in orders.
func clientName(dir string) string { return packageName(filepath.Base(dir)) + "client" }

// packageName makes an identifier of a folder's name, as the names of packages
// are written: lower case, letters and digits.
func packageName(folder string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, folder)
	name = strings.TrimLeftFunc(name, unicode.IsDigit)
	if name == "" {
		return "service"
	}
	return name
}

func printHelp(w io.Writer, o *options) {
	fmt.Fprint(w, synopsis)
	o.flags.SetOutput(w)
	o.flags.PrintDefaults()
	fmt.Fprint(w, epilogue)
}

// version returns the module's version, as the go command recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "asyncapigen (unknown version)"
	}
	module := info.Main
	for _, dep := range info.Deps {
		if dep.Path == "github.com/warrenmq/warren" {
			module = *dep
		}
	}
	return fmt.Sprintf("asyncapigen %s %s", module.Version, info.GoVersion)
}
