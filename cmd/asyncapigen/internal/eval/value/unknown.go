package value

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Unknown is a value that isn't determined before the program runs. It is the
// top of the lattice: whatever is computed from it is unknown for the same
// reason, and a diagnostic can name the place where the knowledge ended.
type Unknown struct {
	Reason string    // completes "it is ..."
	Pos    token.Pos // the expression that isn't known
	NonNil bool      // it is something, though it isn't known what
	Absent bool      // it is a map entry that may not be there

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

	// Foreign says that it comes from code that isn't followed: it may be of any
	// type that its own type allows.
	Foreign bool

	// Library says that it is nil, or an error of a type of the standard library,
	// whose methods neither panic nor lead to code of the program.
	Library bool

	// Targets are references that it may be, of those that the program has: what
	// is written through it may change what any of them leads to.
	Targets []Value

	Unread string // the path of a package whose source would tell more, see demand.go

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

// or returns u, with a text that the program has in its place where the
// environment variable isn't set.
func (u *Unknown) or(v Value, cond token.Pos) *Unknown {
	text, ok := TextOf(v)
	if !ok || text == "" || u.Env == "" || u.Fallback.Text == text {
		return u
	}
	noted := *u
	noted.Fallback, noted.original = Fallback{text, cond}, u.first()
	return &noted
}

func (u *Unknown) first() *Unknown {
	if u.original != nil {
		return u.original
	}
	return u
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
		u, ok := v.(*Unknown)
		if !ok {
			continue
		}
		if !u.Library && !u.NonNil && !u.Absent && u.Pointee == nil && u.Targets == nil && u.Part == nil && len(may) == 0 {
			return u
		}
		return u.Bare().Of(may...)
	}
	if expr, ok := at.(ast.Expr); ok {
		return UnknownAt(at.Pos(), "the expression "+Source(expr)).Of(may...)
	}
	return UnknownAt(at.Pos(), "a value that isn't followed").Of(may...)
}

// Of notes that an unknown, which was just made, may be one of the references among
// the values, or a part of what they lead to. It returns the unknown.
func (u *Unknown) Of(values ...Value) *Unknown {
	u.Targets = targets(values...)
	return u
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
