package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
)

// isStatic reports whether the package of the files named has no init function with a body,
// and the compiler knows the values of its variables, so that no code has to run for them. A
// call counts as such code, unless it is one of a function that only returns what is known. A
// file that can't be read isn't static. Of files that gofmt has written, those are read whole
// that have variables, and the others only if a call needs their functions.
// Source: staticinit of the compiler, and which packages have an inittask then.
func isStatic(names []string, formatted bool) bool {
	s := staticValues{
		variables: make(map[string]bool), declared: make(map[string]ast.Expr), types: make(map[string]ast.Expr),
		functions: make(map[string]*ast.FuncDecl),
	}
	var others [][]byte
	for _, name := range names {
		text, err := os.ReadFile(name)
		switch {
		case err != nil:
			return false
		case formatted && !declares(text):
			others = append(others, text)
		case !s.read(text):
			return false
		}
	}
	if s.areKnown() {
		return true
	}
	for _, text := range others {
		if !s.read(text) {
			return false
		}
	}
	return len(others) > 0 && s.areKnown()
}

// declares reports whether a file that gofmt has written may have variables or an init function.
func declares(text []byte) bool {
	return bytes.Contains(text, []byte("\nvar")) || bytes.Contains(text, []byte("\nfunc init"))
}

func (s *staticValues) areKnown() bool {
	return !slices.ContainsFunc(s.values, func(value ast.Expr) bool { return !s.isKnown(value) })
}

// staticValues are the values of the variables of a package, with the names that they may use.
type staticValues struct {
	variables map[string]bool
	types     map[string]ast.Expr
	declared  map[string]ast.Expr // the types of variables that have one, or are of a literal of one
	functions map[string]*ast.FuncDecl
	values    []ast.Expr

	params map[string]bool // of the call that is looked into, whether they are constant
	depth  int             // of such calls
}

// read takes the declarations of a file, and reports whether it has no init function, and no
// names of another package that look like its own.
func (s *staticValues) read(text []byte) bool {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Name != nil && i.Name.Name == "." }) {
		return false
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			switch {
			case decl.Recv != nil || decl.Body == nil:
			case decl.Name.Name != "init":
				s.functions[decl.Name.Name] = decl
			case len(decl.Body.List) > 0:
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
			for i, name := range spec.Names {
				s.variables[name.Name], s.declared[name.Name] = true, spec.Type
				if spec.Type == nil && i < len(spec.Values) {
					if literal, ok := spec.Values[i].(*ast.CompositeLit); ok {
						s.declared[name.Name] = literal.Type
					}
				}
			}
			s.values = append(s.values, spec.Values...)
		}
	}
}

// isKnown reports whether the compiler knows what an expression gives: a constant, another
// variable, a function, what is made of them, or a pointer to it.
func (s *staticValues) isKnown(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident: // a function that is called doesn't know variables
		return s.depth == 0 || s.isParam(x) || !s.variables[x.Name]
	case *ast.FuncLit:
		return !s.hasParams(x.Body)
	case *ast.ParenExpr:
		return s.isKnown(x.X)
	case *ast.SelectorExpr: // a method of a type
		return s.isType(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return s.isAddressable(x.X)
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
			return s.isConstant(x.Args[0]) || !copiesText(x.Fun) && !isCall(x.Args[0]) && s.isKnown(x.Args[0])
		}
		return s.isConstant(x) || s.isKnownCall(x)
	}
	return s.isConstant(x)
}

// copiesText reports whether a conversion to a type may copy a text or a list.
func copiesText(t ast.Expr) bool {
	name, isName := ast.Unparen(t).(*ast.Ident)
	_, isList := ast.Unparen(t).(*ast.ArrayType)
	return isList || isName && name.Name == "string"
}

func isCall(x ast.Expr) bool {
	_, ok := ast.Unparen(x).(*ast.CallExpr)
	return ok
}

// maxInlined bounds the calls within calls that are looked into.
const maxInlined = 3

// isKnownCall reports whether a call is of a function of the package that only returns
// something known, which the compiler does in its place.
func (s *staticValues) isKnownCall(call *ast.CallExpr) bool {
	name, _ := call.Fun.(*ast.Ident)
	if name == nil || s.functions[name.Name] == nil || s.depth >= maxInlined || call.Ellipsis.IsValid() {
		return false
	}
	fn := s.functions[name.Name]
	if len(fn.Body.List) != 1 || hasDirective(fn.Doc) {
		return false
	}
	last, ok := fn.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(last.Results) != 1 {
		return false
	}
	inner := *s
	inner.params, inner.depth = make(map[string]bool), s.depth+1
	for i, param := range paramsOf(fn, len(call.Args)) {
		if hasFunction(call.Args[i]) || !s.isKnown(call.Args[i]) {
			return false
		}
		inner.params[param.name] = !param.variadic && s.isConstant(call.Args[i])
	}
	return inner.isKnown(last.Results[0])
}

