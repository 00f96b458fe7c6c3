package eval

import (
	"go/ast"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTolerate_GoesOnAsBeforeTheFault(t *testing.T) {
	scope_, around := new(scope), &deferring{}
	f := &frame{scope: scope_, loops: []*loop{{}}}
	ev := &Evaluator{frame: f, depth: 3, turns: 2, conds: make([]*Taken, 1), panics: []*deferring{around}}
	ev.tolerate(func() {
		f.scope, f.loops = new(scope), append(f.loops, &loop{})
		ev.frame, ev.depth, ev.turns = &frame{}, 9, 9
		ev.enterBranch(&Condition{})
		ev.panics = append(ev.panics, &deferring{})
		panic("a type that isn't there")
	})
	require.Same(t, f, ev.frame)
	require.Equal(t, []int{3, 2, 1, 1}, []int{ev.depth, ev.turns, len(ev.conds), len(ev.panics)})
	require.Same(t, scope_, f.scope)
	require.Len(t, f.loops, 1)
}

func TestTolerate_GoesOnWithoutAFunction(t *testing.T) {
	ev := new(Evaluator)
	ev.tolerate(func() { ev.frame = new(frame); panic("no type") })
	require.Nil(t, ev.frame)
}

func TestTolerate_KeepsWhatCodeWithoutFaultDoes(t *testing.T) {
	ev := new(Evaluator)
	ev.tolerate(func() { ev.depth = 5 })
	require.Equal(t, 5, ev.depth)
}

func TestTolerate_LetsThePanicsOfTheProgramPass(t *testing.T) {
	panicked := new(Panic)
	require.PanicsWithValue(t, panicked, func() { new(Evaluator).tolerate(func() { panic(panicked) }) })
}

func TestTolerate_EndsWithTheEvaluation(t *testing.T) {
	require.Panics(t, func() {
		ev := new(Evaluator)
		ev.tolerate(func() { ev.exhausted = true; panic(exhausted{}) })
	})
}

func TestRunBody_LetsFaultsOfItsOwnPass(t *testing.T) {
	ev := &Evaluator{frame: new(frame)}
	require.Panics(t, func() { ev.runBody([]ast.Stmt{nil}) })
}
