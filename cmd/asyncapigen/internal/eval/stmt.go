package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

func (ev *Evaluator) block(list []ast.Stmt) control {
	outer := ev.frame.scope
	ev.frame.scope = &scope{parent: outer}
	defer func() { ev.frame.scope = outer }()
	return ev.sequence(list)
}

// sequence runs the statements of a list.
func (ev *Evaluator) sequence(list []ast.Stmt) control {
	outer := ev.frame.atEnd
	defer func(f *frame) { f.atEnd = outer }(ev.frame)
	for i := 0; i < len(list); i++ {
		ev.frame.atEnd = outer && ev.harmless(list[i+1:])
		c := ev.statement(list[i])
		if c.kind == jumps {
			if to := labeled(list, c.label); to >= 0 {
				i = to - 1
				ev.frame.scope = ev.frame.scope.clone() // what is declared again is another variable
				continue
			}
		}
		if c.kind != next {
			return c
		}
	}
	return control{}
}

// statement runs a statement of a list. One that mentions the error of a call
// that may have failed is run for both ends of the call.
func (ev *Evaluator) statement(stmt ast.Stmt) control {
	run := func() control { return ev.exec(stmt, "") }
	f := ev.frame.open
	if f == nil {
		return run()
	}
	if declaresOnly(stmt) {
		return run()
	}
	if _, isReturn := stmt.(*ast.ReturnStmt); isReturn || ev.frame.atEnd || ev.mentions(stmt, f.err) {
		ev.frame.open = nil
		return ev.apart(f, run, run)
	}
	ev.closeOpen()
	return run()
}

// declaresOnly reports whether a statement declares variables without a value,
// which is the same whatever a call before it did.
func declaresOnly(stmt ast.Stmt) bool {
	decl, ok := stmt.(*ast.DeclStmt)
	if !ok {
		return false
	}
	for _, spec := range decl.Decl.(*ast.GenDecl).Specs {
		if v, ok := spec.(*ast.ValueSpec); ok && len(v.Values) > 0 {
			return false
		}
	}
	return true
}

