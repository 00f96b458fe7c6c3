package rabbitmq_test

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/conformance"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// patience only ends a test that hangs: what is waited for has to happen.
const patience = 2 * time.Minute

// node is the RabbitMQ of all tests that don't harm it.
var node *rabbitnode.Node

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	flag.Parse()
	if isFuzzing() { // in many processes, and no target needs a node
		return m.Run()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
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

// isFuzzing reports whether the process fuzzes, or works for one that does. Tests are
// left out by -run then.
func isFuzzing() bool {
	return flag.Lookup("test.fuzz").Value.String() != "" || flag.Lookup("test.fuzzworker").Value.String() == "true"
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
		Topology:        settings.Topology,
		Events:          settings.Events,
		Logger:          settings.Logger,
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

// open returns a broker that is shut down with the test.
func open(t *testing.T, url string) *rabbitmq.Broker {
	t.Helper()
	return openWith(t, rabbitmq.Config{URL: url})
}

func openWith(t *testing.T, config rabbitmq.Config) *rabbitmq.Broker {
	t.Helper()
	b, err := rabbitmq.New(config)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		require.NoError(t, b.Shutdown(ctx))
	})
	return b
}

// start makes b consume the routes.
func start(t *testing.T, b *rabbitmq.Broker, routes ...runtime.Route) *rabbitmq.Broker {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	require.NoError(t, b.Start(ctx, router(t, routes...)))
	return b
}

func router(t *testing.T, routes ...runtime.Route) *runtime.Router {
	t.Helper()
	r := runtime.NewRouter()
	require.NoError(t, r.Register(routes...))
	return r
}

// queue returns a durable queue with a name of its own.
func queue(t *testing.T) runtime.Queue {
	t.Helper()
	return runtime.Queue{Name: fmt.Sprintf("warren-%s", rand.Text()[:10]), Durable: true}
}

func to(q runtime.Queue) runtime.Address { return runtime.Address{RoutingKey: q.Name} }

// awaitConsumers waits until the queue has n consumers.
func awaitConsumers(t *testing.T, node *rabbitnode.Node, q runtime.Queue, n int) {
	t.Helper()
	require.Eventually(t, func() bool {
		conn, err := amqp.Dial(node.URL())
		if err != nil {
			return false
		}
		defer conn.Close()
		ch, err := conn.Channel()
		if err != nil {
			return false
		}
		found, err := ch.QueueDeclarePassive(q.Name, q.Durable, q.AutoDelete, q.Exclusive, false, nil)
		return err == nil && found.Consumers == n
	}, patience, 20*time.Millisecond)
}
