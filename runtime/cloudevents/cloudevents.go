// Package cloudevents carries CloudEvents 1.0 in both content modes: binary, where the
// attributes are headers and the body is the data, and structured, where the body is a
// JSON envelope around both.
//
//	router.Use(cloudevents.Receive) // handlers take the data; EventFrom(ctx) has the attributes
//	client := ordersclient.New(broker, runtime.WithInterceptors(
//		cloudevents.SendBinary(cloudevents.Attributes{Source: "/shop", Type: "com.example.order.created"})))
//
// The type that a handler takes is that of the data. So is the schema in the AsyncAPI
// document: it is what the body is in binary mode.
//
// Attributes are headers with the prefix "cloudEvents_", as the AMQP binding of
// CloudEvents 1.0.2 prefers it; "cloudEvents:" is read as well.
//
// It is a package of its own, so that a user of package runtime compiles none of the
// library of CloudEvents.
package cloudevents

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"

	"github.com/warrenmq/warren/runtime"
)

// structured is the content type of the envelope.
const structured = event.ApplicationCloudEventsJSON

// Prefixes of headers that are attributes.
const (
	prefix    = "cloudEvents_"
	oldPrefix = "cloudEvents:"
)

type eventKey struct{}

// EventFrom returns the event that is handled, with its attributes and data, false where
// the message is none. It is for handlers and middleware inside of [Receive].
func EventFrom(ctx context.Context) (event.Event, bool) {
	e, ok := ctx.Value(eventKey{}).(event.Event)
	return e, ok
}

// Receive is the middleware that reads events. Of one in structured mode it passes on a
// copy of the delivery in binary mode: its body is the event's data, with its content
// type, and its attributes are headers, so that [runtime.DispatchByHeader] with
// "cloudEvents_type" works in both modes. An event that isn't valid, or a batch
// of events, fails as by [runtime.Reject]. Messages that are no events are passed on as
// they are.
func Receive(next runtime.HandlerFunc) runtime.HandlerFunc {
	return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
		e, mode, err := read(&d.Message)
		if err != nil {
			return nil, runtime.Reject(&runtime.DecodeError{Err: fmt.Errorf("read the CloudEvent: %w", err)})
		}
		if mode == none {
			return next(ctx, d)
		}
		ctx = context.WithValue(ctx, eventKey{}, e)
		if mode == binaryMode {
			return next(ctx, d)
		}
		unwrapped := *d
		unwrapped.Body, unwrapped.ContentType = e.DataEncoded, cmp.Or(e.DataContentType(), event.ApplicationJSON)
		unwrapped.Headers = maps.Clone(d.Headers)
		maps.DeleteFunc(unwrapped.Headers, isAttribute) // the envelope's count
		addAttributes(&unwrapped.Message, e)
		return next(ctx, &unwrapped)
	}
}

type mode int

const (
	none mode = iota
	binaryMode
	structuredMode
)

// read tells the mode by the content type and the header specversion, as the binding
// says.
func read(m *runtime.Message) (event.Event, mode, error) {
	media, _, _ := strings.Cut(strings.ToLower(m.ContentType), ";")
	switch media = strings.TrimSpace(media); {
	case media == structured:
		var e event.Event
		if err := json.Unmarshal(m.Body, &e); err != nil {
			return e, structuredMode, err
		}
		if version := e.SpecVersion(); version != event.CloudEventsVersionV1 {
			return e, structuredMode, errVersion(version)
		}
		return e, structuredMode, e.Validate()
	case strings.HasPrefix(media, "application/cloudevents"):
		return event.Event{}, none, fmt.Errorf("the content type %q isn't one that is read here: send single events as %s", m.ContentType, structured)
	}
	version, ok := attribute(m.Headers, "specversion")
	if !ok {
		return event.Event{}, none, nil
	}
	e, err := readBinary(m, version)
	return e, binaryMode, err
}

func attribute(headers map[string]any, name string) (any, bool) {
	for _, p := range [...]string{prefix, oldPrefix} {
		if value, ok := headers[p+name]; ok {
			return value, true
		}
	}
	return nil, false
}

func errVersion(version any) error {
	return fmt.Errorf("the attribute specversion is %v, and 1.0 is read", version)
}

func isAttribute(header string, _ any) bool {
	return strings.HasPrefix(header, prefix) || strings.HasPrefix(header, oldPrefix)
}

func readBinary(m *runtime.Message, version any) (event.Event, error) {
	if version != event.CloudEventsVersionV1 {
		return event.Event{}, errVersion(version)
	}
	e := event.New(event.CloudEventsVersionV1)
	e.DataEncoded = m.Body
	if m.ContentType != "" {
		e.SetDataContentType(m.ContentType)
	}
	for header, value := range m.Headers {
		name, ok := strings.CutPrefix(header, prefix)
		if !ok {
			name, ok = strings.CutPrefix(header, oldPrefix)
		}
		if !ok {
			continue
		}
		if err := setAttribute(&e, name, value); err != nil {
			return e, err
		}
	}
	return e, e.Validate()
}

