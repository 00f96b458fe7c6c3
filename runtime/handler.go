package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// A Handler is a typed function behind an untyped door: it decodes a delivery's
// body, calls the function, and encodes its result. It is made by [Consume],
// [Respond], [ConsumeBatch] or [Dispatch]; the zero Handler handles nothing and is refused by
// [Router.Register].
//
// A Handler is immutable. It is safe for concurrent use where its function is: a
// broker calls it for as many deliveries at a time as its Concurrency says, and
// for the same message again after a failure, so that the function has to bear a
// message that it has seen before.
type Handler struct {
	run   HandlerFunc
	name  string
	body  reflect.Type
	reply reflect.Type

	dispatcher *dispatcher // nil unless it is made by Dispatch
	fault      string      // why Register refuses it

	batch     *batching      // nil unless it is made by ConsumeBatch
	collector batchCollector // of a route that a broker has; nil without batches
}

// A HandlerFunc handles one delivery, as [Middleware] sees it. It returns the reply
// to send, nil for none. An error means that the delivery isn't handled, see
// [Process]. The delivery and its body belong to the caller once it has returned,
// and the reply to whoever called it.
type HandlerFunc func(ctx context.Context, d *Delivery) (*Message, error)

// Consume makes a Handler of a function that takes messages of type T and
// returns no result. The function returns nil when the message is handled, after
// which it leaves its queue; any other error brings it again, except one marked
// by [Reject], see [Process].
//
// Bodies are JSON, except where T is []byte: the function then gets the body as
// it came, and may not keep it. A body that isn't JSON for T, and null for a
// pointer type, is a [*DecodeError], and fn isn't called. JSON is tried whatever the
// content type is, save for the envelope of a CloudEvent; [Route.Codec] is for others.
// Bodies aren't unpacked; middleware may, and pass on another body.
//
// [DeliveryFrom] returns the delivery with its headers, keys and ids. The context
// is cancelled when the broker shuts down and its grace is over. A nil fn makes
// the zero Handler.
func Consume[T any](fn func(context.Context, T) error) Handler {
	if fn == nil {
		return Handler{}
	}
	return Handler{
		name: functionName(fn),
		body: reflect.TypeFor[T](),
		run: func(ctx context.Context, d *Delivery) (*Message, error) {
			body, err := decodeDelivery[T](d)
			if err != nil {
				return nil, Reject(err)
			}
			return nil, fn(ctx, body)
		},
	}
}

// Respond makes a Handler of a function that answers requests of type Req with
// results of type Res. The result is published to the route's Reply address,
// with the request's correlation id, or its message id where it has none. Bodies
// are decoded and encoded as by [Consume]; a Res of []byte is sent as it is, and a
// nil pointer can't be sent, so it is an error marked by [Reject].
//
// An error reaches a caller as a [*ReplyError], with its text where it is marked by
// [Public] and as "internal error" where it isn't, and the request is done. Where the reply address is a fixed one, it is as an error of Consume.
func Respond[Req, Res any](fn func(context.Context, Req) (Res, error)) Handler {
	if fn == nil {
		return Handler{}
	}
	return Handler{
		name:  functionName(fn),
		body:  reflect.TypeFor[Req](),
		reply: reflect.TypeFor[Res](),
		run: func(ctx context.Context, d *Delivery) (*Message, error) {
			request, err := decodeDelivery[Req](d)
			if err != nil {
				return nil, Reject(err)
			}
			result, err := fn(ctx, request)
			if err != nil {
				return nil, err
			}
			body, contentType, err := encodeWith(d.codec, result)
			if err != nil {
				return nil, Reject(fmt.Errorf("encode the reply: %w", err))
			}
			return &Message{Body: body, ContentType: contentType}, nil
		},
	}
}

// errNoReplyTo refuses a request without an address for its reply.
var errNoReplyTo = errors.New("the request has no property reply_to, so it can't be answered: send it by a runtime.Caller, or set the property")

// answering returns h for requests that can be answered only. The router's
// middleware sees the others fail.
func (h Handler) answering() Handler {
	run := h.run
	h.run = func(ctx context.Context, d *Delivery) (*Message, error) {
		if d.ReplyTo == "" {
			return nil, Reject(errNoReplyTo)
		}
		return run(ctx, d)
	}
	return h
}

// IsZero reports whether h is the zero Handler.
func (h Handler) IsZero() bool { return h.run == nil }

// Err returns why [Router.Register] refuses h, whatever its route: nil for no reason.
func (h Handler) Err() error {
	switch {
	case h.IsZero():
		return errors.New("is missing: make one by runtime.Consume or runtime.Respond")
	case h.fault != "":
		return errors.New(h.fault)
	}
	return nil
}

// Name returns the name of the handler's function, of a method without its
// receiver; "" where it has none, see [Route].
func (h Handler) Name() string { return h.name }

// BodyType returns the type that message bodies are decoded into, nil for the
// zero Handler, and for one of [Dispatch], whose [Handler.Cases] have each their own.
func (h Handler) BodyType() reflect.Type { return h.body }

// ReplyType returns the type of the result of a [Respond] handler, nil for a
// [Consume] handler and for one of [Dispatch].
func (h Handler) ReplyType() reflect.Type { return h.reply }

// isTyped reports whether the handler takes messages of certain types, rather than
// whatever comes: bytes, a json.RawMessage or any.
func (h Handler) isTyped() bool {
	if h.dispatcher != nil {
		return true
	}
	switch h.body {
	case nil, reflect.TypeFor[[]byte](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[any]():
		return false
	}
	return true
}

// Handle runs the delivery through the handler, whose context carries it, see
// [DeliveryFrom]. It returns the reply of a Respond handler. A panic of the handler
// or of its middleware is returned as a [*PanicError]. Handle is for [Process] and
// for tests of a handler.
func (h Handler) Handle(ctx context.Context, d *Delivery) (reply *Message, err error) {
	if h.run == nil {
		return nil, Reject(fmt.Errorf("route %q has no handler: make one by Consume or Respond", d.Route))
	}
	defer func() {
		if v := recover(); v != nil {
			reply, err = nil, fmt.Errorf("the handler panicked: %w", newPanicError(v))
		}
	}()
	if h.dispatcher != nil {
		_, d.Case = h.dispatcher.choose(d)
	}
	d.collector = h.collector
	return h.run(withDelivery(ctx, d), d)
}
