package goldens

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/modtest"
)

// Programs runs the programs of goldens. They are built into one, in which package main of each
// is a package, as linking hundreds would take minutes.
type Programs struct {
	Alone []string // those that didn't show in there what was wanted, and were run again, each by itself

	binary   string
	packages map[string]string // their names in the one program, by their sources
}

// Built builds the programs that scripts run.
func Built(t testing.TB, all []OneFile) *Programs {
	t.Helper()
	p := &Programs{packages: make(map[string]string)}
	archive := &txtar.Archive{Files: []txtar.File{{Name: "show/show.go", Data: []byte(modtest.Show)}}}
	var imports, calls strings.Builder
	for _, g := range all {
		for _, s := range g.running() {
			if p.packages[s.Text] != "" {
				continue
			}
			name := fmt.Sprintf("p%d", len(p.packages))
			p.packages[s.Text] = name
			text := strings.Replace(s.Text, "package main\n", "package "+name+"\n", 1) + "\nfunc RunMain() { main() }\n"
			archive.Files = append(archive.Files, txtar.File{Name: name + "/" + path.Base(s.Name), Data: []byte(text)})
			fmt.Fprintf(&imports, "\t\"example.com/shop/%s\"\n", name)
			fmt.Fprintf(&calls, "\tcase %q:\n\t\t%s.RunMain()\n", name, name)
		}
	}
	main := "package main\n\nimport (\n\t\"os\"\n\n" + imports.String() + ")\n\nfunc main() {\n\tswitch os.Getenv(\"" + chosen + "\") {\n" + calls.String() + "\t}\n}\n"
	archive.Files = append(archive.Files, txtar.File{Name: "main.go", Data: []byte(main)})
	dir := modtest.Write(t, archive)
	p.binary = filepath.Join(dir, "all")
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-buildvcs=false", "-o", p.binary, ".")
	build.Dir = dir
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return p
}

// chosen is the variable that says which program runs.
const chosen = "GOLDEN"

// running returns the sources of the programs that the script runs.
func (g *OneFile) running() []Source {
	var sources []Source
	for _, r := range g.Runs {
		for _, words := range r.Wanted {
			if words[0] == "running" {
				sources = append(sources, g.Sources[path.Clean(words[1])])
			}
		}
	}
	return sources
}

// Compare runs a program in a folder, and holds what it shows against what is wanted. A program
// for which it matters that its package has another name, or that others are there, is run again
// by itself.
func (p *Programs) Compare(t testing.TB, s Source, dir string, args []string, compare func(shown string) error) error {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), p.binary, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), chosen+"="+p.packages[s.Text])
	if shown, err := cmd.Output(); err == nil && compare(string(shown)) == nil {
		return nil
	}
	p.Alone = append(p.Alone, s.Name)
	alone := modtest.Write(t, &txtar.Archive{Files: []txtar.File{
		{Name: path.Base(s.Name), Data: []byte(s.Text)}, {Name: "show/show.go", Data: []byte(modtest.Show)},
	}})
	cmd = exec.CommandContext(t.Context(), "go", append([]string{"run", "."}, args...)...)
	cmd.Dir = alone
	shown, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	if err != nil {
		return err
	}
	return compare(string(shown))
}
