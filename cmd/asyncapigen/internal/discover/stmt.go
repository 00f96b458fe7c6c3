package discover

import (
	"go/ast"
	"go/constant"
	"go/token"
	"slices"
)

func (in *interp) block(list []ast.Stmt) control {
	outer := in.frame.scope
	in.frame.scope = &scope{parent: outer}
	defer func() { in.frame.scope = outer }()
	return in.sequence(list)
}

func (in *interp) sequence(list []ast.Stmt) control {
	for i := 0; i < len(list); i++ {
		c := in.exec(list[i], "")
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
func (in *interp) exec(stmt ast.Stmt, label string) (c control) {
	if len(in.frame.pkg.Errors) == 0 {
		return in.execute(stmt, label)
	}
	in.tolerate(func() { c = in.execute(stmt, label) })
	return c
}

func (in *interp) execute(stmt ast.Stmt, label string) control {
	in.step(stmt.Pos())
	switch stmt := stmt.(type) {
	case *ast.ExprStmt:
		in.eval(stmt.X)
	case *ast.AssignStmt:
		in.assign(stmt)
	case *ast.DeclStmt:
		in.declare(stmt)
	case *ast.IncDecStmt:
		in.increment(stmt)
	case *ast.BlockStmt:
		return in.block(stmt.List)
	case *ast.LabeledStmt:
		return in.exec(stmt.Stmt, stmt.Label.Name)
	case *ast.ReturnStmt:
		in.returnStmt(stmt)
		return control{kind: returns}
	case *ast.BranchStmt:
		return branchControl(stmt)
	case *ast.IfStmt:
		return in.scoped(func() control { return in.ifStmt(stmt) })
	case *ast.SwitchStmt:
		return in.scoped(func() control { return in.switchStmt(stmt, label) })
	case *ast.TypeSwitchStmt:
		return in.scoped(func() control { return in.typeSwitch(stmt, label) })
	case *ast.SelectStmt:
		return in.scoped(func() control { return in.selectStmt(stmt, label) })
	case *ast.ForStmt:
		return in.scoped(func() control { return in.forStmt(stmt, label) })
	case *ast.RangeStmt:
		return in.scoped(func() control { return in.rangeStmt(stmt, label) })
	case *ast.DeferStmt:
		call := in.prepare(stmt.Call)
		in.frame.defers = append(in.frame.defers, func() { call() })
	case *ast.GoStmt:
		call := in.prepare(stmt.Call)
		in.survives(func() { call() })
	case *ast.SendStmt:
		in.eval(stmt.Chan)
		in.eval(stmt.Value)
	}
	return control{}
}

func (in *interp) scoped(run func() control) control {
	outer := in.frame.scope
	in.frame.scope = &scope{parent: outer}
	defer func() { in.frame.scope = outer }()
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

func (in *interp) returnStmt(stmt *ast.ReturnStmt) {
	results := in.frame.sig.Results()
	switch {
	case len(stmt.Results) == 0:
		in.frame.ret = nil
		for _, cell := range in.frame.results {
			in.frame.ret = append(in.frame.ret, cell.v)
		}
		return
	case len(stmt.Results) == 1 && results.Len() > 1:
		in.frame.ret = spread(in.eval(stmt.Results[0]), results.Len())
	default:
		values := make([]Value, len(stmt.Results))
		for i, expr := range stmt.Results {
			values[i] = in.copied(in.evalAs(expr, results.At(i).Type()))
		}
		in.frame.ret = values
	}
	for i, cell := range in.frame.results {
		in.store(cell, in.frame.ret[i])
	}
}

func (in *interp) ifStmt(stmt *ast.IfStmt) control {
	if stmt.Init != nil {
		in.exec(stmt.Init, "")
	}
	then := func() control { return in.block(stmt.Body.List) }
	otherwise := func() control {
		if stmt.Else == nil {
			return control{}
		}
		return in.exec(stmt.Else, "")
	}
	cond := in.eval(stmt.Cond)
	if holds, known := truth(cond); known {
		if holds {
			return then()
		}
		return otherwise()
	}
	return in.fork(in.condition(stmt.Cond, cond), then, otherwise)
}

// condition describes an expression that decides and isn't known.
func (in *interp) condition(expr ast.Expr, v Value) *condition {
	why, _ := v.(*Unknown)
	return &condition{pos: expr.Pos(), text: source(expr), why: why}
}

func truth(v Value) (holds, known bool) {
	c, ok := v.(Const)
	if !ok || c.Value.Kind() != constant.Bool {
		return false, false
	}
	return constant.BoolVal(c.Value), true
}
