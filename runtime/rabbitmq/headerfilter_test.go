package rabbitmq

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// wireOf is a connection from which one reads.
type wireOf struct {
	net.Conn
	io.Reader
}

func (w wireOf) Read(p []byte) (int, error) { return w.Reader.Read(p) }

func frameOf(kind byte, payload []byte) []byte {
	frame := binary.BigEndian.AppendUint32([]byte{kind, 0, 1}, uint32(len(payload)))
	return append(append(frame, payload...), 0xCE)
}

// headerOf is the payload of a header frame with the table.
func headerOf(table []byte) []byte {
	payload := make([]byte, contentHead)
	binary.BigEndian.PutUint16(payload[contentHead-2:], flagContentType|flagHeaders)
	payload = append(payload, 1, 'c')
	payload = binary.BigEndian.AppendUint32(payload, uint32(len(table)))
	payload = append(payload, table...)
	return append(payload, "after"...)
}

// readThrough returns what comes through a filter, however the bytes arrive.
func readThrough(t *testing.T, stream []byte, frameMax uint32) (*headerFilter, []byte) {
	t.Helper()
	var first []byte
	var filter *headerFilter
	for _, reader := range []func(io.Reader) io.Reader{
		func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader,
	} {
		f := newHeaderFilter(wireOf{Reader: reader(bytes.NewReader(stream))})
		f.frameMax.Store(frameMax)
		if filter != nil {
			f.mark = filter.mark
		}
		out, err := io.ReadAll(f)
		require.NoError(t, err)
		if filter == nil {
			filter, first = f, out
		}
		require.Equal(t, first, out)
	}
	return filter, first
}

func TestHeaderFilter_PassesWhatCanBeRead(t *testing.T) {
	for name, stream := range map[string][]byte{
		"nothing":                {},
		"less than a frame":      {1, 2, 3},
		"a byte":                 {1},
		"another protocol":       []byte("HTTP/1.1 400 Bad Request\r\n\r\n"),
		"the server's greeting":  []byte("AMQP\x00\x00\x09\x01"),
		"a header that is short": frameOf(headerFrame, []byte{1, 2}),
		"a table that is too long": frameOf(headerFrame, func() []byte {
			p := headerOf(nil)
			p[contentHead+2] = 0xFF
			return p
		}()),
		"frames": bytes.Join([][]byte{
			frameOf(1, []byte("method")), frameOf(headerFrame, headerOf([]byte("\x01kt\x01"))), frameOf(3, bytes.Repeat([]byte("body"), 30_000)),
			frameOf(headerFrame, headerOf(append([]byte("\x01kS\x00\x01\x00\x00"), make([]byte, 65536)...))), frameOf(8, nil),
		}, nil),
	} {
		_, out := readThrough(t, stream, 0)
		require.Equal(t, string(stream), string(out), name)
	}
}

// Of a header that is too large to be kept, what is before its properties is kept.
func TestHeaderFilter_MarksAHeaderThatIsTooLarge(t *testing.T) {
	header := headerOf(make([]byte, 2*mostKept))
	binary.BigEndian.PutUint64(header[4:], 77) // the size of the body
	next := frameOf(3, []byte("body"))
	filter, out := readThrough(t, append(frameOf(headerFrame, header), next...), 0)
	require.True(t, bytes.HasSuffix(out, next))
	frame := bytes.TrimSuffix(out, next)
	require.Less(t, len(frame), 1000)
	require.Equal(t, header[:contentHead-2], frame[frameHead:frameHead+contentHead-2])
	require.Contains(t, string(frame), filter.mark)
	require.Contains(t, string(frame), errHeaderTooLarge.Error())
	_, found := parseContentHeader(frame[frameHead : len(frame)-frameEnd])
	require.True(t, found)
}

func TestHeaderFilter_ReturnsTheErrorOfItsConnection(t *testing.T) {
	broken := errors.New("broken")
	for n := range 40 {
		stream := frameOf(headerFrame, headerOf([]byte("\x01kt\x01")))
		f := newHeaderFilter(wireOf{Reader: io.MultiReader(bytes.NewReader(stream[:min(n, len(stream))]), iotest.ErrReader(broken))})
		_, err := io.ReadAll(f)
		require.ErrorIs(t, err, broken)
	}
}

// One that doesn't fit into the buffer is read as a whole before anything of it passes.
func TestHeaderFilter_PassesNothingOfALargeHeaderThatIsCutShort(t *testing.T) {
	stream := frameOf(headerFrame, headerOf(append([]byte("\x01kS\x00\x01\x00\x00"), make([]byte, 65536)...)))
	broken := errors.New("broken")
	for _, n := range []int{40_000, len(stream) - 1} {
		f := newHeaderFilter(wireOf{Reader: io.MultiReader(bytes.NewReader(stream[:n]), iotest.ErrReader(broken))})
		out, err := io.ReadAll(f)
		require.ErrorIs(t, err, broken)
		require.Empty(t, out)
	}
}

// Whatever the headers are, they can be read behind the filter, and the other
// properties and frames are the same.
// What is cut off within a property has no headers that could be told from others.
func TestContentHeader_IsFoundWhole(t *testing.T) {
	table := []byte("\x01kt\x01")
	header := bytes.TrimSuffix(headerOf(table), []byte("after"))
	for n := contentHead; n < len(header); n++ {
		_, found := parseContentHeader(header[:n])
		require.False(t, found, "the first %d bytes", n)
		require.Equal(t, bareHeader(header), readablePart(header[:n], 0), "the first %d bytes", n)
	}
	h, found := parseContentHeader(header)
	require.True(t, found)
	require.Equal(t, table, h.table)
}

func FuzzHeaderFilter(f *testing.F) {
	f.Add([]byte("\x01kt\x01"), uint16(0))
	f.Add([]byte("\x01kt\x01\x01L?\x01lS\x00\x00\x00\x01x"), uint16(0))
	f.Add(append([]byte("\x04keepV\x01kF\x00\x00\x00\xAB"), bytes.Repeat([]byte("\x00F\x00\x00\x00\x05"), 40)...), uint16(5000))
	f.Add(bytes.Repeat([]byte("\x01kV"), 9000), uint16(8192))
	f.Fuzz(func(t *testing.T, table []byte, frameMax uint16) {
		limit := uint32(0)
		if frameMax >= 4096 { // AMQP's smallest
			limit = uint32(frameMax)
		}
		next := frameOf(1, []byte("next"))
		filter, out := readThrough(t, append(frameOf(headerFrame, headerOf(table)), next...), limit)
		require.True(t, bytes.HasSuffix(out, next))
		header := bytes.TrimSuffix(out, next)
		payload := header[frameHead : len(header)-frameEnd]
		require.Equal(t, frameOf(headerFrame, payload), header)
		require.NoError(t, filter.checkPayload(payload))
		parsed, found := parseContentHeader(payload)
		require.True(t, found)
		require.Equal(t, "\x01cafter", string(parsed.before)+string(parsed.after))
	})
}
