package discover_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/runtime"
)

// handled evaluates a program with a main that registers one route at most.
func handled(t *testing.T, program *onefile.Program, main string, options ...discover.Option) (route registered.Route, said string) {
	t.Helper()
	result := foundOf(t, program, declaringFile(main+"; serve(router)"), options...)
	if len(result.Routes) > 0 {
		route = result.Routes[0]
	}
	for _, d := range result.Diagnostics {
		said += fmt.Sprintf("%s: %s: %s\n", d.Code, d.What, d.Why)
	}
	return route, said
}

// withHandler registers a route with a handler.
func withHandler(handler string) string {
	return `router.MustRegister(runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Handler: ` + handler + `})`
}

// exchanged registers one of an exchange.
func exchanged(handler string) string {
	return `router.MustRegister(runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic}, RoutingKeys: []string{"#"}, Handler: ` + handler + `})`
}

func TestRoutes_HaveTheCasesThatHandlersDispatch(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const two = `runtime.On("a", runtime.Consume(on)), runtime.On("b", runtime.Consume(count))`
	for name, test := range map[string]struct{ main, cases, said string }{
		"by type":                      {withHandler(`runtime.Dispatch(` + two + `)`), "a: string, b: int", ""},
		"by key":                       {exchanged(`runtime.DispatchByKey(` + two + `)`), "by key a: string, b: int", ""},
		"by header":                    {withHandler(`runtime.DispatchByHeader("kind", ` + two + `)`), "by kind a: string, b: int", ""},
		"by a header that isn't known": {withHandler(`runtime.DispatchByHeader(os.Getenv("H"), ` + two + `)`), "", "unknown-value: the header that it dispatches by of the route \"order\" isn't known: it is the result of os.Getenv(\"H\")\n"},
		"a name that isn't known":      {withHandler(`runtime.Dispatch(runtime.On(os.Getenv("H"), runtime.Consume(on)))`), "", "unknown-value: the name of a case of the route \"order\" isn't known: it is the result of os.Getenv(\"H\")\n"},
		"cases that aren't known":      {withHandler(`runtime.Dispatch(unknown[[]runtime.Case]()...)`), "", "unknown-handler: the handler of the route of the queue \"orders\" isn't known: it is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"UNKNOWN\")\n"},
		"a case that isn't known":      {withHandler(`runtime.Dispatch(unknown[runtime.Case]())`), "", "unknown-handler: a case of the handler of the route \"order\" isn't known: the code that is analysed doesn't determine it\n"},
		"no case by a header":          {withHandler(`runtime.DispatchByHeader("kind")`), "by kind ", "refused-route: the router refuses the route \"order\": Handler: has no case of runtime.On: add one, or use the handler without runtime.Dispatch\n"},
		"no case":                      {withHandler(`runtime.Dispatch()`), "", "refused-route: the router refuses the route \"order\": Handler: has no case of runtime.On: add one, or use the handler without runtime.Dispatch\n"},
		"requests":                     {withHandler(`runtime.Dispatch(runtime.On("a", runtime.Respond(answer)))`), "a: string to string", ""},
		"others":                       {withHandler(`runtime.Dispatch(` + two + `, runtime.Otherwise(runtime.Consume(raw)))`), "a: string, b: int, : []byte otherwise", ""},
		"a list of cases":              {`cases := []runtime.Case{` + two + `}; ` + withHandler(`runtime.Dispatch(cases...)`), "a: string, b: int", ""},
		"a case of batches":            {withHandler(`runtime.Dispatch(runtime.On("a", runtime.ConsumeBatch(all, 2, time.Second)))`), "a: int", "refused-route: the router refuses the route \"order\": Handler: the case for the type \"a\" takes batches, and its messages come one by one: use runtime.Consume\n"},
		"cases within a case":          {withHandler(`runtime.Dispatch(runtime.On("a", runtime.Dispatch(` + two + `)))`), "", "unknown-handler: a case of the handler of the route \"order\" is another runtime.Dispatch: it is a case whose messages have no type of their own\n"},
		"a handler that isn't known":   {withHandler(`runtime.Dispatch(runtime.On("a", unknown[runtime.Handler]()))`), "", "unknown-handler: the handler of a case of the route \"order\" isn't known: it is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"UNKNOWN\")\n"},
		"decorated":                    {withHandler(`runtime.Dispatch(` + two + `).With()`), "a: string, b: int", ""},
	} {
		t.Run(name, func(t *testing.T) {
			route, said := handled(t, program, test.main)
			require.Equal(t, test.said, said)
			cases := ""
			if header, ok := route.DispatchedBy.Header(); ok {
				cases = "by " + header + " "
			} else if route.DispatchedBy.IsKey() {
				cases = "by key "
			}
			for i, c := range route.Cases {
				if i > 0 {
					cases += ", "
				}
				cases += c.Name + ": " + shortType(c.Body)
				if c.Result != nil {
					cases += " to " + shortType(c.Result)
				}
				if c.Otherwise {
					cases += " otherwise"
				}
			}
			require.Equal(t, test.cases, cases)
		})
	}
}

