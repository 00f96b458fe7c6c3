package memory_test

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
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The tests below run in synctest bubbles: the clock stands still until every
// goroutine waits, so their times are exact, and none of them waits for real.

func TestExpiration_EndsTheWaitInAQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := new(memory.Server)
		dead := make(chan string, 10)
		start(t, server, route("dead", runtime.Queue{Name: "dead"}, receive(dead)))
		q := runtime.Queue{Name: "q", Arguments: deadLetterTo("dead", "x-message-ttl", 5000)}
		sender := declare(t, server, q)
		began := time.Now()
		for _, m := range []runtime.Message{
			{Body: []byte("queue's limit")},
			{Body: []byte("longer"), Expiration: time.Minute},
			{Body: []byte("behind"), Expiration: time.Second}, // waits until it is first
		} {
			require.NoError(t, sender.Publish(t.Context(), toQueue("q"), &m))
		}
		for _, body := range []string{"queue's limit", "longer", "behind"} {
			require.Equal(t, body, <-dead)
			require.Equal(t, 5*time.Second, time.Since(began))
		}
	})
}

// One message can't be handled, and says so without end: the others of its order wait for
// 15 minutes, and those of other keys don't.
func TestBroker_GoesOnAfterATurnWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, dead, handled := new(memory.Server), make(chan string, 10), make(chan string, 10)
		start(t, server, route("dead", runtime.Queue{Name: "q.dead", Durable: true}, receive(dead)))
		busy := route("r", runtime.Queue{Name: "q", Durable: true}, func(_ context.Context, body []byte) error {
			if string(body) == "busy" {
				return runtime.Postpone(errors.New("not yet"), time.Second)
			}
			handled <- string(body)
			return nil
		})
		busy.Concurrency, busy.Failure = 4, new(runtime.FailurePolicy)
		busy.Order = runtime.PerKey(func(d *runtime.Delivery) string { return d.Type })
		broker, began := start(t, server, busy), time.Now()
		for _, m := range []runtime.Message{
			{Body: []byte("busy"), Type: "a"}, {Body: []byte("behind"), Type: "a"}, {Body: []byte("other"), Type: "b"},
		} {
			require.NoError(t, broker.Publish(t.Context(), toQueue("q"), &m))
		}
		require.Equal(t, "other", <-handled)
		require.Zero(t, time.Since(began))
		require.Equal(t, "behind", <-handled)
		require.Equal(t, 15*time.Minute, time.Since(began))
		require.Equal(t, "busy", <-dead)
	})
}

// The time of the handler counts for what it postpones, and not for attempts.
func TestBroker_EndsATurnOfShortPausesByTheClock(t *testing.T) {
	for name, test := range map[string]struct {
		err       error
		until     time.Duration
		postpones int
	}{
		"postponed": {runtime.Postpone(errors.New("not yet"), 50*time.Millisecond), 15*time.Minute + 200*time.Millisecond, 3600},
		"attempts":  {runtime.RetryAfter(errors.New("again"), 50*time.Millisecond), 9999*250*time.Millisecond + 200*time.Millisecond, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, dead, handled := new(memory.Server), make(chan string, 10), make(chan string, 10)
				start(t, server, route("dead", runtime.Queue{Name: "q.dead", Durable: true}, receive(dead)))
				postpones := 0
				busy := route("r", runtime.Queue{Name: "q", Durable: true}, func(ctx context.Context, body []byte) error {
					if string(body) == "busy" {
						time.Sleep(200 * time.Millisecond)
						if runtime.DeliveryFrom(ctx).Postpones(test.err) {
							postpones++
						}
						return test.err
					}
					handled <- string(body)
					return nil
				})
				busy.Order, busy.Failure = runtime.Strict(), &runtime.FailurePolicy{Attempts: 10_000, Delay: time.Millisecond, MaxDelay: 60 * time.Millisecond}
				broker, began := start(t, server, busy), time.Now()
				for _, body := range []string{"busy", "behind"} {
					require.NoError(t, broker.Publish(t.Context(), toQueue("q"), &runtime.Message{Body: []byte(body)}))
				}
				require.Equal(t, "behind", <-handled)
				require.Equal(t, test.until, time.Since(began))
				require.Equal(t, test.postpones, postpones)
				require.Equal(t, "busy", <-dead)
			})
		})
	}
}

