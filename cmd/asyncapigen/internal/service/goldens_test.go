package service

import (
	"fmt"
	"os"
	"path"
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

// The goldens of the command whose packages are one file each get in this process what
// their scripts want of the command. The go command lists packages once for all of them,
// and what one reads of the standard library the next one has, so that they take seconds.
func TestGoldens_OfOneFileEach(t *testing.T) {
	all := goldensOfOneFileEach(t)
	require.Greater(t, len(all), 400)
	var sources []string
	for _, g := range all {
		for _, s := range g.sources {
			sources = append(sources, s.text)
		}
	}
	p := &oneFileProgram{Program: onefile.New(t, sources...)}
	for _, g := range all {
		t.Run(g.name, func(t *testing.T) {
			p.begin(t)
			for _, r := range g.runs {
				p.set(t, g.sources[r.folder])
				p.run(t, g, r)
			}
		})
	}
}

// A golden is an archive of testdata/golden.
type golden struct {
	name    string
	sources map[string]source // by their folders, "." that of the module
	files   map[string]string // what is compared
	runs    []goldenRun
}

// A source is the only file of a package.
type source struct{ name, text string }

// A goldenRun is a command of a script.
type goldenRun struct {
	folder string // of the package
	args   []string
	fails  bool
	wanted [][]string // lines that say what is seen then
}

// goldensOfOneFileEach returns those that have one source file in each package and nothing
// else, and whose scripts do nothing to it but what is done here.
func goldensOfOneFileEach(t *testing.T) []golden {
	t.Helper()
	var all []golden
	for _, name := range modtest.Programs(t) {
		archive, err := txtar.ParseFile(name)
		require.NoError(t, err)
		g := golden{name: strings.TrimSuffix(filepath.Base(name), ".txtar"), sources: map[string]source{}, files: map[string]string{}}
		if g.readFiles(archive.Files) && g.readScript(string(archive.Comment)) {
			all = append(all, g)
		}
	}
	return all
}

// readFiles reports whether they are one source file in each package, which imports no other
// of them, and what is wanted.
func (g *golden) readFiles(files []txtar.File) bool {
	for _, f := range files {
		folder, base := path.Split(f.Name)
		folder = path.Clean(folder)
		g.files[f.Name] = string(f.Data)
		switch {
		case strings.HasSuffix(base, ".go") && g.sources[folder].name == "":
			g.sources[folder] = source{f.Name, string(f.Data)}
		case !strings.HasPrefix(base, "want"):
			return false
		}
	}
	for _, s := range g.sources {
		isCgo := strings.Contains(s.text, "\nimport \"C\"\n") // of which the go command makes other files
		if isCgo || importOfOwn.MatchString(s.text) {
			return false
		}
	}
	return true
}

// importOfOwn matches the import of a package of the golden's module that has to be there.
var importOfOwn = regexp.MustCompile(`"example\.com/shop(?:"|/(?:[^s]|s[^h]|sh[^o]|shop/))`)

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
			g.runs = append(g.runs, goldenRun{folder: ".", args: words[1:]})
		case words[0] == "status" && words[1] == "1" && words[2] == "asyncapigen":
			g.runs = append(g.runs, goldenRun{folder: ".", args: words[3:], fails: true})
		case slices.Contains([]string{"env", "exec", "cp", "rm", "unreplace"}, words[0]), slices.Contains(words[1:], "asyncapigen"):
			return false
		case len(g.runs) > 0:
			last := &g.runs[len(g.runs)-1]
			last.wanted = append(last.wanted, words)
		}
	}
	for i := range g.runs {
		if !g.runs[i].readFolder() || g.sources[g.runs[i].folder].name == "" {
			return false
		}
	}
	return len(g.runs) > 0
}

// readFolder takes the package's folder from the arguments. It reports whether the command
// is one of those that are run here.
func (r *goldenRun) readFolder() bool {
	for _, a := range r.args {
		if folder, ok := strings.CutPrefix(a, "./"); ok {
			r.folder = folder
		} else if a == "list" || a == "explain" || strings.Contains(a, "/") || strings.HasPrefix(a, "-tags") {
			return false
		}
	}
	return true
}

// A oneFileProgram is one source of a golden after another.
type oneFileProgram struct {
	*onefile.Program
	written string // the folder of what commands write
	sums    string // of the documents that running programs show, too
	file    string // the base name of the source that it is now
	name    string // and that in the golden
	number  int    // of sources
}

// begin begins with a golden.
func (p *oneFileProgram) begin(t *testing.T) {
	t.Helper()
	p.written, p.sums = t.TempDir(), ""
	require.NoError(t, os.WriteFile(filepath.Join(p.written, "go.mod"), []byte("module example.com/shop\n"), 0o644))
}

// set makes a source the program's file.
func (p *oneFileProgram) set(t *testing.T, s source) {
	t.Helper()
	p.number++
	folder, base := path.Split(s.name)
	p.file, p.name = "golden"+strconv.Itoa(p.number)+".go", base
	name := filepath.Join(p.Dir, folder, p.file)
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(s.text), 0o644))
	require.NoError(t, p.Set(name, s.text))
}

// named gives the file the name that it has in the golden.
func (p *oneFileProgram) named(text string) string { return strings.ReplaceAll(text, p.file, p.name) }

// run does what a command does after it has listed packages.
func (p *oneFileProgram) run(t *testing.T, g golden, r goldenRun) {
	t.Helper()
	o := NewOptions(p.written)
	o.Seen, o.Client = p.written, "shopclient"
	require.NoError(t, o.Parse(Unnamed, r.args))
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
	require.Equal(t, r.fails, made.Failed() || made.Fault != nil, said)
	for _, w := range r.wanted {
		p.compare(t, g, w, said)
	}
}

// compare does a line of the script that compares something.
func (p *oneFileProgram) compare(t *testing.T, g golden, words []string, said string) {
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
	case words[0] == "running":
		p.sums += modtest.DocumentSum(words[2], p.read(t, words[2]))
	case words[0] == "cmp" && words[1] == modtest.DocumentSums:
		require.Equal(t, g.files[words[2]], p.sums)
	case words[0] == "cmp" && words[1] != "stdout":
		require.Equal(t, g.files[words[2]], p.read(t, words[1]))
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
