package memory

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/wire"
)

// declare makes the route's exchange, queue and bindings, or finds that they
// are there already. The errors name what was declared, and for which route.
func (s *Server) declare(b *Broker, route *runtime.Route) error {
	if route.Exchange != nil {
		if err := s.declareExchange(*route.Exchange); err != nil {
			return fmt.Errorf("declare exchange %q for route %q: %w", route.Exchange.Name, route.Name, err)
		}
	}
	if err := s.declareQueue(b, route.Queue); err != nil {
		return fmt.Errorf("declare queue %q for route %q: %w", route.Queue.Name, route.Name, err)
	}
	for _, queue := range route.FailureQueues() {
		if err := s.declareQueue(b, queue); err != nil {
			return fmt.Errorf("declare queue %q of the failure policy of route %q: %w", queue.Name, route.Name, err)
		}
	}
	for _, binding := range route.Bindings() {
		if err := s.bind(binding); err != nil {
			return fmt.Errorf("bind queue %q to exchange %q for route %q: %w", binding.Queue, binding.Exchange, route.Name, err)
		}
	}
	return nil
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
	arguments, err := wire.CopyTable("argument", b.Arguments)
	if err != nil {
		return err
	}
	x := s.exchanges[b.Exchange]
	if x.routing == runtime.Headers {
		if err := checkMatch(arguments); err != nil {
			return err
		}
	}
	x.bind(binding{key: b.RoutingKey, arguments: arguments, queue: s.queues[b.Queue]})
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
	if n, ok := integer(value); ok {
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
	if q.idleLimit <= 0 || len(q.consumers) > 0 {
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
	for name, x := range s.exchanges {
		if x.unbind(q) && x.spec.AutoDelete && len(x.bindings) == 0 {
			delete(s.exchanges, name)
		}
	}
}
