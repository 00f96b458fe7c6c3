package load

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A Listing is what the go command says of packages. Several programs can be made
// of one: they share what was read of their dependencies.
type Listing struct {
	patterns []string
	listed   []*packages.Package
	fset     *token.FileSet
	shared   *shared
}

// shared is what doesn't depend on which of the listed packages a program is.
type shared struct {
	exported  map[string]*types.Package // read from export data, by path
	sources   map[string]*Package       // Source's answers, by path
	registers map[string]bool           // those of Registers, by path
	idle      map[string]bool           // what findIdle has found, by path
	docs      map[string]*fileDocs      // by file name
	outlines  map[string]*outline       // by file name; nil for files that have none

	mentions    map[string]map[qualified]bool // those of initMentions, by path
	sourceCodes map[string]*sourceCode        // by path
	recovers    map[string]bool               // by path: whether a file has the word recover
	mayMentions map[*Names]map[string]bool    // those of mayMention, by path
	without     map[*Names]map[qualified]bool // the code that mentions none of them
	used        map[string]bool               // what UsersMention has said, by path and names
	interfaces  map[string][]methodShape      // those of interfaceMethods, by ID
	reflects    map[string]bool               // those of callsByReflection, by ID
}

// List asks the go command for the packages that cfg.Patterns name, once. The
// error says that the command failed, or that no package matches.
func List(ctx context.Context, cfg Config) (*Listing, error) {
	if info, err := os.Stat(orDot(cfg.Dir)); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("load packages: %s is not a directory", cfg.Dir)
	}
	listed, err := list(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return &Listing{patterns: cfg.Patterns, listed: listed, fset: token.NewFileSet(), shared: &shared{
		exported:  make(map[string]*types.Package),
		sources:   make(map[string]*Package),
		registers: make(map[string]bool),
		idle:      make(map[string]bool),
		docs:      make(map[string]*fileDocs),
		outlines:  make(map[string]*outline),

		mentions:    make(map[string]map[qualified]bool),
		sourceCodes: make(map[string]*sourceCode),
		recovers:    make(map[string]bool),
		mayMentions: make(map[*Names]map[string]bool),
		without:     make(map[*Names]map[qualified]bool),
		used:        make(map[string]bool),
		interfaces:  make(map[string][]methodShape),
		reflects:    make(map[string]bool),
	}}, nil
}

// IsFolder reports whether a pattern names packages by their folder, as those
// that [Listing.Program] takes do.
func IsFolder(pattern string) bool {
	return pattern == "." || pattern == ".." || strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../") || filepath.IsAbs(pattern)
}

// Program makes the program of the packages that cfg.Patterns name: all that were
// listed, or some of them by their folders.
func (l *Listing) Program(ctx context.Context, cfg Config) (*Program, error) {
	return l.program(ctx, cfg, l.named(cfg))
}

// Names reports whether the patterns of cfg name a package that was listed.
func (l *Listing) Names(cfg Config) bool { return len(l.named(cfg)) > 0 }

func (l *Listing) named(cfg Config) []*packages.Package {
	if slices.Equal(cfg.Patterns, l.patterns) {
		return l.listed
	}
	var named []*packages.Package
	for _, pkg := range l.listed {
		if slices.ContainsFunc(cfg.Patterns, func(pattern string) bool { return inFolder(pkg, cfg.Dir, pattern) }) {
			named = append(named, pkg)
		}
	}
	return named
}

// MayDependOn reports whether one of the files can have a part in what a program
// of cfg is: one in the folder of a package that it is made of, one that such a
// package may embed, or one that chooses its modules. The files are absolute.
func (l *Listing) MayDependOn(cfg Config, files []string) bool {
	folders, embeds := make(map[string]bool), make(map[string]bool)
	packages.Visit(l.named(cfg), nil, func(pkg *packages.Package) {
		if pkg.Module == nil || pkg.Dir == "" { // of the standard library
			return
		}
		dir := realPath(pkg.Dir)
		folders[dir] = true
		if len(pkg.EmbedPatterns) > 0 {
			embeds[dir] = true
		}
	})
	return slices.ContainsFunc(files, func(file string) bool {
		return choosesModules[filepath.Base(file)] || folders[realPath(filepath.Dir(file))] || isBelow(realPath(filepath.Dir(file)), embeds)
	})
}

// Sources returns the folders of the packages that a program of cfg is made of, the user's
// own, and their files.
func (l *Listing) Sources(cfg Config) (folders, files []string) {
	packages.Visit(l.named(cfg), nil, func(pkg *packages.Package) {
		if isOwn := pkg.Module != nil && (pkg.Module.Main || pkg.Module.Replace != nil && pkg.Module.Replace.Version == ""); isOwn && pkg.Dir != "" {
			folders = append(folders, pkg.Dir)
			files = append(files, pkg.GoFiles...)
			files = append(files, pkg.EmbedFiles...)
		}
	})
	return folders, files
}

// choosesModules lists the files by which the go command chooses modules.
var choosesModules = map[string]bool{"go.mod": true, "go.sum": true, "go.work": true, "go.work.sum": true, "modules.txt": true}

func isBelow(dir string, folders map[string]bool) bool {
	for {
		if folders[dir] {
			return true
		}
		above := filepath.Dir(dir)
		if above == dir {
			return false
		}
		dir = above
	}
}

// inFolder reports whether the pattern names the folder of pkg, as go list takes
// it.
func inFolder(pkg *packages.Package, dir, pattern string) bool {
	below, all := strings.CutSuffix(pattern, "...")
	if !filepath.IsAbs(below) {
		below = filepath.Join(dir, below)
	}
	if pkg.Dir == "" { // there is none
		return false
	}
	within, err := filepath.Rel(realPath(below), realPath(pkg.Dir))
	if err != nil || !filepath.IsLocal(within) {
		return false
	}
	return within == "." || all && !slices.ContainsFunc(strings.Split(within, string(filepath.Separator)), IsLeftOut)
}

// IsLeftOut reports whether a folder of that name isn't among those that "..." stands for.
func IsLeftOut(folder string) bool {
	return folder == "testdata" || folder == "vendor" || strings.HasPrefix(folder, "_") || strings.HasPrefix(folder, ".")
}
