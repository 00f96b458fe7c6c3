package rabbitmq

import (
	"context"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

func TestBackoff_BeginsAtOnceGrowsAndIsBounded(t *testing.T) {
	var b backoff
	require.Zero(t, b.next())
	for limit := firstDelay; limit < maxDelay; limit *= 2 {
		d := b.next()
		require.GreaterOrEqual(t, d, limit/2)
		require.Less(t, d, limit)
	}
	for range 100 {
		require.Less(t, b.next(), maxDelay)
	}
	b.lasted(stable - 1)
	require.NotZero(t, b.next())
	b.lasted(stable)
	require.Zero(t, b.next())
}

func TestReturn_BelongsToTheEarliestEqualMessage(t *testing.T) {
	at := time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)
	message := func(key, body string, headers map[string]any) *request {
		r, err := newRequest(endpoint{}, runtime.Address{Exchange: "x", RoutingKey: key},
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

func TestPublisher_ForgetsCallersThatGiveUp(t *testing.T) {
	p := newPublisher(nil)
	p.started = true // without a supervisor there is no connection
	message := func() *request {
		r, err := newRequest(endpoint{}, runtime.Address{RoutingKey: "q"}, &runtime.Message{})
		require.NoError(t, err)
		return r
	}
	staying := []*request{message(), message(), message()}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for i := range 1000 {
		if i%400 == 0 {
			require.NoError(t, p.enter(staying[i/400]))
		}
		require.ErrorIs(t, p.send(gone, message()), context.Canceled)
		require.LessOrEqual(t, len(p.waiting), 2*len(staying)+1)
	}
	for _, r := range staying {
		require.Same(t, r, p.take())
	}
	require.Nil(t, p.take())
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

func TestConfig_HasNoUserWhereTheLoginIsByCertificate(t *testing.T) {
	e, err := Config{URL: "amqp://u:p@host?auth_mechanism=external"}.parse()
	require.NoError(t, err)
	require.Empty(t, e.user)
	e, err = Config{URL: "amqp://u:p@host/v"}.parse()
	require.NoError(t, err)
	require.Equal(t, endpoint{address: "host:5672", vhost: "v", user: "u"}, e)
	require.NotContains(t, e.String(), "u:")
}

func TestChannelException_IsCausedByTheOnlyMessageThatFits(t *testing.T) {
	x1, x2 := &request{to: runtime.Address{Exchange: "x"}}, &request{to: runtime.Address{Exchange: "x"}}
	y := &request{to: runtime.Address{Exchange: "y"}}
	large := &request{message: amqp.Publishing{Body: make([]byte, 17)}}
	for name, c := range map[string]struct {
		reason  string
		pending []*request
		cause   *request
	}{
		"the only one to the exchange": {"NOT_FOUND - no exchange 'x' in vhost '/'", []*request{y, x1}, x1},
		"one of two to the exchange":   {"NOT_FOUND - no exchange 'x' in vhost '/'", []*request{x1, y, x2}, nil},
		"none to the exchange":         {"NOT_FOUND - no exchange 'x' in vhost '/'", []*request{y}, nil},
		"the only one of the size":     {"PRECONDITION_FAILED - message size 17 is larger than configured max size 16", []*request{x1, large, y}, large},
		"the only one at all":          {"PRECONDITION_FAILED - something else", []*request{y}, y},
		"one of all":                   {"PRECONDITION_FAILED - something else", []*request{x1, y}, nil},
	} {
		s := &session{pending: make(map[uint64]*request)}
		for _, r := range c.pending {
			s.track(r)
		}
		require.Same(t, c.cause, s.onlyCandidate(c.reason), name)
	}
}
