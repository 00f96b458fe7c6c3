package eval

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// Packages that are read have variables which code that isn't read may change: the
// initialisation of packages that import them, such as those of plugins, and any
// function of such packages later. What they may have changed is unknown. Where
// that reaches a route, the packages whose initialisation changes it are read too.

// exposedPackages returns the paths of the packages that are evaluated and that
// packages which aren't can import.
func (ev *Evaluator) exposedPackages() []string {
	exposed := slices.Clone(ev.program.ImportedByOthers())
	for path := range ev.foreign.needed {
		if !model.Evaluated[path] {
			exposed = append(exposed, path)
		}
	}
	slices.Sort(exposed)
	return exposed
}

// passOver notes that the package at path is initialised now, by code that isn't
// read.
func (ev *Evaluator) passOver(path string) {
	if unread := ev.readable(path); unread != "" && ev.tells(path, "", telling) {
		ev.read(unread)
	}
	for _, target := range ev.exposedPackages() {
		if !ev.program.InitChanges(path, target) {
			continue
		}
		mayCallOwn := func(v value.Value) bool {
			fn, isFunc := v.(*value.Func)
			return ev.isOwnCode(v) || isFunc && !isMethodValue(fn)
		}
		if unread := ev.readable(path); unread != "" && slices.ContainsFunc(ev.codeHeld(target), mayCallOwn) {
			ev.read(unread) // it may call that
		}
		ev.blurPackage(target, "the initialisation of "+path, target)
	}
}

// blurForeign notes that a function which isn't entered may have changed the
// variables of packages that are read, and called what they hold. Those of the standard
// library import none of them. A function in a variable that isn't known may be anywhere.
func (ev *Evaluator) blurForeign(at ast.Expr, fn *value.Func, result *value.Unknown) {
	switch {
	case fn == nil || fn.Obj.Pkg() == nil && !isAbstract(fn.Obj):
		for _, target := range ev.exposedPackages() {
			ev.blurTarget(at, target, ev.readable(result.Unread), result)
		}
		return
	case isAbstract(fn.Obj):
		ev.blurBy(at, slices.Concat(ev.codeOfMethod(fn.Obj.Name()), ev.foreign.lent.all, ev.foreign.called.all), result)
		return
	}
	from := fn.Obj.Pkg().Path()
	if load.IsLibrary(from) || ev.program.InStandardLibrary(from) {
		return
	}
	codes := append([]othersCode{codeNamed(fn.Obj)}, ev.foreign.lent.all...)
	for _, code := range ev.foreign.called.all {
		if ev.program.Reaches(code.path, from) { // it may have given that one functions
			codes = append(codes, code)
		}
	}
	ev.blurBy(at, codes, result)
}

// codeOfMethod returns the code of other modules that a method of a value may be which isn't known: one that
// has its name, or calls what the initialisation of a package has made. Of what can't import a package that
// is read there is no need.
func (ev *Evaluator) codeOfMethod(name string) []othersCode {
	var codes codeList
	for _, target := range ev.exposedPackages() {
		for _, path := range ev.program.OtherImporters(target) {
			ev.addOthers(&codes, othersCode{path, name}, othersCode{path, ""})
		}
		ev.addOthers(&codes, othersCode{target, name})
	}
	return codes.all
}

// blurLent is blurForeign for a function of the standard library: what it calls of other modules may run.
func (ev *Evaluator) blurLent(at ast.Expr, inputs []value.Value, result *value.Unknown) {
	ev.blurBy(at, ev.calledByStandard(at, inputs), result)
}

// blurBy is blurForeign for code of other modules, and what the variables that it may change hold. What
// would tell more is the source that the result lacks, or else that of the code.
func (ev *Evaluator) blurBy(at ast.Expr, codes []othersCode, result *value.Unknown) {
	if len(codes) == 0 {
		return
	}
	exposed := ev.exposedPackages()
	codes = slices.Clip(codes)
	changedBy, given := make(map[string]string), len(codes)
	changes := func(i int, target string) bool {
		if i >= given && codes[i].name == "" { // a literal that is held may be any of its package
			return ev.program.Reaches(codes[i].path, target)
		}
		return ev.changesState(codes[i], target)
	}
	for i := 0; i < len(codes); i++ {
		for _, target := range exposed {
			if _, known := changedBy[target]; !known && changes(i, target) {
				changedBy[target] = codes[i].path
				codes = append(codes, ev.codeOfOthersHeld(target)...)
			}
		}
	}
	for _, target := range slices.Sorted(maps.Keys(changedBy)) {
		ev.blurTarget(at, target, cmp.Or(ev.readable(result.Unread), ev.readable(changedBy[target])), result)
	}
}

