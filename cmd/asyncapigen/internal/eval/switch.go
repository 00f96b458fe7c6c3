package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// switchStmt finds the clause that runs; where a case isn't known, it and all
// that follow may.
func (ev *Evaluator) switchStmt(stmt *ast.SwitchStmt, label string) control {
	if stmt.Init != nil {
		ev.exec(stmt.Init, "")
	}
	return ev.forBoth(func() control { return ev.switchOn(stmt, label) })
}

// switchOn runs a switch statement after its initialisation.
func (ev *Evaluator) switchOn(stmt *ast.SwitchStmt, label string) control {
	var tag value.Value = value.NewConst(constant.MakeBool(true), types.Typ[types.Bool])
	if stmt.Tag != nil {
		tag = ev.Copied(ev.eval(stmt.Tag))
	}
	clauses := make([]*ast.CaseClause, len(stmt.Body.List))
	for i, clause := range stmt.Body.List {
		clauses[i] = clause.(*ast.CaseClause)
	}
	chosen, cond := ev.choose(stmt, tag, clauses)
	branches := make([]branch, len(chosen))
	for i, clause := range chosen {
		branches[i] = func() control {
			ev.assumeChosen(stmt.Tag, clauses, clause)
			return ev.clause(clauses, clause)
		}
	}
	if i := slices.IndexFunc(chosen, func(i int) bool { return i == len(clauses) || !terminates(clauses[i].Body) }); i >= 0 {
		branches = append(slices.Delete(slices.Clone(branches), i, i+1), branches[i]) // one that goes on is the last
		chosen = append(slices.Delete(slices.Clone(chosen), i, i+1), chosen[i])
	}
	if cond != nil && stmt.Tag != nil {
		for i, clause := range chosen {
			if clause < len(clauses) {
				cond.compared(tag, ev.textsOf(clauses[clause]), i, len(chosen))
			}
		}
	}
	return ev.breakable(label, func() control {
		if cond != nil {
			return ev.fork(cond, branches...)
		}
		return branches[0]()
	})
}

// textsOf returns the constant texts of a clause, none of one that runs for other
// values as well.
func (ev *Evaluator) textsOf(clause *ast.CaseClause) []string {
	var texts []string
	for _, expr := range clause.List {
		text, ok := ev.constantText(expr)
		if !ok {
			return nil
		}
		texts = append(texts, text)
	}
	return texts
}

// assumeChosen makes known what follows from a clause being the one that runs.
func (ev *Evaluator) assumeChosen(tag ast.Expr, clauses []*ast.CaseClause, chosen int) {
	compared := clauses
	if chosen < len(clauses) && clauses[chosen].List != nil {
		compared = clauses[:chosen+1]
	}
	var all []ast.Expr
	for _, clause := range compared {
		all = append(all, clause.List...)
	}
	n := 0
	for i, clause := range compared {
		for _, expr := range clause.List {
			n++
			then := all[n:]
			if tag != nil {
				then = all // it was evaluated before them
			}
			switch {
			case i != chosen:
				ev.assumeNoCase(tag, expr, then)
			case len(clause.List) == 1:
				ev.assumeCase(tag, expr, then)
			}
		}
	}
}

func (ev *Evaluator) assumeCase(tag, expr ast.Expr, then []ast.Expr) {
	if tag == nil {
		ev.assumeHolds(expr, then)
	} else {
		ev.assumeEqual(tag, expr, then)
	}
}

func (ev *Evaluator) assumeNoCase(tag, expr ast.Expr, then []ast.Expr) {
	if tag == nil {
		ev.assumeFails(expr, then)
	} else {
		ev.assumeDifferent(tag, expr, then)
	}
}

