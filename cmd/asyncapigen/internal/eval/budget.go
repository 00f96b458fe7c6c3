package eval

import (
	"go/ast"
	"go/token"
)

// exhausted ends the evaluation: the program takes more steps than it may.
type exhausted struct{ pos token.Pos }

// exhaust ends the evaluation at pos, or where that is in another module's code at the call in
// the user's own that led there. Who holds up the panics of programs lets it pass
// without a recover: to panic again at each of a thousand calls takes the square of that.
func (ev *Evaluator) exhaust(pos token.Pos) {
	ev.exhausted = true
	ev.foreign.within = nil
	for f := range ev.foreignFrames() {
		ev.foreign.within = append(ev.foreign.within, f.pkg.Path)
	}
	panic(exhausted{ev.OwnPos(pos)})
}

// Bounds of the evaluation. A program that registers a thousand routes through
// wrappers takes some hundred thousand steps.
const (
	maxSteps = 2_000_000 * perStep
	maxDepth = 1_000
)

// perStep is what a statement or call counts for, in small things such as copied elements.
const perStep = 4

// step counts a statement or call.
func (ev *Evaluator) step(pos token.Pos) {
	ev.steps += perStep
	ev.last = pos
	ev.budget(pos)
}

// work counts n small things, such as copied elements.
func (ev *Evaluator) work(n int) {
	ev.steps += n
	ev.budget(ev.last)
}

func (ev *Evaluator) budget(pos token.Pos) {
	const often = perStep << 12
	if ev.steps > maxSteps || ev.foreign.limit > 0 && ev.steps > ev.foreign.limit {
		ev.exhaust(pos)
	}
	if ev.steps-ev.asked > often {
		ev.asked = ev.steps
		if ev.ctx.Err() != nil {
			ev.exhaust(pos)
		}
	}
}

// Affords returns how often the last evaluation can be done within the most steps of one.
func (ev *Evaluator) Affords() int { return maxSteps / max(ev.steps, 1) }

// GiveUp ends the evaluation as if it had taken too many steps.
func (ev *Evaluator) GiveUp(at ast.Expr) { ev.exhaust(at.Pos()) }

// Finishes runs an evaluation and reports whether it was finished. One that
// takes too many steps, or whose context ends, is given up at pos.
func (ev *Evaluator) Finishes(evaluate func()) (pos token.Pos, ok bool) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		e, isExhausted := v.(exhausted)
		if !isExhausted {
			panic(v)
		}
		pos, ok = e.pos, false
	}()
	evaluate()
	return token.NoPos, true
}