// blurTarget is blurForeign for the variables of one package.
func (ev *Evaluator) blurTarget(at ast.Expr, target, unread string, result *value.Unknown) {
	ev.lendHeld(at, target, result)
	ev.blurPackage(target, value.Source(CalledExpr(at)), unread)
}

// changesState reports whether code of another module may change the variables of a package that is read,
// or call what they hold.
func (ev *Evaluator) changesState(code othersCode, target string) bool {
	c := ev.foreign.changing[target]
	if c == nil {
		is := func(path, name string) bool { return path == target && ev.changesByName(target, name) }
		c = &changing{names: &load.Names{Is: is, Texts: map[string]string{target: ""}}, known: make(map[othersCode]bool)}
		ev.foreign.changing[target] = c
	}
	changes, known := c.known[code]
	if !known {
		switch {
		case code.name == "" && ev.source(code.path) != nil: // a literal, which is followed
		case code.path == target:
			changes = ev.changesItself(target, code.name)
		default:
			changes = ev.program.Mentions(code.path, code.name, c.names)
		}
		c.known[code] = changes
	}
	return changes
}

// changing is what changes the variables of a package.
type changing struct {
	names *load.Names
	known map[othersCode]bool // what has been asked for
}

// changesItself is changesByName of a package's own code, a method of that name as well.
func (ev *Evaluator) changesItself(path, name string) bool {
	pkg := ev.source(path)
	if pkg == nil || pkg.Types.Scope().Lookup(name) != nil {
		return ev.changesByName(path, name)
	}
	return slices.ContainsFunc(pkg.Files, func(file *ast.File) bool {
		return slices.ContainsFunc(file.Decls, func(decl ast.Decl) bool {
			fn, ok := decl.(*ast.FuncDecl)
			return ok && fn.Name.Name == name && ev.codeMutates(pkg, fn)
		})
	})
}

// changesByName reports whether code of others that mentions a name of a package that is read, see
// [load.Names], may change the package's variables by it, or call what they hold.
func (ev *Evaluator) changesByName(path, name string) bool {
	pkg := ev.source(path)
	if pkg == nil {
		return true
	}
	base := name
	if end := strings.IndexAny(name, "=.("); end >= 0 {
		base = name[:end]
	}
	switch obj := pkg.Types.Scope().Lookup(base).(type) {
	case *types.Const:
		return false
	case *types.Func:
		in, decl := ev.declaration(obj)
		return decl == nil || ev.codeMutates(in, decl)
	case *types.Var:
		_, isFunc := obj.Type().Underlying().(*types.Signature)
		return strings.HasSuffix(name, "=") || isFunc || !isFixed(obj.Type())
	case *types.TypeName:
		_, isBasic := obj.Type().Underlying().(*types.Basic)
		return !isBasic || types.NewMethodSet(types.NewPointer(obj.Type())).Len() > 0
	default:
		return true
	}
}

// lendHeld gives code that isn't followed what the variables of a package hold: it may call the
// program's functions and methods among that, and closures. What it does to the package's own
// variables by others is unknown anyway, and so is the receiver of a method value then.
func (ev *Evaluator) lendHeld(at ast.Expr, path string, result *value.Unknown) {
	for _, held := range ev.codeHeld(path) {
		fn, isFunc := held.(*value.Func)
		if isFunc && isMethodValue(fn) && !ev.isOwnCode(fn) {
			ev.Havoc(ev.changedBy(ev.calledName(at), at), fn.Recv)
			continue
		}
		ev.lend(at, result, func() {
			if isFunc {
				ev.noteCallable(at, fn)
			} else {
				ev.noteMethods(at, held)
			}
		})
	}
}

// codeHeld returns the program's own code that the variables of a package lead to, and functions that
// may change what they have captured, or their receiver.
func (ev *Evaluator) codeHeld(path string) (held []value.Value) {
	ev.eachHeld(path, func(v value.Value) {
		fn, isFunc := v.(*value.Func)
		if ev.isOwnCode(v) || isFunc && (fn.Bound || len(ev.capturedBy(fn.Closure)) > 0) {
			held = append(held, v)
		}
	})
	return held
}

