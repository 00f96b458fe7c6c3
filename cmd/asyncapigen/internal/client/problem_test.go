package client

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

// check type-checks the source of one package that imports nothing. Each call
// makes types of its own, as another load of the package would.
func check(t *testing.T, path, source string) *types.Package {
	t.Helper()
	pkg, err := checkWith(t, new(types.Config), path, source)
	require.NoError(t, err)
	return pkg
}

func checkWith(t *testing.T, config *types.Config, path, source string) (*types.Package, error) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "source.go", source, parser.SkipObjectResolution)
	require.NoError(t, err)
	return config.Check(path, fset, []*ast.File{file}, nil)
}

func typeIn(pkg *types.Package, name string) types.Type { return pkg.Scope().Lookup(name).Type() }

var config = Config{PackageName: "shopclient", PackagePath: "shop/shopclient"}

func TestProblems(t *testing.T) {
	pkg := check(t, "shop", `package main
		type Chan struct{ Lines []struct{ C chan int } }
		type Func func()
		type Complex struct{ X complex128 }
		type Zero struct{ N int }
		func (Zero) IsZero() bool { return false }
		type OmitZero struct { Z Zero `+"`json:\",omitzero\"`"+` }
		type Excluded struct{ C chan int `+"`json:\"-\"`"+`; c chan int }
	`)
	at := func(line int) token.Position { return token.Position{Filename: "routes.go", Line: line, Column: 3} }
	str := types.Typ[types.String]
	for _, test := range []struct {
		name   string
		routes []Route
		want   string // part of the first problem, "" for none
		fatal  bool
	}{
		{"two routes of one identifier", []Route{
			{Name: "order.created", Queue: "a", Body: str, Pos: at(4)}, {Name: "order-created", Queue: "b", Body: str, Pos: at(9)},
		}, `routes.go:9:3: route "order-created": its methods would be named OrderCreated, as those of route "order.created" at routes.go:4:3: rename`, true},
		{"a name without letters", []Route{{Name: "#", Queue: "a", Body: str, Pos: at(4)}}, `routes.go:4:3: route "#": its name has neither letters nor digits`, true},
		{"no body", []Route{{Name: "a", Queue: "a"}}, "the type of its messages is unknown", true},
		{"an invalid body", []Route{{Name: "a", Queue: "a", Body: types.Typ[types.Invalid]}}, "couldn't be resolved", true},
		{"a channel inside", []Route{{Name: "a", Queue: "a", Body: typeIn(pkg, "Chan")}}, "main.Chan.Lines[].C: encoding/json can't encode the type chan int", true},
		{"a function", []Route{{Name: "a", Queue: "a", Body: typeIn(pkg, "Func")}}, "can't encode the type func()", true},
		{"a complex number", []Route{{Name: "a", Queue: "a", Body: typeIn(pkg, "Complex")}}, "main.Complex.X: encoding/json can't encode the type complex128", true},
		{"an excluded channel", []Route{{Name: "a", Queue: "a", Body: typeIn(pkg, "Excluded")}}, "", false},
		{"an IsZero method that is lost", []Route{{Name: "a", Queue: "a", Body: typeIn(pkg, "OmitZero")}}, "main.OmitZero.Z: omitzero calls an IsZero method", false},
		{"a header that AMQP doesn't know", []Route{{
			Name: "a", Queue: "a", Body: str, Exchange: &Exchange{Name: "x", Type: "headers"}, BindingArguments: map[string]any{"h": struct{}{}},
		}}, "its binding arguments hold a value that AMQP has no type for", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			source, problems, err := Generate(config, test.routes)
			require.NoError(t, err)
			require.Equal(t, test.fatal, source == nil)
			if test.want == "" {
				require.Empty(t, problems)
				return
			}
			require.NotEmpty(t, problems)
			require.Contains(t, problems[0].String(), test.want)
			require.NotEmpty(t, problems[0].Remedy)
		})
	}
}

// The compiler refuses such a type, but code that doesn't compile is read too.
func TestATypeThatGrowsWithoutEnd(t *testing.T) {
	pkg, err := checkWith(t, &types.Config{Error: func(error) {}}, "shop",
		"package main\ntype Grows[T any] struct{ Next *Grows[[]T] }\ntype Start struct{ G Grows[int] }")
	require.ErrorContains(t, err, "instantiation cycle")
	source, problems, err := Generate(config, []Route{{Name: "a", Queue: "a", Body: typeIn(pkg, "Start")}})
	require.NoError(t, err)
	require.Nil(t, source)
	require.Contains(t, problems[0].What, "contains ever larger instances of itself")
}

