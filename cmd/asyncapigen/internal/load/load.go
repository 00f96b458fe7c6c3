// Package load brings a program's packages into memory as go/types sees them.
//
// One packages.Load asks the go command for the packages, their dependencies
// and the compiler's export data. Of these, only the packages that can register
// routes, which are those that import warren's runtime directly or through
// others, are parsed and type-checked from source; every other dependency is
// read from export data, lazily, when a checked package imports it. Sources of
// dependencies are read on demand: by [Program.Source] to evaluate a function,
// by [Program.TypeDoc] and [Program.FieldDoc] for doc comments.
//
//	program, err := load.Packages(ctx, load.Config{Dir: ".", Patterns: []string{"."}})
//	for _, pkg := range program.Roots {
//		... pkg.Types, pkg.Info, pkg.Files
//	}
//
// It never runs the program, and it doesn't need the generated client: imports
// of the client's package are taken as unknown, whether it exists or not.
package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// RuntimePath is the import path of the package whose routes are looked for.
const RuntimePath = modulePath + "/runtime"

const modulePath = "github.com/warrenmq/warren"

// describes lists the packages by which a program describes itself: its routes,
// and the unions in its messages.
var describes = map[string]bool{RuntimePath: true, RuntimePath + "/asyncapi": true}

// Config says what to load.
type Config struct {
	Dir       string   // the working directory of the go command; "" is the current one
	Patterns  []string // package patterns as of go list
	Env       []string // the environment; nil is the process's own
	Tags      string   // build tags, separated by commas
	ClientDir string   // the folder of the generated client, "" for none
}

// A Program is what was loaded.
type Program struct {
	Fset       *token.FileSet
	Roots      []*Package // those of the packages that the patterns name which can register routes, sorted by path
	ClientPath string     // the import path of the generated client, "" where it has none
	ClientName string     // its package name

	dir       string // where the positions are seen from
	sizes     types.Sizes
	metadata  map[string]*packages.Package // by ID
	byPath    map[string]*packages.Package // by package path
	fromSrc   map[string]bool              // IDs to be checked from source
	checked   map[string]*Package          // by ID; nil while being checked
	exported  map[string]*types.Package    // read from export data, by path
	sources   map[string]*Package          // Source's answers, by path
	own       []*Package                   // of both, the user's
	registers map[string]bool              // those of Registers, by path
	docs      map[string]*fileDocs         // by file name
}

// A Package was parsed and type-checked from source.
type Package struct {
	Path    string
	Name    string
	Types   *types.Package
	Info    *types.Info
	Files   []*ast.File
	Imports []*Package // those of its imports that were checked from source, in the order of their paths
	Errors  []Error    // of parsing and type-checking, those of the generated client aside
}

// An Error is a fault of the analysed packages.
type Error struct {
	At  token.Pos      // in the program's file set; not valid for errors of parsing
	Pos token.Position // zero where the go command gave none
	Msg string

	// Missing says that it is the import of a package of the user's own modules
	// that doesn't exist, by a name: all that it would declare is unknown.
	Missing bool
}

func (e Error) Error() string {
	if e.Pos.IsValid() {
		return e.Pos.String() + ": " + e.Msg
	}
	return e.Msg
}

// Packages loads the packages that cfg.Patterns name. The error says that there
// is nothing to analyse: a pattern names no package, or the go command failed.
// Faults within packages are in their Errors.
func Packages(ctx context.Context, cfg Config) (*Program, error) {
	if info, err := os.Stat(orDot(cfg.Dir)); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("load packages: %s is not a directory", cfg.Dir)
	}
	listed, err := list(ctx, cfg)
	if err != nil {
		return nil, err
	}
	p := &Program{
		dir:       realPath(orDot(cfg.Dir)),
		Fset:      token.NewFileSet(),
		metadata:  make(map[string]*packages.Package),
		byPath:    make(map[string]*packages.Package),
		checked:   make(map[string]*Package),
		exported:  make(map[string]*types.Package),
		sources:   make(map[string]*Package),
		registers: make(map[string]bool),
		docs:      make(map[string]*fileDocs),
	}
	packages.Visit(listed, nil, func(pkg *packages.Package) {
		p.metadata[pkg.ID] = pkg
		p.byPath[pkg.PkgPath] = pkg
		if p.sizes == nil {
			p.sizes = pkg.TypesSizes
		}
	})
	if err := p.findClient(ctx, cfg, listed); err != nil {
		return nil, err
	}
	roots, err := p.roots(cfg, listed)
	if err != nil {
		return nil, err
	}
	p.selectSources()
	for _, root := range roots {
		if p.fromSrc[root.ID] {
			p.Roots = append(p.Roots, p.check(root))
		}
	}
	return p, ctx.Err()
}

// list asks the go command, once.
func list(ctx context.Context, cfg Config) ([]*packages.Package, error) {
	config := &packages.Config{
		Context: ctx,
		Dir:     cfg.Dir,
		Env:     cfg.Env,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedExportFile | packages.NeedModule | packages.NeedTypesSizes,
	}
	if cfg.Tags != "" {
		config.BuildFlags = []string{"-tags=" + cfg.Tags}
	}
	listed, err := packages.Load(config, cfg.Patterns...)
	if err != nil {
		return nil, fmt.Errorf("load packages %s: %w", strings.Join(cfg.Patterns, " "), firstLine(err))
	}
	if len(listed) == 0 {
		return nil, fmt.Errorf("load packages %s: %w", strings.Join(cfg.Patterns, " "), explain(ctx, cfg))
	}
	return listed, nil
}

