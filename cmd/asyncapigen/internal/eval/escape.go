package eval

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// What escapes to code that isn't followed may be called by it: functions, and
// the methods of values, at that call or at any later one. Those that matter are
// followed, called or not and any number of times, with arguments that aren't
// known.

// Expose gives values to a function that isn't read: what they lead to isn't
// known any more, and neither is what the functions among them do.
func (ev *Evaluator) Expose(at ast.Expr, args []value.Value, result *value.Unknown) {
	name := ev.calledName(at)
	why := ev.changedBy(name, at)
	why.Reason, why.Unread = why.Reason+originOf(at, result), result.Unread
	for _, v := range ev.Escape(args...) {
		ev.noteCallable(at, v)
	}
	ev.Havoc(why, args...)
	ev.HavocEscaped(why)
	if !ev.callingEscaped {
		ev.escaped.enqueueLeading()
	}
	ev.callEscaped(at, name, result)
}

// calledName names the code that isn't read, as the user has called it.
func (ev *Evaluator) calledName(at ast.Expr) string { return value.Source(CalledExpr(ev.ownCall(at))) }

// changedBy is a value that code which isn't read may have changed.
func (ev *Evaluator) changedBy(name string, at ast.Expr) *value.Unknown {
	return &value.Unknown{Reason: "a value that " + name + " may have changed", Pos: ev.ownPos(at.Pos()), Foreign: true}
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
		if c, isLiteral := fn.Closure.(*closure); isLiteral && !ev.program.IsOwn(c.pkg.Path) && !ev.leads(fn) {
			return // what another module's code changes by its own functions isn't the user's
		}
		ev.escapes(fn)
		return
	}
	if d, ok := v.(value.Describing); ok {
		ev.noteMadeBy(at, d.Described())
		return
	}
	named := value.NamedOf(value.TypeOf(v))
	if named.Obj().Pkg() == nil || !ev.program.IsOwn(named.Obj().Pkg().Path()) {
		return
	}
	for selection := range types.NewMethodSet(value.TypeOf(v)).Methods() {
		method, ok := selection.Obj().(*types.Func)
		if !ok || !method.Exported() || !ev.methodMatters(method) {
			continue
		}
		switch fn := ev.Method(at, v, method.Name()); {
		case fn == nil:
		case ev.foreignCanCall(at, method):
			ev.escapes(fn)
		default:
			ev.escaped.withheld = append(ev.escaped.withheld, fn)
		}
	}
}

// noteMadeBy notes the methods of the values that reflection makes of a type, and of
// the types that it is made of.
func (ev *Evaluator) noteMadeBy(at ast.Expr, t types.Type) {
	for _, made := range ev.methodsMadeBy(t) {
		if ev.isNoted(made.method) || !ev.callsOfParts(at, made.method) || !ev.foreignCanCall(at, made.method) {
			continue
		}
		ev.escapes(ev.methodOfAny(at, made))
	}
}

// methodOfAny returns a method of a value that isn't known.
func (ev *Evaluator) methodOfAny(at ast.Expr, made madeMethod) *value.Func {
	recv := &value.Unknown{Reason: "a value that is found by reflection", Pos: ev.ownPos(at.Pos()), NonNil: true, Foreign: true}
	return &value.Func{
		Obj: made.method, Type: made.method.Type(), Recv: recv, Bound: true, TArgs: value.ReceiverArgs(recv, made.of, made.method),
	}
}

// madeMethod is a method of a type of the program's own.
type madeMethod struct {
	of     *types.Named
	method *types.Func
}

// methodsMadeBy returns the methods that matter of a type, and of the types that it is
// made of.
func (ev *Evaluator) methodsMadeBy(t types.Type) []madeMethod {
	if all, known := ev.madeBy[t]; known {
		return all
	}
	var all []madeMethod
	partsOf(t, make(map[types.Type]bool), func(named *types.Named) {
		if types.IsInterface(named) || named.Obj().Pkg() == nil || !ev.program.IsOwn(named.Obj().Pkg().Path()) {
			return
		}
		for selection := range types.NewMethodSet(types.NewPointer(named)).Methods() {
			method, ok := selection.Obj().(*types.Func)
			if ok && method.Exported() && !isAbstract(method) && ev.methodMatters(method) {
				all = append(all, madeMethod{named, method})
			}
		}
	})
	ev.madeBy[t] = all
	return all
}