func TestConfigThatCannotBeUsed(t *testing.T) {
	for _, cfg := range []Config{
		{},
		{PackageName: "shopclient"},
		{PackagePath: "shop/shopclient"},
		{PackageName: "main", PackagePath: "p"},
		{PackageName: "shop-client", PackagePath: "p"},
		{PackageName: "func", PackagePath: "p"},
		{PackageName: "_", PackagePath: "p"},
	} {
		_, _, err := Generate(cfg, nil)
		require.ErrorContains(t, err, "generate the client package", "%+v", cfg)
	}
}

// A program may hold a type twice, from its source and from export data.
func TestOneTypeFromTwoLoadsIsCopiedOnce(t *testing.T) {
	const source = "package main\ntype Order struct{ Next *Order }\ntype Page[T any] struct{ Items []T }\ntype Orders struct{ Page[Order] }"
	first, second := check(t, "shop", source), check(t, "shop", source)
	got, problems, err := Generate(config, []Route{
		{Name: "a", Queue: "a", Body: typeIn(first, "Order")},
		{Name: "b", Queue: "b", Body: typeIn(second, "Order")},
		{Name: "c", Queue: "c", Body: typeIn(first, "Orders")},
		{Name: "d", Queue: "d", Body: typeIn(second, "Orders")},
	})
	require.NoError(t, err)
	require.Empty(t, problems)
	require.Contains(t, string(got), "type Order struct")
	require.NotContains(t, string(got), "MainOrder")
}

// Local types of one name are different types.
func TestLocalTypesOfOneNameAreCopiedApart(t *testing.T) {
	pkg := check(t, "shop/events", `package events
		func A() any { type Order struct{ A int }; return Order{} }
		func B() any { type Order struct{ B int }; return Order{} }
	`)
	var routes []Route
	for _, function := range []string{"A", "B"} {
		scope := pkg.Scope().Lookup(function).(*types.Func).Scope()
		routes = append(routes, Route{Name: function, Queue: function, Body: scope.Lookup("Order").Type()})
	}
	got, _, err := Generate(config, routes)
	require.NoError(t, err)
	require.Contains(t, string(got), "PublishA(ctx context.Context, msg *Order,")
	require.Contains(t, string(got), "PublishB(ctx context.Context, msg *EventsOrder,")
}

// Without positions, constants are in the order of their values.
func TestConstantsWithoutPositions(t *testing.T) {
	pkg := check(t, "shop", "package main\ntype K int\nconst (\nZ K = iota\nY\nA\n)\ntype F float64\nconst Half F = 0.5")
	got, _, err := Generate(config, []Route{
		{Name: "k", Queue: "k", Body: typeIn(pkg, "K")},
		{Name: "f", Queue: "f", Body: typeIn(pkg, "F")},
	})
	require.NoError(t, err)
	require.Regexp(t, `(?s)Z K = 0.*Y K = 1.*A K = 2.*Half F = 0\.5`, string(got))
}

// A type that the client's own package declares is used as it is.
func TestTypesOfTheClientsOwnPackage(t *testing.T) {
	pkg := check(t, config.PackagePath, "package shopclient\ntype order struct{ ID string }")
	got, problems, err := Generate(config, []Route{{Name: "a", Queue: "a", Body: typeIn(pkg, "order")}})
	require.NoError(t, err)
	require.Empty(t, problems)
	require.Contains(t, string(got), "PublishA(ctx context.Context, msg *order,")
	require.NotContains(t, string(got), "type Order")
}

// MarshalJSON of a pointer receiver isn't called for a value.
func TestTypesThatOnlyAPointerEncodesAreTakenByPointer(t *testing.T) {
	pkg := check(t, "shop/events", `package events
		type IDs []string
		func (*IDs) MarshalJSON() ([]byte, error) { return nil, nil }
		type Names []string
		func (Names) MarshalJSON() ([]byte, error) { return nil, nil }
	`)
	got, _, err := Generate(config, []Route{
		{Name: "a", Queue: "a", Body: typeIn(pkg, "IDs")},
		{Name: "b", Queue: "b", Body: typeIn(pkg, "Names")},
	})
	require.NoError(t, err)
	require.Contains(t, string(got), "PublishA(ctx context.Context, msg *events.IDs,")
	require.Contains(t, string(got), "PublishB(ctx context.Context, msg events.Names,")
}