// choose returns the indexes of the clauses that may run, len(clauses) standing
// for none of them, and the condition where there are several.
func (ev *Evaluator) choose(stmt *ast.SwitchStmt, tag value.Value, clauses []*ast.CaseClause) ([]int, *Condition) {
	var chosen []int
	var cond *Condition
	var tagType types.Type = types.Typ[types.Bool]
	if stmt.Tag != nil {
		tagType = types.Default(ev.typeOf(stmt.Tag))
	}
	fallback := len(clauses)
	for i, clause := range clauses {
		if clause.List == nil {
			fallback = i
			continue
		}
		for _, expr := range clause.List {
			if tag == nil {
				break // it was one of the cases before
			}
			other, v := ev.compareCase(cond, expr, operand{tag, tagType})
			holds, known := value.Truth(v)
			if known && !holds {
				continue
			}
			if len(chosen) == 0 || chosen[len(chosen)-1] != i {
				chosen = append(chosen, i)
			}
			if known {
				return chosen, cond
			}
			if cond == nil {
				cond = ev.conditionOn(orExpr(stmt.Tag, expr), v)
			}
			tag = withoutCase(tag, tagType, other)
		}
	}
	if tag == nil {
		return chosen, cond
	}
	return append(chosen, fallback), cond
}

// compareCase compares the expression of a case with the tag, after others of which it isn't
// known whether they were equal: a call in it may not be made then, and it may not panic.
func (ev *Evaluator) compareCase(after *Condition, expr ast.Expr, tag operand) (other operand, result value.Value) {
	compare := func() {
		other.value = ev.eval(expr)
		result = ev.equal(expr, token.EQL, tag, other)
	}
	why := value.UnknownAt(expr.Pos(), "the expression "+value.Source(expr))
	other, result = operand{why, ev.typeOf(expr)}, why
	if after == nil || ev.isConstant(expr) {
		compare()
	} else {
		ev.perhaps(after, compare)
	}
	return other, result
}

// withoutCase returns what the tag of a switch statement is that doesn't equal a case:
// nil where it surely equals this case or one before it.
func withoutCase(tag value.Value, t types.Type, other operand) value.Value {
	u, ok := tag.(*value.Unknown)
	if !ok || value.IsUnknown(other.value) {
		return tag
	}
	return u.Only(func(v value.Value) bool { return !equals(v, other.comparedWith(operand{v, t})) })
}

func orExpr(a, b ast.Expr) ast.Expr {
	if a != nil {
		return a
	}
	return b
}

func (ev *Evaluator) clause(clauses []*ast.CaseClause, i int) control {
	for ; i < len(clauses); i++ {
		c := ev.block(clauses[i].Body)
		if c.kind != falls {
			return c
		}
	}
	return control{}
}

func (ev *Evaluator) typeSwitch(stmt *ast.TypeSwitchStmt, label string) control {
	if stmt.Init != nil {
		ev.exec(stmt.Init, "")
	}
	return ev.forBoth(func() control { return ev.typeSwitchOn(stmt, label) })
}

// typeSwitchOn runs a type switch after its initialisation.
func (ev *Evaluator) typeSwitchOn(stmt *ast.TypeSwitchStmt, label string) control {
	v := ev.eval(typeSwitchOperand(stmt))
	run := func(clause *ast.CaseClause) branch {
		v := v
		if u, ok := v.(*value.Unknown); ok && clause.List != nil {
			v = u.Only(func(v value.Value) bool { return ev.matches(v, clause.List) == value.Yes })
		}
		return func() control {
			return ev.scoped(func() control {
				if obj, ok := ev.frame.pkg.Info.Implicits[clause].(*types.Var); ok {
					ev.frame.scope.declare(obj, ev.Declared(ev.Copied(value.Unboxed(v, obj.Type()))))
				}
				return ev.sequence(clause.Body)
			})
		}
	}
	nothing := func() control { return control{} }
	return ev.breakable(label, func() control {
		fallback, maybe := branch(nothing), []branch(nil)
		for _, s := range stmt.Body.List {
			clause := s.(*ast.CaseClause)
			if clause.List == nil {
				fallback = run(clause)
				continue
			}
			switch ev.matches(v, clause.List) {
			case value.Yes:
				if len(maybe) == 0 {
					return run(clause)()
				}
				maybe = append(maybe, run(clause))
				return ev.fork(ev.conditionOn(typeSwitchOperand(stmt), v), maybe...)
			case value.Perhaps:
				maybe = append(maybe, run(clause))
				if u, ok := v.(*value.Unknown); ok {
					v = u.Only(func(v value.Value) bool { return ev.matches(v, clause.List) != value.Yes })
				}
			}
		}
		if len(maybe) == 0 {
			return fallback()
		}
		return ev.fork(ev.conditionOn(typeSwitchOperand(stmt), v), append(maybe, fallback)...)
	})
}

