package scan

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// The packages of watermill, of any major version.
var (
	watermillAMQP    = regexp.MustCompile(`^github\.com/ThreeDotsLabs/watermill-amqp(/v\d+)?/pkg/amqp$`)
	watermillMessage = "github.com/ThreeDotsLabs/watermill/message"
)

func isWatermill(path string) bool {
	return path == watermillMessage || watermillAMQP.MatchString(path)
}

var subscribe = regexp.MustCompile(`^\(\*github\.com/ThreeDotsLabs/watermill-amqp(/v\d+)?/pkg/amqp\.Subscriber\)\.Subscribe$`)

func consumesByWatermill(fullName string) bool { return subscribe.MatchString(fullName) }

// watermillCall evaluates a call of watermill: a subscriber is made with a
// configuration, whose functions give names to topics, and subscribes to them by
// itself or for a router.
func (s *scanner) watermillCall(call *model.Call, fn *types.Func) (value.Value, bool) {
	if fn.Pkg().Path() == watermillMessage {
		return s.watermillRouter(call, fn)
	}
	switch name := fn.FullName()[strings.LastIndex(fn.FullName(), "/amqp.")+len("/amqp."):]; name {
	case "NewSubscriber", "NewSubscriberWithConnection":
		return results(call, &subscriber{fn.Signature().Results().At(0).Type(), call.Args[0]}), true
	case "NewPublisher", "NewPublisherWithConnection", "NewConnection":
		return results(call, &handle{fn.Signature().Results().At(0).Type()}), true
	case "Subscriber).Subscribe":
		s.reach(call)
		c, message := s.subscribed(call, call.Fn.Recv, call.Args[1])
		if c == nil {
			return succeed(s, call)
		}
		t := fn.Signature().Results().At(0).Type()
		return results(call, &feed{typ: t, next: func() value.Value { return message(t.Underlying().(*types.Chan).Elem()) }}), true
	}
	if _, ok := call.Fn.Recv.(value.Atom); ok {
		return succeed(s, call)
	}
	return nil, false
}

// watermillRouter evaluates the calls by which a router gets a handler, whose
// arguments are a name, the topic, the subscriber, and at the end the function.
func (s *scanner) watermillRouter(call *model.Call, fn *types.Func) (value.Value, bool) {
	if !isRouter(fn) {
		return nil, false
	}
	if !addsHandler(fn) || len(call.Args) < 4 {
		return succeed(s, call)
	}
	s.reach(call)
	if c, message := s.subscribed(call, call.Args[2], call.Args[1]); c != nil {
		c.Settles = true // by what the handler returns
		handler := call.Args[len(call.Args)-1]
		if sig, ok := fn.Signature().Params().At(len(call.Args) - 1).Type().Underlying().(*types.Signature); ok {
			call.Call(call.At, handler, []value.Value{message(sig.Params().At(0).Type())})
		}
	}
	return succeed(s, call)
}

func isRouter(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && strings.HasSuffix(recv.Type().String(), "message.Router")
}

func addsHandler(fn *types.Func) bool {
	return strings.HasPrefix(fn.Name(), "Add") && strings.HasSuffix(fn.Name(), "Handler")
}

// isRouted reports whether a call adds a handler to a router, with a subscriber that
// may be one of AMQP.
func (s *scanner) isRouted(pkg *load.Package, call *ast.CallExpr, fn *types.Func) bool {
	if fn.Pkg() == nil || fn.Pkg().Path() != watermillMessage || !isRouter(fn) || !addsHandler(fn) || len(call.Args) < 4 {
		return false
	}
	return s.maySubscribe(pkg.Info.TypeOf(call.Args[2]))
}

// maySubscribe reports whether a subscriber of a type, nil where it isn't known, may be
// one of AMQP, or one of the program's own around it.
func (s *scanner) maySubscribe(t types.Type) bool {
	if t != nil && !types.IsInterface(t) {
		named := value.NamedOf(t)
		return named == nil || named.Obj().Pkg() == nil || watermillAMQP.MatchString(named.Obj().Pkg().Path()) || s.program.IsOwn(named.Obj().Pkg().Path())
	}
	return slices.ContainsFunc(s.program.Checked(), func(pkg *load.Package) bool {
		return pkg != nil && pkg.Types != nil && slices.ContainsFunc(pkg.Types.Imports(), func(p *types.Package) bool { return watermillAMQP.MatchString(p.Path()) })
	})
}

