package scaffold

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
)

const (
	warren      = "github.com/warrenmq/warren"
	runtimePath = warren + "/runtime"
	toolPath    = warren + "/cmd/asyncapigen"
)

// folderName returns the name of a folder, also of ".".
func folderName(dir string) string {
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	return filepath.Base(dir)
}

// moduleOf returns the go.mod of a folder's module. It refuses one that can't import
// warren or run the tool.
func moduleOf(ctx context.Context, dir string) (string, error) {
	file, err := goCommand(ctx, dir, "env", "GOMOD")
	if err != nil {
		return "", err
	}
	if file == "" || file == os.DevNull {
		return "", fmt.Errorf("the folder %s belongs to no module: run go mod init example.com/%s, and go get -tool %s", dir, folderName(dir), toolPath)
	}
	tools, err := goCommand(ctx, dir, "list", "-f", "{{.ImportPath}}", "tool")
	if err != nil || !slices.Contains(strings.Fields(tools), toolPath) {
		return "", fmt.Errorf("the module around %s doesn't name asyncapigen as a tool, which go generate would run: run go get -tool %s", dir, toolPath)
	}
	return file, nil
}

// isVendored reports whether the module of a go.mod has its dependencies beside it.
func isVendored(file string) bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(file), "vendor", "modules.txt"))
	return err == nil
}

// goCommand runs the go command in a folder, and returns what it prints.
func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("run go %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

// A sourcePackage is the package as it is.
type sourcePackage struct {
	dir      string
	name     string
	declared map[string]string // names of the package and of its test, with their positions
	imported map[string]string // names that its files give to imports, likewise
}

// inspect reads the package in a folder. It refuses one that has routes already.
func inspect(ctx context.Context, dir string) (*sourcePackage, error) {
	built, err := build.ImportDir(dir, 0)
	if err != nil {
		return nil, noPackage(dir, err)
	}
	pkg := &sourcePackage{dir: dir, name: built.Name, declared: make(map[string]string), imported: make(map[string]string)}
	at, err := service.DirectiveIn(ctx, dir)
	if err != nil {
		return nil, err
	}
	if at.IsValid() {
		return nil, fmt.Errorf("the package has a go:generate directive of asyncapigen already, at %s: run go generate", service.LineAt(at))
	}
	for _, name := range slices.Concat(built.GoFiles, built.CgoFiles, built.TestGoFiles) {
		if err := pkg.read(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return pkg, nil
}

// noPackage says why a folder has no package that can be added to.
func noPackage(dir string, err error) error {
	var none *build.NoGoError
	var several *build.MultiplePackageError
	switch {
	case errors.As(err, &none) && !hasGoFile(dir):
		return fmt.Errorf("the folder %s has no Go file, and init adds to a package: write one that says its name, such as package %s", dir, service.PackageName(folderName(dir)))
	case errors.As(err, &several):
		return fmt.Errorf("the folder %s has several packages, %s: name the folder of one", dir, strings.Join(several.Packages, ", "))
	}
	return fmt.Errorf("read the package in %s: %w", dir, err)
}

func hasGoFile(dir string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	return len(files) > 0
}

// read notes what a file declares.
func (p *sourcePackage) read(name string) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("read the package: %w: mend that first", err)
	}
	at := func(node ast.Node) string { return service.LineAt(files.Position(node.Pos())) }
	isTest := strings.HasSuffix(name, "_test.go")
	for _, spec := range file.Imports {
		if imported, err := strconv.Unquote(spec.Path.Value); err == nil && imported == runtimePath && !isTest {
			return fmt.Errorf("the package imports %s already, at %s: write the directive into it by hand, //go:generate go tool asyncapigen -title %s, and run go generate",
				runtimePath, at(spec), strconv.Quote(titleOf(p.service())))
		}
		p.imported[importName(spec)] = at(spec)
	}
	for _, name := range packageNames(file) {
		p.declared[name.Name] = at(name)
	}
	return nil
}

// importName returns the name of an import in its file: the one that is given to it, or
// the one that a package with its path has by convention.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	imported := strings.Trim(spec.Path.Value, "`\"")
	last := path.Base(imported)
	if isMajor(last) {
		last = path.Base(path.Dir(imported))
	}
	if name, major, ok := strings.Cut(last, "."); ok && isMajor(major) {
		last = name
	}
	return last
}

// isMajor reports whether a text is a major version, such as v2.
func isMajor(text string) bool {
	digits, ok := strings.CutPrefix(text, "v")
	_, err := strconv.ParseUint(digits, 10, 32)
	return ok && err == nil
}

// packageNames returns the names that a file declares in its package.
func packageNames(file *ast.File) []*ast.Ident {
	var names []*ast.Ident
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name)
				case *ast.ValueSpec:
					names = append(names, s.Names...)
				}
			}
		}
	}
	return names
}

// checkNames refuses a file whose names, those of its imports included, the package
// has already.
func (p *sourcePackage) checkNames(file File) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file.Path, file.Content, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	var names []string
	for _, name := range packageNames(parsed) {
		names = append(names, name.Name)
		if at, taken := p.imported[name.Name]; taken {
			return fmt.Errorf("a file of the package imports another one as %s, at %s, and what init adds needs the name: run init in a package of its own, such as a folder messages with a file that says package messages", name.Name, at)
		}
	}
	for _, spec := range parsed.Imports {
		names = append(names, importName(spec))
	}
	for _, name := range names {
		if at, taken := p.declared[name]; taken {
			return fmt.Errorf("the package declares %s already, at %s, and what init adds needs the name: run init in a package of its own, such as a folder routes with a file that says package routes", name, at)
		}
	}
	return nil
}

// service returns the name of what the package is part of.
func (p *sourcePackage) service() string {
	if p.name != "main" {
		return p.name
	}
	return service.PackageName(folderName(p.dir))
}
