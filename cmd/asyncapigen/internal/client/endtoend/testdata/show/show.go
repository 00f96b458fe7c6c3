// Package show serves the routes of a program, and calls each method of their client.
package show

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/warrenmq/warren/internal/methodname"
	"github.com/warrenmq/warren/internal/schema/random"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

const (
	patience = time.Minute // ends a test that hangs
	rounds   = 3           // of calls of each method
)

var clients [][]runtime.ClientOption

// Sending adds a client with the options, in place of the one without.
func Sending(options ...runtime.ClientOption) { clients = append(clients, options) }

// Document calls each method of the client, on the broker of the environment.
func Document(routers ...*runtime.Router) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s := &service{
		routes:  make(map[string]runtime.Route),
		arrived: make(chan arrival, 100),
		source:  random.Source{Rand: rand.New(rand.NewPCG(5, 6)), MaxDepth: 3},
	}
	if err := s.run(ctx, routers); err != nil {
		log.Fatal(err)
	}
	fmt.Println("sent", s.sends)
}

// A service is one whose client is called.
type service struct {
	routes  map[string]runtime.Route
	arrived chan arrival
	source  random.Source
	sent    *runtime.Sending // the latest
	sends   int
}

// An arrival is what the handler of a route was given, and what it returned.
type arrival struct {
	delivery runtime.Delivery
	reply    *runtime.Message
	err      error
}

func (s *service) run(ctx context.Context, routers []*runtime.Router) error {
	server := new(memory.Server)
	var transport runtime.Transport
	for _, router := range routers {
		router.Use(s.observe)
		for _, route := range router.Routes() {
			s.routes[route.Name] = route
		}
	}
	for _, router := range routers {
		broker, err := newBroker(server)
		if err != nil {
			return err
		}
		if err := broker.Start(ctx, router); err != nil {
			return err
		}
		defer broker.Shutdown(ctx)
		transport = broker
	}
	if clients == nil {
		clients = [][]runtime.ClientOption{nil}
	}
	for _, options := range clients {
		client := newClient(transport, append([]runtime.ClientOption{runtime.WithInterceptors(s.keep)}, options...)...)
		for _, name := range slices.Sorted(maps.Keys(s.routes)) {
			if err := s.callAll(ctx, reflect.ValueOf(client), s.routes[name]); err != nil {
				return fmt.Errorf("route %s: %w", name, err)
			}
		}
	}
	return nil
}

func newBroker(server *memory.Server) (runtime.Broker, error) {
	if url := os.Getenv("RABBITMQ_URL"); url != "" {
		return rabbitmq.New(rabbitmq.Config{URL: url})
	}
	return memory.New(memory.Config{Server: server}), nil
}

// observe is the innermost middleware.
func (s *service) observe(next runtime.HandlerFunc) runtime.HandlerFunc {
	return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
		got := *d
		got.Headers = maps.Clone(d.Headers)
		reply, err := next(ctx, d)
		if err == nil && s.routes[d.Route].AckMode == runtime.AckByHand {
			err = d.Ack()
		}
		s.arrived <- arrival{got, reply, err}
		return reply, err
	}
}

// keep is the outermost interceptor of the client.
func (s *service) keep(next runtime.SendFunc) runtime.SendFunc {
	return func(ctx context.Context, sending *runtime.Sending) (*runtime.Message, error) {
		message := *sending.Message
		message.Headers = maps.Clone(message.Headers)
		s.sent = &runtime.Sending{Route: sending.Route, To: sending.To, Message: &message, Call: sending.Call}
		return next(ctx, sending)
	}
}

// callAll calls the methods of a route: one for each case, or the only one.
func (s *service) callAll(ctx context.Context, client reflect.Value, route runtime.Route) error {
	cases, _ := route.Handler.Cases()
	if cases == nil {
		return s.callSome(ctx, client, route, "")
	}
	for _, c := range cases {
		if c.Name() == "" { // that of Otherwise
			continue
		}
		if err := s.callSome(ctx, client, route, c.Name()); err != nil {
			return fmt.Errorf("case %s: %w", c.Name(), err)
		}
	}
	return nil
}

func (s *service) callSome(ctx context.Context, client reflect.Value, route runtime.Route, of string) error {
	ident := methodname.Of(route.Name) + methodname.Of(of)
	method := client.MethodByName("Publish" + ident)
	if !method.IsValid() {
		method = client.MethodByName("Call" + ident)
	}
	if !method.IsValid() {
		return fmt.Errorf("the client has no method for %s", ident)
	}
	for round := range rounds {
		if err := s.call(ctx, method, route, of, round); err != nil {
			return err
		}
	}
	return nil
}

// call calls the method once, and compares what was sent with what has arrived.
func (s *service) call(ctx context.Context, method reflect.Value, route runtime.Route, of string, round int) error {
	s.sends++
	id := fmt.Sprintf("%s-%d", route.Name, s.sends)
	args, msg := s.arguments(ctx, method.Type(), route, round)
	args = append(args, reflect.ValueOf(runtime.WithMessageID(id)))
	s.sent = nil
	results := method.Call(args)
	err, _ := results[len(results)-1].Interface().(error)
	var failed *runtime.SendError
	if s.sent == nil || err != nil && !s.sent.Call {
		return fmt.Errorf("send %v: %w", msg, err)
	}
	got, missed := s.await(ctx, id, route.Name)
	if missed != nil {
		return fmt.Errorf("sent %s to %v, err %v: %w", s.sent.Message.Body, s.sent.To, err, missed)
	}
	if err := s.compare(got, msg, route, of); err != nil {
		return fmt.Errorf("sent %s, got %s: %w", s.sent.Message.Body, got.delivery.Body, err)
	}
	switch {
	case !s.sent.Call:
		return nil
	case got.err != nil && errors.As(err, &failed) && failed.Stage == "reply":
		return nil
	case err != nil || got.err != nil:
		return fmt.Errorf("the caller got %v, the handler returned %v", err, got.err)
	}
	return sameReply(got.reply, results[0].Interface(), route)
}

