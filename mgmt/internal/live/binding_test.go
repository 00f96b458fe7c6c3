package live

import (
	"net/url"
	"strings"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

// bindingsBetween has bindings that aren't between the two ends beside those that
// are.
func bindingsBetween(t *testing.T, b *broker) {
	ctx, client := t.Context(), b.open(t)
	b.queue(t, "between", nil, 0)
	require.NoError(t, b.client.DeclareExchange(ctx, "", "between", mgmt.ExchangeSettings{}))
	arguments := mgmt.Table{"x-match": "all", "n": int64(1)}
	for _, exchange := range []string{"amq.topic", "amq.headers"} {
		require.NoError(t, b.client.BindQueue(ctx, "", "between", exchange, mgmt.BindingSettings{RoutingKey: "a"}))
		require.NoError(t, b.client.BindQueue(ctx, "", "between", exchange, mgmt.BindingSettings{RoutingKey: "a", Arguments: arguments}))
		require.NoError(t, b.client.BindExchange(ctx, "", "between", exchange, mgmt.BindingSettings{RoutingKey: exchange}))
	}
	bindings, err := client.QueueBindingsFrom(ctx, "", "between", "amq.headers")
	require.NoError(t, err)
	require.Len(t, bindings, 2)
	for _, binding := range bindings {
		require.Equal(t, "amq.headers", binding.Source)
		require.Equal(t, "queue", binding.DestinationType)
		require.NoError(t, client.UnbindQueue(ctx, "", "between", "amq.headers", binding.PropertiesKey))
	}
	byDefault, err := client.QueueBindingsFrom(ctx, "", "between", "")
	require.NoError(t, err)
	require.Len(t, byDefault, 1)
	exchanges, err := client.ExchangeBindingsFrom(ctx, "", "between", "amq.topic")
	require.NoError(t, err)
	require.Len(t, exchanges, 1)
	require.Equal(t, "amq.topic", exchanges[0].RoutingKey)
	for _, ends := range [][2]string{{"nope", "amq.topic"}, {"between", "nope"}} {
		none, err := client.QueueBindingsFrom(ctx, "", ends[0], ends[1])
		require.NoError(t, err, "as documented")
		require.Empty(t, none)
	}
	require.NoError(t, b.client.DeleteExchange(ctx, "", "between"))
}

// tilde has a virtual host of its own, because lists of its bindings fail.
func tilde(t *testing.T, b *broker) {
	const vhost = "tilde"
	ctx, client := t.Context(), b.open(t)
	require.NoError(t, client.PutVHost(ctx, vhost, mgmt.VHostSettings{}))
	defer func() { require.NoError(t, client.DeleteVHost(ctx, vhost)) }()
	require.NoError(t, client.PutPermission(ctx, vhost, "guest", mgmt.PermissionSettings{Configure: ".*", Write: ".*", Read: ".*"}))
	require.NoError(t, client.DeclareQueue(ctx, vhost, "q", mgmt.QueueSettings{}))
	arguments := mgmt.Table{"x": int64(1)} // as the API sends numbers
	for _, key := range []string{"a~b", "~", "a~", "~~"} {
		require.NoError(t, client.BindQueue(ctx, vhost, "q", "amq.topic", mgmt.BindingSettings{RoutingKey: key}))
		err := client.BindQueue(ctx, vhost, "q", "amq.topic", mgmt.BindingSettings{RoutingKey: key, Arguments: arguments})
		if strings.Contains(key[:len(key)-1], "~") {
			require.ErrorIs(t, err, mgmt.ErrName)
		} else {
			require.NoError(t, err)
		}
		_, err = client.QueueBindings(ctx, vhost, "q")
		require.NoError(t, err)
	}
	require.NoError(t, client.BindQueue(ctx, vhost, "q", "amq.topic", mgmt.BindingSettings{Arguments: arguments}))
	bindings, err := client.QueueBindings(ctx, vhost, "q")
	require.NoError(t, err)
	hash := ""
	for _, binding := range bindings {
		if binding.RoutingKey == "" && len(binding.Arguments) > 0 {
			hash = binding.PropertiesKey
		}
	}
	bindOverAMQP(t, b, vhost, "a~b~c", arguments)
	_, err = client.QueueBindings(ctx, vhost, "q")
	require.Error(t, err, "if this is mended, so may checkTilde be")
	require.NoError(t, client.UnbindQueue(ctx, vhost, "q", "amq.topic", "a%7Eb%7Ec"+hash))
	_, err = client.QueueBindings(ctx, vhost, "q")
	require.NoError(t, err)
}

func bindOverAMQP(t *testing.T, b *broker, vhost, key string, arguments mgmt.Table) {
	t.Helper()
	conn, err := amqp.DialConfig(strings.TrimSuffix(b.node.URL(), "/")+"/"+url.PathEscape(vhost), amqp.Config{})
	require.NoError(t, err)
	defer conn.Close()
	channel, err := conn.Channel()
	require.NoError(t, err)
	require.NoError(t, channel.QueueBind("q", key, "amq.topic", false, amqp.Table(arguments)))
}
