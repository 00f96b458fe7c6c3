package runtime

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Dispatch makes one Handler of several, for a queue whose messages have several
// types: each [Case] takes the messages whose property type is its name.
//
//	Handler: runtime.Dispatch(
//		runtime.On("order.created", runtime.Consume(svc.OnCreated)),     // func(context.Context, Created) error
//		runtime.On("order.cancelled", runtime.Consume(svc.OnCancelled)), // func(context.Context, Cancelled) error
//	),
//
// To middleware, limits and the failure policy it is one handler of one route;
// [Delivery.Case] has the name of the case. A message that no case takes fails with
// [ErrNoCase], permanently, unless there is a case of [Otherwise]. The contract has
// one message for each case, and the generated client one method.
//
// The handlers of all cases are made by [Consume], or all of them by [Respond].
// [Router.Register] refuses any other, two cases of one name, and no case at all.
// Dispatch has no name: name the route. See docs/decisions/0042.
func Dispatch(cases ...Case) Handler { return dispatch(Discriminator{}, cases) }

// DispatchByHeader is [Dispatch] by the text of a header of the messages.
func DispatchByHeader(header string, cases ...Case) Handler {
	return dispatch(Discriminator{header: header, by: byHeader}, cases)
}

// DispatchByKey is [Dispatch] by the key that the messages were published with.
// Keys are compared as they are: a case of "order.*" takes no message. A route
// without an exchange is refused, since its messages all have the queue's name.
func DispatchByKey(cases ...Case) Handler { return dispatch(Discriminator{by: byKey}, cases) }

// A Case of [Dispatch] is a handler for messages of one type. It is made by [On] or
// [Otherwise].
type Case struct {
	name      string
	handler   Handler
	otherwise bool
}

// On makes the case of the messages of that name, which has at most 255 bytes.
func On(name string, handler Handler) Case { return Case{name: name, handler: handler} }

// Otherwise makes the case of the messages that no other case takes. Its handler takes
// []byte, json.RawMessage or any, since they may be anything. The contract doesn't
// show it.
func Otherwise(handler Handler) Case { return Case{handler: handler, otherwise: true} }

// Name returns the name of the messages, "" for the case of [Otherwise].
func (c Case) Name() string { return c.name }

// Handler returns the handler of the messages.
func (c Case) Handler() Handler { return c.handler }

// A Discriminator is what tells the types of messages apart in [Dispatch]: a header,
// the routing key or, as the zero value, the property type.
type Discriminator struct {
	by     discriminatorKind
	header string
}

type discriminatorKind int

const (
	byType discriminatorKind = iota
	byHeader
	byKey
)

// Header returns the name of the header, false where it is none.
func (d Discriminator) Header() (string, bool) { return d.header, d.by == byHeader }

// IsKey reports whether it is the routing key.
func (d Discriminator) IsKey() bool { return d.by == byKey }

// String names d for people: "type", `header "event"` or "routing key".
func (d Discriminator) String() string {
	switch d.by {
	case byHeader:
		return fmt.Sprintf("header %q", d.header)
	case byKey:
		return "routing key"
	default:
		return "type"
	}
}

// of returns the name of the type of a message, "" where it has none.
func (d Discriminator) of(delivery *Delivery) string {
	switch d.by {
	case byHeader:
		name, _ := delivery.Headers[d.header].(string)
		return name
	case byKey:
		return delivery.RoutingKey
	default:
		return delivery.Type
	}
}

// A dispatcher is the inside of a Handler made by Dispatch.
type dispatcher struct {
	by        Discriminator
	cases     []Case // without that of Otherwise
	named     map[string]Handler
	otherwise Handler
}

func dispatch(by Discriminator, cases []Case) Handler {
	d := &dispatcher{by: by, named: make(map[string]Handler, len(cases))}
	for _, c := range cases {
		if c.otherwise {
			d.otherwise = c.handler
			continue
		}
		d.cases = append(d.cases, c)
		d.named[c.name] = c.handler
	}
	return Handler{dispatcher: d, run: d.run, fault: checkCases(by, cases)}
}

