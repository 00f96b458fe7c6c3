package runtimetest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	goruntime "runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
	"github.com/warrenmq/warren/runtime/runtimetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A judged is a test whose end is observed.
type judged struct {
	testing.TB
	failures []string
	cleanups []func()
}

func (j *judged) Errorf(format string, args ...any) {
	j.failures = append(j.failures, fmt.Sprintf(format, args...))
}
func (j *judged) Cleanup(f func()) { j.cleanups = append(j.cleanups, f) }
func (j *judged) Helper()          {}

func (j *judged) Fatalf(format string, args ...any) {
	j.Errorf(format, args...)
	goruntime.Goexit()
}

func (j *judged) Fatal(args ...any) { j.Fatalf("%s", fmt.Sprint(args...)) }

// judge runs test and returns how it failed.
func judge(t *testing.T, test func(t testing.TB)) []string {
	j, done := &judged{TB: t}, make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			for _, f := range j.cleanups {
				f()
			}
		}()
		test(j)
	}()
	<-done
	return j.failures
}

func consume(name string, handle func(context.Context, []byte) error) runtime.Route {
	return runtime.Route{Name: name, Queue: runtime.Queue{Name: name + "s"}, Handler: runtime.Consume(handle)}
}

func handled(context.Context, []byte) error { return nil }

func router(t testing.TB, routes ...runtime.Route) *runtime.Router {
	r := runtime.NewRouter()
	require.NoError(t, r.Register(routes...))
	return r
}

func TestService_EndsTheTestWithTheReason(t *testing.T) {
	topic := consume("topic", handled)
	topic.Exchange, topic.RoutingKeys = &runtime.Exchange{Name: "x", Type: runtime.Topic}, []string{"a.*"}
	for name, c := range map[string]struct {
		test func(s *runtimetest.Service)
		want string
	}{
		"unknown route": {func(s *runtimetest.Service) { s.Send("ordr", 1) }, `there is no route "ordr": there are order, topic`},
		"unknown queue": {func(s *runtimetest.Service) { s.Queue("none").Len() }, `there is no queue "none": there are orders, orders.dead,`},
		"pattern":       {func(s *runtimetest.Service) { s.Send("topic", 1) }, `the key "a.*" of the route "topic" is a pattern: use SendKey`},
		"key":           {func(s *runtimetest.Service) { s.SendKey("order", "k", 1) }, `the route "order" has no exchange, so it has no keys: use Send`},
		"unroutable":    {func(s *runtimetest.Service) { s.SendKey("topic", "b", 1) }, runtime.ErrUnroutable.Error()},
		"body":          {func(s *runtimetest.Service) { s.Send("order", func() {}) }, "unsupported type: func()"},
		"started twice": {func(s *runtimetest.Service) { s.Start(runtime.NewRouter()) }, "it has been started"},
		"blocked twice": {func(s *runtimetest.Service) { s.Block(); s.Block() }, "the broker is blocked already"},
	} {
		failures := judge(t, func(tb testing.TB) { c.test(runtimetest.Start(tb, router(t, consume("order", handled), topic))) })
		require.Len(t, failures, 1, name)
		require.Contains(t, failures[0], c.want, name)
	}
	require.Equal(t, []string{"runtimetest: the service hasn't been started: call Start"},
		judge(t, func(tb testing.TB) { runtimetest.New(tb).Send("order", 1) }))
}

func TestBlock_EndsByItsOwnUnblock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := runtimetest.Start(t, router(t, consume("order", handled)))
		first := service.Block()
		first()
		second := service.Block()
		first() // is over
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, service.Publish(ctx, runtime.Address{RoutingKey: "orders"}, &runtime.Message{}), runtime.ErrBlocked)
		second()
		require.NoError(t, service.Publish(t.Context(), runtime.Address{RoutingKey: "orders"}, &runtime.Message{}))
	})
}

func TestSettled_EndsTheTestWhereAHandlerHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		failures := judge(t, func(tb testing.TB) {
			defer close(release)
			route := consume("order", func(context.Context, []byte) error {
				<-release
				return nil
			})
			s := runtimetest.Start(tb, router(t, route))
			s.Send("order", 1)
			s.Settled()
		})
		require.Len(t, failures, 1)
		require.Contains(t, failures[0], `queue "orders" has 1 that wait and 0 that are handled`)
	})
}

