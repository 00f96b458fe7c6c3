package analyzer

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// fixes returns the edits that do what a diagnostic says, where its remedy is a text
// to write at its position.
func fixes(pass *analysis.Pass, d diagnostic.Diagnostic, pos token.Pos) []analysis.SuggestedFix {
	files := load.Package{Files: pass.Files}
	s := site{pass: pass, pos: pos, file: files.FileAt(pos)}
	var fix *analysis.SuggestedFix
	switch d.Code {
	case diagnostic.UnknownValue, diagnostic.UnknownRoute:
		fix = s.environment(d)
	case diagnostic.RefusedRoute:
		if strings.Contains(d.Why, "name the route") {
			fix = s.name()
		} else {
			fix = s.repeatedRegistration()
		}
	case diagnostic.RepeatedTag:
		fix = s.repeatedTags()
	case diagnostic.BadDirective:
		fix = s.directive(d)
	}
	if fix == nil {
		return nil
	}
	return []analysis.SuggestedFix{*fix}
}

// A site is the place of a diagnostic.
type site struct {
	pass *analysis.Pass
	file *ast.File
	pos  token.Pos
}

// enclosing returns the nodes around the position, the innermost first.
func (s site) enclosing() []ast.Node {
	path, _ := astutil.PathEnclosingInterval(s.file, s.pos, s.pos)
	return path
}

var envRemedy = regexp.MustCompile(`runtime\.Env\(("(?:[^"\\]|\\.)*"), ((?:"(?:[^"\\]|\\.)*")|(?:` + "`[^`]*`" + `))\)`)

// environment writes runtime.Env in place of os.Getenv.
func (s site) environment(d diagnostic.Diagnostic) *analysis.SuggestedFix {
	call := envRemedy.FindStringSubmatch(d.Remedy)
	if call == nil {
		return nil
	}
	for _, node := range s.enclosing() {
		got, ok := node.(*ast.CallExpr)
		if !ok || got.Pos() != s.pos || len(got.Args) != 1 {
			continue
		}
		name, ok := got.Args[0].(*ast.BasicLit)
		of, fn, isSelected := selected(got.Fun)
		if !ok || !isSelected || fn != "Getenv" || name.Value != call[1] || of != importName(s.file, "os", "os") {
			continue
		}
		runtime, edits := s.imports(uses(s.file, of) == 1)
		edits = append(edits, analysis.TextEdit{Pos: got.Pos(), End: got.End(), NewText: fmt.Appendf(nil, "%s.Env(%s, %s)", runtime, call[1], call[2])})
		return &analysis.SuggestedFix{Message: "Write runtime.Env in place of os.Getenv", TextEdits: edits}
	}
	return nil
}

// name adds a Name to the literal of a route, that of its queue.
func (s site) name() *analysis.SuggestedFix {
	for _, node := range s.enclosing() {
		route, ok := node.(*ast.CompositeLit)
		if !ok || !isRoute(route) || field(route, "Name") != nil {
			continue
		}
		queue, ok := field(route, "Queue").(*ast.CompositeLit)
		if !ok {
			return nil
		}
		name, ok := field(queue, "Name").(*ast.BasicLit)
		if !ok || name.Kind != token.STRING {
			return nil
		}
		text, at := "Name: "+name.Value+", ", route.Elts[0].Pos()
		if s.line(route.Lbrace) != s.line(at) {
			text = "Name: " + name.Value + ",\n"
		}
		return &analysis.SuggestedFix{
			Message:   "Name the route as its queue",
			TextEdits: []analysis.TextEdit{{Pos: at, End: at, NewText: []byte(text)}},
		}
	}
	return nil
}

// isRoute reports whether a literal has the keyed fields of a route.
func isRoute(lit *ast.CompositeLit) bool { return field(lit, "Queue") != nil }

// field returns the value of a key of a struct's literal, nil for none.
func field(lit *ast.CompositeLit, name string) ast.Expr {
	for _, element := range lit.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && key.Name == name {
				return pair.Value
			}
		}
	}
	return nil
}

