// Package analyzer shows what asyncapigen reports in editors and linters: it is an
// Analyzer of golang.org/x/tools/go/analysis. Asyncapigen itself is a tool of go
// vet:
//
//	go vet -vettool=$(go tool -n asyncapigen) ./...
//
// A package with a //go:generate directive that calls asyncapigen is analysed as
// the command does it: with the directive's flags, and with everything that the
// program consists of, which is loaded anew from the files on the disk. Other
// packages pass at once. Nothing is written, and files that are stale are not
// reported: asyncapigen check does that.
package analyzer

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// Analyzer reports errors and warnings of the services whose directives are in
// files of the package. It reads syntax alone and exports no facts. The flag
// -warnings=false leaves warnings out; its default is true. A finding in another
// package is reported at the directive. See docs/decisions/0050.
var Analyzer = newAnalyzer()

func newAnalyzer() *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name: "asyncapigen",
		Doc:  "report routes of RabbitMQ consumers whose AsyncAPI contract asyncapigen can't write\n\nIn packages with a directive //go:generate go tool asyncapigen.",
		URL:  "https://github.com/warrenmq/warren/blob/main/docs/editors.md",
	}
	warnings := a.Flags.Bool("warnings", true, "report warnings as well")
	a.Run = func(pass *analysis.Pass) (any, error) {
		return nil, run(pass, *warnings)
	}
	return a
}

// run reports what asyncapigen finds in the services of the pass's folder.
func run(pass *analysis.Pass, warnings bool) error {
	directives := directivesIn(pass.Files)
	if len(directives) == 0 {
		return nil
	}
	if same, err := areSaved(pass); err != nil || !same {
		return err
	}
	r := &reporter{pass: pass, dir: filepath.Dir(fileName(pass, directives[0].Pos())), warnings: warnings}
	ctx := context.Background()
	all, found, err := service.Directed(ctx, r.dir, service.List)
	if err != nil {
		r.report(directives[0].Pos(), "", err.Error())
		return nil
	}
	r.add(found, directives[0].Pos())
	var here []*service.Options
	at := make(map[*service.Options]token.Pos)
	for _, o := range all {
		if pos := r.posOf(o.At); pos.IsValid() {
			here, at[o] = append(here, o), pos
		}
	}
	for outcome := range (&service.Generator{Dir: r.dir}).Run(ctx, here) {
		r.add(outcome.Found, at[outcome.Service])
		if outcome.Fault != nil {
			r.report(at[outcome.Service], "", outcome.Fault.Error())
		}
	}
	return nil
}

// directivesIn returns the comments that may be directives which call asyncapigen,
// by an alias too, or were meant as such.
func directivesIn(files []*ast.File) []*ast.Comment {
	var all []*ast.Comment
	for _, file := range files {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				text := strings.TrimLeft(strings.TrimPrefix(comment.Text, "//"), " \t")
				if strings.HasPrefix(text, "go:generate") && strings.Contains(text, "asyncapigen") {
					all = append(all, comment)
				}
			}
		}
	}
	return all
}

// areSaved reports whether the pass sees the files that are on the disk: an editor
// shows others to it while they are edited. Positions would be wrong; the findings
// come when they are saved.
func areSaved(pass *analysis.Pass) (bool, error) {
	for _, file := range pass.Files {
		name := pass.Fset.File(file.Pos()).Name()
		shown, err := pass.ReadFile(name)
		if err != nil {
			return false, fmt.Errorf("read a file of the package: %w", err)
		}
		saved, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(shown, saved) {
			return false, nil
		}
	}
	return true, nil
}

// fileName returns the name of the file at pos.
func fileName(pass *analysis.Pass, pos token.Pos) string { return pass.Fset.File(pos).Name() }

// A reporter reports diagnostics of asyncapigen as those of a pass.
type reporter struct {
	pass     *analysis.Pass
	dir      string // from which positions are named
	warnings bool
}

// add reports findings: those in files of the pass where they are, others at the
// directive.
func (r *reporter) add(found diagnostic.List, directive token.Pos) {
	for _, d := range found.Sorted() {
		if d.Severity == diagnostic.Warning && !r.warnings {
			continue
		}
		pos := r.posOf(d.Pos)
		text := d.Text()
		switch {
		case pos.IsValid():
		case d.Pos.IsValid():
			pos, text = directive, d.Pos.String()+": "+text
		default:
			pos = directive
		}
		if d.Severity == diagnostic.Warning {
			text = "warning: " + text
		}
		r.report(pos, d.Code, text, fixes(r.pass, d, pos)...)
	}
}

// report reports a finding. The category is its code, "" for none.
func (r *reporter) report(pos token.Pos, code diagnostic.Code, text string, fixes ...analysis.SuggestedFix) {
	d := analysis.Diagnostic{Pos: pos, Category: string(code), Message: text, SuggestedFixes: fixes}
	if code != "" {
		d.Message += " [" + string(code) + "]"
		d.URL = "https://github.com/warrenmq/warren/blob/main/docs/diagnostics.md#" + string(code)
	}
	r.pass.Report(d)
}

// posOf returns the position in the pass that asyncapigen means, not a valid one
// where that is in none of its files.
func (r *reporter) posOf(at token.Position) token.Pos {
	if !at.IsValid() {
		return token.NoPos
	}
	name := at.Filename
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.dir, name)
	}
	for _, file := range r.pass.Files {
		in := r.pass.Fset.File(file.Pos())
		if !isSame(in.Name(), name) || at.Line > in.LineCount() {
			continue
		}
		pos := in.LineStart(at.Line) + token.Pos(max(at.Column-1, 0))
		if r.pass.Fset.File(pos) == in {
			return pos
		}
	}
	return token.NoPos
}

// isSame reports whether two names are those of one file.
func isSame(a, b string) bool {
	if filepath.Base(a) != filepath.Base(b) {
		return false
	}
	if a == b {
		return true
	}
	inA, _ := os.Stat(a) // nil of none, which is the same as no file
	inB, _ := os.Stat(b)
	return os.SameFile(inA, inB)
}
