package live

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
	"github.com/warrenmq/warren/mgmt/topology"
)

func compareTopology(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	want := topology.Topology{
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
	}
	diff := func() topology.Changes {
		t.Helper()
		changes, err := topology.Diff(ctx, client, want)
		require.NoError(t, err)
		return changes
	}

	t.Run("what is missing is shown and made", func(t *testing.T) {
		changes := diff()
		require.Len(t, changes.Exchanges, 1)
		require.Len(t, changes.Queues, 2)
		require.Len(t, changes.Bindings, 2)
		require.Contains(t, changes.String(), `+ queue "topo.typed" with x-max-length=10, x-queue-type=quorum`)
		require.NoError(t, topology.Apply(ctx, client, changes, topology.Options{}))
		after := diff()
		require.True(t, after.IsEmpty(), "%v", after)
		require.Empty(t, after.String())
	})
	t.Run("surplus is deleted only when asked for", func(t *testing.T) {
		require.NoError(t, b.client.DeclareExchange(ctx, "", "topo.old.x", mgmt.ExchangeSettings{}))
		require.NoError(t, b.client.DeclareExchange(ctx, "", "topo.bound.x", mgmt.ExchangeSettings{}))
		require.NoError(t, b.client.BindExchange(ctx, "", "amq.fanout", "topo.bound.x", mgmt.BindingSettings{}))
		b.queue(t, "topo.old", nil, 0)
		b.queue(t, "topo.full", nil, 1)
		b.queue(t, "topo.full.quorum", mgmt.Table{"x-queue-type": "quorum"}, 0)
		require.NoError(t, b.client.BindQueue(ctx, "", "topo.plain", "topo.x", mgmt.BindingSettings{RoutingKey: "old"}))
		changes := diff()
		require.Equal(t, []string{"topo.full", "topo.full.quorum", "topo.old"}, changes.Surplus.Queues)
		require.Equal(t, []string{"topo.bound.x", "topo.old.x"}, changes.Surplus.Exchanges)
		require.Len(t, changes.Surplus.Bindings, 1)
		require.NoError(t, topology.Apply(ctx, client, changes, topology.Options{}))
		require.Equal(t, changes, diff())

		err := topology.Apply(ctx, client, changes, topology.Options{Prune: true})
		require.ErrorIs(t, err, mgmt.ErrInUse, "a queue with messages stays")
		require.ErrorIs(t, err, mgmt.ErrNoInspector)
		require.Equal(t, 1, b.ready(t, "topo.full"))
		require.Equal(t, topology.Surplus{Queues: []string{"topo.full", "topo.full.quorum"}, Exchanges: []string{"topo.bound.x"}},
			diff().Surplus, "what is in use keeps nothing else")
		require.NoError(t, b.client.PurgeQueue(ctx, "", "topo.full"))
		require.NoError(t, b.client.UnbindExchange(ctx, "", "amq.fanout", "topo.bound.x", "~"))
		require.NoError(t, topology.Apply(ctx, client, changes, topology.Options{Prune: true, Inspector: b.inspector()}))
		require.True(t, diff().IsEmpty())
	})
	t.Run("what differs is shown and left", func(t *testing.T) {
		want.Queues[0].Arguments = map[string]any{"x-max-length": 5}
		want.Queues[0].AutoDelete = true
		want.Exchanges[0].Type = "direct"
		changes := diff()
		require.Len(t, changes.Inequivalent, 2)
		require.Contains(t, changes.String(), "type: want direct, have topic")
		require.Contains(t, changes.String(), "auto-delete: want true, have false")
		require.Contains(t, changes.String(), "x-max-length: want 5, have none")
		require.Contains(t, changes.String(), "  1. declare queue \"topo.plain.migrating\"")
		err := topology.Apply(ctx, client, changes, topology.Options{})
		require.ErrorIs(t, err, mgmt.ErrInequivalent)
		var inequivalent *topology.InequivalentError
		require.ErrorAs(t, err, &inequivalent)
		require.Len(t, inequivalent.Differences, 2)
		require.Equal(t, changes, diff())
	})
	t.Run("the broker's own exchanges", func(t *testing.T) {
		want := topology.Topology{Exchanges: []topology.Exchange{
			{}, {Name: "amq.fanout", Type: "direct", Durable: true}, {Name: "amq.none", Type: "direct", Durable: true},
		}}
		changes, err := topology.Diff(ctx, client, want)
		require.NoError(t, err)
		require.Equal(t, "+ exchange \"amq.none\" (direct)\n~ exchange \"amq.fanout\"\n    type: want direct, have fanout\n"+
			"  1. declare exchange \"amq.fanout\" as it is: it is the broker's\n", changes.String())
		require.ErrorIs(t, topology.Apply(ctx, client, changes, topology.Options{}), mgmt.ErrForbidden, "as for the program")
	})
	t.Run("missing vhost", func(t *testing.T) {
		_, err := topology.Diff(ctx, client, topology.Topology{VHost: "nope"})
		require.ErrorIs(t, err, mgmt.ErrNotFound)
	})
	t.Run("a vhost whose queues are quorum queues", func(t *testing.T) {
		require.NoError(t, b.client.PutVHost(ctx, "quorum", mgmt.VHostSettings{DefaultQueueType: "quorum"}))
		require.NoError(t, b.client.PutPermission(ctx, "quorum", "guest", mgmt.PermissionSettings{Configure: ".*", Write: ".*", Read: ".*"}))
		want := topology.Topology{VHost: "quorum", Queues: []topology.Queue{
			{Name: "q", Durable: true}, {Name: "transient"}, {Name: "auto", Durable: true, AutoDelete: true},
		}}
		changes, err := topology.Diff(ctx, client, want)
		require.NoError(t, err)
		require.NoError(t, topology.Apply(ctx, client, changes, topology.Options{}))
		changes, err = topology.Diff(ctx, client, want)
		require.NoError(t, err)
		require.True(t, changes.IsEmpty(), "%v", changes)
		require.NoError(t, b.client.DeleteVHost(ctx, "quorum"))
	})
}

