package eval

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"path/filepath"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// A goroutine runs at a time that isn't known, until somebody has waited for it.
// It is evaluated where it is started, from the state of then, and what it writes
// is taken back: for the others it is unknown from there on, and so is what they
// write to the same variables. What it records counts when it is waited for.
//
// Somebody has waited for what a goroutine did before it called Done of a
// sync.WaitGroup, sent a value or closed a channel, when Wait returns, or when
// the value or the close is received. A mutex, an atomic variable and a sleep are
// no waiting.
//
// That holds if nobody else writes meanwhile to what the goroutine reads. Where
// somebody does, the program is evaluated again with those variables being unknown
// to the goroutine.

// goroutine is a thread of the evaluated program. The first one runs main.
type goroutine struct {
	site
	own    token.Pos           // where that is in the user's own code
	reads  map[*value.Cell]int // what it has looked at, with the indexes in what it can reach
	end    int                 // the log when it had been evaluated
	ended  int                 // the log when somebody had waited for all of it, -1 while nobody has
	waiter *goroutine          // who that is
	last   int                 // the number of statements that had been evaluated at its end
	shares *value.Sharing

	counters map[*value.Cell]*value.Cell // what it adds to wait groups
	views    map[*value.ChannelState]*view
	signals  map[signal]*signalled
	waits    Way // by which it comes to where it is: what it waits for comes

	recorded any  // by the user; nil for nothing
	amount   int  // how much
	waited   bool // somebody has waited for all of it, under no condition
	panicked *Panic
	over     ended // the ways that have ended by then
	calls    bool  // code that isn't read, which may take long
}

// signal is what others can wait for.
type signal struct {
	of   any // the variable of the sync.WaitGroup, or the *value.ChannelState
	kind signalKind
}

type signalKind int

const (
	done signalKind = iota
	sends
	closes
)

// signalled is where a goroutine gave a signal for the first time.
type signalled struct{ log, statements, amount int }

func newGoroutine() *goroutine {
	return &goroutine{
		reads: make(map[*value.Cell]int), ended: -1, counters: make(map[*value.Cell]*value.Cell), views: make(map[*value.ChannelState]*view),
		signals: make(map[signal]*signalled),
	}
}

// site is where a program starts a goroutine, and for which time.
type site struct {
	at  token.Pos
	nth int
}

// spawn evaluates a goroutine where it is started. Inputs are the function that it
// runs and its arguments.
func (ev *Evaluator) spawn(at ast.Expr, inputs []value.Value, run func()) {
	g := newGoroutine()
	g.site, g.own = site{at.Pos(), ev.spawned[at.Pos()]}, ev.OwnPos(at.Pos())
	g.waits = slices.Clip(ev.thread.waits)
	ev.spawned[at.Pos()]++
	reach := ev.reachOf(inputs)
	ev.work(len(reach))
	base := ev.Mark()
	for index := range ev.contended[g.site] {
		if index < len(reach) {
			ev.Blur(reach[index], ev.unknown(g))
		}
	}
	ev.StartLog()
	mark, from := ev.Mark(), ev.Logged()
	ends, serves := ev.ended, ev.serving.n
	read := value.Reads(reach, func() {
		g.recorded = ev.user.Detached(func() {
			g.over = ev.aside(func() { g.panicked = ev.runGoroutine(g, run) })
			g.amount = ev.user.Mark()
		})
	})
	if ev.serving.n == serves {
		ev.ended = ends // when it exits isn't known
	}
	left, writes := g.left(), ev.Touched(from)
	maps.Copy(writes, ev.Undo(mark))
	ev.Undo(base)
	for _, index := range read {
		g.reads[reach[index]] = index
	}
	g.end, g.last = ev.Logged(), ev.statements
	for cell, v := range left.All() {
		delete(writes, cell)
		ev.Set(cell, v)
	}
	g.shares = ev.Share(ev.unknown(g), from, writes)
	ev.goroutines = append(ev.goroutines, g)
	if u := g.panicked; u != nil && !u.Ends() && !g.calls {
		panic(u.ofProgram()) // nothing holds it up
	}
}

