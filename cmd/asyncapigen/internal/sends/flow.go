package sends

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// flow knows what variables, parameters and fields are set to, wherever the code is
// that sets them. A field is one for all structs of its type.
type flow struct {
	reach  *reach
	writes map[*types.Var][]write
	open   map[*types.Var]bool // set in ways that aren't in writes
	unsure map[*types.Var]bool // declared without a value, or changed in part
	shared map[*types.Var]bool // others may change the maps and slices that it holds
	params map[*types.Var]*types.Func
}

// A write is an expression that a variable is set to: the result of this number,
// where it is a call with several.
type write struct {
	pkg    *load.Package
	expr   ast.Expr
	result int
}

func newFlow(r *reach, linked []*load.Package) *flow {
	f := &flow{reach: r, writes: make(map[*types.Var][]write), open: make(map[*types.Var]bool), unsure: make(map[*types.Var]bool), shared: make(map[*types.Var]bool), params: make(map[*types.Var]*types.Func)}
	for fn := range r.bodies {
		for param := range fn.Signature().Params().Variables() {
			f.params[param] = fn
		}
	}
	for _, pkg := range linked {
		for _, file := range pkg.Files {
			var around []ast.Node
			ast.Inspect(file, func(node ast.Node) bool {
				if node == nil {
					around = around[:len(around)-1]
					return true
				}
				f.look(pkg, node, around)
				around = append(around, node)
				return true
			})
		}
	}
	return f
}

func (f *flow) look(pkg *load.Package, node ast.Node, around []ast.Node) {
	switch node := node.(type) {
	case *ast.AssignStmt:
		if node.Tok != token.ASSIGN && node.Tok != token.DEFINE {
			f.opened(pkg, node.Lhs[0])
		} else {
			f.assign(pkg, node.Lhs, node.Rhs)
		}
	case *ast.ValueSpec:
		f.declare(pkg, node)
	case *ast.RangeStmt:
		f.opened(pkg, node.Key)
		f.opened(pkg, node.Value)
	case *ast.UnaryExpr:
		if node.Op == token.AND {
			f.opened(pkg, node.X)
		}
	case *ast.CompositeLit:
		f.composite(pkg, node)
	case *ast.CallExpr:
		f.call(pkg, node)
	case *ast.FuncLit:
		f.openParameters(pkg, node.Type)
	case *ast.Ident:
		switch used := pkg.Info.Uses[node].(type) {
		case *types.Func:
			if !isCalled(node, around) {
				f.openFunction(used)
			}
		case *types.Var:
			if !used.IsField() && hasReferences(used.Type()) && isShared(pkg, node, around) {
				f.shared[used.Origin()] = true
			}
		}
	}
}

// variable returns the variable, the parameter or the field that an expression names,
// nil for others.
func variable(pkg *load.Package, expr ast.Expr) *types.Var {
	switch expr := ast.Unparen(expr).(type) {
	case *ast.Ident:
		if v, ok := pkg.Info.Defs[expr].(*types.Var); ok {
			return v.Origin()
		}
		if v, ok := pkg.Info.Uses[expr].(*types.Var); ok {
			return v.Origin()
		}
	case *ast.SelectorExpr:
		if v, ok := pkg.Info.Uses[expr.Sel].(*types.Var); ok {
			return v.Origin()
		}
	}
	return nil
}

func (f *flow) assign(pkg *load.Package, left, right []ast.Expr) {
	for i, expr := range left {
		f.changedInPart(pkg, expr)
		v := variable(pkg, expr)
		switch {
		case v == nil:
		case len(left) == len(right):
			f.writes[v] = append(f.writes[v], write{pkg: pkg, expr: right[i]})
		case len(right) == 1:
			f.writes[v] = append(f.writes[v], write{pkg, right[0], i})
		}
	}
}

