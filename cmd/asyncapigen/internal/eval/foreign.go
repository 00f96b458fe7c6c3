package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// Reading other modules' sources costs far more than evaluating a program, and
// hardly any of them matters to its routes. So their functions and variables
// are unknown at first, and such an unknown says which package would tell more.
// Where one reaches a route, or a condition around one, the program is
// evaluated again with that package read.

// foreign is what is known of other modules' packages.
type foreign struct {
	needed    map[string]bool      // by path: those to be read
	inits     map[string]bool      // by path: those of which the packages are read too whose initialisation may change them
	refused   map[*types.Func]bool // functions that take too many steps
	within    []string             // the packages in which the evaluation was given up last
	skipped   map[string]bool      // by path: those that aren't read, since that takes too many steps
	none      bool                 // no other module's packages are read, for the same reason
	files     map[*token.File]bool // those of the packages that were read
	more      bool                 // a package was added to needed in this round
	contexts  bool                 // package context would tell more, as far as this round has come
	begins    bool                 // this round is begun anew, with another package
	limit     int                  // the number of steps at which the running call is given up; 0 for none
	undecided *value.Unknown       // the first condition in the running call that reading more could decide
	lacking   string               // the package that could decide the first condition outside of such calls

	changeable map[string][]*types.Var // by path, see foreignstate.go
	holding    map[string][]*types.Var // likewise

	called codeList // what was called or read, see lentcode.go
	lent   codeList // what the program has given to such code

	lentToStandard map[string]*codeList // what of it the standard library has got, by the package that was given it

	exposed  *load.Names                 // see namesOfExposed
	parts    map[types.Type][]othersCode // see codeOfParts
	changing map[string]*changing        // by path: what changes the variables of a package
}

const (
	maxRounds   = 8                 // each reads what the one before was short of
	foreignWork = 100_000 * perStep // steps of one call into another module
)

// beginReading forgets which packages are needed.
func (ev *Evaluator) beginReading() {
	ev.foreign = foreign{
		needed: make(map[string]bool), inits: make(map[string]bool), skipped: make(map[string]bool), refused: make(map[*types.Func]bool),
		files: make(map[*token.File]bool), changeable: make(map[string][]*types.Var), holding: make(map[string][]*types.Var),
	}
	ev.late = late{inTurn: make(map[string]bool)}
}

// rounds evaluates a program until no further package is needed, and returns where the
// last round was given up. What evaluate recorded in a round before that counts no more.
func (ev *Evaluator) rounds(evaluate func()) (exhausted token.Pos) {
	ev.contended, ev.undefined = make(map[site]map[int]bool), make(map[site]bool)
	contests, givenUp, more := 0, 0, true
	for round := 0; more && ev.ctx.Err() == nil; round++ {
		for again := true; again; contests++ {
			var finished bool
			if exhausted, finished = ev.evaluateAnew(evaluate); !finished {
				givenUp++
				mayFinish := ev.foreign.more && givenUp == 1 // with what was read in its midst initialised in its turn
				if !mayFinish && ev.skipForeign() {
					ev.foreign.more, givenUp = true, 0
				}
				if !ev.foreign.more && givenUp == 1 && ev.foreign.lacking != "" {
					ev.read(ev.foreign.lacking) // a loop may have gone on for want of it
				}
			}
			isLast := round+1 == maxRounds || givenUp > 1 // what a second long round is short of is likely the same
			if finished && !isLast {
				ev.needMore()
			}
			more = ev.foreign.more && !isLast
			again = finished && !more && ev.checkGoroutines(contests >= maxContests)
		}
	}
	if exhausted.IsValid() && ev.ctx.Err() == nil && ev.skipModules() {
		return ev.rounds(evaluate)
	}
	if !exhausted.IsValid() {
		ev.finishGoroutines()
		ev.finishHeld()
	}
	return exhausted
}

// skipModules has no other module's packages read any more. It reports whether any were: with
// what is known of their types alone, much less is to be followed.
func (ev *Evaluator) skipModules() (skips bool) {
	if ev.foreign.none {
		return false
	}
	ev.foreign.none = true
	for path := range ev.foreign.needed {
		if !ev.program.InStandardLibrary(path) {
			delete(ev.foreign.needed, path)
			ev.types, skips = nil, true
		}
	}
	return skips
}

