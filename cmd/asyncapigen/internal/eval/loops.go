package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"iter"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// forStmt runs a loop round by round while its condition is known to hold.
func (ev *Evaluator) forStmt(stmt *ast.ForStmt, label string) control {
	if stmt.Init != nil {
		ev.exec(stmt.Init, "")
		ev.closeOpen()
	}
	return ev.loop(label, func(l *loop) control {
		settled := false
		for rounds := 0; ; rounds++ {
			ev.step(stmt.Pos())
			start := ev.Now()
			if settled || stmt.Cond == nil && ev.isEndless(l, rounds) {
				cond := ev.condition(stmt, "the rounds of a loop without an end")
				cond.Loop = true
				if c := ev.unbounded(l, cond, stmt, func() control { return ev.forRound(stmt, l) }); c.kind != next {
					return c
				}
				return control{kind: leaves}
			}
			if stmt.Cond != nil {
				cond := ev.eval(stmt.Cond)
				holds, known := value.Truth(cond)
				if !known {
					if ev.hasCall(stmt.Cond) {
						return ev.askedRounds(l, stmt, cond, 1)
					}
					return ev.unbounded(l, ev.loopCondition(stmt.Cond, cond), stmt, func() control { return ev.forRound(stmt, l) })
				}
				if !holds {
					return control{}
				}
			}
			if c := ev.forRound(stmt, l); c.kind != next {
				return c
			}
			if ev.Unchanged(start) { // it goes on until another goroutine changes something
				if ev.exits() == l.exits { // no round may have left it
					ev.ended.stays++
				}
				return control{kind: leaves}
			}
			settled = rounds > few && ev.Settled(start) // as where something is started anew until it succeeds
		}
	})
}

// isEndless reports whether a loop without a condition is taken to be what a
// goroutine does until the program ends: after many rounds, or a few that may have
// left the loop; or what the program does again and again, as the user has said. So is
// one of main itself after some rounds that may have left it, such as one that counts how
// often it has started a service.
func (ev *Evaluator) isEndless(l *loop, rounds int) bool {
	const many, some, few = 256, 64, 4
	if ev.repeats && rounds >= few {
		return true
	}
	mayBeLeft := ev.exits() > l.exits
	if ev.IsInMain() {
		return rounds >= some && mayBeLeft
	}
	return rounds == many || rounds >= few && mayBeLeft
}

// Repeats says that the program does again what it has done often. Loops without a
// condition are left from here on, after a few rounds: they are without an end.
func (ev *Evaluator) Repeats() { ev.repeats = true }

func (ev *Evaluator) forRound(stmt *ast.ForStmt, l *loop) control {
	c := ev.round(l, func() control { return ev.block(stmt.Body.List) })
	if c.kind != next {
		return c
	}
	if !ev.sharesVariables(stmt) {
		ev.frame.scope = ev.copiedScope(ev.frame.scope)
	}
	if stmt.Post != nil {
		ev.exec(stmt.Post, "")
	}
	return control{}
}

// sharesVariables reports whether the rounds of a loop have its variables in common,
// as in files of Go before 1.22. Else those of a round are its own.
func (ev *Evaluator) sharesVariables(stmt ast.Stmt) bool {
	return slices.Contains(ev.frame.pkg.Older, ev.frame.pkg.FileAt(stmt.Pos()))
}

// copiedScope gives the next round its own copy of the loop's variables.
func (ev *Evaluator) copiedScope(s *scope) *scope {
	fresh := &scope{parent: s.parent}
	for v, cell := range s.vars {
		fresh.declare(v, value.Beside(cell, ev.Copied(cell.Load()))) // it goes on as the one before
	}
	return fresh
}

// loop runs a loop statement, which break and continue leave.
func (ev *Evaluator) loop(label string, run func(*loop) control) control {
	atEnd := ev.frame.atEnd
	defer ev.notAtEnd()() // there may be another round
	l := &loop{label: label, isLoop: true, atEnd: atEnd, mark: ev.Mark(), began: ev.Now(), conds: len(ev.conds), exits: ev.exits()}
	ev.frame.loops = append(ev.frame.loops, l)
	c := ev.unlessLeft(&l.broken, func() control { return run(l) })
	ev.frame.loops = ev.frame.loops[:len(ev.frame.loops)-1]
	if c.kind == breaks && l.owns(c) {
		c = control{}
	}
	return ev.endLoop(l, c)
}

