package memory

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
)

// A Broker is one service's connection to a [Server]. It is made by [New], safe for
// concurrent use, and ended by [Broker.Shutdown]. See [runtime.Broker] for what all
// brokers promise.
type Broker struct {
	config  Config // complete
	private bool   // the server is this broker's own

	instance string // tells its queues from those of others
	events   *consuming.Events
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
	startErr  error // why the last Start has failed
}

var (
	_ runtime.Broker        = (*Broker)(nil)
	_ runtime.HealthChecker = (*Broker)(nil)
)

// instanceLength makes the names of queues for each instance unlikely to meet.
const instanceLength = 12

// New returns a broker that is ready to send; [Broker.Start] makes it consume.
// It can't fail, and starts no goroutine.
func New(config Config) *Broker {
	b := &Broker{
		private: config.Server == nil,
		config:  config.withDefaults(),
		stop:    make(chan struct{}),
		closed:  make(chan struct{}),
	}
	b.instance = rand.Text()[:instanceLength]
	b.events = consuming.NewEvents(b.config.Events, b.config.Logger)
	b.handling, b.cancel = context.WithCancel(context.Background())
	return b
}

// Start declares and consumes the routes of router, see [runtime.Broker]. A
// Start that failed may be tried again; until one succeeds, [Broker.Ready] fails.
func (b *Broker) Start(ctx context.Context, router *runtime.Router) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopping {
		return fmt.Errorf("start the memory broker: %w", runtime.ErrClosed)
	}
	if b.started {
		return errors.New("start the memory broker: it has been started: make a broker for each router")
	}
	b.startErr = b.start(ctx, router)
	return b.startErr
}

// start is called with the mutex.
func (b *Broker) start(ctx context.Context, router *runtime.Router) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("start the memory broker: %w", err)
	}
	consumers, err := b.config.Server.attach(b, router.Routes(), router.Topology())
	if err != nil {
		return err
	}
	b.started, b.consumers = true, consumers
	for _, c := range consumers {
		b.config.Logger.Info("consuming", "route", c.route.Name, "queue", c.queue.spec.Name)
		b.loops.Go(c.run)
	}
	if len(consumers) == 0 {
		b.config.Logger.Warn(consuming.NoRoutes)
	}
	return nil
}

// Live returns nil unless all handlers of a route are stuck, see
// [runtime.HealthChecker]. It is nil after Shutdown.
func (b *Broker) Live() error {
	if b.isStopping() {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.problems((*consuming.Watch).AllStuck)
}

// Ready returns nil while every route is consumed and no handler is stuck. Otherwise
// the error is a [*runtime.NotReadyError] with the routes, or with the connection
// "consuming" after a Start that failed. After Shutdown it is ErrClosed.
func (b *Broker) Ready() error {
	if b.isStopping() {
		return runtime.ErrClosed
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.startErr != nil {
		return &runtime.NotReadyError{Problems: []runtime.Problem{{Connection: "consuming", Err: consuming.NotStarted(b.startErr)}}}
	}
	return b.problems((*consuming.Watch).Err)
}

// problems asks the watch of each route. It is called with the mutex.
func (b *Broker) problems(ask func(*consuming.Watch) error) error {
	var problems []runtime.Problem
	for _, c := range b.consumers {
		if err := ask(c.watch); err != nil {
			problems = append(problems, runtime.Problem{Route: c.route.Name, Queue: c.route.Queue.Name, Err: err})
		}
	}
	if len(problems) > 0 {
		return &runtime.NotReadyError{Problems: problems}
	}
	return nil
}

// Disconnect takes back what the broker's consumers have, as a connection that is lost
// does: each delivery that isn't settled goes back to its queue and comes again, while
// its handler may still run. Consuming goes on at once. It is for tests.
func (b *Broker) Disconnect() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.config.Server.disconnect(b.consumers)
}

// EventsDropped returns how many events the hooks haven't got, because too many waited
// for a slow one, see [runtime.Events].
func (b *Broker) EventsDropped() uint64 { return b.events.Dropped() }

// Shutdown stops the broker, see [runtime.Broker]. It doesn't touch the
// messages of a shared server, save those that go back to their queues.
func (b *Broker) Shutdown(ctx context.Context) error {
	if !b.beginShutdown() {
		return nil
	}
	b.config.Server.cancel(b.consumers)
	for _, c := range b.consumers {
		c.route.Flush()
	}
	b.loops.Wait()
	err := wait(ctx, &b.running)
	b.cancel()
	b.config.Server.detach(b, b.consumers)
	if b.private {
		b.config.Server.clear()
	}
	close(b.closed)
	b.events.Close(ctx)
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