// unknown is what a goroutine writes, in the eyes of the others, and what they write,
// in its own. It has the place where somebody looks at it.
func (ev *Evaluator) unknown(g *goroutine) *value.Unknown {
	at := ev.program.Position(g.own)
	return &value.Unknown{Reason: fmt.Sprintf("a value that may change while the goroutine of %s:%d runs", filepath.Base(at.Filename), at.Line)}
}

// runGoroutine runs a goroutine's function, and returns the panic by which it ends.
// Where it may end by Goexit, its end is all that this ends.
func (ev *Evaluator) runGoroutine(g *goroutine, run func()) *Panic {
	thread, frame_, panics, lost, tail := ev.thread, ev.frame, ev.panics, ev.lost, ev.tail
	defer func() {
		ev.thread, ev.frame, ev.panics, ev.lost, ev.tail = thread, frame_, panics, lost, tail
	}()
	root := &frame{
		at: frame_.at, body: frame_.body, pkg: frame_.pkg, scope: frame_.scope, targs: frame_.targs,
		sig: types.NewSignatureType(nil, nil, nil, nil, nil, false), mark: ev.Mark(), conds: len(ev.conds), isGoroutine: true, starter: frame_,
	}
	ev.thread, ev.frame, ev.panics, ev.lost, ev.tail = g, root, nil, nil, nil
	u := ev.Caught(run)
	if u != nil && u.goexit {
		u = nil
	}
	if len(root.crashes) == 0 {
		return u
	}
	ev.joinCrashes(u == nil, func(*exit) bool { return false })
	return nil
}

// left returns what a goroutine leaves in the variables that only the evaluation
// knows of.
func (g *goroutine) left() value.Writes {
	left := make(value.Writes)
	for _, cell := range g.counters {
		left[cell] = cell.Load()
	}
	for _, v := range g.views {
		for _, cell := range []*value.Cell{v.sent, v.closed, v.receives} {
			left[cell] = cell.Load()
		}
	}
	return left
}

// reachOf returns the variables that a goroutine can look at, always in the same
// order.
func (ev *Evaluator) reachOf(inputs []value.Value) []*value.Cell {
	r := value.Reach{Captured: ev.capturedBy}
	r.Values(inputs...)
	for _, pkg := range ev.newest {
		for _, name := range pkg.Types.Scope().Names() {
			if v, ok := pkg.Types.Scope().Lookup(name).(*types.Var); ok {
				ev.global(v)
			}
		}
	}
	ev.newest = nil // all of their variables are known now
	r.Add(ev.inTurn...)
	ev.Variable(model.EnvironmentChanges)
	r.Add(ev.memory...)
	for _, c := range ev.escaped.all {
		r.Values(c.fn)
	}
	return r.Cells
}

// capturedBy is captured of what a function value holds of its literal.
func (ev *Evaluator) capturedBy(v any) []*value.Cell {
	if c, ok := v.(*closure); ok {
		return ev.captured(c)
	}
	return nil
}

// captured returns the variables around a function literal that it uses.
func (ev *Evaluator) captured(c *closure) []*value.Cell {
	return ev.capturedIn(c.lit.Body, c.pkg, c.scope)
}

// capturedIn returns the variables around a body of a function or loop that it uses.
func (ev *Evaluator) capturedIn(body *ast.BlockStmt, pkg *load.Package, around *scope) []*value.Cell {
	used, ok := ev.captures[body]
	if !ok {
		seen := make(map[*types.Var]bool)
		ast.Inspect(body, func(node ast.Node) bool {
			if name, ok := node.(*ast.Ident); ok {
				if v, ok := pkg.Info.Uses[name].(*types.Var); ok && !v.IsField() && !isPackageVariable(v) && !seen[v] {
					seen[v] = true
					used = append(used, v)
				}
			}
			return true
		})
		ev.captures[body] = used
	}
	var cells []*value.Cell
	for _, v := range used {
		if cell := around.lookup(v); cell != nil {
			cells = append(cells, cell)
		}
	}
	return cells
}

// signal notes that the running goroutine does what others may wait for.
func (ev *Evaluator) signal(of any, kind signalKind) {
	s := signal{of, kind}
	if ev.thread.signals[s] == nil {
		ev.thread.signals[s] = &signalled{ev.Logged(), ev.statements, ev.user.Mark()}
	}
}

// IsInMain reports whether the goroutine of main is followed.
func (ev *Evaluator) IsInMain() bool { return ev.thread == ev.first }

