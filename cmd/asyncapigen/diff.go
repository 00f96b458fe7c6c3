package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

const aboutDiff = `
Diff compares two contracts: OLD and NEW are files (JSON, or YAML by their
extension .yaml or .yml), documents of a git commit such as HEAD~1:asyncapi.json
or main:./asyncapi.json, or a folder with Go code, . for the one here, which
means the document that generate would write for it, of the other one's form.
Each change is breaking, compatible or documentation, for those who publish and
those who consume while they keep to OLD; a breaking change of a message has a
message that shows it.
What can't be told is undecided and counts as breaking. A document that can't be
read ends with status 1, whatever -fail-on says.
asyncapigen help changes lists the kinds of changes.
`

// diffOptions are the values of the command's line.
type diffOptions struct {
	flags    *flag.FlagSet
	dir      string
	format   string
	failOn   difference.Severity // "" for none
	receives difference.Direction
	policy   string // a file
	old, new string
}

func newDiffOptions(dir string) *diffOptions {
	o := &diffOptions{flags: flag.NewFlagSet("asyncapigen diff", flag.ContinueOnError), dir: dir, format: "text"}
	f := o.flags
	f.SetOutput(io.Discard)
	f.Func("format", "print for `FORMAT`: text (people, the default), json, markdown (pull requests) or github (annotations of GitHub Actions)", o.setFormat)
	f.BoolFunc("json", "the same as -format json", func(string) error { return o.setFormat("json") })
	f.Func("fail-on", "end with status 1 if there is a change of `SEVERITY` or above: breaking, compatible or documentation", func(text string) (err error) {
		o.failOn, err = difference.ParseSeverity(text)
		if o.failOn == difference.Breaking {
			o.failOn = difference.Undecided // what can't be told isn't known to be compatible
		}
		return err
	})
	f.StringVar(&o.policy, "severity", "", "take the severities in `FILE`, a JSON or YAML object of ids and severities")
	f.Func("receives", "of AsyncAPI 2 documents that asyncapigen didn't write: the service receives in `OPERATION`: subscribe or publish", func(text string) error {
		o.receives = difference.Direction(text)
		if o.receives != difference.Subscribe && o.receives != difference.Publish {
			return errors.New("it is subscribe or publish")
		}
		return nil
	})
	return o
}

func (o *diffOptions) setFormat(name string) error {
	switch name {
	case "text", "json", "markdown", "github":
		o.format = name
		return nil
	}
	return errors.New("it is text, json, markdown or github")
}

// runDiff is the command diff.
func runDiff(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	dir, err := os.Getwd()
	o := newDiffOptions(dir)
	if err == nil {
		err = o.parse(args)
	}
	var policy difference.Policy
	if err == nil && o.policy != "" {
		policy, err = o.readPolicy()
	}
	if err != nil {
		return commandLineFault(err, "diff", o.flags, stdout, stderr)
	}
	report, err := o.compare(ctx, policy, stderr)
	if interrupted(ctx, stderr) {
		return findings
	}
	if err != nil {
		var missing *missingDocument
		if errors.As(err, &missing) {
			fmt.Fprintf(stderr, "asyncapigen diff: %v\n", err)
			return usage
		}
		o.print(difference.Failed(err), stdout)
		return findings
	}
	o.print(report, stdout)
	if o.failOn != "" && report.Has(o.failOn) {
		return findings
	}
	return done
}

func (o *diffOptions) parse(args []string) error {
	if err := o.flags.Parse(args); err != nil {
		return err
	}
	switch rest := o.flags.Args(); {
	case len(rest) != 2:
		return fmt.Errorf("it compares two documents, and got %d: name the old one and the new one, such as HEAD:asyncapi.json and . for the code", len(rest))
	case strings.HasPrefix(rest[0], "-") || strings.HasPrefix(rest[1], "-"):
		return errors.New("flags come before the documents")
	default:
		o.old, o.new = rest[0], rest[1]
	}
	return nil
}

func (o *diffOptions) readPolicy() (difference.Policy, error) {
	text, err := os.ReadFile(o.policy)
	if err != nil {
		return nil, fmt.Errorf("flag -severity: %w", err)
	}
	policy, err := difference.ReadPolicy(o.policy, text)
	if err != nil {
		return nil, fmt.Errorf("flag -severity: %w", err)
	}
	return policy, nil
}

func (o *diffOptions) compare(ctx context.Context, policy difference.Policy, stderr io.Writer) (*difference.Report, error) {
	var documents [2]*difference.Document
	for _, isCode := range []bool{false, true} { // code last: what it is compared with says the form
		for i, name := range []string{o.old, o.new} {
			if o.isFolder(name) != isCode {
				continue
			}
			file, text, err := o.document(ctx, name, documents[1-i], stderr)
			if err != nil {
				return nil, err
			}
			if documents[i], err = difference.Read(file, text, o.receives); err != nil {
				return nil, err
			}
		}
	}
	return difference.Compare(documents[0], documents[1], policy), nil
}

