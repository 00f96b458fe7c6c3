package rabbitmq

import (
	"context"
	"io"
	"log/slog"
	"net"
	"strconv"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

func TestBackoff_BeginsAtOnceGrowsWithTheOutageAndIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b backoff
		began, longest := time.Now(), time.Duration(0)
		require.Zero(t, b.next())
		for attempts := 0; time.Since(began) < time.Hour; attempts++ {
			outage, pause := time.Since(began), b.next()
			require.Less(t, pause, max(outage/5, leastDelay))
			require.Less(t, pause, maxDelay)
			longest = max(longest, pause)
			require.Less(t, attempts, 2000)
			time.Sleep(pause)
		}
		require.Greater(t, longest, maxDelay/2)
		b.lasted(stable - 1)
		require.False(t, b.since.IsZero())
		b.lasted(stable)
		require.Zero(t, b.next())
	})
}

// ending is a context that ends after its deadline has passed. It is the handler of a log
// as well: the deadline passes with the first line, and the context ends with the second.
type ending struct {
	context.Context
	slog.Handler
	end   func()
	lines int
}

func (e *ending) Deadline() (time.Time, bool) { return time.Unix(1, 0), e.lines > 0 }

func (e *ending) Handle(context.Context, slog.Record) error {
	if e.lines++; e.lines > 1 {
		e.end()
	}
	return nil
}

// A socket times out by the deadline, which may be before the context has ended.
func TestReach_TellsTheReasonFromBeforeTheDeadline(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	ctx := &ending{Handler: slog.NewTextHandler(io.Discard, nil)}
	ctx.Context, ctx.end = context.WithCancel(t.Context())
	b, err := New(Config{URL: "amqp://" + listener.Addr().String(), Logger: slog.New(ctx)})
	require.NoError(t, err)
	_, err = b.reach(ctx, "consuming")
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
	require.NoError(t, b.Shutdown(t.Context()))
}

func TestReturn_BelongsToTheEarliestEqualMessage(t *testing.T) {
	at := time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)
	message := func(key, body string, headers map[string]any) *request {
		r, err := newRequest("", runtime.Address{Exchange: "x", RoutingKey: key},
			&runtime.Message{Body: []byte(body), Headers: headers, Timestamp: at})
		require.NoError(t, err)
		return r
	}
	headers := func() map[string]any {
		return map[string]any{"t": map[string]any{"at": at, "list": []any{1, "a"}}, "b": []byte{1}}
	}
	s := &session{pending: make(map[uint64]*request)}
	requests := []*request{
		message("other", "body", headers()), message("key", "other", headers()), message("key", "body", nil),
		message("key", "body", headers()), message("key", "body", headers()),
	}
	for _, r := range requests {
		s.track(r)
	}
	// What a server sends back has local times and the library's types.
	returned := amqp.Return{
		Exchange: "x", RoutingKey: "key", Body: []byte("body"), DeliveryMode: amqp.Persistent, Timestamp: at.Local(),
		Headers: amqp.Table{"t": amqp.Table{"at": at.Local(), "list": []any{int64(1), "a"}}, "b": []byte{1}},
	}
	marked := func() (tags []uint64) {
		for _, r := range requests {
			if r.returned {
				tags = append(tags, r.tag)
			}
		}
		return tags
	}
	s.noteReturn(&returned)
	require.Equal(t, []uint64{4}, marked())
	s.noteReturn(&returned)
	require.Equal(t, []uint64{4, 5}, marked())
	returned.AppId = "changed by a plugin"
	s.noteReturn(&returned)
	require.Equal(t, []uint64{2, 4, 5}, marked())
}

func TestUntrack_FreesTheTag(t *testing.T) {
	s := &session{pending: make(map[uint64]*request)}
	first, second := new(request), new(request)
	s.track(first)
	s.untrack(first)
	s.track(second)
	require.Equal(t, uint64(1), second.tag)
	require.Equal(t, map[uint64]*request{1: second}, s.pending)
}

