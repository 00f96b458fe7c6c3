package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
)

// A Handler is a typed function behind an untyped door: it decodes a delivery's
// body, calls the function, and encodes its result. It is made by [Consume] or
// [Respond]; the zero Handler handles nothing and is refused by
// [Router.Register]. A Handler is immutable and safe for concurrent use.
type Handler struct {
	run   HandlerFunc
	name  string
	body  reflect.Type
	reply reflect.Type
}

// A HandlerFunc handles one delivery. It returns the reply to send, nil for
// none. The delivery and its body belong to the caller once it has returned.
type HandlerFunc func(ctx context.Context, d *Delivery) (*Message, error)

// A Middleware wraps the handling of deliveries, for tracing, metrics, limits
// and the like. It is installed by [Router.Use], or on one handler by
// [Handler.With], which call it once for each handler, Router.Use at each call
// of [Router.Routes]. A panic of the handler passes through it.
type Middleware func(next HandlerFunc) HandlerFunc

// Consume makes a Handler of a function that takes messages of type T and
// returns no result.
//
// Bodies are JSON, except where T is []byte: the function then gets the body as
// it came, and may not keep it. A body that isn't JSON for T, and null for a
// pointer type, is a [*DecodeError], and fn isn't called. The content type and
// content encoding aren't looked at; middleware may, and pass on another body.
//
// Metadata of the delivery is at hand by [DeliveryFrom].
func Consume[T any](fn func(context.Context, T) error) Handler {
	if fn == nil {
		return Handler{}
	}
	return Handler{
		name: functionName(fn),
		body: reflect.TypeFor[T](),
		run: func(ctx context.Context, d *Delivery) (*Message, error) {
			body, err := decode[T](d.Body)
			if err != nil {
				return nil, Reject(err)
			}
			return nil, fn(ctx, body)
		},
	}
}

// Respond makes a Handler of a function that answers requests of type Req with
// results of type Res. The result is published to the route's Reply address,
// with the request's correlation id. Bodies are decoded and encoded as by
// [Consume].
func Respond[Req, Res any](fn func(context.Context, Req) (Res, error)) Handler {
	if fn == nil {
		return Handler{}
	}
	return Handler{
		name:  functionName(fn),
		body:  reflect.TypeFor[Req](),
		reply: reflect.TypeFor[Res](),
		run: func(ctx context.Context, d *Delivery) (*Message, error) {
			request, err := decode[Req](d.Body)
			if err != nil {
				return nil, Reject(err)
			}
			result, err := fn(ctx, request)
			if err != nil {
				return nil, err
			}
			reply, err := encode(result)
			if err != nil {
				return nil, Reject(fmt.Errorf("encode the reply: %w", err))
			}
			return reply, nil
		},
	}
}

// With returns a Handler that runs h inside the middleware, the first one
// outermost. The body and reply types stay; the name is lost, because at run
// time the function behind the decoration can't be told from another: name the
// route.
func (h Handler) With(middleware ...Middleware) Handler {
	h = h.wrap(middleware)
	h.name = ""
	return h
}

func (h Handler) wrap(middleware []Middleware) Handler {
	if h.run == nil {
		return h
	}
	for i := len(middleware) - 1; i >= 0; i-- {
		h.run = middleware[i](h.run)
	}
	return h
}

// errNoReplyTo refuses a request without an address for its answer.
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

// Name returns the name of the handler's function, of a method without its
// receiver; "" where it has none, see [Route].
func (h Handler) Name() string { return h.name }

// BodyType returns the type that message bodies are decoded into, nil for the
// zero Handler.
func (h Handler) BodyType() reflect.Type { return h.body }

// ReplyType returns the type of the result of a [Respond] handler, nil for a
// [Consume] handler.
func (h Handler) ReplyType() reflect.Type { return h.reply }

// Handle runs the delivery through the handler. ctx carries the delivery, see
// [DeliveryFrom]. A panic of the handler is returned as a [*PanicError].
func (h Handler) Handle(ctx context.Context, d *Delivery) (reply *Message, err error) {
	if h.run == nil {
		return nil, Reject(fmt.Errorf("route %q has no handler: make one by Consume or Respond", d.Route))
	}
	defer func() {
		if v := recover(); v != nil {
			reply, err = nil, &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return h.run(withDelivery(ctx, d), d)
}

// contentTypeJSON is the content type of every body that isn't []byte.
const contentTypeJSON = "application/json"

// decode fails with a *DecodeError.
func decode[T any](body []byte) (T, error) {
	var value T
	if raw, ok := any(&value).(*[]byte); ok {
		*raw = body
		return value, nil
	}
	err := json.Unmarshal(body, &value)
	if err == nil && isNilPointer(value) {
		err = errors.New("the body is null")
	}
	if err != nil {
		return value, &DecodeError{Type: reflect.TypeFor[T](), Err: err}
	}
	return value, nil
}

// encode goes by the type T, as decode does: a []byte in an interface is JSON.
func encode[T any](value T) (*Message, error) {
	if raw, ok := any(&value).(*[]byte); ok {
		return &Message{Body: *raw}, nil
	}
	if isNilPointer(value) {
		return nil, fmt.Errorf("the message is a nil %T", value)
	}
	// By its address, so that marshal methods of pointer receivers are called, as
	// schemas say (docs/reference/json-rules.md, rule 32).
	body, err := json.Marshal(&value)
	if err != nil {
		return nil, err
	}
	return &Message{Body: body, ContentType: contentTypeJSON}, nil
}

// isNilPointer reports what never is a message: the schema of a *T body is that
// of T, which doesn't allow null.
func isNilPointer(value any) bool {
	v := reflect.ValueOf(value)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
