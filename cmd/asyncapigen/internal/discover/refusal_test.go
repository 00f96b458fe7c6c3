package discover_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
)

// The ways in which programs register a route: the first ones end where it is refused.
const (
	ending   = `if err := router.Register(ROUTE); err != nil { log.Fatal(err) }`
	handing  = `if err := func() error { return router.Register(ROUTE) }(); err != nil { log.Fatal(err) }`
	must     = `router.MustRegister(ROUTE)`
	logging  = `if err := router.Register(ROUTE); err != nil { log.Print(err) }`
	ignoring = `_ = router.Register(ROUTE)`
	rescuing = `func() { defer func() { recover() }(); router.MustRegister(ROUTE) }()`
	fails    = "unknown-condition: the route \"order\" is registered under a condition that isn't known: router.Register(runtime.Route{…}) fails\n"
	mayPanic = "unknown-condition: the route \"order\" is registered under a condition that isn't known: router.MustRegister panics\n"
)

// withoutCause is a text without what a condition depends on.
func withoutCause(said string) string {
	return regexp.MustCompile(" depends on .*").ReplaceAllString(said, "")
}

// requireRegistered evaluates a program that registers a route in all ways: where it may be
// refused, those that go on say so.
func requireRegistered(t *testing.T, program *onefile.Program, before, route string, mayBeRefused bool) {
	t.Helper()
	for way, want := range map[string]string{ending: "", handing: "", must: "", logging: fails, ignoring: fails, rescuing: mayPanic} {
		if !mayBeRefused {
			want = ""
		}
		found, said := handled(t, program, before+strings.Replace(way, "ROUTE", route, 1))
		require.Equal(t, want, withoutCause(said), way)
		require.Equal(t, want == "", found.Name == "order", way)
	}
}

// What isn't known of a route's settings may have Register refuse it.
func TestRoutes_AreSureWhereNoSettingIsRefused(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const (
		plain   = `Handler: runtime.Consume(on)`
		batch   = `Handler: runtime.ConsumeBatch(all, 10, time.Second)`
		unknown = `n, order, policy := unknown[int](), unknown[runtime.Order](), unknown[*runtime.FailurePolicy](); _, _, _ = n, order, policy; `
	)
	for fields, mayBeRefused := range map[string]bool{
		`Prefetch: n, ` + plain:                                                             false,
		`Prefetch: n, Concurrency: 2, ` + plain:                                             true,
		`Prefetch: n, ` + batch:                                                             true,
		`Concurrency: n, ` + plain:                                                          false,
		`Concurrency: n, Prefetch: 9, ` + plain:                                             true,
		`Concurrency: n, Order: runtime.Strict(), ` + plain:                                 true,
		`Concurrency: n, ` + batch:                                                          true,
		`Timeout: time.Duration(n), ` + plain:                                               false,
		`Timeout: time.Duration(n), ` + batch:                                               true,
		`PrefetchBytes: int64(n), ` + plain:                                                 false,
		`PrefetchBytes: int64(n), Order: runtime.Strict(), ` + plain:                        true,
		`Order: order, ` + plain:                                                            false,
		`Order: order, Concurrency: 2, ` + plain:                                            true,
		`AckMode: runtime.AckMode(n), ` + plain:                                             true,
		`ConsumerArguments: map[string]any{"x-priority": n}, ` + plain:                      false,
		`ConsumerPriority: 1, ConsumerArguments: map[string]any{"x-priority": n}, ` + plain: true,
		`Handler: runtime.ConsumeBatch(all, 10, time.Duration(n))`:                          true,
		`Handler: runtime.ConsumeBatch(all, n, time.Second)`:                                true,
		`Failure: &runtime.FailurePolicy{Attempts: n}, ` + plain:                            true,
		`Failure: &runtime.FailurePolicy{Attempts: 3, Permanent: func(error) bool { return n > 0 }}, ` + plain: false,
		`Failure: policy, ` + plain: true,
	} {
		t.Run(fields, func(t *testing.T) {
			requireRegistered(t, program, unknown, `runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, `+fields+`}`, mayBeRefused)
		})
	}
}

