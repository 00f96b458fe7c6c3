package eval

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// The program gives code of other modules that isn't read values of further ones, such as a plugin
// to a server. What those do may be done at any later call.

// An othersCode is a function or variable of another module, or a type with its methods; without a
// name, what the package does when it is initialised, besides.
type othersCode struct{ path, name string }

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
		ev.lendCodeOf(v)
		ev.noteCallable(at, v)
	}
}

// lendCodeOf notes the code of other modules that a value is, which code that isn't followed has got.
// What isn't known may lead to anything that a function called before has returned, or a variable has
// held.
func (ev *Evaluator) lendCodeOf(v value.Value) {
	ev.lendCode(codeOf(v), codeOfType(v))
	if t := value.TypeOf(v); value.IsForeign(v) && (t == nil || holdsCode(t)) {
		ev.lendCode(ev.foreign.called...)
	}
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
func (ev *Evaluator) lendCode(all ...othersCode) { ev.addOthers(&ev.foreign.lent, all...) }

// addOthers adds to a list what is of other modules, and isn't in it.
func (ev *Evaluator) addOthers(list *[]othersCode, all ...othersCode) {
	for _, code := range all {
		if ev.program.IsOthers(code.path) && !slices.Contains(*list, code) {
			*list = append(*list, code)
		}
	}
}

// lentMention reports whether such code may mention one of some names.
func (ev *Evaluator) lentMention(of *load.Names) bool {
	return slices.ContainsFunc(ev.foreign.lent, func(code othersCode) bool { return ev.tells(code.path, code.name, of) })
}
