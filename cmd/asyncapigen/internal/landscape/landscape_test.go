package landscape_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/landscape"
	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/asyncapi/asyncapi3"
	"github.com/warrenmq/warren/runtime/memory"
)

type order struct {
	ID string `json:"id"`
}

// document is what asyncapigen writes of a service.
func document(t *testing.T, title string, routes []runtime.Route, sends ...contract.Send) *difference.Document {
	t.Helper()
	return declaring(t, title, runtime.Topology{}, routes, sends...)
}

// declaring is what asyncapigen writes of a service that declares more than its routes
// need.
func declaring(t *testing.T, title string, beside runtime.Topology, routes []runtime.Route, sends ...contract.Send) *difference.Document {
	t.Helper()
	made, err := asyncapi.NewContract(routes, asyncapi.Extended)
	require.NoError(t, err)
	operations := make([]contract.Operation, len(made.Channels))
	for i, channel := range made.Channels {
		operations[i] = channel.Operation
	}
	return written(t, title, beside, operations, sends...)
}

// written is the document of operations.
func written(t *testing.T, title string, beside runtime.Topology, operations []contract.Operation, sends ...contract.Send) *difference.Document {
	t.Helper()
	full, problems := contract.New(operations, schema.Options{}, sends...)
	require.False(t, problems.HasErrors(), problems)
	full.Declared = beside
	text, err := asyncapi3.FromContract(full, &asyncapi.Config{Title: title}).JSON(2)
	require.NoError(t, err)
	return read(t, title+".json", string(text))
}

// extended returns the extended document of an operation.
func extended(t *testing.T, title string, operation contract.Operation) *difference.Document {
	t.Helper()
	full, problems := contract.New([]contract.Operation{operation}, schema.Options{})
	require.False(t, problems.HasErrors(), problems)
	text, err := asyncapi.ExtendedFromContract(full, &asyncapi.Config{Title: title}).JSON(2)
	require.NoError(t, err)
	return read(t, title+".json", string(text))
}

func read(t *testing.T, name, text string) *difference.Document {
	t.Helper()
	d, err := difference.Read(name, []byte(text), difference.ByShape)
	require.NoError(t, err)
	require.NoError(t, d.Problem())
	return d
}

func send[T any](endpoint runtime.Endpoint) contract.Send {
	return contract.Send{Endpoint: endpoint, Payload: schema.Reflect(reflect.TypeFor[T]())}
}

func consume[T any](context.Context, T) error { return nil }

// The broker in memory, which routes as RabbitMQ does, says to which queues a message
// goes.
func TestNew_FollowsTheBroker(t *testing.T) {
	exchanges := map[string]runtime.Exchange{}
	for _, kind := range []runtime.ExchangeType{runtime.Direct, runtime.Fanout, runtime.Topic, runtime.Headers} {
		exchanges[string(kind)] = runtime.Exchange{Name: "of." + string(kind), Type: kind}
	}
	var routes []runtime.Route
	add := func(kind string, keys []string, arguments map[string]any) {
		name, exchange := fmt.Sprintf("%s.%d", kind, len(routes)), exchanges[kind]
		routes = append(routes, runtime.Route{
			Name: name, Queue: runtime.Queue{Name: name}, Exchange: &exchange, RoutingKeys: keys, BindingArguments: arguments,
			Handler: runtime.Consume(consume[order]),
		})
	}
	for _, keys := range [][]string{nil, {"a"}, {"a.b"}, {"a.*"}, {"#"}, {"a.#.c", "x"}} {
		for _, kind := range []string{"direct", "fanout", "topic"} {
			add(kind, keys, nil)
		}
	}
	for _, arguments := range []map[string]any{
		{"x-match": "all", "kind": "new", "n": int64(1)},
		{"x-match": "any", "kind": "new", "n": int64(1)},
		{"kind": "old"},
		{},
		{"kind": nil},
		{"x-match": "any", "kind": nil, "n": int64(1)},
		{"x-match": "all-with-x", "x-kind": "new"},
	} {
		add("headers", nil, arguments)
	}
	headers := []map[string]any{nil, {"kind": "new"}, {"kind": "new", "n": int64(1)}, {"kind": "old"}}
	for _, exchange := range []string{"", "direct", "fanout", "topic", "headers"} {
		for _, key := range []string{"", "a", "a.b", "a.b.c", "x", "direct.0", "topic.2"} {
			for i, table := range headers {
				to := runtime.Endpoint{Route: "sent", To: runtime.Address{Exchange: exchanges[exchange].Name, RoutingKey: key}, Headers: table}
				if exchange == "" && key == "" || exchange != "headers" && i > 0 {
					continue
				}
				certain, possible := make(map[string]bool), make(map[string]bool)
				for _, f := range landscape.New([]*difference.Document{document(t, "Receiver", routes), document(t, "Sender", nil, send[order](to))}).Flows {
					possible[f.Queue] = true
					if f.Undecided == "" {
						certain[f.Queue] = true
					}
				}
				if exchange != "headers" {
					require.Equal(t, possible, certain)
					require.Equal(t, reached(t, routes, to), certain, "%+v", to)
					continue
				}
				for _, options := range [][]runtime.SendOption{
					nil, {runtime.WithHeader("kind", "new")}, {runtime.WithHeader("kind", "old")}, {runtime.WithHeader("n", "1")}, {runtime.WithHeader("x-kind", "new")},
				} { // which aren't in the document
					queues := reached(t, routes, to, options...)
					require.Subset(t, queues, certain, "%+v", to)
					require.Subset(t, possible, queues, "%+v", to)
				}
			}
		}
	}
}

