package rabbitmq_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
)

// TestFailureModes does one kind of harm after the other to a service under load. After
// each the service goes on by itself, and each message that was confirmed until then
// ends where it belongs.
func TestFailureModes(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	s := newSoak(t, ctx, startSoakNode(t, ctx))
	var sending sync.WaitGroup
	sendCtx, stopSending := context.WithCancel(ctx)
	defer stopSending()
	s.sendAll(sendCtx, &sending)
	for i, fault := range slices.Concat(wireFaults, serverFaults) {
		t.Run(fault.name, func(t *testing.T) {
			fault.do(s, ctx, rand.New(rand.NewPCG(*soakSeed, uint64(i))))
			s.awaitMore(t, 100)
			sent := s.ledger.sent()
			require.True(t, s.await(func() bool { return s.ledger.openOf(sent) == 0 }), "lost or stuck: %v", s.ledger.open())
		})
	}
	stopSending()
	sending.Wait()
	s.heal()
	s.requireAllSettled(t)
}

// startSoakNode starts a server that takes no large messages.
func startSoakNode(t *testing.T, ctx context.Context) *rabbitnode.Node {
	release, err := rabbitnode.WithVersion(*soakVersion)
	require.NoError(t, err)
	node, err := rabbitnode.Start(ctx, release, rabbitnode.WithSettings(fmt.Sprintf("max_message_size = %d", soakMaxSize)))
	require.NoError(t, err)
	t.Cleanup(node.Stop)
	return node
}
