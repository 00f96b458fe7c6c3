package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/modtest"
)

// monorepo is a module with n services, which share a package of messages and
// what the standard library has for HTTP.
func monorepo(t testing.TB, n int) string {
	t.Helper()
	archive := &txtar.Archive{Files: []txtar.File{{Name: "events/events.go", Data: []byte(
		"package events\n\nimport (\n\t\"net/http\"\n\t\"time\"\n)\n\ntype Order struct {\n\tID string\n\tAt time.Time\n}\n\nfunc Client() *http.Client { return http.DefaultClient }\n",
	)}}}
	for i := range n {
		archive.Files = append(archive.Files, txtar.File{Name: fmt.Sprintf("svc/s%d/main.go", i), Data: fmt.Appendf(nil, `package main

import (
	"context"
	"fmt"

	"example.com/shop/events"
	"github.com/warrenmq/warren/runtime"
)

//go:generate asyncapigen -title S%d

func on(context.Context, events.Order) error { return nil }

func main() {
	r := runtime.NewRouter()
	for _, name := range []string{"created", "paid"} {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: fmt.Sprintf("s%d.%%s", name)}, Handler: runtime.Consume(on)})
	}
}
`, i, i)})
	}
	return modtest.Write(t, archive)
}

// The go command takes most of the time, and its time doesn't depend on how many
// of a module's packages it lists.
func TestServices_AreListedOnce(t *testing.T) {
	t.Setenv("GOFILE", "")
	lists := func(n int) int {
		t.Chdir(monorepo(t, n))
		log := filepath.Join(t.TempDir(), "log")
		countingGo(t, log)
		var stdout, stderr bytes.Buffer
		require.Equal(t, done, run(t.Context(), []string{"generate", "./..."}, &stdout, &stderr), stderr.String())
		for i := range n {
			require.FileExists(t, fmt.Sprintf("svc/s%d/asyncapi.json", i))
		}
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		return strings.Count(string(text), "list ")
	}
	one := lists(1)
	require.Positive(t, one)
	require.Equal(t, one, lists(8))
}

// countingGo puts a go command into the PATH that notes its arguments.
func countingGo(t *testing.T, log string) {
	t.Helper()
	path, err := exec.LookPath("go")
	require.NoError(t, err)
	bin := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\necho \"$1 \" >>'%s'\nexec '%s' \"$@\"\n", log, path)
	require.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// Services that are generated together get what each gets alone.
func TestServices_AreEachAsAlone(t *testing.T) {
	t.Setenv("GOFILE", "")
	dir := monorepo(t, 3)
	generated := func(args ...string) map[string]string {
		var stdout, stderr bytes.Buffer
		require.Equal(t, done, run(t.Context(), args, &stdout, &stderr), stderr.String())
		return filesBelow(t, ".")
	}
	t.Chdir(dir)
	together := generated("generate", "./...")
	for i := range 3 {
		t.Chdir(filepath.Join(dir, fmt.Sprintf("svc/s%d", i)))
		require.NoError(t, os.Remove("asyncapi.json"))
		require.NoError(t, os.RemoveAll(fmt.Sprintf("s%dclient", i)))
		generated()
	}
	t.Chdir(dir)
	require.Equal(t, together, filesBelow(t, "."))
}

// BenchmarkServices is a module with 20 services: all of them in one run, beside
// one of them alone.
func BenchmarkServices(b *testing.B) {
	dir := monorepo(b, 20)
	tool := filepath.Join(b.TempDir(), "asyncapigen")
	require.NoError(b, exec.Command("go", "build", "-buildvcs=false", "-o", tool, ".").Run())
	one := func() spent { return measure(b, command(filepath.Join(dir, "svc", "s0"), tool, "generate")) }
	all := func() spent { return measure(b, command(dir, tool, "generate", "./...")) }
	all()
	var ones, alls []spent
	for b.Loop() {
		ones = append(ones, one())
		alls = append(alls, all())
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(alls).cpu.Seconds(), "cpu-s")
	b.ReportMetric(median(alls).cpu.Seconds()/median(ones).cpu.Seconds(), "x-one-service")
	b.ReportMetric(float64(median(alls).memory)/(1<<20), "MiB")
}
