package rabbitmq_test

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// The queues of the service that is soaked, which are its routes' names as well. The
// faults delete frail, with all that belongs to it, and leave steady alone.
const (
	frail   = "soak.frail"   // a classic queue
	steady  = "soak.steady"  // a quorum queue
	ordered = "soak.ordered" // whose messages keep the order of each key
	answers = "soak.answers"
)

// All but the last are bound to this exchange, by their names.
const soakExchange = "soak"

// soakTimeout is the Timeout of the routes.
const soakTimeout = 500 * time.Millisecond

// A soakService is one instance of the service: a broker at a time, behind a proxy.
type soakService struct {
	ledger *soakLedger
	proxy  *proxy
	log    *slog.Logger
	queues []string // of its routes

	mu     sync.Mutex
	broker *rabbitmq.Broker
}

// soakBroker has short periods, so that a soak of minutes has many of them.
func soakBroker(p *proxy, log *slog.Logger) (*rabbitmq.Broker, error) {
	b, err := rabbitmq.New(rabbitmq.Config{
		URL: p.url, Heartbeat: heartbeat, Prefetch: 50, Concurrency: 8, Timeout: soakTimeout, RedeliveryDelay: 200 * time.Millisecond, Logger: log,
	})
	if err == nil {
		b.SetPeriods(time.Second, time.Second)
	}
	return b, err
}

