package conformance

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
	"github.com/warrenmq/warren/mgmt/topology"
)

// A comparison is of a declared topology with a broker's.
type comparison struct {
	*suite
	want topology.Topology
}

func (c *comparison) diff(t *testing.T) topology.Changes {
	t.Helper()
	changes, err := topology.Diff(t.Context(), c.client, c.want)
	require.NoError(t, err)
	return changes
}

func (c *comparison) apply(t *testing.T, changes topology.Changes, options topology.Options) error {
	return topology.Apply(t.Context(), c.client, changes, options)
}

func compareTopology(t *testing.T, b *suite) {
	c := &comparison{b, topology.Topology{
		Exchanges: []topology.Exchange{
			{Name: "topo.x", Type: "topic", Durable: true, Arguments: map[string]any{"alternate-exchange": "amq.fanout"}},
			{Name: "amq.topic", Type: "topic", Durable: true},
		},
		Queues: []topology.Queue{
			{Name: "topo.plain", Durable: true},
			{Name: "topo.typed", Durable: true, Arguments: map[string]any{"x-queue-type": "quorum", "x-max-length": int32(10)}},
			{Name: "topo.exclusive", Exclusive: true},
		},
		Bindings: []topology.Binding{
			{Exchange: "topo.x", Queue: "topo.plain", RoutingKey: "a.#"},
			{Exchange: "amq.headers", Queue: "topo.typed", Arguments: map[string]any{"x-match": "all", "n": 1.0}},
			{Exchange: "topo.x", Queue: "topo.exclusive", RoutingKey: "e"},
		},
		Owns: func(_ topology.Kind, name string) bool { return strings.HasPrefix(name, "topo.") },
	}}
	t.Run("what is missing is shown and declared", c.declareMissing)
	t.Run("surplus is deleted only when asked for", c.pruneSurplus)
	t.Run("what differs is shown and left", c.leaveInequivalent)

	c.want = topology.Topology{Exchanges: []topology.Exchange{
		{}, {Name: "amq.fanout", Type: "direct", Durable: true}, {Name: "amq.none", Type: "direct", Durable: true},
	}}
	t.Run("the broker's own exchanges", c.leaveTheBrokers)
	t.Run("missing vhost", func(t *testing.T) {
		_, err := topology.Diff(t.Context(), c.client, topology.Topology{VHost: "nope"})
		require.ErrorIs(t, err, mgmt.ErrNotFound)
	})
	c.want = topology.Topology{VHost: "quorum", Queues: []topology.Queue{
		{Name: "q", Durable: true}, {Name: "transient"}, {Name: "auto", Durable: true, AutoDelete: true},
	}}
	t.Run("a vhost whose queues are quorum queues", c.declareInQuorumVHost)
}

func (c *comparison) declareMissing(t *testing.T) {
	changes := c.diff(t)
	require.Len(t, changes.Exchanges, 1)
	require.Len(t, changes.Queues, 2)
	require.Len(t, changes.Bindings, 2)
	require.Contains(t, changes.String(), `+ queue "topo.typed" with x-max-length=10, x-queue-type=quorum`)
	require.NoError(t, c.apply(t, changes, topology.Options{}))
	after := c.diff(t)
	require.True(t, after.IsEmpty(), "%v", after)
	require.Empty(t, after.String())
}