// param is a parameter that takes an argument.
type param struct {
	name     string
	variadic bool
}

// paramsOf returns the parameters that take n arguments, the last one for several of them.
func paramsOf(fn *ast.FuncDecl, n int) []param {
	var all []param
	for _, field := range fn.Type.Params.List {
		_, variadic := field.Type.(*ast.Ellipsis)
		if len(field.Names) == 0 {
			all = append(all, param{"_", variadic})
		}
		for _, name := range field.Names {
			all = append(all, param{name.Name, variadic})
		}
	}
	for len(all) > 0 && len(all) < n {
		all = append(all, all[len(all)-1])
	}
	return all[:min(n, len(all))]
}

// hasFunction reports whether an expression has a function literal: as an argument, the compiler
// makes it when the program runs.
func hasFunction(x ast.Expr) (found bool) {
	ast.Inspect(x, func(node ast.Node) bool {
		_, isFunction := node.(*ast.FuncLit)
		found = found || isFunction
		return !found
	})
	return found
}

func (s *staticValues) isParam(x ast.Expr) bool {
	name, ok := x.(*ast.Ident)
	if !ok {
		return false
	}
	_, isParam := s.params[name.Name]
	return isParam
}

// hasParams reports whether code uses a parameter of the call that is looked into.
func (s *staticValues) hasParams(code ast.Node) (found bool) {
	ast.Inspect(code, func(node ast.Node) bool {
		name, ok := node.(*ast.Ident)
		found = found || ok && s.isParam(name)
		return !found
	})
	return found
}

// hasDirective reports whether a function has directives for the compiler, such as go:noinline.
func hasDirective(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") })
}

// isAddressable reports whether the compiler knows the address of an expression: of a variable,
// of what is made there, or of a field of a variable that is a struct of the package.
func (s *staticValues) isAddressable(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return !s.isParam(x)
	case *ast.SelectorExpr:
		name, _ := x.X.(*ast.Ident)
		if name == nil || s.isParam(name) {
			return false
		}
		of, ok := s.declared[name.Name].(*ast.Ident)
		if !ok {
			return false
		}
		_, isStruct := s.types[of.Name].(*ast.StructType)
		return isStruct
	default:
		return s.isKnown(x)
	}
}

// isConstant reports whether an expression surely is constant.
func (s *staticValues) isConstant(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return s.params[x.Name] || !s.isParam(x) && !s.variables[x.Name]
	case *ast.ParenExpr:
		return s.isConstant(x.X)
	case *ast.UnaryExpr:
		return x.Op != token.AND && x.Op != token.ARROW && s.isConstant(x.X)
	case *ast.BinaryExpr:
		return s.isConstant(x.X) && s.isConstant(x.Y)
	case *ast.CallExpr:
		if fun, ok := x.Fun.(*ast.Ident); ok && fun.Name == "len" && len(x.Args) == 1 && s.isArray(x.Args[0]) {
			return true
		}
		return s.makesConstant(x.Fun) && !slices.ContainsFunc(x.Args, func(arg ast.Expr) bool { return !s.isConstant(arg) })
	}
	return false
}

// isArray reports whether an expression is a variable that is an array.
func (s *staticValues) isArray(x ast.Expr) bool {
	name, _ := x.(*ast.Ident)
	if name == nil || s.isParam(name) {
		return false
	}
	array, ok := s.declared[name.Name].(*ast.ArrayType)
	return ok && array.Len != nil
}

// makesConstant reports whether a call of an expression with constants is constant: a
// conversion, or a function of the language.
func (s *staticValues) makesConstant(fun ast.Expr) bool {
	switch fun := fun.(type) {
	case *ast.SelectorExpr:
		of, _ := fun.X.(*ast.Ident)
		return of != nil && of.Name == "unsafe"
	case *ast.Ident:
		if slices.Contains([]string{"len", "max", "min", "real", "imag", "complex"}, fun.Name) {
			return true
		}
	}
	_, isList := ast.Unparen(fun).(*ast.ArrayType)
	return s.isType(fun) && !isList
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
		if !isOwn { // a file that wasn't read may declare it
			return types.Universe.Lookup(x.Name) == nil
		}
		return !slices.Contains(outer, x.Name) && s.isMap(declared, append(outer, x.Name)...)
	case *ast.SelectorExpr: // of another package
		return true
	}
	return false
}
