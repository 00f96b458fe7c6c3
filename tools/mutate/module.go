package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A goPackage is what go list says of a package.
type goPackage struct {
	ImportPath   string
	Dir          string
	Name         string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	Imports      []string
	TestImports  []string
	XTestImports []string

	IgnoredGoFiles []string
}

func (p *goPackage) hasTests() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// experiments returns the values of GOEXPERIMENT with which the package's own tests run:
// none, and jsonv2 if it has files that are only built with it.
func (p *goPackage) experiments() []string {
	for _, name := range p.IgnoredGoFiles {
		if strings.HasSuffix(name, "_jsonv2.go") || strings.HasSuffix(name, "_jsonv2_test.go") {
			return []string{"", "jsonv2"}
		}
	}
	return []string{""}
}

// experimentsFor returns those with which the package's tests run for code of another, or
// its own.
func (p *goPackage) experimentsFor(of *goPackage) []string {
	if p == of {
		return p.experiments()
	}
	return []string{""}
}

// A goModule is the module under test.
type goModule struct {
	root     string // absolute
	packages map[string]*goPackage
	paths    []string // of packages, sorted
	outside  []*goPackage
}

// outside are folders of modules of their own, and the command that their tests build.
var outside = map[string]string{"testdata/frameworks": "./cmd/asyncapigen"}

func listModule(ctx context.Context, root string) (*goModule, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	m := &goModule{root: root, packages: map[string]*goPackage{}}
	all, err := listPackages(ctx, root, "./...")
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		m.packages[p.ImportPath] = p
		m.paths = append(m.paths, p.ImportPath)
	}
	slices.Sort(m.paths)
	return m, m.addOutside(ctx)
}

// addOutside adds the packages of other modules whose tests run commands of this one.
func (m *goModule) addOutside(ctx context.Context) error {
	for folder, command := range outside {
		dir := filepath.Join(m.root, folder)
		if _, err := os.Stat(dir); os.IsNotExist(err) {
			continue
		}
		commands, err := listPackages(ctx, m.root, command)
		if err != nil {
			return err
		}
		testers, err := listPackages(ctx, dir, ".")
		if err != nil {
			return err
		}
		for _, p := range testers {
			p.TestImports = append(p.TestImports, commands[0].ImportPath)
			m.outside = append(m.outside, p)
		}
	}
	return nil
}

// listPackages returns what go list says of the packages in a folder that a pattern names.
func listPackages(ctx context.Context, dir, pattern string) ([]*goPackage, error) {
	text, err := goList(ctx, dir, "-json=ImportPath,Dir,Name,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports,IgnoredGoFiles", pattern)
	if err != nil {
		return nil, err
	}
	var all []*goPackage
	for decoder := json.NewDecoder(bytes.NewReader(text)); ; {
		p := new(goPackage)
		if err := decoder.Decode(p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("read what go list says: %w", err)
		}
		all = append(all, p)
	}
}

func goList(ctx context.Context, root string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list"}, args...)...)
	cmd.Dir = root
	var said bytes.Buffer
	cmd.Stderr = &said
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w: %s", strings.Join(args, " "), err, said.String())
	}
	return text, nil
}

// match returns the packages that the patterns name and users run: what only tests
// import isn't held to a bound.
func (m *goModule) match(ctx context.Context, patterns []string) ([]*goPackage, error) {
	text, err := goList(ctx, m.root, patterns...)
	if err != nil {
		return nil, err
	}
	inUse := m.inUse()
	var chosen []*goPackage
	for path := range strings.FieldsSeq(string(text)) {
		if p := m.packages[path]; p != nil && inUse[path] && len(p.GoFiles) > 0 {
			chosen = append(chosen, p)
		}
	}
	if chosen == nil {
		return nil, fmt.Errorf("the patterns %s name no package that a user runs", strings.Join(patterns, " "))
	}
	return chosen, nil
}

// named returns the import paths of packages, of those outside too, by their folders. They
// are nil if there are no patterns.
func (m *goModule) named(ctx context.Context, patterns []string) ([]string, error) {
	var paths []string
	for _, pattern := range patterns {
		i := slices.IndexFunc(m.outside, func(p *goPackage) bool { return p.Dir == filepath.Join(m.root, pattern) })
		if i >= 0 {
			paths = append(paths, m.outside[i].ImportPath)
			continue
		}
		text, err := goList(ctx, m.root, pattern)
		if err != nil {
			return nil, err
		}
		paths = append(paths, strings.Fields(string(text))...)
	}
	return paths, nil
}

// inUse has the public packages, the command, and all that they import. Commands below
// internal folders are tools of ours.
func (m *goModule) inUse() map[string]bool {
	used := map[string]bool{}
	var use func(path string)
	use = func(path string) {
		p := m.packages[path]
		if p == nil || used[path] {
			return
		}
		used[path] = true
		for _, imported := range p.Imports {
			use(imported)
		}
	}
	for _, path := range m.paths {
		if !strings.Contains(path, "/internal/") && !strings.Contains(path, "/examples/") && !strings.Contains(path, "/docs") {
			use(path)
		}
	}
	return used
}

// testers returns the packages whose tests run code of the package: itself first, then
// those that import it, directly or not, and then those of other modules.
func (m *goModule) testers(of *goPackage) []*goPackage {
	importers := map[string]bool{of.ImportPath: true}
	for grown := true; grown; {
		grown = false
		for _, path := range m.paths {
			if !importers[path] && slices.ContainsFunc(m.packages[path].Imports, func(i string) bool { return importers[i] }) {
				importers[path], grown = true, true
			}
		}
	}
	testers := []*goPackage{}
	if of.hasTests() {
		testers = append(testers, of)
	}
	var all []*goPackage
	for _, path := range m.paths {
		all = append(all, m.packages[path])
	}
	for _, p := range slices.Concat(all, m.outside) {
		runs := func(i string) bool { return importers[i] }
		if p != of && p.hasTests() && (importers[p.ImportPath] || slices.ContainsFunc(p.TestImports, runs) || slices.ContainsFunc(p.XTestImports, runs)) {
			testers = append(testers, p)
		}
	}
	return testers
}
