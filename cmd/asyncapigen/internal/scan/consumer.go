package scan

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
)

// A Consumer is a call by which the program consumes a queue.
type Consumer struct {
	Client   string         // the client's package, such as amqp091
	Pos      token.Position // of the call
	Queue    Queue
	Bindings []Binding
	Prefetch int  // 0 where none is set, or where Gaps say that it isn't known
	AutoAck  bool // the broker takes messages for acknowledged when it has sent them
	Settles  bool // a handler settles the messages by Ack, Nack or Reject
	Bodies   []Body
	Replies  bool       // it sends to the address in ReplyTo
	Reply    types.Type // what it sends there; nil where that isn't known

	// ChangedBy are flags, such as "-durable", and variables of the environment whose
	// defaults are taken for some of this. Names and keys have their own.
	ChangedBy []string
	Unknowns
}

// Unknowns are what isn't known of something.
type Unknowns struct{ Gaps []Gap }

func (u *Unknowns) addGap(g Gap) {
	isSame := func(other Gap) bool {
		return other == g || g.What == whichType && other.What == g.What && other.Why == g.Why // wherever it got lost
	}
	if !slices.ContainsFunc(u.Gaps, isSame) {
		u.Gaps = append(u.Gaps, g)
	}
}

// lacks reports whether something isn't known.
func (u Unknowns) lacks(what string) bool {
	return slices.ContainsFunc(u.Gaps, func(g Gap) bool { return g.What == what })
}

// isVague reports whether a boolean isn't known.
func (u Unknowns) isVague() bool {
	return slices.ContainsFunc(u.Gaps, func(g Gap) bool { return g.boolean })
}

// A Queue is one that is consumed.
type Queue struct {
	Name       Text
	Server     bool // the broker gives the name
	Declared   bool // the program declares it; else it has to be there
	Durable    bool
	AutoDelete bool
	Exclusive  bool
	Arguments  map[string]any
	Unknowns
}

// A Binding binds a queue to an exchange.
type Binding struct {
	Exchange  Exchange
	Key       Text
	Arguments map[string]any
	Unknowns
}

// An Exchange is one to which a queue is bound.
type Exchange struct {
	Name       Text
	Kind       Text // "" where the program doesn't declare it
	Durable    bool
	AutoDelete bool
	Arguments  map[string]any
	Unknowns
}

// A Body is a type that a message is decoded into.
type Body struct {
	Type   types.Type
	Format string // the package that decodes, such as json
	Pos    token.Position
}

// A Gap is something that isn't known of a consumer.
type Gap struct {
	What string
	Why  string
	Pos  token.Position

	boolean bool   // it is a boolean, which is false then
	flag    string // that decides it, "" for none
}

// What may not be known of a consumer.
const (
	whenAcknowledged = "whether messages are acknowledged when they are sent"
	whichPrefetch    = "the prefetch"
	whichType        = "the type of the messages"
	whichReply       = "the type of the replies"
)

// A Text is what is known of one.
type Text struct {
	Value string         // known, or what it is where no variable of the environment is set
	Env   string         // a variable that changes it, "" for none
	Flag  string         // likewise a flag, such as "-queue"
	Why   string         // why it isn't known; "" where it is
	Pos   token.Position // where the knowledge ended

	fallback       string // what the program has in place of the variable, "" for nothing
	prefix, suffix string // with which a text that isn't known begins and ends
}

// hasDefault reports whether the program has something in place of a variable or flag
// that isn't set.
func (t Text) hasDefault() bool { return t.fallback != "" || t.Flag != "" }

// setting returns the flag or the variable of the environment that changes a text, ""
// for none.
func (t Text) setting() string { return cmp.Or(t.Flag, t.Env) }

// Known reports whether there is a value.
func (t Text) Known() bool { return t.Why == "" }

func (t Text) key() string {
	if t.Known() {
		return "=" + t.Value
	}
	if t.Pos.IsValid() {
		return fmt.Sprintf("?%s %q %q", t.Pos, t.prefix, t.suffix) // reached on several ways, for which the reasons differ
	}
	return "?" + t.Why
}

func (q Queue) key() string {
	if q.Server {
		return "server"
	}
	return q.Name.key()
}

// isVariable reports whether the text is that of the variable, and not one that is made
// of it.
func (t Text) isVariable() bool {
	return t.Env != "" && t.Value == t.fallback
}

// key is that of what a call consumes.
func (c *Consumer) key() string { return c.Pos.String() + " " + c.Queue.key() }

// isAlso reports whether two records may be of one consumer: at the same call, of the
// same queue, and with the same settings as far as they are known.
func (c *Consumer) isAlso(other *Consumer) bool {
	both := func(what string) bool { return !c.lacks(what) && !other.lacks(what) }
	return c.key() == other.key() &&
		(c.AutoAck == other.AutoAck || !both(whenAcknowledged)) && (c.Prefetch == other.Prefetch || !both(whichPrefetch))
}

// add adds what another record says of the same consumer.
func (c *Consumer) add(other *Consumer) {
	for _, b := range other.Bodies {
		c.addBody(b)
	}
	for _, b := range other.Bindings {
		c.addBinding(b)
	}
	for _, g := range other.Gaps {
		c.addGap(g)
	}
	if c.Prefetch == 0 {
		c.Prefetch = other.Prefetch
	}
	if c.Reply == nil {
		c.Reply = other.Reply
	}
	for _, setting := range other.ChangedBy {
		c.addChange(setting)
	}
	c.Settles, c.Replies = c.Settles || other.Settles, c.Replies || other.Replies
	if !c.Queue.Declared && other.Queue.Declared {
		c.Queue = other.Queue
	}
}

