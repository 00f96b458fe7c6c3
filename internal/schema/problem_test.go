package schema_test

import (
	"go/token"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
)

type cart struct {
	Lines map[string][]*line
}

type line struct{ Done chan int }

func TestProblem_NamesFieldPath(t *testing.T) {
	set := schema.Build([]schema.Type{schema.Reflect(reflect.TypeFor[bool]()), schema.Reflect(reflect.TypeFor[*cart]())})
	require.Equal(t, []schema.Problem{{
		Diagnostic: diagnostic.Diagnostic{
			Code:     diagnostic.NoJSON,
			Severity: diagnostic.Error,
			Path:     "cart.Lines[][].Done",
			Type:     "chan int",
			What:     "a chan has no JSON form",
			Remedy:   `leave the field out by the tag json:"-"`,
		},
		Payload: 1,
	}}, set.Problems)
	require.Equal(t, `cart.Lines[][].Done (chan int): a chan has no JSON form: leave the field out by the tag json:"-"`,
		set.Problems[0].Text())
}

// endless stands for type Endless[T any] struct{ Next Endless[[]T] }, which can
// be read from source but not compiled.
type endless struct {
	schema.Type
	depth int
}

func newEndless(depth int) endless {
	return endless{schema.Reflect(reflect.TypeFor[struct{}]()), depth}
}

func (e endless) ID() any { return e.depth }

func (e endless) Name() schema.Name {
	arg := schema.Arg{Name: schema.Name{Ident: "int"}}
	for range e.depth {
		inner := arg
		arg = schema.Arg{Kind: reflect.Slice, Elem: &inner}
	}
	return schema.Name{PkgPath: "example.com/shop", Pkg: "shop", Ident: "Endless", Args: []schema.Arg{arg}}
}

func (e endless) Fields() []schema.Field {
	return []schema.Field{{Name: "Next", Exported: true, Type: newEndless(e.depth + 1)}}
}

func (e endless) Position() token.Position { return token.Position{Filename: "shop.go", Line: 7} }

func TestRule41_ExpandingGenericsAreCut(t *testing.T) {
	set := schema.Build([]schema.Type{newEndless(0)})
	require.Len(t, set.Problems, 1)
	require.Equal(t, diagnostic.Error, set.Problems[0].Severity)
	require.Equal(t, "shop.go:7", set.Problems[0].Pos.String())
	require.Contains(t, set.Problems[0].What, "expands into ever new instances of itself")
	require.Len(t, set.Components, 6)
}

func TestRule41_InstancesSideBySideAreNotCut(t *testing.T) {
	require.Empty(t, build[struct {
		A Page[int]
		B Page[int8]
		C Page[int16]
		D Page[int32]
		E Page[int64]
		F Page[string]
		G Page[bool]
		H Page[Page[Page[any]]]
	}]().Problems)
}

// unresolved stands for a type parameter, or a type whose package doesn't compile.
type unresolved struct{ schema.Type }

func (unresolved) ID() any            { return "unresolved" }
func (unresolved) Kind() reflect.Kind { return reflect.Invalid }
func (unresolved) String() string     { return "T" }

func TestBuild_ReportsUnknownTypes(t *testing.T) {
	set := schema.Build([]schema.Type{unresolved{schema.Reflect(reflect.TypeFor[struct{}]())}})
	require.Equal(t, []string{"error: T: the type isn't known: make the code compile, and give type parameters a type"}, problems(set))
}

func TestBuild_TakesNoPayload(t *testing.T) {
	set := schema.Build([]schema.Type{nil, schema.Reflect(nil), schema.Reflect(reflect.TypeFor[any]())})
	require.Len(t, set.Payloads, 3)
	for _, payload := range set.Payloads {
		require.True(t, payload.IsEmpty())
	}
	require.Empty(t, set.Problems)
}
