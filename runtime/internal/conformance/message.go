package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

var messageTests = []test{
	{"every property comes as it was sent", func(c *testCase) {
		sent := runtime.Message{
			Body: []byte{0, 1, 0xff}, ContentType: "application/x-test", ContentEncoding: "identity",
			Headers:   map[string]any{"h": "v"},
			MessageID: "m-1", CorrelationID: "c-1", ReplyTo: "somewhere", Type: "t", AppID: "app",
			Timestamp: time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC), Expiration: time.Hour, Priority: 3, Transient: true,
		}
		got := c.roundTrip(&sent)
		require.Equal(c, sent, got)
	}},
	{"the zero message has no properties", func(c *testCase) {
		got := c.roundTrip(&runtime.Message{})
		require.Empty(c, got.Body)
		got.Body = nil
		require.Equal(c, runtime.Message{}, got)
	}},
	{"times keep whole seconds and no zone", func(c *testCase) {
		at := time.Date(2024, 5, 6, 7, 8, 9, 987654321, time.FixedZone("CET", 3600))
		got := c.roundTrip(&runtime.Message{Timestamp: at, Headers: map[string]any{"at": at}})
		want := time.Date(2024, 5, 6, 6, 8, 9, 0, time.UTC)
		require.Equal(c, want, got.Timestamp)
		require.Equal(c, want, got.Headers["at"])
	}},
	{"an expiration loses its fractions of a millisecond", func(c *testCase) {
		got := c.roundTrip(&runtime.Message{Expiration: time.Hour + 1500*time.Microsecond})
		require.Equal(c, time.Hour+time.Millisecond, got.Expiration)
	}},
	{"headers keep their types", headerTypes},
	{"a value without a form in AMQP fails before it is sent", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.handler()})
		long, deepest := strings.Repeat("x", 256), any("x")
		for range 33 {
			deepest = map[string]any{"t": deepest}
		}
		wide := make(map[string]any)
		for i := range 8193 {
			wide[fmt.Sprint("wide-", i)] = nil
		}
		endless := map[string]any{}
		endless["endless"], endless["again"] = endless, endless
		doubling := map[string]any{}
		for range 30 {
			doubling = map[string]any{"a": doubling, "b": doubling}
		}
		for name, msg := range map[string]*runtime.Message{
			"odd-header":     {Headers: map[string]any{"odd-header": struct{}{}}},
			"deep":           {Headers: map[string]any{"deep": map[string]any{"er": []any{make(chan int)}}}},
			"too-big":        {Headers: map[string]any{"too-big": uint64(math.MaxUint64)}},
			"header":         {Headers: map[string]any{long: 1}},
			"too-deep":       {Headers: map[string]any{"too-deep": deepest}},
			"too-long":       {Headers: map[string]any{"too-long": slices.Repeat([]any{nil}, 8193)}},
			"8193":           {Headers: wide},
			"endless":        {Headers: endless},
			"fit into":       {Headers: doubling},
			"CC":             {Headers: map[string]any{"CC": "key"}},
			"BCC":            {Headers: map[string]any{"BCC": "key"}},
			"message id":     {MessageID: long},
			"correlation id": {CorrelationID: long},
			"reply-to":       {ReplyTo: long},
			"type":           {Type: long},
			"expiration":     {Expiration: -time.Second},
		} {
			require.ErrorContains(c, b.Publish(c.ctx(), toQueue(q), msg), name)
		}
		require.ErrorContains(c, b.Publish(c.ctx(), runtime.Address{RoutingKey: long}, text("")), "routing key")
		c.publish(b, toQueue(q), "next")
		require.Equal(c, "next", c.body(in))
	}},
	{"a body may be larger than a frame", func(c *testCase) {
		body := bytes.Repeat([]byte("0123456789"), 50_000)
		require.Equal(c, body, c.roundTrip(&runtime.Message{Body: body}).Body)
	}},
	{"nothing is shared with the publisher", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.handler()})
		inner := map[string]any{"k": "v"}
		msg := &runtime.Message{Body: []byte("body"), Headers: map[string]any{"inner": inner}}
		require.NoError(c, b.Publish(c.ctx(), toQueue(q), msg))
		msg.Body[0] = 'X'
		inner["k"] = "changed"
		d := c.next(in)
		require.Equal(c, "body", string(d.Body))
		require.Equal(c, map[string]any{"k": "v"}, d.Headers["inner"])
	}},
	{"a message isn't changed by sending it", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.handler()})
		msg := &runtime.Message{Body: []byte("body"), Headers: map[string]any{"n": 1}, Expiration: time.Hour}
		require.NoError(c, b.Publish(c.ctx(), toQueue(q), msg))
		require.Equal(c, &runtime.Message{Body: []byte("body"), Headers: map[string]any{"n": 1}, Expiration: time.Hour}, msg)
		c.next(in)
	}},
	{"what a handler does to a delivery is gone with the next one", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(ctx context.Context, body []byte) error {
			d := runtime.DeliveryFrom(ctx)
			in <- runtime.Delivery{
				Message:     runtime.Message{Body: bytes.Clone(body), Headers: map[string]any{"k": d.Headers["k"]}},
				Redelivered: d.Redelivered,
			}
			body[0], d.Headers["k"] = 'X', "changed"
			if d.Redelivered {
				return nil
			}
			return errors.New("once more")
		})})
		require.NoError(c, b.Publish(c.ctx(), toQueue(q), &runtime.Message{Body: []byte("body"), Headers: map[string]any{"k": "v"}}))
		first, second := c.next(in), c.next(in)
		require.True(c, second.Redelivered)
		require.Equal(c, first.Message, second.Message)
	}},
	{"headers that don't fit into a frame are refused, and disturb nothing", func(c *testCase) {
		q, in := c.queue("q"), newInbox()
		b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.handler()})
		value := strings.Repeat("x", 1000)
		headers := map[string]any{"in": map[string]any{"a": []any{value, []byte(value)}}}
		for i := range 120 {
			headers[fmt.Sprint(i)] = value
		}
		require.NoError(c, b.Publish(c.ctx(), toQueue(q), &runtime.Message{Headers: headers, AppID: value[:255], MessageID: value[:255]}))
		require.Equal(c, headers, c.next(in).Headers)
		for i := range 10 {
			headers[fmt.Sprint(200+i)] = value
		}
		err := b.Publish(c.ctx(), toQueue(q), &runtime.Message{Headers: headers})
		require.ErrorContains(c, err, "fit into a frame")
		require.NotErrorIs(c, err, runtime.ErrUnknown)
		c.publish(b, toQueue(q), "next")
		require.Equal(c, "next", c.body(in))
	}},
}

