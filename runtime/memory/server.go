package memory

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
	"github.com/warrenmq/warren/runtime/internal/wire"
)

// A Server holds exchanges, queues and messages. Brokers with the same
// server, see [Config], get each other's messages, as services on one RabbitMQ
// node do. What was declared stays as long as the server itself. The zero Server
// is empty and ready to use; it is safe for concurrent use, and must not be
// copied.
//
// It has no goroutines. Whatever happens in it happens under one mutex, in the
// goroutine of the caller or of a timer.
type Server struct {
	mu        sync.Mutex
	exchanges map[string]*exchange
	queues    map[string]*queue
	replies   map[string]chan<- *message // waiting callers, by reply address
	callers   map[string]*Broker         // that have called, by the beginning of their reply addresses
	arrived   uint64                     // positions given to entries
	called    uint64                     // reply addresses given to callers

	settling int             // deliveries whose handlers settle them, or whose OnSettled functions run
	delayed  int             // messages that exchanges hold back
	waiting  []chan struct{} // closed when all messages have come to rest
}

// fill makes the exchanges that are there from the start.
func (s *Server) fill() {
	if s.exchanges != nil {
		return
	}
	s.queues = make(map[string]*queue)
	s.replies = make(map[string]chan<- *message)
	s.callers = make(map[string]*Broker)
	s.exchanges = make(map[string]*exchange)
	for name, kind := range map[string]runtime.ExchangeType{
		"amq.direct": runtime.Direct, "amq.fanout": runtime.Fanout, "amq.topic": runtime.Topic,
		"amq.headers": runtime.Headers, "amq.match": runtime.Headers,
	} {
		s.exchanges[name] = &exchange{spec: runtime.Exchange{Name: name, Type: kind, Durable: true}, routing: kind}
	}
	// For the firehose, which isn't here: nothing else may publish to it.
	trace := runtime.Exchange{Name: "amq.rabbitmq.trace", Type: runtime.Topic, Durable: true}
	s.exchanges[trace.Name] = &exchange{spec: trace, routing: runtime.Topic, internal: true}
}

// attach declares the routes and begins to deliver their messages. On an error
// nothing is delivered.
func (s *Server) attach(b *Broker, routes []runtime.Route, beside runtime.Topology) ([]*consumer, error) {
	s.mu.Lock()
	defer s.unlock()
	s.fill()
	d := declarer{server: s, broker: b, mode: b.config.Topology}
	if err := d.all(routes, &beside); err != nil {
		return nil, err
	}
	consumers := make([]*consumer, len(routes))
	for i := range routes {
		name := routes[i].ForInstance(b.instance).Queue.Name
		q := s.queues[name]
		if q == nil {
			return nil, fmt.Errorf("consume queue %q for route %q: %w", name, routes[i].Name, errMissing)
		}
		consumers[i] = newConsumer(b, &routes[i], q)
	}
	for _, c := range consumers {
		c.queue.consumers = append(c.queue.consumers, c)
		c.queue.stopIdling()
	}
	for _, c := range consumers {
		s.advance(c.queue)
	}
	return consumers, nil
}

// cancel ends the delivery to consumers. What they have stays theirs.
// Those of ordered routes go on until they are detached, so that no other consumer
// begins with the next message while handlers still have those before.
func (s *Server) cancel(consumers []*consumer) {
	s.mu.Lock()
	defer s.unlock()
	for _, c := range consumers {
		if c.ordered == nil {
			s.end(c)
		}
	}
}

// end ends the delivery to c.
func (s *Server) end(c *consumer) {
	c.queue.remove(c)
	if len(c.queue.consumers) > 0 {
		return
	}
	if c.queue.spec.AutoDelete {
		s.deleteQueue(c.queue)
	} else {
		s.idle(c.queue)
	}
}

// handle returns e as its handler gets it, and what is closed when all that c has goes
// back.
func (s *Server) handle(c *consumer, e *entry) (d *runtime.Delivery, lost <-chan struct{}) {
	d = e.delivery(c.queue)
	if c.route.Queue.PerInstance {
		d.Instance = c.broker.instance
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e.handled = d
	return d, c.lost
}

// isHeldBy reports whether c has e, and hasn't settled it.
func (s *Server) isHeldBy(c *consumer, e *entry) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return e.holder == c
}

// hold notes that e doesn't count for the prefetch of c, which keeps it. With a single
// active consumer the order is worth more.
func (s *Server) hold(c *consumer, e *entry) {
	s.mu.Lock()
	defer s.unlock()
	s.discount(c, e)
}

// overlook notes the same of d, whose handler is stuck.
func (s *Server) overlook(c *consumer, d *runtime.Delivery) {
	s.mu.Lock()
	defer s.unlock()
	for e := range c.taken {
		if e.handled == d {
			s.discount(c, e)
		}
	}
}

func (s *Server) discount(c *consumer, e *entry) {
	if e.holder != c || e.held || c.queue.single || c.held >= consuming.MaxHeld {
		return
	}
	e.held = true
	c.held++
	c.bytes -= int64(len(e.Body))
	s.advance(c.queue)
}

