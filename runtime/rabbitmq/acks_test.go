package rabbitmq

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
)

// A model is a channel as the server sees it: it knows which deliveries are outstanding, and
// refuses what RabbitMQ refuses.
type model struct {
	t   *testing.T
	err error // of all methods

	mu          sync.Mutex
	outstanding map[uint64]bool // by tag; true where the handler has succeeded
	sent        []string
}

func newModel(t *testing.T) *model { return &model{t: t, outstanding: make(map[uint64]bool)} }

func (l *model) Ack(tag uint64, multiple bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = append(l.sent, fmt.Sprintf("ack %d %v", tag, multiple))
	if l.err != nil {
		return l.err
	}
	require.Contains(l.t, l.outstanding, tag, "unknown delivery tag")
	for other, done := range l.outstanding {
		if other == tag || multiple && other < tag {
			require.True(l.t, done, "the handler of %d hasn't succeeded", other)
			delete(l.outstanding, other)
		}
	}
	return nil
}

func (l *model) Nack(tag uint64, multiple, requeue bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = append(l.sent, fmt.Sprintf("nack %d %v", tag, requeue))
	if l.err != nil {
		return l.err
	}
	require.False(l.t, multiple)
	require.Contains(l.t, l.outstanding, tag, "unknown delivery tag")
	delete(l.outstanding, tag)
	return nil
}

// deliver makes the tags up to n outstanding.
func (l *model) deliver(n uint64) {
	for tag := uint64(1); tag <= n; tag++ {
		l.outstanding[tag] = false
	}
}

func (l *model) succeed(tag uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.outstanding[tag] = true
}

// methods returns what has been sent.
func (l *model) methods() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.sent)
}

// handled marks a tag as the handler's success and acknowledges it.
func (l *model) handled(a *acks, tags ...uint64) {
	for _, tag := range tags {
		l.succeed(tag)
		a.ack(consuming.Settlement{Delivery: &runtime.Delivery{Tag: tag}})
	}
}

// sleep passes time in a bubble.
func sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// A record keeps what acks report, by tag.
type record struct {
	mu   sync.Mutex
	errs map[uint64]error
}

func (r *record) sent(ds []consuming.Settlement, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range ds {
		if _, twice := r.errs[d.Delivery.Tag]; twice {
			panic("a delivery is reported twice")
		}
		r.errs[d.Delivery.Tag] = err
	}
}

func neverFails(_ []consuming.Settlement, err error) {
	if err != nil {
		panic("a flush failed")
	}
}

// Handlers end in any order, fail, and wait for the next delivery; whatever
// happens, only what has been handled is acknowledged, and in the end all is
// settled.
func TestAcks_CoverOnlyWhatIsHandled(t *testing.T) {
	for seed := range uint64(300) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { acknowledgeAtRandom(t, rand.New(rand.NewPCG(seed, 0))) })
		})
	}
}

func acknowledgeAtRandom(t *testing.T, random *rand.Rand) {
	server, prefetch, limit := newModel(t), 1+random.IntN(30), 1+random.IntN(20)
	a := newAcks(server, limit, neverFails, new(sync.WaitGroup))
	var running []uint64 // as many handlers as the server allows
	next := uint64(1)
	for next < 500 || len(running) > 0 {
		for next < 500 && len(server.outstanding) < prefetch {
			server.outstanding[next] = false
			running = append(running, next)
			next++
		}
		if len(running) == 0 { // all wait for deliveries, so they flush
			flushed(t, a)
			continue
		}
		// Those at the end of the line are likelier, as with a handler that is slow.
		i := max(random.IntN(len(running)), random.IntN(len(running)))
		tag := running[i]
		running = append(running[:i], running[i+1:]...)
		switch random.IntN(10) {
		case 0:
			require.NoError(t, a.now(consuming.Settlement{Delivery: &runtime.Delivery{Tag: tag}, End: []runtime.Settlement{runtime.Requeue, runtime.Refuse}[random.IntN(2)]}))
		case 1:
			server.handled(a, tag)
			flushed(t, a)
		case 2: // by hand
			server.outstanding[tag] = true
			require.NoError(t, a.now(consuming.Settlement{Delivery: &runtime.Delivery{Tag: tag}}))
		default:
			server.handled(a, tag)
		}
		require.Less(t, len(a.held), limit)
		require.LessOrEqual(t, len(a.settled), prefetch+1)
	}
	flushed(t, a)
	require.Empty(t, server.outstanding)
}

