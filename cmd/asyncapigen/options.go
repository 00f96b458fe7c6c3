package main

import (
	"errors"
	"flag"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// A mode is what the generator does with what it finds.
type mode int

const (
	unnamed mode = iota // the bare command: what its flags say, else write
	write
	check
	list
	explain
)

// name returns the command of a mode, "" for the bare one.
func (m mode) name() string { return [...]string{"", "generate", "check", "list", "explain"}[m] }

// options are the values of the command line.
type options struct {
	mode     mode
	patterns []string
	dir      string         // where it runs: that of the directive
	seen     string         // dir as it is written in the working directory
	at       token.Position // the directive's line, not valid for none
	tags     string
	command  string // the program's own, "" for the one that serves

	document string // the file of the AsyncAPI document
	client   string // the folder of the client package, "" for none
	config   asyncapi.Config

	direction  schema.Direction
	openEnums  bool
	allowEmpty bool

	changed changes
	format  format
	watch   bool
	werror  bool
	verbose bool
	version bool
}

// newOptions returns the defaults for a directory.
func newOptions(dir string) *options {
	return &options{mode: write, dir: dir, seen: ".", patterns: []string{"."}, document: "asyncapi.json", client: clientName(dir)}
}

// flagSet returns the flags of a command, whose defaults are the values that o
// has.
func (o *options) flagSet(m mode) *flag.FlagSet {
	f := flag.NewFlagSet("asyncapigen", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.document, "o", o.document, "write the document to `FILE`")
	f.StringVar(&o.client, "client", o.client, "write the client package to the folder `DIR`; -client= writes none")
	f.StringVar(&o.config.Title, "title", o.config.Title, "`TITLE` of the service (default \"warren Service\")")
	f.StringVar(&o.config.Version, "api-version", o.config.Version, "`VERSION` of the contract (default \"1.0.0\")")
	f.StringVar(&o.config.Description, "description", o.config.Description, "`TEXT` that describes the service")
	f.StringVar(&o.config.ServerURL, "server-url", o.config.ServerURL, "`URL` of the broker, without credentials (default \"localhost:5672\")")
	f.StringVar(&o.config.ServerDescription, "server-description", o.config.ServerDescription, "`TEXT` that describes the broker (default \"RabbitMQ\")")
	f.Func("direction", "describe what encoding/json does to messages: `SIDE` is encode (writes, the default) or decode (reads)", o.setDirection)
	f.BoolVar(&o.openEnums, "open-enums", o.openEnums, "leave the constants of types out of their schemas")
	f.BoolVar(&o.allowEmpty, "allow-empty", o.allowEmpty, "take a program without routes, which is an error otherwise")
	f.StringVar(&o.tags, "tags", o.tags, "build `TAGS`, separated by commas")
	f.StringVar(&o.command, "run", o.command, "of a program with commands, describe what `COMMAND` registers")
	f.Var(&o.changed, "changed", "do only what a change since `COMMIT` can have touched: -changed means HEAD, -changed=main where main was left")
	f.Func("format", "print for `FORMAT`: text (people, the default), json, github (annotations of GitHub Actions) or sarif", o.format.set)
	f.BoolFunc("json", "the same as -format json", func(text string) error { return o.format.set(map[string]string{"true": "json", "false": "text"}[text]) })
	f.BoolVar(&o.watch, "watch", o.watch, "do it again whenever a source file changes, until it is interrupted")
	f.BoolVar(&o.werror, "werror", o.werror, "treat warnings as errors")
	f.BoolVar(&o.verbose, "v", o.verbose, "say what was written")
	if m == unnamed {
		o.modeFlags(f)
		f.BoolVar(&o.version, "V", o.version, "print the version and exit")
	}
	return f
}

// modeFlags are the flags that stand for commands, of which one can be given.
func (o *options) modeFlags(f *flag.FlagSet) {
	given := unnamed
	for name, m := range map[string]mode{"check": check, "list": list, "explain": explain} {
		f.BoolFunc(name, "the same as the command "+name, func(text string) error {
			holds, err := strconv.ParseBool(text)
			if err != nil || !holds {
				return err
			}
			if given != unnamed && given != m {
				return errors.New("use one of -check, -list and -explain")
			}
			given, o.mode = m, m
			return nil
		})
	}
}

// parse reads the command line of a command, which overrides what was read
// before.
func (o *options) parse(m mode, args []string) error {
	flags := o.flagSet(m)
	if m != unnamed {
		o.mode = m
	}
	if err := flags.Parse(args); err != nil {
		return wrongFlag(err, flags)
	}
	if flags.NArg() > 0 {
		o.patterns = flags.Args()
	}
	return nil
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
	if o.watch && os.Getenv("GOFILE") != "" {
		return errors.New("flag -watch: it doesn't end, so it has no place in a go:generate directive")
	}
	if o.document == "" {
		return errors.New("flag -o: the name of the document's file is empty")
	}
	if err := checkPath("-o", o.document); err != nil {
		return err
	}
	if err := checkPath("-client", o.client); err != nil {
		return err
	}
	if os.IsPathSeparator(o.document[len(o.document)-1]) {
		return fmt.Errorf("flag -o: %s names a folder: name the document's file, such as %sasyncapi.json", o.document, o.document)
	}
	if extension := filepath.Ext(o.document); extension != "" && !slices.Contains(documentExtensions, strings.ToLower(extension)) {
		return fmt.Errorf("flag -o: the extension %s of %s is none of a document's: use %s", extension, o.document, strings.Join(documentExtensions, " or "))
	}
	if err := checkPatterns(o.patterns); err != nil {
		return err
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

// documentExtensions are those that say how a document is written.
var documentExtensions = []string{".json"}

// checkPath refuses a path of Windows where a backslash is a letter like others:
// it would be a file with a strange name.
func checkPath(flag, path string) error {
	if os.PathSeparator != '\\' && strings.Contains(path, `\`) {
		return fmt.Errorf("flag %s: %s is a path of Windows, and this isn't Windows: write it with slashes", flag, path)
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

// file returns the name of a file as it is written in the working directory.
func (o *options) file(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(o.seen, path)
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
