package discover

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// intrinsic evaluates the functions that are known without their source: those
// of warren's runtime, and of the standard library's those that decide whether
// a program goes on or that compute with what is known.
func (in *interp) intrinsic(at ast.Expr, fn *Func, args []Value) (Value, bool) {
	name := fn.Obj.Origin().FullName()
	switch name {
	case "(*" + load.RuntimePath + ".Router).Register":
		in.registration(at, args)
		return Nil{Type: types.Universe.Lookup("error").Type()}, true
	case "(*" + load.RuntimePath + ".Router).MustRegister":
		in.registration(at, args)
		return Tuple{}, true
	case "(*" + load.RuntimePath + ".Router).Use":
		return Tuple{}, true
	case load.RuntimePath + ".NewRouter":
		t := fn.Obj.Signature().Results().At(0).Type()
		return Pointer{Type: t, To: newCell(in.zero(elemOf(t)))}, true
	case load.RuntimePath + ".Env":
		return in.env(at, args), true
	case load.RuntimePath + ".Consume", load.RuntimePath + ".Respond":
		return in.handler(at, fn, args), true
	case "(" + load.RuntimePath + ".Handler).With":
		return decorated(fn.Recv), true
	case "(" + load.RuntimePath + ".Handler).Name":
		if h, ok := fn.Recv.(*Handler); ok {
			return constOf(constant.MakeString(h.Name), types.Typ[types.String]), true
		}
		return in.unknown(at.Pos(), "the result of "+source(at)), true
	case "(" + load.RuntimePath + ".Handler).IsZero":
		_, isZero := fn.Recv.(*Struct)
		_, isMade := fn.Recv.(*Handler)
		if !isZero && !isMade {
			return in.because(at, fn.Recv), true
		}
		return constOf(constant.MakeBool(isZero), types.Typ[types.Bool]), true
	case "errors.New", "fmt.Errorf":
		return &Unknown{Reason: "the error " + source(at), Pos: at.Pos(), NonNil: true}, true
	case "os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "runtime.Goexit",
		"(*log.Logger).Fatal", "(*log.Logger).Fatalf", "(*log.Logger).Fatalln":
		panic(&unwinding{final: true})
	case "log.Panic", "log.Panicf", "log.Panicln":
		panic(&unwinding{value: &Unknown{Reason: "the message of " + source(at), Pos: at.Pos(), NonNil: true}, pos: at.Pos()})
	case "(*sync.Once).Do":
		return in.once(at, fn.Recv, args), true
	}
	if v, ok := in.native(at, name, fn, args); ok {
		return v, true
	}
	return in.library(at, name, fn, args)
}

// maxRoutes bounds what a loop without an end registers.
const maxRoutes = 10_000

func (in *interp) registration(at ast.Expr, args []Value) {
	if len(in.found) > maxRoutes {
		panic(exhausted{at.Pos()})
	}
	in.wantAll(args)
	in.register(at, args)
}

// env is the fallback of runtime.Env: the contract's value.
func (in *interp) env(at ast.Expr, args []Value) Value {
	if len(args) != 2 {
		return in.unknown(at.Pos(), "the result of "+source(at))
	}
	return args[1]
}

// once runs the function of a sync.Once the first time.
func (in *interp) once(at ast.Expr, recv Value, args []Value) Value {
	p, ok := recv.(Pointer)
	if !ok || len(args) != 1 {
		return Tuple{}
	}
	once, ok := p.To.v.(*Struct)
	if !ok || len(once.Fields) == 0 {
		in.expose(at, args, in.unknown(at.Pos(), "the sync.Once"))
		return Tuple{}
	}
	// The first field says that it has run, though not as package sync writes it.
	if holds, known := truth(once.Fields[0].v); known && holds {
		return Tuple{}
	}
	in.set(once.Fields[0], constOf(constant.MakeBool(true), types.Typ[types.Bool]))
	in.call(at, args[0], nil)
	return Tuple{}
}

// handler makes the value of runtime.Consume(fn) or Respond(fn): its types are
// the type arguments, its name the function's.
func (in *interp) handler(at ast.Expr, fn *Func, args []Value) Value {
	if len(args) == 1 && isNil(args[0]) {
		return in.zero(fn.Obj.Signature().Results().At(0).Type())
	}
	if len(fn.TArgs) == 0 || len(args) != 1 {
		return in.unknown(at.Pos(), "the handler "+source(at))
	}
	h := &Handler{
		Type: fn.Obj.Signature().Results().At(0).Type(),
		Body: fn.TArgs[0],
		Pos:  at.Pos(),
	}
	if len(fn.TArgs) > 1 {
		h.Reply = fn.TArgs[1]
	}
	if handle, ok := args[0].(*Func); ok && handle.Obj != nil && !handle.Generic {
		h.Name = handle.Obj.Name()
	}
	return h
}

// decorated is what Handler.With returns.
func decorated(v Value) Value {
	if h, ok := v.(*Handler); ok {
		return &Handler{Type: h.Type, Body: h.Body, Reply: h.Reply, Pos: h.Pos}
	}
	return v
}
