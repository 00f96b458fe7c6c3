package discover

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// opaque stands for the call of a function whose body isn't read: another
// module's, the standard library's, or one that isn't known at all. Its results
// are unknown, what it could write to through its arguments becomes so, and the
// functions that it was given may be called or not.
func (in *interp) opaque(at ast.Expr, fn *Func, callee Value, args []Value) Value {
	why := in.unknown(at.Pos(), "the result of "+source(at))
	if u, ok := callee.(*Unknown); ok {
		why = u
	}
	if fn != nil && fn.Obj.Pkg() != nil && !in.abroad.refused[fn.Obj.Origin()] {
		why.wants = in.wants(fn.Obj.Pkg().Path())
	}
	in.checkRouters(at, fn, args)
	if fn != nil && !readsOnly(fn.Obj) {
		why.NonNil = false
		if fn.Bound {
			args = append([]Value{fn.Recv}, args...)
		}
		in.expose(at, args, why)
	} else if fn == nil {
		in.expose(at, args, why)
	}
	sig, _ := in.calledSignature(at, fn)
	if sig == nil {
		return why
	}
	results := sig.Results()
	tuple := make(Tuple, results.Len())
	for i := range tuple {
		tuple[i] = &Unknown{Reason: why.Reason, Pos: why.Pos, Env: envName(fn, args), wants: why.wants}
	}
	if len(tuple) == 1 {
		return tuple[0]
	}
	return tuple
}

// envName returns the name of the environment variable that a call reads, ""
// for other calls.
func envName(fn *Func, args []Value) string {
	if fn == nil || len(args) != 1 {
		return ""
	}
	name, ok := args[0].(Const)
	switch fn.Obj.FullName() {
	case "os.Getenv", "os.LookupEnv":
		if ok {
			return constant.StringVal(name.Value)
		}
	}
	return ""
}

// checkRouters says what is lost when a function that isn't known gets a router
// or routes.
func (in *interp) checkRouters(at ast.Expr, fn *Func, args []Value) {
	if fn != nil && !(fn.Obj.Signature().Recv() != nil && types.IsInterface(fn.Obj.Signature().Recv().Type())) {
		return
	}
	if fn != nil && load.IsLibrary(fn.Obj.Pkg().Path()) {
		return
	}
	for _, v := range args {
		if slice, ok := v.(*Slice); ok && len(slice.Elems) > 0 {
			v = slice.Elems[0].v
		}
		_, isHandler := v.(*Handler)
		if t := typeOf(v); isHandler || isRouter(elemOf(t)) || isRoute(t) {
			in.report(at.Pos(), diagnostic.Diagnostic{
				Code:   diagnostic.UnknownRoute,
				What:   "the routes that this call registers aren't known",
				Why:    "the code that is analysed doesn't determine which function " + source(calledExpr(at)) + " is",
				Remedy: remedies[diagnostic.UnknownRoute],
			})
			return
		}
	}
}

func isHandler(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == load.RuntimePath && named.Obj().Name() == "Handler"
}

func isRoute(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == load.RuntimePath && named.Obj().Name() == "Route"
}

func calledExpr(at ast.Expr) ast.Expr {
	if call, ok := at.(*ast.CallExpr); ok {
		return call.Fun
	}
	return at
}

func (in *interp) calledSignature(at ast.Expr, fn *Func) (*types.Signature, bool) {
	if fn != nil && fn.Type != nil {
		sig, ok := fn.Type.Underlying().(*types.Signature)
		return sig, ok
	}
	if fn != nil {
		return fn.Obj.Signature(), true
	}
	t := in.frame.pkg.Info.TypeOf(calledExpr(at))
	if t == nil {
		return nil, false
	}
	sig, ok := t.Underlying().(*types.Signature)
	return sig, ok
}

// readsOnly reports whether a function of the standard library leaves what its
// arguments point to alone, and calls none of them now.
func readsOnly(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	switch path := fn.Pkg().Path(); path {
	case "fmt":
		return !strings.Contains(fn.Name(), "can")
	case "errors":
		return fn.Name() != "As"
	case "context", "log", "log/slog", "math", "os/signal", "path", "path/filepath", "strconv", "strings",
		"time", "unicode", "unicode/utf8", "net/url":
		return fn.Name() != "AfterFunc"
	case "os":
		return true
	default:
		return false
	}
}

// expose gives values to a function that isn't read.
func (in *interp) expose(at ast.Expr, args []Value, result *Unknown) {
	name := source(calledExpr(at))
	why := &Unknown{Reason: "a value that " + name + " may have changed", Pos: at.Pos(), wants: result.wants}
	seen := make(map[*Cell]bool)
	for _, v := range args {
		in.havoc(v, why, seen)
	}
	for _, fn := range functionsIn(args) {
		cond := &condition{pos: at.Pos(), text: name + " calls the function it is given", why: &Unknown{wants: result.wants}}
		in.fork(cond, func() control {
			in.call(at, fn, in.unknownArgs(at, fn, name))
			return control{}
		}, func() control { return control{} })
	}
}

// functionsIn returns the function values among the arguments whose bodies
// could matter.
func functionsIn(args []Value) []*Func {
	var functions []*Func
	for _, v := range args {
		switch v := v.(type) {
		case *Func:
			functions = append(functions, v)
		case *Slice:
			for _, cell := range v.Elems {
				if fn, ok := cell.v.(*Func); ok {
					functions = append(functions, fn)
				}
			}
		}
	}
	return functions
}

func (in *interp) unknownArgs(at ast.Expr, fn *Func, name string) []Value {
	if fn.Type == nil {
		return nil
	}
	sig, ok := fn.Type.Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	args := make([]Value, sig.Params().Len())
	for i := range args {
		args[i] = &Unknown{Reason: "an argument that " + name + " gives", Pos: at.Pos(), NonNil: true}
	}
	return args
}

// havoc makes everything unknown that v points to.
func (in *interp) havoc(v Value, why *Unknown, seen map[*Cell]bool) {
	switch v := v.(type) {
	case Pointer:
		in.havocCell(v.To, why, seen)
	case *Slice:
		for _, cell := range v.Elems {
			in.havocCell(cell, why, seen)
		}
	case *Map:
		in.blur(v, why)
	case *Struct:
		for _, cell := range v.Fields {
			in.havoc(cell.v, why, seen)
		}
	case *Array:
		for _, cell := range v.Elems {
			in.havoc(cell.v, why, seen)
		}
	case *Unknown:
		if v.pointee != nil {
			in.havocCell(v.pointee, why, seen)
		}
	}
}

// havocCell makes a variable unknown. What its pointers point to is unknown as
// well, but they still point there.
func (in *interp) havocCell(cell *Cell, why *Unknown, seen map[*Cell]bool) {
	if seen[cell] {
		return
	}
	seen[cell] = true
	switch v := cell.v.(type) {
	case *Struct:
		if isHandler(v.Type) {
			in.set(cell, why)
			return
		}
		for _, field := range v.Fields {
			in.havocCell(field, why, seen)
		}
	case *Array:
		for _, elem := range v.Elems {
			in.havocCell(elem, why, seen)
		}
	case absent:
	case *Func, *Handler:
		in.set(cell, why)
	default:
		in.havoc(v, why, seen)
		in.set(cell, why)
	}
}