func TestLane_ForgetsCallersThatGiveUp(t *testing.T) {
	p := newPublisher(&Broker{})
	p.started = true // without a supervisor there is no connection
	to, message := runtime.Address{RoutingKey: "q"}, &runtime.Message{}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	l, err := p.enter(laneKey{})
	require.NoError(t, err)
	staying := []*request{{}, {}, {}}
	for i := range 1000 {
		if i%400 == 0 {
			l.enter(staying[i/400])
		}
		require.ErrorIs(t, p.publish(gone, to, message), context.Canceled)
		require.LessOrEqual(t, len(l.waiting), 2*len(staying)+1)
	}
	for _, r := range staying {
		require.Same(t, r, l.take())
	}
	require.Nil(t, l.take())
	require.Equal(t, 1, l.users)
}

// A caller may give up what a session couldn't write, and not what it writes.
func TestLane_LetsCallersWithdrawWhatWasPutBack(t *testing.T) {
	p := newPublisher(&Broker{})
	p.started = true
	l, err := p.enter(laneKey{})
	require.NoError(t, err)
	r := new(request)
	l.enter(r)
	require.Same(t, r, l.take())
	require.True(t, l.claim(r))
	require.False(t, l.withdraw(r))
	l.putBack(r)
	require.True(t, l.withdraw(r))
	require.False(t, l.claim(r))
}

// An exchange was looked for, and wasn't there: those that entered meanwhile may be sent,
// as it may be there again, and those to others.
func TestLane_FailsWhatWaitedForAnExchangeBeforeItWasLookedFor(t *testing.T) {
	l := newLane(newPublisher(&Broker{}))
	request := func(exchange string) *request {
		r := &request{to: runtime.Address{Exchange: exchange}, written: make(chan struct{}, 1)}
		l.enter(r)
		return r
	}
	before, other := request("x"), request("y")
	looked := l.latest()
	later := request("x")
	l.failWaiting("x", looked, runtime.ErrNoExchange)
	require.Same(t, other, l.take())
	require.Same(t, later, l.take())
	require.Nil(t, l.take())
	require.ErrorIs(t, before.err, runtime.ErrNoExchange)
	require.Len(t, before.written, 1)
	require.NoError(t, later.err)
}

// Callers that wait for room have no copy of their message.
// The default exchange is there always, and one that was found is asked for no more.
func TestSession_LooksForAnExchangeOnce(t *testing.T) {
	s := &session{lane: &lane{publisher: &publisher{}}, link: &link{conn: &amqp.Connection{}}, known: map[string]bool{"orders": true}}
	for _, exchange := range []string{"", "orders"} {
		require.NoError(t, s.prepare(&request{to: runtime.Address{Exchange: exchange}}), "the link isn't asked, which has no connection")
	}
}

// Who has declared apart leaves room for others, whatever came of it.
func TestDeclareApart_GivesItsPlaceBack(t *testing.T) {
	b, err := New(Config{URL: "amqp://127.0.0.1:1"}) // where nobody listens
	require.NoError(t, err)
	require.Error(t, b.declareApart(t.Context(), func(*amqp.Channel) error { return nil }))
	require.Empty(t, b.probing)
}

func TestLane_KeepsABoundedAmount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPublisher(&Broker{})
		p.started = true
		ctx, cancel := context.WithCancel(t.Context())
		const callers = 100
		body, errs := make([]byte, largeBody), make(chan error, callers)
		for range callers {
			go func() {
				errs <- p.publish(ctx, runtime.Address{}, &runtime.Message{Body: body, Headers: map[string]any{"x": 1}})
			}()
		}
		synctest.Wait()
		l := p.lanes[laneKey{}]
		require.Len(t, l.waiting, laneRoom/largeBody-1)
		cancel()
		for range callers {
			require.ErrorIs(t, <-errs, context.Canceled)
		}
		room, err := l.makeRoom(t.Context(), 2*laneRoom)
		require.NoError(t, err, "all is free again, and a message that is larger has it alone")
		go p.close()
		require.ErrorIs(t, p.publish(t.Context(), runtime.Address{}, &runtime.Message{}), runtime.ErrClosed)
		l.room.Release(room)
	})
}

