package model

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/types"
	"reflect"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// typeValue is a reflect.Type: programs name queues after the types of their
// messages.
type typeValue struct{ t types.Type }

// Described implements [value.Describing].
func (v typeValue) Described() types.Type { return v.t }

// TypeValue returns the reflect.Type of a type.
func TypeValue(t types.Type) value.Value { return typeValue{t} }

func typeFor(c *Call) (value.Value, bool) {
	if len(c.Fn.TArgs) == 1 {
		return typeValue{c.Fn.TArgs[0]}, true
	}
	return nil, false
}

func typeOfValue(c *Call) (value.Value, bool) {
	if t := value.TypeOf(c.Args[0]); t != nil && !value.IsUntyped(t) && !types.IsInterface(t) {
		return typeValue{t}, true
	}
	return nil, false
}

// typeMethod is the model of a method of reflect.Type.
func typeMethod(of func(types.Type) (value.Value, bool)) Function {
	return func(c *Call) (value.Value, bool) {
		recv, ok := c.Fn.Recv.(typeValue)
		if !ok {
			return nil, false
		}
		if v, ok := of(types.Unalias(recv.t)); ok {
			return v, true
		}
		c.Risk(c.At)
		return value.UnknownResult(c.At), true
	}
}

var (
	typeElem = typeMethod(func(t types.Type) (value.Value, bool) {
		elem, ok := t.Underlying().(interface{ Elem() types.Type })
		if !ok {
			return nil, false
		}
		return typeValue{elem.Elem()}, true
	})

	typePkgPath = typeMethod(func(t types.Type) (value.Value, bool) {
		if basic, ok := t.(*types.Basic); ok && basic.Kind() == types.UnsafePointer {
			return text("unsafe"), true
		}
		named, _ := t.(*types.Named)
		if named == nil || named.Obj().Pkg() == nil {
			return text(""), true
		}
		return text(linkedPath(named.Obj().Pkg())), true
	})

	typeName = typeMethod(func(t types.Type) (value.Value, bool) {
		if basic, ok := t.(*types.Basic); ok {
			return text(types.Typ[basic.Kind()].Name()), true
		}
		if _, ok := t.(*types.Named); !ok {
			return text(""), true
		}
		name, ok := reflectName(t)
		return text(withoutPackage(name)), ok
	})

	typeComparable = typeMethod(func(t types.Type) (value.Value, bool) { return boolean(types.Comparable(t)), true })

	typeString = typeMethod(func(t types.Type) (value.Value, bool) {
		name, ok := reflectName(t)
		return text(name), ok
	})
)

// typeNumField is the model of the NumField of a reflect.Type.
var typeNumField = typeMethod(func(t types.Type) (value.Value, bool) {
	u, isStruct := t.Underlying().(*types.Struct)
	if !isStruct {
		return nil, false
	}
	return integer(u.NumFields()), true
})

// typeField is the model of the Field of a reflect.Type.
func typeField(c *Call) (value.Value, bool) {
	return typeMethod(func(t types.Type) (value.Value, bool) {
		u, isStruct := t.Underlying().(*types.Struct)
		i, known := value.IntOf(c.Args[0])
		if !isStruct || !known || i < 0 || i >= u.NumFields() {
			return nil, false
		}
		return structField(c, u, i), true
	})(c)
}

// typeFieldByName is the model of the FieldByName of a reflect.Type.
func typeFieldByName(c *Call) (value.Value, bool) {
	recv, ok := c.Fn.Recv.(typeValue)
	name, known := value.TextOf(c.Args[0])
	if !ok || !known {
		return nil, false
	}
	u, isStruct := recv.t.Underlying().(*types.Struct)
	if !isStruct {
		return nil, false
	}
	of, i, known := fieldByName(u, name)
	switch {
	case !known:
		return nil, false
	case of == nil:
		return value.Tuple{c.Zero(structFieldType(c)), boolean(false)}, true
	}
	return value.Tuple{structField(c, of, i), boolean(true)}, true
}

// fieldByName returns the field with a name of a struct or of one that is embedded in it, and
// the struct that it is of: nil where no one has it, or several of one depth have. It reports
// false where a struct is met twice.
func fieldByName(u *types.Struct, name string) (of *types.Struct, i int, known bool) {
	if i := value.FieldIndex(u, name); i >= 0 {
		return u, i, true
	}
	met := make(map[string]bool)
	for level := []*types.Struct{u}; len(level) > 0; {
		var next []*types.Struct
		found := 0
		for _, at := range level {
			for j := range at.NumFields() {
				field := at.Field(j)
				if field.Name() == name {
					of, i = at, j
					found++
				}
				t := cmp.Or(value.Pointee(field.Type()), field.Type())
				embedded, isStruct := t.Underlying().(*types.Struct)
				if !field.Embedded() || !isStruct {
					continue
				}
				if met[value.TypeKey(t)] {
					return nil, 0, false
				}
				met[value.TypeKey(t)] = true
				next = append(next, embedded)
			}
		}
		if found > 1 {
			return nil, 0, true
		}
		if found == 1 {
			return of, i, true
		}
		level = next
	}
	return nil, 0, true
}

