// Package conformance is the specification of a runtime.Broker, as tests that
// every broker passes. The suite runs against the broker in memory and against a
// real RabbitMQ, so that the first one behaves as the second.
//
//	func TestConformance(t *testing.T) {
//		conformance.Run(t, func(t *testing.T) conformance.Server { return newServer(t) })
//	}
//
// It never sleeps: that nothing arrives is proven by what arrives next.
package conformance

import (
	"bytes"
	"context"
	"crypto/rand"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// patience only ends a test that hangs: what is waited for has to happen.
const patience = time.Minute

// A Server is what brokers connect to. The suite asks for one in each test.
type Server interface {
	// Open returns one more broker that is connected to the server. The suite
	// shuts it down.
	Open(t *testing.T, s Settings) runtime.Broker

	// Delete removes what a test has declared, as far as it is there.
	Delete(t *testing.T, queues, exchanges []string)
}

// Settings are what a test wants of a broker. Zero means the broker's default.
type Settings struct {
	Prefetch        int
	Concurrency     int
	RedeliveryDelay time.Duration
	Topology        runtime.TopologyMode
	Events          []runtime.Events
	Logger          *slog.Logger
}

// Run runs the suite as subtests of t.
func Run(t *testing.T, server func(t *testing.T) Server) {
	for _, group := range []struct {
		name  string
		tests []test
	}{
		{"Routing", routingTests},
		{"Message", messageTests},
		{"Reply", replyTests},
		{"Failure", failureTests},
		{"Retry", retryTests},
		{"Dispatch", dispatchTests},
		{"Batch", batchTests},
		{"Order", orderTests},
		{"Acknowledge", acknowledgeTests},
		{"Queue", queueTests},
		{"Declaration", declarationTests},
		{"Topology", topologyTests},
		{"Flow", flowTests},
		{"Limit", limitTests},
		{"Lifecycle", lifecycleTests},
		{"Health", healthTests},
		{"Client", clientTests},
	} {
		t.Run(group.name, func(t *testing.T) {
			for _, test := range group.tests {
				t.Run(test.name, func(t *testing.T) { test.run(newCase(t, server(t))) })
			}
		})
	}
}

type test struct {
	name string
	run  func(c *testCase)
}

// A testCase is one test at work. Its names are its own, so that tests can
// share a server.
type testCase struct {
	*testing.T
	server    Server
	prefix    string
	queues    []string
	exchanges []string
}

func newCase(t *testing.T, server Server) *testCase {
	c := &testCase{T: t, server: server, prefix: "warren-" + rand.Text()[:8] + "."}
	t.Cleanup(func() { server.Delete(t, c.queues, c.exchanges) })
	return c
}

// open returns a broker that is shut down with the test.
func (c *testCase) open(s Settings) runtime.Broker {
	broker := c.server.Open(c.T, s)
	c.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		require.NoError(c, broker.Shutdown(ctx))
	})
	return broker
}

// start opens a broker that consumes the routes.
func (c *testCase) start(s Settings, routes ...runtime.Route) runtime.Broker {
	c.Helper()
	broker := c.open(s)
	require.NoError(c, broker.Start(c.ctx(), c.router(routes...)))
	return broker
}

// router returns a router of the routes. What fails comes again without end, unless
// the route has a policy.
func (c *testCase) router(routes ...runtime.Route) *runtime.Router {
	c.Helper()
	router := runtime.NewRouter()
	require.NoError(c, router.OnFailure(runtime.FailurePolicy{Endless: true}))
	require.NoError(c, router.Register(routes...))
	for _, route := range router.Routes() {
		for _, queue := range route.FailureQueues() {
			c.queues = append(c.queues, queue.Name)
		}
	}
	return router
}

// ctx ends when patience does.
func (c *testCase) ctx() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	c.Cleanup(cancel)
	return ctx
}

// queue returns a queue of the test's own. Options come as pairs of argument
// and value.
func (c *testCase) queue(name string, arguments ...any) runtime.Queue {
	q := runtime.Queue{Name: c.prefix + name, Durable: true}
	for i := 0; i < len(arguments); i += 2 {
		if q.Arguments == nil {
			q.Arguments = make(map[string]any)
		}
		q.Arguments[arguments[i].(string)] = arguments[i+1]
	}
	c.queues = append(c.queues, q.Name)
	return q
}

func (c *testCase) exchange(name string, kind runtime.ExchangeType) *runtime.Exchange {
	x := &runtime.Exchange{Name: c.prefix + name, Type: kind, Durable: true}
	c.exchanges = append(c.exchanges, x.Name)
	return x
}

// An inbox gets what a route handles.
type inbox chan runtime.Delivery

func newInbox() inbox { return make(inbox, 1000) }

// handler puts each delivery into the inbox.
func (in inbox) handler() runtime.Handler {
	return in.then(func(context.Context, runtime.Delivery) error { return nil })
}

// then does so and goes on with handle.
func (in inbox) then(handle func(context.Context, runtime.Delivery) error) runtime.Handler {
	return runtime.Consume(func(ctx context.Context, body []byte) error {
		d := *runtime.DeliveryFrom(ctx)
		d.Body = bytes.Clone(body)
		in <- d
		return handle(ctx, d)
	})
}

// next returns the next delivery.
func (c *testCase) next(in inbox) runtime.Delivery {
	c.Helper()
	select {
	case d := <-in:
		return d
	case <-time.After(patience):
		require.FailNow(c, "no delivery has come")
		return runtime.Delivery{}
	}
}

// body returns the body of the next delivery.
func (c *testCase) body(in inbox) string {
	c.Helper()
	return string(c.next(in).Body)
}

// await waits for done.
func (c *testCase) await(what string, done <-chan struct{}) {
	c.Helper()
	select {
	case <-done:
	case <-time.After(patience):
		require.FailNow(c, "hasn't happened: "+what)
	}
}

// publish sends body, which has to succeed.
func (c *testCase) publish(t runtime.Transport, to runtime.Address, body string) {
	c.Helper()
	require.NoError(c, t.Publish(c.ctx(), to, text(body)))
}

func (c *testCase) shutdown(broker runtime.Broker) {
	c.Helper()
	require.NoError(c, broker.Shutdown(c.ctx()))
}

func text(body string) *runtime.Message { return &runtime.Message{Body: []byte(body)} }

// toQueue addresses q through the default exchange.
func toQueue(q runtime.Queue) runtime.Address { return runtime.Address{RoutingKey: q.Name} }

// toExchange addresses x.
func toExchange(x *runtime.Exchange, key string) runtime.Address {
	return runtime.Address{Exchange: x.Name, RoutingKey: key}
}