func TestExpiration_BelowAMillisecondOnlyForbidsWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, dead, got := new(memory.Server), make(chan string, 10), make(chan string, 10)
		start(t, server, route("dead", runtime.Queue{Name: "dead"}, receive(dead)))
		q := runtime.Queue{Name: "q", Arguments: deadLetterTo("dead")}
		sender := declare(t, server, q)
		brief := runtime.Message{Body: []byte("1"), Expiration: time.Microsecond}
		require.NoError(t, sender.Publish(t.Context(), toQueue("q"), &brief))
		require.Equal(t, "1", <-dead)
		start(t, server, route("r", q, receive(got)))
		require.NoError(t, sender.Publish(t.Context(), toQueue("q"), &brief))
		require.Equal(t, "1", <-got)
	})
}

// The real queue of RabbitMQ 3.10 to 4.2 does the same, see package rabbitmq.
func TestQuorumQueue_DeadLettersWhatComesBackTooOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, c := range map[string]struct {
			arguments []any
			delivered int
		}{
			"quorum":           {[]any{"x-queue-type", "quorum", "x-delivery-limit", 2}, 3},
			"another type":     {nil, 20},
			"no limit":         {[]any{"x-queue-type", "quorum"}, 20},
			"switched off":     {[]any{"x-queue-type", "quorum", "x-delivery-limit", -1}, 20},
			"not even a retry": {[]any{"x-queue-type", "quorum", "x-delivery-limit", 0}, 1},
		} {
			server, dead, counts := new(memory.Server), make(chan string, 10), make(chan any, 100)
			start(t, server, route("dead", runtime.Queue{Name: "dead"}, func(ctx context.Context, _ []byte) error {
				dead <- runtime.DeliveryFrom(ctx).Headers["x-first-death-reason"].(string)
				return nil
			}))
			b := start(t, server, route("r", runtime.Queue{Name: "q", Durable: true, Arguments: deadLetterTo("dead", c.arguments...)}, func(ctx context.Context, _ []byte) error {
				counts <- runtime.DeliveryFrom(ctx).Headers["x-delivery-count"]
				if len(counts) == 20 {
					return nil
				}
				return errors.New("failed")
			}))
			require.NoError(t, b.Publish(t.Context(), toQueue("q"), &runtime.Message{}))
			time.Sleep(time.Minute)
			require.Len(t, counts, c.delivered, name)
			require.Nil(t, <-counts, name)
			if c.delivered == 3 {
				require.Equal(t, []any{int64(1), int64(2)}, []any{<-counts, <-counts})
			}
			if c.delivered < 20 {
				require.Equal(t, "delivery_limit", <-dead, name)
			}
			require.Empty(t, dead, name)
		}
	})
}

func TestRedeliveryDelay_HoldsWhatFailsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := make(chan time.Duration, 10)
		began := time.Now()
		b := start(t, nil, route("r", runtime.Queue{Name: "q"}, func(context.Context, []byte) error {
			at <- time.Since(began)
			return errors.New("failed")
		}))
		require.NoError(t, b.Publish(t.Context(), toQueue("q"), &runtime.Message{}))
		for _, want := range []time.Duration{0, 0, time.Second, 2 * time.Second} {
			require.Equal(t, want, <-at)
		}
	})
}

// A message that has failed doesn't count for the prefetch while it is held, however
// often it fails, and counts again for nothing once it is settled.
func TestPrefetch_HoldsAfterAMessageThatFailedOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failures, proceed := 0, make(chan struct{})
		r := route("r", runtime.Queue{Name: "q"}, func(_ context.Context, body []byte) error {
			if string(body) == "bad" && failures < 5 {
				failures++
				return errors.New("failed")
			}
			<-proceed
			return nil
		})
		r.Prefetch = 1
		b := start(t, nil, r)
		require.NoError(t, b.Publish(t.Context(), toQueue("q"), &runtime.Message{Body: []byte("bad")}))
		proceed <- struct{}{}
		for range 3 {
			require.NoError(t, b.Publish(t.Context(), toQueue("q"), &runtime.Message{}))
		}
		synctest.Wait()
		content, _ := b.Queue("q")
		require.Len(t, content.Ready, 2)
		require.Equal(t, 1, content.Unsettled)
		close(proceed)
		synctest.Wait()
		content, _ = b.Queue("q")
		require.Empty(t, content.Ready)
		require.Zero(t, content.Unsettled)
	})
}

