package eval

import (
	"go/ast"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// An Explorer is a [User] that wants to see what a program may do, where it isn't
// known what it does.
type Explorer interface {
	User

	// Explores has a call of a function that isn't known go to each of those that it
	// may be, such as the entries of a map whose key isn't known.
	Explores(at ast.Expr) bool
}

// callPossible calls the functions that a call which can't be entered may call, for a user
// that wants to know. What they leave is one of the ways on which the program goes on.
func (ev *Evaluator) callPossible(at ast.Expr, fn *value.Func, callee value.Value, args []value.Value) {
	user, ok := ev.user.(Explorer)
	if !ok {
		return
	}
	var may []*value.Func
	if u, ok := callee.(*value.Unknown); ok {
		for _, target := range u.Targets {
			if f, isFunc := target.(*value.Func); isFunc {
				may = append(may, f)
			}
		}
	}
	if fn != nil && fn.Bound && fn.Obj != nil {
		recv, isUnknown := fn.Recv.(*value.Unknown)
		if isUnknown && types.IsInterface(fn.Obj.Signature().Recv().Type()) {
			for _, target := range recv.Targets {
				if method := ev.Method(at, target, fn.Obj.Name()); method != nil {
					may = append(may, method)
				}
			}
		}
	}
	if len(may) == 0 || !user.Explores(at) {
		return
	}
	for _, f := range may {
		ev.perhaps(ev.condition(at, value.Source(CalledExpr(at))), func() { ev.Call(at, f, args) })
	}
}

// callImplementations follows a method of an interface whose value isn't known: any type
// of the program's may be in it, whose value leads nowhere else.
func (ev *Evaluator) callImplementations(at ast.Expr, fn *value.Func, args []value.Value) {
	if fn == nil || fn.Obj == nil || !fn.Bound || !value.IsUnknown(fn.Recv) {
		return
	}
	recv := fn.Obj.Signature().Recv()
	if recv == nil || !types.IsInterface(recv.Type()) {
		return
	}
	name := value.Source(CalledExpr(at))
	for _, made := range ev.methodsThatMatter() {
		if made.method.Name() != fn.Obj.Name() || made.method.Signature().Params().Len() != fn.Obj.Signature().Params().Len() {
			continue
		}
		method := ev.methodOfAny(at, made)
		ev.perhaps(ev.condition(at, name+" is the method of "+made.of.Obj().Name()), func() { ev.Call(at, method, args) })
	}
}