// structField returns the reflect.StructField of a field. Where it is depends on the machine.
func structField(c *Call, u *types.Struct, i int) value.Value {
	field := u.Field(i)
	known := map[string]value.Value{
		"Name": text(field.Name()), "PkgPath": text(""), "Type": typeValue{field.Type()}, "Tag": text(u.Tag(i)), "Anonymous": boolean(field.Embedded()),
	}
	if !field.Exported() {
		known["PkgPath"] = text(linkedPath(field.Pkg()))
	}
	s := c.Zero(structFieldType(c)).(*value.Struct)
	for part := range s.Type.Underlying().(*types.Struct).Fields() {
		v := known[part.Name()]
		if v == nil {
			v = value.UnknownAt(c.At.Pos(), "the "+part.Name()+" of "+value.Source(c.At))
		}
		c.setField(s, part.Name(), value.Retyped(v, part.Type()))
	}
	return s
}

// structFieldType returns the type reflect.StructField, the first result of a call.
func structFieldType(c *Call) types.Type { return c.Fn.Obj.Signature().Results().At(0).Type() }

// fieldIsExported is the model of the IsExported of a reflect.StructField.
func fieldIsExported(c *Call) (value.Value, bool) {
	s, isStruct := c.Fn.Recv.(*value.Struct)
	if !isStruct {
		return nil, false
	}
	pkg := loaded(s, "PkgPath")
	path, known := value.TextOf(pkg)
	if !known {
		return c.because(pkg), true
	}
	return boolean(path == ""), true
}

// typeKind is the model of the Kind of a reflect.Type.
func typeKind(c *Call) (value.Value, bool) {
	recv, ok := c.Fn.Recv.(typeValue)
	if !ok {
		return nil, false
	}
	kind := value.KindOf(recv.t)
	if kind == reflect.Invalid {
		return value.UnknownResult(c.At), true
	}
	return value.NewConst(constant.MakeInt64(int64(kind)), c.Fn.Obj.Signature().Results().At(0).Type()), true
}

func text(s string) value.Value {
	return value.NewConst(constant.MakeString(s), types.Typ[types.String])
}

// withoutPackage returns the Name[args] of "pkg.Name[args]".
func withoutPackage(name string) string {
	before, _, _ := strings.Cut(name, "[")
	return name[strings.LastIndexByte(before, '.')+1:]
}

// linkedPath is the path by which the linker knows a package.
func linkedPath(pkg *types.Package) string {
	if pkg.Name() == "main" {
		return "main"
	}
	return pkg.Path()
}

// reflectName returns what a reflect.Type's String method does, and false for
// types that it writes in ways of its own.
func reflectName(t types.Type) (string, bool) {
	t = types.Unalias(types.Default(t))
	switch t := t.(type) {
	case *types.Basic:
		return types.Typ[t.Kind()].String(), t.Info()&types.IsUntyped == 0
	case *types.Interface:
		return "interface {}", t.NumMethods() == 0 && t.NumEmbeddeds() == 0
	case *types.Struct:
		return "struct {}", t.NumFields() == 0
	case *types.Array:
		name, ok := reflectName(t.Elem())
		return fmt.Sprintf("[%d]%s", t.Len(), name), ok
	case *types.Pointer:
		name, ok := reflectName(t.Elem())
		return "*" + name, ok
	case *types.Slice:
		name, ok := reflectName(t.Elem())
		return "[]" + name, ok
	case *types.Map:
		key, ok1 := reflectName(t.Key())
		elem, ok2 := reflectName(t.Elem())
		return "map[" + key + "]" + elem, ok1 && ok2
	case *types.Named:
		return reflectNamed(t)
	default:
		return "", false
	}
}

func reflectNamed(t *types.Named) (string, bool) {
	name := t.Obj().Name()
	if pkg := t.Obj().Pkg(); pkg != nil {
		name = pkg.Name() + "." + name
	}
	args, ok := argumentNames(t)
	return name + args, ok
}

// argumentNames returns the type arguments of a type as in its name, and false where the
// compiler writes one in a way of its own.
func argumentNames(t *types.Named) (string, bool) {
	var names []string
	for arg := range t.TypeArgs().Types() {
		name, ok := argumentName(types.Unalias(arg))
		if !ok {
			return "", false
		}
		names = append(names, name)
	}
	if names == nil {
		return "", true
	}
	return "[" + strings.Join(names, ",") + "]", true
}

// argumentName is the name of a basic or a defined type as an argument. To the name of one
// that is declared in a function, the compiler adds a number.
func argumentName(t types.Type) (string, bool) {
	named, ok := t.(*types.Named)
	if !ok {
		_, ok = t.(*types.Basic)
		name, known := reflectName(t)
		return name, ok && known
	}
	name := named.Obj().Name()
	if pkg := named.Obj().Pkg(); pkg != nil {
		if named.Obj().Parent() != pkg.Scope() {
			return "", false
		}
		name = escapedPath(linkedPath(pkg)) + "." + name
	}
	args, ok := argumentNames(named)
	return name + args, ok
}

// escapedPath is a path as in the names of symbols, where a dot ends it
// (cmd/internal/objabi.PathToPrefix).
func escapedPath(path string) string {
	last := strings.LastIndexByte(path, '/') + 1
	return path[:last] + strings.ReplaceAll(path[last:], ".", "%2e")
}
