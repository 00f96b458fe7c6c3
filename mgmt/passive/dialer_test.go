package passive

import (
	"context"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// That the error is net.ErrClosed tells the end of the context from that of the
// login's deadline.
func TestDialer_ClosesTheConnectionWithItsContext(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	ctx, cancel := context.WithCancel(t.Context())
	conn, err := dialer(ctx)("tcp", listener.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	cancel()
	_, err = conn.Read(make([]byte, 1)) // of a server that never writes
	require.ErrorIs(t, err, net.ErrClosed)
}
