//go:build cluster

package rabbitmq_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
)

// TestCluster takes nodes of a cluster away under load, one at a time. Each confirmed
// message ends where it belongs. The pauses that it prints are the longest between two
// confirms, and between two deliveries, of the quorum queue; a server that has no
// leader refuses messages (ErrNacked). It takes some minutes: make cluster.
func TestCluster(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	release, err := rabbitnode.WithVersion(*soakVersion)
	require.NoError(t, err)
	nodes, err := rabbitnode.StartCluster(ctx, 3, release)
	require.NoError(t, err)
	for _, node := range slices.Backward(nodes) { // the first one, which the others need, is stopped last
		t.Cleanup(node.Stop)
	}
	s := newSoak(t, ctx, nodes...)
	c := &cluster{soak: s, nodes: nodes, out: t.Output(), began: time.Now()}
	var sending sync.WaitGroup
	sendCtx, stopSending := context.WithCancel(ctx)
	defer stopSending()
	for i := range 10 {
		random := rand.New(rand.NewPCG(*soakSeed, uint64(i)))
		sending.Go(func() {
			for sendCtx.Err() == nil {
				s.senders[i%len(s.senders)].send(ctx, []soakKind{good, good, good, failsOnce, rejects}[random.IntN(5)], steady, i, 30*time.Second)
				pause(sendCtx, 10*time.Millisecond)
			}
		})
	}
	c.step(t, "nothing", func(*rabbitnode.Node, []*rabbitnode.Node) {}, nil)
	c.step(t, "leader killed", func(leader *rabbitnode.Node, _ []*rabbitnode.Node) { leader.Kill() },
		func(leader *rabbitnode.Node, _ []*rabbitnode.Node) { require.NoError(t, leader.Restart(ctx)) })
	c.step(t, "leader cut off", func(leader *rabbitnode.Node, others []*rabbitnode.Node) {
		require.NoError(t, leader.CutOff(ctx, others...))
	}, func(leader *rabbitnode.Node, others []*rabbitnode.Node) {
		require.NoError(t, leader.Rejoin(ctx, others...))
	})
	for i, node := range nodes {
		c.step(t, fmt.Sprintf("node %d of a rolling restart", i+1), func(*rabbitnode.Node, []*rabbitnode.Node) {
			require.NoError(t, node.Control(ctx, "stop_app"))
		}, func(*rabbitnode.Node, []*rabbitnode.Node) { require.NoError(t, node.Restart(ctx)) })
	}
	stopSending()
	sending.Wait()
	s.requireAllSettled(t)
}

// A cluster is a soak on several nodes.
type cluster struct {
	*soak
	nodes []*rabbitnode.Node
	out   io.Writer
	began time.Time

	nacked int // messages, until now
}

// step takes something away, waits until messages are confirmed and handled again,
// and brings it back. Both functions get the node that leads the quorum queue, and
// the others.
func (c *cluster) step(t *testing.T, name string, takeAway, bringBack func(leader *rabbitnode.Node, others []*rabbitnode.Node)) {
	leader, others := c.leader(t)
	c.ledger.noteRestart() // what comes twice from here on has a reason
	c.ledger.watchPauses()
	takeAway(leader, others)
	c.awaitMore(t, 500)
	confirms, deliveries := c.ledger.longestPauses()
	if bringBack != nil {
		bringBack(leader, others)
	}
	c.awaitMembers(t)
	c.awaitMore(t, 500)
	nacked := c.ledger.count()[soakKinds].refused
	fmt.Fprintf(c.out, "%6v  %-28s  longest pause between confirms %6v, between deliveries %6v, refused %d\n",
		time.Since(c.began).Round(time.Second), name, confirms.Round(time.Millisecond), deliveries.Round(time.Millisecond), nacked-c.nacked)
	c.nacked = nacked
}

// watchPauses begins to look for the longest pauses.
func (l *soakLedger) watchPauses() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.confirms, l.deliveries = pauses{last: time.Now()}, pauses{last: time.Now()}
}

// longestPauses are those since watchPauses.
func (l *soakLedger) longestPauses() (confirms, deliveries time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.confirms.longest, l.deliveries.longest
}

// leader returns the node that leads the quorum queue, and the others.
func (c *cluster) leader(t *testing.T) (leader *rabbitnode.Node, others []*rabbitnode.Node) {
	var queue quorumQueue
	require.True(t, c.await(func() bool {
		queue = c.describe()
		return slices.ContainsFunc(c.nodes, func(n *rabbitnode.Node) bool { return n.Name() == queue.Leader })
	}))
	for _, node := range c.nodes {
		if node.Name() == queue.Leader {
			leader = node
		} else {
			others = append(others, node)
		}
	}
	return leader, others
}

// awaitMembers waits until each node has the quorum queue again, so that another one
// may go.
func (c *cluster) awaitMembers(t *testing.T) {
	require.True(t, c.await(func() bool { return len(c.describe().Online) == len(c.nodes) }))
}

// A quorumQueue is what the management API says of one.
type quorumQueue struct {
	Leader string   `json:"leader"`
	Online []string `json:"online"`
}

// describe asks the first node that answers.
func (c *cluster) describe() (q quorumQueue) {
	for _, node := range c.nodes {
		request, err := http.NewRequestWithContext(c.ctx, http.MethodGet, node.ManagementURL()+"/api/queues/%2F/"+steady, nil)
		if err != nil {
			return q
		}
		request.SetBasicAuth("guest", "guest")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			continue
		}
		err = json.NewDecoder(response.Body).Decode(&q)
		response.Body.Close()
		if err == nil {
			return q
		}
	}
	return q
}
