package runtime_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

type order struct {
	ID    string `json:"id"`
	Items int    `json:"items,omitempty"`
}

type quote struct {
	Price int `json:"price"`
}

func onOrder(context.Context, order) error { return nil }

func quoteOrder(context.Context, order) (quote, error) { return quote{Price: 7}, nil }

// created is a route without fault, which has every field that can be shared.
func created() runtime.Route {
	return runtime.Route{
		Name:             "order.created",
		Tags:             []string{"orders", "stock"},
		Queue:            runtime.Queue{Name: "orders.created", Durable: true, Arguments: map[string]any{"x-max-length": 10}},
		Exchange:         &runtime.Exchange{Name: "shop", Type: runtime.Topic, Arguments: map[string]any{"alternate-exchange": "lost"}},
		RoutingKeys:      []string{"order.created"},
		BindingArguments: map[string]any{"kind": "order"},
		Handler:          runtime.Consume(onOrder),
	}
}

// quoted is a route without fault that answers its callers.
func quoted() runtime.Route {
	return runtime.Route{
		Name:    "quote",
		Queue:   runtime.Queue{Name: "quotes"},
		Handler: runtime.Respond(quoteOrder),
		Reply:   &runtime.Address{},
	}
}

func TestRegister_Refuses(t *testing.T) {
	long := strings.Repeat("n", 256)
	tests := []struct {
		rule  string
		fault func(*runtime.Route)
		want  string
	}{
		{
			"a route without a handler",
			func(r *runtime.Route) { r.Handler = runtime.Handler{} },
			`register route "order.created": Handler: is missing: make one by runtime.Consume or runtime.Respond`,
		},
		{
			"a handler of no function",
			func(r *runtime.Route) { r.Handler = runtime.Consume[order](nil) },
			`register route "order.created": Handler: is missing: make one by runtime.Consume or runtime.Respond`,
		},
		{
			"the zero route",
			func(r *runtime.Route) { *r = runtime.Route{} },
			`register a route without name and queue: Handler: is missing: make one by runtime.Consume or runtime.Respond`,
		},
		{
			"a route without a name",
			func(r *runtime.Route) {
				r.Name, r.Handler = "", runtime.Consume(func(context.Context, order) error { return nil })
			},
			`register route "orders.created": Name: is empty, and the handler is no declared function whose name could serve: name the route`,
		},
		{
			"a decorated handler without a name",
			func(r *runtime.Route) { r.Name, r.Handler = "", r.Handler.With() },
			`register route "orders.created": Name: is empty, and the handler is no declared function whose name could serve: name the route`,
		},
		{
			"key words without a wildcard",
			func(r *runtime.Route) { r.KeyWords = []string{"by"} },
			`register route "order.created": KeyWords: are 1 names, and the routing key "order.created" has 0 wildcards: name each of them`,
		},
		{
			"a key word for each of two patterns",
			func(r *runtime.Route) { r.RoutingKeys, r.KeyWords = []string{"a.*", "b.*"}, []string{"a", "b"} },
			`register route "order.created": KeyWords: name the wildcards of the only one of RoutingKeys, of a topic exchange: remove them, or the other keys`,
		},
		{
			"key words of a direct exchange",
			func(r *runtime.Route) {
				r.Exchange = &runtime.Exchange{Name: "d", Type: runtime.Direct}
				r.RoutingKeys, r.KeyWords = []string{"a.*"}, []string{"a"}
			},
			`register route "order.created": KeyWords: name the wildcards of the only one of RoutingKeys, of a topic exchange: remove them, or the other keys`,
		},
		{
			"a key word that is no identifier",
			func(r *runtime.Route) { r.RoutingKeys, r.KeyWords = []string{"a.*"}, []string{"the-word"} },
			`register route "order.created": KeyWords[0]: is "the-word", which isn't a Go identifier that can name a parameter: use letters and digits`,
		},
		{
			"a key word twice",
			func(r *runtime.Route) { r.RoutingKeys, r.KeyWords = []string{"*.*"}, []string{"a", "a"} },
			`register route "order.created": KeyWords[1]: is "a" again: give each word a name of its own`,
		},
		{
			"a queue without a name",
			func(r *runtime.Route) { r.Queue.Name = "" },
			`register route "order.created": Queue.Name: is empty: name the queue`,
		},
		{
			"a long route name",
			func(r *runtime.Route) { r.Name = long },
			`register route "` + long + `": Name: has 256 bytes, and AMQP allows 255: shorten it`,
		},
		{
			"a long queue name",
			func(r *runtime.Route) { r.Queue.Name = long },
			`register route "order.created": Queue.Name: has 256 bytes, and AMQP allows 255: shorten it`,
		},
		{
			"a long exchange name",
			func(r *runtime.Route) { r.Exchange.Name = long },
			`register route "order.created": Exchange.Name: has 256 bytes, and AMQP allows 255: shorten it`,
		},
		{
			"a long routing key",
			func(r *runtime.Route) { r.RoutingKeys = []string{"short", strings.Repeat("ü", 128)} },
			`register route "order.created": RoutingKeys[1]: has 256 bytes, and AMQP allows 255: shorten it`,
		},
		{
			"a long reply exchange",
			func(r *runtime.Route) { *r = quoted(); r.Reply.Exchange = long },
			`register route "quote": Reply.Exchange: has 256 bytes, and AMQP allows 255: shorten it`,
		},
		{
			"a long reply key",
			func(r *runtime.Route) { *r = quoted(); r.Reply.RoutingKey = long },
			`register route "quote": Reply.RoutingKey: has 256 bytes, and AMQP allows 255: shorten it`,
		},
		{
			"a name that is not UTF-8",
			func(r *runtime.Route) { r.Name = "order\xff" },
			`register route "order\xff": Name: "order\xff" is not valid UTF-8`,
		},
		{
			"a key that is not UTF-8",
			func(r *runtime.Route) { r.RoutingKeys = []string{"\xc3"} },
			`register route "order.created": RoutingKeys[0]: "\xc3" is not valid UTF-8`,
		},
		{
			"keys without an exchange",
			func(r *runtime.Route) { r.Exchange, r.BindingArguments = nil, nil },
			`register route "order.created": RoutingKeys: there is no Exchange to bind to: the default exchange routes by the queue's name alone`,
		},
		{
			"binding arguments without an exchange",
			func(r *runtime.Route) { r.Exchange, r.RoutingKeys = nil, nil },
			`register route "order.created": BindingArguments: there is no Exchange to bind to`,
		},
		{
			"an exchange without a name",
			func(r *runtime.Route) { r.Exchange.Name = "" },
			`register route "order.created": Exchange.Name: is empty: leave Exchange nil for the default exchange`,
		},
		{
			"an exchange without a type",
			func(r *runtime.Route) { r.Exchange.Type = "" },
			`register route "order.created": Exchange.Type: is empty: use runtime.Direct, Fanout, Topic, Headers or the name of a plugin's type`,
		},
		{
			"Consume with Reply",
			func(r *runtime.Route) { r.Reply = &runtime.Address{} },
			`register route "order.created": Reply: is set, but a Consume handler has no result: use runtime.Respond, or remove it`,
		},
		{
			"a name that is taken",
			func(r *runtime.Route) { r.Name = "taken" },
			`register route "taken": Name: is taken by the route of queue "taken.queue": names are unique`,
		},
		{
			"the name of a reply",
			func(r *runtime.Route) { r.Name = "ask.reply" },
			`register route "ask.reply": Name: clashes with route "ask": a route named "ask.reply" stands beside a reply of that name`,
		},
		{
			"a reply with the name of a route",
			func(r *runtime.Route) { *r = quoted(); r.Name = "old" },
			`register route "old": Name: clashes with route "old.reply": a route named "old.reply" stands beside a reply of that name`,
		},
		{
			"a queue declared in two ways",
			func(r *runtime.Route) { r.Queue = runtime.Queue{Name: "taken.queue", Durable: true} },
			`register route "order.created": Queue: "taken.queue" is declared in another way by route "taken": declare it once and use that value in both`,
		},
		{
			"a queue with other arguments",
			func(r *runtime.Route) {
				r.Queue = runtime.Queue{Name: "taken.queue", Arguments: map[string]any{"x-max-length": 1}}
			},
			`register route "order.created": Queue: "taken.queue" is declared in another way by route "taken": declare it once and use that value in both`,
		},
		{
			"an exchange declared in two ways",
			func(r *runtime.Route) { r.Exchange = &runtime.Exchange{Name: "news", Type: runtime.Topic} },
			`register route "order.created": Exchange: "news" is declared in another way by route "taken": declare it once and use that value in both`,
		},
		{
			"an exchange with other arguments",
			func(r *runtime.Route) {
				r.Exchange = &runtime.Exchange{Name: "news", Type: runtime.Fanout, Arguments: map[string]any{"x": 1}}
			},
			`register route "order.created": Exchange: "news" is declared in another way by route "taken": declare it once and use that value in both`,
		},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			router := routerOfThree(t)
			route := created()
			test.fault(&route)

			err := router.Register(route)

			require.EqualError(t, err, test.want)
			var refused *runtime.RouteError
			require.ErrorAs(t, err, &refused)
			require.Contains(t, test.want, refused.Field+": "+refused.Fault)
			require.Equal(t, []string{"taken", "ask", "old.reply"}, names(router))
		})
	}
}

