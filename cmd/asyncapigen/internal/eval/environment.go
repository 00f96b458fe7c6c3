package eval

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A variable of the environment has one value, however often the program asks for it,
// until code that isn't followed may have set it. What the program itself sets is for
// the models of package os.

// askedFor begins the name of what is remembered of a variable of the environment.
const askedFor = "os.Getenv "

// sameVariable returns the value of a variable of the environment, which is as it was
// when the program has asked for it before, and otherwise unknown for the reason why.
func (ev *Evaluator) sameVariable(name string, why *value.Unknown) value.Value {
	cell := ev.Variable(askedFor + name)
	switch v := cell.Load().(type) {
	case value.Const:
		return v
	case *value.Unknown:
		if v.Stable {
			here := *v
			here.Reason, here.Pos, here.Place = why.Reason, why.Pos, why.Place
			return here.CopyOf(v)
		}
	}
	if !slices.Contains(ev.environs, cell) {
		ev.environs = append(ev.environs, cell)
	}
	first := *why.Bare()
	first.Stable = true
	ev.Set(cell, &first)
	return &first
}

// forgetEnvironment notes that any variable of the environment may have been set.
func (ev *Evaluator) forgetEnvironment() {
	for _, cell := range ev.environs {
		if !value.IsNil(cell.Load()) {
			ev.Set(cell, value.Nil{})
		}
	}
}

// assumeVariable notes that the value of a variable of the environment, of which v is
// a copy, is another one in the branch that is followed.
func (ev *Evaluator) assumeVariable(v *value.Unknown, is value.Value) {
	if !v.Stable {
		return
	}
	for _, cell := range ev.environs {
		if u, ok := cell.Load().(*value.Unknown); ok && u.IsCopyOf(v) {
			ev.Set(cell, is)
		}
	}
}

// askedVariable returns what is remembered of the variable of the environment that an
// expression asks for, nil for others.
func (ev *Evaluator) askedVariable(expr ast.Expr) *value.Cell {
	call, ok := ast.Unparen(expr).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	fn, ok := ev.frame.pkg.Info.Uses[selector.Sel].(*types.Func)
	if !ok || fn.FullName() != "os.Getenv" {
		return nil
	}
	name, known := ev.constantText(call.Args[0])
	if !known {
		return nil
	}
	if cell := ev.Variable(askedFor + name); slices.Contains(ev.environs, cell) {
		return cell
	}
	return nil
}
