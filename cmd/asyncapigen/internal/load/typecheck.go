package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"go/version"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// check parses and type-checks a package from source, its imports before it.
// Faults don't stop it: what can be read is read.
func (p *Program) check(meta *packages.Package) *Package {
	if pkg, ok := p.checked[meta.ID]; ok {
		return pkg
	}
	pkg := &Package{Path: meta.PkgPath, Name: meta.Name, Embedded: meta.EmbedFiles}
	p.checked[meta.ID] = pkg
	p.own = append(p.own, pkg)
	p.parse(pkg, meta)
	imported := make(map[*Package]bool)
	p.typeCheck(pkg, meta, func(dependency *packages.Package) (*types.Package, error) {
		if p.fromSrc[dependency.ID] {
			source := p.check(dependency)
			if source.Types == nil {
				return nil, errors.New("import cycle")
			}
			imported[source] = true
			return source.Types, nil
		}
		return p.export(dependency)
	})
	for source := range imported {
		pkg.Imports = append(pkg.Imports, source)
	}
	slices.SortFunc(pkg.Imports, func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	return pkg
}

// Source returns the package at path from source, for the evaluation of its
// functions and variables; nil where its source isn't available. A package that
// was read from export data gets types of its own here: the two are the same by
// path and name, not by pointer.
func (p *Program) Source(path string) *Package {
	meta := p.byPath[path]
	if meta == nil || IsLibrary(path) || p.isClient(path) || len(meta.CompiledGoFiles) == 0 {
		return nil
	}
	if p.fromSrc[meta.ID] {
		return p.check(meta)
	}
	if pkg, ok := p.sources[path]; ok {
		p.noteOwn(pkg)
		return pkg
	}
	pkg := &Package{Path: meta.PkgPath, Name: meta.Name, Embedded: meta.EmbedFiles}
	p.sources[path] = pkg
	p.noteOwn(pkg)
	p.parse(pkg, meta)
	p.typeCheck(pkg, meta, p.export)
	return pkg
}

// Read returns the package at path from source if it was read so far, nil otherwise.
func (p *Program) Read(path string) *Package {
	meta := p.byPath[path]
	if meta == nil {
		return nil
	}
	if pkg := p.checked[meta.ID]; pkg != nil {
		return pkg
	}
	if pkg := p.sources[path]; pkg != nil && slices.Contains(p.own, pkg) {
		return pkg
	}
	return nil
}

// OwnPaths returns the paths of the user's own packages that the program is made of, in their
// order, whether they were read or not.
func (p *Program) OwnPaths() []string {
	if p.ownPaths == nil {
		p.ownPaths = []string{}
		for path := range p.byPath {
			if p.IsOwn(path) && !IsLibrary(path) && !p.isClient(path) {
				p.ownPaths = append(p.ownPaths, path)
			}
		}
		slices.Sort(p.ownPaths)
	}
	return p.ownPaths
}

// noteOwn notes a package that was read, maybe for another program.
func (p *Program) noteOwn(pkg *Package) {
	if p.IsOwn(pkg.Path) && !slices.Contains(p.own, pkg) {
		p.own = append(p.own, pkg)
	}
}

// Exported returns the types of the package at path as those see it that import it,
// nil where it isn't among what was loaded or can't be read.
func (p *Program) Exported(path string) *types.Package {
	meta := p.byPath[path]
	if meta == nil {
		return nil
	}
	pkg, err := p.export(meta)
	if err != nil {
		return nil
	}
	return pkg
}

// InStandardLibrary reports whether the package at path comes with Go.
func (p *Program) InStandardLibrary(path string) bool {
	meta := p.byPath[path]
	if meta == nil {
		first, _, _ := strings.Cut(path, "/")
		return !strings.Contains(first, ".")
	}
	return meta.Module == nil && !strings.Contains(strings.SplitN(path, "/", 2)[0], ".")
}

// IsOwn reports whether the package at path is the user's: of the main module,
// of another one of the workspace, or of one that is replaced by a folder. So
// are those that have no module, as other build systems than the go command
// give them.
func (p *Program) IsOwn(path string) bool {
	meta := p.byPath[path]
	if meta == nil {
		return false
	}
	module := meta.Module
	return p.fromSrc[meta.ID] || module == nil && !p.InStandardLibrary(path) ||
		module != nil && (module.Main || module.Replace != nil && module.Replace.Version == "")
}

func (p *Program) parse(pkg *Package, meta *packages.Package) {
	files := meta.CompiledGoFiles
	if len(files) == 0 {
		files = meta.GoFiles
	}
	for _, name := range files {
		if strings.HasSuffix(name, ".s") {
			continue
		}
		file, err := parser.ParseFile(p.Fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		p.noteParseError(pkg, err)
		if err == nil {
			p.parsed[name] = file
		}
		if file != nil {
			pkg.Files = append(pkg.Files, file)
		}
	}
}

func (p *Program) noteParseError(pkg *Package, err error) {
	var list scanner.ErrorList
	var pathErr *os.PathError
	switch {
	case err == nil:
	case errors.As(err, &list):
		for _, e := range list {
			pkg.Errors = append(pkg.Errors, Error{Pos: p.seenFromDir(e.Pos), Msg: e.Msg})
		}
	case errors.As(err, &pathErr):
		pkg.Errors = append(pkg.Errors, Error{Msg: fmt.Sprintf("read %s: %v", pathErr.Path, pathErr.Err)})
	default:
		pkg.Errors = append(pkg.Errors, Error{Msg: err.Error()})
	}
}

// typeCheck fills pkg.Types and pkg.Info. The client's package can't be
// imported, whatever its state: go/types then takes all that is selected from
// it as unknown without further errors, and the one error about the import is
// dropped here.
func (p *Program) typeCheck(pkg *Package, meta *packages.Package, load func(*packages.Package) (*types.Package, error)) {
	clientImports := importsOf(pkg.Files, func(_ *ast.ImportSpec, path string) bool { return p.isClient(path) })
	missing := importsOf(pkg.Files, func(spec *ast.ImportSpec, path string) bool {
		return (spec.Name == nil || spec.Name.Name != "_") && !p.isClient(path) && p.isMissing(meta, path)
	})
	config := p.config(meta, load)
	config.Error = func(err error) {
		var fault types.Error
		if !errors.As(err, &fault) || clientImports[fault.Pos] || strings.HasPrefix(fault.Msg, "\t") {
			return
		}
		e := Error{At: fault.Pos, Pos: p.Position(fault.Pos), Msg: fault.Msg, Missing: missing[fault.Pos]}
		if e.Missing {
			e.Msg, _, _ = strings.Cut(e.Msg, " (") // the advice to go get it, which doesn't fit the user's own packages
		}
		pkg.Errors = append(pkg.Errors, e)
	}
	pkg.Info = newInfo()
	defer func() {
		// Cycles of aliases through instances make go/types of Go 1.26 panic, where
		// the compiler has an error.
		if v := recover(); v != nil {
			pkg.Errors = append(pkg.Errors, Error{Msg: fmt.Sprintf("type checking of %s failed: %v", pkg.Path, v)})
		}
	}()
	// The error has been seen by config.Error.
	pkg.Types, _ = config.Check(meta.PkgPath, p.Fset, pkg.Files, pkg.Info)
	for _, file := range pkg.Files {
		if of := pkg.Info.FileVersions[file]; of != "" && version.Compare(of, "go1.22") < 0 {
			pkg.Older = append(pkg.Older, file)
		}
	}
}

// config is how a package is type-checked.
func (p *Program) config(meta *packages.Package, load func(*packages.Package) (*types.Package, error)) types.Config {
	config := types.Config{
		Sizes:       p.sizes,
		FakeImportC: true,
		Importer:    importer(func(path string) (*types.Package, error) { return p.resolve(meta, path, load) }),
	}
	if meta.Module != nil && meta.Module.GoVersion != "" {
		config.GoVersion = "go" + meta.Module.GoVersion
	}
	return config
}

func newInfo() *types.Info {
	return &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Instances:    make(map[*ast.Ident]types.Instance),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		Scopes:       make(map[ast.Node]*types.Scope),
		FileVersions: make(map[*ast.File]string),
	}
}

type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }

