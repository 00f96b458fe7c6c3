package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/nearest"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
	"github.com/warrenmq/warren/docs"
	"github.com/warrenmq/warren/internal/diagnostic"
)

const overview = `usage: asyncapigen [command] [flags] [packages]

Asyncapigen finds the consumer routes that the packages (default ".") register
with github.com/warrenmq/warren/runtime, without running them, and writes their
AsyncAPI 2.6.0 document and a typed client package. Use it by go generate:

	//go:generate go tool asyncapigen

Where such directives are, it takes their flags when it is called by hand: those
of the folder, or with ./... those of all folders below.

Commands:
`

const epilogue = `
A file is written only when its content changes, and only over a file that
asyncapigen wrote. The exit status is 0 when all is well, 1 when something is
wrong with the packages or a checked file is stale, 2 when something is wrong
with the command line. Findings go to stderr, file:line:col first.
asyncapigen help TOPIC explains a command or a code, such as unknown-value.
`

// topicTexts are the topics of help beside the commands.
var topicTexts = map[string]string{
	"directives": `Comments without a space after the slashes:

	//go:generate go tool asyncapigen [flags]
		in any file of the package that registers routes, or of main. A flag with
		a space in its value is one word in double quotes: "-title=The Shop"
	//asyncapigen:value VALUE
		at the end of a line, or alone above it: gives a value that the code
		doesn't determine
	//asyncapigen:accept CODE TYPE
		in a file of the package that asyncapigen is given: takes the warnings of
		a code about a type, or a route, perhaps with *, such as stripe.*
	//asyncapigen:schema SCHEMA
		in the comment of a type: the schema of a type that writes its own JSON
	//asyncapigen:example VALUE
		in the comment of a type or a field: an example in its schema
`,
	"changes": changesTopic(),
	"status": `0  the files are written, or up to date
1  something is wrong with the packages or the routes, or with the files: one
   is stale or missing, can't be written, or isn't asyncapigen's
2  the command line is wrong, or there is nothing to analyse
Warnings don't change the status, unless -werror is given.
`,
	"platform": `The packages are read as the go command builds them: GOOS, GOARCH, GOFLAGS and
build tags choose their files. For another platform run the tool itself with the
variables. go generate with GOOS or GOARCH ends in "exec format error" or the
like, because go tool builds asyncapigen for that platform as well:

	go build -o bin/asyncapigen github.com/warrenmq/warren/cmd/asyncapigen
	GOOS=windows bin/asyncapigen

GOARCH has to be a processor of 64 bits: on others the numbers of a program may be
other ones.
`,
}

// topics returns the words that help takes, those of its codes aside.
func topics(all []subcommand) []string {
	var names []string
	for _, c := range all {
		names = append(names, c.name)
	}
	for name := range topicTexts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func runHelp(_ context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		printCommandHelp(stdout, "", flagsHere(service.Unnamed))
		return done
	}
	topic := args[0]
	all := commands()
	if i := slices.IndexFunc(all, func(c subcommand) bool { return c.name == topic }); i >= 0 {
		var flags *flag.FlagSet
		if all[i].flags != nil {
			flags = all[i].flags()
		}
		printCommandHelp(stdout, topic, flags)
		return done
	}
	if text, ok := topicTexts[topic]; ok {
		fmt.Fprint(stdout, text)
		return done
	}
	if code := diagnostic.Code(topic); slices.Contains(diagnostic.Codes(), code) {
		fmt.Fprintf(stdout, "%s\n\n%s\n\n%s\n", code, codeSection(docs.Diagnostics, code), codeURL(code))
		return done
	}
	names := topics(all)
	known := slices.Clone(names)
	for _, code := range diagnostic.Codes() {
		known = append(known, string(code))
	}
	meant := ""
	if near := nearest.Of(topic, known); near != "" {
		meant = fmt.Sprintf("did you mean %s? ", near)
	}
	fmt.Fprintf(stderr, "asyncapigen help: there is no topic %s: %sthe topics are %s, and the codes of findings\n", topic, meant, strings.Join(names, ", "))
	return usage
}

// pageLink is a link of a page to another place, of which the text alone is printed.
var pageLink = regexp.MustCompile(`\[([^\]]+)\]\([^)\s]+\)`)

// codeSection returns what the page of diagnostics says of a code, as a terminal shows it:
// code is indented, rather than fenced.
func codeSection(page string, code diagnostic.Code) string {
	_, section, _ := strings.Cut(page, "\n### "+string(code)+"\n")
	var text strings.Builder
	fenced := false
	for line := range strings.Lines(section) {
		switch {
		case strings.HasPrefix(line, "```"):
			if fenced = !fenced; fenced && !strings.HasSuffix(text.String(), "\n\n") {
				text.WriteByte('\n')
			}
		case fenced && line != "\n":
			text.WriteString("\t" + line)
		case !fenced && strings.HasPrefix(line, "#"): // the next section
			return strings.TrimSpace(text.String())
		default:
			text.WriteString(pageLink.ReplaceAllString(line, "$1"))
		}
	}
	return strings.TrimSpace(text.String())
}

// codeURL returns where a code is explained.
func codeURL(code diagnostic.Code) string {
	return "https://github.com/warrenmq/warren/blob/main/docs/diagnostics.md#" + string(code)
}

// flagsHere are the flags of a command of the generator in the working directory.
func flagsHere(m service.Mode) *flag.FlagSet {
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // the defaults then don't name it
	}
	return service.NewOptions(dir).FlagSet(m)
}

// printCommandHelp prints what -h prints; the empty name is that of the bare
// command.
func printCommandHelp(w io.Writer, name string, flags *flag.FlagSet) {
	all := commands()
	if name == "" {
		fmt.Fprint(w, overview)
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, c := range all {
			fmt.Fprintf(table, "  %s\t%s\n", c.name, c.summary)
		}
		// The writer's own errors are those of stdout, which can't be reported anywhere.
		_ = table.Flush()
	} else {
		c := all[slices.IndexFunc(all, func(c subcommand) bool { return c.name == name })]
		fmt.Fprintf(w, "usage: %s\n\n%s: %s.\n", strings.TrimSpace("asyncapigen "+c.name+" "+c.synopsis), c.name, c.summary)
		fmt.Fprint(w, c.about)
	}
	if flags == nil {
		return
	}
	fmt.Fprint(w, "\nFlags:\n")
	flags.SetOutput(w)
	flags.PrintDefaults()
	if name == "" {
		fmt.Fprint(w, epilogue)
	}
}