func TestPrefetchBytes_LeavesOutWhatAStuckHandlerHas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		r := route("r", runtime.Queue{Name: "q"}, func(context.Context, []byte) error {
			<-release
			return nil
		})
		r.PrefetchBytes, r.Concurrency, r.Timeout = 1000, 3, time.Minute
		b := start(t, nil, r)
		require.NoError(t, b.Publish(t.Context(), toQueue("q"), &runtime.Message{Body: make([]byte, 2000)}))
		time.Sleep(time.Hour) // it is stuck then
		for range 3 {
			require.NoError(t, b.Publish(t.Context(), toQueue("q"), &runtime.Message{Body: make([]byte, 400)}))
		}
		synctest.Wait()
		content, _ := b.Queue("q")
		require.Len(t, content.Ready, 1)
		require.Equal(t, 3, content.Unsettled)
		close(release)
	})
}

func TestDelayedExchange_RoutesLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := make(chan string, 10)
		r := route("r", runtime.Queue{Name: "q"}, receive(got))
		r.Exchange = &runtime.Exchange{Name: "x", Type: "x-delayed-message", Arguments: map[string]any{"x-delayed-type": "direct"}}
		r.RoutingKeys = []string{"k"}
		b := start(t, nil, r)
		began, address := time.Now(), runtime.Address{Exchange: "x", RoutingKey: "k"}
		require.NoError(t, b.Publish(t.Context(), address, &runtime.Message{Body: []byte("later"), Headers: map[string]any{"x-delay": 3000}}))
		require.NoError(t, b.Publish(t.Context(), address, &runtime.Message{Body: []byte("now")}))
		require.Equal(t, "now", <-got)
		require.Zero(t, time.Since(began))
		require.Equal(t, "later", <-got)
		require.Equal(t, 3*time.Second, time.Since(began))
		address.RoutingKey = "other"
		require.ErrorIs(t, b.Publish(t.Context(), address, &runtime.Message{}), runtime.ErrUnroutable)
	})
}

func TestDelayedExchange_IsOfOneType(t *testing.T) {
	server := new(memory.Server)
	declare := func(kind string) error {
		r := route("r", runtime.Queue{Name: "q"}, receive(nil))
		r.Exchange = &runtime.Exchange{Name: "x", Type: "x-delayed-message", Arguments: map[string]any{"x-delayed-type": kind}}
		b := memory.New(memory.Config{Server: server})
		defer func() { require.NoError(t, b.Shutdown(t.Context())) }()
		return b.Start(t.Context(), router(t, r))
	}
	require.NoError(t, declare("direct"))
	require.NoError(t, declare("direct"))
	require.ErrorContains(t, declare("fanout"), "x-delayed-type=direct, and fanout is wanted")
}

// The plugin rabbitmq_delayed_message_exchange reads the header so (its
// rabbit_delayed_message_utils.erl).
func TestDelayedExchange_DelaysByAtMost32Bits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := make(chan string, 2)
		r := route("r", runtime.Queue{Name: "q"}, receive(got))
		r.Exchange = &runtime.Exchange{Name: "x", Type: "x-delayed-message", Arguments: map[string]any{"x-delayed-type": "fanout"}}
		b := start(t, nil, r)
		for body, delay := range map[string]int64{"at once": 1 << 32, "later": 1<<32 - 1} {
			require.NoError(t, b.Publish(t.Context(), runtime.Address{Exchange: "x"}, &runtime.Message{Body: []byte(body), Headers: map[string]any{"x-delay": delay}}))
		}
		require.Equal(t, "at once", <-got)
		synctest.Wait()
		require.Empty(t, got)
		time.Sleep((1<<32 - 1) * time.Millisecond)
		require.Equal(t, "later", <-got)
	})
}