// repeatedTags removes tags that stand before in the same literal.
func (s site) repeatedTags() *analysis.SuggestedFix {
	for _, node := range s.enclosing() {
		route, ok := node.(*ast.CompositeLit)
		if !ok || !isRoute(route) {
			continue
		}
		tags, ok := field(route, "Tags").(*ast.CompositeLit)
		if !ok {
			return nil
		}
		var edits []analysis.TextEdit
		seen := make(map[string]bool)
		for i, tag := range tags.Elts {
			lit, ok := tag.(*ast.BasicLit)
			if !ok {
				return nil
			}
			if seen[lit.Value] {
				edits = append(edits, analysis.TextEdit{Pos: tags.Elts[i-1].End(), End: tag.End()})
			}
			seen[lit.Value] = true
		}
		if edits == nil {
			return nil
		}
		return &analysis.SuggestedFix{Message: "Remove the repeated tags", TextEdits: edits}
	}
	return nil
}

// repeatedRegistration removes a route that stands before in the same call, or a
// call that stands before in the same block.
func (s site) repeatedRegistration() *analysis.SuggestedFix {
	var edit *analysis.TextEdit
	for _, node := range s.enclosing() {
		switch in := node.(type) {
		case *ast.CallExpr:
			for i, arg := range in.Args {
				if arg.Pos() == s.pos && slices.ContainsFunc(in.Args[:i], func(before ast.Expr) bool { return s.areEqual(before, arg) }) {
					edit = &analysis.TextEdit{Pos: in.Args[i-1].End(), End: arg.End()}
				}
			}
		case *ast.BlockStmt:
			i := slices.IndexFunc(in.List, func(statement ast.Stmt) bool { return statement.Pos() <= s.pos && s.pos < statement.End() })
			call, ok := in.List[i].(*ast.ExprStmt)
			if ok && edit == nil && slices.ContainsFunc(in.List[:i], func(before ast.Stmt) bool { return s.areEqual(before, call) }) {
				edit = &analysis.TextEdit{Pos: in.List[i-1].End(), End: call.End()}
			}
		}
		if edit != nil {
			return &analysis.SuggestedFix{Message: "Remove the repeated registration", TextEdits: []analysis.TextEdit{*edit}}
		}
	}
	return nil
}

// areEqual reports whether two nodes are the same code.
func (s site) areEqual(a, b ast.Node) bool { return s.text(a) == s.text(b) }

// text returns the code of a node in the form of gofmt.
func (s site) text(node ast.Node) string {
	var b strings.Builder
	// A strings.Builder has no errors, and a node that was parsed can be printed.
	_ = format.Node(&b, s.pass.Fset, node)
	return b.String()
}

// directive removes a directive that has no effect, or the space that makes a
// comment of one.
func (s site) directive(d diagnostic.Diagnostic) *analysis.SuggestedFix {
	for _, group := range s.file.Comments {
		for _, comment := range group.List {
			if comment.Pos() > s.pos || s.pos >= comment.End() {
				continue
			}
			rest := strings.TrimPrefix(comment.Text, "//")
			spaces := len(rest) - len(strings.TrimLeft(rest, " \t"))
			switch {
			case d.Remedy == "write //go:generate":
				from := comment.Pos() + 2
				return &analysis.SuggestedFix{
					Message:   "Remove the space, so that go generate runs it",
					TextEdits: []analysis.TextEdit{{Pos: from, End: from + token.Pos(spaces)}},
				}
			case strings.HasPrefix(d.Remedy, "remove"):
				return &analysis.SuggestedFix{Message: "Remove the directive", TextEdits: []analysis.TextEdit{s.without(comment)}}
			}
		}
	}
	return nil
}

