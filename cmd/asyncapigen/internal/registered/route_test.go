package registered_test

import (
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/runtime"
)

func TestRoute_DeclaresTheQueuesOfItsOwnWay(t *testing.T) {
	route := registered.Route{
		Route: runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q", Durable: true}, Failure: &runtime.FailurePolicy{}},
		Body:  types.Typ[types.String],
	}
	require.Len(t, route.FailureQueues(), 5)
	route.Ordered = true
	require.Equal(t, []runtime.Queue{{Name: "q.dead", Durable: true}}, route.FailureQueues())
	require.False(t, route.Registrable().Order.IsZero())
	require.False(t, route.Ordering().Order.IsStrict())
	route.Strict = true
	require.True(t, route.Ordering().Order.IsStrict())
	route.Strict = false
	route.Ordered, route.AckMode = false, runtime.AckFirst
	require.Equal(t, []runtime.Queue{{Name: "q.dead", Durable: true}}, route.FailureQueues())
}

func TestRoute_IsRegistrableWithItsCases(t *testing.T) {
	route := registered.Route{
		Route: runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}},
		Cases: []registered.Case{
			{Name: "text", Body: types.Typ[types.String]},
			{Name: "number", Body: types.Typ[types.Int]},
			{Body: types.NewSlice(types.Typ[types.Byte]), Otherwise: true},
		},
	}
	_, route.DispatchedBy = runtime.DispatchByHeader("event").Cases()
	require.NoError(t, runtime.NewRouter().Register(route.Registrable()))
	cases, by := route.Registrable().Handler.Cases()
	require.Len(t, cases, 2)
	require.Equal(t, route.DispatchedBy, by)
	_, route.DispatchedBy = runtime.DispatchByKey().Cases()
	_, by = route.Registrable().Handler.Cases()
	require.True(t, by.IsKey())
	_, route.DispatchedBy = runtime.Dispatch().Cases()
	_, by = route.Registrable().Handler.Cases()
	require.False(t, by.IsKey())
	require.Equal(t, route.DispatchedBy, by)
	require.Equal(t, "string|int", route.BodyName())
	require.Equal(t, "-", route.ResultName())
	route.Cases[1].Name = "text"
	require.ErrorContains(t, runtime.NewRouter().Register(route.Registrable()), "two cases")
}

// The handler that does nothing is of the kind of the program's: a router asks for that.
func TestRoute_IsRegistrableWithAHandlerOfItsKind(t *testing.T) {
	text, bytes := types.Typ[types.String], types.NewSlice(types.Typ[types.Byte])
	batch := &registered.Batch{Size: 7, Wait: time.Second}
	for name, c := range map[string]struct {
		route   registered.Route
		body    reflect.Type
		result  bool
		batched int
	}{
		"a type":           {route: registered.Route{Body: text}, body: reflect.TypeFor[struct{}]()},
		"bytes":            {route: registered.Route{Body: bytes}, body: reflect.TypeFor[[]byte]()},
		"a reply":          {route: registered.Route{Body: text, Result: text}, body: reflect.TypeFor[struct{}](), result: true},
		"batches":          {route: registered.Route{Body: text, Batch: batch}, body: reflect.TypeFor[struct{}](), batched: 7},
		"batches of bytes": {route: registered.Route{Body: bytes, Batch: batch}, body: reflect.TypeFor[[]byte](), batched: 7},
	} {
		t.Run(name, func(t *testing.T) {
			made := c.route.Registrable().Handler
			require.Equal(t, c.body, made.BodyType())
			require.Equal(t, c.result, made.ReplyType() != nil)
			require.Equal(t, c.result, c.route.Replies())
			require.Equal(t, c.batched, made.BatchSize())
		})
	}
}

// named returns a type of bytes.
func named(path, name string) types.Type {
	object := types.NewTypeName(token.NoPos, types.NewPackage(path, "p"), name, nil)
	return types.NewNamed(object, types.NewSlice(types.Typ[types.Byte]), nil)
}

