package runtime

import (
	"errors"
	"fmt"
	"time"
)

// An Order says which messages of a route are handled one after the other, in the
// order of their queue, whatever becomes of them: none, as the zero value says, all
// of them ([Strict]), or those of one key each ([PerKey], [PerBody]).
//
// A message that fails keeps its turn. It is tried again where it is, after the delays
// of the [FailurePolicy], while those of its key that came later wait, and the others
// go on. It is settled for good when it has succeeded, or when it is among the dead
// letters: after its last attempt, or the one before which its delays have come to 15
// minutes, those of [RetryAfter] and [Postpone] included, or where it is postponed 15
// minutes after it was for the first time. So no message overtakes another one of its
// key, also when a connection is lost or the broker stops: one that was handled may come
// again, and then all that came after it do.
//
// Under a policy that is Endless, as it is for exclusive and auto-delete queues, a message
// that always fails keeps its turn without an end, unless its handler says [Drop] or [Reject].
//
// The order is that of one process. Where several instances of a service consume the
// queue, declare it with x-single-active-consumer, by which the server gives the
// messages to one of them at a time; the broker warns of a route without it. What
// comes back to a quorum queue of RabbitMQ before version 4 goes to its end unless it
// was declared with x-delivery-limit.
//
// Messages wait with the consumer for their turn, within the route's Prefetch, and
// count for the server's consumer_timeout. So the delays of the policy are 15 minutes
// together at most, and attempts are counted in memory: they begin anew
// when a message comes from the queue again. See docs/decisions/0043.
type Order struct {
	key func(*Delivery) string // nil for no order
	all bool                   // the key is the same for all
}

// Strict is the order of the queue for all messages of the route, which are handled
// one at a time. A Concurrency of more than 1 is refused.
func Strict() Order { return Order{key: func(*Delivery) string { return "" }, all: true} }

// PerKey is the order of the queue for the messages that key returns the same for:
//
//	Order: runtime.PerKey(func(d *runtime.Delivery) string { return d.RoutingKey }),
//
// As many keys are handled at a time as the route's Concurrency says. The key "" is one
// as any other. Key is called once for each delivery, by one goroutine, and doesn't
// keep the delivery; of one that it panics over, the message is a dead letter. A nil
// key is no order.
func PerKey(key func(d *Delivery) string) Order { return Order{key: key} }

// PerBody is [PerKey] by the body as it came, before any middleware, which is decoded
// for it as by [Consume], with the route's Codec. The messages whose bodies can't be
// decoded as a T, such as those that are compressed, all have the key "".
func PerBody[T any](key func(body T) string) Order {
	if key == nil {
		return Order{}
	}
	return PerKey(func(d *Delivery) string {
		body, err := decodeDelivery[T](d)
		if err != nil {
			return ""
		}
		return key(body)
	})
}

// IsZero reports whether o is no order.
func (o Order) IsZero() bool { return o.key == nil }

// IsStrict reports whether o is [Strict].
func (o Order) IsStrict() bool { return o.all }

// String returns "strict", "per key" or, of no order, "".
func (o Order) String() string {
	switch {
	case o.key == nil:
		return ""
	case o.all:
		return "strict"
	}
	return "per key"
}

// maxTurn bounds the delays of a message that keeps its turn: the server's
// consumer_timeout is 30 minutes, and handlers need a part of it. What it ended would
// come again, and its attempts would begin anew, without end. See docs/decisions/0079.
const maxTurn = 15 * time.Minute

// OrderKey returns the key of d in a route with an [Order]. It is for brokers, which
// handle the deliveries of one key one after the other, and calls no handler.
func (r *Route) OrderKey(d *Delivery) (key string) {
	d.Route, d.Queue, d.codec = r.Name, r.queueName(), r.Codec
	d.fault = errors.New("the key function of the route's Order ended its goroutine")
	defer func() {
		if v := recover(); v != nil {
			d.fault = fmt.Errorf("the key function of the route's Order panicked: %w", newPanicError(v))
		}
	}()
	key = r.Order.key(d)
	d.fault = nil
	return key
}

// checkOrder finds what contradicts the order of a route under its policy.
func checkOrder(route *Route, policy FailurePolicy) (field, fault string) {
	switch {
	case route.Order.IsZero():
		return "", ""
	case route.Order.all && route.Concurrency > 1:
		return "Concurrency", fmt.Sprintf("is %d, and with the Order Strict one message is handled at a time: use PerKey, or remove it", route.Concurrency)
	case policy.Endless:
		return "", ""
	}
	turn := time.Duration(0)
	for n := 1; n < policy.Attempts && turn <= maxTurn; n++ {
		turn += policy.delay(n)
	}
	if turn > maxTurn {
		return "Failure", fmt.Sprintf("has delays of more than %v together, for which a message of an ordered route would keep its turn: lower Attempts, Delay or MaxDelay", maxTurn)
	}
	return "", ""
}

// mayPostpone reports whether the message may wait in its turn without an attempt. As
// nothing else bounds that, the clock counts, the time of its handler included.
func (p *passage) mayPostpone() bool { return p.waited < maxTurn && p.leftToPostpone(time.Now()) > 0 }

func (p *passage) leftToPostpone(now time.Time) time.Duration {
	if p.postponed.IsZero() {
		return maxTurn
	}
	return maxTurn - now.Sub(p.postponed)
}

// keepTurn has the message wait where it is, no longer than its turn may be.
func (p *passage) keepTurn(wait time.Duration) turn {
	wait = max(min(wait, maxTurn-p.waited), time.Millisecond)
	p.waited += wait
	p.due = time.Time{}
	return turn{p.copy(), wait}
}

// A turn is that of a message of an ordered route, which goes on after a failure.
type turn struct {
	next *passage // of the next attempt
	wait time.Duration
}

// Again returns the delivery for the next attempt to handle d, and how long the broker
// waits before: 0 means as long as before a redelivery. It is for brokers and routes
// with an [Order], whose messages are tried again in place. It returns false where the
// outcome has settled the message.
func (o *Outcome) Again(d *Delivery) (next *Delivery, wait time.Duration, again bool) {
	if o.turn.next == nil || o.Settlement != Retry && o.Settlement != Requeue {
		return nil, 0, false
	}
	following := *d
	following.settled, following.ReplyHeaders, following.Case = nil, nil, ""
	following.resumed = o.turn.next
	return &following, o.turn.wait, true
}
