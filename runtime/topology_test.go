package runtime_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

func nothing(context.Context, []byte) error { return nil }

func TestRegister_RefusesQueuesThatCantBe(t *testing.T) {
	x := &runtime.Exchange{Name: "x", Type: runtime.Direct}
	for name, c := range map[string]struct {
		route runtime.Route
		field string
	}{
		"said twice":               {runtime.Route{Queue: runtime.Queue{Name: "q", MaxLength: 1, Arguments: map[string]any{"x-max-length": 2}}}, "Queue.MaxLength"},
		"two types":                {runtime.Route{Queue: runtime.Queue{Name: "q", Type: runtime.Quorum, Durable: true, Arguments: map[string]any{"x-queue-type": "classic"}}}, "Queue.Type"},
		"a fraction":               {runtime.Route{Queue: runtime.Queue{Name: "q", MessageTTL: time.Microsecond}}, "Queue.MessageTTL"},
		"a negative limit":         {runtime.Route{Queue: runtime.Queue{Name: "q", MaxLength: -1}}, "Queue.MaxLength"},
		"an unknown overflow":      {runtime.Route{Queue: runtime.Queue{Name: "q", Overflow: "burst"}}, "Queue.Overflow"},
		"a stream's field":         {runtime.Route{Queue: runtime.Queue{Name: "q", MaxAge: time.Hour}}, "Queue.MaxAge"},
		"an instance that is kept": {runtime.Route{Exchange: x, Queue: runtime.Queue{Name: "q", PerInstance: true, Durable: true}}, "Queue.PerInstance"},
		"an instance out of reach": {runtime.Route{Queue: runtime.Queue{Name: "q", PerInstance: true}}, "Exchange"},
		"an instance's long name":  {runtime.Route{Exchange: x, Queue: runtime.Queue{Name: strings.Repeat("q", 240), PerInstance: true}}, "Queue.Name"},
		"sources alone":            {runtime.Route{Queue: runtime.Queue{Name: "q"}, Sources: []runtime.Source{{Exchange: *x}}}, "Sources"},
		"a source without a type":  {runtime.Route{Queue: runtime.Queue{Name: "q"}, Exchange: x, Sources: []runtime.Source{{Exchange: runtime.Exchange{Name: "y"}}}}, "Sources[0].Exchange.Type"},
		"a source in another way":  {runtime.Route{Queue: runtime.Queue{Name: "q"}, Exchange: x, Sources: []runtime.Source{{Exchange: runtime.Exchange{Name: "x", Type: runtime.Topic}}}}, "Sources[0].Exchange"},
		"bytes of a stream":        {runtime.Route{Queue: runtime.Queue{Name: "q", Type: runtime.Stream, Durable: true}, PrefetchBytes: 1}, "PrefetchBytes"},
		"two priorities":           {runtime.Route{Queue: runtime.Queue{Name: "q"}, ConsumerPriority: 1, ConsumerArguments: map[string]any{"x-priority": 2}}, "ConsumerPriority"},
		"a queue that ends itself": {runtime.Route{Queue: runtime.Queue{Name: "q", AutoDelete: true}, QueueDeletion: runtime.FailReadiness}, "QueueDeletion"},
		"too little prefetch":      {runtime.Route{Queue: runtime.Queue{Name: "q"}, Prefetch: 2, Concurrency: 3}, "Concurrency"},
	} {
		t.Run(name, func(t *testing.T) {
			c.route.Handler = runtime.Consume(nothing)
			var refused *runtime.RouteError
			require.ErrorAs(t, runtime.NewRouter().Register(c.route), &refused)
			require.Equal(t, c.field, refused.Field, refused.Fault)
		})
	}
}

func TestRoutes_HaveTheFieldsOfQueuesAsArguments(t *testing.T) {
	router := runtime.NewRouter()
	own := map[string]any{"x-max-length": uint8(7)}
	typed := runtime.Queue{Name: "q", Type: runtime.Quorum, Durable: true, MaxLength: 7, DeliveryLimit: -1, DeadLetter: &runtime.Address{RoutingKey: "dead"}, Arguments: own}
	router.MustRegister(runtime.Route{Name: "a", Queue: typed, Handler: runtime.Consume(nothing)})
	require.Len(t, own, 1, "the caller's map isn't changed")
	require.Equal(t, map[string]any{
		"x-queue-type": "quorum", "x-max-length": uint8(7), "x-delivery-limit": int64(-1),
		"x-dead-letter-exchange": "", "x-dead-letter-routing-key": "dead",
	}, router.Routes()[0].Queue.Arguments)
	untyped := runtime.Queue{Name: "q", Durable: true, Arguments: router.Routes()[0].Queue.Arguments}
	require.NoError(t, router.Register(runtime.Route{Name: "b", Queue: untyped, Handler: runtime.Consume(nothing)}), "declared alike")
}

func TestStream_HasNoAttemptsButTheFirst(t *testing.T) {
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q", Type: runtime.Stream, Durable: true}, Handler: runtime.Consume(nothing)})
	queues := router.Routes()[0].FailureQueues()
	require.Len(t, queues, 1)
	require.Equal(t, "q.dead", queues[0].Name)
}

