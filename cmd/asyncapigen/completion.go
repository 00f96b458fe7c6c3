package main

import (
	"context"
	"embed"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
)

//go:embed completion
var completionFiles embed.FS

// shells returns those that completions are written for.
func shells() []string { return []string{"bash", "zsh", "fish"} }

// completed is a command as the scripts see it.
type completed struct {
	Name, Summary string
	Arguments     []string
	Flags         []completedFlag
}

type completedFlag struct {
	Name, Usage string
	Argument    string   // what follows, such as FILE or DIR; "" of a boolean flag
	Values      []string // those that it takes, nil where these are any
}

// runCompletion prints the script of a shell. It is made of the table of commands
// and of their flags, so that pressing a key runs nothing.
func runCompletion(_ context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) != 1 || !slices.Contains(shells(), args[0]) {
		fmt.Fprintf(stderr, "asyncapigen completion: name a shell: %s\n", strings.Join(shells(), ", "))
		return usage
	}
	text, err := template.New(args[0]).Funcs(template.FuncMap{"join": strings.Join, "quote": shellQuote, "zsh": zshText}).
		ParseFS(completionFiles, "completion/*")
	if err == nil {
		err = text.ExecuteTemplate(stdout, args[0]+".tmpl", struct {
			Commands []completed
			Flags    []completedFlag // of the bare command
		}{completions(), completedFlags(flagsHere(service.Unnamed))})
	}
	if err != nil {
		fmt.Fprintf(stderr, "asyncapigen completion: %v\n", err)
		return findings
	}
	return done
}

func completions() []completed {
	var all []completed
	for _, c := range commands() {
		of := completed{Name: c.name, Summary: c.summary, Arguments: c.arguments}
		if c.flags != nil {
			of.Flags = completedFlags(c.flags())
		}
		all = append(all, of)
	}
	return all
}

// flagValues returns those of flags that take certain values.
func flagValues() map[string][]string {
	return map[string][]string{"direction": {"encode", "decode"}, "format": {"text", "json", "github", "sarif"}}
}

func completedFlags(flags *flag.FlagSet) []completedFlag {
	all := make(map[string]completedFlag)
	flags.VisitAll(func(f *flag.Flag) {
		argument, text := flag.UnquoteUsage(f)
		all[f.Name] = completedFlag{f.Name, text, argument, flagValues()[f.Name]}
	})
	var sorted []completedFlag
	for _, name := range slices.Sorted(maps.Keys(all)) {
		sorted = append(sorted, all[name])
	}
	return sorted
}

// shellQuote quotes a text for the shells, which all take single quotes.
func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// zshText escapes what zsh's _arguments would read as its own.
func zshText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(text)
}