// start starts the instance, however long that takes.
func (s *soakService) start(ctx context.Context) error {
	b, err := soakBroker(s.proxy, s.log)
	if err != nil {
		return err
	}
	router := runtime.NewRouter()
	if err := s.register(router); err != nil {
		return err
	}
	s.queues = nil
	for _, route := range router.Routes() {
		s.queues = append(s.queues, route.Queue.Name)
		for _, q := range route.FailureQueues() {
			s.queues = append(s.queues, q.Name)
		}
	}
	for b.Start(ctx, router) != nil {
		if err := ctx.Err(); err != nil {
			return errors.Join(err, b.Shutdown(ctx))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broker = b
	return nil
}

// stop shuts the instance down, and doesn't wait for handlers that hang.
func (s *soakService) stop() {
	s.mu.Lock()
	b := s.broker
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = b.Shutdown(ctx)
}

func (s *soakService) ready() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broker.Ready()
}

func (s *soakService) register(r *runtime.Router) error {
	quick := &runtime.FailurePolicy{Attempts: 4, Delay: 100 * time.Millisecond, MaxDelay: 400 * time.Millisecond}
	endless := &runtime.FailurePolicy{Endless: true}
	exchange := &runtime.Exchange{Name: soakExchange, Type: runtime.Topic, Durable: true}
	classic, quorum := runtime.Queue{Name: frail, Durable: true}, runtime.Queue{Name: steady, Durable: true, Arguments: map[string]any{"x-queue-type": "quorum"}}
	single := runtime.Queue{Name: ordered, Durable: true, Arguments: map[string]any{"x-single-active-consumer": true}}
	byKey := runtime.PerBody(func(m soakMessage) string { return strconv.Itoa(m.Key) })
	deadOf := func(q runtime.Queue) runtime.Route {
		dead := runtime.Queue{Name: q.Name + ".dead", Durable: true}
		if q.Name == steady {
			dead.Arguments = q.Arguments
		}
		return runtime.Route{Name: dead.Name, Queue: dead, Handler: runtime.Consume(s.bury), Failure: endless}
	}
	return r.Register(
		runtime.Route{Name: frail, Queue: classic, Exchange: exchange, RoutingKeys: []string{frail}, Handler: runtime.Consume(s.handle), Failure: quick},
		runtime.Route{Name: steady, Queue: quorum, Exchange: exchange, RoutingKeys: []string{steady}, Handler: runtime.Consume(s.handle), Failure: quick},
		runtime.Route{Name: ordered, Queue: single, Exchange: exchange, RoutingKeys: []string{ordered}, Handler: runtime.Consume(s.handle), Failure: quick, Order: byKey},
		deadOf(classic), deadOf(quorum), deadOf(single),
		runtime.Route{Name: answers, Queue: runtime.Queue{Name: answers}, Handler: runtime.Respond(s.answer)},
	)
}

var errSoak = errors.New("as the message says")

// handle does what the message says, and ignores its context.
func (s *soakService) handle(ctx context.Context, m soakMessage) error {
	s.ledger.noteAttempt()
	d := runtime.DeliveryFrom(ctx)
	first := d.Attempt == 1 && !d.Redelivered
	switch {
	case m.Kind == fails:
		return errSoak
	case m.Kind == rejects:
		return runtime.Reject(errSoak)
	case m.Kind == drops:
		s.ledger.note(m.ID, dropped, d)
		return runtime.Drop(errSoak)
	case m.Kind == failsOnce && first:
		return errSoak
	case m.Kind == later && first:
		return runtime.RetryAfter(errSoak, 300*time.Millisecond)
	case m.Kind == panics && first:
		panic(errSoak)
	case m.Kind == hangs && first:
		pause(context.WithoutCancel(ctx), 6*soakTimeout)
	case m.Kind == slow:
		pause(context.WithoutCancel(ctx), 20*time.Millisecond)
	}
	s.ledger.note(m.ID, handled, d)
	return nil
}

// bury notes a dead letter, whose body may be anything.
func (s *soakService) bury(ctx context.Context, _ []byte) error {
	s.ledger.noteAttempt()
	d := runtime.DeliveryFrom(ctx)
	id, err := strconv.Atoi(d.MessageID)
	if err != nil {
		s.ledger.noteStrange("a dead letter without its message id")
		return nil
	}
	if _, ok := runtime.FailureOf(d); !ok {
		s.ledger.noteStrange("a dead letter that doesn't say why")
	}
	s.ledger.note(id, dead, d)
	return nil
}

func (s *soakService) answer(_ context.Context, n int) (int, error) { return n + 1, nil }

// pause returns after d, or when ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// A soakSender sends messages through a proxy of its own.
type soakSender struct {
	ledger *soakLedger
	proxy  *proxy
	broker *rabbitmq.Broker
	node   string // the URL of the server itself
}

// soakWeights says how many of a thousand messages are of each kind.
var soakWeights = [soakKinds]int{good: 800, slow: 50, failsOnce: 40, later: 20, panics: 15, hangs: 1, fails: 30, rejects: 20, garbled: 20, nesting: 1, drops: 3}

// send sends a message of the kind and the key to a route, and waits until it knows
// what became of it.
func (s *soakSender) send(ctx context.Context, kind soakKind, route string, key int, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	m := s.ledger.begin(kind, route, key)
	if kind == nesting {
		s.ledger.tell(m, s.sendDeep(m, route))
		return
	}
	s.ledger.tell(m, s.broker.Publish(ctx, runtime.Address{Exchange: soakExchange, RoutingKey: route},
		&runtime.Message{Body: m.body(), ContentType: "application/json", MessageID: strconv.Itoa(m.ID)}))
}

// sendDeep sends by the client library, which checks no headers. Anything that fails
// may have failed after the server had the message.
func (s *soakSender) sendDeep(m soakMessage, route string) error {
	conn, err := amqp.Dial(s.node)
	if err != nil {
		return context.DeadlineExceeded
	}
	defer conn.CloseDeadline(time.Now().Add(time.Second))
	channel, err := conn.Channel()
	if err == nil {
		err = channel.Confirm(false)
	}
	if err != nil {
		return context.DeadlineExceeded
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	returns := channel.NotifyReturn(make(chan amqp.Return, 1))
	confirm, err := channel.PublishWithDeferredConfirm(soakExchange, route, true, false, amqp.Publishing{
		Headers: amqp.Table{"deep": nested(40)}, MessageId: strconv.Itoa(m.ID), DeliveryMode: amqp.Persistent, Body: m.body(),
	})
	if err != nil {
		return runtime.ErrUnknown
	}
	acked, err := confirm.WaitContext(ctx)
	switch {
	case err != nil || !acked:
		return runtime.ErrUnknown
	case len(returns) > 0:
		return runtime.ErrUnroutable
	default:
		return nil
	}
}

// call asks the service for a number, and minds no error but a wrong answer.
func (s *soakSender) call(ctx context.Context, n int, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	reply, err := s.broker.Call(ctx, runtime.Address{RoutingKey: answers}, &runtime.Message{Body: []byte(strconv.Itoa(n))})
	if err == nil && strings.TrimSpace(string(reply.Body)) != strconv.Itoa(n+1) {
		s.ledger.noteStrange("a reply to another request")
	}
}

// disturb sends what the server or the broker itself refuses, beside the others.
func (s *soakSender) disturb(ctx context.Context, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for what, send := range map[string]func() error{
		"to a missing exchange": func() error {
			return s.broker.Publish(ctx, runtime.Address{Exchange: "soak.missing"}, &runtime.Message{})
		},
		"that is too large": func() error {
			return s.broker.Publish(ctx, runtime.Address{Exchange: soakExchange, RoutingKey: frail}, &runtime.Message{Body: make([]byte, soakMaxSize+1)})
		},
		"with deep headers": func() error {
			headers := map[string]any{"t": true}
			for range 40 {
				headers = map[string]any{"t": headers}
			}
			return s.broker.Publish(ctx, runtime.Address{Exchange: soakExchange, RoutingKey: frail}, &runtime.Message{Headers: headers})
		},
	} {
		if send() == nil {
			s.ledger.noteStrange("confirmed a message " + what)
		}
	}
}
