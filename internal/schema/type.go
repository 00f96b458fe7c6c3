package schema

import (
	"go/token"
	"reflect"
)

// A Type is a Go type as encoding/json sees it. [Reflect] makes one of a running
// program's type, package gotype one of source code; equal Go types must give
// the same answers from both, [Type.Doc], [Type.Source], directives and positions
// aside.
//
// Types are compared by ID only. Methods that don't fit the kind return zero
// values. Those of [Reflect] are safe for concurrent use; others needn't be.
type Type interface {
	// ID is comparable, and equal for identical types and only for those.
	ID() any

	// Kind is the kind of the underlying type. Invalid stands for what has no
	// kind: a type parameter, or a type that couldn't be resolved.
	Kind() reflect.Kind

	// Name is the zero Name for type literals.
	Name() Name

	Elem() Type      // of an array, map, pointer or slice
	Key() Type       // of a map
	Len() int64      // of an array
	NumMethod() int  // of an interface
	Fields() []Field // of a struct, as declared

	// Method says whether the type, or only its pointer, has the method with
	// the signature that encoding/json wants. Promoted methods count.
	Method(Method) Receiver

	// Doc is the doc comment of a defined type, "" where it isn't known.
	Doc() string

	// Source is what else only source code says of a defined type, nil where
	// that isn't known.
	Source() *Source

	// JSONSchema is what the type's method JSONSchema() string returns, "" where
	// it has no such method. The error says why it can't be known.
	JSONSchema() (string, error)

	// Position is where a defined type is declared, zero where it isn't known.
	Position() token.Position

	// String is the type as a Go programmer writes it, packages by name.
	String() string
}

// A Field is one field of a struct type.
type Field struct {
	Name     string
	Type     Type
	Tag      reflect.StructTag
	Embedded bool
	Exported bool // for an embedded field: whether the type's name is

	Doc        string         // the doc comment, "" where it isn't known
	Directives []Directive    // of the doc comment
	Position   token.Position // zero where it isn't known
}

// A Method is one that decides how a type is described.
type Method int

// The methods that encoding/json looks for, and two that decide who describes the
// type: with JSONSchema() string its author does; a type with ProtoReflect()
// protoreflect.Message is generated from a protobuf file and can't be described.
const (
	MarshalJSON Method = iota
	MarshalText
	UnmarshalJSON
	UnmarshalText
	JSONSchema
	ProtoReflect
)

// String returns the method's name.
func (m Method) String() string {
	return [...]string{"MarshalJSON", "MarshalText", "UnmarshalJSON", "UnmarshalText", "JSONSchema", "ProtoReflect"}[m]
}

// ProtoReflectPath is the package of the type Message that a method ProtoReflect
// returns.
const ProtoReflectPath = "google.golang.org/protobuf/reflect/protoreflect"

// A Receiver says which method sets hold a method.
type Receiver int

// The method sets.
const (
	NoReceiver      Receiver = iota // neither has it
	ValueReceiver                   // those of T and *T have it
	PointerReceiver                 // only that of *T has it
)

// A Name identifies a defined or predeclared type.
type Name struct {
	PkgPath string // the import path, "main" for a command; "" for predeclared types
	Pkg     string // the package's name; "" in Args, where reflection doesn't know it
	Ident   string // the identifier, without type arguments
	Args    []Arg  // the type arguments of an instance
}

// Defined reports whether the type is declared in a package, so that it is no
// type literal and not predeclared.
func (n Name) Defined() bool { return n.PkgPath != "" }

// An Arg is a type argument. Name is set for defined and predeclared types, and
// is "any" for the empty interface; else Kind is that of the type literal.
type Arg struct {
	Name Name
	Kind reflect.Kind
	Len  int64 // of an array
	Key  *Arg  // of a map
	Elem *Arg  // of an array, map, pointer or slice
}