// Under the policy of its router a route may be refused for its names, and its order.
func TestRoutes_AreSureUnderAPolicyThatIsKnown(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	for policy, mayBeRefused := range map[string]bool{`runtime.FailurePolicy{Attempts: 3}`: false, `runtime.FailurePolicy{Attempts: unknown[int]()}`: true} {
		requireRegistered(t, program, `router.OnFailure(`+policy+`); `,
			`runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(on)}`, mayBeRefused)
	}
}

// What isn't known of a route's arguments may contradict its fields.
func TestRoutes_AreSureWhereNoArgumentContradictsThem(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const unknown = `n, key, all := unknown[int](), unknown[string](), unknown[map[string]any](); _, _, _ = n, key, all; `
	for fields, mayBeRefused := range map[string]bool{
		`Queue: runtime.Queue{Name: "orders", Arguments: map[string]any{"x-max-length": n}}`:                                                                                              false,
		`Queue: runtime.Queue{Name: "orders", MaxLength: 5, Arguments: map[string]any{"x-max-length": n}}`:                                                                                true,
		`Queue: runtime.Queue{Name: "orders", MaxLength: 5, Arguments: map[string]any{"x-expires": n}}`:                                                                                   false,
		`Queue: runtime.Queue{Name: "orders", MaxLength: 5, Arguments: map[string]any{key: n}}`:                                                                                           true,
		`Queue: runtime.Queue{Name: "orders", Durable: true, Type: runtime.Quorum, Arguments: all}`:                                                                                       true,
		`Queue: runtime.Queue{Name: "orders", Arguments: map[string]any{"x-single-active-consumer": n > 0}}, PrefetchBytes: 9`:                                                            true,
		`Queue: runtime.Queue{Name: "orders", Arguments: map[string]any{"x-single-active-consumer": n > 0}}`:                                                                              false,
		`Queue: runtime.Queue{Name: "orders", Arguments: map[string]any{"x-queue-type": key}}, ConsumerPriority: 1`:                                                                       true,
		`Queue: runtime.Queue{Name: "orders", Arguments: map[string]any{"x-queue-type": key}}`:                                                                                            false,
		`Queue: runtime.Queue{Name: "orders"}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic, Arguments: all}, RoutingKeys: []string{"#"}`:                                   false,
		`Queue: runtime.Queue{Name: "orders"}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic}, RoutingKeys: []string{"#"}, BindingArguments: all`:                            false,
		`Queue: runtime.Queue{Name: "orders"}, BindingArguments: all`:                                                                                                                     true,
		`Queue: runtime.Queue{Name: "orders"}, Exchange: &runtime.Exchange{Name: "x", Type: "x-delayed-message", Arguments: all}, RoutingKeys: []string{"a.*"}, KeyWords: []string{"id"}`: true,
		`Queue: runtime.Queue{Name: "orders"}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic, Arguments: all}, RoutingKeys: []string{"#"},
			Sources: []runtime.Source{{Exchange: runtime.Exchange{Name: "x", Type: runtime.Topic}, RoutingKeys: []string{"b"}}}`: true,
		`Queue: runtime.Queue{Name: "orders"}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic, Arguments: all}, RoutingKeys: []string{"#"},
			Sources: []runtime.Source{{Exchange: runtime.Exchange{Name: "y", Type: runtime.Topic, Arguments: all}, RoutingKeys: []string{"b"}}}`: false,
	} {
		t.Run(fields, func(t *testing.T) {
			requireRegistered(t, program, unknown, `runtime.Route{Name: "order", Handler: runtime.Consume(on), `+fields+`}`, mayBeRefused)
		})
	}
}

