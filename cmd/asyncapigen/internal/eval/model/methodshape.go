package model

import (
	"go/types"
	"slices"
	"strings"
)

// shapes are the signatures by which the library calls methods, through interfaces, by
// their names: what they get and what they give. Of other names any signature is called.
var shapes = map[string][]string{
	"AppendText":  {"[]uint8 -> []uint8, error"},
	"As":          {"any -> bool"},
	"Enabled":     {"context.Context, log/slog.Level -> bool"},
	"Error":       {" -> string"},
	"Format":      {"fmt.State, int32 -> "},
	"GoString":    {" -> string"},
	"Handle":      {"context.Context, log/slog.Record -> error"},
	"Is":          {"error -> bool"},
	"IsZero":      {" -> bool"},
	"LogValue":    {" -> log/slog.Value"},
	"MarshalJSON": {" -> []uint8, error"},
	"MarshalText": {" -> []uint8, error"},
	"Read":        {"[]uint8 -> int, error"},
	"String":      {" -> string"},
	"Unwrap":      {" -> error", " -> []error"},
	"WithAttrs":   {"[]log/slog.Attr -> log/slog.Handler"},
	"WithGroup":   {"string -> log/slog.Handler"},
	"Write":       {"[]uint8 -> int, error"},
}

// IsCalled reports whether the library may call a method that it calls by its name: one
// with another signature has only that name.
func IsCalled(method *types.Func) bool {
	want, ok := shapes[method.Name()]
	shape := shapeOf(method.Signature())
	return !ok || slices.Contains(want, shape) || strings.Contains(shape, parameterShape)
}

func shapeOf(sig *types.Signature) string {
	list := func(of *types.Tuple) string {
		var texts []string
		for v := range of.Variables() {
			texts = append(texts, shapeOfType(v.Type()))
		}
		return strings.Join(texts, ", ")
	}
	shape := list(sig.Params()) + " -> " + list(sig.Results())
	if sig.Variadic() {
		return "..." + shape
	}
	return shape
}

// parameterShape stands for a type parameter.
const parameterShape = "?"

// shapeOfType names a type, whichever of its names the source has.
func shapeOfType(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return types.Typ[t.Kind()].Name()
	case *types.Slice:
		return "[]" + shapeOfType(t.Elem())
	case *types.TypeParam:
		return parameterShape
	case *types.Interface:
		if t.Empty() {
			return "any"
		}
	}
	return types.TypeString(types.Unalias(t), nil)
}
