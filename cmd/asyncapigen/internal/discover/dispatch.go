package discover

import (
	"go/constant"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
)

// dispatchCase is the value of a runtime.Case that was made by On or Otherwise.
type dispatchCase struct {
	Type      types.Type
	Name      value.Value // of On
	Handler   value.Value
	Otherwise bool
}

// DynamicType implements [value.Atom].
func (c *dispatchCase) DynamicType() types.Type { return c.Type }

// A dispatch is the inside of a handler that was made by Dispatch.
type dispatch struct {
	Cases  []value.Value
	Header value.Value // of DispatchByHeader
	IsKey  bool
}

func onCall(_ *finder, call *model.Call) (value.Value, bool) {
	if len(call.Args) != 2 {
		return value.UnknownResult(call.At), true
	}
	return &dispatchCase{Type: resultType(call), Name: call.Args[0], Handler: call.Args[1]}, true
}

func otherwiseCall(_ *finder, call *model.Call) (value.Value, bool) {
	if len(call.Args) != 1 {
		return value.UnknownResult(call.At), true
	}
	return &dispatchCase{Type: resultType(call), Handler: call.Args[0], Otherwise: true}, true
}

// caseName evaluates Name, which is empty for the case of Otherwise.
func caseName(_ *finder, call *model.Call) (value.Value, bool) {
	c, isMade := call.Fn.Recv.(*dispatchCase)
	switch {
	case !isMade:
		return nil, false
	case c.Otherwise:
		return value.NewConst(constant.MakeString(""), resultType(call)), true
	default:
		return c.Name, true
	}
}

func caseHandler(_ *finder, call *model.Call) (value.Value, bool) {
	c, isMade := call.Fn.Recv.(*dispatchCase)
	if !isMade {
		return nil, false
	}
	return c.Handler, true
}

func resultType(call *model.Call) types.Type { return call.Fn.Obj.Signature().Results().At(0).Type() }

// dispatchCall makes the value of Dispatch and DispatchByKey.
func dispatchCall(_ *finder, call *model.Call) (value.Value, bool) {
	return newDispatch(call, call.Args, dispatch{IsKey: call.Fn.Obj.Name() == "DispatchByKey"}), true
}

func dispatchByHeaderCall(_ *finder, call *model.Call) (value.Value, bool) {
	if len(call.Args) < 2 { // the program has type errors
		return value.UnknownResult(call.At), true
	}
	return newDispatch(call, call.Args[1:], dispatch{Header: call.Args[0]}), true
}

func newDispatch(call *model.Call, args []value.Value, of dispatch) value.Value {
	if len(args) != 1 {
		return value.UnknownResult(call.At)
	}
	switch cases := args[0].(type) {
	case value.Nil:
	case *value.Slice:
		for _, cell := range cases.Elems {
			of.Cases = append(of.Cases, cell.Load())
		}
	default:
		return value.Because(call.At, cases)
	}
	return &handler{Type: resultType(call), Pos: call.At.Pos(), Dispatch: &of, MayBeNil: slices.ContainsFunc(of.Cases, mayLackHandler)}
}

// partsOfHandler returns what a handler is made of by Dispatch, nil of another value.
func partsOfHandler(v value.Value) []value.Value {
	h, isMade := v.(*handler)
	if !isMade || h.Dispatch == nil {
		return nil
	}
	parts := []value.Value{h.Dispatch.Header}
	for _, one := range h.Dispatch.Cases {
		if c, isMade := one.(*dispatchCase); isMade {
			parts = append(parts, c.Name, c.Handler)
		} else {
			parts = append(parts, one)
		}
	}
	return parts
}

// mayLackHandler reports whether the handler of a case may be made of nil.
func mayLackHandler(v value.Value) bool {
	c, isMade := v.(*dispatchCase)
	return isMade && mayBeMadeOfNil(c.Handler)
}

// dispatched reads the cases of a handler, and what tells them apart.
func (r *reader) dispatched(h *handler) (cases []registered.Case, by runtime.Discriminator) {
	d := h.Dispatch
	cases = []registered.Case{}
	for _, v := range d.Cases {
		cases = append(cases, r.dispatchedCase(v))
	}
	switch {
	case d.IsKey:
		_, by = runtime.DispatchByKey().Cases()
	case d.Header != nil:
		header, ok := r.constantText("header that it dispatches by", d.Header)
		if ok {
			_, by = runtime.DispatchByHeader(header).Cases()
		}
	}
	return cases, by
}

// dispatchedCase reads one case. Where that isn't known, it says so, and the route is lost.
func (r *reader) dispatchedCase(v value.Value) (c registered.Case) {
	made, isMade := v.(*dispatchCase)
	if !isMade {
		if s, isStruct := v.(*value.Struct); isStruct && !value.IsUnknown(firstUnknown(s)) {
			return c // the zero Case, which Register refuses
		}
		r.report(diagnostic.UnknownHandler, "a case of the handler of "+r.routeName()+" isn't known", v)
		return c
	}
	c.Otherwise = made.Otherwise
	if !made.Otherwise {
		c.Name, _ = r.constantText("name of a case", made.Name)
	}
	h, isHandler := made.Handler.(*handler)
	switch {
	case isHandler && h.Dispatch != nil:
		r.report(diagnostic.UnknownHandler, "a case of the handler of "+r.routeName()+" is another runtime.Dispatch",
			&value.Unknown{Reason: "a case whose messages have no type of their own", Pos: h.Pos})
		return c
	case isHandler:
		c.Body, c.Result, c.Batch = h.Body, h.Reply, h.Batch
		if !made.Otherwise { // which the contract doesn't show
			r.checkBody(h)
			r.checkRawBody(h)
		}
	case !isZeroHandler(made.Handler):
		r.report(diagnostic.UnknownHandler, "the handler of a case of "+r.routeName()+" isn't known", firstUnknown(made.Handler))
		return c
	}
	return c
}

// constantText returns the text of a value, and notes one that isn't known.
func (r *reader) constantText(what string, v value.Value) (string, bool) {
	r.explainField(what, v)
	if c, ok := v.(value.Const); ok && c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value), true
	}
	r.unknown(what, v)
	return "", false
}