func TestDelayedExchange_ReadsNumbersOfAllTypesAndNegatesTheHeader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := make(chan any, 10)
		r := route("r", runtime.Queue{Name: "q"}, func(ctx context.Context, _ []byte) error {
			got <- runtime.DeliveryFrom(ctx).Headers["x-delay"]
			return nil
		})
		r.Exchange = &runtime.Exchange{Name: "x", Type: "x-delayed-message", Arguments: map[string]any{"x-delayed-type": "fanout"}}
		b := start(t, nil, r)
		for _, c := range []struct {
			header any
			waits  time.Duration
			shows  any
		}{
			{int16(5), 5 * time.Millisecond, int32(-5)},
			{1, time.Millisecond, int32(-1)},
			{2.7, 2 * time.Millisecond, int32(-2)},
			{"7", 7 * time.Millisecond, int32(-7)},
			{int32(-5), 0, int32(-5)},
			{int32(0), 0, int32(0)},
			{"soon", 0, "soon"},
			{int64(1) << 32, 0, int64(1) << 32},
		} {
			began := time.Now()
			require.NoError(t, b.Publish(t.Context(), runtime.Address{Exchange: "x"}, &runtime.Message{Headers: map[string]any{"x-delay": c.header}}))
			require.Equal(t, c.shows, <-got)
			require.Equal(t, c.waits, time.Since(began), "x-delay %v", c.header)
		}
	})
}

func TestBroker_HasTheUserOfItsConfig(t *testing.T) {
	b := memory.New(memory.Config{User: "orders"})
	t.Cleanup(func() { require.NoError(t, b.Shutdown(context.Background())) })
	for user, refused := range map[string]bool{"": false, "orders": false, "guest": true} {
		err := b.Publish(t.Context(), toQueue("q"), &runtime.Message{UserID: user, AllowUnroutable: true})
		require.Equal(t, refused, err != nil, user)
	}
}

// RabbitMQ 4.3 takes it and ignores it.
func TestStart_RefusesAModeThatIsNone(t *testing.T) {
	b := memory.New(memory.Config{})
	q := runtime.Queue{Name: "q", Arguments: map[string]any{"x-queue-mode": "nonsense"}}
	require.ErrorContains(t, b.Start(t.Context(), router(t, route("r", q, receive(nil)))), "x-queue-mode is nonsense: it has to be one of default, lazy")
}

func TestCall_EndsAtItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		b := start(t, nil, runtime.Route{
			Name: "r", Queue: runtime.Queue{Name: "q"}, Reply: &runtime.Address{},
			Handler: runtime.Respond(func(_ context.Context, body []byte) ([]byte, error) {
				<-release
				return body, nil
			}),
		})
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 7*time.Second)
		defer cancel()
		_, err := b.Call(ctx, toQueue("q"), &runtime.Message{})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 7*time.Second, time.Since(began))
		close(release)
	})
}

func TestShutdown_EndsAtItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		entered, release := make(chan struct{}), make(chan struct{})
		b := memory.New(memory.Config{})
		require.NoError(t, b.Start(t.Context(), router(t, route("r", runtime.Queue{Name: "q"}, func(context.Context, []byte) error {
			close(entered)
			<-release // ignores its context
			return nil
		}))))
		require.NoError(t, b.Publish(t.Context(), toQueue("q"), &runtime.Message{}))
		<-entered
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		require.ErrorIs(t, b.Shutdown(ctx), context.DeadlineExceeded)
		require.Equal(t, 3*time.Second, time.Since(began))
		close(release)
	})
}

func TestQueue_EndsUnusedAfterItsExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := new(memory.Server)
		q := runtime.Queue{Name: "q", Arguments: map[string]any{"x-expires": 2000}}
		sender := declare(t, server, q)
		used := start(t, server, route("r", q, receive(make(chan string, 10))))
		time.Sleep(time.Hour)
		require.NoError(t, sender.Publish(t.Context(), toQueue("q"), &runtime.Message{}))
		require.NoError(t, used.Shutdown(t.Context()))
		time.Sleep(2*time.Second - time.Nanosecond)
		require.NoError(t, sender.Publish(t.Context(), toQueue("q"), &runtime.Message{}))
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		require.ErrorIs(t, sender.Publish(t.Context(), toQueue("q"), &runtime.Message{}), runtime.ErrUnroutable)
	})
}

func TestQueue_ShowsWhatWaitsAsItWillBeDelivered(t *testing.T) {
	server := new(memory.Server)
	sender := declare(t, server, runtime.Queue{Name: "q"})
	require.NoError(t, sender.Publish(t.Context(), toQueue("q"), &runtime.Message{Body: []byte("a")}))
	state, found := server.Queue("q")
	require.True(t, found)
	require.Len(t, state.Ready, 1)
	require.Equal(t, runtime.Delivery{Queue: "q", RoutingKey: "q", Message: state.Ready[0].Message}, *state.Ready[0])
	require.Equal(t, "a", string(state.Ready[0].Body))
	_, found = server.Queue("none")
	require.False(t, found)
}