func (l *loop) owns(c control) bool {
	if c.to != nil {
		return c.to == l
	}
	return c.label == "" || c.label == l.label
}

// round runs the body once, and joins what continue left.
func (ev *Evaluator) round(l *loop, body branch) control {
	outerMark, outerContinued := l.roundMark, l.continued
	l.roundMark, l.continued = ev.Mark(), nil
	conds, exits := len(ev.conds), ev.exits()
	c := ev.unlessLeft(&l.continued, body)
	ev.closeOpen()
	if c.kind == continues && l.owns(c) {
		c = control{}
	}
	if len(l.continued) > 0 {
		c = ev.joinExits(l.roundMark, l.continued, c)
		l.continued = nil
	}
	if ev.exits() == exits {
		ev.conds = ev.conds[:conds]
	}
	l.roundMark, l.continued = outerMark, outerContinued
	return c
}

func (ev *Evaluator) loopCondition(expr ast.Expr, v value.Value) *Condition {
	cond := ev.conditionOn(expr, v)
	cond.Loop, cond.Exact = true, false
	return cond
}

// unbounded runs the body of a loop whose number of rounds isn't known: no
// round, one, and as many as it takes until a round changes nothing of what is
// known. What a few rounds go on to change, or the code assigns to, is unknown to
// those after them.
func (ev *Evaluator) unbounded(l *loop, cond *Condition, code ast.Node, body branch) control {
	for rounds := 1; ; rounds++ {
		mark, start := ev.Mark(), ev.Now()
		c := ev.roundOrEnd(l, code, cond, body, func() control { return control{} })
		if c.kind != next || ev.tellsNoMore(rounds, start) {
			return c
		}
		isLast := ev.isLast(l, rounds, cond, start)
		ev.loosen(rounds, mark, cond, code)
		if isLast {
			return control{}
		}
	}
}

// Of a loop whose number of rounds isn't known, what changes is known for a few, and no
// more are run than most.
const few, most = 3, 8

// isLast reports whether no more rounds are followed after one that began at start. Where each
// round changes what was known by then of another variable around the loop, it gives the
// evaluation up, unless what decides the rounds may be known when more is read.
func (ev *Evaluator) isLast(l *loop, rounds int, cond *Condition, start value.Moment) bool {
	if rounds == most && ev.Spreads(l.began, start) {
		if ev.needSource(cond.Why); !ev.foreign.more {
			ev.exhaust(cond.Pos)
		}
	}
	return rounds == most
}

// tellsNoMore reports whether another round would tell what one has that began at start.
func (ev *Evaluator) tellsNoMore(rounds int, start value.Moment) bool {
	return ev.Unchanged(start) || rounds > few && ev.Settled(start)
}

// loosen makes unknown what a round has changed since a mark, or the code assigns to,
// where a few rounds have come before.
func (ev *Evaluator) loosen(rounds int, mark int, cond *Condition, code ast.Node) {
	if rounds < few {
		return
	}
	cells := ev.assignedBy(code)
	for cell := range ev.Since(mark).All() {
		cells = append(cells, cell)
	}
	held := make([]value.Value, len(cells))
	for i, cell := range cells {
		held[i] = cell.Load()
	}
	all := new(value.Unknown).Of(held...).Targets // which may go from one to the other
	for i, cell := range cells {
		loose := cond.unknown()
		loose.Exact = false
		u, isUnknown := held[i].(*value.Unknown)
		isLoose := isUnknown && u.Among == nil
		if isLoose {
			*loose = *u
		}
		if loose.Of(held[i]).MayBeAlso(all) || !isLoose {
			ev.Set(cell, loose)
		}
	}
}

