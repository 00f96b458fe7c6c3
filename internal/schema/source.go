package schema

import (
	"encoding/json"
	"go/token"
)

// A Source is what only the source code of a defined type says of it. A running
// program doesn't know it, so a document made by reflection is without it, see
// [Options.ReflectionOnly].
type Source struct {
	Directives []Directive // of the doc comment

	// Constants are the declared values of the type in the order of their
	// declaration, nil where they aren't an enumeration.
	Constants []Constant

	// Marshal is what the method MarshalJSON writes, Unmarshal what
	// UnmarshalJSON reads; nil where their bodies aren't understood.
	Marshal, Unmarshal []Body
}

// A Directive is a comment such as //asyncapigen:example 7.
type Directive struct {
	Name     string // what stands after "asyncapigen:"
	Text     string // the rest of the line
	Position token.Position
}

// The names of directives.
const (
	SchemaDirective  = "schema"  // on a type: its JSON Schema
	ExampleDirective = "example" // on a type or a field: a JSON value
)

// A Constant is a declared value of a type.
type Constant struct {
	Name  string
	Doc   string
	Value json.RawMessage
}

// A Body is one of the values that a method hands to encoding/json.
type Body struct {
	// Type is the static type of the value, nil where JSON says it all.
	Type Type

	// Addressed says that the method hands over a pointer to the value, so that
	// methods with a pointer receiver are called.
	Addressed bool

	// Inline says that the type is local to the method, so that it is no
	// component.
	Inline bool

	// JSON is the JSON type of text that the method puts together itself.
	JSON string
}
