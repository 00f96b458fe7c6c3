package model

import (
	"cmp"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// The annotations OnStart and OnStop of fx: a constructor that has been called appends a hook to
// the lifecycle, whose function takes what the constructor got and gave (annotated.go of fx 1.24).

// hooked is a function with hooks. The one that stands for it takes the lifecycle, too.
type hooked struct {
	call  *Call
	fn    *value.Func
	sig   *types.Signature
	hooks []*hookAnnotation
}

// hookAnnotation is one of a function's annotations OnStart and OnStop.
type hookAnnotation struct {
	name string
	fn   *value.Func
	from []origin // of the parameters of fn
}

// An origin is what a parameter of a hook is: the context where both are nil.
type origin struct {
	result, param []int // see [placeOf]
}

// withHooks returns the function that stands for one with hooks, or completes "it is ..." with why
// fx takes none.
func (c *Call) withHooks(fn *value.Func, options []*fxOption) (*value.Func, string) {
	sig := fn.Type.Underlying().(*types.Signature)
	h := &hooked{call: c, fn: fn, sig: sig}
	taken, why := lentToHooks(sig.Params(), "In")
	given, whyGiven := lentToHooks(sig.Results(), "Out")
	if why = cmp.Or(why, whyGiven); why != "" {
		return nil, why
	}
	inOne := sig.Params().Len() == 1 && isObject(sig.Params().At(0).Type(), "In")
	if inOne && slices.ContainsFunc(taken, func(n need) bool { return slices.ContainsFunc(given, n.same) }) {
		return nil, "a constructor with hooks that takes and gives a type by structs, at which fx may panic"
	}
	for _, o := range options {
		hook, why := h.hook(o)
		if why == "" && slices.ContainsFunc(h.hooks, func(other *hookAnnotation) bool { return other.name == hook.name }) {
			why = "a second annotation by fx." + o.kind + ", which fx refuses"
		}
		if why != "" {
			return nil, why
		}
		h.hooks = append(h.hooks, hook)
	}
	l := c.Fn.Obj.Pkg().Scope().Lookup("Lifecycle")
	params := append(slices.Collect(sig.Params().Variables()), types.NewParam(token.NoPos, nil, "", l.Type()))
	t := types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), false)
	return &value.Func{Type: t, Bound: true, Recv: fn, Native: h.run}, ""
}

// lentToHooks returns what a constructor takes or gives, or completes "it is ..." with why fx fails,
// or may, to give that to hooks: it has all in one struct, whose fields it numbers, in a container
// of their own.
func lentToHooks(tuple *types.Tuple, embedded string) (all []need, refused string) {
	const why = "a constructor with hooks that "
	for v := range tuple.Variables() {
		u, isStruct := v.Type().Underlying().(*types.Struct)
		switch {
		case isStruct && embeds(u, embedded):
			if embedded == "In" && tuple.Len() > 1 || !isDig(u.Field(0).Type(), embedded) {
				return nil, why + "takes or gives a struct with fx." + embedded + " beside others, or after them"
			}
			for i := 1; i < u.NumFields(); i++ {
				n := need{typ: u.Field(i).Type(), name: reflect.StructTag(u.Tag(i)).Get("name")}
				if tag := u.Tag(i); !u.Field(i).Exported() || embedded == "In" && tag != "" && n.name == "" || isObject(n.typ, embedded) {
					return nil, why + "has the field " + u.Field(i).Name() + ", which fx may not give them"
				}
				if reflect.StructTag(u.Tag(i)).Get("group") == "" {
					all = append(all, n)
				}
			}
		case embedded == "In" && (value.IsErrorType(v.Type()) || isOtherError(v.Type())):
			return nil, why + "takes an error"
		case !value.IsErrorType(v.Type()):
			all = append(all, need{typ: v.Type()})
		}
	}
	for i, n := range all {
		if slices.ContainsFunc(all[:i], n.same) {
			return nil, why + "takes or gives two of " + typeText(n.typ)
		}
	}
	return all, ""
}