func TestNew_LeavesHeadersToTheSender(t *testing.T) {
	receiver := func(arguments map[string]any) *difference.Document {
		return document(t, "B", []runtime.Route{{
			Name: "q", Queue: runtime.Queue{Name: "q"}, Handler: runtime.Consume(consume[order]),
			Exchange: &runtime.Exchange{Name: "x", Type: runtime.Headers}, BindingArguments: arguments,
		}})
	}
	for name, sent := range map[string]map[string]any{"none": nil, "that of the binding": {"kind": "1"}, "another": {"kind": "2"}} {
		sender := document(t, "A", nil, send[order](runtime.Endpoint{Route: "q", To: runtime.Address{Exchange: "x"}, Headers: sent}))
		require.Equal(t, []string{
			"message: A/q.send to B/q [q] perhaps", "not-handled: A/q.send perhaps", "not-sent: B/q perhaps",
		}, found(sender, receiver(map[string]any{"kind": "1"})), name)
		certain := []string{"message: A/q.send to B/q [q]"}
		require.Equal(t, certain, found(sender, receiver(map[string]any{"x-match": "all"})), name)
		if sent != nil { // options replace a header, and don't remove it
			require.Equal(t, certain, found(sender, receiver(map[string]any{"kind": nil})), name)
			require.Equal(t, certain, found(sender, receiver(map[string]any{"x-match": "any", "kind": nil, "n": "1"})), name)
		}
	}
}

// reached sends a message, and returns the queues in which it then is.
func reached(t *testing.T, routes []runtime.Route, to runtime.Endpoint, options ...runtime.SendOption) map[string]bool {
	t.Helper()
	return reachedBy(t, runtime.Topology{}, routes, to, options...)
}

// reachedBy does so on a broker on which more is declared.
func reachedBy(t *testing.T, beside runtime.Topology, routes []runtime.Route, to runtime.Endpoint, options ...runtime.SendOption) map[string]bool {
	t.Helper()
	server := new(memory.Server)
	declaring := memory.New(memory.Config{Server: server})
	router := runtime.NewRouter()
	require.NoError(t, router.Register(routes...))
	require.NoError(t, router.Declare(beside))
	require.NoError(t, declaring.Start(t.Context(), router))
	require.NoError(t, declaring.Shutdown(t.Context()))
	sending := memory.New(memory.Config{Server: server})
	require.NoError(t, sending.Start(t.Context(), runtime.NewRouter()))
	_ = runtime.NewPublisher[order](sending, to).Publish(t.Context(), order{}, options...) // an error where no queue is reached
	require.NoError(t, sending.Shutdown(t.Context()))
	queues := make(map[string]bool)
	for _, route := range routes {
		held, found := server.Queue(route.Queue.Name)
		require.True(t, found)
		if len(held.Ready) > 0 {
			queues[route.Queue.Name] = true
		}
	}
	return queues
}

func respond[T, R any]() runtime.Handler {
	return runtime.Respond(func(context.Context, T) (R, error) { var none R; return none, nil })
}

func call[T, R any](endpoint runtime.Endpoint) contract.Send {
	s := send[T](endpoint)
	s.Result = schema.Reflect(reflect.TypeFor[R]())
	return s
}

func toQueue(name, kind string, headers map[string]any) runtime.Endpoint {
	return runtime.Endpoint{Route: name, To: runtime.Address{RoutingKey: name}, Type: kind, Headers: headers}
}

// found is what a map has, a line each.
func found(documents ...*difference.Document) []string {
	lines := []string{}
	m := landscape.New(documents)
	for _, f := range m.Flows {
		mark := map[bool]string{true: " perhaps"}[f.Undecided != ""]
		lines = append(lines, fmt.Sprintf("%s: %s/%s to %s/%s %v%s", f.Kind, f.From.Service, f.From.Operation, f.To.Service, f.To.Operation, f.Messages, mark))
		for _, d := range f.Disagreements {
			lines = append(lines, fmt.Sprintf("  %s %s %s", d.Severity, d.ID, d.Example))
		}
	}
	for _, f := range m.Findings {
		mark := map[bool]string{true: " perhaps"}[f.Undecided]
		lines = append(lines, fmt.Sprintf("%s: %s/%s%s", f.ID, f.At.Service, f.At.Operation, mark))
	}
	return lines
}

