package sends

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// isShared reports whether others may change the maps and slices of a variable, by what is
// done with it, or with a part of it, there: it is stored, passed or returned. It isn't
// where it is only set, read, or given to a maker of publishers.
func isShared(pkg *load.Package, expr ast.Expr, around []ast.Node) bool {
	last := len(around) - 1
	switch outer := around[last].(type) {
	case *ast.ParenExpr:
		return isShared(pkg, outer, around[:last])
	case *ast.KeyValueExpr:
		return isShared(pkg, outer, around[:last])
	case *ast.SelectorExpr:
		part := pkg.Info.Selections[outer] // nil of a variable of a package
		if part != nil && part.Kind() == types.FieldVal && !hasReferences(part.Type()) {
			return false
		}
		return part != nil && part.Kind() != types.FieldVal || isShared(pkg, outer, around[:last])
	case *ast.CompositeLit:
		return !isGivenToMaker(pkg, outer, around[:last])
	case *ast.CallExpr:
		return outer.Fun != expr && !isLength(pkg, outer) && !makes(pkg, outer)
	case *ast.AssignStmt:
		return !isAmong(expr, outer.Lhs)
	case *ast.IndexExpr, *ast.RangeStmt, *ast.BinaryExpr:
		return false
	}
	return true
}

// isGivenToMaker reports whether a literal is an argument of NewPublisher or NewCaller, so
// that no code has it.
func isGivenToMaker(pkg *load.Package, lit *ast.CompositeLit, around []ast.Node) bool {
	call, ok := around[len(around)-1].(*ast.CallExpr)
	return ok && makes(pkg, call) && isAmong(lit, call.Args)
}

func isAmong(expr ast.Expr, all []ast.Expr) bool {
	return slices.ContainsFunc(all, func(one ast.Expr) bool { return ast.Unparen(one) == ast.Unparen(expr) })
}

func isLength(pkg *load.Package, call *ast.CallExpr) bool {
	name, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && pkg.Info.Uses[name] == types.Universe.Lookup("len")
}

// hasReferences reports whether a value has something in common with its copies: a map, a
// slice or a pointer.
func hasReferences(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Map, *types.Slice, *types.Pointer:
		return true
	case *types.Array:
		return hasReferences(u.Elem())
	case *types.Struct:
		for field := range u.Fields() {
			if hasReferences(field.Type()) {
				return true
			}
		}
	}
	return false
}
