package eval

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
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

// settingVariables are the names by which variables of the environment are set.
var settingVariables = &load.Names{Is: model.SetsVariable, Texts: model.SetsVariables}

// loseSetVariables notes that a function of another module may have set again what the program has set
// of the environment. What such code sets besides, as one that reads a file with variables does,
// counts as a part of the environment.
func (ev *Evaluator) loseSetVariables(at ast.Expr, maySet func() bool) {
	var names []string
	for name, cell := range ev.remembered {
		if model.IsSetVariable(name) && !value.IsNil(cell.Load()) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	isLater := ev.callingEscaped || !ev.IsInMain() // the program may set one before
	if len(names) == 0 && !isLater || !maySet() {
		return
	}
	if unread := ev.readable(ev.calledPackage(at)); isLater && unread != "" {
		ev.read(unread)
	}
	ev.Variable(model.EnvironmentChanges).Load() // what others call is followed again when that changes
	why := value.UnknownAt(at.Pos(), "a variable of the environment that "+value.Source(CalledExpr(at))+" may have set")
	for _, name := range names {
		ev.Set(ev.remembered[name], why)
	}
}

func (ev *Evaluator) maySetVariables(fn *value.Func) bool {
	if fn == nil || fn.Obj.Pkg() == nil || isAbstract(fn.Obj) {
		return ev.program.OthersMention(settingVariables)
	}
	path := fn.Obj.Pkg().Path()
	if !ev.program.IsOthers(path) {
		return false
	}
	return ev.tells(path, fn.Obj.Name(), settingVariables) || ev.lentMention(settingVariables) ||
		ev.program.ImportedByOtherModule(path) && ev.program.OthersMention(settingVariables) // it may hold their functions
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