func TestNew_JoinsRepliesToThoseWhoWait(t *testing.T) {
	asked := func(handler runtime.Handler, reply *runtime.Address) *difference.Document {
		return document(t, "B", []runtime.Route{{Name: "ask", Queue: runtime.Queue{Name: "ask"}, Handler: handler, Reply: reply}})
	}
	caller := document(t, "A", nil, call[order, int](toQueue("ask", "", nil)))
	there := "message: A/ask.send to B/ask [ask]"
	require.Equal(t, []string{there, "reply: B/ask to A/ask.send [ask.response]"}, found(caller, asked(respond[order, int](), nil)))
	require.Equal(t, []string{
		there, "reply: B/ask to A/ask.send [ask.response]", `  breaking schema-type-changed "a"`, "disagreement: B/ask",
	}, found(caller, asked(respond[order, string](), nil)))
	require.Equal(t, []string{there, "not-answered: A/ask.send"}, found(caller, asked(runtime.Consume(consume[order]), nil)))
	elsewhere := &runtime.Address{RoutingKey: "answers"}
	require.Equal(t, []string{there, "not-answered: A/ask.send", "not-handled: B/ask"}, found(caller, asked(respond[order, int](), elsewhere)))
	answers := document(t, "C", []runtime.Route{{Name: "answered", Queue: runtime.Queue{Name: "answers"}, Handler: runtime.Consume(consume[int])}})
	require.Equal(t, []string{
		there, "reply: B/ask to C/answered [ask.response]", "not-answered: A/ask.send",
	}, found(caller, asked(respond[order, int](), elsewhere), answers))
}

func TestNew_JoinsTheReplyOfTheCase(t *testing.T) {
	answering := document(t, "B", []runtime.Route{{Name: "ask", Queue: runtime.Queue{Name: "ask"}, Handler: runtime.Dispatch(
		runtime.On("of.order", respond[order, int]()), runtime.On("of.price", respond[int, string]()),
	)}})
	require.Equal(t, []string{
		"message: A/ask.send to B/ask [of.order]", "reply: B/ask to A/ask.send [of.order.response]",
	}, found(document(t, "A", nil, call[order, int](toQueue("ask", "of.order", nil))), answering))
}

// Documents of AsyncAPI 2 have the address of a reply as well.
func TestNew_ReadsAddressesOfReplies(t *testing.T) {
	route := runtime.Route{Name: "ask", Queue: runtime.Queue{Name: "ask"}, Handler: respond[order, int](), Reply: &runtime.Address{RoutingKey: "answers"}}
	text, err := asyncapi.GenerateJSON([]runtime.Route{route}, &asyncapi.Config{Title: "B"}, 2, asyncapi.Extended)
	require.NoError(t, err)
	answers := document(t, "C", []runtime.Route{{Name: "answered", Queue: runtime.Queue{Name: "answers"}, Handler: runtime.Consume(consume[int])}})
	require.Contains(t, found(read(t, "b.json", string(text)), answers), "reply: B/ask to C/answered [ask.response]")
}

// What a service can't handle goes to its queue of dead letters, which another one may read.
func TestNew_FollowsDeadLetters(t *testing.T) {
	route := func(queue string, failure *runtime.FailurePolicy) []runtime.Route {
		return []runtime.Route{{Name: queue, Queue: runtime.Queue{Name: queue, Durable: true}, Handler: runtime.Consume(consume[order]), Failure: failure}}
	}
	failing := document(t, "A", route("orders", &runtime.FailurePolicy{}))
	l := landscape.New([]*difference.Document{failing, document(t, "B", route("orders.dead", nil))})
	require.Len(t, l.Flows, 1)
	require.Equal(t, landscape.DeadLetter, l.Flows[0].Kind)
	require.Equal(t, "orders.dead", l.Flows[0].Queue)
	require.Equal(t, "A", l.Flows[0].From.Service)
	require.Equal(t, "B", l.Flows[0].To.Service)
	require.Empty(t, landscape.New([]*difference.Document{failing}).Flows)
	other := []runtime.Route{{Name: "dead", Queue: runtime.Queue{Name: "orders.dead", Durable: true}, Handler: runtime.Consume(consume[int])}}
	require.Equal(t, []string{
		"dead-letter: A/orders to B/dead [orders]", "not-sent: A/orders",
	}, found(failing, document(t, "B", other)), "for people, whatever the handler makes of them")
}

func TestNew_DescribesWhatAServiceReceives(t *testing.T) {
	l := landscape.New([]*difference.Document{document(t, "A", []runtime.Route{
		{Name: "work", Queue: runtime.Queue{Name: "work"}, Handler: runtime.Consume(consume[order])},
		{
			Name: "events", Queue: runtime.Queue{Name: "events"}, Handler: runtime.Consume(consume[order]),
			Exchange: &runtime.Exchange{Name: "shop", Type: runtime.Topic}, RoutingKeys: []string{"order.placed", "order.paid"},
			Sources: []runtime.Source{{Exchange: runtime.Exchange{Name: "returns", Type: runtime.Direct}, RoutingKeys: []string{"order"}}},
		},
	})})
	require.Len(t, l.Services, 1)
	require.Equal(t, []landscape.Operation{
		{Name: "work", Action: "receive", Queue: "work", Messages: []string{"work"}},
		{Name: "events", Action: "receive", Queue: "events", Exchange: "shop", Keys: []string{"order.placed", "order.paid"}, Messages: []string{"events"}},
	}, l.Services[0].Operations)
}

