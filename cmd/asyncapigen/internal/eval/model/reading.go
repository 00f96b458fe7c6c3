package model

import (
	"errors"
	"go/types"
	"io"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A stream is what a decoder has read from a reader of the evaluated program. How much it
// reads at once depends on all that it has read before: to go on, another decoder is given
// the same reads again.
type stream struct {
	from      value.Value // the reader
	reads     []read
	documents int // how many of them the decoder has read
}

// A read is what a call of a reader's method has given.
type read struct {
	data string
	err  error // nil or io.EOF
}

// reading reads what a stream has, and then from its reader.
type reading struct {
	c *Call
	stream
	at      int            // how many reads were given again
	unknown *value.Unknown // why what is read isn't known
}

// decoded returns the stream after another document.
func (r *reading) decoded() stream {
	return stream{from: r.from, reads: slices.Clip(r.reads), documents: r.documents + 1}
}

// notDecoded gives away what a decoder may change where it isn't known what that decodes, and
// returns its result.
func (r *reading) notDecoded() value.Value {
	why := r.unknown
	if why == nil {
		why = value.UnknownResult(r.c.At)
	}
	r.c.Expose(r.c.At, []value.Value{r.c.Fn.Recv, r.c.Args[0], r.from}, why)
	return why
}

var errUnknown = errors.New("what is read isn't known")

// Read implements [io.Reader].
func (r *reading) Read(p []byte) (int, error) {
	if r.at == len(r.reads) && !r.readMore(len(p)) {
		return 0, errUnknown
	}
	next := r.reads[r.at]
	r.at++
	r.c.Work(1)
	return copy(p, next.data), next.err
}

// readMore calls the reader's method with room for so many bytes. It reports false where it
// isn't known what that gives.
func (r *reading) readMore(room int) bool {
	buf := &value.Slice{Type: bytesType, Elems: make([]*value.Cell, room)}
	for i := range buf.Elems {
		buf.Elems[i] = value.NewCell(value.Zero(types.Typ[types.Byte]))
	}
	result, _ := r.c.callMethod(r.from, "Read", buf)
	tuple, ok := result.(value.Tuple)
	if !ok {
		r.unknown = r.c.because(result)
		return false
	}
	n, known := value.IntOf(tuple[0])
	if !known || n < 0 || n > room || value.IsUnknown(tuple[1]) {
		r.unknown = r.c.because(tuple...)
		return false
	}
	data := make([]byte, n)
	for i := range data {
		b, known := value.IntOf(buf.Elems[i].Load())
		if !known {
			r.unknown = r.c.because(buf.Elems[i].Load())
			return false
		}
		data[i] = byte(b)
	}
	next := read{data: string(data)}
	if !value.IsNil(tuple[1]) {
		if r.c.compare(tuple[1], r.c.Held("io", io.EOF)) != value.Yes {
			r.unknown = r.c.because(tuple[1])
			return false
		}
		next.err = io.EOF
	}
	r.reads = append(r.reads, next)
	return true
}
