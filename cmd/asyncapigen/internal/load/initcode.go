package load

import (
	"slices"

	"golang.org/x/tools/go/packages"
)

// InitChanges reports whether the initialisation of the package at path may
// change the package at target: whether code that it runs mentions target, or a
// package that imports it. The package isn't type-checked for that.
func (p *Program) InitChanges(path, target string) bool {
	meta := p.byPath[path]
	if meta == nil || path == target || !p.importers(target)[path] || !p.Registers(path) {
		return false
	}
	for used := range p.initMentions(path) {
		if dep := meta.Imports[used.path]; dep != nil && (dep.PkgPath == target || p.importers(target)[dep.PkgPath]) {
			return true
		}
	}
	return false
}

// InitMentions reports whether the initialisation of the package at path runs code that
// mentions a name of another package for which is is true. All of a package's names are
// asked for at first, by an empty one.
func (p *Program) InitMentions(path string, is func(path, name string) bool) bool {
	meta := p.byPath[path]
	if meta == nil || !hasImport(meta, func(imported string) bool { return is(imported, "") }) || !p.Registers(path) {
		return false
	}
	for used := range p.initMentions(path) {
		if is(used.path, used.name) {
			return true
		}
	}
	return false
}

func hasImport(meta *packages.Package, is func(path string) bool) bool {
	for path := range meta.Imports {
		if is(path) {
			return true
		}
	}
	return false
}

// InitChangers returns the packages whose initialisation may change the package
// at target.
func (p *Program) InitChangers(target string) []string {
	var changers []string
	for path := range p.importers(target) {
		if p.InitChanges(path, target) {
			changers = append(changers, path)
		}
	}
	return changers
}

// initMentions returns the names of other packages that the code mentions which the
// package at path runs when it is initialised.
func (p *Program) initMentions(path string) map[qualified]bool {
	if known, ok := p.mentions[path]; ok {
		return known
	}
	source := p.sourceCode(path)
	all, reached := make(map[qualified]bool), make(map[string]bool)
	for waiting := slices.Clone(source.initial); len(waiting) > 0; {
		next := waiting[len(waiting)-1].summary()
		waiting = waiting[:len(waiting)-1]
		for _, used := range next.imported {
			all[used] = true
		}
		for _, name := range next.own {
			if !reached[name] {
				reached[name] = true
				waiting = append(waiting, source.declared[name]...)
			}
		}
	}
	p.mentions[path] = all
	return all
}
