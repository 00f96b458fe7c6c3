package deduplication_test

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/deduplication"
	"github.com/warrenmq/warren/runtime/memory"
	"github.com/warrenmq/warren/runtime/runtimetest"
)

// serve runs a route with handle behind the middleware.
func serve(t *testing.T, store deduplication.Store, handle func(context.Context, []byte) error) *runtimetest.Service {
	t.Helper()
	router := runtime.NewRouter()
	router.Use(deduplication.Once(store, deduplication.Config{}))
	for _, name := range []string{"a", "b"} {
		require.NoError(t, router.Register(runtime.Route{Name: name, Queue: runtime.Queue{Name: name}, Handler: runtime.Consume(handle)}))
	}
	return runtimetest.Start(t, router, runtimetest.WithConfig(memory.Config{Concurrency: 4}))
}

func TestOnce_HandlesAMessageOncePerRoute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var handled atomic.Int64
		service := serve(t, deduplication.NewMemory(10), func(context.Context, []byte) error {
			handled.Add(1)
			return nil
		})
		send := func(route, id string) int64 {
			before := handled.Load()
			service.Send(route, []byte("x"), runtime.WithMessageID(id))
			for _, settled := range service.Settled() {
				require.Equal(t, runtime.Ack, settled.End)
			}
			return handled.Load() - before
		}
		require.EqualValues(t, 1, send("a", "1"))
		require.EqualValues(t, 0, send("a", "1"))
		require.EqualValues(t, 1, send("b", "1"), "another route")
		require.EqualValues(t, 1, send("a", "2"))
		require.EqualValues(t, 1, send("a", ""), "without an id")
		require.EqualValues(t, 1, send("a", ""))
		time.Sleep(time.Hour)
		require.EqualValues(t, 1, send("a", "1"), "after the retention")
	})
}

func TestOnce_TriesAgainWhatFailed(t *testing.T) {
	for name, fail := range map[string]func() error{
		"error": func() error { return errors.New("no") },
		"panic": func() error { panic("no") },
		"goexit": func() error {
			goruntime.Goexit()
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls, store := 0, deduplication.NewMemory(10)
				service := serve(t, store, func(context.Context, []byte) error {
					if calls++; calls == 1 {
						return fail()
					}
					return nil
				})
				service.Send("a", []byte("x"), runtime.WithMessageID("1"))
				service.Settled()
				require.Equal(t, 2, calls)
				require.Equal(t, 1, store.Len())
			})
		})
	}
}

// The connection is lost while a handler runs that takes longer than all attempts
// together: its message comes again, and is handled once.
func TestOnce_WaitsForOneThatIsBeingHandledWithoutAnAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var handled atomic.Int64
		service := serve(t, deduplication.NewMemory(10), func(context.Context, []byte) error {
			time.Sleep(10 * time.Minute)
			handled.Add(1)
			return nil
		})
		service.Send("a", []byte("x"), runtime.WithMessageID("1"))
		synctest.Wait()
		service.Disconnect()
		settled := service.Settled()
		require.EqualValues(t, 1, handled.Load())
		require.Greater(t, len(settled), 100, "it has waited again and again")
		for _, s := range settled {
			require.Equal(t, 1, s.Delivery.Attempt)
			if s.End == runtime.Retry {
				require.ErrorIs(t, s.Err, deduplication.ErrBusy)
			}
		}
		require.Equal(t, runtime.Ack, settled[len(settled)-1].End)
		require.Zero(t, service.Queue("a.dead").Len())
	})
}

// The process that has claimed a message died, and the message keeps its turn until the
// claim ends. The default lease is longer than a turn.
func TestOnce_NeedsAShortLeaseForAnOrder(t *testing.T) {
	for name, test := range map[string]struct {
		lease time.Duration // of the claim
		end   runtime.Settlement
	}{
		"default": {30 * time.Minute, runtime.DeadLetter},
		"shorter": {14 * time.Minute, runtime.Ack},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store, router := deduplication.NewMemory(10), runtime.NewRouter()
				router.Use(deduplication.Once(store, deduplication.Config{Lease: test.lease}))
				require.NoError(t, router.Register(runtime.Route{
					Name: "a", Queue: runtime.Queue{Name: "a", Durable: true}, Order: runtime.Strict(),
					Handler: runtime.Consume(func(context.Context, []byte) error { return nil }),
				}))
				_, err := store.Claim(t.Context(), "a\x001", "of a process that died", test.lease)
				require.NoError(t, err)
				service := runtimetest.Start(t, router)
				service.Send("a", []byte("x"), runtime.WithMessageID("1"))
				settled := service.Settled()
				require.Equal(t, test.end, settled[len(settled)-1].End)
			})
		})
	}
}

