package rabbitmq_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	goruntime "runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
)

// make soak sets these.
var (
	soakDuration = flag.Duration("soak.duration", 10*time.Second, "how long TestSoak does harm")
	soakSeed     = flag.Uint64("soak.seed", 1, "seed of the faults of TestSoak; 0 for a random one")
	soakVersion  = flag.String("soak.version", "installed", "RabbitMQ's version of TestSoak, TestFailureModes and TestCluster: 4.0, 4.3 or that of the machine")
	soakLog      = flag.String("soak.log", os.DevNull, "file for the brokers' log")
)

const (
	soakMaxSize = 256 << 10        // the server's max_message_size
	soakEnough  = 2 * time.Minute  // in which all has to be settled once no more harm is done
	soakReport  = 10 * time.Second // between two lines of progress
	soakQuiet   = 5 * time.Second  // longer than a message pauses between two attempts, or hangs
)

// A soak is a service of three instances, two senders, and what happens to them.
type soak struct {
	ctx      context.Context // of the whole test
	node     *rabbitnode.Node
	ledger   *soakLedger
	services []*soakService
	senders  []*soakSender

	mu     sync.Mutex
	faults map[string]int
}

// TestSoak does harm to a service at random, with retries and dead letters on, and
// requires that each confirmed message ends where it belongs: none is lost, and none is
// stuck. make soak runs it for ten minutes.
func TestSoak(t *testing.T) {
	if *soakSeed == 0 {
		*soakSeed = rand.Uint64()
	}
	out := t.Output()
	fmt.Fprintf(out, "seed %d, %v\n", *soakSeed, *soakDuration)
	ctx, cancel := context.WithTimeout(context.Background(), *soakDuration+10*time.Minute)
	defer cancel()
	s := newSoak(t, ctx, startSoakNode(t, ctx))
	harm, stop := context.WithTimeout(s.ctx, *soakDuration)
	defer stop()
	var harming, sending sync.WaitGroup
	sendCtx, stopSending := context.WithCancel(s.ctx)
	defer stopSending()
	s.sendAll(sendCtx, &sending)
	for i, faults := range [][]soakFault{wireFaults, serverFaults} {
		random := rand.New(rand.NewPCG(*soakSeed, uint64(i)))
		harming.Go(func() { s.harm(harm, faults, time.Duration(i+1)*time.Second, random) })
	}
	s.reportProgress(harm, out)
	harming.Wait()
	s.heal()
	stopSending()
	sending.Wait()
	s.requireAllSettled(t)
}

// requireAllSettled requires of the ledger that all is where it belongs, when nobody
// sends any more, and reports it.
func (s *soak) requireAllSettled(t *testing.T) {
	settled, notReady := s.awaitSettled(), s.awaitReady()
	late := s.sendLate(t)
	s.await(func() bool { return s.ledger.isQuiet() && len(s.left(t)) == 0 })
	for _, service := range s.services {
		service.stop()
	}
	left := s.left(t)
	s.report(t.Output())
	require.NoError(t, notReady)
	require.Empty(t, s.ledger.strange)
	require.Empty(t, left, "stuck in queues")
	require.True(t, s.ledger.hasEnded(late), "it was still on its way")
	require.True(t, settled, "confirmed, and lost: %v", s.ledger.open())
	counts := s.ledger.count()
	require.Zero(t, counts[soakKinds].elsewhere, "ended where they don't belong")
	require.Zero(t, s.ledger.unexplained, "came twice without a reason")
	require.NotZero(t, counts[soakKinds].confirmed)
}

// newSoak starts the service and the senders before the nodes, the last of which
// operators talk to.
func newSoak(t *testing.T, ctx context.Context, nodes ...*rabbitnode.Node) *soak {
	file, err := os.Create(*soakLog)
	require.NoError(t, err)
	t.Cleanup(func() { file.Close() })
	s := &soak{ctx: ctx, node: nodes[len(nodes)-1], ledger: newSoakLedger(), faults: make(map[string]int)}
	var urls []string
	for _, node := range nodes {
		urls = append(urls, node.URL())
	}
	next := func(i int) []string { return append(urls[i%len(urls):], urls[:i%len(urls)]...) }
	for i := range 3 {
		service := &soakService{ledger: s.ledger, proxy: newProxy(t, next(i)...), log: slog.New(slog.NewTextHandler(file, nil)).With("instance", i)}
		require.NoError(t, service.start(ctx))
		t.Cleanup(service.stop)
		s.services = append(s.services, service)
	}
	for i := range 2 {
		sender := &soakSender{ledger: s.ledger, proxy: newProxy(t, next(i)...), node: s.node.URL()}
		sender.broker, err = soakBroker(sender.proxy, slog.New(slog.NewTextHandler(file, nil)).With("sender", i))
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, sender.broker.Shutdown(context.Background())) })
		s.senders = append(s.senders, sender)
	}
	return s
}

// sendAll sends some hundred messages in a second, until ctx ends.
func (s *soak) sendAll(ctx context.Context, sending *sync.WaitGroup) {
	for i := range 10 {
		random, sender := rand.New(rand.NewPCG(*soakSeed, uint64(100+i))), s.senders[i%len(s.senders)]
		sending.Go(func() {
			for ctx.Err() == nil {
				route := []string{frail, steady, ordered}[random.IntN(3)]
				sender.send(context.WithoutCancel(ctx), anyKind(random), route, i, time.Second+time.Duration(random.IntN(9000))*time.Millisecond)
				pause(ctx, time.Duration(random.IntN(40))*time.Millisecond)
			}
		})
	}
	for _, sender := range s.senders {
		sending.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				sender.call(ctx, n, 5*time.Second)
				pause(ctx, 50*time.Millisecond)
			}
		})
		sending.Go(func() {
			for ctx.Err() == nil {
				sender.disturb(ctx, 5*time.Second)
				pause(ctx, 200*time.Millisecond)
			}
		})
	}
}

