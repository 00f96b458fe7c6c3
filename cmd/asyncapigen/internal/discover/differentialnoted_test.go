package discover_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program that compares what it meets with a value of its own registers otherwise only
// where it meets that value. So such programs note what they compare, and meet it.

// noter is what noted programs note values by: as lines of the output.
const noter = `
var notes int

func noted[T any](v T) T {
	if notes++; notes < 1000 {
		fmt.Printf("\x03%q\n", fmt.Sprint(v))
	}
	return v
}
`

// So many values are met of those that a program notes, of at most so many bytes.
const (
	maxNoted      = 60
	maxNotedBytes = 200
)

// meetNoted has the programs that are refused, though they register the same in all worlds
// so far, meet what they compare, and be compiled in another way.
func (b *bench) meetNoted(t testing.TB, command command, all []comparison) {
	t.Helper()
	var doubtful []int
	var samples []sample
	for i, c := range all {
		if c.verdict() == refused && c.determined() && len(asked(c.sample)) > 0 {
			doubtful = append(doubtful, i)
			samples = append(samples, b.noted(t, c.sample))
		}
	}
	if len(doubtful) == 0 {
		return
	}
	for j, runs := range buildUnoptimized(t, samples).runAll(t, samples, worlds) {
		c := &all[doubtful[j]]
		var values []string
		for _, r := range runs {
			values = append(values, r.noted...)
		}
		met := command.runAll(t, []sample{c.sample}, func(s sample) []world { return command.worldsOf(t, s, values) })
		c.runs = append(append(c.runs, runs...), met[0]...)
	}
}

// noted returns the program with what notes the texts and numbers that it compares.
func (b *bench) noted(t testing.TB, s sample) sample {
	t.Helper()
	require.NoError(t, b.check(s.source()))
	root := b.Roots[0]
	file := root.Files[0]
	before, after := make(map[int]int), make(map[int]int)
	note := func(exprs ...ast.Expr) {
		for _, expr := range exprs {
			from, to := int(expr.Pos()-file.FileStart)-len(prelude), int(expr.End()-file.FileStart)-len(prelude)
			if tv := root.Info.Types[expr]; from >= 0 && to <= len(s.text) && tv.IsValue() && tv.Value == nil && isNoted(tv.Type) {
				before[from]++
				after[to]++
			}
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.BinaryExpr:
			switch node.Op {
			case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
				note(node.X, node.Y)
			}
		case *ast.SwitchStmt:
			if node.Tag != nil {
				note(node.Tag)
			}
		case *ast.CaseClause:
			note(node.List...)
		case *ast.IndexExpr:
			note(node.Index)
		}
		return true
	})
	var text strings.Builder
	for i := range len(s.text) + 1 {
		text.WriteString(strings.Repeat(")", after[i]) + strings.Repeat("noted(", before[i]))
		if i < len(s.text) {
			text.WriteByte(s.text[i])
		}
	}
	s.text = text.String()
	return s
}

func isNoted(t types.Type) bool {
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsString|types.IsInteger) != 0
}

// worldsOf returns worlds in which a program meets the values, and as many of anything as
// they are.
func (c command) worldsOf(t testing.TB, s sample, values []string) (all []world) {
	t.Helper()
	slices.Sort(values)
	values = slices.Compact(values)
	var settings []string
	for _, v := range values[:min(len(values), maxNoted)] {
		if len(v) > maxNotedBytes || strings.Contains(v, "\x00") {
			continue
		}
		settings = append(settings, v)
		if n, err := strconv.Atoi(v); err == nil && n > 0 && n < maxNoted {
			settings = append(settings, strings.Repeat("x", n), strings.Repeat("x ", n))
		}
	}
	random := rand.New(rand.NewPCG(1, 0))
	for _, setting := range settings {
		c.addFile(t, setting)
		for _, i := range asked(s) {
			for _, w := range worldsAround(s, random) {
				w[i] = setting
				all = append(all, w)
			}
		}
	}
	return all
}

// worldsAround returns some of the worlds of a program.
func worldsAround(s sample, random *rand.Rand) []world {
	usual := worlds(s)
	return []world{{}, usual[random.IntN(len(usual))], usual[random.IntN(len(usual))]}
}

// addFile makes the folder in which the file has the text.
func (c command) addFile(t testing.TB, text string) {
	t.Helper()
	if _, ok := c.dirs[text]; !ok {
		c.dirs[text] = t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(c.dirs[text], fileFact.mark), []byte(text), 0o644))
	}
}

func TestNoted_TellsWhatIsCompared(t *testing.T) {
	b := newBench(t)
	s := sample{id: "p0", text: `
func p0() {
	if name := os.Getenv("FUZZ_A"); name == fmt.Sprint("the ", "boss") {
		add("boss", "")
	}
	switch len(os.Getenv("FUZZ_B")) {
	case cap(make([]int, 26)):
		add("long", "")
	}
}
`}
	require.Contains(t, b.noted(t, s).text, `noted(name) == noted(fmt.Sprint("the ", "boss"))`)
	c := comparison{sample: s, refusal: "refused"}
	command := build(t, []sample{s})
	c.runs = command.runAll(t, []sample{s}, moreWorlds)[0]
	require.True(t, c.determined())
	all := []comparison{c}
	b.meetNoted(t, command, all)
	require.False(t, all[0].determined())
	met := make(map[string]bool)
	for _, r := range all[0].served() {
		for _, route := range r.routes {
			met[strings.Fields(route)[0]] = true
		}
	}
	require.Equal(t, map[string]bool{"boss-1": true, "long-1": true}, met)
}