func TestPublisher_HasALaneForEachExchangeUpToALimit(t *testing.T) {
	p := newPublisher(&Broker{})
	p.started = true
	exchange := func(i int) laneKey { return laneKey{exchange: strconv.Itoa(i)} }
	for i := range maxLanes {
		_, err := p.enter(exchange(i))
		require.NoError(t, err)
	}
	require.Len(t, p.lanes, maxLanes)
	others, err := p.enter(exchange(maxLanes))
	require.NoError(t, err)
	same, err := p.enter(exchange(maxLanes + 1))
	require.NoError(t, err)
	require.Same(t, others, same)
	idle := p.lanes[exchange(7)]
	p.leave(idle)
	another, err := p.enter(exchange(maxLanes + 2))
	require.NoError(t, err)
	require.NotSame(t, others, another)
	require.True(t, idle.isRetired())
	require.LessOrEqual(t, len(p.lanes), maxLanes+1)
}

func TestAwait_PrefersAReplyThatHasCome(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, s := newCalls(), &session{ended: make(chan struct{})}
	c.close()
	close(s.ended)
	for range 100 {
		replies := make(chan *runtime.Delivery, 1)
		replies <- &runtime.Delivery{}
		reply, err := c.await(ctx, replies, s)
		require.NoError(t, err)
		require.NotNil(t, reply)
	}
}

func TestConfig_HasDefaults(t *testing.T) {
	c := Config{}.withDefaults()
	require.Equal(t, 50, c.AckBatch)
	require.Equal(t, 10*time.Second, c.Heartbeat)
	require.Equal(t, 30*time.Second, c.StartTimeout)
	require.NotEmpty(t, c.ConnectionName)
	require.NotNil(t, c.Logger)
}

// The server always has something to send while acknowledgements are held.
func TestConfig_LimitsAckBatchToHalfOfPrefetch(t *testing.T) {
	for _, c := range []struct{ prefetch, asked, batch int }{{10, 0, 5}, {10, 3, 3}, {10, 9, 5}, {1, 0, 1}, {1000, 200, 200}, {100, 1, 1}} {
		require.Equal(t, c.batch, Config{AckBatch: c.asked}.withDefaults().ackBatch(c.prefetch), c)
	}
}

func TestHandshake_HasAHeartbeatOfTime(t *testing.T) {
	for _, c := range []struct {
		config Config
		want   time.Duration
	}{
		{Config{URL: "amqp://localhost"}, 10 * time.Second},
		{Config{URL: "amqp://localhost", Heartbeat: 5 * time.Second}, 5 * time.Second},
		{Config{URL: "amqp://localhost", Heartbeat: time.Second}, 3 * time.Second},
		{Config{URL: "amqp://localhost?heartbeat=60"}, time.Minute},
		{Config{URL: "amqp://localhost?heartbeat=0"}, 10 * time.Second},
	} {
		b, err := New(c.config)
		require.NoError(t, err)
		require.Equal(t, c.want, b.handshakeTime(), c.config)
	}
}

func TestConfig_HasNoUserWhereTheLoginIsByCertificate(t *testing.T) {
	e, err := Config{URL: "amqp://u:p@host?auth_mechanism=external"}.parse()
	require.NoError(t, err)
	require.Empty(t, e.user)
	e, err = Config{URL: "amqp://u:p@host/v"}.parse()
	require.NoError(t, err)
	require.Equal(t, endpoint{addresses: []string{"host:5672"}, vhost: "v", user: "u"}, e)
	require.NotContains(t, e.String(), "u:")
}

