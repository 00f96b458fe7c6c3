package load

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"
)

// An excerpt is what is read of a package beyond its export data: its constants,
// and some methods. Only they are parsed and type-checked, and of the other
// declarations those that they lead to and that the export data lacks.
// See docs/decisions/0041.
type excerpt struct {
	program  *Program
	meta     *packages.Package
	exported *types.Package         // what the export data has
	pkg      *Package               // what was read
	outlines []*outline             // of the package's files
	names    map[string]*declared   // unexported names; nil until one is looked for
	methods  map[string][]*declared // by their receiver's name
	read     map[*types.Func]bool   // methods that pkg has
}

// A declared is a declaration of a package's file.
type declared struct {
	outline *outline
	region  region
	taken   bool // it is part of the excerpt, as far as that needs it
}

// Constants returns the package at path with all of its constants at least, nil
// where its source isn't available.
func (p *Program) Constants(path string) *Package {
	if e := p.excerptOf(path); e != nil {
		return e.pkg
	}
	return p.Source(path)
}

// Method returns the package that declares a method with the method at least, nil
// where its source isn't available.
func (p *Program) Method(f *types.Func) *Package {
	path := f.Pkg().Path()
	if e := p.excerptOf(path); e != nil && (e.read[f] || e.addMethod(f)) {
		return e.pkg
	}
	return p.Source(path)
}

// excerptOf returns what is read of a package, nil where all of it is.
func (p *Program) excerptOf(path string) *excerpt {
	meta := p.byPath[path]
	if meta == nil || p.fromSrc[meta.ID] || p.sources[path] != nil || meta.ExportFile == "" || IsLibrary(path) ||
		p.isClient(path) || len(meta.CompiledGoFiles) == 0 {
		return nil
	}
	e, ok := p.excerpts[path]
	if !ok {
		e = p.newExcerpt(meta)
		p.excerpts[path] = e
	}
	return e
}

// newExcerpt reads the constants of a package, nil where it has to be read as a
// whole.
func (p *Program) newExcerpt(meta *packages.Package) *excerpt {
	exported, err := p.export(meta)
	if err != nil {
		return nil
	}
	e := &excerpt{program: p, meta: meta, exported: exported, read: make(map[*types.Func]bool)}
	e.pkg = &Package{Path: meta.PkgPath, Name: meta.Name, Info: newInfo(), Types: types.NewPackage(meta.PkgPath, meta.Name)}
	var files []*ast.File
	for _, name := range meta.CompiledGoFiles {
		o := p.outline(name)
		if o == nil {
			return nil
		}
		e.outlines = append(e.outlines, o)
		if constants := o.of("const"); len(constants) > 0 {
			file := e.parse(o, constants)
			if file == nil {
				return nil
			}
			files = append(files, file)
		}
	}
	e.pkg.Files = files
	if unexported := e.withoutExported(files); len(unexported) > 0 && !e.check(unexported) {
		return nil
	}
	return e
}

// withoutExported returns the files without the groups of constants that the
// export data has all of, which are taken from there.
func (e *excerpt) withoutExported(files []*ast.File) []*ast.File {
	var rest []*ast.File
	for _, file := range files {
		checked := *file
		checked.Decls = slices.DeleteFunc(slices.Clone(file.Decls), e.takeExported)
		if slices.ContainsFunc(checked.Decls, isConstants) {
			rest = append(rest, &checked)
		}
	}
	return rest
}

func isConstants(decl ast.Decl) bool {
	group, ok := decl.(*ast.GenDecl)
	return ok && group.Tok == token.CONST
}

// takeExported reports whether the export data has all constants of a
// declaration, and notes them if so.
func (e *excerpt) takeExported(decl ast.Decl) bool {
	if !isConstants(decl) {
		return false
	}
	var names []*ast.Ident
	for _, spec := range decl.(*ast.GenDecl).Specs {
		names = append(names, declaredBy(spec)...)
	}
	lacks := func(name *ast.Ident) bool { return name.Name != "_" && e.exported.Scope().Lookup(name.Name) == nil }
	if slices.ContainsFunc(names, lacks) {
		return false
	}
	for _, name := range names {
		e.pkg.Info.Defs[name] = e.exported.Scope().Lookup(name.Name)
	}
	return true
}

