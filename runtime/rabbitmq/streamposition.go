package rabbitmq

import (
	"sync"

	"github.com/warrenmq/warren/runtime"
)

// streamOffset is the argument of a stream's consumer that says where it begins, and
// the header of each of its messages with their place.
const streamOffset = "x-stream-offset"

// A streamPosition is how far a route has read a stream, so that it goes on there over
// another channel: the server doesn't keep it. Of other queues it does nothing.
type streamPosition struct {
	isStream bool

	mu       sync.Mutex
	read     bool
	next     int64                       // after the last one that was taken
	handling map[*runtime.Delivery]int64 // that aren't settled
}

// take notes that d is going to be handled.
func (p *streamPosition) take(d *runtime.Delivery) {
	if !p.isStream {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	at, known := d.Headers[streamOffset].(int64)
	if !known {
		return
	}
	if p.handling == nil {
		p.handling = make(map[*runtime.Delivery]int64)
	}
	p.handling[d] = at
	p.read, p.next = true, at+1
}

// done notes that d needn't come again.
func (p *streamPosition) done(d *runtime.Delivery) {
	if !p.isStream {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.handling, d)
}

// resume returns where to go on: at the first one that isn't settled. It is nil where
// nothing was read.
func (p *streamPosition) resume() any {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.isStream || !p.read {
		return nil
	}
	for _, at := range p.handling {
		p.next = min(p.next, at)
	}
	p.handling = nil
	return p.next
}