func TestStop_WaitsInBubblesForHandlersThatTakeLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		require.Empty(t, judge(t, func(tb testing.TB) {
			s := runtimetest.Start(tb, router(t, consume("order", func(context.Context, []byte) error {
				time.Sleep(time.Minute)
				return nil
			})))
			s.Send("order", 1)
			synctest.Wait()
		}))
	})
}

func TestStop_FailsTheTestWhereAHandlerStillRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		failures := judge(t, func(tb testing.TB) {
			s := runtimetest.Start(tb, router(t, consume("order", func(context.Context, []byte) error {
				<-release
				return nil
			})))
			s.Send("order", 1)
			synctest.Wait()
		})
		require.Len(t, failures, 1)
		require.Contains(t, failures[0], "a handler was still running 720h0m0s after the end of the test")
	})
}

// What waits in a queue of the user's own that passes it on is waited for, too.
func TestSettled_WaitsForMessagesThatExpireIntoAnotherQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := new(memory.Server)
		later := runtime.Route{
			Name: "later", Handler: runtime.Consume(handled),
			Queue: runtime.Queue{Name: "later", Arguments: map[string]any{"x-message-ttl": 60000, "x-dead-letter-exchange": "", "x-dead-letter-routing-key": "orders"}},
		}
		declare := memory.New(memory.Config{Server: server})
		require.NoError(t, declare.Start(t.Context(), router(t, later)))
		require.NoError(t, declare.Shutdown(t.Context()))
		s := runtimetest.Start(t, router(t, consume("order", handled)), runtimetest.WithConfig(memory.Config{Server: server}))
		began := time.Now()
		require.NoError(t, s.Publish(t.Context(), runtime.Address{RoutingKey: "later"}, &runtime.Message{}))
		require.Len(t, s.Settled(), 1)
		require.Equal(t, time.Minute, time.Since(began))
	})
}

func TestSettled_WaitsForTheFunctionsOfOnSettled(t *testing.T) {
	told := 0
	route := consume("order", func(ctx context.Context, _ []byte) error {
		runtime.DeliveryFrom(ctx).OnSettled(func(runtime.Settlement, error) {
			time.Sleep(time.Millisecond)
			told++
		})
		return nil
	})
	s := runtimetest.Start(t, router(t, route))
	for range 20 {
		s.Send("order", 1)
	}
	require.Len(t, s.Settled(), 20)
	require.Equal(t, 20, told)
}

func TestWithConfig_KeepsItsHooks(t *testing.T) {
	sent, settled := 0, 0
	s := runtimetest.Start(t, router(t, consume("order", func(context.Context, []byte) error { return runtime.Reject(errors.New("bad")) })),
		runtimetest.WithConfig(memory.Config{
			OnPublish: func(_ context.Context, _ runtime.Address, _ *runtime.Message, publish func() error) error {
				sent++
				return publish()
			},
			OnSettled: func(*runtime.Delivery, runtime.Settlement, error) { settled++ },
		}))
	s.Send("order", 1)
	s.Settled()
	require.Equal(t, []int{1, 1}, []int{sent, settled}, "the dead letter")
}

func TestWithConfig_KeepsItsLogger(t *testing.T) {
	var log bytes.Buffer
	failing := consume("order", func(context.Context, []byte) error { return errors.New("it failed") })
	failing.Failure = &runtime.FailurePolicy{Attempts: 1}
	service := runtimetest.Start(t, router(t, failing), runtimetest.WithConfig(memory.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}))
	service.Send("order", 1)
	require.Len(t, service.Settled(), 1)
	require.Contains(t, log.String(), "it failed")
}

func TestSend_GivesAHeadersExchangeWhatItLooksFor(t *testing.T) {
	route := consume("order", handled)
	route.Exchange = &runtime.Exchange{Name: "x", Type: runtime.Headers}
	route.BindingArguments = map[string]any{"x-match": "all", "kind": "order"}
	s := runtimetest.Start(t, router(t, route))
	s.Send("order", 1, runtime.WithHeader("other", 2))
	s.SendMessage("order", runtime.Message{Type: "t"})
	require.Equal(t, map[string]any{"kind": "order", "other": int64(2)}, s.Settled()[0].Delivery.Headers)
}

