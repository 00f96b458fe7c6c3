package discover

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"iter"
)

// forStmt runs a loop round by round while its condition is known to hold. The
// variables of a round are its own, as of Go 1.22.
func (in *interp) forStmt(stmt *ast.ForStmt, label string) control {
	if stmt.Init != nil {
		in.exec(stmt.Init, "")
	}
	return in.loop(label, func(l *loop) control {
		for {
			in.step(stmt.Pos())
			if stmt.Cond != nil {
				cond := in.eval(stmt.Cond)
				holds, known := truth(cond)
				if !known {
					return in.unbounded(l, in.loopCondition(stmt.Cond, cond), func() control { return in.forRound(stmt, l) })
				}
				if !holds {
					return control{}
				}
			}
			mark := len(in.journal)
			if c := in.forRound(stmt, l); c.kind != next {
				return c
			}
			if stmt.Cond == nil && in.unchanged(mark) {
				return control{kind: leaves}
			}
		}
	})
}

func (in *interp) forRound(stmt *ast.ForStmt, l *loop) control {
	c := in.round(l, func() control { return in.block(stmt.Body.List) })
	if c.kind != next {
		return c
	}
	in.frame.scope = in.copiedScope(in.frame.scope)
	if stmt.Post != nil {
		in.exec(stmt.Post, "")
	}
	return control{}
}

// copiedScope gives the next round its own copy of the loop's variables.
func (in *interp) copiedScope(s *scope) *scope {
	fresh := &scope{parent: s.parent}
	for v, cell := range s.vars {
		fresh.declare(v, in.copied(cell.v))
	}
	return fresh
}

// unchanged reports whether nothing has changed since mark: an endless loop
// will then never do anything else.
func (in *interp) unchanged(mark int) bool {
	before := make(map[*Cell]Value)
	for i := len(in.journal) - 1; i >= mark; i-- {
		before[in.journal[i].cell] = in.journal[i].old
	}
	for cell, old := range before {
		if !same(cell.v, old) {
			return false
		}
	}
	return true
}

// loop runs a loop statement, which break and continue leave.
func (in *interp) loop(label string, run func(*loop) control) control {
	l := &loop{label: label, isLoop: true, mark: len(in.journal), conds: len(in.conds), exits: in.exits()}
	in.frame.loops = append(in.frame.loops, l)
	c := run(l)
	in.frame.loops = in.frame.loops[:len(in.frame.loops)-1]
	if c.kind == breaks && l.owns(c) {
		c = control{}
	}
	return in.endLoop(l, c)
}

func (l *loop) owns(c control) bool { return c.label == "" || c.label == l.label }

// round runs the body once, and joins what continue left.
func (in *interp) round(l *loop, body branch) control {
	outerMark, outerContinued := l.roundMark, l.continued
	l.roundMark, l.continued = len(in.journal), nil
	conds, exits := len(in.conds), in.exits()
	c := body()
	if c.kind == continues && l.owns(c) {
		c = control{}
	}
	if len(l.continued) > 0 {
		c = in.joinExits(l.roundMark, l.continued, c)
		l.continued = nil
	}
	if in.exits() == exits {
		in.conds = in.conds[:conds]
	}
	l.roundMark, l.continued = outerMark, outerContinued
	return c
}

func (in *interp) loopCondition(expr ast.Expr, v Value) *condition {
	cond := in.condition(expr, v)
	cond.loop = true
	return cond
}

// unbounded runs the body of a loop whose number of rounds isn't known: no
// round, one, and as many as it takes until what the rounds change is known to
// be unknown.
func (in *interp) unbounded(l *loop, cond *condition, body branch) control {
	var mark int
	for range 3 {
		mark = len(in.journal)
		c := in.fork(cond, body, func() control { return control{} })
		if c.kind != next || in.unchanged(mark) {
			return c
		}
	}
	for cell := range in.since(mark) {
		if !isUnknown(cell.v) {
			in.set(cell, &Unknown{Reason: cond.outcome(), Pos: cond.pos})
		}
	}
	return control{}
}

