package sends

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// A function is a declared function or a literal that the program can run.
type function struct {
	pkg  *load.Package
	obj  *types.Func  // of a declared function
	lit  *ast.FuncLit // of a literal
	body *ast.BlockStmt

	parent     *function // around a literal; nil for one that initialises a variable
	from       place     // where the program first refers to it
	references []reference
	dynamic    bool // it is called through an interface, or its value is given away
	used       use  // of a literal
}

// A place is a position in the code of a function, nil for that of a variable's
// initialisation.
type place struct {
	pos token.Pos
	in  *function
}

// A reference is one to a function. It is a call unless the function is taken as a value.
type reference struct {
	place
	call bool
}

// A use says what becomes of a function literal where it stands.
type use int

const (
	kept     use = iota // it is returned, or assigned to what isn't a variable
	called              // at once, perhaps by go or defer
	given               // as an argument, or as a part of a composite literal
	assigned            // to a variable
)

// reach finds what the program can run: what its entry points refer to, directly or
// not. A method is also run where a method of an interface is called that its type
// implements, or where its type implements an interface of a package that isn't read.
type reach struct {
	program *load.Program
	bodies  map[*types.Func]declaration
	runs    map[*types.Func]*function
	queue   []func()

	isLive    map[*types.TypeName]bool
	having    map[string][]*types.Named // live types, by the names of their methods
	abstract  map[string][]abstractCall // by the name of the method
	isCalled  map[*types.Func]bool      // methods of interfaces
	foreign   map[string][]*types.Interface
	typeSpecs map[*types.TypeName]typeSpec
	visit     func(in *function, pkg *load.Package, node ast.Node, around []ast.Node)
	promoted  func(fn *types.Func, from place)
}

type declaration struct {
	pkg  *load.Package
	decl *ast.FuncDecl
}

type typeSpec struct {
	pkg  *load.Package
	spec *ast.TypeSpec
}

// An abstractCall is one of a method of an interface.
type abstractCall struct {
	method *types.Func
	from   place
}

func newReach(program *load.Program, linked []*load.Package) *reach {
	r := &reach{
		program: program, bodies: make(map[*types.Func]declaration), runs: make(map[*types.Func]*function),
		having: make(map[string][]*types.Named), abstract: make(map[string][]abstractCall),
		isLive: make(map[*types.TypeName]bool), isCalled: make(map[*types.Func]bool), typeSpecs: make(map[*types.TypeName]typeSpec),
	}
	for _, pkg := range linked {
		for _, file := range pkg.Files {
			for _, decl := range file.Decls {
				r.declare(pkg, decl)
			}
		}
	}
	r.foreign = foreignInterfaces(linked)
	return r
}

func (r *reach) declare(pkg *load.Package, decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if fn, ok := pkg.Info.Defs[decl.Name].(*types.Func); ok && decl.Body != nil {
			r.bodies[fn] = declaration{pkg, decl}
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if spec, ok := spec.(*ast.TypeSpec); ok {
				if name, ok := pkg.Info.Defs[spec.Name].(*types.TypeName); ok {
					r.typeSpecs[name] = typeSpec{pkg, spec}
				}
			}
		}
	}
}

// linkedWith returns the packages and all that they import, of those that were read
// from source, in the order in which they are initialised.
func linkedWith(entries []*load.Package) []*load.Package {
	var all []*load.Package
	seen := make(map[*load.Package]bool)
	var visit func(pkg *load.Package)
	visit = func(pkg *load.Package) {
		if seen[pkg] || pkg.Types == nil || pkg.Info == nil {
			return
		}
		seen[pkg] = true
		for _, imported := range pkg.Imports {
			visit(imported)
		}
		all = append(all, pkg)
	}
	for _, pkg := range entries {
		visit(pkg)
	}
	return all
}

