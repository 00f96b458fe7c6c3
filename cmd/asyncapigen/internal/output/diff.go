package output

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// maxLines is how many lines of a difference are shown.
const maxLines = 60

// A Diff says how a file differs from what would be generated.
type Diff struct {
	Path    string
	Missing bool // there is no such file

	// Text is a unified diff from the file to what would be generated, at most
	// 60 lines of it and a last one that says how many were left out.
	Text string
}

func (p place) diff() Diff {
	from := p.file.Path
	if !p.exists {
		from = "/dev/null"
	}
	text := diff.Diff(from, unixLines(p.old), p.file.Path+" (generated)", unixLines(p.file.Content))
	return Diff{Path: p.file.Path, Missing: !p.exists, Text: shorten(string(text))}
}

func shorten(text string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) <= maxLines {
		return text
	}
	return strings.Join(lines[:maxLines], "") + fmt.Sprintf("... and %d more lines\n", len(lines)-maxLines)
}
