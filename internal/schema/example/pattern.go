package example

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// A pattern is a regular expression of ECMA 262 that Go takes as well.
type pattern struct {
	match *regexp.Regexp
	tree  *syntax.Regexp // simplified, in which a{2,3} is aa(a)?
}

// pattern returns nil for an expression that Go doesn't have, or that it may read in
// another way.
func (m *Maker) pattern(text string) *pattern {
	if p, ok := m.patterns[text]; ok {
		return p
	}
	var p *pattern
	if match, err := regexp.Compile(text); err == nil && !differs(text) {
		tree, _ := syntax.Parse(text, syntax.Perl) // as Compile has done
		p = &pattern{match, tree.Simplify()}
	}
	m.patterns[text] = p
	return p
}

// differs reports whether a text has what the two languages don't share: flags,
// names of groups, \pL and \Q, \A and \z, classes such as [[:alpha:]].
func differs(text string) bool {
	for _, part := range []string{"(?i", "(?m", "(?s", "(?U", "(?P", "(?-", `\p`, `\P`, `\Q`, `\A`, `\z`, `\C`, `\a`, `[:`} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// texts returns some that the pattern may match: it need not match all of them.
func (p *pattern) texts(least int) []string {
	short := newWriter(0).write(p.tree)
	long := newWriter(least).write(p.tree)
	return []string{short, long, short + strings.Repeat("a", max(0, least-len(short)))}
}

// A writer writes a text for a pattern. More is how often what may be repeated is
// written beyond what has to be.
type writer struct {
	text strings.Builder
	more int
}

func newWriter(more int) *writer { return &writer{more: more} }

func (w *writer) write(tree *syntax.Regexp) string {
	w.node(tree)
	return w.text.String()
}

func (w *writer) node(tree *syntax.Regexp) {
	if w.text.Len() > maxText {
		return
	}
	switch tree.Op {
	case syntax.OpLiteral:
		for _, r := range tree.Rune {
			w.text.WriteRune(r)
		}
	case syntax.OpCharClass:
		w.text.WriteRune(plainest(tree.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.text.WriteByte('a')
	case syntax.OpCapture, syntax.OpConcat:
		for _, part := range tree.Sub {
			w.node(part)
		}
	case syntax.OpAlternate:
		w.node(tree.Sub[0])
	case syntax.OpStar:
		w.repeat(tree.Sub[0], w.more)
	case syntax.OpPlus:
		w.repeat(tree.Sub[0], max(1, w.more))
	case syntax.OpQuest:
		w.repeat(tree.Sub[0], min(w.more, 1))
	}
}

func (w *writer) repeat(tree *syntax.Regexp, times int) {
	for range min(times, maxText) {
		w.node(tree)
	}
}

// plainest returns the rune of a class that reads best.
func plainest(class []rune) rune {
	for _, wanted := range "aA1-_" {
		for span := range slices.Chunk(class, 2) {
			if span[0] <= wanted && wanted <= span[1] {
				return wanted
			}
		}
	}
	for span := range slices.Chunk(class, 2) {
		for r := span[0]; r <= span[1] && r < unicode.MaxASCII; r++ {
			if unicode.IsGraphic(r) {
				return r
			}
		}
	}
	if len(class) == 0 {
		return 'a'
	}
	return class[0]
}
