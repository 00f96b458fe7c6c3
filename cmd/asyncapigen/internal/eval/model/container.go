package model

import (
	"go/types"
	"reflect"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A container of dig or fx: constructors, which are found by the types of their
// results and called when one is first needed.
type container struct {
	typ        types.Type
	providers  *value.Cell   // a slice of *provider
	decorators *value.Cell   // a slice of *provider
	hooks      *value.Cell   // of fx: a slice of hooks
	started    *value.Cell   // of fx: how many of the hooks were started, Nil for not started
	err        *value.Cell   // of fx: that of New
	held       *value.Cell   // of fx: how New may have failed, Nil for no way
	failures   []value.Value // of fx: the errors by which New may have failed
	builtin    func(t types.Type) value.Value
	running    []*provider // whose functions are being called, or get what they need
	checks     bool        // it refuses constructors as dig does
	recovers   bool        // a panic of a constructor is an error
}

// DynamicType implements [value.Atom].
func (d *container) DynamicType() types.Type { return d.typ }

// Held implements [value.Holder]: the constructors and decorators, what they have made, and the
// hooks.
func (d *container) Held() []value.Value {
	var all []value.Value
	providers, _ := elements(d.providers.Load())
	decorators, _ := elements(d.decorators.Load())
	for _, v := range slices.Concat(providers, decorators) {
		p := v.(*provider)
		switch {
		case p.fn.Obj != nil || p.fn.Closure != nil:
			all = append(all, p.fn)
		case p.fn.Recv != nil: // it stands for another function, else for a value
			all = append(all, p.fn.Recv)
		}
		if results, ok := p.made.Load().(value.Tuple); ok {
			all = append(all, results...)
		}
	}
	hooks, _ := elements(d.hooks.Load())
	return append(all, hooks...)
}

func newContainer(t types.Type) *container {
	return &container{
		typ: t, providers: value.NewCell(value.Nil{}), decorators: value.NewCell(value.Nil{}),
		hooks: value.NewCell(value.Nil{}), started: value.NewCell(value.Nil{}), err: value.NewCell(noError()), held: value.NewCell(value.Nil{}),
		builtin: func(types.Type) value.Value { return nil },
	}
}

// provider is a constructor in a container, a value that was given to it, or a decorator.
type provider struct {
	fn       *value.Func
	made     *value.Cell // the results, Nil as long as it wasn't called
	from     *module     // of fx: where it is provided
	private  bool        // only there and in the modules below
	replaces bool        // it is a decorator
	service  string      // of samber/do: the name that the program gives it, "" for none
}

// DynamicType implements [value.Atom].
func (p *provider) DynamicType() types.Type { return p.fn.Type }

// A module of fx is a part of its application.
type module struct{ outer *module }

// within reports whether a module is another one, or below it.
func (m *module) within(other *module) bool {
	for ; m != nil; m = m.outer {
		if m == other {
			return true
		}
	}
	return other == nil
}

// A need is what a constructor asks a container for, or gives it.
type need struct {
	typ      types.Type // of a value, also of a group
	name     string
	optional bool
	service  string // see [provider]

	group   string     // "" for a single value
	soft    bool       // see [groupTag]
	flatten bool       // see [groupTag]
	slice   types.Type // of what is asked for
}

// resolution is a call of a function by a container.
type resolution struct {
	call *Call
	from *container
	at   *module // of fx: where the function is that needs something

	// otherwise has the call end by the error of a constructor.
	otherwise func(err value.Value) []value.Value
}

func (d *container) resolve(c *Call, otherwise func(err value.Value) []value.Value) *resolution {
	return &resolution{call: c, from: d, otherwise: otherwise}
}

// found says how far a container came.
type found int

const (
	ready  found = iota
	fails        // a constructor returns an error: so does the program's start
	isLost       // it can't be followed, which was said
)

// add adds a constructor, unless the container refuses it, or may.
func (d *container) add(c *Call, p *provider) bool {
	if d.checks {
		if why := d.refuses(p); why != "" {
			c.Lost(c.At, value.UnknownAt(c.At.Pos(), why), "provide what the container takes")
			return false
		}
	}
	extend(c, d.providers, nil, p)
	return true
}

const inEveryCase = "give the container its constructors in every case"

const plainConstructor = "provide it by a plain function, whose types say what it needs and gives"

// given returns the provider of a value, under a type.
func given(t types.Type, v value.Value) *provider {
	result := types.NewTuple(types.NewVar(0, nil, "", t))
	fn := &value.Func{Type: types.NewSignatureType(nil, nil, nil, nil, result, false)}
	return &provider{fn: fn, made: value.NewCell(value.Tuple{v})}
}

// invoke calls a function with what it asks for, and returns its result. The call ends
// by its error, or that of a constructor.
func (r *resolution) invoke(f value.Value) (value.Value, found) {
	fn := r.call.constructor(f)
	if fn == nil {
		return nil, isLost
	}
	sig := fn.Type.Underlying().(*types.Signature)
	if why := refusedNeeds(sig); why != "" {
		return r.lost(value.UnknownAt(r.call.At.Pos(), why), plainConstructor)
	}
	if last := sig.Results().Len() - 1; last >= 0 && isOtherError(sig.Results().At(last).Type()) {
		return r.lost(value.UnknownAt(r.call.At.Pos(), "a result that is taken for an error"), plainConstructor)
	}
	return r.run(fn)
}

// constructor returns the function that a container is given, nil where it isn't followed, which
// it says.
func (c *Call) constructor(v value.Value) *value.Func {
	switch v := v.(type) {
	case *value.Func:
		return v
	case *annotated:
		said, why := v.annotation()
		if c.Fn.Obj.Pkg().Path() != fxPackage {
			why = "annotations of fx, which the container doesn't take"
		}
		if fn, ok := v.target.(*value.Func); ok && why == "" {
			fn, why = c.annotate(fn, said)
			if why == "" && len(said.hooks) > 0 {
				fn, why = c.withHooks(fn, said.hooks)
			}
			if why == "" {
				return fn
			}
		} else if why == "" {
			why = "annotations of a value that is no function"
		}
		c.Lost(v.at, value.UnknownAt(v.at.Pos(), why), plainConstructor)
	default:
		c.Lost(c.At, value.Because(c.At, v), plainConstructor)
	}
	return nil
}

// run calls a function with what its parameters ask for.
func (r *resolution) run(fn *value.Func) (value.Value, found) {
	sig, ok := fn.Type.Underlying().(*types.Signature)
	if !ok {
		return nil, isLost
	}
	var args []value.Value
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if sig.Variadic() && i == sig.Params().Len()-1 {
			args = append(args, &value.Slice{Type: t})
			break
		}
		v, how := r.value(need{typ: t})
		if how != ready {
			return nil, how
		}
		args = append(args, v)
	}
	result, ok := r.try(fn, sig, args)
	if !ok {
		return result, fails
	}
	return result, ready
}

