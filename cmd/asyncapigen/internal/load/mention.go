package load

import (
	"maps"
	"slices"
)

// Names are what is looked for in the source of other modules.
type Names struct {
	// Is says whether a name of a package is one of them. One that is assigned to, or of which the
	// address is taken, is there with a "=" behind it, too, and so is one of a list whose elements
	// may be assigned to; a method of one is there with a dot between both names, and one of what a
	// function returns with "()." between them.
	Is func(path, name string) bool

	// Texts are what a file has that mentions one of them, by what it imports for that. The code of
	// those packages isn't looked at.
	Texts map[string]string
}

// Mentions reports whether a function or method of another module's package, or what it may call,
// mentions one of some names. What it may call is told by names: it is any code of other
// modules that is declared by a name which it mentions. Without a name, the initialisation of the
// package is meant.
func (p *Program) Mentions(path, name string, of *Names) bool {
	start := qualified{path, name}
	seen, waiting := map[qualified]bool{start: true}, []qualified{start}
	if p.without[of] == nil {
		p.without[of] = make(map[qualified]bool)
	}
	for len(waiting) > 0 {
		next := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if p.without[of][next] || !p.mayMention(next.path, of) {
			continue
		}
		source := p.sourceCode(next.path)
		codes := source.declared[next.name]
		if next.name == "" {
			codes = source.initial
		}
		for _, code := range codes {
			summary := code.summary()
			if slices.ContainsFunc(summary.imported, func(used qualified) bool { return of.Is(used.path, used.name) }) {
				return true
			}
			for _, name := range summary.own {
				if own := (qualified{next.path, name}); !seen[own] {
					seen[own] = true
					waiting = append(waiting, own)
				}
			}
			for _, used := range summary.imported {
				if !seen[used] {
					seen[used] = true
					waiting = append(waiting, used)
				}
			}
		}
	}
	maps.Copy(p.without[of], seen)
	return false
}

// OthersMention reports whether any package of another module may mention one of some names.
func (p *Program) OthersMention(of *Names) bool { return len(p.having(of.Texts)) > 0 }

// mayMention reports whether the package at path is another module's, and has the text of one of
// some names, or imports one that has.
func (p *Program) mayMention(path string, of *Names) bool {
	known := p.mayMentions[of]
	if known == nil {
		known = make(map[string]bool)
		for _, having := range p.having(of.Texts) {
			known[having] = true
			for importer := range p.importers(having) {
				known[importer] = p.IsOthers(importer)
			}
		}
		for path := range of.Texts {
			known[path] = false
		}
		p.mayMentions[of] = known
	}
	return known[path]
}

// having returns the packages of other modules that have a text in one of their files, by what
// they import.
func (p *Program) having(texts map[string]string) (all []string) {
	for path, pkg := range p.byPath {
		for imported, text := range texts {
			if pkg.Imports[imported] != nil && p.IsOthers(path) &&
				slices.ContainsFunc(pkg.GoFiles, func(file string) bool { return hasText(file, []string{text}) }) {
				all = append(all, path)
				break
			}
		}
	}
	return all
}
