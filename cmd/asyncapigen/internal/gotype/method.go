package gotype

import (
	"go/types"

	"github.com/warrenmq/warren/internal/schema"
)

// Method looks into the method sets, as encoding/json does, so that promoted
// methods count and ambiguous ones don't.
func (g goType) Method(m schema.Method) schema.Receiver {
	switch {
	case g.types.has(g.t, m):
		return schema.ValueReceiver
	case g.types.has(types.NewPointer(g.t), m):
		return schema.PointerReceiver
	default:
		return schema.NoReceiver
	}
}

func (ts *Types) has(t types.Type, m schema.Method) bool {
	selection := ts.methods.MethodSet(t).Lookup(nil, m.String())
	if selection == nil {
		return false
	}
	signature, ok := selection.Type().(*types.Signature)
	return ok && hasSignature(signature, m)
}

// hasSignature reports whether s is func() ([]byte, error) for the methods that
// write and func([]byte) error for those that read.
func hasSignature(s *types.Signature, m schema.Method) bool {
	if s.Variadic() {
		return false
	}
	switch m {
	case schema.MarshalJSON, schema.MarshalText:
		return s.Params().Len() == 0 && s.Results().Len() == 2 &&
			isBytes(s.Results().At(0).Type()) && isError(s.Results().At(1).Type())
	case schema.UnmarshalJSON, schema.UnmarshalText:
		return s.Params().Len() == 1 && isBytes(s.Params().At(0).Type()) &&
			s.Results().Len() == 1 && isError(s.Results().At(0).Type())
	case schema.JSONSchema:
		return s.Params().Len() == 0 && s.Results().Len() == 1 && types.Identical(s.Results().At(0).Type(), types.Typ[types.String])
	case schema.ProtoReflect:
		return s.Params().Len() == 0 && s.Results().Len() == 1 && IsProtoMessage(s.Results().At(0).Type())
	default:
		return false
	}
}

// IsProtoMessage reports whether t is protoreflect.Message, which a method ProtoReflect returns.
func IsProtoMessage(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Message" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == schema.ProtoReflectPath
}

func isBytes(t types.Type) bool {
	return types.Identical(t, types.NewSlice(types.Typ[types.Uint8]))
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}
