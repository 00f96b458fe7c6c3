package eval

import (
	"go/types"
	"iter"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// isReadType reports whether a type is declared by the program, or by another module's
// package that is read.
func (ev *Evaluator) isReadType(named *types.Named) bool {
	if named.Obj().Pkg() == nil {
		return false
	}
	path := named.Obj().Pkg().Path()
	return ev.program.IsOwn(path) || ev.foreign.needed[path] && !ev.program.InStandardLibrary(path)
}

func typeOrInvalid(v value.Value) types.Type {
	if t := value.TypeOf(v); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}

// signatureOf returns that of a function, nil where it isn't known.
func signatureOf(fn *value.Func) *types.Signature {
	switch {
	case fn.Type != nil:
		sig, _ := fn.Type.Underlying().(*types.Signature)
		return sig
	case fn.Obj != nil:
		return fn.Obj.Signature()
	default:
		return nil
	}
}

// PartsOf returns a type and those of what its values consist of or point to, each once.
func PartsOf(t types.Type) iter.Seq[types.Type] {
	return func(yield func(types.Type) bool) {
		seen := make(map[types.Type]bool)
		var visit func(t types.Type) bool
		visit = func(t types.Type) bool {
			t = types.Unalias(t)
			if seen[t] {
				return true
			}
			seen[t] = true
			if !yield(t) {
				return false
			}
			switch u := t.Underlying().(type) {
			case *types.Struct:
				for field := range u.Fields() {
					if !visit(field.Type()) {
						return false
					}
				}
				return true
			case *types.Map:
				return visit(u.Key()) && visit(u.Elem())
			case interface{ Elem() types.Type }:
				return visit(u.Elem())
			default:
				return true
			}
		}
		visit(t)
	}
}

// eachNamed visits the named types of which the parameters and results of a function are
// made.
func eachNamed(sig *types.Signature, visit func(*types.TypeName)) {
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			namesIn(v.Type(), visit)
		}
	}
}

// namesIn visits the named types that a type is made of.
func namesIn(t types.Type, visit func(*types.TypeName)) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		visit(t.Obj())
		for arg := range t.TypeArgs().Types() {
			namesIn(arg, visit)
		}
	case *types.Map:
		namesIn(t.Key(), visit)
		namesIn(t.Elem(), visit)
	case *types.Signature:
		eachNamed(t, visit)
	case interface{ Elem() types.Type }:
		namesIn(t.Elem(), visit)
	}
}