// outline returns the outline of a file, nil where it has none.
func (p *Program) outline(name string) *outline {
	o, ok := p.outlines[name]
	if !ok {
		o = outlineOf(name)
		p.outlines[name] = o
	}
	return o
}

// parse reads regions of a file with its imports, nil where that fails.
func (e *excerpt) parse(o *outline, wanted []region) *ast.File {
	file, err := o.parse(e.program.Fset, o.header(), append(o.of("import"), wanted...))
	if err != nil {
		return nil
	}
	return file
}

// addMethod reports whether it could add a method, which is one of this package.
// A receiver with type parameters isn't provided for.
func (e *excerpt) addMethod(f *types.Func) bool {
	position := e.program.Fset.Position(f.Pos())
	name := e.program.sourceFile(e.meta.PkgPath, position.Filename)
	i := slices.IndexFunc(e.outlines, func(o *outline) bool { return o.name == name })
	if i < 0 {
		return false
	}
	regions := slices.DeleteFunc(slices.Clone(e.outlines[i].at(position.Line)), func(r region) bool { return r.keyword != "func" })
	if len(regions) != 1 {
		return false
	}
	file := e.parse(e.outlines[i], regions)
	if file == nil {
		return false
	}
	decl, ok := file.Decls[len(file.Decls)-1].(*ast.FuncDecl)
	if !ok || decl.Recv == nil || decl.Name.Name != f.Name() || isGeneric(decl.Recv) {
		return false
	}
	if !e.check([]*ast.File{file}) {
		return false
	}
	e.pkg.Files, e.read[f] = append(e.pkg.Files, file), true
	return true
}

// isGeneric reports whether a receiver has type parameters.
func isGeneric(receiver *ast.FieldList) bool {
	found := false
	ast.Inspect(receiver, func(node ast.Node) bool {
		switch node.(type) {
		case *ast.IndexExpr, *ast.IndexListExpr:
			found = true
		}
		return !found
	})
	return found
}

// check type-checks files in the package's scope, with what they lead to, and
// reports whether they are without a fault.
func (e *excerpt) check(files []*ast.File) (ok bool) {
	defer func() {
		ok = recover() == nil && ok // as in typeCheck
	}()
	known := namesIn(files)
	var checked []*ast.File
	queue := files
	for len(queue) > 0 {
		file := queue[0]
		queue = queue[1:]
		decls := e.needed
		if len(checked) < len(files) {
			decls = e.asked
		}
		reduced := *file
		reduced.Decls = decls(file)
		used := identsIn(&reduced)
		reduced.Decls = append(e.imports(file, used), reduced.Decls...)
		checked = append(checked, &reduced)
		for _, name := range slices.Sorted(maps.Keys(used)) {
			if known[name] || e.has(name) {
				continue
			}
			known[name] = true
			more, ok := e.lookup(name)
			if !ok {
				return false
			}
			queue = append(queue, more...)
		}
	}
	faulty := false
	config := e.program.config(e.meta, e.program.export)
	config.Error = func(err error) {
		var fault types.Error
		faulty = faulty || !errors.As(err, &fault) || !fault.Soft
	}
	// The error has been seen by config.Error.
	_ = types.NewChecker(&config, e.program.Fset, e.pkg.Types, e.pkg.Info).Files(checked)
	return !faulty
}

// has reports whether the package's scope has a name, perhaps from the export
// data.
func (e *excerpt) has(name string) bool {
	scope := e.pkg.Types.Scope()
	if scope.Lookup(name) != nil {
		return true
	}
	object := e.exported.Scope().Lookup(name)
	if object != nil {
		scope.Insert(object)
	}
	return object != nil
}

// lookup returns files with the declarations of an unexported name of the
// package, none where it has no such name. It reports whether that is certain.
func (e *excerpt) lookup(name string) (files []*ast.File, ok bool) {
	if e.names == nil && !e.index() {
		return nil, false
	}
	found := e.names[name]
	if found == nil {
		return nil, true
	}
	for _, d := range append(slices.Clone(e.methods[name]), found) {
		if d.taken {
			continue
		}
		d.taken = true
		file := e.parse(d.outline, []region{d.region})
		if file == nil {
			return nil, false
		}
		files = append(files, file)
	}
	return files, true
}

