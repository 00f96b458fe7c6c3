package runtimetest

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
)

// A Service is a service under test, on a broker in memory. See docs/decisions/0049.
// It is made by [New] or [Start]. As a [runtime.Transport] it is what the service itself sends by. It is safe
// for concurrent use, but what ends the test has to be called by the test's goroutine.
type Service struct {
	runtime.Transport // of the service; see FailNextPublish

	t      testing.TB
	server *memory.Server
	broker *memory.Broker // of the service
	sender *memory.Broker // of the test

	mu       sync.Mutex
	routes   map[string]runtime.Route
	settled  []Settlement
	sent     []*Sent
	failures []failure
	blocked  chan struct{} // closed by unblock; nil: not blocked
}

// An Option changes what New and Start do.
type Option func(*options)

type options struct{ config memory.Config }

// WithConfig makes the broker by config: with a Server that other services share, or
// with other limits. OnPublish and OnSettled are called as well. Without a Logger the
// records go to the test's log.
func WithConfig(config memory.Config) Option { return func(o *options) { o.config = config } }

// Start is New and [Service.Start] in one, for services that send nothing.
func Start(t testing.TB, router *runtime.Router, options ...Option) *Service {
	t.Helper()
	s := New(t, options...)
	s.Start(router)
	return s
}

