package exportqueue

import (
	"sync"
	"sync/atomic"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// batchSize is the number of spans in an export.
const batchSize = 512

// A buffer is a bounded number of spans that wait, and of their bytes. What belongs
// together goes in together or not at all.
type buffer struct {
	mu       sync.Mutex
	spans    []Sized
	bytes    int
	capacity int // in spans
	room     int // in bytes
	closed   bool
	dropped  atomic.Uint64
}

// push adds the spans, and reports whether there was room, and whether it is time
// to export: there is a batch, or half of what the buffer holds.
func (b *buffer) push(spans []Sized) (ok, due bool) {
	bytes := 0
	for i := range spans {
		bytes += spans[i].Bytes
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || len(b.spans)+len(spans) > b.capacity || b.bytes+bytes > b.room {
		b.dropped.Add(uint64(len(spans)))
		return false, true
	}
	b.spans = append(b.spans, spans...)
	b.bytes += bytes
	return true, len(b.spans) >= min(batchSize, (b.capacity+1)/2) || b.bytes >= b.room/2
}

// close refuses what is pushed from now on.
func (b *buffer) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
}

// drop empties the buffer, and returns how many spans there were.
func (b *buffer) drop() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.spans)
	b.spans, b.bytes = nil, 0
	b.dropped.Add(uint64(n))
	return n
}

func (b *buffer) length() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.spans)
}

// pop moves spans to the batch, until it is full.
func (b *buffer) pop(batch []sdktrace.ReadOnlySpan) []sdktrace.ReadOnlySpan {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := min(len(b.spans), batchSize-len(batch))
	for _, span := range b.spans[:n] {
		batch = append(batch, span.ReadOnlySpan)
		b.bytes -= span.Bytes
	}
	clear(b.spans[:n])
	b.spans = b.spans[n:]
	if len(b.spans) == 0 {
		b.spans = nil
	}
	return batch
}