func TestRoutes_HaveTheOrderOfTheLiteral(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	for order, test := range map[string]struct {
		ordered, strict bool
		missing         []string
	}{
		"runtime.Order{}":  {false, false, nil},
		"runtime.Strict()": {true, true, nil},
		`runtime.PerKey(func(*runtime.Delivery) string { return "" })`: {true, false, nil},
		"runtime.PerKey(nil)":                                           {false, false, nil},
		"runtime.PerBody(func(string) string { return `` })":            {true, false, nil},
		"runtime.PerKey(unknown[func(*runtime.Delivery) string]())":     {false, false, []string{"the order"}},
		"unknown[runtime.Order]()":                                      {false, false, []string{"the order"}},
		"[]runtime.Order{{}, runtime.Strict()}[os.Getpid()&1]":          {false, false, []string{"the order"}},
		"[]runtime.Order{runtime.Strict(), runtime.Strict()}[len(`a`)]": {true, true, nil},
	} {
		t.Run(order, func(t *testing.T) {
			route, said := handled(t, program, `router.MustRegister(runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Order: `+order+`, Handler: runtime.Consume(on)})`)
			require.Empty(t, said)
			require.Equal(t, []bool{test.ordered, test.strict}, []bool{route.Ordered, route.Strict})
			require.Equal(t, test.missing, route.UnknownArguments)
		})
	}
}

func TestRoutes_KnowWhatIsAskedOfHandlers(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const name = `router.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(on)})`
	for asked, test := range map[string]struct{ name, said string }{
		`runtime.Consume(on).Name()`:                                                                                             {"on", ""},
		`runtime.Consume(on).With().Name() + "x"`:                                                                                {"x", ""},
		`fmt.Sprint(runtime.Consume(on).IsZero(), runtime.Handler{}.IsZero())`:                                                   {"false true", ""},
		`fmt.Sprint(unknown[runtime.Handler]().IsZero())`:                                                                        {"", "unknown-value: the name of the route of the queue \"orders\" isn't known: it is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"UNKNOWN\")\n"},
		`unknown[runtime.Handler]().Name()`:                                                                                      {"", "unknown-value: the name of the route of the queue \"orders\" isn't known: it is the result of unknown[runtime.Handler]().Name()\n"},
		`fmt.Sprint(runtime.Consume(on).With().IsZero())`:                                                                        {"false", ""},
		`fmt.Sprint(runtime.Consume[string](nil).IsZero())`:                                                                      {"true", ""},
		`fmt.Sprint(runtime.Handler{}.With().IsZero())`:                                                                          {"true", ""},
		`fmt.Sprint(runtime.Topology{}.IsEmpty(), runtime.Topology{Bindings: []runtime.Binding{}}.IsEmpty())`:                    {"true true", ""},
		`fmt.Sprint(runtime.Topology{Exchanges: []runtime.Exchange{{Name: "e"}}}.IsEmpty())`:                                     {"false", ""},
		`fmt.Sprint(runtime.Topology{Queues: unknown[[]runtime.Queue](), Exchanges: []runtime.Exchange{{Name: "e"}}}.IsEmpty())`: {"false", ""},
		`fmt.Sprint(runtime.Topology{Queues: unknown[[]runtime.Queue]()}.IsEmpty())`:                                             {"", "unknown-value: the name of the route of the queue \"orders\" isn't known: it is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"UNKNOWN\")\n"},
		`runtime.Consume([]func(context.Context, string) error{on, on2}[os.Getpid()&1]).Name()`:                                  {"", "unknown-value: the name of the route of the queue \"orders\" isn't known: it is the result of runtime.Consume([]func(context.Context, string) error{…}[os....\n"},
		`runtime.Dispatch(runtime.On("a", runtime.Consume(on))).Name() + "x"`:                                                    {"x", ""},
		`runtime.Consume(func(context.Context, string) error { return nil }).Name() + "x"`:                                       {"x", ""},
		`runtime.On("a", runtime.Consume(on)).Name()`:                                                                            {"a", ""},
		`runtime.On(os.Getenv("A"), runtime.Consume(on)).Handler().Name()`:                                                       {"on", ""},
		`runtime.Otherwise(runtime.Consume(raw)).Name() + "x"`:                                                                   {"x", ""},
		`unknown[runtime.Case]().Name()`:                                                                                         {"", "unknown-value: the name of the route of the queue \"orders\" isn't known: it is the result of unknown[runtime.Case]().Name()\n"},
		`unknown[runtime.Case]().Handler().Name()`:                                                                               {"", "unknown-value: the name of the route of the queue \"orders\" isn't known: it is the result of unknown[runtime.Case]().Handler().Name()\n"},
	} {
		t.Run(asked, func(t *testing.T) {
			route, said := handled(t, program, "name := "+asked+"; "+name)
			require.Equal(t, test.said, said)
			require.Equal(t, test.name, route.Name)
		})
	}
}

