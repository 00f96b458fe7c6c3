package client

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/runtime"
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

// route returns one that consumes a queue of its own name.
func route(name string, body types.Type) registered.Route {
	return registered.Route{Route: runtime.Route{Name: name, Queue: runtime.Queue{Name: name}}, Body: body}
}

var config = Config{PackageName: "shopclient", PackagePath: "shop/shopclient"}

func TestGenerate_Reports(t *testing.T) {
	pkg := check(t, "shop", `package main
		type Chan struct{ Lines []struct{ C chan int } }
		type Func func()
		type Complex struct{ X complex128 }
		type Zero struct{ N int }
		func (Zero) IsZero() bool { return false }
		type OmitZero struct { Z Zero `+"`json:\",omitzero\"`"+` }
		type Text []int
		func (*Text) MarshalText() ([]byte, error) { return nil, nil }
		type InMap struct { M map[string]struct{ T [2]Text } }
		type Base struct { P *int; Q int }
		type Shadows struct { *Base; Q string }
		type Empty struct{}
		func (Empty) MarshalJSON() ([]byte, error) { return nil, nil }
		type quiet struct{ A int }
		func (quiet) MarshalText() ([]byte, error) { return nil, nil }
		type Loud struct{ B int }
		func (Loud) MarshalText() ([]byte, error) { return nil, nil }
		type Hidden struct { *quiet `+"`json:\"quiet\"`"+`; Loud `+"`json:\"-\"`"+` }
		type codec struct{}
		type Excluded struct{ C chan int `+"`json:\"-\"`"+`; c chan int }
	`)
	at := func(line int, r registered.Route) registered.Route {
		r.Pos = token.Position{Filename: "routes.go", Line: line, Column: 3}
		return r
	}
	str := types.Typ[types.String]
	headers := route("a", str)
	headers.Exchange, headers.BindingArguments = &runtime.Exchange{Name: "x", Type: runtime.Headers}, map[string]any{"h": struct{}{}}
	bound := func(exchange runtime.ExchangeType, unknown ...string) []registered.Route {
		r := route("a", str)
		r.Exchange, r.UnknownArguments = &runtime.Exchange{Name: "x", Type: exchange}, unknown
		return []registered.Route{r}
	}
	const unrouted = "the code doesn't determine the arguments by which its exchange routes"
	encoded := route("a", str)
	encoded.CodecType = pkg.Scope().Lookup("codec").(*types.TypeName)
	orders := check(t, "shop/orders", "package orders\ntype Codec struct{}\ntype placed struct{}")
	unexported := route("a", types.NewPointer(typeIn(orders, "placed")))
	unexported.CodecType = orders.Scope().Lookup("Codec").(*types.TypeName)
	for _, test := range []struct {
		name   string
		routes []registered.Route
		want   string // part of the first problem, "" for none
		fatal  bool
	}{
		{"two routes of one identifier", []registered.Route{
			at(4, route("order.created", str)), at(9, route("order-created", str)),
		}, `routes.go:9:3: route "order-created": its methods would be named OrderCreated, as those of route "order.created" at routes.go:4:3: rename`, true},
		{"a name without letters", []registered.Route{at(4, route("#", str))}, `routes.go:4:3: route "#": its name has neither letters nor digits`, true},
		{"no body", []registered.Route{route("a", nil)}, "the type of its messages is unknown", true},
		{"an invalid body", []registered.Route{route("a", types.Typ[types.Invalid])}, "couldn't be resolved", true},
		{"a channel inside", []registered.Route{route("a", typeIn(pkg, "Chan"))}, "main.Chan.Lines[].C: encoding/json can't encode the type chan int", true},
		{"a function", []registered.Route{route("a", typeIn(pkg, "Func"))}, "can't encode the type func()", true},
		{"a complex number", []registered.Route{route("a", typeIn(pkg, "Complex"))}, "main.Complex.X: encoding/json can't encode the type complex128", true},
		{"an excluded channel", []registered.Route{route("a", typeIn(pkg, "Excluded"))}, "", false},
		{"an IsZero method that is lost", []registered.Route{route("a", typeIn(pkg, "OmitZero"))}, "main.OmitZero.Z: omitzero calls an IsZero method", false},
		{"a MarshalText that isn't called", []registered.Route{route("a", typeIn(pkg, "InMap"))}, "main.InMap.M[].T[]: encoding/json doesn't call the MarshalText of a pointer for the value of a map", false},
		{"null or absent through an embedded pointer", []registered.Route{route("a", typeIn(pkg, "Shadows"))}, "main.Shadows.P: it is absent where an embedded pointer is nil, and may be null where it isn't", false},
		{"methods of an unexported type that is embedded", []registered.Route{route("a", typeIn(pkg, "Hidden"))}, "main.Hidden.Quiet: it is embedded, of an unexported type with methods that encoding/json can't call there", false},
		{"a method of an empty struct", []registered.Route{route("a", typeIn(pkg, "Empty"))}, "has a MarshalJSON method: the client has json.RawMessage in its place", false},
		{"a codec that isn't exported", []registered.Route{encoded}, "its codec codec is out of reach: ", true},
		{"a type of a codec that isn't exported", []registered.Route{unexported}, "the client can't import *orders.placed, and its codec doesn't take a copy", true},
		{"a header that AMQP doesn't know", []registered.Route{headers}, "its binding arguments hold a value that AMQP has no type for", true},
		{"an unknown header", bound(runtime.Headers, `BindingArguments "tenant"`), unrouted, true},
		{"unknown headers of a delaying exchange", bound("x-delayed-message", "BindingArguments"), unrouted, true},
		{"an unknown type of a delaying exchange", bound("x-delayed-message", `Exchange.Arguments "x-delayed-type"`), unrouted, true},
		{"unknown arguments of a delaying exchange", bound("x-delayed-message", "Exchange.Arguments"), unrouted, true},
		{"unknown arguments by which nothing is routed", bound(runtime.Headers, "Exchange.Arguments", `Exchange.Arguments "x-delayed-type"`), "", false},
		{"unknown arguments of the queue of a delaying exchange", bound("x-delayed-message", "Queue.Arguments"), "", false},
		{"unknown arguments of a topic binding", bound(runtime.Topic, "BindingArguments"), "", false},
		{"unknown arguments of a queue alone", func() []registered.Route {
			r := bound("", "BindingArguments", "Exchange.Arguments")
			r[0].Exchange = nil
			return r
		}(), "", false},
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
func TestGenerate_RefusesTypeThatGrowsWithoutEnd(t *testing.T) {
	pkg, err := checkWith(t, &types.Config{Error: func(error) {}}, "shop",
		"package main\ntype Grows[T any] struct{ Next *Grows[[]T] }\ntype Start struct{ G Grows[int] }")
	require.ErrorContains(t, err, "instantiation cycle")
	source, problems, err := Generate(config, []registered.Route{route("a", typeIn(pkg, "Start"))})
	require.NoError(t, err)
	require.Nil(t, source)
	require.Contains(t, problems[0].What, "contains ever larger instances of itself")
}

func TestGenerate_RefusesConfig(t *testing.T) {
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
func TestGenerate_CopiesTypeOfTwoLoadsOnce(t *testing.T) {
	const source = "package main\ntype Order struct{ Next *Order }\ntype Page[T any] struct{ Items []T }\ntype Orders struct{ Page[Order] }"
	first, second := check(t, "shop", source), check(t, "shop", source)
	got, problems, err := Generate(config, []registered.Route{
		route("a", typeIn(first, "Order")),
		route("b", typeIn(second, "Order")),
		route("c", typeIn(first, "Orders")),
		route("d", typeIn(second, "Orders")),
	})
	require.NoError(t, err)
	require.Empty(t, problems)
	require.Contains(t, string(got), "type Order struct")
	require.NotContains(t, string(got), "MainOrder")
}

// Local types of one name are different types.
func TestGenerate_CopiesLocalTypesOfOneNameApart(t *testing.T) {
	pkg := check(t, "shop/events", `package events
		func A() any { type Order struct{ A int }; return Order{} }
		func B() any { type Order struct{ B int }; return Order{} }
	`)
	var routes []registered.Route
	for _, function := range []string{"A", "B"} {
		scope := pkg.Scope().Lookup(function).(*types.Func).Scope()
		routes = append(routes, route(function, scope.Lookup("Order").Type()))
	}
	got, _, err := Generate(config, routes)
	require.NoError(t, err)
	require.Contains(t, string(got), "PublishA(ctx context.Context, msg *Order,")
	require.Contains(t, string(got), "PublishB(ctx context.Context, msg *EventsOrder,")
}

// Without positions, constants are in the order of their values.
func TestGenerate_SortsConstantsWithoutPositions(t *testing.T) {
	pkg := check(t, "shop", "package main\ntype K int\nconst (\nZ K = iota\nY\nA\n)\ntype F float64\nconst Half F = 0.5")
	got, _, err := Generate(config, []registered.Route{
		route("k", typeIn(pkg, "K")),
		route("f", typeIn(pkg, "F")),
	})
	require.NoError(t, err)
	require.Regexp(t, `(?s)Z K = 0.*Y K = 1.*A K = 2.*Half F = 0\.5`, string(got))
}

// A type that the client's own package declares is used as it is.
func TestGenerate_UsesTypesOfClientsPackage(t *testing.T) {
	pkg := check(t, config.PackagePath, "package shopclient\ntype order struct{ ID string }")
	got, problems, err := Generate(config, []registered.Route{route("a", typeIn(pkg, "order"))})
	require.NoError(t, err)
	require.Empty(t, problems)
	require.Contains(t, string(got), "PublishA(ctx context.Context, msg *order,")
	require.NotContains(t, string(got), "type Order")
}

// MarshalJSON of a pointer receiver isn't called for a value.
func TestGenerate_TakesTypesByPointerThatNeedIt(t *testing.T) {
	pkg := check(t, "shop/events", `package events
		type IDs []string
		func (*IDs) MarshalJSON() ([]byte, error) { return nil, nil }
		type Names []string
		func (Names) MarshalJSON() ([]byte, error) { return nil, nil }
	`)
	got, _, err := Generate(config, []registered.Route{
		route("a", typeIn(pkg, "IDs")),
		route("b", typeIn(pkg, "Names")),
	})
	require.NoError(t, err)
	require.Contains(t, string(got), "PublishA(ctx context.Context, msg *events.IDs,")
	require.Contains(t, string(got), "PublishB(ctx context.Context, msg events.Names,")
}