// As on RabbitMQ, a declaration is a use.
func TestQueue_EndsItsExpiryAfterTheLastDeclaration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := new(memory.Server)
		q := runtime.Queue{Name: "q", Arguments: map[string]any{"x-expires": 2000}}
		sender := declare(t, server, q)
		time.Sleep(1500 * time.Millisecond)
		declare(t, server, q)
		time.Sleep(1500 * time.Millisecond)
		synctest.Wait()
		require.NoError(t, sender.Publish(t.Context(), toQueue("q"), &runtime.Message{}))
		time.Sleep(500 * time.Millisecond)
		synctest.Wait()
		require.ErrorIs(t, sender.Publish(t.Context(), toQueue("q"), &runtime.Message{}), runtime.ErrUnroutable)
	})
}

func TestShutdown_WaitsForTheHooksOfEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, called := new(memory.Server), false
		b := memory.New(memory.Config{Server: server, Events: []runtime.Events{{LateReply: func(runtime.Event) {
			time.Sleep(time.Minute)
			called = true
		}}}})
		_, publish := server.ExpectReply(b)
		require.NoError(t, publish("in time"))
		require.NoError(t, publish("late"))
		require.NoError(t, b.Shutdown(t.Context()))
		require.True(t, called)
	})
}

func TestQueue_MayDeadLetterWhatItRefuses(t *testing.T) {
	server, dead := new(memory.Server), make(chan string, 10)
	start(t, server, route("dead", runtime.Queue{Name: "dead"}, receive(dead)))
	sender := declare(t, server, runtime.Queue{Name: "q", Arguments: deadLetterTo("dead", "x-max-length-bytes", 4, "x-overflow", "reject-publish-dlx")})
	require.NoError(t, sender.Publish(t.Context(), toQueue("q"), &runtime.Message{Body: []byte("1234")}))
	require.ErrorIs(t, sender.Publish(t.Context(), toQueue("q"), &runtime.Message{Body: []byte("5")}), runtime.ErrNacked)
	require.Equal(t, "5", <-dead)
}

func TestDeadLetter_OfExpiryAloneDoesNotCycle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, got := new(memory.Server), make(chan string, 10)
		q := runtime.Queue{Name: "q", Arguments: deadLetterTo("q", "x-message-ttl", 1000)}
		sender := declare(t, server, q)
		require.NoError(t, sender.Publish(t.Context(), toQueue("q"), &runtime.Message{Body: []byte("expired")}))
		time.Sleep(1500 * time.Millisecond)
		synctest.Wait()
		start(t, server, route("r", q, receive(got)))
		require.NoError(t, sender.Publish(t.Context(), toQueue("q"), &runtime.Message{Body: []byte("fresh")}))
		require.Equal(t, "fresh", <-got)
	})
}

func TestDeadLetter_OfRejectionsMayCycleAndIsCounted(t *testing.T) {
	server := new(memory.Server)
	counts := make(chan any, 10)
	q := runtime.Queue{Name: "q", Arguments: deadLetterTo("q")}
	b := start(t, server, route("r", q, func(ctx context.Context, _ []byte) error {
		deaths, _ := runtime.DeliveryFrom(ctx).Headers["x-death"].([]any)
		if len(deaths) == 0 {
			return runtime.Reject(errors.New("no"))
		}
		count := deaths[0].(map[string]any)["count"]
		counts <- count
		if count == int64(3) {
			return nil
		}
		return runtime.Reject(errors.New("no"))
	}))
	require.NoError(t, b.Publish(t.Context(), toQueue("q"), &runtime.Message{}))
	require.Equal(t, []any{int64(1), int64(2), int64(3)}, []any{<-counts, <-counts, <-counts})
}

func TestSingleActiveConsumer_GetsEverything(t *testing.T) {
	first, second := make(chan string, 20), make(chan string, 20)
	q := runtime.Queue{Name: "q", Arguments: map[string]any{"x-single-active-consumer": true}}
	b := start(t, nil, route("r1", q, receive(first)), route("r2", q, receive(second)))
	for range 10 {
		require.NoError(t, b.Publish(t.Context(), toQueue("q"), &runtime.Message{}))
	}
	for range 10 {
		<-first
	}
	require.Empty(t, second)
}

