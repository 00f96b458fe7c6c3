package eval

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// An Evaluator evaluates a program from its entry points, as far as its values are
// known. What meets the outside world is an Unknown; a condition that isn't
// known is followed both ways, see fork.go.
type Evaluator struct {
	*value.State
	ctx     context.Context
	program *load.Program
	user    User

	Explain bool // note where constants come from, in Const.Origin

	globals map[*types.Var]*value.Cell
	started map[*load.Package]bool // whose variables are initialised
	ready   map[*load.Package]bool // whose init functions have run as well
	decls   map[*load.Package]map[types.Object]*ast.FuncDecl
	called  map[*types.Func]bool

	foreign foreign
	locals  localTypes
	types   *typeUniverse

	frame  *frame
	depth  int
	conds  []*Condition // those that hold around the current statement
	steps  int
	last   token.Pos    // where the last step was
	asked  int          // the steps when the context was last asked
	small  int          // the quarters of a step that aren't in steps
	risks  int          // how often something was done that may panic or not
	panics []*deferring // the functions whose deferred functions are running

	calling  map[ast.Expr]bool       // whether functions are called in an expression
	operands []*diagnostic.Origin    // of the expression that is being evaluated
	entered  map[*ast.BlockStmt]bool // the bodies that were run
}

// New returns an evaluator of the program for user.
func New(ctx context.Context, program *load.Program, user User) *Evaluator {
	ev := &Evaluator{
		ctx: ctx, program: program, user: user,
		entered: make(map[*ast.BlockStmt]bool),
		calling: make(map[ast.Expr]bool),
		decls:   make(map[*load.Package]map[types.Object]*ast.FuncDecl),
		locals:  make(localTypes),
	}
	ev.State = &value.State{Work: ev.work}
	ev.beginRound()
	return ev
}

// Last returns where the last step of the evaluation was.
func (ev *Evaluator) Last() token.Pos { return ev.last }

// Entered reports whether the body of a function was run.
func (ev *Evaluator) Entered(body *ast.BlockStmt) bool { return ev.entered[body] }

// typeOf returns the static type of an expression in the running function.
func (ev *Evaluator) typeOf(expr ast.Expr) types.Type {
	t := ev.frame.pkg.Info.TypeOf(expr)
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return ev.frame.targs.subst(t)
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
