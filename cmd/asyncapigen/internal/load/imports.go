package load

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strings"
)

// Reaches reports whether the package at path imports the one at target, directly
// or through others, or is it.
func (p *Program) Reaches(path, target string) bool {
	return path == target || p.importers(target)[path]
}

// OtherImporters returns the paths of other modules' packages that import the one at target, directly or
// through others.
func (p *Program) OtherImporters(target string) []string {
	known, ok := p.otherImportersOf[target]
	if !ok {
		known = slices.DeleteFunc(slices.Sorted(maps.Keys(p.importers(target))), func(path string) bool { return !p.IsOthers(path) })
		p.otherImportersOf[target] = known
	}
	return known
}

// importers returns the packages that import the one at target, directly or
// through others.
func (p *Program) importers(target string) map[string]bool {
	if known, ok := p.importersOf[target]; ok {
		return known
	}
	direct := p.directImporters()
	all := make(map[string]bool)
	for waiting := []string{target}; len(waiting) > 0; {
		next := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		for _, importer := range direct[next] {
			if !all[importer] {
				all[importer] = true
				waiting = append(waiting, importer)
			}
		}
	}
	p.importersOf[target] = all
	return all
}

// directImporters returns by path the packages that import one themselves.
func (p *Program) directImporters() map[string][]string {
	if p.direct == nil {
		p.direct = make(map[string][]string)
		for _, pkg := range p.metadata {
			for _, imported := range pkg.Imports {
				p.direct[imported.PkgPath] = append(p.direct[imported.PkgPath], pkg.PkgPath)
			}
		}
	}
	return p.direct
}

// ImportedByOthers returns the user's own packages that packages of other modules
// import.
func (p *Program) ImportedByOthers() []string {
	if p.importedByOthers == nil {
		p.importedByOthers = []string{}
		seen := make(map[string]bool)
		for _, pkg := range p.metadata {
			if pkg.Module == nil || p.IsOwn(pkg.PkgPath) || IsLibrary(pkg.PkgPath) {
				continue
			}
			for _, imported := range pkg.Imports {
				if path := imported.PkgPath; p.IsOwn(path) && !seen[path] {
					seen[path] = true
					p.importedByOthers = append(p.importedByOthers, path)
				}
			}
		}
	}
	return p.importedByOthers
}

// ImportedByOtherModule reports whether a package of another module than the user's
// imports the one at path itself.
func (p *Program) ImportedByOtherModule(path string) bool {
	for _, pkg := range p.metadata {
		if pkg.Module == nil || p.IsOwn(pkg.PkgPath) || IsLibrary(pkg.PkgPath) {
			continue
		}
		for _, imported := range pkg.Imports {
			if imported.PkgPath == path {
				return true
			}
		}
	}
	return false
}

// UsersMention reports whether the source of a package of another module than that of the package
// at path, which imports it, has one of some names. What can't be read may have them.
func (p *Program) UsersMention(path string, names ...string) bool {
	key := path + " " + strings.Join(names, " ")
	said, known := p.used[key]
	if !known {
		said = p.usersMention(path, names)
		p.used[key] = said
	}
	return said
}

func (p *Program) usersMention(path string, names []string) bool {
	used := p.byPath[path]
	if used == nil {
		return true
	}
	for _, pkg := range p.metadata {
		isOf := pkg.Module != nil && used.Module != nil && pkg.Module.Path == used.Module.Path
		if pkg.Imports[path] != nil && !isOf && slices.ContainsFunc(pkg.GoFiles, func(file string) bool { return hasText(file, names) }) {
			return true
		}
	}
	return false
}

// hasText reports whether a file has one of some texts, or can't be read.
func hasText(file string, texts []string) bool {
	content, err := os.ReadFile(file)
	return err != nil || slices.ContainsFunc(texts, func(text string) bool { return bytes.Contains(content, []byte(text)) })
}

// Linking returns the paths of the user's own packages that have directives go:linkname, for which
// a package has to import unsafe.
func (p *Program) Linking() []string {
	return slices.DeleteFunc(slices.Clone(p.OwnPaths()), func(path string) bool {
		meta := p.byPath[path]
		hasDirective := func(file string) bool { return hasText(file, []string{"//go:linkname "}) }
		return meta.Imports["unsafe"] == nil || !slices.ContainsFunc(meta.GoFiles, hasDirective)
	})
}

// IsOthers reports whether the package at path is another module's.
func (p *Program) IsOthers(path string) bool {
	return !p.InStandardLibrary(path) && !p.IsOwn(path) && !IsLibrary(path)
}
