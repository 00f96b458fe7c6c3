package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/output"
)

// writeFiles brings the files up to date; with -check it only reports which of
// them aren't.
func writeFiles(o *options, files []output.File, stdout, stderr io.Writer) (stale bool, err error) {
	if o.check {
		return checkFiles(o, files, stdout, stderr)
	}
	changed, err := output.Write(files...)
	if err != nil {
		return false, err
	}
	if o.verbose {
		for _, file := range files {
			fmt.Fprintln(stderr, outcome(file.Path, changed))
		}
	}
	return false, nil
}

func outcome(path string, changed []string) string {
	if slices.Contains(changed, path) {
		return "wrote " + path
	}
	return path + " is up to date"
}

// checkFiles prints the differences to stdout, where a patch belongs, and a line
// for each stale file to stderr.
func checkFiles(o *options, files []output.File, stdout, stderr io.Writer) (stale bool, err error) {
	diffs, err := output.Check(files...)
	if err != nil {
		return false, err
	}
	for _, diff := range diffs {
		state := "is stale"
		if diff.Missing {
			state = "is missing"
		}
		fmt.Fprintf(stderr, "%s: %s: run go generate and commit the result\n", diff.Path, state)
		fmt.Fprint(stdout, strings.TrimSuffix(diff.Text, "\n")+"\n")
	}
	if len(diffs) == 0 && o.verbose {
		fmt.Fprintln(stderr, "all files are up to date")
	}
	return len(diffs) > 0, nil
}