func TestChannelException_IsCausedByTheMessagesThatFit(t *testing.T) {
	x1, x2 := &request{to: runtime.Address{Exchange: "x"}}, &request{to: runtime.Address{Exchange: "x"}}
	y := &request{to: runtime.Address{Exchange: "y"}}
	large := &request{message: amqp.Publishing{Body: make([]byte, 17)}}
	for name, c := range map[string]struct {
		reason  string
		pending []*request
		causes  []*request
	}{
		"the only one to the exchange": {"NOT_FOUND - no exchange 'x' in vhost '/'", []*request{y, x1}, []*request{x1}},
		"two to the exchange":          {"NOT_FOUND - no exchange 'x' in vhost '/'", []*request{x1, y, x2}, []*request{x1, x2}},
		"none to the exchange":         {"NOT_FOUND - no exchange 'x' in vhost '/'", []*request{y}, nil},
		"the only one of the size":     {"PRECONDITION_FAILED - message size 17 is larger than configured max size 16", []*request{x1, large, y}, []*request{large}},
		"the only one at all":          {"PRECONDITION_FAILED - something else", []*request{y}, []*request{y}},
		"one of all":                   {"PRECONDITION_FAILED - something else", []*request{x1, y}, []*request{x1, y}},
	} {
		s := &session{pending: make(map[uint64]*request)}
		for _, r := range c.pending {
			s.track(r)
		}
		require.Equal(t, len(c.causes), len(s.candidates(c.reason)), name)
		for i, r := range s.candidates(c.reason) {
			require.Same(t, c.causes[i], r, name)
		}
	}
}

func TestChannelException_TellsTheOnlyMessageAndTheLastThatWasRead(t *testing.T) {
	to := func(exchange string) *request { return &request{to: runtime.Address{Exchange: exchange}} }
	for name, c := range map[string]struct {
		pending  []string
		lastRead uint64
		isOne    bool
	}{
		"the only one": {[]string{"y", "x", "y"}, 2, true},
		"one of two":   {[]string{"x", "y", "x"}, 3, false},
		"none":         {[]string{"y"}, 0, false},
	} {
		s := &session{
			pending: make(map[uint64]*request), judged: make(chan struct{}), link: &link{conn: &amqp.Connection{}},
			cause: &amqp.Error{Code: amqp.NotFound, Reason: "NOT_FOUND - no exchange 'x' in vhost '/'", Server: true},
		}
		for _, exchange := range c.pending {
			s.track(to(exchange))
		}
		s.attributeClose()
		require.Equal(t, c.lastRead, s.lastRead, name)
		require.Equal(t, c.isOne, s.closedBy != nil, name)
	}
}

// It isn't there, and it hasn't been deleted either.
func TestExplain_TellsQueuesOfDeadNodesFromMissingOnes(t *testing.T) {
	down := &amqp.Error{Code: amqp.NotFound, Reason: "NOT_FOUND - home node 'a@b' of durable queue 'q' in vhost '/' is down or inaccessible", Server: true}
	require.ErrorContains(t, explain(down), "it comes back with the node")
	missing := &amqp.Error{Code: amqp.NotFound, Reason: "NOT_FOUND - no queue 'q' in vhost '/'", Server: true}
	require.ErrorContains(t, explain(missing), "it doesn't exist")
}

func TestQueueDeletion_IsNotThatOfADeadNode(t *testing.T) {
	missing := &amqp.Error{Code: amqp.NotFound, Reason: "NOT_FOUND - no queue 'q' in vhost '/'", Server: true}
	down := &amqp.Error{Code: amqp.NotFound, Reason: "NOT_FOUND - queue 'q' in vhost '/' process is stopped by supervisor or home node 'a@b' of durable queue is down or inaccessible", Server: true}
	require.True(t, isMissing(explain(missing)))
	require.False(t, isMissing(explain(down)))
}

// What a delivery costs beside the client library is held by a count: BenchmarkConsume
// has the rest.
func TestDelivery_IsOneAllocation(t *testing.T) {
	l, d := &link{filter: &headerFilter{}}, amqp.Delivery{Body: []byte("{}"), ContentType: "application/json", DeliveryTag: 1}
	var made *runtime.Delivery
	require.EqualValues(t, 1, testing.AllocsPerRun(1000, func() { made = l.delivery(&d) }))
	require.EqualValues(t, 1, made.Tag)
}
