package main

import (
	"bytes"
	"context"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/modtest"
	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/mgmt"
)

const topologyProgram = `
-- shop/main.go --
package main

import (
	"context"

	"github.com/warrenmq/warren/runtime"
)

func on(context.Context, string) error { return nil }

func main() {
	router := runtime.NewRouter()
	router.Declare(runtime.Topology{
		Queues:           []runtime.Queue{{Name: "audit", Durable: true, Type: runtime.Quorum, DeliveryLimit: 7}},
		Exchanges:        []runtime.Exchange{{Name: "all", Type: runtime.Fanout, Durable: true}},
		Bindings:         []runtime.Binding{{Exchange: "all", Queue: "audit"}},
		ExchangeBindings: []runtime.ExchangeBinding{{Source: "shop", Destination: "all", RoutingKey: "#"}},
	})
	router.MustRegister(
		runtime.Route{
			Name:     "invalidate",
			Queue:    runtime.Queue{Name: "cache", PerInstance: true},
			Exchange: &runtime.Exchange{Name: "all", Type: runtime.Fanout, Durable: true},
			Handler:  runtime.Consume(on),
		},
		runtime.Route{
			Name:        "created",
			Queue:       runtime.Queue{Name: "orders.created", Durable: true, Arguments: map[string]any{"x-max-length": 10}},
			Exchange:    &runtime.Exchange{Name: "shop", Type: runtime.Topic, Durable: true},
			RoutingKeys: []string{"order.created", "order.restored"},
			Sources:     []runtime.Source{{Exchange: runtime.Exchange{Name: "legacy", Type: runtime.Direct, Durable: true}, RoutingKeys: []string{"created"}}},
			Handler:     runtime.Consume(on),
		},
		runtime.Route{Name: "ship", Queue: runtime.Queue{Name: "orders.ship", Durable: true}, Handler: runtime.Consume(on)},
	)
}
`

func TestTopology_AgainstBroker(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	node, err := rabbitnode.Start(ctx)
	require.NoError(t, err)
	t.Cleanup(node.Stop)
	t.Run("missing and surplus", func(t *testing.T) { testMissingAndSurplus(ctx, t, node) })
	t.Run("without routes", func(t *testing.T) { testWithoutRoutes(ctx, t, node) })
	t.Run("in use", func(t *testing.T) { testInUse(ctx, t, node) })
	t.Run("different", func(t *testing.T) { testDifferent(ctx, t, node) })
}

// First nothing is there, then all of it, then more than is declared.
func testMissingAndSurplus(ctx context.Context, t *testing.T, node *rabbitnode.Node) {
	program := func(text string) {
		dir := modtest.Write(t, txtar.Parse([]byte(text)))
		t.Chdir(filepath.Join(dir, "shop"))
	}
	topology := func(args ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		status := run(ctx, append([]string{"topology", args[0], "-mgmt", node.ManagementURL()}, args[1:]...), &stdout, &stderr)
		require.Empty(t, stderr.String())
		return status, stdout.String()
	}

	program(topologyProgram)
	status, text := topology("diff")
	require.Equal(t, findings, status)
	for _, name := range []string{
		"shop", "orders.created", "orders.ship", "order.restored", "orders.created.retry.8s", "orders.ship.dead",
		"legacy", "audit", "x-delivery-limit=7", `binding of exchange "all" to exchange "shop" by "#"`,
	} {
		require.Contains(t, text, name)
	}
	status, _ = topology("apply")
	require.Equal(t, done, status)
	status, text = topology("diff")
	require.Equal(t, done, status)
	require.Empty(t, text)

	program(strings.Replace(topologyProgram, `"order.created", "order.restored"`, `"order.created"`, 1))
	status, text = topology("diff")
	require.Equal(t, findings, status)
	require.Contains(t, text, "- ")
	require.Contains(t, text, "order.restored")
	status, text = topology("apply")
	require.Equal(t, done, status)
	require.Contains(t, text, "What is surplus (-) is left: with -prune it is deleted.\n")
	status, _ = topology("diff")
	require.Equal(t, findings, status, "without -prune nothing is deleted")
	status, _ = topology("apply", "-prune")
	require.Equal(t, done, status)
	status, _ = topology("diff")
	require.Equal(t, done, status)

	program(strings.ReplaceAll(topologyProgram, "orders.ship", "orders.shipping"))
	status, text = topology("diff")
	require.Equal(t, findings, status)
	require.NotContains(t, text, "- ", "the queue may be another program's")
	status, text = topology("diff", "-owns", "orders.")
	require.Equal(t, findings, status)
	require.Contains(t, text, "- ")
	status, text = topology("apply", "-owns", "orders.", "-prune")
	require.Equal(t, done, status)
	require.NotContains(t, text, "is left")
	status, _ = topology("diff", "-owns", "orders.")
	require.Equal(t, done, status)
}

