// Package onefile gives tests programs of one file each, of which the go command lists
// what they import once for all of them.
package onefile

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/modtest"
)

// A Program is one whose root package is one file after another.
type Program struct {
	*load.Program
	Dir string // the folder of its module, example.com/shop

	root     *load.Package
	packages map[string]*types.Package
	file     *ast.File // which it is now
}

// New lists what the sources import: files may import no other packages.
func New(t testing.TB, sources ...string) *Program {
	t.Helper()
	imports := map[string]bool{`"example.com/shop/show"`: true}
	for _, source := range sources {
		file, err := parser.ParseFile(token.NewFileSet(), "main.go", source, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range file.Imports {
			imports[i.Path.Value] = true
		}
	}
	delete(imports, `"example.com/shop/shopclient"`) // which is generated
	main := "package main\n\nimport _ " + strings.Join(slices.Sorted(maps.Keys(imports)), "\nimport _ ") + "\n\nfunc main() {}\n"
	dir := modtest.Write(t, &txtar.Archive{Files: []txtar.File{{Name: "main.go", Data: []byte(main)}, {Name: "show/show.go", Data: []byte(modtest.Show)}}})
	program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}, ClientDir: filepath.Join(dir, "shopclient")})
	require.NoError(t, err)
	p := &Program{Program: program, Dir: dir, root: program.Roots[0], packages: make(map[string]*types.Package)}
	require.Empty(t, p.root.Errors)
	for _, pkg := range p.root.Types.Imports() {
		p.packages[pkg.Path()] = pkg
	}
	return p
}

// Import is that of a types.Importer.
func (p *Program) Import(path string) (*types.Package, error) {
	if pkg := p.packages[path]; pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}

// Set makes a file the root package's only one. The errors of its types are those of the
// package; another error says that it can't be parsed.
func (p *Program) Set(name, source string) error {
	if p.file != nil {
		p.Fset.RemoveFile(p.Fset.File(p.file.FileStart))
	}
	var err error
	if p.file, err = parser.ParseFile(p.Fset, name, source, parser.ParseComments|parser.SkipObjectResolution); err != nil {
		return err
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Instances: make(map[*ast.Ident]types.Instance),
		Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
		Scopes: make(map[ast.Node]*types.Scope),
	}
	p.root.Name, p.root.Errors = p.file.Name.Name, nil
	config := types.Config{Importer: p, Sizes: types.SizesFor("gc", "amd64"), Error: func(err error) {
		fault := load.Error{Msg: err.Error()}
		if of, ok := err.(types.Error); ok {
			fault = load.Error{At: of.Pos, Pos: p.Position(of.Pos), Msg: of.Msg}
		}
		p.root.Errors = append(p.root.Errors, fault)
	}}
	pkg, _ := config.Check(p.root.Path, p.Fset, []*ast.File{p.file}, info) // the package has the errors
	p.root.Files, p.root.Types, p.root.Info = []*ast.File{p.file}, pkg, info
	return nil
}
