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

// UsedBy lists what a function uses, or what is assigned to a variable that leads to functions;
// nothing where the declaration isn't read.
func (ev *Evaluator) UsedBy(obj types.Object, uses func(*load.Package, ast.Node) []types.Object) (used []types.Object) {
	switch obj := obj.(type) {
	case *types.Func:
		if pkg, decl := ev.declaration(obj); decl != nil {
			return uses(pkg, decl.Body)
		}
	case *types.Var:
		if !holdsCode(obj.Type()) {
			return nil
		}
		if pkg := ev.source(obj.Pkg().Path()); pkg != nil {
			for _, node := range assignmentsTo(pkg, twinVar(pkg.Types, obj)) {
				used = append(used, uses(pkg, node)...)
			}
		}
	}
	return used
}

// assignmentsTo returns the declarations and statements of a package that mention one of its
// variables, or a part of it, on the left.
func assignmentsTo(pkg *load.Package, v *types.Var) (all []ast.Node) {
	isOf := func(expr ast.Expr) bool {
		root := rootOf(expr)
		return root != nil && (pkg.Info.Uses[root] == v || pkg.Info.Defs[root] == v)
	}
	for _, file := range pkg.Files {
		ast.Inspect(file, func(node ast.Node) bool {
			switch stmt := node.(type) {
			case *ast.ValueSpec:
				if slices.ContainsFunc(stmt.Names, func(name *ast.Ident) bool { return pkg.Info.Defs[name] == v }) {
					all = append(all, stmt)
				}
			case *ast.AssignStmt:
				if slices.ContainsFunc(stmt.Lhs, isOf) {
					all = append(all, stmt)
				}
			}
			return true
		})
	}
	return all
}

func isPackageVariable(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// nameIn returns the name that an expression is, or selects, nil for others.
func nameIn(expr ast.Expr) *ast.Ident {
	switch expr := expr.(type) {
	case *ast.Ident:
		return expr
	case *ast.SelectorExpr:
		return expr.Sel
	default:
		return nil
	}
}

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
