package eval

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// What escapes to code that isn't followed may be called by it: functions, and
// the methods of values, at that call or at any later one. Those that matter are
// followed, called or not and any number of times, with arguments that aren't
// known.

// Expose gives values to a function that isn't read: what they lead to isn't
// known any more, and neither is what the functions among them do.
func (ev *Evaluator) Expose(at ast.Expr, args []value.Value, result *value.Unknown) {
	if slices.ContainsFunc(args, func(v value.Value) bool { fn, ok := v.(*value.Func); return !ok || ev.bodiless(fn) }) {
		ev.exposed++
	}
	name := ev.calledName(at)
	why := ev.changedBy(name, at)
	why.Reason, why.Unread = why.Reason+originOf(at, result), result.Unread
	ev.noteEscaped(at, ev.Escape(args...))
	ev.Havoc(why, args...)
	ev.HavocEscaped(why)
	if !ev.callingEscaped {
		ev.escaped.enqueueLeading()
	}
	ev.Giving(result.Targets, func() { ev.callEscaped(at, name, result) })
}

// Giving implements [model.Machine].
func (ev *Evaluator) Giving(values []value.Value, f func()) {
	around := ev.given
	ev.given = append(around[:len(around):len(around)], values...)
	defer func() { ev.given = around }()
	f()
}

// Lend gives values to a function that isn't read, and which changes nothing of them: it may
// call the functions and methods among them, at this call or at any later one.
func (ev *Evaluator) Lend(at ast.Expr, values []value.Value, result *value.Unknown) {
	ev.elsewhere(at)
	ev.lend(at, result, func() { ev.noteLent(at, values) })
	codes := ev.codeOfTypes(values)
	ev.lendCode(at, codes...)
	ev.runLent(at, codes, result)
}

// lendVariables gives a function of a package that isn't read what the program has assigned to
// the package's variables.
func (ev *Evaluator) lendVariables(at ast.Expr, path string) {
	for _, cell := range ev.unread[path] {
		if v := cell.Peek(); !value.IsUnknown(v) {
			ev.lend(at, value.UnknownResult(at), func() { ev.noteLent(at, []value.Value{v}) })
		}
	}
}

// LendAny gives a value of an interface type to such a function, of which it isn't known what it
// is: any value of the program's that implements the type.
func (ev *Evaluator) LendAny(at ast.Expr, t types.Type, v, result *value.Unknown) {
	ev.lend(at, result, func() { ev.noteImplementations(at, t) })
	ev.Lend(at, []value.Value{v}, result)
}

// lend follows what may be called where values are noted that lead to it.
func (ev *Evaluator) lend(at ast.Expr, result *value.Unknown, note func()) {
	waiting := len(ev.escaped.queue)
	note()
	if len(ev.escaped.queue) > waiting {
		ev.callEscaped(at, ev.calledName(at), result)
	}
}

// noteLent notes the functions and methods of what values lead to.
func (ev *Evaluator) noteLent(at ast.Expr, values []value.Value) {
	w := value.Walk{Visit: func(_ *value.Cell, v value.Value) {
		ev.work(1)
		switch v.(type) {
		case *value.Func, value.Reflected, value.Describing:
			ev.noteCallable(at, v)
			return
		}
		if v != nil && value.TypeOf(v) != nil && value.NamedOf(value.TypeOf(v)) != nil {
			ev.noteMethods(at, v)
		}
	}}
	w.All(values)
}

// bodiless reports whether it isn't known what a function does.
func (ev *Evaluator) bodiless(fn *value.Func) bool {
	_, body := ev.bodyOf(fn)
	return body == nil
}

// calledName names the code that isn't read, as the user has called it.
func (ev *Evaluator) calledName(at ast.Expr) string { return value.Source(CalledExpr(ev.ownCall(at))) }

// changedBy is a value that code which isn't read may have changed.
func (ev *Evaluator) changedBy(name string, at ast.Expr) *value.Unknown {
	return &value.Unknown{Reason: "a value that " + name + " may have changed", Pos: ev.OwnPos(at.Pos()), Foreign: true}
}

// elsewhere follows what code that isn't read may do while others run, at a call or an
// operation by which one may wait for them. Functions that have escaped may be called.
func (ev *Evaluator) elsewhere(at ast.Expr) {
	ev.thread.calls = true
	if ev.HasStirred() {
		ev.callEscaped(at, "code that isn't read", value.UnknownResult(at))
	}
}

