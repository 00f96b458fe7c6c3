package rabbitmq

import (
	"context"
	"fmt"
	goruntime "runtime"
	"sync"
	"sync/atomic"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
)

// A subscription is an incarnation of a consumer: one channel, from its opening
// to its end. Deliveries are settled on the subscription that they came with.
type subscription struct {
	link    *link
	channel *amqp.Channel
	acks    *acks
	hold    *consuming.Hold

	unsettled *consuming.Unsettled // nil unless the route settles by hand
	ended     chan struct{}        // closed when no more deliveries come
	cause     error                // why, once ended is closed
	cancelled <-chan string        // has an element for each consumer that the server cancels, and is closed with the channel
	closed    <-chan *amqp.Error   // has an element where the channel fails, and is closed with it
	lost      func(error)          // is told of the end

	handling context.Context // of the handlers

	current atomic.Pointer[stream] // what the workers read
	busy    atomic.Bool            // a worker has taken a delivery since the pool looked
	dismiss chan struct{}          // what is sent ends one worker that waits; nil before the first one
	latest  *stream                // the last of those that follow; only receive uses it
	streams int                    // how many there have been
	queue   string                 // the name, that of the instance included
	credit  credit                 // of latest
}

// A stream is what one consumer of the server delivers, from its beginning until it
// is cancelled. It follows another one on the same channel, see takeOver.
type stream struct {
	tag        string
	prefetch   int
	deliveries <-chan amqp.Delivery
	next       atomic.Pointer[stream] // set before the stream is cancelled, or before followed is closed
	replaced   atomic.Bool            // set before the stream is cancelled and followed is waited for
	followed   chan struct{}          // nil before replaced is set; closed when next is set or never will be
}

// A credit counts what a stream holds for nothing: those of its deliveries that have
// failed and haven't gone back, and those whose handlers have been stuck. They count
// for the prefetch of their stream, and for no other. See docs/decisions/0060.
type credit struct {
	narrow chan struct{} // has an element when half of the prefetch is held

	mu       sync.Mutex
	prefetch int // of the latest stream
	stream   int // the number of the latest stream
	held     int // of its deliveries
}

// take notes that one more delivery is held for nothing, and returns the number of the stream for
// which it counts. A delivery of an earlier stream may count for the latest: that
// takes over too early then, which does no harm.
func (c *credit) take() (stream int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held++
	if 2*c.held >= c.prefetch {
		select {
		case c.narrow <- struct{}{}:
		default:
		}
	}
	return c.stream
}

func (c *credit) release(stream int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if stream == c.stream {
		c.held--
	}
}

// open begins the credit of another stream.
func (c *credit) open(prefetch int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stream++
	c.held, c.prefetch = 0, prefetch
	select {
	case <-c.narrow:
	default:
	}
}

// consumeOn consumes the route's queue on channel, which it closes on an error.
func (c *consumer) consumeOn(l *link, channel *amqp.Channel) (*subscription, error) {
	s, err := c.subscribeOn(l, channel)
	if !c.refusesCancelArgument(err) {
		return s, err
	}
	c.plainCancel.Store(true)
	if channel, err = c.openChannel(l); err != nil {
		return nil, err
	}
	return c.subscribeOn(l, channel)
}

// subscribeOn consumes the route's queue on channel, which it closes on an error.
func (c *consumer) subscribeOn(l *link, channel *amqp.Channel) (_ *subscription, err error) {
	defer func() {
		if err != nil {
			channel.Close()
		}
	}()
	s := &subscription{link: l, channel: channel, ended: make(chan struct{}), hold: consuming.NewHold(c.limits)}
	s.acks = newAcks(channel, c.broker.config.ackBatch(c.limits.Prefetch), c.settled, &c.broker.running)
	s.credit = credit{narrow: make(chan struct{}, 1)}
	s.queue = c.route.ForInstance(l.instance).Queue.Name
	s.handling = c.broker.handling
	lost := func(error) {}
	if c.broker.config.CancelOnLoss {
		s.handling, lost = context.WithCancelCause(c.broker.handling)
	}
	if c.route.AckMode == runtime.AckByHand {
		lost = c.settleByHandUntil(s, lost)
	}
	s.watch(lost)
	if s.latest, err = c.stream(s); err != nil {
		return nil, fmt.Errorf("consume queue %q for route %q: %w", s.queue, c.route.Name, explain(err))
	}
	s.credit.open(s.latest.prefetch)
	s.current.Store(s.latest)
	return s, nil
}

// settleByHandUntil lets the deliveries of s be settled by hand, until the function that it
// returns is called in place of lost, or the broker's handlers are cancelled.
func (c *consumer) settleByHandUntil(s *subscription, lost func(error)) func(error) {
	s.unsettled = consuming.NewUnsettled(c.limits, &c.broker.running, c.log)
	forget := context.AfterFunc(c.broker.handling, func() { s.unsettled.Close(runtime.ErrClosed) })
	return func(err error) {
		forget()
		lost(err)
		s.unsettled.Close(err)
	}
}

// stream begins to consume on the channel of s. The server counts the prefetch for
// each consumer on its own, as it was set before the consumer began.
func (c *consumer) stream(s *subscription) (*stream, error) {
	prefetch := c.limits.Prefetch
	if c.sizer != nil {
		prefetch = c.sizer.Prefetch()
	}
	if err := s.channel.Qos(prefetch, 0, false); err != nil {
		return nil, fmt.Errorf("set the prefetch: %w", err)
	}
	arguments, err := c.arguments()
	if err != nil {
		return nil, err
	}
	tag := c.route.Name
	if s.streams > 0 {
		const most = 255 // AMQP 0-9-1, consumer-tag is a short string
		suffix := fmt.Sprintf(" (%d)", s.streams+1)
		tag = tag[:min(len(tag), most-len(suffix))] + suffix
	}
	s.streams++
	deliveries, err := s.channel.Consume(s.queue, tag, false, false, false, false, arguments)
	return &stream{tag: tag, prefetch: prefetch, deliveries: deliveries}, err
}

