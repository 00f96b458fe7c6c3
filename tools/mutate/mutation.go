package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A mutation is one change of one file.
type mutation struct {
	path     string // of the file, from the module's root, with slashes
	file     string // absolute
	line     int
	kind     string
	was      string // the line of source, without the spaces around it
	from, to int    // offsets of what is replaced
	with     string
	guard    guard
}

// A guard is the same change as code that asks whether it is to be made. It stands for a
// node, which may be larger than what is replaced.
type guard struct {
	from, to int
	text     func(number string, source func(from, to int) string) string // nil for none
}

// key tells a mutation from others, wherever its lines move. Two equal changes of equal
// lines of a file have one key.
func (m mutation) key() string {
	key := fmt.Sprintf("%s: %s: %s", m.path, m.kind, m.was)
	if m.with != "" {
		key += " -> " + strings.Join(strings.Fields(m.with), " ")
	}
	return key
}

// mutationsOf returns all changes of a package, in the order of its source.
func mutationsOf(root string, p *goPackage) ([]mutation, error) {
	var all []mutation
	for _, name := range p.GoFiles {
		file := filepath.Join(p.Dir, name)
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		path, err := filepath.Rel(root, file)
		if err != nil {
			return nil, err
		}
		found, err := mutationsIn(filepath.ToSlash(path), text)
		if err != nil {
			return nil, err
		}
		for i := range found {
			found[i].file = file
		}
		all = append(all, found...)
	}
	return all, nil
}

// A finder walks a file.
type finder struct {
	path  string
	text  []byte
	lines []string
	files *token.FileSet
	found []mutation
}

func mutationsIn(path string, text []byte) ([]mutation, error) {
	f := &finder{path: path, text: text, lines: strings.Split(string(text), "\n"), files: token.NewFileSet()}
	syntax, err := parser.ParseFile(f.files, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(syntax) {
		return nil, nil
	}
	for _, d := range syntax.Decls {
		if function, ok := d.(*ast.FuncDecl); ok && function.Body != nil {
			ast.Inspect(function.Body, f.visit)
		}
	}
	return f.found, nil
}

// source returns the text of what stands between two places.
func (f *finder) source(from, to token.Pos) string {
	return string(f.text[f.files.Position(from).Offset:f.files.Position(to).Offset])
}

// guardLast gives the change that was added last a guard, which stands for the node.
func (f *finder) guardLast(n ast.Node, text func(number string, source func(from, to int) string) string) {
	f.found[len(f.found)-1].guard = guard{f.offset(n.Pos()), f.offset(n.End()), text}
}

func (f *finder) offset(pos token.Pos) int { return f.files.Position(pos).Offset }

// add notes that a text is replaced.
func (f *finder) add(kind string, from, to token.Pos, with string) {
	at := f.files.Position(from)
	f.found = append(f.found, mutation{
		path: f.path, line: at.Line, kind: kind, was: strings.TrimSpace(f.lines[at.Line-1]),
		from: at.Offset, to: f.files.Position(to).Offset, with: with,
	})
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.negate(n.Cond)
	case *ast.ForStmt:
		f.negate(n.Cond)
	case *ast.BinaryExpr:
		f.operator(n)
	case *ast.BasicLit:
		f.number(n)
	case *ast.Ident:
		f.boolean(n)
	case *ast.ReturnStmt:
		f.lostError(n)
	case *ast.BlockStmt:
		f.drop(n.List)
	case *ast.CaseClause:
		f.drop(n.Body)
	case *ast.CommClause:
		f.drop(n.Body)
	}
	return true
}

const negatedCondition = "negated condition"

func (f *finder) negate(condition ast.Expr) {
	if condition == nil {
		return
	}
	text := f.source(condition.Pos(), condition.End())
	f.add(negatedCondition, condition.Pos(), condition.End(), "!("+text+")")
	f.guardLast(condition, func(number string, source func(from, to int) string) string {
		return "(" + askSlip + "(" + number + ") != (" + source(f.offset(condition.Pos()), f.offset(condition.End())) + "))"
	})
}

// operators are those that a slip takes for another.
var operators = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
	token.EQL: "!=", token.NEQ: "==", token.LAND: "||", token.LOR: "&&",
	token.SUB: "+",
}

func (f *finder) operator(n *ast.BinaryExpr) {
	with, ok := operators[n.Op]
	if !ok {
		return
	}
	end := n.OpPos + token.Pos(len(n.Op.String()))
	f.add("operator", n.OpPos, end, with)
	f.guardLast(n, func(number string, source func(from, to int) string) string {
		left, right := source(f.offset(n.Pos()), f.offset(n.OpPos)), source(f.offset(end), f.offset(n.End()))
		is := askSlip + "(" + number + ")"
		switch n.Op {
		case token.EQL, token.NEQ:
			return "((" + left + n.Op.String() + right + ") != " + is + ")"
		case token.LAND, token.LOR: // by De Morgan
			return "((((" + left + ") != " + is + ") " + n.Op.String() + " ((" + right + ") != " + is + ")) != " + is + ")"
		}
		return slipOperators[n.Op] + "(" + number + ", " + left + ", " + right + ")"
	})
}

// number moves small numbers by one.
func (f *finder) number(n *ast.BasicLit) {
	if n.Kind != token.INT {
		return
	}
	value, err := strconv.ParseInt(n.Value, 0, 32)
	if err != nil {
		return
	}
	f.add("moved by one", n.Pos(), n.End(), strconv.FormatInt(value+1, 10))
	f.guardLast(n, func(number string, _ func(from, to int) string) string {
		return "(" + n.Value + " + " + slipOne + "(" + number + "))"
	})
}

func (f *finder) boolean(n *ast.Ident) {
	switch n.Name {
	case "true":
		f.add("boolean", n.Pos(), n.End(), "false")
		f.guardLast(n, func(number string, _ func(from, to int) string) string { return "(!" + askSlip + "(" + number + "))" })
	case "false":
		f.add("boolean", n.Pos(), n.End(), "true")
		f.guardLast(n, func(number string, _ func(from, to int) string) string { return "(" + askSlip + "(" + number + "))" })
	}
}

func (f *finder) lostError(n *ast.ReturnStmt) {
	if len(n.Results) == 0 {
		return
	}
	if last, ok := n.Results[len(n.Results)-1].(*ast.Ident); ok && last.Name == "err" {
		f.add("lost error", last.Pos(), last.End(), "nil")
		f.guardLast(last, func(number string, _ func(from, to int) string) string {
			return slipError + "(" + number + ", err)"
		})
	}
}

func (f *finder) drop(statements []ast.Stmt) {
	for _, s := range statements {
		if !mayBeForgotten(s) {
			continue
		}
		f.add("dropped statement", s.Pos(), s.End(), "")
		f.guardLast(s, func(number string, source func(from, to int) string) string {
			return "if !" + askSlip + "(" + number + ") { " + source(f.offset(s.Pos()), f.offset(s.End())) + " }"
		})
	}
}

func mayBeForgotten(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt, *ast.BranchStmt:
		return true
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	case *ast.ReturnStmt:
		return len(s.Results) == 0
	}
	return false
}
