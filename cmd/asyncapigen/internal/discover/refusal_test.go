package discover_test

import (
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

// requireRegistered evaluates a program that registers a route in all ways: where it may be
// refused, those that go on say so.
func requireRegistered(t *testing.T, program *onefile.Program, before, route string, mayBeRefused bool) {
	t.Helper()
	for way, want := range map[string]string{ending: "", handing: "", must: "", logging: fails, ignoring: fails, rescuing: mayPanic} {
		if !mayBeRefused {
			want = ""
		}
		found, said := handled(t, program, before+strings.Replace(way, "ROUTE", route, 1))
		require.Equal(t, want, said, way)
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