// evaluateAnew evaluates a program from its beginning, once more for each package that is read at once,
// and for packages that have to be initialised in their turn.
func (ev *Evaluator) evaluateAnew(evaluate func()) (exhausted token.Pos, finished bool) {
	for {
		ev.beginRound()
		if exhausted, finished = ev.Finishes(evaluate); !ev.foreign.begins && !ev.late.again {
			return exhausted, finished
		}
	}
}

// skipForeign has the packages not read any more in which the evaluation was given up. It
// reports whether there are any: what isn't known then is so by the user's call of them.
func (ev *Evaluator) skipForeign() bool {
	skips := false
	for _, path := range ev.foreign.within {
		if ev.foreign.needed[path] && !model.Evaluated[path] {
			delete(ev.foreign.needed, path)
			ev.foreign.skipped[path], skips = true, true
			ev.types = nil // it may have others now
		}
	}
	return skips
}

// beginRound forgets what the program did, but not which packages are needed.
func (ev *Evaluator) beginRound() {
	ev.Reset()
	ev.steps, ev.asked, ev.repeats, ev.exhausted = 0, 0, false, false
	ev.serving, ev.ended = newServing(), ended{}
	ev.foreign.refused, ev.foreign.lacking = make(map[*types.Func]bool), ""
	ev.foreign.called, ev.foreign.lent, ev.foreign.lentToStandard = codeList{}, codeList{}, make(map[string]*codeList)
	ev.foreign.exposed = nil
	ev.foreign.changing, ev.foreign.parts = make(map[string]*changing), make(map[types.Type][]othersCode)
	ev.globals, ev.unread = make(map[*types.Var]*value.Cell), make(map[string][]*value.Cell)
	ev.library = make(model.Variables)
	ev.remembered = make(map[string]*value.Cell)
	ev.memory, ev.environs, ev.tables = nil, nil, false
	ev.started = make(map[*load.Package]bool)
	ev.ready = make(map[*load.Package]bool)
	ev.late = late{inTurn: ev.late.inTurn, turns: make(map[string]int)}
	ev.called = make(map[*types.Func]bool)
	ev.foreign.more, ev.foreign.contexts, ev.foreign.begins = false, false, false
	ev.parts = make(map[part]*value.Unknown)
	ev.escaped, ev.callingEscaped = escapes{}, false
	ev.mattering = make(map[bool]*mattering)
	ev.mutating, ev.ending = make(trait), make(trait)
	ev.packageVariables = make(map[*ast.BlockStmt][]*types.Var)
	ev.typeArguments = make(map[types.Type][]types.Type)
	ev.inTurn, ev.newest, ev.unseen = nil, nil, ""
	ev.first = newGoroutine()
	ev.held, ev.recoveries = nil, value.NewCell(value.Nil{})
	ev.thread, ev.goroutines, ev.spawned = ev.first, nil, make(map[token.Pos]int)
}

// source returns a package whose functions and variables are evaluated, nil for
// one that isn't: of the standard library, those are functions that compute.
func (ev *Evaluator) source(path string) *load.Package {
	if !ev.foreign.needed[path] && !ev.program.IsOwn(path) {
		return nil
	}
	pkg := ev.program.Source(path)
	if pkg == nil || pkg.Types == nil {
		return nil
	}
	if ev.foreign.needed[path] {
		for _, file := range pkg.Files {
			ev.foreign.files[ev.program.Fset.File(file.FileStart)] = true
		}
	}
	return pkg
}

// readable returns path if reading the package there could tell more.
func (ev *Evaluator) readable(path string) string {
	if ev.foreign.needed[path] || ev.foreign.skipped[path] || ev.program.IsOwn(path) || load.IsLibrary(path) {
		return ""
	}
	if isStandard := ev.program.InStandardLibrary(path); isStandard && !model.Evaluated[path] || !isStandard && ev.foreign.none {
		return ""
	}
	return path
}

