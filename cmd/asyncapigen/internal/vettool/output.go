package vettool

import (
	"archive/zip"
	"cmp"
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/imports"

	"github.com/warrenmq/warren/cmd/asyncapigen/analyzer"
)

// What go vet reads.
type (
	jsonFinding struct {
		Category string    `json:"category,omitempty"`
		Posn     string    `json:"posn"`
		End      string    `json:"end"`
		Message  string    `json:"message"`
		Fixes    []jsonFix `json:"suggested_fixes,omitempty"`
	}
	jsonFix struct {
		Message string     `json:"message"`
		Edits   []jsonEdit `json:"edits"`
	}
	jsonEdit struct {
		Filename string `json:"filename"`
		Start    int    `json:"start"` // in bytes, as is End
		End      int    `json:"end"`
		New      string `json:"new"`
	}
)

// writeFindings writes findings where the go command expects them.
func writeFindings(u *unit, fset *token.FileSet, found []analysis.Diagnostic) error {
	all := []jsonFinding{}
	for _, d := range found {
		at := fset.Position(d.Pos).String()
		finding := jsonFinding{Category: d.Category, Posn: at, End: at, Message: d.Message}
		for _, fix := range d.SuggestedFixes {
			described := jsonFix{Message: fix.Message}
			for _, e := range editsOf(fset, fix) {
				described.Edits = append(described.Edits, jsonEdit{e.file, e.start, e.end, string(e.text)})
			}
			finding.Fixes = append(finding.Fixes, described)
		}
		all = append(all, finding)
	}
	out := os.Stdout
	if u.Stdout != "" {
		file, err := os.Create(u.Stdout)
		if err != nil {
			return err
		}
		defer file.Close()
		out = file
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "\t")
	return encoder.Encode(map[string]map[string][]jsonFinding{u.ID: {analyzer.Analyzer.Name: all}})
}

// An edit replaces some bytes of a file.
type edit struct {
	file       string
	start, end int
	text       []byte
}

func editsOf(fset *token.FileSet, fix analysis.SuggestedFix) []edit {
	var all []edit
	for _, e := range fix.TextEdits {
		file := fset.File(e.Pos)
		end := e.End
		if !end.IsValid() {
			end = e.Pos
		}
		all = append(all, edit{file.Name(), file.Offset(e.Pos), file.Offset(end), e.NewText})
	}
	return all
}

// writeFixes applies the first fix of each finding, but for those that touch what an
// earlier one has changed, and writes the files where the go command expects them.
func writeFixes(archive string, fset *token.FileSet, found []analysis.Diagnostic) error {
	byFile := make(map[string][]edit)
	for _, d := range found {
		if len(d.SuggestedFixes) == 0 {
			continue
		}
		edits := editsOf(fset, d.SuggestedFixes[0])
		if slices.ContainsFunc(edits, func(e edit) bool { return e.clashes(byFile[e.file]) }) {
			continue
		}
		for _, e := range edits {
			if !slices.ContainsFunc(byFile[e.file], e.equals) {
				byFile[e.file] = append(byFile[e.file], e)
			}
		}
	}
	out, err := os.Create(archive)
	if err != nil {
		return fmt.Errorf("write the fixes: %w", err)
	}
	defer out.Close()
	fixed := zip.NewWriter(out)
	for name, edits := range byFile {
		text, err := apply(name, edits)
		if err != nil {
			return err
		}
		w, err := fixed.Create(name)
		if err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return fixed.Close()
}

// clashes reports whether e overlaps an edit of its file that is another one.
func (e edit) clashes(others []edit) bool {
	return slices.ContainsFunc(others, func(o edit) bool { return e.start < o.end && o.start < e.end && !e.equals(o) })
}

// equals compares edits of one file.
func (e edit) equals(o edit) bool {
	return e.start == o.start && e.end == o.end && string(e.text) == string(o.text)
}

// apply returns a file with its edits, as gofmt writes it and without the imports
// that it no longer needs.
func apply(name string, edits []edit) ([]byte, error) {
	source, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var text []byte
	last := 0
	for _, e := range edits {
		text = append(append(text, source[last:e.start]...), e.text...)
		last = e.end
	}
	text, err = imports.Process(name, append(text, source[last:]...), nil)
	if err != nil {
		return nil, fmt.Errorf("apply the fixes of %s: %w", name, err)
	}
	return text, nil
}