// askedRounds runs rounds like unbounded, where the loop's condition calls a function: what
// that does counts too, and each round begins with the answer to it.
func (ev *Evaluator) askedRounds(l *loop, stmt *ast.ForStmt, answer value.Value, rounds int) control {
	mark, start := ev.Mark(), ev.Now()
	cond := ev.loopCondition(stmt.Cond, answer)
	cond.Exact = true // the rounds nest: one way is that of no further round, the other all of the rest
	round := func() control {
		if c := ev.forRound(stmt, l); c.kind != next {
			return c
		}
		again := ev.eval(stmt.Cond)
		holds, known := value.Truth(again)
		if known && !holds || ev.tellsNoMore(rounds, start) {
			return control{}
		}
		isLast := ev.isLast(l, rounds, cond, start)
		ev.loosen(rounds, mark, cond, stmt)
		if isLast { // what further rounds change isn't known by now
			return control{}
		}
		return ev.askedRounds(l, stmt, again, rounds+1)
	}
	if holds, _ := value.Truth(answer); holds {
		return round()
	}
	return ev.roundOrEnd(l, stmt, cond, ev.holding(stmt.Cond, round), ev.failing(stmt.Cond, func() control { return control{} }))
}

// roundOrEnd runs a round of the loop that is code, or ends it. Where the program ends with a
// loop that may serve, and serves nothing by then, a round is the only way on.
func (ev *Evaluator) roundOrEnd(l *loop, code ast.Node, cond *Condition, round, end branch) control {
	if !l.atEnd || !ev.user.MayServe(ev.frame.pkg, code) {
		return ev.fork(cond, round, end)
	}
	return ev.fork(cond, func() control {
		if c := end(); c.kind != next || ev.servesAtEnd() {
			return c
		}
		return control{kind: leaves}
	}, round)
}

// assignedBy returns the variables around code of the running function that it assigns
// to by their names.
func (ev *Evaluator) assignedBy(code ast.Node) []*value.Cell {
	var cells []*value.Cell
	assigned := func(expr ast.Expr) {
		name, _ := ast.Unparen(expr).(*ast.Ident)
		if v, ok := ev.frame.pkg.Info.Uses[name].(*types.Var); ok {
			if cell := ev.frame.scope.lookup(v); cell != nil {
				cells = append(cells, cell)
			} else if isPackageVariable(v) {
				cells = append(cells, ev.global(v))
			}
		}
	}
	ast.Inspect(code, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			for _, expr := range node.Lhs {
				assigned(expr)
			}
		case *ast.IncDecStmt:
			assigned(node.X)
		}
		return true
	})
	return cells
}

// rangeStmt runs a loop over the elements of something.
func (ev *Evaluator) rangeStmt(stmt *ast.RangeStmt, label string) control {
	if !ev.sharesVariables(stmt) {
		return ev.rangeOver(stmt, label)
	}
	return ev.scoped(func() control {
		for _, expr := range []ast.Expr{stmt.Key, stmt.Value} {
			ident, _ := expr.(*ast.Ident)
			if v, ok := ev.frame.pkg.Info.Defs[ident].(*types.Var); ok {
				ev.frame.scope.declare(v, ev.Declared(ev.Zero(ev.frame.targs.subst(v.Type()))))
			}
		}
		return ev.rangeOver(stmt, label)
	})
}

// rangeOver runs the body for every element, if the elements are known.
func (ev *Evaluator) rangeOver(stmt *ast.RangeStmt, label string) control {
	over := ev.rangedOver(stmt)
	if u, ok := over.(*value.Unknown); ok && ev.isOneList(stmt.X, u) {
		cond := ev.loopCondition(stmt.X, over)
		cond.Exact = true
		branches := make([]branch, len(u.Among))
		for i, list := range u.Among {
			branches[i] = func() control { return ev.rangeOf(stmt, label, list) }
		}
		return ev.fork(cond, branches...)
	}
	return ev.rangeOf(stmt, label, over)
}

// isOneList reports whether what a loop ranges over is one of a few slices, strings or
// numbers: the loop is followed for each.
func (ev *Evaluator) isOneList(expr ast.Expr, u *value.Unknown) bool {
	if u.Among == nil {
		return false
	}
	switch t := ev.typeOf(expr).Underlying().(type) {
	case *types.Slice:
		return true
	case *types.Basic:
		return t.Info()&(types.IsString|types.IsInteger) != 0
	}
	return false
}

