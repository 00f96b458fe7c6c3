package asyncapi

import (
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// A Problem is something that a document can't say about a route. Its fields are
// strings: Code, which docs/diagnostics.md explains, Route, Path (the Go fields
// from the message type to the one with the problem) and Type, What, Why and
// Remedy. Path and Type are empty where the problem isn't a type's. Text writes
// them in one line, and String with the severity and the code.
type Problem = diagnostic.Diagnostic

// A ProblemError is returned in place of a document that would be wrong.
type ProblemError struct {
	Problems []Problem // all of them errors; at least one
}

// Error has a line for each problem.
func (e *ProblemError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.Text()
	}
	return "generate the AsyncAPI document: " + strings.Join(lines, "\n")
}

// errorsOf returns a *ProblemError of the problems that are errors.
func errorsOf(problems []Problem) error {
	isWarning := func(p Problem) bool { return p.Severity == diagnostic.Warning }
	return &ProblemError{Problems: slices.DeleteFunc(problems, isWarning)}
}
