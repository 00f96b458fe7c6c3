package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// A commandLine is one that is given by hand.
type commandLine struct {
	mode     Mode
	args     []string
	tags     string
	packages []string // in place of those of the directives, nil for these
}

// Find returns what a command line asks for: one set of options for each
// document. Called by hand, asyncapigen does what the directives in the folders
// that are named say, with their flags and then its own; where there are none,
// what those of the working directory say, and else what the command line says.
// See docs/decisions/0021.
func Find(ctx context.Context, dir string, m Mode, args []string) ([]*Options, diagnostic.List, error) {
	plain := NewOptions(dir)
	if err := plain.Parse(m, args); err != nil {
		return []*Options{plain}, nil, err
	}
	if err := plain.validate(); err != nil || plain.Version || os.Getenv("GOFILE") != "" {
		return []*Options{plain}, nil, err
	}
	named, err := folders(dir, plain.Patterns)
	if err != nil {
		return nil, nil, err
	}
	line := commandLine{mode: m, args: args, tags: plain.Tags}
	found, warnings, err := line.directed(ctx, named)
	here := folder{dir, "."}
	if err == nil && len(found) == 0 && !slices.Contains(named, here) {
		line.packages = plain.Patterns
		found, warnings, err = line.directed(ctx, []folder{here})
	}
	if err == nil && len(found) == 0 {
		found = []*Options{plain}
	}
	return found, warnings, err
}

// Directed returns the options of the directives in a folder, and warns of what was
// meant as one.
func Directed(ctx context.Context, dir string, m Mode) ([]*Options, diagnostic.List, error) {
	return commandLine{mode: m}.directed(ctx, []folder{{dir, "."}})
}

// directed returns the options of the directives in the folders, and warns of
// what was meant as one.
func (l commandLine) directed(ctx context.Context, in []folder) ([]*Options, diagnostic.List, error) {
	var all []*Options
	var warnings diagnostic.List
	for _, folder := range in {
		found, err := folderDirectives(ctx, folder, l.tags)
		if err != nil {
			return nil, nil, err
		}
		for _, pos := range found.prose {
			warnings.Add(diagnostic.Diagnostic{
				Code: diagnostic.BadDirective, Severity: diagnostic.Warning, Pos: pos,
				What: "this isn't a directive", Why: "a space stands after the slashes, so that go generate doesn't run it",
				Remedy: "write //go:generate",
			})
		}
		for _, call := range found.calls {
			o, err := l.of(folder, call)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: the go:generate directive: %w", LineAt(call.at), err)
			}
			all = append(all, o)
		}
	}
	return all, warnings, nil
}

// of returns the options of a directive, which those of the command line
// override.
func (l commandLine) of(in folder, call directiveCall) (*Options, error) {
	o := NewOptions(in.dir)
	o.At, o.Seen = call.at, in.seen
	if err := o.Parse(Unnamed, call.args); err != nil {
		return nil, err
	}
	packages := o.Patterns
	if l.packages != nil {
		packages = l.packages
	}
	if err := o.Parse(l.mode, l.args); err != nil {
		return nil, err
	}
	o.Patterns = packages
	return o, o.validate()
}

// folders returns the folders that the patterns name, those with Go files alone
// where a pattern ends with "...". Import paths name none.
func folders(dir string, patterns []string) ([]folder, error) {
	var all []folder
	for _, pattern := range patterns {
		if !load.IsFolder(pattern) {
			continue
		}
		root, below := strings.CutSuffix(pattern, "...")
		if !filepath.IsAbs(root) {
			root = filepath.Join(dir, root)
		}
		named := []string{filepath.Clean(root)}
		if below {
			var err error
			if named, err = foldersBelow(root); err != nil {
				return nil, fmt.Errorf("look for go:generate directives: %w", err)
			}
		}
		for _, name := range named {
			if info, err := os.Stat(name); err == nil && info.IsDir() {
				all = append(all, folder{name, seenFrom(dir, name)})
			}
		}
	}
	slices.SortFunc(all, func(a, b folder) int { return cmp.Compare(a.dir, b.dir) })
	return slices.Compact(all), nil
}

// foldersBelow returns the folders in which the go command looks for packages,
// and those of modules within, which are services of the repository as well.
func foldersBelow(root string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == root {
			return nil // the go command says so
		}
		if err != nil || !entry.IsDir() {
			return err
		}
		if name != root && load.IsLeftOut(entry.Name()) {
			return fs.SkipDir
		}
		found = append(found, name)
		return nil
	})
	return found, err
}

// seenFrom returns a path as it is written in dir, where it is below.
func seenFrom(dir, name string) string {
	if within, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(within) {
		return within
	}
	return name
}

// batches puts together the services that the go command can list in one run:
// those of one module and with the same build tags, which name their packages by
// folders. They stay in their order otherwise.
func batches(all []*Options) [][]*Options {
	type key struct{ module, tags string }
	at := make(map[key]int)
	var batches [][]*Options
	for _, o := range all {
		isImportPath := func(pattern string) bool { return !load.IsFolder(pattern) }
		of := key{ModuleOf(o.Dir), o.Tags}
		i, ok := at[of]
		if slices.ContainsFunc(o.Patterns, isImportPath) {
			batches = append(batches, []*Options{o})
			continue
		}
		if !ok {
			i = len(batches)
			at[of] = i
			batches = append(batches, nil)
		}
		batches[i] = append(batches[i], o)
	}
	return batches
}

// ModuleOf returns the nearest folder above dir with a go.mod, "" for none.
func ModuleOf(dir string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			return ""
		}
		dir = above
	}
}
