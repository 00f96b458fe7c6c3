package discover

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
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
func (in *interp) exec(stmt ast.Stmt, label string) control {
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

func (in *interp) declare(stmt *ast.DeclStmt) {
	decl, ok := stmt.Decl.(*ast.GenDecl)
	if !ok || decl.Tok != token.VAR {
		return
	}
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ValueSpec)
		var values []Value
		switch {
		case len(spec.Values) == 1 && len(spec.Names) > 1:
			values = spread(in.eval(spec.Values[0]), len(spec.Names))
		default:
			for i, expr := range spec.Values {
				values = append(values, in.evalAs(expr, in.typeOf(spec.Names[i])))
			}
		}
		for i, name := range spec.Names {
			v, ok := in.frame.pkg.Info.Defs[name].(*types.Var)
			if !ok {
				continue
			}
			if values == nil {
				in.frame.scope.declare(v, in.zero(in.frame.targs.subst(v.Type())))
				continue
			}
			in.frame.scope.declare(v, in.copied(values[i]))
		}
	}
}

func (in *interp) increment(stmt *ast.IncDecStmt) {
	op := token.ADD
	if stmt.Tok == token.DEC {
		op = token.SUB
	}
	place := in.place(stmt.X)
	one := Const{constant.MakeInt64(1), in.typeOf(stmt.X)}
	place.store(in.binary(stmt, op, place.load(), one, in.typeOf(stmt.X)))
}

func (in *interp) assign(stmt *ast.AssignStmt) {
	if op, ok := assignOps[stmt.Tok]; ok {
		place := in.place(stmt.Lhs[0])
		t := in.typeOf(stmt.Lhs[0])
		operand := in.eval(stmt.Rhs[0]) // first, as the compiler does, where it is a call that changes the left side
		place.store(in.binary(stmt, op, place.load(), operand, t))
		return
	}
	var places []place
	if stmt.Tok == token.ASSIGN {
		for _, expr := range stmt.Lhs {
			places = append(places, in.place(expr))
		}
	}
	values := in.rightSide(stmt)
	for i, expr := range stmt.Lhs {
		if stmt.Tok == token.ASSIGN {
			places[i].store(values[i])
			continue
		}
		in.define(expr.(*ast.Ident), values[i])
	}
}

// rightSide evaluates what is assigned, with the copies that an assignment of
// several values needs.
func (in *interp) rightSide(stmt *ast.AssignStmt) []Value {
	if len(stmt.Rhs) == 1 && len(stmt.Lhs) > 1 {
		return spread(in.evalMulti(stmt.Rhs[0], len(stmt.Lhs)), len(stmt.Lhs))
	}
	values := make([]Value, len(stmt.Rhs))
	for i, expr := range stmt.Rhs {
		values[i] = in.copied(in.evalAs(expr, in.assignedType(stmt.Lhs[i])))
	}
	return values
}

// assignedType returns the type of what stands left of an assignment, nil for
// the blank identifier.
func (in *interp) assignedType(expr ast.Expr) types.Type {
	if ident, ok := expr.(*ast.Ident); ok && ident.Name == "_" {
		return nil
	}
	return in.typeOf(expr)
}

// define declares the variable on the left of :=, or assigns to it where it
// exists.
func (in *interp) define(ident *ast.Ident, v Value) {
	if ident.Name == "_" {
		return
	}
	if obj, ok := in.frame.pkg.Info.Defs[ident].(*types.Var); ok {
		in.frame.scope.declare(obj, in.copied(retyped(v, in.frame.targs.subst(obj.Type()))))
		return
	}
	in.place(ident).store(v)
}

var assignOps = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL,
	token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND,
	token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR, token.SHL_ASSIGN: token.SHL,
	token.SHR_ASSIGN: token.SHR, token.AND_NOT_ASSIGN: token.AND_NOT,
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

// switchStmt finds the clause that runs; where a case isn't known, it and all
// that follow may.
func (in *interp) switchStmt(stmt *ast.SwitchStmt, label string) control {
	if stmt.Init != nil {
		in.exec(stmt.Init, "")
	}
	var tag Value = Const{constant.MakeBool(true), types.Typ[types.Bool]}
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
	return in.endLoop(l, c, c.kind == next)
}

// endLoop joins the breaks of a statement with its end, which is live if it was
// reached.
func (in *interp) endLoop(l *loop, c control, live bool) control {
	if in.exits() == l.exits {
		in.conds = in.conds[:l.conds]
	}
	if len(l.broken) == 0 {
		return c
	}
	in.rejoin(l.mark, l.broken, live)
	if !live && c.kind != leaves {
		return c
	}
	return control{}
}