func TestSendMessage_LeavesTheHeadersOfTheCaller(t *testing.T) {
	s := runtimetest.Start(t, router(t, consume("order", handled)))
	headers := map[string]any{"kind": "order"}
	s.SendMessage("order", runtime.Message{Headers: headers}, runtime.WithHeader("other", 2))
	require.Equal(t, map[string]any{"kind": "order"}, headers)
	require.Equal(t, map[string]any{"kind": "order", "other": int64(2)}, s.Settled()[0].Delivery.Headers)
}

// A broker may have a message whose publish fails, or not.
func TestService_SendsWhatItsPublisherDoesNotKnowOf(t *testing.T) {
	s := runtimetest.Start(t, router(t, consume("order", handled)))
	to := runtime.Address{RoutingKey: "orders"}
	s.FailNextPublish(runtime.ErrUnknown)
	require.ErrorIs(t, s.Publish(t.Context(), to, new(runtime.Message)), runtime.ErrUnknown)
	require.Empty(t, s.Settled())
	s.LoseNextConfirm()
	require.ErrorIs(t, s.Publish(t.Context(), to, new(runtime.Message)), runtime.ErrUnknown)
	require.Len(t, s.Settled(), 1)
}

func TestSettled_WaitsForHandlersThatHaveSettledByHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		returned := false
		router := runtime.NewRouter()
		router.MustRegister(runtime.Route{
			Name: "r", Queue: runtime.Queue{Name: "q"}, AckMode: runtime.AckByHand,
			Handler: runtime.Consume(func(ctx context.Context, _ []byte) error {
				require.NoError(t, runtime.DeliveryFrom(ctx).Ack())
				time.Sleep(time.Minute)
				returned = true
				return nil
			}),
		})
		service := runtimetest.Start(t, router)
		service.Send("r", []byte("b"))
		require.Len(t, service.Settled(), 1)
		require.True(t, returned)
	})
}

func TestDisconnect_BringsAMessageThatWaitsForItsTurnAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		route := consume("order", func(context.Context, []byte) error {
			if calls++; calls == 1 {
				return errors.New("fails")
			}
			return nil
		})
		route.Order, route.Failure = runtime.Strict(), &runtime.FailurePolicy{Attempts: 2, Delay: 10 * time.Minute}
		s := runtimetest.Start(t, router(t, route))
		began := time.Now()
		s.Send("order", 1)
		synctest.Wait()
		s.Disconnect()
		s.Settled()
		require.Equal(t, 2, calls)
		require.Zero(t, time.Since(began))
	})
}

func TestQueue_OfAnInstanceGoesByTheNameOfItsRoute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		route := consume("order", func(context.Context, []byte) error {
			<-release
			return nil
		})
		route.Queue = runtime.Queue{Name: "own", PerInstance: true}
		route.Exchange, route.Prefetch = &runtime.Exchange{Name: "x", Type: runtime.Fanout}, 1
		s := runtimetest.Start(t, router(t, route))
		s.Send("order", 1)
		s.Send("order", 2)
		synctest.Wait()
		require.Equal(t, 1, s.Queue("own").Len())
		require.Equal(t, "own", s.Queue("own").Messages()[0].Queue)
	})
}

// An endless policy tries again what may succeed, and nothing else.
func TestSettled_ReturnsWhereABodyCannotBeDecoded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := runtimetest.Start(t, router(t, runtime.Route{
			Name: "order", Queue: runtime.Queue{Name: "orders"}, Failure: &runtime.FailurePolicy{Endless: true},
			Handler: runtime.Consume(func(context.Context, int) error { return nil }),
		}))
		s.Send("order", []byte("no json"))
		settled := s.Settled()
		require.Len(t, settled, 1)
		require.Equal(t, runtime.Refuse, settled[0].End)
		require.ErrorContains(t, settled[0].Err, "declares no x-dead-letter-exchange, so the message is dropped")
		require.Zero(t, s.Queue("orders").Len())
	})
}
