package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/warrenmq/warren/examples/orders"
	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var update = flag.Bool("update", false, "write testdata/story.golden anew")

// golden is what is printed on every broker, after the line that names it.
const golden = "testdata/story.golden"

// tell runs the command and returns what it printed below the broker's name.
func tell(t *testing.T, url string) string {
	t.Helper()
	var out, log strings.Builder
	require.NoError(t, run(t.Context(), &out, options{url: url, log: &log}))
	require.Empty(t, log.String())
	_, story, _ := strings.Cut(out.String(), "\n")
	return story
}

func TestStory_RunsInMemory(t *testing.T) {
	story := tell(t, "")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(story), 0o644))
	}

	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), story)
}

func TestStory_IsTheSameOnRabbitMQ(t *testing.T) {
	require.Equal(t, tell(t, ""), tell(t, rabbitMQ(t)))
}

// rabbitMQ returns the URL of a node that has nothing of the service's when the
// test ends.
func rabbitMQ(t *testing.T) string {
	t.Helper()
	node, err := rabbitnode.Open(t.Context())
	require.NoError(t, err)
	t.Cleanup(node.Stop)
	t.Cleanup(func() { forget(t, node.URL()) })
	return node.URL()
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
