package eval

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// A function of the program's own without a body is assembly, is by go:linkname that of another
// package, or leads to C, which may call Go. A variable may be that of another package.

// blurByUnseen notes that a function of the program's own which has no body may have changed
// the variables of the program.
func (ev *Evaluator) blurByUnseen(at ast.Expr, fn *value.Func) {
	if !ev.mayChangeUnseen(fn) {
		return
	}
	ev.unseen = value.Source(CalledExpr(at))
	for _, pkg := range ev.program.Own() {
		ev.blurUnseen(pkg)
	}
}

// blurUnseen makes the variables of a package of the program's own unknown where such a function
// was called.
func (ev *Evaluator) blurUnseen(pkg *load.Package) {
	if ev.unseen == "" || !ev.program.IsOwn(pkg.Path) || !ev.started[pkg] {
		return
	}
	for _, name := range pkg.Types.Scope().Names() {
		if v, ok := pkg.Types.Scope().Lookup(name).(*types.Var); ok {
			ev.blurVariable(v, ev.unseen, "")
		}
	}
}

// mayChangeUnseen reports whether code of a function that isn't there may change the program's
// variables: that of the runtime and of other modules, which a function may be, doesn't, but for
// a call of C.
func (ev *Evaluator) mayChangeUnseen(fn *value.Func) bool {
	if fn == nil || fn.Obj.Pkg() == nil || isAbstract(fn.Obj) || load.IsLibrary(fn.Obj.Pkg().Path()) {
		return false
	}
	pkg := ev.source(fn.Obj.Pkg().Path())
	_, decl := ev.declaration(fn.Obj)
	if pkg == nil || decl != nil || !ev.program.IsOwn(pkg.Path) {
		return false
	}
	target, isLinked := linknames(pkg)[fn.Obj.Name()]
	return !isLinked || target == "runtime.cgocall" || ev.program.IsOwn(packageOfSymbol(target))
}

// isLinked reports whether go:linkname makes a variable of the program's own one with another.
func (ev *Evaluator) isLinked(v *types.Var) bool {
	if ev.linked == nil {
		ev.linked = make(map[string]bool)
		for _, path := range ev.program.Linking() {
			pkg := ev.source(path)
			if pkg == nil {
				continue
			}
			for local, target := range linknames(pkg) {
				if _, isVar := pkg.Types.Scope().Lookup(local).(*types.Var); isVar {
					ev.linked[path+"."+local], ev.linked[target] = true, true
				}
			}
		}
	}
	return ev.linked[v.Pkg().Path()+"."+v.Name()]
}

// ofLinked is what a variable holds that is another one's too.
func ofLinked(v *types.Var) *value.Unknown {
	return value.UnknownAt(v.Pos(), "the variable "+v.Name()+", which go:linkname makes one with another")
}

// linknames returns the symbols that the directives go:linkname of a package give its names.
func linknames(pkg *load.Package) map[string]string {
	names := make(map[string]string)
	for _, file := range pkg.Files {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				if words := strings.Fields(comment.Text); len(words) == 3 && words[0] == "//go:linkname" {
					names[words[1]] = words[2]
				}
			}
		}
	}
	return names
}

// packageOfSymbol returns the path of the package whose function or variable a symbol is.
func packageOfSymbol(symbol string) string {
	last := strings.LastIndexByte(symbol, '/') + 1
	name, _, _ := strings.Cut(symbol[last:], ".")
	return symbol[:last] + name
}
