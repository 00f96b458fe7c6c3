package conformance

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
	"github.com/warrenmq/warren/mgmt/topology"
)

// The queue of these tests has this many messages of one byte each.
const limited = 20

// migrateWithLimits holds that no message is dropped by a limit of the wanted
// queue: the migration is refused, and nothing has moved.
func migrateWithLimits(t *testing.T, b *suite) {
	for name, arguments := range map[string]map[string]any{
		"a length":                             {"x-max-length": limited - 1},
		"a length that refuses publishers":     {"x-max-length": limited - 1, "x-overflow": "reject-publish"},
		"a length that dead-letters":           {"x-max-length": limited - 1, "x-overflow": "reject-publish-dlx"},
		"bytes":                                {"x-max-length-bytes": limited - 1},
		"a time to live":                       {"x-message-ttl": 60_000},
		"a time to live of nothing":            {"x-message-ttl": 0},
		"an expiry of the queue":               {"x-expires": 60_000},
		"a length of a quorum queue":           {"x-max-length": limited - 1, "x-queue-type": "quorum"},
		"an age of a stream":                   {"x-max-age": "1D", "x-queue-type": "stream"},
		"bytes of a stream":                    {"x-max-length-bytes": limited - 1, "x-queue-type": "stream"},
		"a length, without any overflow, of 0": {"x-max-length": 0},
	} {
		t.Run(name, func(t *testing.T) { requireUntouched(t, b, arguments) })
	}
	t.Run("limits that are wide enough", func(t *testing.T) {
		requireMigrated(t, b, map[string]any{"x-max-length": limited, "x-max-length-bytes": limited})
	})
	t.Run("a time that the queue had", func(t *testing.T) { keepTimeToLive(t, b) })
	t.Run("no inspector", func(t *testing.T) { needInspector(t, b) })
	t.Run("a policy on the queue for the meantime", func(t *testing.T) { heedPolicy(t, b) })
	t.Run("a policy below one for other queues", func(t *testing.T) { heedLowerPolicy(t, b) })
	t.Run("what an earlier call has moved", func(t *testing.T) { leaveMeanwhile(t, b) })
}

func wanted(arguments map[string]any) topology.Queue {
	return topology.Queue{Name: "limited", Durable: true, Arguments: arguments}
}

func migrate(t *testing.T, b *suite, arguments map[string]any) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return topology.Migrate(ctx, b.client, "", wanted(arguments), b.Inspector())
}

// fill declares the queue anew, with messages.
func fill(t *testing.T, b *suite, arguments mgmt.Table) {
	t.Helper()
	b.queue(t, "limited", arguments, limited)
	t.Cleanup(func() { b.remove(t, "limited", "limited.migrating") })
}

func requireUntouched(t *testing.T, b *suite, arguments map[string]any) {
	fill(t, b, nil)
	err := migrate(t, b, arguments)
	require.ErrorIs(t, err, topology.ErrLimit)
	require.ErrorContains(t, err, fmt.Sprint("there are ", limited))
	require.Equal(t, limited, b.ready(t, "limited"))
	_, err = b.client.Queue(t.Context(), "", "limited.migrating")
	require.ErrorIs(t, err, mgmt.ErrNotFound, "nothing has moved")
}

func requireMigrated(t *testing.T, b *suite, arguments map[string]any) {
	fill(t, b, nil)
	require.NoError(t, migrate(t, b, arguments))
	require.Equal(t, limited, b.ready(t, "limited"))
	_, err := b.client.Queue(t.Context(), "", "limited.migrating")
	require.ErrorIs(t, err, mgmt.ErrNotFound)
}

func keepTimeToLive(t *testing.T, b *suite) {
	const hour = 3_600_000
	fill(t, b, mgmt.Table{"x-message-ttl": hour})
	require.ErrorIs(t, migrate(t, b, map[string]any{"x-message-ttl": hour - 1}), topology.ErrLimit)
	require.NoError(t, migrate(t, b, map[string]any{"x-message-ttl": hour, "x-max-priority": 2}))
	require.NoError(t, migrate(t, b, map[string]any{"x-message-ttl": hour + 1}))
	require.Equal(t, limited, b.ready(t, "limited"))
}

func needInspector(t *testing.T, b *suite) {
	fill(t, b, nil)
	err := topology.Migrate(t.Context(), b.client, "", wanted(map[string]any{"x-max-length": limited}), nil)
	require.ErrorIs(t, err, mgmt.ErrNoInspector)
	require.Equal(t, limited, b.ready(t, "limited"))
}

// heedPolicy has a policy that limits the queue for the meantime alone.
func heedPolicy(t *testing.T, b *suite) {
	fill(t, b, nil)
	require.NoError(t, b.client.PutPolicy(t.Context(), "", "meantime", mgmt.PolicySettings{
		Pattern: `\.migrating$`, ApplyTo: mgmt.ApplyToQueues, Definition: mgmt.Table{"max-length": limited - 1},
	}))
	require.ErrorIs(t, migrate(t, b, map[string]any{"x-max-priority": 2}), topology.ErrLimit)
	require.Equal(t, limited, b.ready(t, "limited"))
	require.NoError(t, b.client.DeletePolicy(t.Context(), "", "meantime"))
	require.NoError(t, migrate(t, b, map[string]any{"x-max-priority": 2}), "calling it again continues")
	require.Equal(t, limited, b.ready(t, "limited"))
}

// heedLowerPolicy has a policy that limits the queue for the meantime, and one of a
// higher priority that is for streams, and so isn't that queue's.
func heedLowerPolicy(t *testing.T, b *suite) {
	fill(t, b, nil)
	err := b.client.PutPolicy(t.Context(), "", "higher", mgmt.PolicySettings{
		Pattern: "^limited", ApplyTo: mgmt.ApplyToStreams, Priority: 2, Definition: mgmt.Table{"max-length-bytes": 1_000_000},
	})
	var refused *mgmt.Error
	if errors.As(err, &refused) && refused.Status == http.StatusBadRequest {
		return // 3.10 has no policies for one type
	}
	require.NoError(t, err)
	require.NoError(t, b.client.PutPolicy(t.Context(), "", "lower", mgmt.PolicySettings{
		Pattern: `\.migrating$`, Priority: 1, Definition: mgmt.Table{"max-length": limited - 1},
	}))
	require.ErrorIs(t, migrate(t, b, map[string]any{"x-max-priority": 2}), topology.ErrLimit)
	require.Equal(t, limited, b.ready(t, "limited"))
	require.NoError(t, b.client.DeletePolicies(t.Context(), "", "higher", "lower"))
	require.NoError(t, migrate(t, b, map[string]any{"x-max-priority": 2}))
	require.Equal(t, limited, b.ready(t, "limited"))
}

// leaveMeanwhile finds messages in the queue for the meantime, and less room for
// them than there are.
func leaveMeanwhile(t *testing.T, b *suite) {
	fill(t, b, nil)
	b.queue(t, "limited.migrating", nil, limited)
	err := migrate(t, b, map[string]any{"x-max-length": 2*limited - 1})
	require.ErrorIs(t, err, topology.ErrLimit)
	require.ErrorContains(t, err, `"limited.migrating"`)
	require.Equal(t, limited, b.ready(t, "limited"))
	require.Equal(t, limited, b.ready(t, "limited.migrating"))
	require.NoError(t, migrate(t, b, map[string]any{"x-max-length": 2 * limited}))
	require.Equal(t, 2*limited, b.ready(t, "limited"))
}