func (f *flow) declare(pkg *load.Package, spec *ast.ValueSpec) {
	left := make([]ast.Expr, len(spec.Names))
	for i, name := range spec.Names {
		left[i] = name
		if v := variable(pkg, name); v != nil && len(spec.Values) == 0 {
			f.unsure[v] = true
		}
	}
	f.assign(pkg, left, spec.Values)
}

// rootOf returns the variable of which an expression names a part.
func rootOf(expr ast.Expr) ast.Expr {
	for {
		switch outer := ast.Unparen(expr).(type) {
		case *ast.SelectorExpr:
			expr = outer.X
		case *ast.IndexExpr:
			expr = outer.X
		case *ast.StarExpr:
			expr = outer.X
		default:
			return outer
		}
	}
}

// opened notes that more may set a variable than is seen. The expression may be nil.
func (f *flow) opened(pkg *load.Package, expr ast.Expr) {
	if v := variable(pkg, expr); v != nil {
		f.open[v] = true
	}
	f.changedInPart(pkg, expr)
}

// changedInPart notes the variable of which an expression that is set names a part.
func (f *flow) changedInPart(pkg *load.Package, expr ast.Expr) {
	root := rootOf(expr)
	if v := variable(pkg, root); v != nil && root != ast.Unparen(expr) {
		f.unsure[v] = true
	}
}

func (f *flow) composite(pkg *load.Package, lit *ast.CompositeLit) {
	for field, to := range fieldsSet(pkg, lit) {
		f.writes[field] = append(f.writes[field], write{pkg: pkg, expr: to})
	}
}

// fieldsSet are the fields that a composite literal of a struct sets, each with the
// expression; none of another literal.
func fieldsSet(pkg *load.Package, lit *ast.CompositeLit) iter.Seq2[*types.Var, ast.Expr] {
	return func(yield func(*types.Var, ast.Expr) bool) {
		of, ok := structOf(pkg.Info.TypeOf(lit))
		for i := 0; ok && i < len(lit.Elts); i++ {
			var field *types.Var
			to := lit.Elts[i]
			if pair, isPair := to.(*ast.KeyValueExpr); isPair {
				field, to = variable(pkg, pair.Key), pair.Value
			} else if i < of.NumFields() {
				field = of.Field(i).Origin()
			}
			if field != nil && !yield(field, to) {
				return
			}
		}
	}
}

// structOf returns the struct that t is or points to.
func structOf(t types.Type) (*types.Struct, bool) {
	if t == nil {
		return nil, false
	}
	if pointee := value.Pointee(t); pointee != nil {
		t = pointee
	}
	s, ok := t.Underlying().(*types.Struct)
	return s, ok
}

// call binds arguments to parameters. A conversion between struct types sets the
// fields of the one from those of the other.
func (f *flow) call(pkg *load.Package, call *ast.CallExpr) {
	if pkg.Info.Types[call.Fun].IsType() {
		fields, ok := structOf(pkg.Info.TypeOf(call))
		for i := 0; ok && i < fields.NumFields(); i++ {
			f.open[fields.Field(i).Origin()] = true
		}
		return
	}
	fn := callee(pkg, call)
	if fn == nil {
		return
	}
	params := fn.Origin().Signature().Params()
	for i := range params.Len() {
		switch {
		case len(call.Args) == 1 && params.Len() > 1:
			f.writes[params.At(i)] = append(f.writes[params.At(i)], write{pkg, call.Args[0], i})
		case i < len(call.Args) && !(fn.Signature().Variadic() && i == params.Len()-1):
			f.writes[params.At(i)] = append(f.writes[params.At(i)], write{pkg: pkg, expr: call.Args[i]})
		default:
			f.open[params.At(i)] = true
		}
	}
}

// callee returns the declared function that a call calls, nil where it isn't known.
func callee(pkg *load.Package, call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch index := fun.(type) {
	case *ast.IndexExpr:
		fun = index.X
	case *ast.IndexListExpr:
		fun = index.X
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		fn, _ := pkg.Info.Uses[fun].(*types.Func)
		return fn
	case *ast.SelectorExpr:
		if selection := pkg.Info.Selections[fun]; selection != nil && selection.Kind() == types.MethodExpr {
			return nil // its receiver is the first argument
		}
		fn, _ := pkg.Info.Uses[fun.Sel].(*types.Func)
		return fn
	}
	return nil
}

