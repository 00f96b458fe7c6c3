package eval

import (
	"go/ast"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// What a branch leaves is one of a few values, though it isn't known which: see
// value.Unknown.Among. What is computed from it is computed for each of them.

// forEach computes what operands give, some of which aren't known but for the values
// of which they are one. It reports false where that isn't known either, or where the
// computation panics or changes something for any of them.
func (ev *Evaluator) forEach(at ast.Node, operands []value.Value, compute func(operands []value.Value) value.Value) (value.Value, bool) {
	combinations := value.Combinations(operands)
	if combinations == nil {
		return nil, false
	}
	results := make([]value.Value, len(combinations))
	mark := ev.Mark()
	for i, known := range combinations {
		panicked := ev.Caught(func() { results[i] = compute(known) })
		if panicked != nil || ev.Mark() != mark {
			ev.Undo(mark)
			return nil, false
		}
	}
	why := *value.Because(at, operands...)
	why.Exact = true
	return value.Merge(&why, results), true
}

// callOne calls one of several functions.
func (ev *Evaluator) callOne(at ast.Expr, callee *value.Unknown, args []value.Value) value.Value {
	return ev.eachWithin(at, CalledExpr(at), callee, func(fn value.Value) value.Value { return ev.Call(at, fn, args) })
}

// eachWithin runs what a call does for each of the values of which an unknown is one,
// in a branch of its own. The unknown is what the expression chosen gives.
func (ev *Evaluator) eachWithin(at, chosen ast.Expr, u *value.Unknown, run func(v value.Value) value.Value) value.Value {
	cond := ev.condition(at, value.Source(chosen))
	cond.Why, cond.Exact = u, true
	var results []value.Value
	branches := make([]branch, len(u.Among))
	for i, v := range u.Among {
		branches[i] = func() control {
			results = append(results, run(v))
			return control{}
		}
	}
	ev.forkWithin(cond, branches...)
	if len(results) == 0 {
		return value.Because(at, u) // none returns
	}
	merged := results[0]
	for _, v := range results[1:] {
		merged = mergeValues(cond.unknown(), merged, v)
	}
	return merged
}