func TestRoutes_TellWhereTheirFieldsComeFrom(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const main = `name := "or" + "der"
queue := os.Getenv("QUEUE") //asyncapigen:value orders
router.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: queue, Durable: true}, Tags: []string{"a"}, Handler: runtime.Consume(on)})`
	route, said := handled(t, program, main, discover.Explain())
	require.Empty(t, said)
	var origins []string
	for _, o := range route.Origins {
		origins = append(origins, fmt.Sprint(o.Field, " ", o.Value, " ", o.Origin.Text))
	}
	require.Equal(t, []string{`name "order" name`, `tags "a" "a"`, `queue name "orders" queue`, "queue's durability true true"}, origins)

	route, _ = handled(t, program, main)
	require.Empty(t, route.Origins)
}

func TestRoutes_SayWhichFunctionHandlesThem(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	for handler, test := range map[string]struct {
		name string
		isAt bool
	}{
		`runtime.Consume(on)`: {"main.on", true},
		`runtime.Consume(func(context.Context, string) error { return nil })`:            {"", true},
		`runtime.Consume(unknown[func(context.Context, string) error]())`:                {"", false},
		`runtime.Consume([]func(context.Context, string) error{on, on2}[os.Getpid()&1])`: {"", false},
		`runtime.Dispatch(runtime.On("a", runtime.Consume(on)))`:                         {"", false},
	} {
		t.Run(handler, func(t *testing.T) {
			route, said := handled(t, program, withHandler(handler))
			require.Empty(t, said)
			require.Equal(t, test.name, route.HandledBy.Name)
			require.Equal(t, test.isAt, route.HandledBy.Pos.IsValid())
			require.True(t, route.HandledBy.Made.IsValid())
		})
	}
}

// What comes after a call of MustRegister that may panic isn't registered surely.
func TestRoutes_AreSureAfterHandlersThatAreNotNil(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const (
		function = `f := unknown[func(context.Context, string) error](); `
		refused  = "unknown-condition: the route \"order\" is registered under a condition that isn't known: router.MustRegister panics\n"
	)
	for name, test := range map[string]struct{ before, handler, said string }{
		"one that is known":          {"", "runtime.Consume(on)", ""},
		"one that may be nil":        {function, "runtime.Consume(f)", refused},
		"one that isn't nil":         {function + "if f == nil { return }; ", "runtime.Consume(f)", ""},
		"a case that may be nil":     {function, `runtime.Dispatch(runtime.On("a", runtime.Consume(f)))`, refused},
		"a case that isn't nil":      {function + "if f == nil { return }; ", `runtime.Dispatch(runtime.On("a", runtime.Consume(f)))`, ""},
		"a decoration that is known": {"", "runtime.Consume(on).With()", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, said := handled(t, program, test.before+`func() { defer func() { recover() }(); `+withHandler(test.handler)+` }()`)
			require.Equal(t, test.said, said)
		})
	}
}

