package rabbitmq_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/warrenmq/warren/internal/conformance"
	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// patience is how long a test waits for what has to happen.
const patience = 30 * time.Second

// node is the RabbitMQ of all tests that don't harm it.
var node *rabbitnode.Node

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	var err error
	if node, err = rabbitnode.Open(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	node.Stop()
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func TestConformance(t *testing.T) {
	conformance.Run(t, func(*testing.T) conformance.Server { return server{node.URL()} })
}

// server connects the suite's brokers to a node.
type server struct{ url string }

func (s server) Open(t *testing.T, settings conformance.Settings) runtime.Broker {
	broker, err := rabbitmq.New(rabbitmq.Config{
		URL:             s.url,
		Prefetch:        settings.Prefetch,
		Concurrency:     settings.Concurrency,
		RedeliveryDelay: settings.RedeliveryDelay,
		ConnectionName:  t.Name(),
	})
	require.NoError(t, err)
	return broker
}

func (s server) Delete(t *testing.T, queues, exchanges []string) {
	conn, err := amqp.Dial(s.url)
	require.NoError(t, err)
	defer conn.Close()
	ch, err := conn.Channel()
	require.NoError(t, err)
	for _, name := range queues {
		_, err := ch.QueueDelete(name, false, false, false)
		require.NoError(t, err)
	}
	for _, name := range exchanges {
		require.NoError(t, ch.ExchangeDelete(name, false, false))
	}
}
