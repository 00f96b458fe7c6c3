package memory

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/warrenmq/warren/runtime"
)

const (
	defaultPrefetch        = 100
	defaultConcurrency     = 1
	defaultRedeliveryDelay = time.Second
)

// A Broker is one service's connection to a [Server]. It is made by [New] and
// safe for concurrent use.
type Broker struct {
	server      *Server
	private     bool // nobody else uses server
	prefetch    int
	concurrency int
	delay       time.Duration
	log         *slog.Logger

	handling context.Context // of the handlers
	cancel   context.CancelFunc
	stop     chan struct{}  // closed when Shutdown begins
	closed   chan struct{}  // closed when Shutdown ends
	loops    sync.WaitGroup // one for each consumer
	running  sync.WaitGroup // handlers and deliveries that are held back

	mu        sync.Mutex
	started   bool
	stopping  bool
	consumers []*consumer
}

var _ runtime.Broker = (*Broker)(nil)

// An Option changes a broker's defaults.
type Option func(*Broker)

// WithServer connects the broker to server, which other brokers may share as
// services share a RabbitMQ node. By default a broker has a server of its own,
// whose content ends with Shutdown.
func WithServer(server *Server) Option {
	return func(b *Broker) { b.server, b.private = server, false }
}

// WithPrefetch limits the deliveries that a route holds unsettled, those that
// wait for a handler included. The default is 100; less than 1 means the
// default.
func WithPrefetch(n int) Option {
	return func(b *Broker) { b.prefetch = positive(n, defaultPrefetch) }
}

// WithConcurrency sets how many deliveries of one route are handled at a time.
// The default is 1, which keeps the order of the queue; less than 1 means the
// default.
func WithConcurrency(n int) Option {
	return func(b *Broker) { b.concurrency = positive(n, defaultConcurrency) }
}

// WithRedeliveryDelay sets how long a delivery that has failed again is held
// before it goes back to its queue, so that a message which always fails
// doesn't keep the service busy. The first failure isn't held. The default is
// one second; zero or less means no delay.
func WithRedeliveryDelay(d time.Duration) Option {
	return func(b *Broker) { b.delay = d }
}

// WithLogger makes the broker log the errors of deliveries, with route and
// queue. By default, and with nil, nothing is logged.
func WithLogger(log *slog.Logger) Option {
	return func(b *Broker) {
		if log != nil {
			b.log = log
		}
	}
}

func positive(n, otherwise int) int {
	if n < 1 {
		return otherwise
	}
	return n
}

// New returns a broker that is ready to send; [Broker.Start] makes it consume.
func New(options ...Option) *Broker {
	handling, cancel := context.WithCancel(context.Background())
	b := &Broker{
		server:      new(Server),
		private:     true,
		prefetch:    defaultPrefetch,
		concurrency: defaultConcurrency,
		delay:       defaultRedeliveryDelay,
		log:         slog.New(slog.DiscardHandler),
		handling:    handling,
		cancel:      cancel,
		stop:        make(chan struct{}),
		closed:      make(chan struct{}),
	}
	for _, option := range options {
		option(b)
	}
	return b
}

// Start declares and consumes the routes of router, see [runtime.Broker]. A
// Start that failed may be tried again.
func (b *Broker) Start(ctx context.Context, router *runtime.Router) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("start the memory broker: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopping {
		return fmt.Errorf("start the memory broker: %w", runtime.ErrClosed)
	}
	if b.started {
		return errors.New("start the memory broker: it has been started: make a broker for each router")
	}
	consumers, err := b.server.attach(b, router.Routes())
	if err != nil {
		return err
	}
	b.started, b.consumers = true, consumers
	for _, c := range consumers {
		b.loops.Go(c.run)
	}
	return nil
}

// Shutdown stops the broker, see [runtime.Broker]. It doesn't touch the
// messages of a shared server, save those that go back to their queues.
func (b *Broker) Shutdown(ctx context.Context) error {
	if !b.beginShutdown() {
		return nil
	}
	b.server.cancel(b.consumers)
	b.loops.Wait()
	err := wait(ctx, &b.running)
	b.cancel()
	b.server.detach(b, b.consumers)
	if b.private {
		b.server.clear()
	}
	close(b.closed)
	return err
}

func (b *Broker) beginShutdown() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopping {
		return false
	}
	b.stopping = true
	close(b.stop)
	return true
}

// wait returns nil when all of group are done, ctx's error if that ends first.
func wait(ctx context.Context, group *sync.WaitGroup) error {
	done := make(chan struct{})
	go func() {
		group.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *Broker) isStopping() bool {
	select {
	case <-b.stop:
		return true
	default:
		return false
	}
}

// isClosed reports whether Shutdown has ended. While it waits for handlers,
// they may still send.
func (b *Broker) isClosed() bool {
	select {
	case <-b.closed:
		return true
	default:
		return false
	}
}
