package service

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// Diagnostics returns everything to report about the packages and their routes. Of
// several programs it reports only that there are several: other problems, such as
// a client that isn't generated yet, are those of one program.
func Diagnostics(program *load.Program, result discover.Result) diagnostic.List {
	several := func(d diagnostic.Diagnostic) bool { return d.Code == diagnostic.SeveralPrograms }
	if slices.ContainsFunc(result.Diagnostics, several) {
		return result.Diagnostics
	}
	all := programFaults(program, result)
	return append(all, knownFaults(result.Diagnostics, all)...)
}

// knownFaults leaves out what isn't known only because the package doesn't
// compile: the error of the compiler says all of it.
func knownFaults(found, faults diagnostic.List) diagnostic.List {
	broken := make(map[string]bool) // folders
	for _, d := range faults {
		if d.Severity == diagnostic.Error && d.Pos.IsValid() {
			broken[filepath.Dir(d.Pos.Filename)] = true
		}
	}
	var kept diagnostic.List
	for _, d := range found {
		isUnknown := d.Code == diagnostic.UnknownValue || d.Code == diagnostic.UnknownRoute || d.Code == diagnostic.UnknownHandler
		if !isUnknown || !d.Pos.IsValid() || !broken[filepath.Dir(d.Pos.Filename)] {
			kept.Add(d)
		}
	}
	return kept
}

// WithoutRoutes makes an error of a program that registers no route, unless that
// is meant: a contract without channels would take the place of another one.
func WithoutRoutes(o *Options, result discover.Result, found diagnostic.List) diagnostic.List {
	if len(result.Routes) > 0 || found.HasErrors() || o.AllowEmpty {
		return found
	}
	isNoRoutes := func(d diagnostic.Diagnostic) bool { return d.Code == diagnostic.NoRoutes }
	if !slices.ContainsFunc(found, isNoRoutes) {
		found.Add(diagnostic.Diagnostic{
			Code:   diagnostic.NoRoutes,
			What:   "the packages register no route",
			Why:    "no function of theirs that is read leads to a call of Register of runtime.Router",
			Remedy: "give asyncapigen the package whose main, or whose exported functions, register the routes, or -allow-empty if there are none",
		})
	}
	for i := range found {
		if isNoRoutes(found[i]) {
			found[i].Severity = diagnostic.Error
		}
	}
	return found
}

// programFaults returns the compiler's errors of the packages that were read from
// source. A fault in the body of a function that has no part in the
// routes, such as a handler's, is a warning: the routes can be read all the same.
// So is a package that isn't there: where a route depends on it, there is an error
// about that. Services that use each other's clients could be generated in no
// order otherwise. See docs/decisions/0020.
func programFaults(program *load.Program, result discover.Result) diagnostic.List {
	var list diagnostic.List
	for _, e := range program.Errors() {
		d := diagnostic.Diagnostic{Code: diagnostic.TypeError, Pos: e.Pos, What: strings.ReplaceAll(e.Msg, "\n\t", ", ")}
		if len(result.Routes) > 0 && e.At.IsValid() && (e.Missing || result.Skipped(e.At)) {
			d.Severity = diagnostic.Warning
		}
		if e.Missing {
			d.Why = "what it registers, if anything, isn't known"
			d.Remedy = "if it is the client of another service, generate that one too"
		}
		list.Add(d)
	}
	return list
}
