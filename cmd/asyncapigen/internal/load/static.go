package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
)

// isStatic reports whether the package of the files named has no init function with a body,
// and the compiler knows the values of its variables, so that no code has to run for them. A
// call counts as such code, though the compiler may do what a short function does. A file
// that can't be read isn't static.
// Source: staticinit of the compiler, and which packages have an inittask then.
func isStatic(names []string) bool {
	s := staticValues{variables: make(map[string]bool), types: make(map[string]ast.Expr)}
	for _, name := range names {
		if text, err := os.ReadFile(name); err != nil || !s.read(text) {
			return false
		}
	}
	return !slices.ContainsFunc(s.values, func(value ast.Expr) bool { return !s.isKnown(value) })
}

// staticValues are the values of the variables of a package, with the names that they may use.
type staticValues struct {
	variables map[string]bool
	types     map[string]ast.Expr
	values    []ast.Expr
}

// read takes the declarations of a file, and reports whether it has no init function, and no
// names of another package that look like its own.
func (s *staticValues) read(text []byte) bool {
	if !bytes.Contains(text, []byte("var")) && !bytes.Contains(text, []byte("init")) && !bytes.Contains(text, []byte("type")) {
		return true
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil || slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Name != nil && i.Name.Name == "." }) {
		return false
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil && decl.Name.Name == "init" && decl.Body != nil && len(decl.Body.List) > 0 {
				return false
			}
		case *ast.GenDecl:
			s.declare(decl)
		}
	}
	return true
}

func (s *staticValues) declare(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.types[spec.Name.Name] = spec.Type
		case *ast.ValueSpec:
			if decl.Tok != token.VAR {
				continue
			}
			for _, name := range spec.Names {
				s.variables[name.Name] = true
			}
			s.values = append(s.values, spec.Values...)
		}
	}
}

// isKnown reports whether the compiler knows what an expression gives: a constant, another
// variable, a function, what is made of them, or a pointer to it.
func (s *staticValues) isKnown(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident, *ast.FuncLit:
		return true
	case *ast.ParenExpr:
		return s.isKnown(x.X)
	case *ast.SelectorExpr: // a method of a type
		return s.isType(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return s.isKnown(x.X)
		}
	case *ast.CompositeLit:
		return !s.isMap(x.Type) && !slices.ContainsFunc(x.Elts, func(element ast.Expr) bool {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				element = pair.Value
			}
			return !s.isKnown(element)
		})
	case *ast.CallExpr:
		if len(x.Args) == 1 && s.isType(x.Fun) {
			return s.isKnown(x.Args[0])
		}
	}
	return s.isConstant(x)
}

// isConstant reports whether an expression surely is constant.
func (s *staticValues) isConstant(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return !s.variables[x.Name]
	case *ast.ParenExpr:
		return s.isConstant(x.X)
	case *ast.UnaryExpr:
		return x.Op != token.AND && x.Op != token.ARROW && s.isConstant(x.X)
	case *ast.BinaryExpr:
		return s.isConstant(x.X) && s.isConstant(x.Y)
	case *ast.CallExpr:
		name, _ := x.Fun.(*ast.Ident)
		isLen := name != nil && name.Name == "len"
		return len(x.Args) == 1 && (isLen || s.isType(x.Fun)) && s.isConstant(x.Args[0])
	}
	return false
}

// isType reports whether an expression surely is a type.
func (s *staticValues) isType(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return s.isType(x.X)
	case *ast.StarExpr:
		return s.isType(x.X)
	case *ast.ArrayType, *ast.StructType, *ast.FuncType, *ast.InterfaceType, *ast.MapType, *ast.ChanType:
		return true
	case *ast.Ident:
		if _, isOwn := s.types[x.Name]; isOwn {
			return true
		}
		_, isOfGo := types.Universe.Lookup(x.Name).(*types.TypeName)
		return isOfGo
	}
	return false
}

// isMap reports whether a literal of the type is a map, or may have maps as elements that
// leave out their type. Outer are the types that led to it.
func (s *staticValues) isMap(x ast.Expr, outer ...string) bool {
	switch x := x.(type) {
	case *ast.MapType:
		return true
	case *ast.ArrayType:
		return s.isMap(x.Elt, outer...)
	case *ast.Ident:
		declared, isOwn := s.types[x.Name]
		return isOwn && !slices.Contains(outer, x.Name) && s.isMap(declared, append(outer, x.Name)...)
	case *ast.SelectorExpr: // of another package
		return true
	}
	return false
}