// harmless reports whether statements do nothing but write to the log, or
// return.
func (ev *Evaluator) harmless(list []ast.Stmt) bool {
	for _, stmt := range list {
		switch stmt := stmt.(type) {
		case *ast.ReturnStmt:
			return !slices.ContainsFunc(stmt.Results, func(expr ast.Expr) bool { return ev.hasCall(expr) && !ev.logs(expr) })
		case *ast.ExprStmt:
			if !ev.logs(stmt.X) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// logs reports whether an expression is a call that writes to the log or ends the program,
// and has no argument that could do anything else.
func (ev *Evaluator) logs(expr ast.Expr) bool {
	call, ok := ast.Unparen(expr).(*ast.CallExpr)
	if !ok {
		return false
	}
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := ev.frame.pkg.Info.Uses[selector.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || slices.ContainsFunc(call.Args, ev.hasCall) {
		return false
	}
	switch fn.Pkg().Path() {
	case "log", "log/slog", "fmt":
		return fn.Signature().Recv() == nil && !strings.HasPrefix(fn.Name(), "Panic")
	default:
		return fn.FullName() == "os.Exit"
	}
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
	ev.statements++
	ev.frame.calls = nil
	switch stmt := stmt.(type) {
	case *ast.ExprStmt:
		ev.exprStmt(stmt)
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
		call, inputs := ev.prepareLater(stmt.Call)
		d := ev.deferred(stmt.Call, inputs, func() { ev.settle(call()) })
		ev.frame.recovers = ev.frame.recovers || d.recovers
		ev.frame.defers = append(ev.frame.defers, d)
	case *ast.GoStmt:
		call, inputs := ev.prepareLater(stmt.Call)
		ev.spawn(stmt.Call, inputs, func() { ev.settle(call()) })
	case *ast.SendStmt:
		ev.send(stmt)
	}
	return control{}
}

// send does ch <- v.
func (ev *Evaluator) send(stmt *ast.SendStmt) {
	var channel, sent value.Value
	ev.inOrder([]ast.Expr{stmt.Chan, stmt.Value}, func(i int) {
		if i == 0 {
			channel = ev.eval(stmt.Chan)
		} else {
			sent = ev.sent(stmt)
		}
	})
	ev.sendTo(stmt.Chan, channel, sent)
}

// sent evaluates v of ch <- v.
func (ev *Evaluator) sent(stmt *ast.SendStmt) value.Value {
	v := ev.eval(stmt.Value)
	if t, ok := ev.typeOf(stmt.Chan).Underlying().(*types.Chan); ok {
		v = ev.boxed(stmt.Value, value.Retyped(v, t.Elem()), t.Elem())
	}
	return ev.Copied(v)
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

// exprStmt runs a call for its effects. Its error, if any, is ignored.
func (ev *Evaluator) exprStmt(stmt *ast.ExprStmt) {
	if ev.frame.atEnd {
		if call, ok := ast.Unparen(stmt.X).(*ast.CallExpr); ok {
			ev.tail = call
		}
	}
	v, failed := ev.evalKept(stmt.X)
	ev.tail = nil
	ev.keep(failed, v, func(value.Value) {})
}

func (ev *Evaluator) returnStmt(stmt *ast.ReturnStmt) {
	results := ev.frame.sig.Results()
	if len(stmt.Results) == 0 {
		ev.frame.ret = nil
		for _, cell := range ev.frame.results {
			ev.frame.ret = append(ev.frame.ret, cell.Load())
		}
		return
	}
	last := len(stmt.Results) - 1
	values := make([]value.Value, last)
	evaluate := func(i int) { values[i] = ev.Copied(ev.evalAs(stmt.Results[i], results.At(i).Type())) }
	if ev.hasCall(stmt.Results[last]) {
		defer ev.remembering()()
	}
	var v value.Value
	var failed *failure
	ev.inOrder(stmt.Results, func(i int) {
		if i < last {
			evaluate(i)
			return
		}
		v, failed = ev.evalKept(stmt.Results[last])
	})
	box := func(v value.Value) value.Value {
		return value.Tuple(ev.boxedParts(stmt.Results[last], v, results.Len()-last, func(i int) types.Type { return results.At(last + i).Type() }))
	}
	if failed != nil {
		normal := slices.Clone(values)
		ev.returnFailure(failed, func(v value.Value) {
			ev.again(last, evaluate)
			ev.giveBack(values, box(v))
		})
		values = normal
	}
	ev.giveBack(values, box(v))
}

// giveBack has the running function return values and, after them, what v is.
func (ev *Evaluator) giveBack(values []value.Value, v value.Value) {
	results := ev.frame.sig.Results()
	ret := slices.Clone(values)
	for i, part := range spread(v, results.Len()-len(values)) {
		t := ev.frame.targs.subst(results.At(len(values) + i).Type())
		ret = append(ret, ev.Copied(value.Retyped(part, t)))
	}
	for i, cell := range ev.frame.results {
		ev.Store(cell, ret[i], ev.frame.targs.subst(results.At(i).Type()))
	}
	ev.frame.ret = ret
}

// returnFailure has the running function return what a call gave that failed.
func (ev *Evaluator) returnFailure(f *failure, give func(value.Value)) {
	base := ev.Mark()
	ev.Apply(f.writes)
	panicked := ev.Caught(func() { give(f.result) })
	o := outcome{control: control{kind: returns}, ret: ev.frame.ret, panicked: panicked, recorded: min(f.recorded, ev.recordedMark()), defers: slices.Clone(ev.frame.defers)}
	o.fails = panicked == nil && ev.frame.returnsError(o.ret)
	o.writes = ev.Undo(base)
	if panicked == nil && !o.fails {
		ev.tolerated(f)
	}
	ev.leave(f.cond, base, o)
}

func (ev *Evaluator) ifStmt(stmt *ast.IfStmt) control {
	if stmt.Init != nil {
		ev.exec(stmt.Init, "")
	}
	return ev.forBoth(func() control { return ev.ifElse(stmt) })
}

// forBoth runs what follows the initialisation of a statement, for both ends of
// a call in it that may have failed.
func (ev *Evaluator) forBoth(run branch) control {
	f := ev.frame.open
	if f == nil {
		return run()
	}
	ev.frame.open = nil
	return ev.apart(f, run, run)
}

// ifElse runs an if statement after its initialisation. Of two branches under an
// unknown condition, that which doesn't go on is the first.
func (ev *Evaluator) ifElse(stmt *ast.IfStmt) control {
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
	then, otherwise = ev.holding(stmt.Cond, then), ev.failing(stmt.Cond, otherwise)
	unknown := ev.conditionOn(stmt.Cond, cond)
	with, text, equal := ev.comparedText(stmt.Cond)
	if stmt.Else != nil && ends(stmt.Else) && !ends(stmt.Body) {
		then, otherwise, equal = otherwise, then, 1-equal
	}
	unknown.compared(with, text, equal, 2)
	return ev.fork(unknown, then, otherwise)
}

// comparedText returns the constant text that a condition compares something with, what that
// is if no call gives it, and which branch it leads to where they are equal: 0 where it holds,
// else 1.
func (ev *Evaluator) comparedText(cond ast.Expr) (with value.Value, texts []string, branch int) {
	comparison, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || comparison.Op != token.EQL && comparison.Op != token.NEQ {
		return nil, nil, 0
	}
	operands := []ast.Expr{comparison.X, comparison.Y}
	for i, expr := range operands {
		text, ok := ev.constantText(expr)
		if !ok {
			continue
		}
		texts, with = []string{text}, nil
		if other := operands[1-i]; !ev.hasCall(other) {
			with = ev.eval(other)
		}
	}
	if comparison.Op == token.NEQ {
		branch = 1
	}
	return with, texts, branch
}

// constantText returns the text of a constant expression.
func (ev *Evaluator) constantText(expr ast.Expr) (string, bool) {
	tv := ev.frame.pkg.Info.Types[expr]
	if tv.Value == nil || tv.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(tv.Value), true
}

// conditionOn describes an expression that decides and isn't known.
func (ev *Evaluator) conditionOn(expr ast.Expr, v value.Value) *Condition {
	why, _ := v.(*value.Unknown)
	cond := ev.condition(expr, value.Source(expr))
	cond.Why, cond.Exact = why, true
	return cond
}
