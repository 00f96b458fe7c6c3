package rabbitmq

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/wire"
)

// A publisher takes messages from all callers and gives them to its lanes, which
// share one connection after the other.
type publisher struct {
	broker  *Broker
	calls   *calls
	blocked atomic.Bool  // the server takes no messages
	maxSize atomic.Int64 // of a body, by the server's own word; 0 where that isn't known

	open     context.Context // ends when no more messages are sent
	close    context.CancelFunc
	writtens sync.Pool      // of channels for requests that are empty, and of no other request
	working  sync.WaitGroup // the supervisor, the callers in send, and waits for answers that they left

	mu      sync.Mutex
	started bool
	lanes   map[laneKey]*lane
	link    *link          // the current one, nil for none
	serving sync.WaitGroup // the lanes on link
	problem error          // why there is no connection
}

func newPublisher(b *Broker) *publisher {
	p := &publisher{broker: b, calls: newCalls(), lanes: make(map[laneKey]*lane)}
	p.writtens.New = func() any { return make(chan struct{}, 1) }
	p.open, p.close = context.WithCancel(context.Background())
	return p
}

// publish sends msg and returns when the server has answered, or when ctx ends.
func (p *publisher) publish(ctx context.Context, to runtime.Address, msg *runtime.Message) error {
	r, err := p.admit(ctx, to, msg)
	if err != nil {
		return err
	}
	return p.send(ctx, r)
}

// request sends msg as publish does, on a channel that gets replies. The request stays
// in its lane, also after an error, until the caller doesn't wait for the reply any
// more and leaves it. It is nil where nothing could be sent.
func (p *publisher) request(ctx context.Context, to runtime.Address, msg *runtime.Message) (*request, error) {
	r, err := p.admit(ctx, to, msg)
	if err != nil {
		return nil, err
	}
	r.call = true
	p.stay(r.lane)
	return r, p.send(ctx, r)
}

// admit makes a request of msg when its lane has room. settled is called for it once it
// is settled.
func (p *publisher) admit(ctx context.Context, to runtime.Address, msg *runtime.Message) (*request, error) {
	lane, err := p.enter(laneKey{exchange: to.Exchange}.of(msg))
	if err != nil {
		return nil, err
	}
	headers := wire.SizeOf(msg.Headers)
	room, err := lane.makeRoom(ctx, len(msg.Body)+headers)
	if err != nil {
		defer p.leave(lane)
		if p.open.Err() != nil {
			return nil, runtime.ErrClosed
		}
		return nil, p.unsent(ctx)
	}
	r, err := newRequest(p.broker.loginUser(), to, msg)
	if err != nil {
		lane.room.Release(room)
		p.leave(lane)
		return nil, err
	}
	r.lane, r.headers, r.room = lane, headers, room
	r.written = p.writtens.Get().(chan struct{})
	return r, nil
}

// settled gives back what admit has taken for r.
func (p *publisher) settled(r *request) {
	r.lane.room.Release(r.room)
	p.leave(r.lane)
}

// of returns the key of the lane for msg.
func (k laneKey) of(msg *runtime.Message) laneKey {
	if len(msg.Body) > largeBody {
		return laneKey{large: true}
	}
	return k
}

// send gives r to its lane and calls settled when it is, which may be later.
func (p *publisher) send(ctx context.Context, r *request) error {
	for {
		r.lane.enter(r)
		err, abandoned := p.await(ctx, r)
		if abandoned {
			return err
		}
		if err == errNotTaken && p.open.Err() == nil {
			r.again()
			continue
		}
		if r.taken {
			p.writtens.Put(r.written)
		}
		p.settled(r)
		if err == errNotTaken {
			return runtime.ErrClosed
		}
		return err
	}
}

// await returns what becomes of r. It reports true where the caller has left before
// the server has answered; a goroutine waits for the answer then.
func (p *publisher) await(ctx context.Context, r *request) (err error, abandoned bool) {
	closing := p.open.Done()
	for written := false; !written; {
		select {
		case <-r.written:
			written = true
			r.taken = true
		case <-closing:
			if r.lane.withdraw(r) {
				return runtime.ErrClosed, false
			}
			closing = nil // a session writes it
		case <-ctx.Done():
			if r.lane.withdraw(r) {
				return p.unsent(ctx), false
			}
			return p.abandon(ctx, r), true
		}
	}
	if r.err != nil {
		return r.err, false
	}
	select {
	case <-r.confirm.Done():
	case <-ctx.Done():
		return p.abandon(ctx, r), true
	}
	if r.session.lost(r) {
		select {
		case <-r.session.judged: // in a moment
		case <-ctx.Done():
			return p.abandon(ctx, r), true
		}
	}
	return r.session.outcome(r), false
}

