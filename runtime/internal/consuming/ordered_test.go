package consuming_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
)

// nowhere is a transport that confirms everything.
type nowhere struct{ runtime.Transport }

func (nowhere) Publish(context.Context, runtime.Address, *runtime.Message) error { return nil }

// A line is a broker with one ordered route, as far as Ordered sees it.
type line struct {
	*consuming.Ordered
	route   *runtime.Route
	stop    chan struct{}
	running sync.WaitGroup

	mu      sync.Mutex
	settled []string
	stale   map[string]bool // by body
	lost    chan struct{}   // closed with all of stale
}

func newLine(t *testing.T, limits consuming.Limits, attempts int, handle func(key string, n string, d *runtime.Delivery) error) *line {
	t.Helper()
	router := runtime.NewRouter()
	require.NoError(t, router.Register(runtime.Route{
		Name: "r", Queue: runtime.Queue{Name: "q"}, Failure: &runtime.FailurePolicy{Attempts: attempts, Delay: time.Second, MaxDelay: time.Second},
		Order: runtime.PerKey(func(d *runtime.Delivery) string { return d.RoutingKey }),
		Handler: runtime.Consume(func(ctx context.Context, body []byte) error {
			d := runtime.DeliveryFrom(ctx)
			return handle(d.RoutingKey, string(body), d)
		}),
	}))
	l := &line{route: &router.Routes()[0], stop: make(chan struct{}), lost: make(chan struct{}), stale: make(map[string]bool)}
	l.Ordered = consuming.NewOrdered(l.route, limits, nowhere{}, slog.New(slog.NewTextHandler(io.Discard, nil)), t.Context(), l.stop, l.running.Go)
	return l
}

func (l *line) add(key string, n int) {
	d := &runtime.Delivery{Message: runtime.Message{Body: fmt.Append(nil, n)}, RoutingKey: key}
	l.Add(oneTurn{l, fmt.Sprint(n)}, d)
}

type oneTurn struct {
	l    *line
	body string
}

func (t oneTurn) Process(d *runtime.Delivery) runtime.Outcome {
	return runtime.Process(context.Background(), t.l.route, d, nowhere{})
}

func (t oneTurn) Settle(d *runtime.Delivery, s runtime.Settlement) {
	t.l.mu.Lock()
	defer t.l.mu.Unlock()
	t.l.settled = append(t.l.settled, fmt.Sprintf("%s%s %v", d.RoutingKey, d.Body, s))
}

func (t oneTurn) IsStale() bool {
	t.l.mu.Lock()
	defer t.l.mu.Unlock()
	return t.l.stale[t.body]
}

// Whatever handlers do, the deliveries of a key are handled in their order, one at a
// time, and no more keys at a time than there are places.
func TestOrdered_HandlesEachKeyInItsOrder(t *testing.T) {
	for seed := range uint64(50) {
		synctest.Test(t, func(t *testing.T) {
			const keys, each, places = 6, 20, 3
			var mu sync.Mutex
			random := rand.New(rand.NewPCG(seed, 1))
			busy, most := make(map[string]bool), 0
			got := make(map[string][]string)
			l := newLine(t, consuming.Limits{Concurrency: places, RedeliveryDelay: time.Second}, 2, func(key, n string, d *runtime.Delivery) error {
				mu.Lock()
				require.False(t, busy[key])
				busy[key] = true
				most = max(most, len(busy))
				pause, what := random.IntN(3), random.IntN(10)
				mu.Unlock()
				time.Sleep(time.Duration(pause) * time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				delete(busy, key)
				if last := len(got[key]) - 1; last < 0 || got[key][last] != n {
					got[key] = append(got[key], n)
				}
				switch what {
				case 0:
					return errors.New("fails")
				case 1:
					panic("fails")
				case 2:
					goruntime.Goexit()
				case 3:
					return runtime.Reject(errors.New("fails"))
				}
				return nil
			})
			for n := range each {
				for key := range keys {
					l.add(string(rune('a'+key)), n)
				}
				time.Sleep(time.Duration(rand.IntN(2)) * time.Millisecond)
			}
			l.running.Wait()
			require.Zero(t, l.Len())
			require.LessOrEqual(t, most, places)
			require.Len(t, l.settled, keys*each)
			for key, ns := range got {
				require.Len(t, ns, each, "key %s: one came again after another one: %v", key, ns)
			}
		})
	}
}

func TestOrdered_BeginsNothingAfterTheBrokerHasStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handled := 0
		l := newLine(t, consuming.Limits{Concurrency: 1, RedeliveryDelay: time.Second}, 5, func(string, string, *runtime.Delivery) error {
			handled++
			return errors.New("fails")
		})
		l.add("a", 1)
		l.add("a", 2)
		synctest.Wait()
		close(l.stop)
		l.running.Wait()
		require.Equal(t, 1, handled)
		require.Empty(t, l.settled, "what isn't settled goes back with the channel")
		require.Zero(t, l.Len())
	})
}

