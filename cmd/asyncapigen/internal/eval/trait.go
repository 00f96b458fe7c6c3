package eval

import (
	"go/ast"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// A trait is something that code has itself or by a function that it uses, of those that are
// read.
type trait map[ast.Node]bool

// of reports whether a function literal or declaration has the trait, which has says of code
// without what it uses. It finds that out for all functions that lead from there to each other
// at once.
func (t trait) of(ev *Evaluator, pkg *load.Package, code ast.Node, has func(*load.Package, ast.Node) bool) bool {
	usedBy := make(map[ast.Node][]ast.Node)
	t.read(ev, pkg, code, has, usedBy)
	var having []ast.Node
	for used := range usedBy {
		if t[used] {
			having = append(having, used)
		}
	}
	for len(having) > 0 {
		used := having[len(having)-1]
		having = having[:len(having)-1]
		for _, user := range usedBy[used] {
			if !t[user] {
				t[user] = true
				having = append(having, user)
			}
		}
	}
	return t[code]
}

// read notes whether a function has the trait itself, and which functions it uses, of those
// that it leads to.
func (t trait) read(ev *Evaluator, pkg *load.Package, code ast.Node, has func(*load.Package, ast.Node) bool, usedBy map[ast.Node][]ast.Node) {
	if _, known := t[code]; known {
		return
	}
	t[code] = has(pkg, code)
	for _, fn := range usedFunctions(pkg, code) {
		if in, decl := ev.declaration(fn); decl != nil {
			usedBy[decl] = append(usedBy[decl], code)
			t.read(ev, in, decl, has, usedBy)
		}
	}
}
