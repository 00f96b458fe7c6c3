package service

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

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/nearest"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// A Mode is what the generator does with what it finds.
type Mode int

const (
	Unnamed Mode = iota // the bare command: what its flags say, else Write
	Write
	Check
	List
	Explain
)

// Name returns the command of a mode, "" for the bare one.
func (m Mode) Name() string { return [...]string{"", "generate", "check", "list", "explain"}[m] }

// Commands returns the names of all commands of asyncapigen.
func Commands() []string {
	return []string{"generate", "check", "list", "explain", "diff", "html", "serve", "map", "topology", "dead", "init", "scan", "completion", "version", "help"}
}

// Options are the values of a command line.
type Options struct {
	Mode     Mode
	Patterns []string
	Dir      string         // where it runs: that of the directive
	Seen     string         // Dir as it is written in the working directory
	At       token.Position // the directive's line, not valid for none
	Tags     string
	Command  string // the program's own, "" for the one that serves

	Documents []Document    // at least one
	Form      asyncapi.Form // of those that have none of their own
	Client    string        // the folder of the client package, "" for none
	Types     Types         // how the client has the types of messages
	Module    string        // the path of the module that the client is on its own, "" for none
	Config    asyncapi.Config

	Direction  schema.Direction
	OpenEnums  bool
	AllowEmpty bool

	Changed Changes
	Format  Format
	Watch   bool
	Werror  bool
	Verbose bool
	Version bool
}

// NewOptions returns the defaults for a directory.
func NewOptions(dir string) *Options {
	return &Options{
		Mode: Write, Dir: dir, Seen: ".", Patterns: []string{"."},
		Documents: []Document{{File: "asyncapi.json"}}, Form: asyncapi.Exact, Client: clientName(dir),
	}
}