// A router takes json.RawMessage and any for bytes, and all other types for one of messages.
func TestRoute_IsRegistrableWithTheMessagesThatARouterSees(t *testing.T) {
	method := types.NewFunc(token.NoPos, nil, "ID", types.NewSignatureType(nil, nil, nil, nil, nil, false))
	for name, c := range map[string]struct {
		body  types.Type
		typed bool
	}{
		"json.RawMessage":         {named("encoding/json", "RawMessage"), false},
		"RawMessage of a service": {named("example.com/shop", "RawMessage"), true},
		"another type of json":    {named("encoding/json", "Number"), true},
		"error":                   {types.Universe.Lookup("error").Type(), true},
		"any":                     {types.NewInterfaceType(nil, nil), false},
		"a method":                {types.NewInterfaceType([]*types.Func{method}, nil).Complete(), true},
		"numbers":                 {types.NewSlice(types.Typ[types.Int]), true},
	} {
		want := reflect.TypeFor[[]byte]()
		if c.typed {
			want = reflect.TypeFor[struct{}]()
		}
		require.Equal(t, want, registered.Route{Body: c.body}.Registrable().Handler.BodyType(), name)
	}
}

// The queues of a policy that isn't known aren't refused for their names.
func TestRoute_IsRegistrableWithAPolicyThatIsNotKnown(t *testing.T) {
	route := registered.Route{
		Route: runtime.Route{Name: "r", Queue: runtime.Queue{Name: strings.Repeat("q", 255), Durable: true}},
		Body:  types.Typ[types.String], FailureUnknown: true,
	}
	require.NoError(t, runtime.NewRouter().Register(route.Registrable()))
}

func TestRoute_FailureIsKnownWhereAllThatDecidesItIs(t *testing.T) {
	require.True(t, registered.Route{UnknownArguments: []string{`Queue.Arguments "x-max-length"`, "BindingArguments", "Exchange.Arguments", "Sources[0].Exchange.Arguments"}}.FailureIsKnown())
	require.False(t, registered.Route{FailureUnknown: true}.FailureIsKnown())
	for _, argument := range []string{
		registered.TheOrder, registered.TheAckMode, "Queue.Arguments",
		`Queue.Arguments "x-queue-type"`, `Queue.Arguments "x-dead-letter-exchange"`, `Queue.Arguments "x-dead-letter-routing-key"`,
	} {
		require.False(t, registered.Route{UnknownArguments: []string{"BindingArguments", argument}}.FailureIsKnown(), argument)
	}
}

func TestRoute_RepliesIfItsCasesDo(t *testing.T) {
	text := types.Typ[types.String]
	one := registered.Route{Cases: []registered.Case{{Name: "a", Body: text, Result: types.Typ[types.Int]}}}
	require.True(t, one.Replies())
	require.Equal(t, "string", one.BodyName())
	require.Equal(t, "int", one.ResultName())
	one.Cases[0].Result = nil
	require.False(t, one.Replies())
	require.False(t, registered.Route{}.Replies())
}

// A router refuses batches in cases.
func TestRoute_IsRegistrableWithTheBatchesOfItsCases(t *testing.T) {
	for _, body := range []types.Type{types.Typ[types.String], types.NewSlice(types.Typ[types.Byte])} {
		route := registered.Route{
			Route: runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}},
			Cases: []registered.Case{{Name: "a", Body: body, Batch: &registered.Batch{Size: 7, Wait: time.Second}}},
		}
		require.ErrorContains(t, runtime.NewRouter().Register(route.Registrable()), "takes batches")
	}
}

func TestCodec_WritesWhatIsKnown(t *testing.T) {
	require.Equal(t, []string{"text/plain"}, registered.Codec{Writes: "text/plain"}.ContentTypes())
	require.Equal(t, []string{"application/octet-stream"}, registered.Codec{}.ContentTypes())
}

// One that is surely refused isn't one that may be.
func TestRoute_MayBeRefusedForWhatIsNotKnown(t *testing.T) {
	route := registered.Route{
		Route: runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Prefetch: 8, Concurrency: 9},
		Body:  types.Typ[types.String], UnknownSettings: []string{"prefetchBytes"},
	}
	require.False(t, route.MayBeRefused())
	route.UnknownSettings = []string{"concurrency"}
	route.Concurrency = 0
	require.True(t, route.MayBeRefused())
	route.UnknownSettings = nil
	require.False(t, route.MayBeRefused())

	route.Queue.MaxLength, route.UnknownArguments = 5, []string{`Queue.Arguments "x-expires"`}
	require.False(t, route.MayBeRefused())
	route.UnknownArguments = []string{`Queue.Arguments "x-max-length"`}
	require.True(t, route.MayBeRefused())
	route.UnknownArguments = []string{"Queue.Arguments"}
	require.True(t, route.MayBeRefused())
	require.Nil(t, route.Queue.Arguments, "the route stays as it is")
}

