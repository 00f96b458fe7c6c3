package eval

import (
	"go/ast"
	"go/token"
	"go/types"
)

// isOwnList reports whether a call appends to a list that only a variable of the running
// function has: the variable was declared empty there, and nothing but v = append(v, ...)
// has been done with it by then. No other slice shares the array.
func (ev *Evaluator) isOwnList(call ast.Expr) bool {
	info, body := ev.frame.pkg.Info, ev.frame.body
	to, isCall := call.(*ast.CallExpr)
	if !isCall || body == nil || builtinName(ast.Unparen(to.Fun)) != "append" {
		return false
	}
	v := variableOf(info, to.Args[0])
	if v == nil {
		return false
	}
	declared, own, until := false, true, to.End()
	appended := make(map[ast.Expr]bool) // names of v in such statements
	ast.Inspect(body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.BranchStmt:
			own = own && node.Tok != token.GOTO
		case *ast.ForStmt, *ast.RangeStmt:
			if v.Pos() < node.Pos() && node.Pos() <= to.Pos() && to.End() <= node.End() {
				until = max(until, node.End()) // what comes after it may run before it
			}
		case *ast.ValueSpec:
			for _, name := range node.Names {
				declared = declared || info.Defs[name] == v && len(node.Values) == 0
			}
		case *ast.AssignStmt:
			if from := selfAppended(info, node, v); from != nil {
				appended[node.Lhs[0]], appended[from] = true, true
			}
		case *ast.Ident:
			own = own && (info.Uses[node] != v || appended[node] || node.Pos() >= until)
		}
		return true
	})
	return declared && own
}

// selfAppended returns the second v of v = append(v, ...), nil for another statement.
func selfAppended(info *types.Info, stmt *ast.AssignStmt, v *types.Var) ast.Expr {
	if stmt.Tok != token.ASSIGN || len(stmt.Lhs) != 1 || len(stmt.Rhs) != 1 || variableOf(info, stmt.Lhs[0]) != v {
		return nil
	}
	call, ok := stmt.Rhs[0].(*ast.CallExpr)
	if !ok || !info.Types[call.Fun].IsBuiltin() || builtinName(ast.Unparen(call.Fun)) != "append" || variableOf(info, call.Args[0]) != v {
		return nil
	}
	return call.Args[0]
}

// variableOf returns the variable that an expression is the name of, nil for others.
func variableOf(info *types.Info, expr ast.Expr) *types.Var {
	name, ok := expr.(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := info.ObjectOf(name).(*types.Var)
	return v
}