// What a router has got before may contradict a route: where its arguments aren't known, or it
// has got that in some cases only.
func TestRoutes_AreSureBesideWhatTheirRouterHas(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const before = `all, other := unknown[map[string]any](), runtime.NewRouter(); _, _ = all, other; `
	for declared, mayBeRefused := range map[string]bool{
		`router.Declare(SAME)`:                                                                        false,
		`if os.Getpid() > 5 { router.Declare(SAME) }`:                                                 false,
		`if os.Getpid() > 5 { router.Declare(queue("web")) }`:                                         false,
		`if os.Getpid() > 5 { router.Declare(queue("orders")) }`:                                      true,
		`if os.Getpid() > 5 { other.Declare(queue("orders")) }`:                                       false,
		`router.Declare(unknown[runtime.Topology]())`:                                                 true,
		`other.Declare(unknown[runtime.Topology]())`:                                                  false,
		`unknown[*runtime.Router]().Declare(unknown[runtime.Topology]())`:                             true,
		`router.Declare(runtime.Topology{Queues: []runtime.Queue{{Name: "web", Arguments: all}}})`:    false,
		`router.Declare(runtime.Topology{Queues: []runtime.Queue{{Name: "orders", Arguments: all}}})`: true,
	} {
		declared = strings.Replace(declared, "SAME", `runtime.Topology{Queues: []runtime.Queue{{Name: "orders"}}}`, 1)
		t.Run(declared, func(t *testing.T) {
			requireRegistered(t, program, before+declared+"; ", `runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(on)}`, mayBeRefused)
		})
	}
}

// Two routes of one exchange may say other arguments of it.
func TestRoutes_AreSureWhereTheirExchangesAreTheSame(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const (
		shop   = `shop := func(all map[string]any) *runtime.Exchange { return &runtime.Exchange{Name: "shop", Type: runtime.Topic, Arguments: all} }; `
		second = `if err := router.Register(runtime.Route{Name: "second", Queue: runtime.Queue{Name: "b"}, Handler: runtime.Consume(on), Exchange: `
		rest   = `, RoutingKeys: []string{"#"}}); err != nil { log.Print(err) }`
		fails  = "unknown-condition: the route \"second\" is registered under a condition that isn't known: router.Register(runtime.Route{…}) fails\n"
	)
	for exchanges, want := range map[[2]string]string{
		{`shop(nil)`, `shop(nil)`}: "",
		{`shop(unknown[map[string]any]())`, `shop(unknown[map[string]any]())`}:                       fails,
		{`shop(unknown[map[string]any]())`, `shop(nil)`}:                                             fails,
		{`shop(nil)`, `shop(unknown[map[string]any]())`}:                                             fails,
		{`shop(unknown[map[string]any]())`, `&runtime.Exchange{Name: "other", Type: runtime.Topic}`}: "",
	} {
		first := `router.MustRegister(runtime.Route{Name: "first", Queue: runtime.Queue{Name: "a"}, Handler: runtime.Consume(on), Exchange: ` + exchanges[0] + `, RoutingKeys: []string{"#"}}); `
		_, said := handled(t, program, shop+first+second+exchanges[1]+rest)
		require.Equal(t, want, said, "%v", exchanges)
	}
}

// Declare and OnFailure fail as Register does.
func TestRoutes_AreSureWhereNothingElseIsRefused(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const (
		unknown = "unknown-condition: the route \"order\" is registered under a condition that isn't known: CALL fails\n"
		refused = "refused-route: the router refuses this failure policy: Attempts is -1: use 1 or more, 0 for the default, or Endless\n"
	)
	for set, want := range map[string]string{
		`router.Declare(queue("web"))`:            "",
		`router.Declare(queue(os.Getenv("WEB")))`: strings.Replace(unknown, "CALL", `router.Declare(queue(os.Getenv("WEB")))`, 1),
		`router.Declare(runtime.Topology{Queues: []runtime.Queue{{Name: "web", MaxLength: unknown[int64]()}}})`: strings.Replace(unknown, "CALL", "router.Declare(runtime.Topology{…})", 1),
		`router.OnFailure(runtime.FailurePolicy{Attempts: 2})`:                                                  "",
		`router.OnFailure(runtime.FailurePolicy{Attempts: unknown[int]()})`:                                     strings.Replace(unknown, "CALL fails", `router.OnFailure(runtime.FailurePolicy{…}) fails depends on a value that json.Unmarshal may have changed, and so on the result of os.Getenv("UNKNOWN")`, 1),
		`router.OnFailure(runtime.FailurePolicy{Attempts: -1})`:                                                 refused,
	} {
		for way, format := range map[string]string{
			"ending":   `if err := CALL; err != nil { log.Fatal(err) }; ` + order,
			"going on": `if err := func() error { if err := CALL; err != nil { return err }; ` + order + ` return nil }(); err != nil { log.Print(err) }`,
		} {
			t.Run(way+" "+set, func(t *testing.T) {
				_, said := handled(t, program, strings.Replace(format, "CALL", set, 1))
				if way == "ending" && want != refused {
					require.Empty(t, said)
					return
				}
				require.Equal(t, want, said)
			})
		}
	}
}

