package live

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/mgmt"
	"github.com/warrenmq/warren/mgmt/internal/endpoints"
	"github.com/warrenmq/warren/mgmt/passive"
)

// patience bounds each wait, generously: it only ends a test that would hang.
const patience = 2 * time.Minute

// A broker is a node that the tests of one version share.
type broker struct {
	node    *rabbitnode.Node
	client  *mgmt.Client // to prepare tests; its requests aren't recorded
	version string       // as the broker says it, such as "4.3.6"
	is4     bool         // RabbitMQ 4
	sent    *journal     // of the running test

	streamAddress string // of the listener of the stream protocol
}

// open returns the client that is tested.
func (b *broker) open(t *testing.T) *mgmt.Client {
	t.Helper()
	client, err := mgmt.New(mgmt.Config{URL: b.node.ManagementURL(), Timeout: patience, Transport: b.sent})
	require.NoError(t, err)
	t.Cleanup(func() { client.Close() })
	return client
}

func (b *broker) inspector() mgmt.Inspector { return passive.New(b.node.URL()) }

// dial returns an AMQP channel.
func (b *broker) dial(t *testing.T) *amqp.Channel {
	t.Helper()
	conn, err := amqp.Dial(b.node.URL())
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	channel, err := conn.Channel()
	require.NoError(t, err)
	return channel
}

// queue declares a queue and puts messages into it, confirmed.
func (b *broker) queue(t *testing.T, name string, arguments mgmt.Table, messages int) {
	t.Helper()
	require.NoError(t, b.client.DeclareQueue(t.Context(), "", name, mgmt.QueueSettings{Arguments: arguments}))
	b.publish(t, name, messages)
}

func (b *broker) publish(t *testing.T, queue string, messages int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	channel := b.dial(t)
	require.NoError(t, channel.Confirm(false))
	for range messages {
		confirmation, err := channel.PublishWithDeferredConfirm("", queue, true, false, amqp.Publishing{Body: []byte("m"), DeliveryMode: amqp.Persistent})
		require.NoError(t, err)
		acknowledged, err := confirmation.WaitContext(ctx)
		require.NoError(t, err)
		require.True(t, acknowledged)
	}
}

// ready returns how many messages a queue has now, as AMQP counts them.
func (b *broker) ready(t *testing.T, queue string) int {
	t.Helper()
	ready, _, err := b.inspector().InspectQueue(t.Context(), "/", queue)
	require.NoError(t, err)
	return ready
}

// conforming is a broker for package conformance.
type conforming struct{ b *broker }

func (c conforming) Config() mgmt.Config {
	return mgmt.Config{URL: c.b.node.ManagementURL(), Transport: c.b.sent}
}

func (c conforming) Inspector() mgmt.Inspector { return c.b.inspector() }

func (c conforming) Publish(t *testing.T, queue string, messages int) {
	c.b.publish(t, queue, messages)
}

// eventually waits for a state that the broker shows late.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	require.Eventually(t, condition, patience, 50*time.Millisecond, what)
}

// A journal is a transport that records the requests.
type journal struct {
	mu       sync.Mutex
	requests []string // "GET /api/..."
}

func (j *journal) RoundTrip(r *http.Request) (*http.Response, error) {
	j.mu.Lock()
	j.requests = append(j.requests, r.Method+" "+r.URL.EscapedPath())
	j.mu.Unlock()
	return http.DefaultTransport.RoundTrip(r)
}

// count returns how many requests were sent to an endpoint.
func (j *journal) count(endpoint endpoints.Endpoint) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := 0
	for _, request := range j.requests {
		verb, path, _ := strings.Cut(request, " ")
		if endpoint.Matches(verb, path) {
			n++
		}
	}
	return n
}

func TestMain(m *testing.M) {
	code := m.Run()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections() // the journals'
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func TestLive(t *testing.T) {
	methods, err := endpoints.Of("../..")
	require.NoError(t, err)
	for _, version := range rabbitnode.Versions() {
		t.Run(version, func(t *testing.T) {
			b := start(t, version)
			runs := make(map[uintptr]*run)
			for _, method := range methods {
				t.Run(method.Name, func(t *testing.T) { b.cover(t, method, runs) })
			}
			for _, behaviour := range behaviours {
				t.Run(behaviour.name, func(t *testing.T) {
					b.sent = new(journal)
					behaviour.test(t, b)
				})
			}
		})
	}
}

// A run is the result of a test. Several methods share one, since the broker takes
// seconds to show some states.
type run struct {
	sent   *journal
	passed bool
}

// cover requires that a method's test passes, and that it sends the requests that
// the method's comment names.
func (b *broker) cover(t *testing.T, method endpoints.Method, runs map[uintptr]*run) {
	test, ok := cases[method.Name]
	if !ok {
		test, ok = admin[method.Name]
	}
	require.True(t, ok, "the method has no test")
	key := reflect.ValueOf(test).Pointer()
	if runs[key] == nil {
		runs[key] = &run{sent: new(journal)}
		b.sent = runs[key].sent
		test(t, b)
		runs[key].passed = !t.Failed()
	}
	require.True(t, runs[key].passed, "its test has failed, under the name of another method")
	if method.Name == "CheckReady" {
		return // which endpoints it asks depends on the version
	}
	for _, endpoint := range method.Endpoints {
		require.NotZero(t, runs[key].sent.count(endpoint), "%v wasn't asked", endpoint)
	}
}

func start(t *testing.T, version string) *broker {
	t.Helper()
	release, err := rabbitnode.WithVersion(version)
	require.NoError(t, err)
	stream, err := rabbitnode.FreeAddress()
	require.NoError(t, err)
	options := []rabbitnode.Option{
		release,
		rabbitnode.WithPlugins("rabbitmq_federation", "rabbitmq_federation_management", "rabbitmq_stream", "rabbitmq_stream_management"),
		rabbitnode.WithSettings("stream.listeners.tcp.1 = " + stream),
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	node, err := rabbitnode.Start(ctx, options...)
	require.NoError(t, err)
	t.Cleanup(node.Stop)
	client, err := mgmt.New(mgmt.Config{URL: node.ManagementURL(), Timeout: patience})
	require.NoError(t, err)
	t.Cleanup(func() { client.Close() })
	b := &broker{node: node, client: client, streamAddress: stream}
	eventually(t, "the API answers", func() bool {
		overview, err := client.Overview(t.Context())
		b.version, b.is4 = overview.Version, strings.HasPrefix(overview.Version, "4.")
		return err == nil
	})
	return b
}