// isNoted reports whether a method has escaped of any value of its type.
func (ev *Evaluator) isNoted(method *types.Func) bool {
	return slices.ContainsFunc(ev.escaped.all, func(c *callable) bool {
		return c.fn.Obj == method && value.IsUnknown(c.fn.Recv) && (c.queued || c.seen.Load() != nil)
	})
}

// callsOfParts reports whether the code that is called at an expression may call a
// method of what reflection finds in a value, or makes: the standard library decodes,
// encodes and prints by known ones.
func (ev *Evaluator) callsOfParts(at ast.Expr, method *types.Func) bool {
	path := ev.calledPackage(at)
	if path == "" || reflective[path] || !ev.program.InStandardLibrary(path) {
		return true
	}
	switch name := method.Name(); name {
	case "Error", "Format", "GobDecode", "GobEncode", "GoString", "IsZero", "LogValue", "Scan", "String", "Value":
		return true
	default:
		return strings.HasPrefix(name, "Marshal") || strings.HasPrefix(name, "Unmarshal") || strings.HasPrefix(name, "Append")
	}
}

// partsOf visits the named types that values of a type consist of or point to.
func partsOf(t types.Type, seen map[types.Type]bool, visit func(*types.Named)) {
	t = types.Unalias(t)
	if seen[t] {
		return
	}
	seen[t] = true
	if named, ok := t.(*types.Named); ok {
		visit(named)
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for field := range u.Fields() {
			partsOf(field.Type(), seen, visit)
		}
	case *types.Map:
		partsOf(u.Key(), seen, visit)
		partsOf(u.Elem(), seen, visit)
	case interface{ Elem() types.Type }:
		partsOf(u.Elem(), seen, visit)
	}
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
		cond.Why = why
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
		ev.giveAway(at, name, fn, ev.Call(at, fn, ev.unknownArgs(at, fn, name)))
	}
	start := ev.Now()
	ev.perhaps(cond, call)
	if !ev.Unchanged(start) {
		ev.perhaps(cond, call)
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
	for _, v := range ev.Escape(results...) {
		ev.noteCallable(at, v)
	}
	ev.Havoc(ev.changedBy(name, at), results...)
}

// calledText names a function that is called by code that isn't read.
func calledText(fn *value.Func) string {
	if fn.Obj != nil && fn.Bound {
		return "the method " + fn.Obj.Name() + " of a value that it is given"
	}
	return "the function it is given"
}

// leads reports whether a function can lead to what the user records.
func (ev *Evaluator) leads(fn *value.Func) bool {
	if c, ok := fn.Closure.(*closure); ok {
		return ev.user.Leads(c.pkg, c.lit.Body)
	}
	if fn.Obj == nil {
		return false
	}
	pkg, decl := ev.declaration(fn.Obj)
	return decl != nil && ev.user.Leads(pkg, decl.Body)
}

// methodMatters reports whether it matters that a method is called: it leads to
// what the user records, or may change variables of others. What it changes of its
// receiver itself is unknown anyway.
func (ev *Evaluator) methodMatters(method *types.Func) bool {
	pkg, decl := ev.declaration(method)
	return decl != nil && (ev.user.Leads(pkg, decl.Body) || ev.mutatesBeside(pkg, decl))
}

// foreignCanCall reports whether the code that is called at the expression can
// name all types of a method's signature, as it must to call it but by
// reflection.
func (ev *Evaluator) foreignCanCall(at ast.Expr, method *types.Func) bool {
	path := ev.calledPackage(at)
	if path == "" {
		return true
	}
	ok := true
	visit := func(obj *types.TypeName) {
		if obj.Pkg() != nil && obj.Pkg().Path() != path && !ev.program.Imports(path, obj.Pkg().Path()) {
			ok = false
		}
	}
	eachNamed(method.Signature(), visit)
	return ok || reflective[path]
}

