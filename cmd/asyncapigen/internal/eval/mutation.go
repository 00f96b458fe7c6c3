package eval

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// mutates reports whether a function may change variables that aren't its own, or
// calls one that isn't known from its code.
func (ev *Evaluator) mutates(fn *value.Func) bool {
	if c, ok := fn.Closure.(*closure); ok {
		return ev.codeMutates(c.pkg, c.lit)
	}
	if fn.Obj == nil {
		return fn.Native != nil
	}
	pkg, decl := ev.declaration(fn.Obj)
	return model.Remembers(fn.Obj) || decl != nil && ev.codeMutates(pkg, decl)
}

// codeMutates is mutates of a function literal or declaration. It finds that out for
// all functions that lead from there to each other at once.
func (ev *Evaluator) codeMutates(pkg *load.Package, code ast.Node) bool {
	usedBy := make(map[ast.Node][]ast.Node)
	ev.readCode(pkg, code, usedBy)
	var changing []ast.Node
	for used := range usedBy {
		if ev.mutating[used] {
			changing = append(changing, used)
		}
	}
	for len(changing) > 0 {
		used := changing[len(changing)-1]
		changing = changing[:len(changing)-1]
		for _, user := range usedBy[used] {
			if !ev.mutating[user] {
				ev.mutating[user] = true
				changing = append(changing, user)
			}
		}
	}
	return ev.mutating[code]
}

// readCode notes whether a function may change variables of others itself, and which
// functions it uses, of those that it leads to.
func (ev *Evaluator) readCode(pkg *load.Package, code ast.Node, usedBy map[ast.Node][]ast.Node) {
	if _, known := ev.mutating[code]; known {
		return
	}
	ev.mutating[code] = changesOthers(pkg, code) || callsUnnamed(pkg, code)
	for _, obj := range UsedObjects(pkg, code) {
		fn, ok := obj.(*types.Func)
		if !ok {
			continue
		}
		ev.mutating[code] = ev.mutating[code] || model.Remembers(fn)
		if in, decl := ev.declaration(fn); decl != nil {
			usedBy[decl] = append(usedBy[decl], code)
			ev.readCode(in, decl, usedBy)
		}
	}
}

// changesOthers reports whether a function may change variables that aren't declared in
// it; its receiver isn't its own.
func changesOthers(pkg *load.Package, code ast.Node) bool {
	var own []ast.Node
	switch code := code.(type) {
	case *ast.FuncLit:
		own = []ast.Node{code}
	case *ast.FuncDecl:
		own = []ast.Node{code.Type.Params}
		if code.Type.Results != nil {
			own = append(own, code.Type.Results)
		}
		if code.Body != nil {
			own = append(own, code.Body)
		}
	}
	for v := range changedVariables(pkg, code) {
		if !slices.ContainsFunc(own, func(node ast.Node) bool { return node.Pos() <= v.Pos() && v.Pos() < node.End() }) {
			return true
		}
	}
	return false
}

// callsUnnamed reports whether code calls a function that is a value, or a method of a
// value whose type isn't known.
func callsUnnamed(pkg *load.Package, code ast.Node) bool {
	found := false
	ast.Inspect(code, func(node ast.Node) bool {
		if loop, ok := node.(*ast.RangeStmt); ok {
			found = found || mayRangeOverFunction(pkg.Info.TypeOf(loop.X))
		}
		call, ok := node.(*ast.CallExpr)
		if !ok || pkg.Info.Types[call.Fun].IsType() || pkg.Info.Types[call.Fun].IsBuiltin() {
			return !found
		}
		var name *ast.Ident
		switch fun := ast.Unparen(call.Fun).(type) {
		case *ast.Ident:
			name = fun
		case *ast.SelectorExpr:
			name = fun.Sel
		case *ast.IndexExpr:
			name = rootOf(fun)
		case *ast.IndexListExpr:
			name = rootOf(fun.X)
		}
		if name == nil {
			_, isLiteral := ast.Unparen(call.Fun).(*ast.FuncLit)
			found = found || !isLiteral
			return !found
		}
		fn, isFunc := pkg.Info.Uses[name].(*types.Func)
		found = found || !isFunc || isAbstract(fn)
		return !found
	})
	return found
}

// mayRangeOverFunction reports whether a loop over a value of a type may call it. That of
// a type parameter may be one of a function.
func mayRangeOverFunction(t types.Type) bool {
	if t == nil {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Signature, *types.Interface:
		return true
	default:
		return false
	}
}