// A handler to which middleware is added in some cases is the same but for its name.
func TestRoutes_HaveHandlersThatMayBeDecorated(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const (
		may     = `traced := func(next runtime.HandlerFunc) runtime.HandlerFunc { return next }; h := runtime.Consume(on); if os.Getpid() > 5 { h = h.With(traced) }; `
		named   = `router.MustRegister(runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Handler: h})`
		unnamed = `router.MustRegister(runtime.Route{Queue: runtime.Queue{Name: "orders"}, Handler: h})`
		noName  = "unknown-value: the name of the route of the queue \"orders\" isn't known: it is a value that depends on the condition os.Getpid() > 5, and so on the result of os.Getpid()\n"
	)
	for main, want := range map[string]string{
		may + named:   "",
		may + unnamed: noName,
		may + `if os.Getpid() > 7 { h = h.With(traced) }; ` + named:       "",
		may + `for range os.Getpid() { h = h.With(traced) }; ` + named:    "unknown-handler: the handler of the route of the queue \"orders\" isn't known: it is a value that changes in a loop over os.Getpid(), and so on the result of os.Getpid()\n",
		may + `h = h.With(traced); ` + unnamed:                            "refused-route: the router refuses the route (unnamed): Name: is empty, and the handler is no declared function whose name could serve: name the route\n",
		may + `if os.Getpid() > 7 { h = runtime.Consume(on2) }; ` + named: "unknown-handler: the handler of the route of the queue \"orders\" isn't known: it is a value that depends on the condition os.Getpid() > 7, and so on the result of os.Getpid()\n",
		may + `if h.Name() == "on" { ` + named + `}`:                      "unknown-condition: the route \"order\" is registered under a condition that isn't known: h.Name() == \"on\" depends on a value that depends on the condition os.Getpid() > 5, and so on the result of os.Getpid()\n",
	} {
		t.Run(main[len(may):], func(t *testing.T) {
			_, said := handled(t, program, main)
			require.Equal(t, want, said)
		})
	}
}

// A program may ask a route that is known where its failed messages go.
func TestRoutes_OfDeadLetters(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const (
		unknown = `n := unknown[int](); _ = n; route := runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(on), FIELDS}; `
		dead    = `if to := route.DeadLetters(); to != nil { router.MustRegister(runtime.Route{Name: "dead", Queue: runtime.Queue{Name: to.RoutingKey}, Handler: runtime.Consume(on)}) }`
		retry   = `for _, q := range route.FailureQueues() { router.MustRegister(runtime.Route{Name: "dead", Queue: q, Handler: runtime.Consume(on)}); break }`
		nowhere = "no-routes"
		open    = "unknown-condition"
	)
	for _, test := range []struct{ fields, ask, want string }{
		{`Failure: &runtime.FailurePolicy{Attempts: 2}`, dead, "orders.dead"},
		{`Failure: &runtime.FailurePolicy{Attempts: 2, DeadLetters: "lost"}`, dead, "lost"},
		{`Failure: &runtime.FailurePolicy{Attempts: 2, Delay: time.Second}`, retry, "orders.retry.1s"},
		{`Failure: &runtime.FailurePolicy{Attempts: 2, Delay: time.Second}, Order: runtime.Strict()`, retry, "orders.dead"},
		{`Failure: &runtime.FailurePolicy{Attempts: 2}`, `route.Queue.DeadLetter = &runtime.Address{RoutingKey: "lost"}; ` + dead, "lost"},
		{`Failure: &runtime.FailurePolicy{Attempts: 2}`, strings.Replace(dead, "to.RoutingKey", "to.String()", 1), runtime.Address{RoutingKey: "orders.dead"}.String()},
		{`Failure: nil`, dead, nowhere},
		{`Failure: &runtime.FailurePolicy{Attempts: n}`, dead, open},
	} {
		route, said := handled(t, program, strings.Replace(unknown, "FIELDS", test.fields, 1)+test.ask)
		switch test.want {
		case open, nowhere:
			require.True(t, strings.HasPrefix(said, test.want), said)
		default:
			require.Empty(t, said)
			require.Equal(t, test.want, route.Queue.Name)
		}
	}
}