// Beside what it sends of its own accord, replies and dead letters are no operations.
func TestNew_DescribesWhatAServiceSends(t *testing.T) {
	route := runtime.Route{Name: "ask", Queue: runtime.Queue{Name: "ask"}, Handler: respond[order, int](), Failure: &runtime.FailurePolicy{}}
	l := landscape.New([]*difference.Document{document(t, "A", []runtime.Route{route},
		send[order](runtime.Endpoint{Route: "event", To: runtime.Address{Exchange: "shop", RoutingKey: "order.placed"}}),
		send[order](runtime.Endpoint{Route: "all", To: runtime.Address{Exchange: "all"}}),
		send[order](runtime.Endpoint{Route: "work", To: runtime.Address{RoutingKey: "work"}}),
	)})
	require.Len(t, l.Services, 1)
	require.Equal(t, "A.json", l.Services[0].Document)
	require.False(t, l.Services[0].HidesSends)
	operations := map[string]landscape.Operation{}
	for _, o := range l.Services[0].Operations {
		o.Messages = nil
		operations[o.Name] = o
	}
	require.Equal(t, map[string]landscape.Operation{
		"ask":        {Name: "ask", Action: "receive", Queue: "ask"},
		"event.send": {Name: "event.send", Action: "send", Exchange: "shop", Keys: []string{"order.placed"}},
		"all.send":   {Name: "all.send", Action: "send", Exchange: "all", Keys: []string{}},
		"work.send":  {Name: "work.send", Action: "send", Queue: "work"},
	}, operations)
}

// Documents of AsyncAPI 2.6.0 that asyncapigen writes don't say what is sent.
func TestNew_DoesNotKnowWhoSendsWhereOneDocumentHidesIt(t *testing.T) {
	text, err := asyncapi.GenerateJSON([]runtime.Route{{Name: "other", Queue: runtime.Queue{Name: "other"}, Handler: runtime.Consume(consume[order])}}, &asyncapi.Config{Title: "Hiding"}, 2, asyncapi.Extended)
	require.NoError(t, err)
	hiding := read(t, "hiding.json", string(text))
	receiver := document(t, "B", []runtime.Route{{Name: "q", Queue: runtime.Queue{Name: "q"}, Handler: runtime.Consume(consume[order])}})
	l := landscape.New([]*difference.Document{hiding, receiver})
	require.True(t, l.Services[0].HidesSends)
	require.False(t, l.Services[1].HidesSends)
	require.Len(t, l.Findings, 2)
	for _, f := range l.Findings {
		require.True(t, f.Undecided)
		require.Equal(t, "no service of these sends to it, or it isn't known: AsyncAPI 2.6.0 has no place for what Hiding sends", f.What)
	}
}

// Two services of one title are told apart by their documents, and no others are.
func TestNew_NamesServicesOfOneTitleByTheirDocuments(t *testing.T) {
	of := func(name, title string) *difference.Document {
		return read(t, name, fmt.Sprintf(`{"asyncapi":"3.0.0","info":{"title":%q,"version":"1"}}`, title))
	}
	l := landscape.New([]*difference.Document{of("one.json", "Shop"), of("two.json", "Shop"), of("bank.json", "Bank")})
	var names []string
	for _, s := range l.Services {
		names = append(names, s.Name)
	}
	require.ElementsMatch(t, []string{"Shop (one.json)", "Shop (two.json)", "Bank"}, names)
}

// A document may have no server, and a channel the queue that it doesn't mean.
func TestNew_ReadsWhatOthersLeaveOpen(t *testing.T) {
	l := landscape.New([]*difference.Document{read(t, "open.yaml", `
asyncapi: 3.0.0
info: {title: Open, version: "1"}
servers: {}
channels:
  made:
    address: order.made
    messages: {made: {payload: {type: object}}}
    bindings: {amqp: {is: routingKey, queue: {name: unused}, exchange: {name: shop, type: topic}}}
operations:
  take: {action: receive, channel: {$ref: '#/channels/made'}}
`)})
	require.Empty(t, l.Services[0].Server)
	require.Equal(t, []landscape.Operation{{Name: "take", Action: "receive", Exchange: "shop", Keys: []string{"order.made"}, Messages: []string{"made"}}}, l.Services[0].Operations)
}