// foreignInterfaces returns the interfaces of packages that aren't read from source,
// by the names of their methods. Code there may call them.
func foreignInterfaces(linked []*load.Package) map[string][]*types.Interface {
	found := make(map[string][]*types.Interface)
	seen := make(map[*types.Package]bool)
	for _, pkg := range linked {
		seen[pkg.Types] = true
	}
	var visit func(pkg *types.Package)
	add := func(t types.Type) {
		if i, ok := t.Underlying().(*types.Interface); ok {
			for method := range i.Methods() {
				found[method.Name()] = append(found[method.Name()], i)
			}
		}
	}
	visit = func(pkg *types.Package) {
		if seen[pkg] {
			return
		}
		seen[pkg] = true
		for _, name := range pkg.Scope().Names() {
			if name, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
				add(name.Type())
			}
		}
		for _, imported := range pkg.Imports() {
			visit(imported)
		}
	}
	for _, pkg := range linked {
		for _, imported := range pkg.Types.Imports() {
			visit(imported)
		}
	}
	add(types.Universe.Lookup("error").Type())
	return found
}

// run finds all that is run from the entry points, which are the main packages or, of
// libraries, the exported functions and methods. Every package initialises its
// variables and runs its init functions.
func (r *reach) run(linked, entries []*load.Package) {
	for _, pkg := range linked {
		for _, file := range pkg.Files {
			for _, decl := range file.Decls {
				r.initialize(pkg, decl, slices.Contains(entries, pkg))
			}
		}
	}
	for len(r.queue) > 0 {
		next := r.queue[0]
		r.queue = r.queue[1:]
		next()
	}
}

func (r *reach) initialize(pkg *load.Package, decl ast.Decl, entry bool) {
	switch decl := decl.(type) {
	case *ast.GenDecl:
		if decl.Tok == token.VAR {
			r.walk(nil, pkg, decl)
		}
	case *ast.FuncDecl:
		fn, ok := pkg.Info.Defs[decl.Name].(*types.Func)
		if !ok {
			return
		}
		isInit := decl.Recv == nil && fn.Name() == "init"
		isMain := decl.Recv == nil && fn.Name() == "main" && pkg.Name == "main"
		if isInit || entry && (isMain || pkg.Name != "main" && isExported(fn)) {
			r.reach(fn, place{pos: decl.Name.Pos()})
		}
	}
}

// isExported reports whether other packages can name a function, or a method with its
// type.
func isExported(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Exported()
	}
	named := value.NamedOf(recv.Type())
	return fn.Exported() && named != nil && named.Obj().Exported()
}

// reach notes that fn is run, and returns it; nil where its body isn't at hand.
func (r *reach) reach(fn *types.Func, from place) *function {
	if f := r.runs[fn]; f != nil {
		return f
	}
	d, ok := r.bodies[fn]
	if !ok {
		return nil
	}
	f := &function{pkg: d.pkg, obj: fn, body: d.decl.Body, from: from}
	r.runs[fn] = f
	r.queue = append(r.queue, func() { r.walk(f, d.pkg, d.decl) })
	return f
}

// walk looks at code of a function, and calls visit with each node and what is around
// it, the innermost last. Code in a literal is the literal's.
func (r *reach) walk(in *function, pkg *load.Package, code ast.Node) {
	var around []ast.Node
	ast.Inspect(code, func(node ast.Node) bool {
		if node == nil {
			around = around[:len(around)-1]
			return true
		}
		if lit, ok := node.(*ast.FuncLit); ok && node != code {
			inner := &function{pkg: pkg, lit: lit, body: lit.Body, parent: in, used: useOf(lit, around)}
			inner.from = place{lit.Pos(), in}
			r.visit(in, pkg, node, around)
			r.walk(inner, pkg, lit)
			return false
		}
		r.look(in, pkg, node, around)
		r.visit(in, pkg, node, around)
		around = append(around, node)
		return true
	})
}

// useOf says what becomes of a literal.
func useOf(lit *ast.FuncLit, around []ast.Node) use {
	var expr ast.Expr = lit
	for i := len(around) - 1; i >= 0; i-- {
		switch outer := around[i].(type) {
		case *ast.ParenExpr:
			expr = outer
			continue
		case *ast.CallExpr:
			if outer.Fun == expr {
				return called
			}
			return given
		case *ast.CompositeLit, *ast.KeyValueExpr:
			return given
		case *ast.AssignStmt, *ast.ValueSpec:
			return assigned
		}
		break
	}
	return kept
}

