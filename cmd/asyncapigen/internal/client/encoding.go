package client

import (
	"go/types"
)

// form is how a type is encoded, as far as it matters to its copy.
type form int

const (
	asKind     form = iota // by its kind; also every type within reach
	asText                 // by a MarshalText that can't be copied
	asRaw                  // by a MarshalJSON that can't be copied
	asEmbedded             // by a method of an embedded field within reach
)

// form says how a copy of t would be encoded. Methods with pointer receivers
// count: what a client sends is addressable, but for the values of maps.
func (g *generator) form(t types.Type) form {
	if g.within(t) || types.IsInterface(t) {
		return asKind
	}
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		return g.form(pointer.Elem())
	}
	named, ok := types.Unalias(t).(*types.Named)
	switch {
	case !ok || g.takesName(named):
		return asKind
	case g.promotedMarshaler(named) != nil:
		return asEmbedded
	case marshalMethod(types.NewPointer(named), "MarshalJSON") != nil:
		return asRaw
	case marshalMethod(types.NewPointer(named), "MarshalText") != nil:
		return asText
	}
	return asKind
}

// marshalMethod returns the method of t, promoted ones included, if it has the
// signature that encoding/json looks for: func() ([]byte, error).
func marshalMethod(t types.Type, name string) *types.Selection {
	selection := types.NewMethodSet(t).Lookup(nil, name)
	if selection == nil {
		return nil
	}
	signature := selection.Type().(*types.Signature)
	if signature.Params().Len() != 0 || signature.Results().Len() != 2 {
		return nil
	}
	bytes := types.NewSlice(types.Typ[types.Byte])
	failure := types.Universe.Lookup("error").Type()
	if !types.Identical(signature.Results().At(0).Type(), bytes) || !types.Identical(signature.Results().At(1).Type(), failure) {
		return nil
	}
	return selection
}

// promotedMarshaler returns the embedded field within reach whose method
// encodes all of t, nil if there is none. Embedding that field in the copy keeps
// its JSON.
func (g *generator) promotedMarshaler(t *types.Named) *types.Var {
	structure, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for _, name := range []string{"MarshalJSON", "MarshalText"} {
		selection := marshalMethod(types.NewPointer(t), name)
		if selection == nil {
			continue
		}
		field := structure.Field(selection.Index()[0])
		if len(selection.Index()) == 1 || !field.Embedded() || !field.Exported() || !g.within(field.Type()) {
			return nil
		}
		return field
	}
	return nil
}

// encodesItself reports whether t has methods that change how a struct it is
// embedded in is encoded or decoded.
func encodesItself(t types.Type) bool {
	methods := types.NewMethodSet(types.NewPointer(t))
	for _, name := range []string{"MarshalJSON", "MarshalText", "UnmarshalJSON", "UnmarshalText"} {
		if methods.Lookup(nil, name) != nil {
			return true
		}
	}
	return false
}

// hasIsZero reports whether the option omitzero would call a method of t.
func hasIsZero(t types.Type) bool {
	return types.NewMethodSet(types.NewPointer(t)).Lookup(nil, "IsZero") != nil
}
