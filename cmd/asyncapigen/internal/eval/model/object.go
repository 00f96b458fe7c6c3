package model

import (
	"go/constant"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A libraryType is a defined type that the library doesn't export, such as that
// of the errors that errors.New makes. It is made here with the methods that
// the running program's has, so that a value of it answers type assertions, is
// compared and is formatted as any other. Its methods have models in the table.
type libraryType struct {
	named   *types.Named
	pointer *types.Pointer
}

// field is a field of a libraryType.
type field struct {
	name string
	typ  types.Type
}

// method is a method with a pointer receiver of a libraryType.
type method struct {
	name            string
	params, results []types.Type
}

var (
	errorType   = types.Universe.Lookup("error").Type()
	stringType  = types.Typ[types.String]
	intType     = types.Typ[types.Int]
	boolType    = types.Typ[types.Bool]
	bytesType   = types.NewSlice(types.Typ[types.Byte])
	errorsType  = types.NewSlice(errorType)
	stringsType = types.NewSlice(stringType)
	anyType     = types.Universe.Lookup("any").Type()
)

func newLibraryType(path, name string, fields []field, methods ...method) libraryType {
	pkg := types.NewPackage(path, path[lastSlash(path)+1:])
	vars := make([]*types.Var, len(fields))
	for i, f := range fields {
		vars[i] = types.NewField(token.NoPos, pkg, f.name, f.typ, false)
	}
	named := types.NewNamed(types.NewTypeName(token.NoPos, pkg, name, nil), types.NewStruct(vars, nil), nil)
	t := libraryType{named: named, pointer: types.NewPointer(named)}
	for _, m := range methods {
		recv := types.NewVar(token.NoPos, pkg, "", t.pointer)
		sig := types.NewSignatureType(recv, nil, nil, tupleOf(m.params), tupleOf(m.results), false)
		named.AddMethod(types.NewFunc(token.NoPos, pkg, m.name, sig))
	}
	return t
}

func lastSlash(path string) int {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return i
		}
	}
	return -1
}

func tupleOf(all []types.Type) *types.Tuple {
	vars := make([]*types.Var, len(all))
	for i, t := range all {
		vars[i] = types.NewParam(token.NoPos, nil, "", t)
	}
	return types.NewTuple(vars...)
}

// with returns a pointer to a new value of the type with these fields.
func (t libraryType) with(fields ...value.Value) value.Pointer {
	s := &value.Struct{Type: t.named, Fields: make([]*value.Cell, len(fields))}
	for i, v := range fields {
		s.Fields[i] = value.NewCell(v)
	}
	return value.Pointer{Type: t.pointer, To: value.NewCell(s)}
}

// fieldOf returns a field of the receiver, nil where the receiver isn't known.
func (c *Call) fieldOf(i int) *value.Cell {
	p, ok := c.Fn.Recv.(value.Pointer)
	if !ok {
		return nil
	}
	s, ok := p.Load().(*value.Struct)
	if !ok {
		return nil
	}
	return s.Fields[i]
}

// pointedStruct returns the struct behind a pointer, nil where it isn't known.
func pointedStruct(v value.Value) *value.Struct {
	s, _ := value.BehindPointer(v).(*value.Struct)
	return s
}

// fieldNamed returns a field of a struct by its name, nil where it has none.
func fieldNamed(s *value.Struct, name string) *value.Cell {
	u, ok := s.Type.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	i := value.FieldIndex(u, name)
	if i < 0 {
		return nil
	}
	return s.Fields[i]
}

// setField sets a field of the struct behind a pointer, if it has one of this name.
func (c *Call) setField(p value.Value, name string, v value.Value) {
	if cell := fieldNamed(pointedStruct(p), name); cell != nil {
		c.Set(cell, v)
	}
}

// loaded returns what a field holds, nil where there is none.
func loaded(s *value.Struct, name string) value.Value {
	if cell := fieldNamed(s, name); cell != nil {
		return cell.Load()
	}
	return nil
}

// loadField is the model of a method that returns a field of its receiver.
func loadField(i int) Function {
	return func(c *Call) (value.Value, bool) {
		cell := c.fieldOf(i)
		if cell == nil {
			return nil, false
		}
		return cell.Load(), true
	}
}

// newSlice returns a slice of its own with the values.
func newSlice(t types.Type, values ...value.Value) value.Value {
	if len(values) == 0 {
		return value.Nil{Type: t}
	}
	s := &value.Slice{Type: t, Elems: make([]*value.Cell, len(values))}
	for i, v := range values {
		s.Elems[i] = value.NewCell(v)
	}
	return s
}

// elements returns what a slice holds, and false where it isn't known.
func elements(v value.Value) ([]value.Value, bool) {
	switch v := v.(type) {
	case value.Nil, nil:
		return nil, true
	case *value.Slice:
		all := make([]value.Value, len(v.Elems))
		for i, cell := range v.Elems {
			all[i] = cell.Load()
		}
		return all, true
	default:
		return nil, false
	}
}

func boolean(b bool) value.Value { return value.NewConst(constant.MakeBool(b), boolType) }
