package service

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/goldens"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/internal/modtest"
)

// The goldens of the command whose packages are one file each get in this process what
// their scripts want of the command. The go command lists and builds packages once for all of
// them, and what one reads of the standard library the next one has.
func TestGoldens_OfOneFileEach(t *testing.T) {
	all := goldens.OneFiles(t)
	require.Greater(t, len(all), 400)
	var sources []string
	for _, g := range all {
		for _, s := range g.Sources {
			sources = append(sources, s.Text)
		}
	}
	p := &oneFileProgram{Program: onefile.New(t, sources...), programs: goldens.Built(t, all)}
	for _, g := range all {
		t.Run(g.Name, func(t *testing.T) {
			p.begin(t)
			for _, r := range g.Runs {
				p.set(t, g.Sources[r.Folder])
				p.run(t, g, r)
			}
		})
	}
	require.Less(t, len(p.programs.Alone), 20, "few programs have to be run by themselves, which takes seconds")
}

// A oneFileProgram is one source of a golden after another.
type oneFileProgram struct {
	*onefile.Program
	programs *goldens.Programs
	written  string // the folder of what commands write
	forms    string // and of the documents of all forms
	sums     string // of the documents that running programs show, too
	file     string // the base name of the source that it is now
	name     string // and that in the golden
	number   int    // of sources
}

// begin begins with a golden.
func (p *oneFileProgram) begin(t *testing.T) {
	t.Helper()
	p.written, p.forms, p.sums = t.TempDir(), filepath.Join(t.TempDir(), "forms"), ""
	require.NoError(t, os.WriteFile(filepath.Join(p.written, "go.mod"), []byte("module example.com/shop\n"), 0o644))
}

// set makes a source the program's file.
func (p *oneFileProgram) set(t *testing.T, s goldens.Source) {
	t.Helper()
	p.number++
	folder, base := path.Split(s.Name)
	p.file, p.name = "golden"+strconv.Itoa(p.number)+".go", base
	name := filepath.Join(p.Dir, folder, p.file)
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(s.Text), 0o644))
	require.NoError(t, p.Set(name, s.Text))
}

// named gives the file the name that it has in the golden.
func (p *oneFileProgram) named(text string) string { return strings.ReplaceAll(text, p.file, p.name) }

// run does what a command does after it has listed packages.
func (p *oneFileProgram) run(t *testing.T, g goldens.OneFile, r goldens.Run) {
	t.Helper()
	o := NewOptions(p.written)
	o.Seen, o.Client = p.written, "shopclient"
	hasDirective := strings.Contains(g.Sources[r.Folder].Text, "go:generate")
	require.NoError(t, o.Parse(Unnamed, goldens.WithForms(r.Args, p.forms, hasDirective)))
	require.NoError(t, o.validate())
	made := Outcome{Service: o}
	(&Generator{Dir: p.written}).generate(t.Context(), p.Program.Program, &made)
	var stderr strings.Builder
	for _, d := range made.Found.Sorted() {
		fmt.Fprintln(&stderr, d)
	}
	if made.Fault != nil {
		fmt.Fprintf(&stderr, "asyncapigen: %v\n", made.Fault)
	}
	said := p.named(stderr.String())
	require.Equal(t, r.Fails, made.Failed() || made.Fault != nil, said)
	for _, w := range r.Wanted {
		p.compare(t, g, w, said)
	}
}

// compare does a line of the script that compares something.
func (p *oneFileProgram) compare(t *testing.T, g goldens.OneFile, words []string, said string) {
	t.Helper()
	switch line := strings.Join(words, " "); {
	case words[0] == "stderr":
		require.Regexp(t, "(?m)"+words[1], said)
	case line == "! stderr .":
		require.Empty(t, said)
	case words[0] == "!" && words[1] == "stderr":
		require.NotRegexp(t, "(?m)"+words[2], said)
	case words[0] == "cmp" && words[1] == "stderr":
		require.Equal(t, g.Files[words[2]], said)
	case words[0] == "rm":
		require.NoError(t, os.Remove(filepath.Join(p.written, words[1])))
	case words[0] == "running":
		document := p.read(t, words[2])
		require.NoError(t, p.programs.Compare(t, g.Sources[path.Clean(words[1])], p.written, words[3:], func(shown string) error {
			return goldens.SameAsRunning([]byte(document), shown, p.forms)
		}))
		p.sums += modtest.DocumentSum(words[2], document)
	case words[0] == "valid":
		require.NoError(t, goldens.Valid(g.Name, []byte(p.read(t, words[1])), p.forms))
	case words[0] == "cmp" && words[1] == modtest.DocumentSums:
		require.Equal(t, g.Files[words[2]], p.sums)
	case words[0] == "cmp" && words[1] != "stdout":
		require.Equal(t, g.Files[words[2]], p.read(t, words[1]))
	case words[0] == "!" && words[1] == "exists":
		require.NoFileExists(t, filepath.Join(p.written, words[2]))
	}
}

// read returns the text of a file that a command has written.
func (p *oneFileProgram) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(p.written, name))
	require.NoError(t, err)
	return p.named(string(text))
}
