package sends

import (
	"go/ast"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/runtime"
)

// A source is an expression by which code says a value.
type source struct {
	pkg    *load.Package
	expr   ast.Expr // nil for a field that isn't set
	depth  int      // how many variables lead to it
	shared bool     // one of these has its maps and slices in common with others
}

// with returns another expression of the same place.
func (s source) with(expr ast.Expr) source {
	s.expr = expr
	return s
}

func (s source) isNil() bool { return s.expr == nil || s.pkg.Info.Types[s.expr].IsNil() }

// maxVariables is how many variables, one set to the next, are followed.
const maxVariables = 16

// sole follows variables to the expression that they are set to.
func (f *finder) sole(s source) source {
	for ; s.depth < maxVariables; s.depth++ {
		v := variable(s.pkg, s.expr)
		if v == nil {
			break
		}
		w, ok := f.flow.sole(v)
		if call, isCall := w.expr.(*ast.CallExpr); !ok || isCall && tupleOf(w.pkg, call) {
			break
		}
		s.pkg, s.expr, s.shared = w.pkg, w.expr, s.shared || f.flow.shared[v]
	}
	return s.with(ast.Unparen(s.expr))
}

func tupleOf(pkg *load.Package, call *ast.CallExpr) bool {
	_, ok := pkg.Info.TypeOf(call).(*types.Tuple)
	return ok
}

// literal returns the composite literal that an expression is, perhaps by variables.
func (f *finder) literal(s source) (source, *ast.CompositeLit, bool) {
	s = f.sole(s)
	lit, ok := s.expr.(*ast.CompositeLit)
	return s, lit, ok
}

// fields returns the fields that a composite literal sets, by their names.
func (f *finder) fields(s source) (map[string]source, bool) {
	s, lit, ok := f.literal(s)
	if !ok {
		return nil, false
	}
	if _, ok := structOf(s.pkg.Info.TypeOf(lit)); !ok {
		return nil, false
	}
	set := make(map[string]source)
	for field, to := range fieldsSet(s.pkg, lit) {
		set[field.Name()] = s.with(to)
	}
	return set, true
}

// endpoint reads a runtime.Endpoint: all of it but for headers, which needn't be known.
func (f *finder) endpoint(s source) (e runtime.Endpoint, headersKnown, all bool) {
	set, all := f.fields(s)
	if !all {
		return
	}
	e.Route, all = f.textOf(set["Route"], all)
	e.Type, all = f.textOf(set["Type"], all)
	e.Keys, all = f.texts(set["Keys"], all)
	e.Patterns, all = f.texts(set["Patterns"], all)
	e.Headers, headersKnown = f.table(set["Headers"])
	e.Codec, all = f.codec(set["Codec"], all)
	if to, isSet := set["To"]; isSet && all {
		e.To, all = f.address(to)
	}
	return e, headersKnown, all
}

// address reads a runtime.Address.
func (f *finder) address(s source) (to runtime.Address, all bool) {
	parts, all := f.fields(s)
	to.Exchange, all = f.textOf(parts["Exchange"], all)
	to.RoutingKey, all = f.textOf(parts["RoutingKey"], all)
	return to, all
}

// textOf reads a field that may not be set, unless something isn't known already.
func (f *finder) textOf(s source, known bool) (string, bool) {
	if s.expr == nil || !known {
		return "", known
	}
	return f.text(s)
}

// text reads a string: a constant, or the fallback of runtime.Env.
func (f *finder) text(s source) (string, bool) {
	if text, ok := stringOf(s.pkg.Info.Types[s.expr].Value); ok {
		return text, true
	}
	s = f.sole(s)
	if text, ok := stringOf(s.pkg.Info.Types[s.expr].Value); ok {
		return text, true
	}
	call, ok := s.expr.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return "", false
	}
	fn := callee(s.pkg, call)
	if fn == nil || fn.FullName() != load.RuntimePath+".Env" || f.setsEnv {
		return "", false
	}
	return f.text(s.with(call.Args[1]))
}

func (f *finder) texts(s source, known bool) ([]string, bool) {
	if s.isNil() || !known {
		return nil, known
	}
	s, lit, ok := f.literal(s)
	if !ok || s.shared {
		return nil, false
	}
	var texts []string
	for _, element := range lit.Elts {
		text, ok := f.text(s.with(element))
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}

// codec reads a codec. A value of an interface may be nil, which means JSON.
func (f *finder) codec(s source, known bool) (runtime.Codec, bool) {
	if s.expr == nil || !known {
		return nil, known
	}
	if s = f.sole(s); s.isNil() {
		return nil, true
	}
	return registered.Codec{}, !types.IsInterface(s.pkg.Info.TypeOf(s.expr))
}

// table reads headers. Those that aren't constants are left out, and not all is known.
func (f *finder) table(s source) (table map[string]any, all bool) {
	if s.isNil() {
		return nil, true
	}
	s, lit, ok := f.literal(s)
	if !ok || s.shared {
		return nil, false
	}
	table, all = make(map[string]any), true
	for _, element := range lit.Elts {
		pair := element.(*ast.KeyValueExpr) // as all of a map
		name, named := f.text(s.with(pair.Key))
		v, known := constantOf(s.pkg.Info.Types[pair.Value])
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
