package main

import (
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/output"
)

// The states of a file.
const (
	written  = "written"
	upToDate = "up to date"
	stale    = "stale"
	missing  = "missing"
)

// A fileState says what a generated file is, or has become.
type fileState struct {
	path  string
	state string
	diff  string // from the file to what would be generated, of stale and missing ones
}

// writeFiles brings the files up to date; in the mode check it only finds out
// which of them aren't.
func writeFiles(o *options, files []output.File) ([]fileState, error) {
	var changed []string
	var diffs []output.Diff
	var err error
	if o.mode == check {
		diffs, err = output.Check(files...)
	} else {
		changed, err = output.Write(files...)
	}
	if err != nil {
		return nil, err
	}
	states := make([]fileState, len(files))
	for i, file := range files {
		states[i] = fileState{path: file.Path, state: upToDate}
		if slices.Contains(changed, file.Path) {
			states[i].state = written
		}
		for _, diff := range diffs {
			switch {
			case diff.Path != file.Path:
			case diff.Missing:
				states[i].state, states[i].diff = missing, diff.Text
			default:
				states[i].state, states[i].diff = stale, diff.Text
			}
		}
	}
	return states, nil
}
