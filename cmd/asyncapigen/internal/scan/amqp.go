package scan

import (
	"fmt"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

const (
	amqp091Path   = "github.com/rabbitmq/amqp091-go"
	streadwayPath = "github.com/streadway/amqp"
)

// clientFunctions are what a scan knows of the functions of amqp091-go and of
// streadway/amqp, whose interface is the same, by their names within the package.
var clientFunctions = map[string]func(*scanner, *model.Call) (value.Value, bool){
	"(*Channel).Consume":                func(s *scanner, call *model.Call) (value.Value, bool) { return s.consume(call, call.Args) },
	"(*Channel).ConsumeWithContext":     func(s *scanner, call *model.Call) (value.Value, bool) { return s.consume(call, call.Args[1:]) },
	"(*Channel).ExchangeDeclare":        exchangeDeclare,
	"(*Channel).Get":                    get,
	"(*Channel).Publish":                func(s *scanner, call *model.Call) (value.Value, bool) { return s.publish(call, call.Args) },
	"(*Channel).PublishWithContext":     func(s *scanner, call *model.Call) (value.Value, bool) { return s.publish(call, call.Args[1:]) },
	"(*Channel).Qos":                    qos,
	"(*Channel).QueueBind":              queueBind,
	"(*Channel).QueueUnbind":            queueUnbind,
	"(*Channel).QueueDeclare":           func(s *scanner, call *model.Call) (value.Value, bool) { return s.queueDeclare(call, true) },
	"(*Channel).QueueDeclarePassive":    func(s *scanner, call *model.Call) (value.Value, bool) { return s.queueDeclare(call, false) },
	"(Delivery).Ack":                    settle,
	"(Delivery).Nack":                   settle,
	"(Delivery).Reject":                 settle,
	"(*Channel).ExchangeBind":           succeed,
	"(*Channel).ExchangeDeclarePassive": succeed,
}

// clientCall evaluates a call of a client's function. One that isn't known is taken to
// succeed, and to leave what is consumed as it is: the program works.
func (s *scanner) clientCall(call *model.Call, fn *types.Func) (value.Value, bool) {
	name := strings.Replace(fn.FullName(), fn.Pkg().Path()+".", "", 1)
	if f := clientFunctions[name]; f != nil {
		return f(s, call)
	}
	return succeed(s, call)
}

// consumes reports whether the function with a full name consumes a queue.
func consumes(fullName string) bool {
	for path := range Clients {
		switch strings.Replace(fullName, path+".", "", 1) {
		case "(*Channel).Consume", "(*Channel).ConsumeWithContext", "(*Channel).Get":
			return true
		}
	}
	return consumesByWagslane(fullName) || consumesByWatermill(fullName)
}

// mayConsume reports whether a function is a method of an interface that the channel of
// a client implements.
func mayConsume(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil || !types.IsInterface(recv.Type()) || fn.Signature().Results().Len() == 0 {
		return false
	}
	t := fn.Signature().Results().At(0).Type()
	if c, ok := t.Underlying().(*types.Chan); ok {
		t = c.Elem()
	}
	named := value.NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil || !Clients[named.Obj().Pkg().Path()] || named.Obj().Name() != "Delivery" {
		return false
	}
	return consumes("(*" + named.Obj().Pkg().Path() + ".Channel)." + fn.Name())
}

// A handle is what a client gives the program to hold: a connection, a channel.
type handle struct{ typ types.Type }

// DynamicType implements [value.Atom].
func (h *handle) DynamicType() types.Type { return h.typ }

// serverName is the name of a queue that the broker names.
type serverName struct {
	typ types.Type
	key string
}

// DynamicType implements [value.Atom].
func (n *serverName) DynamicType() types.Type { return n.typ }

// Retyped implements [value.Retypable].
func (n *serverName) Retyped(t types.Type) value.Value { return &serverName{t, n.key} }

// succeed is the result of a call that doesn't fail.
func succeed(_ *scanner, call *model.Call) (value.Value, bool) { return results(call), true }

// results returns the first results of a call, as far as they are given, and for the
// others no error, and values of which nothing is known but that they aren't nil.
func results(call *model.Call, given ...value.Value) value.Value {
	declared := call.Fn.Obj.Signature().Results()
	all := make(value.Tuple, declared.Len())
	for i := range all {
		t := declared.At(i).Type()
		switch {
		case i < len(given) && given[i] != nil:
			all[i] = given[i]
		case value.IsErrorType(t):
			all[i] = value.Nil{Type: t}
		case isHandle(t):
			all[i] = &handle{t}
		default:
			u := value.UnknownResult(call.At)
			u.NonNil = true
			all[i] = u
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return all
}

// isHandle reports whether t is *Connection or *Channel.
func isHandle(t types.Type) bool {
	pointee := value.Pointee(t)
	if pointee == nil {
		return false
	}
	named := value.NamedOf(pointee)
	return named != nil && (named.Obj().Name() == "Connection" || named.Obj().Name() == "Channel")
}

// text returns what is known of a text.
func (s *scanner) text(v value.Value) Text {
	if text, ok := value.TextOf(v); ok {
		return Text{Value: text}
	}
	u, ok := v.(*value.Unknown)
	if !ok {
		return Text{Why: "a value that isn't followed"}
	}
	t := Text{Pos: s.program.Position(u.Pos), Flag: s.flags[u.FirstPos()], fallback: u.Fallback.Text, prefix: u.Prefix, suffix: u.Suffix}
	if u.Fallback.Text != "" || u.Stable {
		t.Env = u.Env
	}
	switch {
	case u.Prefix != "" || u.Suffix != "":
		t.Why = fmt.Sprintf("a text of the form %q, where * stands for %s", u.Prefix+"*"+u.Suffix, u.Reason)
	default:
		t.Why = u.Reason
	}
	return t
}

// queueName returns what is known of a queue's name, and the key that tells the queue
// from others.
func (s *scanner) queueName(v value.Value) (name Text, server bool, key string) {
	if n, ok := v.(*serverName); ok {
		return Text{}, true, n.key
	}
	name = s.text(v)
	return name, false, name.key()
}

// boolean returns a boolean. One that isn't known is false, and noted as what it says.
func (s *scanner) boolean(v value.Value, of *Unknowns, what string) bool {
	holds, known := value.Truth(v)
	if !known {
		gap := s.gap(v, what)
		gap.boolean = true
		of.addGap(gap)
	}
	return known && holds
}

// gap says that something isn't known because a value isn't.
func (s *scanner) gap(v value.Value, what string) Gap {
	if u, ok := v.(*value.Unknown); ok && u.Reason != "" {
		return Gap{What: what, Why: "it is " + u.Reason, Pos: s.program.Position(u.Pos), flag: s.flags[u.FirstPos()]}
	}
	return Gap{What: what, Why: "it is a value that isn't followed"}
}

// table returns what is known of the arguments of something: values that aren't known are
// nil, and noted. So it is where there may be others.
func (s *scanner) table(v value.Value, unknown *Unknowns, of string) map[string]any {
	m, ok := v.(*value.Map)
	if !ok {
		if !value.IsNil(v) {
			unknown.addGap(s.gap(v, argumentsOf(of)))
		}
		return nil
	}
	if !m.Complete() {
		unknown.addGap(Gap{What: argumentsOf(of), Why: "there may be others than those that are followed"})
	}
	all := make(map[string]any)
	for key, entry := range m.Sorted() {
		name, ok := value.TextOf(key)
		if !ok {
			continue
		}
		all[name] = nil
		if c, ok := entry.(value.Const); ok {
			all[name] = plain(c.Value)
		}
		if all[name] == nil {
			unknown.addGap(s.gap(entry, "the argument "+name+" of "+of))
		}
	}
	return all
}

// plain returns a constant as a bool, an int64 or a string, and nil for others.
func plain(c constant.Value) any {
	switch c.Kind() {
	case constant.Bool:
		return constant.BoolVal(c)
	case constant.String:
		return constant.StringVal(c)
	case constant.Int:
		if n, exact := constant.Int64Val(c); exact {
			return n
		}
	}
	return nil
}

func (s *scanner) queueDeclare(call *model.Call, declares bool) (value.Value, bool) {
	if len(call.Args) != 6 {
		return succeed(s, call)
	}
	given := call.Args[0]
	if text, ok := value.TextOf(given); ok && text == "" {
		s.run.servers++
		given = &serverName{types.Typ[types.String], "server " + strconv.Itoa(s.run.servers)}
	}
	s.run.last[call.Fn.Recv] = given
	name, server, key := s.queueName(given)
	if declares {
		s.run.declareQueue(key, s.queue(Queue{Name: name, Server: server}, call.Args[1], call.Args[2], call.Args[3], call.Args[5]))
	}
	t := call.Fn.Obj.Signature().Results().At(0).Type()
	queue, ok := call.Zero(t).(*value.Struct)
	if !ok {
		return succeed(s, call)
	}
	s.fill(queue, "an inspected queue", map[string]value.Value{"Name": given})
	return results(call, queue), true
}

// queue returns a queue as it is declared.
func (s *scanner) queue(q Queue, durable, autoDelete, exclusive, arguments value.Value) Queue {
	q.Declared = true
	q.Durable = s.boolean(durable, &q.Unknowns, queueDurable)
	q.AutoDelete = s.boolean(autoDelete, &q.Unknowns, queueAutoDelete)
	q.Exclusive = s.boolean(exclusive, &q.Unknowns, queueExclusive)
	q.Arguments = s.table(arguments, &q.Unknowns, theQueue)
	return q
}

// exchange returns an exchange as it is declared.
func (s *scanner) exchange(name, kind Text, durable, autoDelete, arguments value.Value) Exchange {
	x := Exchange{Name: name, Kind: kind}
	x.Durable = s.boolean(durable, &x.Unknowns, exchangeDurable)
	x.AutoDelete = s.boolean(autoDelete, &x.Unknowns, exchangeAutoDelete)
	x.Arguments = s.table(arguments, &x.Unknowns, anExchange)
	return x
}

// lastQueue returns the name of a queue that a call is given: the empty one is that of
// the queue which was declared last on the channel.
func (s *scanner) lastQueue(call *model.Call, name value.Value) value.Value {
	if text, ok := value.TextOf(name); !ok || text != "" {
		return name
	}
	if last := s.run.last[call.Fn.Recv]; last != nil {
		return last
	}
	u := value.UnknownResult(call.At)
	u.Reason = "the queue that was declared last on the channel, by code that isn't followed"
	return u
}

// fill gives a struct that was just made the values of its fields; the others are
// unknown.
func (s *scanner) fill(v *value.Struct, of string, fields map[string]value.Value) {
	declared := v.Type.Underlying().(*types.Struct)
	for i := range declared.NumFields() {
		name := declared.Field(i).Name()
		if given := fields[name]; given != nil {
			v.Fields[i] = value.NewCell(given)
			continue
		}
		v.Fields[i] = value.NewCell(&value.Unknown{Reason: "the field " + name + " of " + of, NonNil: true})
	}
}

func exchangeDeclare(s *scanner, call *model.Call) (value.Value, bool) {
	if len(call.Args) == 7 {
		name := s.text(call.Args[0])
		s.run.declareExchange(name.key(), s.exchange(name, s.text(call.Args[1]), call.Args[2], call.Args[3], call.Args[6]))
	}
	return succeed(s, call)
}

func queueBind(s *scanner, call *model.Call) (value.Value, bool) {
	if len(call.Args) == 5 {
		_, _, key := s.queueName(s.lastQueue(call, call.Args[0]))
		b := Binding{Exchange: Exchange{Name: s.text(call.Args[2])}, Key: s.text(call.Args[1])}
		b.Exchange.Durable = b.Exchange.isOfBroker()
		b.Arguments = s.table(call.Args[4], &b.Unknowns, aBinding)
		s.run.bind(key, b)
	}
	return succeed(s, call)
}

func queueUnbind(s *scanner, call *model.Call) (value.Value, bool) {
	s.problem(call.At.Pos(), "this call unbinds a queue: a binding of it that is found may be gone")
	return succeed(s, call)
}

// bind notes a binding of the queue with a key.
func (r *run) bind(queue string, b Binding) {
	if !slices.ContainsFunc(r.bound, func(own bound) bool { return own.queue == queue && own.key() == b.key() }) {
		r.bound = append(r.bound, bound{b, queue})
	}
}

func qos(s *scanner, call *model.Call) (value.Value, bool) {
	if len(call.Args) == 3 {
		cell := s.run.prefetch[call.Fn.Recv]
		if cell == nil { // on ways that don't come here, none is set
			cell = value.NewCell(value.NewConst(constant.MakeInt64(0), types.Typ[types.Int]))
			s.run.prefetch[call.Fn.Recv] = cell
		}
		call.Store(cell, call.Args[0], types.Typ[types.Int])
	}
	return succeed(s, call)
}

// consume records Consume, whose arguments are the queue, the consumer's name, autoAck
// and others.
func (s *scanner) consume(call *model.Call, args []value.Value) (value.Value, bool) {
	s.reach(call)
	if len(args) != 7 {
		return succeed(s, call)
	}
	c, key := s.consumer(call, args[0])
	c.AutoAck = s.boolean(args[2], &c.Unknowns, whenAcknowledged)
	if cell := s.run.prefetch[call.Fn.Recv]; cell != nil {
		s.setPrefetch(c, cell.Load())
	} else if value.IsUnknown(call.Fn.Recv) {
		c.addGap(s.gap(call.Fn.Recv, whichPrefetch))
	}
	c = s.record(c, key)
	t := call.Fn.Obj.Signature().Results().At(0).Type()
	elem := t.Underlying().(*types.Chan).Elem()
	delivery := s.delivery(call, elem, c)
	return results(call, &feed{typ: t, next: func() value.Value { return call.Copied(delivery) }}), true
}

func (s *scanner) setPrefetch(c *Consumer, v value.Value) {
	n, known := value.IntOf(v)
	switch {
	case !known:
		c.addGap(s.gap(v, whichPrefetch))
	case n != 0:
		c.Prefetch = n
	}
}

// consumer returns a record of the consumer of a queue, with the key of the queue's name.
func (s *scanner) consumer(call *model.Call, queue value.Value) (*Consumer, string) {
	name, server, key := s.queueName(s.lastQueue(call, queue))
	c := &Consumer{Client: call.Fn.Obj.Pkg().Name(), Pos: s.program.Position(call.At.Pos()), Queue: Queue{Name: name, Server: server}}
	if call.Fn.Obj.Pkg().Path() == amqp091Path {
		c.Client = "amqp091-go"
	} else if call.Fn.Obj.Pkg().Path() == streadwayPath {
		c.Client = "streadway/amqp"
	}
	return c, key
}

// maxVisits is how often a program comes to a call that consumes one queue before it
// is taken to do so in a loop without an end, if it is in a loop without a condition.
const maxVisits = 8

// record keeps the record of a consumer, and returns the one that is kept of it: the
// one of its first visit.
func (s *scanner) record(c *Consumer, key string) *Consumer {
	known := s.run.consumer(c, key)
	if s.run.visits[c.key()] > maxVisits {
		s.ev.Repeats()
	}
	return known
}

// delivery returns a message of a consumer: a struct of the client's.
func (s *scanner) delivery(call *model.Call, t types.Type, c *Consumer) value.Value {
	delivery, ok := call.Zero(t).(*value.Struct)
	if !ok {
		return value.UnknownResult(call.At)
	}
	s.fill(delivery, "a delivery", map[string]value.Value{
		"Body":    &content{typ: types.NewSlice(types.Typ[types.Byte]), of: c},
		"ReplyTo": &replyTo{types.Typ[types.String], c},
	})
	return delivery
}

// A feed is the channel of a consumer, over which one delivery comes.
type feed struct {
	typ  types.Type
	next func() value.Value
	over bool
}

// DynamicType implements [value.Atom].
func (f *feed) DynamicType() types.Type { return f.typ }

// Next implements [value.Feed].
func (f *feed) Next() (value.Value, bool) {
	if f.over {
		return nil, false
	}
	f.over = true
	return f.next(), true
}

// get records Get, which takes one message.
func get(s *scanner, call *model.Call) (value.Value, bool) {
	s.reach(call)
	if len(call.Args) != 2 {
		return succeed(s, call)
	}
	c, key := s.consumer(call, call.Args[0])
	c.AutoAck = s.boolean(call.Args[1], &c.Unknowns, whenAcknowledged)
	c = s.record(c, key)
	return results(call, s.delivery(call, call.Fn.Obj.Signature().Results().At(0).Type(), c)), true
}

// settle records that a handler settles a delivery.
func settle(s *scanner, call *model.Call) (value.Value, bool) {
	if c := consumerOf(call.Fn.Recv); c != nil {
		c.Settles = true
	}
	return succeed(s, call)
}

// consumerOf returns the consumer of a delivery, nil where it isn't known.
func consumerOf(delivery value.Value) *Consumer {
	if p, ok := delivery.(value.Pointer); ok {
		delivery = p.Load()
	}
	d, ok := delivery.(*value.Struct)
	if !ok {
		return nil
	}
	body, ok := field(d, "Body").(*content)
	if !ok {
		return nil
	}
	return body.of
}

// field returns a field of a struct, nil where there is none of that name.
func field(s *value.Struct, name string) value.Value {
	declared, ok := s.Type.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	if i := value.FieldIndex(declared, name); i >= 0 && i < len(s.Fields) {
		return s.Fields[i].Load()
	}
	return nil
}

// publish records replies, whose routing key is the address in a request. The
// arguments are the exchange, the key, two flags and the message.
func (s *scanner) publish(call *model.Call, args []value.Value) (value.Value, bool) {
	if len(args) != 5 {
		return succeed(s, call)
	}
	if to, ok := args[1].(*replyTo); ok {
		to.of.Replies = true
		if message, ok := args[4].(*value.Struct); ok {
			if body, ok := field(message, "Body").(*encoded); ok {
				to.of.Reply = body.of
			}
		}
	}
	return succeed(s, call)
}
