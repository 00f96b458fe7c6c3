package eval

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// global returns the variable of a package, initialising the package first.
func (ev *Evaluator) global(v *types.Var) *value.Cell {
	if cell, ok := ev.globals[v]; ok {
		return cell
	}
	if ev.isLinked(v) { // another cell each time: what is written to one may be overwritten by the other name
		return value.NewEscaped(ofLinked(v))
	}
	pkg := ev.source(v.Pkg().Path())
	if pkg == nil {
		cell := ev.unreadGlobal(v)
		ev.addGlobal(v, cell)
		ev.unread[v.Pkg().Path()] = append(ev.unread[v.Pkg().Path()], cell)
		ev.noteCalled(v)
		return cell
	}
	if pkg.Types != v.Pkg() {
		twin := twinVar(pkg.Types, v)
		if twin == nil {
			return value.NewCell(value.UnknownAt(v.Pos(), "the variable "+v.Name()))
		}
		return ev.global(twin)
	}
	if ev.started[pkg] {
		initial := ev.embedded(pkg, v)
		if initial == nil {
			ev.Early(func() { initial = ev.beforeItsTurn(pkg, v) })
		}
		cell := value.NewCell(initial)
		ev.addGlobal(v, cell)
		return cell
	}
	ev.startLate(pkg)
	return ev.global(v)
}

// knownGlobal returns the variable of a package, nil where nothing has used it.
func (ev *Evaluator) knownGlobal(v *types.Var) *value.Cell {
	if cell, ok := ev.globals[v]; ok || v.Pkg() == nil {
		return cell
	}
	if pkg := ev.program.Read(v.Pkg().Path()); pkg != nil && pkg.Types != nil {
		return ev.globals[twinVar(pkg.Types, v)]
	}
	return nil
}

// unreadGlobal makes the variable of a package that isn't read.
func (ev *Evaluator) unreadGlobal(v *types.Var) *value.Cell {
	name := v.Pkg().Path() + "." + v.Name()
	if cell, ok := ev.remembered[name]; ok && !value.IsNil(cell.Load()) {
		return cell
	}
	if name == programArgs {
		return value.NewCell(ev.programArguments())
	}
	if known := ev.library.Value(v); known != nil {
		return value.NewEscaped(known)
	}
	return value.NewEscaped(&value.Unknown{
		Reason: "the variable " + v.Pkg().Name() + "." + v.Name(), Foreign: true, Unread: ev.readable(v.Pkg().Path()),
		NonNil: model.IsNonNil(v),
	})
}

// Held implements [model.Machine].
func (ev *Evaluator) Held(path string, err error) value.Value {
	for v, cell := range ev.globals {
		if v.Pkg().Path() == path && model.HoldsFirst(v, err) {
			return cell.Load()
		}
	}
	return ev.library.Held(err)
}

func (ev *Evaluator) addGlobal(v *types.Var, cell *value.Cell) {
	ev.globals[v] = cell
	ev.inTurn = append(ev.inTurn, cell)
}

// start initialises a package's variables, in the order that the language
// gives, after those of the packages that it imports. Its init functions are
// run by the entry points.
func (ev *Evaluator) start(pkg *load.Package) {
	if ev.started[pkg] {
		return
	}
	ev.started[pkg] = true
	ev.newest = append(ev.newest, pkg)
	for _, initializer := range pkg.Info.InitOrder {
		if len(pkg.Errors) > 0 {
			ev.tolerate(func() { ev.initialize(pkg, initializer) })
			continue
		}
		ev.initialize(pkg, initializer)
	}
	ev.blurUnseen(pkg)
}

// beforeItsTurn returns what a variable of a package holds that is being initialised, before
// its own turn, or where it has none. The compiler may have its value at the start: it
// does where that is a constant, and it isn't promised where it is something else.
func (ev *Evaluator) beforeItsTurn(pkg *load.Package, v *types.Var) value.Value {
	for _, initializer := range pkg.Info.InitOrder {
		if !slices.Contains(initializer.Lhs, v) {
			continue
		}
		if known := pkg.Info.Types[initializer.Rhs].Value; known != nil {
			return value.Retyped(value.Represented(known, pkg.Info.TypeOf(initializer.Rhs)), v.Type())
		}
		return usedEarly(v)
	}
	return ev.Zero(v.Type())
}

// usedEarly is what a variable holds where something has used it before its turn.
func usedEarly(v *types.Var) *value.Unknown {
	return value.UnknownAt(v.Pos(), "the variable "+v.Name()+", which is used before it is initialised")
}