// eachNamed visits the named types of which the parameters and results of a function are
// made.
func eachNamed(sig *types.Signature, visit func(*types.TypeName)) {
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			namesIn(v.Type(), visit)
		}
	}
}

// reflective lists packages that call methods by reflection.
var reflective = map[string]bool{
	"html/template": true, "net/rpc": true, "net/rpc/jsonrpc": true, "reflect": true, "testing/quick": true, "text/template": true,
}

// namesIn visits the named types that a type is made of.
func namesIn(t types.Type, visit func(*types.TypeName)) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		visit(t.Obj())
		for arg := range t.TypeArgs().Types() {
			namesIn(arg, visit)
		}
	case *types.Map:
		namesIn(t.Key(), visit)
		namesIn(t.Elem(), visit)
	case *types.Signature:
		eachNamed(t, visit)
	case interface{ Elem() types.Type }:
		namesIn(t.Elem(), visit)
	}
}

// calledPackage returns the path of the package whose function is called, "" where
// it isn't known.
func (ev *Evaluator) calledPackage(at ast.Expr) string {
	var name *ast.Ident
	switch fun := ast.Unparen(CalledExpr(at)).(type) {
	case *ast.Ident:
		name = fun
	case *ast.SelectorExpr:
		name = fun.Sel
	default:
		return ""
	}
	fn, ok := ev.frame.pkg.Info.Uses[name].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return ""
	}
	return fn.Pkg().Path()
}

// callMethods follows the methods by which a function of the library, which only
// reads its arguments, prints or encodes them.
func (ev *Evaluator) callMethods(at ast.Expr, effects model.Effects, args []value.Value) {
	if len(effects.Methods) == 0 {
		return
	}
	name := ev.calledName(at)
	pointed, followed := make(map[*value.Cell]bool), make(map[*types.Func]bool)
	w := value.Walk{Visit: func(cell *value.Cell, v value.Value) {
		switch v := v.(type) {
		case value.Pointer:
			pointed[v.To] = true
		case *value.Unknown:
			ev.callMethodsOfUnknown(at, name, effects, v, followed)
		}
		named := value.NamedOf(typeOrInvalid(v))
		if pointed[cell] || named == nil || named.Obj().Pkg() == nil || !ev.program.IsOwn(named.Obj().Pkg().Path()) {
			return
		}
		if _, isPointer := v.(value.Pointer); cell != nil && !isPointer && !types.IsInterface(value.TypeOf(v)) {
			v = value.Pointer{Type: types.NewPointer(value.TypeOf(v)), To: cell} // reflection has its address
		}
		for _, method := range effects.Methods {
			ev.callMethod(at, name, v, method)
		}
	}}
	w.All(args)
}

// callMethodsOfUnknown follows those of a value that isn't known, once each: of its type
// and what that is made of, or where the type isn't known, of any type of the program's.
func (ev *Evaluator) callMethodsOfUnknown(at ast.Expr, name string, effects model.Effects, u *value.Unknown, followed map[*types.Func]bool) {
	all := ev.methodsThatMatter()
	if t := value.TypeOf(u); t != nil {
		all = ev.methodsMadeBy(t)
	}
	for _, made := range all {
		if slices.Contains(effects.Methods, made.method.Name()) && !followed[made.method] {
			followed[made.method] = true
			ev.mayCall(at, name, ev.methodOfAny(at, made))
		}
	}
}

