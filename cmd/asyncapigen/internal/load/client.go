package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// findClient works out the import path of the client's folder from the module
// that holds it, which may be another one than that of the packages. It is left
// empty where no module holds it.
func (p *Program) findClient(ctx context.Context, cfg Config, listed []*packages.Package) error {
	if cfg.ClientDir == "" {
		return nil
	}
	p.ClientName = filepath.Base(cfg.ClientDir)
	if cfg.ClientModule != "" {
		return p.useClientModule(ctx, cfg)
	}
	known := make(map[string]string) // the paths of modules, by their folders
	for _, pkg := range listed {
		if pkg.Module != nil && pkg.Module.Dir != "" {
			known[realPath(pkg.Module.Dir)] = pkg.Module.Path
		}
	}
	within, root := "", realPath(cfg.ClientDir)
	for {
		module, ok := known[root]
		if !ok {
			var err error
			if module, err = readModulePath(ctx, cfg, root); err != nil {
				return fmt.Errorf("find the import path of the client in %s: %w", cfg.ClientDir, err)
			}
		}
		above := filepath.Dir(root)
		switch {
		case module != "":
			p.ClientPath = path.Join(module, within)
			return nil
		case above == root:
			return nil
		}
		within, root = path.Join(filepath.Base(root), within), above
	}
}

// useClientModule takes the path of the client's own module, which a go.mod in its folder
// mustn't contradict.
func (p *Program) useClientModule(ctx context.Context, cfg Config) error {
	p.ClientPath = cfg.ClientModule
	there, err := readModulePath(ctx, cfg, realPath(cfg.ClientDir))
	if err != nil {
		return fmt.Errorf("find the module of the client in %s: %w", cfg.ClientDir, err)
	}
	if there != "" && there != cfg.ClientModule {
		return fmt.Errorf("the module of the client in %s is %s, and not %s: change its go.mod, or -client-module", cfg.ClientDir, there, cfg.ClientModule)
	}
	return nil
}

// readModulePath reads the path of the module whose go.mod is in dir, "" where none
// is there.
func readModulePath(ctx context.Context, cfg Config, dir string) (string, error) {
	name := filepath.Join(dir, "go.mod")
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return "", nil
	}
	cmd := exec.CommandContext(ctx, "go", "mod", "edit", "-json", name)
	cmd.Dir, cmd.Env = dir, cfg.Env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil && stderr.Len() > 0 {
		err = firstLine(errors.New(stderr.String()))
	}
	if err != nil {
		return "", fmt.Errorf("read the module's path: %w", err)
	}
	var file struct{ Module struct{ Path string } }
	if err := json.Unmarshal(text, &file); err != nil {
		return "", fmt.Errorf("read the output of go mod edit: %w", err)
	}
	if file.Module.Path == "" {
		return "", fmt.Errorf("%s has no module path: add one, or choose another folder for the client", name)
	}
	return file.Module.Path, nil
}

// isClient reports whether path is the client's package, which is never imported.
// See docs/decisions/0003.
func (p *Program) isClient(path string) bool { return p.ClientPath != "" && path == p.ClientPath }

// realPath resolves symbolic links as far as the path exists.
func realPath(path string) string {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	resolved, err := filepath.EvalSymlinks(absolute)
	if errors.Is(err, fs.ErrNotExist) {
		parent, base := filepath.Split(absolute)
		if parent = filepath.Clean(parent); parent != absolute {
			return filepath.Join(realPath(parent), base)
		}
	}
	if err != nil {
		return absolute
	}
	return resolved
}