// hasWaited notes that what follows is only where something comes from a channel of the
// program, which isn't known, or where that is closed. Who waits for code that isn't followed
// is taken to go on.
func (ev *Evaluator) hasWaited(at ast.Expr, channel value.Value) {
	c, ok := channel.(value.Channel)
	if !ok {
		return
	}
	cond := ev.condition(at, "something comes from the channel "+value.Source(at))
	if ev.IsInMain() {
		ev.endsUnder(cond, nil)
	} else {
		ev.thread.waits = append(ev.thread.waits, &Taken{cond, c.State})
	}
}

// goesOn reports whether who has waited as a branch says surely goes on: the goroutine that
// has made the channel, or another one that surely comes to that, closes it in each case.
func (ev *Evaluator) goesOn(branch *Taken, asked []*value.ChannelState) bool {
	c := branch.channel
	if c == nil || slices.Contains(asked, c) {
		return false
	}
	asked = append(slices.Clip(asked), c)
	return isSurely(c.Closed) || slices.ContainsFunc(ev.goroutines, func(g *goroutine) bool {
		waits := func(other *Taken) bool { return !ev.goesOn(other, asked) }
		return g.views[c] != nil && isSurely(g.views[c].closed) && g.runs() == value.Yes && !slices.ContainsFunc(g.waits, waits)
	})
}

func isSurely(cell *value.Cell) bool {
	is, known := value.Truth(cell.Load())
	return is && known
}

// Waits returns what the running goroutine has waited for.
func (ev *Evaluator) Waits() Way { return ev.thread.waits }

// release makes known what a goroutine had done when it gave a signal: the running
// one has waited for it.
func (ev *Evaluator) release(g *goroutine, of any, kind signalKind) {
	s := g.signals[signal{of, kind}]
	released, known := value.IntOf(g.shares.Released.Load())
	if s == nil || !known || released >= s.log {
		return
	}
	ev.Release(g.shares, s.log)
	if s.amount == g.amount && g.recorded != nil && !g.waited && ev.Uncertain() == nil {
		ev.user.Attach(g.recorded)
		g.waited = true
	}
	if s.statements == g.last && ev.Uncertain() == nil {
		g.ended, g.waiter = ev.Logged(), ev.thread
	}
	ev.work(len(ev.ended.conds) + len(ev.ended.served))
	ev.ended = ev.ended.and(g.over)
	if u := g.panicked; u != nil && !u.Ends() {
		panic(u.ofProgram())
	}
}

// runs reports whether a goroutine is started in the present state.
func (g *goroutine) runs() value.Answer {
	switch g.shares.Released.Load().(type) {
	case value.Nil:
		return value.No
	case value.Const:
		return value.Yes
	default:
		return value.Perhaps
	}
}

// checkGoroutines looks at what every goroutine has read, and whether somebody else
// has written to it meanwhile. It reports whether the program is to be evaluated
// again, with that being unknown to the goroutine.
func (ev *Evaluator) checkGoroutines(last bool) (again bool) {
	changes := ev.Changes()
	for _, g := range ev.goroutines {
		for from, to := range ev.meanwhile(g) {
			again = ev.checkReads(g, changes, from, to, last) || again
		}
	}
	return again && !last
}

// needChanges has the packages read, in a further round, of which a function may have written to
// what a goroutine reads meanwhile: their source may tell that it doesn't.
func (ev *Evaluator) needChanges() {
	changes := ev.Changes()
	for _, g := range ev.goroutines {
		for from, to := range ev.meanwhile(g) {
			for cell := range g.reads {
				if held := changes.Between(cell, from, to); len(held) > 0 {
					ev.needUnread(append(held, cell.Load()))
				}
			}
		}
	}
}

// checkReads notes which of the variables that a goroutine has read somebody else
// has written to between two places of the log, and reports whether there are any that weren't noted before.
func (ev *Evaluator) checkReads(g *goroutine, changes value.Changes, from, to int, last bool) (found bool) {
	for cell, index := range g.reads {
		if ev.contended[g.site][index] {
			continue
		}
		held := changes.Between(cell, from, to)
		if len(held) == 0 {
			continue
		}
		found = true
		if last || value.OtherReferences(append(held, cell.Load())) {
			ev.undefined[g.site] = true
		}
		if ev.contended[g.site] == nil {
			ev.contended[g.site] = make(map[int]bool)
		}
		ev.contended[g.site][index] = true
	}
	return found
}