// isMethodValue reports whether a function is a method with its receiver.
func isMethodValue(fn *value.Func) bool { return fn.Bound && fn.Native == nil && fn.Obj != nil }

// isOwnCode reports whether a value is a function of the program's own, has methods of its types, or
// makes values of them.
func (ev *Evaluator) isOwnCode(v value.Value) bool {
	if fn, isFunc := v.(*value.Func); isFunc {
		return ev.isOwnFunc(fn) || ev.makesOwn(fn)
	}
	named := value.NamedOf(typeOrInvalid(v))
	return named != nil && ev.namesOwn(named)
}

// makesOwn reports whether a type argument of a function, or of the one that a function literal is
// in, is a type of the program's.
func (ev *Evaluator) makesOwn(fn *value.Func) bool {
	args := fn.TArgs
	if c, isLiteral := fn.Closure.(*closure); isLiteral {
		args = slices.AppendSeq(slices.Clip(args), maps.Values(c.targs.of))
	}
	return slices.ContainsFunc(args, ev.namesOwn)
}

// namesOwn reports whether a type is made of one of the program's.
func (ev *Evaluator) namesOwn(t types.Type) bool {
	found := false
	namesIn(t, func(obj *types.TypeName) { found = found || obj.Pkg() != nil && ev.program.IsOwn(obj.Pkg().Path()) })
	return found
}

// codeOfOthersHeld returns the code of other modules that the variables of a package lead to.
func (ev *Evaluator) codeOfOthersHeld(path string) []othersCode {
	var others codeList
	ev.eachHeld(path, func(v value.Value) { ev.addOthers(&others, codeOf(v), codeOfType(v)) })
	return others.all
}

// eachHeld visits what the variables of a package that may lead to functions hold, and lead to.
func (ev *Evaluator) eachHeld(path string, visit func(value.Value)) {
	r := value.Reach{Captured: ev.capturedBy, Visit: func(v value.Value) {
		if v != nil {
			visit(v)
		}
	}}
	for _, v := range ev.codeVariables(path) {
		if cell := ev.globals[v]; cell != nil {
			r.Add(cell)
		}
	}
	ev.work(len(r.Cells))
}

// codeVariables returns the variables of a package that may lead to functions.
func (ev *Evaluator) codeVariables(path string) []*types.Var {
	if vars, known := ev.foreign.holding[path]; known {
		return vars
	}
	var vars []*types.Var
	if pkg := ev.source(path); pkg != nil {
		for _, name := range pkg.Types.Scope().Names() {
			if v, ok := pkg.Types.Scope().Lookup(name).(*types.Var); ok && holdsCode(v.Type()) {
				vars = append(vars, v)
			}
		}
	}
	ev.foreign.holding[path] = vars
	return vars
}

