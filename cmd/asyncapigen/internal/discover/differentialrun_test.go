package discover_test

import (
	"bytes"
	"context"
	_ "embed" // for the source of described
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
	noted  []string // see noter
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

// A command has programs that were built, and folders for them to run in.
type command struct {
	path string
	dirs map[string]string
}

// runAll runs programs, each in the worlds that are given.
func (c command) runAll(t testing.TB, samples []sample, worlds func(sample) []world) [][]run {
	t.Helper()
	all := make([][]run, len(samples))
	var wg sync.WaitGroup
	slots := make(chan struct{}, 4)
	for i, s := range samples {
		in := worlds(s)
		all[i] = make([]run, len(in))
		for j, w := range in {
			slots <- struct{}{}
			wg.Go(func() {
				all[i][j] = c.run(t.Context(), s.id, w)
				<-slots
			})
		}
	}
	wg.Wait()
	return all
}

// build returns a command with all programs.
func build(t testing.TB, samples []sample) command { return buildWith(t, "-dwarf=false", samples) }

// buildUnoptimized returns a command that does what the language says where the compiler's
// optimizations don't: that of Go 1.26 loses what is written through a pointer to one of
// two variables on the stack.
func buildUnoptimized(t testing.TB, samples []sample) command {
	return buildWith(t, "-N -dwarf=false", samples)
}

func buildWith(t testing.TB, flags string, samples []sample) command {
	t.Helper()
	archive := &txtar.Archive{}
	var imports, cases strings.Builder
	var packages []string
	for chunk := range slices.Chunk(samples, samplesPerPackage) {
		pkg := packageName(len(packages))
		packages = append(packages, pkg)
		archive.Files = append(archive.Files, txtar.File{Name: pkg + "/programs.go", Data: []byte(batch(pkg, chunk))})
		fmt.Fprintf(&imports, "\n\t\"example.com/shop/%s\"", pkg)
		fmt.Fprintf(&cases, "\tif run := %s.Programs[name]; run != nil {\n\t\trun()\n\t\tserve(%s.Router)\n\t}\n", pkg, pkg)
	}
	main := strings.Replace(fmt.Sprintf(runner, &cases), "\n)", imports.String()+"\n)", 1)
	archive.Files = append(archive.Files, txtar.File{Name: "main.go", Data: []byte(main)},
		txtar.File{Name: "described.go", Data: []byte(strings.Replace(describedSource, "package discover_test", "package main", 1))})
	dir := modtest.Write(t, archive)
	cmd := exec.CommandContext(t.Context(), "go", "build", "-gcflags=example.com/shop/...="+flags, "-ldflags=-s -w", "-o", "programs", ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	c := command{filepath.Join(dir, "programs"), worldDirs(t)}
	c.namePackages(t, packages)
	return c
}

// packageName returns the name of a package of programs: as long as main.
func packageName(i int) string { return "m" + strconv.FormatInt(int64(36*36+i), 36) }

// namePackages has the types of the packages say that they are main's, as those of
// the programs are when they are evaluated: a program may print the name, its length
// or its hash.
func (c command) namePackages(t testing.TB, packages []string) {
	t.Helper()
	data, err := os.ReadFile(c.path)
	require.NoError(t, err)
	for _, pkg := range packages {
		data = bytes.ReplaceAll(data, []byte(pkg+"."), []byte("main."))
	}
	require.NoError(t, os.WriteFile(c.path, data, 0o755))
}

// batch returns the source of a package of programs.
func batch(pkg string, samples []sample) string {
	var text, table strings.Builder
	text.WriteString(strings.Replace(prelude, "package main", "package "+pkg, 1) + noter)
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
	dirs := make(map[string]string)
	for _, setting := range slices.Concat([]string{""}, fileFact.settings, fileFact.more) {
		dirs[setting] = t.TempDir()
		name := filepath.Join(dirs[setting], fileFact.mark)
		switch setting {
		case "":
		case "folder":
			require.NoError(t, os.Mkdir(name, 0o755))
		default:
			require.NoError(t, os.WriteFile(name, []byte(setting), 0o644))
		}
	}
	return dirs
}

// A world is what a program meets: a setting for each fact, "" for its absence.
type world [len(facts)]string

func (w world) String() string { return strings.Join(w[:], "|") }

// worlds returns what may be there, for the facts that a program asks for: each
// of them in its first setting or absent, and one of them in another setting.
func worlds(s sample) []world {
	worlds := []world{{}}
	asked := asked(s)
	for _, i := range asked {
		for _, w := range slices.Clone(worlds) {
			w[i] = facts[i].settings[0]
			worlds = append(worlds, w)
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

// moreWorlds returns many others: to tell a program that the world decides from
// one that registers the same in all of them.
func moreWorlds(s sample) (worlds []world) {
	random := rand.New(rand.NewPCG(1, 0))
	asked := asked(s)
	for range 40 * len(asked) {
		var w world
		for _, i := range asked {
			settings := slices.Concat([]string{""}, facts[i].settings, facts[i].more)
			w[i] = settings[random.IntN(len(settings))]
		}
		worlds = append(worlds, w)
	}
	return worlds
}

// asked returns the facts that a program may ask for.
func asked(s sample) (asked []int) {
	for i, fact := range facts {
		if strings.Contains(s.text, fact.mark) || fact.mark == fileFact.mark && readsFolder.MatchString(s.text) {
			asked = append(asked, i)
		}
	}
	return asked
}

// readsFolder is what programs call that find the file without its whole name.
var readsFolder = regexp.MustCompile(`Glob|WalkDir`)

func (c command) run(ctx context.Context, name string, w world) run {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.path)
	cmd.Env = []string{"FUZZ_PROGRAM=" + name, "HOME=/", "GOTRACEBACK=none"}
	for i, setting := range w {
		switch mark := facts[i].mark; mark {
		case "os.Args":
			cmd.Args = append(cmd.Args, strings.Fields(setting)...)
		case fileFact.mark:
			cmd.Dir = c.dirs[setting]
		default:
			if setting != "" {
				cmd.Env = append(cmd.Env, mark+"="+setting)
			}
		}
	}
	r := run{world: w}
	var out, said output
	out.tooLong, said.tooLong = cancel, cancel
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	for line := range strings.Lines(out.text.String()) {
		switch {
		case strings.HasPrefix(line, "\x01"):
			r.routes = append(r.routes, strings.TrimSpace(line[1:]))
		case strings.HasPrefix(line, "\x03"):
			if value, err := strconv.Unquote(strings.TrimSpace(line[1:])); err == nil {
				r.noted = append(r.noted, value)
			}
		case line == "\x02\n":
			r.served = true
		}
	}
	slices.Sort(r.routes)
	if !r.served {
		r.end = endOf(ctx, err, said.text.String())
	}
	return r
}

// output is what a program writes. A string that a program doubles, round after round, is
// soon longer than the memory for it.
type output struct {
	text    strings.Builder
	tooLong func()
}

func (o *output) Write(p []byte) (int, error) {
	const most = 16 << 20
	if o.text.Len()+len(p) > most {
		o.tooLong()
		return 0, errors.New("the output is too long")
	}
	return o.text.Write(p)
}

// endOf says how a program ended that doesn't serve.
func endOf(ctx context.Context, err error, said string) string {
	switch {
	case ctx.Err() != nil:
		return "runs or writes for long"
	case err == nil:
		return "ends"
	}
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return named.ReplaceAllString(strings.TrimSpace(line), "N")
		}
	}
	return err.Error()
}
