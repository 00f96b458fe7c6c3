package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"

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

// Reaches reports whether the package at path imports the one at target, directly
// or through others, or is it.
func (p *Program) Reaches(path, target string) bool {
	return path == target || p.importers(target)[path]
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

// importers returns the packages that import the one at target, directly or
// through others.
func (p *Program) importers(target string) map[string]bool {
	if known, ok := p.importersOf[target]; ok {
		return known
	}
	direct := make(map[string][]string)
	for _, pkg := range p.metadata {
		for _, imported := range pkg.Imports {
			direct[imported.PkgPath] = append(direct[imported.PkgPath], pkg.PkgPath)
		}
	}
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

// qualified is a name of an imported package.
type qualified struct{ path, name string }

// initMentions returns the names of other packages that the code mentions which the
// package at path runs when it is initialised.
func (p *Program) initMentions(path string) map[qualified]bool {
	if known, ok := p.mentions[path]; ok {
		return known
	}
	code := initCode{
		declared:  make(map[string][]mentioned),
		reached:   make(map[string]bool),
		mentioned: make(map[qualified]bool),
	}
	meta, fset := p.byPath[path], token.NewFileSet()
	for _, name := range meta.GoFiles {
		// What can't be parsed doesn't compile: the part that can be counts.
		file, _ := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if file != nil {
			code.add(file, importNames(file, meta))
		}
	}
	for len(code.waiting) > 0 {
		next := code.waiting[len(code.waiting)-1]
		code.waiting = code.waiting[:len(code.waiting)-1]
		code.visit(next)
	}
	p.mentions[path] = code.mentioned
	return code.mentioned
}

// initCode finds out what is mentioned in the code that runs when a package is
// initialised. A name leads to all that is declared by it, that of a type to its
// methods.
type initCode struct {
	declared  map[string][]mentioned // by name
	reached   map[string]bool        // the names whose declarations were visited, or wait
	mentioned map[qualified]bool
	waiting   []mentioned
}

// mentioned is code in a file with its imports.
type mentioned struct {
	node    ast.Node
	imports map[string][]string // paths by the names that they may have in the file
}

func (c *initCode) add(file *ast.File, imports map[string][]string) {
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			code := mentioned{decl, imports}
			if decl.Recv == nil && decl.Name.Name == "init" {
				c.waiting = append(c.waiting, code)
				continue
			}
			c.declare(decl.Name.Name, code)
			if decl.Recv != nil && len(decl.Recv.List) == 1 {
				c.declare(receiverName(decl.Recv.List[0].Type), code)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if spec, ok := spec.(*ast.ValueSpec); ok && decl.Tok == token.VAR {
					c.waiting = append(c.waiting, mentioned{spec, imports})
				}
			}
		}
	}
}

func (c *initCode) declare(name string, code mentioned) {
	c.declared[name] = append(c.declared[name], code)
}

// visit notes the names of imported packages that code mentions, and has the declarations
// that it names visited. After an import by a dot, any name may be of that package.
func (c *initCode) visit(code mentioned) {
	ast.Inspect(code.node, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			if name, ok := node.X.(*ast.Ident); ok {
				for _, path := range code.imports[name.Name] {
					c.mentioned[qualified{path, node.Sel.Name}] = true
				}
			}
		case *ast.Ident:
			for _, path := range code.imports["."] {
				c.mentioned[qualified{path, node.Name}] = true
			}
			if !c.reached[node.Name] {
				c.reached[node.Name] = true
				c.waiting = append(c.waiting, c.declared[node.Name]...)
			}
		}
		return true
	})
}

// importNames returns the paths that a file of a package imports, by their names
// in the file.
func importNames(file *ast.File, meta *packages.Package) map[string][]string {
	names := make(map[string][]string)
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		imported := meta.Imports[path]
		if err != nil || imported == nil {
			continue
		}
		name := imported.Name
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = append(names[name], path)
	}
	return names
}

// receiverName returns the name of a receiver's type.
func receiverName(expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.Ident:
		return expr.Name
	case *ast.StarExpr:
		return receiverName(expr.X)
	case *ast.ParenExpr:
		return receiverName(expr.X)
	case *ast.IndexExpr:
		return receiverName(expr.X)
	case *ast.IndexListExpr:
		return receiverName(expr.X)
	default:
		return ""
	}
}
