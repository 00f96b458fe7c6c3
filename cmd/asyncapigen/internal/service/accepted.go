package service

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/nearest"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// acceptDirective takes warnings for good: a code, then the type or the route that
// they are about, perhaps with *, then why, for whoever reads it. It stands in a
// file of the package that asyncapigen is given, so that it is one service's. See docs/decisions/0051.
const acceptDirective = "//asyncapigen:accept"

// An acceptance is one of them.
type acceptance struct {
	at      diagnostic.Diagnostic // at its position, to report it
	code    diagnostic.Code
	subject string
	pattern *regexp.Regexp // of the subject, whose * stands for any letters
	used    bool
}

// acceptances returns those of the packages that asyncapigen was given, and what is
// wrong with others.
func acceptances(program *load.Program) ([]*acceptance, diagnostic.List) {
	var all []*acceptance
	var wrong diagnostic.List
	for _, pkg := range program.Roots {
		for _, file := range pkg.Files {
			for _, group := range file.Comments {
				for _, comment := range group.List {
					text, ok := strings.CutPrefix(comment.Text, acceptDirective)
					if !ok || text != "" && text[0] != ' ' {
						continue
					}
					at := diagnostic.Diagnostic{Code: diagnostic.BadDirective, Pos: program.Position(comment.Pos())}
					a, err := parseAcceptance(text)
					if err != nil {
						at.What, at.Why = "the directive can't be read", err.Error()
						at.Remedy = "write " + acceptDirective + " CODE TYPE, such as custom-json shop.Price"
						wrong.Add(at)
						continue
					}
					a.at = at
					all = append(all, a)
				}
			}
		}
	}
	return all, wrong
}

func parseAcceptance(text string) (*acceptance, error) {
	words := strings.Fields(text)
	if len(words) < 2 {
		return nil, errors.New("it needs a code, and the type or the route that the warning is about")
	}
	a := &acceptance{code: diagnostic.Code(words[0]), subject: words[1]}
	if !slices.Contains(diagnostic.Codes(), a.code) {
		var names []string
		for _, code := range diagnostic.Codes() {
			names = append(names, string(code))
		}
		if near := nearest.Of(words[0], names); near != "" {
			return nil, fmt.Errorf("there is no code %s: did you mean %s?", words[0], near)
		}
		return nil, fmt.Errorf("there is no code %s", words[0])
	}
	a.pattern = regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(a.subject), `\*`, ".*") + "$")
	return a, nil
}

// takes reports whether a finding is a warning that is accepted.
func (a *acceptance) takes(d diagnostic.Diagnostic) bool {
	if d.Severity != diagnostic.Warning || d.Code != a.code {
		return false
	}
	return slices.ContainsFunc([]string{d.Type, d.Route}, func(subject string) bool {
		return subject != "" && (a.pattern.MatchString(subject) || a.pattern.MatchString(strings.TrimLeft(subject, "*[]")))
	})
}

// withoutAccepted leaves out the warnings that are accepted. What accepts none is a
// warning, where all that there could be were found, those of the code unasked aside.
func withoutAccepted(program *load.Program, found diagnostic.List, complete bool, unasked diagnostic.Code) diagnostic.List {
	all, kept := acceptances(program)
	for _, d := range found {
		accepted := false
		for _, a := range all {
			if a.takes(d) {
				a.used, accepted = true, true
			}
		}
		if !accepted {
			kept.Add(d)
		}
	}
	for _, a := range all {
		if complete && !a.used && a.code != unasked {
			a.at.Severity = diagnostic.Warning
			a.at.What = fmt.Sprintf("there is no warning %s of %s", a.code, a.subject)
			a.at.Remedy = "remove the directive"
			kept.Add(a.at)
		}
	}
	return kept
}