func TestNew_TakesTheCaseThatIsMeant(t *testing.T) {
	cases := []runtime.Case{runtime.On("new.order", runtime.Consume(consume[order])), runtime.On("new.price", runtime.Consume(consume[int]))}
	handler := func(of runtime.Handler) *difference.Document {
		return document(t, "B", []runtime.Route{{
			Name: "q", Queue: runtime.Queue{Name: "q"}, Handler: of,
			Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic}, RoutingKeys: []string{"new.*"},
		}})
	}
	flow := "message: A/q.send to B/q [%s]"
	type expected map[string][]string
	for name, c := range map[string]struct {
		handler runtime.Handler
		cases   expected
		to      func(name string) runtime.Endpoint
	}{
		"by type": {runtime.Dispatch(cases...), expected{
			"new.order": {fmt.Sprintf(flow, "new.order")},
			"new.price": {fmt.Sprintf(flow, "new.price"), `  breaking schema-type-changed {"id":"a"}`, "disagreement: A/q.send"},
			"other":     {"not-handled: A/q.send perhaps", "not-sent: B/q perhaps"},
			"":          {fmt.Sprintf(flow, "q") + " perhaps", "not-handled: A/q.send perhaps", "not-sent: B/q perhaps"}, // an option may set it
		}, func(name string) runtime.Endpoint { return toQueue("q", name, nil) }},
		"by type, of one case": {runtime.Dispatch(cases[0]), expected{
			"new.order": {fmt.Sprintf(flow, "new.order")},
			"other":     {"not-handled: A/q.send perhaps", "not-sent: B/q perhaps"},
		}, func(name string) runtime.Endpoint { return toQueue("q", name, nil) }},
		"by header, of one case": {runtime.DispatchByHeader("event", cases[0]), expected{
			"new.order": {fmt.Sprintf(flow, "q") + " perhaps", "not-handled: A/q.send perhaps", "not-sent: B/q perhaps"}, // an option may replace it
			"other":     {"not-handled: A/q.send perhaps", "not-sent: B/q perhaps"},
		}, func(name string) runtime.Endpoint { return toQueue("q", "", map[string]any{"event": name}) }},
		"by key, of one case": {runtime.DispatchByKey(cases[0]), expected{
			"new.order": {fmt.Sprintf(flow, "q")},
			"new.other": {"not-handled: A/q.send perhaps", "not-sent: B/q perhaps"},
		}, func(name string) runtime.Endpoint {
			return runtime.Endpoint{Route: "q", To: runtime.Address{Exchange: "x", RoutingKey: name}}
		}},
		"by header": {runtime.DispatchByHeader("event", cases...), expected{
			"new.order": {fmt.Sprintf(flow, "q") + " perhaps", "not-handled: A/q.send perhaps", "not-sent: B/q perhaps"}, // an option may replace it
			"other":     {"not-handled: A/q.send perhaps", "not-sent: B/q perhaps"},
		}, func(name string) runtime.Endpoint { return toQueue("q", "", map[string]any{"event": name}) }},
		"by a header that isn't known": {runtime.DispatchByHeader("event", cases...), expected{
			"": {fmt.Sprintf(flow, "q") + " perhaps", "not-handled: A/q.send perhaps", "not-sent: B/q perhaps"},
		}, func(string) runtime.Endpoint { return toQueue("q", "", nil) }},
		"by key": {runtime.DispatchByKey(cases...), expected{
			"new.order": {fmt.Sprintf(flow, "q")},
			"new.other": {"not-handled: A/q.send perhaps", "not-sent: B/q perhaps"},
		}, func(name string) runtime.Endpoint {
			return runtime.Endpoint{Route: "q", To: runtime.Address{Exchange: "x", RoutingKey: name}}
		}},
	} {
		for kind, want := range c.cases {
			require.Equal(t, want, found(document(t, "A", nil, send[order](c.to(kind))), handler(c.handler)), "%s %s", name, kind)
		}
	}
}

// The exchange doesn't compare it, since its name begins with "x-": it routes messages
// whose header the sender's options replace.
func TestNew_LeavesAHeaderThatIsNotComparedToTheHandler(t *testing.T) {
	receiver := document(t, "B", []runtime.Route{{
		Name: "q", Queue: runtime.Queue{Name: "q"}, Handler: runtime.DispatchByHeader("x-event", runtime.On("new", runtime.Consume(consume[order]))),
		Exchange: &runtime.Exchange{Name: "x", Type: runtime.Headers}, BindingArguments: map[string]any{"x-match": "all", "x-event": "new"},
	}})
	sender := document(t, "A", nil, send[order](runtime.Endpoint{Route: "new", To: runtime.Address{Exchange: "x"}, Headers: map[string]any{"x-event": "new"}}))
	require.Equal(t, []string{"message: A/new.send to B/q [new] perhaps", "not-handled: A/new.send perhaps", "not-sent: B/q perhaps"}, found(sender, receiver))
}

