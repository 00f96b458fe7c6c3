package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// isOwnList reports whether a call appends to a list that only a variable of the running
// function has: the variable was declared there without a value or with a new one, and nothing
// but v = append(v, ...) or return append(v, ...), len(v), cap(v) and loops over it has been
// done with it by then. No other slice shares the array.
func (ev *Evaluator) isOwnList(call ast.Expr) bool {
	info, body := ev.frame.pkg.Info, ev.frame.body
	to, isCall := call.(*ast.CallExpr)
	if !isCall || body == nil || !isBuiltin(info, to, "append") {
		return false
	}
	v := variableOf(info, to.Args[0])
	if v == nil {
		return false
	}
	declared, own := false, true
	harmless, until := harmlessUses(info, body, to, v), endOfLoops(body, to, v)
	ast.Inspect(body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.BranchStmt:
			own = own && node.Tok != token.GOTO
		case *ast.ValueSpec:
			declared = declared || declaresNew(info, node.Names, node.Values, v)
		case *ast.AssignStmt:
			declared = declared || node.Tok == token.DEFINE && declaresNew(info, names(node.Lhs), node.Rhs, v)
		case *ast.Ident:
			own = own && (info.Uses[node] != v || harmless[node] || node.Pos() >= until)
		}
		return true
	})
	return declared && own
}

// harmlessUses returns the names of a list that give no other variable its array. The call is
// the append after which it is asked whether one has it.
func harmlessUses(info *types.Info, body *ast.BlockStmt, call *ast.CallExpr, list *types.Var) map[ast.Expr]bool {
	harmless := make(map[ast.Expr]bool)
	ast.Inspect(body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.RangeStmt:
			harmless[node.X] = true
		case *ast.CallExpr:
			if isBuiltin(info, node, "len", "cap") {
				harmless[node.Args[0]] = true
			}
		case *ast.AssignStmt:
			if from := selfAppended(info, node, list); from != nil {
				harmless[node.Lhs[0]], harmless[from] = true, true
			}
		case *ast.ReturnStmt:
			if len(node.Results) == 1 && node.Results[0] == call {
				harmless[call.Args[0]] = true
			}
		}
		return true
	})
	return harmless
}

// endOfLoops returns the end of the statement of a call, or of the outermost loop around it
// whose body doesn't declare the variable: what comes after the call in it may run before it, or
// before the variable is assigned to.
func endOfLoops(body *ast.BlockStmt, call *ast.CallExpr, v *types.Var) token.Pos {
	end, around := call.End(), token.NoPos
	ast.Inspect(body, func(node ast.Node) bool {
		if stmt, ok := node.(ast.Stmt); ok && stmt.Pos() <= call.Pos() && call.End() <= stmt.End() {
			around = stmt.End() // the innermost comes last
		}
		var loop *ast.BlockStmt
		switch node := node.(type) {
		case *ast.ForStmt:
			loop = node.Body
		case *ast.RangeStmt:
			loop = node.Body
		}
		if loop != nil && v.Pos() < loop.Pos() && node.Pos() <= call.Pos() && call.End() <= node.End() {
			end = max(end, node.End())
		}
		return true
	})
	return max(end, around)
}

// declaresNew reports whether a declaration gives v no value, or a slice whose array it makes.
func declaresNew(info *types.Info, declared []*ast.Ident, values []ast.Expr, v *types.Var) bool {
	for i, name := range declared {
		if name == nil || info.Defs[name] != v {
			continue
		}
		switch {
		case len(values) == 0:
			return true
		case len(values) != len(declared):
			return false
		}
		call, ok := values[i].(*ast.CallExpr)
		return ok && isBuiltin(info, call, "make")
	}
	return false
}

// names returns the names among expressions, nil for others.
func names(exprs []ast.Expr) []*ast.Ident {
	all := make([]*ast.Ident, len(exprs))
	for i, expr := range exprs {
		all[i], _ = expr.(*ast.Ident)
	}
	return all
}

// selfAppended returns the second v of v = append(v, ...), which may be the first of several
// assignments, nil for another statement.
func selfAppended(info *types.Info, stmt *ast.AssignStmt, v *types.Var) ast.Expr {
	call, ok := stmt.Rhs[0].(*ast.CallExpr)
	if !ok || !isBuiltin(info, call, "append") || variableOf(info, call.Args[0]) != v || variableOf(info, stmt.Lhs[0]) != v {
		return nil
	}
	return call.Args[0]
}

// isBuiltin reports whether a call is of one of the functions of the language.
func isBuiltin(info *types.Info, call *ast.CallExpr, names ...string) bool {
	return info.Types[call.Fun].IsBuiltin() && slices.Contains(names, builtinName(ast.Unparen(call.Fun)))
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
