package eval

import (
	"go/ast"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// What is remembered of a library is what the code that is read has told it: the settings of viper,
// the hooks of cobra, the words of the program. A function of another module that isn't read may
// tell it something else. So it is read where its source has the names by which it would.

// The names by which something is told to libraries: all of them, and those of package os.
var (
	telling   = &load.Names{Is: model.Tells, Texts: model.Telling}
	tellingOS = &load.Names{Is: func(path, name string) bool { return path == "os" && model.Tells(path, name) }, Texts: model.Telling}
)

// readTelling has the package of a function read that may tell a library something, and those of what
// such functions were given. Where that can't be followed, the program's words aren't known any more, and
// of a library that the program itself uses that is said.
func (ev *Evaluator) readTelling(at ast.Expr, fn *value.Func) {
	if fn != nil && fn.Obj.Pkg() != nil && !isAbstract(fn.Obj) { // else it may be any module's
		if !ev.program.IsOthers(fn.Obj.Pkg().Path()) {
			return
		}
		ev.readTellingCode(at, codeNamed(fn.Obj))
	}
	for _, code := range ev.foreign.lent.all {
		if ev.source(code.path) == nil { // else it is followed
			ev.readTellingCode(at, code)
		}
	}
}

// readTellingCode is readTelling for code that may be called at an expression.
func (ev *Evaluator) readTellingCode(at ast.Expr, code othersCode) {
	if !ev.tells(code.path, code.name, telling) {
		return
	}
	if unread := ev.readable(code.path); unread != "" {
		ev.read(unread)
		return
	}
	called := value.Source(CalledExpr(at))
	if ev.tells(code.path, code.name, tellingOS) {
		ev.Set(ev.Variable(programArgs), value.UnknownAt(at.Pos(), "the variable os.Args, which "+called+" may have changed"))
	}
	if ev.tells(code.path, code.name, ev.tellingUsed()) {
		ev.Lost(at, value.UnknownAt(at.Pos(), "what "+called+" tells a library"), "tell it in the program itself, where it is followed")
	}
}

// tellingUsed are the names by which something is told to libraries that the program itself uses.
func (ev *Evaluator) tellingUsed() *load.Names {
	if ev.toldUsed == nil {
		is := func(path, name string) bool { return path != "os" && model.Tells(path, name) && ev.isUsedByOwn(path) }
		ev.toldUsed = &load.Names{Is: is, Texts: model.Telling} // what has been looked at is remembered by it
	}
	return ev.toldUsed
}

// tells reports whether a function or method of the package at path, which is another module's, may
// tell a library something; without a name, whether its initialisation may.
func (ev *Evaluator) tells(path, name string, something *load.Names) bool {
	_, isLibrary := model.Telling[path]
	return !isLibrary && ev.program.IsOthers(path) && ev.program.Mentions(path, name, something)
}

// isUsedByOwn reports whether a package of the program's own imports the one at path.
func (ev *Evaluator) isUsedByOwn(path string) bool {
	return slices.ContainsFunc(ev.program.OwnPaths(), func(own string) bool { return ev.program.Imports(own, path) })
}
