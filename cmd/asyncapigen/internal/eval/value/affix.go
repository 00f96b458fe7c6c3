package value

import (
	"slices"
	"strings"
)

// Of a text that isn't known it may be known how it begins and ends, and which texts it
// isn't.

// forgetText forgets what is known of a text.
func (u *Unknown) forgetText() { u.Prefix, u.Suffix, u.Not, u.Stable = "", "", nil, false }

// Concatenated returns x + y, of which one at least isn't known, for the reasons of why.
func Concatenated(why *Unknown, x, y Value) *Unknown {
	prefix, suffix := affix(x, func(u *Unknown) string { return u.Prefix }), affix(y, func(u *Unknown) string { return u.Suffix })
	if prefix == "" && suffix == "" || len(prefix)+len(suffix) > MaxText {
		return why
	}
	both := *why
	both.Prefix, both.Suffix = prefix, suffix
	return &both
}

func affix(v Value, of func(*Unknown) string) string {
	if u, ok := v.(*Unknown); ok {
		return of(u)
	}
	text, _ := TextOf(v)
	return text
}

// IsNot reports whether an unknown text is surely another one than text.
func (u *Unknown) IsNot(text string) bool {
	return len(text) < len(u.Prefix)+len(u.Suffix) || !strings.HasPrefix(text, u.Prefix) || !strings.HasSuffix(text, u.Suffix) ||
		slices.Contains(u.Not, text)
}

// maxNot bounds the texts that are noted which a value isn't.
const maxNot = 16

// Except returns the value, a text, where it isn't one of the constants.
func (u *Unknown) Except(text string) *Unknown {
	if u.IsNot(text) || len(u.Not) >= maxNot {
		return u
	}
	other := *u
	other.Not = append(u.Not[:len(u.Not):len(u.Not)], text)
	other.original = u.first()
	return &other
}

// CopyOf returns u as a copy of another unknown.
func (u *Unknown) CopyOf(other *Unknown) *Unknown {
	u.original = other.first()
	return u
}

// IsCopyOf reports whether u and other are copies of one unknown.
func (u *Unknown) IsCopyOf(other *Unknown) bool { return u.first() == other.first() }

// isStable reports whether a and b are copies of one value that is the same each time.
func isStable(a, b *Unknown) bool { return a.Stable && b.Stable && a.first() == b.first() }