func migrateTopology(t *testing.T, b *broker) {
	const messages = 200
	client := b.open(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	b.queue(t, "topomove", nil, messages)
	require.NoError(t, b.client.BindQueue(ctx, "", "topomove", "amq.topic", mgmt.BindingSettings{RoutingKey: "k"}))
	want := topology.Topology{
		Queues:   []topology.Queue{{Name: "topomove"}},
		Bindings: []topology.Binding{{Exchange: "amq.topic", Queue: "topomove", RoutingKey: "k"}},
	}
	for _, queue := range []topology.Queue{
		{Name: "topomove", Durable: true, Arguments: map[string]any{"x-queue-type": "quorum"}},
		{Name: "topomove", Durable: true, Arguments: map[string]any{"x-max-length": 10 * messages}},
		{Name: "topomove", Durable: true, AutoDelete: true},
	} {
		want.Queues[0] = queue
		for range 2 { // again, it finds nothing to do
			err := topology.Migrate(ctx, client, "", queue, b.inspector())
			require.NoError(t, err)
		}
		changes, err := topology.Diff(ctx, client, want)
		require.NoError(t, err)
		require.True(t, changes.IsEmpty(), "%v", changes)
		require.Equal(t, messages, b.ready(t, "topomove"))
		_, err = client.Queue(ctx, "", "topomove.migrating")
		require.ErrorIs(t, err, mgmt.ErrNotFound)
	}
	require.Error(t, topology.Migrate(ctx, client, "", topology.Queue{Name: "topomove", Durable: true}, b.inspector()), "as documented")
	require.ErrorContains(t, topology.Migrate(ctx, client, "", topology.Queue{Name: "topomove", Exclusive: true}, b.inspector()), "exclusive")
	require.Equal(t, messages, b.ready(t, "topomove"))
	_, err := client.Queue(ctx, "", "topomove.migrating")
	require.ErrorIs(t, err, mgmt.ErrNotFound)
}
