package eval

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// The entries of a map literal that are known to the compiler come first, see mapLit. Among them
// are those that hold in an interface what a call returns that it inlines, where it knows the
// result: what the call does besides comes before the other entries then
// (cmd/compile/internal/escape, rewriteWithLiterals). Which calls it inlines isn't promised. So
// the program is evaluated in further orders where the order matters, as for loops over maps.

// entry is one of a map's literal.
type entry struct{ key, held value.Value }

// literalOrder is the order in which the entries of a map literal are made.
type literalOrder struct {
	ev      *Evaluator
	lit     *ast.CompositeLit
	of      *types.Map
	perhaps []*ast.KeyValueExpr // those that the compiler may make before the others
	made    map[*ast.KeyValueExpr]entry
	begun   bool
	mark    int // when the first was made that isn't static
}

// orderOf returns the order of a literal's entries, of which some are made before the others.
func (ev *Evaluator) orderOf(lit *ast.CompositeLit, t types.Type, of *types.Map) *literalOrder {
	o := &literalOrder{ev: ev, lit: lit, of: of}
	if len(lit.Elts) < 2 || !ev.hasCall(lit) {
		return o
	}
	o.perhaps = ev.perhapsFirst(lit, t, of)
	order := ev.mapOrders[lit.Lbrace]
	if len(o.perhaps) == 0 || order == value.Ascending {
		return o
	}
	o.note()
	o.made = make(map[*ast.KeyValueExpr]entry)
	places := make([]int, len(o.perhaps)+1) // of them, after 0, which stands for the others
	for i := range places {
		places[i] = i
	}
	places = value.Arranged(places, order)
	first := places[:slices.Index(places, 0)]
	slices.Sort(first)
	for _, i := range first {
		kv := o.perhaps[i-1]
		o.made[kv] = ev.entryOf(kv, of)
	}
	return o
}

func (o *literalOrder) note() { o.ev.noteMapLoop(o.lit.Lbrace, len(o.perhaps)+1, MapLiteral) }

// entry makes an entry that isn't static, and notes where the order of one matters that may come
// first: where it changes something, or looks at what those before it have changed.
func (o *literalOrder) entry(kv *ast.KeyValueExpr) (made entry) {
	if made, ok := o.made[kv]; ok {
		return made
	}
	if !o.begun {
		o.begun, o.mark = true, o.ev.Mark()
		return o.ev.entryOf(kv, o.of)
	}
	if !slices.Contains(o.perhaps, kv) {
		return o.ev.entryOf(kv, o.of)
	}
	mark := o.ev.Mark()
	used := value.Uses(o.ev.ChangedSince(o.mark), func() { made = o.ev.entryOf(kv, o.of) })
	if len(used) > 0 || o.ev.Mark() != mark {
		o.note()
	}
	return made
}

// literal is a map literal of a type.
type literal struct {
	lit *ast.CompositeLit
	t   types.Type
}

// perhapsFirst returns the entries of a map literal with calls that the compiler may make before
// the others.
func (ev *Evaluator) perhapsFirst(lit *ast.CompositeLit, t types.Type, of *types.Map) []*ast.KeyValueExpr {
	key := literal{lit, t}
	if known, ok := ev.literals[key]; ok {
		return known
	}
	var perhaps []*ast.KeyValueExpr
	for _, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok && ev.hasCall(kv) && ev.isPerhapsStatic(kv.Key, of.Key()) && ev.isPerhapsStatic(kv.Value, of.Elem()) {
			perhaps = append(perhaps, kv)
		}
	}
	ev.literals[key] = perhaps
	return perhaps
}

// isPerhapsStatic is isStatic where the compiler inlines what it can.
func (ev *Evaluator) isPerhapsStatic(expr ast.Expr, t types.Type) bool {
	tv := ev.frame.pkg.Info.Types[expr]
	if tv.IsNil() || tv.Value != nil {
		return true
	}
	if lit, ok := ast.Unparen(expr).(*ast.CompositeLit); ok {
		if types.IsInterface(t) {
			t = ev.typeOf(lit)
		}
		return allParts(lit, t, ev.isPerhapsStatic)
	}
	const calls = 10 // that return what another one does
	return types.IsInterface(t) && ev.mayBeKnown(ev.frame.pkg, ev.frame.body, expr, calls)
}

// mayBeKnown reports whether the compiler may know the value of an expression in a function:
// a constant, a variable that holds one, or what the call of a function returns.
func (ev *Evaluator) mayBeKnown(pkg *load.Package, body *ast.BlockStmt, expr ast.Expr, calls int) bool {
	if calls == 0 || pkg.Info.Types[expr].Value != nil {
		return true
	}
	switch expr := ast.Unparen(expr).(type) {
	case *ast.Ident:
		v, ok := pkg.Info.Uses[expr].(*types.Var)
		if !ok || isPackageVariable(v) || body != nil && changedVariables(pkg, body)[v] {
			return false
		}
		first := firstValue(pkg.Info, body, v)
		return first == nil || ev.mayBeKnown(pkg, body, first, calls-1)
	case *ast.CallExpr:
		switch tv := pkg.Info.Types[expr.Fun]; {
		case tv.IsType():
			return len(expr.Args) == 1 && ev.mayBeKnown(pkg, body, expr.Args[0], calls)
		case tv.IsBuiltin():
			return false
		}
		_, isBasic := pkg.Info.TypeOf(expr).Underlying().(*types.Basic)
		return isBasic && ev.mayReturnKnown(pkg, body, expr, calls-1)
	}
	return false
}

// mayReturnKnown is mayBeKnown for what a call of a function returns.
func (ev *Evaluator) mayReturnKnown(pkg *load.Package, around *ast.BlockStmt, call *ast.CallExpr, calls int) bool {
	var body *ast.BlockStmt
	callee := ast.Unparen(call.Fun)
	switch fn := typeutil.Callee(pkg.Info, call).(type) {
	case *types.Func:
		if isAbstract(fn) {
			return true
		}
		in, decl := ev.declaration(fn)
		if decl == nil {
			return false
		}
		pkg, body = in, decl.Body
	case *types.Var:
		if isPackageVariable(fn) || fn.IsField() {
			return false
		}
		callee = firstValue(pkg.Info, around, fn)
	}
	if lit, ok := callee.(*ast.FuncLit); ok {
		body = lit.Body
	}
	if body == nil {
		return true
	}
	known := false
	ast.Inspect(body, func(node ast.Node) bool {
		if ret, ok := node.(*ast.ReturnStmt); ok {
			known = known || len(ret.Results) != 1 || ev.mayBeKnown(pkg, body, ret.Results[0], calls)
		}
		_, isLiteral := node.(*ast.FuncLit)
		return !isLiteral
	})
	return known
}

// firstValue returns what a variable is declared with in a function, nil where that isn't found.
func firstValue(info *types.Info, body *ast.BlockStmt, v *types.Var) (first ast.Expr) {
	if body == nil {
		return nil
	}
	find := func(declared []*ast.Ident, values []ast.Expr) {
		if i := slices.IndexFunc(declared, func(name *ast.Ident) bool { return name != nil && info.Defs[name] == v }); i >= 0 && len(values) == len(declared) {
			first = values[i]
		}
	}
	ast.Inspect(body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ValueSpec:
			find(node.Names, node.Values)
		case *ast.AssignStmt:
			find(names(node.Lhs), node.Rhs)
		}
		return first == nil
	})
	return first
}
