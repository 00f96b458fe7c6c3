package memory

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/warrenmq/warren/internal/fieldtable"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/wire"
)

// A declarer declares what a router wants, or finds that it is there already. Its
// errors name what was declared, and for whom.
type declarer struct {
	server *Server
	broker *Broker
	mode   runtime.TopologyMode
}

// all declares the routes, and what is declared beside them.
func (d declarer) all(routes []runtime.Route, beside *runtime.Topology) error {
	const of = "of Router.Declare"
	if err := d.exchanges(beside.Exchanges, of); err != nil {
		return err
	}
	for _, queue := range beside.Queues {
		if err := d.queue(queue, of); err != nil {
			return err
		}
	}
	for i := range routes {
		route := routes[i].ForInstance(d.broker.instance)
		if err := d.route(&route); err != nil {
			return err
		}
	}
	if err := d.bindings(beside.Bindings, of); err != nil || d.mode != runtime.TopologyDeclare {
		return err
	}
	for _, b := range beside.ExchangeBindings {
		if err := d.server.bindExchange(b); err != nil {
			return fmt.Errorf("bind exchange %q to exchange %q %s: key %q: %w", b.Destination, b.Source, of, b.RoutingKey, err)
		}
	}
	return nil
}

// route declares the route's exchanges, queues and bindings.
func (d declarer) route(route *runtime.Route) error {
	of := fmt.Sprintf("for route %q", route.Name)
	if err := d.exchanges(route.Exchanges(), of); err != nil {
		return err
	}
	own := d
	if route.Queue.PerInstance {
		own.mode = runtime.TopologyDeclare
	}
	if err := own.queue(route.Queue, of); err != nil {
		return err
	}
	for _, queue := range route.FailureQueues() {
		if err := d.queue(queue, fmt.Sprintf("of the failure policy of route %q", route.Name)); err != nil {
			return err
		}
	}
	return own.bindings(route.Bindings(), of)
}

var errMissing = errors.New("it doesn't exist: start the service that declares it, or set Config.Topology otherwise")

func (d declarer) exchanges(exchanges []runtime.Exchange, of string) error {
	for _, x := range exchanges {
		var err error
		switch d.mode {
		case runtime.TopologyNone:
		case runtime.TopologyVerify:
			if d.server.exchanges[x.Name] == nil {
				return fmt.Errorf("look for exchange %q %s: %w", x.Name, of, errMissing)
			}
		default:
			err = d.server.declareExchange(x)
		}
		if err != nil {
			return fmt.Errorf("declare exchange %q %s: %w", x.Name, of, err)
		}
	}
	return nil
}

func (d declarer) queue(q runtime.Queue, of string) error {
	switch d.mode {
	case runtime.TopologyNone:
		return nil
	case runtime.TopologyVerify:
		if d.server.queues[q.Name] == nil {
			return fmt.Errorf("look for queue %q %s: %w", q.Name, of, errMissing)
		}
		return nil
	}
	if err := d.server.declareQueue(d.broker, q); err != nil {
		return fmt.Errorf("declare queue %q %s: %w", q.Name, of, err)
	}
	return nil
}

func (d declarer) bindings(bindings []runtime.Binding, of string) error {
	if d.mode != runtime.TopologyDeclare {
		return nil
	}
	for _, b := range bindings {
		if err := d.server.bind(b); err != nil {
			return fmt.Errorf("bind queue %q to exchange %q %s: key %q: %w", b.Queue, b.Exchange, of, b.RoutingKey, err)
		}
	}
	return nil
}

// declareAgain declares the queues of a route, of which one may have gone.
func (s *Server) declareAgain(b *Broker, route runtime.Route) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.config.Topology != runtime.TopologyDeclare {
		return errMissing
	}
	return declarer{server: s, broker: b}.route(&route)
}

var errReserved = errors.New(`names that begin with "amq." are the broker's own: choose another`)

func (s *Server) declareExchange(spec runtime.Exchange) error {
	arguments, err := wire.CopyTable("argument", spec.Arguments)
	if err != nil {
		return err
	}
	spec.Arguments = arguments
	if old := s.exchanges[spec.Name]; old != nil {
		return old.sameAs(spec)
	}
	if strings.HasPrefix(spec.Name, "amq.") {
		return errReserved
	}
	if alternate, given := arguments["alternate-exchange"]; given {
		if err := isText(alternate); err != nil {
			return fmt.Errorf("the argument alternate-exchange is %v: %w", alternate, err)
		}
	}
	x := &exchange{spec: spec, routing: spec.Type}
	if spec.Type == delayedMessage {
		kind, _ := arguments["x-delayed-type"].(string)
		x.delays, x.routing = true, runtime.ExchangeType(kind)
	}
	switch x.routing {
	case runtime.Direct, runtime.Fanout, runtime.Topic, runtime.Headers:
	default:
		return fmt.Errorf("the type %q is unknown here: use direct, fanout, topic or headers, or x-delayed-message with one of them as x-delayed-type", x.routing)
	}
	s.exchanges[spec.Name] = x
	return nil
}

