package eval

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// The program gives code of other modules that isn't read values of further ones, such as a plugin
// to a server. What those do may be done at any later call.

// An othersCode is a function or variable of another module, or a type with its methods; without a
// name, what the package does when it is initialised, besides.
type othersCode struct{ path, name string }

// A codeList is such code, each once.
type codeList struct {
	all []othersCode
	has map[othersCode]bool
}

// add adds what isn't in the list.
func (l *codeList) add(code othersCode) {
	if l.has == nil {
		l.has = make(map[othersCode]bool)
	}
	if !l.has[code] {
		l.has[code], l.all = true, append(l.all, code)
	}
}

// codeNamed returns the code of a name, none for one of the language's own.
func codeNamed(obj types.Object) othersCode {
	if obj.Pkg() == nil {
		return othersCode{}
	}
	return othersCode{obj.Pkg().Path(), obj.Name()}
}

// noteEscaped notes what code that isn't followed has got.
func (ev *Evaluator) noteEscaped(at ast.Expr, values []value.Value) {
	for _, v := range values {
		ev.lendCodeOf(at, v)
		ev.noteCallable(at, v)
	}
}

// lendCodeOf notes the code of other modules that a value is, which code that isn't followed has got.
// What isn't known may lead to anything that a function called before has returned, or a variable has
// held.
func (ev *Evaluator) lendCodeOf(at ast.Expr, v value.Value) {
	ev.lendCode(at, codeOf(v), codeOfType(v))
	if t := value.TypeOf(v); value.IsForeign(v) && (t == nil || holdsCode(t)) {
		ev.lendCode(at, ev.foreign.called.all...)
		if named := value.NamedOf(typeOrInvalid(v)); named != nil && named.Obj().Pkg() != nil {
			ev.lendCode(at, ev.lentTo(named.Obj().Pkg().Path())...)
		}
	}
}

// codeOfTypes returns the types of other modules among those of values, and of their parts.
func (ev *Evaluator) codeOfTypes(values []value.Value) []othersCode {
	var codes codeList
	for _, v := range values {
		t := typeOrInvalid(v)
		if parts, ok := v.(value.Reflected); ok {
			t = parts.Of
		}
		for _, code := range ev.codeOfParts(t) {
			codes.add(code)
		}
	}
	return codes.all
}

// codeOfParts is codeOfTypes of one type.
func (ev *Evaluator) codeOfParts(t types.Type) []othersCode {
	if known, ok := ev.foreign.parts[t]; ok {
		return known
	}
	var codes codeList
	for part := range PartsOf(t) {
		if named := value.NamedOf(part); named != nil && !types.IsInterface(named) {
			ev.addOthers(&codes, codeNamed(named.Obj()))
		}
	}
	ev.foreign.parts[t] = codes.all
	return codes.all
}

// noteCalled notes a function of another module that was called, or a variable that was read.
func (ev *Evaluator) noteCalled(obj types.Object) {
	ev.addOthers(&ev.foreign.called, codeNamed(obj))
}

// codeOf returns what code a value is: a function, or what has methods by its type.
func codeOf(v value.Value) othersCode {
	fn, isFunc := v.(*value.Func)
	if !isFunc {
		return codeOfType(v)
	}
	switch c, isLiteral := fn.Closure.(*closure); {
	case fn.Obj != nil && fn.Obj.Pkg() != nil:
		return codeNamed(fn.Obj)
	case isLiteral:
		return othersCode{path: c.pkg.Path}
	}
	return othersCode{}
}

// codeOfType returns the type of a value that may have methods.
func codeOfType(v value.Value) othersCode {
	named := value.NamedOf(typeOrInvalid(v))
	if named == nil || types.IsInterface(named) {
		return othersCode{}
	}
	return codeNamed(named.Obj())
}

// lendCode notes code that such code has got.
func (ev *Evaluator) lendCode(at ast.Expr, all ...othersCode) {
	isOthers := func(code othersCode) bool { return ev.program.IsOthers(code.path) }
	if !slices.ContainsFunc(all, isOthers) {
		return
	}
	ev.addOthers(&ev.foreign.lent, all...)
	if to := ev.givenTo(at); ev.program.InStandardLibrary(to) {
		if ev.foreign.lentToStandard[to] == nil {
			ev.foreign.lentToStandard[to] = new(codeList)
		}
		ev.addOthers(ev.foreign.lentToStandard[to], all...)
	}
}