// suspend gives c nothing more, and takes back what it has.
func (s *Server) suspend(c *consumer) {
	s.mu.Lock()
	defer s.unlock()
	c.suspended = true
	s.takeAllBack(c)
}

// takeAllBack returns what c hasn't settled to its queue, and forgets what waits for a
// handler.
func (s *Server) takeAllBack(c *consumer) {
	s.takeBack(c)
	close(c.lost)
	c.lost = make(chan struct{})
	for len(c.inbox) > 0 {
		<-c.inbox
	}
	s.advance(c.queue)
}

// disconnect takes back what consumers have.
func (s *Server) disconnect(consumers []*consumer) {
	s.mu.Lock()
	defer s.unlock()
	for _, c := range consumers {
		s.takeAllBack(c)
	}
}

func (s *Server) resume(c *consumer) {
	s.mu.Lock()
	defer s.unlock()
	c.suspended = false
	s.advance(c.queue)
}

// takeBack returns what c hasn't settled to its queue.
func (s *Server) takeBack(c *consumer) {
	for e := range c.taken {
		c.forget(e)
		s.requeue(c.queue, e)
	}
}

// detach ends b's connection: what its consumers have not settled goes back,
// and its exclusive queues go.
func (s *Server) detach(b *Broker, consumers []*consumer) {
	s.mu.Lock()
	defer s.unlock()
	for _, c := range consumers {
		s.takeBack(c)
		if c.ordered != nil {
			s.end(c)
		}
		s.advance(c.queue)
	}
	delete(s.callers, b.instance)
	for _, q := range s.queues {
		if q.owner == b {
			s.deleteQueue(q)
		}
	}
}

// clear deletes all queues.
func (s *Server) clear() {
	s.mu.Lock()
	defer s.unlock()
	for _, q := range s.queues {
		s.deleteQueue(q)
	}
}

// settle ends the delivery of e to c. It fails with errTaken when e has been taken
// from c. The caller calls settled in the end.
func (s *Server) settle(c *consumer, e *entry, settlement runtime.Settlement) error {
	s.mu.Lock()
	defer s.unlock()
	s.settling++
	if e.holder != c {
		return errTaken
	}
	c.forget(e)
	switch settlement {
	case runtime.Refuse:
		s.deadLetter(c.queue, e.message, rejected)
	case runtime.Requeue:
		s.requeue(c.queue, e)
	}
	s.advance(c.queue)
	return nil
}

var errInternal = errors.New("the exchange is internal: only the server itself publishes to it")

// settles notes that a handler runs which may settle its delivery.
func (s *Server) settles() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settling++
}

// settled notes that all have been told how a delivery was settled.
func (s *Server) settled() {
	s.mu.Lock()
	defer s.unlock()
	s.settling--
}

// publish routes m into its queues.
func (s *Server) publish(m *message) error {
	s.mu.Lock()
	defer s.unlock()
	s.fill()
	if wire.IsDirectReply(m.exchange, m.key) {
		s.reply(m)
		return nil
	}
	if x := s.exchanges[m.exchange]; x != nil && x.internal {
		return errInternal
	}
	if m.exchange != "" && s.exchanges[m.exchange] == nil {
		return runtime.ErrNoExchange
	}
	if s.delay(m) {
		return nil
	}
	return s.deliver(m)
}

// deliver puts m into the queues that m's exchange says.
func (s *Server) deliver(m *message) error {
	queues := s.route(m)
	if len(queues) == 0 {
		if m.AllowUnroutable {
			return nil
		}
		return runtime.ErrUnroutable
	}
	var err error
	for _, q := range queues {
		if !s.enqueue(q, m) {
			err = fmt.Errorf("queue %q is full: %w", q.spec.Name, runtime.ErrNacked)
		}
	}
	return err
}

// reply hands m to the call that waits for it. Where none does any more, the hooks of
// its broker hear of it.
func (s *Server) reply(m *message) {
	if reply, waiting := s.replies[m.key]; waiting {
		reply <- m // has room for the one reply that it gets
		delete(s.replies, m.key)
		return
	}
	of, _, _ := strings.Cut(strings.TrimPrefix(m.key, wire.DirectReplyPrefix), ".")
	if caller := s.callers[of]; caller != nil {
		caller.events.Emit(runtime.Event{Kind: runtime.EventLateReply})
	}
}

// expectReply returns an address of b whose first message goes to reply.
func (s *Server) expectReply(b *Broker, reply chan<- *message) string {
	s.mu.Lock()
	defer s.unlock()
	s.fill()
	s.called++
	s.callers[b.instance] = b
	address := wire.DirectReplyPrefix + b.instance + "." + strconv.FormatUint(s.called, 10)
	s.replies[address] = reply
	return address
}

// dropReply ends the wait at address.
func (s *Server) dropReply(address string) {
	s.mu.Lock()
	defer s.unlock()
	delete(s.replies, address)
}
