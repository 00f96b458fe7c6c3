package discover

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// switchStmt finds the clause that runs; where a case isn't known, it and all
// that follow may.
func (in *interp) switchStmt(stmt *ast.SwitchStmt, label string) control {
	if stmt.Init != nil {
		in.exec(stmt.Init, "")
	}
	var tag Value = constOf(constant.MakeBool(true), types.Typ[types.Bool])
	if stmt.Tag != nil {
		tag = in.eval(stmt.Tag)
	}
	clauses := make([]*ast.CaseClause, len(stmt.Body.List))
	for i, clause := range stmt.Body.List {
		clauses[i] = clause.(*ast.CaseClause)
	}
	chosen, cond := in.choose(stmt, tag, clauses)
	branches := make([]branch, len(chosen))
	for i, clause := range chosen {
		branches[i] = func() control { return in.clause(clauses, clause) }
	}
	return in.breakable(label, func() control {
		if cond != nil {
			return in.fork(cond, branches...)
		}
		return branches[0]()
	})
}

// choose returns the indexes of the clauses that may run, len(clauses) standing
// for none of them, and the condition where there are several.
func (in *interp) choose(stmt *ast.SwitchStmt, tag Value, clauses []*ast.CaseClause) ([]int, *condition) {
	var chosen []int
	var cond *condition
	fallback := len(clauses)
	for i, clause := range clauses {
		if clause.List == nil {
			fallback = i
			continue
		}
		for _, expr := range clause.List {
			v := in.binary(expr, token.EQL, tag, in.eval(expr), types.Typ[types.Bool])
			holds, known := truth(v)
			if known && !holds {
				continue
			}
			chosen = append(chosen, i)
			if known {
				return chosen, cond
			}
			if cond == nil {
				cond = in.condition(orExpr(stmt.Tag, expr), v)
			}
			break
		}
	}
	return append(chosen, fallback), cond
}

func orExpr(a, b ast.Expr) ast.Expr {
	if a != nil {
		return a
	}
	return b
}

func (in *interp) clause(clauses []*ast.CaseClause, i int) control {
	for ; i < len(clauses); i++ {
		c := in.block(clauses[i].Body)
		if c.kind != falls {
			return c
		}
	}
	return control{}
}

func (in *interp) typeSwitch(stmt *ast.TypeSwitchStmt, label string) control {
	if stmt.Init != nil {
		in.exec(stmt.Init, "")
	}
	v := in.eval(typeSwitchOperand(stmt))
	run := func(clause *ast.CaseClause) branch {
		return func() control {
			return in.scoped(func() control {
				if obj, ok := in.frame.pkg.Info.Implicits[clause].(*types.Var); ok {
					in.frame.scope.declare(obj, in.copied(v))
				}
				return in.sequence(clause.Body)
			})
		}
	}
	nothing := func() control { return control{} }
	return in.breakable(label, func() control {
		fallback, maybe := branch(nothing), []branch(nil)
		for _, s := range stmt.Body.List {
			clause := s.(*ast.CaseClause)
			if clause.List == nil {
				fallback = run(clause)
				continue
			}
			switch in.matches(v, clause.List) {
			case yes:
				if len(maybe) == 0 {
					return run(clause)()
				}
				maybe = append(maybe, run(clause))
				return in.fork(in.condition(typeSwitchOperand(stmt), v), maybe...)
			case perhaps:
				maybe = append(maybe, run(clause))
			}
		}
		if len(maybe) == 0 {
			return fallback()
		}
		return in.fork(in.condition(typeSwitchOperand(stmt), v), append(maybe, fallback)...)
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
func (in *interp) matches(v Value, list []ast.Expr) answer {
	result := no
	for _, expr := range list {
		switch in.hasType(v, in.typeOf(expr)) {
		case yes:
			return yes
		case perhaps:
			result = perhaps
		}
	}
	return result
}

// selectStmt follows every case: which channel is ready isn't known.
func (in *interp) selectStmt(stmt *ast.SelectStmt, label string) control {
	branches := make([]branch, len(stmt.Body.List))
	for i, s := range stmt.Body.List {
		clause := s.(*ast.CommClause)
		branches[i] = func() control {
			return in.scoped(func() control {
				if clause.Comm != nil {
					in.exec(clause.Comm, "")
				}
				return in.sequence(clause.Body)
			})
		}
	}
	if len(branches) == 0 {
		panic(&unwinding{final: true})
	}
	return in.breakable(label, func() control {
		if len(branches) == 1 {
			return branches[0]()
		}
		return in.fork(&condition{pos: stmt.Pos(), text: "of the select statement"}, branches...)
	})
}

// breakable runs a switch or select statement, which break leaves.
func (in *interp) breakable(label string, run branch) control {
	l := &loop{label: label, mark: len(in.journal), conds: len(in.conds), exits: in.exits()}
	in.frame.loops = append(in.frame.loops, l)
	c := run()
	in.frame.loops = in.frame.loops[:len(in.frame.loops)-1]
	if c.kind == breaks && (c.label == "" || c.label == label) {
		c = control{}
	}
	return in.endLoop(l, c)
}

// endLoop joins the breaks of a statement with its end.
func (in *interp) endLoop(l *loop, c control) control {
	if len(l.broken) > 0 {
		c = in.joinExits(l.mark, l.broken, c)
	}
	if in.exits() == l.exits {
		in.conds = in.conds[:l.conds]
	}
	return c
}