// routerOfThree holds a route, a request with its reply, and a route whose name
// looks like a reply's.
func routerOfThree(t *testing.T) *runtime.Router {
	router := runtime.NewRouter()
	require.NoError(t, router.Register(
		runtime.Route{
			Name: "taken", Queue: runtime.Queue{Name: "taken.queue"},
			Exchange: &runtime.Exchange{Name: "news", Type: runtime.Fanout},
			Handler:  runtime.Consume(onOrder),
		},
		runtime.Route{Name: "ask", Queue: runtime.Queue{Name: "asked"}, Handler: runtime.Respond(quoteOrder), Reply: &runtime.Address{}},
		runtime.Route{Name: "old.reply", Queue: runtime.Queue{Name: "old"}, Handler: runtime.Consume(onOrder)},
	))
	return router
}

func names(router *runtime.Router) []string {
	all := []string{}
	for _, route := range router.Routes() {
		all = append(all, route.Name)
	}
	return all
}

func TestRegister_Accepts(t *testing.T) {
	tests := []struct {
		rule   string
		change func(*runtime.Route)
	}{
		{"a route without fault", func(*runtime.Route) {}},
		{"the default exchange", func(r *runtime.Route) { r.Exchange, r.RoutingKeys, r.BindingArguments = nil, nil, nil }},
		{"an exchange without keys", func(r *runtime.Route) { r.RoutingKeys = nil }},
		{"key words", func(r *runtime.Route) {
			r.RoutingKeys, r.KeyWords = []string{"order.*.#", "order.*.#"}, []string{"what", "rest"}
		}},
		{"the type of a plugin", func(r *runtime.Route) { r.Exchange.Type = "x-delayed-message" }},
		{"a name of 255 bytes", func(r *runtime.Route) {
			r.Queue.Name = strings.Repeat("q", 255)
			r.Failure = &runtime.FailurePolicy{Endless: true}
		}},
		{"a fixed reply address", func(r *runtime.Route) {
			r.Handler, r.Reply = runtime.Respond(quoteOrder), &runtime.Address{Exchange: "shop", RoutingKey: "quoted"}
		}},
		{"the name of a reply that there is not", func(r *runtime.Route) { r.Name = "taken.reply" }},
		{"the name of which a route has that of a reply", func(r *runtime.Route) { r.Name = "old" }},
		{"a second route of a queue for bytes", func(r *runtime.Route) {
			r.Queue, r.Handler = runtime.Queue{Name: "taken.queue"}, runtime.Consume(func(context.Context, []byte) error { return nil })
		}},
		{"a second route of a queue for any JSON", func(r *runtime.Route) {
			r.Queue, r.Handler = runtime.Queue{Name: "taken.queue"}, runtime.Consume(func(context.Context, json.RawMessage) error { return nil })
		}},
		{"a second route of an exchange", func(r *runtime.Route) {
			r.Exchange = &runtime.Exchange{Name: "news", Type: runtime.Fanout}
		}},
		{"an empty table for no table", func(r *runtime.Route) {
			r.Queue, r.Handler = runtime.Queue{Name: "taken.queue", Arguments: map[string]any{}}, runtime.Consume(func(context.Context, any) error { return nil })
			r.Exchange = &runtime.Exchange{Name: "news", Type: runtime.Fanout, Arguments: map[string]any{}}
		}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			router := routerOfThree(t)
			route := created()
			test.change(&route)

			require.NoError(t, router.Register(route))

			require.Equal(t, []string{"taken", "ask", "old.reply", route.Name}, names(router))
		})
	}
}

