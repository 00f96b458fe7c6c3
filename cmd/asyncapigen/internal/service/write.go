package service

import (
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/output"
)

// The states of a file.
const (
	Written  = "written"
	UpToDate = "up to date"
	Stale    = "stale"
	Missing  = "missing"
)

// A FileState says what a generated file is, or has become.
type FileState struct {
	Path  string
	State string
	Diff  string // from the file to what would be generated, of stale and missing ones
}

// writeFiles brings the files up to date; in the mode check it only finds out
// which of them aren't.
func writeFiles(o *Options, files []output.File) ([]FileState, error) {
	var changed []string
	var diffs []output.Diff
	var err error
	if o.Mode == Check {
		diffs, err = output.Check(files...)
	} else {
		changed, err = output.Write(files...)
	}
	if err != nil {
		return nil, err
	}
	states := make([]FileState, len(files))
	for i, file := range files {
		states[i] = FileState{Path: file.Path, State: UpToDate}
		if slices.Contains(changed, file.Path) {
			states[i].State = Written
		}
		for _, diff := range diffs {
			switch {
			case diff.Path != file.Path:
			case diff.Missing:
				states[i].State, states[i].Diff = Missing, diff.Text
			default:
				states[i].State, states[i].Diff = Stale, diff.Text
			}
		}
	}
	return states, nil
}
