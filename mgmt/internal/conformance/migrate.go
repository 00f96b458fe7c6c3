package conformance

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
	"github.com/warrenmq/warren/mgmt/topology"
)

func migrateTopology(t *testing.T, b *suite) {
	const messages = 200
	client := b.client
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
			err := topology.Migrate(ctx, client, "", queue, b.Inspector())
			require.NoError(t, err)
		}
		changes, err := topology.Diff(ctx, client, want)
		require.NoError(t, err)
		require.True(t, changes.IsEmpty(), "%v", changes)
		require.Equal(t, messages, b.ready(t, "topomove"))
		_, err = client.Queue(ctx, "", "topomove.migrating")
		require.ErrorIs(t, err, mgmt.ErrNotFound)
	}
	require.Error(t, topology.Migrate(ctx, client, "", topology.Queue{Name: "topomove", Durable: true}, b.Inspector()), "as documented")
	require.ErrorContains(t, topology.Migrate(ctx, client, "", topology.Queue{Name: "topomove", Exclusive: true}, b.Inspector()), "exclusive")
	require.Equal(t, messages, b.ready(t, "topomove"))
	_, err := client.Queue(ctx, "", "topomove.migrating")
	require.ErrorIs(t, err, mgmt.ErrNotFound)
}

// migrateAgain breaks a migration at its requests, and calls it again: no message
// and no binding is lost, and what broke was an error.
func migrateAgain(t *testing.T, b *suite) {
	t.Cleanup(func() { b.remove(t, "again", "again.migrating") })
	for _, test := range []struct {
		fault     fault
		arguments map[string]any
	}{
		{lost, map[string]any{"x-max-priority": 3, "x-max-length": 100}},
		{unanswered, map[string]any{"x-max-priority": 3}},
		{downFrom, map[string]any{"x-queue-type": "quorum"}},
	} {
		for n := 1; ; n += b.step {
			transport := &breaking{next: b.Config().Transport, n: n, fault: test.fault}
			migrateTwice(t, b, topology.Queue{Name: "again", Durable: true, Arguments: test.arguments}, transport, &breakingInspector{Inspector: b.Inspector()})
			if !transport.hasBroken() {
				require.Greater(t, n, 20, "the migration has more requests than that")
				break
			}
		}
	}
}

// migrateUninspected breaks the inspector, and calls the migration again.
func migrateUninspected(t *testing.T, b *suite) {
	t.Cleanup(func() { b.remove(t, "again", "again.migrating") })
	wanted := topology.Queue{Name: "again", Durable: true, Arguments: map[string]any{"x-max-length": 100, "x-max-length-bytes": 100}}
	transport := &breaking{next: b.Config().Transport}
	for n := 1; ; n += b.step {
		inspector := &breakingInspector{Inspector: b.Inspector(), n: n}
		migrateTwice(t, b, wanted, transport, inspector)
		if inspector.count < n {
			require.Greater(t, n, 5, "the inspector is asked more often than that")
			break
		}
	}
}

// A breakingInspector fails when it is asked for the n-th time.
type breakingInspector struct {
	mgmt.Inspector
	n, count int
}

func (i *breakingInspector) InspectQueue(ctx context.Context, vhost, queue string) (ready, consumers int, err error) {
	if i.count++; i.count == i.n {
		return 0, 0, errBroken
	}
	return i.Inspector.InspectQueue(ctx, vhost, queue)
}

func migrateTwice(t *testing.T, b *suite, wanted topology.Queue, transport *breaking, inspector *breakingInspector) {
	const messages = 5
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	b.queue(t, "again", nil, messages)
	for _, key := range []string{"k", "l"} {
		require.NoError(t, b.client.BindQueue(ctx, "", "again", "amq.topic", mgmt.BindingSettings{RoutingKey: key}))
	}
	broken := topology.Migrate(ctx, b.open(t, transport), "", wanted, inspector)
	if transport.hasBroken() || inspector.n > 0 && inspector.count >= inspector.n {
		require.ErrorIs(t, broken, errBroken, "at %v", transport)
	} else {
		require.NoError(t, broken)
	}
	require.NoError(t, topology.Migrate(ctx, b.client, "", wanted, b.Inspector()), "after %v", transport)
	// What a shovel had taken when it was deleted comes back, and may come twice.
	require.Eventually(t, func() bool { return b.ready(t, "again") >= messages }, patience, pause, "after %v", transport)
	b.requireNoQueue(t, "again.migrating")
	b.requireNoShovel(t)
	bindings, err := b.client.QueueBindings(ctx, "", "again")
	require.NoError(t, err)
	require.Len(t, bindings, 3, "with that of the default exchange")
	b.remove(t, "again")
}

// migrateReplicated looks at the queue for the meantime where a call has stopped
// before it moves messages there.
func migrateReplicated(t *testing.T, b *suite) {
	require.NoError(t, b.client.PutVHost(t.Context(), "replicated", mgmt.VHostSettings{DefaultQueueType: "quorum"}))
	require.NoError(t, b.client.PutPermission(t.Context(), "replicated", "guest", mgmt.PermissionSettings{Configure: ".*", Write: ".*", Read: ".*"}))
	t.Cleanup(func() { require.NoError(t, b.client.DeleteVHost(context.Background(), "replicated")) })
	for name, test := range map[string]struct {
		vhost     string
		arguments map[string]any
		transient bool
	}{
		"a quorum queue": {"/", map[string]any{"x-queue-type": "quorum"}, false},
		"a quorum queue, since the vhost says so":    {"replicated", nil, false},
		"a classic queue, whatever the vhost says":   {"replicated", map[string]any{"x-queue-type": "classic"}, false},
		"a transient queue, whatever the vhost says": {"replicated", nil, true},
		"a classic queue":                            {"/", map[string]any{"x-max-priority": 2}, false},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			was := mgmt.QueueSettings{Arguments: mgmt.Table{"x-queue-type": "classic", "x-max-priority": 9}}
			require.NoError(t, b.client.DeclareQueue(ctx, test.vhost, "replicated", was))
			wanted := topology.Queue{Name: "replicated", Durable: !test.transient, Arguments: test.arguments}
			// Of what is written, the shovel is the first that fails.
			transport := &breaking{next: b.Config().Transport, n: 1, fault: lost, only: "/api/parameters/shovel/"}
			require.ErrorIs(t, topology.Migrate(ctx, b.open(t, transport), test.vhost, wanted, b.Inspector()), errBroken)
			meanwhile, err := b.client.Queue(ctx, test.vhost, "replicated.migrating")
			require.NoError(t, err)
			require.Equal(t, mgmt.Some(true), meanwhile.Durable)
			if limit, ok := meanwhile.Arguments["x-delivery-limit"]; ok {
				require.EqualValues(t, -1, limit, "none")
			}
			require.NotContains(t, meanwhile.Arguments, "x-max-priority")
			require.NoError(t, topology.Migrate(ctx, b.client, test.vhost, wanted, b.Inspector()))
			queue, err := b.client.Queue(ctx, test.vhost, "replicated")
			require.NoError(t, err)
			require.Equal(t, queue.Type, meanwhile.Type, "the messages are always as safe as in the wanted queue")
			require.NoError(t, b.client.DeleteQueue(ctx, test.vhost, "replicated"))
		})
	}
}
