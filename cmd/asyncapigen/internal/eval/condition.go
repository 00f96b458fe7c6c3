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

	compares any // what they are compared with, nil where it isn't known that it is always the same
}

// condition returns the one that is decided at a place, without a reason. It is the
// only way to make one: a diagnostic stands in the user's own code.
func (ev *Evaluator) condition(at ast.Node, text string) *Condition {
	return &Condition{Pos: at.Pos(), Own: ev.OwnPos(at.Pos()), Text: text}
}

// Taken is a branch of a condition that is taken: each time it is another one.
type Taken struct {
	*Condition
	channel *value.ChannelState // that is waited for; nil of a condition
}

// enterBranch begins a branch of a condition: what runs next is in it.
func (ev *Evaluator) enterBranch(cond *Condition) {
	ev.conds = append(ev.conds, &Taken{Condition: cond})
}

// A Way is the branches by which the program comes to a statement, in any order. It comes
// there by all of them, and only so.
type Way []*Taken

// Way returns that to the current statement.
func (ev *Evaluator) Way() Way { return slices.Concat(Way(ev.conds), ev.ended.conds) }

// IsOffWay reports whether the current statement may be on another way than Way says: that of
// a call that has failed, or one of several ends of a function whose deferred functions run.
// What is recorded there may be told later to depend on what it doesn't.
func (ev *Evaluator) IsOffWay() bool { return ev.offWay > 0 }

// In returns the way in a branch of what it leads to.
func (w Way) In(branch *Taken) Way { return append(slices.Clip(w), branch) }

// Beside returns the first condition of a way that another one doesn't lead by; nil where who
// goes that comes by what the first leads to as well.
func (ev *Evaluator) Beside(way, other Way) *Condition {
	for _, branch := range way {
		if !slices.Contains(other, branch) && !ev.goesOn(branch, nil) {
			return branch.Condition
		}
	}
	return nil
}

// compared notes the texts that a condition compares a value with, of which the
// branch where they are equal is the one at an index of n.
func (c *Condition) compared(with value.Value, texts []string, branch, n int) {
	if len(texts) == 0 {
		return
	}
	if u, ok := with.(*value.Unknown); ok {
		c.compares = u
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
// none, it returns the condition of a way that has worked and then ended, or nil: the
// current statement isn't in the contract of that way.
func (ev *Evaluator) Uncertain() *Condition {
	for _, branches := range [][]*Taken{ev.conds, ev.ended.conds} {
		if len(branches) > 0 {
			return branches[0].Condition
		}
	}
	return nil
}