// try calls a function that may fail. A panic of it is an error where the container
// recovers.
func (r *resolution) try(fn *value.Func, sig *types.Signature, args []value.Value) (value.Value, bool) {
	c := r.call
	if !r.from.recovers {
		return c.try(fn, args, r.otherwise)
	}
	list := slices.Collect(sig.Results().Variables())
	if n := len(list); n == 0 || !value.IsErrorType(list[n-1].Type()) {
		list = append(list, types.NewVar(0, nil, "", errorType))
	}
	failed := c.failing(list)
	rescue := c.rescuing(failed)
	result, ok := c.Try(c.At, func() value.Value {
		return c.Function(c.At, types.NewTuple(list...), rescue, func() []value.Value {
			result, ok := c.try(fn, args, failed)
			if !ok {
				return failed(c.errorOfFailure())
			}
			made := make([]value.Value, len(list))
			for i := range made {
				made[i] = result
				if tuple, isTuple := result.(value.Tuple); isTuple && i < len(tuple) {
					made[i] = tuple[i]
				}
			}
			made[len(made)-1] = noError()
			return made
		})
	}, r.otherwise)
	if tuple, isTuple := result.(value.Tuple); isTuple {
		result = tuple[:min(len(tuple), sig.Results().Len())]
	}
	return result, ok
}

// failing returns the results of a function that fails: an error, the last one, beside zero values.
func (c *Call) failing(results []*types.Var) func(err value.Value) []value.Value {
	return func(err value.Value) []value.Value {
		ret := make([]value.Value, len(results))
		for i, v := range results {
			ret[i] = c.Zero(v.Type())
		}
		ret[len(ret)-1] = err
		return ret
	}
}

// value returns what is needed.
func (r *resolution) value(n need) (value.Value, found) {
	if n.group != "" {
		return r.valuesOf(n)
	}
	if u, ok := n.typ.Underlying().(*types.Struct); ok && embeds(u, "In") {
		return r.object(n.typ, u)
	}
	if v := r.from.builtin(n.typ); v != nil {
		return v, ready
	}
	providers, known := elements(r.from.providers.Load())
	if !known {
		return r.lost(value.Because(r.call.At, r.from.providers.Load()), inEveryCase)
	}
	decorators, known := elements(r.from.decorators.Load())
	if !known {
		return r.lost(value.Because(r.call.At, r.from.decorators.Load()), inEveryCase)
	}
	from, _ := giver(providers, n)
	by := r.decoratorOf(decorators, n)
	switch {
	case from == nil && by != nil:
		return r.lost(value.UnknownAt(r.call.At.Pos(), "that no constructor gives "+typeText(n.typ)+", which is decorated"), plainConstructor)
	case from != nil && from.private && !r.at.within(from.from):
		return r.lost(value.UnknownAt(r.call.At.Pos(), "that "+typeText(n.typ)+" is private to another module"), plainConstructor)
	case from == nil && n.optional:
		return value.Zero(n.typ), ready
	case from == nil:
		return r.lost(value.UnknownAt(r.call.At.Pos(), "that no constructor gives "+typeText(n.typ)), plainConstructor)
	}
	if by != nil {
		from = by
	}
	results, how := r.build(from)
	if how != ready {
		return nil, how
	}
	return r.call.placed(results, from.gives(n)), ready
}