// takeOver replaces the latest stream by another one, so that what is held for nothing
// doesn't count for the prefetch any more. The next one consumes before the other one is
// cancelled, since an auto-delete queue ends with its last consumer. On an error
// the channel has ended, or ends now. See [consuming.Hold].
func (c *consumer) takeOver(s *subscription) {
	_ = s.link.ask(func() error {
		next, err := c.stream(s)
		if err != nil {
			return err
		}
		s.credit.open(next.prefetch)
		s.latest.next.Store(next)
		cancelled := s.latest.tag
		s.latest = next
		return s.channel.Cancel(cancelled, false)
	})
}

// replace replaces the latest stream by one with another prefetch. It ends before the
// next one begins, which keeps the order of the queue: of two at a time, each would get
// some messages. On an error the channel has ended, or ends now.
func (c *consumer) replace(s *subscription) {
	old := s.latest
	old.followed = make(chan struct{})
	defer close(old.followed)
	old.replaced.Store(true)
	_ = s.link.ask(func() error {
		if err := s.channel.Cancel(old.tag, false); err != nil {
			return err
		}
		next, err := c.stream(s)
		if err != nil {
			_ = s.channel.Close()
			return err
		}
		s.credit.open(next.prefetch)
		old.next.Store(next)
		s.latest = next
		return nil
	})
}

// mayTakeOver reports whether what the route holds may grow beyond the prefetch.
func (c *consumer) mayTakeOver(s *subscription) bool {
	return consuming.MayBeReplaced(c.route) && s.hold.Len() < consuming.MaxHeld
}

// next returns the next delivery, and sends acknowledgements where it has to wait
// for it. It returns false when the worker is dismissed or there is none any more.
func (s *subscription) next(stopping context.Context) (amqp.Delivery, bool) {
	for {
		current := s.current.Load()
		d, open := current.waiting()
		if !open {
			s.acks.flush()
			select {
			case d, open = <-current.deliveries:
			case <-s.dismiss:
				return d, false
			case <-s.ended:
				return d, false
			case <-stopping.Done():
				return d, false
			}
		}
		if !open && current.replaced.Load() {
			select {
			case <-current.followed:
			case <-s.ended:
			case <-stopping.Done():
			}
		}
		if !open && s.follow(current) {
			continue
		}
		if open && !s.busy.Load() {
			s.busy.Store(true)
		}
		return d, open && !s.hasEnded() && stopping.Err() == nil
	}
}

// follow has the workers read the stream that follows current, which is at its end. It
// returns false where none does.
func (s *subscription) follow(current *stream) bool {
	next := current.next.Load()
	if next != nil {
		s.current.CompareAndSwap(current, next)
	}
	return next != nil
}

// waiting returns a delivery that has come already. The library hands them over
// one by one from a goroutine, which gets a chance to do so.
func (s *stream) waiting() (amqp.Delivery, bool) {
	for range 2 {
		select {
		case d, open := <-s.deliveries:
			return d, open
		default:
			goruntime.Gosched()
		}
	}
	return amqp.Delivery{}, false
}

// hasEnded reports whether deliveries can't be settled any more, so that those
// which are left aren't worth handling.
func (s *subscription) hasEnded() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// watch begins to listen for the end of the subscription, of which lost is told.
func (s *subscription) watch(lost func(error)) {
	const consumers = 2 // while one takes over; the library's reader waits for room, and all routes with it
	s.cancelled = s.channel.NotifyCancel(make(chan string, consumers))
	s.closed = s.channel.NotifyClose(make(chan *amqp.Error, 1))
	s.lost = lost
}

// noteClosed notes that the channel has ended, and why.
func (s *subscription) noteClosed() {
	cause := errEnded
	if err, failed := <-s.closed; failed {
		cause = err
	}
	s.end(cause)
}

// end notes why no more deliveries come.
func (s *subscription) end(cause error) {
	s.cause = cause
	close(s.ended)
	s.lost(fmt.Errorf("%w: %w", runtime.ErrLost, cause))
}

// awaitEnd notes the end of a subscription from which nothing is received any more. It
// returns with the channel, or when the server cancels the consumer.
func (s *subscription) awaitEnd() {
	if _, cancelled := <-s.cancelled; cancelled {
		s.end(errCancelled)
		return
	}
	s.noteClosed()
}

// holdBack gives d back later. It doesn't keep what the client has of the message,
// which the server has, too. The handler of one that is settled by hand may still run,
// and has the original.
func (c *consumer) holdBack(s *subscription, original *runtime.Delivery) {
	held := *original
	d := &held
	d.Body, d.Headers = nil, nil
	stream := s.credit.take()
	c.later(s, func() {
		s.credit.release(stream)
		if s.hasEnded() { // which the log has already
			consuming.Settled(c.log, []consuming.Settlement{{Delivery: d, End: runtime.Requeue}}, errStale)
			return
		}
		c.settle(s, d, runtime.Requeue)
	})
}

// later has the hold of s call release. The broker waits for that.
func (c *consumer) later(s *subscription, release func()) {
	c.broker.running.Add(1)
	s.hold.Add(func() {
		defer c.broker.running.Done()
		release()
	})
}
