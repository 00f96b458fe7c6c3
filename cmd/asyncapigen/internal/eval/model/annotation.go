package model

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Annotations of fx and options of dig: the names, groups and interfaces under which a container
// takes what a constructor needs and gives. A function with them stands for another one, whose
// parameter is a struct that embeds dig.In, and whose results are structs that embed dig.Out: so
// fx makes it itself (annotated.go of fx 1.24), and so it does the same for the options of dig.

// annotated is a value, mostly a function, that a framework takes with annotations.
type annotated struct {
	at     ast.Expr
	typ    types.Type
	target value.Value
	with   []value.Value // the annotations, one by one
	ok     bool          // they are known
}

// DynamicType implements [value.Atom].
func (a *annotated) DynamicType() types.Type { return a.typ }

// Held implements [value.Holder].
func (a *annotated) Held() []value.Value { return append(slices.Clone(a.with), a.target) }

func fxAnnotate(c *Call) (value.Value, bool) {
	with, ok := elements(c.Args[1])
	return &annotated{c.At, c.Fn.Obj.Signature().Results().At(0).Type(), c.Args[0], with, ok}, true
}

// annotations are what is said of a function.
type annotations struct {
	params   []string       // tags, nil for none
	results  []string       // tags, nil for none
	as       [][]types.Type // each the types under which the results are given once; nil for its own
	hooks    []*fxOption    // OnStart and OnStop
	optional bool           // a variadic parameter is looked for, and may be missing
}

// annotation returns what annotations of fx say, or completes "it is ..." with why they aren't
// followed.
func (a *annotated) annotation() (said annotations, why string) {
	said.optional = true
	if !a.ok {
		return said, "annotations that aren't known"
	}
	for _, v := range a.with {
		o, ok := v.(*fxOption)
		if !ok || !o.ok {
			return said, "an annotation that isn't known"
		}
		switch o.kind {
		case "As":
			as, known := interfaces(o.args)
			if !known {
				return said, "an annotation that fx refuses, " + value.Source(o.at)
			}
			said.as = append(said.as, as)
		case "ParamTags":
			why = said.setTags(&said.params, o)
		case "ResultTags":
			why = said.setTags(&said.results, o)
		case "OnStart", "OnStop":
			said.hooks = append(said.hooks, o)
		default:
			why = "an annotation that isn't followed, fx." + o.kind
		}
		if why != "" {
			return said, why
		}
	}
	return said, ""
}

