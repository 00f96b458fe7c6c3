package inclusion

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// numbersNear returns numbers around all that the schemas name.
func numbersNear(all []*Schema) []any {
	values := []*big.Rat{integer(1), integer(0), big.NewRat(3, 2), integer(-1), integer(1 << 20)}
	var steps []*big.Rat
	for _, s := range all {
		bounds := []*big.Rat{s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum, s.MultipleOf}
		if of, ok := numberFormats[s.Format]; ok {
			bounds = append(bounds, of.low, of.high)
		}
		for _, bound := range bounds {
			if bound != nil {
				one := integer(1)
				values = append(values, bound, ceiling(bound), new(big.Rat).Add(bound, one), new(big.Rat).Sub(bound, one), new(big.Rat).Add(bound, big.NewRat(1, 2)))
			}
		}
		if s.MultipleOf != nil {
			steps = append(steps, s.MultipleOf)
		}
	}
	for _, step := range steps {
		for _, value := range slices.Clip(values) {
			multiple := ceiling(new(big.Rat).Quo(value, step))
			values = append(values, multiple.Mul(multiple, step), new(big.Rat).Add(multiple, step), new(big.Rat).Sub(multiple, step))
		}
	}
	slices.SortStableFunc(values[1:], func(a, b *big.Rat) int { return new(big.Rat).Abs(a).Cmp(new(big.Rat).Abs(b)) }) // the simplest ones first
	var literals []any
	for _, value := range values {
		literals = append(literals, literal(value))
	}
	return literals
}

// Bounds on the texts that are tried.
const (
	maxTextSample   = 5000
	maxPatternDepth = 50
	maxLetters      = 20 // of a range
	patternTexts    = 12 // for one expression
	patternRepeats  = 4  // of them, in turn
)

// textLengths are tried beside those that schemas name.
var textLengths = []int{0, 1, 5}

// textsNear returns texts of the lengths, patterns and formats that the schemas
// name.
func textsNear(all []*Schema) []any {
	lengths := slices.Clone(textLengths)
	texts := []string{"a", "", "A b", "1", "é~!"}
	for _, s := range all {
		for _, length := range []*big.Rat{s.MinLength, s.MaxLength} {
			if length != nil && length.Cmp(integer(maxTextSample)) < 0 {
				n := int(length.Num().Int64())
				lengths = append(lengths, n, n+1)
			}
		}
		texts = append(texts, textFormats[s.Format]...)
		if s.Format == "byte" || s.ContentEncoding == "base64" {
			texts = append(texts, "YQ==", "YWE=", "YWFh", "e30=")
		}
		if s.Pattern != nil {
			texts = append(texts, matching(s.Pattern, lengths)...)
		}
	}
	for _, text := range slices.Clip(texts) {
		for _, length := range lengths {
			texts = append(texts, text+strings.Repeat("a", max(0, length-utf8.RuneCountInString(text))))
		}
	}
	var values []any
	for _, text := range texts {
		values = append(values, text)
	}
	return values
}

// matching returns texts that may match a pattern, some longer, some shorter.
func matching(p *Pattern, lengths []int) []string {
	tree, err := syntax.Parse(p.Source, syntax.Perl)
	if err != nil {
		return nil // of a form that Go doesn't have
	}
	random := rand.New(rand.NewPCG(1, 2)) // the same each time
	example := func(repeats int) string {
		w := patternWriter{random: random, repeats: repeats}
		w.write(tree)
		return w.text.String()
	}
	var texts []string
	for i := range patternTexts {
		texts = append(texts, example(i%patternRepeats))
	}
	for _, length := range lengths {
		texts = append(texts, example(length))
	}
	return texts
}

// A patternWriter writes a text that an expression matches.
type patternWriter struct {
	random  *rand.Rand
	repeats int // of what may be repeated
	depth   int // of expressions within each other
	text    strings.Builder
}

func (w *patternWriter) write(tree *syntax.Regexp) {
	switch tree.Op {
	case syntax.OpLiteral:
		w.text.WriteString(string(tree.Rune))
	case syntax.OpCharClass:
		w.class(tree.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.text.WriteByte('x')
	case syntax.OpAlternate:
		w.write(tree.Sub[w.random.IntN(len(tree.Sub))])
	case syntax.OpStar:
		w.repeat(tree, w.repeats)
	case syntax.OpPlus:
		w.repeat(tree, max(1, w.repeats))
	case syntax.OpQuest:
		w.repeat(tree, min(1, w.repeats))
	case syntax.OpRepeat:
		n := max(tree.Min, w.repeats)
		if tree.Max >= 0 {
			n = min(n, tree.Max)
		}
		w.repeat(tree, n)
	default:
		w.repeat(tree, 1)
	}
}

// repeat writes what an expression is made of, unless that gets too long.
func (w *patternWriter) repeat(tree *syntax.Regexp, times int) {
	w.depth++
	defer func() { w.depth-- }()
	for range times {
		for _, sub := range tree.Sub {
			if w.depth < maxPatternDepth && w.text.Len() < maxTextSample {
				w.write(sub)
			}
		}
	}
}

// class writes a letter of the ranges, one that can be read if there is one.
func (w *patternWriter) class(ranges []rune) {
	i := 2 * w.random.IntN(len(ranges)/2)
	for j := 0; j < len(ranges); j += 2 {
		if ranges[j] <= 'a' && 'a' <= ranges[j+1] {
			w.text.WriteRune('a')
			return
		}
	}
	low, high := ranges[i], ranges[i+1]
	if low < ' ' && high >= ' ' {
		low = ' '
	}
	w.text.WriteRune(low + rune(w.random.Int32N(min(high-low+1, maxLetters))))
}

// valuesOf are those that the schemas enumerate.
func valuesOf(all []*Schema, kind string) []any {
	var values []any
	for _, s := range all {
		of, _ := s.values()
		for _, value := range of {
			if kindOf(value) == kind {
				values = append(values, value)
			}
		}
	}
	return values[:min(len(values), maxEnumerated)]
}

// distinct leaves out what is there already.
func distinct(values []any) []any {
	var kept []any
	seen := make(map[string]bool)
	for _, value := range values {
		text, err := json.Marshal(value)
		if err == nil && !seen[string(text)] {
			seen[string(text)] = true
			kept = append(kept, value)
		}
	}
	return kept
}