// methodsThatMatter returns those of all types of the program's own.
func (ev *Evaluator) methodsThatMatter() []madeMethod {
	if ev.mattering != nil {
		return ev.mattering
	}
	ev.mattering = make([]madeMethod, 0, 1)
	for _, pkg := range ev.program.Checked() {
		if pkg == nil || pkg.Info == nil || !ev.program.IsOwn(pkg.Path) {
			continue
		}
		for obj := range ev.Declarations(pkg) {
			method, ok := obj.(*types.Func)
			if !ok || method.Signature().Recv() == nil || !ev.methodMatters(method) {
				continue
			}
			if named := value.NamedOf(method.Signature().Recv().Type()); named != nil {
				ev.mattering = append(ev.mattering, madeMethod{named, method})
			}
		}
	}
	slices.SortFunc(ev.mattering, func(a, b madeMethod) int { return int(a.method.Pos() - b.method.Pos()) })
	return ev.mattering
}

// MayCall implements [model.Machine].
func (ev *Evaluator) MayCall(at ast.Expr, v *value.Unknown, methods ...string) {
	ev.callMethods(at, model.Effects{Methods: methods}, []value.Value{v})
}

// MayCallAny implements [model.Machine].
func (ev *Evaluator) MayCallAny(at ast.Expr, v *value.Unknown, methods ...string) {
	ev.callMethodsOfUnknown(at, ev.calledName(at), model.Effects{Methods: methods}, v, make(map[*types.Func]bool))
}

func (ev *Evaluator) callMethod(at ast.Expr, name string, v value.Value, method string) {
	obj, _, _ := types.LookupFieldOrMethod(value.TypeOf(v), false, nil, method)
	declared, ok := obj.(*types.Func)
	if !ok {
		return
	}
	pkg, decl := ev.declaration(declared)
	if decl == nil || !ev.user.Leads(pkg, decl.Body) && !ev.codeMutates(pkg, decl) {
		return
	}
	fn := ev.Method(at, v, method)
	if fn != nil {
		ev.mayCall(at, name, fn)
	}
}

// mayCall follows a call of a function that a function of the library may make.
func (ev *Evaluator) mayCall(at ast.Expr, name string, fn *value.Func) {
	cond := ev.condition(at, name+" calls "+calledText(fn))
	ev.perhaps(cond, func() { ev.Call(at, fn, ev.unknownArgs(at, fn, name)) })
}

func typeOrInvalid(v value.Value) types.Type {
	if t := value.TypeOf(v); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}

func (ev *Evaluator) unknownArgs(at ast.Expr, fn *value.Func, name string) []value.Value {
	sig := signatureOf(fn)
	if sig == nil {
		return nil
	}
	args := make([]value.Value, sig.Params().Len())
	for i := range args {
		args[i] = &value.Unknown{Reason: "an argument that " + name + " gives", Pos: ev.ownPos(at.Pos()), Foreign: true}
	}
	return args
}

// signatureOf returns that of a function, nil where it isn't known.
func signatureOf(fn *value.Func) *types.Signature {
	if fn.Type == nil {
		return nil
	}
	sig, _ := fn.Type.Underlying().(*types.Signature)
	return sig
}

// UsedObjects lists the functions and package variables that are referred to.
func UsedObjects(pkg *load.Package, in ast.Node) []types.Object {
	var used []types.Object
	ast.Inspect(in, func(node ast.Node) bool {
		ident, ok := node.(*ast.Ident)
		if !ok {
			return true
		}
		switch obj := pkg.Info.Uses[ident].(type) {
		case *types.Func:
			used = append(used, obj.Origin())
		case *types.Var:
			if isPackageVariable(obj) {
				used = append(used, obj)
			}
		}
		return true
	})
	return used
}

func isPackageVariable(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// rootOf returns the name that an expression begins with, nil for others.
func rootOf(expr ast.Expr) *ast.Ident {
	switch expr := expr.(type) {
	case *ast.Ident:
		return expr
	case *ast.ParenExpr:
		return rootOf(expr.X)
	case *ast.SelectorExpr:
		if root := rootOf(expr.X); root != nil {
			return root
		}
		return expr.Sel
	case *ast.IndexExpr:
		return rootOf(expr.X)
	case *ast.StarExpr:
		return rootOf(expr.X)
	default:
		return nil
	}
}
