package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
)

// watchInterval is how often the files are looked at.
const watchInterval = 300 * time.Millisecond

// A watch is what a run of the generator depends on.
type watch struct {
	folders map[string]bool // of packages
	read    map[string]bool // files of packages
	written map[string]bool // files and folders that asyncapigen writes itself
}

func newWatch() watch {
	return watch{make(map[string]bool), make(map[string]bool), make(map[string]bool)}
}

// add watches a service.
func (w watch) add(made service.Outcome) {
	o := made.Service
	w.folders[o.Dir] = true
	for _, folder := range made.Folders {
		w.folders[folder] = true
	}
	for _, file := range made.Sources {
		w.read[file] = true
	}
	for _, document := range o.Documents {
		w.written[o.Absolute(document.File)] = true
	}
	if o.Client != "" {
		w.written[o.Absolute(o.Client)] = true
	}
}

// repeated runs the generator again whenever a file changes that it depends on,
// until ctx ends: an interrupt is the normal end. A run that fails for the command
// line, such as one with a directive that can't be read, keeps what is watched.
func repeated(ctx context.Context, stderr io.Writer, generate func() (watch, int)) int {
	var w watch
	for {
		before, were := time.Now(), w.snapshot()
		seen, status := generate()
		if len(seen.folders) > 0 {
			w = seen
		}
		if ctx.Err() != nil || len(w.folders) == 0 {
			return status
		}
		last := w.snapshot()
		fmt.Fprintf(stderr, "asyncapigen: watching %d folders\n", len(w.folders))
		for changed := w.hasChanged(before, were, last); !changed; changed = !maps.Equal(last, w.snapshot()) {
			select {
			case <-ctx.Done():
				return status
			case <-time.After(watchInterval):
			}
		}
	}
}

// files are those of some folders, by their paths.
type files map[string]fileMark

// A fileMark changes with its file.
type fileMark struct {
	size     int64
	modified time.Time
}

// snapshot looks at the files. What can't be read isn't there, which is a change.
func (w watch) snapshot() files {
	all := make(files)
	for folder := range w.folders {
		if w.written[folder] {
			continue
		}
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue
		}
		for _, entry := range entries {
			name := filepath.Join(folder, entry.Name())
			if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && !w.written[name] {
				all[name] = fileMark{info.Size(), info.ModTime()}
			}
		}
	}
	return all
}

// hasChanged reports whether a file may have changed while the generator ran: one that was
// looked at before has another mark, or it, or one that was read, is gone; of the others the time
// tells.
func (w watch) hasChanged(since time.Time, before, after files) bool {
	for name := range before {
		if _, is := after[name]; !is && w.looksAt(name) {
			return true
		}
	}
	for name := range w.read {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) && w.looksAt(name) {
			return true
		}
	}
	for name, mark := range after {
		was, seen := before[name]
		if seen && mark != was || !seen && mark.modified.After(since.Add(-clockStep)) {
			return true
		}
	}
	return false
}

// looksAt reports whether a file is in a folder that is watched, and isn't asyncapigen's own.
func (w watch) looksAt(name string) bool {
	folder := filepath.Dir(name)
	return w.folders[folder] && !w.written[folder] && !w.written[name]
}

// clockStep is how far the times of files may be behind the clock: systems give them the
// time of the last tick.
const clockStep = 20 * time.Millisecond
