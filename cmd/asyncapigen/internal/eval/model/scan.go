package model

import (
	"fmt"
	"go/constant"
	"go/types"
	"reflect"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// The functions of package fmt that read values from a text, into variables of basic types.
var (
	sscan = scanned(1, func(texts []string, to []any) (int, error) { return fmt.Sscan(texts[0], to...) })

	sscanf = scanned(2, func(texts []string, to []any) (int, error) { return fmt.Sscanf(texts[0], texts[1], to...) })

	sscanln = scanned(1, func(texts []string, to []any) (int, error) { return fmt.Sscanln(texts[0], to...) })
)

// scanned is the model of a function that gets n texts, and pointers to what it sets. It
// sets the variables in their order, up to the one at which it fails.
func scanned(n int, scan func(texts []string, to []any) (int, error)) Function {
	return func(c *Call) (value.Value, bool) {
		texts := make([]string, n)
		for i := range texts {
			text, known := value.TextOf(c.Args[i])
			if !known {
				c.Lacked = c.because(c.Args[i])
				return nil, false
			}
			texts[i] = text
		}
		variables, known := scannable(c.Args[n])
		if !known {
			return nil, false
		}
		mirrors := make([]any, len(variables))
		for i, p := range variables {
			mirrors[i] = reflect.New(value.GoTypes[basicKind(p)]).Interface()
		}
		set, err := scan(texts, mirrors)
		for i, p := range variables[:set] {
			t := value.Pointee(p.Type)
			c.Store(p.To, c.fromGo(reflect.ValueOf(mirrors[i]).Elem(), t), t)
		}
		return value.Tuple{value.NewConst(constant.MakeInt64(int64(set)), intType), c.libraryError(err)}, true
	}
}

// scannable returns the pointers to variables of basic types that a slice holds, and false
// where it holds others. One with the method Scan sets itself. A defined type of floats takes
// more verbs than float64.
func scannable(v value.Value) (pointers []value.Pointer, known bool) {
	all, known := elements(v)
	for _, v := range all {
		p, isPointer := v.(value.Pointer)
		if !isPointer || value.GoTypes[basicKind(p)] == nil || lookupIn(p.Type, "Scan") != nil || isDefinedFloat(value.Pointee(p.Type)) {
			return nil, false
		}
		pointers = append(pointers, p)
	}
	return pointers, known
}

func isDefinedFloat(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	basic, ok := named.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsFloat != 0
}

// basicKind returns the kind of the basic type that a pointer's variable has, and Invalid
// where it has another one.
func basicKind(p value.Pointer) types.BasicKind {
	if basic, ok := value.Pointee(p.Type).Underlying().(*types.Basic); ok {
		return basic.Kind()
	}
	return types.Invalid
}

// libraryError is the error that a function of this program has made, which calls none of
// the program's.
func (c *Call) libraryError(err error) value.Value {
	v := c.errorOf(err)
	if u, isUnknown := v.(*value.Unknown); isUnknown {
		u.Library = true
	}
	return v
}
