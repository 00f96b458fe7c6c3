package rabbitmq

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/warrenmq/warren/runtime"
)

// A publisher takes messages from all callers and gives them to one session
// after the other. Messages that no session has taken wait here while there is
// no connection, so the order of each caller's messages is kept.
type publisher struct {
	broker  *Broker
	calls   *calls
	wake    chan struct{} // wakes the session when there are requests
	blocked atomic.Bool   // the server takes no messages

	open    context.Context // ends when no more messages are sent
	close   context.CancelFunc
	working sync.WaitGroup // the supervisor, the callers in send, and waits for answers that they left

	// The exchanges over which the server has closed a channel. Only the supervisor
	// and its sessions use it.
	closedOver map[string]bool

	mu        sync.Mutex
	started   bool
	waiting   []*request
	withdrawn int   // requests since the last sweep; some may have been taken since
	problem   error // why there is no connection
}

func newPublisher(b *Broker) *publisher {
	p := &publisher{broker: b, calls: newCalls(), wake: make(chan struct{}, 1), closedOver: make(map[string]bool)}
	p.open, p.close = context.WithCancel(context.Background())
	return p
}

// send sends r and returns when the server has answered, or when ctx ends.
func (p *publisher) send(ctx context.Context, r *request) error {
	if err := p.enter(r); err != nil {
		return err
	}
	defer p.working.Done()
	select {
	case <-r.written:
	case <-ctx.Done():
		if p.withdraw(r) {
			return p.unsent(ctx)
		}
		return p.abandon(ctx, r)
	}
	if r.err != nil {
		return r.err
	}
	select {
	case <-r.confirm.Done():
		return r.session.outcome(r)
	case <-ctx.Done():
		return p.abandon(ctx, r)
	}
}

// enter adds r to the waiting requests.
func (p *publisher) enter(r *request) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open.Err() != nil {
		return runtime.ErrClosed
	}
	if !p.started {
		p.started = true
		p.working.Go(p.supervise)
	}
	p.working.Add(1)
	p.waiting = append(p.waiting, r)
	p.wakeSession()
	return nil
}

// wakeSession wakes the session; one that is awake looks again before it sleeps.
func (p *publisher) wakeSession() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// take returns the next request, nil if there is none.
func (p *publisher) take() *request {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.waiting) > 0 {
		r := p.waiting[0]
		p.waiting[0] = nil
		p.waiting = p.waiting[1:]
		if !r.withdrawn {
			return r
		}
	}
	return nil
}

// claim makes sure that r may be written. It fails when its caller has gone.
func (p *publisher) claim(r *request) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.claimed = !r.withdrawn
	return r.claimed
}

// putBack returns a request that a session could not write.
func (p *publisher) putBack(r *request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.claimed = false
	p.waiting = append([]*request{r}, p.waiting...)
	p.wakeSession()
}

func (p *publisher) hasWaiting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.waiting) > 0
}

// withdraw takes r back. It fails when a session has claimed it.
func (p *publisher) withdraw(r *request) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.claimed {
		return false
	}
	r.withdrawn = true
	p.sweep()
	return true
}

// sweep removes the withdrawn requests when they may be half of those that wait.
// Without a connection no session does, and callers that try again for hours would
// fill the memory.
func (p *publisher) sweep() {
	p.withdrawn++
	if p.withdrawn <= len(p.waiting)/2 {
		return
	}
	p.waiting = slices.DeleteFunc(p.waiting, func(r *request) bool { return r.withdrawn })
	p.withdrawn = 0
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
		<-r.written
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
	for r := p.take(); r != nil; r = p.take() {
		r.fail(runtime.ErrClosed)
	}
}

// serve runs one session after the other on l, until it ends or the publisher
// closes.
func (p *publisher) serve(l *link) {
	log := p.broker.config.Logger.With("role", "publishing")
	stopWatching := p.watchBlocked(l)
	defer stopWatching()
	var pause backoff
	for {
		wait(pause.next(), p.open.Done(), l.dead)
		if p.open.Err() != nil || l.hasEnded() {
			return
		}
		s, err := p.openSession(l)
		if err != nil {
			if !l.hasEnded() {
				log.Error("can't open a channel, trying again", "error", err)
			}
			continue
		}
		began := time.Now()
		s.run()
		if cause := s.end(); cause != nil && !l.hasEnded() {
			log.Warn("channel closed by the server", "error", cause)
			pause.failures = 0 // a message caused it, so the next channel needn't wait
			if exchange, named := exchangeIn(cause.Reason); named {
				p.closedOver[exchange] = true
			}
		}
		pause.lasted(time.Since(began))
	}
}

// shutdown ends the publisher: what is written may still be confirmed until ctx
// ends, what isn't fails with ErrClosed.
func (p *publisher) shutdown(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
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
