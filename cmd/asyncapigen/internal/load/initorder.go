package load

import (
	"container/heap"
	"os"
	"regexp"
	"slices"

	"golang.org/x/tools/go/packages"
)

// InitOrder returns the paths of the packages that a program is made of, in the
// order in which Go initialises them: of those whose imports are initialised,
// always the first by its path.
// Source: The Go Programming Language Specification, Program initialization.
func (p *Program) InitOrder(main string) []string {
	waiting := make(map[string]int) // for so many imports
	importers := make(map[string][]string)
	var ready paths
	var visit func(pkg *packages.Package)
	visit = func(pkg *packages.Package) {
		if _, seen := waiting[pkg.PkgPath]; seen {
			return
		}
		waiting[pkg.PkgPath] = len(pkg.Imports)
		if len(pkg.Imports) == 0 {
			ready = append(ready, pkg.PkgPath)
		}
		for _, imported := range pkg.Imports {
			importers[imported.PkgPath] = append(importers[imported.PkgPath], pkg.PkgPath)
			visit(imported)
		}
	}
	if meta := p.byPath[main]; meta != nil {
		visit(meta)
	}
	heap.Init(&ready)
	var order []string
	for len(ready) > 0 {
		path := heap.Pop(&ready).(string)
		order = append(order, path)
		for _, importer := range importers[path] {
			if waiting[importer]--; waiting[importer] == 0 {
				heap.Push(&ready, importer)
			}
		}
	}
	return order
}

// paths is a heap of import paths.
type paths []string

func (p paths) Len() int           { return len(p) }
func (p paths) Less(i, j int) bool { return p[i] < p[j] }
func (p paths) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *paths) Push(x any)        { *p = append(*p, x.(string)) }
func (p *paths) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}

// initFunction matches the declaration of an init function.
var initFunction = regexp.MustCompile(`(?m)^\s*func\s+init\s*\(`)

// variables matches the declaration of variables, up to the first line that isn't
// indented; computed matches one that calls something, or receives.
var (
	variables = regexp.MustCompile(`(?m)^var\b[^\n]*(\n([ \t][^\n]*|[})][^\n]*)?)*`)
	computed  = regexp.MustCompile(`(?s)=.*([\w)\]}]\s*\(|<-)`)
)

// initialises reports whether source code runs code when its package is
// initialised: in an init function, or to compute the value of a variable.
func initialises(text []byte) bool {
	return initFunction.Match(text) || slices.ContainsFunc(variables.FindAll(text, -1), computed.Match)
}

// Registers reports whether the initialisation of the package at path may change
// the packages that it imports, as one of a plugin does: whether it has an init
// function, or a variable that is initialised by a call.
func (p *Program) Registers(path string) bool {
	if known, ok := p.registers[path]; ok {
		return known
	}
	meta := p.byPath[path]
	found := meta != nil && slices.ContainsFunc(meta.GoFiles, func(name string) bool {
		text, err := os.ReadFile(name)
		return err == nil && initialises(text)
	})
	p.registers[path] = found
	return found
}

// ImportsOwn reports whether the package at path imports another one of the
// user's own modules.
func (p *Program) ImportsOwn(path string) bool {
	meta := p.byPath[path]
	if meta == nil {
		return false
	}
	for _, imported := range meta.Imports {
		if p.IsOwn(imported.PkgPath) {
			return true
		}
	}
	return false
}

// IsChecked reports whether the package at path was checked from source since it
// can register routes.
func (p *Program) IsChecked(path string) bool {
	meta := p.byPath[path]
	return meta != nil && p.fromSrc[meta.ID] && !p.isClient(path)
}