// FlagSet returns the flags of a command, whose defaults are the values that o
// has.
func (o *Options) FlagSet(m Mode) *flag.FlagSet {
	f := flag.NewFlagSet("asyncapigen", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	o.documentFlags(f)
	f.StringVar(&o.Client, "client", o.Client, "write the client package to the folder `DIR`; -client= writes none")
	o.configFlags(f)
	f.Var(&o.Types, "types", "how the client has the types of messages: `HOW` is import (those of the service where it can, the default) or copy (it imports nothing of the service)")
	f.StringVar(&o.Module, "client-module", o.Module, "make the client a module of its own, `PATH`, with copies of the types")
	f.Func("direction", "describe what encoding/json does to messages: `SIDE` is encode (writes, the default) or decode (reads)", o.setDirection)
	f.BoolVar(&o.OpenEnums, "open-enums", o.OpenEnums, "leave the constants of types out of their schemas")
	f.BoolVar(&o.AllowEmpty, "allow-empty", o.AllowEmpty, "take a program without routes, which is an error otherwise")
	f.StringVar(&o.Tags, "tags", o.Tags, "build `TAGS`, separated by commas")
	f.StringVar(&o.Command, "run", o.Command, "of a program with commands, describe what `COMMAND` registers")
	f.Var(&o.Changed, "changed", "do only what a change since `COMMIT` can have touched: -changed means HEAD, -changed=main where main was left")
	f.Func("format", "print for `FORMAT`: text (people, the default), json, github (annotations of GitHub Actions) or sarif", o.Format.Set)
	f.BoolFunc("json", "the same as -format json", func(text string) error { return o.Format.Set(map[string]string{"true": "json", "false": "text"}[text]) })
	f.BoolVar(&o.Watch, "watch", o.Watch, "do it again whenever a source file changes, until it is interrupted")
	f.BoolVar(&o.Werror, "werror", o.Werror, "treat warnings as errors")
	f.BoolVar(&o.Verbose, "v", o.Verbose, "say what was written")
	if m == Unnamed {
		o.modeFlags(f)
		f.BoolVar(&o.Version, "V", o.Version, "print the version and exit")
	}
	return f
}

// modeFlags are the flags that stand for commands, of which one can be given.
func (o *Options) modeFlags(f *flag.FlagSet) {
	given := Unnamed
	for name, m := range map[string]Mode{"check": Check, "list": List, "explain": Explain} {
		f.BoolFunc(name, "the same as the command "+name, func(text string) error {
			holds, err := strconv.ParseBool(text)
			if err != nil || !holds {
				return err
			}
			if given != Unnamed && given != m {
				return errors.New("use one of -check, -list and -explain")
			}
			given, o.Mode = m, m
			return nil
		})
	}
}

// Parse reads the command line of a command, which overrides what was read
// before.
func (o *Options) Parse(m Mode, args []string) error {
	flags := o.FlagSet(m)
	if m != Unnamed {
		o.Mode = m
	}
	if err := flags.Parse(args); err != nil {
		return WrongFlag(err, flags)
	}
	if flags.NArg() > 0 {
		o.Patterns = flags.Args()
	}
	return nil
}

// WrongFlag says which flag was meant where err is package flag's about one that
// isn't defined.
func WrongFlag(err error, flags *flag.FlagSet) error {
	name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !ok {
		return err
	}
	var names []string
	flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	near := nearest.Of(name, names)
	switch {
	case near != "":
		return fmt.Errorf("there is no flag -%s: did you mean -%s?", name, near)
	case slices.Contains(Commands(), name):
		return fmt.Errorf("there is no flag -%s here: it is a command of its own, asyncapigen %s", name, name)
	}
	return err
}

func (o *Options) setDirection(side string) error {
	switch side {
	case "encode":
		o.Direction = schema.Encode
	case "decode":
		o.Direction = schema.Decode
	default:
		return errors.New("it is encode or decode")
	}
	return nil
}

func (o *Options) validate() error {
	if o.Client == `""` { // go generate passes quotes inside a word on
		o.Client = ""
	}
	if o.Watch && os.Getenv("GOFILE") != "" {
		return errors.New("flag -watch: it doesn't end, so it has no place in a go:generate directive")
	}
	if err := o.checkDocuments(); err != nil {
		return err
	}
	if err := checkPath(o.Client); err != nil {
		return fmt.Errorf("flag -client: %w", err)
	}
	if err := o.checkConfig(); err != nil {
		return err
	}
	if err := CheckPatterns(o.Patterns); err != nil {
		return err
	}
	if err := o.checkModule(); err != nil || o.Client == "" {
		return err
	}
	if filepath.Clean(o.Absolute(o.Client)) == o.Dir {
		return errors.New("flag -client: the client is a package of its own and needs a folder of its own")
	}
	if name := filepath.Base(o.Client); PackageName(name) != name {
		return fmt.Errorf("flag -client: the folder's name %q can't be a package's: use a name such as %q", name, PackageName(name))
	}
	return nil
}

// checkPath refuses a path of Windows where a backslash is a letter like others:
// it would be a file with a strange name.
func checkPath(path string) error {
	if os.PathSeparator != '\\' && strings.Contains(path, `\`) {
		return fmt.Errorf("%s is a path of Windows, and this isn't Windows: write it with slashes", path)
	}
	return nil
}

// CheckPatterns refuses what is no package pattern but a slip of the command line.
func CheckPatterns(patterns []string) error {
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

// Absolute resolves a path of the command line.
func (o *Options) Absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(o.Dir, path)
}

// file returns the name of a file as it is written in the working directory.
func (o *Options) file(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(o.Seen, path)
}

// clientName names the client after the folder: ordersclient in orders.
func clientName(dir string) string { return PackageName(filepath.Base(dir)) + "client" }

// PackageName makes an identifier of a folder's name, as the names of packages
// are written: lower case, letters and digits.
func PackageName(folder string) string {
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

// Version returns the module's version, as the go command recorded it.
func Version() string {
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
