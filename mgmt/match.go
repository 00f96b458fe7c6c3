package mgmt

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// ErrUndecided: whether a policy matches a name can't be said without the broker.
var ErrUndecided = errors.New("only the broker can tell whether the pattern matches")

// Matches reports whether the policy matches an object of its virtual host:
// whether it applies to objects of that kind, one of the ApplyTo constants, and
// its pattern matches the name. A queue whose type isn't known is ApplyToQueues.
// Of all policies that match, the broker applies one of those with the highest
// priority.
//
// The error is ErrUndecided where the pattern, which is PCRE, or the name uses
// what package regexp treats in another way or not at all, and where the policy is
// for one type of queue and that of the queue isn't known. The pattern matches
// bytes, not characters, as it does in the broker (measured on 3.10, 4.0 and 4.3).
func (p PolicyInfo) Matches(kind, name string) (bool, error) {
	applies, isKnown := p.appliesTo(kind)
	if !applies && isKnown {
		return false, nil
	}
	matches, err := matchPattern(p.Pattern, name)
	switch {
	case err != nil:
		return false, fmt.Errorf("match policy %q with name %q: %w", p.Name, name, err)
	case matches && !isKnown:
		return false, fmt.Errorf("match policy %q with name %q: %w: it applies to %s, and the type of the queue isn't given", p.Name, name, ErrUndecided, p.ApplyTo)
	}
	return matches, nil
}

// appliesTo reports whether the policy applies to objects of a kind, and whether
// that is known.
func (p PolicyInfo) appliesTo(kind string) (applies, isKnown bool) {
	switch p.ApplyTo {
	case ApplyToAll, "", kind: // empty for all, as it once was
		return true, true
	case ApplyToQueues:
		return kind != ApplyToExchanges, kind != ApplyToAll
	case ApplyToClassicQueues, ApplyToQuorumQueues, ApplyToStreams:
		return false, kind != ApplyToQueues && kind != ApplyToAll
	}
	return false, kind != ApplyToAll
}

// matchPattern matches as the broker does: bytes, each of which is a character
// here.
func matchPattern(pattern, name string) (bool, error) {
	if reason := undecided(pattern, name); reason != "" {
		return false, fmt.Errorf("%w: %s", ErrUndecided, reason)
	}
	expression, err := regexp.Compile(bytesAsRunes(pattern))
	if err != nil {
		return false, fmt.Errorf("%w: package regexp can't do %q", ErrUndecided, pattern)
	}
	return expression.MatchString(bytesAsRunes(name)), nil
}

var (
	// classes are what depends on the tables of characters: classes, word bounds,
	// flags.
	classes = regexp.MustCompile(`\\[a-zA-Z]|\(\?|\[\[:`)
	// otherEscapes mean something else to PCRE: back references and octal numbers,
	// Unicode's properties, vertical space.
	otherEscapes = regexp.MustCompile(`\\[0-9pPvC]`)
	// counts are the ones that are counts to every version of PCRE.
	counts = regexp.MustCompile(`\\.|\{[0-9]+(,[0-9]*)?\}`)
)

// undecided returns why PCRE and package regexp may differ, or nothing.
func undecided(pattern, name string) string {
	isASCII := func(text string) bool { return !strings.ContainsFunc(text, func(r rune) bool { return r > '~' }) }
	switch {
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return fmt.Sprintf("the name %q has a control character", name)
	case otherEscapes.MatchString(pattern):
		return fmt.Sprintf("the pattern %q has an escape that isn't the same everywhere", pattern)
	case strings.ContainsRune(counts.ReplaceAllString(pattern, ""), '{'):
		return fmt.Sprintf("the pattern %q has a { that is no count", pattern)
	case classes.MatchString(pattern) && !(isASCII(name) && isASCII(pattern)):
		return fmt.Sprintf("the pattern %q with the name %q depends on what a letter is", pattern, name)
	}
	return ""
}

// bytesAsRunes returns a text with a character for each byte.
func bytesAsRunes(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteRune(rune(text[i]))
	}
	return b.String()
}
