// Package output puts generated files in their places, or says how those in
// their places differ from what would be generated.
//
// Either all files of a Write are replaced or none, as far as the file system
// allows: everything that can be checked is checked first, the new contents are
// on disk before the first file changes, and each change is a rename, so that no
// reader ever sees half a file. A file that is up to date isn't touched.
//
//	changed, err := output.Write(
//		output.File{Path: "asyncapi.json", Content: document, Kind: output.Document},
//		output.File{Path: "ordersclient/client.go", Content: source, Kind: output.Client},
//	)
//
// The package never overwrites a file that asyncapigen didn't generate; see
// [Kind] for how it knows.
package output

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Kind says what a file is, and what may be overwritten in its place.
type Kind int

const (
	// Client is Go source. A file in its place is ours if a line before the
	// package clause matches ^// Code generated .* DO NOT EDIT\.$ and names
	// asyncapigen.
	Client Kind = iota

	// Document is an AsyncAPI document. JSON has no comments, so a file in its
	// place is ours if it is empty or a JSON object with the member "asyncapi", or
	// was one before a merge left its conflicts there.
	Document
)

// A File is one generated file.
type File struct {
	Path    string // a symbolic link is followed
	Content []byte
	Kind    Kind
}

// ErrNotGenerated means that the place of a file holds one that asyncapigen didn't
// generate.
var ErrNotGenerated = errors.New("asyncapigen didn't generate it")

// Write brings files up to date and returns the paths of those that it changed,
// in the order given. Folders that a file needs are created. After an error
// nothing is changed. A replaced file keeps its permissions; a new one gets 0644,
// less the umask. Line endings alone make no difference, as version control may
// change them.
func Write(files ...File) (changed []string, err error) {
	return write(files, os.Rename)
}

func write(files []File, rename func(from, to string) error) (changed []string, err error) {
	places, err := examine(files)
	if err != nil {
		return nil, err
	}
	var stage stage
	defer stage.clear()
	for _, place := range places {
		if place.upToDate() {
			continue
		}
		if err := stage.add(place); err != nil {
			return nil, fmt.Errorf("write %s: nothing was changed: %w", place.file.Path, err)
		}
		changed = append(changed, place.file.Path)
	}
	if err := stage.commit(rename); err != nil {
		return nil, err
	}
	return changed, nil
}

// Check compares files with what is in their places, and changes nothing. It
// returns a difference for each that is missing or stale, in the order given, and
// fails where Write would refuse.
func Check(files ...File) ([]Diff, error) {
	places, err := examine(files)
	if err != nil {
		return nil, err
	}
	var diffs []Diff
	for _, place := range places {
		if !place.upToDate() {
			diffs = append(diffs, place.diff())
		}
	}
	return diffs, nil
}

// place is where a file goes, and what is there now.
type place struct {
	file   File
	target string // the path behind symbolic links
	exists bool
	old    []byte
	mode   fs.FileMode // of what is there
}

// examine looks at all places, and returns the errors of all that can't be used.
func examine(files []File) ([]place, error) {
	places := make([]place, 0, len(files))
	taken := make(map[string]string)
	var faults []error
	for _, file := range files {
		place, err := look(file)
		if err != nil {
			faults = append(faults, fmt.Errorf("write %s: %w", file.Path, err))
			continue
		}
		if other, ok := taken[place.target]; ok {
			faults = append(faults, fmt.Errorf("write %s: %s is the same file: give each a path of its own", file.Path, other))
		}
		taken[place.target] = file.Path
		places = append(places, place)
	}
	return places, errors.Join(faults...)
}

func look(file File) (place, error) {
	target, err := resolve(file.Path)
	if err != nil {
		return place{}, err
	}
	p := place{file: file, target: target}
	info, err := os.Stat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return place{}, err
	}
	if !info.Mode().IsRegular() {
		return place{}, errors.New("there is something in its place that isn't a file: remove it, or choose another path")
	}
	p.exists, p.mode = true, info.Mode().Perm()
	if p.old, err = os.ReadFile(target); err != nil {
		return place{}, err
	}
	return p, file.Kind.checkOverwrite(p.old)
}

// maxLinks is how many symbolic links are followed, as Linux does.
const maxLinks = 40

// resolve follows symbolic links, also one to a file that doesn't exist yet. The
// result is absolute.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for range maxLinks {
		if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			path = filepath.Join(folder, filepath.Base(path))
		}
		link, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link; other faults are found when it is read
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(path), link)
		}
		path = link
	}
	return "", errors.New("its symbolic links go round in circles: remove one of them")
}

// upToDate reports whether the file has its content, line endings aside.
func (p place) upToDate() bool {
	return p.exists && bytes.Equal(unixLines(p.old), unixLines(p.file.Content))
}

func unixLines(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
