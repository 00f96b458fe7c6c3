package conformance

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
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

// errBroken is the error of a connection that breaks.
var errBroken = errors.New("the connection is broken")

// A breaking transport loses the n-th write and all that follows: before it is sent
// or, as late, its answer.
type breaking struct {
	next   http.RoundTripper
	n      int64
	late   bool
	writes atomic.Int64
}

func (b *breaking) RoundTrip(r *http.Request) (*http.Response, error) {
	n := b.writes.Load()
	if r.Method != http.MethodGet {
		n = b.writes.Add(1)
	}
	if n < b.n {
		return b.next.RoundTrip(r)
	}
	if n == b.n && b.late && r.Method != http.MethodGet {
		if a, err := b.next.RoundTrip(r); err == nil {
			a.Body.Close()
		}
	}
	return nil, errBroken
}

// migrateAgain breaks a migration at each of its writes, and calls it again: no
// message and no binding is lost.
func migrateAgain(t *testing.T, b *suite) {
	const messages = 5
	wanted := topology.Queue{Name: "again", Durable: true, Arguments: map[string]any{"x-max-priority": 3}}
	t.Cleanup(func() { b.remove(t, "again", "again.migrating") })
	for _, late := range []bool{false, true} {
		for n := int64(1); ; n++ {
			b.queue(t, "again", nil, messages)
			require.NoError(t, b.client.BindQueue(t.Context(), "", "again", "amq.topic", mgmt.BindingSettings{RoutingKey: "k"}))
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			transport := &breaking{next: b.Config().Transport, n: n, late: late}
			broken := topology.Migrate(ctx, b.open(t, transport), "", wanted, b.Inspector())
			err := topology.Migrate(ctx, b.client, "", wanted, b.Inspector())
			cancel()
			require.NoError(t, err, "after write %d: %v", n, broken)
			require.Equal(t, messages, b.ready(t, "again"), "after write %d: %v", n, broken)
			b.requireNoQueue(t, "again.migrating")
			b.requireNoShovel(t)
			bindings, err := b.client.QueueBindings(t.Context(), "", "again")
			require.NoError(t, err)
			require.Len(t, bindings, 2)
			b.remove(t, "again")
			if broken == nil {
				require.Greater(t, n, int64(8), "the migration has more writes than that")
				break
			}
			require.ErrorIs(t, broken, errBroken)
		}
	}
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
			transport := &refusingShovels{next: b.Config().Transport}
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

// A refusingShovels transport loses shovels.
type refusingShovels struct{ next http.RoundTripper }

func (b *refusingShovels) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPut && strings.HasPrefix(r.URL.Path, "/api/parameters/shovel/") {
		return nil, errBroken
	}
	return b.next.RoundTrip(r)
}
