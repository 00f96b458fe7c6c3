// Package diagnostic has the form of everything that asyncapigen says about the
// code that it reads: a place, what it is, why, what to do, and a code under
// which docs/diagnostics.md explains it.
//
//	var list diagnostic.List
//	list.Add(diagnostic.Diagnostic{
//		Code: diagnostic.UnknownValue, Pos: pos,
//		What: `the queue name of the route "a" isn't known`,
//		Why:  `it is the result of os.Getenv("QUEUE")`,
//	})
//	for _, d := range list.Sorted() {
//		fmt.Fprintln(os.Stderr, d)
//	}
package diagnostic

import (
	"cmp"
	"go/token"
	"slices"
)

// Severity says whether a diagnostic stops the generation.
type Severity int

const (
	Error   Severity = iota // the document or the client would be wrong or incomplete
	Warning                 // they are right, but something is worth a look
)

// A Code tells diagnostics of one kind from those of others. It never changes.
type Code string

// The codes, with an example of each in docs/diagnostics.md.
const (
	// Of routes that aren't known.
	UnknownValue     Code = "unknown-value"     // a field of a route
	UnknownRoute     Code = "unknown-route"     // the route, or the routes of a call
	UnknownHandler   Code = "unknown-handler"   // the handler of a route, or what it takes
	UnknownCondition Code = "unknown-condition" // whether a route is registered
	UnknownLoop      Code = "unknown-loop"      // how often a route is registered
	TooManySteps     Code = "too-many-steps"    // the evaluation was given up

	// Of programs that are wrong.
	TypeError       Code = "type-error"       // the package doesn't compile
	RefusedRoute    Code = "refused-route"    // the router would refuse it
	SeveralPrograms Code = "several-programs" // the pattern names more than one main package
	BadDirective    Code = "bad-directive"    // an asyncapigen directive that says nothing

	// Of documents: see the constants of internal/schema and runtime/asyncapi
	// for those that a running program can meet as well.

	// Of generated clients.
	ClientName Code = "client-name" // two methods would have one name, or none
	ClientType Code = "client-type" // a payload type that the client can't use
	ClientCopy Code = "client-copy" // a copied type that differs in something
)

// A Diagnostic is one thing that the user should know.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Pos      token.Position // zero where there is no place
	What     string         // what it is
	Why      string         // why it is so; may be empty
	Remedy   string         // what to do; may be empty
}

// String formats the diagnostic in one line, as compilers do.
func (d Diagnostic) String() string {
	text := d.What
	if d.Severity == Warning {
		text = "warning: " + text
	}
	if d.Pos.IsValid() {
		text = d.Pos.String() + ": " + text
	}
	for _, part := range []string{d.Why, d.Remedy} {
		if part != "" {
			text += ": " + part
		}
	}
	return text + " [" + string(d.Code) + "]"
}

// A List collects diagnostics, each once: code that is evaluated twice says its
// own twice.
type List []Diagnostic

// Add appends d unless it is there.
func (l *List) Add(d Diagnostic) {
	if !slices.Contains(*l, d) {
		*l = append(*l, d)
	}
}

// Sorted returns the diagnostics in the order of their positions.
func (l List) Sorted() List {
	sorted := slices.Clone(l)
	slices.SortStableFunc(sorted, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Pos.Filename, b.Pos.Filename),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.What, b.What),
			cmp.Compare(a.Why, b.Why),
		)
	})
	return sorted
}

// HasErrors reports whether one of the diagnostics stops the generation.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}
