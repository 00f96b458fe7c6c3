// Package diagnostic has the record of everything that asyncapigen reports about
// the code that it reads: the position, what was found, why, what to do, and a
// code under which docs/diagnostics.md explains it. The packages that describe
// types and routes in a running program report in the same form.
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
//
// The package imports no other of this module.
package diagnostic

import (
	"fmt"
	"go/token"
)

// Severity says whether a diagnostic stops the generation.
type Severity int

const (
	Error   Severity = iota // the document or the client would be wrong or incomplete
	Warning                 // they are right, but something is worth a look
)

// String returns "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// A Diagnostic is one finding. It is comparable.
type Diagnostic struct {
	Code     Code
	Severity Severity       // mostly that of the code
	Pos      token.Position // zero where there is none, as in a running program

	// What it is about, empty where that is nothing of the kind or What names it.
	Route string // the route's name; its queue's where it has none
	Path  string // the Go fields that lead to a type, such as Order.Lines[].C
	Type  string // the Go type at the end of the path

	What   string // what was found
	Why    string // why it is so; may be empty
	Remedy string // what to do; may be empty
}

// String returns the diagnostic in one line, as compilers print theirs.
func (d Diagnostic) String() string {
	text := d.Text() + " [" + string(d.Code) + "]"
	if d.Severity == Warning {
		text = "warning: " + text
	}
	if d.Pos.IsValid() {
		text = d.Pos.String() + ": " + text
	}
	return text
}

// Text returns what the diagnostic is about, what was found, why and what to do,
// in one line: the String without position, severity and code.
func (d Diagnostic) Text() string {
	text := d.finding()
	for _, part := range []string{d.Why, d.Remedy} {
		if part != "" {
			text += ": " + part
		}
	}
	return text
}

// finding returns what was found, and where the record names that, of what.
func (d Diagnostic) finding() string {
	text := d.What
	if d.Path != "" {
		at := d.Path
		if d.Type != "" && d.Type != d.Path {
			at += " (" + d.Type + ")"
		}
		text = at + ": " + text
	}
	if d.Route != "" {
		text = fmt.Sprintf("route %q: %s", d.Route, text)
	}
	return text
}
