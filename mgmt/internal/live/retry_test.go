package live

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

// writeAfterClose writes just when the broker has closed the connection, as
// RabbitMQ 4 does with those that have been idle for 5 seconds. That the
// connection's end is seen only once the write has begun is the window in which a
// write would be lost: here it is always met.
func writeAfterClose(t *testing.T, b *broker) {
	ctx := t.Context()
	late := new(lateDialer)
	transport := &http.Transport{DialContext: late.dial, IdleConnTimeout: time.Hour}
	defer transport.CloseIdleConnections()
	client, err := mgmt.New(mgmt.Config{URL: b.node.ManagementURL(), Transport: transport, Timeout: patience})
	require.NoError(t, err)
	for name, write := range map[string]func() error{
		"declare": func() error { return client.DeclareQueue(ctx, "", "late", mgmt.QueueSettings{}) },
		"bind":    func() error { return client.BindQueue(ctx, "", "late", "amq.fanout", mgmt.BindingSettings{}) },
		"purge":   func() error { return client.PurgeQueue(ctx, "", "late") },
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, b.client.DeclareQueue(ctx, "", "late", mgmt.QueueSettings{}))
			require.NoError(t, client.CheckVHosts(ctx))
			conn := late.last()
			require.NoError(t, b.node.Control(ctx, "eval",
				`[exit(Pid, kill) || Listener <- maps:keys(ranch:info()), Pid <- ranch:procs(Listener, connections)].`))
			<-conn.ended
			require.NoError(t, write())
			require.NotSame(t, conn, late.last(), "it was sent again, over another connection")
		})
	}
}

// A lateDialer makes connections whose end is seen late.
type lateDialer struct {
	mu   sync.Mutex
	made []*lateConn
}

func (d *lateDialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	late := &lateConn{Conn: conn, ended: make(chan struct{}), written: make(chan struct{}, 1)}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.made = append(d.made, late)
	return late, nil
}

func (d *lateDialer) last() *lateConn {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.made[len(d.made)-1]
}

// A lateConn holds its end back until something is written behind it, or it is
// closed.
type lateConn struct {
	net.Conn
	ended   chan struct{} // closed when the other side has closed it
	written chan struct{}
}

func (c *lateConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil && !errors.Is(err, net.ErrClosed) {
		close(c.ended)
		<-c.written
		return 0, io.EOF
	}
	return n, err
}

func (c *lateConn) Write(p []byte) (int, error) {
	select {
	case <-c.ended:
		c.written <- struct{}{}
		return len(p), nil // into the void, as the first write to a closed peer
	default:
		return c.Conn.Write(p)
	}
}

func (c *lateConn) Close() error {
	select {
	case c.written <- struct{}{}:
	default:
	}
	return c.Conn.Close()
}
