package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/warrenmq/warren/internal/topic"
)

// An Endpoint is a route as its senders see it. Generated clients hold one for
// each route.
type Endpoint struct {
	Route string  // the route's name, for errors and interceptors
	To    Address // where its messages are published

	// Keys and Patterns are the binding keys, where the sender must choose one;
	// see [Publisher.PublishKey]. Keys are compared as they are, as a direct
	// exchange does, and Patterns are matched as a topic exchange does.
	Keys     []string
	Patterns []string

	// Headers are set on every message; a headers exchange routes by them.
	Headers map[string]any
}

// A Sending is one message on its way, as interceptors see it.
type Sending struct {
	Route   string
	To      Address
	Message *Message
	Call    bool // a reply is waited for

	// Request is the delivery that the message is the reply to, see
	// [Router.Intercept]; nil for what a client sends.
	Request *Delivery
}

// A SendFunc sends; it returns the reply of a call, and nil of a publish.
type SendFunc func(ctx context.Context, s *Sending) (*Message, error)

// An Interceptor wraps the sending of messages, as a [Middleware] wraps their
// handling.
type Interceptor func(next SendFunc) SendFunc

// A ClientOption configures a generated client.
type ClientOption func(*clientOptions)

type clientOptions struct {
	interceptors []Interceptor
	defaults     []SendOption
}

// WithInterceptors adds interceptors, the first one outermost.
func WithInterceptors(interceptors ...Interceptor) ClientOption {
	return func(o *clientOptions) { o.interceptors = append(o.interceptors, interceptors...) }
}

// WithDefaults applies options to every message, before those of the call.
func WithDefaults(options ...SendOption) ClientOption {
	return func(o *clientOptions) { o.defaults = append(o.defaults, options...) }
}

// A SendOption changes one message before it is sent.
type SendOption func(*Message)

// WithHeader sets a header of the message, see [Message] for the values that
// AMQP has a form for. The value isn't copied.
func WithHeader(name string, value any) SendOption {
	return func(m *Message) {
		if m.Headers == nil {
			m.Headers = make(map[string]any)
		}
		m.Headers[name] = value
	}
}

// WithMessageID sets the message's id, by which consumers tell a repeated
// message from a new one.
func WithMessageID(id string) SendOption { return func(m *Message) { m.MessageID = id } }

// WithCorrelationID sets the correlation id of a published message. A call has
// its own.
func WithCorrelationID(id string) SendOption { return func(m *Message) { m.CorrelationID = id } }

// WithExpiration limits the time that the message waits in a queue. Fractions
// of a millisecond are cut; 0 means no limit.
func WithExpiration(ttl time.Duration) SendOption { return func(m *Message) { m.Expiration = ttl } }

// WithPriority sets the priority, for queues that were declared with
// x-max-priority.
func WithPriority(priority uint8) SendOption { return func(m *Message) { m.Priority = priority } }

// WithTransient lets the broker keep the message in memory only.
func WithTransient() SendOption { return func(m *Message) { m.Transient = true } }

// WithAllowUnroutable makes a message that no queue takes a success.
func WithAllowUnroutable() SendOption { return func(m *Message) { m.AllowUnroutable = true } }

// A Publisher sends messages of type T to one route. It is safe for concurrent
// use.
type Publisher[T any] struct{ sender sender }

// NewPublisher returns a publisher to endpoint over t. The endpoint is copied.
func NewPublisher[T any](t Transport, endpoint Endpoint, options ...ClientOption) *Publisher[T] {
	return &Publisher[T]{newSender(t, endpoint, options)}
}

// Publish sends msg as JSON, or as it is where T is []byte; a nil pointer is
// refused. See [Transport] for what nil and the errors mean. Errors are a
// [*SendError].
func (p *Publisher[T]) Publish(ctx context.Context, msg T, options ...SendOption) error {
	return p.publish(ctx, p.sender.endpoint.To, msg, options)
}

// PublishKey is Publish with a routing key, for routes whose bindings have
// wildcards or more than one key. A key that matches none of them is refused,
// since the route wouldn't get the message.
func (p *Publisher[T]) PublishKey(ctx context.Context, key string, msg T, options ...SendOption) error {
	to, err := p.sender.withKey(key)
	if err != nil {
		return err
	}
	return p.publish(ctx, to, msg, options)
}

func (p *Publisher[T]) publish(ctx context.Context, to Address, body T, options []SendOption) error {
	msg, err := encode(body)
	if err != nil {
		return p.sender.fail("encode", err)
	}
	_, err = p.sender.send(ctx, &Sending{To: to, Message: msg}, options)
	return err
}

