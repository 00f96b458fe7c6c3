package schema

import (
	"reflect"
	"slices"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// byMethod describes a type that writes itself, nil for others. MarshalJSON is
// asked before MarshalText (rule 31); promoted methods count (rule 26), and
// those of a pointer too, because encoding/json calls them wherever it can take
// the address (rule 32).
func (b *builder) byMethod(t Type, at place) *Schema {
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return nil // nil has no method to call; their elements have
	}
	if t.Method(ProtoReflect) != NoReceiver {
		return b.anything(diagnostic.ProtobufType, t, at, "encoding/json doesn't write protobuf messages in the JSON that protobuf defines",
			"use a Go type of your own, or a type that embeds the message, with MarshalJSON and JSONSchema methods")
	}
	json, text := MarshalJSON, MarshalText
	if b.Direction == Decode {
		json, text = UnmarshalJSON, UnmarshalText
	}
	switch {
	case t.Method(json) != NoReceiver:
		return b.custom(t, at, json)
	case t.Method(text) != NoReceiver:
		return &Schema{Type: Types{"string"}}
	}
	b.reportOneWay(t, at)
	return nil
}

// custom describes a type by its method MarshalJSON or UnmarshalJSON (rule 34).
func (b *builder) custom(t Type, at place, method Method) *Schema {
	if bodies := b.bodies(t, method); len(bodies) > 0 {
		return b.byBodies(bodies, at)
	}
	if method == UnmarshalJSON {
		return b.anything(diagnostic.CustomJSON, t, at, "UnmarshalJSON may read any JSON, so the schema accepts any", describeIt)
	}
	return b.anything(diagnostic.CustomJSON, t, at, "MarshalJSON may write any JSON, so the schema accepts any", describeIt)
}

const describeIt = "say what it is by a comment //asyncapigen:schema {...} on the type or by a method JSONSchema() string, or use MarshalText for a string"

// bodies are the values that the method hands to encoding/json, nil where its
// source isn't known or not understood.
func (b *builder) bodies(t Type, method Method) []Body {
	source := b.source(t)
	switch {
	case source == nil:
		return nil
	case method == MarshalJSON:
		return source.Marshal
	default:
		return source.Unmarshal
	}
}

// byBodies describes the values of a method's returns. What isn't handed over by
// pointer has no address.
func (b *builder) byBodies(bodies []Body, at place) *Schema {
	at.oneWay, at.handled = true, true
	var schemas []*Schema
	for _, body := range bodies {
		switch {
		case body.Type == nil:
			schemas = append(schemas, &Schema{Type: Types{body.JSON}})
		case b.Direction == Encode && !body.Addressed && needsAddress(body.Type, map[any]bool{}):
			schemas = append(schemas, b.anything(diagnostic.UncalledMethod, body.Type, at,
				"encoding/json doesn't call a marshal method of a pointer receiver on what MarshalJSON hands over by value",
				"hand over a pointer, or give the method a value receiver"))
		case body.Inline:
			schemas = append(schemas, b.describe(body.Type, place{path: at.path, position: at.position, oneWay: true, handled: true}))
		default:
			schemas = append(schemas, b.part(body.Type, at))
		}
	}
	schemas = slices.CompactFunc(schemas, b.sameType)
	if len(schemas) == 1 {
		return schemas[0]
	}
	return &Schema{AnyOf: schemas}
}

// sameType reports whether both say a JSON type and nothing else.
func (b *builder) sameType(x, y *Schema) bool {
	only := func(s *Schema) bool {
		return len(s.Type) == 1 && !b.isRef(s) && reflect.DeepEqual(*s, Schema{Type: s.Type})
	}
	return only(x) && only(y) && x.Type[0] == y.Type[0]
}

// reportOneWay warns of a method that only the other direction has (rule 33).
func (b *builder) reportOneWay(t Type, at place) {
	if b.Direction == Decode {
		for _, method := range []Method{MarshalJSON, MarshalText} {
			if t.Method(method) != NoReceiver {
				b.report(diagnostic.OneWayJSON, t, at, "it writes itself by "+method.String()+", but is read without a method, and the schema says what is read",
					"add the method that reads what "+method.String()+" writes")
				return
			}
		}
		return
	}
	for _, method := range []Method{UnmarshalJSON, UnmarshalText} {
		if t.Method(method) != NoReceiver {
			b.report(diagnostic.OneWayJSON, t, at, "it reads itself by "+method.String()+", but is written without a method, and the schema says what is written",
				"add the method that writes what "+method.String()+" reads")
			return
		}
	}
}

// source is what the source code of t says, nil where options leave that out.
func (b *builder) source(t Type) *Source {
	if b.ReflectionOnly {
		return nil
	}
	return t.Source()
}
