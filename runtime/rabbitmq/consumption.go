package rabbitmq

import (
	"math/rand/v2"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime/internal/consuming"
)

// A consumption is a consumer on one link: it consumes, over as many subscriptions as
// it takes, until the link ends or the broker stops.
//
// While nothing comes it rests, on a goroutine that does nothing else: its stack stays
// as small as it began. All that needs more runs on another one.
type consumption struct {
	*consumer
	link  *link
	pause backoff
	next  time.Duration // before the next subscription

	s       *subscription // nil for none
	began   time.Time     // of s
	workers *pool         // of s, nil before they may begin

	// With the event that is to be handled.
	delivery *amqp.Delivery // nil where the stream has ended
}

// An event is what a consumption waits for.
type event int

const (
	nothing       event = iota
	firstDelivery       // while there are no workers
	restTime            // the workers may end
	cancellation        // of the consumer, by the server
	endOfChannel
	allStuck      // all handlers
	muchHeld      // half of the prefetch, for nothing
	otherPrefetch // is wanted
	stop          // of the broker
)

// run consumes on l, on which it may be subscribed already.
func (c *consumer) run(l *link, s *subscription) {
	r := &consumption{consumer: c, link: l, s: s, next: time.Until(c.retry)}
	r.pause.next()
	for e := nothing; r.wake(e); e = r.rest() {
	}
}

// wake handles an event, and what comes after it, on a goroutine of its own. It returns
// true when there is nothing to do, and false when there will be nothing.
func (r *consumption) wake(e event) (idle bool) {
	var work sync.WaitGroup
	work.Go(func() { idle = r.work(e) })
	work.Wait()
	return idle
}

// rest waits for an event while nothing is handled. The library closes the deliveries of
// a consumer that is cancelled or whose channel ends, so it needn't wait for those: each
// channel that it waits for takes memory.
func (r *consumption) rest() event {
	select {
	case d, open := <-r.workers.first:
		if r.delivery = nil; open {
			r.delivery = &d
		}
		return firstDelivery
	case <-r.watch.Full(): // by handlers that were at work before
		return allStuck
	case <-r.s.credit.narrow:
		return muchHeld
	case <-r.broker.accepting.Done():
		return stop
	}
}

// await waits for an event while there are workers.
func (r *consumption) await() event {
	var resize <-chan struct{}
	if r.sizer != nil {
		resize = r.sizer.Resize
	}
	select {
	case <-r.workers.rest():
		return restTime
	case _, cancelled := <-r.s.cancelled:
		if cancelled {
			return cancellation
		}
		return endOfChannel
	case <-r.watch.Full():
		return allStuck
	case <-r.s.credit.narrow:
		return muchHeld
	case <-resize:
		return otherPrefetch
	case <-r.broker.accepting.Done():
		return stop
	}
}

// work subscribes where that isn't done, and handles events, of which e is the first. It
// returns true when there is nothing to do, and false when the consumption has ended.
func (r *consumption) work(e event) bool {
	for {
		if r.workers == nil {
			if !r.subscribe() {
				return false
			}
			r.begin()
		}
		idle, err := r.receive(e)
		if idle {
			return true
		}
		r.end(err)
		e = nothing
	}
}

func (r *consumption) hasEnded() bool { return r.broker.accepting.Err() != nil || r.link.hasEnded() }

// subscribe subscribes where that isn't done, again and again. It returns false where the
// link ends or the broker stops before.
func (r *consumption) subscribe() bool {
	for r.s == nil {
		wait(r.next, r.broker.accepting.Done(), r.link.dead)
		r.awaitHandlers(r.link)
		if r.hasEnded() {
			return false
		}
		var err error
		if r.s, err = r.resubscribe(r.link); err == nil {
			break
		}
		r.consuming.set(err)
		if r.next = r.pause.next(); isRefused(err) {
			r.next = r.broker.refusedDelay/2 + rand.N(r.broker.refusedDelay)
		}
		r.retry = time.Now().Add(r.next)
		if !r.hasEnded() {
			r.noteRefused(err)
			r.log.Error("can't consume, trying again", "error", err, "after", r.next)
		}
	}
	return true
}

func (r *consumption) begin() {
	r.consuming.set(nil)
	r.topology.set(nil)
	r.log.Info("consuming")
	r.began = time.Now()
	r.current.Store(r.s)
	r.workers = newPool(r.consumer, r.s)
}

// end ends the subscription, of which err is the reason.
func (r *consumption) end(err error) {
	r.workers.close()
	r.current.Store(nil)
	r.s.hold.Close()
	r.consuming.set(explainEnd(err))
	if err != nil && !r.hasEnded() {
		r.noteEnd(err)
		r.log.Warn("consuming interrupted", "error", explainEnd(err))
	}
	r.pause.lasted(time.Since(r.began))
	r.next = r.pause.next()
	r.s, r.workers = nil, nil
}

// receive handles events until there are no workers, or the subscription ends, and says
// why. When the broker stops, it cancels the subscription, which stays good for
// settlements.
func (r *consumption) receive(e event) (idle bool, _ error) {
	c, s := r.consumer, r.s
	for {
		switch e {
		case firstDelivery:
			r.workers.begin(r.delivery)
			r.delivery = nil
		case restTime:
			r.workers.end()
		case cancellation:
			s.end(errCancelled)
			_ = s.link.ask(s.channel.Close)
			c.forgetStale()
			return false, s.cause
		case endOfChannel:
			s.noteClosed()
			c.forgetStale()
			return false, s.cause
		case allStuck:
			_ = s.link.ask(s.channel.Close)
			s.awaitEnd()
			c.forgetStale()
			return false, consuming.ErrAllStuck
		case muchHeld:
			if c.mayTakeOver(s) {
				c.takeOver(s)
			}
		case otherPrefetch:
			c.replace(s)
		case stop:
			r.stop()
			return false, nil
		}
		if r.workers.first != nil {
			return true, nil
		}
		e = r.await()
	}
}

// stop cancels the subscription of a broker that stops.
func (r *consumption) stop() {
	s := r.s
	go s.awaitEnd()
	r.last = s
	if r.ordered != nil {
		// To cancel it would let another consumer begin with the next message
		// while handlers still have those before.
		return
	}
	// The answer may take long, as where the queue's node is cut off, and nothing waits for
	// it: the server does what comes on a channel in its order.
	const noAnswer = true
	_ = s.link.ask(func() error { return s.channel.Cancel(s.latest.tag, noAnswer) }) // fails where the channel has ended
}
