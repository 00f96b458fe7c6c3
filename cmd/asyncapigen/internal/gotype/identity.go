package gotype

import (
	"fmt"
	"go/types"
	"path/filepath"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/internal/schema"
)

// nameOf returns the name that reflection would give to t.
func nameOf(t types.Type) schema.Name {
	switch t := t.(type) {
	case *types.Basic:
		name := schema.Name{Ident: predeclared(t)}
		if t.Kind() == types.UnsafePointer {
			name.PkgPath, name.Pkg = "unsafe", "unsafe"
		}
		return name
	case *types.Named:
		name := schema.Name{Ident: t.Obj().Name()}
		if pkg := t.Obj().Pkg(); pkg != nil {
			name.PkgPath, name.Pkg = runtimePath(pkg), pkg.Name()
		}
		for arg := range t.TypeArgs().Types() {
			name.Args = append(name.Args, argOf(types.Unalias(arg)))
		}
		return name
	default:
		return schema.Name{}
	}
}

// runtimePath is the path by which the linker knows a package: every command is
// package main.
func runtimePath(pkg *types.Package) string {
	if pkg.Name() == "main" {
		return "main"
	}
	return pkg.Path()
}

// predeclared returns the name of t, for byte and rune that of the integer.
func predeclared(t *types.Basic) string {
	if t.Kind() == types.UnsafePointer {
		return "Pointer"
	}
	return types.Typ[t.Kind()].Name()
}

func argOf(t types.Type) schema.Arg {
	if name := nameOf(t); name.Ident != "" {
		name.Pkg = ""
		return schema.Arg{Name: name}
	}
	arg := schema.Arg{Kind: value.KindOf(t)}
	switch t := t.(type) {
	case *types.Array:
		arg.Len, arg.Elem = t.Len(), argPointer(t.Elem())
	case *types.Map:
		arg.Key, arg.Elem = argPointer(t.Key()), argPointer(t.Elem())
	case *types.Pointer:
		arg.Elem = argPointer(t.Elem())
	case *types.Slice:
		arg.Elem = argPointer(t.Elem())
	case *types.Interface:
		if t.Empty() {
			return schema.Arg{Name: schema.Name{Ident: "any"}}
		}
	}
	return arg
}

func argPointer(t types.Type) *schema.Arg {
	arg := argOf(types.Unalias(t))
	return &arg
}

// identity returns a text that identical types share, even those of different
// universes, and no others.
func (ts *Types) identity(t types.Type) string {
	if id, ok := ts.identities[t]; ok {
		return id
	}
	var id strings.Builder
	ts.writeIdentity(&id, t)
	ts.identities[t] = id.String()
	return ts.identities[t]
}

func (ts *Types) writeIdentity(id *strings.Builder, t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		id.WriteString(predeclared(t))
	case *types.Named:
		ts.writeNamed(id, t)
	case *types.Pointer:
		id.WriteString("*")
		ts.writeIdentity(id, t.Elem())
	case *types.Slice:
		id.WriteString("[]")
		ts.writeIdentity(id, t.Elem())
	case *types.Array:
		fmt.Fprintf(id, "[%d]", t.Len())
		ts.writeIdentity(id, t.Elem())
	case *types.Map:
		id.WriteString("map[")
		ts.writeIdentity(id, t.Key())
		id.WriteString("]")
		ts.writeIdentity(id, t.Elem())
	case *types.Chan:
		fmt.Fprintf(id, "chan(%d) ", t.Dir())
		ts.writeIdentity(id, t.Elem())
	case *types.Struct:
		ts.writeStruct(id, t)
	default:
		// Functions, interfaces and type parameters have no JSON form, so their
		// parts are never asked for.
		id.WriteString(types.TypeString(t, (*types.Package).Path))
	}
}

func (ts *Types) writeNamed(id *strings.Builder, t *types.Named) {
	object := t.Obj()
	if object.Pkg() != nil {
		id.WriteString(object.Pkg().Path() + ".")
	}
	id.WriteString(object.Name())
	if isLocal(object) {
		id.WriteString("@" + ts.declaredAt(object))
	}
	if t.TypeArgs().Len() == 0 {
		return
	}
	id.WriteString("[")
	for arg := range t.TypeArgs().Types() {
		ts.writeIdentity(id, arg)
		id.WriteString(",")
	}
	id.WriteString("]")
}

// declaredAt distinguishes objects of one package and name. It takes the base name
// of the file, because export data may hold another folder than source does.
func (ts *Types) declaredAt(object types.Object) string {
	at := ts.positionOf(object)
	if !at.IsValid() {
		return fmt.Sprint(object.Pos())
	}
	return fmt.Sprintf("%s:%d:%d", filepath.Base(at.Filename), at.Line, at.Column)
}

// isLocal reports whether a type is declared within a function.
func isLocal(object *types.TypeName) bool {
	return object.Pkg() != nil && object.Pkg().Scope().Lookup(object.Name()) != object
}

func (ts *Types) writeStruct(id *strings.Builder, t *types.Struct) {
	id.WriteString("struct{")
	for i := range t.NumFields() {
		f := t.Field(i)
		if !f.Exported() && f.Pkg() != nil {
			id.WriteString(f.Pkg().Path() + ".")
		}
		fmt.Fprintf(id, "%s %t %q ", f.Name(), f.Embedded(), t.Tag(i))
		ts.writeIdentity(id, f.Type())
		id.WriteString(";")
	}
	id.WriteString("}")
}

// docText trims what a comment's text has around it.
func docText(text string) string { return strings.TrimSpace(text) }