// needSource has the package of an unknown read in the next round.
func (ev *Evaluator) needSource(u *value.Unknown) {
	if u == nil || u.Unread == "" {
		return
	}
	switch {
	case ev.readable(u.Unread) == "":
		ev.needInits(u.Unread)
	case u.Unread == contextPath && ev.callingEscaped:
		ev.foreign.contexts = true
	default:
		ev.read(u.Unread)
	}
}

// contextPath is the path of the package whose values goroutines share, and write to. What code
// that isn't read may call, such as the cancel function of a context, is often known when
// others are read: for that it is read only if no others tell more.
const contextPath = "context"

// needMore has read, where nothing else needs a further round, package context if that tells
// more, or else what tells more of goroutines.
func (ev *Evaluator) needMore() {
	switch {
	case ev.foreign.more:
	case ev.foreign.contexts:
		ev.read(contextPath)
	default:
		ev.needChanges()
	}
}

// readAtOnce begins the round anew with the source of a function that sorts a known list: most
// that is done with a list of unknown elements is done for nothing, and it may take long.
func (ev *Evaluator) readAtOnce(fn *value.Func, args []value.Value) {
	if fn == nil || fn.Obj.Pkg() == nil || !slices.ContainsFunc(args, isList) {
		return
	}
	path := ev.readable(fn.Obj.Pkg().Path())
	if path != "sort" && (path != "slices" || !strings.HasPrefix(fn.Obj.Name(), "Sort")) {
		return
	}
	ev.read(path)
	ev.foreign.begins, ev.exhausted = true, true
	panic(exhausted{})
}

func isList(v value.Value) bool {
	_, ok := v.(*value.Slice)
	return ok
}

// read has a package read in the next round, and of the standard library those that it calls.
func (ev *Evaluator) read(path string) {
	ev.foreign.more = true
	ev.foreign.needed[path] = true
	if !model.Evaluated[path] {
		return
	}
	for called := range model.Evaluated {
		if ev.program.Imports(path, called) {
			ev.foreign.needed[called] = true
		}
	}
}

// needInits has the packages read whose initialisation may change one that is
// read already.
func (ev *Evaluator) needInits(path string) {
	if ev.foreign.inits[path] {
		return
	}
	ev.foreign.inits[path] = true
	for _, changer := range ev.program.InitChangers(path) {
		if ev.readable(changer) != "" {
			ev.foreign.needed[changer], ev.foreign.more = true, true
		}
	}
}

// Need has the packages read, in a further round, on which the values and the
// conditions around the current statement depend, and those conditions decided
// that the command line decides.
func (ev *Evaluator) Need(values []value.Value) {
	for _, cond := range ev.conds {
		ev.needSource(cond.Why)
		ev.Decide(cond.Condition)
	}
	w := value.Walk{Visit: func(cell *value.Cell, v value.Value) {
		if u, ok := v.(*value.Unknown); ok {
			ev.needSource(u)
			if u.Foreign { // it may have been lost, for want of what a package tells
				for _, by := range ev.LostBy() {
					ev.needSource(by)
				}
			}
			if u.CommandLine {
				ev.decideAt(u.Pos)
			}
		}
	}}
	w.All(values)
}

// needUnread has the packages read that would tell more of values: but for package context.
func (ev *Evaluator) needUnread(values []value.Value) {
	for _, v := range values {
		if u, ok := v.(*value.Unknown); ok && u.Unread != contextPath && ev.readable(u.Unread) != "" {
			ev.needSource(u)
		}
	}
}

// NeedOn has the packages read, in a further round, on which the conditions of a way depend:
// they may tell that there are none.
func (ev *Evaluator) NeedOn(way Way) {
	for _, cond := range way {
		ev.needSource(cond.Why)
	}
}

// NeedRound has the program evaluated once more.
func (ev *Evaluator) NeedRound() { ev.foreign.more = true }

// noteUndecided remembers a condition that makes a call into another module long, or the program itself.
func (ev *Evaluator) noteUndecided(cond *Condition) {
	switch {
	case cond.Why == nil || cond.Why.Unread == "":
	case ev.foreign.limit == 0 && ev.foreign.lacking == "":
		ev.foreign.lacking = cond.Why.Unread
	case ev.foreign.limit > 0 && ev.foreign.undecided == nil:
		ev.foreign.undecided = cond.Why
	}
}