func (t oneTurn) Lost() <-chan struct{} { return t.l.lost }

// A connection is lost while one waits for its next attempt, and another for a place.
func TestOrdered_GoesOnAtOnceAfterALoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var handled []string
		l := newLine(t, consuming.Limits{Concurrency: 1, RedeliveryDelay: time.Second}, 5, func(_, n string, d *runtime.Delivery) error {
			handled = append(handled, n)
			if n == "1" {
				<-release
			}
			return runtime.RetryAfter(errors.New("fails"), time.Hour)
		})
		began := time.Now()
		for n, key := range []string{"a", "b", "c"} {
			l.add(key, n)
			synctest.Wait()
		}
		require.Equal(t, []string{"0", "1"}, handled)
		l.mu.Lock()
		l.stale["0"], l.stale["2"] = true, true
		l.mu.Unlock()
		close(l.lost)
		synctest.Wait()
		require.Equal(t, 1, l.Len(), "the one that is handled")
		require.Zero(t, time.Since(began))
		l.mu.Lock()
		l.stale["1"] = true
		l.mu.Unlock()
		close(release)
		l.running.Wait()
		require.Zero(t, time.Since(began))
	})
}

// The grace of a broker that stops ends after a handler has failed and before its message
// has another attempt. There is no copy of such a message.
func TestOrdered_GivesBackWhatCanNotBeTriedAgain(t *testing.T) {
	handling, cancel := context.WithCancel(t.Context())
	l := newLine(t, consuming.Limits{Concurrency: 1, RedeliveryDelay: time.Second}, 5, func(string, string, *runtime.Delivery) error {
		cancel() // Process has a context of its own
		return errors.New("fails")
	})
	l.Ordered = consuming.NewOrdered(l.route, consuming.Limits{Concurrency: 1}, nowhere{}, slog.New(slog.DiscardHandler), handling, l.stop, l.running.Go)
	l.add("a", 0)
	l.running.Wait()
	require.Equal(t, []string{"a0 requeue"}, l.settled)
}

func TestOrdered_ForgetsWhatIsStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var handled []string
		l := newLine(t, consuming.Limits{Concurrency: 1, RedeliveryDelay: time.Second}, 5, func(_, n string, _ *runtime.Delivery) error {
			handled = append(handled, n)
			<-release
			return nil
		})
		for n := range 3 {
			l.add("a", n)
		}
		synctest.Wait()
		l.mu.Lock()
		l.stale["0"], l.stale["1"] = true, true
		l.mu.Unlock()
		l.Clean()
		require.Equal(t, 2, l.Len(), "the one that is handled, and the one that isn't stale")
		close(release)
		l.running.Wait()
		require.Equal(t, []string{"0", "2"}, handled)
		require.Equal(t, "a0 ack,a2 ack", strings.Join(l.settled, ","))
	})
}
