package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
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

// qualified is a name of an imported package.
type qualified struct{ path, name string }

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

// Names are what is looked for in the source of other modules.
type Names struct {
	// Is says whether a name of a package is one of them. One that is assigned to, or of which the
	// address is taken, is there with a "=" behind it, too, and so is one of a list whose elements
	// may be assigned to; a method of one is there with a dot between both names.
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

// IsOthers reports whether the package at path is another module's.
func (p *Program) IsOthers(path string) bool {
	return !p.InStandardLibrary(path) && !p.IsOwn(path) && !IsLibrary(path)
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

// sourceCode is what a package declares, which isn't type-checked for that. A name leads to all that
// is declared by it, that of a type to its methods.
type sourceCode struct {
	declared map[string][]*codePart // by name
	initial  []*codePart            // what runs when the package is initialised
}

// codePart is code in a file with its imports.
type codePart struct {
	node    ast.Node
	imports map[string][]string // paths by the names that they may have in the file
	found   *mentioned          // nil until asked for
}

// mentioned are the names that code mentions: those of the package itself, and those of imported ones.
type mentioned struct {
	own      []string
	imported []qualified
}

func (p *Program) sourceCode(path string) *sourceCode {
	if known, ok := p.sourceCodes[path]; ok {
		return known
	}
	code := &sourceCode{declared: make(map[string][]*codePart)}
	meta, fset := p.byPath[path], token.NewFileSet()
	for _, name := range meta.GoFiles {
		// What can't be parsed doesn't compile: the part that can be counts.
		file, _ := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if file != nil {
			code.add(file, importNames(file, meta))
		}
	}
	p.sourceCodes[path] = code
	return code
}

func (c *sourceCode) add(file *ast.File, imports map[string][]string) {
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			code := &codePart{node: decl, imports: imports}
			if decl.Recv == nil && decl.Name.Name == "init" {
				c.initial = append(c.initial, code)
				continue
			}
			c.declare(decl.Name.Name, code)
			if decl.Recv != nil && len(decl.Recv.List) == 1 {
				c.declare(receiverName(decl.Recv.List[0].Type), code)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if spec, ok := spec.(*ast.ValueSpec); ok && decl.Tok == token.VAR {
					c.addVariables(spec, imports)
				}
			}
		}
	}
}

func (c *sourceCode) addVariables(spec *ast.ValueSpec, imports map[string][]string) {
	code := &codePart{node: spec, imports: imports}
	c.initial = append(c.initial, code)
	for _, name := range spec.Names {
		if name.Name != "_" {
			c.declare(name.Name, code)
		}
	}
}

func (c *sourceCode) declare(name string, code *codePart) {
	c.declared[name] = append(c.declared[name], code)
}

// summary returns the names that the code mentions.
func (c *codePart) summary() *mentioned {
	if c.found == nil {
		f := mentionFinder{imports: c.imports, aliases: make(map[string]*ast.SelectorExpr), names: make(map[string]bool), mentioned: make(map[qualified]bool)}
		f.inspect(c.node)
		c.found = &mentioned{slices.Collect(maps.Keys(f.names)), slices.Collect(maps.Keys(f.mentioned))}
	}
	return c.found
}

// mentionFinder finds the names that code mentions.
type mentionFinder struct {
	imports   map[string][]string
	aliases   map[string]*ast.SelectorExpr // by the names of variables: whose lists they have
	names     map[string]bool
	mentioned map[qualified]bool
}

// inspect notes the names that code mentions. After an import by a dot, any name may be of that
// package.
func (f *mentionFinder) inspect(code ast.Node) {
	ast.Inspect(code, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			for _, left := range node.Lhs {
				f.assigned(left)
			}
			f.noteAliases(node)
		case *ast.CallExpr:
			f.givenAway(node)
		case *ast.UnaryExpr:
			if node.Op == token.AND {
				f.assigned(node.X)
			}
		case *ast.SelectorExpr:
			f.mention(node, "")
			if variable, ok := ast.Unparen(node.X).(*ast.SelectorExpr); ok {
				f.mention(variable, "."+node.Sel.Name)
			}
		case *ast.Ident:
			for _, path := range f.imports["."] {
				f.mentioned[qualified{path, node.Name}] = true
			}
			f.names[node.Name] = true
		}
		return true
	})
}

// assigned notes that code assigns to what an expression begins with, if it is a name of an imported
// package, or to an element of a variable that has such a one's list.
func (f *mentionFinder) assigned(left ast.Expr) {
	switch left := ast.Unparen(left).(type) {
	case *ast.IndexExpr:
		if name, ok := ast.Unparen(left.X).(*ast.Ident); ok && f.aliases[name.Name] != nil {
			f.mention(f.aliases[name.Name], "=")
		}
		f.assigned(left.X)
	case *ast.StarExpr:
		f.assigned(left.X)
	case *ast.SelectorExpr:
		if !f.mention(left, "=") {
			f.assigned(left.X)
		}
	}
}

// mention notes a name of an imported package, with what is behind it. It reports whether the
// expression may be one.
func (f *mentionFinder) mention(of *ast.SelectorExpr, behind string) bool {
	name, ok := of.X.(*ast.Ident)
	if !ok {
		return false
	}
	for _, path := range f.imports[name.Name] {
		f.mentioned[qualified{path, of.Sel.Name + behind}] = true
	}
	return true
}

// noteAliases notes the variables that get a list which a name of a package has, or a part of it.
func (f *mentionFinder) noteAliases(stmt *ast.AssignStmt) {
	for i, right := range stmt.Rhs {
		if i >= len(stmt.Lhs) {
			return
		}
		name, ok := stmt.Lhs[i].(*ast.Ident)
		if of := listOf(right); ok && of != nil {
			f.aliases[name.Name] = of
		}
	}
}

// givenAway notes the lists that functions of the package itself, copy and append may write to.
func (f *mentionFinder) givenAway(call *ast.CallExpr) {
	callee, ok := call.Fun.(*ast.Ident)
	if !ok || callee.Name == "len" || callee.Name == "cap" {
		return
	}
	args := call.Args
	if (callee.Name == "copy" || callee.Name == "append") && len(args) > 0 {
		args = args[:1]
	}
	for _, arg := range args {
		if of := listOf(arg); of != nil {
			f.mention(of, "=")
		}
	}
}

// listOf returns the selector whose list an expression is, or a part of it, nil for others.
func listOf(expr ast.Expr) *ast.SelectorExpr {
	switch expr := ast.Unparen(expr).(type) {
	case *ast.SliceExpr:
		return listOf(expr.X)
	case *ast.SelectorExpr:
		return expr
	default:
		return nil
	}
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
