package value

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Unknown is a value that isn't determined before the program runs. It is the
// top of the lattice: whatever is computed from it is unknown for the same
// reason, and a diagnostic can name the place where the knowledge ended. What is known
// of it all the same is in its fields. See docs/decisions/0058.
type Unknown struct {
	Reason string    // completes "it is ..."
	Pos    token.Pos // the expression that isn't known
	Origin token.Pos // where Pos is a condition, the expression for which that isn't known; zero for none
	NonNil bool      // it is something, though it isn't known what
	Absent bool      // it is a map entry that may not be there

	// Type is the type of the value, where that is known: an interface that holds the
	// value isn't nil then. It is nil where it isn't known, and may be where the value
	// isn't in an interface.
	Type types.Type

	// What its author can do about it.
	Env      string     // it is the value of this environment variable
	Fallback Fallback   // what the program has in its place where the variable isn't set
	Remedy   string     // what to write there, "" where that isn't special
	Field    *types.Var // the field that holds it, of a struct that code which isn't followed has filled
	Place    token.Pos  // an expression of this value that the user may replace, see Unknown.At
	// CommandLine says that the command line decides it: who starts the program has
	// chosen it. Part is the part that it is, nil where it is computed from one.
	CommandLine bool
	Part        *Part

	// Among are the values of which it surely is one; nil where they aren't known, or
	// are many. Exact says of a reason why values are joined that they are all there
	// can be.
	Among []Value
	Exact bool

	// Prefix and Suffix are texts with which the value, a text, begins and ends, one
	// after the other; Not are texts that it isn't.
	Prefix, Suffix string
	Not            []string

	// Stable says that the value is one wherever it is met: copies of it are equal.
	Stable bool

	// Foreign says that it comes from code that isn't followed: it may be of any
	// type that its own type allows.
	Foreign bool

	// Library says that it is nil, or an error or a context of a type of the standard
	// library, whose methods neither panic nor lead to code of the program, a function
	// that cancels such a context, or an attribute of a log that holds no value with methods.
	Library bool

	// Closure says that it is a function that the standard library has made: it
	// recovers from no panic of the function that defers it.
	Closure bool

	// Targets are references that it may be, of those that the program has: what
	// is written through it may change what any of them leads to. Unknowns of a type
	// stand for values that aren't references and have methods.
	Targets []Value

	Unread string // the path of a package whose source would tell more, see foreign.go

	// Computed says that the source would tell all: functions that only compute made it
	// of values that are known.
	Computed bool

	// pointee is what the value points to, once somebody has written through
	// it: copies of one unknown pointer lead to the same variable.
	Pointee *Cell

	original *Unknown // the one of which it is a copy with a place, nil for none
}

// In returns the value of a field of a struct that isn't known.
func (u *Unknown) In(field *types.Var) *Unknown {
	part := u.Bare()
	part.Targets = u.Targets
	part.Field, part.Env, part.Fallback, part.Remedy, part.Place = field, "", Fallback{}, "", token.NoPos
	return part
}

// LeadingTo returns a copy that leads where another one does. It is the same value.
func (u *Unknown) LeadingTo(to *Unknown) *Unknown {
	leading := *u
	leading.Targets, leading.Foreign, leading.original = to.Targets, u.Foreign || to.Foreign, u.first()
	return &leading
}

// A Fallback is a text that a program has in place of a value.
type Fallback struct {
	Text string    // "" for none
	Pos  token.Pos // the condition that decides between the two
}

// At returns a copy that is the value of an expression which the user may
// replace. It is the same value.
func (u *Unknown) At(place token.Pos) *Unknown {
	placed := *u
	placed.Place, placed.original = place, u.first()
	return &placed
}

// or returns u, with a text that the program has in place of an environment variable that isn't
// set: in place of a text of which the variable is a part, it would be no default.
func (u *Unknown) or(v Value, cond token.Pos) *Unknown {
	text, _ := TextOf(v)
	if text == "" || u.Env == "" || u.Fallback.Text == text {
		return u
	}
	noted := *u
	noted.Fallback, noted.original = Fallback{text, cond}, u.first()
	return &noted
}

// Identity returns what is the same for all copies of the value, and for no other value.
func (u *Unknown) Identity() *Unknown { return u.first() }

func (u *Unknown) first() *Unknown {
	if u.original != nil {
		return u.original
	}
	return u
}

// FirstPos returns the expression for which the value isn't known in the end.
func (u *Unknown) FirstPos() token.Pos {
	if u.Origin.IsValid() {
		return u.Origin
	}
	return u.Pos
}

// UnknownAt returns a value that isn't known for a reason, which completes "it
// is ...".
func UnknownAt(pos token.Pos, reason string) *Unknown {
	return &Unknown{Reason: reason, Pos: pos}
}

// UnknownResult returns the unknown result of a call.
func UnknownResult(at ast.Expr) *Unknown {
	return UnknownAt(at.Pos(), "the result of "+Source(at))
}