// rangeOf is rangeOver for what is ranged over.
func (ev *Evaluator) rangeOf(stmt *ast.RangeStmt, label string, over value.Value) control {
	elements, known := ev.elements(stmt.X, over)
	return ev.loop(label, func(l *loop) control {
		if fn, ok := over.(*value.Func); ok {
			return ev.rangeFunc(stmt, l, fn)
		}
		if feed, ok := over.(value.Feed); ok {
			return ev.rangeFeed(stmt, l, feed)
		}
		if isChannel(ev.typeOf(stmt.X)) {
			return ev.rangeChannel(stmt, l, over)
		}
		if isFunction(ev.typeOf(stmt.X)) {
			ev.requireIterator(stmt.X, over)
		}
		if !known {
			cond := ev.loopCondition(stmt.X, whyVague(over))
			return ev.unbounded(l, cond, stmt, func() control {
				element := ev.anyElement(stmt.X, over)
				return ev.rangeRound(stmt, l, element, element)
			})
		}
		for key, v := range elements {
			ev.step(stmt.Pos())
			run := func() control { return ev.rangeRound(stmt, l, key, v) }
			if u, ok := v.(*value.Unknown); ok && u.Absent {
				if c := ev.fork(ev.loopCondition(stmt.X, u), run, func() control { return control{} }); c.kind != next {
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

// whyVague returns why the keys of a map aren't known, and other values as they are.
func whyVague(v value.Value) value.Value {
	m, ok := v.(*value.Map)
	if !ok {
		return v
	}
	return m.Identity().Load()
}

// anyElement is an element of what a loop ranges over, or its key, where the elements aren't
// known. An entry of a map may be any of those that are.
func (ev *Evaluator) anyElement(expr ast.Expr, over value.Value) *value.Unknown {
	if p, ok := over.(value.Pointer); ok { // to an array
		over = p.Load()
	}
	switch over := over.(type) {
	case *value.Unknown:
		return value.Because(expr, over)
	case *value.Map:
		element := value.UnknownAt(expr.Pos(), "an element of "+value.Source(expr)).Of(over.Contents()...)
		if why, ok := whyVague(over).(*value.Unknown); ok {
			element.Unread = why.Unread
		}
		return element
	default:
		return value.UnknownAt(expr.Pos(), "an element of "+value.Source(expr))
	}
}

// requireIterator fails where an iterator function is nil. Of one that isn't known, nothing
// is known: it may be called, and panic.
func (ev *Evaluator) requireIterator(at ast.Expr, over value.Value) {
	if value.IsNil(over) {
		ev.Fail(at, model.NilDereference)
	}
	ev.Expose(at, []value.Value{over}, value.UnknownResult(at))
	ev.risk(at, over)
}

func isFunction(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

func isChannel(t types.Type) bool {
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// rangedOver evaluates what is ranged over. An array whose elements aren't wanted
// counts as its length: a pointer to it may be nil.
func (ev *Evaluator) rangedOver(stmt *ast.RangeStmt) value.Value {
	array := value.ArrayOf(ev.typeOf(stmt.X))
	blank, isName := stmt.Value.(*ast.Ident)
	if array != nil && (stmt.Value == nil || isName && blank.Name == "_") {
		if stmt.Value != nil || !ev.hasConstantLength(stmt.X) {
			ev.eval(stmt.X)
		}
		return value.NewConst(constant.MakeInt64(array.Len()), types.Typ[types.Int])
	}
	over := ev.eval(stmt.X)
	switch {
	case array != nil && value.IsNil(over):
		if array.Len() > 0 {
			ev.Fail(stmt.X, model.NilDereference)
		}
	case array != nil:
		switch v := over.(type) {
		case *value.Array:
			return ev.Copied(over)
		case *value.Unknown:
			ev.riskOfNil(stmt.X, v, ev.typeOf(stmt.X))
		}
	}
	return over
}

// hasConstantLength reports whether len(x) is a constant, so that x isn't evaluated by a
// range over it with one variable: an array, or a pointer to one, without a call or a
// receive operation. To the language, functions of its own are calls too, and the array
// isn't one whose type is a type parameter (types2, hasCallOrRecv).
func (ev *Evaluator) hasConstantLength(x ast.Expr) bool {
	holds := value.ArrayOf(ev.writtenType(x)) != nil
	ast.Inspect(x, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			holds = holds && node.Op != token.ARROW
		case *ast.CallExpr:
			holds = holds && (ev.isConstant(node) || ev.frame.pkg.Info.Types[ast.Unparen(node.Fun)].IsType())
		}
		return holds
	})
	return holds
}

// rangeRound sets the variables of a round and runs its body.
func (ev *Evaluator) rangeRound(stmt *ast.RangeStmt, l *loop, key, v value.Value) control {
	return ev.scoped(func() control {
		ev.assignRound(stmt, [2]value.Value{ev.Copied(key), ev.Copied(v)})
		return ev.round(l, func() control { return ev.block(stmt.Body.List) })
	})
}

// assignRound sets the variables of a round, all of whose places are evaluated
// before one is assigned to.
func (ev *Evaluator) assignRound(stmt *ast.RangeStmt, values [2]value.Value) {
	var places [2]value.Place
	for i, expr := range []ast.Expr{stmt.Key, stmt.Value} {
		if expr == nil {
			continue
		}
		if ident, ok := expr.(*ast.Ident); ok && stmt.Tok == token.DEFINE && !ev.sharesVariables(stmt) {
			ev.define(ident, values[i])
			continue
		}
		ev.noteTable(expr)
		places[i] = ev.place(expr)
	}
	for i, place := range places {
		if place != nil {
			place.Store(values[i])
		}
	}
}

// elements returns the keys and values of what is ranged over, in a fixed
// order.
func (ev *Evaluator) elements(expr ast.Expr, over value.Value) (iter.Seq2[value.Value, value.Value], bool) {
	integer := types.Typ[types.Int]
	switch over := over.(type) {
	case value.Nil:
		return func(func(value.Value, value.Value) bool) {}, true
	case *value.Slice:
		return indexed(over.Elems), true
	case *value.Array:
		return indexed(over.Elems), true
	case value.Pointer:
		return ev.elements(expr, over.Load())
	case *value.Map:
		if !over.Complete() {
			return nil, false
		}
		return ev.entries(expr, over), true
	case value.Const:
		if over.Value.Kind() == constant.String {
			return func(yield func(value.Value, value.Value) bool) {
				for i, r := range constant.StringVal(over.Value) {
					if !yield(value.NewConst(constant.MakeInt64(int64(i)), integer), value.NewConst(constant.MakeInt64(int64(r)), types.Typ[types.Rune])) {
						return
					}
				}
			}, true
		}
		n, exact := constant.Int64Val(constant.ToInt(over.Value))
		return func(yield func(value.Value, value.Value) bool) {
			for i := int64(0); i < n; i++ {
				if !yield(value.NewConst(constant.MakeInt64(i), over.Type), nil) {
					return
				}
			}
		}, exact
	default:
		return nil, false
	}
}

// entries returns those of a map in an order, and notes the loop where another order
// may be another result: of several entries, or where some are added meanwhile.
func (ev *Evaluator) entries(expr ast.Expr, m *value.Map) iter.Seq2[value.Value, value.Value] {
	n, _ := m.Size()
	ev.work(n)
	if n > 1 {
		ev.noteMapLoop(expr.Pos(), n, MapLoop)
	}
	added, visit := m.Added(), m.In(ev.mapOrders[expr.Pos()])
	return func(yield func(value.Value, value.Value) bool) {
		visit(yield)
		if m.Added() != added {
			ev.noteMapLoop(expr.Pos(), n, MapLoop)
		}
	}
}

func indexed(cells []*value.Cell) iter.Seq2[value.Value, value.Value] {
	return func(yield func(value.Value, value.Value) bool) {
		for i, cell := range cells {
			if !yield(value.NewConst(constant.MakeInt64(int64(i)), types.Typ[types.Int]), cell.Load()) {
				return
			}
		}
	}
}
