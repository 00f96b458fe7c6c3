package client

import (
	"go/types"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
)

// structFields writes the fields of a copied struct. What embedded structs
// promote is written out, unless the embedded type can stay as it is.
func (g *generator) structFields(structure *types.Struct, path string) []jen.Code {
	fields := jsonFields(structure)
	kept := g.keptEmbeds(fields)
	names := newScope()
	embeds := make(map[string]bool)
	for _, f := range fields {
		if n := keptLength(f, kept); n > 0 {
			names[g.embedName(f.path[n-1].field, path)] = true
		}
	}
	var written []jen.Code
	for _, f := range fields {
		n := keptLength(f, kept)
		if n == 0 {
			written = append(written, g.structField(f, names, path))
			continue
		}
		if key := pathKey(f.path[:n]); !embeds[key] {
			embeds[key] = true
			written = append(written, g.embed(f.path[:n], path))
		}
	}
	return written
}

// keptLength is how much of the field's path leads to an embedded struct that
// stays, 0 for none.
func keptLength(f jsonField, kept map[string]bool) int {
	for n := 1; n < len(f.path); n++ {
		if kept[pathKey(f.path[:n])] {
			return n
		}
	}
	return 0
}

// embed writes an embedded field. It is a pointer where one is on its path,
// since then it may be absent.
func (g *generator) embed(path []step, at string) jen.Code {
	target := pointee(path[len(path)-1].field.Type())
	expr := g.expr(target, at)
	for _, step := range path {
		if _, ok := types.Unalias(step.field.Type()).(*types.Pointer); ok {
			return jen.Op("*").Add(expr)
		}
	}
	return expr
}

// embedName is what the field of an embedded type is called in the copy.
func (g *generator) embedName(field *types.Var, at string) string {
	if named, ok := pointee(field.Type()).(*types.Named); ok && !g.takesName(named) {
		return g.copyOf(named, g.whyCopied(named), at).name
	}
	return field.Name()
}

// structField writes one field of a copied struct.
func (g *generator) structField(f jsonField, names scope, path string) jen.Code {
	field := f.field()
	name := names.take(fieldNames(f)...)
	path += "." + name
	if field.Embedded() && !field.Exported() && encodesItself(pointee(field.Type())) {
		g.report(diagnostic.ClientCopy, g.position(field.Pos()), path+": it is embedded, of an unexported type with methods that encoding/json can't call there: one of its engines leaves it out, and the other panics or writes its fields",
			"export the type, or give the field a name of its own")
	}
	expr := g.expr(field.Type(), path)
	tag := g.fieldTag(f, name, path)
	if f.throughPointer() && !tag.OmitEmpty && !tag.OmitZero {
		if isNullable(field.Type()) {
			g.report(diagnostic.ClientCopy, g.position(field.Pos()), path+": it is absent where an embedded pointer is nil, and may be null where it isn't, which the client's copy can't tell apart",
				g.remedy())
		}
		expr = jen.Op("*").Add(expr)
		tag.OmitEmpty = true
	}
	line := jen.Id(name).Add(expr)
	if text := tag.String(); text != "" {
		line.Op(tagLiteral(text))
	}
	return jen.Add(g.fieldDoc(field), line)
}

// isNullable reports whether a value of the type may be null in JSON.
func isNullable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		return true
	}
	return false
}

// fieldNames lists what the Go field may be called: its own name, or one with
// the embedded type's before it, where two embedded structs have a field of
// that name under different keys.
func fieldNames(f jsonField) []string {
	name := exported(f.field().Name())
	if len(f.path) == 1 {
		return []string{name}
	}
	return []string{name, exported(f.path[len(f.path)-2].field.Name()) + name}
}

// fieldTag is the tag with which the copied field is encoded as the original.
func (g *generator) fieldTag(f jsonField, name, path string) schema.JSONTag {
	tag, t := f.tag, f.field().Type()
	if name != f.name && !tag.Inline && !tag.Unknown {
		tag.Name = f.name
	}
	if form := g.form(t); form == asText || form == asRaw {
		tag.Quoted, tag.Format = false, "" // have no effect on the original, but would on its copy
	}
	if tag.Format != "" && g.losesBytes(t) {
		if tag.Format != "array" {
			g.report(diagnostic.ClientCopy, g.position(f.field().Pos()), path+": the option format makes text of bytes whose type has methods that can't be copied into the client",
				g.remedy())
		}
		tag.Format = "" // the copy is an array already
	}
	if neverEmpty(t) {
		tag.OmitEmpty = false // the same
	}
	if tag.OmitZero && !g.within(t) && hasIsZero(t) {
		g.report(diagnostic.ClientCopy, g.position(f.field().Pos()), path+": omitzero calls an IsZero method, which can't be copied into the client",
			g.remedy())
	}
	return tag
}

// losesBytes reports whether t is a slice or an array of bytes that are written by
// a method of theirs, so that their copies aren't bytes.
func (g *generator) losesBytes(t types.Type) bool {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	var elem types.Type
	switch list := t.Underlying().(type) {
	case *types.Slice:
		elem = list.Elem()
	case *types.Array:
		elem = list.Elem()
	default:
		return false
	}
	kind, ok := elem.Underlying().(*types.Basic)
	form := g.form(elem)
	return ok && kind.Kind() == types.Uint8 && (form == asText || form == asRaw)
}

// neverEmpty reports whether omitempty never omits a value of the type.
func neverEmpty(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Struct:
		return true
	case *types.Array:
		return t.Len() > 0
	}
	return false
}

func (g *generator) fieldDoc(field *types.Var) jen.Code {
	if g.cfg.Docs == nil {
		return jen.Null()
	}
	lines := commentLines(g.cfg.Docs.FieldDoc(field.Origin()))
	if len(lines) == 0 {
		return jen.Null()
	}
	return jen.Comment(strings.Join(lines, "\n")).Line()
}