func anyKind(random *rand.Rand) soakKind {
	n := random.IntN(1000)
	for kind, weight := range soakWeights {
		if n -= weight; n < 0 {
			return soakKind(kind)
		}
	}
	return good
}

// harm does one of the faults after the other, with pauses, until ctx ends.
func (s *soak) harm(ctx context.Context, faults []soakFault, longest time.Duration, random *rand.Rand) {
	for {
		pause(ctx, time.Duration(random.Int64N(int64(longest))))
		if ctx.Err() != nil {
			return
		}
		fault := faults[random.IntN(len(faults))]
		fault.do(s, ctx, random)
		s.mu.Lock()
		s.faults[fault.name]++
		s.mu.Unlock()
	}
}

// heal ends what is wrong with the network.
func (s *soak) heal() {
	for _, service := range s.services {
		service.proxy.heal()
	}
	for _, sender := range s.senders {
		sender.proxy.heal()
	}
}

// reportProgress writes a line from time to time, until ctx ends.
func (s *soak) reportProgress(ctx context.Context, out io.Writer) {
	began, ticker := time.Now(), time.NewTicker(soakReport)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			all := s.ledger.count()[soakKinds]
			s.mu.Lock()
			faults := 0
			for _, n := range s.faults {
				faults += n
			}
			s.mu.Unlock()
			fmt.Fprintf(out, "%6v  faults %d, confirmed %d, handled %d, dead %d, on their way %d, goroutines %d\n",
				time.Since(began).Round(time.Second), faults, all.confirmed, all.ends[handled], all.ends[dead], all.open, goruntime.NumGoroutine())
		}
	}
}

// awaitSettled waits until every confirmed message has ended, and reports whether it
// has.
func (s *soak) awaitSettled() bool {
	return s.await(func() bool { return s.ledger.count()[soakKinds].open == 0 })
}

// awaitReady waits until all brokers are ready, and returns why one isn't.
func (s *soak) awaitReady() (err error) {
	s.await(func() bool {
		err = nil
		for i, service := range s.services {
			if cause := service.ready(); cause != nil {
				err = fmt.Errorf("instance %d: %w", i, cause)
			}
		}
		for i, sender := range s.senders {
			if cause := sender.broker.Ready(); cause != nil {
				err = fmt.Errorf("sender %d: %w", i, cause)
			}
		}
		return err == nil
	})
	return err
}

// awaitMore waits until so many more messages have been confirmed and handled, which
// is enough for some of them to have been sent since.
func (s *soak) awaitMore(t *testing.T, enough int) {
	before := s.ledger.count()[soakKinds]
	require.True(t, s.await(func() bool {
		now := s.ledger.count()[soakKinds]
		return now.confirmed >= before.confirmed+enough && now.ends[handled] >= before.ends[handled]+enough
	}), "the service doesn't go on")
}

// sendLate sends a message that isn't confirmed, as one whose confirm was lost, and of which
// a server counts nothing between its attempts: it is neither in a queue nor open.
func (s *soak) sendLate(t *testing.T) soakMessage {
	m := s.ledger.begin(fails, ordered, 0)
	s.ledger.tell(m, runtime.ErrUnknown)
	require.NoError(t, s.onChannel(func(channel *amqp.Channel) error {
		return channel.PublishWithContext(s.ctx, soakExchange, ordered, false, false, amqp.Publishing{MessageId: strconv.Itoa(m.ID), Body: m.body()})
	}))
	return m
}

func (s *soak) await(done func() bool) bool {
	ctx, cancel := context.WithTimeout(s.ctx, soakEnough)
	defer cancel()
	for !done() {
		if ctx.Err() != nil {
			return false
		}
		pause(ctx, 100*time.Millisecond)
	}
	return true
}

// left returns what is in the queues, without those that are empty. A server doesn't count
// what it has delivered.
func (s *soak) left(t *testing.T) map[string]int {
	left := make(map[string]int)
	for _, name := range s.services[0].queues {
		require.NoError(t, s.onChannel(func(channel *amqp.Channel) error {
			q, err := channel.QueueDeclarePassive(name, true, false, false, false, nil)
			if q.Messages > 0 {
				left[name] = q.Messages
			}
			return err
		}), name)
	}
	return left
}

// report writes the tables of messages and faults.
func (s *soak) report(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "message\tsent\tconfirmed\tunknown\trefused\thandled\tdead\tdropped\tgone with queue or server\tlost\t")
	for kind, c := range s.ledger.count() {
		if c.sent == 0 {
			continue
		}
		name := "all"
		if soakKind(kind) < soakKinds {
			name = soakKind(kind).String()
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", name,
			c.sent, c.confirmed, c.unknown, c.refused, c.ends[handled], c.ends[dead], c.ends[dropped], c.gone, c.open)
	}
	table.Flush()
	l := s.ledger
	fmt.Fprint(out, "not confirmed:")
	for told, n := range l.refusals {
		if n > 0 {
			fmt.Fprintf(out, " %d %v", n, soakTold(told))
		}
	}
	fmt.Fprintf(out, "\ncame twice: %d redelivered, %d as a copy for another attempt, %d over a restart of the server, %d unexplained\n",
		l.redelivered, l.again, l.restarted, l.unexplained)
	for _, name := range slices.Sorted(maps.Keys(s.faults)) {
		fmt.Fprintf(out, "%6d  %s\n", s.faults[name], name)
	}
	for _, what := range slices.Sorted(maps.Keys(l.strange)) {
		fmt.Fprintf(out, "%6d  strange: %s\n", l.strange[what], what)
	}
}
