package eval

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// An Evaluator evaluates a program from its entry points, as far as its values are
// known. What meets the outside world is an Unknown; a condition that isn't
// known is followed both ways, see fork.go. See docs/decisions/0001.
type Evaluator struct {
	*value.State
	ctx     context.Context
	program *load.Program
	user    User

	Explain bool   // note where constants come from, in Const.Origin
	Command string // the command that the program is started with, "" for any
	Flag    string // the text of a flag that it is started with, "" for any
	Part    bool   // a part of programs is evaluated, whose command lines aren't its own

	recoveries    *value.Cell // changes when recover ends a panic, after which it returns nil
	globals       map[*types.Var]*value.Cell
	unread        map[string][]*value.Cell // those of the globals whose packages aren't read, by path
	inTurn        []*value.Cell            // globals, as they came
	given         []value.Value            // what code that isn't read may give to the functions that it calls, see Giving
	failure       value.Value              // the error of the last call that a model has tried
	methodResults []value.Value            // what methods have returned that the library calls in this call
	unfollowed    unfollowed               // the call of code that isn't followed
	linked        map[string]bool          // variables that are others' too, by path and name, see linkname.go
	unseen        string                   // the last call of code that isn't Go
	newest        []*load.Package          // started, and not all of whose variables are globals yet
	library       model.Variables
	remembered    map[string]*value.Cell // what models of libraries remember, by name
	memory        []*value.Cell          // of these, what the program sets, as they came
	environs      []*value.Cell          // of remembered, the variables of the environment that were asked for
	tables        bool                   // whether a variable of the library may have been changed, see tables.go
	started       map[*load.Package]bool // whose variables are initialised
	ready         map[*load.Package]bool // whose init functions have run as well
	decls         map[*load.Package]map[types.Object]*ast.FuncDecl
	called        map[*types.Func]bool

	foreign foreign
	late    late
	starts  starts

	escaped        escapes // what code that isn't followed may call
	callingEscaped bool
	exposed        int   // how often the running function has given something to code that isn't read
	mutating       trait // see mutation.go
	ending         trait // see mayend.go

	mapLoops  map[token.Pos]mapLoop     // loops over maps of several entries
	mapOrders map[token.Pos]value.Order // those to use for them
	instances *instances
	parts     map[part]*value.Unknown // what was made of unknowns
	types     *typeUniverse

	first            *goroutine // the one that runs main
	thread           *goroutine // the one that is running
	goroutines       []*goroutine
	spawned          map[token.Pos]int
	contended        map[site]map[int]bool // what others write to meanwhile that a goroutine reads
	logWriter        logWriter
	undefined        map[site]bool                   // goroutines of which it isn't known what they do
	statements       int                             // that were evaluated
	packageVariables map[*ast.BlockStmt][]*types.Var // what bodies lead to
	typeArguments    map[types.Type][]types.Type     // those of the types that a type leads to
	toldUsed         *load.Names                     // see tellingUsed; nil until asked for
	captures         map[*ast.BlockStmt][]*types.Var // what the bodies of function literals and loops use that is around them

	frame     *frame
	mayFail   *failure // how the function with a model may have failed that is being called
	held      []*held  // how calls may have failed whose callers are told later
	lost      *failure // the one whose consequences are being evaluated
	offWay    int      // see IsOffWay
	tail      ast.Expr // the call by whose end the program ends
	depth     int
	conds     []*Taken // the branches around the current statement
	serving   serving
	ended     ended
	repeats   bool // the program does again what it has done often
	steps     int
	last      token.Pos    // where the last step was
	asked     int          // the steps when the context was last asked
	exhausted bool         // the evaluation is given up, see exhaust
	panics    []*deferring // the functions whose deferred functions are running
	turns     int          // the calls that are being evaluated, and what else is done in its turn

	turnsOf  map[ast.Expr]turns              // what is done in its turn in an expression
	literals map[literal][]*ast.KeyValueExpr // see perhapsFirst

	ownMethods *ownMethods                      // nil until asked for
	mattering  map[bool]*mattering              // by whether the program works
	operands   []*diagnostic.Origin             // of the expression that is being evaluated
	entered    map[*ast.BlockStmt]bool          // the bodies that were run
	made       map[*ast.BlockStmt]*load.Package // those of the function literals that were evaluated
}

// New returns an evaluator of the program for user.
func New(ctx context.Context, program *load.Program, user User) *Evaluator {
	ev := &Evaluator{
		ctx: ctx, program: program, user: user,
		entered:   make(map[*ast.BlockStmt]bool),
		made:      make(map[*ast.BlockStmt]*load.Package),
		turnsOf:   make(map[ast.Expr]turns),
		literals:  make(map[literal][]*ast.KeyValueExpr),
		decls:     make(map[*load.Package]map[types.Object]*ast.FuncDecl),
		instances: newInstances(),
		captures:  make(map[*ast.BlockStmt][]*types.Var),
	}
	ev.mapLoops = make(map[token.Pos]mapLoop)
	ev.starts = starts{
		lists: make(map[string]*value.Arguments),
		split: make(map[token.Pos]bool), wanted: make(map[token.Pos]bool), forks: make(map[token.Pos]bool),
	}
	ev.State = &value.State{Work: ev.work, Given: ev.givenField}
	ev.beginRound()
	return ev
}