func TestNew_FollowsAlternateExchanges(t *testing.T) {
	route := func(queue, exchange string, kind runtime.ExchangeType, alternate string, keys ...string) runtime.Route {
		of := runtime.Exchange{Name: exchange, Type: kind}
		if alternate != "" {
			of.Arguments = map[string]any{"alternate-exchange": alternate}
		}
		return runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Exchange: &of, RoutingKeys: keys, Handler: runtime.Consume(consume[order])}
	}
	routes := []runtime.Route{
		route("of.a", "x", runtime.Topic, "lost", "a"), route("of.b", "lost", runtime.Direct, "loster", "b"), route("of.rest", "loster", runtime.Fanout, "x"), // in a circle
	}
	receiver := document(t, "B", routes)
	for key, want := range map[string]struct{ certain, possible string }{
		"a": {"of.a", "of.a"}, "b": {"", "of.b"}, "c": {"", "of.rest"},
	} {
		to := runtime.Endpoint{Route: "q", To: runtime.Address{Exchange: "x", RoutingKey: key}}
		require.Equal(t, map[string]bool{want.possible: true}, reached(t, routes, to))
		m := landscape.New([]*difference.Document{document(t, "A", nil, send[order](to)), receiver})
		require.Len(t, m.Flows, 1)
		require.Equal(t, want.possible, m.Flows[0].Queue)
		require.Equal(t, want.certain == "", m.Flows[0].Undecided != "")
		for _, f := range m.Findings {
			isOfFlow := f.ID == landscape.NotHandled || f.At.Operation == want.possible
			require.Equal(t, isOfFlow, f.Undecided, f.What)
		}
	}
	chosen := runtime.Endpoint{Route: "q", To: runtime.Address{Exchange: "x"}, Patterns: []string{"a", "*"}}
	require.Equal(t, []string{
		"message: A/q.send to B/of.a [q]", "message: A/q.send to B/of.b [q] perhaps", "message: A/q.send to B/of.rest [q] perhaps",
		"not-sent: B/of.b perhaps", "not-sent: B/of.rest perhaps",
	}, found(document(t, "A", nil, send[order](chosen)), receiver))
}

// The broker in memory says to which queues a message goes by what is declared beside the
// routes: bindings of queues, and of exchanges to exchanges, in a circle too.
func TestNew_FollowsDeclaredBindings(t *testing.T) {
	exchange := func(name string, kind runtime.ExchangeType) runtime.Exchange {
		return runtime.Exchange{Name: name, Type: kind}
	}
	route := func(queue string, x runtime.Exchange, keys ...string) runtime.Route {
		return runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Exchange: &x, RoutingKeys: keys, Handler: runtime.Consume(consume[order])}
	}
	shop, audit, direct := exchange("shop", runtime.Topic), exchange("audit", runtime.Fanout), exchange("direct", runtime.Direct)
	routes := []runtime.Route{
		route("orders", shop, "order.*"), route("audited", audit), route("paid", direct, "order.paid"),
		{Name: "bound", Queue: runtime.Queue{Name: "bound"}, Handler: runtime.Consume(consume[order])},
	}
	beside := runtime.Topology{
		Exchanges: []runtime.Exchange{exchange("extra", runtime.Topic)},
		Bindings:  []runtime.Binding{{Exchange: "direct", Queue: "bound", RoutingKey: "order.sent"}, {Exchange: "extra", Queue: "bound", RoutingKey: "#.new"}},
		ExchangeBindings: []runtime.ExchangeBinding{
			{Source: "shop", Destination: "audit", RoutingKey: "#"},
			{Source: "shop", Destination: "direct", RoutingKey: "order.#"},
			{Source: "direct", Destination: "extra", RoutingKey: "order.new"},
			{Source: "extra", Destination: "shop", RoutingKey: "*.new"},
		},
	}
	bindings := beside
	bindings.Exchanges = nil
	for name, documents := range map[string][]*difference.Document{
		"of the receiver":         {declaring(t, "B", beside, routes)},
		"of another service":      {document(t, "B", routes), declaring(t, "C", beside, nil)},
		"of several":              {declaring(t, "B", runtime.Topology{Exchanges: beside.Exchanges}, routes), declaring(t, "C", bindings, nil)},
		"of several, in a circle": {declaring(t, "C", bindings, nil), declaring(t, "B", runtime.Topology{Exchanges: beside.Exchanges}, routes)},
	} {
		for _, source := range []string{"shop", "direct", "audit", "extra"} {
			for _, key := range []string{"", "order", "order.paid", "order.sent", "order.new", "price.new", "a.b.new"} {
				to := runtime.Endpoint{Route: "sent", To: runtime.Address{Exchange: source, RoutingKey: key}}
				got := make(map[string]bool)
				for _, f := range landscape.New(append(documents, document(t, "A", nil, send[order](to)))).Flows {
					require.Empty(t, f.Undecided)
					got[f.Queue] = true
				}
				require.Equal(t, reachedBy(t, beside, routes, to), got, "%s: %s %s", name, source, key)
			}
		}
	}

	// What is bound to an exchange whose type nobody says, or by words that the sender
	// chooses, isn't decided.
	chosen := runtime.Endpoint{Route: "q", To: runtime.Address{Exchange: "shop"}, Patterns: []string{"*.paid"}}
	require.Equal(t, []string{
		"message: A/q.send to B/orders [q]", "message: A/q.send to B/audited [q]", "message: A/q.send to B/paid [q] perhaps",
		"not-sent: B/paid perhaps", "not-sent: B/bound",
	}, found(document(t, "A", nil, send[order](chosen)), declaring(t, "B", beside, routes)))
	unknown := runtime.Endpoint{Route: "q", To: runtime.Address{Exchange: "extra", RoutingKey: "a.new"}}
	require.Contains(t, found(document(t, "A", nil, send[order](unknown)), declaring(t, "B", bindings, routes)), "message: A/q.send to B/bound [q] perhaps")
}

