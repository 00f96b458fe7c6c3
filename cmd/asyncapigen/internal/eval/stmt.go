package eval

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

func (ev *Evaluator) block(list []ast.Stmt) control {
	outer := ev.frame.scope
	ev.frame.scope = &scope{parent: outer}
	defer func() { ev.frame.scope = outer }()
	return ev.sequence(list)
}

func (ev *Evaluator) sequence(list []ast.Stmt) control {
	for i := 0; i < len(list); i++ {
		c := ev.exec(list[i], "")
		if c.kind == jumps {
			if to := labeled(list, c.label); to >= 0 {
				i = to - 1
				continue
			}
		}
		if c.kind != next {
			return c
		}
	}
	return control{}
}

// labeled returns the index of the statement that a goto jumps to, -1 where it
// isn't in the list.
func labeled(list []ast.Stmt, label string) int {
	return slices.IndexFunc(list, func(stmt ast.Stmt) bool {
		labeled, ok := stmt.(*ast.LabeledStmt)
		return ok && labeled.Label.Name == label
	})
}

// exec runs a statement; label is the one before it, if any.
func (ev *Evaluator) exec(stmt ast.Stmt, label string) (c control) {
	if len(ev.frame.pkg.Errors) == 0 {
		return ev.execute(stmt, label)
	}
	ev.tolerate(func() { c = ev.execute(stmt, label) })
	return c
}

func (ev *Evaluator) execute(stmt ast.Stmt, label string) control {
	ev.step(stmt.Pos())
	ev.frame.calls = nil
	switch stmt := stmt.(type) {
	case *ast.ExprStmt:
		ev.eval(stmt.X)
	case *ast.AssignStmt:
		ev.assign(stmt)
	case *ast.DeclStmt:
		ev.declare(stmt)
	case *ast.IncDecStmt:
		ev.increment(stmt)
	case *ast.BlockStmt:
		return ev.block(stmt.List)
	case *ast.LabeledStmt:
		return ev.exec(stmt.Stmt, stmt.Label.Name)
	case *ast.ReturnStmt:
		ev.returnStmt(stmt)
		return control{kind: returns}
	case *ast.BranchStmt:
		return branchControl(stmt)
	case *ast.IfStmt:
		return ev.scoped(func() control { return ev.ifStmt(stmt) })
	case *ast.SwitchStmt:
		return ev.scoped(func() control { return ev.switchStmt(stmt, label) })
	case *ast.TypeSwitchStmt:
		return ev.scoped(func() control { return ev.typeSwitch(stmt, label) })
	case *ast.SelectStmt:
		return ev.scoped(func() control { return ev.selectStmt(stmt, label) })
	case *ast.ForStmt:
		return ev.scoped(func() control { return ev.forStmt(stmt, label) })
	case *ast.RangeStmt:
		return ev.scoped(func() control { return ev.rangeStmt(stmt, label) })
	case *ast.DeferStmt:
		call := ev.prepare(stmt.Call)
		ev.frame.defers = append(ev.frame.defers, func() { call() })
	case *ast.GoStmt:
		call := ev.prepare(stmt.Call)
		ev.Survives(func() { call() })
	case *ast.SendStmt:
		ev.send(stmt)
	}
	return control{}
}

// send evaluates ch <- v.
func (ev *Evaluator) send(stmt *ast.SendStmt) {
	exprs := []ast.Expr{stmt.Chan, stmt.Value}
	ev.inOrder(exprs, func(i int) { ev.eval(exprs[i]) })
	ev.risk()
}

func (ev *Evaluator) scoped(run func() control) control {
	outer := ev.frame.scope
	ev.frame.scope = &scope{parent: outer}
	defer func() { ev.frame.scope = outer }()
	return run()
}

func branchControl(stmt *ast.BranchStmt) control {
	c := control{}
	if stmt.Label != nil {
		c.label = stmt.Label.Name
	}
	switch stmt.Tok {
	case token.BREAK:
		c.kind = breaks
	case token.CONTINUE:
		c.kind = continues
	case token.FALLTHROUGH:
		c.kind = falls
	default:
		c.kind = jumps
	}
	return c
}

func (ev *Evaluator) returnStmt(stmt *ast.ReturnStmt) {
	results := ev.frame.sig.Results()
	switch {
	case len(stmt.Results) == 0:
		ev.frame.ret = nil
		for _, cell := range ev.frame.results {
			ev.frame.ret = append(ev.frame.ret, cell.Load())
		}
		return
	case len(stmt.Results) == 1 && results.Len() > 1:
		ev.frame.ret = spread(ev.eval(stmt.Results[0]), results.Len())
	default:
		values := make([]value.Value, len(stmt.Results))
		ev.inOrder(stmt.Results, func(i int) {
			values[i] = ev.Copied(ev.evalAs(stmt.Results[i], results.At(i).Type()))
		})
		ev.frame.ret = values
	}
	for i, cell := range ev.frame.results {
		ev.Store(cell, ev.frame.ret[i])
	}
}

func (ev *Evaluator) ifStmt(stmt *ast.IfStmt) control {
	if stmt.Init != nil {
		ev.exec(stmt.Init, "")
	}
	then := func() control { return ev.block(stmt.Body.List) }
	otherwise := func() control {
		if stmt.Else == nil {
			return control{}
		}
		return ev.exec(stmt.Else, "")
	}
	cond := ev.eval(stmt.Cond)
	if holds, known := value.Truth(cond); known {
		if holds {
			return then()
		}
		return otherwise()
	}
	return ev.fork(ev.Condition(stmt.Cond, cond), then, otherwise)
}

// Condition describes an expression that decides and isn't known.
func (ev *Evaluator) Condition(expr ast.Expr, v value.Value) *Condition {
	why, _ := v.(*value.Unknown)
	return &Condition{Pos: expr.Pos(), Text: value.Source(expr), Why: why}
}
