package rabbitmq

import (
	"errors"
	"fmt"
	"sync"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
)

// window is the largest number of messages on one channel that are neither
// confirmed nor returned. 100 to 1000 publish 9 to 14 times faster than one
// (measured on RabbitMQ 3.10); more hold more memory.
const window = 512

// A session is an incarnation of the publisher: one channel in confirm mode,
// from its opening to its end. Its confirms and returns are its own.
//
// One goroutine writes, so that the order of the callers is that of the tags,
// and so that a caller can leave while a write hangs. The callers themselves
// read what became of their messages. See docs/decisions/0082.
type session struct {
	lane     *lane
	link     *link
	channel  *amqp.Channel
	ended    chan struct{} // closed with the channel
	room     chan struct{} // a token for each message that isn't settled
	known    map[string]bool
	replying bool // replies to calls are consumed
	readers  sync.WaitGroup

	mu      sync.Mutex
	tag     uint64
	pending map[uint64]*request // by tag, not settled
	returns <-chan amqp.Return
	closes  <-chan *amqp.Error
	cause   *amqp.Error // why the channel has ended

	// Set before judged is closed, which is when the channel has ended and nothing is
	// written any more.
	judged   chan struct{}
	closedBy *request // the message that caused the end, nil where that isn't known
	lastRead uint64   // the tag of the last message that the server may have read; 0 where that may be any
}

func (l *lane) openSession(link *link) (*session, error) {
	channel, err := openConfirming(link)
	if err != nil {
		return nil, err
	}
	s := &session{
		lane:    l,
		link:    link,
		channel: channel,
		ended:   make(chan struct{}),
		room:    make(chan struct{}, window),
		known:   make(map[string]bool),
		pending: make(map[uint64]*request),
		judged:  make(chan struct{}),
		// Room for a return of every message that isn't settled: the library drops
		// returns that don't fit.
		returns: channel.NotifyReturn(make(chan amqp.Return, window)),
		closes:  channel.NotifyClose(make(chan *amqp.Error, 1)),
	}
	closed := channel.NotifyClose(make(chan *amqp.Error, 1))
	s.readers.Go(func() {
		<-closed
		close(s.ended)
	})
	return s, nil
}

func openConfirming(l *link) (channel *amqp.Channel, err error) {
	err = l.ask(func() error {
		if channel, err = l.conn.Channel(); err != nil {
			return err
		}
		return channel.Confirm(false)
	})
	return channel, err
}

// run writes requests until the channel ends, the publisher closes or the lane is
// retired.
func (s *session) run() {
	l, p := s.lane, s.lane.publisher
	for {
		var room chan struct{}
		if !p.blocked.Load() && l.hasWaiting() {
			room = s.room
		}
		select {
		case room <- struct{}{}:
			if r := l.take(); r == nil || !s.write(r) {
				<-s.room
			}
		case <-l.wake:
		case <-l.retired:
			return
		case <-s.ended:
			return
		case <-p.open.Done():
			return
		}
	}
}

// end waits until what is written is settled, then closes the channel. It
// returns why the server closed it, nil if it was open.
func (s *session) end() *amqp.Error {
	s.fill(window)
	s.attributeClose()
	_ = s.link.ask(s.channel.Close)
	s.readers.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readCause()
	return s.cause
}

// fill takes n places of the window, and all that were there are settled then. It
// takes fewer when the channel ends.
func (s *session) fill(n int) (taken int) {
	for ; taken < n; taken++ {
		select {
		case s.room <- struct{}{}:
		case <-s.ended:
			return taken
		}
	}
	return taken
}

// write sends r and reports whether the server may answer.
func (s *session) write(r *request) bool {
	if err := s.prepare(r); err != nil {
		s.refuse(r, err)
		return false
	}
	if s.lane.careful {
		return s.writeAlone(r)
	}
	return s.writeNow(r)
}

// writeAlone sends r while no other message waits for its confirm, because it may
// end the channel: the server has closed one of the lane before.
func (s *session) writeAlone(r *request) bool {
	taken := s.fill(window - 1) // r has a place already
	defer func() {
		for range taken {
			<-s.room
		}
	}()
	if !s.writeNow(r) {
		return false
	}
	select {
	case <-r.confirm.Done():
	case <-s.ended:
	}
	if r.confirm.Acked() {
		s.lane.careful = false
	}
	return true
}

