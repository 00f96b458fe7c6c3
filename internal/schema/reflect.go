package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"go/token"
	"reflect"
	"strings"
)

// Reflect returns t as a [Type], nil for nil. Reflection knows neither doc
// comments nor positions.
func Reflect(t reflect.Type) Type {
	if t == nil {
		return nil
	}
	return reflected{t}
}

type reflected struct{ t reflect.Type }

func (r reflected) ID() any { return r.t }

func (r reflected) Kind() reflect.Kind { return r.t.Kind() }

func (r reflected) Name() Name { return nameOf(r.t) }

func (r reflected) Elem() Type {
	switch r.t.Kind() {
	case reflect.Array, reflect.Chan, reflect.Map, reflect.Pointer, reflect.Slice:
		return reflected{r.t.Elem()}
	default:
		return nil
	}
}

func (r reflected) Key() Type {
	if r.t.Kind() != reflect.Map {
		return nil
	}
	return reflected{r.t.Key()}
}

func (r reflected) Len() int64 {
	if r.t.Kind() != reflect.Array {
		return 0
	}
	return int64(r.t.Len())
}

func (r reflected) NumMethod() int { return r.t.NumMethod() }

func (r reflected) Fields() []Field {
	if r.t.Kind() != reflect.Struct {
		return nil
	}
	fields := make([]Field, 0, r.t.NumField())
	for f := range r.t.Fields() {
		fields = append(fields, Field{
			Name:     f.Name,
			Type:     reflected{f.Type},
			Tag:      f.Tag,
			Embedded: f.Anonymous,
			Exported: f.IsExported(),
		})
	}
	return fields
}

func (r reflected) Method(m Method) Receiver {
	var signature reflect.Type
	switch m {
	case MarshalJSON:
		signature = reflect.TypeFor[json.Marshaler]()
	case MarshalText:
		signature = reflect.TypeFor[encoding.TextMarshaler]()
	case UnmarshalJSON:
		signature = reflect.TypeFor[json.Unmarshaler]()
	case UnmarshalText:
		signature = reflect.TypeFor[encoding.TextUnmarshaler]()
	case JSONSchema:
		signature = reflect.TypeFor[describer]()
	case ProtoReflect:
		return r.protoReflect()
	}
	switch {
	case r.t.Implements(signature):
		return ValueReceiver
	case reflect.PointerTo(r.t).Implements(signature):
		return PointerReceiver
	default:
		return NoReceiver
	}
}

// describer is the interface of types that say their own schema.
type describer interface{ JSONSchema() string }

// protoReflect looks for a method that can't be named here without importing
// protobuf.
func (r reflected) protoReflect() Receiver {
	switch {
	case r.t.Kind() == reflect.Interface:
		return NoReceiver
	case hasProtoReflect(r.t):
		return ValueReceiver
	case hasProtoReflect(reflect.PointerTo(r.t)):
		return PointerReceiver
	default:
		return NoReceiver
	}
}

func hasProtoReflect(t reflect.Type) bool {
	method, ok := t.MethodByName("ProtoReflect")
	if !ok || method.Type.NumIn() != 1 || method.Type.NumOut() != 1 {
		return false
	}
	result := method.Type.Out(0)
	return result.PkgPath() == ProtoReflectPath && result.Name() == "Message"
}

func (r reflected) Doc() string { return "" }

func (r reflected) Source() *Source { return nil }

// JSONSchema calls the method of that name on the zero value, with a pointer to
// it where that is needed.
func (r reflected) JSONSchema() (text string, err error) {
	if r.t.Kind() == reflect.Interface || r.t.Kind() == reflect.Pointer || r.Method(JSONSchema) == NoReceiver {
		return "", nil
	}
	defer func() {
		if v := recover(); v != nil {
			text, err = "", fmt.Errorf("on the zero value it panics: %v", v)
		}
	}()
	return reflect.New(r.t).Interface().(describer).JSONSchema(), nil
}

func (r reflected) Position() token.Position { return token.Position{} }

func (r reflected) String() string { return r.t.String() }

// nameOf reads the name from a type's string, shop.Page[example.com/shop.Order],
// because Type.Name is wrong where a type argument has brackets in a field tag.
func nameOf(t reflect.Type) Name {
	if t.Name() == "" {
		return Name{}
	}
	pkg, text, defined := strings.Cut(t.String(), ".")
	if !defined {
		return Name{Ident: t.String()}
	}
	parser := argParser{text: text}
	name := parser.name(t.PkgPath())
	name.Pkg = pkg
	return name
}
