package eval

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// What isn't known may be given by the user: an expression has a replacement, a
// field has a value wherever code that isn't followed fills it. Every unknown
// says where that can be.

// part names what an unknown was made from another one for.
type part struct {
	of    *value.Unknown
	field *types.Var
	place token.Pos
}

// placed notes that the user may replace an expression of the user's own code
// which isn't known.
func (ev *Evaluator) placed(expr ast.Expr, v value.Value) value.Value {
	switch v := v.(type) {
	case *value.Unknown:
		return ev.placedUnknown(expr, v)
	case value.Tuple:
		if len(v) == 0 {
			return v
		}
		if first, ok := v[0].(*value.Unknown); ok {
			if here := ev.placedUnknown(expr, first); here != first {
				return append(value.Tuple{here}, v[1:]...)
			}
		}
	}
	return v
}

func (ev *Evaluator) placedUnknown(expr ast.Expr, u *value.Unknown) *value.Unknown {
	if u.Place.IsValid() || u.Pointee != nil || !ev.inOwn() {
		return u
	}
	t := ev.typeOf(expr)
	if !ev.user.Replaceable(t) || u.IsReference() && !isBasic(t) {
		return u
	}
	return ev.once(part{of: u, place: expr.Pos()}, func() *value.Unknown {
		here := u.At(expr.Pos())
		here.Targets = nil // it is no reference
		return here
	})
}

// isBasic reports whether the values of t, or the first of several, are no references.
func isBasic(t types.Type) bool {
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		t = tuple.At(0).Type()
	}
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// fieldOf returns a field of a struct that isn't known.
func (ev *Evaluator) fieldOf(u *value.Unknown, field *types.Var) value.Value {
	if given, ok := ev.givenField(field); ok {
		return given
	}
	return ev.once(part{of: u, field: field}, func() *value.Unknown { return u.In(field) })
}

// once makes an unknown out of another, the same one each time.
func (ev *Evaluator) once(p part, made func() *value.Unknown) *value.Unknown {
	u, ok := ev.parts[p]
	if !ok {
		u = made()
		ev.parts[p] = u
	}
	return u
}

// FromOutside gives a variable the value that the program gets from where it runs.
func (ev *Evaluator) FromOutside(p, fallback value.Value, why *value.Unknown) {
	known, ok := p.(value.Pointer)
	if !ok {
		ev.Havoc(why, p)
		return
	}
	given, ok := ev.givenOutside(known, why)
	switch {
	case ok:
		ev.Store(known.To, given, value.Pointee(known.Type))
	case fallback != nil:
		ev.Store(known.To, ev.from(why, fallback), value.Pointee(known.Type))
	default:
		ev.Havoc(why, p)
	}
}

// givenOutside returns the value that the user has for a field, or for what is
// defined at the place of why.
func (ev *Evaluator) givenOutside(p value.Pointer, why *value.Unknown) (value.Value, bool) {
	if why.Field != nil {
		return ev.givenField(why.Field)
	}
	if v, ok := ev.user.Given(why.Pos, value.Pointee(p.Type)); ok {
		return v, true
	}
	why.Place = why.Pos
	return nil, false
}

// from notes where a fallback comes from.
func (ev *Evaluator) from(why *value.Unknown, v value.Value) value.Value {
	c, ok := v.(value.Const)
	if !ok || !ev.Explain {
		return v
	}
	pos := why.Pos
	if why.Field != nil && ev.isOwnField(why.Field) {
		pos = why.Field.Pos()
	}
	c.Origin = &diagnostic.Origin{Pos: ev.program.Position(pos), Text: "the default of " + why.Reason}
	return c
}

// givenField returns the value that the user has for a field of the user's own
// types.
func (ev *Evaluator) givenField(field *types.Var) (value.Value, bool) {
	if !ev.isOwnField(field) {
		return nil, false
	}
	ev.program.Source(field.Pkg().Path()) // what the user gives stands there
	return ev.user.Given(field.Pos(), field.Type())
}

func (ev *Evaluator) isOwnField(field *types.Var) bool {
	return field.Pkg() != nil && ev.program.IsOwn(field.Pkg().Path()) && !load.IsLibrary(field.Pkg().Path())
}
