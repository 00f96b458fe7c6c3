package discover

import (
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// recorded is what a part of the evaluation has found.
type recorded struct {
	found       []registered.Route
	diagnostics diagnostic.List
}

// Apart implements [eval.User].
func (f *finder) Apart(run func()) any { return f.apart(run) }

func (f *finder) apart(run func()) recorded {
	around := recorded{f.found, f.diagnostics}
	f.found, f.diagnostics = nil, nil
	defer func() { f.found, f.diagnostics = around.found, around.diagnostics }()
	run()
	return recorded{f.found, f.diagnostics}
}

// Choose implements [eval.User]: every way is followed, or the one command that
// was asked for.
func (f *finder) Choose(at ast.Expr, names []string) []int {
	var chosen, all []int
	var known []string
	for i, name := range names {
		all = append(all, i)
		if name != "" {
			known = append(known, name)
		}
		if name == f.command {
			chosen = append(chosen, i)
		}
	}
	switch {
	case f.command == "":
		return all
	case len(chosen) == 0:
		f.report(at.Pos(), diagnostic.Diagnostic{
			Code: diagnostic.SeveralCommands, What: "there is no command " + quoted(f.command),
			Why: "the program has " + listed(known), Remedy: "name one of them by -run",
		})
	}
	return chosen
}

// Keep implements [eval.User]: the contract is what the commands register, if
// all that register something do so equally.
func (f *finder) Keep(at ast.Expr, followed []eval.Alternative) {
	var serving []eval.Alternative
	equal := true
	for _, a := range followed {
		r := a.Recorded.(recorded)
		if isFault(a.Panic, r) {
			r = f.apart(func() { f.addAll(r); f.reportPanic(a.Panic) })
			a.Recorded = r
		}
		if len(r.found) == 0 && len(r.diagnostics) == 0 {
			continue
		}
		equal = equal && (len(serving) == 0 || sameRoutes(serving[0].Recorded.(recorded).found, r.found))
		serving = append(serving, a)
	}
	switch {
	case len(serving) == 0:
	case equal:
		f.addAll(serving[0].Recorded.(recorded))
		for _, a := range serving[1:] {
			f.addAll(recorded{diagnostics: a.Recorded.(recorded).diagnostics})
		}
	default:
		f.reportCommands(at, serving)
	}
}

// isFault reports whether a command ends in a panic that matters: one that has
// registered routes, or that the program doesn't raise on purpose.
func isFault(p *eval.Panic, r recorded) bool {
	if p == nil || p.Ends() {
		return false
	}
	return len(r.found) > 0 || value.IsUnknown(p.Value)
}

func (f *finder) addAll(r recorded) {
	f.found = append(f.found, r.found...)
	for _, d := range r.diagnostics {
		f.diagnostics.Add(d)
	}
}

func (f *finder) reportCommands(at ast.Expr, serving []eval.Alternative) {
	names := make([]string, len(serving))
	for i, a := range serving {
		names[i] = a.Name
	}
	f.report(at.Pos(), diagnostic.Diagnostic{
		Code:   diagnostic.SeveralCommands,
		What:   "the commands " + listed(names) + " register different routes",
		Why:    "each is a service of its own, with its own document",
		Remedy: "choose one by the flag -run, such as -run " + shellWord(names[0]) + ", in a //go:generate directive for each",
	})
}

func shellWord(name string) string {
	if strings.Contains(name, " ") {
		return `"` + name + `"`
	}
	return name
}

// listed writes names as a list in a sentence.
func listed(names []string) string {
	last := len(names) - 1
	switch last {
	case -1:
		return "none"
	case 0:
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// sameRoutes reports whether a document shows a and b alike.
func sameRoutes(a, b []registered.Route) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameRoute(a[i], b[i]) {
			return false
		}
	}
	return true
}

func sameRoute(a, b registered.Route) bool {
	return reflect.DeepEqual(a.Route, b.Route) && sameBody(a.Body, b.Body) && sameBody(a.Result, b.Result)
}

func sameBody(a, b types.Type) bool { return a == b || a != nil && b != nil && types.Identical(a, b) }

// Lost implements [eval.User].
func (f *finder) Lost(at ast.Expr, why *value.Unknown, remedy string) {
	pos := at.Pos()
	if why.Pos.IsValid() {
		pos = why.Pos
	}
	f.report(pos, diagnostic.Diagnostic{
		Code: diagnostic.UnknownRoute,
		What: "the routes that " + value.Source(eval.CalledExpr(at)) + " leads to aren't known",
		Why:  "the reason is " + why.Reason, Remedy: remedy,
	})
}
