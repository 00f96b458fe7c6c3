package main

import (
	"context"
	"fmt"
	"io"
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
	written map[string]bool // files and folders that asyncapigen writes itself
}

func newWatch() watch { return watch{make(map[string]bool), make(map[string]bool)} }

// add watches a service.
func (w watch) add(o *service.Options, folders []string) {
	w.folders[o.Dir] = true
	for _, folder := range folders {
		w.folders[folder] = true
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
		before := time.Now()
		seen, status := generate()
		if len(seen.folders) > 0 {
			w = seen
		}
		if ctx.Err() != nil || len(w.folders) == 0 {
			return status
		}
		last := w.snapshot()
		fmt.Fprintf(stderr, "asyncapigen: watching %d folders\n", len(w.folders))
		for changed := last.newer(before); !changed; changed = !maps.Equal(last, w.snapshot()) {
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

// newer reports whether a file has changed since a time.
func (f files) newer(than time.Time) bool {
	for _, mark := range f {
		if mark.modified.After(than) {
			return true
		}
	}
	return false
}
