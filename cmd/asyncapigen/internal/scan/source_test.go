package scan_test

import (
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/scan"
)

// consumed returns a result with one consumer of a queue, whose messages are of types.
func consumed(queue string, bodies ...types.Type) scan.Result {
	c := &scan.Consumer{Queue: scan.Queue{Name: scan.Text{Value: queue}, Declared: true}}
	for _, t := range bodies {
		c.Bodies = append(c.Bodies, scan.Body{Type: t, Format: "json"})
	}
	return scan.Result{Consumers: []*scan.Consumer{c}}
}

// structOf returns a named type of a package.
func structOf(path, pkg, name string) types.Type {
	in := types.NewPackage(path, pkg)
	obj := types.NewTypeName(0, in, name, nil)
	named := types.NewNamed(obj, types.NewStruct(nil, nil), nil)
	in.Scope().Insert(obj)
	return named
}

func TestSource_NamesWhatIsNotTaken(t *testing.T) {
	order := structOf("example.com/shop/orders", "orders", "Order")
	for _, c := range []struct {
		name     string
		declared []string
		result   scan.Result
		want     []string
	}{
		{"nothing is taken", nil, consumed("orders", order), []string{
			"func RegisterRoutes(r *runtime.Router)", `"example.com/shop/orders"`, "func onOrders(ctx context.Context, message orders.Order) error",
		}},
		{"the functions", []string{"RegisterRoutes", "RegisterRoutes2", "onOrders"}, consumed("orders", order), []string{
			"// RegisterRoutes3 registers", "call RegisterRoutes3 in its place", "func RegisterRoutes3(r", "runtime.Consume(onOrders2)", "func onOrders2(ctx",
		}},
		{"the package of a type", []string{"orders"}, consumed("orders", order), []string{
			`orders2 "example.com/shop/orders"`, "message orders2.Order",
		}},
		{"packages of one name", nil, consumed("orders", types.NewMap(order, structOf("example.com/old/orders", "orders", "Order"))), []string{
			"message map[orders.Order]orders2.Order", `orders2 "example.com/old/orders"`,
		}},
		{"names of the packages that handlers need", nil, consumed("failures", structOf("example.com/shop/errors", "errors", "Failure")), []string{
			`errors2 "example.com/shop/errors"`, "message errors2.Failure",
		}},
		{"a type of another program", nil, consumed("orders", structOf("example.com/other", "main", "Order")), []string{"message []byte"}},
		{"a type of the package", nil, consumed("orders", structOf("example.com/shop", "main", "order")), []string{"message order"}},
		{"a type that isn't exported", nil, consumed("orders", structOf("example.com/shop/orders", "orders", "order")), []string{"message []byte"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := c.result.Source(scan.Package{Name: "main", Path: "example.com/shop", Declared: c.declared})
			require.NoError(t, err)
			for _, want := range c.want {
				require.Contains(t, string(text), want)
			}
		})
	}
}

func TestSource_RefusesAPackageThatDeclaresWhatItImports(t *testing.T) {
	for _, name := range []string{"context", "errors", "runtime"} {
		_, err := consumed("orders").Source(scan.Package{Name: "shop", Declared: []string{name}})
		require.EqualError(t, err, "write the routes: package shop declares "+name+", and the routes need the package of that name: name a file in another folder")
	}
}

func TestSource_WritesTypesThatThePackageCanName(t *testing.T) {
	order, hidden := structOf("example.com/shop/orders", "orders", "Order"), structOf("example.com/shop/orders", "orders", "order")
	field := func(name string, t types.Type) types.Type {
		return types.NewStruct([]*types.Var{types.NewField(0, types.NewPackage("example.com/shop/orders", "orders"), name, t, false)}, nil)
	}
	event := func(of types.Type) types.Type {
		generic := structOf("example.com/shop/orders", "orders", "Event").(*types.Named)
		generic.SetTypeParams([]*types.TypeParam{types.NewTypeParam(types.NewTypeName(0, generic.Obj().Pkg(), "T", nil), types.Universe.Lookup("any").Type())})
		instance, err := types.Instantiate(nil, generic, []types.Type{of}, true)
		require.NoError(t, err)
		return instance
	}
	for _, c := range []struct {
		body types.Type
		want string // "" where it can't be named
	}{
		{types.NewPointer(order), "*orders.Order"},
		{types.NewPointer(hidden), ""},
		{types.NewSlice(order), "[]orders.Order"},
		{types.NewSlice(hidden), ""},
		{types.NewArray(order, 2), "[2]orders.Order"},
		{types.NewArray(hidden, 2), ""},
		{types.NewMap(types.Typ[types.String], order), "map[string]orders.Order"},
		{types.NewMap(types.Typ[types.String], hidden), ""},
		{types.NewMap(hidden, order), ""},
		{field("Order", order), "struct{ Order orders.Order }"},
		{field("Order", hidden), ""},
		{field("order", order), ""},
		{event(order), "orders.Event[orders.Order]"},
		{event(hidden), ""},
		{types.Typ[types.Float64], "float64"},
	} {
		text, err := consumed("orders", c.body).Source(scan.Package{Name: "main", Path: "example.com/shop"})
		require.NoError(t, err)
		if c.want == "" {
			c.want = "[]byte"
		}
		require.Contains(t, string(text), "message "+c.want+")", c.body)
	}
}

