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

	// ClientModule is the path of the module that the folder is on its own, "" where
	// it is one of the module around it.
	ClientModule string

	SeenFrom string // the folder from which positions are named; "" is Dir

	// Clients are the packages whose importers are read from source, by their paths, in
	// place of warren's own: clients of RabbitMQ. nil is warren's own.
	Clients map[string]bool
}

// A Program is what was loaded.
type Program struct {
	Fset       *token.FileSet
	Roots      []*Package // those of the packages that the patterns name which can register routes, sorted by path
	ClientPath string     // the import path of the generated client, "" where it has none
	ClientName string     // its package name

	*shared
	dir      string   // where the positions are seen from
	env      []string // the environment; nil is the process's own
	sizes    types.Sizes
	metadata map[string]*packages.Package // by ID
	byPath   map[string]*packages.Package // by package path
	fromSrc  map[string]bool              // IDs to be checked from source
	checked  map[string]*Package          // by ID
	excerpts map[string]*excerpt          // by path; nil for packages that are read as a whole
	parsed   map[string]*ast.File         // files without a fault of the packages that were checked from source
	files    map[string]map[string]string // of packages, by their paths and the base names
	seen     map[string]string            // the names of files as seen from dir

	importersOf      map[string]map[string]bool // those of importers, by path
	otherImportersOf map[string][]string        // those of OtherImporters, by path
	direct           map[string][]string        // those of directImporters, by path; nil until asked for
	own              []*Package                 // the user's of those that were read from source
	ownPaths         []string                   // those of OwnPaths; nil until asked for
	othersReflect    *bool                      // CallsByReflection of others than the user's; nil until asked for
	modulesReflect   *bool                      // OthersCallByReflection, likewise
	importedByOthers []string                   // nil until asked for
	settings         map[string]string          // those of Setting; nil until asked for

	interfaceMethods map[methodShape]bool // of others' packages; nil until asked for
	interfacesUnread bool                 // some of these packages can't be read
}

// A Package was parsed and type-checked from source.
type Package struct {
	Path     string
	Name     string
	Types    *types.Package // nil while it is being checked, and where go/types can't
	Info     *types.Info    // never nil
	Files    []*ast.File
	Older    []*ast.File // of Files, those in a version of Go before 1.22: the rounds of a loop share its variables
	Imports  []*Package  // those of its imports that were checked from source, in the order of their paths
	Embedded []string    // the files that its directives //go:embed name together, as absolute paths
	Errors   []Error     // of parsing and type-checking, those of the generated client aside
}