// A route is held to the policy that its router had when it was registered, and a policy to the
// routes that it had.
func TestRoutes_AreHeldToThePolicyOfTheirTime(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const (
		dead  = `router.OnFailure(runtime.FailurePolicy{DeadLetters: "orders"}); `
		again = `router.OnFailure(runtime.FailurePolicy{Attempts: 3}); `
		own   = "Failure.DeadLetters: is the route's own queue, to which dead letters would come back: name another\n"
	)
	for main, want := range map[string]string{
		again + order:        "",
		order + again:        "",
		dead + again + order: "",
		dead + order + again: "refused-route: the router refuses the route \"order\": " + own,
		dead + order:         "refused-route: the router refuses the route \"order\": " + own,
		order + dead + again: "refused-route: the router refuses this failure policy: register route \"order\": " + own,
	} {
		_, said := handled(t, program, main)
		require.Equal(t, want, said, main)
	}
}

// Run may start a broker of the program's where it isn't known which it is.
func TestRoutes_OfBrokersThatAreNotKnown(t *testing.T) {
	const (
		brokers = `// pinging registers a route of its own.
type pinging struct{ runtime.Broker }

func (b pinging) Start(ctx context.Context, r *runtime.Router) error {
	r.MustRegister(runtime.Route{Name: "ping", Queue: runtime.Queue{Name: "ping"}, Handler: runtime.Consume(on)})
	return nil
}

// counting only counts.
type counting struct {
	runtime.Broker
	starts int
}

func (b *counting) Start(ctx context.Context, r *runtime.Router) error {
	b.starts++
	return b.Broker.Start(ctx, r)
}

func main() {`
		run = `; _ = runtime.Run(context.Background(), broker, router, time.Second)`
	)
	for main, mayRegister := range map[string]bool{
		`var broker runtime.Broker = memory.New(memory.Config{}); if os.Getpid() > 5 { broker = pinging{broker} }`:                                      true,
		`broker := map[string]runtime.Broker{"a": pinging{memory.New(memory.Config{})}, "b": memory.New(memory.Config{})}[os.Getenv("BROKER")]`:         true,
		`broker := map[string]func() runtime.Broker{"a": func() runtime.Broker { return pinging{memory.New(memory.Config{})} }}[os.Getenv("BROKER")]()`: true,
		`broker := memory.New(memory.Config{})`: false,
	} {
		source := strings.Replace(declaring, "func main() {", brokers, 1)
		result := foundInModule(t, strings.Replace(source, "MAIN", order+main+run, 1))
		require.Equal(t, mayRegister, len(result.Diagnostics) > 0, main)
	}
	only := brokers[strings.Index(brokers, "// counting"):]
	result := foundInModule(t, strings.Replace(strings.Replace(declaring, "func main() {", only, 1), "MAIN",
		order+`var broker runtime.Broker = memory.New(memory.Config{}); if os.Getpid() > 5 { broker = &counting{Broker: broker} }`+run, 1))
	require.Empty(t, result.Diagnostics)
}
