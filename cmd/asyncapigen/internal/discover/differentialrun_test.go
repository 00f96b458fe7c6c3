package discover_test

import (
	"context"
	_ "embed" // for the source of described
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/modtest"
)

// A run is what a program did in one world.
type run struct {
	world  world
	served bool
	end    string   // how it ended instead of serving
	routes []string // sorted
}

// samplesPerPackage bounds a package of programs, so that several are compiled
// at once.
const samplesPerPackage = 60

// describedSource is a part of the runner.
//
//go:embed described_test.go
var describedSource string

// runner is the main file of a command that runs one of many programs and
// prints the routes that it serves.
const runner = `package main

import (
	"fmt"
	"os"

	"github.com/warrenmq/warren/runtime"
)

func serve(router *runtime.Router) {
	for _, route := range router.Routes() {
		fmt.Println("\x01" + described(route, route.Handler.BodyType().String()))
	}
	fmt.Println("\x02")
}

func main() {
	name := os.Getenv("FUZZ_PROGRAM")
	os.Unsetenv("FUZZ_PROGRAM")
%s}
`

// runAll builds the programs as one command, and runs each in every world that
// it may see.
func runAll(t testing.TB, samples []sample) [][]run {
	t.Helper()
	binary := build(t, samples)
	all := make([][]run, len(samples))
	var wg sync.WaitGroup
	slots := make(chan struct{}, 4)
	dirs := worldDirs(t)
	for i, s := range samples {
		worlds := worlds(s)
		all[i] = make([]run, len(worlds))
		for j, world := range worlds {
			slots <- struct{}{}
			wg.Go(func() {
				all[i][j] = runOne(t.Context(), binary, s.id, world, dirs)
				<-slots
			})
		}
	}
	wg.Wait()
	return all
}

// build returns the path of a command with all programs.
func build(t testing.TB, samples []sample) string {
	t.Helper()
	archive := &txtar.Archive{}
	var imports, cases strings.Builder
	for chunk := range slices.Chunk(samples, samplesPerPackage) {
		pkg := fmt.Sprintf("batch%d", len(archive.Files))
		archive.Files = append(archive.Files, txtar.File{Name: pkg + "/programs.go", Data: []byte(batch(pkg, chunk))})
		fmt.Fprintf(&imports, "\n\t\"example.com/shop/%s\"", pkg)
		fmt.Fprintf(&cases, "\tif run := %s.Programs[name]; run != nil {\n\t\trun()\n\t\tserve(%s.Router)\n\t}\n", pkg, pkg)
	}
	main := strings.Replace(fmt.Sprintf(runner, &cases), "\n)", imports.String()+"\n)", 1)
	archive.Files = append(archive.Files, txtar.File{Name: "main.go", Data: []byte(main)},
		txtar.File{Name: "described.go", Data: []byte(strings.Replace(describedSource, "package discover_test", "package main", 1))})
	dir := modtest.Write(t, archive)
	cmd := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-dwarf=false", "-ldflags=-s -w", "-o", "programs", ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return filepath.Join(dir, "programs")
}

// batchName is what the names of types begin with where main has them.
var batchName = regexp.MustCompile(`\bbatch\d+\.`)

// batch returns the source of a package of programs.
func batch(pkg string, samples []sample) string {
	var text, table strings.Builder
	text.WriteString(strings.Replace(prelude, "package main", "package "+pkg, 1))
	for _, s := range samples {
		text.WriteString(s.text)
		fmt.Fprintf(&table, "\t%q: %s,\n", s.id, s.id)
	}
	fmt.Fprintf(&text, "\nvar Router = router\n\nvar Programs = map[string]func(){\n%s}\n", &table)
	return text.String()
}

// worldDirs returns the folders in which programs run: without the file that
// they look for, with it by what it says, and with a folder of its name.
func worldDirs(t testing.TB) map[string]string {
	t.Helper()
	dirs := map[string]string{"": t.TempDir(), "live": t.TempDir(), "3": t.TempDir(), "folder": t.TempDir()}
	for _, text := range []string{"live", "3"} {
		require.NoError(t, os.WriteFile(filepath.Join(dirs[text], "fuzz.file"), []byte(text), 0o644))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dirs["folder"], "fuzz.file"), 0o755))
	return dirs
}

// A world is what a program meets: a setting for each fact, "" for its absence.
type world [len(facts)]string

func (w world) String() string { return strings.Join(w[:], "|") }

// worlds returns what may be there, for the facts that a program asks for: each
// of them in its first setting or absent, and one of them in another setting.
func worlds(s sample) []world {
	worlds := []world{{}}
	var asked []int
	for i, fact := range facts {
		if strings.Contains(s.text, fact.mark) || fact.mark == "fuzz.file" && readsFolder.MatchString(s.text) {
			asked = append(asked, i)
			for _, w := range slices.Clone(worlds) {
				w[i] = fact.settings[0]
				worlds = append(worlds, w)
			}
		}
	}
	full := worlds[len(worlds)-1]
	for _, i := range asked {
		for _, setting := range facts[i].settings[1:] {
			none, all := world{}, full
			none[i], all[i] = setting, setting
			worlds = append(worlds, none, all)
		}
	}
	if strings.Contains(s.text, "range map[") { // in any order
		worlds = append(worlds, slices.Repeat(worlds, 6)...)
	}
	return worlds
}

// readsFolder is what programs call that find the file without its whole name.
var readsFolder = regexp.MustCompile(`Glob|WalkDir`)

func runOne(ctx context.Context, binary, name string, w world, dirs map[string]string) run {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary)
	cmd.Env = []string{"FUZZ_PROGRAM=" + name, "HOME=/", "GOTRACEBACK=none"}
	for i, setting := range w {
		switch mark := facts[i].mark; mark {
		case "os.Args":
			cmd.Args = append(cmd.Args, strings.Fields(setting)...)
		case "fuzz.file":
			cmd.Dir = dirs[setting]
		default:
			if setting != "" {
				cmd.Env = append(cmd.Env, mark+"="+setting)
			}
		}
	}
	r := run{world: w}
	out, err := cmd.Output()
	for line := range strings.Lines(string(out)) {
		switch {
		case strings.HasPrefix(line, "\x01"):
			r.routes = append(r.routes, batchName.ReplaceAllString(strings.TrimSpace(line[1:]), "main."))
		case line == "\x02\n":
			r.served = true
		}
	}
	slices.Sort(r.routes)
	if !r.served {
		r.end = endOf(ctx, err)
	}
	return r
}

// endOf says how a program ended that doesn't serve.
func endOf(ctx context.Context, err error) string {
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "runs for long"
	case !errors.As(err, &exit):
		return fmt.Sprint("ends by ", err)
	}
	for line := range strings.Lines(string(exit.Stderr)) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return named.ReplaceAllString(strings.TrimSpace(line), "N")
		}
	}
	return exit.Error()
}