// Each setting is refused beside another one of the route, or for itself.
func TestRoute_MayBeRefusedForTheStrictestSetting(t *testing.T) {
	text := types.Typ[types.String]
	for setting, test := range map[string]struct{ refused, accepted func(*registered.Route) }{
		"acknowledges":  {func(*registered.Route) {}, nil},
		"arguments":     {func(r *registered.Route) { r.ConsumerPriority = 3 }, func(*registered.Route) {}},
		"concurrency":   {func(r *registered.Route) { r.Batch = &registered.Batch{Size: 2, Wait: time.Second} }, func(*registered.Route) {}},
		"order":         {func(r *registered.Route) { r.Concurrency = 2 }, func(*registered.Route) {}},
		"prefetch":      {func(r *registered.Route) { r.Concurrency = 2 }, func(r *registered.Route) { r.Concurrency = 1 }},
		"prefetchBytes": {func(r *registered.Route) { r.Ordered = true }, func(*registered.Route) {}},
		"timeout":       {func(r *registered.Route) { r.Batch = &registered.Batch{Size: 2, Wait: time.Second} }, func(*registered.Route) {}},
	} {
		of := func(change func(*registered.Route)) registered.Route {
			route := registered.Route{
				Route: runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}}, Body: text, UnknownSettings: []string{setting},
			}
			change(&route)
			return route
		}
		require.True(t, of(test.refused).MayBeRefused(), setting)
		if test.accepted != nil {
			require.False(t, of(test.accepted).MayBeRefused(), setting)
		}
	}
	require.True(t, registered.Route{FailureUnknown: true}.MayBeRefused())
	require.True(t, registered.Route{Batch: &registered.Batch{IsOpen: true}}.MayBeRefused())
	require.False(t, registered.Route{Batch: &registered.Batch{}}.MayBeRefused())
}

func TestRoute_MayBeRefusedForItsArguments(t *testing.T) {
	of := func(unknown ...string) registered.Route {
		return registered.Route{
			Route: runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}}, Body: types.Typ[types.String], UnknownArguments: unknown,
		}
	}
	require.True(t, of("BindingArguments").MayBeRefused(), "there is no exchange to bind to")
	bytes := of(`Queue.Arguments "x-single-active-consumer"`)
	require.False(t, bytes.MayBeRefused())
	bytes.PrefetchBytes = 1
	require.True(t, bytes.MayBeRefused())

	shop := of("BindingArguments")
	shop.Exchange = &runtime.Exchange{Name: "shop", Type: runtime.Topic}
	shop.Sources = []runtime.Source{{Exchange: *shop.Exchange}}
	require.False(t, shop.MayBeRefused())
	shop.UnknownArguments = []string{"Exchange.Arguments"}
	require.True(t, shop.MayBeRefused(), "it may be declared in two ways")
	shop.Exchange.Name = "other"
	require.False(t, shop.MayBeRefused())
	shop.Exchange.Type, shop.RoutingKeys, shop.KeyWords = "x-delayed-message", []string{"a.*"}, []string{"id"}
	require.True(t, shop.MayBeRefused(), "of a direct exchange a key has no words")
	require.Nil(t, shop.Exchange.Arguments, "the route stays as it is")
	shop.UnknownArguments = []string{`Exchange.Arguments "x"`}
	shop.Exchange.Arguments = map[string]any{"x-delayed-type": "topic"}
	require.False(t, shop.MayBeRefused())
}

func TestRoute_DeclaresWhatItNames(t *testing.T) {
	route := registered.Route{Route: runtime.Route{Queue: runtime.Queue{Name: "q"}}}
	names, open := route.Declares()
	require.Equal(t, []registered.Name{{Of: "queue", Name: "q"}}, names)
	require.Empty(t, open)

	route.Exchange = &runtime.Exchange{Name: "shop"}
	route.Sources = []runtime.Source{{Exchange: runtime.Exchange{Name: "legacy"}}, {Exchange: runtime.Exchange{Name: "audit"}}}
	route.UnknownArguments = []string{`Exchange.Arguments "x"`, "Sources[1].Exchange.Arguments"}
	names, open = route.Declares()
	require.Equal(t, []registered.Name{{Of: "queue", Name: "q"}, {Of: "exchange", Name: "shop"}, {Of: "exchange", Name: "legacy"}, {Of: "exchange", Name: "audit"}}, names)
	require.Equal(t, []registered.Name{{Of: "exchange", Name: "shop"}, {Of: "exchange", Name: "audit"}}, open)
}
