package sends

import (
	"go/ast"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// isShared reports whether others may change the maps and slices of the variable that an
// identifier names, by what is done with it there: it is stored, passed or returned. It
// isn't where it is only set, read in part, or given to a maker of publishers.
func isShared(pkg *load.Package, ident *ast.Ident, around []ast.Node) bool {
	var expr ast.Expr = ident
	for i := len(around) - 1; i >= 0; i-- {
		switch outer := around[i].(type) {
		case *ast.ParenExpr:
			expr = outer
		case *ast.SelectorExpr:
			selection := pkg.Info.Selections[outer]
			if selection != nil && (selection.Kind() != types.FieldVal || !hasReferences(selection.Type())) {
				return selection.Kind() != types.FieldVal
			}
			expr = outer // of a package, or of a field that may be shared
		case *ast.CompositeLit:
			return !isGivenToMaker(pkg, outer, around[:i])
		case *ast.KeyValueExpr: // of a composite literal
		case *ast.CallExpr:
			return outer.Fun != expr && !isLength(pkg, outer) && !makes(pkg, outer)
		case *ast.AssignStmt:
			return !isAmong(expr, outer.Lhs)
		case *ast.IndexExpr, *ast.RangeStmt, *ast.BinaryExpr:
			return false
		default:
			return true
		}
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
	for _, one := range all {
		if ast.Unparen(one) == ast.Unparen(expr) {
			return true
		}
	}
	return false
}

func isLength(pkg *load.Package, call *ast.CallExpr) bool {
	builtin, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = pkg.Info.Uses[builtin].(*types.Builtin)
	return ok && builtin.Name == "len"
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
