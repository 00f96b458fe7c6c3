package load

import (
	"os"
	"regexp"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Reflective are the packages of the standard library that call methods by reflection.
var Reflective = map[string]bool{
	"html/template": true, "net/rpc": true, "net/rpc/jsonrpc": true, "reflect": true, "testing/quick": true, "text/template": true,
}

// methodByReflection matches how a method is had by reflection.
var methodByReflection = regexp.MustCompile(`\.Method(ByName)?\b`)

// CallsByReflection reports whether the package at path, or one that it imports, directly
// or not, may call methods by reflection. Packages that weren't loaded may.
func (p *Program) CallsByReflection(path string) bool {
	pkg := p.byPath[path]
	return pkg == nil || p.callsByReflection(pkg)
}

func (p *Program) callsByReflection(pkg *packages.Package) bool {
	if known, ok := p.reflects[pkg.ID]; ok {
		return known
	}
	found := Reflective[pkg.PkgPath] || !p.InStandardLibrary(pkg.PkgPath) && hasMethodsByReflection(pkg)
	for _, imported := range pkg.Imports {
		found = found || imported.PkgPath != "reflect" && p.callsByReflection(imported) // importing it isn't using it so
	}
	p.reflects[pkg.ID] = found
	return found
}

// hasMethodsByReflection reports whether a file of a package has methods by reflection, or
// can't be read.
func hasMethodsByReflection(pkg *packages.Package) bool {
	return pkg.Imports["reflect"] != nil && slices.ContainsFunc(pkg.GoFiles, func(name string) bool {
		text, err := os.ReadFile(name)
		return err != nil || methodByReflection.Match(text)
	})
}