// fxTags are the tags that fx takes, without those of which reflection reads another text.
var fxTags = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^((group|name|optional):"[^"\\]*"( (group|name|optional):"[^"\\]*")*)?$`)
})

// setTags sets tags once: fx refuses two annotations with tags.
func (said *annotations) setTags(tags *[]string, o *fxOption) string {
	if len(*tags) > 0 {
		return "a second annotation by fx." + o.kind + ", which fx refuses"
	}
	for _, v := range o.args {
		tag, known := value.TextOf(v)
		if !known || !fxTags().MatchString(tag) {
			return "a tag that isn't followed, " + value.Source(o.at)
		}
		*tags = append(*tags, tag)
	}
	return ""
}

// interfaces returns the types of the interfaces that some values point to, nil for fx.Self.
func interfaces(pointers []value.Value) (all []types.Type, known bool) {
	for _, v := range pointers {
		if o, ok := v.(*fxOption); ok && o.kind == "Self" {
			all = append(all, nil)
			continue
		}
		t := value.TypeOf(v)
		if t != nil {
			t = value.Pointee(t)
		}
		if t == nil || !types.IsInterface(t) {
			return nil, false
		}
		all = append(all, t)
	}
	return all, true
}

// named returns what a name or a group says of all results of a constructor; both empty is nothing.
func named(results int, name, group string) (said annotations, why string) {
	key, text := "name", name
	switch {
	case name == "" && group == "":
		return said, ""
	case name != "" && group != "":
		return said, "a name beside a group, which the container refuses"
	case group != "":
		key, text = "group", group
	}
	tag := key + ":" + strconv.Quote(text)
	if !fxTags().MatchString(tag) {
		return said, "a name that isn't followed, " + strconv.Quote(text)
	}
	return annotations{results: slices.Repeat([]string{tag}, results)}, ""
}

// annotate returns the function that stands for one with annotations, or completes "it is ..."
// with why the container takes none.
func (c *Call) annotate(fn *value.Func, said annotations) (*value.Func, string) {
	sig, ok := fn.Type.Underlying().(*types.Signature)
	if !ok {
		return nil, "annotations of a value that is no function"
	}
	w := &wrapped{call: c, fn: fn, sig: sig, params: sig.Params()}
	if why := w.takes(said); why != "" {
		return nil, why
	}
	if why := w.gives(said); why != "" {
		return nil, why
	}
	t := types.NewSignatureType(nil, nil, nil, w.params, types.NewTuple(w.results...), sig.Variadic() && w.params == sig.Params())
	return &value.Func{Type: t, Bound: true, Recv: fn, Native: w.run}, ""
}

// wrapped is a function with annotations.
type wrapped struct {
	call    *Call
	fn      *value.Func
	sig     *types.Signature
	params  *types.Tuple // those of the function that stands for it
	results []*types.Var // as well
	outs    int          // how many of the results are structs that embed dig.Out
	fails   bool         // the last result is an error
}

// takes has the function take one struct where its parameters have tags.
func (w *wrapped) takes(said annotations) string {
	variadic := w.sig.Variadic() && said.optional
	if said.params == nil && !variadic {
		return ""
	}
	params, tags := listed(w.sig.Params()), slices.Clone(said.params)
	if said.params != nil && slices.ContainsFunc(params, func(t types.Type) bool { return isObject(t, "In") }) {
		return "a function with tags that takes a struct with fx.In, which fx refuses"
	}
	if variadic && len(tags) < len(params) {
		tags = append(slices.Grow(tags, len(params)), make([]string, len(params)-1-len(tags))...)
		tags = append(tags, `optional:"true"`)
	}
	in := w.tagged("In", params, tags)
	if in == nil {
		return "a container of another kind"
	}
	w.params = types.NewTuple(types.NewParam(token.NoPos, nil, "", in))
	return ""
}

// gives has the function give structs where its results have tags or other types.
func (w *wrapped) gives(said annotations) string {
	given, fails := withoutError(w.sig)
	w.fails = fails
	if said.results == nil && said.as == nil {
		w.results = slices.Collect(w.sig.Results().Variables())
		return ""
	}
	switch {
	case slices.ContainsFunc(given, func(t types.Type) bool { return isObject(t, "Out") || value.IsErrorType(t) }):
		return "a function with annotations that gives an error or a struct with fx.Out, which fx refuses"
	case said.as != nil && said.results != nil && len(said.results) < len(given):
		return "a function that gives more than there are tags"
	case said.as == nil:
		said.as = [][]types.Type{nil}
	}
	for _, as := range said.as {
		out := slices.Clone(given)
		for i := range min(len(as), len(given)) {
			if as[i] == nil {
				continue
			}
			if !value.Implements(given[i], as[i].Underlying().(*types.Interface)) {
				return "a result of the type " + typeText(given[i]) + ", which doesn't implement " + typeText(as[i])
			}
			out[i] = as[i]
		}
		t := w.tagged("Out", out, said.results)
		if t == nil {
			return "a container of another kind"
		}
		w.results = append(w.results, types.NewParam(token.NoPos, nil, "", t))
	}
	w.outs = len(w.results)
	if w.fails {
		w.results = append(w.results, types.NewParam(token.NoPos, nil, "", errorType))
	}
	return ""
}

// tagged returns a struct that embeds dig.In or dig.Out and has fields of some types with tags;
// nil where the package has no such type.
func (w *wrapped) tagged(embedded string, fields []types.Type, tags []string) *types.Struct {
	obj := w.call.Fn.Obj.Pkg().Scope().Lookup(embedded)
	if obj == nil || !isDig(obj.Type(), embedded) {
		return nil
	}
	list, texts := []*types.Var{types.NewField(token.NoPos, nil, embedded, types.Unalias(obj.Type()), true)}, []string{""}
	for i, t := range fields {
		list = append(list, types.NewField(token.NoPos, nil, "Field"+strconv.Itoa(i), t, false))
		if i < len(tags) {
			texts = append(texts, tags[i])
		}
	}
	return types.NewStruct(list, texts)
}

// run calls the function.
func (w *wrapped) run(args []value.Value) value.Value {
	c := w.call
	if w.params != w.sig.Params() {
		in := pointedStruct(args[0])
		args = nil
		for _, field := range in.Fields[1:] {
			args = append(args, field.Load())
		}
	}
	switch {
	case w.outs == 0:
		return c.Kept(c.At, w.fn, args)
	case !w.fails:
		return one(w.pack(c.Call(c.At, w.fn, args)))
	}
	failed := c.failing(w.results)
	return c.Function(c.At, types.NewTuple(w.results...), nil, func() []value.Value {
		result, ok := c.try(w.fn, args, failed)
		if !ok {
			return failed(c.Failure())
		}
		return append(w.pack(result), noError())
	})
}

// pack puts what the function gives into structs.
func (w *wrapped) pack(result value.Value) []value.Value {
	given, isTuple := result.(value.Tuple)
	all := make([]value.Value, w.outs)
	for i := range all {
		out := w.call.Zero(w.results[i].Type()).(*value.Struct)
		for j, cell := range out.Fields[1:] {
			v := result
			if isTuple {
				v = given[j]
			}
			from, to := w.sig.Results().At(j).Type(), out.Type.Underlying().(*types.Struct).Field(j+1).Type()
			if u, ok := v.(*value.Unknown); ok && types.IsInterface(to) && !types.IsInterface(from) {
				v = u.InInterface(from)
			}
			w.call.Store(cell, v, to)
		}
		all[i] = out
	}
	return all
}

// one returns the result of a function with some results.
func one(results []value.Value) value.Value {
	if len(results) == 1 {
		return results[0]
	}
	return value.Tuple(results)
}

func listed(tuple *types.Tuple) []types.Type {
	var all []types.Type
	for v := range tuple.Variables() {
		all = append(all, v.Type())
	}
	return all
}

// withoutError returns the types of a constructor's results but for that of an error, which is the
// last one, and whether it has one.
func withoutError(sig *types.Signature) (given []types.Type, fails bool) {
	given = listed(sig.Results())
	if n := len(given); n > 0 && value.IsErrorType(given[n-1]) {
		return given[:n-1], true
	}
	return given, false
}

// isObject reports whether a type is a struct that embeds dig.In or dig.Out.
func isObject(t types.Type, name string) bool {
	u, ok := t.Underlying().(*types.Struct)
	return ok && embeds(u, name)
}

// annotatedStruct returns a value of the type fx.Annotated, nil for others.
func annotatedStruct(v value.Value) *value.Struct {
	s, ok := v.(*value.Struct)
	if !ok || !isDeclared(s.Type, fxPackage, "Annotated") {
		return nil
	}
	return s
}

// ofAnnotated returns the constructor that an fx.Annotated stands for; nil where that isn't
// followed, which it says.
func (c *Call) ofAnnotated(s *value.Struct) *value.Func {
	name, known := value.TextOf(loaded(s, "Name"))
	group, alsoKnown := value.TextOf(loaded(s, "Group"))
	fn, isFunc := loaded(s, "Target").(*value.Func)
	if !known || !alsoKnown || !isFunc {
		c.Lost(c.At, value.UnknownAt(c.At.Pos(), "an fx.Annotated that isn't known"), plainConstructor)
		return nil
	}
	return c.withOptions(fn, name, group, nil)
}

// withOptions returns a constructor with what options say of its results; nil where the container
// refuses them, which it says.
func (c *Call) withOptions(fn *value.Func, name, group string, as [][]types.Type) *value.Func {
	sig, ok := fn.Type.Underlying().(*types.Signature)
	if !ok {
		return fn
	}
	said, why := named(sig.Results().Len(), name, group)
	said.as = as
	if i := slices.IndexFunc(listed(sig.Results()), isOtherError); i >= 0 && (said.results != nil || said.as != nil) {
		why = "a result of the type " + typeText(sig.Results().At(i).Type()) + ", which the container doesn't take"
	}
	if why == "" && (said.results != nil || said.as != nil) {
		fn, why = c.annotate(fn, said)
	}
	if why != "" {
		c.Lost(c.At, value.UnknownAt(c.At.Pos(), why), plainConstructor)
		return nil
	}
	return fn
}
