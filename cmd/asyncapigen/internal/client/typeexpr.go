package client

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// payload writes the type of a body as methods take it: structs by pointer, as
// well as types whose MarshalJSON only a pointer has; everything else by value.
// An anonymous struct, which would spread over many lines and places, is given
// the name of its role and route; an alias, so that it remains the user's type.
func (g *generator) payload(t types.Type, role, ident string) *jen.Statement {
	path := types.TypeString(t, (*types.Package).Name)
	var expr *jen.Statement
	if g.hasAnonymousStruct(t) {
		alias := &typeCopy{name: g.names.take(role + ident)}
		g.ordered = append(g.ordered, alias)
		doc := comment(fmt.Sprintf("%s is the %s of the route %q.", alias.name, strings.ToLower(role), g.route.Name))
		alias.decl = jen.Add(doc).Line().Type().Id(alias.name).Op("=").Add(g.expr(t, path))
		expr = jen.Id(alias.name)
	} else {
		expr = g.expr(t, path)
	}
	if g.byPointer(t) {
		return jen.Op("*").Add(expr)
	}
	return expr
}

// hasAnonymousStruct reports whether a struct with fields is written out where
// t is named.
func (g *generator) hasAnonymousStruct(t types.Type) bool {
	switch t := t.(type) {
	case *types.Alias:
		return !g.takesAlias(t) && g.hasAnonymousStruct(types.Unalias(t))
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if g.takesName(t) && g.hasAnonymousStruct(arg) {
				return true
			}
		}
	case *types.Pointer:
		return g.hasAnonymousStruct(t.Elem())
	case *types.Slice:
		return g.hasAnonymousStruct(t.Elem())
	case *types.Array:
		return g.hasAnonymousStruct(t.Elem())
	case *types.Map:
		return g.hasAnonymousStruct(t.Key()) || g.hasAnonymousStruct(t.Elem())
	case *types.Struct:
		return t.NumFields() > 0
	}
	return false
}

func (g *generator) byPointer(t types.Type) bool {
	if form := g.form(t); form == asRaw || form == asText {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return false
	case *types.Struct:
		return true
	}
	needsPointer := func(name string) bool {
		return marshalMethod(types.NewPointer(t), name) != nil && marshalMethod(t, name) == nil
	}
	return needsPointer("MarshalJSON") || needsPointer("MarshalText")
}

// expr writes t as the client can say it: the user's own types by name, copies
// of what is out of reach. The path leads to t from the body, for problems.
func (g *generator) expr(t types.Type, path string) *jen.Statement {
	switch t := t.(type) {
	case *types.Alias:
		if g.takesAlias(t) {
			return g.name(t.Obj(), t.TypeArgs(), path)
		}
		return g.expr(types.Unalias(t), path)
	case *types.Named:
		return g.namedExpr(t, path)
	case *types.Basic:
		if !isJSON(t) {
			return g.refuse(t, path)
		}
		return jen.Id(t.Name())
	case *types.Pointer:
		return jen.Op("*").Add(g.expr(t.Elem(), path))
	case *types.Slice:
		return jen.Index().Add(g.expr(t.Elem(), path+"[]"))
	case *types.Array:
		return jen.Index(jen.Lit(int(t.Len()))).Add(g.expr(t.Elem(), path+"[]"))
	case *types.Map:
		g.checkMapValue(t.Elem(), path+"[]")
		return jen.Map(g.keyExpr(t.Key(), path)).Add(g.expr(t.Elem(), path+"[]"))
	case *types.Struct:
		if g.within(t) {
			return g.structAsIs(t, path)
		}
		return jen.Struct(g.structFields(t, path)...)
	case *types.Interface:
		return jen.Any() // what is in it decides about the JSON
	}
	return g.refuse(t, path)
}

func (g *generator) namedExpr(t *types.Named, path string) *jen.Statement {
	if g.takesName(t) {
		return g.name(t.Obj(), t.TypeArgs(), path)
	}
	if types.IsInterface(t) {
		return jen.Any()
	}
	return jen.Id(g.copyOf(t, g.whyCopied(t), path).name)
}

// whyCopied says why t is copied.
func (g *generator) whyCopied(t *types.Named) string {
	if why := g.unreachable(t.Obj()); why != "" {
		return why
	}
	return "it is made of a type that is out of reach"
}

// name writes the name of a type within reach.
func (g *generator) name(obj *types.TypeName, args *types.TypeList, path string) *jen.Statement {
	name := jen.Id(obj.Name())
	if pkg := obj.Pkg(); pkg != nil {
		name = g.qualify(pkg.Path(), pkg.Name(), obj.Name())
	}
	if args.Len() == 0 {
		return name
	}
	var exprs []jen.Code
	for arg := range args.Types() {
		exprs = append(exprs, g.expr(arg, path))
	}
	return name.Types(exprs...)
}

// keyExpr writes the key type of a map. Where the key is out of reach and has
// methods that encode it, its copy, which would be json.RawMessage or a string,
// isn't what encoding/json makes of a key.
func (g *generator) keyExpr(t types.Type, path string) *jen.Statement {
	if form := g.form(t); form == asKind || form == asEmbedded {
		return g.expr(t, path)
	}
	if basic, ok := t.Underlying().(*types.Basic); ok && marshalMethod(t, "MarshalText") == nil {
		return jen.Id(basic.Name())
	}
	return jen.String()
}

// structAsIs writes an anonymous struct so that it is identical to the user's.
func (g *generator) structAsIs(t *types.Struct, path string) *jen.Statement {
	var fields []jen.Code
	for i := range t.NumFields() {
		field := t.Field(i)
		expr := g.expr(field.Type(), path+"."+field.Name())
		if !field.Embedded() {
			expr = jen.Id(field.Name()).Add(expr)
		}
		if tag := t.Tag(i); tag != "" {
			expr.Op(tagLiteral(tag))
		}
		fields = append(fields, expr)
	}
	return jen.Struct(fields...)
}

// refuse reports a type that has no JSON form.
func (g *generator) refuse(t types.Type, path string) *jen.Statement {
	message := fmt.Sprintf("%s: encoding/json can't encode the type %s", path, types.TypeString(t, (*types.Package).Name))
	remedy := "change the type, or exclude the field by the tag `json:\"-\"`"
	if t == types.Typ[types.Invalid] {
		message = path + ": its type couldn't be resolved"
		remedy = "make the package compile"
	}
	g.report(diagnostic.ClientType, token.Position{}, message, remedy)
	return jen.Any()
}

func isJSON(t *types.Basic) bool {
	return t.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat|types.IsString) != 0
}
