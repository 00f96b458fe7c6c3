package load

import (
	"go/ast"
	"go/token"
)

// mentionFinder finds the names that code mentions.
type mentionFinder struct {
	imports   map[string][]string
	aliases   map[string]*ast.SelectorExpr // by the names of variables: whose lists they have
	names     map[string]bool
	mentioned map[qualified]bool
}

// inspect notes the names that code mentions, but for that of a function which it declares. After an
// import by a dot, any name may be of that package.
func (f *mentionFinder) inspect(code ast.Node) {
	declared, _ := code.(*ast.FuncDecl)
	ast.Inspect(code, func(node ast.Node) bool {
		if declared != nil && node == declared.Name {
			return false
		}
		switch node := node.(type) {
		case *ast.AssignStmt:
			for _, left := range node.Lhs {
				f.assigned(left)
			}
			f.noteAliases(node)
		case *ast.CallExpr:
			f.givenAway(node)
		case *ast.UnaryExpr:
			if node.Op == token.AND {
				f.assigned(node.X)
			}
		case *ast.SelectorExpr:
			f.mention(node, "")
			switch of := ast.Unparen(node.X).(type) {
			case *ast.SelectorExpr:
				f.mention(of, "."+node.Sel.Name)
			case *ast.CallExpr:
				if called, ok := of.Fun.(*ast.SelectorExpr); ok {
					f.mention(called, "()."+node.Sel.Name)
				}
			}
		case *ast.Ident:
			for _, path := range f.imports["."] {
				f.mentioned[qualified{path, node.Name}] = true
			}
			f.names[node.Name] = true
		}
		return true
	})
}

// assigned notes that code assigns to what an expression begins with, if it is a name of an imported
// package, or to an element of a variable that has such a one's list.
func (f *mentionFinder) assigned(left ast.Expr) {
	switch left := ast.Unparen(left).(type) {
	case *ast.IndexExpr:
		if name, ok := ast.Unparen(left.X).(*ast.Ident); ok && f.aliases[name.Name] != nil {
			f.mention(f.aliases[name.Name], "=")
		}
		f.assigned(left.X)
	case *ast.StarExpr:
		f.assigned(left.X)
	case *ast.SelectorExpr:
		if !f.mention(left, "=") {
			f.assigned(left.X)
		}
	}
}

// mention notes a name of an imported package, with what is behind it. It reports whether the
// expression may be one.
func (f *mentionFinder) mention(of *ast.SelectorExpr, behind string) bool {
	name, ok := of.X.(*ast.Ident)
	if !ok {
		return false
	}
	for _, path := range f.imports[name.Name] {
		f.mentioned[qualified{path, of.Sel.Name + behind}] = true
	}
	return true
}

// noteAliases notes the variables that get a list which a name of a package has, or a part of it.
func (f *mentionFinder) noteAliases(stmt *ast.AssignStmt) {
	for i, right := range stmt.Rhs {
		if i >= len(stmt.Lhs) {
			return
		}
		name, ok := stmt.Lhs[i].(*ast.Ident)
		if of := listOf(right); ok && of != nil {
			f.aliases[name.Name] = of
		}
	}
}

// givenAway notes the lists that functions of the package itself, copy and append may write to.
func (f *mentionFinder) givenAway(call *ast.CallExpr) {
	callee, ok := call.Fun.(*ast.Ident)
	if !ok || callee.Name == "len" || callee.Name == "cap" {
		return
	}
	args := call.Args
	if (callee.Name == "copy" || callee.Name == "append") && len(args) > 0 {
		args = args[:1]
	}
	for _, arg := range args {
		if of := listOf(arg); of != nil {
			f.mention(of, "=")
		}
	}
}

// listOf returns the selector whose list an expression is, or a part of it, nil for others.
func listOf(expr ast.Expr) *ast.SelectorExpr {
	switch expr := ast.Unparen(expr).(type) {
	case *ast.SliceExpr:
		return listOf(expr.X)
	case *ast.SelectorExpr:
		return expr
	default:
		return nil
	}
}
