package discover

import (
	"go/constant"
	"math"
	"time"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/runtime"
)

// number reads an integer.
func (r *reader) number(s *value.Struct, field, what string) int64 {
	v := fieldOf(s, field)
	r.explainField(what, v)
	if c, ok := v.(value.Const); ok && c.Value.Kind() == constant.Int {
		if n, exact := constant.Int64Val(c.Value); exact {
			return n
		}
	}
	r.unknown(what, v)
	return 0
}

// queueOf reads a queue, with its fields among the arguments.
func (r *reader) queueOf(s *value.Struct) runtime.Queue {
	q := runtime.Queue{
		Name:                 r.text(s, "Name", "queue name"),
		Durable:              r.flag(s, "Durable", "queue's durability"),
		Exclusive:            r.flag(s, "Exclusive", "queue's exclusiveness"),
		AutoDelete:           r.flag(s, "AutoDelete", "queue's deletion"),
		PerInstance:          r.flag(s, "PerInstance", "queue's being each instance's"),
		Type:                 runtime.QueueType(r.text(s, "Type", "queue type")),
		MessageTTL:           time.Duration(r.number(s, "MessageTTL", "time to live in the queue")),
		Expires:              time.Duration(r.number(s, "Expires", "queue's expiry")),
		MaxLength:            r.number(s, "MaxLength", "queue's length"),
		MaxLengthBytes:       r.number(s, "MaxLengthBytes", "queue's length in bytes"),
		Overflow:             runtime.Overflow(r.text(s, "Overflow", "queue's overflow")),
		MaxPriority:          uint8(min(r.number(s, "MaxPriority", "queue's priorities"), math.MaxUint8)),
		SingleActiveConsumer: r.flag(s, "SingleActiveConsumer", "queue's single active consumer"),
		DeliveryLimit:        int(r.number(s, "DeliveryLimit", "queue's delivery limit")),
		Replicas:             int(r.number(s, "Replicas", "queue's replicas")),
		MaxAge:               time.Duration(r.number(s, "MaxAge", "stream's age")),
		SegmentBytes:         r.number(s, "SegmentBytes", "stream's segments"),
		Arguments:            r.table(s, "Arguments", contract.QueueArguments),
	}
	if dead := r.pointee(s, "DeadLetter", "dead-letter address"); dead != nil {
		q.DeadLetter = r.addressOf(dead, "dead-letter")
	}
	return runtime.Route{Queue: q}.WithDefaults().Queue
}

func (r *reader) addressOf(s *value.Struct, of string) *runtime.Address {
	return &runtime.Address{
		Exchange:   r.text(s, "Exchange", of+" exchange"),
		RoutingKey: r.text(s, "RoutingKey", of+" routing key"),
	}
}

// exchangeOf reads an exchange, whose arguments are called so.
func (r *reader) exchangeOf(s *value.Struct, arguments string) runtime.Exchange {
	return runtime.Exchange{
		Name:       r.text(s, "Name", "exchange name"),
		Type:       runtime.ExchangeType(r.text(s, "Type", "exchange type")),
		Durable:    r.flag(s, "Durable", "exchange's durability"),
		AutoDelete: r.flag(s, "AutoDelete", "exchange's deletion"),
		Arguments:  r.table(s, "Arguments", arguments),
	}
}

// structs returns the elements of a slice of structs.
func (r *reader) structs(s *value.Struct, field, what string) []*value.Struct {
	var all []*value.Struct
	switch v := fieldOf(s, field).(type) {
	case value.Nil:
	case *value.Slice:
		for _, cell := range v.Elems {
			element, ok := cell.Load().(*value.Struct)
			if !ok {
				r.unknown(what, cell.Load())
				return nil
			}
			all = append(all, element)
		}
	default:
		r.unknown(what, v)
	}
	return all
}

// sources reads the further exchanges of a route.
func (r *reader) sources() []runtime.Source {
	var sources []runtime.Source
	for i, s := range r.structs(r.route, "Sources", "further exchanges") {
		source := runtime.Source{RoutingKeys: r.texts(s, "RoutingKeys", "routing keys"), Arguments: r.table(s, "Arguments", contract.SourceArguments(i))}
		if x, ok := fieldOf(s, "Exchange").(*value.Struct); ok {
			source.Exchange = r.exchangeOf(x, contract.SourceExchangeArguments(i))
		} else {
			r.unknown("further exchange", fieldOf(s, "Exchange"))
		}
		sources = append(sources, source)
	}
	return sources
}

// topology reads a runtime.Topology.
func (r *reader) topology() runtime.Topology {
	var t runtime.Topology
	for _, s := range r.structs(r.route, "Queues", "queues") {
		t.Queues = append(t.Queues, r.queueOf(s))
	}
	for _, s := range r.structs(r.route, "Exchanges", "exchanges") {
		t.Exchanges = append(t.Exchanges, r.exchangeOf(s, contract.ExchangeArguments))
	}
	for _, s := range r.structs(r.route, "Bindings", "bindings") {
		t.Bindings = append(t.Bindings, runtime.Binding{
			Exchange:   r.text(s, "Exchange", "exchange"),
			Queue:      r.text(s, "Queue", "queue"),
			RoutingKey: r.text(s, "RoutingKey", "routing key"),
			Arguments:  r.table(s, "Arguments", "Arguments"),
		})
	}
	for _, s := range r.structs(r.route, "ExchangeBindings", "bindings of exchanges") {
		t.ExchangeBindings = append(t.ExchangeBindings, runtime.ExchangeBinding{
			Source:      r.text(s, "Source", "source"),
			Destination: r.text(s, "Destination", "destination"),
			RoutingKey:  r.text(s, "RoutingKey", "routing key"),
			Arguments:   r.table(s, "Arguments", "Arguments"),
		})
	}
	return t
}
