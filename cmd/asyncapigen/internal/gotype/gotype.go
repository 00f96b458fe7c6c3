// Package gotype shows the types of source code to package schema.
//
// It is the counterpart of schema.Reflect: for one Go type both give the same
// answers, so that a document that is generated from source is the one that the
// running program would make. Doc comments and positions are what only source
// code has.
//
//	types := gotype.New(docs, fset.Position)
//	set := schema.Build([]schema.Type{types.Of(payload)})
//	for _, problem := range set.Problems {
//		fmt.Fprintln(os.Stderr, problem)
//	}
//
// One type may come as several objects, once from source and once from export
// data: types are distinguished by package path, name and type arguments, never by
// pointer. The package loads nothing and type-checks nothing.
package gotype

import (
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/internal/schema"
)

// A DocSource finds doc comments. Both methods return the text as of
// [go/ast.CommentGroup.Text], "" where there is none. Objects of instances are
// given as those of their generic type.
type DocSource interface {
	TypeDoc(obj *types.TypeName) string
	FieldDoc(field *types.Var) string
}

// Types makes a [schema.Type] of types that were checked with one file set. It
// isn't safe for concurrent use.
type Types struct {
	docs       DocSource
	sources    Sources // docs, or nil
	position   func(token.Pos) token.Position
	methods    typeutil.MethodSetCache
	identities map[types.Type]string
	known      map[string]*schema.Source        // by identity
	declared   map[string]map[string][]declared // constants, by the path of their package and the name of their type
}

// New returns Types that ask docs for doc comments and position, which is the
// file set's, for positions. Nil means that there are none. Docs that are
// [Sources] are asked for all that only source code says.
func New(docs DocSource, position func(token.Pos) token.Position) *Types {
	sources, _ := docs.(Sources)
	return &Types{
		docs: docs, sources: sources, position: position,
		identities: map[types.Type]string{}, known: map[string]*schema.Source{},
		declared: map[string]map[string][]declared{},
	}
}

// Of returns t as schema sees it, nil for nil.
func (ts *Types) Of(t types.Type) schema.Type {
	if t == nil {
		return nil
	}
	return goType{types: ts, t: types.Unalias(t)}
}

func (ts *Types) positionOf(object types.Object) token.Position {
	isElsewhere := ts.sources != nil && object.Pkg() != nil && !ts.sources.IsOwn(object.Pkg().Path())
	if ts.position == nil || isElsewhere || !object.Pos().IsValid() {
		return token.Position{}
	}
	return ts.position(object.Pos())
}

// goType is a schema.Type. Its t is never an alias.
type goType struct {
	types *Types
	t     types.Type
}

func (g goType) ID() any { return g.types.identity(g.t) }

func (g goType) Kind() reflect.Kind { return value.KindOf(g.t) }

func (g goType) Name() schema.Name { return nameOf(g.t) }

func (g goType) Elem() schema.Type {
	switch t := g.t.Underlying().(type) {
	case *types.Array:
		return g.types.Of(t.Elem())
	case *types.Chan:
		return g.types.Of(t.Elem())
	case *types.Map:
		return g.types.Of(t.Elem())
	case *types.Pointer:
		return g.types.Of(t.Elem())
	case *types.Slice:
		return g.types.Of(t.Elem())
	default:
		return nil
	}
}

func (g goType) Key() schema.Type {
	if t, ok := g.t.Underlying().(*types.Map); ok {
		return g.types.Of(t.Key())
	}
	return nil
}

func (g goType) Len() int64 {
	if t, ok := g.t.Underlying().(*types.Array); ok {
		return t.Len()
	}
	return 0
}

func (g goType) NumMethod() int {
	if t, ok := g.t.Underlying().(*types.Interface); ok {
		return t.NumMethods()
	}
	return 0
}

func (g goType) Fields() []schema.Field {
	t, ok := g.t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	fields := make([]schema.Field, 0, t.NumFields())
	for i := range t.NumFields() {
		f := t.Field(i)
		field := schema.Field{
			Name:     f.Name(),
			Type:     g.types.Of(f.Type()),
			Tag:      reflect.StructTag(t.Tag(i)),
			Embedded: f.Embedded(),
			Exported: f.Exported(),
			Position: g.types.positionOf(f),
		}
		if g.types.docs != nil {
			field.Doc = docText(g.types.docs.FieldDoc(f.Origin()))
		}
		if g.types.sources != nil {
			field.Directives = directives(g.types.sources.FieldDirectives(f.Origin()))
		}
		fields = append(fields, field)
	}
	return fields
}

func (g goType) Doc() string {
	named, ok := g.t.(*types.Named)
	if !ok || g.types.docs == nil {
		return ""
	}
	return docText(g.types.docs.TypeDoc(named.Origin().Obj()))
}

func (g goType) Position() token.Position {
	named, ok := g.t.(*types.Named)
	if !ok {
		return token.Position{}
	}
	return g.types.positionOf(named.Obj())
}

func (g goType) String() string {
	return types.TypeString(g.t, func(p *types.Package) string { return p.Name() })
}
