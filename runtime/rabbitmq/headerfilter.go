package rabbitmq

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync/atomic"

	amqp "github.com/rabbitmq/amqp091-go"
)

const (
	frameHead = 7 // type, channel and size
	frameEnd  = 1

	headerFrame = 2 // the type of a frame with the properties of a message

	// mostKept is the size of the largest header frame of which parts are kept.
	mostKept = 1 << 20
)

// A headerFilter is a connection of which the client library can read every
// message. The library ends a connection over headers that it refuses to read, and
// the server sends them again over the next one. The filter takes them out and puts
// the reason in their place, as a header whose name is this process's own.
// See docs/decisions/0035.
type headerFilter struct {
	net.Conn
	in       *bufio.Reader
	mark     string        // the name of the header with the reason
	frameMax atomic.Uint32 // the size of a frame that the library takes; 0 for any

	passing int    // bytes of the current frame that pass as they are
	rest    []byte // of a frame that was rewritten
}

func newHeaderFilter(conn net.Conn) *headerFilter {
	return &headerFilter{Conn: conn, in: bufio.NewReaderSize(conn, 32<<10), mark: rand.Text()}
}

// Read waits for some bytes, and returns with them what else has come.
func (f *headerFilter) Read(p []byte) (n int, err error) {
	for n < len(p) && (n == 0 || len(f.rest) > 0 || f.in.Buffered() >= frameHead) {
		switch {
		case len(f.rest) > 0:
			copied := copy(p[n:], f.rest)
			f.rest = f.rest[copied:]
			n += copied
		case f.passing > 0:
			copied, err := f.in.Read(p[n:min(len(p), n+f.passing)])
			f.passing -= copied
			n += copied
			if err != nil {
				return n, err
			}
		default:
			if err := f.begin(); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// reason removes the mark from the headers of a message and returns what it says,
// nil where all headers are there.
func (f *headerFilter) reason(headers amqp.Table) error {
	reason, marked := headers[f.mark]
	if !marked {
		return nil
	}
	delete(headers, f.mark)
	return fmt.Errorf("the message has headers that can't be read: %v", reason)
}

// begin decides about the next frame. What isn't a frame passes, so that the
// library says what it has to say.
func (f *headerFilter) begin() error {
	head, err := f.in.Peek(frameHead)
	if err != nil {
		f.passing = len(head)
		if f.passing > 0 {
			return nil
		}
		return err
	}
	size := int(binary.BigEndian.Uint32(head[3:]))
	if head[0] != headerFrame || size < contentHead {
		f.passing = frameHead + size + frameEnd
		return nil
	}
	return f.beginHeader(size)
}

// beginHeader decides about a header frame, whose payload has the size.
func (f *headerFilter) beginHeader(size int) error {
	whole := frameHead + size + frameEnd
	if whole <= f.in.Size() {
		raw, err := f.in.Peek(whole)
		if err != nil {
			return err
		}
		if f.checkPayload(raw[frameHead:frameHead+size]) == nil {
			f.passing = whole
			return nil
		}
	}
	raw := make([]byte, min(whole, mostKept))
	if _, err := io.ReadFull(f.in, raw); err != nil {
		return err
	}
	if _, err := f.in.Discard(whole - len(raw)); err != nil {
		return err
	}
	f.rest = f.filter(raw, size)
	return nil
}

// filter returns a header frame of which the library can read everything. raw may
// be the beginning of one.
func (f *headerFilter) filter(raw []byte, size int) []byte {
	var payload []byte
	if len(raw) < frameHead+size+frameEnd {
		payload = bareHeader(raw[frameHead:]).marked(f.mark, errHeaderTooLarge)
	} else {
		payload = raw[frameHead : frameHead+size]
		err := f.checkPayload(payload)
		if err == nil {
			return raw
		}
		payload = readablePart(payload, f.maxPayload()).marked(f.mark, err)
	}
	frame := append([]byte(nil), raw[:3]...)
	frame = binary.BigEndian.AppendUint32(frame, uint32(len(payload)))
	frame = append(frame, payload...)
	return append(frame, 0xCE) // AMQP 0-9-1, frame-end
}

// checkPayload returns why the library wouldn't read the payload of a header frame.
func (f *headerFilter) checkPayload(payload []byte) error {
	if limit := f.maxPayload(); limit > 0 && len(payload) > limit {
		return errHeaderTooLarge
	}
	header, found := parseContentHeader(payload)
	if !found {
		return nil
	}
	return checkTable(header.table, 0)
}

// maxPayload is the size of the largest payload that the library takes, 0 for any.
func (f *headerFilter) maxPayload() int {
	return max(int(f.frameMax.Load())-frameHead-frameEnd, 0)
}
