package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// findIdle notes the packages that have nothing to do when the program starts: neither they nor
// what they import have an init function with a body, or a variable whose value the compiler
// doesn't know. It is the compiler that says so.
// Source: pkginit of the compiler.
func (p *Program) findIdle(ctx context.Context, cfg Config, listed []*packages.Package) error {
	var failed error
	packages.Visit(listed, func(*packages.Package) bool { return failed == nil }, func(pkg *packages.Package) {
		if _, known := p.idle[pkg.PkgPath]; known || failed != nil {
			return
		}
		idle := true
		for _, imported := range pkg.Imports {
			idle = idle && p.idle[imported.PkgPath]
		}
		if idle {
			idle, failed = hasNoTask(ctx, cfg, pkg)
		}
		p.idle[pkg.PkgPath] = idle
	})
	return failed
}

// hasNoTask reports whether the compiler made no task for the start of a package that imports
// none that has one. One that can't be compiled has one: its errors are reported as such.
func hasNoTask(ctx context.Context, cfg Config, pkg *packages.Package) (bool, error) {
	switch {
	case pkg.PkgPath == "unsafe":
		return true, nil
	case len(pkg.GoFiles) == 0, len(pkg.Errors) > 0:
		return false, nil
	}
	archive, err := compiled(ctx, cfg, pkg)
	if err != nil {
		return false, fmt.Errorf("find out whether package %s has anything to initialise: %w", pkg.PkgPath, err)
	}
	return !bytes.Contains(archive, []byte(initTask(pkg.PkgPath))), nil
}

// object is the start of the header that the compiler's object file has in an archive.
const object = "_go_.o          0           "

// compiled returns the archive of a package. The go command has it in the place of the export
// data; from Go 1.28 on, and by other build systems, that is without code, and the package is
// compiled once more.
func compiled(ctx context.Context, cfg Config, pkg *packages.Package) ([]byte, error) {
	if pkg.ExportFile != "" {
		archive, err := os.ReadFile(pkg.ExportFile)
		if err != nil || bytes.Contains(archive, []byte(object)) {
			return archive, err
		}
	}
	dir, err := os.MkdirTemp("", "asyncapigen")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "package.a")
	cmd := exec.CommandContext(ctx, "go", "build", "-tags="+cfg.Tags, "-o", name, "--", pkg.PkgPath)
	cmd.Dir, cmd.Env = cfg.Dir, cfg.Env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		if stderr.Len() > 0 {
			err = errors.New(strings.TrimPrefix(stderr.String(), "# "+pkg.PkgPath+"\n"))
		}
		return nil, firstLine(err)
	}
	return os.ReadFile(name)
}