// A Caller sends requests of type Req to one route and waits for replies of
// type Res. It is safe for concurrent use.
type Caller[Req, Res any] struct{ sender sender }

// NewCaller returns a caller of endpoint over t. The endpoint is copied.
func NewCaller[Req, Res any](t Transport, endpoint Endpoint, options ...ClientOption) *Caller[Req, Res] {
	return &Caller[Req, Res]{newSender(t, endpoint, options)}
}

// Call sends the request and waits for its reply until ctx ends; a context
// without a deadline is refused. Errors are a [*SendError]; a handler's failure
// is a [*ReplyError] in it.
func (c *Caller[Req, Res]) Call(ctx context.Context, request Req, options ...SendOption) (Res, error) {
	return c.call(ctx, c.sender.endpoint.To, request, options)
}

// CallKey is Call with a routing key, as [Publisher.PublishKey].
func (c *Caller[Req, Res]) CallKey(ctx context.Context, key string, request Req, options ...SendOption) (Res, error) {
	to, err := c.sender.withKey(key)
	if err != nil {
		var none Res
		return none, err
	}
	return c.call(ctx, to, request, options)
}

func (c *Caller[Req, Res]) call(ctx context.Context, to Address, request Req, options []SendOption) (Res, error) {
	var none Res
	msg, err := encode(request)
	if err != nil {
		return none, c.sender.fail("encode", err)
	}
	reply, err := c.sender.send(ctx, &Sending{To: to, Message: msg, Call: true}, options)
	if err != nil {
		return none, err
	}
	if reply == nil {
		return none, c.sender.fail("send", errors.New("the transport or an interceptor returned neither a reply nor an error"))
	}
	if text, failed := reply.Headers[errorHeader].(string); failed {
		return none, c.sender.fail("reply", &ReplyError{Message: text})
	}
	result, err := decode[Res](reply.Body)
	if err != nil {
		return none, c.sender.fail("decode the reply", err)
	}
	return result, nil
}

// sender is what publishers and callers share, without their types.
type sender struct {
	endpoint Endpoint
	defaults []SendOption
	next     SendFunc
}

func newSender(t Transport, endpoint Endpoint, options []ClientOption) sender {
	var chosen clientOptions
	for _, option := range options {
		option(&chosen)
	}
	next := func(ctx context.Context, s *Sending) (*Message, error) {
		if s.Call {
			return t.Call(ctx, s.To, s.Message)
		}
		return nil, t.Publish(ctx, s.To, s.Message)
	}
	next = intercept(next, chosen.interceptors)
	endpoint.Keys, endpoint.Patterns = slices.Clone(endpoint.Keys), slices.Clone(endpoint.Patterns)
	endpoint.Headers = cloneTable(endpoint.Headers)
	return sender{endpoint: endpoint, defaults: chosen.defaults, next: next}
}

func intercept(send SendFunc, interceptors []Interceptor) SendFunc {
	for i := len(interceptors) - 1; i >= 0; i-- {
		send = interceptors[i](send)
	}
	return send
}

// send completes sending, whose message has a body only, and sends it. No table of
// it is shared, so options and interceptors may change all of it.
func (s *sender) send(ctx context.Context, sending *Sending, options []SendOption) (*Message, error) {
	sending.Route = s.endpoint.Route
	sending.Message.Headers = cloneTable(s.endpoint.Headers)
	for _, option := range s.defaults {
		option(sending.Message)
	}
	for _, option := range options {
		option(sending.Message)
	}
	reply, err := s.next(ctx, sending)
	if err != nil {
		return nil, s.fail("send", err)
	}
	return reply, nil
}

func (s *sender) withKey(key string) (Address, error) {
	bindings := slices.Concat(s.endpoint.Keys, s.endpoint.Patterns)
	if len(bindings) == 0 {
		return Address{}, s.fail("choose the key", fmt.Errorf("the routing key %q can't be chosen: the endpoint has no Keys or Patterns, so publish or call without a key", key))
	}
	matches := func(pattern string) bool { return topic.Match(pattern, key) }
	if !slices.Contains(s.endpoint.Keys, key) && !slices.ContainsFunc(s.endpoint.Patterns, matches) {
		return Address{}, s.fail("choose the key", fmt.Errorf("the routing key %q matches none of the route's bindings (%s)",
			key, strings.Join(bindings, ", ")))
	}
	return Address{Exchange: s.endpoint.To.Exchange, RoutingKey: key}, nil
}

func (s *sender) fail(stage string, err error) error {
	return &SendError{Route: s.endpoint.Route, Stage: stage, Err: err}
}
