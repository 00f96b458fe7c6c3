// Package goldens reads the archives of testdata/golden, and holds what the command writes of
// their programs against what they show when they run.
package goldens

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/modtest"
)

// A OneFile is an archive that has one source file in each package and nothing else, and whose
// script does nothing to it but run asyncapigen and compare. So that it can be checked in the
// test's own process.
type OneFile struct {
	Name    string
	Sources map[string]Source // by their folders, "." that of the module
	Files   map[string]string // what is compared
	Runs    []Run
}

// A Source is the only file of a package.
type Source struct{ Name, Text string }

// A Run is a command of a script.
type Run struct {
	Folder string // of the package
	Args   []string
	Fails  bool
	Wanted [][]string // the words of the lines that say what is seen then
}

// OneFiles returns those that there are.
func OneFiles(t testing.TB) []OneFile {
	t.Helper()
	var all []OneFile
	for _, name := range modtest.Programs(t) {
		archive, err := txtar.ParseFile(name)
		require.NoError(t, err)
		g := OneFile{
			Name:    strings.TrimSuffix(filepath.Base(name), ".txtar"),
			Sources: map[string]Source{},
			Files:   map[string]string{},
		}
		if g.readFiles(archive) && g.readScript(string(archive.Comment)) {
			all = append(all, g)
		}
	}
	return all
}

// readFiles reports whether they are one source file in each package, which imports no other
// of them, and what is wanted.
func (g *OneFile) readFiles(archive *txtar.Archive) bool {
	for _, f := range archive.Files {
		folder, base := path.Split(f.Name)
		folder = path.Clean(folder)
		g.Files[f.Name] = string(f.Data)
		switch {
		case strings.HasSuffix(base, ".go") && g.Sources[folder].Name == "":
			g.Sources[folder] = Source{f.Name, string(f.Data)}
		case !strings.HasPrefix(base, "want"):
			return false
		}
	}
	for _, s := range g.Sources {
		isCgo := strings.Contains(s.Text, "\nimport \"C\"\n") // of which the go command makes other files
		if isCgo || importOfOwn.MatchString(s.Text) {
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
func (g *OneFile) readScript(script string) bool {
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
			g.Runs = append(g.Runs, Run{Folder: ".", Args: words[1:]})
		case words[0] == "status" && words[1] == "1" && words[2] == "asyncapigen":
			g.Runs = append(g.Runs, Run{Folder: ".", Args: words[3:], Fails: true})
		case slices.Contains([]string{"env", "exec", "cp", "unreplace"}, words[0]), slices.Contains(words[1:], "asyncapigen"):
			return false
		case len(g.Runs) > 0:
			last := &g.Runs[len(g.Runs)-1]
			last.Wanted = append(last.Wanted, words)
		}
	}
	for i := range g.Runs {
		if !g.Runs[i].readFolder() || g.Sources[g.Runs[i].Folder].Name == "" {
			return false
		}
	}
	return len(g.Runs) > 0
}

// readFolder takes the package's folder from the arguments. It reports whether the command
// is one of those that can be run in the test's process.
func (r *Run) readFolder() bool {
	for _, a := range r.Args {
		if folder, ok := strings.CutPrefix(a, "./"); ok {
			r.Folder = folder
		} else if a == "list" || a == "explain" || strings.Contains(a, "/") || strings.HasPrefix(a, "-tags") {
			return false
		}
	}
	return true
}