// A program that only sends declares what it sends to.
func testWithoutRoutes(ctx context.Context, t *testing.T, node *rabbitnode.Node) {
	t.Chdir(filepath.Join(modtest.Write(t, txtar.Parse([]byte(`
-- shop/main.go --
package main

import (
	"context"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
)

func main() {
	router := runtime.NewRouter()
	router.Declare(runtime.Topology{
		Queues:    []runtime.Queue{{Name: "journal", Durable: true}},
		Exchanges: []runtime.Exchange{{Name: "entries", Type: runtime.Fanout, Durable: true}},
		Bindings:  []runtime.Binding{{Exchange: "entries", Queue: "journal"}},
	})
	memory.New(memory.Config{}).Start(context.Background(), router)
}
`))), "shop"))
	for _, want := range []struct {
		action string
		status int
		texts  []string
	}{
		{"diff", findings, []string{"journal", "entries"}}, {"apply", done, []string{"journal", "entries"}}, {"diff", done, nil},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, want.status, run(ctx, []string{"topology", want.action, "-mgmt", node.ManagementURL()}, &stdout, &stderr))
		require.Empty(t, stderr.String())
		for _, text := range want.texts {
			require.Contains(t, stdout.String(), text)
		}
		require.True(t, want.texts != nil || stdout.Len() == 0, stdout.String())
	}
}

// Two queues are surplus: one has a message, the other is a quorum queue.
func testInUse(ctx context.Context, t *testing.T, node *rabbitnode.Node) {
	client, err := mgmt.New(mgmt.Config{URL: node.ManagementURL()})
	require.NoError(t, err)
	defer client.Close()
	require.NoError(t, client.DeclareQueue(ctx, "", "used.full", mgmt.QueueSettings{}))
	_, err = client.PublishMessage(ctx, "", "", mgmt.PublishSettings{RoutingKey: "used.full"})
	require.NoError(t, err)
	require.NoError(t, client.DeclareQueue(ctx, "", "used.quorum", mgmt.QueueSettings{Arguments: mgmt.Table{"x-queue-type": "quorum"}}))

	t.Chdir(filepath.Join(modtest.Write(t, txtar.Parse([]byte(topologyProgram))), "shop"))
	prune := func(args ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		args = append([]string{"topology", "apply", "-mgmt", node.ManagementURL(), "-prune", "-owns", "used."}, args...)
		return run(ctx, args, &stdout, &stderr), stderr.String()
	}
	status, fault := prune()
	require.Equal(t, findings, status)
	for line := range strings.Lines(fault) {
		require.Regexp(t, `^asyncapigen topology: (delete queue (safely )?"used\.(full|quorum)"|flag -amqp) `, line)
	}
	require.Contains(t, fault, `"used.full" in vhost "/": 400 bad_request`)
	require.Contains(t, fault, `"used.quorum" in vhost "/": an Inspector is needed`)

	amqp, err := url.Parse(node.URL())
	require.NoError(t, err)
	amqp.User = nil
	status, fault = prune("-amqp", amqp.String())
	require.Equal(t, findings, status)
	require.NotContains(t, fault, "used.quorum")
	require.NoError(t, client.PurgeQueue(ctx, "", "used.full"))
	status, fault = prune()
	require.Equal(t, done, status, fault)
}

// A queue is there with other arguments.
func testDifferent(ctx context.Context, t *testing.T, node *rabbitnode.Node) {
	status := func(action, text string) (int, string, string) {
		dir := modtest.Write(t, txtar.Parse([]byte(text)))
		t.Chdir(filepath.Join(dir, "shop"))
		var stdout, stderr bytes.Buffer
		return run(ctx, []string{"topology", action, "-mgmt", node.ManagementURL()}, &stdout, &stderr), stdout.String(), stderr.String()
	}

	code, _, _ := status("apply", topologyProgram)
	require.Equal(t, done, code)
	code, text, _ := status("diff", strings.Replace(topologyProgram, `"x-max-length": 10`, `"x-max-length": 20`, 1))
	require.Equal(t, findings, code)
	require.Contains(t, text, "~ ")
	require.Contains(t, text, "x-max-length")
	require.Contains(t, text, "shovel")
	code, _, fault := status("apply", strings.Replace(topologyProgram, `"x-max-length": 10`, `"x-max-length": 20`, 1))
	require.Equal(t, findings, code)
	require.Contains(t, fault, "orders.created")
}

