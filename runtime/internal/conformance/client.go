package conformance

import (
	"context"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// An order is what the typed clients send.
type order struct {
	ID    int    `json:"id"`
	Buyer string `json:"buyer,omitempty"`
}

var clientTests = []test{
	{"a publisher sends what the handler gets", func(c *testCase) {
		q, x, got := c.queue("q"), c.exchange("x", runtime.Topic), make(chan order, 10)
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, Exchange: x, RoutingKeys: []string{"order.*"},
			Handler: runtime.Consume(func(ctx context.Context, o order) error {
				o.Buyer = runtime.DeliveryFrom(ctx).RoutingKey
				got <- o
				return nil
			}),
		})
		p := runtime.NewPublisher[order](b, runtime.Endpoint{Route: "r", To: toExchange(x, "order.new"), Patterns: []string{"order.*"}})
		require.NoError(c, p.Publish(c.ctx(), order{ID: 1}))
		require.NoError(c, p.PublishKey(c.ctx(), "order.old", order{ID: 2}))
		require.ErrorContains(c, p.PublishKey(c.ctx(), "other.key", order{ID: 3}), "order.*")
		require.Equal(c, order{1, "order.new"}, <-got)
		require.Equal(c, order{2, "order.old"}, <-got)
	}},
	{"the words of a key reach the queue that is bound by its pattern", func(c *testCase) {
		x, in := c.exchange("x", runtime.Topic), newInbox()
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: c.queue("q"), Exchange: x, RoutingKeys: []string{"order.*.#"}, KeyWords: []string{"what", "rest"}, Handler: in.handler(),
		})
		p := runtime.NewPublisher[order](b, runtime.Endpoint{Route: "r", To: toExchange(x, ""), Patterns: []string{"order.*.#"}})
		for key, words := range map[string]runtime.Words{"order.new": {{"new"}, nil}, "order.new.eu.by": {{"new"}, {"eu", "by"}}} {
			require.NoError(c, p.PublishWords(c.ctx(), words, order{ID: 1}))
			require.Equal(c, key, c.next(in).RoutingKey)
		}
		require.ErrorContains(c, p.PublishWords(c.ctx(), runtime.Words{{"a.b"}, nil}, order{ID: 1}), "has no dot")
	}},
	{"a caller gets the handler's result", func(c *testCase) {
		q := c.queue("q")
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: q, Reply: &runtime.Address{},
			Handler: runtime.Respond(func(_ context.Context, name string) (*order, error) {
				return &order{ID: len(name), Buyer: strings.ToUpper(name)}, nil
			}),
		})
		caller := runtime.NewCaller[string, order](b, runtime.Endpoint{Route: "r", To: toQueue(q)})
		reply, err := caller.Call(c.ctx(), "ann")
		require.NoError(c, err)
		require.Equal(c, order{3, "ANN"}, reply)
	}},
	{"an endpoint's headers reach a headers exchange", func(c *testCase) {
		x, in := c.exchange("x", runtime.Headers), newInbox()
		b := c.start(Settings{}, runtime.Route{
			Name: "r", Queue: c.queue("q"), Exchange: x, BindingArguments: map[string]any{"kind": "order"}, Handler: in.handler(),
		})
		p := runtime.NewPublisher[order](b, runtime.Endpoint{
			Route: "r", To: toExchange(x, ""), Headers: map[string]any{"kind": "order"},
		}, runtime.WithDefaults(runtime.WithHeader("source", "test")))
		require.NoError(c, p.Publish(c.ctx(), order{ID: 1}, runtime.WithMessageID("m-1")))
		d := c.next(in)
		require.Equal(c, map[string]any{"kind": "order", "source": "test"}, d.Headers)
		require.Equal(c, "m-1", d.MessageID)
		require.Equal(c, "application/json", d.ContentType)
		require.JSONEq(c, `{"id":1}`, string(d.Body))
	}},
	{"a client's error says which route it was for", func(c *testCase) {
		p := runtime.NewPublisher[order](c.open(Settings{}), runtime.Endpoint{Route: "r", To: runtime.Address{RoutingKey: c.prefix + "unbound"}})
		err := p.Publish(c.ctx(), order{})
		var sendErr *runtime.SendError
		require.ErrorAs(c, err, &sendErr)
		require.Equal(c, "r", sendErr.Route)
		require.ErrorIs(c, err, runtime.ErrUnroutable)
	}},
}
