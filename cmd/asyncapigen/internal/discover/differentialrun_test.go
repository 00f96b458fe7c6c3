package discover_test

import (
	"context"
	_ "embed" // for the source of described
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
	world  string // the facts that were there
	served bool
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

// worldDirs returns a folder without and one with the file that programs look
// for.
func worldDirs(t testing.TB) [2]string {
	t.Helper()
	dirs := [2]string{t.TempDir(), t.TempDir()}
	require.NoError(t, os.WriteFile(filepath.Join(dirs[1], "fuzz.file"), []byte("live"), 0o644))
	return dirs
}

// worlds returns what may be there, for the facts that a program asks for.
func worlds(s sample) [][]string {
	worlds := [][]string{nil}
	for _, fact := range facts {
		if !strings.Contains(s.text, fact) && !(fact == "fuzz.file" && strings.Contains(s.text, "Glob")) {
			continue
		}
		for _, world := range slices.Clone(worlds) {
			worlds = append(worlds, append(slices.Clone(world), fact))
		}
	}
	if strings.Contains(s.text, "range map[") { // in any order
		worlds = append(worlds, slices.Repeat(worlds, 4)...)
	}
	return worlds
}

func runOne(ctx context.Context, binary, name string, world []string, dirs [2]string) run {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary)
	cmd.Env = []string{"FUZZ_PROGRAM=" + name, "HOME=/", "GOTRACEBACK=none"}
	cmd.Dir = dirs[0]
	for _, fact := range world {
		switch fact {
		case "FUZZ_A":
			cmd.Env = append(cmd.Env, "FUZZ_A=7")
		case "FUZZ_B":
			cmd.Env = append(cmd.Env, "FUZZ_B=on")
		case "os.Args":
			cmd.Args = append(cmd.Args, "extra")
		default:
			cmd.Dir = dirs[1]
		}
	}
	r := run{world: fmt.Sprint(world)}
	out, _ := cmd.Output() // what ends otherwise doesn't serve
	for line := range strings.Lines(string(out)) {
		switch {
		case strings.HasPrefix(line, "\x01"):
			r.routes = append(r.routes, batchName.ReplaceAllString(strings.TrimSpace(line[1:]), "main."))
		case line == "\x02\n":
			r.served = true
		}
	}
	slices.Sort(r.routes)
	return r
}
