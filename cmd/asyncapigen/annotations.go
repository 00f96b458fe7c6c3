package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// A finding is a diagnostic, a stale file or an error, as programs that show them
// beside the code take it.
type finding struct {
	code    string
	warning bool
	file    string // with slashes, "" for none
	line    int
	column  int
	text    string
}

// findingsOf returns everything that is wrong with a service.
func findingsOf(o service.Outcome) []finding {
	all := findingsIn(o.Found)
	for _, s := range o.Files {
		if s.Diff != "" {
			all = append(all, finding{code: s.State + "-file", file: inRepository(s.Path), line: 1, text: "the file is " + s.State + ": run go generate and commit the result"})
		}
	}
	if o.Fault != nil {
		all = append(all, finding{code: "failure", text: named(o, o.Fault).Error()})
	}
	return all
}

func findingsIn(list diagnostic.List) []finding {
	var all []finding
	for _, d := range list.Sorted() {
		f := finding{code: string(d.Code), warning: d.Severity == diagnostic.Warning, text: d.Text()}
		if d.Pos.IsValid() {
			f.file, f.line, f.column = inRepository(d.Pos.Filename), d.Pos.Line, d.Pos.Column
		}
		all = append(all, f)
	}
	return all
}

// inRepository names a file as code hosts do: from the root of the repository,
// which GitHub Actions say, and else from the root of the module.
func inRepository(name string) string {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return filepath.ToSlash(name)
	}
	root := os.Getenv("GITHUB_WORKSPACE")
	if root == "" {
		root = service.ModuleOf(filepath.Dir(absolute))
	}
	if within, err := filepath.Rel(root, absolute); err == nil && filepath.IsLocal(within) {
		return filepath.ToSlash(within)
	}
	return filepath.ToSlash(name)
}

// A githubReporter prints findings to stdout as the annotations of GitHub Actions,
// beside what was asked for.
type githubReporter struct{ *textReporter }

func (r *githubReporter) service(o service.Outcome) {
	r.annotate(findingsOf(o))
	r.results(o)
}

func (r *githubReporter) print(found diagnostic.List) { r.annotate(findingsIn(found)) }

func (r *githubReporter) annotate(all []finding) {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, f := range all {
		level := "error"
		if f.warning {
			level = "warning"
		}
		place := ""
		if f.file != "" {
			place = fmt.Sprintf("file=%s,line=%d,", property.Replace(f.file), f.line)
		}
		if f.column > 0 {
			place += fmt.Sprintf("col=%d,", f.column)
		}
		fmt.Fprintf(r.stdout, "::%s %stitle=asyncapigen %s::%s\n", level, place, property.Replace(f.code), data.Replace(f.text))
	}
}

// A sarifReporter prints one SARIF 2.1.0 log at the end.
type sarifReporter struct {
	stdout io.Writer
	all    []finding
}

func newSARIFReporter(warnings diagnostic.List, stdout io.Writer) *sarifReporter {
	return &sarifReporter{stdout: stdout, all: findingsIn(warnings)}
}

func (r *sarifReporter) service(o service.Outcome) { r.all = append(r.all, findingsOf(o)...) }

type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string `json:"id"`
		HelpURI string `json:"helpUri"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
)

func (r *sarifReporter) end() {
	run := sarifRun{
		Tool:    sarifTool{sarifDriver{Name: "asyncapigen", InformationURI: "https://github.com/warrenmq/warren", Rules: []sarifRule{}}},
		Results: []sarifResult{},
	}
	seen := make(map[string]bool)
	for _, f := range r.all {
		if !seen[f.code] {
			seen[f.code] = true
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{f.code, helpURL(f.code)})
		}
		result := sarifResult{RuleID: f.code, Level: "error", Message: sarifMessage{f.text}}
		if f.warning {
			result.Level = "warning"
		}
		if f.file != "" {
			result.Locations = []sarifLocation{{sarifPhysical{sarifArtifact{f.file, "%SRCROOT%"}, sarifRegion{f.line, f.column}}}}
		}
		run.Results = append(run.Results, result)
	}
	printJSON(r.stdout, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// helpURL returns where a finding is explained: a code has its own section.
func helpURL(code string) string {
	if slices.Contains(diagnostic.Codes(), diagnostic.Code(code)) {
		return codeURL(diagnostic.Code(code))
	}
	return "https://github.com/warrenmq/warren/blob/main/docs/reference/command.md#exit-status"
}

func printJSON(w io.Writer, v any) {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	// What is encoded can be, and errors of stdout can't be reported anywhere.
	_ = encoder.Encode(v)
}
