package discover_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/types"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// An edit replaces a part of a program's text.
type edit struct {
	from, to int
	by       string
}

// Bounds of the work for one program.
const (
	maxRounds     = 25
	maxCandidates = 80
)

// shrunk returns a smaller program of the same verdict.
func (b *bench) shrunk(t testing.TB, c comparison) comparison {
	t.Helper()
	for range maxRounds {
		edits := b.edits(t, c.sample)
		var good []edit
		best := c
		candidates := b.candidates(t, c, edits)
		for i, candidate := range b.judged(t, c, candidates.samples) {
			if candidate.verdict() != c.verdict() {
				continue
			}
			good = append(good, candidates.edits[i])
			if len(candidate.text) < len(best.text) {
				best = candidate
			}
		}
		if len(good) == 0 {
			break
		}
		for n := len(good); n > 1; n /= 2 {
			if all := b.candidate(c, together(good[:n])...); b.compiles(all) {
				if combined := b.judged(t, c, []sample{all})[0]; combined.verdict() == c.verdict() && len(all.text) < len(best.text) {
					best = combined
					break
				}
			}
		}
		c = best
	}
	if text, err := format.Source([]byte(c.text)); err == nil {
		c.text = blank.ReplaceAllString(string(text), "\n")
	}
	return c
}

var blank = regexp.MustCompile(`\n\s*\n`)

// judged compares smaller programs. They aren't run to see a crash again.
func (b *bench) judged(t testing.TB, c comparison, samples []sample) (all []comparison) {
	t.Helper()
	if c.crash == "" && len(samples) > 0 {
		return b.compare(t, samples)
	}
	for _, s := range samples {
		all = append(all, b.evaluate(t, s))
	}
	return all
}

type candidates struct {
	samples []sample
	edits   []edit
}

// candidates applies each edit alone, and keeps those programs that compile
// and that the evaluation doesn't refuse, up to a number.
func (b *bench) candidates(t testing.TB, c comparison, edits []edit) (all candidates) {
	t.Helper()
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.gain(), b.gain()) })
	slices.Reverse(edits)
	if len(edits) > 4*maxCandidates { // some of the small ones
		rest := edits[maxCandidates:]
		random := rand.New(rand.NewPCG(uint64(len(c.text)), 0))
		random.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	}
	for _, e := range edits {
		s := b.candidate(c, e)
		if !b.compiles(s) {
			continue
		}
		if now := b.evaluate(t, s); (now.refusal == "") == (c.refusal == "") && now.crash == c.crash {
			s.text = strings.ReplaceAll(s.text, s.id, fmt.Sprintf("q%d", len(all.samples)))
			s.id = fmt.Sprintf("q%d", len(all.samples))
			all.samples, all.edits = append(all.samples, s), append(all.edits, e)
		}
		if len(all.samples) == maxCandidates {
			break
		}
	}
	return all
}

func (e edit) gain() int { return e.to - e.from - len(e.by) }

func (b *bench) candidate(c comparison, edits ...edit) sample {
	s := c.sample
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(b.from, a.from) })
	for _, e := range edits {
		s.text = s.text[:e.from] + e.by + s.text[e.to:]
	}
	return s
}

// together returns the edits that don't overlap.
func together(edits []edit) (kept []edit) {
	for _, e := range edits {
		if !slices.ContainsFunc(kept, func(k edit) bool { return e.from < k.to && k.from < e.to }) {
			kept = append(kept, e)
		}
	}
	return kept
}

func (b *bench) compiles(s sample) bool {
	return b.check(s.source()) == nil
}

// edits returns the ways to make a program smaller.
func (b *bench) edits(t testing.TB, s sample) (edits []edit) {
	t.Helper()
	require.NoError(t, b.check(s.source()))
	root := b.Roots[0]
	file := root.Files[0]
	offset := func(node ast.Node) (from, to int) {
		return int(node.Pos()-file.FileStart) - len(prelude), int(node.End()-file.FileStart) - len(prelude)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if node == nil || node == file {
			return true
		}
		from, to := offset(node)
		if from < 0 || to > len(s.text) {
			return false
		}
		switch node := node.(type) {
		case *ast.FuncDecl:
			if node.Name.Name != s.id {
				edits = append(edits, edit{from, to, ""})
			}
		case *ast.GenDecl:
			edits = append(edits, edit{from, to, ""})
		case *ast.BlockStmt:
			edits = append(edits, without(node.List, offset)...)
		case *ast.CaseClause:
			edits = append(edits, edit{from, to, ""})
			edits = append(edits, without(node.Body, offset)...)
		case ast.Stmt:
			for inner := range parts(node) {
				if block, ok := inner.(*ast.BlockStmt); ok {
					a, z := offset(block)
					edits = append(edits, edit{from, to, s.text[a:z]})
				}
			}
		case ast.Expr:
			edits = append(edits, simpler(root, s, node, offset)...)
		}
		return true
	})
	return slices.DeleteFunc(edits, func(e edit) bool { return e.gain() <= 0 })
}

// without returns the edits that delete ranges of statements.
func without(list []ast.Stmt, offset func(ast.Node) (int, int)) (edits []edit) {
	for size := len(list); size > 0; size /= 2 {
		for i := 0; i+size <= len(list); i += size {
			from, _ := offset(list[i])
			_, to := offset(list[i+size-1])
			edits = append(edits, edit{from, to, ""})
		}
	}
	return edits
}

func parts(node ast.Node) map[ast.Node]bool {
	found := make(map[ast.Node]bool)
	ast.Inspect(node, func(n ast.Node) bool {
		if n != nil && n != node {
			found[n] = true
		}
		return true
	})
	return found
}

// simpler returns the edits that replace an expression by one of its type: a
// literal, or a part of it.
func simpler(root *load.Package, s sample, expr ast.Expr, offset func(ast.Node) (int, int)) (edits []edit) {
	tv := root.Info.Types[expr]
	if tv.Type == nil || !tv.IsValue() {
		return nil
	}
	from, to := offset(expr)
	kind := types.TypeString(tv.Type, func(*types.Package) string { return "" })
	if _, isTuple := tv.Type.(*types.Tuple); !isTuple && !strings.Contains(kind, "untyped") {
		edits = append(edits, edit{from, to, literal(kind)})
	}
	for part := range parts(expr) {
		if inner, ok := part.(ast.Expr); ok && root.Info.Types[inner].IsValue() && types.Identical(root.Info.TypeOf(inner), tv.Type) {
			a, z := offset(inner)
			edits = append(edits, edit{from, to, s.text[a:z]})
		}
	}
	return edits
}