// isForeign reports whether pos is in a source of another module.
func (ev *Evaluator) isForeign(pos token.Pos) bool {
	return pos.IsValid() && len(ev.foreign.files) > 0 && ev.foreign.files[ev.program.Fset.File(pos)]
}

// callForeign runs a call from the user's code into another module's. What isn't
// known in its results is so because of the call, as far as the user can see,
// and a call that takes too long is as if its source weren't read.
func (ev *Evaluator) callForeign(at ast.Expr, fn *value.Func, args []value.Value, run func() (value.Value, *failure)) (result value.Value, failed *failure) {
	if !ev.bounded(func() { result, failed = run() }) {
		ev.foreign.refused[fn.Obj.Origin()] = true
		result, failed = ev.opaque(at, fn, nil, args, nil), nil
		if u, ok := result.(*value.Unknown); ok && ev.foreign.undecided != nil {
			u.Unread = ev.foreign.undecided.Unread
		}
		return result, failed
	}
	if failed != nil {
		failed.result = ev.seenFrom(at, failed.result)
		if ev.isForeign(failed.cond.Pos) {
			why := failed.cond.Why
			failed.cond = ev.condition(at, value.Source(at)+" fails")
			failed.cond.Why = why
		}
	}
	return ev.seenFrom(at, result), failed
}

// isGivenUp reports whether a function's source isn't followed, since it takes too many steps.
func (ev *Evaluator) isGivenUp(fn *value.Func) bool {
	return fn != nil && fn.Obj != nil && ev.foreign.refused[fn.Obj.Origin()]
}

// bounded runs another module's code and reports whether it came to its end. Where
// it takes more steps than such code may, all that it did is taken back.
func (ev *Evaluator) bounded(run func()) (ended bool) {
	frame, depth, turns, conds, loops := ev.frame, ev.depth, ev.turns, len(ev.conds), 0
	if frame != nil {
		loops = len(frame.loops)
	}
	mark, recorded, limit, escaped := ev.Mark(), ev.user.Mark(), ev.foreign.limit, ev.escaped.clone()
	spawned := len(ev.goroutines)
	if limit == 0 {
		ev.foreign.limit, ev.foreign.undecided = ev.steps+foreignWork, nil
	}
	defer func() {
		bound := ev.foreign.limit
		ev.foreign.limit = limit
		v := recover()
		if v == nil {
			return
		}
		if _, ok := v.(exhausted); !ok || ev.steps <= bound || bound == limit || ev.steps > maxSteps {
			panic(v)
		}
		ev.exhausted = false
		ev.Undo(mark)
		ev.user.Rewind(recorded)
		ev.escaped.restore(escaped)
		ev.goroutines = ev.goroutines[:spawned]
		ev.frame, ev.depth, ev.turns, ev.conds = frame, depth, turns, ev.conds[:conds]
		if frame != nil {
			frame.loops = frame.loops[:loops]
		}
	}()
	run()
	return true
}

// seenFrom moves the places of unknown values from another module's source to
// the call that led there.
func (ev *Evaluator) seenFrom(at ast.Expr, v value.Value) value.Value {
	here := func(u *value.Unknown) *value.Unknown {
		moved := *u
		moved.Pos, moved.Reason = at.Pos(), "the result of "+value.Source(at)
		if _, origin, found := strings.Cut(u.Reason, andSoOn); found {
			moved.Reason += andSoOn + origin
		}
		return &moved
	}
	if tuple, ok := v.(value.Tuple); ok {
		moved := make(value.Tuple, len(tuple))
		for i, part := range tuple {
			moved[i] = ev.seenFrom(at, part)
		}
		return moved
	}
	if u, ok := v.(*value.Unknown); ok && ev.isForeign(u.Pos) {
		return here(u)
	}
	w := value.Walk{Visit: func(cell *value.Cell, v value.Value) {
		if u, ok := v.(*value.Unknown); ok && cell != nil && ev.isForeign(u.Pos) {
			ev.Set(cell, here(u))
		}
	}}
	w.All([]value.Value{v})
	return v
}

// inOwn reports whether the running function is the user's own.
func (ev *Evaluator) inOwn() bool {
	return ev.frame == nil || ev.program.IsOwn(ev.frame.pkg.Path)
}