// Two instances of a service share a store. Each has a queue of its own, and so gets its
// own copy of a message.
func TestOnce_HandlesAMessageOncePerInstance(t *testing.T) {
	server, store, handled := new(memory.Server), deduplication.NewMemory(10), make(chan string, 10)
	start := func(instance string) *memory.Broker {
		router := runtime.NewRouter()
		router.Use(deduplication.Once(store, deduplication.Config{}))
		router.MustRegister(runtime.Route{
			Name: "r", Queue: runtime.Queue{Name: "q", PerInstance: true}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Fanout},
			Handler: runtime.Consume(func(_ context.Context, body []byte) error {
				handled <- instance + string(body)
				return nil
			}),
		})
		broker := memory.New(memory.Config{Server: server, Concurrency: 1})
		require.NoError(t, broker.Start(t.Context(), router))
		return broker
	}
	brokers := []*memory.Broker{start("a"), start("b")}
	for _, id := range []string{"1", "1", "2"} {
		message := &runtime.Message{Body: []byte(id), MessageID: id}
		require.NoError(t, brokers[0].Publish(t.Context(), runtime.Address{Exchange: "x"}, message))
	}
	var all []string
	for range 4 {
		all = append(all, <-handled)
	}
	for _, broker := range brokers {
		require.NoError(t, broker.Shutdown(t.Context()))
	}
	require.ElementsMatch(t, []string{"a1", "a2", "b1", "b2"}, all)
	require.Empty(t, handled)
}

type brokenStore struct{ deduplication.Store }

var errBroken = errors.New("broken")

func (s brokenStore) Claim(context.Context, string, string, time.Duration) (deduplication.State, error) {
	return 0, errBroken
}

func TestOnce_FailsWhereItsStoreDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handled := false
		service := serve(t, brokenStore{}, func(context.Context, []byte) error {
			handled = true
			return nil
		})
		service.SendMessage("a", runtime.Message{MessageID: "1"})
		settled := service.Settled()
		require.Len(t, settled, 5)
		require.ErrorIs(t, settled[0].Err, errBroken)
		require.False(t, handled)
	})
}

// store has a claim for everybody, and notes for how long.
type store struct {
	lease, retention time.Duration
	state            deduplication.State
	releaseErr       error
}

func (s *store) Claim(_ context.Context, _, _ string, lease time.Duration) (deduplication.State, error) {
	s.lease = lease
	return s.state, nil
}

func (s *store) Keep(_ context.Context, _ string, retention time.Duration) error {
	s.retention = retention
	return nil
}

func (s *store) Release(context.Context, string, string) error { return s.releaseErr }

func TestOnce_HasDefaults(t *testing.T) {
	d := &runtime.Delivery{Message: runtime.Message{MessageID: "1"}}
	handle := func(s *store, config deduplication.Config) error {
		_, err := deduplication.Once(s, config)(func(context.Context, *runtime.Delivery) (*runtime.Message, error) { return nil, nil })(t.Context(), d)
		return err
	}
	s := &store{state: deduplication.Claimed}
	require.NoError(t, handle(s, deduplication.Config{}))
	require.Equal(t, []time.Duration{30 * time.Minute, time.Hour}, []time.Duration{s.lease, s.retention})
	require.NoError(t, handle(s, deduplication.Config{Lease: 1, Retention: 2}))
	require.Equal(t, []time.Duration{1, 2}, []time.Duration{s.lease, s.retention})
}

// A store that can't release isn't asked to where the message was handled.
func TestOnce_ReleasesNothingThatWasHandled(t *testing.T) {
	s := &store{state: deduplication.Claimed, releaseErr: errBroken}
	_, err := deduplication.Once(s, deduplication.Config{})(func(context.Context, *runtime.Delivery) (*runtime.Message, error) {
		return nil, nil
	})(t.Context(), &runtime.Delivery{Message: runtime.Message{MessageID: "1"}})
	require.NoError(t, err)
}

