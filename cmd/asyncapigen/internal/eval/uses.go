package eval

import (
	"go/ast"
	"go/types"
	"slices"

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

// UsedBy lists the functions and package variables that the declaration of one of them refers to,
// none where it isn't read.
func (ev *Evaluator) UsedBy(obj types.Object) []types.Object {
	switch obj := obj.(type) {
	case *types.Func:
		if pkg, decl := ev.declaration(obj); decl != nil {
			return UsedObjects(pkg, decl.Body)
		}
	case *types.Var:
		pkg := ev.source(obj.Pkg().Path())
		if pkg == nil {
			return nil
		}
		twin := twinVar(pkg.Types, obj)
		for _, initializer := range pkg.Info.InitOrder {
			if slices.Contains(initializer.Lhs, twin) {
				return UsedObjects(pkg, initializer.Rhs)
			}
		}
	}
	return nil
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