// Last returns where the last step of the evaluation was.
func (ev *Evaluator) Last() token.Pos { return ev.last }

// Entered reports whether the body of a function was run.
func (ev *Evaluator) Entered(body *ast.BlockStmt) bool { return ev.entered[body] }

// Uncalled is a function literal that was evaluated and never called.
type Uncalled struct {
	Pkg  *load.Package
	Pos  token.Pos
	Body *ast.BlockStmt
}

// Uncalled returns the function literals that were evaluated and never called, in
// the order of their positions.
func (ev *Evaluator) Uncalled() []Uncalled {
	var all []Uncalled
	for body, pkg := range ev.made {
		if !ev.entered[body] {
			all = append(all, Uncalled{pkg, body.Pos(), body})
		}
	}
	slices.SortFunc(all, func(a, b Uncalled) int { return int(a.Pos - b.Pos) })
	return all
}

// MapLoops returns the loops that have ranged over maps of several entries, by
// the positions of what they range over.
func (ev *Evaluator) MapLoops() []token.Pos { return slices.Sorted(maps.Keys(ev.mapLoops)) }

// LoopSite returns the place in the user's own code that led to a loop.
func (ev *Evaluator) LoopSite(loop token.Pos) token.Pos { return ev.mapLoops[loop].site }

// LoopKind returns what stands for a loop.
func (ev *Evaluator) LoopKind(loop token.Pos) LoopKind { return ev.mapLoops[loop].kind }

// LoopEntries returns how many entries a loop has ranged over at most, but for what is
// added meanwhile.
func (ev *Evaluator) LoopEntries(loop token.Pos) int { return ev.mapLoops[loop].entries }

// A mapLoop is a loop over maps of several entries.
type mapLoop struct {
	site    token.Pos // the place in the user's own code
	entries int       // the most there were
	kind    LoopKind
}

// A LoopKind is what visits entries in an order that isn't known.
type LoopKind int

const (
	MapLoop    LoopKind = iota // a loop over a map, or a call that visits its entries
	Shuffle                    // a call that shuffles the values of a group
	MapLiteral                 // a map literal, see early.go
)

// noteMapLoop notes that n entries are visited in an order that may matter.
func (ev *Evaluator) noteMapLoop(loop token.Pos, n int, kind LoopKind) {
	ev.mapLoops[loop] = mapLoop{site: ev.OwnPos(loop), entries: max(n, ev.mapLoops[loop].entries), kind: kind}
	if s := ev.starts.current; s != nil {
		s.loops[loop] = true
	}
}

// foreignFrames returns the running functions, innermost first, that the user's own code
// has called in other modules, by whichever ways.
func (ev *Evaluator) foreignFrames() iter.Seq[*frame] {
	return func(yield func(*frame) bool) {
		for f := ev.frame; f != nil && !ev.program.IsOwn(f.pkg.Path) && f.outer != nil; f = f.outer {
			if !yield(f) {
				return
			}
		}
	}
}

// OwnPos returns pos, or where it is in another module's code the call in the
// user's own that led there.
func (ev *Evaluator) OwnPos(pos token.Pos) token.Pos {
	for f := range ev.foreignFrames() {
		pos = f.at
	}
	return pos
}

// ownCall returns the call at an expression, or where that is in another module's code
// the one in the user's own that led there.
func (ev *Evaluator) ownCall(at ast.Expr) ast.Expr {
	for f := range ev.foreignFrames() {
		if f.call == nil {
			break
		}
		at = f.call
	}
	return at
}

// VisitMaps has the loops at the positions visit maps in an order.
func (ev *Evaluator) VisitMaps(order value.Order, loops ...token.Pos) {
	ev.mapOrders = make(map[token.Pos]value.Order)
	for _, pos := range loops {
		ev.mapOrders[pos] = order
	}
}

// typeOf returns the static type of an expression in the running function.
func (ev *Evaluator) typeOf(expr ast.Expr) types.Type {
	return ev.frame.targs.subst(ev.writtenType(expr))
}

// writtenType is typeOf with the type parameters of the running function.
func (ev *Evaluator) writtenType(expr ast.Expr) types.Type {
	if t := ev.frame.pkg.Info.TypeOf(expr); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}

// spread returns v as n values: a tuple's parts, or an unknown n times.
func spread(v value.Value, n int) []value.Value {
	if tuple, ok := v.(value.Tuple); ok && len(tuple) == n {
		return tuple
	}
	values := make([]value.Value, n)
	for i := range values {
		values[i] = v
	}
	return values
}
