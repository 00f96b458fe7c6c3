package rabbitnode

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
)

// StartCluster starts nodes that form a cluster, of which a majority goes on when the
// others are cut off (pause_minority). The caller has to stop each of them. It takes
// 20 seconds for three nodes.
func StartCluster(ctx context.Context, size int, options ...Option) (nodes []*Node, err error) {
	defer func() {
		if err != nil {
			for _, node := range nodes {
				node.Stop()
			}
		}
	}()
	options = append(options, WithSettings("cluster_partition_handling = pause_minority"), withCookie(rand.Text()))
	for len(nodes) < size {
		node, err := Start(ctx, options...)
		if err != nil {
			return nodes, err
		}
		nodes = append(nodes, node)
		if len(nodes) == 1 {
			options = append(options, beside(node))
			continue
		}
		for _, args := range [][]string{{"stop_app"}, {"join_cluster", nodes[0].Name()}, {"start_app"}} {
			if err := node.Control(ctx, args...); err != nil {
				return nodes, fmt.Errorf("join the cluster: %w", err)
			}
		}
	}
	return nodes, nil
}

// withCookie sets the secret that nodes of a cluster share.
func withCookie(cookie string) Option {
	return func(n *Node) { n.cookie = cookie }
}

// beside has the node found where first is found.
func beside(first *Node) Option {
	return func(n *Node) { n.registry = first }
}

// CutOff ends the node's connections with the others, and lets it make no new ones:
// it takes them for strangers, who have another cookie.
func (n *Node) CutOff(ctx context.Context, others ...*Node) error {
	return n.setCookieOf(ctx, "cut_off", others)
}

// Rejoin ends what [Node.CutOff] has done.
func (n *Node) Rejoin(ctx context.Context, others ...*Node) error {
	return n.setCookieOf(ctx, "erlang:get_cookie()", others)
}

func (n *Node) setCookieOf(ctx context.Context, cookie string, others []*Node) error {
	names := make([]string, len(others))
	for i, other := range others {
		names[i] = "'" + other.Name() + "'"
	}
	return n.Control(ctx, "eval", fmt.Sprintf("[begin erlang:set_cookie(N, %s), erlang:disconnect_node(N) end || N <- [%s]].", cookie, strings.Join(names, ", ")))
}