// roundTrip returns the message as a handler gets it.
func (c *testCase) roundTrip(msg *runtime.Message) runtime.Message {
	c.Helper()
	q, in := c.queue("q"), newInbox()
	b := c.start(Settings{}, runtime.Route{Name: "r", Queue: q, Handler: in.handler()})
	require.NoError(c, b.Publish(c.ctx(), toQueue(q), msg))
	return c.next(in).Message
}

// headerTypes is the table of types that both ends of a connection agree on.
func headerTypes(c *testCase) {
	at := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	headers := []struct {
		name       string
		sent, want any
	}{
		{"nil", nil, nil},
		{"bool", true, true},
		{"int", -7, int64(-7)},
		{"int-big", math.MaxInt, int64(math.MaxInt)},
		{"int8", int8(-7), int8(-7)},
		{"int16", int16(-7), int16(-7)},
		{"int32", int32(-7), int32(-7)},
		{"int64", int64(-7), int64(-7)},
		{"uint", uint(7), int64(7)},
		{"uint8", uint8(200), uint8(200)},
		{"uint16", uint16(60000), uint16(60000)},
		{"uint32", uint32(4e9), uint32(4e9)},
		{"uint64", uint64(7), int64(7)},
		{"float32", float32(1.5), float32(1.5)},
		{"float64", 1.5, 1.5},
		{"string", "säge", "säge"},
		{"empty", "", ""},
		{"bytes", []byte{1, 2}, []byte{1, 2}},
		{"time", at, at},
		{"array", []any{1, "a", nil}, []any{int64(1), "a", nil}},
		{"table", map[string]any{"n": 1, "t": map[string]any{"b": true}}, map[string]any{"n": int64(1), "t": map[string]any{"b": true}}},
	}
	sent := make(map[string]any)
	for _, h := range headers {
		sent[h.name] = h.sent
	}
	got := c.roundTrip(&runtime.Message{Headers: sent})
	require.Len(c, got.Headers, len(headers))
	for _, h := range headers {
		require.Equal(c, h.want, got.Headers[h.name], h.name)
	}
}