// meanwhile returns the parts of the log with what others may have written while a
// goroutine ran: from its evaluation until somebody had waited for it. Where that was
// another goroutine, what is written beside that one comes after its own evaluation.
func (ev *Evaluator) meanwhile(g *goroutine) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := g.end; g != ev.first; from, g = g.waiter.end, g.waiter {
			if g.ended < 0 {
				yield(min(from, ev.Logged()), ev.Logged())
				return
			}
			if !yield(min(from, g.ended), g.ended) {
				return
			}
		}
	}
}

// maxContests bounds how often a program is evaluated again for what its goroutines
// read.
const maxContests = 6

// finishGoroutines ends an evaluation: it tells the user of what goroutines have
// recorded for which nobody has waited.
func (ev *Evaluator) finishGoroutines() {
	for _, g := range ev.goroutines {
		if g.recorded != nil && !g.waited {
			ev.user.Unwaited(g.own, g.recorded)
		}
		if ev.undefined[g.site] {
			delete(ev.undefined, g.site)
			ev.user.Undefined(g.own)
		}
	}
}

// Go starts a goroutine that calls a function.
func (ev *Evaluator) Go(at ast.Expr, fn value.Value) {
	ev.spawn(at, []value.Value{fn}, func() { ev.Call(at, fn, nil) })
}

// MayGo starts a goroutine that calls a function, if what the text says happens.
func (ev *Evaluator) MayGo(at ast.Expr, fn value.Value, text string) {
	ev.perhaps(ev.condition(at, text), func() { ev.Go(at, fn) })
}

// Counter returns the variable of what the running goroutine has added to a
// sync.WaitGroup.
func (ev *Evaluator) Counter(group *value.Cell) *value.Cell {
	counter, ok := ev.thread.counters[group]
	if !ok {
		counter = value.NewCell(integerOf(0))
		ev.thread.counters[group] = counter
	}
	return counter
}

func integerOf(n int) value.Value {
	return value.NewConst(constant.MakeInt64(int64(n)), types.Typ[types.Int])
}

// Done notes that the running goroutine counts a sync.WaitGroup down. It panics if others
// have counted down what this one has added.
func (ev *Evaluator) Done(at ast.Expr, group *value.Cell) {
	ev.signal(group, done)
	n, known := value.IntOf(ev.Counter(group).Load())
	for _, g := range ev.goroutines {
		if counter := g.counters[group]; counter != nil && !value.IsNil(counter.Load()) {
			down, downKnown := value.IntOf(counter.Load())
			n, known = n+min(down, 0), known && downKnown
		}
	}
	if !known || n < 0 {
		ev.Risk(at)
	}
}

// Wait waits for the goroutines that count a sync.WaitGroup down. It surely does if
// each of them does so once, and the running one has counted them all before.
func (ev *Evaluator) Wait(group *value.Cell) {
	ev.thread.calls = true
	counter := ev.Counter(group)
	n, known := value.IntOf(counter.Load())
	var waited []*goroutine
	for _, g := range ev.goroutines {
		if g.counters[group] == nil || g.runs() == value.No || value.IsNil(g.counters[group].Load()) {
			continue
		}
		down, downKnown := value.IntOf(g.counters[group].Load())
		known = known && downKnown && down == -1 && g.runs() == value.Yes
		waited = append(waited, g)
		n += down
	}
	if !known || n != 0 {
		return
	}
	ev.Set(counter, integerOf(0))
	for _, g := range waited {
		ev.Set(g.counters[group], value.Nil{})
		ev.release(g, group, done)
	}
}

// OrderOf returns the order in which a map of n entries is visited by a call.
func (ev *Evaluator) OrderOf(at ast.Expr, n int) value.Order {
	ev.noteMapLoop(at.Pos(), n, MapLoop)
	return ev.mapOrders[at.Pos()]
}

// OrderOfGroup returns the order in which a call has shuffled n values.
func (ev *Evaluator) OrderOfGroup(at ast.Expr, n int) value.Order {
	ev.noteMapLoop(at.Pos(), n, Shuffle)
	return ev.mapOrders[at.Pos()]
}
