package scaffold

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/build"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Options are what the caller chooses.
type Options struct {
	Dir   string // the package's folder
	File  string // the name of the file with the routes, such as routes.go
	Title string // of the contract, "" for the name of the package
}

// A Scaffold is the files to be added to a package.
type Scaffold struct {
	Files []File

	// Name is that of the package, or of its folder where the package is main.
	Name string

	// Vendored says that the module has a folder vendor, which has to be made anew.
	Vendored bool

	// Main is where the function main is declared, which has to call consume, "" where
	// the files have a main of their own and in other packages.
	Main string
}

// A File is one that doesn't exist yet.
type File struct {
	Path    string
	Content []byte
}

// New returns what is to be added to the package in a folder. The error says why
// nothing can be added, and what to do. See docs/decisions/0093.
func New(ctx context.Context, o Options) (*Scaffold, error) {
	module, err := moduleOf(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	pkg, err := inspect(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	s := &Scaffold{Name: pkg.service(), Vendored: isVendored(module), Main: pkg.declared["main"]}
	texts := pkg.texts(o.Title)
	s.Files, err = render(o, texts)
	if err != nil {
		return nil, err
	}
	for _, file := range s.Files {
		if _, err := os.Lstat(file.Path); err == nil {
			return nil, fmt.Errorf("%s exists, and init overwrites nothing: choose another name by -o, such as -o messages.go", file.Path)
		}
	}
	for _, file := range s.Files {
		if err := errors.Join(checkBuilt(file), pkg.checkNames(file)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// checkBuilt refuses a file that the go command leaves out for its name, such as
// routes_windows.go elsewhere.
func checkBuilt(file File) error {
	here := build.Default
	here.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file.Content)), nil }
	isBuilt, err := here.MatchFile(filepath.Dir(file.Path), filepath.Base(file.Path))
	if err == nil && !isBuilt {
		err = fmt.Errorf("%s has the name of a file for another system, which the go command leaves out here: choose another by -o", file.Path)
	}
	return err
}

// Write writes the files, or none. A file that has come into being since New is an
// error and stays as it is.
func (s *Scaffold) Write() error {
	for i, file := range s.Files {
		err := Create(file)
		if errors.Is(err, fs.ErrExist) {
			err = fmt.Errorf("write %s: it exists, and init overwrites nothing", file.Path)
		}
		if err != nil {
			for _, written := range s.Files[:i] {
				err = errors.Join(err, os.Remove(written.Path))
			}
			return err
		}
	}
	return nil
}

// Create creates a file, and leaves none behind where that fails. The error is
// [fs.ErrExist] where there is one of that name.
func Create(file File) error {
	f, err := os.OpenFile(file.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(file.Content)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(file.Path))
	}
	return nil
}

// CheckFile refuses names that a file with routes can't have.
func CheckFile(name string) error {
	switch {
	case name != filepath.Base(name):
		return fmt.Errorf("%q isn't the name of a file in the package's folder", name)
	case !strings.HasSuffix(name, ".go"):
		return fmt.Errorf("the name %q doesn't end with .go", name)
	case strings.HasSuffix(name, "_test.go"):
		return fmt.Errorf("%q is the name of a test, and the routes aren't one", name)
	case strings.HasPrefix(name, "_"), strings.HasPrefix(name, "."):
		return fmt.Errorf("the go command ignores files such as %q", name)
	}
	return nil
}
