package eval

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Condition is something that decides what the program does and isn't known.
type Condition struct {
	Pos  token.Pos
	Own  token.Pos      // Pos, or the place in the user's own code that led there; zero for Pos
	Text string         // the condition's source, or what it is about
	Why  *value.Unknown // why it isn't known, may be nil
	Loop bool           // it decides how often a loop runs
	Call bool           // it is whether code that isn't followed calls a function that it has

	// Exact says that one of the branches that are followed is the program's, once:
	// what they leave is all there can be.
	Exact bool

	// Texts are the texts that the value has which decides, for each branch: none
	// where they aren't known. It is nil where no branch has any.
	Texts [][]string
}

// condition returns the one that is decided at a place, without a reason. It is the
// only way to make one: a diagnostic stands in the user's own code.
func (ev *Evaluator) condition(at ast.Node, text string) *Condition {
	return &Condition{Pos: at.Pos(), Own: ev.ownPos(at.Pos()), Text: text}
}

// under is a branch of a condition.
type under struct {
	*Condition
	branch int // tells it from all others
}

// enterBranch begins a branch of a condition: what runs next is in it.
func (ev *Evaluator) enterBranch(cond *Condition) {
	ev.branches++
	ev.conds = append(ev.conds, under{cond, ev.branches})
}

// A Way is the branches around a statement of the conditions that the program itself decides.
type Way []int

// Way returns that of the current statement.
func (ev *Evaluator) Way() Way {
	var w Way
	for _, cond := range ev.conds {
		if !cond.Call {
			w = append(w, cond.branch)
		}
	}
	return w
}

// LeadsTo reports whether another way is w, or goes on from it: who goes that comes by what is
// in w.
func (w Way) LeadsTo(other Way) bool { return len(w) <= len(other) && slices.Equal(w, other[:len(w)]) }

// compared notes the texts that a condition compares a value with, of which the
// branch where they are equal is the one at an index of n.
func (c *Condition) compared(texts []string, branch, n int) {
	if len(texts) == 0 {
		return
	}
	if c.Texts == nil {
		c.Texts = make([][]string, n)
	}
	c.Texts[branch] = texts
}

// outcome completes "it is ...", with the reason why the condition isn't known.
func (c *Condition) outcome() string {
	text := "a value that depends on the condition " + c.Text
	if c.Loop {
		text = "a value that changes in a loop over " + c.Text
	}
	if c.Why == nil || c.Why.Reason == "" {
		return text
	}
	reason := c.Why.Reason
	if _, origin, found := strings.Cut(reason, andSoOn); found {
		reason = origin
	}
	return text + andSoOn + reason
}

// andSoOn stands before the origin in a reason.
const andSoOn = ", and so on "

// unknown is a value that depends on the condition.
func (c *Condition) unknown() *value.Unknown {
	u := &value.Unknown{Reason: c.outcome(), Pos: c.Pos, Exact: c.Exact}
	if c.Why != nil {
		u.Unread, u.Computed, u.CommandLine, u.Origin = c.Why.Unread, c.Why.Computed, c.Why.CommandLine, c.Why.FirstPos()
	}
	return u
}

// Uncertain returns the first unknown condition around the current statement. Where there is
// none, it returns the condition of a way that has served and then ended, or nil: the
// current statement isn't in the contract of that way.
func (ev *Evaluator) Uncertain() *Condition {
	if len(ev.conds) == 0 {
		return ev.servedUnder
	}
	return ev.conds[0].Condition
}
