package eval

import (
	"go/ast"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// recursive reports whether a function calls itself again and again under
// conditions that aren't known: nothing would ever end that.
func (ev *Evaluator) recursive(f function) bool {
	const most = 4
	n := 0
	for frame := ev.frame; frame != nil && len(ev.conds) > 0; frame = frame.outer {
		if frame.body == f.body && frame.conds > 0 {
			if n++; n == most {
				return true
			}
		}
	}
	return false
}

// giveUpRecursion stands for a call of a function that calls itself too often to be
// followed: what it may change isn't known. It may be followed once the packages are read
// on which its conditions and arguments depend.
func (ev *Evaluator) giveUpRecursion(f function, at ast.Expr, args []value.Value) value.Value {
	ev.NeedOn(ev.Way())
	ev.needUnread(args)
	why := value.UnknownAt(at.Pos(), "the result of a recursion that is too deep to follow")
	ev.Havoc(why, append(args, f.recvValue)...)
	r := reached{in: ev, seen: make(map[ast.Node]bool)}
	r.body(f.pkg, f.body, f.scope)
	for _, arg := range append(args, f.recvValue) {
		r.value(arg)
	}
	if r.leads {
		ev.Lost(at, value.UnknownAt(ev.OwnPos(at.Pos()), why.Reason), "loop over a table that the code determines")
	}
	for _, cell := range r.cells {
		ev.Havoc(&value.Unknown{Reason: "a value that a recursion which is too deep to follow may have changed", Pos: at.Pos()}, value.Pointer{To: cell})
	}
	return why
}

// reached is what the code of a function leads to: the variables around it and of
// packages that it may change.
type reached struct {
	in    *Evaluator
	seen  map[ast.Node]bool
	cells []*value.Cell
	leads bool // to what the user records
}

// body adds what code leads to, which stands within a scope.
func (r *reached) body(pkg *load.Package, body ast.Node, around *scope) {
	if body == nil || r.seen[body] {
		return
	}
	r.seen[body] = true
	r.leads = r.leads || r.in.user.Leads(pkg, body)
	changed := changedVariables(pkg, body)
	ast.Inspect(body, func(node ast.Node) bool {
		if name, ok := node.(*ast.Ident); ok {
			switch obj := pkg.Info.Uses[name].(type) {
			case *types.Func:
				r.function(obj)
			case *types.Var:
				r.variable(obj, around, changed[obj])
			}
		}
		return true
	})
}

// variable adds a variable where it is changed, and the function that it holds.
func (r *reached) variable(v *types.Var, around *scope, changed bool) {
	cell := around.lookup(v)
	if isPackageVariable(v) && r.in.source(v.Pkg().Path()) != nil {
		cell = r.in.global(v)
	}
	if cell == nil {
		return
	}
	if changed {
		r.cells = append(r.cells, cell)
	}
	r.value(cell.Load())
}

// value adds the functions that a value leads to.
func (r *reached) value(v value.Value) {
	var functions []*value.Func
	reach := value.Reach{Captured: r.in.capturedBy, Visit: func(v value.Value) {
		if fn, ok := v.(*value.Func); ok {
			functions = append(functions, fn)
		}
	}}
	reach.Values(v)
	r.in.work(len(reach.Cells))
	for _, fn := range functions {
		if c, isLiteral := fn.Closure.(*closure); isLiteral {
			r.body(c.pkg, c.lit.Body, c.scope)
		} else if fn.Obj != nil {
			r.function(fn.Obj)
		}
	}
}

// function adds what a declared function leads to. A method of an interface may be
// any of its name.
func (r *reached) function(fn *types.Func) {
	if !isAbstract(fn) {
		if pkg, decl := r.in.declaration(fn); decl != nil {
			r.body(pkg, decl.Body, nil)
		}
		return
	}
	for _, made := range r.in.ownMethodsNow().methods {
		if made.method.Name() == fn.Name() {
			r.function(made.method)
		}
	}
}