func TestStart_RefusesInvalidDefinitions(t *testing.T) {
	handler := runtime.Consume(func(context.Context, []byte) error { return nil })
	for name, r := range map[string]runtime.Route{
		"x-message-ttl":           {Queue: runtime.Queue{Name: "q", Arguments: map[string]any{"x-message-ttl": "soon"}}},
		"x-max-length":            {Queue: runtime.Queue{Name: "q", Arguments: map[string]any{"x-max-length": -1}}},
		"x-odd":                   {Queue: runtime.Queue{Name: "q", Arguments: map[string]any{"x-odd": struct{}{}}}},
		`begin with "amq.`:        {Queue: runtime.Queue{Name: "amq.mine"}},
		"x-no-such-type":          {Queue: runtime.Queue{Name: "q"}, Exchange: &runtime.Exchange{Name: "x", Type: "x-no-such-type"}},
		`route "late"`:            {Queue: runtime.Queue{Name: "q"}, Exchange: &runtime.Exchange{Name: "amq.mine", Type: runtime.Direct}},
		"durable=true":            {Queue: runtime.Queue{Name: "q"}, Exchange: &runtime.Exchange{Name: "amq.topic", Type: runtime.Topic}},
		"is unknown":              {Queue: runtime.Queue{Name: "q"}, Exchange: &runtime.Exchange{Name: "x", Type: "x-delayed-message"}},
		"argument \"odd\"":        {Queue: runtime.Queue{Name: "q"}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic, Arguments: map[string]any{"odd": struct{}{}}}},
		"alternate-exchange is 5": {Queue: runtime.Queue{Name: "q"}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic, Arguments: map[string]any{"alternate-exchange": 5}}},
		`bind queue "q"`: {
			Queue: runtime.Queue{Name: "q"}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Topic}, BindingArguments: map[string]any{"odd": struct{}{}},
		},
	} {
		r.Name, r.Handler = "late", handler
		b := memory.New(memory.Config{})
		require.ErrorContains(t, b.Start(t.Context(), router(t, r)), name)
	}
}

func TestHeadersExchange_ComparesXHeadersOnRequest(t *testing.T) {
	got := make(chan string, 10)
	r := route("r", runtime.Queue{Name: "q"}, receive(got))
	r.Exchange = &runtime.Exchange{Name: "amq.headers", Type: runtime.Headers, Durable: true}
	r.BindingArguments = map[string]any{"x-match": "all-with-x", "x-kind": "order"}
	b := start(t, nil, r)
	address := runtime.Address{Exchange: "amq.headers"}
	require.NoError(t, b.Publish(t.Context(), address, &runtime.Message{Headers: map[string]any{"x-kind": "order"}}))
	require.ErrorIs(t, b.Publish(t.Context(), address, &runtime.Message{Headers: map[string]any{"x-kind": "other"}}), runtime.ErrUnroutable)
}

// As RabbitMQ from 4.0 on.
func TestHeadersExchange_FindsNoTimeEqual(t *testing.T) {
	at := time.Unix(1700000000, 0)
	r := route("r", runtime.Queue{Name: "q"}, receive(make(chan string, 1)))
	r.Exchange = &runtime.Exchange{Name: "amq.headers", Type: runtime.Headers, Durable: true}
	r.BindingArguments = map[string]any{"at": at}
	b := start(t, nil, r)
	err := b.Publish(t.Context(), runtime.Address{Exchange: "amq.headers"}, &runtime.Message{Headers: map[string]any{"at": at}})
	require.ErrorIs(t, err, runtime.ErrUnroutable)
}

// The message that it ended at is kept, and those of other keys go on.
func TestOrder_GoesOnWhereAKeyFunctionEndsItsGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := make(chan string, 10)
		r := route("r", runtime.Queue{Name: "q"}, receive(got))
		r.Order = runtime.PerKey(func(d *runtime.Delivery) string {
			if string(d.Body) == "ends" {
				goruntime.Goexit()
			}
			return string(d.Body)
		})
		b := start(t, nil, r)
		for _, body := range []string{"ends", "next"} {
			require.NoError(t, b.Publish(t.Context(), toQueue("q"), &runtime.Message{Body: []byte(body)}))
		}
		require.Equal(t, "next", <-got)
	})
}

