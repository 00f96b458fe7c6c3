package model

import (
	"go/types"

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
		if lendsItsType(value.TypeOf(c.Args[1]), map[types.Type]bool{}) {
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

// lendsItsType reports whether a part of a type that has a mirror is a map of any value whose
// type isn't map[string]any: package yaml gives the maps in it the type of the one around,
// which the mirror hasn't. Types that were seen, of which one may be a part of itself, aren't
// looked at again.
func lendsItsType(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Map:
		ofAny := types.NewMap(types.Typ[types.String], anyType)
		return isAny(u.Elem()) && !types.Identical(t, ofAny) || lendsItsType(u.Elem(), seen)
	case *types.Struct:
		for field := range u.Fields() {
			if field.Exported() && lendsItsType(field.Type(), seen) {
				return true
			}
		}
	case interface{ Elem() types.Type }: // a pointer, a slice or an array
		return lendsItsType(u.Elem(), seen)
	}
	return false
}

func isAny(t types.Type) bool {
	u, ok := t.Underlying().(*types.Interface)
	return ok && u.Empty()
}
