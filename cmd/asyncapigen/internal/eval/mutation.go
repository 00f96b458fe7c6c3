package eval

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// A function that has escaped may be called in any later state. One that doesn't lead to
// what the user records is followed again where it may change something else than it
// did: where a variable has changed since that it looks at, or writes to.
// See docs/decisions/0073.

// mutators are the functions that have escaped and may change variables.
type mutators struct {
	all     []*mutator
	checked int // State.Stirred when they were last looked through
}

type mutator struct {
	*callable
	seen *value.Cell // the sights of when it was last followed
}

// sights are the variables that a function used, with what they held after that.
type sights struct{ all []sight }

type sight struct {
	cell *value.Cell
	v    value.Value
	keys int // of a map
}

// DynamicType implements [value.Atom].
func (*sights) DynamicType() types.Type { return nil }

func keysOf(v value.Value) int {
	if m, ok := v.(*value.Map); ok {
		return m.Keys()
	}
	return 0
}

// add follows a function that has escaped now.
func (m *mutators) add(ev *Evaluator, c *callable, follow func(*callable)) {
	one := &mutator{c, value.NewCell(nil)}
	one.follow(ev, follow)
	m.all = append(m.all, one)
}

// again follows those that may change something else than they did.
func (m *mutators) again(ev *Evaluator, follow func(*callable)) {
	now := ev.Stirred()
	if m.checked == now {
		return
	}
	m.checked = now
	for _, one := range slices.Clone(m.all) {
		if !one.sees(ev) {
			one.follow(ev, follow)
		}
	}
}

// sees reports whether a function would do what it did. In the present state it may not
// have escaped.
func (m *mutator) sees(ev *Evaluator) bool {
	v := m.seen.Load()
	s, ok := v.(*sights)
	if !ok {
		return v == nil
	}
	ev.work(len(s.all))
	for _, at := range s.all {
		if v := at.cell.Load(); !value.Same(v, at.v) || keysOf(v) != at.keys {
			return false
		}
	}
	return true
}

// follow follows a function, and remembers what it saw. A variable of a package may be
// made when it is first looked at.
func (m *mutator) follow(ev *Evaluator, follow func(*callable)) {
	r := value.Reach{Captured: ev.capturedBy}
	r.Values(m.fn)
	r.Add(ev.inTurn...)
	known, made := len(r.Cells), len(ev.inTurn)
	used := value.Uses(r.Cells, func() { follow(m.callable) })
	r.Add(ev.inTurn[made:]...)
	ev.work(len(r.Cells))
	s := &sights{}
	for _, cell := range append(used, value.Used(r.Cells[known:])...) {
		v := cell.Load()
		s.all = append(s.all, sight{cell, v, keysOf(v)})
		cell.Watch()
	}
	ev.Set(m.seen, s)
	m.seen.Watch()
}

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
	return decl != nil && ev.codeMutates(pkg, decl)
}

// codeMutates is mutates of a function literal or declaration.
func (ev *Evaluator) codeMutates(pkg *load.Package, code ast.Node) bool {
	does, known := ev.mutating[code]
	if known {
		return does
	}
	ev.mutating[code] = false // for those that call themselves
	does = changesOthers(pkg, code) || callsUnnamed(pkg, code)
	for _, obj := range UsedObjects(pkg, code) {
		if fn, ok := obj.(*types.Func); ok && !does {
			in, decl := ev.declaration(fn)
			does = decl != nil && ev.codeMutates(in, decl)
		}
	}
	ev.mutating[code] = does
	return does
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

// callsUnnamed reports whether code calls a function that is a value.
func callsUnnamed(pkg *load.Package, code ast.Node) bool {
	found := false
	ast.Inspect(code, func(node ast.Node) bool {
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
		_, isFunc := pkg.Info.Uses[name].(*types.Func)
		found = found || !isFunc
		return !found
	})
	return found
}
