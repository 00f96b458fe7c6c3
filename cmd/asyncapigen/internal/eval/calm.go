package eval

import (
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Whether some functions of the standard library panic is told by their arguments.

// isCalm reports whether a function that isn't entered doesn't panic for arguments.
func (ev *Evaluator) isCalm(fn *value.Func, args []value.Value) bool {
	if fn == nil || !ev.recoverable() {
		return false
	}
	switch fn.Obj.FullName() {
	case "(*text/template.Template).Funcs":
		return value.IsNonNil(fn.Recv) && model.AreTemplateFuncs(args[0])
	case "encoding/json.Marshal", "encoding/json.MarshalIndent", "encoding/json.Unmarshal":
		return ev.codesByItself(fn.Obj.Signature().Params(), args)
	case "(context.Context).Deadline", "(context.Context).Done", "(context.Context).Err":
		return isLibraryContext(fn.Recv)
	case "(context.Context).Value":
		return isLibraryContext(fn.Recv) && isPlain(args[0])
	default:
		return makesContext(fn, args) || ev.logsCalmly(fn, args)
	}
}

// makesContext reports whether a function of the standard library makes a context of its
// own, of such a one: no code of the program is called by it, then or later.
func makesContext(fn *value.Func, args []value.Value) bool {
	if fn == nil {
		return false
	}
	switch fn.Obj.FullName() {
	case "context.Background", "context.TODO":
		return true
	case "context.WithCancel", "context.WithCancelCause", "context.WithDeadline", "context.WithDeadlineCause",
		"context.WithTimeout", "context.WithTimeoutCause", "context.WithoutCancel", "os/signal.NotifyContext":
		return isLibraryContext(args[0])
	case "context.WithValue":
		return isLibraryContext(args[0]) && isPlain(args[1]) && isPlain(args[2])
	default:
		return false
	}
}

// isLibraryContext reports whether a context is the standard library's own.
func isLibraryContext(v value.Value) bool {
	u, ok := v.(*value.Unknown)
	return ok && u.Library && u.NonNil
}

// isCancel reports whether a function cancels such a context.
func isCancel(v value.Value) bool {
	u, ok := v.(*value.Unknown)
	return ok && u.Library && u.Closure && u.NonNil
}

// isPlain reports whether a value can be compared, and has no methods.
func isPlain(v value.Value) bool {
	switch v := v.(type) {
	case value.Const:
	case *value.Struct:
		if len(v.Fields) > 0 {
			return false
		}
	default:
		return false
	}
	return types.NewMethodSet(value.TypeOf(v)).Len() == 0
}

// codesByItself reports whether encoding/json calls no method of the types that arguments
// are made of, and lead to: it panics only where one of them does.
func (ev *Evaluator) codesByItself(params *types.Tuple, args []value.Value) bool {
	ok := true
	visit := func(v value.Value, t types.Type) {
		u, isUnknown := v.(*value.Unknown)
		switch {
		case !isUnknown:
			t = typeOrInvalid(v)
		case u.Type != nil:
			t = u.Type
		}
		for part := range PartsOf(t) {
			ok = ok && !codesItself(part) && !(isUnknown && types.IsInterface(part))
		}
	}
	return ev.eachVariable(params, args, visit) && ok
}

// codesItself reports whether a type has methods that encoding/json calls, but for
// those that panic for nothing. A struct has those of what it embeds, which may be nil.
func codesItself(t types.Type) bool {
	switch t := t.(type) {
	case *types.Named:
		if types.IsInterface(t) || t.Obj().Pkg() != nil && calmPackages[t.Obj().Pkg().Path()] {
			return false
		}
	case *types.Struct:
	default:
		return false
	}
	methods := types.NewMethodSet(types.NewPointer(t))
	return slices.ContainsFunc(jsonMethods, func(name string) bool { return methods.Lookup(nil, name) != nil })
}

// calmPackages have types whose methods encode and decode, and panic for nothing.
var calmPackages = map[string]bool{"encoding/json": true, "time": true}

// jsonMethods are the methods that encoding/json calls, of version 2 too.
var jsonMethods = []string{
	"AppendText", "IsZero", "MarshalJSON", "MarshalJSONTo", "MarshalText", "UnmarshalJSON", "UnmarshalJSONFrom", "UnmarshalText",
}