// checkCases returns why the cases can't stand together.
func checkCases(by Discriminator, cases []Case) (fault string) {
	if header, ok := by.Header(); ok && !isName(header) {
		return fmt.Sprintf("dispatches by the header %q: its name has to have 1 to %d bytes of UTF-8", header, maxName)
	}
	names := make(map[string]bool, len(cases))
	others := 0
	for _, c := range cases {
		if fault := c.check(by); fault != "" {
			return fault
		}
		if names[c.name] && !c.otherwise {
			return fmt.Sprintf("has two cases for the %v %q: remove one", by, c.name)
		}
		if c.otherwise {
			others++
		}
		names[c.name] = true
		if (c.handler.reply == nil) != (cases[0].handler.reply == nil) {
			return "has cases of runtime.Consume and of runtime.Respond: a route either answers all of its messages or none, so give the requests a queue of their own"
		}
	}
	switch {
	case others > 1:
		return "has more than one case of runtime.Otherwise: remove one"
	case len(cases) == others:
		return "has no case of runtime.On: add one, or use the handler without runtime.Dispatch"
	}
	return ""
}

// check returns why c is refused on its own.
func (c Case) check(by Discriminator) (fault string) {
	what := fmt.Sprintf("the case for the %v %q", by, c.name)
	if c.otherwise {
		what = "the case of runtime.Otherwise"
	}
	switch {
	case c.handler.IsZero():
		return what + " has no handler: make one by runtime.Consume or runtime.Respond"
	case c.handler.dispatcher != nil:
		return what + " is another runtime.Dispatch: put its cases beside the others"
	case c.handler.batch != nil:
		return what + " takes batches, and its messages come one by one: use runtime.Consume"
	case c.otherwise && c.handler.isTyped():
		return fmt.Sprintf("%s takes %v, and its messages may be anything: take []byte or json.RawMessage", what, c.handler.body)
	case !c.otherwise && !isName(c.name):
		return fmt.Sprintf("%s isn't possible: a name has 1 to %d bytes of UTF-8; runtime.Otherwise takes what has no name", what, maxName)
	}
	return ""
}

func isName(name string) bool { return name != "" && len(name) <= maxName && utf8.ValidString(name) }

// choose returns the handler for a delivery, and the name of its case.
func (d *dispatcher) choose(delivery *Delivery) (Handler, string) {
	name := d.by.of(delivery)
	if handler, ok := d.named[name]; ok {
		return handler, name
	}
	return d.otherwise, ""
}

// run handles a delivery, which middleware may have changed since its case was noted.
func (d *dispatcher) run(ctx context.Context, delivery *Delivery) (*Message, error) {
	handler, name := d.choose(delivery)
	delivery.Case = name
	switch {
	case handler.run != nil:
		return handler.run(ctx, delivery)
	case delivery.Unreadable != nil: // the header may be among those that are missing
		return nil, Reject(delivery.Unreadable)
	}
	return nil, Reject(fmt.Errorf("%w: its %v is %q: add a case for it, or one of runtime.Otherwise", ErrNoCase, d.by, d.by.of(delivery)))
}

// Cases returns the cases of a Handler made by [Dispatch] in their order, without that
// of [Otherwise], and by what they are told apart. There are none of any other handler.
func (h Handler) Cases() ([]Case, Discriminator) {
	if h.dispatcher == nil {
		return nil, Discriminator{}
	}
	return slices.Clone(h.dispatcher.cases), h.dispatcher.by
}

// answers reports whether the handler is one of Respond, or its cases are.
func (h Handler) answers() bool {
	return h.reply != nil || h.dispatcher != nil && len(h.dispatcher.cases) > 0 && h.dispatcher.cases[0].handler.reply != nil
}
