package asyncapi3_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/asyncapi/asyncapi3"
)

// The channel of a binding carries the messages that its exchange routes by it.
func TestFromContract_BindingsCarryTheMessagesOfTheirKeys(t *testing.T) {
	for kind, want := range map[runtime.ExchangeType]map[string][]string{
		runtime.Direct: {"order.made": {"order.made"}, "order.sent": {"order.sent"}},
		runtime.Topic:  {"order.made": {"order.made"}, "order.*": {"order.made", "order.sent"}},
		runtime.Fanout: {"order.made": {"order.made", "order.sent"}, "order.*": {"order.made", "order.sent"}},
	} {
		t.Run(string(kind), func(t *testing.T) {
			router := runtime.NewRouter()
			require.NoError(t, router.Register(runtime.Route{
				Name: "r", Queue: runtime.Queue{Name: "q"}, Exchange: &runtime.Exchange{Name: "x", Type: kind}, RoutingKeys: slices.Sorted(maps.Keys(want)),
				Handler: runtime.DispatchByKey(runtime.On("order.made", consume[order]()), runtime.On("order.sent", consume[shipment]())),
			}))
			c, err := asyncapi.NewContract(router.Routes(), asyncapi.Extended)
			require.NoError(t, err)
			document := asyncapi3.FromContract(c, nil)
			for _, bound := range document.Channels.Get("q").Bound {
				channel := document.Channels.Get(bound.Channel)
				var got []string
				for _, message := range channel.Messages {
					got = append(got, document.Components.Messages.Get(message.Name).RoutingKey)
				}
				require.Contains(t, want, *channel.Address)
				require.Equal(t, want[*channel.Address], got, *channel.Address)
			}
		})
	}
}