// placed returns one of some values, or a field of one that is a struct: place has the index, and
// that of the field.
func (c *Call) placed(values []value.Value, place []int) value.Value {
	v := values[place[0]]
	if len(place) == 1 {
		return v
	}
	if s := pointedStruct(v); s != nil {
		return s.Fields[place[1]].Load()
	}
	return value.Because(c.At, v)
}

// giver returns which constructor gives what is needed, and where its results have it. No
// other one does: the container has refused it.
func giver(providers []value.Value, n need) (from *provider, at []int) {
	for _, v := range providers {
		p := v.(*provider)
		if path := p.gives(n); path != nil {
			return p, path
		}
	}
	return nil, nil
}

func (r *resolution) lost(why *value.Unknown, remedy string) (value.Value, found) {
	r.call.Lost(r.call.At, why, remedy)
	return nil, isLost
}

// build calls a constructor or a decorator, unless it has been called. Dig has refused a constructor
// that needs its own result, but for one that does by a decorator, or asks the container itself.
func (r *resolution) build(p *provider) (value.Tuple, found) {
	if made, ok := p.made.Load().(value.Tuple); ok {
		return made, ready
	}
	if u, ok := p.made.Load().(*value.Unknown); ok {
		_, how := r.lost(u, "use the container in every case")
		return nil, how
	}
	if slices.Contains(r.from.running, p) {
		_, how := r.lost(value.UnknownAt(r.call.At.Pos(), "a constructor that needs its own result"), plainConstructor)
		return nil, how
	}
	if p.replaces { // dig runs one that has failed, or panicked, no second time
		r.call.Set(p.made, value.UnknownAt(r.call.At.Pos(), "what a decorator leaves that didn't come to its end"))
	}
	result, how := r.runWithin(p)
	if how != ready {
		return nil, how
	}
	made, _ := result.(value.Tuple)
	if n := p.fn.Type.Underlying().(*types.Signature).Results().Len(); len(made) != n {
		made = make(value.Tuple, n)
		for i := range made {
			made[i] = result
		}
	}
	r.call.Set(p.made, made)
	return made, ready
}

// runWithin calls a constructor or a decorator in its module.
func (r *resolution) runWithin(p *provider) (value.Value, found) {
	at, running := r.at, r.from.running
	defer func() { r.at, r.from.running = at, running }()
	r.at, r.from.running = p.from, append(running, p)
	return r.run(p.fn)
}

// object makes a struct that embeds dig.In: each of its fields is a need. The groups for which no
// constructors are called come last.
func (r *resolution) object(t types.Type, u *types.Struct) (value.Value, found) {
	s, ok := value.Zero(t).(*value.Struct)
	if !ok {
		return r.lost(value.UnknownAt(r.call.At.Pos(), "the type "+typeText(t)), plainConstructor)
	}
	for _, soft := range []bool{false, true} {
		for i := range u.NumFields() {
			if isDig(u.Field(i).Type(), "In") || !u.Field(i).Exported() { // which is left out, or else refused before
				continue
			}
			n := needOf(u.Field(i), reflect.StructTag(u.Tag(i)))
			if n.soft != soft {
				continue
			}
			v, how := r.value(n)
			if how != ready {
				return nil, how
			}
			r.call.Set(s.Fields[i], v)
		}
	}
	return s, ready
}

// needOf returns what a field of such a struct needs.
func needOf(field *types.Var, tag reflect.StructTag) need {
	if tag.Get("group") != "" {
		n, _ := neededGroup(field, tag)
		return n
	}
	return need{typ: field.Type(), name: tag.Get("name"), optional: holdsTrue(tag, "optional")}
}

// gives returns where the results of a constructor have what is needed: the
// index of a result, and of its field where it embeds dig.Out. It is nil where
// they haven't.
func (p *provider) gives(n need) []int {
	sig, ok := p.fn.Type.Underlying().(*types.Signature)
	if !ok || p.service != n.service {
		return nil
	}
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		u, isStruct := t.Underlying().(*types.Struct)
		if i > 0 && i == sig.Results().Len()-1 && value.IsErrorType(t) {
			continue // it says whether there are the others
		}
		if !isStruct || !embeds(u, "Out") {
			if n.name == "" && value.SameType(t, n.typ) {
				return []int{i}
			}
			continue
		}
		for j := range u.NumFields() {
			tag := reflect.StructTag(u.Tag(j))
			if tag.Get("group") == "" && tag.Get("name") == n.name && value.SameType(u.Field(j).Type(), n.typ) {
				return []int{i, j}
			}
		}
	}
	return nil
}

// embeds reports whether a struct embeds dig.In or dig.Out.
func embeds(u *types.Struct, name string) bool {
	for i := range u.NumFields() {
		if u.Field(i).Embedded() && isDig(u.Field(i).Type(), name) {
			return true
		}
	}
	return false
}

func isDig(t types.Type, name string) bool { return isDeclared(t, digPackage, name) }

func isDeclared(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path && named.Obj().Name() == name
}

func typeText(t types.Type) string { return types.TypeString(t, (*types.Package).Name) }
