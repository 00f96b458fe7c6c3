package discover

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// A value directive gives what the code can't: on the line of an expression
// that isn't known, or alone on the line above it,
//
//	queue := os.Getenv("QUEUE") //asyncapigen:value orders
//
// its text stands for the value of the outermost expression there that is a
// string, a number or a boolean, a pointer to one, or a slice of strings. It is
// a JSON value, or for a string the text itself. On the line of a flag's
// definition, or of the declaration of a struct's field, it is what the program
// gets there from outside.
const valueDirective = "//asyncapigen:value"

// directive is one of them.
type directive struct {
	pos  token.Pos
	text string
	name string // of a directive that there isn't; "" of a value directive
	met  bool   // an expression on its line was evaluated
	used bool   // one of them wasn't known
}

// lineOf names a line of a file.
type lineOf struct {
	file string
	line int
}

// Replacement returns a function that gives an expression the value of the
// directive on its line, where it isn't known. The expression is the outermost
// one there that could take it.
func (f *finder) Replacement(x eval.Expression) func(value.Value) value.Value {
	all := f.directives(x.Pkg)
	if len(all) == 0 {
		return nil
	}
	position := f.program.Fset.Position(x.Expr.Pos())
	d := all[lineOf{position.Filename, position.Line}]
	if d == nil || d.name != "" || !takesDirective(x.Type()) {
		return nil
	}
	if tv := x.Pkg.Info.Types[x.Expr]; tv.Value != nil || tv.IsType() {
		d.met = true
		return nil
	}
	return func(v value.Value) value.Value { return f.given(d, x, v) }
}

// directives returns those of a package.
func (f *finder) directives(pkg *load.Package) map[lineOf]*directive {
	if all, ok := f.valueDirectives[pkg]; ok {
		return all
	}
	all := make(map[lineOf]*directive)
	for _, file := range pkg.Files {
		code := linesWithCode(f.program.Fset, file)
		for _, group := range file.Comments {
			for _, comment := range group.List {
				rest, ok := strings.CutPrefix(comment.Text, "//asyncapigen:")
				name, text, _ := strings.Cut(rest, " ")
				if !ok || name == "schema" || name == "example" || name == "accept" { // those of types, and of the command
					continue
				}
				if name == "value" {
					name = ""
				}
				position := f.program.Fset.Position(comment.Pos())
				line := position.Line
				if !code[line] {
					line++
				}
				all[lineOf{position.Filename, line}] = &directive{pos: comment.Pos(), name: name, text: strings.TrimSpace(text)}
			}
		}
	}
	f.valueDirectives[pkg] = all
	return all
}

// linesWithCode returns the lines on which something other than a comment
// stands.
func linesWithCode(fset *token.FileSet, file *ast.File) map[int]bool {
	lines := make(map[int]bool)
	ast.Inspect(file, func(node ast.Node) bool {
		switch node.(type) {
		case nil:
			return true
		case *ast.Comment, *ast.CommentGroup:
			return false
		}
		lines[fset.Position(node.Pos()).Line] = true
		lines[fset.Position(node.End()).Line] = true
		return true
	})
	return lines
}

func takesDirective(t types.Type) bool {
	switch t := t.(type) {
	case *types.Tuple:
		return t.Len() > 0 && takesDirective(t.At(0).Type())
	default:
		if elem := value.Pointee(t); elem != nil {
			t = elem
		}
		switch u := t.Underlying().(type) {
		case *types.Basic:
			return u.Info()&(types.IsString|types.IsNumeric|types.IsBoolean) != 0
		case *types.Slice:
			elem, ok := u.Elem().Underlying().(*types.Basic)
			return ok && elem.Info()&types.IsString != 0
		}
		return false
	}
}

// given returns the value of an expression with a directive on its line, v
// without it.
func (f *finder) given(d *directive, x eval.Expression, v value.Value) value.Value {
	d.met = true
	if !needsValue(v) {
		return v
	}
	d.used = true
	given, err := valueFrom(d.text, x.Type())
	if err != nil {
		f.reportDirective(d, value.Source(x.Expr), err)
		return v
	}
	if f.ev.Explain {
		return from(&diagnostic.Origin{Pos: f.program.Position(d.pos), Text: valueDirective + " " + d.text}, given)
	}
	return given
}

// Given implements [eval.User]: it is the value of the directive at pos.
func (f *finder) Given(pos token.Pos, t types.Type) (value.Value, bool) {
	if t == nil || !f.hasDirectives() || !takesDirective(t) {
		return nil, false
	}
	position := f.program.FilePosition(pos)
	for _, all := range f.valueDirectives {
		d := all[lineOf{position.Filename, position.Line}]
		if d == nil || d.name != "" {
			continue
		}
		d.met, d.used = true, true
		v, err := valueFrom(d.text, t)
		if err != nil {
			f.reportDirective(d, "what is declared here", err)
			return nil, false
		}
		if f.ev.Explain {
			v = from(&diagnostic.Origin{Pos: f.program.Position(d.pos), Text: valueDirective + " " + d.text}, v)
		}
		return v, true
	}
	return nil, false
}

// hasDirectives reports whether a package of the program's own has any.
func (f *finder) hasDirectives() bool {
	for _, pkg := range f.program.Own()[f.readFrom:] {
		f.directed = len(f.directives(pkg)) > 0 || f.directed
	}
	f.readFrom = len(f.program.Own())
	return f.directed
}

