package load

import (
	"go/ast"
	"go/parser"
	"go/token"

	"golang.org/x/tools/go/packages"
)

// MayRecover reports whether a function or method of the package at path itself calls recover; without a
// path, whether one of its name does that isn't the standard library's, of which none recovers from a panic
// of who has deferred it.
func (p *Program) MayRecover(path, name string) bool {
	if path != "" {
		pkg := p.byPath[path]
		return pkg == nil || p.recovering(pkg)[name]
	}
	for path, pkg := range p.byPath {
		if !p.InStandardLibrary(path) && p.recovering(pkg)[name] {
			return true
		}
	}
	return false
}

// recovering returns the names of a package's functions and methods that call recover.
func (p *Program) recovering(pkg *packages.Package) map[string]bool {
	if known, ok := p.recovers[pkg]; ok {
		return known
	}
	names := make(map[string]bool)
	for _, name := range pkg.GoFiles {
		if !hasText(name, []string{"recover"}) {
			continue
		}
		// What can't be parsed doesn't compile: the part that can be counts.
		file, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if file == nil {
			continue
		}
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil && mentions(fn.Body, "recover") {
				names[fn.Name.Name] = true
			}
		}
	}
	p.recovers[pkg] = names
	return names
}

// mentions reports whether code has an identifier of a name.
func mentions(code ast.Node, name string) bool {
	found := false
	ast.Inspect(code, func(node ast.Node) bool {
		id, ok := node.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}