func TestReply_SharesNothingWithTheHandler(t *testing.T) {
	var reply []byte
	b := start(t, nil, runtime.Route{
		Name: "r", Queue: runtime.Queue{Name: "q"}, Reply: &runtime.Address{},
		Handler: runtime.Respond(func(context.Context, []byte) ([]byte, error) {
			reply = []byte("reply")
			return reply, nil
		}),
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	got, err := b.Call(ctx, toQueue("q"), &runtime.Message{})
	require.NoError(t, err)
	require.NoError(t, b.Shutdown(ctx))
	reply[0] = 'X'
	require.Equal(t, "reply", string(got.Body))
}

func TestLogger_SaysWhatIsConsumed(t *testing.T) {
	consumes := func(routes ...runtime.Route) string {
		var log bytes.Buffer
		b := memory.New(memory.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
		require.NoError(t, b.Start(t.Context(), router(t, routes...)))
		require.NoError(t, b.Shutdown(t.Context()))
		return log.String()
	}
	log := consumes(route("the-route", runtime.Queue{Name: "the-queue"}, receive(nil)))
	require.Contains(t, log, `msg=consuming route=the-route queue=the-queue`)
	require.NotContains(t, log, "nothing is consumed")
	require.Contains(t, consumes(), `level=WARN msg="nothing is consumed: the router had no routes`)
}

// Whichever way a route acknowledges, the server rests once the handler and the functions
// of OnSettled have returned, and not before.
func TestWaitIdle_WaitsForHandlersOfEachMode(t *testing.T) {
	for _, mode := range []runtime.AckMode{runtime.AckOnSuccess, runtime.AckByHand, runtime.AckFirst} {
		for _, order := range []runtime.Order{{}, runtime.Strict()} {
			if mode == runtime.AckByHand && !order.IsZero() {
				continue // no such route
			}
			synctest.Test(t, func(t *testing.T) {
				server, busy := new(memory.Server), 0
				r := route("r", runtime.Queue{Name: "q"}, func(ctx context.Context, _ []byte) error {
					d := runtime.DeliveryFrom(ctx)
					busy++
					d.OnSettled(func(runtime.Settlement, error) {
						time.Sleep(time.Second)
						busy--
					})
					time.Sleep(time.Second)
					if mode == runtime.AckByHand {
						return d.Ack()
					}
					return nil
				})
				r.AckMode, r.Order = mode, order
				if !order.IsZero() {
					r.Failure = new(runtime.FailurePolicy)
				}
				b := start(t, server, r)
				for range 3 {
					require.NoError(t, b.Publish(t.Context(), toQueue("q"), &runtime.Message{}))
					ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
					require.ErrorIs(t, server.WaitIdle(ctx), context.DeadlineExceeded, "mode %v", mode)
					cancel()
					ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
					require.NoError(t, server.WaitIdle(ctx), "mode %v", mode)
					cancel()
					require.Zero(t, busy, "mode %v", mode)
				}
			})
		}
	}
}

func TestQueues_AreInTheOrderOfTheirNames(t *testing.T) {
	server := new(memory.Server)
	require.Empty(t, server.Queues())
	b := start(t, server, route("r", runtime.Queue{Name: "b"}, receive(nil)), route("s", runtime.Queue{Name: "a"}, receive(nil)))
	require.Equal(t, []string{"a", "b"}, server.Queues())
	require.NoError(t, b.Shutdown(t.Context()))
	require.Equal(t, []string{"a", "b"}, server.Queues())
}

// The message goes back to its queue, and its functions hear so once.
func TestShutdown_EndsTheTurnOfAHandlerThatReturnsTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, release := new(memory.Server), make(chan struct{})
		var settled []string
		r := route("r", runtime.Queue{Name: "q", Durable: true}, func(ctx context.Context, _ []byte) error {
			runtime.DeliveryFrom(ctx).OnSettled(func(s runtime.Settlement, err error) { settled = append(settled, fmt.Sprint(s, " ", err)) })
			<-release // ignores its context
			return errors.New("failed")
		})
		r.Order, r.Failure = runtime.Strict(), new(runtime.FailurePolicy)
		observed := 0
		b := memory.New(memory.Config{Server: server, OnSettled: func(*runtime.Delivery, runtime.Settlement, error) { observed++ }})
		require.NoError(t, b.Start(t.Context(), router(t, r)))
		require.NoError(t, b.Publish(t.Context(), toQueue("q"), &runtime.Message{}))
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, b.Shutdown(ctx), context.DeadlineExceeded)
		close(release)
		synctest.Wait()
		require.Equal(t, []string{"requeue <nil>"}, settled)
		require.Zero(t, observed, "the server has it back")
		content, _ := server.Queue("q")
		require.Len(t, content.Ready, 1)
	})
}

