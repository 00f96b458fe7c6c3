package client

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
)

const runtimePath = "github.com/warrenmq/warren/runtime"

// own are the packages that generated code itself uses. They keep their names,
// whatever the user's packages are called.
var own = []struct{ path, name string }{
	{"context", "context"},
	{"encoding/json", "json"},
	{"errors", "errors"},
	{"fmt", "fmt"},
	{"slices", "slices"},
	{"sync", "sync"},
	{runtimePath, "runtime"},
}

// locals are the identifiers inside the generated functions. A package of one
// of these names would be shadowed.
var locals = []string{"c", "call", "ctx", "f", "key", "msg", "none", "opts", "req", "t"}

// qualify names an object of a package, and remembers to import it.
func (g *generator) qualify(pkgPath, pkgName, name string) *jen.Statement {
	if pkgPath != g.cfg.PackagePath {
		g.imports[pkgPath] = pkgName
	}
	return jen.Qual(pkgPath, name)
}

func (g *generator) runtime(name string) *jen.Statement {
	return g.qualify(runtimePath, "runtime", name)
}

// nameImports gives file the name of each imported package: its own name,
// or by an alias that begins with the directory it is in where that name is
// taken. The choice doesn't depend on the order in which packages were found.
func (g *generator) nameImports(file *jen.File) {
	taken := maps.Clone(g.names)
	maps.Copy(taken, g.params) // which would shadow a package, too
	for _, name := range locals {
		taken[name] = true
	}
	for _, pkg := range own {
		taken[pkg.name] = true
		file.ImportName(pkg.path, pkg.name)
	}
	for _, pkgPath := range slices.SortedFunc(maps.Keys(g.imports), byImportGroup) {
		if slices.ContainsFunc(own, func(pkg struct{ path, name string }) bool { return pkg.path == pkgPath }) {
			continue
		}
		name := g.imports[pkgPath]
		alias := taken.take(aliases(pkgPath, name)...)
		if alias == name && name == assumedName(pkgPath) {
			file.ImportName(pkgPath, name)
		} else {
			file.ImportAlias(pkgPath, alias)
		}
	}
}

// byImportGroup sorts the standard library first, so that a package of the
// user's gives way to it.
func byImportGroup(a, b string) int {
	return cmp.Or(cmp.Compare(importGroup(a), importGroup(b)), cmp.Compare(a, b))
}

func importGroup(pkgPath string) int {
	if first, _, _ := strings.Cut(pkgPath, "/"); strings.Contains(first, ".") {
		return 1
	}
	return 0
}

// aliases lists what a package may be called, the best name first: "events",
// "ordersevents", "shopordersevents".
func aliases(pkgPath, name string) []string {
	candidates := []string{name}
	if unusable(name) {
		candidates = nil
	}
	elements := strings.Split(pkgPath, "/")
	if isVersion(elements[len(elements)-1]) {
		elements = elements[:len(elements)-1]
	}
	alias := name
	for i := len(elements) - 2; i >= 0; i-- {
		alias = aliasPart(elements[i]) + alias
		if token.IsIdentifier(alias) && !unusable(alias) {
			candidates = append(candidates, alias)
		}
	}
	if len(candidates) == 0 {
		return []string{name + "pkg"}
	}
	return candidates
}

// unusable names would hide what generated code needs, or are refused by
// jennifer.
func unusable(name string) bool {
	return jen.IsReservedWord(name) || types.Universe.Lookup(name) != nil
}

// aliasPart is what is usable of a path element in an identifier.
func aliasPart(element string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9') {
			return r
		}
		return -1
	}, strings.ToLower(element))
}

// assumedName is what readers and tools take a package's name for without
// looking: the last element of its path, versions aside.
func assumedName(pkgPath string) string {
	base := path.Base(pkgPath)
	if isVersion(base) && path.Dir(pkgPath) != "." {
		base = path.Base(path.Dir(pkgPath))
	}
	return base
}

func isVersion(element string) bool {
	digits, ok := strings.CutPrefix(element, "v")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}