// subscriber is one that was made with a configuration.
type subscriber struct {
	typ    types.Type
	config value.Value
}

// DynamicType implements [value.Atom].
func (s *subscriber) DynamicType() types.Type { return s.typ }

// subscribed records a subscription to a topic, and returns what makes a message of
// the type *message.Message. It returns nil where the subscriber isn't one of AMQP, or
// isn't known, which is a problem.
func (s *scanner) subscribed(call *model.Call, by, topic value.Value) (*Consumer, func(types.Type) value.Value) {
	from, ok := by.(*subscriber)
	if !ok {
		if s.maySubscribe(value.TypeOf(by)) {
			s.unknownSubscription(call, "its subscriber", by)
		}
		return nil, nil
	}
	config, ok := from.config.(*value.Struct)
	if !ok {
		s.unknownSubscription(call, "the configuration of its subscriber", from.config)
		return nil, nil
	}
	named := func(part, generator string) value.Value {
		if of, ok := field(config, part).(*value.Struct); ok {
			if fn := field(of, generator); fn != nil && !value.IsNil(fn) {
				return call.Call(call.At, fn, []value.Value{topic})
			}
		}
		return topic
	}
	name, server, key := s.queueName(named("Queue", "GenerateName"))
	c := &Consumer{Client: "watermill-amqp", Pos: s.program.Position(call.At.Pos()), Queue: Queue{Name: name, Server: server}}
	s.readConfig(config, c, key, named)
	c = s.record(c, key)
	return c, func(t types.Type) value.Value { return s.message(call, t, c) }
}

func (s *scanner) unknownSubscription(call *model.Call, what string, v value.Value) {
	why := what + " isn't followed"
	if u, ok := v.(*value.Unknown); ok && u.Reason != "" {
		why = what + " is " + u.Reason
	}
	s.problem(call.At.Pos(), "this call may consume, and nothing is known of it: "+why)
}

func (s *scanner) readConfig(config *value.Struct, c *Consumer, key string, named func(part, generator string) value.Value) {
	c.Settles = true
	if of, ok := field(config, "Queue").(*value.Struct); ok {
		s.run.declareQueue(key, s.queue(Queue{Name: c.Queue.Name}, field(of, "Durable"), field(of, "AutoDelete"), field(of, "Exclusive"), field(of, "Arguments")))
	}
	if of, ok := field(config, "Consume").(*value.Struct); ok {
		if qos, ok := field(of, "Qos").(*value.Struct); ok {
			s.setPrefetch(c, field(qos, "PrefetchCount"))
		}
	}
	exchange := s.text(named("Exchange", "GenerateName"))
	if exchange.Known() && exchange.Value == "" {
		return // the default exchange
	}
	bound := Exchange{Name: exchange}
	if of, ok := field(config, "Exchange").(*value.Struct); ok {
		bound = s.exchange(exchange, s.text(field(of, "Type")), field(of, "Durable"), field(of, "AutoDeleted"), field(of, "Arguments"))
	}
	s.run.declareExchange(exchange.key(), bound)
	b := Binding{Exchange: bound, Key: s.text(named("QueueBind", "GenerateRoutingKey"))}
	if of, ok := field(config, "QueueBind").(*value.Struct); ok {
		b.Arguments = s.table(field(of, "Arguments"), &b.Unknowns, aBinding)
	}
	s.run.bind(key, b)
}

// message returns a message of watermill, which is a pointer to a struct.
func (s *scanner) message(call *model.Call, t types.Type, c *Consumer) value.Value {
	message, ok := call.Zero(value.Pointee(t)).(*value.Struct)
	if !ok {
		return value.UnknownResult(call.At)
	}
	declared := message.Type.Underlying().(*types.Struct)
	payload := types.Type(types.NewSlice(types.Typ[types.Byte]))
	if i := value.FieldIndex(declared, "Payload"); i >= 0 {
		payload = declared.Field(i).Type()
	}
	s.fill(message, "a message", map[string]value.Value{"Payload": &content{payload, c}})
	return value.Pointer{Type: t, To: value.NewCell(message)}
}