func TestRegister_RefusesContradictionsWithinOneCall(t *testing.T) {
	other := created()
	other.Name = "other"
	other.Queue.Durable = false

	err := runtime.NewRouter().Register(created(), other)

	require.EqualError(t, err, `register route "other": Queue: "orders.created" is declared in another way by route "order.created": `+
		`declare it once and use that value in both`)
}

// Each message of the queue would go to either of the two.
// A number beyond those of AMQP isn't another one of the same bits.
func TestRegister_ComparesNumbersByValue(t *testing.T) {
	for _, c := range []struct {
		one, other any
		same       bool
	}{
		{uint8(7), 7, true},
		{uint64(math.MaxInt64), int64(math.MaxInt64), true},
		{uint64(math.MaxInt64) + 1, int64(math.MinInt64), false},
		{7, "7", false},
		{nil, nil, true},
		{nil, 0, false},
	} {
		route := func(name string, value any) runtime.Route {
			return runtime.Route{
				Name: name, Queue: runtime.Queue{Name: name}, Handler: failing(nil),
				Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic, Arguments: map[string]any{"x-kind": value}},
			}
		}
		err := runtime.NewRouter().Register(route("a", c.one), route("b", c.other))
		require.Equal(t, c.same, err == nil, "%v and %v: %v", c.one, c.other, err)
	}
}