func TestTopology_CommandLine(t *testing.T) {
	for _, test := range []struct {
		args  []string
		fault string
	}{
		{nil, `the action "" is neither diff nor apply`},
		{[]string{"show", "-mgmt", "http://localhost"}, `the action "show" is neither diff nor apply`},
		{[]string{"diff"}, "flag -mgmt: it is needed"},
		{[]string{"diff", "-mgmt", "http://localhost", "-prune"}, "flag -prune: it goes with apply"},
		{[]string{"diff", "-mgmt", "http://localhost", "-owns", ""}, "every name begins with an empty prefix"},
		{[]string{"diff", "-nonsense"}, "flag provided but not defined"},
		{[]string{"diff", "-mgmt", "ftp://localhost"}, "the scheme isn't http or https"},
		{[]string{"diff", "-mgmt", "http://u:s3cret@localhost"}, "URL holds a user"},
		{[]string{"diff", "-mgmt", "http://localhost", "-amqp", "http://u:s3cret@h"}, "flag -amqp: its form is"},
		{[]string{"diff", "-mgmt", "http://localhost", "-amqp", "amqp://u:s3cret@h"}, "flag -amqp: it holds a user"},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, usage, run(t.Context(), append([]string{"topology"}, test.args...), &stdout, &stderr))
		require.Contains(t, stderr.String(), test.fault)
		require.NotContains(t, stderr.String(), "s3cret")
	}
	var stdout bytes.Buffer
	require.Equal(t, done, run(t.Context(), []string{"topology", "diff", "-h"}, &stdout, &bytes.Buffer{}))
	require.Contains(t, stdout.String(), "-prune")
}

func TestTopology_NeedsEveryArgument(t *testing.T) {
	dir := modtest.Write(t, txtar.Parse([]byte(strings.Replace(strings.Replace(topologyProgram, `"x-max-length": 10`, `"x-max-length": os.Getpid()`, 1), `"context"`, "\"context\"\n\t\"os\"", 1))))
	t.Chdir(filepath.Join(dir, "shop"))
	var stdout, stderr bytes.Buffer

	require.Equal(t, findings, run(t.Context(), []string{"topology", "diff", "-mgmt", "http://localhost:1"}, &stdout, &stderr))
	require.Contains(t, stderr.String(), `Queue.Arguments "x-max-length" of the route "created" isn't known`)
}

func TestTopology_NeedsWhatDecidesAboutQueuesForDelays(t *testing.T) {
	for name, field := range map[string]string{
		"the order":   `Order: map[string]runtime.Order{"strict": runtime.Strict()}[os.Getenv("ORDER")]`,
		"the AckMode": `AckMode: runtime.AckMode(os.Getpid())`,
	} {
		t.Run(name, func(t *testing.T) {
			program := strings.Replace(strings.Replace(topologyProgram, `Name: "ship",`, `Name: "ship", `+field+`,`, 1), `"context"`, "\"context\"\n\t\"os\"", 1)
			t.Chdir(filepath.Join(modtest.Write(t, txtar.Parse([]byte(program))), "shop"))
			var stdout, stderr bytes.Buffer
			require.Equal(t, findings, run(t.Context(), []string{"topology", "diff", "-mgmt", "http://localhost:1"}, &stdout, &stderr))
			require.Contains(t, stderr.String(), name+` of the route "ship" isn't known`)
		})
	}
}

func TestTopology_NeedsWhatIsDeclaredBesideTheRoutes(t *testing.T) {
	for name, change := range map[string][2]string{
		"a name":      {`Name: "audit"`, `Name: os.Args[1]`},
		"an argument": {`DeliveryLimit: 7`, `DeliveryLimit: os.Getpid()`},
		"a condition": {`router.Declare(runtime.Topology{`, `if os.Getpid() > 7 { router.Declare(runtime.Topology{}) }; router.Declare(runtime.Topology{`},
	} {
		t.Run(name, func(t *testing.T) {
			program := strings.Replace(strings.Replace(topologyProgram, change[0], change[1], 1), `"context"`, "\"context\"\n\t\"os\"", 1)
			t.Chdir(filepath.Join(modtest.Write(t, txtar.Parse([]byte(program))), "shop"))
			var stdout, stderr bytes.Buffer
			require.Equal(t, findings, run(t.Context(), []string{"topology", "diff", "-mgmt", "http://localhost:1"}, &stdout, &stderr))
			require.Contains(t, stderr.String(), "not all that Router.Declare gets is known")
		})
	}
}
