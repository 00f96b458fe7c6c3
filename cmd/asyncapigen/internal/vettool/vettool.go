// Package vettool is asyncapigen as a tool of go vet, which calls it for each
// package with a file that describes the package:
//
//	go vet -vettool=$(go tool -n asyncapigen) ./...
//	go vet -vettool=$(go tool -n asyncapigen) -fix ./...
//
// The go command keeps what a tool found by the package and what it imports
// directly. The routes depend on more than that, so that packages with a directive
// are kept from its cache, by leaving out the file of facts that it asks for. That
// is why this isn't package unitchecker of golang.org/x/tools, which needs these
// files to read types.
package vettool

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/warrenmq/warren/cmd/asyncapigen/analyzer"
)

// IsCalled reports whether a command line is one of go vet.
func IsCalled(args []string) bool {
	if len(args) == 0 {
		return false
	}
	return args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg")
}

// A unit is the package to look at. Its JSON is the go command's.
type unit struct {
	ID         string
	GoFiles    []string
	VetxOnly   bool   // it is imported by what is looked at
	VetxOutput string // where the go command expects facts
	Stdout     string // where it expects findings
	FixArchive string // where it expects files with their fixes
}

// Run does what go vet asks for, and returns the exit status. Findings are no
// fault: the go command prints them.
func Run(args []string, stdout, stderr io.Writer) int {
	err := run(args, stdout)
	if err != nil {
		fmt.Fprintf(stderr, "asyncapigen: %v\n", err)
		return 1
	}
	return 0
}

func run(args []string, stdout io.Writer) error {
	switch args[0] {
	case "-V=full":
		return printVersion(stdout)
	case "-flags":
		return printFlags(stdout)
	}
	flags := flag.NewFlagSet("go vet", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Bool("json", true, "")
	fix, diff := flags.Bool("fix", false, ""), flags.Bool("diff", false, "")
	analyzer.Analyzer.Flags.VisitAll(func(f *flag.Flag) { flags.Var(f.Value, f.Name, f.Usage) })
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *diff {
		return fmt.Errorf("go vet -diff: asyncapigen writes its fixes, by -fix, and shows none")
	}
	u, err := readUnit(flags.Arg(0))
	if err != nil {
		return err
	}
	files, err := u.read()
	if err != nil {
		return err
	}
	if u.VetxOnly || !files.mayHaveDirective {
		return writeFacts(u)
	}
	found, err := files.analyse()
	if err != nil {
		return err
	}
	if *fix {
		return writeFixes(u.FixArchive, files.fset, found)
	}
	return writeFindings(u, files.fset, found)
}

// printVersion prints by what the go command knows whether a tool has changed.
func printVersion(w io.Writer) error {
	name, err := os.Executable()
	if err != nil {
		return err
	}
	program, err := os.Open(name)
	if err != nil {
		return err
	}
	defer program.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, program); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s version devel buildID=%x\n", name, hash.Sum(nil))
	return err
}

// printFlags prints the flags that go vet passes on.
func printFlags(w io.Writer) error {
	type described struct {
		Name  string
		Bool  bool
		Usage string
	}
	var all []described
	analyzer.Analyzer.Flags.VisitAll(func(f *flag.Flag) {
		boolean, ok := f.Value.(interface{ IsBoolFlag() bool })
		all = append(all, described{f.Name, ok && boolean.IsBoolFlag(), f.Usage})
	})
	return json.NewEncoder(w).Encode(all)
}

func readUnit(name string) (*unit, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read what go vet asks for: %w", err)
	}
	u := new(unit)
	if err := json.Unmarshal(text, u); err != nil {
		return nil, fmt.Errorf("read what go vet asks for: %s: %w", name, err)
	}
	return u, nil
}

// writeFacts says that there are none, which lets the go command keep the result.
func writeFacts(u *unit) error {
	if u.VetxOutput == "" {
		return nil
	}
	return os.WriteFile(u.VetxOutput, nil, 0o666)
}

// files are those of a package.
type files struct {
	fset             *token.FileSet
	sources          map[string][]byte
	names            []string
	mayHaveDirective bool
}

func (u *unit) read() (*files, error) {
	f := &files{fset: token.NewFileSet(), sources: make(map[string][]byte), names: u.GoFiles}
	if u.VetxOnly {
		return f, nil
	}
	for _, name := range u.GoFiles {
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f.sources[name] = source
		f.mayHaveDirective = f.mayHaveDirective || strings.Contains(string(source), "go:generate")
	}
	return f, nil
}

// analyse runs the analyzer.
func (f *files) analyse() ([]analysis.Diagnostic, error) {
	var parsed []*ast.File
	for _, name := range f.names {
		file, err := parser.ParseFile(f.fset, name, f.sources[name], parser.ParseComments)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	var found []analysis.Diagnostic
	_, err := analyzer.Analyzer.Run(&analysis.Pass{
		Analyzer: analyzer.Analyzer,
		Fset:     f.fset,
		Files:    parsed,
		ReadFile: os.ReadFile,
		Report:   func(d analysis.Diagnostic) { found = append(found, d) },
	})
	return found, err
}
