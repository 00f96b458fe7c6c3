package eval

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// opaque stands for the call of a function whose body isn't read: another
// module's, the standard library's, or one that isn't known at all. Its results
// are unknown, what it could write to through its arguments becomes so, and the
// functions that it was given may be called or not.
func (ev *Evaluator) opaque(at ast.Expr, fn *value.Func, callee value.Value, args []value.Value) value.Value {
	why := value.UnknownResult(at)
	if u, ok := callee.(*value.Unknown); ok {
		why = u
	}
	if fn != nil && fn.Obj.Pkg() != nil && !ev.foreign.refused[fn.Obj.Origin()] {
		why.Unread = ev.readable(fn.Obj.Pkg().Path())
	}
	ev.user.Opaque(at, fn, args)
	if fn == nil || !model.ReadsOnly(fn.Obj) {
		ev.risk()
	}
	if fn != nil && !model.ReadsOnly(fn.Obj) {
		why.NonNil = false
		if fn.Bound {
			args = append([]value.Value{fn.Recv}, args...)
		}
		ev.Expose(at, args, why)
	} else if fn == nil {
		ev.Expose(at, args, why)
	}
	sig, _ := ev.calledSignature(at, fn)
	if sig == nil {
		return why
	}
	results := sig.Results()
	tuple := make(value.Tuple, results.Len())
	for i := range tuple {
		tuple[i] = &value.Unknown{Reason: why.Reason, Pos: why.Pos, Env: envName(fn, args), Unread: why.Unread}
	}
	if len(tuple) == 1 {
		return tuple[0]
	}
	return tuple
}

// envName returns the name of the environment variable that a call reads, ""
// for other calls.
func envName(fn *value.Func, args []value.Value) string {
	if fn == nil || len(args) != 1 {
		return ""
	}
	name, ok := args[0].(value.Const)
	switch fn.Obj.FullName() {
	case "os.Getenv", "os.LookupEnv":
		if ok {
			return constant.StringVal(name.Value)
		}
	}
	return ""
}

// CalledExpr returns what a call calls.
func CalledExpr(at ast.Expr) ast.Expr {
	if call, ok := at.(*ast.CallExpr); ok {
		return call.Fun
	}
	return at
}

func (ev *Evaluator) calledSignature(at ast.Expr, fn *value.Func) (*types.Signature, bool) {
	if fn != nil && fn.Type != nil {
		sig, ok := fn.Type.Underlying().(*types.Signature)
		return sig, ok
	}
	if fn != nil {
		return fn.Obj.Signature(), true
	}
	t := ev.frame.pkg.Info.TypeOf(CalledExpr(at))
	if t == nil {
		return nil, false
	}
	sig, ok := t.Underlying().(*types.Signature)
	return sig, ok
}

// expose gives values to a function that isn't read.
func (ev *Evaluator) Expose(at ast.Expr, args []value.Value, result *value.Unknown) {
	name := value.Source(CalledExpr(at))
	why := &value.Unknown{Reason: "a value that " + name + " may have changed", Pos: at.Pos(), Unread: result.Unread}
	ev.Havoc(why, args...)
	for _, fn := range functionsIn(args) {
		cond := &Condition{Pos: at.Pos(), Text: name + " calls the function it is given", Why: &value.Unknown{Unread: result.Unread}}
		ev.fork(cond, func() control {
			ev.Call(at, fn, ev.unknownArgs(at, fn, name))
			return control{}
		}, func() control { return control{} })
	}
}

// functionsIn returns the function values among the arguments whose bodies
// could matter.
func functionsIn(args []value.Value) []*value.Func {
	var functions []*value.Func
	for _, v := range args {
		switch v := v.(type) {
		case *value.Func:
			functions = append(functions, v)
		case *value.Slice:
			for _, cell := range v.Elems {
				if fn, ok := cell.Load().(*value.Func); ok {
					functions = append(functions, fn)
				}
			}
		}
	}
	return functions
}

func (ev *Evaluator) unknownArgs(at ast.Expr, fn *value.Func, name string) []value.Value {
	if fn.Type == nil {
		return nil
	}
	sig, ok := fn.Type.Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	args := make([]value.Value, sig.Params().Len())
	for i := range args {
		args[i] = &value.Unknown{Reason: "an argument that " + name + " gives", Pos: at.Pos(), NonNil: true}
	}
	return args
}