// noteCallable notes a function that has escaped, or the methods of a value.
func (ev *Evaluator) noteCallable(at ast.Expr, v value.Value) {
	if fn, ok := v.(*value.Func); ok {
		c, isLiteral := fn.Closure.(*closure)
		if isLiteral && ev.program.InStandardLibrary(c.pkg.Path) && !ev.leads(fn) && !isIterator(fn) {
			return // what the library changes by its own functions, such as one that cancels a context, isn't the user's
		}
		if fn.Bound && fn.Native == nil && ev.bodiless(fn) { // it does anything with its receiver
			ev.noteEscaped(at, ev.Escape(fn.Recv))
		}
		ev.escapes(at, fn)
		ev.noteParameters(at, signatureOf(fn))
	}
	switch v := v.(type) {
	case value.Reflected:
		ev.noteMadeBy(at, v)
	case value.Describing:
		ev.noteOfType(at, v.Described())
	default:
		if value.NamedOf(typeOrInvalid(v)) != nil {
			ev.noteMethods(at, v)
		}
	}
}

// isIterator reports whether a function is one to range over: it gives away what it goes over.
func isIterator(fn *value.Func) bool {
	sig := signatureOf(fn)
	if sig == nil || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return false
	}
	yield, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	return ok && yield.Results().Len() == 1 && isBasic(yield.Results())
}

// noteMethods notes the methods of a value that matter, where code that isn't read has it, and
// those that may change their receiver: a function that changes nothing of it may call them, now
// or later.
func (ev *Evaluator) noteMethods(at ast.Expr, v value.Value) {
	named := value.NamedOf(value.TypeOf(v))
	if named != nil {
		ev.escaped.give(named.Obj())
	}
	to, isPointer := v.(value.Pointer)
	if isPointer && isWriter(named) {
		ev.escapes(at, ev.writing(at, to))
	}
	if !ev.isReadType(named) {
		return
	}
	for selection := range types.NewMethodSet(value.TypeOf(v)).Methods() {
		method, ok := selection.Obj().(*types.Func)
		if ok && isPointer && isWriter(value.NamedOf(method.Signature().Recv().Type())) {
			ev.escapes(at, ev.writing(at, to)) // by a field that it embeds
			continue
		}
		if !ok || !method.Exported() {
			continue
		}
		ev.noteParameters(at, method.Signature())
		if !ev.methodChanges(method) {
			continue
		}
		switch fn := ev.methodToCall(at, v, method.Name()); {
		case fn == nil:
		case ev.foreignCanCall(at, method):
			ev.escapes(at, fn)
		default:
			ev.withhold(fn)
		}
	}
	if value.Pointee(value.TypeOf(v)) == nil {
		ev.noteOfAddress(at, named)
	}
}

// noteOfAddress notes the methods of a type of the program's own of which a value is given: reflection
// makes other ones, unless all are alike, and pointers to them.
func (ev *Evaluator) noteOfAddress(at ast.Expr, named *types.Named) {
	if !ev.program.IsOwn(named.Obj().Pkg().Path()) {
		return
	}
	for _, made := range ev.methodsMadeBy(named) {
		if made.of == named && (value.Pointee(made.method.Signature().Recv().Type()) != nil || !isEmptyStruct(named)) {
			ev.noteMade(at, made, ev.callsOfParts(at, made.method))
		}
	}
}

func isEmptyStruct(t types.Type) bool {
	u, ok := t.Underlying().(*types.Struct)
	return ok && u.NumFields() == 0
}

// noteMade notes a method of the values that reflection makes, if the code that is called calls
// such ones and can.
func (ev *Evaluator) noteMade(at ast.Expr, made madeMethod, calls bool) {
	if calls && !ev.isNoted(made.method) && ev.foreignCanCall(at, made.method) {
		ev.escapes(at, ev.methodOfAny(at, made))
	}
}

// noteParameters notes the methods of values that code makes by reflection to call a function with
// them. Those of other modules' types it has anyway.
func (ev *Evaluator) noteParameters(at ast.Expr, sig *types.Signature) {
	if sig == nil {
		return
	}
	for param := range sig.Params().Variables() {
		namesIn(param.Type(), func(t *types.TypeName) {
			if t.Pkg() != nil && ev.program.IsOwn(t.Pkg().Path()) {
				ev.noteOfType(at, t.Type())
			}
		})
	}
}