// Replaceable implements [eval.User].
func (f *finder) Replaceable(t types.Type) bool { return t != nil && takesDirective(t) }

func (f *finder) reportDirective(d *directive, what string, err error) {
	f.report(d.pos, diagnostic.Diagnostic{
		Code: diagnostic.BadDirective,
		What: "the directive can't give the value of " + what,
		Why:  err.Error(), Remedy: "write a JSON value, or the text of a string",
	})
}

// from notes the origin of a directive's value: of what it points to, holds, or
// has beside it.
func from(origin *diagnostic.Origin, v value.Value) value.Value {
	switch v := v.(type) {
	case value.Const:
		v.Origin = origin
		return v
	case value.Tuple:
		v[0] = from(origin, v[0])
	case value.Pointer:
		return value.Pointer{Type: v.Type, To: value.NewCell(from(origin, v.Load()))}
	case *value.Slice:
		s := &value.Slice{Type: v.Type}
		for _, cell := range v.Elems {
			s.Elems = append(s.Elems, value.NewCell(from(origin, cell.Load())))
		}
		s.Elems = slices.Clip(s.Elems)
		return s
	}
	return v
}

func needsValue(v value.Value) bool {
	if tuple, ok := v.(value.Tuple); ok { // which isn't empty, see takesDirective
		v = tuple[0]
	}
	return value.IsUnknown(v)
}

// valueFrom reads a directive's text as a value of type t.
func valueFrom(text string, t types.Type) (value.Value, error) {
	if tuple, ok := t.(*types.Tuple); ok {
		first, err := valueFrom(text, tuple.At(0).Type())
		values := value.Tuple{first}
		for i := 1; i < tuple.Len(); i++ {
			values = append(values, success(tuple.At(i).Type()))
		}
		return values, err
	}
	if elem := value.Pointee(t); elem != nil {
		v, err := valueFrom(text, elem)
		return value.Pointer{Type: t, To: value.NewCell(v)}, err
	}
	if slice, ok := t.Underlying().(*types.Slice); ok {
		var texts []string
		if err := json.Unmarshal([]byte(text), &texts); err != nil {
			return nil, fmt.Errorf("%q isn't a JSON array of strings", text)
		}
		s := &value.Slice{Type: t}
		for _, element := range texts {
			s.Elems = append(s.Elems, value.NewCell(value.NewConst(constant.MakeString(element), slice.Elem())))
		}
		s.Elems = s.Elems[:len(s.Elems):len(s.Elems)]
		return s, nil
	}
	return basicFrom(text, t)
}

// success is what comes beside a value that there is: true, and no error.
func success(t types.Type) value.Value {
	if basic, ok := t.Underlying().(*types.Basic); ok && basic.Kind() == types.Bool {
		return value.NewConst(constant.MakeBool(true), t)
	}
	return value.Nil{Type: t}
}

func basicFrom(text string, t types.Type) (value.Value, error) {
	basic, _ := t.Underlying().(*types.Basic)
	switch info := basic.Info(); {
	case info&types.IsString != 0:
		var quoted *string // null is no string, but a text
		if json.Unmarshal([]byte(text), &quoted) == nil && quoted != nil {
			text = *quoted
		}
		return value.NewConst(constant.MakeString(text), t), nil
	case info&types.IsBoolean != 0:
		if text != "true" && text != "false" {
			return nil, fmt.Errorf("%q is neither true nor false", text)
		}
		return value.NewConst(constant.MakeBool(text == "true"), t), nil
	default:
		v := constant.MakeFromLiteral(text, token.INT, 0)
		if v.Kind() == constant.Unknown && info&types.IsFloat != 0 {
			v = constant.MakeFromLiteral(text, token.FLOAT, 0)
		}
		number := value.Represented(v, t)
		if number.Value.Kind() == constant.Unknown || info&types.IsInteger != 0 && !fits(text, basic) {
			return nil, fmt.Errorf("%q is no %s", text, basic.Name())
		}
		return number, nil
	}
}

// fits reports whether an integer is in the range of its type. As elsewhere in
// the analysis, int has 64 bits.
func fits(text string, basic *types.Basic) bool {
	bits := int(types.SizesFor("gc", "amd64").Sizeof(basic)) * 8
	var err error
	if basic.Info()&types.IsUnsigned != 0 {
		_, err = strconv.ParseUint(text, 0, bits)
	} else {
		_, err = strconv.ParseInt(text, 0, bits)
	}
	return err == nil
}

// checkDirectives warns of directives that gave nothing.
func (f *finder) checkDirectives() {
	for _, all := range f.valueDirectives {
		for _, d := range all {
			if d.name != "" {
				f.report(d.pos, diagnostic.Diagnostic{
					Code: diagnostic.BadDirective, What: "there is no directive //asyncapigen:" + d.name,
					Remedy: "write value, schema, example or accept",
				})
				continue
			}
			if !d.met || d.used {
				continue
			}
			f.diagnostics.Add(diagnostic.Diagnostic{
				Code: diagnostic.BadDirective, Severity: diagnostic.Warning, Pos: f.program.Position(d.pos),
				What: "the directive gives no value", Why: "everything on its line is known", Remedy: "remove it",
			})
		}
	}
}
