package output

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// stage holds new contents in temporary files beside their places, and the
// folders that were made for them, until all are in place or none is wanted.
type stage struct {
	staged    []staged
	folders   []string // created, the outermost first
	committed bool
}

type staged struct {
	place place
	temp  string
}

// add writes the content of a place to a temporary file in the same folder, which
// it creates, so that a rename can't fail for lack of space or permission.
func (s *stage) add(p place) error {
	if err := s.makeFolders(filepath.Dir(p.target)); err != nil {
		return err
	}
	temp, err := writeTemp(p)
	if err != nil {
		return err
	}
	s.staged = append(s.staged, staged{p, temp})
	return nil
}

// makeFolders creates folder and what is missing above it.
func (s *stage) makeFolders(folder string) error {
	var missing []string
	for at := folder; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break // it exists, or Mkdir will fail with the reason
		}
		missing = append(missing, at)
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if err := os.Mkdir(missing[i], 0o777); err != nil {
			return err
		}
		s.folders = append(s.folders, missing[i])
	}
	return nil
}

// writeTemp returns the name of a new file with the content and permissions of
// p's. The go command and most others pass over its name.
func writeTemp(p place) (name string, err error) {
	file, err := createTemp(p.target)
	if err != nil {
		return "", err
	}
	defer func() {
		err = errors.Join(err, file.Close())
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	if _, err := file.Write(p.file.Content); err != nil {
		return "", err
	}
	if p.exists {
		if err := file.Chmod(p.mode); err != nil {
			return "", err
		}
	}
	return file.Name(), file.Sync()
}

// createTemp creates a file that only the umask narrows, which os.CreateTemp
// doesn't.
func createTemp(target string) (*os.File, error) {
	for {
		name := filepath.Join(filepath.Dir(target), fmt.Sprintf(".%s.%08x.tmp", filepath.Base(target), rand.Uint32()))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// commit puts the temporary files in their places. If that fails halfway, those
// already replaced get their old content back.
func (s *stage) commit(rename func(from, to string) error) error {
	for i, staged := range s.staged {
		if err := rename(staged.temp, staged.place.target); err != nil {
			err = fmt.Errorf("write %s: %w", staged.place.file.Path, err)
			return errors.Join(err, restore(s.staged[:i], rename))
		}
	}
	s.committed = true
	return nil
}

func restore(replaced []staged, rename func(from, to string) error) error {
	var faults []error
	for _, staged := range replaced {
		if err := staged.place.restore(rename); err != nil {
			faults = append(faults, fmt.Errorf("restore %s, which has its new content: %w", staged.place.file.Path, err))
		}
	}
	return errors.Join(faults...)
}

func (p place) restore(rename func(from, to string) error) error {
	if !p.exists {
		return os.Remove(p.target)
	}
	p.file.Content = p.old
	temp, err := writeTemp(p)
	if err != nil {
		return err
	}
	if err := rename(temp, p.target); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

// clear removes what an uncommitted stage has left behind. Errors are of no
// interest: it is a failure already, and what can't be removed isn't in the way.
func (s *stage) clear() {
	if s.committed {
		return
	}
	for _, staged := range s.staged {
		_ = os.Remove(staged.temp)
	}
	for i := len(s.folders) - 1; i >= 0; i-- {
		_ = os.Remove(s.folders[i]) // fails if another program has put a file there
	}
}
