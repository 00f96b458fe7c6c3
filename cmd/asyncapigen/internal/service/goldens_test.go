package service

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/internal/modtest"
)

// The goldens of the command that are one file get in this process what their scripts
// want of the command. The go command lists packages once for all of them, and what one
// reads of the standard library the next one has, so that they take seconds.
func TestGoldens_OfOneFile(t *testing.T) {
	all := goldensOfOneFile(t)
	require.Greater(t, len(all), 250)
	var sources []string
	for _, g := range all {
		sources = append(sources, g.source)
	}
	p := &oneFileProgram{Program: onefile.New(t, sources...)}
	for _, g := range all {
		t.Run(g.name, func(t *testing.T) {
			p.set(t, g)
			for _, r := range g.runs {
				p.run(t, g, r)
			}
		})
	}
}

// A golden is an archive of testdata/golden.
type golden struct {
	name   string
	file   string            // the source file's name
	source string            // and what is in it
	files  map[string]string // what is compared
	runs   []goldenRun
}

// A goldenRun is a command of a script.
type goldenRun struct {
	args   []string
	fails  bool
	wanted [][]string // lines that say what is seen then
}

// goldensOfOneFile returns those that have one source file and nothing else, and whose
// scripts do nothing to it but what is done here.
func goldensOfOneFile(t *testing.T) []golden {
	t.Helper()
	var all []golden
	for _, name := range modtest.Programs(t) {
		archive, err := txtar.ParseFile(name)
		require.NoError(t, err)
		g := golden{name: strings.TrimSuffix(filepath.Base(name), ".txtar"), files: map[string]string{}}
		others := 0
		for _, f := range archive.Files {
			g.files[f.Name] = string(f.Data)
			switch {
			case strings.HasSuffix(f.Name, ".go") && !strings.Contains(f.Name, "/") && g.file == "":
				g.file, g.source = f.Name, string(f.Data)
			case !strings.HasPrefix(f.Name, "want"):
				others++
			}
		}
		isCgo := strings.Contains(g.source, "\nimport \"C\"\n") // of which the go command makes other files
		if g.file != "" && others == 0 && !isCgo && g.readScript(string(archive.Comment)) {
			all = append(all, g)
		}
	}
	return all
}

// word is one of a line of a script.
var word = regexp.MustCompile(`'(?:[^']|'')*'|[^\s']+`)

// readScript reports whether it is one of commands of asyncapigen that write.
func (g *golden) readScript(script string) bool {
	for line := range strings.Lines(script) {
		var words []string
		for _, w := range word.FindAllString(strings.TrimSpace(line), -1) {
			if strings.HasPrefix(w, "'") {
				w = strings.ReplaceAll(w[1:len(w)-1], "''", "'")
			}
			words = append(words, w)
		}
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "#"):
		case words[0] == "asyncapigen":
			g.runs = append(g.runs, goldenRun{args: words[1:]})
		case words[0] == "status" && words[1] == "1" && words[2] == "asyncapigen":
			g.runs = append(g.runs, goldenRun{args: words[3:], fails: true})
		case slices.Contains([]string{"env", "exec", "cp", "rm", "unreplace"}, words[0]), slices.Contains(words[1:], "asyncapigen"):
			return false
		case len(g.runs) > 0:
			last := &g.runs[len(g.runs)-1]
			last.wanted = append(last.wanted, words)
		}
	}
	isOther := func(r goldenRun) bool {
		return slices.ContainsFunc(r.args, func(a string) bool {
			return a == "list" || a == "explain" || strings.Contains(a, "/") || strings.HasPrefix(a, "-tags")
		})
	}
	return len(g.runs) > 0 && !slices.ContainsFunc(g.runs, isOther)
}

// A oneFileProgram is one golden after another.
type oneFileProgram struct {
	*onefile.Program
	file   string // the base name of that which it is now
	number int
}

// set makes a golden's file that of the program.
func (p *oneFileProgram) set(t *testing.T, g golden) {
	t.Helper()
	p.number++
	p.file = "golden" + strconv.Itoa(p.number) + ".go"
	name := filepath.Join(p.Dir, p.file)
	require.NoError(t, os.WriteFile(name, []byte(g.source), 0o644))
	require.NoError(t, p.Set(name, g.source))
}

// run does what a command does after it has listed packages.
func (p *oneFileProgram) run(t *testing.T, g golden, r goldenRun) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/shop\n"), 0o644))
	o := NewOptions(dir)
	o.Seen, o.Client = dir, "shopclient"
	require.NoError(t, o.Parse(Unnamed, r.args))
	require.NoError(t, o.validate())
	made := Outcome{Service: o}
	(&Generator{Dir: dir}).generate(t.Context(), p.Program.Program, &made)
	var stderr strings.Builder
	for _, d := range made.Found.Sorted() {
		fmt.Fprintln(&stderr, d)
	}
	if made.Fault != nil {
		fmt.Fprintf(&stderr, "asyncapigen: %v\n", made.Fault)
	}
	said := strings.ReplaceAll(stderr.String(), p.file, g.file)
	require.Equal(t, r.fails, made.Failed() || made.Fault != nil, said)
	for _, w := range r.wanted {
		p.compare(t, g, w, dir, said)
	}
}

// compare does a line of the script that compares something.
func (p *oneFileProgram) compare(t *testing.T, g golden, words []string, dir, said string) {
	t.Helper()
	switch line := strings.Join(words, " "); {
	case words[0] == "stderr":
		require.Regexp(t, "(?m)"+words[1], said)
	case line == "! stderr .":
		require.Empty(t, said)
	case words[0] == "!" && words[1] == "stderr":
		require.NotRegexp(t, "(?m)"+words[2], said)
	case words[0] == "cmp" && words[1] == "stderr":
		require.Equal(t, g.files[words[2]], said)
	case words[0] == "cmp" && words[1] != "stdout":
		text, err := os.ReadFile(filepath.Join(dir, words[1]))
		require.NoError(t, err)
		require.Equal(t, g.files[words[2]], strings.ReplaceAll(string(text), p.file, g.file))
	case words[0] == "!" && words[1] == "exists":
		require.NoFileExists(t, filepath.Join(dir, words[2]))
	}
}
