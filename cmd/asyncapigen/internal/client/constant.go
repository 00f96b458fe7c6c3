package client

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// constants writes the values of a copied enumeration, in the order of their
// declaration, or of their values where positions are unknown.
func (g *generator) constants(name string, t *types.Named) jen.Code {
	basic, ok := t.Underlying().(*types.Basic)
	if !ok || isLocal(t.Obj()) || t.TypeArgs().Len() > 0 {
		return nil
	}
	var lines []jen.Code
	for _, c := range slices.SortedStableFunc(slices.Values(constantsOf(t)), g.compareConstants) {
		value, ok := constantLiteral(c, basic)
		if !ok {
			continue
		}
		ident := g.names.take(exported(c.Name()), name+exported(c.Name()))
		doc, computed := "", false
		if g.cfg.Docs != nil {
			doc, computed = g.cfg.Docs.Constant(c)
		}
		line := new(jen.Statement)
		if text := commentLines(doc); len(text) > 0 {
			line.Comment(strings.Join(text, "\n")).Line()
		}
		line.Id(ident).Id(name).Op("=")
		if computed { // for readers, and for asyncapigen where it reads the copy
			line.Lit(1).Op("*")
		}
		lines = append(lines, line.Add(value))
	}
	if len(lines) == 0 {
		return nil
	}
	return jen.Comment(fmt.Sprintf("// The values of %s.", name)).Line().Const().Defs(lines...)
}

// constantsOf returns the constants that the type's package declares of it, in
// the order of their names.
func constantsOf(t *types.Named) []*types.Const {
	var all []*types.Const
	scope := t.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && name != "_" && types.Identical(c.Type(), t) {
			all = append(all, c)
		}
	}
	return all
}

func (g *generator) compareConstants(a, b *types.Const) int {
	if g.cfg.Position != nil {
		p, q := g.position(a.Pos()), g.position(b.Pos())
		return cmp.Or(cmp.Compare(p.Filename, q.Filename), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
	}
	if constant.Compare(a.Val(), token.EQL, b.Val()) {
		return 0
	}
	if a.Val().Kind() != constant.Bool && constant.Compare(a.Val(), token.LSS, b.Val()) {
		return -1
	}
	return 1
}

// constantLiteral writes a constant's value, and reports whether it can without
// a loss.
func constantLiteral(c *types.Const, basic *types.Basic) (jen.Code, bool) {
	value := c.Val()
	switch {
	case basic.Info()&types.IsString != 0:
		return jen.Lit(constant.StringVal(value)), true
	case basic.Info()&types.IsInteger != 0:
		return jen.Id(constant.ToInt(value).ExactString()), true
	case basic.Info()&types.IsBoolean != 0:
		return jen.Lit(constant.BoolVal(value)), true
	case basic.Info()&types.IsFloat != 0:
		float, _ := constant.Float64Val(value)
		return jen.Id(strconv.FormatFloat(float, 'g', -1, 64)), isFinite(float)
	}
	return nil, false
}