// await returns what a route got of the message.
func (s *service) await(ctx context.Context, id, route string) (arrival, error) {
	for {
		select {
		case got := <-s.arrived:
			if got.delivery.MessageID == id && got.delivery.Route == route {
				return got, nil
			}
		case <-ctx.Done():
			return arrival{}, errors.New("the route hasn't got it")
		}
	}
}

// compare holds what a handler was given against what was sent.
func (s *service) compare(got arrival, msg any, route runtime.Route, of string) error {
	d, sent := got.delivery, s.sent.Message
	var undecodable *runtime.DecodeError
	switch {
	case errors.As(got.err, &undecodable):
		return got.err
	case s.sent.Route != route.Name:
		return fmt.Errorf("an interceptor sees the route %q", s.sent.Route)
	case d.Case != of:
		return fmt.Errorf("it was handled by the case %q, not %q", d.Case, of)
	case d.Exchange != s.sent.To.Exchange || d.RoutingKey != s.sent.To.RoutingKey:
		return fmt.Errorf("it came by the exchange %q with key %q", d.Exchange, d.RoutingKey)
	case !bytes.Equal(d.Body, sent.Body):
		return errors.New("the bodies differ")
	case d.ContentType != sent.ContentType || d.Type != sent.Type:
		return fmt.Errorf("content type %q and type %q, not %q and %q", d.ContentType, d.Type, sent.ContentType, sent.Type)
	}
	for name, value := range sent.Headers {
		if fmt.Sprint(d.Headers[name]) != fmt.Sprint(value) {
			return fmt.Errorf("the header %q is %v, not %v", name, d.Headers[name], value)
		}
	}
	return sameValue(d.Body, msg, route, of)
}

// sameValue compares the body with the value that was given to the method, and has the
// handler's own type read all of it.
func sameValue(body []byte, msg any, route runtime.Route, of string) error {
	raw, isRaw := msg.([]byte)
	switch {
	case isRaw && !bytes.Equal(raw, body):
		return errors.New("the bytes differ")
	case isRaw || route.Codec != nil:
		return nil
	}
	want, err := json.Marshal(msg)
	if err != nil || !bytes.Equal(want, body) {
		return fmt.Errorf("encoding/json writes %s, error %v", want, err)
	}
	t := bodyType(route.Handler, of)
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	return decoder.Decode(reflect.New(t).Interface())
}

func bodyType(h runtime.Handler, of string) reflect.Type {
	cases, _ := h.Cases()
	for _, c := range cases {
		if c.Name() == of {
			return c.Handler().BodyType()
		}
	}
	return h.BodyType()
}

func sameReply(reply *runtime.Message, result any, route runtime.Route) error {
	if raw, isRaw := result.([]byte); isRaw {
		if !bytes.Equal(raw, reply.Body) {
			return errors.New("the bytes of the reply differ")
		}
		return nil
	}
	write := json.Marshal
	if route.Codec != nil {
		write = route.Codec.Marshal
	}
	got, err := write(reflect.Indirect(reflect.ValueOf(result)).Interface())
	if err != nil || !bytes.Equal(got, reply.Body) {
		return fmt.Errorf("the handler's reply is %s, and the client returned %s, error %v", reply.Body, got, err)
	}
	return nil
}

// arguments makes those of a method but for its options, and returns the message
// among them.
func (s *service) arguments(ctx context.Context, t reflect.Type, route runtime.Route, round int) (args []reflect.Value, msg any) {
	last := t.NumIn() - 2 // before the options
	args = append(args, reflect.ValueOf(ctx))
	for i := 1; i < last; i++ {
		args = append(args, s.keyArgument(t.In(i), last, route, round))
	}
	for {
		value := s.message(t.In(last))
		if isMessage(value) {
			return append(args, value), value.Interface()
		}
	}
}

// isMessage reports whether encoding/json reads what it writes of a value.
func isMessage(value reflect.Value) bool {
	body, err := json.Marshal(value.Interface())
	return err == nil && string(body) != "null" && json.Unmarshal(body, reflect.New(value.Type()).Interface()) == nil
}

func (s *service) message(t reflect.Type) reflect.Value {
	if t.Kind() != reflect.Pointer {
		return s.source.Value(t)
	}
	return s.source.Value(t.Elem()).Addr()
}

// keyArgument is a word, words or a key. The only one of a route with several keys is
// a key.
func (s *service) keyArgument(t reflect.Type, last int, route runtime.Route, round int) reflect.Value {
	if t.Kind() == reflect.Slice {
		return reflect.ValueOf([]string{"one", "two"}[:round%3])
	}
	key := "word"
	if keys := route.RoutingKeys; last == 2 && len(keys) > 1 {
		words := strings.Split(keys[round%len(keys)], ".")
		for i, word := range words {
			if t == reflect.TypeFor[string]() && (word == "*" || word == "#") {
				words[i] = "word"
			}
		}
		key = strings.Join(words, ".")
	}
	return reflect.ValueOf(key).Convert(t)
}
