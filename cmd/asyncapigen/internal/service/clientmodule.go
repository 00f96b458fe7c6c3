package service

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/output"
)

// Types says how a client has the types of messages.
type Types int

const (
	AsPossible Types = iota // not said: as Import, and as Copy in a module of its own
	Import                  // by importing them where it can
	Copy                    // by copies of those of the service
)

// String gives the name that Set reads.
func (t Types) String() string { return [...]string{"", "import", "copy"}[t] }

// Set reads the name.
func (t *Types) Set(name string) error {
	switch name {
	case "import":
		*t = Import
	case "copy":
		*t = Copy
	default:
		return errors.New("it is import or copy")
	}
	return nil
}

// modulePath is what can be the path of a module whose package others import.
var modulePath = regexp.MustCompile(`^[\w.~-]+(/[\w.~-]+)*$`)

// checkModule checks the flag -client-module beside the others.
func (o *Options) checkModule() error {
	switch {
	case o.Module == "":
		return nil
	case o.Client == "":
		return errors.New("flag -client-module: there is no client: remove -client=, or this flag")
	case o.Types == Import:
		return errors.New("flag -client-module: a client with -types=import needs the service's module: use -types=copy")
	case !modulePath.MatchString(o.Module) || strings.HasPrefix(o.Module, ".") || strings.HasPrefix(o.Module, "-"):
		return fmt.Errorf("flag -client-module: %q can't be the path of a module: use one such as example.com/orders/ordersclient", o.Module)
	}
	return nil
}

// copies reports whether the client has copies of the service's types.
func (o *Options) copies() bool { return o.Types == Copy || o.Module != "" }

// moduleFile makes the go.mod of a client that is a module of its own. What its imports
// need in turn is for go mod tidy.
func moduleFile(o *Options, program *load.Program, source []byte) (output.File, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ImportsOnly)
	if err != nil {
		return output.File{}, fmt.Errorf("read the imports of the client: %w", err)
	}
	versions := make(map[string]string)
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return output.File{}, fmt.Errorf("read the imports of the client: %w", err)
		}
		if module, version := program.Module(imported); module != "" {
			versions[module] = version
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "module %s\n\ngo %s\n\nrequire (\n", o.Module, program.GoVersion(load.RuntimePath))
	for _, module := range slices.Sorted(maps.Keys(versions)) {
		fmt.Fprintf(&text, "\t%s %s\n", module, versions[module])
	}
	text.WriteString(")\n")
	return output.File{Path: filepath.Join(o.file(o.Client), "go.mod"), Content: []byte(text.String()), Kind: output.Module}, nil
}
