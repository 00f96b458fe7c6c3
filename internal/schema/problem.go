package schema

import (
	"go/token"
	"strings"
)

// A Severity tells how bad a [Problem] is.
type Severity int

const (
	// Warning is for a schema that is true, but says less than it could, or
	// whose type works otherwise than its author may think.
	Warning Severity = iota

	// Error is for a type that encoding/json refuses to write or to read.
	Error
)

// String returns "warning" or "error".
func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return "warning"
}

// A Code tells problems of one kind from those of others. It never changes.
type Code string

// The codes of errors.
const (
	NoJSON         Code = "no-json"         // encoding/json refuses the type
	MapKey         Code = "map-key"         // encoding/json refuses the type as a map's key
	InterfaceType  Code = "interface-type"  // an interface with methods, which can't be read
	EmbeddedHidden Code = "embedded-hidden" // an embedded pointer that can't be set
	EndlessType    Code = "endless-type"    // a generic type that expands without end
	ProtobufType   Code = "protobuf-type"   // a generated protobuf message
	BadSchema      Code = "bad-schema"      // a schema that its author wrote, and that isn't one
	SchemaConflict Code = "schema-conflict" // an author's schema that another one, or the type, contradicts
	BadConstraint  Code = "bad-constraint"  // a tag's rule that no value of the type can meet
	BadExample     Code = "bad-example"     // an example or a default that doesn't validate
	BadPattern     Code = "bad-pattern"     // a pattern that isn't one of ECMA 262
	UnionVariant   Code = "union-variant"   // a type of a union that can't be told from the others
	UnknownUnion   Code = "unknown-union"   // a union that source code doesn't determine
)

// The codes of warnings.
const (
	CustomJSON     Code = "custom-json"     // a MarshalJSON method may write anything
	OneWayJSON     Code = "one-way-json"    // written in one way and read in another
	UncalledMethod Code = "uncalled-method" // a method that a map's values are written without
	ErrorType      Code = "error-type"      // an error, of which little is written
	EmptyObject    Code = "empty-object"    // a struct without exported fields
)

// severity is the one of all problems with the code.
func (c Code) severity() Severity {
	switch c {
	case CustomJSON, OneWayJSON, UncalledMethod, ErrorType, EmptyObject:
		return Warning
	default:
		return Error
	}
}

// A Problem is something that a schema can't say about a Go type.
type Problem struct {
	Code     Code
	Severity Severity
	Payload  int            // index of the first payload in which it was met
	Path     string         // the Go fields from the payload's type, such as Order.Lines[].C
	Type     string         // the Go type at the end of the path
	Message  string         // what is wrong
	Remedy   string         // what to do
	Position token.Position // the field, or else the type; zero where it isn't known
}

// String returns the path, the message and the remedy in one line, without the
// position.
func (p Problem) String() string {
	var line strings.Builder
	line.WriteString(p.Path)
	if p.Type != "" && p.Type != p.Path {
		line.WriteString(" (" + p.Type + ")")
	}
	line.WriteString(": " + p.Message)
	if p.Remedy != "" {
		line.WriteString(": " + p.Remedy)
	}
	return line.String()
}