func (s *Server) declareQueue(b *Broker, spec runtime.Queue) error {
	arguments, err := wire.CopyTable("argument", spec.Arguments)
	if err != nil {
		return err
	}
	spec.Arguments = arguments
	if old := s.queues[spec.Name]; old != nil {
		if old.owner != nil && old.owner != b {
			return errors.New("it is the exclusive queue of another broker: choose another name, or shut that broker down")
		}
		return old.sameAs(spec)
	}
	if strings.HasPrefix(spec.Name, "amq.") {
		return errReserved
	}
	q, err := newQueue(spec)
	if err != nil {
		return err
	}
	if spec.Exclusive {
		q.owner = b
	}
	s.queues[spec.Name] = q
	s.idle(q)
	return nil
}

func (s *Server) bind(b runtime.Binding) error {
	q := s.queues[b.Queue]
	if q == nil {
		return fmt.Errorf("the queue: %w", errMissing)
	}
	return s.bindTo(b.Exchange, binding{key: b.RoutingKey, arguments: b.Arguments, queue: q})
}

func (s *Server) bindExchange(b runtime.ExchangeBinding) error {
	x := s.exchanges[b.Destination]
	if x == nil {
		return fmt.Errorf("the destination: %w", errMissing)
	}
	return s.bindTo(b.Source, binding{key: b.RoutingKey, arguments: b.Arguments, exchange: x})
}

func (s *Server) bindTo(exchange string, b binding) error {
	arguments, err := wire.CopyTable("argument", b.arguments)
	if err != nil {
		return err
	}
	b.arguments = arguments
	x := s.exchanges[exchange]
	if x == nil {
		return fmt.Errorf("the exchange: %w", errMissing)
	}
	if x.routing == runtime.Headers {
		if err := checkMatch(arguments); err != nil {
			return err
		}
	}
	x.bind(b)
	return nil
}

func (x *exchange) sameAs(spec runtime.Exchange) error {
	return errors.Join(
		differs("internal", x.internal, false),
		differs("type", x.spec.Type, spec.Type),
		differs("durable", x.spec.Durable, spec.Durable),
		differs("auto_delete", x.spec.AutoDelete, spec.AutoDelete),
		differs("alternate-exchange", x.spec.Arguments["alternate-exchange"], spec.Arguments["alternate-exchange"]),
		differs("x-delayed-type", x.spec.Arguments["x-delayed-type"], spec.Arguments["x-delayed-type"]),
	)
}

func (q *queue) sameAs(spec runtime.Queue) error {
	errs := []error{
		differs("durable", q.spec.Durable, spec.Durable),
		differs("exclusive", q.spec.Exclusive, spec.Exclusive),
		differs("auto_delete", q.spec.AutoDelete, spec.AutoDelete),
		differs("x-queue-type", kindOf(q.spec), kindOf(spec)),
	}
	for name, argument := range arguments {
		if argument.compared {
			errs = append(errs, differs(name, byValue(q.spec.Arguments[name]), byValue(spec.Arguments[name])))
		}
	}
	return errors.Join(errs...)
}

// byValue makes integers of all sizes equal by value.
func byValue(value any) any {
	if n, ok := fieldtable.Integer(value); ok {
		return n
	}
	return value
}

// differs returns an error when a property isn't declared as it was before.
func differs(property string, have, want any) error {
	if reflect.DeepEqual(have, want) {
		return nil
	}
	return fmt.Errorf("it exists with %s=%v, and %v is wanted: delete it, or declare it alike", property, have, want)
}

// idle deletes q after its x-expires, unless it gets a consumer before.
func (s *Server) idle(q *queue) {
	q.stopIdling()
	if q.idleLimit == unlimited || len(q.consumers) > 0 {
		return
	}
	q.idleTimer = time.AfterFunc(q.idleLimit, func() {
		s.mu.Lock()
		defer s.unlock()
		if len(q.consumers) == 0 {
			s.deleteQueue(q)
		}
	})
}

func (s *Server) deleteQueue(q *queue) {
	if s.queues[q.spec.Name] != q {
		return
	}
	delete(s.queues, q.spec.Name)
	q.discard()
	s.unbind(func(b binding) bool { return b.queue == q })
}

// unbind removes the bindings to what has gone. An exchange that is to go with its last
// binding goes, too.
func (s *Server) unbind(isTo func(binding) bool) {
	for name, x := range s.exchanges {
		if x.unbind(isTo) && x.spec.AutoDelete && len(x.bindings) == 0 {
			delete(s.exchanges, name)
			s.unbind(func(b binding) bool { return b.exchange == x })
		}
	}
}
