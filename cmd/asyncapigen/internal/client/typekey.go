package client

import (
	"fmt"
	"go/types"
	"strings"
)

// typeKey identifies a type by what it is called and made of. Pointers don't
// do, because one program may hold a type twice, from its source and from
// export data. Types that are local to functions are distinguished by position.
func typeKey(t types.Type) string {
	var key strings.Builder
	writeKey(&key, t)
	return key.String()
}

func writeKey(key *strings.Builder, t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		writeNamedKey(key, t)
	case *types.Pointer:
		key.WriteString("*")
		writeKey(key, t.Elem())
	case *types.Slice:
		key.WriteString("[]")
		writeKey(key, t.Elem())
	case *types.Array:
		fmt.Fprintf(key, "[%d]", t.Len())
		writeKey(key, t.Elem())
	case *types.Map:
		key.WriteString("map[")
		writeKey(key, t.Key())
		key.WriteString("]")
		writeKey(key, t.Elem())
	case *types.Struct:
		writeStructKey(key, t)
	default:
		key.WriteString(types.TypeString(t, (*types.Package).Path))
	}
}

func writeNamedKey(key *strings.Builder, t *types.Named) {
	obj := t.Obj()
	if obj.Pkg() != nil {
		key.WriteString(obj.Pkg().Path() + ".")
	}
	key.WriteString(obj.Name())
	if isLocal(obj) {
		fmt.Fprintf(key, "@%d", obj.Pos())
	}
	if t.TypeArgs().Len() == 0 {
		return
	}
	key.WriteString("[")
	for arg := range t.TypeArgs().Types() {
		writeKey(key, arg)
		key.WriteString(",")
	}
	key.WriteString("]")
}

func writeStructKey(key *strings.Builder, t *types.Struct) {
	key.WriteString("struct{")
	for i := range t.NumFields() {
		field := t.Field(i)
		fmt.Fprintf(key, "%s %t ", field.Id(), field.Embedded())
		writeKey(key, field.Type())
		fmt.Fprintf(key, " %q;", t.Tag(i))
	}
	key.WriteString("}")
}