func TestLogger_GetsFailedDeliveries(t *testing.T) {
	var log bytes.Buffer
	done := make(chan struct{})
	b := memory.New(memory.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	require.NoError(t, b.Start(t.Context(), router(t, route("the-route", runtime.Queue{Name: "the-queue"}, func(ctx context.Context, _ []byte) error {
		if runtime.DeliveryFrom(ctx).Redelivered {
			close(done)
			return nil
		}
		return errors.New("the-error")
	}))))
	require.NoError(t, b.Publish(t.Context(), toQueue("the-queue"), &runtime.Message{}))
	<-done
	require.NoError(t, b.Shutdown(t.Context()))
	for _, part := range []string{"delivery failed", "the-route", "the-queue", "the-error", "requeue"} {
		require.Contains(t, log.String(), part)
	}
}

func TestShutdown_ClearsTheBrokersOwnServer(t *testing.T) {
	for name, server := range map[string]*memory.Server{"its own": nil, "one that is shared": new(memory.Server)} {
		b, q := memory.New(memory.Config{Server: server}), runtime.Queue{Name: "q", Durable: true}
		topology := runtime.Topology{Queues: []runtime.Queue{q}}
		declared := runtime.NewRouter()
		require.NoError(t, declared.Declare(topology))
		require.NoError(t, b.Start(t.Context(), declared))
		require.NoError(t, b.Publish(t.Context(), toQueue("q"), &runtime.Message{}))
		content, _ := b.Queue("q")
		require.Len(t, content.Ready, 1, name)
		require.NoError(t, b.Shutdown(t.Context()))
		content, found := b.Queue("q")
		require.Equal(t, server != nil, found, name)
		require.Equal(t, server != nil, len(content.Ready) == 1, name)
		require.ErrorIs(t, b.Publish(t.Context(), toQueue("q"), &runtime.Message{}), runtime.ErrClosed)
	}
}

// A caller takes the first reply alone, also where the second one comes before it has
// looked.
func TestReply_IsGivenToItsCallOnce(t *testing.T) {
	server := new(memory.Server)
	replies, publish := server.ExpectReply(memory.New(memory.Config{Server: server}))
	require.NoError(t, publish("1"))
	require.NoError(t, publish("2"))
	require.Equal(t, []string{"1"}, replies())
}

func route(name string, q runtime.Queue, handle func(context.Context, []byte) error) runtime.Route {
	return runtime.Route{Name: name, Queue: q, Handler: runtime.Consume(handle)}
}

// receive returns a handler that passes bodies on.
func receive(to chan<- string) func(context.Context, []byte) error {
	return func(_ context.Context, body []byte) error {
		to <- string(body)
		return nil
	}
}

func router(t *testing.T, routes ...runtime.Route) *runtime.Router {
	t.Helper()
	r := runtime.NewRouter()
	require.NoError(t, r.OnFailure(runtime.FailurePolicy{Endless: true})) // failures are the server's, as in these tests
	require.NoError(t, r.Register(routes...))
	return r
}

// start returns a broker that consumes the routes until the test ends. A nil
// server means one of its own.
func start(t *testing.T, server *memory.Server, routes ...runtime.Route) *memory.Broker {
	t.Helper()
	b := memory.New(memory.Config{Server: server})
	require.NoError(t, b.Start(t.Context(), router(t, routes...)))
	t.Cleanup(func() { require.NoError(t, b.Shutdown(context.Background())) })
	return b
}

// declare leaves the queue without a consumer, and returns a broker to send.
func declare(t *testing.T, server *memory.Server, q runtime.Queue) *memory.Broker {
	t.Helper()
	require.NoError(t, start(t, server, route("declare", q, receive(nil))).Shutdown(t.Context()))
	return start(t, server)
}

func toQueue(name string) runtime.Address { return runtime.Address{RoutingKey: name} }

// deadLetterTo returns arguments that dead-letter to a queue, with others in
// pairs of name and value.
func deadLetterTo(queue string, others ...any) map[string]any {
	arguments := map[string]any{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": queue}
	for i := 0; i < len(others); i += 2 {
		arguments[others[i].(string)] = others[i+1]
	}
	return arguments
}
