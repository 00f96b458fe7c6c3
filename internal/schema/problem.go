package schema

import "github.com/warrenmq/warren/internal/diagnostic"

// A Problem is a diagnostic of a payload's type. Its Path leads from the payload
// to the type that it is about; its position is that of the field, or else of the
// type.
type Problem struct {
	diagnostic.Diagnostic
	Payload int // index of the first payload that it was found in
}

// Problem returns a problem with a schema of the set: it names the Go type that
// the schema is of, if the set knows it.
func (set *Set) Problem(with *Schema, code diagnostic.Code, what, remedy string) Problem {
	p := Problem{Diagnostic: diagnostic.Diagnostic{Code: code, Severity: code.Severity(), What: what, Remedy: remedy}}
	if from, ok := set.origins[with]; ok {
		p.Payload, p.Path, p.Type, p.Pos = from.payload, from.at.path, from.t.String(), from.at.position
		if !p.Pos.IsValid() {
			p.Pos = from.t.Position()
		}
	}
	return p
}

// report appends a problem of the type t at a place in the current payload.
func (b *builder) report(code diagnostic.Code, t Type, at place, what, remedy string) {
	position := at.position
	if !position.IsValid() {
		position = t.Position()
	}
	b.problems = append(b.problems, Problem{
		Diagnostic: diagnostic.Diagnostic{
			Code: code, Severity: code.Severity(), Pos: position, Path: at.path, Type: t.String(), What: what, Remedy: remedy,
		},
		Payload: b.payload,
	})
}
