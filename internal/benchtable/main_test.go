package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func page(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "benchmarks.md")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

func TestRun_ReplacesOlderResults(t *testing.T) {
	name := page(t, "# Benchmarks\n\n<!-- results -->\n\nold\n")
	in := "goos: linux\ncpu: Some CPU\nBenchmarkGenerate-2  \t 3\t 46.35 MiB\t 1.393 x-go-list\nBenchmarkX/sub-case-16 100 12 ns/op\nPASS\nok  \tx\t1s\n"
	require.NoError(t, run(strings.NewReader(in), io.Discard, name))

	got, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "# Benchmarks\n\n<!-- results -->\n\nMeasured on Some CPU.\n\n| benchmark | results |\n|---|---|\n"+
		"| Generate | 46.35 MiB, 1.393 x-go-list |\n| X/sub-case | 12 ns/op |\n", string(got))
}

func TestRun_WritesNothingWithoutResults(t *testing.T) {
	for in, fault := range map[string]string{
		"PASS\n":                           "has no benchmark",
		"BenchmarkX-2 1 2 ns/op\nFAIL x\n": "a benchmark failed",
	} {
		name := page(t, marker+"old")
		require.ErrorContains(t, run(strings.NewReader(in), io.Discard, name), fault)
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, marker+"old", string(got))
	}
}

func TestRun_NeedsTheMarker(t *testing.T) {
	require.ErrorContains(t, run(strings.NewReader("BenchmarkX-2 1 2 ns/op\n"), io.Discard, page(t, "none")), "has no line")
}
