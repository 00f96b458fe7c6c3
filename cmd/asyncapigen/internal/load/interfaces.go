package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"slices"

	"golang.org/x/tools/go/packages"
)

// A methodShape is what is told of a method without its package being checked.
type methodShape struct {
	name            string
	params, results int
	generic         bool // types of its signature may be type parameters
}

// anyShape is a method of which nothing but the name is told.
func anyShape(name string) methodShape { return methodShape{name: name, params: -1, results: -1} }

// MayBeOfInterface reports whether a package that isn't the user's own, or warren's, declares an
// interface type with a method of the name, and of as many parameters and results, or
// takes one of the name by reflection. Another one is only called there by code that calls
// any, see [Program.CallsByReflection], or by that of a plugin. It is asked seldom: the
// first time, the files of all packages are searched.
func (p *Program) MayBeOfInterface(method *types.Func) bool {
	return p.IsCalledUnnamed(method) || p.interfaceMethods[shapeOf(method)]
}

// IsCalledUnnamed reports whether such a package may call a method without naming the types of its
// signature: by an interface type that has type parameters there, by its name, or as a plugin.
func (p *Program) IsCalledUnnamed(method *types.Func) bool {
	p.findInterfaceMethods()
	shape := shapeOf(method)
	shape.generic = true
	return p.interfacesUnread || p.LoadsPlugins() || p.interfaceMethods[shape] || p.interfaceMethods[anyShape(method.Name())]
}

func shapeOf(method *types.Func) methodShape {
	sig := method.Signature()
	return methodShape{name: method.Name(), params: sig.Params().Len(), results: sig.Results().Len()}
}

func (p *Program) findInterfaceMethods() {
	if p.interfaceMethods == nil {
		p.interfaceMethods = map[methodShape]bool{{name: "Error", results: 1}: true} // of the language's own error
		for _, pkg := range p.metadata {
			if !p.IsOwn(pkg.PkgPath) || IsLibrary(pkg.PkgPath) {
				p.addInterfaceMethods(pkg)
			}
		}
	}
}

// LoadsPlugins reports whether the program may load code of which nothing is known.
func (p *Program) LoadsPlugins() bool { return p.byPath["plugin"] != nil }

// addInterfaceMethods adds those of a package.
func (p *Program) addInterfaceMethods(pkg *packages.Package) {
	found, known := p.interfaces[pkg.ID]
	if !known {
		var err error
		if found, err = interfaceMethods(pkg.GoFiles); err != nil || len(pkg.GoFiles) == 0 && pkg.PkgPath != "unsafe" {
			p.interfacesUnread = true
			return
		}
		p.interfaces[pkg.ID] = found
	}
	for _, m := range found {
		p.interfaceMethods[m] = true
	}
}

// interfaceMethods returns the methods of the interface types in files.
func interfaceMethods(files []string) ([]methodShape, error) {
	var all []methodShape
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = appendInterfaceMethods(all, text)
		for _, match := range methodByName.FindAllSubmatch(text, -1) {
			all = append(all, anyShape(string(match[1])))
		}
	}
	return all, nil
}

var interfaceKeyword = []byte("interface")

// appendInterfaceMethods looks at each interface {...} in a text by itself. One that can't
// be parsed is none, but the word in a comment or a string.
func appendInterfaceMethods(all []methodShape, text []byte) []methodShape {
	for from := 0; ; from += len(interfaceKeyword) {
		at := bytes.Index(text[from:], interfaceKeyword)
		if at < 0 {
			return all
		}
		from += at
		if expr, err := parser.ParseExpr(interfaceType(text[from:])); err == nil {
			all = appendMethods(all, expr, bytes.Contains(lastDeclaration(text[:from]), []byte("[")))
		}
	}
}

// lastDeclaration returns the declaration that a text ends in.
func lastDeclaration(text []byte) []byte {
	return text[max(bytes.LastIndex(text, []byte("\ntype ")), bytes.LastIndex(text, []byte("\nfunc ")), 0):]
}

// namesParameter reports whether a signature has a name that may be a type parameter's: it is
// neither of another package nor of the language.
func namesParameter(sig *ast.FuncType) bool {
	found := false
	var visit func(ast.Node) bool
	visit = func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.Field:
			ast.Inspect(node.Type, visit)
			return false
		case *ast.SelectorExpr:
			return false
		case *ast.Ident:
			found = found || types.Universe.Lookup(node.Name) == nil
		}
		return true
	}
	ast.Inspect(sig, visit)
	return found
}

// interfaceType returns the type literal that a text begins with, "" where it begins with
// none or with one that has no methods.
func interfaceType(text []byte) string {
	rest := bytes.TrimLeft(text[len(interfaceKeyword):], " ")
	if bytes.HasPrefix(rest, []byte("{}")) {
		return ""
	}
	file := token.NewFileSet().AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	for depth, n := 0, 0; ; n++ {
		pos, tok, _ := s.Scan()
		switch {
		case tok == token.EOF, n == 1 && tok != token.LBRACE:
			return ""
		case tok == token.LBRACE:
			depth++
		case tok == token.RBRACE:
			depth--
			if depth == 0 {
				return string(text[:file.Offset(pos)+1])
			}
		}
	}
}

// appendMethods adds the exported methods of an interface type. Those of types within it
// are looked at by themselves.
func appendMethods(all []methodShape, expr ast.Expr, mayBeGeneric bool) []methodShape {
	iface, ok := expr.(*ast.InterfaceType)
	if !ok {
		return all
	}
	for _, field := range iface.Methods.List {
		sig, isMethod := field.Type.(*ast.FuncType)
		if !isMethod || len(field.Names) != 1 || !field.Names[0].IsExported() {
			continue
		}
		m := methodShape{field.Names[0].Name, sig.Params.NumFields(), sig.Results.NumFields(), mayBeGeneric && namesParameter(sig)}
		if !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	return all
}
