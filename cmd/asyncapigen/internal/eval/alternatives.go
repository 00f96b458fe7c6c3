package eval

import (
	"go/ast"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// An Alternative is one of several ways in which the program may go on, such as
// one of its commands, after it was followed.
type Alternative struct {
	Name     string
	Recorded any    // what the user recorded on it, see User.Apart
	Panic    *Panic // how it ended, nil where the program goes on
}

// Alternatives follows each way on which the program may go on here, all from
// the same state and under no condition of their own: what is recorded on one of
// them is what the program does on that one. The user chooses the ways before,
// and what counts of them afterwards. What comes then is evaluated once, with
// the states that they left joined.
//
// It is the counterpart of fork: a branch there is one of which the program's
// start may take either, a way here is one that who starts the program has
// chosen.
func (ev *Evaluator) Alternatives(at ast.Expr, of string, ways []model.Way) {
	names := make([]string, len(ways))
	for i, way := range ways {
		names[i] = way.Name
	}
	base := ev.Mark()
	var followed []Alternative
	var left []value.Writes
	for _, i := range ev.user.Choose(at, names) {
		a := Alternative{Name: names[i]}
		a.Recorded = ev.user.Apart(func() { a.Panic = ev.Caught(ways[i].Run) })
		writes := ev.Undo(base)
		if a.Panic == nil {
			left = append(left, writes)
		}
		followed = append(followed, a)
	}
	ev.user.Keep(at, followed)
	if len(left) == 0 {
		ev.Exit()
	}
	cond := &Condition{Pos: at.Pos(), Text: of}
	ev.Join(cond.unknown(), left)
}

// Lost says that the call may run code which can't be found.
func (ev *Evaluator) Lost(at ast.Expr, why *value.Unknown, remedy string) {
	ev.user.Lost(at, why, remedy)
}

// Variable returns a variable of a library that isn't read, by its full name.
func (ev *Evaluator) Variable(name string) *value.Cell {
	for v, cell := range ev.globals { // one that the program itself has used
		if v.Pkg().Path()+"."+v.Name() == name {
			return cell
		}
	}
	cell, ok := ev.remembered[name]
	if !ok {
		cell = value.NewCell(value.Nil{})
		ev.remembered[name] = cell
	}
	return cell
}