// noteTypeArguments notes the methods of the type arguments of another module's function, and of the
// types of what it is given: it can make values of them, and calls methods of those by constraints.
func (ev *Evaluator) noteTypeArguments(at ast.Expr, fn *value.Func, inputs []value.Value) {
	var all []types.Type
	if fn != nil && fn.Obj.Pkg() != nil && ev.program.IsOthers(fn.Obj.Pkg().Path()) {
		all = append(all, fn.TArgs...)
	}
	for _, v := range inputs {
		all = append(all, ev.typeArgumentsIn(typeOrInvalid(v))...)
	}
	for _, t := range all {
		if named := value.NamedOf(t); named != nil {
			ev.lendCode(at, codeNamed(named.Obj()))
		}
		for _, made := range ev.methodsMadeBy(t) {
			mayCall := ev.program.MayBeOfInterface(made.method) || ev.program.CallsByReflection("")
			if mayCall && ev.source(made.of.Obj().Pkg().Path()) != nil && !ev.isNoted(made.method) {
				ev.escapes(at, ev.methodOfAny(at, made))
			}
		}
	}
}

// typeArgumentsIn returns the type arguments of other modules' types that values of a type lead to.
func (ev *Evaluator) typeArgumentsIn(t types.Type) []types.Type {
	all, known := ev.typeArguments[t]
	if !known {
		for part := range PartsOf(t) {
			named, ok := part.(*types.Named)
			if ok && named.Obj().Pkg() != nil && ev.program.IsOthers(named.Obj().Pkg().Path()) {
				all = slices.AppendSeq(all, named.TypeArgs().Types())
			}
		}
		ev.typeArguments[t] = all
	}
	return all
}

// isWriter reports whether what is written to values of a type of the standard library is known
// of them.
func isWriter(named *types.Named) bool {
	if named == nil || named.Obj().Pkg() == nil {
		return false
	}
	switch path, name := named.Obj().Pkg().Path(), named.Obj().Name(); path {
	case "bytes":
		return name == "Buffer"
	case "strings":
		return name == "Builder"
	default:
		return false
	}
}

// writing returns what stands for the methods by which code that has a writer writes to it, as a
// log does: they leave it unknown.
func (ev *Evaluator) writing(at ast.Expr, to value.Pointer) *value.Func {
	if fn := ev.escaped.writing[to.To]; fn != nil {
		return fn
	}
	why := ev.changedBy(ev.calledName(at), at)
	fn := &value.Func{Bound: true, Recv: to, Native: func([]value.Value) value.Value {
		if !isLost(to.Load()) {
			ev.Havoc(why, to)
		}
		return value.Tuple{}
	}}
	if ev.escaped.writing == nil {
		ev.escaped.writing = make(map[*value.Cell]*value.Func)
	}
	ev.escaped.writing[to.To] = fn
	return fn
}

// isLost reports whether nothing is known of a value, or of any field of a struct.
func isLost(v value.Value) bool {
	s, ok := v.(*value.Struct)
	return value.IsUnknown(v) || ok && !slices.ContainsFunc(s.Fields, func(c *value.Cell) bool { return !isLost(c.Load()) })
}

// noteMadeBy notes the methods of the values that reflection makes of a type, and of
// the types that it is made of.
func (ev *Evaluator) noteMadeBy(at ast.Expr, parts value.Reflected) {
	if sig, isFunc := parts.Of.Underlying().(*types.Signature); isFunc {
		ev.noteParameters(at, sig)
	}
	calls := func(method *types.Func) bool { return ev.callsOfParts(at, method) }
	if parts.Methods != "" {
		calls = func(method *types.Func) bool { return slices.Contains(strings.Fields(parts.Methods), method.Name()) }
	}
	for _, made := range ev.methodsMadeBy(parts.Of) {
		ev.noteMade(at, made, calls(made.method))
	}
}

