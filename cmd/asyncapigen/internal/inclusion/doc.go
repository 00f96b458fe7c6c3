// Package inclusion decides whether one JSON Schema accepts all that another one
// lets its sender send.
//
//	reader := inclusion.NewReader(root)           // of a document
//	old, err := reader.Schema("#/components/schemas/Order")
//	...
//	relation := inclusion.NewProver().Compare(old, changed)
//	relation.Answer  // Included, Excluded or Undecided
//	relation.Witness // a value that is sent and not accepted, where it is Excluded
//
// A schema has two readings. What it accepts is what a validator of draft-07
// accepts. What is sent by it is less: an object has no members but those that the
// schema lists, in properties or by an additionalProperties or patternProperties
// that is written out. A sender writes the fields that it knows, as json.Marshal
// does; the openness of a schema is for those who read.
//
// No answer is a guess. Included is proved from the keywords; Excluded has a value
// that was tried on both schemas; all else is Undecided, and so is what lies beyond
// the bounds on depth and number that keep the work finite. A schema whose
// keywords have values of the wrong kind, or refer to what isn't there, isn't read
// at all.
//
// # Files
//
// schema.go is the model of a schema and reader.go reads it; number.go and
// pattern.go are what its keywords are made of, format.go the formats. accept.go
// tries values. cell.go takes schemas apart into cases of one type each, prove.go
// proves that a case is included, proveobject.go and provearray.go the parts of
// one, empty.go that there is none, same.go that two schemas are one. sample.go
// makes values that schemas accept, samplevalue.go those without parts, and
// witness.go looks for one that refutes.
package inclusion
