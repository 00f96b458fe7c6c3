package redact

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/warrenmq/warren/observe/internal/cowmap"
)

// Mask is what takes the place of personal data (specification, section C, rule
// 8).
const Mask = "[REDACTED]"

// A Config says what is redacted besides the defaults, and what isn't. The zero
// Config is the defaults. [New] copies its slices.
type Config struct {
	// Keys are more names of fields whose values are masked whatever they hold,
	// written as words: "loyalty number" is found in loyalty_number, loyaltyNumber
	// and X-Loyalty-Number. A name has three words at most.
	Keys []string

	// ExceptKeys are names whose values are never masked, neither for the name
	// nor for what the values hold. They are compared as a whole, in any case
	// style.
	ExceptKeys []string

	// Patterns find more values, as matches of kind Custom.
	Patterns []*regexp.Regexp

	// ExceptValues are values that are left, although a detector or a pattern
	// finds them: what is found must match as a whole.
	ExceptValues []*regexp.Regexp

	// MaxLength is the number of bytes of a text, or of a JSON value, that are
	// searched. What lies beyond is masked: it could hold anything, and a megabyte
	// takes a third of a second. The default is 64 KiB; negative searches all.
	MaxLength int

	// Without turns detectors off. Custom and Unsearched turn nothing off.
	Without []Kind
}

// A Redactor finds personal data. [New] makes it. It is safe for concurrent use. A
// nil Redactor finds nothing; all methods may be called on it.
type Redactor struct {
	keys         map[string]bool // by words joined with a space
	exceptKeys   map[string]bool
	patterns     []*regexp.Regexp
	exceptValues []*regexp.Regexp
	off          [kinds]bool
	maxLength    int

	verdicts cowmap.Map[string, Verdict] // by name of field
}

// New returns a Redactor. It fails on a key without letters or with more than
// three words, on a nil pattern, on a pattern that matches the empty string, which
// would be found everywhere, and on an unknown kind.
func New(c Config) (*Redactor, error) {
	r := &Redactor{
		keys: make(map[string]bool), exceptKeys: make(map[string]bool),
		verdicts: cowmap.Map[string, Verdict]{Limit: maxVerdicts},
	}
	for _, key := range defaultKeys {
		r.keys[key] = true
	}
	for _, key := range c.Keys {
		words := appendWords(nil, key)
		if len(words) == 0 || len(words) > maxKeyWords {
			return nil, fmt.Errorf("redact: the key %q has %d words: write it with 1 to %d", key, len(words), maxKeyWords)
		}
		r.keys[strings.Join(words, " ")] = true
	}
	for _, key := range c.ExceptKeys {
		r.exceptKeys[strings.Join(appendWords(nil, key), " ")] = true
	}
	for _, pattern := range slices.Concat(c.Patterns, c.ExceptValues) {
		if pattern == nil {
			return nil, errors.New("redact: a pattern is nil: leave it out")
		}
	}
	for _, pattern := range c.Patterns {
		if pattern.MatchString("") {
			return nil, fmt.Errorf("redact: the pattern %q matches the empty string: make it match one character at least", pattern)
		}
	}
	r.patterns, r.exceptValues = slices.Clone(c.Patterns), slices.Clone(c.ExceptValues)
	r.maxLength = cmp.Or(c.MaxLength, defaultMaxLength)
	if r.maxLength < 0 {
		r.maxLength = math.MaxInt
	}
	for _, kind := range c.Without {
		if kind < 0 || kind >= kinds {
			return nil, fmt.Errorf("redact: there is no detector %d: use a constant of the package", int(kind))
		}
		r.off[kind] = true
	}
	return r, nil
}

// A Match is personal data in a string: s[Start:End].
type Match struct {
	Start, End int
	Kind       Kind
}

// Value reports whether s holds personal data, anywhere in it.
func (r *Redactor) Value(s string) bool {
	if r == nil {
		return false
	}
	found := false
	r.find(s, func(Match) bool {
		found = true
		return false
	})
	return found
}

// Find returns the personal data in s, by position, nil for none. Overlapping
// matches are one, of the kind of the first.
func (r *Redactor) Find(s string) []Match {
	if r == nil {
		return nil
	}
	var matches []Match
	r.find(s, func(m Match) bool {
		matches = append(matches, m)
		return true
	})
	if len(matches) < 2 {
		return matches
	}
	slices.SortStableFunc(matches, func(a, b Match) int { return a.Start - b.Start })
	merged := matches[:1]
	for _, m := range matches[1:] {
		last := &merged[len(merged)-1]
		if m.Start < last.End {
			last.End = max(last.End, m.End)
			continue
		}
		merged = append(merged, m)
	}
	return merged
}

// Text returns s with a [Mask] in place of each match, so that the rest stays
// readable; s itself where there is none.
func (r *Redactor) Text(s string) string {
	matches := r.Find(s)
	if len(matches) == 0 {
		return s
	}
	var b strings.Builder
	from := 0
	for _, m := range matches {
		b.WriteString(s[from:m.Start])
		b.WriteString(Mask)
		from = m.End
	}
	b.WriteString(s[from:])
	return b.String()
}

const (
	defaultMaxLength = 64 << 10

	// margin is how far beyond MaxLength the search goes, for what begins before.
	margin = 1 << 10
)

// find calls yield with each find until it returns false.
func (r *Redactor) find(s string, yield func(Match) bool) {
	if len(s) > r.maxLength {
		start := r.maxLength
		for start > 0 && !utf8.RuneStart(s[start]) {
			start--
		}
		if !yield(Match{start, len(s), Unsearched}) {
			return
		}
		s = s[:min(len(s), r.maxLength+margin)]
	}
	if len(s) >= minLength {
		contents := examine(s)
		for set := contents.candidates(); set != 0; set &= set - 1 {
			d := &detectors[bits.TrailingZeros(set)]
			if !r.off[d.kind] && !r.detect(d, s, yield) {
				return
			}
		}
	}
	for _, pattern := range r.patterns {
		for _, at := range pattern.FindAllStringIndex(s, -1) {
			if at[0] < at[1] && !r.excepted(s[at[0]:at[1]]) && !yield(Match{at[0], at[1], Custom}) {
				return
			}
		}
	}
}

// detect calls yield with each find of one detector, and returns false when
// yield did.
func (r *Redactor) detect(d *detector, s string, yield func(Match) bool) bool {
	for from := 0; from < len(s); {
		start, end := d.next(s, from)
		if start < 0 {
			break
		}
		if !r.excepted(s[start:end]) && !yield(Match{start, end, d.kind}) {
			return false
		}
		from = end
	}
	return true
}

func (r *Redactor) excepted(found string) bool {
	for _, pattern := range r.exceptValues {
		if at := pattern.FindStringIndex(found); at != nil && at[0] == 0 && at[1] == len(found) {
			return true
		}
	}
	return false
}
