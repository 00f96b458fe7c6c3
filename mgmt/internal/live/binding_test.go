package live

import (
	"net/url"
	"strings"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

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
