package passive_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt/passive"
)

// The tests with a real broker are in mgmt/internal/live.

func TestInspector_NeverShowsThePassword(t *testing.T) {
	const secret = "s3cret"
	for _, url := range []string{"amqp://u:" + secret + "@127.0.0.1:1", "amqp://u:" + secret + "/x@host", "http://u:" + secret + "@host", secret} {
		inspector := passive.New(url)
		_, _, err := inspector.InspectQueue(t.Context(), "/", "q")
		require.ErrorContains(t, err, `inspect queue "q" in vhost "/": `)
		require.NotContains(t, err.Error(), secret)
		require.NotContains(t, fmt.Sprintf("%v %+v %#v", inspector, inspector, inspector), secret)
	}
}

func TestInspectQueue_EndsWithItsContext(t *testing.T) {
	listen := func(t *testing.T) (net.Listener, *passive.Inspector) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		t.Cleanup(func() { listener.Close() })
		return listener, passive.New("amqp://" + listener.Addr().String())
	}
	t.Run("by its deadline", func(t *testing.T) {
		_, inspector := listen(t)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, _, err := inspector.InspectQueue(ctx, "/", "q")
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
	t.Run("by being cancelled, with the cause", func(t *testing.T) {
		listener, inspector := listen(t)
		stopped := errors.New("stopped")
		ctx, cancel := context.WithCancelCause(t.Context())
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			conn.Read(make([]byte, 1)) // the login has begun
			cancel(stopped)
			io.Copy(io.Discard, conn)
		}()
		_, _, err := inspector.InspectQueue(ctx, "/", "q")
		require.ErrorIs(t, err, stopped)
		<-closed
	})
}
