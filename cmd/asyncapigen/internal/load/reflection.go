package load

import (
	"bytes"
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
	// methodByName matches how one method is had by reflection.
	methodByName = regexp.MustCompile("\\.\\s*MethodByName\\(\\s*[\"`](\\w+)[\"`]\\s*\\)")

	// anyByName matches how one of any name is, or a method value that has such ones.
	anyByName = regexp.MustCompile(`\.\s*MethodByName\b`)

	// anyMethod matches how any method is had of a value or type, or all of them: descriptors of
	// services have methods as well, but not in a loop.
	anyMethod = regexp.MustCompile(`\.\s*Method\(|(\brange\b|\()[^{\n]*\.\s*Methods\(\)`)

	// methodVariable matches variables that may have the method value of a reflect.Value or
	// reflect.Type: what is called Method is mostly a field.
	methodVariable = regexp.MustCompile(`(\w+) *:?= *[^\n;]*\.Method *[\n;]`)

	commentLine = regexp.MustCompile(`(?m)^\s*//.*$`)
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

// OthersCallByReflection reports whether any package of another module may call any method by reflection.
func (p *Program) OthersCallByReflection() bool {
	if p.modulesReflect == nil {
		found := false
		for path, pkg := range p.byPath {
			found = found || p.IsOthers(path) && p.callsByReflection(pkg)
		}
		p.modulesReflect = &found
	}
	return *p.modulesReflect
}

// UsersCallByReflection reports whether a package of another module that imports the one at path
// may call any method by reflection.
func (p *Program) UsersCallByReflection(path string) bool {
	return slices.ContainsFunc(p.directImporters()[path], func(importer string) bool {
		return p.IsOthers(importer) && p.callsByReflection(p.byPath[importer])
	})
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
	return slices.ContainsFunc(pkg.GoFiles, func(name string) bool {
		text, err := os.ReadFile(name)
		return err != nil || takesAnyMethod(text, pkg.Imports["reflect"] != nil)
	})
}

// takesAnyMethod reports whether the text of a file may take any method by reflection. In a package
// that doesn't import reflect, which can get values from others, how a name or the number of
// methods is asked for tells.
func takesAnyMethod(text []byte, importsReflect bool) bool {
	if !bytes.Contains(text, []byte("Method")) {
		return false
	}
	text = methodByName.ReplaceAll(commentLine.ReplaceAll(text, nil), nil)
	if anyByName.Match(text) {
		return true
	}
	if !importsReflect {
		return bytes.Contains(text, []byte(".NumMethod()")) && anyMethod.Match(text)
	}
	return anyMethod.Match(text) || slices.ContainsFunc(methodVariable.FindAllSubmatch(text, -1), func(match [][]byte) bool {
		return regexp.MustCompile(`\b` + string(match[1]) + `\(`).Match(text)
	})
}
