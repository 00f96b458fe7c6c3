package eval

import (
	"go/ast"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A goto out of a branch that runs under an unknown condition doesn't end with the
// branch's statement: what follows its label is run in the branch, to the end of
// the function or of the loop's round that the label is in. So the branch has
// left the statement like one that returns or continues.

// mostJumps is how often a goto is followed whose condition isn't known. The last time,
// what the times before have changed is unknown, so all further ones are alike.
const mostJumps = 3

// landing is where a goto leads to that is being followed.
type landing struct {
	times int
	mark  int // the journal when it was first followed
}

// land follows a goto, and returns how the branch ends instead.
func (ev *Evaluator) land(c control) control {
	if c.kind != jumps {
		return c
	}
	frame := ev.frame
	at := frame.landings[c.label]
	if at == nil {
		if frame.landings == nil {
			frame.landings = make(map[string]*landing)
		}
		at = &landing{mark: ev.Mark()}
		frame.landings[c.label] = at
	}
	if at.times > mostJumps {
		return control{kind: leaves}
	}
	at.times++
	if at.times > mostJumps {
		ev.forget(at.mark, c.label)
	}
	ended := ev.after(c.label)
	if at.times--; at.times == 0 {
		delete(frame.landings, c.label)
	}
	return ended
}

// forget makes unknown what has changed since mark.
func (ev *Evaluator) forget(mark int, label string) {
	for cell := range ev.Since(mark).All() {
		if !value.IsUnknown(cell.Load()) {
			ev.Set(cell, value.UnknownAt(ev.last, "a value that changes between a goto and its label "+label).Of(cell.Load()))
		}
	}
}

// after runs what follows a label, in the list of statements that has it and in
// those around that, up to the end of a loop's body or of the function.
func (ev *Evaluator) after(label string) control {
	loops := ev.frame.loops
	defer func(frame *frame) { frame.loops = loops }(ev.frame)
	rests := restsAfter(ev.frame.body, label)
	for _, rest := range rests {
		if rest.breakables > len(loops) {
			ev.GiveUp(ast.NewIdent(label))
		}
		ev.frame.loops = slices.Clip(loops[:rest.breakables]) // what follows the label has loops of its own
		c := ev.block(rest.list)
		if c.kind == jumps {
			c = ev.land(c)
		}
		if c.kind != next {
			return ev.resolved(c)
		}
		if rest.inLoop {
			return ev.resolved(control{kind: continues})
		}
	}
	ev.frame.ret = nil // a function that has results ends by a statement that gives them
	return control{kind: returns}
}

// resolved makes a break or continue say which of the running statements it leaves.
func (ev *Evaluator) resolved(c control) control {
	if c.to == nil && (c.kind == breaks || c.kind == continues) {
		c.to = ev.frame.loop(c)
	}
	return c
}

// rest is what remains of a list of statements.
type rest struct {
	list       []ast.Stmt
	inLoop     bool // the list is a loop's body
	breakables int  // the statements around it that break can leave
}

// restsAfter returns what follows a label in a function's body, innermost first.
func restsAfter(body *ast.BlockStmt, label string) []rest {
	var path []ast.Node
	var found []ast.Node
	ast.Inspect(body, func(node ast.Node) bool {
		if node == nil {
			path = path[:len(path)-1]
			return true
		}
		if _, isLiteral := node.(*ast.FuncLit); isLiteral || found != nil {
			return false
		}
		path = append(path, node)
		if labeled, ok := node.(*ast.LabeledStmt); ok && labeled.Label.Name == label {
			found = append([]ast.Node{}, path...)
		}
		return true
	})
	var rests []rest
	breakables := 0
	for i, node := range found {
		switch node.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			breakables++
		}
		list := listOf(node)
		for j, stmt := range list {
			if i+1 >= len(found) || ast.Node(stmt) != found[i+1] {
				continue
			}
			r := rest{list: list[j+1:], breakables: breakables, inLoop: i > 0 && isLoop(found[i-1])}
			if i+2 == len(found) {
				r.list = list[j:] // with the labeled statement
			}
			rests = append([]rest{r}, rests...)
		}
	}
	return rests
}

func listOf(node ast.Node) []ast.Stmt {
	switch node := node.(type) {
	case *ast.BlockStmt:
		return node.List
	case *ast.CaseClause:
		return node.Body
	case *ast.CommClause:
		return node.Body
	}
	return nil
}

func isLoop(node ast.Node) bool {
	switch node.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	}
	return false
}
