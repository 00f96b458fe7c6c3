package runtimetest_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/runtimetest"
)

// A shopOrder is what the tests of Record send.
type shopOrder struct{ ID string }

func TestRecord_HasWhatTheBrokerSaw(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		router := runtime.NewRouter()
		router.MustRegister(runtime.Route{
			Name: "order", Queue: runtime.Queue{Name: "orders"},
			Exchange: &runtime.Exchange{Name: "shop", Type: runtime.Topic}, RoutingKeys: []string{"order.*"},
			Handler: runtime.Consume(func(context.Context, shopOrder) error { return runtime.Reject(errors.New("bad")) }),
		})
		s := runtimetest.Start(t, router)
		headers := map[string]any{"table": map[string]any{"a": "before"}}
		orders := runtime.NewPublisher[shopOrder](s, runtime.Endpoint{To: runtime.Address{Exchange: "shop"}, Patterns: []string{"order.*"}})
		require.NoError(t, orders.PublishWords(t.Context(), runtime.Words{{"created"}}, shopOrder{"7"},
			runtime.WithMessageID("m7"), runtime.WithHeader("table", headers["table"])))
		headers["table"].(map[string]any)["a"] = "after"
		s.Settled()
		s.FailNextPublish(runtime.ErrNacked)
		require.ErrorIs(t, orders.PublishWords(t.Context(), runtime.Words{{"created"}}, shopOrder{"8"}), runtime.ErrNacked)

		sent := s.Record()
		require.Len(t, sent, 3, "two messages, and the dead letter of the first")
		require.Equal(t, runtime.Address{Exchange: "shop", RoutingKey: "order.created"}, sent[0].To)
		require.Equal(t, "m7", sent[0].Message.MessageID)
		require.Equal(t, map[string]any{"table": map[string]any{"a": "before"}}, sent[0].Message.Headers)
		var got shopOrder
		s.Decode(sent[0], &got)
		require.Equal(t, shopOrder{"7"}, got)
		require.NoError(t, sent[0].Err)
		require.Equal(t, runtime.Address{RoutingKey: "orders.dead"}, sent[1].To)
		require.ErrorIs(t, sent[2].Err, runtime.ErrNacked)
		require.Empty(t, s.Record(), "since the last call")
	})
}

func TestRecord_HasRepliesAndNotWhatTheTestSends(t *testing.T) {
	route := runtime.Route{Name: "find", Queue: runtime.Queue{Name: "finds"}, Handler: runtime.Respond(func(_ context.Context, id string) (shopOrder, error) {
		return shopOrder{id}, nil
	})}
	s := runtimetest.Start(t, router(t, route))
	s.Send("find", "7", runtime.WithReplyTo("gone"), runtime.WithCorrelationID("c"))
	s.Settled()

	sent := s.Record()
	require.Len(t, sent, 1)
	require.Equal(t, "c", sent[0].Message.CorrelationID)
	require.ErrorIs(t, sent[0].Err, runtime.ErrUnroutable)
}

func TestDecode_EndsTheTestForWhatIsNotJSON(t *testing.T) {
	require.Equal(t, []string{"runtimetest: decode what was sent to queue \"q\": unexpected end of JSON input"}, judge(t, func(t testing.TB) {
		s := runtimetest.New(t)
		s.Decode(runtimetest.Sent{To: runtime.Address{RoutingKey: "q"}}, new(int))
	}))
}