// boundBy returns a binding to a direct exchange.
func boundBy(exchange, key string) scan.Binding {
	return scan.Binding{Exchange: scan.Exchange{Name: scan.Text{Value: exchange}, Kind: scan.Text{Value: "direct"}}, Key: scan.Text{Value: key}}
}

func TestSource_KeepsTheKeysOfEachExchange(t *testing.T) {
	result := consumed("orders")
	result.Consumers[0].Bindings = []scan.Binding{boundBy("sales", "placed"), boundBy("returns", "returned"), boundBy("sales", "paid")}
	text, err := result.Source(scan.Package{Name: "main"})
	require.NoError(t, err)
	require.Contains(t, string(text), `Exchange:    &runtime.Exchange{Name: "sales", Type: "direct"},`)
	require.Contains(t, string(text), `RoutingKeys: []string{"placed", "paid"},`)
	require.Contains(t, string(text), `{Exchange: runtime.Exchange{Name: "returns", Type: "direct"}, RoutingKeys: []string{"returned"}}`)
}

// Only its own package can name a type of package main.
func TestLiterals_NameTypesOfMainWithoutIt(t *testing.T) {
	for body, want := range map[types.Type]string{
		structOf("example.com/shop", "main", "Order"):          "message Order)",
		structOf("example.com/shop/orders", "orders", "Order"): "message orders.Order)",
	} {
		all := consumed("orders", body).Literals(scan.Package{})
		require.Len(t, all, 1)
		require.Contains(t, all[0], want)
		require.True(t, strings.HasSuffix(all[0], "error\n"), all[0])
		require.True(t, strings.HasPrefix(all[0], "\truntime.Route{ // "), all[0])
		require.Contains(t, all[0], "\n\t\tName:    \"orders\"", "it is formatted")
	}
}

func TestSource_IsWhole(t *testing.T) {
	result := consumed("", structOf("example.com/shop/orders", "orders", "Order"))
	c := result.Consumers[0]
	c.Queue.Server, c.Queue.Arguments = true, map[string]any{"x-expires": int64(60000)}
	c.Bindings, c.Prefetch, c.AutoAck = []scan.Binding{boundBy("sales", "placed")}, 7, true
	c.Pos = token.Position{Filename: "main.go", Line: 3}
	text, err := result.Source(scan.Package{Name: "main", Path: "example.com/shop"})
	require.NoError(t, err)
	require.Equal(t, `package main

import (
	"context"
	"errors"

	"example.com/shop/orders"
	"github.com/warrenmq/warren/runtime"
)

// RegisterRoutes registers the routes that asyncapigen scan has found. Move the code of
// each consumer to the handler of its route, and call RegisterRoutes in its place.
func RegisterRoutes(r *runtime.Router) error {
	return r.Register(
		runtime.Route{ // main.go:3
			Name:        "sales",
			Queue:       runtime.Queue{Name: "sales", PerInstance: true, Arguments: map[string]any{"x-expires": 60000}},
			Exchange:    &runtime.Exchange{Name: "sales", Type: "direct"},
			RoutingKeys: []string{"placed"},
			Prefetch:    7,
			AckMode:     runtime.AckFirst,
			Handler:     runtime.Consume(onSales),
		},
	)
}

func onSales(ctx context.Context, message orders.Order) error {
	return errors.New("move the code of the consumer here from main.go:3")
}
`, string(text))
}

func TestResult_SaysWhichMessagesAreNotDescribed(t *testing.T) {
	order, bill := structOf("example.com/shop", "shop", "Order"), structOf("example.com/shop", "shop", "Bill")
	for _, c := range []struct {
		result scan.Result
		want   []string
	}{
		{consumed("orders", order), nil},
		{consumed("orders", order, bill), []string{"the document says nothing of these messages, which have several types: what tells them apart isn't known"}},
	} {
		routes, problems := c.result.Routes()
		require.Len(t, routes, 1)
		var texts []string
		for _, p := range problems {
			texts = append(texts, p.Text)
		}
		require.Equal(t, c.want, texts)
	}
}

func TestResult_RoutesAreThoseThatWarrenTakes(t *testing.T) {
	routes, problems := consumed(strings.Repeat("q", 256)).Routes()
	require.Empty(t, routes)
	require.Len(t, problems, 1)
	require.Contains(t, problems[0].Text, "this consumer isn't in the document: warren has no such route: ")
}

func TestResult_RoutesSendTheReplyThatIsKnown(t *testing.T) {
	result := consumed("orders")
	result.Consumers[0].Replies = true
	routes, _ := result.Routes()
	require.Equal(t, "[]uint8", routes[0].Result.String(), "of a reply of which nothing is known")
	result.Consumers[0].Reply = types.Typ[types.Int]
	routes, _ = result.Routes()
	require.Equal(t, types.Typ[types.Int], routes[0].Result)
}
