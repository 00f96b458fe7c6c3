package client

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// maxInstances is how many instances of one generic type are copied. A type
// that contains ever larger instances of itself has no end of them.
const maxInstances = 50

// typeCopy is the declaration of a copied type.
type typeCopy struct {
	name   string
	decl   *jen.Statement
	values jen.Code // its constants, nil for none
}

// copyOf returns the copy of t, which is out of reach because of why.
// See docs/decisions/0009.
func (g *generator) copyOf(t *types.Named, why, path string) *typeCopy {
	key := typeKey(t)
	if known := g.copies[key]; known != nil {
		return known
	}
	c := &typeCopy{name: g.names.take(g.copyNames(t)...)}
	g.copies[key] = c
	if g.countInstances(t) > maxInstances {
		g.report(diagnostic.ClientType, g.position(t.Obj().Pos()), fmt.Sprintf("%s: the type %s contains ever larger instances of itself", path, t.Obj().Name()),
			"move the type to a package that can be imported, or break the growth")
		return c
	}
	g.ordered = append(g.ordered, c)
	g.declare(c, t, why)
	return c
}

func (g *generator) countInstances(t *types.Named) int {
	if t.TypeArgs().Len() == 0 {
		return 0
	}
	prefix := typeKey(t.Origin()) + "["
	count := 0
	for key := range g.copies {
		if strings.HasPrefix(key, prefix) {
			count++
		}
	}
	return count
}

// copyNames lists what a copy may be called, the best name first.
func (g *generator) copyNames(t *types.Named) []string {
	name := instanceName(t)
	return []string{name, exported(t.Obj().Pkg().Name()) + name}
}

// instanceName is the exported name of a type with those of its arguments:
// Page[Order] is PageOrder.
func instanceName(t *types.Named) string {
	name := exported(t.Obj().Name())
	for arg := range t.TypeArgs().Types() {
		name += argumentName(arg)
	}
	return name
}

func argumentName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return instanceName(t)
	case *types.Basic:
		return exported(t.Name())
	case *types.Pointer:
		return argumentName(t.Elem())
	case *types.Slice:
		return argumentName(t.Elem()) + "List"
	case *types.Array:
		return argumentName(t.Elem()) + "Array"
	case *types.Map:
		return argumentName(t.Elem()) + "Map"
	case *types.Interface:
		return "Any"
	}
	return "Struct"
}

// declare writes the declaration of a copy. That it is one is said apart from its doc
// comment, which is that of the original: a contract that is made of the copy says the
// same.
func (g *generator) declare(c *typeCopy, t *types.Named, why string) {
	original := types.TypeString(t, (*types.Package).Name)
	note, doc := fmt.Sprintf("A copy of %s, which can't be used here: %s.", original, why), ""
	typ := jen.Type().Id(c.name)
	switch g.form(t) {
	case asRaw:
		doc = c.name + " is written by a MarshalJSON method, which can't be copied."
		typ = typ.Op("=").Add(g.qualify("encoding/json", "json", "RawMessage"))
		g.report(diagnostic.ClientCopy, g.position(t.Obj().Pos()),
			fmt.Sprintf("the type %s is out of the client's reach (%s) and has a MarshalJSON method: the client has json.RawMessage in its place", original, why),
			g.remedy())
	case asText:
		doc = c.name + " is written by a MarshalText method, which can't be copied."
		typ = typ.String()
	case asEmbedded:
		field := g.promotedMarshaler(t)
		note += fmt.Sprintf(" Its JSON is that of the embedded %s, so there is nothing else in it.", field.Name())
		typ = typ.Struct(g.expr(field.Type(), original))
	default:
		typ = typ.Add(g.underlying(t, original))
		c.values = g.constants(c.name, t)
	}
	c.decl = jen.Add(comment(note)).Line().Line()
	if lines := commentLines(doc, g.typeDoc(t)); len(lines) > 0 {
		c.decl.Comment(strings.Join(lines, "\n")).Line()
	}
	c.decl.Add(typ)
}

// remedy is what to do about a copy that isn't like its original.
func (g *generator) remedy() string {
	if g.cfg.Copied != nil {
		return "move the type to a module of its own, or let the client import it by -types=import"
	}
	return "move the type to a package that the client can import"
}

func (g *generator) underlying(t *types.Named, path string) *jen.Statement {
	if structure, ok := t.Underlying().(*types.Struct); ok {
		return jen.Struct(g.structFields(structure, path)...)
	}
	return g.expr(t.Underlying(), path)
}

func (g *generator) typeDoc(t *types.Named) string {
	if g.cfg.Docs == nil {
		return ""
	}
	return g.cfg.Docs.TypeDoc(t.Origin().Obj())
}