func TestNew_DoesNotAssume(t *testing.T) {
	strange := document(t, "B", []runtime.Route{{
		Name: "q", Queue: runtime.Queue{Name: "q"}, Handler: runtime.Consume(consume[order]),
		Exchange: &runtime.Exchange{Name: "x", Type: "x-consistent-hash"}, RoutingKeys: []string{"1"},
	}})
	sender := document(t, "A", nil, send[order](runtime.Endpoint{Route: "q", To: runtime.Address{Exchange: "x", RoutingKey: "a"}}))
	require.Equal(t, []string{
		"message: A/q.send to B/q [q] perhaps", "not-handled: A/q.send perhaps", "not-sent: B/q perhaps",
	}, found(sender, strange))
	delayed := document(t, "B", []runtime.Route{{
		Name: "q", Queue: runtime.Queue{Name: "q"}, Handler: runtime.Consume(consume[order]), RoutingKeys: []string{"a"},
		Exchange: &runtime.Exchange{Name: "x", Type: "x-delayed-message", Arguments: map[string]any{"x-delayed-type": "direct"}},
	}})
	require.Equal(t, []string{"message: A/q.send to B/q [q]"}, found(sender, delayed), "it routes as the type that it names")
	elsewhere := read(t, "c.json", `{"asyncapi":"3.0.0","info":{"title":"C","version":"1"},"servers":{"s":{"host":"other:5672","protocol":"amqp"}},
		"channels":{"q":{"address":"q","messages":{"m":{"payload":{"type":"object"}}}}},"operations":{"take":{"action":"receive","channel":{"$ref":"#/channels/q"}}}}`)
	require.Equal(t, []string{
		"message: A/q.send to C/take [q]", "different-server: A/q.send perhaps",
	}, found(document(t, "A", nil, send[order](toQueue("q", "", nil))), elsewhere))
}

// Documents that others have written name channels, or exchanges with keys.
func TestNew_ReadsDocumentsOfOthers(t *testing.T) {
	two := read(t, "two.yaml", `
asyncapi: 2.4.0
info: {title: Two, version: "1"}
channels:
  order.made:
    publish: {operationId: onOrder, message: {name: made, payload: {type: object, properties: {id: {type: integer}}}}}
    bindings: {amqp: {is: routingKey, exchange: {name: shop, type: topic}}}
  bills:
    subscribe: {operationId: bill, message: {name: bill, payload: {type: string}}}
`)
	three := read(t, "three.yaml", `
asyncapi: 3.0.0
info: {title: Three, version: "1"}
channels:
  made:
    address: order.made
    messages: {made: {payload: {type: object, properties: {id: {type: string}}, required: [id]}}}
    bindings: {amqp: {is: routingKey, exchange: {name: shop, type: topic}}}
  bills: {address: bills, messages: {bill: {payload: {type: string}}}}
operations:
  make: {action: send, channel: {$ref: '#/channels/made'}}
  billed: {action: receive, channel: {$ref: '#/channels/bills'}}
`)
	require.Equal(t, []string{
		"message: Two/bill to Three/billed [bill]",
		"message: Three/make to Two/onOrder [made]", `  breaking schema-type-changed {"id":"a"}`, "disagreement: Three/make",
	}, found(two, three))
}

// A message is told apart by its type or, where a handler names nothing else, by its name.
func TestNew_TellsMessagesOfOthersApart(t *testing.T) {
	sender := read(t, "sender.yaml", `
asyncapi: 3.0.0
info: {title: Sender, version: "1"}
channels:
  work: {address: work, messages: {made: {payload: {type: string}, bindings: {amqp: {messageType: made.v1}}}}}
operations:
  send: {action: send, channel: {$ref: '#/channels/work'}}
`)
	for bindings, want := range map[[2]string][]string{
		{"", ""}:               {"message: Sender/send to Receiver/take [made]"},
		{"made.v1", "paid.v1"}: {"message: Sender/send to Receiver/take [made]"},
		{"made.v2", "paid.v1"}: {"not-handled: Sender/send perhaps", "not-sent: Receiver/take perhaps"},
	} {
		receiver := read(t, "receiver.yaml", fmt.Sprintf(`
asyncapi: 3.0.0
info: {title: Receiver, version: "1"}
channels:
  work:
    address: work
    messages:
      made: {payload: {type: string}, bindings: {amqp: {messageType: %q}}}
      paid: {payload: {type: integer}, bindings: {amqp: {messageType: %q}}}
operations:
  take: {action: receive, channel: {$ref: '#/channels/work'}}
`, bindings[0], bindings[1]))
		require.Equal(t, want, found(sender, receiver), bindings)
	}
}

