package sends

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
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

// maxVariables is how many variables, one set to the next, are followed.
const maxVariables = 16

// written returns what is made at a site as far as the code itself says it: by
// constants, and by variables that are set to one expression only.
func (f *finder) written(at *site) (discover.Construction, bool) {
	call, ok := at.call.(*ast.CallExpr)
	if !ok || len(call.Args) < 2 || at.body == nil || value.HasTypeParam(at.body) || at.result != nil && value.HasTypeParam(at.result) {
		return discover.Construction{}, false
	}
	endpoint, headersKnown, ok := f.endpoint(at.pkg, call.Args[1], 0)
	return discover.Construction{At: call, Body: at.body, Result: at.result, Endpoint: endpoint, HeadersUnknown: !headersKnown}, ok
}

// sole follows variables to the expression that they are set to.
func (f *finder) sole(pkg *load.Package, expr ast.Expr, depth *int) (*load.Package, ast.Expr) {
	for ; *depth < maxVariables; *depth++ {
		v := variable(pkg, expr)
		if v == nil {
			break
		}
		w, ok := f.flow.sole(v)
		if call, isCall := w.expr.(*ast.CallExpr); !ok || isCall && tupleOf(w.pkg, call) {
			break
		}
		pkg, expr = w.pkg, w.expr
	}
	return pkg, ast.Unparen(expr)
}

func tupleOf(pkg *load.Package, call *ast.CallExpr) bool {
	_, ok := pkg.Info.TypeOf(call).(*types.Tuple)
	return ok
}

// fields returns the fields that a composite literal sets, by their names.
func (f *finder) fields(pkg *load.Package, expr ast.Expr, depth *int) (*load.Package, map[string]ast.Expr, bool) {
	pkg, lit, ok := f.literal(pkg, expr, depth)
	if !ok {
		return pkg, nil, false
	}
	if _, ok := structOf(pkg.Info.TypeOf(lit)); !ok {
		return pkg, nil, false
	}
	set := make(map[string]ast.Expr)
	for field, to := range fieldsSet(pkg, lit) {
		set[field.Name()] = to
	}
	return pkg, set, true
}

// literal returns the composite literal that an expression is, perhaps by variables.
func (f *finder) literal(pkg *load.Package, expr ast.Expr, depth *int) (*load.Package, *ast.CompositeLit, bool) {
	pkg, expr = f.sole(pkg, expr, depth)
	lit, ok := expr.(*ast.CompositeLit)
	return pkg, lit, ok
}

// endpoint reads a runtime.Endpoint: all of it but for headers, which needn't be known.
func (f *finder) endpoint(pkg *load.Package, expr ast.Expr, depth int) (e runtime.Endpoint, headersKnown, all bool) {
	pkg, set, all := f.fields(pkg, expr, &depth)
	if !all {
		return e, false, false
	}
	e.Route, all = f.textOf(pkg, set["Route"], depth, all)
	e.Type, all = f.textOf(pkg, set["Type"], depth, all)
	e.Keys, all = f.texts(pkg, set["Keys"], depth, all)
	e.Patterns, all = f.texts(pkg, set["Patterns"], depth, all)
	e.Headers, headersKnown = f.table(pkg, set["Headers"], depth)
	e.Codec, all = f.codec(pkg, set["Codec"], depth, all)
	if to := set["To"]; to != nil && all {
		e.To, all = f.address(pkg, to, depth)
	}
	return e, headersKnown, all
}

// textOf reads a field that isn't set where expr is nil, unless something isn't known already.
func (f *finder) textOf(pkg *load.Package, expr ast.Expr, depth int, known bool) (string, bool) {
	if expr == nil || !known {
		return "", known
	}
	return f.text(pkg, expr, depth)
}

// text reads a string: a constant, or the fallback of runtime.Env.
func (f *finder) text(pkg *load.Package, expr ast.Expr, depth int) (string, bool) {
	if text, ok := stringOf(pkg.Info.Types[expr].Value); ok {
		return text, true
	}
	pkg, expr = f.sole(pkg, expr, &depth)
	if text, ok := stringOf(pkg.Info.Types[expr].Value); ok {
		return text, true
	}
	call, ok := expr.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || depth >= maxVariables {
		return "", false
	}
	fn := callee(pkg, call)
	if fn == nil || fn.FullName() != load.RuntimePath+".Env" || f.setsEnv {
		return "", false
	}
	return f.text(pkg, call.Args[1], depth+1)
}

func (f *finder) texts(pkg *load.Package, expr ast.Expr, depth int, known bool) ([]string, bool) {
	if expr == nil || !known || pkg.Info.Types[expr].IsNil() {
		return nil, known
	}
	pkg, lit, ok := f.literal(pkg, expr, &depth)
	if !ok {
		return nil, false
	}
	var texts []string
	for _, element := range lit.Elts {
		text, ok := f.text(pkg, element, depth)
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}

// codec reads a codec. A value of an interface may be nil, which means JSON.
func (f *finder) codec(pkg *load.Package, expr ast.Expr, depth int, known bool) (runtime.Codec, bool) {
	if expr == nil || !known {
		return nil, known
	}
	pkg, expr = f.sole(pkg, expr, &depth)
	of := pkg.Info.Types[expr]
	if of.IsNil() {
		return nil, true
	}
	return registered.Codec{}, !types.IsInterface(of.Type)
}

// table reads headers. Those that aren't constants are left out, and not all is known.
func (f *finder) table(pkg *load.Package, expr ast.Expr, depth int) (table map[string]any, all bool) {
	if expr == nil || pkg.Info.Types[expr].IsNil() {
		return nil, true
	}
	pkg, lit, ok := f.literal(pkg, expr, &depth)
	if !ok {
		return nil, false
	}
	table, all = make(map[string]any), true
	for _, element := range lit.Elts {
		pair := element.(*ast.KeyValueExpr) // as all of a map
		name, named := f.text(pkg, pair.Key, depth)
		v, known := constantOf(pkg.Info.Types[pair.Value])
		if named && known {
			table[name] = v
		} else {
			all = false
		}
	}
	return table, all
}

// constantOf returns the value of an expression that is a constant or nil.
func constantOf(of types.TypeAndValue) (any, bool) {
	if of.Value == nil {
		return nil, of.IsNil()
	}
	return value.GoValue(value.Const{Value: of.Value, Type: of.Type})
}