// A missingDocument is one that the command line names and that isn't there.
type missingDocument struct{ cause error }

func (e *missingDocument) Error() string { return e.cause.Error() }
func (e *missingDocument) Unwrap() error { return e.cause }

// isFolder reports whether a name is that of a folder with code.
func (o *diffOptions) isFolder(name string) bool {
	if !filepath.IsAbs(name) {
		name = filepath.Join(o.dir, name)
	}
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// document returns the text of a document, and the name of its file.
func (o *diffOptions) document(ctx context.Context, name string, other *difference.Document, stderr io.Writer) (file string, text []byte, err error) {
	if o.isFolder(name) {
		return o.fromCode(ctx, name, other, stderr)
	}
	if _, err = os.Stat(name); err == nil {
		text, err = os.ReadFile(name)
		return name, text, err
	}
	_, file, isRevision := strings.Cut(name, ":")
	if !isRevision {
		return "", nil, &missingDocument{fmt.Errorf("read %s: %w", name, err)}
	}
	content, err := service.FileAt(ctx, o.dir, name)
	if err != nil {
		hint := ""
		if !strings.HasPrefix(file, "./") {
			hint = fmt.Sprintf(" (a path from this folder is written %s./%s)", strings.TrimSuffix(name, file), file)
		}
		return "", nil, &missingDocument{fmt.Errorf("read the document of a commit: %w%s", err, hint)}
	}
	return name, content, nil
}

// fromCode makes the document of the code in a folder, as generate would: the one whose
// file is called as the other document, or else one of that one's form.
func (o *diffOptions) fromCode(ctx context.Context, name string, other *difference.Document, stderr io.Writer) (string, []byte, error) {
	if name != "." && !strings.HasPrefix(name, "."+string(filepath.Separator)) && !filepath.IsAbs(name) {
		name = "." + string(filepath.Separator) + name
	}
	made, warnings, err := described(ctx, o.dir, []string{name}, func(of *service.Options) {
		of.Documents = []service.Document{alike(of.Documents, other)}
		of.AllowEmpty = of.AllowEmpty || other != nil && !receives(other)
	}, stderr)
	if err != nil {
		return "", nil, &missingDocument{fmt.Errorf("the folder %s: %w", name, err)}
	}
	printDiagnostics(stderr, warnings)
	printDiagnostics(stderr, made.Found)
	if made.Fault != nil || made.Failed() || len(made.Documents) == 0 {
		return "", nil, fmt.Errorf("make the document of the code in %s: %w", name, orFindings(made.Fault))
	}
	return made.Documents[0].Path, made.Documents[0].Content, nil
}

// receives reports whether a document has a route.
func receives(d *difference.Document) bool {
	return slices.ContainsFunc(d.Operations(), func(o difference.Operation) bool { return !o.Sends })
}

// alike returns the document that is compared with another one: a service may have
// several of different forms.
func alike(documents []service.Document, other *difference.Document) service.Document {
	if other == nil {
		return documents[0]
	}
	of := other.Name[strings.LastIndexByte(other.Name, ':')+1:] // without a revision
	for _, d := range documents {
		if filepath.Base(d.File) == filepath.Base(of) {
			return d
		}
	}
	named := service.Document{File: filepath.Base(of)} // positions are not those of a file of another form
	switch version := other.Root().Get("asyncapi").Str(); {
	case strings.HasPrefix(version, "3."):
		named.Form = service.AsyncAPI3
	case other.HidesKeys():
		named.Form = asyncapi.Exact
	case other.HidesSends():
		named.Form = asyncapi.Extended
	default:
		return documents[0]
	}
	return named
}

func orFindings(err error) error {
	if err != nil {
		return err
	}
	return errors.New("the code has findings, which are on stderr")
}

func (o *diffOptions) print(r *difference.Report, stdout io.Writer) {
	switch o.format {
	case "json":
		r.JSON(stdout)
	case "markdown":
		r.Markdown(stdout)
	case "github":
		r.GitHub(stdout, func(name string) string {
			if _, err := os.Stat(name); err != nil {
				return ""
			}
			return inRepository(name)
		})
	default:
		r.Text(stdout)
	}
}

// changesTopic is the topic of help that lists the kinds of changes.
func changesTopic() string {
	return "The kinds of changes that asyncapigen diff tells apart, for -severity:\n\n\t" + strings.Join(difference.Kinds(), "\n\t") + "\n"
}