func typeSwitchOperand(stmt *ast.TypeSwitchStmt) ast.Expr {
	switch assign := stmt.Assign.(type) {
	case *ast.AssignStmt:
		return assign.Rhs[0].(*ast.TypeAssertExpr).X
	case *ast.ExprStmt:
		return assign.X.(*ast.TypeAssertExpr).X
	}
	return nil
}

// matches reports whether v has one of the types of a case.
func (ev *Evaluator) matches(v value.Value, list []ast.Expr) value.Answer {
	if u, ok := v.(*value.Unknown); ok && u.Among != nil {
		first := ev.matches(u.Among[0], list)
		if slices.ContainsFunc(u.Among[1:], func(v value.Value) bool { return ev.matches(v, list) != first }) {
			return value.Perhaps
		}
		return first
	}
	result := value.No
	for _, expr := range list {
		switch ev.hasType(v, ev.typeOf(expr)) {
		case value.Yes:
			return value.Yes
		case value.Perhaps:
			result = value.Perhaps
		}
	}
	return result
}

// selectStmt follows every case whose channel may be ready. What the cases receive from
// and send is evaluated before, in their order, and once.
func (ev *Evaluator) selectStmt(stmt *ast.SelectStmt, label string) control {
	cases := make(map[*ast.CommClause]communication)
	for _, s := range stmt.Body.List {
		if clause := s.(*ast.CommClause); clause.Comm != nil {
			cases[clause] = ev.communicationOf(clause.Comm)
		}
	}
	clauses := ev.readyClauses(stmt, cases)
	branches := make([]branch, len(clauses))
	for i, clause := range clauses {
		branches[i] = func() control {
			return ev.scoped(func() control {
				if clause.Comm != nil {
					ev.communicate(clause.Comm, cases[clause])
				}
				return ev.sequence(clause.Body)
			})
		}
	}
	if len(branches) == 0 {
		panic(&Panic{Final: true, waits: len(cases) > 0})
	}
	return ev.breakable(label, func() control {
		if len(branches) == 1 {
			return branches[0]()
		}
		return ev.fork(ev.condition(stmt, "which case of this select statement runs"), branches...)
	})
}

// readyClauses returns the clauses of a select statement that may run. The default
// isn't one of them where a channel is surely ready.
func (ev *Evaluator) readyClauses(stmt *ast.SelectStmt, cases map[*ast.CommClause]communication) []*ast.CommClause {
	var clauses []*ast.CommClause
	var fallback *ast.CommClause
	surely := false
	for _, s := range stmt.Body.List {
		clause := s.(*ast.CommClause)
		if clause.Comm == nil {
			fallback = clause
			continue
		}
		if answer := ev.proceeds(cases[clause]); answer != value.No {
			clauses = append(clauses, clause)
			surely = surely || answer == value.Yes
		}
	}
	if fallback != nil && !surely {
		clauses = append(clauses, fallback)
	}
	return clauses
}

// breakable runs a switch or select statement, which break leaves.
func (ev *Evaluator) breakable(label string, run branch) control {
	l := &loop{label: label, mark: ev.Mark(), conds: len(ev.conds), exits: ev.exits()}
	ev.frame.loops = append(ev.frame.loops, l)
	c := ev.unlessLeft(&l.broken, run)
	ev.frame.loops = ev.frame.loops[:len(ev.frame.loops)-1]
	if c.kind == breaks && l.owns(c) {
		c = control{}
	}
	return ev.endLoop(l, c)
}

// endLoop joins the breaks of a statement with its end.
func (ev *Evaluator) endLoop(l *loop, c control) control {
	if len(l.broken) > 0 {
		c = ev.joinExits(l.mark, l.broken, c)
	}
	if ev.exits() == l.exits {
		ev.conds = ev.conds[:l.conds]
	}
	return c
}
