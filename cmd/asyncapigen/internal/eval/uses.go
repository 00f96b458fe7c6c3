package eval

import (
	"go/ast"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// UsedObjects lists the functions and package variables that are referred to.
func UsedObjects(pkg *load.Package, in ast.Node) []types.Object {
	var used []types.Object
	ast.Inspect(in, func(node ast.Node) bool {
		ident, ok := node.(*ast.Ident)
		if !ok {
			return true
		}
		switch obj := pkg.Info.Uses[ident].(type) {
		case *types.Func:
			used = append(used, obj.Origin())
		case *types.Var:
			if isPackageVariable(obj) {
				used = append(used, obj)
			}
		}
		return true
	})
	return used
}

func isPackageVariable(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// rootOf returns the name that an expression begins with, nil for others.
func rootOf(expr ast.Expr) *ast.Ident {
	switch expr := expr.(type) {
	case *ast.Ident:
		return expr
	case *ast.ParenExpr:
		return rootOf(expr.X)
	case *ast.SelectorExpr:
		if root := rootOf(expr.X); root != nil {
			return root
		}
		return expr.Sel
	case *ast.IndexExpr:
		return rootOf(expr.X)
	case *ast.SliceExpr:
		return rootOf(expr.X)
	case *ast.StarExpr:
		return rootOf(expr.X)
	default:
		return nil
	}
}
