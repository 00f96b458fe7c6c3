package asyncapi_test

import (
	"context"
	"go/token"
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/specschema"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

func handle[T any]() runtime.Handler {
	return runtime.Consume(func(context.Context, T) error { return nil })
}

type broken struct{ Lines []brokenLine }

type brokenLine struct{ Done chan int }

func TestTypesWithoutJSONFormFail(t *testing.T) {
	_, err := asyncapi.Generate([]runtime.Route{route(func(r *runtime.Route) { r.Handler = handle[broken]() })}, nil)
	var problems *asyncapi.ProblemError
	require.ErrorAs(t, err, &problems)
	require.EqualError(t, err, `generate the AsyncAPI document: route "order.created": broken.Lines[].Done (chan int): `+
		`a chan has no JSON form: leave the field out by the tag json:"-"`)
	require.Equal(t, "broken.Lines[].Done", problems.Problems[0].Path)
}

func TestWarningsDontFail(t *testing.T) {
	document, problems, err := asyncapi.FromOperations([]asyncapi.Operation{{
		Name: "a", Queue: asyncapi.Queue{Name: "a"}, Payload: schema.Reflect(reflect.TypeFor[struct{ Err error }]()),
		Position: token.Position{Filename: "shop.go", Line: 3},
	}}, nil)
	require.NoError(t, err)
	require.NotNil(t, document)
	require.Len(t, problems, 1)
	require.Equal(t, schema.Warning, problems[0].Severity)
	require.Equal(t, "shop.go:3", problems[0].Position.String(), "the route's, where the type has none")
}

func TestRoutesThatHaveNoDocument(t *testing.T) {
	other := func(name string) runtime.Route {
		return route(func(r *runtime.Route) { r.Name, r.Queue.Name = name, "other" })
	}
	for name, c := range map[string]struct {
		routes []runtime.Route
		want   string
	}{
		"no handler": {
			[]runtime.Route{{Name: "a", Queue: runtime.Queue{Name: "q"}}},
			`route "a" of queue "q" has no handler: make one by runtime.Consume or runtime.Respond`,
		},
		"no name": {
			[]runtime.Route{route(func(r *runtime.Route) { r.Name, r.Handler = "", handle[Order]() })},
			`route "orders.created": it has no name: name the route`,
		},
		"no queue": {
			[]runtime.Route{route(func(r *runtime.Route) { r.Queue.Name = "" })},
			`route "order.created": its queue has no name: name the queue`,
		},
		"one name": {
			[]runtime.Route{route(), other("order.created")},
			`route "order.created": the operation id "order.created" is taken by another route: name the route otherwise`,
		},
		"name of a reply": {
			[]runtime.Route{route(responding), other("order.created.reply")},
			`route "order.created.reply": the operation id "order.created.reply" is taken by another route`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			document, err := asyncapi.Generate(c.routes, nil)
			require.ErrorContains(t, err, c.want)
			require.Nil(t, document)
		})
	}
}

func operationOn(name, queue string) asyncapi.Operation {
	return asyncapi.Operation{Name: name, Queue: asyncapi.Queue{Name: queue}}
}

func TestReplacedRoutesAreAWarning(t *testing.T) {
	_, problems, err := asyncapi.FromOperations([]asyncapi.Operation{operationOn("first", "q"), operationOn("second", "q")}, nil)
	require.NoError(t, err)
	require.Len(t, problems, 1)
	require.Equal(t, `route "second": it replaces route "first" in the document, because both consume queue "q": give each route a queue of its own`,
		problems[0].String())
}

// The names are those that the official parser was run on, and some more; the
// official schema has the same opinion of all but the last group.
func TestChannelNamesThatToolsRefuseAreAWarning(t *testing.T) {
	warned := func(t *testing.T, name string) (warnings int, valid bool) {
		t.Helper()
		document, problems, err := asyncapi.FromOperations([]asyncapi.Operation{operationOn("a", name)}, nil)
		require.NoError(t, err)
		text, err := document.JSON(-1)
		require.NoError(t, err)
		return len(problems), specschema.Validate(text) == nil
	}
	for _, name := range []string{
		"orders.created", "заказы.создан", "注文", "/leading", "a:b@c", "a,b;c", "a+b=c", "a[b]", "(a)!", "~0~1", "amq.gen-x", "100%25",
		"{tenant}.orders", "${x}", "{a,b}", "{+a.b%20,c*,d:12}", "a-{x}-{y}",
	} {
		warnings, valid := warned(t, name)
		require.Zero(t, warnings, name)
		require.True(t, valid, name)
	}
	for _, name := range []string{
		"a b", `a"b`, "a'b", "a<b", "a>b", "a|b", `a\b`, "a^b", "a`b", "100%", "%2", "%zz", "a{b", "a}b", "{}", "{a b}", "a\x7f",
		"{a:0}", "{a:12345}", "{a:}", "{a.}", "{,}", "{a*b}", "{a-b}", "{{a}}",
	} {
		warnings, valid := warned(t, name)
		require.Equal(t, 1, warnings, name)
		require.False(t, valid, name)
	}
	for _, name := range []string{"a#b", "a?b", "{?a}", "trailing/"} {
		warnings, valid := warned(t, name)
		require.Equal(t, 1, warnings, name)
		require.True(t, valid, name)
	}
}

func TestOperationsAreNotChanged(t *testing.T) {
	exchange := &asyncapi.Exchange{Name: "shop"}
	operations := []asyncapi.Operation{operationOn("a", "q")}
	operations[0].Tags, operations[0].Exchange = []string{"b", "a"}, exchange
	document, _, err := asyncapi.FromOperations(operations, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"b", "a"}, operations[0].Tags)
	document.Channels[0].Bindings.AMQP.Exchange.Name = "changed"
	require.Equal(t, "shop", exchange.Name)
}

func BenchmarkFromOperations(b *testing.B) {
	for _, n := range []int{10, 1000} {
		operations := make([]asyncapi.Operation, n)
		for i := range operations {
			operations[i] = operationOn("route"+strconv.Itoa(i), "queue"+strconv.Itoa(i))
			operations[i].Payload = schema.Reflect(reflect.TypeFor[Shipment]())
		}
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := asyncapi.FromOperations(operations, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