func (b Binding) key() string {
	return fmt.Sprint(b.Exchange.Name.key(), " ", b.Key.key(), " ", arguments(b.Arguments))
}

// addChange adds a flag or a variable to those that change the consumer; "" is none.
func (c *Consumer) addChange(setting string) {
	if i, found := slices.BinarySearch(c.ChangedBy, setting); !found && setting != "" {
		c.ChangedBy = slices.Insert(c.ChangedBy, i, setting)
	}
}

func (c *Consumer) addBinding(b Binding) {
	if !slices.ContainsFunc(c.Bindings, func(own Binding) bool { return own.key() == b.key() }) {
		c.Bindings = append(c.Bindings, b)
	}
}

func (c *Consumer) addBody(b Body) {
	same := func(own Body) bool { return registered.TypeName(own.Type) == registered.TypeName(b.Type) }
	if !slices.ContainsFunc(c.Bodies, same) {
		c.Bodies = append(c.Bodies, b)
	}
}

// bound is a binding with the key of the name of its queue.
type bound struct {
	Binding
	queue string
}

// run is what one evaluation has found.
type run struct {
	consumers []*Consumer
	queues    map[string]Queue     // that are declared, by the keys of their names
	exchanges map[string]Exchange  // likewise
	bound     []bound              // the bindings, in the order of their calls
	prefetch  map[any]*value.Cell  // by channel: what it is on the way that is followed
	last      map[any]value.Value  // the name of the queue that was declared last, by channel
	servers   int                  // queues that the broker names
	visits    map[string]int       // by the keys of consumers
	names     map[*Consumer]string // the keys of their queues' names
}

func newRun() *run {
	return &run{
		queues: make(map[string]Queue), exchanges: make(map[string]Exchange),
		prefetch: make(map[any]*value.Cell), last: make(map[any]value.Value), visits: make(map[string]int), names: make(map[*Consumer]string),
	}
}

// consumer returns the record of a consumer, which is the given one at its first visit.
func (r *run) consumer(c *Consumer, queue string) *Consumer {
	r.visits[c.key()]++
	for _, known := range r.consumers {
		if r.names[known] == queue && known.isAlso(c) {
			known.add(c)
			return known
		}
	}
	r.consumers, r.names[c] = append(r.consumers, c), queue
	return c
}

// What isn't known of a queue and of an exchange.
const (
	queueDurable    = "whether the queue is durable"
	queueAutoDelete = "whether the queue is deleted by itself"
	queueExclusive  = "whether the queue is exclusive"

	exchangeDurable    = "whether an exchange that fills the queue is durable"
	exchangeAutoDelete = "whether an exchange that fills the queue is deleted by itself"
)

// Whose arguments may not be known.
const (
	theQueue   = "the queue"
	aBinding   = "a binding"
	anExchange = "an exchange that fills the queue"
)

// declareQueue notes a declaration. What another one of the queue says otherwise isn't
// known: the two stand on different ways.
func (r *run) declareQueue(key string, q Queue) {
	if before, ok := r.queues[key]; ok {
		q.differing(queueDurable, &q.Durable, before.Durable)
		q.differing(queueAutoDelete, &q.AutoDelete, before.AutoDelete)
		q.differing(queueExclusive, &q.Exclusive, before.Exclusive)
		q.differingArguments(theQueue, &q.Arguments, before.Arguments)
		q.addGaps(before.Unknowns)
	}
	r.queues[key] = q
}

// declareExchange is declareQueue of an exchange.
func (r *run) declareExchange(key string, x Exchange) {
	if before, ok := r.exchanges[key]; ok {
		x.differing(exchangeDurable, &x.Durable, before.Durable)
		x.differing(exchangeAutoDelete, &x.AutoDelete, before.AutoDelete)
		x.differingArguments(anExchange, &x.Arguments, before.Arguments)
		if x.Kind.key() != before.Kind.key() {
			x.Kind = Text{Why: "a text which differs between the calls that declare the exchange"}
		}
		x.addGaps(before.Unknowns)
	}
	r.exchanges[key] = x
}

const declaredDifferently = "the calls that declare it differ"

// differing makes a boolean unknown that isn't the same in another declaration.
func (u *Unknowns) differing(what string, holds *bool, before bool) {
	if *holds != before {
		*holds = false
		u.addGap(Gap{What: what, Why: declaredDifferently, boolean: true})
	}
}

// differingArguments makes arguments unknown that aren't the same in another declaration.
func (u *Unknowns) differingArguments(of string, args *map[string]any, before map[string]any) {
	if !maps.Equal(*args, before) {
		*args = nil
		u.addGap(Gap{What: argumentsOf(of), Why: declaredDifferently})
	}
}

func argumentsOf(what string) string { return "the arguments of " + what }

// addGaps adds those of another declaration.
func (u *Unknowns) addGaps(of Unknowns) {
	for _, g := range of.Gaps {
		u.addGap(g)
	}
}

// finished gives the consumers what was declared and bound, in whichever order.
func (r *run) finished() *run {
	for _, c := range r.consumers {
		name := r.names[c]
		if declared, ok := r.queues[name]; ok {
			declared.Name = c.Queue.Name
			c.Queue = declared
		}
		for _, of := range r.bound {
			b := of.Binding
			if of.queue != name {
				continue
			}
			if exchange, ok := r.exchanges[b.Exchange.Name.key()]; ok {
				exchange.Name = b.Exchange.Name
				b.Exchange = exchange
			}
			c.addBinding(b)
		}
	}
	return r
}
