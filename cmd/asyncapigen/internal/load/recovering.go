package load

import "slices"

// MayRecover reports whether a function or method of the package at path itself calls recover; without a
// path, whether one of its name does that isn't the standard library's, of which none recovers from a panic
// of who has deferred it.
func (p *Program) MayRecover(path, name string) bool {
	if path != "" {
		return p.byPath[path] == nil || p.callsRecover(path, name)
	}
	for path := range p.byPath {
		if !p.InStandardLibrary(path) && p.callsRecover(path, name) {
			return true
		}
	}
	return false
}

// callsRecover reports whether code of a package that is declared by a name mentions recover.
func (p *Program) callsRecover(path, name string) bool {
	hasName, known := p.recovers[path]
	if !known {
		hasName = slices.ContainsFunc(p.byPath[path].GoFiles, func(file string) bool { return hasText(file, []string{"recover"}) })
		p.recovers[path] = hasName
	}
	return hasName && slices.ContainsFunc(p.sourceCode(path).declared[name], func(code *codePart) bool {
		return slices.Contains(code.summary().own, "recover")
	})
}
