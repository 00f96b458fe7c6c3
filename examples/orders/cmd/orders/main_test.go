package main

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/examples/orders"
	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
)

var update = flag.Bool("update", false, "write testdata/story.golden anew")

// golden is what is printed on every broker, after the line that names it.
const golden = "testdata/story.golden"

// tell runs the command and returns what it printed below the broker's name.
func tell(t *testing.T, url string) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, url, false))
	_, story, _ := strings.Cut(out.String(), "\n")
	return story
}

func TestStoryInMemory(t *testing.T) {
	story := tell(t, "")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(story), 0o644))
	}

	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), story)
}

func TestStoryIsTheSameOnRabbitMQ(t *testing.T) {
	node, err := rabbitnode.Open(t.Context())
	require.NoError(t, err)
	t.Cleanup(node.Stop)
	t.Cleanup(func() { forget(t, node.URL()) })

	require.Equal(t, tell(t, ""), tell(t, node.URL()))
}

// forget deletes what the service declares, for RABBITMQ_URL may name a broker
// that stays.
func forget(t *testing.T, url string) {
	t.Helper()
	conn, err := amqp.Dial(url)
	require.NoError(t, err)
	defer conn.Close()
	ch, err := conn.Channel()
	require.NoError(t, err)

	router := runtime.NewRouter()
	require.NoError(t, orders.Register(router, orders.NewService()))
	for _, route := range router.Routes() {
		_, err := ch.QueueDelete(route.Queue.Name, false, false, false)
		require.NoError(t, err)
		if route.Exchange != nil {
			require.NoError(t, ch.ExchangeDelete(route.Exchange.Name, false, false))
		}
	}
}

func TestServeGoesOnUntilInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, interrupt := context.WithCancel(t.Context())
		var out strings.Builder
		ended := make(chan error, 1)
		go func() { ended <- run(ctx, &out, "", true) }()

		synctest.Wait()
		require.Contains(t, out.String(), "consuming until interrupted\n")
		require.Empty(t, ended)

		interrupt()
		require.NoError(t, <-ended)
	})
}