func TestRegister_RefusesTwoTypedRoutesOnOneQueue(t *testing.T) {
	router := routerOfThree(t)
	second := created()
	second.Queue = runtime.Queue{Name: "taken.queue"}
	raw := second
	raw.Name, raw.Handler = "raw", runtime.Consume(func(context.Context, []byte) error { return nil })

	require.EqualError(t, router.Register(second), `register route "order.created": Queue: "taken.queue" is consumed by route "taken", `+
		`and the broker gives each message to either of the two: give each route a queue of its own, bound by its own keys, `+
		`or make one route of them with a case of runtime.Dispatch for each`)
	require.NoError(t, router.Register(raw))
	require.Error(t, router.Register(second), "of all routes on the queue")
}

func TestRegister_AddsAllRoutesOrNone(t *testing.T) {
	router := routerOfThree(t)

	require.Error(t, router.Register(created(), quoted(), runtime.Route{}))

	require.Equal(t, []string{"taken", "ask", "old.reply"}, names(router))
}

// A refused call must leave no trace that a later one could clash with.
func TestRegister_ForgetsWhatItRefused(t *testing.T) {
	router := routerOfThree(t)
	require.Error(t, router.Register(created(), quoted(), runtime.Route{}))
	changed := created()
	changed.Queue.Durable = false
	changed.Exchange.Type = runtime.Direct
	reply := created()
	reply.Name, reply.Queue, reply.Exchange = "quote.reply", runtime.Queue{Name: "replies"}, changed.Exchange

	require.NoError(t, router.Register(changed, reply))

	require.Equal(t, []string{"taken", "ask", "old.reply", "order.created", "quote.reply"}, names(router))
}

// What stood before a refused call must stay known to later ones.
func TestRegister_KeepsRoutesAfterRefusals(t *testing.T) {
	router := routerOfThree(t)
	second := runtime.Route{
		Name: "second", Queue: runtime.Queue{Name: "taken.queue"},
		Exchange: &runtime.Exchange{Name: "news", Type: runtime.Fanout},
		Handler:  runtime.Consume(func(context.Context, []byte) error { return nil }),
	}
	typed := second
	typed.Handler = runtime.Consume(onOrder)
	require.Error(t, router.Register(second, runtime.Route{}))
	require.ErrorContains(t, router.Register(typed), `is consumed by route "taken"`)
	otherQueue, otherExchange, otherName := second, second, second
	otherQueue.Queue.Durable = true
	otherExchange.Exchange = &runtime.Exchange{Name: "news", Type: runtime.Direct}
	otherName.Name = "taken"

	require.ErrorContains(t, router.Register(otherQueue), `"taken.queue" is declared in another way by route "taken"`)
	require.ErrorContains(t, router.Register(otherExchange), `"news" is declared in another way by route "taken"`)
	require.ErrorContains(t, router.Register(otherName), `is taken by the route of queue "taken.queue"`)
}

func TestRegister_AcceptsNoRoutes(t *testing.T) {
	router := runtime.NewRouter()

	require.NoError(t, router.Register())

	require.Empty(t, router.Routes())
}

func TestRegister_TakesTheHandlersNameWhereTheRouteHasNone(t *testing.T) {
	route := created()
	route.Name = ""
	router := runtime.NewRouter()

	require.NoError(t, router.Register(route))

	require.Equal(t, []string{"onOrder"}, names(router))
}

func TestRegister_RepliesToTheCallerByDefault(t *testing.T) {
	route := quoted()
	route.Reply = nil
	router := runtime.NewRouter()
	require.NoError(t, router.Register(route))
	require.Equal(t, &runtime.Address{}, router.Routes()[0].Reply)
}
