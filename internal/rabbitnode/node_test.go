package rabbitnode_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
)

func TestNode(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	node, err := rabbitnode.Start(ctx)
	require.NoError(t, err)
	defer node.Stop()

	t.Run("accepts connections", func(t *testing.T) {
		conn, err := amqp.Dial(node.URL())
		require.NoError(t, err)
		require.NoError(t, conn.Close())
	})
	t.Run("serves the management API", func(t *testing.T) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, node.ManagementURL()+"/api/overview", nil)
		require.NoError(t, err)
		request.SetBasicAuth("guest", "guest")
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusOK, response.StatusCode)
	})
	t.Run("obeys rabbitmqctl", func(t *testing.T) {
		require.NoError(t, node.Control(ctx, "list_queues"))
		require.ErrorContains(t, node.Control(ctx, "no_such_command"), "no_such_command")
	})
	t.Run("keeps durable data over a kill", func(t *testing.T) {
		declare(t, node.URL())
		// Mnesia holds its log back for a moment: a kill right after the
		// declaration may lose it.
		require.NoError(t, node.Control(ctx, "eval", "mnesia:sync_log()."))
		node.Kill()
		_, err := amqp.Dial(node.URL())
		require.Error(t, err)
		require.NoError(t, node.Restart(ctx))
		requireDeclared(t, node.URL())
	})
	t.Run("leaves nothing behind", func(t *testing.T) {
		node.Stop()
		_, err := amqp.Dial(node.URL())
		require.Error(t, err)
		left, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*"))
		require.NoError(t, err)
		require.Empty(t, left)
	})
}

// declare makes a durable queue.
func declare(t *testing.T, url string) {
	t.Helper()
	onChannel(t, url, func(channel *amqp.Channel) error {
		_, err := channel.QueueDeclare("kept", true, false, false, false, nil)
		return err
	})
}

// requireDeclared requires that the queue of declare is there.
func requireDeclared(t *testing.T, url string) {
	t.Helper()
	onChannel(t, url, func(channel *amqp.Channel) error {
		_, err := channel.QueueDeclarePassive("kept", true, false, false, false, nil)
		return err
	})
}

// onChannel calls do with a channel on a connection that it closes afterwards.
func onChannel(t *testing.T, url string, do func(*amqp.Channel) error) {
	t.Helper()
	conn, err := amqp.Dial(url)
	require.NoError(t, err)
	defer conn.Close()
	channel, err := conn.Channel()
	require.NoError(t, err)
	require.NoError(t, do(channel))
}