// noteOfType notes the methods that a reflect.Type tells to whoever has it. Where it isn't known
// who that is, it may be its own code.
func (ev *Evaluator) noteOfType(at ast.Expr, t types.Type) {
	for _, made := range ev.methodsMadeBy(t) {
		if ev.isNoted(made.method) {
			continue
		}
		fn := ev.methodOfAny(at, made)
		if ev.calledPackage(at) == "" || ev.callsOfParts(at, made.method) && ev.foreignCanCall(at, made.method) {
			ev.escapes(at, fn)
		} else {
			ev.withhold(fn)
		}
	}
}

// isNoted reports whether a method has escaped of any value of its type.
func (ev *Evaluator) isNoted(method *types.Func) bool {
	return slices.ContainsFunc(ev.escaped.all, func(c *callable) bool {
		return c.fn.Obj == method && value.IsUnknown(c.fn.Recv) && (c.queued || c.seen.Load() != nil)
	})
}

// callEscaped follows what a function that isn't read may call: everything that
// has escaped to it now, and what has escaped before if calling it matters.
func (ev *Evaluator) callEscaped(at ast.Expr, name string, result *value.Unknown) {
	if ev.callingEscaped {
		return // what has escaped to code that is called by such code is called by it anyway
	}
	ev.callingEscaped = true
	defer func() { ev.callingEscaped = false }()
	changed := ev.changedBy(name, at)
	why := &value.Unknown{Unread: result.Unread}
	if result.Pos != at.Pos() { // it isn't known for a reason of its own
		why = result
	}
	follow := func(c *callable) {
		cond := ev.condition(at, name+" calls "+calledText(c.fn))
		cond.Why, cond.Call = why, true
		ev.followEscaped(at, name, cond, c.fn)
	}
	ev.followCallables(at, changed, follow)
}

// followEscaped follows a function that code which isn't followed may call: once, and
// once more from what it left. What it may have changed escapes with it.
func (ev *Evaluator) followEscaped(at ast.Expr, name string, cond *Condition, fn *value.Func) {
	var changed []*value.Cell
	call := func() {
		mark := ev.Mark()
		defer func() { changed = append(changed, ev.ChangedSince(mark)...) }()
		ev.giveAway(at, name, fn, ev.Call(at, fn, ev.unknownArgs(at, fn, name, cond.Why)))
	}
	start := ev.Now()
	ev.maySurvive(at, cond, call)
	if !ev.Unchanged(start) {
		ev.maySurvive(at, cond, call)
	}
	ev.EscapeCells(changed)
}

// giveAway gives the result of a function to the code that isn't read which has
// called it.
func (ev *Evaluator) giveAway(at ast.Expr, name string, fn *value.Func, result value.Value) {
	results := []value.Value{result}
	if tuple, ok := result.(value.Tuple); ok {
		results = tuple
	}
	if sig := signatureOf(fn); sig != nil {
		ev.noteUnknowns(at, sig.Results(), results)
	}
	ev.noteEscaped(at, ev.Escape(results...))
	ev.Havoc(ev.changedBy(name, at), results...)
}

// calledText names a function that is called by code that isn't read.
func calledText(fn *value.Func) string {
	switch {
	case fn.Native != nil && fn.Bound && !isFunc(fn.Recv):
		return "a method of a writer that it is given"
	case fn.Obj != nil && fn.Bound:
		return "the method " + fn.Obj.Name() + " of a value that it is given"
	}
	return "the function it is given"
}

func isFunc(v value.Value) bool {
	_, ok := v.(*value.Func)
	return ok
}

func (ev *Evaluator) unknownArgs(at ast.Expr, fn *value.Func, name string, why *value.Unknown) []value.Value {
	sig := signatureOf(fn)
	if sig == nil {
		return nil
	}
	args := make([]value.Value, sig.Params().Len())
	for i := range args {
		arg := &value.Unknown{Reason: "an argument that " + name + " gives", Pos: ev.OwnPos(at.Pos()), Foreign: true}
		if why != nil {
			arg.Unread = why.Unread
		}
		if t := sig.Params().At(i).Type(); len(ev.given) > 0 && mayLead(t) {
			arg.Of(ev.given...)
		}
		args[i] = arg
	}
	return args
}

// mayLead reports whether a value of a type may lead to other things than bytes, texts and numbers.
func mayLead(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Slice:
		return mayLead(u.Elem())
	case *types.Array:
		return mayLead(u.Elem())
	default:
		return true
	}
}
