package eval

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"math"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// bounds are those of x[low:high:max], unwritten where one isn't written.
type bounds struct{ low, high, max int }

const unwritten = math.MinInt

const outOfRange = "slice bounds out of range "

// slice evaluates x[low:high:max].
func (ev *Evaluator) slice(expr *ast.SliceExpr) value.Value {
	exprs := []ast.Expr{expr.X, expr.Low, expr.High, expr.Max}
	values := make([]value.Value, len(exprs))
	_, isArray := ev.typeOf(expr.X).Underlying().(*types.Array)
	ev.inOrder(exprs, func(i int) {
		_, isName := exprs[i].(*ast.Ident)
		switch {
		case exprs[i] == nil:
		case i == 0 && isArray:
			values[i] = ev.base(exprs[i])
		case i == 0 || isName:
			values[i] = ev.eval(exprs[i])
		default: // the compiler copies a bound in its turn
			values[i] = ev.turn(exprs[i], func() value.Value { return ev.eval(exprs[i]) })
		}
	})
	var b bounds
	for i, to := range []*int{&b.low, &b.high, &b.max} {
		*to = unwritten
		if values[i+1] == nil {
			continue
		}
		n, known := value.IntOf(values[i+1])
		if !known {
			ev.risk(expr, values[i+1])
			return ev.unknownPart(expr, values[0], values[i+1])
		}
		*to = n
	}
	if c, ok := values[0].(value.Const); ok && c.Value.Kind() == constant.String {
		text := constant.StringVal(c.Value)
		low, high, _ := ev.within(expr, b, len(text), len(text), "length")
		return value.NewConst(constant.MakeString(text[low:high]), ev.typeOf(expr))
	}
	return ev.sliceCells(expr, values[0], b)
}

// unknownPart is a part of x whose bounds aren't known: any element may be in it, or
// have room after it.
func (ev *Evaluator) unknownPart(expr ast.Expr, x value.Value, bound value.Value) value.Value {
	switch of := x.(type) {
	case *value.Slice:
		x = &value.Slice{Type: of.Type, Elems: of.Elems[:0]}
	case value.Pointer: // to an array
		if array, ok := of.Load().(*value.Array); ok {
			x = &value.Slice{Type: ev.typeOf(expr), Elems: array.Elems[:0]}
		}
	}
	return value.Because(expr, bound, x)
}

func (ev *Evaluator) sliceCells(expr *ast.SliceExpr, x value.Value, b bounds) value.Value {
	var cells []*value.Cell
	what, caps, open := "length", []int(nil), false
	switch x := x.(type) {
	case *value.Slice:
		cells, what, caps, open = x.Elems, "capacity", x.Caps, x.Open
		if most := max(b.high, b.max); most > x.SureCap() && (open || most <= cap(cells)) {
			ev.risk(expr)
			return value.UnknownAt(expr.Pos(), ofUnknownCapacity).Of(x)
		}
		if x.SureCap() < cap(cells) {
			what = ""
		}
	case value.Pointer:
		array, ok := ev.arrayAt(expr.X, x).(*value.Array)
		if !ok {
			return value.Because(expr, x)
		}
		cells = array.Elems
	case *value.Array:
		cells = x.Elems
	case value.Nil:
		if value.ArrayOf(ev.typeOf(expr.X)) != nil {
			ev.Fail(expr, model.NilDereference)
		}
		ev.within(expr, b, 0, 0, "capacity")
		return value.Retyped(x, ev.typeOf(expr))
	default:
		if words := ev.wordsFrom(expr, x, b); words != nil {
			return words
		}
		if b != (bounds{unwritten, unwritten, unwritten}) || value.ArrayOf(ev.typeOf(expr.X)) != nil {
			ev.risk(expr, x)
		}
		return value.Because(expr, x)
	}
	low, high, limit := ev.within(expr, b, len(cells), cap(cells), what)
	part := &value.Slice{Type: ev.typeOf(expr), Elems: cells[low:high:limit], Open: open && b.max == unwritten}
	for _, n := range caps {
		if b.max == unwritten {
			part.Caps = append(part.Caps, n-low)
		}
	}
	return part
}

// within returns the bounds, of which those that aren't written are as the
// language says; it fails as the running program does where one is out of range: that
// looks at the last one first. What is the word for the largest, "" where that isn't known.
func (ev *Evaluator) within(expr ast.Expr, b bounds, length, capacity int, what string) (low, high, limit int) {
	low, high, limit = b.low, b.high, b.max
	if low == unwritten {
		low = 0
	}
	if high == unwritten {
		high = length
	}
	aboveAll := func(format string) string {
		if what == "" {
			return ""
		}
		return format + " with " + what + " %d"
	}
	if limit == unwritten {
		limit = capacity
		ev.requireBound(expr, high, limit, "[:%d]", aboveAll("[:%d]"))
		ev.requireBound(expr, low, high, "[%d:]", "[%d:%d]")
		return low, high, limit
	}
	ev.requireBound(expr, limit, capacity, "[::%d]", aboveAll("[::%d]"))
	ev.requireBound(expr, high, limit, "[:%d:]", "[:%d:%d]")
	ev.requireBound(expr, low, high, "[%d::]", "[%d:%d:]")
	return low, high, limit
}

// requireBound fails where a bound is negative or above the most that it may be. The two are
// what the message says then, "" where that isn't known.
func (ev *Evaluator) requireBound(expr ast.Expr, n, most int, negative, above string) {
	switch {
	case n < 0:
		ev.Fail(expr, fmt.Sprintf(outOfRange+negative, n))
	case n > most && above == "":
		ev.Panic(expr, model.NewBoundsError())
	case n > most:
		ev.Fail(expr, fmt.Sprintf(outOfRange+above, n, most))
	}
}
