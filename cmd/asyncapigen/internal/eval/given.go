package eval

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
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
	if u.Place.IsValid() || u.Pointee != nil || len(u.Targets) > 0 || !ev.inOwn() || !ev.user.Replaceable(ev.typeOf(expr)) {
		return u
	}
	return ev.once(part{of: u, place: expr.Pos()}, func() *value.Unknown { return u.At(expr.Pos()) })
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
