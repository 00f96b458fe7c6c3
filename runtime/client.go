package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/fieldtable"
	"github.com/warrenmq/warren/internal/topic"
)

// An Endpoint is a route as its senders see it. Generated clients hold one for
// each route; write one yourself to send to a route without a generated client.
type Endpoint struct {
	// Route is the route's name, for errors and interceptors. It may be empty.
	Route string

	// To is where the route's messages are published.
	To Address

	// Keys and Patterns are the binding keys, where the sender must choose one;
	// see [Publisher.PublishKey]. Keys are compared as they are, as a direct
	// exchange does, and Patterns are matched as a topic exchange does. Without
	// them every message has To's key.
	Keys     []string
	Patterns []string

	// Type is the property type of every message, by which the route tells its
	// messages apart, see [Dispatch]. Empty leaves it out.
	Type string

	// Codec is the route's. Nil means JSON.
	Codec Codec

	// Headers are set on every message; a headers exchange routes by them. Options
	// may add others or replace them.
	Headers map[string]any
}

// A Publisher sends messages of type T to one route, which has a [Consume] handler
// or a fixed reply address. It is made by [NewPublisher], immutable, and safe for
// concurrent use.
type Publisher[T any] struct{ sender sender }

// NewPublisher returns a publisher to endpoint over t. The endpoint is copied. It
// sends nothing yet, and holds nothing that has to be closed.
func NewPublisher[T any](t Transport, endpoint Endpoint, options ...ClientOption) *Publisher[T] {
	return &Publisher[T]{newSender(t, endpoint, options)}
}

// Publish sends msg as JSON, or by the endpoint's codec, or as it is where T is []byte; a nil pointer is refused. It returns nil when the broker has confirmed that a queue has the
// message, and otherwise a [*SendError], which wraps an error of [Transport]:
// branch by errors.Is.
func (p *Publisher[T]) Publish(ctx context.Context, msg T, options ...SendOption) error {
	return p.publish(ctx, p.sender.endpoint.To, msg, options)
}

// PublishKey is Publish with a routing key, for routes whose bindings have
// wildcards or more than one key. A key that matches none of them is refused,
// since the route wouldn't get the message, and so is any key where the endpoint
// has neither Keys nor Patterns.
func (p *Publisher[T]) PublishKey(ctx context.Context, key string, msg T, options ...SendOption) error {
	to, err := p.sender.withKey(key)
	if err != nil {
		return err
	}
	return p.publish(ctx, to, msg, options)
}

// PublishWords is Publish with a routing key that is made of the endpoint's only
// pattern: each of words stands in the place of one of its wildcards. Words that don't
// make a key of that pattern are refused.
func (p *Publisher[T]) PublishWords(ctx context.Context, words Words, msg T, options ...SendOption) error {
	to, err := p.sender.withWords(words)
	if err != nil {
		return err
	}
	return p.publish(ctx, to, msg, options)
}

func (p *Publisher[T]) publish(ctx context.Context, to Address, body T, options []SendOption) error {
	encoded, contentType, err := encodeWith(p.sender.endpoint.Codec, body)
	if err != nil {
		return p.sender.fail("encode", err)
	}
	_, err = p.sender.send(ctx, newSending(to, encoded, contentType), options)
	return err
}

// A Caller sends requests of type Req to one route, whose [Respond] handler
// replies to the caller, and waits for replies of type Res. It is made by
// [NewCaller], immutable, and safe for concurrent use.
type Caller[Req, Res any] struct{ sender sender }

// NewCaller returns a caller of endpoint over t. The endpoint is copied.
func NewCaller[Req, Res any](t Transport, endpoint Endpoint, options ...ClientOption) *Caller[Req, Res] {
	return &Caller[Req, Res]{newSender(t, endpoint, options)}
}

// Call sends the request and waits for its reply until ctx ends; a context
// without a deadline is refused. Errors are a [*SendError]; a handler's failure
// is a [*ReplyError] in it, and a reply that isn't JSON for Res a [*DecodeError].
// After an error of the context the request may be handled all the same.
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

// CallWords is Call with the words of a routing key, as [Publisher.PublishWords].
func (c *Caller[Req, Res]) CallWords(ctx context.Context, words Words, request Req, options ...SendOption) (Res, error) {
	to, err := c.sender.withWords(words)
	if err != nil {
		var none Res
		return none, err
	}
	return c.call(ctx, to, request, options)
}

func (c *Caller[Req, Res]) call(ctx context.Context, to Address, request Req, options []SendOption) (Res, error) {
	var none Res
	body, contentType, err := encodeWith(c.sender.endpoint.Codec, request)
	if err != nil {
		return none, c.sender.fail("encode", err)
	}
	sending := newSending(to, body, contentType)
	sending.Call = true
	reply, err := c.sender.send(ctx, sending, options)
	if err != nil {
		return none, err
	}
	if reply == nil {
		return none, c.sender.fail("send", errors.New("the transport or an interceptor returned neither a reply nor an error"))
	}
	if err := replyError(reply); err != nil {
		return none, c.sender.fail("reply", err)
	}
	result, err := decodeWith[Res](c.sender.endpoint.Codec, reply)
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
	endpoint.Headers = fieldtable.Clone(endpoint.Headers)
	return sender{endpoint: endpoint, defaults: chosen.defaults, next: next}
}

// newSending returns the sending of a body, in one piece of memory with its message.
func newSending(to Address, body []byte, contentType string) *Sending {
	all := new(struct {
		Sending
		message Message
	})
	all.message = Message{Body: body, ContentType: contentType}
	all.Sending = Sending{To: to, Message: &all.message}
	return &all.Sending
}

// send completes sending, whose message has a body only, and sends it. No table of
// it is shared, so options and interceptors may change all of it.
func (s *sender) send(ctx context.Context, sending *Sending, options []SendOption) (*Message, error) {
	sending.Route = s.endpoint.Route
	sending.Message.Type = s.endpoint.Type
	sending.Message.Headers = fieldtable.Clone(s.endpoint.Headers)
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

func (s *sender) withWords(words Words) (Address, error) {
	if len(s.endpoint.Patterns) != 1 || len(s.endpoint.Keys) > 0 {
		return Address{}, s.fail("choose the key", errors.New("words take the place of wildcards, and the endpoint hasn't exactly one of Patterns: publish or call with a key"))
	}
	key, err := words.key(s.endpoint.Patterns[0])
	if err != nil {
		return Address{}, s.fail("choose the key", err)
	}
	return Address{Exchange: s.endpoint.To.Exchange, RoutingKey: key}, nil
}

func (s *sender) fail(stage string, err error) error {
	return &SendError{Route: s.endpoint.Route, Stage: stage, Err: err}
}
