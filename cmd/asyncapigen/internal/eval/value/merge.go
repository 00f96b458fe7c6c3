package value

import (
	"go/types"
)

// Merge returns the value that all values are, or an unknown.
func Merge(why *Unknown, values []Value) Value {
	merged := values[0]
	for _, v := range values[1:] {
		if same(merged, v) && !saysOther(merged, v) {
			continue
		}
		if joined := joinedAtom(why, merged, v); joined != nil {
			merged = joined
			continue
		}
		merged = either(why, merged, v)
	}
	return merged
}

// hasOtherFallback reports whether two copies of an unknown have other texts in its place.
func hasOtherFallback(a, b Value) bool {
	u, ok := a.(*Unknown)
	return ok && u.Fallback != b.(*Unknown).Fallback
}

// joinedAtom returns nil where two values aren't atoms that can be joined.
func joinedAtom(why *Unknown, a, b Value) Value {
	joinable, isJoinable := a.(Joinable)
	other, isAtom := b.(Atom)
	if !isJoinable || !isAtom {
		return nil
	}
	return joinable.Join(other, why)
}

// saysOther reports whether other things are known of two copies of an unknown.
func saysOther(a, b Value) bool {
	u, ok := a.(*Unknown)
	return ok && !u.saysAsMuch(b.(*Unknown))
}

// either returns the unknown that a and b are, which differ. Nothing is said of
// it that doesn't hold for both.
func either(why *Unknown, a, b Value) *Unknown {
	absent := isAbsent(a) || isAbsent(b)
	nonNil := IsNonNil(a) && IsNonNil(b) && !absent
	u, ok := a.(*Unknown)
	known := b
	if !ok {
		u, ok = b.(*Unknown)
		known = a
	}
	if !ok {
		joined := *why
		joined.NonNil, joined.Absent, joined.Library, joined.Targets = nonNil, absent, false, targets(a, b)
		joined.Type, joined.Among, joined.Exact, joined.Closure = typeOfBoth(a, b), amongOf(why, a, b), false, false
		return &joined
	}
	line := why.CommandLine // else something else decides which of the two it is
	for _, v := range []Value{a, b} {
		if other, ok := v.(*Unknown); ok {
			other.changeArguments() // by whoever writes through what is joined
			absent = absent || other.Absent
			line = line && other.CommandLine
		}
	}
	may := targets(a, b)
	weaker := *u
	weaker.Foreign = IsForeign(a) || IsForeign(b)
	weaker.forgetText()
	weaker.Part, weaker.Closure, weaker.CommandLine, weaker.Type, weaker.Among = nil, false, line, typeOfBoth(a, b), amongOf(why, a, b)
	weaker.NonNil, weaker.Absent, weaker.Library, weaker.Targets = nonNil, absent, ofLibrary(a) && ofLibrary(b), may
	joined := &weaker
	if u.saysAsMuch(&weaker) {
		joined = u
	}
	if u.Prefix != "" || u.Suffix != "" {
		return joined
	}
	return joined.or(known, why.Pos)
}

// amongOf returns the values of which one of a and b is one that are joined.
func amongOf(why *Unknown, a, b Value) []Value {
	if !why.Exact || isAbsent(a) || isAbsent(b) {
		return nil
	}
	return among(a, b)
}

// typeOfBoth returns the dynamic type that two values have, nil where they aren't
// known to have one.
func typeOfBoth(a, b Value) types.Type {
	t := TypeOf(a)
	if t == nil || types.IsInterface(t) || IsUntyped(t) || !SameType(t, TypeOf(b)) {
		return nil
	}
	return t
}