// New returns a service that can send, and consumes nothing yet. It ends with the test,
// which fails where a handler doesn't return then.
func New(t testing.TB, choices ...Option) *Service {
	t.Helper()
	var chosen options
	for _, option := range choices {
		option(&chosen)
	}
	config := chosen.config
	if config.Server == nil {
		config.Server = new(memory.Server)
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	s := &Service{t: t, server: config.Server}
	config.OnPublish, config.OnSettled = s.onPublish(config.OnPublish), s.onSettled(config.OnSettled)
	s.broker = memory.New(config)
	s.sender = memory.New(memory.Config{Server: config.Server, User: config.User})
	s.Transport = s.broker
	t.Cleanup(s.stop)
	return s
}

// Start begins to consume the routes of router. It is called once.
func (s *Service) Start(router *runtime.Router) {
	s.t.Helper()
	routes := make(map[string]runtime.Route)
	for _, route := range router.Routes() {
		routes[route.Name] = route
	}
	s.mu.Lock()
	s.routes = routes
	s.mu.Unlock()
	if err := s.broker.Start(context.Background(), router); err != nil {
		s.t.Fatalf("runtimetest: start the service: %v", err)
	}
}

// grace is how long a handler may take to return when the test ends, outside of a
// bubble.
const grace = 10 * time.Second

func (s *Service) stop() {
	grace := grace
	if inBubble() {
		grace = virtualPatience // what is left behind would end the program
	}
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := s.broker.Shutdown(ctx); err != nil {
		s.t.Errorf("runtimetest: a handler was still running %v after the end of the test: %v", grace, err)
	}
	_ = s.sender.Shutdown(context.Background()) // it runs no handler that could keep it
}

// Send sends body to a route, as its clients do: to its exchange, with its routing key,
// or to its queue where it has no exchange. A []byte is sent as it is, and anything
// else as JSON; for a message that is neither, use [Service.SendMessage]. Send returns
// when the queue has the message, and doesn't wait for the handler.
func (s *Service) Send(route string, body any, options ...runtime.SendOption) {
	s.t.Helper()
	s.SendMessage(route, message(s.t, body), options...)
}

// SendKey is Send with a routing key, for routes whose keys are patterns or several.
func (s *Service) SendKey(route, key string, body any, options ...runtime.SendOption) {
	s.t.Helper()
	r := s.route(route)
	if r.Exchange == nil {
		s.t.Fatalf("runtimetest: the route %q has no exchange, so it has no keys: use Send", route)
	}
	s.send(r, runtime.Address{Exchange: r.Exchange.Name, RoutingKey: key}, message(s.t, body), options)
}

// SendMessage is Send with all of a message.
func (s *Service) SendMessage(route string, msg runtime.Message, options ...runtime.SendOption) {
	s.t.Helper()
	r := s.route(route)
	s.send(r, s.address(r), msg, options)
}

func (s *Service) send(r runtime.Route, to runtime.Address, msg runtime.Message, options []runtime.SendOption) {
	s.t.Helper()
	msg.Headers = maps.Clone(msg.Headers)
	for _, option := range options {
		option(&msg)
	}
	if r.Exchange != nil && r.Exchange.Type == runtime.Headers {
		addHeaders(&msg, r.BindingArguments)
	}
	if err := s.sender.Publish(context.Background(), to, &msg); err != nil {
		s.t.Fatalf("runtimetest: send to the route %q: %v", r.Name, err)
	}
}

// addHeaders sets what a headers exchange looks for, unless the message has it.
func addHeaders(msg *runtime.Message, arguments map[string]any) {
	for name, value := range arguments {
		if _, given := msg.Headers[name]; !given && !strings.HasPrefix(name, "x-") {
			runtime.WithHeader(name, value)(msg)
		}
	}
}

func message(t testing.TB, body any) runtime.Message {
	t.Helper()
	if raw, ok := body.([]byte); ok {
		return runtime.Message{Body: raw}
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatalf("runtimetest: encode the body: %v", err)
	}
	return runtime.Message{Body: text, ContentType: "application/json"}
}

func (s *Service) route(name string) runtime.Route {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	route, ok := s.routes[name]
	switch {
	case s.routes == nil:
		s.t.Fatal("runtimetest: the service hasn't been started: call Start")
	case !ok:
		s.t.Fatalf("runtimetest: there is no route %q: there are %s", name, strings.Join(slices.Sorted(maps.Keys(s.routes)), ", "))
	}
	return route
}

// address returns where messages for r are sent.
func (s *Service) address(r runtime.Route) runtime.Address {
	s.t.Helper()
	if r.Exchange == nil {
		return runtime.Address{RoutingKey: r.Queue.Name}
	}
	key := r.Bindings()[0].RoutingKey
	if r.Exchange.Type == runtime.Topic && strings.ContainsAny(key, "*#") {
		s.t.Fatalf("runtimetest: the key %q of the route %q is a pattern: use SendKey", key, r.Name)
	}
	return runtime.Address{Exchange: r.Exchange.Name, RoutingKey: key}
}

// A Settlement is what became of one delivery.
type Settlement struct {
	Route    string
	Delivery *runtime.Delivery  // with the message and the number of the attempt
	End      runtime.Settlement // such as runtime.Ack
	Err      error              // why it failed; nil where it didn't
}

// String says it in a line, for messages of tests.
func (s Settlement) String() string {
	if s.Err == nil {
		return fmt.Sprintf("%s, attempt %d: %v", s.Route, s.Delivery.Attempt, s.End)
	}
	return fmt.Sprintf("%s, attempt %d: %v (%v)", s.Route, s.Delivery.Attempt, s.End, s.Err)
}

// patience is how long Settled waits: for real outside of a bubble, and on its virtual
// clock inside of one, where only a handler that waits for something that never comes
// takes as long.
const (
	patience        = 30 * time.Second
	virtualPatience = 30 * 24 * time.Hour
)

// Settled waits until every message has come to rest: handled, dropped, a dead letter,
// or in a queue without a consumer. Messages that wait to be tried again are waited
// for. It returns what became of each delivery since the last call, in that order. The
// test ends where messages don't come to rest: within 30 seconds, or in a bubble of
// testing/synctest within 30 days of its clock.
func (s *Service) Settled() []Settlement {
	s.t.Helper()
	limit := patience
	if inBubble() {
		limit = virtualPatience
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if err := s.server.WaitIdle(ctx); err != nil {
		s.t.Fatalf("runtimetest: %v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	settled := s.settled
	s.settled = nil
	return settled
}

// inBubble reports whether the caller is in a bubble of testing/synctest, outside of
// which Wait panics.
func inBubble() (inside bool) {
	defer func() { _ = recover() }()
	synctest.Wait()
	return true
}

func (s *Service) onSettled(next func(*runtime.Delivery, runtime.Settlement, error)) func(*runtime.Delivery, runtime.Settlement, error) {
	return func(d *runtime.Delivery, end runtime.Settlement, err error) {
		s.mu.Lock()
		s.settled = append(s.settled, Settlement{Route: d.Route, Delivery: d, End: end, Err: err})
		s.mu.Unlock()
		if next != nil {
			next(d, end, err)
		}
	}
}
