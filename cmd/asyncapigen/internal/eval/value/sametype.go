package value

import (
	"fmt"
	"go/types"
	"reflect"
)

// SameType reports whether two types are identical. A type of a package may have
// been read twice, from export data and from source: those count as one, by their
// names. Types that functions declare don't: two of one name are two types.
func SameType(a, b types.Type) bool {
	if a == nil || b == nil {
		return a == b
	}
	return types.Identical(a, b) || looksAlike(a, b) && TypeKey(a) == TypeKey(b)
}

// looksAlike reports whether two types may have the same key: it looks at their outermost
// parts, which tell most types apart, and takes no memory.
func looksAlike(a, b types.Type) bool {
	a, b = types.Unalias(a), types.Unalias(b)
	switch a := a.(type) {
	case *types.Basic:
		b, ok := b.(*types.Basic)
		return ok && a.Kind() == b.Kind()
	case *types.Named:
		b, ok := b.(*types.Named)
		return ok && a.Obj().Name() == b.Obj().Name() && a.TypeArgs().Len() == b.TypeArgs().Len()
	case *types.Pointer:
		b, ok := b.(*types.Pointer)
		return ok && looksAlike(a.Elem(), b.Elem())
	case *types.Slice:
		b, ok := b.(*types.Slice)
		return ok && looksAlike(a.Elem(), b.Elem())
	case *types.Map:
		b, ok := b.(*types.Map)
		return ok && looksAlike(a.Key(), b.Key()) && looksAlike(a.Elem(), b.Elem())
	default:
		return reflect.TypeOf(a) == reflect.TypeOf(b)
	}
}

// TypeKey returns a text that two types have in common if they are one.
func TypeKey(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return types.Typ[t.Kind()].Name()
	case *types.Named:
		if t.TypeArgs().Len() == 0 {
			return objectKey(t.Obj())
		}
	}
	var k typeKey
	k.write(t)
	return string(k)
}

// objectKey is the name of a defined type; that of one which a function declares
// has its position, by which it differs from others of the name.
func objectKey(obj *types.TypeName) string {
	switch pkg := obj.Pkg(); {
	case pkg == nil:
		return obj.Name()
	case obj.Parent() == pkg.Scope():
		return pkg.Path() + "." + obj.Name()
	default:
		return fmt.Sprintf("%s.%s@%d", pkg.Path(), obj.Name(), obj.Pos())
	}
}

// typeKey is the text of a type as it is written.
type typeKey []byte

func (k *typeKey) text(format string, args ...any) { *k = fmt.Appendf(*k, format, args...) }

// write adds a type. It is long but flat: a case for each kind of type.
func (k *typeKey) write(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		k.text("%s", types.Typ[t.Kind()].Name())
	case *types.Named:
		k.text("%s", objectKey(t.Obj()))
		for arg := range t.TypeArgs().Types() {
			k.text("[")
			k.write(arg)
			k.text("]")
		}
	case *types.Pointer:
		k.text("*")
		k.write(t.Elem())
	case *types.Slice:
		k.text("[]")
		k.write(t.Elem())
	case *types.Array:
		k.text("[%d]", t.Len())
		k.write(t.Elem())
	case *types.Chan:
		k.text("chan%d ", t.Dir())
		k.write(t.Elem())
	case *types.Map:
		k.text("map[")
		k.write(t.Key())
		k.text("]")
		k.write(t.Elem())
	case *types.Signature:
		k.text("func%t", t.Variadic())
		k.write(t.Params())
		k.write(t.Results())
	case *types.Tuple:
		k.text("(")
		for v := range t.Variables() {
			k.write(v.Type())
			k.text(",")
		}
		k.text(")")
	case *types.Struct:
		k.structure(t)
	case *types.Interface:
		k.interfaceType(t)
	default: // a type parameter, a union
		k.text("%s", types.TypeString(t, nil))
	}
}

func (k *typeKey) structure(t *types.Struct) {
	k.text("struct{")
	for i := range t.NumFields() {
		field := t.Field(i)
		k.text("%s %t ", field.Id(), field.Embedded())
		k.write(field.Type())
		k.text(" %q;", t.Tag(i))
	}
	k.text("}")
}

func (k *typeKey) interfaceType(t *types.Interface) {
	k.text("interface{")
	if !t.IsMethodSet() { // a constraint
		k.text("%s", types.TypeString(t, nil))
	}
	for method := range t.Methods() {
		k.text("%s", method.Id())
		k.write(method.Type())
		k.text(";")
	}
	k.text("}")
}
