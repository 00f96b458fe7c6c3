package discover_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/diagnostic"
)

var record = flag.Bool("record", false, "run the programs of "+recorded+", compare, and write down what is found")

// recorded says what is found in the programs of a seed, as it was when it was compared with
// what they register when they run: the hash of the routes, or where what is refused.
const (
	recorded         = "testdata/recorded.txt"
	recordedSeed     = 2
	recordedPrograms = 200
)

// What is followed once isn't refused later, and what is refused isn't followed without a new
// comparison. TestRoutes_EqualThoseOfTheRunningProgram allows for some more that are refused.
func TestRoutes_AreThoseThatWereComparedWithRuns(t *testing.T) {
	b := newBench(t)
	samples := b.samples(rand.New(rand.NewPCG(recordedSeed, 0)), recordedPrograms)
	if *record {
		b.record(t, samples)
	}
	text, err := os.ReadFile(recorded)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Len(t, lines, len(samples))
	for i, s := range samples {
		t.Run(s.id, func(t *testing.T) {
			require.Equal(t, lines[i], b.recordOf(t, s), "%s\nafter a change that is wanted: go test ./cmd/asyncapigen/internal/discover -run ComparedWithRuns -record", s.text)
		})
	}
}

// record compares programs with their runs, and writes down what is found in them.
func (b *bench) record(t *testing.T, samples []sample) {
	t.Helper()
	for _, c := range b.compare(t, samples) {
		require.NotContains(t, []verdict{wrong, crashed}, c.verdict(), c.String()+c.text)
	}
	var text strings.Builder
	for _, s := range samples {
		fmt.Fprintln(&text, b.recordOf(t, s))
	}
	require.NoError(t, os.WriteFile(recorded, []byte(text.String()), 0o644))
}

// recordOf returns the line of a program.
func (b *bench) recordOf(t *testing.T, s sample) string {
	t.Helper()
	result, err := b.routes(t.Context(), s.source())
	require.NoError(t, err)
	if !result.Diagnostics.HasErrors() {
		hash := fnv.New64a()
		for _, line := range foundRoutes(result) {
			fmt.Fprintln(hash, line)
		}
		return fmt.Sprintf("%s routes %016x", s.id, hash.Sum64())
	}
	line := s.id + " refused"
	for _, d := range result.Diagnostics {
		if d.Severity == diagnostic.Error {
			line += fmt.Sprintf(" %d:%s", d.Pos.Line-strings.Count(prelude, "\n"), d.Code)
		}
	}
	return line
}
