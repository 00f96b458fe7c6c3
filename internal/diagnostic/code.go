package diagnostic

// A Code identifies diagnostics of one kind. Its text never changes.
// docs/diagnostics.md has an example of each.
type Code string

// The codes of routes that the code doesn't determine.
const (
	UnknownValue     Code = "unknown-value"     // a field of a route
	UnknownRoute     Code = "unknown-route"     // the route, or the routes of a call
	UnknownHandler   Code = "unknown-handler"   // the handler of a route, or what it takes
	UnknownCondition Code = "unknown-condition" // whether a route is registered
	UnknownLoop      Code = "unknown-loop"      // how often a route is registered
	MapOrder         Code = "map-order"         // the routes depend on the order of a map's entries
	TooManySteps     Code = "too-many-steps"    // the evaluation was given up
	InternalError    Code = "internal-error"    // a fault of the evaluation itself
)

// The codes of programs that are wrong.
const (
	TypeError       Code = "type-error"       // the package doesn't compile; a warning where no route depends on it
	RefusedRoute    Code = "refused-route"    // the router would refuse it
	UnservedRouter  Code = "unserved-router"  // no broker gets the router of a route
	SeveralPrograms Code = "several-programs" // the pattern names more than one main package
	SeveralCommands Code = "several-commands" // commands of one program register different routes
	Uncalled        Code = "uncalled"         // a function that registers routes isn't called: a warning
	NoRoutes        Code = "no-routes"        // the program registers none; a warning where that is meant
	BadDirective    Code = "bad-directive"    // an asyncapigen directive that can't be used; a warning where it has no effect
)

// The codes of types that have no schema.
const (
	NoJSON         Code = "no-json"         // encoding/json refuses the type
	MapKey         Code = "map-key"         // encoding/json refuses the type as a map's key
	InterfaceType  Code = "interface-type"  // an interface with methods, which can't be read; a warning where the type around has a method for it
	EmbeddedHidden Code = "embedded-hidden" // an embedded pointer that can't be set
	EndlessType    Code = "endless-type"    // a generic type that expands without end
	ProtobufType   Code = "protobuf-type"   // a generated protobuf message
	UnionVariant   Code = "union-variant"   // a type of a union that can't be distinguished from the others
	UnknownUnion   Code = "unknown-union"   // a union that source code doesn't determine
)

// The codes of schemas and rules that an author wrote.
const (
	BadSchema      Code = "bad-schema"      // it isn't a schema
	SchemaConflict Code = "schema-conflict" // another schema, or the type, contradicts it
	BadConstraint  Code = "bad-constraint"  // a tag's rule that no value of the type can meet
	BadExample     Code = "bad-example"     // an example or a default that doesn't validate
	BadPattern     Code = "bad-pattern"     // a pattern that isn't one of ECMA 262
)

// The codes of types that work in another way than their author may expect: warnings.
const (
	CustomJSON     Code = "custom-json"     // a MarshalJSON method may write anything
	OneWayJSON     Code = "one-way-json"    // written in one way and read in another
	UncalledMethod Code = "uncalled-method" // a method that a map's values are written without
	ErrorType      Code = "error-type"      // an error, of which little is written
	EmptyObject    Code = "empty-object"    // a struct without exported fields
)

// The codes of routes that a document can't have.
const (
	MissingName        Code = "missing-name"        // of a route or a queue
	DuplicateOperation Code = "duplicate-operation" // two operations have one id
)

// The codes of routes that documents can have, but tools may refuse: warnings.
const (
	SharedQueue  Code = "shared-queue"  // two routes consume it
	ChannelName  Code = "channel-name"  // tools refuse it
	ExchangeType Code = "exchange-type" // the AMQP binding doesn't list it
	RepeatedTag  Code = "repeated-tag"  // a route has it twice
	RawBody      Code = "raw-body"      // the handler decodes the body itself, so that the document doesn't describe it
)

// The code of messages that a service sends: a warning.
const UnknownTarget Code = "unknown-target" // where they are sent isn't known

// The codes of generated clients.
const (
	ClientName Code = "client-name" // two methods would have one name, or none
	ClientType Code = "client-type" // a payload type that the client can't use
	ClientCopy Code = "client-copy" // a copied type that differs in something (warning)
)

// Severity returns the severity that diagnostics with the code have, unless the
// code's comment names another one.
func (c Code) Severity() Severity {
	switch c {
	case CustomJSON, OneWayJSON, UncalledMethod, ErrorType, EmptyObject,
		SharedQueue, ChannelName, ExchangeType, RepeatedTag,
		ClientCopy, Uncalled, RawBody, UnknownTarget:
		return Warning
	default:
		return Error
	}
}

// Codes returns all codes, in the order of their sections in
// docs/diagnostics.md.
func Codes() []Code {
	return []Code{
		UnknownValue, UnknownRoute, UnknownHandler, UnknownCondition, UnknownLoop, MapOrder, TooManySteps, InternalError,
		TypeError, RefusedRoute, UnservedRouter, SeveralPrograms, SeveralCommands, Uncalled, NoRoutes, BadDirective,
		NoJSON, MapKey, InterfaceType, EmbeddedHidden, EndlessType, ProtobufType, UnionVariant, UnknownUnion,
		BadSchema, SchemaConflict, BadConstraint, BadExample, BadPattern,
		CustomJSON, OneWayJSON, UncalledMethod, ErrorType, EmptyObject,
		MissingName, DuplicateOperation,
		SharedQueue, ChannelName, ExchangeType, RepeatedTag, RawBody,
		UnknownTarget,
		ClientName, ClientType, ClientCopy,
	}
}
