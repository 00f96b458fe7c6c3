package discover

import (
	"go/ast"
	"go/token"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// checkUncalled warns of what registers routes and was never called: it is a net
// under the evaluation, which follows all that it knows to be called.
func (f *finder) checkUncalled() {
	if f.diagnostics.HasErrors() {
		return
	}
	for _, fn := range f.ev.Uncalled() {
		if f.ev.Command == "" && f.Leads(fn.Pkg, fn.Body) {
			f.warn(fn.Pos, diagnostic.Uncalled, "this function can register routes, or declare something, and isn't called",
				"it was made, but nothing that is read calls it", "call it, or remove it")
		}
	}
	if len(f.found) > 0 {
		return
	}
	for _, pos := range f.registerCalls() {
		f.warn(pos, diagnostic.NoRoutes, "this call of Register isn't reached, and no other one is: there is no route", "the code that is analysed doesn't lead here",
			"give asyncapigen the package whose main, or whose exported functions, lead to it")
	}
}

func (f *finder) warn(pos token.Pos, code diagnostic.Code, what, why, remedy string) {
	f.diagnostics.Add(diagnostic.Diagnostic{
		Code: code, Severity: diagnostic.Warning, Pos: f.program.Position(pos), What: what, Why: why, Remedy: remedy,
	})
}

// registerCalls returns the positions of the calls of Register and MustRegister
// in the packages that were checked.
func (f *finder) registerCalls() []token.Pos {
	var found []token.Pos
	for _, pkg := range f.program.Checked() {
		for _, file := range pkg.Files {
			ast.Inspect(file, func(node ast.Node) bool {
				if call, ok := node.(*ast.CallExpr); ok && f.registers(pkg, call) {
					found = append(found, call.Pos())
				}
				return true
			})
		}
	}
	return found
}
