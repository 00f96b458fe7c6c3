package client

import (
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/internal/diagnostic"
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
		if len(selection.Index()) == 1 { // a method of t itself
			return nil
		}
		field := structure.Field(selection.Index()[0])
		if !field.Embedded() || !field.Exported() || !g.within(field.Type()) {
			return nil
		}
		return field
	}
	return nil
}

// checkMapValue reports a type that is a string in the client because of a MarshalText
// method of its pointers, where it is, or is a part of, the value of a map: these can't
// be addressed, so the method isn't called, and the JSON is another.
func (g *generator) checkMapValue(t types.Type, path string) {
	switch g.form(t) {
	case asText:
		if _, isPointer := types.Unalias(t).(*types.Pointer); isPointer || marshalMethod(t, "MarshalText") != nil {
			return
		}
		g.report(diagnostic.ClientCopy, token.Position{}, path+": encoding/json doesn't call the MarshalText of a pointer for the value of a map, where the client's copy is a string all the same",
			"give MarshalText a receiver that is no pointer")
	case asKind:
		if g.within(t) {
			return
		}
		switch under := t.Underlying().(type) {
		case *types.Struct:
			for _, f := range jsonFields(under) {
				if !f.throughPointer() {
					g.checkMapValue(f.field().Type(), path+"."+f.field().Name())
				}
			}
		case *types.Array:
			g.checkMapValue(under.Elem(), path+"[]")
		}
	}
}

// encodesItself reports whether t has methods that change how a struct it is
// embedded in is encoded or decoded.
func encodesItself(t types.Type) bool {
	methods := types.NewMethodSet(types.NewPointer(t))
	for _, name := range []string{"MarshalJSON", "MarshalText", "UnmarshalJSON", "UnmarshalText", "MarshalJSONTo", "UnmarshalJSONFrom"} {
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