func (c *comparison) pruneSurplus(t *testing.T) {
	ctx, b := t.Context(), c.suite
	require.NoError(t, b.client.DeclareExchange(ctx, "", "topo.old.x", mgmt.ExchangeSettings{}))
	require.NoError(t, b.client.DeclareExchange(ctx, "", "topo.bound.x", mgmt.ExchangeSettings{}))
	require.NoError(t, b.client.BindExchange(ctx, "", "amq.fanout", "topo.bound.x", mgmt.BindingSettings{}))
	b.queue(t, "topo.old", nil, 0)
	b.queue(t, "topo.full", nil, 1)
	b.queue(t, "topo.full.quorum", mgmt.Table{"x-queue-type": "quorum"}, 0)
	require.NoError(t, b.client.BindQueue(ctx, "", "topo.plain", "topo.x", mgmt.BindingSettings{RoutingKey: "old"}))
	changes := c.diff(t)
	require.Equal(t, []string{"topo.full", "topo.full.quorum", "topo.old"}, changes.Surplus.Queues)
	require.Equal(t, []string{"topo.bound.x", "topo.old.x"}, changes.Surplus.Exchanges)
	require.Len(t, changes.Surplus.Bindings, 1)
	require.NoError(t, c.apply(t, changes, topology.Options{}))
	require.Equal(t, changes, c.diff(t))

	err := c.apply(t, changes, topology.Options{Prune: true})
	require.ErrorIs(t, err, mgmt.ErrInUse, "a queue with messages stays")
	require.ErrorIs(t, err, mgmt.ErrNoInspector)
	require.Equal(t, 1, b.ready(t, "topo.full"))
	require.Equal(t, topology.Surplus{Queues: []string{"topo.full", "topo.full.quorum"}, Exchanges: []string{"topo.bound.x"}},
		c.diff(t).Surplus, "what is in use keeps nothing else")
	require.NoError(t, b.client.PurgeQueue(ctx, "", "topo.full"))
	require.NoError(t, b.client.UnbindExchange(ctx, "", "amq.fanout", "topo.bound.x", "~"))
	require.NoError(t, c.apply(t, changes, topology.Options{Prune: true, Inspector: b.Inspector()}))
	require.True(t, c.diff(t).IsEmpty())
}

func (c *comparison) leaveInequivalent(t *testing.T) {
	c.want.Queues[0].Arguments = map[string]any{"x-max-length": 5}
	c.want.Queues[0].AutoDelete = true
	c.want.Exchanges[0].Type = "direct"
	changes := c.diff(t)
	require.Len(t, changes.Inequivalent, 2)
	require.Contains(t, changes.String(), "type: want direct, have topic")
	require.Contains(t, changes.String(), "auto-delete: want true, have false")
	require.Contains(t, changes.String(), "x-max-length: want 5, have none")
	require.Contains(t, changes.String(), "  1. declare queue \"topo.plain.migrating\"")
	err := c.apply(t, changes, topology.Options{})
	require.ErrorIs(t, err, mgmt.ErrInequivalent)
	var inequivalent *topology.InequivalentError
	require.ErrorAs(t, err, &inequivalent)
	require.Len(t, inequivalent.Differences, 2)
	require.Equal(t, changes, c.diff(t))
}

func (c *comparison) leaveTheBrokers(t *testing.T) {
	changes := c.diff(t)
	require.Equal(t, "+ exchange \"amq.none\" (direct)\n~ exchange \"amq.fanout\"\n    type: want direct, have fanout\n"+
		"  1. declare exchange \"amq.fanout\" as it is: it is the broker's\n", changes.String())
	require.ErrorIs(t, c.apply(t, changes, topology.Options{}), mgmt.ErrForbidden, "as for the program")
}

func (c *comparison) declareInQuorumVHost(t *testing.T) {
	ctx, vhost := t.Context(), c.want.VHost
	require.NoError(t, c.client.PutVHost(ctx, vhost, mgmt.VHostSettings{DefaultQueueType: "quorum"}))
	require.NoError(t, c.client.PutPermission(ctx, vhost, "guest", mgmt.PermissionSettings{Configure: ".*", Write: ".*", Read: ".*"}))
	require.NoError(t, c.apply(t, c.diff(t), topology.Options{}))
	changes := c.diff(t)
	require.True(t, changes.IsEmpty(), "%v", changes)
	require.NoError(t, c.client.DeleteVHost(ctx, vhost))
}

