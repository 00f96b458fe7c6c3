package discover

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// typeValue is a reflect.Type: programs name queues after the types of their
// messages.
type typeValue struct{ t types.Type }

// reflected evaluates what package reflect says of a type's name.
func (in *interp) reflected(at ast.Expr, name string, fn *Func, args []Value) (Value, bool) {
	switch name {
	case "reflect.TypeFor":
		if len(fn.TArgs) == 1 {
			return typeValue{fn.TArgs[0]}, true
		}
	case "reflect.TypeOf":
		if t := typeOf(args[0]); t != nil && !isUntyped(t) && !types.IsInterface(t) {
			return typeValue{t}, true
		}
	case "(reflect.Type).Name", "(reflect.Type).String", "(reflect.Type).PkgPath", "(reflect.Type).Elem":
		if v, ok := fn.Recv.(typeValue); ok {
			return in.ofType(at, name, v.t), true
		}
	}
	return nil, false
}

func (in *interp) ofType(at ast.Expr, method string, t types.Type) Value {
	text := func(s string) Value { return constOf(constant.MakeString(s), types.Typ[types.String]) }
	t = types.Unalias(t)
	named, _ := t.(*types.Named)
	switch method {
	case "(reflect.Type).Elem":
		if elem, ok := t.Underlying().(interface{ Elem() types.Type }); ok {
			return typeValue{elem.Elem()}
		}
	case "(reflect.Type).PkgPath":
		if named == nil || named.Obj().Pkg() == nil {
			return text("")
		}
		return text(linkedPath(named.Obj().Pkg()))
	case "(reflect.Type).Name":
		basic, isBasic := t.(*types.Basic)
		switch name, ok := reflectName(t); {
		case isBasic:
			return text(types.Typ[basic.Kind()].Name())
		case named == nil:
			return text("")
		case ok:
			_, name = cutPackage(name)
			return text(name)
		}
	case "(reflect.Type).String":
		if name, ok := reflectName(t); ok {
			return text(name)
		}
	}
	return in.unknown(at.Pos(), "the result of "+source(at))
}

// cutPackage splits "pkg.Name[args]".
func cutPackage(name string) (pkg, rest string) {
	before, _, _ := strings.Cut(name, "[")
	if i := strings.LastIndexByte(before, '.'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return "", name
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
	t = types.Unalias(t)
	switch t := t.(type) {
	case *types.Basic:
		return types.Typ[t.Kind()].Name(), t.Info()&types.IsUntyped == 0
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
	var args []string
	for arg := range t.TypeArgs().Types() {
		switch types.Unalias(arg).(type) {
		case *types.Basic, *types.Named:
		default:
			return "", false
		}
		args = append(args, types.TypeString(types.Unalias(arg), linkedPath))
	}
	if len(args) > 0 {
		name += "[" + strings.Join(args, ",") + "]"
	}
	return name, true
}

// withTypeNames writes the names of types into a format in place of the verb
// %T, and drops its operands. It reports false for what it doesn't follow.
func withTypeNames(args []Value) ([]Value, bool) {
	format, known := textOf(args[0])
	list, isSlice := args[1].(*Slice)
	if !known || !isSlice || !strings.Contains(format, "T") {
		return args, true
	}
	var text strings.Builder
	operands := list.Elems
	kept := &Slice{Type: list.Type}
	for {
		before, rest, found := strings.Cut(format, "%")
		text.WriteString(before)
		if !found {
			kept.Elems = append(kept.Elems, operands...)
			return []Value{constOf(constant.MakeString(text.String()), types.Typ[types.String]), kept}, true
		}
		n := len(rest) - len(strings.TrimLeft(rest, "+-# 0123456789."))
		switch {
		case n == len(rest) || rest[n] == '[' || rest[n] == '*' || rest[n] != '%' && len(operands) == 0:
			return nil, false
		case rest[n] == '%':
			text.WriteString("%" + rest[:n+1])
		case rest[n] == 'T':
			t := typeOf(operands[0].v)
			if t == nil || n > 0 {
				return nil, false
			}
			name, ok := reflectName(t)
			if !ok {
				return nil, false
			}
			text.WriteString(name)
			operands = operands[1:]
		default:
			text.WriteString("%" + rest[:n+1])
			kept.Elems = append(kept.Elems, operands[0])
			operands = operands[1:]
		}
		format = rest[n+1:]
	}
}