// What asyncapigen writes of the code counts, not what a channel says.
func TestNew_TakesTheTargetOfTheCode(t *testing.T) {
	sender := read(t, "sender.yaml", `
asyncapi: 3.0.0
info: {title: Sender, version: "1"}
channels:
  shop: {messages: {made: {payload: {type: object}}}}
operations:
  send: {action: send, channel: {$ref: '#/channels/shop'}, x-target: {exchange: shop, routingKey: order.made, type: made}}
`)
	receiver := document(t, "Receiver", []runtime.Route{{
		Name: "q", Queue: runtime.Queue{Name: "q"}, Exchange: &runtime.Exchange{Name: "shop", Type: runtime.Topic}, RoutingKeys: []string{"order.*"},
		Handler: runtime.Dispatch(runtime.On("made", runtime.Consume(consume[order])), runtime.On("paid", runtime.Consume(consume[order]))),
	}})
	require.Equal(t, "message: Sender/send to Receiver/q [made]", found(sender, receiver)[0])
}

// A binding that isn't known may lead from what is sent to who handles it.
func TestNew_UnknownDeclarationsMayLeadOn(t *testing.T) {
	receiver := document(t, "B", []runtime.Route{{Name: "q", Queue: runtime.Queue{Name: "q"}, Handler: runtime.Consume(consume[order])}})
	sender := document(t, "A", nil, send[order](runtime.Endpoint{Route: "q", To: runtime.Address{Exchange: "x", RoutingKey: "a"}}))
	certain := read(t, "c.json", `{"asyncapi":"3.0.0","info":{"title":"C","version":"1"}}`)
	require.Equal(t, []string{"not-handled: A/q.send", "not-sent: B/q"}, found(sender, receiver, certain))
	unknown := read(t, "c.json", `{"asyncapi":"3.0.0","info":{"title":"C","version":"1"},"x-topology":{"unknown":true}}`)
	require.Equal(t, []string{"not-handled: A/q.send perhaps", "not-sent: B/q perhaps"}, found(sender, receiver, unknown))
	require.Contains(t, found(document(t, "A", nil, send[order](toQueue("other", "", nil))), unknown), "not-handled: A/other.send", "no binding is needed")
}

// What a document names as unknown may bind a queue, lead on, or send.
func TestNew_UnknownArgumentsAreUndecided(t *testing.T) {
	taking := func(queue string, exchange runtime.ExchangeType, unknown ...string) contract.Operation {
		return contract.Operation{
			Route: runtime.Route{
				Name: queue, Queue: runtime.Queue{Name: queue}, Exchange: &runtime.Exchange{Name: "x", Type: exchange}, RoutingKeys: []string{"a"},
			},
			Payload: schema.Reflect(reflect.TypeFor[order]()), UnknownArguments: unknown,
		}
	}
	failing := taking("q", runtime.Direct)
	failing.FailureUnknown = true
	const flow = "message: A/q.send to B/q [q]"
	for _, test := range []struct {
		key      string
		receiver contract.Operation
		want     []string
	}{
		{"", taking("q", runtime.Headers), []string{flow}},
		{"", taking("q", runtime.Headers, `Queue.Arguments "x-max-length"`, `Exchange.Arguments "kind"`), []string{flow}},
		{"", taking("q", runtime.Headers, `BindingArguments "kind"`), []string{flow + " perhaps", "not-handled: A/q.send perhaps", "not-sent: B/q perhaps"}},
		{"", taking("q", runtime.Headers, `Sources[0].Arguments "kind"`), []string{flow + " perhaps", "not-handled: A/q.send perhaps", "not-sent: B/q perhaps"}},
		{"a", taking("q", runtime.Direct, "BindingArguments", "Exchange.Arguments"), []string{flow}},
		{"b", taking("q", runtime.Direct, "BindingArguments"), []string{"not-handled: A/q.send", "not-sent: B/q"}},
		{"b", taking("q", runtime.Direct, "Queue.Arguments", `Exchange.Arguments "kind"`), []string{"not-handled: A/q.send", "not-sent: B/q"}},
		{"b", taking("q", runtime.Direct, "Exchange.Arguments"), []string{"not-handled: A/q.send perhaps", "not-sent: B/q perhaps"}},
		{"b", taking("q", runtime.Direct, `Exchange.Arguments "alternate-exchange"`), []string{"not-handled: A/q.send perhaps", "not-sent: B/q perhaps"}},
		{"b", failing, []string{"not-handled: A/q.send", "not-sent: B/q perhaps"}},
	} {
		sender := document(t, "A", nil, send[order](runtime.Endpoint{Route: "q", To: runtime.Address{Exchange: "x", RoutingKey: test.key}}))
		require.Equal(t, test.want, found(sender, written(t, "B", runtime.Topology{}, []contract.Operation{test.receiver})), "%v", test.receiver.UnknownArguments)
		require.Equal(t, test.want[0], found(sender, extended(t, "B", test.receiver))[0], "AsyncAPI 2.6.0: %v", test.receiver.UnknownArguments)
	}
}