// lentTo returns such code that a package of the standard library was given.
func (ev *Evaluator) lentTo(path string) []othersCode {
	if list := ev.foreign.lentToStandard[path]; list != nil {
		return list.all
	}
	return nil
}

// givenTo returns the package that gets what is given away at an expression: that of the function that is
// called, or of the variable, "" where there is none.
func (ev *Evaluator) givenTo(at ast.Expr) string {
	if fn := ev.calledFunction(at); fn != nil && fn.Pkg() != nil {
		return fn.Pkg().Path()
	}
	if v, ok := ev.frame.pkg.Info.Uses[nameIn(ast.Unparen(at))].(*types.Var); ok && isPackageVariable(v) {
		return v.Pkg().Path()
	}
	return ""
}

// addOthers adds to a list what is of other modules.
func (ev *Evaluator) addOthers(list *codeList, all ...othersCode) {
	for _, code := range all {
		if !list.has[code] && ev.program.IsOthers(code.path) {
			list.add(code)
		}
	}
}

// callLent follows what code of other modules may do that a function of the standard library calls which is
// known but for that, as a writer to which a log is written.
func (ev *Evaluator) callLent(at ast.Expr, inputs []value.Value, result *value.Unknown) {
	ev.runLent(at, ev.calledByStandard(at, inputs), result)
}

// runLent follows what code of other modules may do that is called by what is known but for that.
func (ev *Evaluator) runLent(at ast.Expr, codes []othersCode, result *value.Unknown) {
	if len(codes) == 0 {
		return
	}
	ev.callEscaped(at, ev.calledName(at), result)
	for _, path := range slices.Sorted(maps.Keys(ev.unread)) {
		if slices.ContainsFunc(codes, func(code othersCode) bool { return ev.program.Reaches(code.path, path) }) {
			ev.lendVariables(at, path)
		}
	}
	for _, code := range codes {
		if ev.source(code.path) == nil {
			ev.readTellingCode(at, code)
		}
	}
	sets := func(code othersCode) bool { return ev.tells(code.path, code.name, settingVariables) }
	ev.loseSetVariables(at, func() bool { return slices.ContainsFunc(codes, sets) })
	ev.blurBy(at, codes, result)
}

// settingLogs are the names by which the standard library is given where it writes its logs.
var settingLogs = &load.Names{
	Is: func(path, name string) bool {
		return path == "log" && strings.HasSuffix(name, "SetOutput") || path == "log/slog" && name == "SetDefault"
	},
	Texts: map[string]string{"log": "SetOutput", "log/slog": "SetDefault"},
}

// calledByStandard returns the code of other modules that a function of the standard library may call, none
// for other functions: what its package has been given, and those of the types that it is given now, and of
// their fields. Package log calls what slog was given. Who has made such a value that isn't known may have
// given it anything.
func (ev *Evaluator) calledByStandard(at ast.Expr, inputs []value.Value) []othersCode {
	from := ev.givenTo(at)
	if !ev.program.InStandardLibrary(from) {
		return nil
	}
	var codes codeList
	of := map[string]bool{from: true}
	for i, v := range inputs {
		t := typeOrInvalid(v)
		if i == 0 && value.TypeOf(v) == nil {
			t = receiverOf(ev.calledFunction(at), t)
		}
		if value.IsForeign(v) && !types.IsInterface(t) && holdsCode(t) {
			ev.addOthers(&codes, ev.foreign.called.all...)
		}
		if len(ev.foreign.lentToStandard) == 0 {
			continue
		}
		for part := range PartsOf(t) {
			if named := value.NamedOf(part); named != nil && named.Obj().Pkg() != nil {
				of[named.Obj().Pkg().Path()] = true
			}
		}
	}
	if of["log"] {
		of["log/slog"] = true
	}
	if of["log/slog"] {
		for _, code := range ev.foreign.called.all {
			if ev.program.Mentions(code.path, code.name, settingLogs) {
				ev.addOthers(&codes, code)
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(of)) {
		ev.addOthers(&codes, ev.lentTo(path)...)
	}
	return codes.all
}

// receiverOf returns the type of a method's receiver, t where there is none.
func receiverOf(fn *types.Func, t types.Type) types.Type {
	if fn == nil || fn.Signature().Recv() == nil {
		return t
	}
	return fn.Signature().Recv().Type()
}

// lentMention reports whether such code may mention one of some names.
func (ev *Evaluator) lentMention(of *load.Names) bool {
	return slices.ContainsFunc(ev.foreign.lent.all, func(code othersCode) bool { return ev.tells(code.path, code.name, of) })
}
