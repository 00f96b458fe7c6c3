package live

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

func streams(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	b.queue(t, "streamed", mgmt.Table{"x-queue-type": "stream"}, 0)
	conn := openStream(t, b, "streamed")
	name := conn.LocalAddr().String() + " -> " + conn.RemoteAddr().String()
	for _, scope := range []mgmt.Scope{mgmt.In(""), mgmt.AllVHosts()} {
		eventually(t, "the connection shows", func() bool {
			connections, err := client.StreamConnections(ctx, scope)
			require.NoError(t, err)
			publishers, err := client.StreamPublishers(ctx, scope)
			require.NoError(t, err)
			consumers, err := client.StreamConsumers(ctx, scope)
			require.NoError(t, err)
			return len(connections) == 1 && connections[0].Name == name && len(publishers) == 1 && len(consumers) == 1
		})
	}
	connection, err := client.StreamConnection(ctx, "", name)
	require.NoError(t, err)
	require.Equal(t, "guest", connection.User)
	ofConnection, err := client.StreamConnectionPublishers(ctx, "", name)
	require.NoError(t, err)
	toStream, err := client.StreamPublishersTo(ctx, "", "streamed")
	require.NoError(t, err)
	for _, publishers := range [][]mgmt.StreamPublisher{ofConnection, toStream} {
		require.Len(t, publishers, 1)
		require.Equal(t, mgmt.Some[int64](7), publishers[0].ID)
		require.Equal(t, "reference", publishers[0].Reference)
		require.Equal(t, mgmt.QueueBrief{Name: "streamed", VHost: "/"}, publishers[0].Queue)
		require.Equal(t, name, publishers[0].Connection.Name)
	}
	consumers, err := client.StreamConnectionConsumers(ctx, "", name)
	require.NoError(t, err)
	require.Len(t, consumers, 1)
	require.Equal(t, mgmt.Some[int64](9), consumers[0].ID)
	require.Equal(t, mgmt.Some[int64](10), consumers[0].Credits)
	require.Equal(t, "streamed", consumers[0].Queue.Name)

	for _, call := range []func() error{
		func() error { _, err := client.StreamConnection(ctx, "", "nope"); return err },
		func() error { _, err := client.StreamConnections(ctx, mgmt.In("nope")); return err },
		func() error { return client.CloseStreamConnection(ctx, "", "nope") },
	} {
		err := call()
		require.ErrorIs(t, err, mgmt.ErrNotFound)
		require.NotErrorIs(t, err, mgmt.ErrPluginDisabled)
	}
	require.NoError(t, client.CloseStreamConnection(ctx, "", name))
	_, err = io.Copy(io.Discard, conn.Conn)
	require.NoError(t, err, "it ends")
	require.NoError(t, b.client.DeleteQueue(ctx, "", "streamed"))
}

// openStream opens a connection over the stream protocol with one publisher, which
// has the ID 7, and one consumer, which has the ID 9.
func openStream(t *testing.T, b *broker, stream string) *streamConn {
	t.Helper()
	dialed, err := net.Dial("tcp", b.streamAddress)
	require.NoError(t, err)
	t.Cleanup(func() { dialed.Close() })
	conn := &streamConn{dialed}
	const (
		declarePublisher = 1
		subscribe        = 7
		peerProperties   = 17
		handshake        = 18
		authenticate     = 19
		tune             = 20
		open             = 21
	)
	conn.call(t, peerProperties, uint32(0))
	conn.call(t, handshake)
	conn.call(t, authenticate, "PLAIN", uint32(len("\x00guest\x00guest")), []byte("\x00guest\x00guest"))
	conn.send(t, tune, conn.await(t, tune))
	conn.call(t, open, "/")
	conn.call(t, declarePublisher, uint8(7), "reference", stream)
	conn.call(t, subscribe, uint8(9), stream, uint16(1), uint16(10))
	return conn
}

// A streamConn speaks as much of the stream protocol as the test needs.
type streamConn struct{ net.Conn }

// call sends a command and awaits that it is done.
func (c *streamConn) call(t *testing.T, key uint16, fields ...any) {
	t.Helper()
	c.send(t, key, append([]any{uint32(1)}, fields...)...)
	answer := c.await(t, key|0x8000)
	require.Equal(t, uint16(1), binary.BigEndian.Uint16(answer[4:]), "the response code is OK")
}

// send sends a frame. A text is written behind its length.
func (c *streamConn) send(t *testing.T, key uint16, fields ...any) {
	t.Helper()
	var frame bytes.Buffer
	for _, field := range append([]any{key, uint16(1)}, fields...) {
		if text, ok := field.(string); ok {
			require.NoError(t, binary.Write(&frame, binary.BigEndian, uint16(len(text))))
			field = []byte(text)
		}
		require.NoError(t, binary.Write(&frame, binary.BigEndian, field))
	}
	// In one write: 3.10 closes the connection if the length comes alone.
	_, err := c.Write(append(binary.BigEndian.AppendUint32(nil, uint32(frame.Len())), frame.Bytes()...))
	require.NoError(t, err)
}

// await reads frames until one has the key, and returns what it holds.
func (c *streamConn) await(t *testing.T, key uint16) []byte {
	t.Helper()
	for {
		var size uint32
		require.NoError(t, binary.Read(c, binary.BigEndian, &size))
		frame := make([]byte, size)
		_, err := io.ReadFull(c, frame)
		require.NoError(t, err)
		if binary.BigEndian.Uint16(frame) == key {
			return frame[4:]
		}
	}
}
