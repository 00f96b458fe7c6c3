package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"
)

// Setting returns what a setting of GODEBUG is for the program where the environment doesn't set
// it: what a directive //go:debug says, or go.mod, or how the version of Go behaved that go.mod
// names. It is "" for how the toolchain behaves.
// Source: Go, Backwards Compatibility, and GODEBUG.
func (p *Program) Setting(name string) string {
	if p.settings == nil {
		p.settings = p.settingsOf(p.Roots)
	}
	return p.settings[name]
}

func (p *Program) settingsOf(roots []*Package) map[string]string {
	version, told := "", make(map[string]string)
	for _, root := range roots {
		if meta := p.byPath[root.Path]; meta != nil && meta.Module != nil {
			version = p.moduleSettings(meta.Module, told)
		}
	}
	for _, root := range roots {
		for _, file := range root.Files {
			directivesOf(file, told)
		}
	}
	if v, ok := told["default"]; ok {
		version = strings.TrimPrefix(v, "go")
	}
	all := p.settingsOfVersion(version)
	maps.Copy(all, told)
	return all
}

// moduleSettings returns the version of Go that a module names, or the workspace around it, and
// notes what settings are told there.
func (p *Program) moduleSettings(module *packages.Module, told map[string]string) (version string) {
	var lines []*modfile.Godebug
	if name := p.workspace(module.Dir); name != "" {
		text, _ := os.ReadFile(name)
		if work, err := modfile.ParseWork(name, text, nil); err == nil && work.Go != nil {
			version, lines = work.Go.Version, work.Godebug
		}
	} else {
		text, _ := os.ReadFile(module.GoMod)
		if mod, err := modfile.Parse(module.GoMod, text, nil); err == nil && mod.Go != nil {
			version, lines = mod.Go.Version, mod.Godebug
		}
	}
	for _, line := range lines {
		told[line.Key] = line.Value
	}
	return version
}

// workspace returns the name of the go.work file that is used in a folder, "" for none.
func (p *Program) workspace(dir string) string {
	if name := p.getenv("GOWORK"); name != "" {
		return strings.TrimPrefix(name, "off")
	}
	for {
		name := filepath.Join(dir, "go.work")
		if _, err := os.Stat(name); err == nil {
			return name
		}
		outer := filepath.Dir(dir)
		if outer == dir {
			return ""
		}
		dir = outer
	}
}

// directivesOf notes what the directives of a file of package main set.
func directivesOf(file *ast.File, told map[string]string) {
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			return
		}
		for _, comment := range group.List {
			if text, ok := strings.CutPrefix(comment.Text, "//go:debug "); ok {
				name, set, _ := strings.Cut(strings.TrimSpace(text), "=")
				told[name] = set
			}
		}
	}
}

func (p *Program) getenv(name string) string {
	if p.env == nil {
		return os.Getenv(name)
	}
	for _, pair := range slices.Backward(p.env) {
		if v, ok := strings.CutPrefix(pair, name+"="); ok {
			return v
		}
	}
	return ""
}

// settingsOfVersion returns what the toolchain sets for a program whose module names an
// older version of Go, by its table of settings.
func (p *Program) settingsOfVersion(version string) map[string]string {
	all := make(map[string]string)
	minor, _, _ := strings.Cut(strings.TrimPrefix(version, "1."), ".")
	table := p.byPath["internal/godebugs"]
	of, err := strconv.Atoi(minor)
	if err != nil || table == nil {
		return all
	}
	for _, name := range table.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if literal, ok := node.(*ast.CompositeLit); ok {
				fields := fieldsOf(literal)
				if changed, err := strconv.Atoi(fields["Changed"]); err == nil && of < changed {
					all[fields["Name"]] = fields["Old"]
				}
			}
			return true
		})
	}
	return all
}

// fieldsOf returns the fields of a literal that are literals, by their names.
func fieldsOf(literal *ast.CompositeLit) map[string]string {
	fields := make(map[string]string)
	for _, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		name, _ := pair.Key.(*ast.Ident)
		set, _ := pair.Value.(*ast.BasicLit)
		if name != nil && set != nil {
			fields[name.Name] = strings.Trim(set.Value, `"`)
		}
	}
	return fields
}