func TestDeclare_RefusesAllOrNothing(t *testing.T) {
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{
		Name: "r", Queue: runtime.Queue{Name: "q"}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Direct}, Handler: runtime.Consume(nothing),
	})
	require.NoError(t, router.Declare(runtime.Topology{Queues: []runtime.Queue{{Name: "kept", Durable: true}}}))
	for name, c := range map[string]struct {
		topology runtime.Topology
		fault    string
	}{
		"a queue of a route":       {runtime.Topology{Queues: []runtime.Queue{{Name: "q", Durable: true}}}, `by route "r"`},
		"an exchange of a route":   {runtime.Topology{Exchanges: []runtime.Exchange{{Name: "x", Type: runtime.Topic}}}, `by route "r"`},
		"a queue of Declare":       {runtime.Topology{Queues: []runtime.Queue{{Name: "kept"}}}, "by Router.Declare"},
		"a queue twice":            {runtime.Topology{Queues: []runtime.Queue{{Name: "a"}, {Name: "a"}}}, "twice"},
		"a queue without a name":   {runtime.Topology{Queues: []runtime.Queue{{}}}, "Name"},
		"a queue of no length":     {runtime.Topology{Queues: []runtime.Queue{{Name: "a", MaxLength: -1}}}, `queue "a": MaxLength`},
		"a queue of each instance": {runtime.Topology{Queues: []runtime.Queue{{Name: "a", PerInstance: true}}}, "PerInstance"},
		"an exchange twice":        {runtime.Topology{Exchanges: []runtime.Exchange{{Name: "a", Type: runtime.Topic}, {Name: "a", Type: runtime.Topic}}}, "twice"},
		"an exchange without type": {runtime.Topology{Exchanges: []runtime.Exchange{{Name: "a"}}}, "Type"},
		"half a binding":           {runtime.Topology{Bindings: []runtime.Binding{{Queue: "q"}}}, "Exchange"},
		"half a binding to one":    {runtime.Topology{ExchangeBindings: []runtime.ExchangeBinding{{Source: "x"}}}, "Destination"},
		"a long key":               {runtime.Topology{Bindings: []runtime.Binding{{Queue: "q", Exchange: "x", RoutingKey: strings.Repeat("k", 256)}}}, "RoutingKey"},
	} {
		t.Run(name, func(t *testing.T) {
			c.topology.Queues = append([]runtime.Queue{{Name: "fine"}}, c.topology.Queues...)
			require.ErrorContains(t, router.Declare(c.topology), c.fault)
			require.Len(t, router.Topology().Queues, 1)
		})
	}
	require.ErrorContains(t, router.Register(runtime.Route{Name: "s", Queue: runtime.Queue{Name: "kept"}, Handler: runtime.Consume(nothing)}), "Router.Declare")
	require.NoError(t, router.Register(runtime.Route{Name: "s", Queue: runtime.Queue{Name: "kept", Durable: true}, Handler: runtime.Consume(nothing)}))
}

func TestTopology_IsACopy(t *testing.T) {
	router := runtime.NewRouter()
	arguments := map[string]any{"a": []byte("1")}
	given := runtime.Topology{Queues: []runtime.Queue{{Name: "q", Arguments: arguments}}}
	require.NoError(t, router.Declare(given))
	given.Queues[0].Name, arguments["a"].([]byte)[0] = "other", '2'
	require.Equal(t, "q", router.Topology().Queues[0].Name)
	require.Equal(t, []byte("1"), router.Topology().Queues[0].Arguments["a"])
	router.Topology().Queues[0].Arguments["a"] = nil
	require.Equal(t, []byte("1"), router.Topology().Queues[0].Arguments["a"])
}

func TestForInstance_ChangesTheNameAlone(t *testing.T) {
	router := runtime.NewRouter()
	router.MustRegister(
		runtime.Route{Name: "own", Queue: runtime.Queue{Name: "cache", PerInstance: true}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Fanout}, Handler: runtime.Consume(nothing)},
		runtime.Route{Name: "shared", Queue: runtime.Queue{Name: "q"}, Handler: runtime.Consume(nothing)},
	)
	routes := router.Routes()
	own := routes[0].ForInstance("i1")
	require.Equal(t, "cache.i1", own.Queue.Name)
	require.True(t, own.Queue.Exclusive && own.Queue.AutoDelete)
	require.Equal(t, "cache.i1", own.Bindings()[0].Queue)
	require.Equal(t, "cache.i2", own.ForInstance("i2").Queue.Name)
	require.Empty(t, own.FailureQueues())
	require.Equal(t, "cache", routes[0].Queue.Name)
	require.Equal(t, "q", routes[1].ForInstance("i1").Queue.Name)
}

func TestTopology_IsEmptyWithoutAnyPart(t *testing.T) {
	require.True(t, runtime.Topology{}.IsEmpty())
	for _, one := range []runtime.Topology{
		{Queues: make([]runtime.Queue, 1)},
		{Exchanges: make([]runtime.Exchange, 1)},
		{Bindings: make([]runtime.Binding, 1)},
		{ExchangeBindings: make([]runtime.ExchangeBinding, 1)},
	} {
		require.False(t, one.IsEmpty(), one)
	}
}
