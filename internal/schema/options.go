package schema

import "go/token"

// A Direction is the side of encoding/json that schemas describe.
type Direction int

const (
	// Encode is for what Marshal writes: members that are always there are
	// required, and null stands only where nil is written.
	Encode Direction = iota

	// Decode is for what Unmarshal accepts: no member is required, and null is
	// accepted everywhere, because Unmarshal ignores it.
	Decode
)

// Options change what [Build] makes of types. The zero Options are what Build
// itself takes.
type Options struct {
	Direction Direction

	// OpenEnums leaves out the constants of types, so that schemas accept any
	// value of the kind. encoding/json enforces no constants.
	OpenEnums bool

	// NoRules leaves out the rules of the tags validate and jsonschema, which
	// values need not meet before they are checked.
	NoRules bool

	// Unions are the types that interfaces hold.
	Unions []Union

	// ReflectionOnly leaves out what only source code says: comments,
	// directives, constants and the bodies of methods. The schemas are then those
	// of [Reflect], and can be compared with those of a running program.
	ReflectionOnly bool

	// Check validates the finished schemas, as package proof does, and returns
	// more problems. Nil means that they aren't validated: a running program
	// needn't depend on a validator.
	Check func(*Set) []Problem
}

// A Union is an interface and all the types that it may hold. They are objects
// that name themselves by the member Discriminator.
type Union struct {
	Interface     Type
	Discriminator string
	Variants      []Variant      // in the order of their values
	Position      token.Position // zero where it isn't known
}

// A Variant is a type of a [Union]: Value is its discriminator's.
type Variant struct {
	Value string
	Type  Type
}