// FileAt returns the file of the package that has a position, nil for none.
func (p *Package) FileAt(pos token.Pos) *ast.File {
	for _, file := range p.Files {
		if file.FileStart <= pos && pos < file.FileEnd {
			return file
		}
	}
	return nil
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
	l, err := List(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return l.Program(ctx, cfg)
}

// program makes the program of some of the packages that were listed.
func (l *Listing) program(ctx context.Context, cfg Config, listed []*packages.Package) (*Program, error) {
	p := &Program{
		shared:   l.shared,
		Fset:     l.fset,
		dir:      realPath(orDot(cmp.Or(cfg.SeenFrom, cfg.Dir))),
		env:      cfg.Env,
		metadata: make(map[string]*packages.Package),
		byPath:   make(map[string]*packages.Package),
		checked:  make(map[string]*Package),
		excerpts: make(map[string]*excerpt),
		parsed:   make(map[string]*ast.File),
		files:    make(map[string]map[string]string),
		seen:     make(map[string]string),

		importersOf:      make(map[string]map[string]bool),
		otherImportersOf: make(map[string][]string),
	}
	packages.Visit(listed, nil, func(pkg *packages.Package) {
		p.metadata[pkg.ID] = pkg
		p.byPath[pkg.PkgPath] = pkg
	})
	var err error
	if p.sizes, err = p.sizesOf(ctx, cfg); err != nil {
		return nil, err
	}
	if p.sizes.Sizeof(types.Typ[types.Int]) != 8 {
		return nil, errSmall
	}
	if err := p.findClient(ctx, cfg, listed); err != nil {
		return nil, err
	}
	roots, err := p.roots(cfg, listed)
	if err != nil {
		return nil, err
	}
	if err := p.findIdle(ctx, cfg, listed); err != nil {
		return nil, err
	}
	p.selectSources(cfg)
	for _, root := range roots {
		if p.fromSrc[root.ID] {
			p.Roots = append(p.Roots, p.check(root))
		}
	}
	return p, ctx.Err()
}

// list asks the go command, once.
func list(ctx context.Context, cfg Config) ([]*packages.Package, error) {
	config := cfg.driver(ctx, packages.NeedName|packages.NeedFiles|packages.NeedCompiledGoFiles|packages.NeedImports|
		packages.NeedDeps|packages.NeedExportFile|packages.NeedModule|
		packages.NeedEmbedPatterns|packages.NeedEmbedFiles)
	listed, err := packages.Load(config, cfg.Patterns...)
	if err != nil {
		return nil, fmt.Errorf("load packages %s: %w", strings.Join(cfg.Patterns, " "), firstLine(err))
	}
	if len(listed) == 0 {
		return nil, fmt.Errorf("load packages %s: %w", strings.Join(cfg.Patterns, " "), explain(ctx, cfg))
	}
	return listed, nil
}

func (cfg Config) driver(ctx context.Context, mode packages.LoadMode) *packages.Config {
	config := &packages.Config{Context: ctx, Dir: cfg.Dir, Env: cfg.Env, Mode: mode}
	if cfg.Tags != "" {
		config.BuildFlags = []string{"-tags=" + cfg.Tags}
	}
	return config
}

// errSmall refuses processors on which an int has 32 bits: a program may register other routes
// there, and isn't followed so.
var errSmall = errors.New("load packages: GOARCH is a processor of 32 bits, as which programs aren't followed: set it to one of 64 bits, such as amd64")

// sizesOf returns the sizes of types on the processor that the packages are built
// for. Of every program that the go command lists a file of the runtime says
// which one that is; packages.Load would start the go command once more.
func (p *Program) sizesOf(ctx context.Context, cfg Config) (types.Sizes, error) {
	if meta := p.byPath["internal/goarch"]; meta != nil {
		for _, name := range meta.GoFiles {
			arch, ok := strings.CutPrefix(strings.TrimSuffix(filepath.Base(name), ".go"), "zgoarch_")
			if sizes := types.SizesFor("gc", arch); ok && sizes != nil {
				return sizes, nil
			}
		}
	}
	listed, err := packages.Load(cfg.driver(ctx, packages.NeedImports|packages.NeedTypesSizes), cfg.Patterns...) // without imports there are no sizes
	if err != nil {
		return nil, fmt.Errorf("find the sizes of types: %w", firstLine(err))
	}
	if len(listed) == 0 {
		return nil, ctx.Err()
	}
	return listed[0].TypesSizes, nil
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
func (p *Program) selectSources(cfg Config) {
	wanted := describes
	if cfg.Clients != nil {
		wanted = cfg.Clients
	}
	p.fromSrc = make(map[string]bool)
	seen := make(map[string]bool)
	var visit func(pkg *packages.Package) bool
	visit = func(pkg *packages.Package) bool {
		if seen[pkg.ID] {
			return p.fromSrc[pkg.ID]
		}
		seen[pkg.ID] = true
		if IsLibrary(pkg.PkgPath) || wanted[pkg.PkgPath] || pkg.PkgPath == p.ClientPath || pkg.PkgPath == "unsafe" {
			return false
		}
		fromSource := pkg.ExportFile == ""
		for _, imported := range pkg.Imports {
			reaches := visit(imported) || wanted[imported.PkgPath] || p.isClient(imported.PkgPath)
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

// FilePosition resolves a position, with the file's name on this machine.
func (p *Program) FilePosition(pos token.Pos) token.Position {
	position := p.Fset.Position(pos)
	position.Filename = p.untrimmed(position.Filename)
	return position
}

func (p *Program) seenFromDir(position token.Position) token.Position {
	name, ok := p.seen[position.Filename]
	if !ok {
		name = p.untrimmed(position.Filename)
		if below, err := filepath.Rel(p.dir, name); err == nil && filepath.IsLocal(below) {
			name = below
		}
		if p.seen != nil {
			p.seen[position.Filename] = name
		}
	}
	position.Filename = name
	return position
}

// IsLibrary reports whether path is one of warren's own packages, rather than
// one of its examples.
func IsLibrary(path string) bool {
	below, ok := strings.CutPrefix(path, modulePath+"/")
	room, _, _ := strings.Cut(below, "/")
	return ok && rooms[room]
}

var rooms = map[string]bool{"runtime": true, "mgmt": true, "observe": true, "internal": true, "cmd": true}

// IsOfService reports whether the package at path is of a module that registers the
// routes: of those of Roots.
func (p *Program) IsOfService(path string) bool {
	module := p.moduleOf(path)
	return module != "" && slices.ContainsFunc(p.Roots, func(root *Package) bool { return p.moduleOf(root.Path) == module })
}

// Module returns the path and the version of the module of the package at path, "" of
// the standard library. A module without a version, as of a workspace, has "v0.0.0".
func (p *Program) Module(path string) (module, version string) {
	if pkg := p.byPath[path]; pkg != nil && pkg.Module != nil {
		return pkg.Module.Path, cmp.Or(pkg.Module.Version, "v0.0.0")
	}
	return "", ""
}

// IsReplaced reports whether another module, or a folder, is in the place of that of the package
// at path: a go.mod says so.
func (p *Program) IsReplaced(path string) bool {
	pkg := p.byPath[path]
	return pkg != nil && pkg.Module != nil && pkg.Module.Replace != nil && pkg.Module.Replace.Path != pkg.Module.Path
}

func (p *Program) moduleOf(path string) string {
	module, _ := p.Module(path)
	return module
}

// GoVersion returns the version of Go that the module of the package at path needs.
func (p *Program) GoVersion(path string) string {
	if pkg := p.byPath[path]; pkg != nil && pkg.Module != nil {
		return pkg.Module.GoVersion
	}
	return ""
}

// Imports reports whether importing the package at path would import target,
// directly or not. Packages that weren't loaded import nothing that is known.
func (p *Program) Imports(path, target string) bool {
	return p.byPath[path] != nil && (path == target || p.importers(target)[path])
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
