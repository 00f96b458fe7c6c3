package model

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A stream is what a decoder has read from a reader of the evaluated program. How much it
// reads at once depends on all that it has read before: to go on where no decoder of this
// program is at hand that has, another one is given the same reads again.
type stream struct {
	from      value.Value // the reader
	reads     []read
	documents int // how many of them the decoder has read
}

// Held returns what a decoder holds of the evaluated program, see [value.Holder].
func (s stream) Held() []value.Value { return []value.Value{s.from} }

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
	known   bool           // that is all that is to be read
	hold    func(stream)   // has the decoder of the evaluated program hold what was read
	unknown *value.Unknown // why what is read isn't known
}

// of has it read for another call, whose decoder holds a stream.
func (r *reading) of(c *Call, now stream, hold func(stream)) {
	r.c, r.reads, r.documents, r.hold, r.unknown = c, now.reads, now.documents, hold, nil
}

// isAt reports whether it has read what a stream has, and no more.
func (r *reading) isAt(now stream) bool { return r.at == len(now.reads) }

// now is the stream as far as it was read.
func (r *reading) now() stream {
	return stream{from: r.from, reads: slices.Clip(r.reads), documents: r.documents}
}

// decoded is the stream after another document.
func (r *reading) decoded() stream {
	r.documents++
	return r.now()
}

// notDecoded gives away what a decoder may change where it isn't known what that decodes, and
// returns its result.
func (r *reading) notDecoded() value.Value {
	return r.c.notDecoded(r.unknown, r.c.Fn.Recv, r.c.Args[0], r.from)
}

// notDecoded gives away the values of a call that decodes, which isn't known for a reason, nil
// for none, and returns its result.
func (c *Call) notDecoded(why *value.Unknown, values ...value.Value) value.Value {
	why = cmp.Or(why, c.Lacked, value.UnknownResult(c.At))
	c.Lend(c.At, values, why) // of whose types methods decode
	c.Expose(c.At, values, why)
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

// readMore calls the reader's method with room for so many bytes, which may hold anything. It
// reports false where it isn't known what that gives, or where the method keeps the room, which
// the decoder uses again.
func (r *reading) readMore(room int) bool {
	if r.known {
		r.unknown = value.UnknownResult(r.c.At)
		return false
	}
	before := value.UnknownAt(r.c.At.Pos(), "what a decoder has read before")
	r.c.Work(room)
	buf := &value.Slice{Type: bytesType, Elems: make([]*value.Cell, room)}
	for i := range buf.Elems {
		buf.Elems[i] = value.NewCell(before)
	}
	var result value.Value
	keeps := r.c.Keeps(buf.Elems, func() { result, _ = r.c.callMethod(r.from, "Read", buf) })
	tuple, ok := result.(value.Tuple)
	if !ok || keeps {
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
	if !value.IsNilInterface(tuple[1]) {
		if r.c.compare(tuple[1], r.c.Held("io", io.EOF)) != value.Yes {
			r.unknown = r.c.because(tuple[1])
			return false
		}
		next.err = io.EOF
	}
	r.reads = append(r.reads, next)
	r.hold(r.now())
	return true
}