// explain asks the go command why it listed nothing: in the mode that also
// builds, packages.Load takes its complaints for those of the compiler.
func explain(ctx context.Context, cfg Config) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-tags=" + cfg.Tags, "--"}, cfg.Patterns...)...)
	cmd.Dir, cmd.Env = cfg.Dir, cfg.Env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil && stderr.Len() > 0 {
		return firstLine(errors.New(stderr.String()))
	}
	return errors.New("no packages match")
}

// roots returns the packages to analyse. The generated client isn't one of
// them, and a pattern that names no package is an error.
func (p *Program) roots(cfg Config, listed []*packages.Package) ([]*packages.Package, error) {
	var roots []*packages.Package
	for _, pkg := range listed {
		if p.isClient(pkg.PkgPath) || IsLibrary(pkg.PkgPath) {
			continue
		}
		if len(pkg.CompiledGoFiles) == 0 && len(pkg.GoFiles) == 0 {
			return nil, noPackage(pkg)
		}
		roots = append(roots, pkg)
	}
	if len(roots) == 0 {
		return nil, fmt.Errorf("load packages %s: no packages match", strings.Join(cfg.Patterns, " "))
	}
	slices.SortFunc(roots, func(a, b *packages.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	return roots, nil
}

func noPackage(pkg *packages.Package) error {
	if len(pkg.Errors) > 0 {
		return fmt.Errorf("load package %s: %w", pkg.PkgPath, firstLine(errors.New(pkg.Errors[0].Msg)))
	}
	return fmt.Errorf("load package %s: no Go files", pkg.PkgPath)
}

// selectSources chooses what is checked from source: what can reach the
// runtime, and what has no export data because it doesn't compile. Importers of
// either are among them, so no package is seen in two ways by its importers.
// Warren's own packages are known without their source.
// See docs/decisions/0002.
func (p *Program) selectSources() {
	p.fromSrc = make(map[string]bool)
	seen := make(map[string]bool)
	var visit func(pkg *packages.Package) bool
	visit = func(pkg *packages.Package) bool {
		if seen[pkg.ID] {
			return p.fromSrc[pkg.ID]
		}
		seen[pkg.ID] = true
		if IsLibrary(pkg.PkgPath) || pkg.PkgPath == p.ClientPath || pkg.PkgPath == "unsafe" {
			return false
		}
		fromSource := pkg.ExportFile == ""
		for _, imported := range pkg.Imports {
			reaches := visit(imported) || describes[imported.PkgPath] || p.isClient(imported.PkgPath)
			fromSource = fromSource || reaches
		}
		p.fromSrc[pkg.ID] = fromSource
		return fromSource
	}
	for _, pkg := range p.metadata {
		visit(pkg)
	}
}

// Errors returns the faults of all packages that were checked from source for
// the analysis, in the order of their positions, each once.
func (p *Program) Errors() []Error {
	var all []Error
	for _, pkg := range p.checked {
		all = append(all, pkg.Errors...)
	}
	slices.SortFunc(all, func(a, b Error) int {
		return cmp.Or(
			cmp.Compare(a.Pos.Filename, b.Pos.Filename),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.Msg, b.Msg),
		)
	})
	return slices.Compact(all)
}

// Checked returns the packages that were checked from source for the analysis,
// in no order.
func (p *Program) Checked() []*Package { return slices.Collect(maps.Values(p.checked)) }

// Own returns the packages of the user's own whose sources were read so far.
func (p *Program) Own() []*Package { return p.own }

// Position resolves a position. Files below the working directory are named
// from there.
func (p *Program) Position(pos token.Pos) token.Position {
	return p.seenFromDir(p.Fset.Position(pos))
}

func (p *Program) seenFromDir(position token.Position) token.Position {
	if name, err := filepath.Rel(p.dir, position.Filename); err == nil && filepath.IsLocal(name) {
		position.Filename = name
	}
	return position
}

// IsLibrary reports whether path is one of warren's own packages, rather than
// one of its examples.
func IsLibrary(path string) bool {
	for _, room := range []string{"/runtime", "/mgmt", "/observe", "/internal", "/cmd"} {
		if path == modulePath+room || strings.HasPrefix(path, modulePath+room+"/") {
			return true
		}
	}
	return false
}

// Imports reports whether importing the package at path would import target,
// directly or not. Packages that weren't loaded import nothing that is known.
func (p *Program) Imports(path, target string) bool {
	seen := make(map[string]bool)
	var visit func(pkg *packages.Package) bool
	visit = func(pkg *packages.Package) bool {
		if pkg.PkgPath == target {
			return true
		}
		if seen[pkg.ID] {
			return false
		}
		seen[pkg.ID] = true
		for _, imported := range pkg.Imports {
			if visit(imported) {
				return true
			}
		}
		return false
	}
	pkg := p.byPath[path]
	return pkg != nil && visit(pkg)
}

// wrapping is what errors of packages.Load have around the go command's message.
var wrapping = regexp.MustCompile(`^(err: )?(exit status \d+: stderr: )?(go: )?|: stderr: $`)

// firstLine keeps the go command's first line: what follows is advice on other
// faults.
func firstLine(err error) error {
	text := strings.TrimSpace(wrapping.ReplaceAllString(err.Error(), ""))
	line, rest, _ := strings.Cut(text, "\n")
	if strings.HasSuffix(line, ":") && rest != "" {
		next, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
		line += " " + strings.TrimSpace(next)
	}
	return errors.New(line)
}

func orDot(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}
