// Package schema says in JSON Schema what encoding/json writes for a Go type.
//
// The rules are written once, over the abstract [Type], so that a document made
// by reflection and one made from source code can't differ. A document that
// json.Marshal writes for a value of the type always validates; what can't be
// described is a [Problem], never a silent "type": "object". The words used are
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
// which says the type's schema. It never reads source code, and never decides what
// to do about a problem. Rule numbers in comments and
// tests are those of docs/reference/json-rules.md.
package schema