// hook returns what an annotation says, or completes "it is ..." with why that isn't followed.
func (h *hooked) hook(o *fxOption) (*hookAnnotation, string) {
	fn, ok := o.args[0].(*value.Func)
	if !ok {
		return nil, "a hook that isn't known"
	}
	sig, ok := fn.Type.Underlying().(*types.Signature)
	if !ok || sig.Variadic() || sig.Results().Len() > 1 || sig.Results().Len() == 1 && !value.IsErrorType(sig.Results().At(0).Type()) {
		return nil, "a hook of the type " + typeText(fn.Type) + ", which fx refuses"
	}
	hook, hasContext := &hookAnnotation{name: o.kind, fn: fn}, false
	for t := range parameters(sig) {
		if isDeclared(t, "context", "Context") && !hasContext {
			hook.from, hasContext = append(hook.from, origin{}), true
			continue
		}
		from := origin{placeOf(h.sig.Results(), "Out", t), placeOf(h.sig.Params(), "In", t)}
		if from.result == nil && from.param == nil || isObject(t, "In") {
			return nil, "a hook that takes " + typeText(t) + ", which its constructor neither takes nor gives by that type alone"
		}
		hook.from = append(hook.from, from)
	}
	return hook, ""
}

// placeOf returns which variable is of a type and has no name: the index, and where that is a
// struct which embeds dig.In or dig.Out, of its field. It is nil where it isn't exactly one.
func placeOf(tuple *types.Tuple, embedded string, t types.Type) (at []int) {
	found := 0
	note := func(of types.Type, place ...int) {
		if value.SameType(of, t) {
			at, found = place, found+1
		}
	}
	for i := range tuple.Len() {
		of := tuple.At(i).Type()
		if !isObject(of, embedded) {
			note(of, i)
			continue
		}
		u := of.Underlying().(*types.Struct)
		for j := range u.NumFields() {
			if u.Tag(j) == "" && !u.Field(j).Embedded() {
				note(u.Field(j).Type(), i, j)
			}
		}
	}
	if found != 1 {
		return nil
	}
	return at
}

// run calls the function, and appends its hooks.
func (h *hooked) run(args []value.Value) value.Value {
	c, last := h.call, len(args)-1
	args, l := args[:last], args[last].(lifecycle)
	if _, fails := withoutError(h.sig); !fails {
		result := c.Kept(c.At, h.fn, args)
		h.append(l, args, result)
		return result
	}
	results := slices.Collect(h.sig.Results().Variables())
	failed := c.failing(results)
	return c.Function(c.At, h.sig.Results(), nil, func() []value.Value {
		result, ok := c.try(h.fn, args, failed)
		if !ok {
			return failed(c.Failure())
		}
		h.append(l, args, result)
		if tuple, isTuple := result.(value.Tuple); isTuple {
			return append(slices.Clone(tuple[:len(results)-1]), noError())
		}
		return []value.Value{noError()}
	})
}

// append appends the hooks of a constructor that was called.
func (h *hooked) append(l lifecycle, args []value.Value, result value.Value) {
	c := h.call
	results, isTuple := result.(value.Tuple)
	if !isTuple {
		results = value.Tuple{result}
	}
	t := c.Fn.Obj.Pkg().Scope().Lookup("Hook").Type()
	for _, of := range h.hooks {
		hook := c.Zero(t).(*value.Struct)
		u := t.Underlying().(*types.Struct)
		field := u.Field(value.FieldIndex(u, of.name))
		c.Set(fieldNamed(hook, of.name), c.hookOf(of, field.Type(), args, results))
		extend(c, l.of.hooks, nil, hook)
	}
}

// hookOf returns the function of a hook.
func (c *Call) hookOf(of *hookAnnotation, t types.Type, args, results []value.Value) *value.Func {
	var given []value.Value
	for _, from := range of.from {
		switch {
		case from.result != nil:
			given = append(given, c.Copied(c.placed(results, from.result)))
		case from.param != nil:
			given = append(given, c.Copied(c.placed(args, from.param)))
		default:
			given = append(given, nil) // the context
		}
	}
	held := value.Tuple{of.fn}
	for _, v := range given {
		if v != nil {
			held = append(held, v)
		}
	}
	return &value.Func{Type: t, Bound: true, Recv: held, Native: func(ctx []value.Value) value.Value {
		all := slices.Clone(given)
		for i, v := range all {
			if v == nil {
				all[i] = ctx[0]
			}
		}
		return c.errorOfHook(of.fn, all)
	}}
}