func (f *flow) openFunction(fn *types.Func) {
	for param := range fn.Origin().Signature().Params().Variables() {
		f.open[param] = true
	}
}

func (f *flow) openParameters(pkg *load.Package, typ *ast.FuncType) {
	for _, field := range typ.Params.List {
		for _, name := range field.Names {
			f.opened(pkg, name)
		}
	}
}

// sole returns the only expression that a variable of a package or of a function is
// ever set to.
func (f *flow) sole(v *types.Var) (write, bool) {
	if v.IsField() || f.open[v] || f.unsure[v] || len(f.writes[v]) != 1 || v.Kind() == types.ResultVar || f.isDynamic(v) {
		return write{}, false
	}
	return f.writes[v][0], true
}

// isDynamic reports whether v is a parameter of a function that is called in ways that
// aren't seen, or is its receiver.
func (f *flow) isDynamic(v *types.Var) bool {
	if v.Kind() == types.RecvVar {
		return true
	}
	run := f.reach.runs[f.params[v]]
	return run != nil && run.dynamic
}

// made returns the calls by which a value is made, as far as the code shows where it
// comes from. It is false where there may be others.
func (f *flow) made(pkg *load.Package, expr ast.Expr, result int, seen map[any]bool) (calls []*ast.CallExpr, all bool) {
	switch expr := ast.Unparen(expr).(type) {
	case *ast.Ident:
		if pkg.Info.Types[expr].IsNil() {
			return nil, true
		}
	case *ast.CallExpr:
		if makes(pkg, expr) {
			return []*ast.CallExpr{expr}, true
		}
		if pkg.Info.Types[expr.Fun].IsType() && len(expr.Args) == 1 {
			return f.made(pkg, expr.Args[0], 0, seen)
		}
		return f.returned(callee(pkg, expr), result, seen)
	}
	if v := variable(pkg, expr); v != nil {
		return f.held(v, seen)
	}
	return nil, false
}

// held returns the calls that make what a variable may hold.
func (f *flow) held(v *types.Var, seen map[any]bool) (calls []*ast.CallExpr, all bool) {
	if seen[v] {
		return nil, true
	}
	seen[v] = true
	if f.open[v] || len(f.writes[v]) == 0 || f.isDynamic(v) {
		return nil, false
	}
	for _, w := range f.writes[v] {
		made, ok := f.made(w.pkg, w.expr, w.result, seen)
		if !ok {
			return nil, false
		}
		calls = append(calls, made...)
	}
	return calls, true
}

// returned returns the calls that make a result of a function.
func (f *flow) returned(fn *types.Func, result int, seen map[any]bool) (calls []*ast.CallExpr, all bool) {
	if fn == nil {
		return nil, false
	}
	type of struct {
		fn     *types.Func
		result int
	}
	d, ok := f.reach.bodies[fn.Origin()]
	if !ok || fn.Signature().Results().At(result).Name() != "" {
		return nil, false
	}
	if seen[of{fn.Origin(), result}] {
		return nil, true
	}
	seen[of{fn.Origin(), result}] = true
	all = true
	ast.Inspect(d.decl.Body, func(node ast.Node) bool {
		if _, ok := node.(*ast.FuncLit); ok {
			return false
		}
		ret, ok := node.(*ast.ReturnStmt)
		if !ok {
			return true
		}
		var made []*ast.CallExpr
		switch {
		case len(ret.Results) > result:
			made, ok = f.made(d.pkg, ret.Results[result], 0, seen)
		case len(ret.Results) == 1:
			made, ok = f.made(d.pkg, ret.Results[0], result, seen)
		}
		calls, all = append(calls, made...), all && ok
		return true
	})
	return calls, all
}