// isAbstract reports whether a method is that of an interface.
func isAbstract(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// blurPackage makes the variables of a package unknown that other packages can
// change, since something may have changed them; reading the package unread would
// tell.
func (ev *Evaluator) blurPackage(path, something, unread string) {
	for _, v := range ev.changeable(path) {
		ev.blurVariable(v, something, unread)
	}
}

func (ev *Evaluator) blurVariable(v *types.Var, something, unread string) {
	_, isUsed := ev.globals[v] // else it may be too early for it, which is no reason
	cell := ev.global(v)
	if isUsed && value.IsUnknown(cell.Load()) {
		return
	}
	why := &value.Unknown{
		Reason: "the variable " + v.Pkg().Name() + "." + v.Name() + ", which " + something + " may have changed",
		Unread: unread, Foreign: true,
	}
	ev.Havoc(why, value.Pointer{To: cell})
}

// changeable returns the variables of a package that code of others can change.
func (ev *Evaluator) changeable(path string) []*types.Var {
	if vars, ok := ev.foreign.changeable[path]; ok {
		return vars
	}
	var vars []*types.Var
	if pkg := ev.source(path); pkg != nil {
		changed := make(map[*types.Var]bool)
		for _, file := range pkg.Files {
			maps.Copy(changed, changedVariables(pkg, file))
		}
		for _, name := range pkg.Types.Scope().Names() {
			if v, ok := pkg.Types.Scope().Lookup(name).(*types.Var); ok && (v.Exported() || changed[v]) {
				vars = append(vars, v)
			}
		}
	}
	ev.foreign.changeable[path] = vars
	return vars
}

// changedVariables returns the variables, of a package or of the functions around,
// that code of a package may change, or what they lead to.
func changedVariables(pkg *load.Package, code ast.Node) map[*types.Var]bool {
	changed := make(map[*types.Var]bool)
	var around []ast.Node
	ast.Inspect(code, func(node ast.Node) bool {
		if node == nil {
			around = around[:len(around)-1]
			return true
		}
		around = append(around, node)
		if name, ok := node.(*ast.Ident); ok {
			if v, ok := pkg.Info.Uses[name].(*types.Var); ok && !v.IsField() && !changed[v] && mayChange(pkg, around) {
				changed[v] = true
			}
		}
		return true
	})
	return changed
}

// mayChange reports whether the use of a variable may change it, or what it leads
// to. The last of the nodes is its name, and the others are around it.
func mayChange(pkg *load.Package, around []ast.Node) bool {
	used := around[len(around)-1]
	for i := len(around) - 2; i >= 0; i-- {
		switch outer := around[i].(type) {
		case *ast.ParenExpr, *ast.StarExpr, *ast.TypeAssertExpr:
		case *ast.SelectorExpr:
			if selection := pkg.Info.Selections[outer]; selection != nil && selection.Kind() != types.FieldVal {
				return !isFixed(pkg.Info.TypeOf(outer.X)) || isGivenAddress(selection)
			}
		case *ast.IndexExpr:
			if outer.X != used {
				return false
			}
		case *ast.SliceExpr:
			if outer.X != used {
				return false
			}
			if isArray(pkg.Info.TypeOf(outer.X)) {
				return true // by its address
			}
		case *ast.AssignStmt:
			return slices.ContainsFunc(outer.Lhs, func(left ast.Expr) bool { return left == used }) || leads(pkg, used)
		case *ast.IncDecStmt:
			return true
		case *ast.UnaryExpr:
			return outer.Op == token.AND || outer.Op == token.ARROW
		case *ast.BinaryExpr:
			return false
		case *ast.RangeStmt:
			if outer.X != used {
				return true
			}
			if _, isChannel := pkg.Info.TypeOf(outer.X).Underlying().(*types.Chan); isChannel {
				return true
			}
			return outer.Value != nil && !isFixed(pkg.Info.TypeOf(outer.Value)) || outer.Key != nil && !isFixed(pkg.Info.TypeOf(outer.Key))
		case *ast.CallExpr:
			if outer.Fun == used || isLength(pkg, outer) {
				return false
			}
			return leads(pkg, used)
		default:
			return leads(pkg, used)
		}
		used = around[i]
	}
	return true
}

// isGivenAddress reports whether a method gets the address of the variable that it is
// called of, and may write to it. Those of the reviewed list, such as Lock, don't.
func isGivenAddress(selection *types.Selection) bool {
	fn, ok := selection.Obj().(*types.Func)
	if !ok || value.Pointee(selection.Recv()) != nil {
		return false
	}
	return value.Pointee(fn.Signature().Recv().Type()) != nil && !model.EffectsOf(fn).Known
}

func isArray(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// isLength reports whether a call is one of len or cap.
func isLength(pkg *load.Package, call *ast.CallExpr) bool {
	switch builtinName(ast.Unparen(call.Fun)) {
	case "len", "cap":
		return pkg.Info.Types[call.Fun].IsBuiltin()
	}
	return false
}

// leads reports whether an expression's value may lead to variables that can be
// changed through it.
func leads(pkg *load.Package, node ast.Node) bool {
	expr, ok := node.(ast.Expr)
	return !ok || !isFixed(pkg.Info.TypeOf(expr))
}

// isFixed reports whether values of a type can't be changed but by assigning
// another one: those without references, functions, errors, and what the standard
// library promises not to change.
func isFixed(t types.Type) bool {
	if t == nil {
		return false
	}
	if value.IsErrorType(t) {
		return true
	}
	switch types.TypeString(t, nil) {
	case "*regexp.Regexp", "*strings.Replacer", "*time.Location", "time.Time", "reflect.Type":
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Signature:
		return true
	case *types.Array:
		return isFixed(u.Elem())
	case *types.Struct:
		for field := range u.Fields() {
			if !isFixed(field.Type()) {
				return false
			}
		}
		return true
	default:
		return false
	}
}
