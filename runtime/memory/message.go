package memory

import (
	"fmt"
	"slices"
	"time"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/wire"
)

// A message is what was published. It is never changed once it has been made,
// so queues may share it.
type message struct {
	runtime.Message
	exchange string
	key      string
	copies   []string // the keys of BCC, which receivers don't see
}

// newMessage copies msg as far as a network would: nothing is shared with the
// publisher, and values have the types and the precision of AMQP.
func newMessage(to runtime.Address, msg *runtime.Message) (*message, error) {
	if err := wire.CheckNames(to, msg); err != nil {
		return nil, err
	}
	headers, err := wire.CopyHeaders(msg.Headers)
	if err != nil {
		return nil, err
	}
	if msg.Expiration < 0 {
		return nil, fmt.Errorf("the expiration is %v: it can't be negative", msg.Expiration)
	}
	m := &message{Message: *msg, exchange: to.Exchange, key: to.RoutingKey}
	m.Body = slices.Clone(msg.Body)
	m.copies = keysOf(headers["BCC"])
	delete(headers, "BCC")
	if len(headers) > 0 {
		m.Headers = headers
	} else {
		m.Headers = nil
	}
	m.Timestamp = wire.WholeSeconds(msg.Timestamp)
	if m.Expiration > 0 {
		// Zero means no limit here, but an expiration of "0" on the wire.
		m.Expiration = max(m.Expiration.Truncate(time.Millisecond), 1)
	}
	return m, nil
}

// keysOf returns the keys in the value of CC or BCC; what isn't text is none
// (RabbitMQ, sender-selected distribution).
func keysOf(value any) (keys []string) {
	values, _ := value.([]any)
	for _, value := range values {
		if key, ok := value.(string); ok {
			keys = append(keys, key)
		}
	}
	return keys
}

// shownKeys returns the keys by which m was routed and of which receivers learn.
func (m *message) shownKeys() []string {
	return append([]string{m.key}, keysOf(m.Headers["CC"])...)
}

// keys returns all keys by which m is routed.
func (m *message) keys() []string { return append(m.shownKeys(), m.copies...) }

// An entry is a message's place in one queue.
type entry struct {
	*message
	position    uint64 // in the order of arrival
	priority    uint8
	redelivered bool
	returns     int64     // how often it came back
	expires     time.Time // zero: never
	holder      *consumer // the consumer that has it, nil while it is ready
	held        bool      // it has failed, and doesn't count for the holder's prefetch
}

// compare orders the entries of a queue: higher priorities first, then in the
// order of arrival, which a requeued entry keeps.
func (e *entry) compare(other *entry) int {
	switch {
	case e.priority != other.priority:
		return int(other.priority) - int(e.priority)
	case e.position < other.position:
		return -1
	case e.position > other.position:
		return 1
	default:
		return 0
	}
}

// delivery returns a copy for one handler of q.
func (e *entry) delivery(q *queue) *runtime.Delivery {
	received := e.received()
	if q.quorum && e.returns > 0 {
		if received.Headers == nil {
			received.Headers = make(map[string]any)
		}
		received.Headers["x-delivery-count"] = e.returns
	}
	return &runtime.Delivery{
		Message:     received,
		Exchange:    e.exchange,
		RoutingKey:  e.key,
		Redelivered: e.redelivered,
	}
}

// received returns a copy of what travels of m.
func (m *message) received() runtime.Message {
	r := m.Message
	r.Body = slices.Clone(m.Body)
	r.Headers = cloneTable(m.Headers)
	r.Expiration = m.Expiration.Truncate(time.Millisecond)
	r.AllowUnroutable = false
	return r
}