// without removes a comment, with its line where it stands there alone.
func (s site) without(comment *ast.Comment) analysis.TextEdit {
	in := s.pass.Fset.File(comment.Pos())
	line := in.Line(comment.Pos())
	alone := true
	ast.Inspect(s.file, func(node ast.Node) bool {
		_, isComment := node.(*ast.CommentGroup)
		if node == nil || isComment {
			return false
		}
		alone = alone && in.Line(node.Pos()) != line && in.Line(node.End()) != line
		return alone
	})
	edit := analysis.TextEdit{Pos: comment.Pos(), End: comment.End()}
	if alone && line < in.LineCount() {
		edit.Pos, edit.End = in.LineStart(line), in.LineStart(line+1)
	}
	return edit
}

func (s site) line(pos token.Pos) int { return s.pass.Fset.File(pos).Line(pos) }

// selected takes apart a function of a package.
func selected(fn ast.Expr) (of, name string, ok bool) {
	selector, ok := fn.(*ast.SelectorExpr)
	if !ok {
		return "", "", false
	}
	pkg, ok := selector.X.(*ast.Ident)
	if !ok {
		return "", "", false
	}
	return pkg.Name, selector.Sel.Name, true
}

// importOf returns the import of a package in a file, nil for none.
func importOf(file *ast.File, path string) *ast.ImportSpec {
	for _, spec := range file.Imports {
		if got, err := strconv.Unquote(spec.Path.Value); err == nil && got == path {
			return spec
		}
	}
	return nil
}

// importName returns the name by which a file calls a package, "" where it doesn't
// import it.
func importName(file *ast.File, path, name string) string {
	spec := importOf(file, path)
	switch {
	case spec == nil:
		return ""
	case spec.Name != nil:
		return spec.Name.Name
	}
	return name
}

// uses counts the selectors of a package's name.
func uses(file *ast.File, name string) int {
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			if pkg, ok := selector.X.(*ast.Ident); ok && pkg.Name == name {
				n++
			}
		}
		return true
	})
	return n
}

// imports returns the name of warren's runtime in the file, and the edits that
// import it where that isn't done yet, and no longer os if it isn't needed.
func (s site) imports(withoutOS bool) (name string, edits []analysis.TextEdit) {
	if withoutOS {
		edits = append(edits, s.withoutImport("os"))
	}
	if name := importName(s.file, load.RuntimePath, "runtime"); name != "" {
		return name, edits
	}
	name, spec := "runtime", strconv.Quote(load.RuntimePath)
	if importOf(s.file, "runtime") != nil {
		name, spec = "warren", "warren "+spec
	}
	last := s.file.Imports[len(s.file.Imports)-1]
	if s.importsOf(last).Lparen.IsValid() {
		spec = "\n" + spec
	} else {
		spec = "\nimport " + spec
	}
	if !strings.Contains(last.Path.Value, ".") {
		spec = "\n" + spec // another group than that of the standard library
	}
	edit := analysis.TextEdit{Pos: last.End(), End: last.End(), NewText: []byte(spec)}
	if withoutOS && edits[0].Pos <= edit.Pos && edit.Pos <= edits[0].End { // os is the last
		edit.Pos, edit.End = edits[0].Pos, edits[0].End
		edit.NewText = []byte(strings.TrimLeft(spec, "\n") + "\n")
		return name, []analysis.TextEdit{edit}
	}
	return name, append(edits, edit)
}

// importsOf returns the declaration of an import.
func (s site) importsOf(spec *ast.ImportSpec) *ast.GenDecl {
	for _, decl := range s.file.Decls {
		if imports, ok := decl.(*ast.GenDecl); ok && imports.Pos() <= spec.Pos() && spec.End() <= imports.End() {
			return imports
		}
	}
	return nil // every import is in a declaration
}

// withoutImport removes an import, with its line in a list of them.
func (s site) withoutImport(path string) analysis.TextEdit {
	spec := importOf(s.file, path)
	imports := s.importsOf(spec)
	if !imports.Lparen.IsValid() {
		return analysis.TextEdit{Pos: imports.Pos(), End: imports.End()}
	}
	in := s.pass.Fset.File(spec.Pos())
	line := in.Line(spec.Pos())
	return analysis.TextEdit{Pos: in.LineStart(line), End: in.LineStart(line + 1)}
}
