package rabbitmq

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/warrenmq/warren/internal/masked"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
)

// closeTimeout is how long a clean close may take before the socket is cut.
const closeTimeout = 5 * time.Second

// A Broker consumes from and publishes to one RabbitMQ server. It is made by
// [New], safe for concurrent use, and ended by [Broker.Shutdown]. See
// [runtime.Broker] for what all brokers promise.
type Broker struct {
	config   Config        // without the URL
	url      func() string // a closure, which nothing prints
	endpoint endpoint

	handling       context.Context // of the handlers
	cancelHandling context.CancelFunc
	accepting      context.Context // ends when Shutdown begins
	stopAccepting  context.CancelFunc
	forced         context.Context // ends when connections have to be cut
	force          context.CancelFunc
	consuming      sync.WaitGroup // the supervisor of the consuming connection
	running        sync.WaitGroup // handlers and deliveries that are held back
	publisher      *publisher
	restoring      chan restoring
	probing        chan struct{} // as many as declare on connections of their own
	upkeepPeriod   time.Duration
	refusedDelay   time.Duration
	closeTimeout   time.Duration
	connection     problem     // of the consuming connection, a start that isn't done included
	topology       problem     // of what Router.Declare has
	risky          atomic.Bool // a connection has ended while that was being declared
	instance       string      // tells the broker from others
	events         *consuming.Events
	user           atomic.Pointer[string] // who has logged in last, by Config.Credentials
	good           atomic.Int32           // the address that has answered last

	mu        sync.Mutex
	started   bool
	stopping  bool
	consumers []*consumer // of the router that it was started with
	consumes  bool        // it was started, and declared is what its router declares beside the routes
	declared  runtime.Topology
}

var _ runtime.Broker = (*Broker)(nil)

// New returns a broker for the server of config. It doesn't connect and starts no
// goroutine: Start does, and so does the first message that is sent. The error is
// about the URL, without quoting it, or names two settings that contradict each other.
func New(config Config) (*Broker, error) {
	endpoint, err := config.parse()
	if err != nil {
		return nil, fmt.Errorf("make a RabbitMQ broker: %w", err)
	}
	b := &Broker{config: config.withDefaults(), url: func() string { return config.URL }, endpoint: endpoint}
	b.config.URL = ""
	b.config.Addresses = slices.Clone(config.Addresses)
	b.instance = rand.Text()[:instanceLength]
	b.events = consuming.NewEvents(config.Events, b.config.Logger)
	b.handling, b.cancelHandling = context.WithCancel(context.Background())
	b.accepting, b.stopAccepting = context.WithCancel(context.Background())
	b.forced, b.force = context.WithCancel(context.Background())
	b.publisher = newPublisher(b)
	b.probing = make(chan struct{}, maxProbes)
	b.restoring, b.upkeepPeriod, b.refusedDelay, b.closeTimeout = make(chan restoring), upkeepPeriod, refusedDelay, closeTimeout
	return b, nil
}

// String names the server, without credentials.
func (b *Broker) String() string { return fmt.Sprintf("RabbitMQ at %s", b.endpoint) }

// GoString is String: a %#v of a broker doesn't show credentials either.
func (b *Broker) GoString() string { return b.String() }

// Format is String for every verb.
func (b *Broker) Format(f fmt.State, _ rune) { masked.Format(f, b) }

// LogValue is what slog shows.
func (b *Broker) LogValue() slog.Value { return masked.LogValue(b) }

// MarshalJSON is String, as a JSON string.
func (b *Broker) MarshalJSON() ([]byte, error) { return masked.MarshalJSON(b) }

// Start declares and consumes the routes of router, see [runtime.Broker]. It
// tries to reach the server until ctx or [Config.StartTimeout] ends. An answer
// of the server isn't tried again: refused credentials or certificates, or a
// queue, exchange or binding that it refuses (named in the error, with the route).
// A Start that failed leaves nothing consuming and may be tried again; what was
// declared before the failure stays declared. [Broker.Ready] fails from the call of
// Start on until every route is consumed.
func (b *Broker) Start(ctx context.Context, router *runtime.Router) error {
	if err := b.beginStart(ctx); err != nil {
		return fmt.Errorf("start %v: %w", b, err)
	}
	ctx, cancel := context.WithTimeout(ctx, b.config.StartTimeout)
	defer cancel()
	defer context.AfterFunc(b.accepting, cancel)()
	consumers := b.newConsumers(router.Routes())
	if len(consumers) == 0 {
		b.config.Logger.Warn(consuming.NoRoutes)
	}
	b.setDeclared(router.Topology())
	link, subscriptions, err := b.connectConsumers(ctx, consumers)
	return b.endStart(err, consumers, func() { b.consume(link, consumers, subscriptions) }, link)
}

