package rabbitmq

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/wire"
)

// A request is one message on its way to the server. It is written at most once:
// its first session is its only one, unless that is known not to have been read.
type request struct {
	to        runtime.Address
	message   amqp.Publishing
	mandatory bool // the server is to say if no queue takes it
	call      bool // a reply is waited for
	headers   int  // the size of its headers, about, in bytes
	lane      *lane
	room      int64 // what it takes of its lane's, in bytes

	// Guarded by the lane's mutex.
	number    uint64 // in the order in which they entered the lane
	claimed   bool   // a session writes it
	withdrawn bool   // its caller has gone, and no session writes it

	written chan struct{}              // has a value when what follows is constant; one goroutine takes it
	taken   bool                       // by the caller
	session *session                   // nil where err says that it wasn't written
	confirm *amqp.DeferredConfirmation // nil where err says why there is none
	err     error

	// Guarded by the session's mutex.
	tag      uint64
	returned bool // the server has said that no queue takes it
}

// newRequest returns the request that sends msg to an address.
// See docs/decisions/0019.
func newRequest(user string, to runtime.Address, msg *runtime.Message) (*request, error) {
	if err := wire.CheckNames(to, msg); err != nil {
		return nil, err
	}
	if err := checkUser(user, msg); err != nil {
		return nil, err
	}
	r := &request{to: to}
	if err := toPublishing(&r.message, msg); err != nil {
		return nil, err
	}
	_, delayed := r.message.Headers["x-delay"]
	delayed = delayed && to.Exchange != "" // the default exchange routes at once
	r.mandatory = !msg.AllowUnroutable && !delayed && !wire.IsDirectReply(to.Exchange, to.RoutingKey)
	return r, nil
}

// addressed reports whether ret went where r went.
func (r *request) addressed(ret *amqp.Return) bool {
	return ret.Exchange == r.to.Exchange && ret.RoutingKey == r.to.RoutingKey
}

// equals reports whether ret is the message of r, or one that can't be told from
// it.
func (r *request) equals(ret *amqp.Return) bool {
	m := &r.message
	return r.addressed(ret) &&
		ret.MessageId == m.MessageId && ret.CorrelationId == m.CorrelationId && ret.ReplyTo == m.ReplyTo &&
		ret.ContentType == m.ContentType && ret.ContentEncoding == m.ContentEncoding &&
		ret.DeliveryMode == m.DeliveryMode && ret.Priority == m.Priority && ret.Expiration == m.Expiration &&
		ret.Type == m.Type && ret.UserId == m.UserId && ret.AppId == m.AppId &&
		ret.Timestamp.Equal(m.Timestamp) && bytes.Equal(ret.Body, m.Body) &&
		sameField(ret.Headers, m.Headers)
}

// sameField compares values of the library's types.
func sameField(a, b any) bool {
	switch a := a.(type) {
	case amqp.Table:
		b, ok := b.(amqp.Table)
		return ok && maps.EqualFunc(a, b, sameField)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, sameField)
	case time.Time:
		b, ok := b.(time.Time)
		return ok && a.Equal(b)
	default:
		return reflect.DeepEqual(a, b)
	}
}

// again makes r a request that hasn't been written. Its caller has the outcome.
func (r *request) again() {
	r.claimed, r.taken = false, false
	r.session, r.confirm, r.tag, r.returned = nil, nil, 0, false
}

// fail ends a request that wasn't written.
func (r *request) fail(err error) {
	r.err = err
	r.written <- struct{}{}
}