// resolve imports what path means in meta: vendoring and test variants may give
// it another package than its name says.
func (p *Program) resolve(meta *packages.Package, path string, load func(*packages.Package) (*types.Package, error)) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	imported := meta.Imports[path]
	if imported == nil {
		return nil, fmt.Errorf("no package %s is loaded", path)
	}
	if p.isClient(imported.PkgPath) {
		return nil, errors.New("the generated client")
	}
	if len(imported.Errors) > 0 && len(imported.CompiledGoFiles) == 0 {
		return nil, firstLine(errors.New(imported.Errors[0].Msg))
	}
	return load(imported)
}

// export reads a package from the compiler's export data, or checks it from
// source where it has none.
func (p *Program) export(meta *packages.Package) (*types.Package, error) {
	if p.fromSrc[meta.ID] || meta.ExportFile == "" {
		if source := p.check(meta); source.Types != nil {
			return source.Types, nil
		}
		return nil, errors.New("import cycle")
	}
	if pkg := p.exported[meta.PkgPath]; pkg != nil && pkg.Complete() {
		return pkg, nil
	}
	file, err := os.Open(meta.ExportFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	//lint:ignore SA1019 until Go 1.28 go list -export gives archives, which Read doesn't take
	reader, err := gcexportdata.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("read export data of %s: %w", meta.PkgPath, err)
	}
	pkg, err := gcexportdata.Read(reader, p.Fset, p.exported, meta.PkgPath)
	if err != nil {
		return nil, fmt.Errorf("read export data of %s: %w", meta.PkgPath, err)
	}
	return pkg, nil
}

// importsOf returns the positions of the imports that are wanted.
func importsOf(files []*ast.File, wanted func(spec *ast.ImportSpec, path string) bool) map[token.Pos]bool {
	positions := make(map[token.Pos]bool)
	for _, file := range files {
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err == nil && wanted(spec, path) {
				positions[spec.Path.Pos()] = true
				positions[spec.Pos()] = true
			}
		}
	}
	return positions
}

// isMissing reports whether a package of the user's own modules that meta imports
// isn't there, such as the client of another service before it is generated.
func (p *Program) isMissing(meta *packages.Package, path string) bool {
	imported := meta.Imports[path]
	if imported != nil && (len(imported.Errors) == 0 || len(imported.CompiledGoFiles) > 0) {
		return false
	}
	for _, pkg := range p.metadata {
		if pkg.Module != nil && pkg.Module.Main && strings.HasPrefix(path, pkg.Module.Path+"/") {
			return true
		}
	}
	return false
}
