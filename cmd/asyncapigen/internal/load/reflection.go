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

var (
	// methodByReflection matches how any method is had by reflection.
	methodByReflection = regexp.MustCompile(`\.Method\(|\.MethodByName\([^"]`)

	// methodByName matches how one method is.
	methodByName = regexp.MustCompile(`\.MethodByName\("(\w+)"`)
)

// CallsByReflection reports whether the package at path, or one that it imports, directly
// or not, may call any method by reflection; without a path, whether any may that isn't the
// user's own. Packages that weren't loaded may. Warren's call those with some names only.
func (p *Program) CallsByReflection(path string) bool {
	if IsLibrary(path) {
		return false
	}
	if path != "" {
		pkg := p.byPath[path]
		return pkg == nil || p.callsByReflection(pkg)
	}
	if p.othersReflect == nil {
		found := false
		for _, pkg := range p.metadata {
			found = found || pkg.PkgPath != "reflect" && !p.IsOwn(pkg.PkgPath) && p.callsByReflection(pkg)
		}
		p.othersReflect = &found
	}
	return *p.othersReflect
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