func (s *session) writeNow(r *request) bool {
	if !s.lane.claim(r) {
		return false
	}
	s.track(r)
	confirm, err := s.channel.PublishWithDeferredConfirm(r.to.Exchange, r.to.RoutingKey, r.mandatory, false, r.message)
	if err != nil {
		s.untrack(r)
		s.refuse(r, err)
		return false
	}
	s.mu.Lock()
	r.session, r.confirm = s, confirm
	s.mu.Unlock()
	r.written <- struct{}{}
	return true
}

// refuse ends a request without an answer of the server. The library's ErrClosed
// means that the message isn't complete on the wire, so the next session may
// send it. After any other failure the server may have it or not.
func (s *session) refuse(r *request, err error) {
	switch {
	case errors.Is(err, amqp.ErrClosed):
		s.lane.putBack(r)
	case errors.Is(err, runtime.ErrUnroutable), errors.Is(err, runtime.ErrTooLarge), errors.Is(err, runtime.ErrHeadersTooLarge):
		r.fail(err)
	default:
		r.fail(unknown(err))
	}
}

func unknown(cause error) error { return fmt.Errorf("%w: %w", runtime.ErrUnknown, cause) }

// prepare does what has to be done once in a session before r is sent.
func (s *session) prepare(r *request) error {
	if limit := s.lane.publisher.maxSize.Load(); limit > 0 && int64(len(r.message.Body)) > limit {
		return fmt.Errorf("%w: it has %d bytes, and the server takes %d", runtime.ErrTooLarge, len(r.message.Body), limit)
	}
	if err := s.checkFrame(r); err != nil {
		return err
	}
	if r.call && !s.replying {
		if err := s.consumeReplies(); err != nil {
			return err
		}
	}
	if r.to.Exchange == "" || s.known[r.to.Exchange] {
		return nil
	}
	return s.learn(r.to.Exchange)
}

// smallFrame is above what a message without headers takes of a frame: properties
// that are short strings.
const smallFrame = 4 << 10

// checkFrame refuses headers that don't fit into a frame of this connection: the server
// would end it (AMQP 0-9-1, frame-max).
func (s *session) checkFrame(r *request) error {
	limit := s.link.conn.Config.FrameSize
	if limit > 0 && r.headers > 0 && r.headers+smallFrame > limit {
		return fmt.Errorf("%w: they have about %d bytes, and the frame %d: put large values into the body, or raise the server's frame_max", runtime.ErrHeadersTooLarge, r.headers, limit)
	}
	return nil
}

// learn asks for an exchange before the first message to it, on another channel:
// a message to one that doesn't exist closes its channel, and with it the
// confirms of all others (AMQP 0-9-1, basic.publish). What has been waiting for a
// missing exchange gets the same answer.
func (s *session) learn(exchange string) error {
	latest := s.lane.latest()
	err := s.link.ask(func() error {
		channel, err := s.link.conn.Channel()
		if err != nil {
			return err
		}
		defer channel.Close()
		return channel.ExchangeDeclarePassive(exchange, "direct", false, false, false, false, nil)
	})
	var refused *amqp.Error
	if errors.As(err, &refused) && refused.Code == amqp.NotFound && !s.lane.publisher.broker.restoreExchange(exchange) {
		s.lane.failWaiting(exchange, latest, runtime.ErrNoExchange)
		return runtime.ErrNoExchange
	}
	if s.link.conn.IsClosed() {
		return amqp.ErrClosed
	}
	s.known[exchange] = true // or the message will get the error
	return nil
}

// track gives r its tag before it is written: its return may come before the
// write returns.
func (s *session) track(r *request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readReturns()
	s.tag++
	r.tag = s.tag
	s.pending[r.tag] = r
}

// untrack undoes track for a message that wasn't written; the library gives the
// tag again as well.
func (s *session) untrack(r *request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pending, r.tag)
	s.tag--
}