// rangeStmt runs the body for every element, if the elements are known.
func (in *interp) rangeStmt(stmt *ast.RangeStmt, label string) control {
	over := in.eval(stmt.X)
	if _, isArray := over.(*Array); isArray && stmt.Value != nil {
		over = in.copied(over)
	}
	elements, known := in.elements(stmt.X, over)
	return in.loop(label, func(l *loop) control {
		if fn, ok := over.(*Func); ok {
			return in.rangeFunc(stmt, l, fn)
		}
		if !known {
			element := in.unknown(stmt.X.Pos(), "an element of "+source(stmt.X))
			if why, ok := over.(*Unknown); ok {
				element = why
			}
			cond := in.loopCondition(stmt.X, over)
			return in.unbounded(l, cond, func() control { return in.rangeRound(stmt, l, element, element) })
		}
		for key, v := range elements {
			in.step(stmt.Pos())
			run := func() control { return in.rangeRound(stmt, l, key, v) }
			if u, ok := v.(*Unknown); ok && u.Absent {
				if c := in.fork(in.loopCondition(stmt.X, u), run, func() control { return control{} }); c.kind != next {
					return c
				}
				continue
			}
			if c := run(); c.kind != next {
				return c
			}
		}
		return control{}
	})
}

// rangeRound sets the variables of a round and runs its body.
func (in *interp) rangeRound(stmt *ast.RangeStmt, l *loop, key, v Value) control {
	return in.scoped(func() control {
		for i, expr := range []ast.Expr{stmt.Key, stmt.Value} {
			value := key
			if i == 1 {
				value = v
			}
			if expr == nil {
				continue
			}
			if ident, ok := expr.(*ast.Ident); ok && stmt.Tok == token.DEFINE {
				in.define(ident, in.copied(value))
				continue
			}
			in.place(expr).store(in.copied(value))
		}
		return in.round(l, func() control { return in.block(stmt.Body.List) })
	})
}

// rangeFunc runs a loop over an iterator function: the body becomes the yield
// function. A return out of the body ends the iteration like a break, and then
// the function.
func (in *interp) rangeFunc(stmt *ast.RangeStmt, l *loop, fn *Func) control {
	var ended control
	frame, scope := in.frame, in.frame.scope
	yield := &Func{Native: func(args []Value) Value {
		iterator, inner := in.frame, frame.scope
		in.frame, frame.scope = frame, scope
		defer func() { in.frame, frame.scope = iterator, inner }()
		args = append(args, nil, nil)
		c := in.rangeRound(stmt, l, args[0], args[1])
		if c.kind != next {
			ended = c
		}
		return constOf(constant.MakeBool(c.kind == next), types.Typ[types.Bool])
	}}
	in.call(stmt.X, fn, []Value{yield})
	return ended
}

// elements returns the keys and values of what is ranged over, in a fixed
// order.
func (in *interp) elements(expr ast.Expr, over Value) (iter.Seq2[Value, Value], bool) {
	integer := types.Typ[types.Int]
	switch over := over.(type) {
	case Nil:
		return func(func(Value, Value) bool) {}, true
	case *Slice:
		return indexed(over.Elems), true
	case *Array:
		return indexed(over.Elems), true
	case Pointer:
		return in.elements(expr, over.To.v)
	case *Map:
		if isUnknown(over.vague.v) {
			return nil, false
		}
		return over.sorted(), true
	case Const:
		if over.Value.Kind() == constant.String {
			return func(yield func(Value, Value) bool) {
				for i, r := range constant.StringVal(over.Value) {
					if !yield(constOf(constant.MakeInt64(int64(i)), integer), constOf(constant.MakeInt64(int64(r)), types.Typ[types.Rune])) {
						return
					}
				}
			}, true
		}
		n, exact := constant.Int64Val(constant.ToInt(over.Value))
		return func(yield func(Value, Value) bool) {
			for i := int64(0); i < n; i++ {
				if !yield(constOf(constant.MakeInt64(i), over.Type), nil) {
					return
				}
			}
		}, exact
	default:
		return nil, false
	}
}

func indexed(cells []*Cell) iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		for i, cell := range cells {
			if !yield(constOf(constant.MakeInt64(int64(i)), types.Typ[types.Int]), cell.v) {
				return
			}
		}
	}
}

func isUnknown(v Value) bool {
	_, ok := v.(*Unknown)
	return ok
}