// index finds all unexported declarations and all methods.
func (e *excerpt) index() bool {
	e.names, e.methods = make(map[string]*declared), make(map[string][]*declared)
	for _, o := range e.outlines {
		for _, r := range o.regions {
			if r.keyword != "type" && r.keyword != "var" && r.keyword != "func" {
				continue
			}
			d := &declared{outline: o, region: r}
			receiver, ok := o.receiver(r)
			if !ok {
				return false
			}
			if receiver != "" {
				e.methods[receiver] = append(e.methods[receiver], d)
				continue
			}
			for _, name := range o.names(r) {
				if !ast.IsExported(name) {
					e.names[name] = d
				}
			}
		}
	}
	return true
}

// asked returns the declarations of a file that was asked for as they are
// type-checked: with a function for a method, whose type the package's scope has
// from the export data.
func (e *excerpt) asked(file *ast.File) []ast.Decl {
	var decls []ast.Decl
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			if decl.Tok != token.IMPORT {
				decls = append(decls, decl)
			}
		case *ast.FuncDecl:
			changed, signature := *decl, *decl.Type
			signature.Params = &ast.FieldList{List: append(named(decl.Recv.List), named(decl.Type.Params.List)...)}
			changed.Name, changed.Recv, changed.Type = ast.NewIdent("_"), nil, &signature
			decls = append(decls, &changed)
		}
	}
	return decls
}

// needed returns the declarations of a file that others lead to as they are
// type-checked: without what the package's scope has already, and without the
// bodies of functions.
func (e *excerpt) needed(file *ast.File) []ast.Decl {
	var decls []ast.Decl
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			if decl.Tok != token.IMPORT {
				decls = append(decls, e.group(decl))
			}
		case *ast.FuncDecl:
			changed := *decl
			changed.Body = &ast.BlockStmt{List: []ast.Stmt{&ast.ForStmt{Body: new(ast.BlockStmt)}}}
			decls = append(decls, &changed)
		}
	}
	return decls
}

// imports returns the imports of a file that are used.
func (e *excerpt) imports(file *ast.File, used map[string]bool) []ast.Decl {
	var decls []ast.Decl
	for _, spec := range file.Imports {
		if name := e.localName(spec); name == "." || used[name] {
			decls = append(decls, &ast.GenDecl{Tok: token.IMPORT, TokPos: spec.Pos(), Specs: []ast.Spec{spec}})
		}
	}
	return decls
}

// group returns types or variables without those that the scope has.
func (e *excerpt) group(decl *ast.GenDecl) *ast.GenDecl {
	changed := *decl
	changed.Specs = nil
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if !e.has(spec.Name.Name) {
				changed.Specs = append(changed.Specs, spec)
			}
		case *ast.ValueSpec:
			variables := *spec
			variables.Names = slices.Clone(spec.Names)
			for i, name := range spec.Names {
				if e.has(name.Name) {
					variables.Names[i] = ast.NewIdent("_")
				}
			}
			changed.Specs = append(changed.Specs, &variables)
		}
	}
	return &changed
}

// named returns parameters that all have names, since either all have or none.
func named(fields []*ast.Field) []*ast.Field {
	fields = slices.Clone(fields)
	for i, field := range fields {
		if len(field.Names) == 0 {
			changed := *field
			changed.Names = []*ast.Ident{ast.NewIdent("_")}
			fields[i] = &changed
		}
	}
	return fields
}

// localName returns the name by which a file knows an import; the names of dot
// imports aren't known.
func (e *excerpt) localName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	path, err := strconv.Unquote(spec.Path.Value)
	if imported := e.meta.Imports[path]; err == nil && imported != nil {
		return imported.Name
	}
	return ""
}

// namesIn returns the names of the constants that the files declare.
func namesIn(files []*ast.File) map[string]bool {
	names := make(map[string]bool)
	for _, file := range files {
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range group.Specs {
				for _, name := range declaredBy(spec) {
					names[name.Name] = true
				}
			}
		}
	}
	return names
}

// identsIn returns all identifiers of a file's declarations.
func identsIn(file *ast.File) map[string]bool {
	used := make(map[string]bool)
	for _, decl := range file.Decls {
		ast.Inspect(decl, func(node ast.Node) bool {
			if ident, ok := node.(*ast.Ident); ok {
				used[ident.Name] = true
			}
			return true
		})
	}
	return used
}