// Because returns the unknown that made an expression or a statement unknown. Of
// the result nothing else is known: not that it isn't nil. It may lead to what the
// values lead to.
func Because(at ast.Node, values ...Value) *Unknown {
	may := targets(values...)
	for _, v := range values {
		u := unknownPart(v)
		if u == nil {
			continue
		}
		if u.IsBare() && len(may) == 0 && (u.Foreign || !slices.ContainsFunc(values, IsForeign)) {
			return u
		}
		return u.Bare().Of(values...)
	}
	if expr, ok := at.(ast.Expr); ok {
		return UnknownAt(at.Pos(), "the expression "+Source(expr)).Of(may...)
	}
	return UnknownAt(at.Pos(), "a value that isn't followed").Of(may...)
}

// unknownPart returns the first part of a value that isn't known: itself, or of the
// fields and elements that are copied with it.
func unknownPart(v Value) *Unknown {
	var cells []*Cell
	switch v := v.(type) {
	case *Unknown:
		return v
	case *Struct:
		cells = v.Fields
	case *Array:
		cells = v.Elems
	}
	for _, cell := range cells {
		if u := unknownPart(cell.Load()); u != nil {
			return u
		}
	}
	return nil
}

// IsReference reports whether it may be one of the references that the program has.
func (u *Unknown) IsReference() bool {
	return slices.ContainsFunc(u.Targets, func(target Value) bool { return !IsUnknown(target) })
}

// IsBare reports whether nothing is known of the value but why it isn't known.
func (u *Unknown) IsBare() bool {
	return !u.Library && !u.Closure && !u.NonNil && !u.Absent && u.Type == nil && u.Among == nil && u.Pointee == nil && u.Targets == nil && u.Part == nil &&
		!u.Stable && u.Prefix == "" && u.Suffix == "" && u.Not == nil
}

// saysAsMuch reports whether the same is known of two values that aren't known.
func (u *Unknown) saysAsMuch(w *Unknown) bool {
	return u.knowsAsMuch(w) && u.CommandLine == w.CommandLine && len(u.Targets) == len(w.Targets)
}

// knowsAsMuch is saysAsMuch for what is known of the values themselves.
func (u *Unknown) knowsAsMuch(w *Unknown) bool {
	return u.NonNil == w.NonNil && u.Absent == w.Absent && u.Library == w.Library && u.Closure == w.Closure && u.Part == w.Part &&
		u.Foreign == w.Foreign && SameType(u.Type, w.Type) && sameAmong(u.Among, w.Among) &&
		u.Stable == w.Stable && u.Prefix == w.Prefix && u.Suffix == w.Suffix && slices.Equal(u.Not, w.Not)
}

// InInterface returns the value as an interface holds it, of type t.
func (u *Unknown) InInterface(t types.Type) *Unknown {
	held := *u
	held.NonNil, held.Type, held.original = true, t, u.first()
	return &held
}

// Unboxed returns the value that an interface holds as one of type t. An interface
// that holds a nil pointer isn't nil, but the pointer is.
func Unboxed(v Value, t types.Type) Value {
	u, ok := v.(*Unknown)
	if !ok || u.IsBare() || types.IsInterface(t) {
		return v
	}
	held := *u
	held.NonNil, held.Type, held.original = false, nil, u.first()
	return &held
}

// retyped returns the value as one of type t, which is no interface.
func (u *Unknown) retyped(t types.Type) *Unknown {
	if u.Among == nil && (u.Type == nil || SameType(u.Type, t)) {
		return u
	}
	retyped := *u
	retyped.Type, retyped.Among, retyped.original = nil, retypedAmong(u.Among, t), u.first()
	return &retyped
}

// Of notes that an unknown, which was just made, may be one of the references among
// the values, or a part of what they lead to, which may be what code that isn't followed
// has. It returns the unknown.
func (u *Unknown) Of(values ...Value) *Unknown {
	u.Targets, u.Foreign = targets(values...), u.Foreign || slices.ContainsFunc(values, IsForeign)
	return u
}

// MayBeAlso adds those of the references that have the type of one that the value may be. It
// reports whether there are others than it had.
func (u *Unknown) MayBeAlso(references []Value) bool {
	had := u.Targets
	u.Targets = nil
	for _, v := range references {
		if slices.ContainsFunc(had, func(other Value) bool { return SameType(TypeOf(v), TypeOf(other)) }) {
			u.Targets = append(u.Targets, v)
		}
	}
	return len(u.Targets) != len(had)
}

// Source renders an expression for a message, on one line and not too long.
func Source(expr ast.Expr) string {
	const longest = 60
	text := strings.Join(strings.Fields(types.ExprString(expr)), " ")
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest]) + "..."
	}
	return text
}

// IsUnknown reports whether v is an Unknown. Its parts may be unknown all the same.
func IsUnknown(v Value) bool {
	_, ok := v.(*Unknown)
	return ok
}

// IsNonNil reports whether v is surely not nil.
func IsNonNil(v Value) bool {
	switch v := v.(type) {
	case *Unknown:
		return v.NonNil
	case Nil, nil:
		return false
	default:
		return true
	}
}

// IsForeign reports whether v comes from code that isn't followed.
func IsForeign(v Value) bool {
	u, ok := v.(*Unknown)
	return ok && u.Foreign
}

// ofLibrary reports whether v is nil or an error of the standard library's own.
func ofLibrary(v Value) bool {
	u, ok := v.(*Unknown)
	return ok && u.Library || IsNilInterface(v)
}
