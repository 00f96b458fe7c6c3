package discover

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// interp evaluates a program from its entry points, as far as its values are
// known. What meets the outside world is an Unknown; a condition that isn't
// known is followed both ways, see fork.go.
type interp struct {
	ctx     context.Context
	program *load.Program

	journal []write
	globals map[*types.Var]*Cell
	started map[*load.Package]bool // whose variables are initialised
	decls   map[*load.Package]map[types.Object]*ast.FuncDecl
	called  map[*types.Func]bool

	abroad demand
	locals localTypes
	types  *typeUniverse

	frame  *frame
	depth  int
	conds  []*condition // those that hold around the current statement
	steps  int
	last   token.Pos    // where the last step was
	asked  int          // the steps when the context was last asked
	small  int          // the quarters of a step that aren't in steps
	panics []*deferring // the functions whose deferred functions are running

	explain         bool                 // note where values come from
	operands        []*diagnostic.Origin // of the expression that is being evaluated
	valueDirectives map[*load.Package]map[lineOf]*directive
	entered         map[*ast.BlockStmt]bool // the bodies that were run

	found       []registered.Route
	diagnostics diagnostic.List
}

// frame is a running function.
type frame struct {
	outer   *frame // of the caller
	body    *ast.BlockStmt
	pkg     *load.Package
	scope   *scope
	targs   typeArgs
	sig     *types.Signature
	results []*Cell // of named results
	ret     []Value
	given   bool // a directive gives the value of the expression around
	defers  []func()
	loops   []*loop

	mark     int // the journal where the function began
	conds    int // the conditions that held there
	pending  []*exit
	failures []*exit
}

// loop is a running for, range, switch or select statement: what break and
// continue leave.
type loop struct {
	label     string
	isLoop    bool
	broken    []*exit
	continued []*exit
	mark      int // the journal where the statement began
	roundMark int // the journal where the round began
	conds     int // the conditions where the statement began
	exits     int // the exits that were waiting then
}

// exit is a way that a branch under an unknown condition has left a statement
// or a function: what it had written by then and what it returned.
type exit struct {
	cond   *condition
	writes writes
	ret    []Value
}

// control says how a statement ended.
type control struct {
	kind  controlKind
	label string
}

type controlKind int

const (
	next controlKind = iota
	breaks
	continues
	returns
	falls
	jumps  // goto
	leaves // every branch has gone elsewhere, see exit
)

// unwinding is a panic of the evaluated program, or a place that it never gets
// beyond: os.Exit, an empty select.
type unwinding struct {
	value     Value
	pos       token.Pos
	recovered bool
	final     bool // no deferred function runs, nothing recovers
}

// exhausted ends the evaluation: the program takes more steps than it may.
type exhausted struct{ pos token.Pos }

// Bounds of the evaluation. A program that registers a thousand routes through
// wrappers takes some hundred thousand steps.
const (
	maxSteps = 2_000_000
	maxDepth = 250
)

// step counts a statement or call.
func (in *interp) step(pos token.Pos) {
	in.steps++
	in.last = pos
	if in.abroad.limit > 0 && in.steps > in.abroad.limit {
		panic(exhausted{pos})
	}
	in.budget(pos)
}

// work counts n small things, such as copied elements.
func (in *interp) work(n int) {
	in.small += n
	in.steps += in.small >> 2
	in.small &= 1<<2 - 1
	in.budget(in.last)
}

func (in *interp) budget(pos token.Pos) {
	const often = 1 << 12
	if in.steps > maxSteps {
		panic(exhausted{pos})
	}
	if in.steps-in.asked > often {
		in.asked = in.steps
		if in.ctx.Err() != nil {
			panic(exhausted{pos})
		}
	}
}

// typeOf returns the static type of an expression in the running function.
func (in *interp) typeOf(expr ast.Expr) types.Type {
	t := in.frame.pkg.Info.TypeOf(expr)
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return in.frame.targs.subst(t)
}

func (in *interp) unknown(pos token.Pos, reason string) *Unknown {
	return &Unknown{Reason: reason, Pos: pos}
}

// global returns the variable of a package, initialising the package first.
func (in *interp) global(v *types.Var) *Cell {
	if cell, ok := in.globals[v]; ok {
		return cell
	}
	pkg := in.source(v.Pkg().Path())
	if pkg == nil {
		cell := newCell(&Unknown{
			Reason: "the variable " + v.Pkg().Name() + "." + v.Name(), NonNil: true, wants: in.wants(v.Pkg().Path()),
		})
		in.globals[v] = cell
		return cell
	}
	if pkg.Types != v.Pkg() {
		twin, ok := pkg.Types.Scope().Lookup(v.Name()).(*types.Var)
		if !ok || twin == v {
			return newCell(in.unknown(v.Pos(), "the variable "+v.Name()))
		}
		return in.global(twin)
	}
	if in.started[pkg] {
		cell := newCell(in.embedded(pkg, v))
		if cell.v == nil {
			cell.v = in.zero(v.Type())
		}
		in.globals[v] = cell
		return cell
	}
	in.startLate(pkg)
	return in.global(v)
}

