package sends

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// constructions returns what is made at a site. Where the evaluation has come to all
// of it, it is what the evaluation says; else what the code itself says. What remains
// unknown is lost.
func (f *finder) constructions(at *site) []discover.Construction {
	if at.known != nil {
		return at.known
	}
	evaluated := f.made[at.call]
	switch {
	case at.call == nil:
		if f.isMadeElsewhere(at) {
			return nil
		}
		evaluated = append(evaluated, f.lost(at, "the publisher is made by a function value that isn't followed"))
	case at.pkg == nil || len(evaluated) > 0 && f.isEvaluated(at.in, make(map[*function]bool)):
	default:
		if made, ok := f.written(at); ok {
			evaluated = []discover.Construction{made}
		} else { // one reason for the site is enough
			evaluated = slices.DeleteFunc(evaluated, func(made discover.Construction) bool { return made.Lost != nil })
			evaluated = append(evaluated, f.lost(at, "the publisher is made by code that isn't evaluated, such as a handler's, of values that aren't constants"+f.unevaluated(at.in, make(map[*function]bool))))
		}
	}
	at.known = evaluated
	return evaluated
}

// isMadeElsewhere reports whether the evaluation knows calls of a function value that
// makes what the one at the site does.
func (f *finder) isMadeElsewhere(at *site) bool {
	for _, other := range f.sites {
		if other.pkg == nil && other.isCall == at.isCall && sameUnlessGeneric(other.body, at.body) {
			return true
		}
	}
	return false
}

func (f *finder) lost(at *site, why string) discover.Construction {
	return discover.Construction{Body: at.body, Result: at.result, Lost: &diagnostic.Diagnostic{
		Code: diagnostic.UnknownTarget, Pos: f.program.Position(f.userPos(at.place)), Why: why,
		Remedy: "make the publisher where the program starts, or write its endpoint as a constant",
	}}
}

// isEvaluated reports whether the evaluation has seen all ways in which a function is
// run: it was entered, and is called by such functions alone.
func (f *finder) isEvaluated(in *function, above map[*function]bool) bool {
	if in == nil {
		return true // variables of packages are initialised at the start
	}
	if above[in] || in.dynamic || !f.result.Entered(in.body) {
		return false
	}
	above[in] = true
	defer delete(above, in)
	if in.lit != nil {
		return f.isLiteralEvaluated(in, above)
	}
	for _, reference := range in.references {
		if !reference.call || !f.isEvaluated(reference.in, above) {
			return false
		}
	}
	return true
}

// unevaluated names a call of a function that was evaluated, which wasn't: "" where there
// is none.
func (f *finder) unevaluated(in *function, above map[*function]bool) string {
	if in == nil || above[in] || !f.result.Entered(in.body) {
		return ""
	}
	above[in] = true
	for _, reference := range in.references {
		if reference.call && f.isEvaluated(reference.in, make(map[*function]bool)) {
			continue
		}
		if further := f.unevaluated(reference.in, above); further != "" {
			return further
		}
		return fmt.Sprintf(", when it is called at %s", f.program.Position(f.userPos(reference.place)))
	}
	return ""
}

// isLiteralEvaluated is isEvaluated for literals. One that is given to a function runs
// in the way that was evaluated.
func (f *finder) isLiteralEvaluated(in *function, above map[*function]bool) bool {
	switch in.used {
	case called, given:
		return f.isEvaluated(in.parent, above)
	case assigned:
		return f.isEvaluated(in.parent, above) && f.isOnlyCalled(in)
	}
	return false
}

// isOnlyCalled reports whether a literal is all that a variable of the function around
// it is set to, and the variable is called there and nowhere else.
func (f *finder) isOnlyCalled(in *function) bool {
	if in.parent == nil {
		return false
	}
	var of *types.Var
	for v, writes := range f.flow.writes {
		if len(writes) == 1 && ast.Unparen(writes[0].expr) == ast.Expr(in.lit) && !v.IsField() && !f.flow.open[v] {
			of = v
		}
	}
	if of == nil {
		return false
	}
	only := true
	var around []ast.Node
	ast.Inspect(in.parent.body, func(node ast.Node) bool {
		if node == nil {
			around = around[:len(around)-1]
			return true
		}
		if ident, ok := node.(*ast.Ident); ok && in.pkg.Info.Uses[ident] == of {
			only = only && isCalled(ident, around) && !withinLiteral(around)
		}
		around = append(around, node)
		return true
	})
	return only
}

func withinLiteral(around []ast.Node) bool {
	for _, node := range around {
		if _, ok := node.(*ast.FuncLit); ok {
			return true
		}
	}
	return false
}

// written returns what is made at a site as far as the code itself says it: by
// constants, and by variables that are set to one expression only.
func (f *finder) written(at *site) (discover.Construction, bool) {
	call, ok := at.call.(*ast.CallExpr)
	if !ok || len(call.Args) < 2 || at.body == nil || value.HasTypeParam(at.body) || at.result != nil && value.HasTypeParam(at.result) {
		return discover.Construction{}, false
	}
	endpoint, headersKnown, ok := f.endpoint(source{pkg: at.pkg, expr: call.Args[1]})
	return discover.Construction{At: call, Body: at.body, Result: at.result, Endpoint: endpoint, HeadersUnknown: !headersKnown}, ok
}
