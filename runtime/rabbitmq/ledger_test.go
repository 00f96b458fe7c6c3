package rabbitmq_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	goruntime "runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
)

// keepsConfirmed publishes and consumes during an outage, and compares what was
// confirmed with what was handled.
func keepsConfirmed(t *testing.T, node *rabbitnode.Node, outage func()) {
	q, ledger := queue(t), newLedger()
	start(t, open(t, node.URL()), runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(ledger.handle)})
	b := open(t, node.URL())
	stop := make(chan struct{})
	var publishing sync.WaitGroup
	for range 100 {
		publishing.Go(func() { ledger.publish(b, to(q), stop) })
	}
	ledger.awaitConfirmed(t, 1000)
	outage()
	ledger.awaitConfirmed(t, ledger.confirmedCount()+1000)
	close(stop)
	publishing.Wait()
	require.EqualValues(t, ledger.next.Load(), len(ledger.confirmed)+len(ledger.unknown), "neither confirmed nor reported")
	require.Eventually(t, func() bool { return len(ledger.lost()) == 0 }, patience, 20*time.Millisecond,
		"confirmed and never handled: %v", ledger.lost())
	require.Empty(t, ledger.strange)
}

// A ledger knows which messages were confirmed and which were handled.
type ledger struct {
	next atomic.Int64

	mu        sync.Mutex
	confirmed map[string]bool
	unknown   map[string]bool
	handled   map[string]int
	strange   []error // errors of publishing that no outage explains
}

func newLedger() *ledger {
	return &ledger{confirmed: make(map[string]bool), unknown: make(map[string]bool), handled: make(map[string]int)}
}

func (l *ledger) handle(_ context.Context, body []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.handled[string(body)]++
	return nil
}

// publish sends numbers until stop is closed.
func (l *ledger) publish(b runtime.Broker, to runtime.Address, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		id := strconv.FormatInt(l.next.Add(1), 10)
		err := b.Publish(ctx, to, &runtime.Message{Body: []byte(id)})
		cancel()
		l.note(id, err)
	}
}

func (l *ledger) note(id string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil:
		l.confirmed[id] = true
	case errors.Is(err, runtime.ErrUnknown):
		l.unknown[id] = true
	default:
		l.strange = append(l.strange, err)
	}
}

func (l *ledger) confirmedCount() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.confirmed)
}

func (l *ledger) awaitConfirmed(t *testing.T, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return l.confirmedCount() >= n }, patience, 5*time.Millisecond)
}

func (l *ledger) lost() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var lost []string
	for id := range l.confirmed {
		if l.handled[id] == 0 {
			lost = append(lost, id)
		}
	}
	return lost
}

// The order of a key holds whatever becomes of its messages and of the connections.
func TestOrder_HoldsAcrossFailuresAndCuts(t *testing.T) {
	t.Parallel()
	const keys, each, cuts = 5, 200, 8
	p, q := newProxy(t, node.URL()), queue(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	ledger := newOrderLedger(keys)
	policy := &runtime.FailurePolicy{Attempts: 1000, Delay: time.Millisecond, MaxDelay: 2 * time.Millisecond}
	start(t, across(t, p), runtime.Route{
		Name: "r", Queue: q, Handler: runtime.Consume(ledger.handle), Failure: policy, Concurrency: 3, Prefetch: 50,
		Order: runtime.PerKey(func(d *runtime.Delivery) string { return d.AppID }),
	})
	b := open(t, node.URL())
	for i := range each {
		for key := range keys {
			message := &runtime.Message{AppID: strconv.Itoa(key), Body: []byte(strconv.Itoa(i))}
			require.NoError(t, b.Publish(t.Context(), to(q), message))
		}
		if i%(each/cuts) == 0 {
			p.obey(cutAfter(random.IntN(10_000), random.IntN(2) == 0))
		}
	}
	require.Eventually(t, func() bool { return ledger.handled() == keys*each }, patience, 5*time.Millisecond)
	require.Empty(t, ledger.faults())
}

// A message that waits for its next attempt comes again when its connection is lost.
func TestOrder_GoesOnAtOnceAfterACut(t *testing.T) {
	t.Parallel()
	p, q, handled := newProxy(t, node.URL()), queue(t), make(chan int, 10)
	start(t, across(t, p), runtime.Route{
		Name: "r", Queue: q, Order: runtime.Strict(), Failure: &runtime.FailurePolicy{Attempts: 2, Delay: 10 * time.Minute},
		Handler: runtime.Consume(func(ctx context.Context, _ []byte) error {
			handled <- runtime.DeliveryFrom(ctx).Attempt
			return errors.New("fails")
		}),
	})
	require.NoError(t, open(t, node.URL()).Publish(t.Context(), to(q), &runtime.Message{}))
	require.Equal(t, 1, <-handled)
	p.heal()
	select {
	case attempt := <-handled:
		require.Equal(t, 1, attempt, "attempts are counted in memory")
	case <-time.After(patience):
		require.FailNow(t, "it hasn't come again")
	}
}

// An orderLedger fails one message in eight, and notes what breaks the order.
type orderLedger struct {
	mu     sync.Mutex
	next   []int // of each key, the first message that hasn't succeeded
	busy   []bool
	broken []string
}

func newOrderLedger(keys int) *orderLedger {
	return &orderLedger{next: make([]int, keys), busy: make([]bool, keys)}
}

func (l *orderLedger) handle(ctx context.Context, body []byte) error {
	key, _ := strconv.Atoi(runtime.DeliveryFrom(ctx).AppID)
	n, _ := strconv.Atoi(string(body))
	l.begin(key, n)
	goruntime.Gosched()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.busy[key] = false
	if rand.IntN(8) == 0 {
		return errors.New("fails")
	}
	l.next[key] = max(l.next[key], n+1)
	return nil
}

func (l *orderLedger) begin(key, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy[key] {
		l.broken = append(l.broken, fmt.Sprintf("%d-%d begins beside another one of its key", key, n))
	}
	if n > l.next[key] {
		l.broken = append(l.broken, fmt.Sprintf("%d-%d overtakes %d", key, n, l.next[key]))
	}
	l.busy[key] = true
}

func (l *orderLedger) handled() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, next := range l.next {
		n += next
	}
	return n
}

func (l *orderLedger) faults() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.broken
}