// enter returns the lane of key, and starts what isn't running.
func (p *publisher) enter(key laneKey) (*lane, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open.Err() != nil {
		return nil, runtime.ErrClosed
	}
	if !p.started {
		p.started = true
		p.working.Go(p.supervise)
	}
	p.working.Add(1)
	l := p.lane(key)
	l.users++
	return l, nil
}

// stay enters a lane once more.
func (p *publisher) stay(l *lane) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.working.Add(1)
	l.users++
}

func (p *publisher) leave(l *lane) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.users--
	p.working.Done()
}

// lane returns the lane of key. Where there are many, an idle one makes room, or
// those beyond share one.
func (p *publisher) lane(key laneKey) *lane {
	if l := p.lanes[key]; l != nil {
		return l
	}
	if len(p.lanes) >= maxLanes && !p.retireIdle() {
		if key = (laneKey{others: true}); p.lanes[key] != nil {
			return p.lanes[key]
		}
	}
	l := newLane(p)
	p.lanes[key] = l
	if p.link != nil {
		link := p.link
		p.serving.Go(func() { l.serve(link) })
	}
	return l
}

// retireIdle ends a lane without messages. It returns false where there is none.
func (p *publisher) retireIdle() bool {
	for key, l := range p.lanes {
		if l.users == 0 {
			delete(p.lanes, key)
			close(l.retired)
			return true
		}
	}
	return false
}

// wakeSessions wakes all sessions.
func (p *publisher) wakeSessions() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lanes {
		l.wakeSession()
	}
}

// unsent is the error of a message that was never written.
func (p *publisher) unsent(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.blocked.Load():
		return fmt.Errorf("%w (%w)", runtime.ErrBlocked, ctx.Err())
	case p.problem != nil:
		return fmt.Errorf("not sent: %w (%w)", p.problem, ctx.Err())
	default:
		return fmt.Errorf("not sent: %w", ctx.Err())
	}
}

// abandon returns the error of a message whose caller leaves before the server has
// answered. A goroutine waits for the answer, which makes room for another message.
func (p *publisher) abandon(ctx context.Context, r *request) error {
	p.working.Go(func() {
		defer p.settled(r)
		if !r.taken {
			<-r.written
		}
		if r.confirm != nil {
			<-r.confirm.Done()
			_ = r.session.outcome(r)
		}
	})
	if p.blocked.Load() {
		return fmt.Errorf("%w; %w (%w)", runtime.ErrBlocked, runtime.ErrUnknown, ctx.Err())
	}
	return fmt.Errorf("%w: no answer has come (%w)", runtime.ErrUnknown, ctx.Err())
}

// supervise keeps the publishing connection.
func (p *publisher) supervise() {
	p.broker.supervise(p.open, "publishing", nil, p.serve, func(err error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.problem = err
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lanes {
		for r := l.take(); r != nil; r = l.take() {
			r.fail(runtime.ErrClosed)
		}
	}
}

// serve runs the lanes on l, until it ends or the publisher closes.
func (p *publisher) serve(l *link) {
	stopWatching := p.watchBlocked(l)
	defer stopWatching()
	p.maxSize.Store(0) // it may have been raised
	p.attach(l)
	select {
	case <-l.dead:
	case <-p.open.Done():
	}
	p.detach()
	p.serving.Wait()
}

func (p *publisher) attach(l *link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.link = l
	for _, lane := range p.lanes {
		p.serving.Go(func() { lane.serve(l) })
	}
}

// detach keeps lanes from being started on the link.
func (p *publisher) detach() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.link = nil
}

// shutdown ends the publisher: what is written may still be confirmed until ctx
// ends, what isn't fails with ErrClosed.
func (p *publisher) shutdown(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, p.broker.closeTimeout)
	defer cancel()
	p.refuseMore()
	p.calls.close()
	ended := make(chan struct{})
	go func() {
		p.working.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		p.broker.force()
		<-ended // at once: every connection is gone
	}
}

// refuseMore ends the taking of messages. The callers that entered before are
// counted in working.
func (p *publisher) refuseMore() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.close()
}