// setDeclared is called before anything of the start runs.
func (b *Broker) setDeclared(t runtime.Topology) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.declared = t
}

// emit tells the hooks of an event, which is about c where that isn't nil.
func (b *Broker) emit(event runtime.Event, c *consumer) {
	if c != nil {
		event.Route, event.Queue = c.route.Name, c.route.Queue.Name
	}
	b.events.Emit(event)
}

// EventsDropped returns how many events the hooks haven't got, because too many waited
// for a slow one, see [runtime.Events].
func (b *Broker) EventsDropped() uint64 { return b.events.Dropped() }

func (b *Broker) beginStart(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopping {
		return runtime.ErrClosed
	}
	if b.started {
		return errors.New("it has been started: make a broker for each router")
	}
	if err := ctx.Err(); err != nil {
		b.connection.set(consuming.NotStarted(err))
		return err
	}
	b.started = true
	b.connection.set(consuming.ErrStarting)
	return nil
}

func (b *Broker) connectConsumers(ctx context.Context, consumers []*consumer) (*link, []*subscription, error) {
	link, err := b.reach(ctx, "consuming")
	if err != nil {
		return nil, nil, fmt.Errorf("start: %w", err)
	}
	subscriptions, err := b.subscribe(ctx, link, consumers)
	if err != nil {
		link.close(b.closeTimeout)
		return nil, nil, err
	}
	return link, subscriptions, nil
}

// endStart begins to consume, unless the start has failed or the broker has been
// shut down meanwhile.
func (b *Broker) endStart(err error, consumers []*consumer, consume func(), l *link) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopping {
		if l != nil {
			l.close(b.closeTimeout)
		}
		return fmt.Errorf("start %v: %w", b, runtime.ErrClosed)
	}
	if err != nil {
		b.started = false
		b.connection.set(consuming.NotStarted(err))
		return err
	}
	b.consumers, b.consumes = consumers, true
	b.connection.set(nil)
	b.emit(runtime.Event{Kind: runtime.EventConnected, Connection: "consuming"}, nil)
	b.consuming.Go(consume)
	return nil
}

// Shutdown stops the broker, see [runtime.Broker]. Handlers may still send while
// it waits for them, and what was sent may still be confirmed, for five seconds at
// most. The connections are closed when it returns.
func (b *Broker) Shutdown(ctx context.Context) error {
	if !b.beginShutdown() {
		return nil
	}
	defer b.force()
	defer b.cancelHandling()
	err := b.finishConsuming(ctx)
	b.publisher.shutdown(ctx)
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
	b.stopAccepting()
	return true
}

// finishConsuming waits for the handlers and the end of the consuming
// connection. When ctx ends first, it cancels the former and tears the latter
// down, which returns what is unsettled to the queues.
func (b *Broker) finishConsuming(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		b.consuming.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		b.cancelHandling()
		b.force()
		return ctx.Err()
	}
}

// Publish sends msg, see [runtime.Transport]. Without a connection, and while
// the server takes no messages, it waits until ctx ends, so give ctx a deadline.
// Concurrent calls share one channel without waiting for each other's confirms.
//
// When ctx ends after the message was written, the error is ErrUnknown.
// A message with the header x-delay needn't be routable, since an
// x-delayed-message exchange routes it later, nor need a reply that goes straight
// to its caller, which may no longer be there.
func (b *Broker) Publish(ctx context.Context, to runtime.Address, msg *runtime.Message) error {
	if err := b.publish(ctx, to, msg); err != nil {
		return fmt.Errorf("publish to %v: %w", to, err)
	}
	return nil
}

func (b *Broker) publish(ctx context.Context, to runtime.Address, msg *runtime.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if msg.Resend > 0 {
		return b.resend(ctx, to, msg)
	}
	return b.publisher.publish(ctx, to, msg)
}

// resend sends msg until its outcome is known, as often as it allows.
func (b *Broker) resend(ctx context.Context, to runtime.Address, msg *runtime.Message) error {
	same := *msg
	if same.MessageID == "" {
		same.MessageID = rand.Text()
	}
	err := b.publisher.publish(ctx, to, &same)
	for range min(msg.Resend, runtime.MaxResend) {
		if !errors.Is(err, runtime.ErrUnknown) || ctx.Err() != nil {
			return err
		}
		if err = b.publisher.publish(ctx, to, &same); err != nil && !errors.Is(err, runtime.ErrUnknown) {
			return fmt.Errorf("%w, and sending it again failed: %w", runtime.ErrUnknown, err)
		}
	}
	return err
}