// deliverWithin delivers a message, unless so many are outstanding.
func (l *model) deliverWithin(prefetch int, tag uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.outstanding) >= prefetch {
		return false
	}
	l.outstanding[tag] = false
	return true
}

// end makes all methods fail from now on.
func (l *model) end(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
}

// FuzzAcks settles deliveries in any order, while time passes and channels end. What is
// settled on a channel that has ended reaches no other one, and each delivery is
// reported once.
func FuzzAcks(f *testing.F) {
	f.Add(uint8(10), uint8(4), []byte{0, 0, 0, 3, 11, 7, 0, 3, 6, 5})
	f.Add(uint8(1), uint8(1), []byte{0, 3, 0, 7, 0, 5, 6})
	f.Add(uint8(50), uint8(20), []byte("0000333377760000555"))
	f.Fuzz(func(t *testing.T, prefetch, limit uint8, ops []byte) {
		synctest.Test(t, func(t *testing.T) { settleAndCut(t, 1+int(prefetch), 1+int(limit), ops) })
	})
}

// A running delivery was got on a channel, and is settled there.
type running struct {
	tag     uint64
	channel *channelModel
}

// A channelModel is a channel with what acknowledges on it.
type channelModel struct {
	server   *model
	acks     *acks
	next     uint64
	acked    int // deliveries that were given to acks
	reported record
}

func newChannelModel(t *testing.T, limit int) *channelModel {
	c := &channelModel{server: newModel(t), next: 1, reported: record{errs: make(map[uint64]error)}}
	c.acks = newAcks(c.server, limit, c.reported.sent, new(sync.WaitGroup))
	return c
}

func settleAndCut(t *testing.T, prefetch, limit int, ops []byte) {
	channels := []*channelModel{newChannelModel(t, limit)}
	var handlers []running
	for _, op := range ops {
		current := channels[len(channels)-1]
		at := 0
		if len(handlers) > 0 {
			at = int(op/8) % len(handlers)
		}
		switch what := op % 8; {
		case what < 3: // a delivery comes, where the prefetch allows
			if current.server.deliverWithin(prefetch, current.next) {
				handlers = append(handlers, running{current.next, current})
				current.next++
			}
		case what < 6 && len(handlers) > 0: // a handler ends
			h := handlers[at]
			handlers = slices.Delete(handlers, at, at+1)
			if what == 5 {
				_ = h.channel.acks.now(consuming.Settlement{Delivery: &runtime.Delivery{Tag: h.tag}, End: runtime.Requeue})
				continue
			}
			h.channel.acked++
			h.channel.server.handled(h.channel.acks, h.tag)
		case what == 6:
			sleep(ackDelay / 2)
		case what == 7: // the channel ends, and handlers go on
			current.server.end(errStale)
			channels = append(channels, newChannelModel(t, limit))
		}
	}
	sleep(ackDelay)
	for _, c := range channels {
		c.acks.flush()
		require.Len(t, c.reported.errs, c.acked)
	}
}

func flushed(t *testing.T, a *acks) {
	a.flush()
	require.Empty(t, a.held)
}

func TestAcks_InOrderAreSentAsOne(t *testing.T) {
	server := newModel(t)
	a := newAcks(server, 4, neverFails, new(sync.WaitGroup))
	server.deliver(9)
	server.handled(a, 1, 2, 3)
	require.Empty(t, server.methods())
	server.handled(a, 4)
	require.Equal(t, []string{"ack 4 true"}, server.methods())
	server.handled(a, 6, 7, 5)
	flushed(t, a)
	flushed(t, a)
	require.Equal(t, []string{"ack 4 true", "ack 7 true"}, server.methods())
}

func TestAcks_LeaveOutDeliveriesInHandlers(t *testing.T) {
	server := newModel(t)
	a := newAcks(server, 4, neverFails, new(sync.WaitGroup))
	server.deliver(9)
	server.handled(a, 1, 2, 4, 5)
	require.Equal(t, []string{"ack 4 false", "ack 5 false", "ack 2 true"}, server.methods())
	server.handled(a, 3, 6)
	flushed(t, a)
	require.Equal(t, "ack 6 true", server.methods()[3])
}

// RabbitMQ closes the channel over a tag that it has forgotten.
func TestAcks_DoNotNameARefusedTag(t *testing.T) {
	server := newModel(t)
	a := newAcks(server, 9, neverFails, new(sync.WaitGroup))
	server.deliver(3)
	server.handled(a, 1, 2)
	require.NoError(t, a.now(consuming.Settlement{Delivery: &runtime.Delivery{Tag: 3}, End: runtime.Requeue}))
	flushed(t, a)
	require.Equal(t, []string{"nack 3 true", "ack 2 true"}, server.methods())
}

func TestAcks_AreHeldForTheAckDelayAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newModel(t)
		a := newAcks(server, 9, neverFails, new(sync.WaitGroup))
		server.deliver(4)
		server.handled(a, 1, 2)
		sleep(ackDelay - 1)
		require.Empty(t, server.methods())
		sleep(1)
		require.Equal(t, []string{"ack 2 true"}, server.methods())
		server.handled(a, 3)
		sleep(ackDelay)
		require.Equal(t, []string{"ack 2 true", "ack 3 true"}, server.methods())
		server.handled(a, 4)
		flushed(t, a)
		sleep(ackDelay)
		require.Len(t, server.methods(), 3)
	})
}

// A broker that has waited has called all hooks, those of the ackDelay too.
func TestAcks_OwnerWaitsForWhatIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, waiter, report := newModel(t), new(sync.WaitGroup), make(chan struct{})
		var ended atomic.Bool
		a := newAcks(server, 9, func([]consuming.Settlement, error) { <-report }, waiter)
		server.deliver(2)
		server.handled(a, 1)
		sleep(ackDelay)
		go func() {
			waiter.Wait()
			ended.Store(true)
		}()
		synctest.Wait()
		require.False(t, ended.Load())
		close(report)
		synctest.Wait()
		require.True(t, ended.Load())
		server.handled(a, 2)
		a.flush()
		waiter.Wait()
		require.Len(t, server.methods(), 2)
	})
}

// subscribed is a subscription without a channel.
func subscribed(server settler, deliveries <-chan amqp.Delivery) *subscription {
	s := &subscription{acks: newAcks(server, 9, neverFails, new(sync.WaitGroup)), ended: make(chan struct{})}
	s.current.Store(&stream{deliveries: deliveries})
	return s
}

// A handler that has nothing to do holds nothing back, not even for ackDelay.
func TestAcks_AreSentAtOnceWhereNoDeliveryWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, err := New(Config{URL: "amqp://localhost"})
		require.NoError(t, err)
		server, deliveries := newModel(t), make(chan amqp.Delivery, 1)
		s := subscribed(server, deliveries)
		server.deliver(2)
		server.handled(s.acks, 1)
		deliveries <- amqp.Delivery{DeliveryTag: 2}
		d, ok := s.next(b.accepting)
		require.True(t, ok)
		require.Equal(t, uint64(2), d.DeliveryTag)
		require.Empty(t, server.methods(), "there was another one to handle")
		server.handled(s.acks, 2)
		began := time.Now()
		go func() {
			synctest.Wait() // until next waits for a delivery
			close(s.ended)
		}()
		_, ok = s.next(b.accepting)
		require.False(t, ok)
		require.Equal(t, []string{"ack 2 true"}, server.methods())
		require.Zero(t, time.Since(began))
	})
}

// It comes again, and what its handler did couldn't be acknowledged.
func TestConsumer_SkipsDeliveriesOfAnEndedChannel(t *testing.T) {
	b, err := New(Config{URL: "amqp://localhost"})
	require.NoError(t, err)
	deliveries := make(chan amqp.Delivery, 1)
	s := subscribed(newModel(t), deliveries)
	close(s.ended)
	deliveries <- amqp.Delivery{DeliveryTag: 1}
	_, ok := s.next(b.accepting)
	require.False(t, ok)
}

// Each delivery is reported once, whatever sends its acknowledgement.
func TestAcks_ReportEachDeliveryOnce(t *testing.T) {
	for _, gone := range []error{nil, errors.New("gone")} {
		synctest.Test(t, func(t *testing.T) {
			server, reported := newModel(t), record{errs: make(map[uint64]error)}
			server.err = gone
			a := newAcks(server, 3, reported.sent, new(sync.WaitGroup))
			server.deliver(9)
			server.handled(a, 1, 2)
			require.Empty(t, reported.errs, "they are held")
			server.handled(a, 3)
			require.Equal(t, map[uint64]error{1: gone, 2: gone, 3: gone}, reported.errs, "there are enough of them")
			server.handled(a, 4, 6)
			sleep(ackDelay)
			require.Len(t, reported.errs, 5, "they have waited for long enough")
			require.Equal(t, gone, a.now(consuming.Settlement{Delivery: &runtime.Delivery{Tag: 7}, End: runtime.Requeue}))
			server.handled(a, 8)
			a.flush()
			require.Equal(t, gone, reported.errs[8], "there is nothing else to do")
			a.flush()
			require.Len(t, reported.errs, 6)
		})
	}
}
