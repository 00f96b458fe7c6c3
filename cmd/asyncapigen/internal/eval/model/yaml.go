package model

import (
	"reflect"

	"go.yaml.in/yaml/v3"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Version 3 of the YAML library, by its former path and by that of those who keep it now:
// they decode alike.
var yamlFunctions = map[string]Function{
	"go.yaml.in/yaml/v3.Unmarshal": yamlUnmarshal,
	"gopkg.in/yaml.v3.Unmarshal":   yamlUnmarshal,
}

// What package yaml looks for in types that it decodes.
var yamlDecoding = methodNames{"UnmarshalYAML", "UnmarshalText"}

// yamlUnmarshal is the model of yaml.Unmarshal.
func yamlUnmarshal(c *Call) (value.Value, bool) {
	document, known := c.documentOf(c.Args[0])
	if !known {
		return nil, false
	}
	refused := false
	result, ok := c.decode(c.Args[1], yamlDecoding, func(target any) (err error) {
		if holdsAny(reflect.TypeOf(target)) { // maps in it have the type of the one around
			refused = true
			return nil
		}
		defer func() {
			refused = recover() != nil // two fields of one name, and the like
		}()
		return yaml.Unmarshal([]byte(document), target)
	})
	return result, ok && !refused
}

// holdsAny reports whether a mirror's exported parts may hold values of any type.
func holdsAny(r reflect.Type) bool {
	switch r.Kind() {
	case reflect.Interface:
		return true
	case reflect.Map:
		return holdsAny(r.Key()) || holdsAny(r.Elem())
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return holdsAny(r.Elem())
	case reflect.Struct:
		for field := range r.Fields() {
			if field.PkgPath == "" && holdsAny(field.Type) {
				return true
			}
		}
	}
	return false
}