func (ev *Evaluator) initialize(pkg *load.Package, initializer *types.Initializer) {
	outer := ev.frame
	ev.frame = &frame{pkg: pkg, mark: ev.Mark(), conds: len(ev.conds)}
	defer func() { ev.frame = outer }()
	var values []value.Value
	if ended := ev.Caught(func() { values = ev.initialValues(initializer) }); ended != nil {
		if ev.program.IsOwn(pkg.Path) {
			panic(ended) // the program never starts
		}
		values = spread(value.UnknownAt(initializer.Rhs.Pos(), "a value whose computation panics"), len(initializer.Lhs))
	}
	for i, v := range initializer.Lhs {
		if ev.isLinked(v) {
			continue
		}
		cell, ok := ev.globals[v]
		switch {
		case !ok:
			cell = value.NewCell(nil)
			ev.addGlobal(v, cell)
		case len(value.Used([]*value.Cell{cell})) > 0: // it may have been written to
			known, before := pkg.Info.Types[initializer.Rhs].Value, cell.Load()
			values[i] = before
			if known == nil && !value.IsUnknown(before) {
				values[i] = usedEarly(v)
			}
		}
		ev.Set(cell, ev.Copied(value.Retyped(values[i], v.Type())))
	}
}

// initialValues evaluates what variables of a package are initialised with.
func (ev *Evaluator) initialValues(initializer *types.Initializer) []value.Value {
	n := len(initializer.Lhs)
	if known := ev.library.Value(initializer.Lhs[0]); known != nil {
		return []value.Value{known} // the one that packages which aren't read know
	}
	if n == 1 {
		return []value.Value{ev.eval(initializer.Rhs)}
	}
	return spread(ev.evalMulti(initializer.Rhs, n), n)
}

// Initialize initialises pkg and what it imports, as the language says: first the
// variables of a package, then its init functions in the order of the files. A
// package that doesn't reach what the user records is initialised when a variable
// of it is needed, see late.go, unless its initialisation may change another package
// or what is remembered of a library. What has been initialised isn't again.
func (ev *Evaluator) Initialize(pkg *load.Package) {
	for _, path := range ev.program.InitOrder(pkg.Path) {
		if !ev.initialisesNow(path) {
			ev.noteTurn(path)
			ev.passOver(path)
			continue
		}
		if dep := ev.program.Source(path); dep != nil && !ev.ready[dep] {
			ev.ready[dep] = true
			ev.initializeWhole(dep)
		}
	}
}

// initializeWhole initialises a package's variables and runs its init functions.
func (ev *Evaluator) initializeWhole(pkg *load.Package) {
	run := func() {
		ev.start(pkg)
		ev.runInitFunctions(pkg)
	}
	if ev.program.IsOwn(pkg.Path) {
		run()
		return
	}
	mark, ended := ev.Mark(), false
	if ev.Survives(func() { ended = ev.bounded(run) }) && ended {
		return
	}
	ev.Undo(mark)
	ev.passOver(pkg.Path)
	for _, name := range pkg.Types.Scope().Names() {
		if v, ok := pkg.Types.Scope().Lookup(name).(*types.Var); ok {
			ev.Set(ev.global(v), &value.Unknown{Reason: "the variable " + pkg.Name + "." + name + ", whose initialisation isn't followed", Foreign: true})
		}
	}
}

// initialisesNow reports whether a package is initialised in its turn.
func (ev *Evaluator) initialisesNow(path string) bool {
	switch {
	case ev.program.IsChecked(path), ev.late.inTurn[path]:
		return true
	case ev.program.IsOwn(path):
		return ev.importsEvaluated(path) && ev.program.Registers(path) || ev.isSeenElsewhere(path) || slices.Contains(ev.program.ImportedByOthers(), path)
	default:
		return ev.foreign.needed[path] && !model.Evaluated[path]
	}
}

// importsEvaluated reports whether a package imports one that is evaluated.
func (ev *Evaluator) importsEvaluated(path string) bool {
	return ev.program.ImportsOwn(path) || slices.ContainsFunc(ev.exposedPackages(), func(target string) bool {
		return ev.program.Reaches(path, target)
	})
}

func (ev *Evaluator) runInitFunctions(pkg *load.Package) {
	for _, file := range pkg.Files {
		for _, decl := range file.Decls {
			decl, ok := decl.(*ast.FuncDecl)
			if !ok || decl.Recv != nil || decl.Name.Name != "init" || decl.Body == nil {
				continue
			}
			sig := types.NewSignatureType(nil, nil, nil, nil, nil, false)
			ev.settle(ev.invoke(function{pkg: pkg, sig: sig, typ: decl.Type, body: decl.Body}, decl.Name, nil))
		}
	}
}