// look follows an identifier to what it refers to.
func (r *reach) look(in *function, pkg *load.Package, node ast.Node, around []ast.Node) {
	ident, ok := node.(*ast.Ident)
	if !ok {
		return
	}
	from := place{ident.Pos(), in}
	switch obj := pkg.Info.Uses[ident].(type) {
	case *types.TypeName:
		r.enliven(value.NamedOf(obj.Type()))
	case *types.Func:
		if isAbstract(obj) {
			r.callAbstract(obj.Origin(), from)
		} else if f := r.reach(obj.Origin(), from); f != nil {
			f.references = append(f.references, reference{from, isCalled(ident, around)})
		}
	}
}

// isCalled reports whether the identifier names what is called at once.
func isCalled(ident *ast.Ident, around []ast.Node) bool {
	var expr ast.Expr = ident
	for i := len(around) - 1; ; i-- { // a declaration is around all
		switch outer := around[i].(type) {
		case *ast.SelectorExpr:
			if outer.Sel != expr {
				return false
			}
			expr = outer
		case *ast.ParenExpr:
			expr = outer
		case *ast.IndexExpr:
			if outer.X != expr {
				return false
			}
			expr = outer
		case *ast.IndexListExpr:
			if outer.X != expr {
				return false
			}
			expr = outer
		case *ast.CallExpr:
			return outer.Fun == expr
		default:
			return false
		}
	}
}

// enliven notes that the program has values of a type.
func (r *reach) enliven(t *types.Named) {
	if t == nil {
		return
	}
	t = t.Origin()
	if r.isLive[t.Obj()] {
		return
	}
	r.isLive[t.Obj()] = true
	if spec, ok := r.typeSpecs[t.Obj()]; ok { // of the types within
		r.queue = append(r.queue, func() { r.walk(nil, spec.pkg, spec.spec.Type) })
	}
	methods := types.NewMethodSet(types.NewPointer(t)) // none of an interface
	for selection := range methods.Methods() {
		method := selection.Obj().(*types.Func)
		r.having[method.Name()] = append(r.having[method.Name()], t)
		for _, call := range r.abstract[method.Name()] {
			r.callOn(t, call)
		}
		for _, i := range r.foreign[method.Name()] {
			if implements(t, i) {
				r.reachDynamic(method, place{pos: t.Obj().Pos()})
				break
			}
		}
	}
}

// callAbstract notes a call of a method of an interface.
func (r *reach) callAbstract(method *types.Func, from place) {
	if r.isCalled[method] {
		return
	}
	r.isCalled[method] = true
	call := abstractCall{method, from}
	name := method.Name()
	r.abstract[name] = append(r.abstract[name], call)
	for _, t := range r.having[name] {
		r.callOn(t, call)
	}
}

// callOn notes that the method of t runs which an interface's stands for.
func (r *reach) callOn(t *types.Named, call abstractCall) {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, call.method.Pkg(), call.method.Name())
	i, _ := call.method.Signature().Recv().Type().Underlying().(*types.Interface)
	if method, ok := obj.(*types.Func); ok && i != nil && implements(t, i) {
		r.reachDynamic(method, call.from)
	}
}

// reachDynamic notes that a method is run through an interface.
func (r *reach) reachDynamic(method *types.Func, from place) {
	if isAbstract(method) {
		r.callAbstract(method.Origin(), from) // of an interface that a struct embeds
		return
	}
	if f := r.reach(method.Origin(), from); f != nil {
		f.dynamic = true
		return
	}
	r.promoted(method, from)
}

// implements reports whether t or a pointer to it implements an interface. Of generic
// ones only the names of the methods count.
func implements(t *types.Named, i *types.Interface) bool {
	pointer := types.NewPointer(t)
	if t.TypeParams().Len() == 0 && !isGeneric(i) {
		return types.Implements(pointer, i)
	}
	for method := range i.Methods() {
		if obj, _, _ := types.LookupFieldOrMethod(pointer, true, method.Pkg(), method.Name()); obj == nil {
			return false
		}
	}
	return true
}

func isGeneric(i *types.Interface) bool {
	for method := range i.Methods() {
		if value.HasTypeParam(method.Type()) {
			return true
		}
	}
	return false
}
