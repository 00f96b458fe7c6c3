package scan

import (
	"go/types"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

const wagslanePath = "github.com/wagslane/go-rabbitmq"

func isWagslane(path string) bool { return path == wagslanePath }

func consumesByWagslane(fullName string) bool {
	switch strings.Replace(fullName, wagslanePath+".", "", 1) {
	case "NewConsumer", "(*Consumer).Run":
		return true
	}
	return false
}

// wagslaneCall evaluates a call of go-rabbitmq: its options are functions, which are
// read; NewConsumer gives the consumer, and Run its handler.
func (s *scanner) wagslaneCall(call *model.Call, fn *types.Func) (value.Value, bool) {
	switch strings.Replace(fn.FullName(), wagslanePath+".", "", 1) {
	case "NewConn", "NewPublisher", "NewClusterConn":
		return results(call, &handle{call.Fn.Obj.Signature().Results().At(0).Type()}), true
	case "NewConsumer":
		return s.newConsumer(call, fn)
	case "(*Consumer).Run":
		s.reach(call)
		if h, ok := call.Fn.Recv.(*wagslaneConsumer); ok && len(call.Args) == 1 {
			s.handle(call, h.of, call.Args[0])
		}
		return succeed(s, call)
	}
	if recv := fn.Signature().Recv(); recv != nil {
		if _, ok := call.Fn.Recv.(value.Atom); ok {
			return succeed(s, call)
		}
	}
	return nil, false
}

// wagslaneConsumer is a consumer that NewConsumer has made.
type wagslaneConsumer struct {
	typ types.Type
	of  *Consumer
}

// DynamicType implements [value.Atom].
func (c *wagslaneConsumer) DynamicType() types.Type { return c.typ }

// newConsumer evaluates NewConsumer(conn, queue, options...), or as versions before 0.13
// have it NewConsumer(conn, handler, queue, options...).
func (s *scanner) newConsumer(call *model.Call, fn *types.Func) (value.Value, bool) {
	s.reach(call)
	params := fn.Signature().Params()
	var queue, handler, options value.Value
	for i, v := range call.Args {
		switch params.At(i).Type().Underlying().(type) {
		case *types.Basic:
			queue = v
		case *types.Signature:
			handler = v
		case *types.Slice:
			options = v
		}
	}
	if queue == nil {
		return succeed(s, call)
	}
	name, _, key := s.queueName(queue)
	c := &Consumer{Client: "wagslane/go-rabbitmq", Pos: s.program.Position(call.At.Pos()), Queue: Queue{Name: name}}
	if !s.applyOptions(call, fn, c, key, queue, options) {
		c.addGap(Gap{What: "the options", Why: "they aren't followed", Pos: c.Pos})
	}
	c = s.record(c, key)
	if handler != nil {
		s.handle(call, c, handler)
	}
	return results(call, &wagslaneConsumer{fn.Signature().Results().At(0).Type(), c}), true
}

// applyOptions has the options applied to the package's defaults, and reads them.
func (s *scanner) applyOptions(call *model.Call, fn *types.Func, c *Consumer, key string, queue, given value.Value) bool {
	pkg := s.program.Source(wagslanePath)
	if pkg == nil || pkg.Types == nil {
		return false
	}
	defaults, ok := pkg.Types.Scope().Lookup("getDefaultConsumerOptions").(*types.Func)
	if !ok {
		return false
	}
	made := call.Call(call.At, &value.Func{Type: defaults.Type(), Obj: defaults}, []value.Value{queue})
	cell := value.NewCell(made)
	pointer := value.Pointer{Type: types.NewPointer(value.TypeOf(made)), To: cell}
	if options, ok := given.(*value.Slice); ok {
		for _, option := range options.Elems {
			call.Call(call.At, option.Load(), []value.Value{pointer})
		}
	} else if value.IsUnknown(given) {
		return false
	}
	all, ok := cell.Load().(*value.Struct)
	if !ok {
		return false
	}
	s.readOptions(all, c, key)
	return true
}

func (s *scanner) readOptions(all *value.Struct, c *Consumer, key string) {
	s.setPrefetch(c, field(all, "QOSPrefetch"))
	if of, ok := field(all, "RabbitConsumerOptions").(*value.Struct); ok {
		c.AutoAck = s.boolean(field(of, "AutoAck"), &c.Unknowns, whenAcknowledged)
	}
	if of, ok := field(all, "QueueOptions").(*value.Struct); ok && s.declares(of, &c.Unknowns, "whether the queue is declared") {
		s.run.declareQueue(key, s.queue(Queue{Name: c.Queue.Name}, field(of, "Durable"), field(of, "AutoDelete"), field(of, "Exclusive"), field(of, "Args")))
	}
	exchanges, ok := field(all, "ExchangeOptions").(*value.Slice)
	if !ok {
		return
	}
	for _, cell := range exchanges.Elems {
		of, ok := cell.Load().(*value.Struct)
		if !ok {
			continue
		}
		name := s.text(field(of, "Name"))
		exchange := Exchange{Name: name}
		exchange.Durable = exchange.isOfBroker()
		if s.declares(of, &c.Unknowns, "whether an exchange that fills the queue is declared") {
			exchange = s.exchange(name, s.text(field(of, "Kind")), field(of, "Durable"), field(of, "AutoDelete"), field(of, "Args"))
			s.run.declareExchange(name.key(), exchange)
		}
		if bindings, ok := field(of, "Bindings").(*value.Slice); ok {
			for _, cell := range bindings.Elems {
				if b, ok := cell.Load().(*value.Struct); ok {
					s.run.bind(key, s.wagslaneBinding(exchange, b))
				}
			}
		}
	}
}

// declares reports whether options of a queue or an exchange have it declared.
func (s *scanner) declares(options *value.Struct, of *Unknowns, what string) bool {
	return s.boolean(field(options, "Declare"), of, what) && !s.boolean(field(options, "Passive"), of, what)
}

func (s *scanner) wagslaneBinding(from Exchange, options *value.Struct) Binding {
	b := Binding{Exchange: from, Key: s.text(field(options, "RoutingKey"))}
	if of, ok := field(options, "BindingOptions").(*value.Struct); ok {
		b.Arguments = s.table(field(of, "Args"), &b.Unknowns, aBinding)
	}
	return b
}

// handle calls a handler with a delivery.
func (s *scanner) handle(call *model.Call, c *Consumer, handler value.Value) {
	c.Settles = true // by what the handler returns
	signature, ok := value.TypeOf(handler).(*types.Signature)
	if t := value.TypeOf(handler); !ok && t != nil {
		signature, ok = t.Underlying().(*types.Signature)
	}
	if !ok || signature.Params().Len() != 1 {
		return
	}
	t := signature.Params().At(0).Type()
	delivery, ok := call.Zero(t).(*value.Struct)
	if !ok {
		return
	}
	inner := t.Underlying().(*types.Struct).Field(0)
	s.fill(delivery, "a delivery", map[string]value.Value{inner.Name(): s.delivery(call, inner.Type(), c)})
	call.Call(call.At, handler, []value.Value{delivery})
}
