package gotype

import (
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/schema"
)

// constants returns the constants of a string or numeric type that its package
// declares, unexported ones too, in the order of their declaration; nil where
// they are no enumeration: fewer than two values, or quantities and flags, which
// are computed from each other by *, << or |.
func (ts *Types) constants(object *types.TypeName) []schema.Constant {
	basic, ok := object.Type().Underlying().(*types.Basic)
	if !ok || basic.Info()&(types.IsString|types.IsInteger|types.IsFloat) == 0 || isLocal(object) {
		return nil
	}
	var found []schema.Constant
	values := map[string]bool{}
	for _, declared := range ts.declaredIn(object.Pkg().Path())[object.Name()] {
		if declared.computed {
			return nil
		}
		value, ok := jsonOf(declared.constant.Val())
		if !ok {
			return nil
		}
		values[string(value)] = true
		found = append(found, schema.Constant{Name: declared.constant.Name(), Doc: declared.doc, Value: value})
	}
	if len(values) < 2 {
		return nil
	}
	return found
}

// Constant returns the doc comment of a constant of a type that is declared in its
// package, and whether it is a quantity or a flag rather than a value of an
// enumeration.
func (ts *Types) Constant(c *types.Const) (doc string, computed bool) {
	named, ok := types.Unalias(c.Type()).(*types.Named)
	if !ok || c.Pkg() == nil {
		return "", false
	}
	for _, declared := range ts.declaredIn(c.Pkg().Path())[named.Obj().Name()] {
		if declared.constant.Name() == c.Name() {
			return declared.doc, declared.computed
		}
	}
	return "", false
}

// A declared constant.
type declared struct {
	constant *types.Const
	doc      string
	computed bool
}

// declaredIn returns the constants of the package at path that are of its own
// types, by the names of these.
func (ts *Types) declaredIn(path string) map[string][]declared {
	byType, ok := ts.declared[path]
	if ok {
		return byType
	}
	byType = map[string][]declared{}
	ts.declared[path] = byType
	pkg := ts.sources.Constants(path)
	if pkg == nil || pkg.Info == nil {
		return byType
	}
	for _, file := range pkg.Files {
		for _, decl := range file.Decls {
			if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.CONST {
				addConstants(byType, pkg, group)
			}
		}
	}
	return byType
}

func addConstants(byType map[string][]declared, pkg *load.Package, group *ast.GenDecl) {
	var values []ast.Expr // of the last specification that has any
	for _, spec := range group.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if len(spec.Values) > 0 {
			values = spec.Values
		}
		for i, name := range spec.Names {
			c, ok := pkg.Info.Defs[name].(*types.Const)
			if !ok || name.Name == "_" {
				continue
			}
			t := ownType(c.Type(), pkg.Path)
			if t == "" {
				continue
			}
			d := declared{constant: c, doc: constantDoc(group, spec)}
			if i < len(values) {
				d.computed = isComputed(values[i])
			}
			byType[t] = append(byType[t], d)
		}
	}
}

// ownType returns the name of a type that the package at path declares, perhaps
// in another universe, "" for other types.
func ownType(t types.Type, path string) string {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != path || isLocal(named.Obj()) {
		return ""
	}
	return named.Obj().Name()
}

func constantDoc(group *ast.GenDecl, spec *ast.ValueSpec) string {
	switch {
	case spec.Doc != nil:
		return docText(spec.Doc.Text())
	case spec.Comment != nil:
		return docText(spec.Comment.Text())
	case !group.Lparen.IsValid():
		return docText(group.Doc.Text())
	default:
		return ""
	}
}

// isComputed reports whether the expression is a quantity or a flag.
func isComputed(expr ast.Expr) bool {
	found := false
	ast.Inspect(expr, func(node ast.Node) bool {
		if binary, ok := node.(*ast.BinaryExpr); ok {
			switch binary.Op {
			case token.SHL, token.MUL, token.OR:
				found = true
			}
		}
		return !found
	})
	return found
}

// jsonOf is how encoding/json writes the constant.
func jsonOf(value constant.Value) (json.RawMessage, bool) {
	switch value.Kind() {
	case constant.String:
		text := &strings.Builder{}
		encoder := json.NewEncoder(text)
		encoder.SetEscapeHTML(false)
		err := encoder.Encode(constant.StringVal(value))
		return json.RawMessage(strings.TrimSpace(text.String())), err == nil
	case constant.Int:
		return json.RawMessage(value.ExactString()), true
	case constant.Float:
		f, _ := constant.Float64Val(value)
		text, err := json.Marshal(f)
		return text, err == nil
	default:
		return nil, false
	}
}