// setAttribute sets an attribute of any name. Those of the specification are text, but
// for the time, which AMQP has a type for.
func setAttribute(e *event.Event, name string, value any) error {
	text, isText := value.(string)
	switch name {
	case "specversion":
		return nil
	case "time":
		if at, ok := value.(time.Time); ok {
			e.SetTime(at)
			return nil
		}
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return fmt.Errorf("the attribute time is %v: %w", value, err)
		}
		e.SetTime(at)
		return nil
	case "id", "source", "type", "subject", "dataschema", "datacontenttype":
		if !isText {
			return fmt.Errorf("the attribute %s is a %T, and has to be text", name, value)
		}
		map[string]func(string){
			"id": e.SetID, "source": e.SetSource, "type": e.SetType, "subject": e.SetSubject,
			"dataschema": e.SetDataSchema, "datacontenttype": e.SetDataContentType,
		}[name](text)
		return nil
	}
	if err := e.Context.SetExtension(name, value); err != nil {
		return fmt.Errorf("the extension %s: %w", name, err)
	}
	return nil
}

// Attributes are those of the events that a client sends. Source is required.
type Attributes struct {
	Source     string         // who says so, a URI reference such as "/shop"
	Type       string         // what has happened; the name of the route where it is empty
	Subject    string         // what it happened to; may be empty
	DataSchema string         // the URI of the data's schema; may be empty
	Extensions map[string]any // further attributes: text, booleans, int32, []byte and time.Time; their names are lower-case letters and digits
}

// SendBinary returns an interceptor that makes an event of each message, in binary mode.
// Its id is the message's id, or else a new one, which the message then has, too. Its
// time is the message's, or else now. Attributes that the message has as headers stay.
func SendBinary(a Attributes) runtime.Interceptor {
	return send(a, func(m *runtime.Message, e event.Event) error {
		addAttributes(m, e)
		return nil
	})
}

// addAttributes makes headers of the event's attributes, but for those that the message
// has.
func addAttributes(m *runtime.Message, e event.Event) {
	headers := map[string]any{"specversion": e.SpecVersion(), "id": e.ID(), "source": e.Source(), "type": e.Type()}
	if !e.Time().IsZero() {
		headers["time"] = e.Time().Format(time.RFC3339Nano)
	}
	for name, value := range map[string]string{"subject": e.Subject(), "dataschema": e.DataSchema()} {
		if value != "" {
			headers[name] = value
		}
	}
	for name, value := range e.Extensions() {
		headers[name] = headerOf(value)
	}
	for name, value := range headers {
		if _, given := attribute(m.Headers, name); !given {
			runtime.WithHeader(prefix+name, value)(m)
		}
	}
}

// headerOf returns the value of an extension as a header: what AMQP has no type for is
// text, as in the envelope.
func headerOf(value any) any {
	switch value := value.(type) {
	case bool, int32, string, []byte:
		return value
	case fmt.Stringer: // a time or a URI
		return value.String()
	}
	return value
}

// SendStructured is SendBinary in structured mode. A body that isn't JSON is in the
// envelope in base64.
func SendStructured(a Attributes) runtime.Interceptor {
	return send(a, func(m *runtime.Message, e event.Event) error {
		if m.ContentEncoding != "" {
			return fmt.Errorf("the body has the content encoding %q: put this interceptor before the one that packs", m.ContentEncoding)
		}
		body, err := json.Marshal(e)
		if err != nil {
			return err
		}
		m.Body, m.ContentType = body, structured
		return nil
	})
}

func send(a Attributes, write func(*runtime.Message, event.Event) error) runtime.Interceptor {
	return func(next runtime.SendFunc) runtime.SendFunc {
		return func(ctx context.Context, s *runtime.Sending) (*runtime.Message, error) {
			e, err := newEvent(a, s)
			if err == nil {
				err = write(s.Message, e)
			}
			if err != nil {
				return nil, fmt.Errorf("make a CloudEvent of the message: %w", err)
			}
			return next(ctx, s)
		}
	}
}

func newEvent(a Attributes, s *runtime.Sending) (event.Event, error) {
	m := s.Message
	m.MessageID = cmp.Or(m.MessageID, rand.Text())
	e := event.New(event.CloudEventsVersionV1)
	e.SetID(m.MessageID)
	e.SetSource(a.Source)
	e.SetType(cmp.Or(a.Type, s.Route))
	e.SetSubject(a.Subject)
	at := m.Timestamp
	if at.IsZero() {
		at = time.Now()
	}
	e.SetTime(at)
	if a.DataSchema != "" {
		e.SetDataSchema(a.DataSchema)
	}
	if m.ContentType != "" {
		e.SetDataContentType(m.ContentType)
	}
	for name, value := range a.Extensions {
		if err := e.Context.SetExtension(name, value); err != nil {
			return e, fmt.Errorf("the extension %s: %w", name, err)
		}
	}
	e.DataEncoded, e.DataBase64 = m.Body, !json.Valid(m.Body)
	if a.Source == "" {
		return e, errors.New("Attributes.Source is empty: it says who the event is from")
	}
	return e, e.Validate()
}