// bindExchanges declares bindings between exchanges, of which one is there.
func bindExchanges(t *testing.T, b *suite) {
	c := &comparison{b, topology.Topology{
		Exchanges: []topology.Exchange{{Name: "bound.a", Durable: true}, {Name: "bound.b", Durable: true}},
		ExchangeBindings: []topology.ExchangeBinding{
			{Source: "amq.topic", Destination: "bound.a", RoutingKey: "k"},
			{Source: "amq.topic", Destination: "bound.a", RoutingKey: "l", Arguments: map[string]any{"n": 1}},
			{Source: "amq.topic", Destination: "bound.a", RoutingKey: "l", Arguments: map[string]any{"n": 1}},
			{Source: "amq.topic", Destination: "bound.b", RoutingKey: "k"},
		},
	}}
	require.NoError(t, b.client.DeclareExchange(t.Context(), "", "bound.a", mgmt.ExchangeSettings{}))
	require.NoError(t, b.client.BindExchange(t.Context(), "", "bound.a", "amq.topic", mgmt.BindingSettings{RoutingKey: "k"}))
	require.NoError(t, b.client.BindExchange(t.Context(), "", "bound.a", "amq.topic", mgmt.BindingSettings{RoutingKey: "surplus"}))
	changes := c.diff(t)
	require.Equal(t, `+ exchange "bound.b" (direct)
+ binding of exchange "bound.a" to exchange "amq.topic" by "l" with n=1
+ binding of exchange "bound.b" to exchange "amq.topic" by "k"
`, changes.String(), "and nothing of it is surplus")
	require.False(t, changes.IsEmpty())
	require.NoError(t, c.apply(t, changes, topology.Options{Prune: true}))
	require.True(t, c.diff(t).IsEmpty())
	for _, name := range []string{"bound.a", "bound.b"} {
		require.NoError(t, b.client.DeleteExchange(t.Context(), "", name))
	}
}

// applyAgain breaks the requests of a comparison and of what follows from it: that
// is an error, and doing it again does the rest.
func applyAgain(t *testing.T, b *suite) {
	want := topology.Topology{
		Exchanges:        []topology.Exchange{{Name: "broken.x", Durable: true}},
		Queues:           []topology.Queue{{Name: "broken.q", Durable: true}, {Name: "amq-like", Durable: true}},
		Bindings:         []topology.Binding{{Exchange: "broken.x", Queue: "broken.q", RoutingKey: "k"}},
		ExchangeBindings: []topology.ExchangeBinding{{Source: "broken.x", Destination: "amq.fanout", RoutingKey: "k"}},
		Owns:             func(_ topology.Kind, name string) bool { return strings.HasPrefix(name, "broken.") },
	}
	reconcile := func(client *mgmt.Client) error {
		changes, err := topology.Diff(t.Context(), client, want)
		if err != nil {
			return err
		}
		return topology.Apply(t.Context(), client, changes, topology.Options{Prune: true})
	}
	for _, fault := range []fault{lost, unanswered} {
		for n := 1; ; n += b.step {
			ctx := t.Context()
			b.queue(t, "broken.old", nil, 0)
			require.NoError(t, b.client.DeclareExchange(ctx, "", "broken.old", mgmt.ExchangeSettings{}))
			require.NoError(t, b.client.BindQueue(ctx, "", "broken.old", "amq.fanout", mgmt.BindingSettings{RoutingKey: "old"}))
			b.queue(t, "amq-like", nil, 0)
			require.NoError(t, b.client.BindQueue(ctx, "", "amq-like", "amq.fanout", mgmt.BindingSettings{RoutingKey: "old"}))
			transport := &breaking{next: b.Config().Transport, n: n, fault: fault}
			err := reconcile(b.open(t, transport))
			if transport.hasBroken() {
				require.ErrorIs(t, err, errBroken, "at %v", transport)
			} else {
				require.NoError(t, err)
			}
			require.NoError(t, reconcile(b.client))
			changes, err := topology.Diff(ctx, b.client, want)
			require.NoError(t, err)
			require.True(t, changes.IsEmpty(), "after %v: %v", transport, changes)
			b.remove(t, "broken.q", "amq-like")
			require.NoError(t, b.client.DeleteExchange(ctx, "", "broken.x"))
			if !transport.hasBroken() {
				require.Greater(t, n, 10, "there are more requests than that")
				break
			}
		}
	}
}