// start initialises a package's variables, in the order that the language
// gives, after those of the packages that it imports. Its init functions are
// run by the entry points.
func (in *interp) start(pkg *load.Package) {
	if in.started[pkg] {
		return
	}
	in.started[pkg] = true
	for _, imported := range pkg.Imports {
		in.start(imported)
	}
	for _, initializer := range pkg.Info.InitOrder {
		if len(pkg.Errors) > 0 {
			in.tolerate(func() { in.initialize(pkg, initializer) })
			continue
		}
		in.initialize(pkg, initializer)
	}
}

// startLate initialises a package that no entry point's imports led to, because
// it doesn't reach the runtime: with its init functions, and as it would have
// been before everything else, whatever is being evaluated now.
func (in *interp) startLate(pkg *load.Package) {
	journal, frame, conds, panics, depth := in.journal, in.frame, in.conds, in.panics, in.depth
	in.journal, in.frame, in.conds, in.panics = nil, nil, nil, nil
	defer func() {
		in.journal, in.frame, in.conds, in.panics, in.depth = journal, frame, conds, panics, depth
	}()
	in.start(pkg)
	in.survives(func() { in.runInitFunctions(pkg) })
}

func (in *interp) initialize(pkg *load.Package, initializer *types.Initializer) {
	outer := in.frame
	in.frame = &frame{pkg: pkg, mark: len(in.journal), conds: len(in.conds)}
	defer func() { in.frame = outer }()
	var values []Value
	if !in.survives(func() { values = spread(in.eval(initializer.Rhs), len(initializer.Lhs)) }) {
		values = spread(in.unknown(initializer.Rhs.Pos(), "a value whose computation panics"), len(initializer.Lhs))
	}
	for i, v := range initializer.Lhs {
		cell, ok := in.globals[v]
		if !ok {
			cell = newCell(nil)
			in.globals[v] = cell
		}
		in.set(cell, in.copied(retyped(values[i], v.Type())))
	}
}

// survives runs f and reports whether it ended without a panic of the evaluated
// program.
func (in *interp) survives(f func()) bool { return in.caught(f) == nil }

// caught runs f and returns the panic of the evaluated program that ended it.
func (in *interp) caught(f func()) (u *unwinding) {
	saved, depth, conds, panics := in.frame, in.depth, len(in.conds), len(in.panics)
	var loops int
	if saved != nil {
		loops = len(saved.loops)
	}
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		var isUnwinding bool
		if u, isUnwinding = v.(*unwinding); !isUnwinding {
			panic(v)
		}
		in.frame, in.depth, in.conds, in.panics = saved, depth, in.conds[:conds], in.panics[:panics]
		if saved != nil {
			saved.loops = saved.loops[:loops]
		}
	}()
	f()
	return nil
}

// spread returns v as n values: a tuple's parts, or an unknown n times.
func spread(v Value, n int) []Value {
	if tuple, ok := v.(Tuple); ok && len(tuple) == n {
		return tuple
	}
	values := make([]Value, n)
	for i := range values {
		values[i] = v
	}
	return values
}

// declaration returns the body of a function, and the package that it is in;
// nil where there is none to read.
func (in *interp) declaration(fn *types.Func) (*load.Package, *ast.FuncDecl) {
	fn = fn.Origin()
	if fn.Pkg() == nil {
		return nil, nil
	}
	pkg := in.source(fn.Pkg().Path())
	if pkg == nil {
		return nil, nil
	}
	decls := in.index(pkg)
	if decl := decls[fn]; decl != nil {
		return pkg, decl
	}
	if twin := twinFunc(pkg.Types, fn); twin != nil {
		return pkg, decls[twin]
	}
	return nil, nil
}

func (in *interp) index(pkg *load.Package) map[types.Object]*ast.FuncDecl {
	if decls, ok := in.decls[pkg]; ok {
		return decls
	}
	decls := make(map[types.Object]*ast.FuncDecl)
	for _, file := range pkg.Files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok && decl.Body != nil {
				if obj := pkg.Info.Defs[decl.Name]; obj != nil {
					decls[obj] = decl
				}
			}
		}
	}
	in.decls[pkg] = decls
	return decls
}

// twinFunc finds in pkg, which was checked from source, the function that was
// met in export data.
func twinFunc(pkg *types.Package, fn *types.Func) *types.Func {
	recv := fn.Signature().Recv()
	if recv == nil {
		twin, _ := pkg.Scope().Lookup(fn.Name()).(*types.Func)
		return twin
	}
	named := namedOf(recv.Type())
	if named == nil {
		return nil
	}
	twinType, ok := pkg.Scope().Lookup(named.Obj().Name()).(*types.TypeName)
	if !ok {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(twinType.Type()), false, pkg, fn.Name())
	twin, _ := obj.(*types.Func)
	return twin
}

// namedOf returns the defined type behind t or the pointer t.
func namedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		if _, isNamed := t.(*types.Named); !isNamed {
			t = types.Unalias(pointer.Elem())
		}
	}
	named, _ := t.(*types.Named)
	return named
}
