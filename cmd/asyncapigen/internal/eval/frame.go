package eval

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// frame is a running function.
type frame struct {
	outer    *frame    // of the caller
	at       token.Pos // of the call
	call     ast.Expr
	body     *ast.BlockStmt
	pkg      *load.Package
	scope    *scope
	targs    typeArgs
	sig      *types.Signature
	results  []*value.Cell // of named results
	ret      []value.Value
	replaced bool   // the user replaces the value of the expression around
	calls    *calls // of the running statement, where the order counts
	defers   []*deferral
	loops    []*loop

	mark     int                 // the journal where the function began
	conds    int                 // the conditions that held there
	landings map[string]*landing // of gotos that are being followed
	pending  []*exit             // early returns
	failures []*exit             // those with an error that is surely not nil
	crashes  []*exit             // panics that a deferred function may recover from

	selected communication // of the case of a select statement that is about to be done

	open     *failure // of a call that was assigned and not looked at yet
	recovers bool     // a deferred function may recover
	tail     bool     // the program ends when the function returns
	atEnd    bool     // the function ends when the running statement does
	iterator *frame   // what has called the loop's body that is running, nil if nothing has

	isGoroutine bool   // it isn't a function, but what a goroutine begins with
	starter     *frame // of who has started the goroutine
}

// loop is a running for, range, switch or select statement: what break and
// continue leave.
type loop struct {
	label     string
	isLoop    bool
	atEnd     bool // the function ends when the statement does
	broken    []*exit
	continued []*exit
	mark      int          // the journal where the statement began
	began     value.Moment // that of mark
	roundMark int          // the journal where the round began
	conds     int          // the conditions where the statement began
	exits     int          // the exits that were waiting then
}

// exit is a way that a branch under an unknown condition has left a statement
// or a function: what it had written by then and what it returned.
type exit struct {
	cond      *Condition
	writes    value.Writes
	ret       []value.Value
	panicked  *Panic      // nil unless it is a panic
	recorded  int         // what the user had recorded for it
	isSeveral bool        // it stands for several, some of which come later
	defers    []*deferral // by then
	from      int         // how many were deferred where it left the statement
	serves    bool        // a deferred function serves something
	ended     bool        // it is the program's end, which hasn't worked before
}

// control says how a statement ended.
type control struct {
	kind  controlKind
	label string
	to    *loop // what is left by a break or continue, where the label doesn't say it
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