// Messages of routes with other retentions are in one store.
func TestMemory_KeepsANewClaimOfWhatWasForgottenBeforeEarlierOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, ctx := deduplication.NewMemory(10), t.Context()
		require.NoError(t, m.Keep(ctx, "long", time.Hour))
		require.NoError(t, m.Keep(ctx, "short", time.Minute))
		time.Sleep(time.Minute)
		for _, want := range []deduplication.State{deduplication.Claimed, deduplication.Busy} {
			state, err := m.Claim(ctx, "short", "t", 2*time.Hour)
			require.NoError(t, err)
			require.Equal(t, want, state)
			time.Sleep(time.Hour)
		}
		require.Equal(t, 1, m.Len())
	})
}

func TestOnce_TellsWhereAClaimCannotBeReleased(t *testing.T) {
	failed := errors.New("failed")
	for _, releaseErr := range []error{nil, errBroken} {
		s := &store{state: deduplication.Claimed, releaseErr: releaseErr}
		_, err := deduplication.Once(s, deduplication.Config{})(func(context.Context, *runtime.Delivery) (*runtime.Message, error) {
			return nil, failed
		})(t.Context(), &runtime.Delivery{Message: runtime.Message{MessageID: "1"}})
		require.ErrorIs(t, err, failed)
		require.Equal(t, releaseErr != nil, errors.Is(err, errBroken))
		if releaseErr == nil {
			require.Equal(t, failed, err)
		}
	}
}

// Two instances have handled it, of which one had outlived its lease.
func TestMemory_CountsAMessageOnce(t *testing.T) {
	m, ctx := deduplication.NewMemory(2), t.Context()
	for _, key := range []string{"twice", "twice", "other"} {
		require.NoError(t, m.Keep(ctx, key, time.Hour))
	}
	require.Equal(t, 2, m.Len())
	for _, key := range []string{"twice", "other"} {
		state, err := m.Claim(ctx, key, "t", time.Minute)
		require.NoError(t, err)
		require.Equal(t, deduplication.Handled, state, key)
	}
}

// A handler that has outlived its lease, and that of another process which has begun.
func TestMemory_ReleasesNoClaimOfAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, ctx := deduplication.NewMemory(10), t.Context()
		claim := func(token string) deduplication.State {
			state, err := m.Claim(ctx, "k", token, time.Minute)
			require.NoError(t, err)
			return state
		}
		require.Equal(t, deduplication.Claimed, claim("first"))
		time.Sleep(time.Minute)
		require.Equal(t, deduplication.Claimed, claim("second"), "the first one's lease is over")
		require.NoError(t, m.Release(ctx, "k", "first"))
		require.Equal(t, deduplication.Busy, claim("third"))
		require.NoError(t, m.Keep(ctx, "k", time.Hour))
		require.NoError(t, m.Release(ctx, "k", "second"))
		require.Equal(t, deduplication.Handled, claim("third"), "the first one has succeeded")
	})
}

func TestMemory_IsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, ctx := deduplication.NewMemory(100), t.Context()
		claim := func(key string) deduplication.State {
			state, err := m.Claim(ctx, key, "t", time.Minute)
			require.NoError(t, err)
			return state
		}
		for i := range 1000 {
			require.Equal(t, deduplication.Claimed, claim(fmt.Sprint(i)))
			require.NoError(t, m.Keep(ctx, fmt.Sprint(i), time.Hour))
		}
		require.Equal(t, 100, m.Len())
		require.Equal(t, deduplication.Handled, claim("999"))
		require.Equal(t, deduplication.Claimed, claim("0"), "forgotten")
		require.Equal(t, deduplication.Busy, claim("0"))
		time.Sleep(time.Minute)
		require.Equal(t, deduplication.Claimed, claim("0"), "its lease is over")
		require.NoError(t, m.Release(ctx, "0", "t"))
		require.NoError(t, m.Release(ctx, "999", "t"), "one that was handled stays so")
		require.Equal(t, deduplication.Handled, claim("999"))
		time.Sleep(time.Hour)
		require.Zero(t, m.Len())
	})
}
