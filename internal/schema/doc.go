// Package schema describes in JSON Schema what encoding/json writes for a Go type.
//
// The rules are written once, over the abstract [Type], so that a document made
// by reflection and one made from source code can't differ. A document that
// json.Marshal writes for a value of the type always validates; what can't be
// described is a [Problem], never a silent "type": "object". The keywords used are
// those of JSON Schema draft-07 that AsyncAPI 2.6 tools read: no $defs, no
// nullable, no const, no boolean schemas, and nothing beside a $ref.
//
//	set := schema.Build([]schema.Type{
//		schema.Reflect(reflect.TypeFor[OrderCreated]()),
//		schema.Reflect(reflect.TypeFor[OrderCancelled]()),
//	})
//	for _, problem := range set.Problems {
//		fmt.Println(problem.Text()) // Order.Done: a channel has no JSON form: ...
//	}
//	first := set.Payloads[0] // {"$ref": "#/components/schemas/OrderCreated"}
//	all := set.Components    // OrderCancelled, OrderCreated, and the types they use
//
// [Options] choose the direction, what Marshal writes or what Unmarshal reads, and
// more. Of the methods of a described type the package runs JSONSchema alone,
// which returns the type's schema. It never reads source code, and never decides
// what to do about a problem. Rule numbers in comments and tests are those of
// docs/reference/json-rules.md.
//
// # Files
//
// The model: schema.go is a JSON Schema, jsonobject.go the JSON of ordered
// objects, type.go and source.go are a Go type as this package sees it, reflect.go
// and reflectname.go make one by reflection, options.go has the options and
// problem.go the problems.
//
// Building: build.go collects the components and resolves references, kind.go
// describes a type by its kind, with scalar.go for numbers, text and booleans and
// members.go for the fields of a struct, method.go by its marshal methods,
// described.go by its author's schema, wellknown.go the types of other packages,
// union.go interfaces, enum.go declared constants. key.go chooses the keys of
// components, title.go the titles of enumerations.
//
// Fields: tag.go and tagv2.go read the json tag, as either engine of encoding/json
// (engine.go) does, format.go and formattime.go its option format; tagrule.go reads
// the rules of other tags, constraint.go, bound.go and tagjsonschema.go apply them, and
// tighten.go merges them into a schema. doccomment.go adds descriptions and
// examples.
//
// Package proof validates the result, and package random makes values for tests.
package schema
