package memory

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/warrenmq/warren/internal/fieldtable"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/wire"
)

// A message is what was published. It is never changed once it has been made,
// so queues may share it.
type message struct {
	runtime.Message
	exchange string
	key      string
	keys     []string // that it is routed by: key, and those of the headers CC and BCC
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
	m.keys = furtherKeys(to.RoutingKey, headers)
	delete(headers, headerBCC)
	m.Body = slices.Clone(msg.Body)
	m.Headers = headers
	m.Timestamp = wire.WholeSeconds(msg.Timestamp)
	if m.Expiration > 0 {
		// Zero means no limit here, but an expiration of "0" on the wire.
		m.Expiration = max(m.Expiration.Truncate(time.Millisecond), 1)
	}
	return m, nil
}

// Headers with further keys (RabbitMQ, sender-selected distribution). BCC isn't
// delivered.
const (
	headerCC  = "CC"
	headerBCC = "BCC"
)

// furtherKeys returns key and those of the headers CC and BCC; what isn't text there
// is none.
func furtherKeys(key string, headers map[string]any) []string {
	keys := []string{key}
	for _, name := range []string{headerCC, headerBCC} {
		further, _ := headers[name].([]any)
		for _, element := range further {
			if key, ok := element.(string); ok {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// An entry is a message's place in one queue.
type entry struct {
	*message
	position    uint64 // in the order of arrival
	priority    uint8
	redelivered bool
	returns     int64     // how often it came back
	expires     time.Time // zero: never
	holder      *consumer // the consumer that has it, nil while it is ready
	acked       bool      // before it was handled; only whoever handles it looks
	held        bool      // it has failed or its handler is stuck, and doesn't count for the holder's prefetch

	handled *runtime.Delivery // what its handler got, nil before
}

// compare orders the entries of a queue: higher priorities first, then in the
// order of arrival, which a requeued entry keeps.
func (e *entry) compare(other *entry) int {
	return cmp.Or(cmp.Compare(other.priority, e.priority), cmp.Compare(e.position, other.position))
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
	r.Headers = fieldtable.Clone(m.Headers)
	r.Expiration = m.Expiration.Truncate(time.Millisecond)
	r.AllowUnroutable = false
	return r
}
