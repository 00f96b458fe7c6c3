package landscape

import (
	"fmt"
	"maps"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"
	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/headermatch"
	"github.com/warrenmq/warren/internal/jsontree"
	"github.com/warrenmq/warren/internal/topic"
	"github.com/warrenmq/warren/runtime"
)

// A target is where messages are sent.
type target struct {
	exchange string   // empty for the default exchange
	keys     []string // one of them, by the sender's choice; patterns are those of topic exchanges
	kind     string   // the property type
	headers  map[string]any
}

// A binding is one way by which messages get to a queue.
type binding struct {
	exchange   string
	routes     string // the exchange's type, "" where it isn't known
	key        string
	unknownKey bool   // the document doesn't say it
	alternate  string // the exchange that gets what this one can't route, "" for none
	arguments  map[string]any
	isPartial  bool // the document hasn't all arguments
}

// target reads where an operation sends.
func (s *service) target(o difference.Operation) target {
	amqp := s.resolve(s.resolve(o.Channel.Node.Get("bindings")).Get("amqp"))
	to := target{exchange: amqp.Get("exchange").Get("name").Str(), keys: []string{o.Channel.Name}}
	if address := o.Channel.Node.Get("address"); address != nil {
		to.keys = []string{address.Str()}
	}
	if queue := amqp.Get("queue").Get("name").Str(); queue != "" && amqp.Get("is").Str() != "routingKey" {
		to.exchange, to.keys = "", []string{queue}
	}
	own := o.Node.Get("x-target")
	if own == nil {
		return to
	}
	to.exchange, to.kind = own.Get("exchange").Str(), own.Get("type").Str()
	to.headers, _ = own.Get("headers").Value().(map[string]any)
	to.keys = textsOf(own.Get("routingKeys"))
	if len(to.keys) == 0 {
		to.keys = []string{own.Get("routingKey").Str()}
	}
	return to
}

// replyTarget returns where replies go, and whether that doesn't depend on the request.
func (s *service) replyTarget(reply difference.Operation) (target, bool) {
	address := s.resolve(reply.Node.Get("address"))
	fixed := reply.Node.Get("x-reply-address") // of AsyncAPI 2
	if fixed != nil {
		address = fixed
	}
	if address.Get("location").Str() != "" {
		return target{}, false
	}
	if fixed != nil {
		return target{exchange: fixed.Get("exchange").Str(), keys: []string{fixed.Get("routingKey").Str()}}, true
	}
	channel := s.resolve(reply.Node.Get("channel"))
	if channel.Get("address").Str() == "" && channel.Get("bindings") == nil {
		return target{}, false
	}
	return s.target(difference.Operation{Node: reply.Node, Channel: difference.Channel{Name: channel.Get("address").Str(), Node: channel}}), true
}

// queueOf reads a queue and how it is filled. Where a document has no queue, such as
// one of a channel that names an exchange and a key, it is that channel.
func (s *service) queueOf(o difference.Operation) (name string, bindings []binding) {
	amqp := s.resolve(s.resolve(o.Channel.Node.Get("bindings")).Get("amqp"))
	name = amqp.Get("queue").Get("name").Str()
	if amqp.Get("is").Str() == "routingKey" {
		name = ""
	}
	if exchange := amqp.Get("exchange"); exchange.Get("name").Str() != "" {
		keys := textsOf(amqp.Get("x-routing-keys"))
		if name == "" {
			keys = []string{o.Channel.Name}
		}
		bindings = s.bound(bindings, exchange, keys, amqp.Get("x-binding-arguments"))
	}
	for _, source := range itemsOf(amqp.Get("x-sources")) {
		bindings = s.bound(bindings, source.Get("exchange"), textsOf(source.Get("routingKeys")), source.Get("arguments"))
	}
	unknown := textsOf(amqp.Get("x-unknown-arguments"))
	for _, bound := range itemsOf(o.Channel.Node.Get("x-bound")) { // of AsyncAPI 3
		from := s.resolve(s.root.Get("channels").Get(bound.Get("channel").Str()))
		of := from.Get("bindings").Get("amqp")
		bindings = s.bound(bindings, of.Get("exchange"), []string{from.Get("address").Str()}, bound.Get("arguments"))
		s.hidesAlternates = s.hidesAlternates || slices.ContainsFunc(textsOf(of.Get("x-unknown-arguments")), mayBeAlternate)
	}
	if name == "" && bindings == nil {
		name = o.Channel.Name
	}
	for i := range bindings {
		bindings[i].isPartial = slices.ContainsFunc(unknown, contract.IsOfBinding)
	}
	s.hidesAlternates = s.hidesAlternates || slices.ContainsFunc(unknown, mayBeAlternate)
	return name, bindings
}

// mayBeAlternate reports whether what isn't known may be an exchange's alternate one.
func mayBeAlternate(argument string) bool {
	return contract.MayBeOfExchange(argument, "alternate-exchange")
}

// bound adds the bindings of an exchange, which without keys is bound by the empty one.
func (s *service) bound(all []binding, exchange *jsontree.Node, keys []string, arguments *jsontree.Node) []binding {
	b := binding{exchange: exchange.Get("name").Str(), routes: exchange.Get("type").Str() + exchange.Get("x-type").Str()}
	if delayed := exchange.Get("x-arguments").Get("x-delayed-type").Str(); delayed != "" {
		b.routes = delayed
	}
	b.alternate = exchange.Get("x-arguments").Get("alternate-exchange").Str()
	b.arguments, _ = arguments.Value().(map[string]any)
	b.unknownKey = s.document.HidesKeys()
	if len(keys) == 0 {
		keys = []string{""}
	}
	for _, key := range keys {
		b.key = key
		all = append(all, b)
	}
	return all
}

// An answer says whether something is so.
type answer struct {
	is        bool
	undecided string // why that isn't known, "" where it is
}

// and says whether both are so, of which the other one is or may be.
func (a answer) and(other answer) answer {
	if a.is {
		return other
	}
	return a
}

// reaches says by which of its keys a target gets to a queue by the ways: surely, and
// perhaps, with the reason why that isn't known.
func (to target) reaches(ways map[string][]way, r *receiver) (surely, perhaps []string, undecided string) {
	for _, key := range to.keys {
		switch found := to.keyReaches(key, ways[key], r); {
		case found.is:
			surely = append(surely, key)
		case found.undecided != "":
			perhaps, undecided = append(perhaps, key), found.undecided
		}
	}
	return surely, perhaps, undecided
}

func (to target) keyReaches(key string, ways []way, r *receiver) answer {
	if to.exchange == "" {
		return answer{is: r.queue != "" && key == r.queue}
	}
	var all answer
	for _, w := range ways {
		for _, b := range r.bindings {
			if b.exchange != w.exchange {
				continue
			}
			switch one := to.matches(key, b).and(w.answer); {
			case one.is:
				return one
			case one.undecided != "":
				all = one
			}
		}
	}
	return all
}

// matches says whether the exchange of a binding routes a key by it.
func (to target) matches(key string, b binding) answer {
	switch runtime.ExchangeType(b.routes) {
	case runtime.Fanout:
		return answer{is: true}
	case runtime.Headers:
		return to.matchesHeaders(b)
	case runtime.Direct, runtime.Topic:
		if b.unknownKey {
			return answer{undecided: "the receiver's document doesn't say by which keys its queue is bound"}
		}
		if b.routes == string(runtime.Direct) {
			return to.equals(key, b.key)
		}
		return answer{is: topic.Meet(key, b.key)}
	}
	return answer{undecided: fmt.Sprintf("how an exchange of the type %q routes isn't known", b.routes)}
}

// matchesHeaders decides as a headers exchange does. A sender's options may add headers to
// those of its document, and replace their values, so that these are surely there and no
// more is known of them.
func (to target) matchesHeaders(b binding) answer {
	if b.unknownKey {
		return answer{undecided: "it depends on headers that a document doesn't have"}
	}
	if b.isPartial {
		return answer{undecided: "the receiver's document doesn't say all headers by which its queue is bound"}
	}
	mode, some, open := headermatch.Of(b.arguments), false, ""
	for _, name := range slices.Sorted(maps.Keys(b.arguments)) {
		if !mode.Compares(name) {
			continue
		}
		if _, isSent := to.headers[name]; isSent && b.arguments[name] == nil { // any value will do
			some = true
		} else {
			open = name
		}
	}
	if mode.IsAny && (some || open == "") {
		return answer{is: some}
	}
	if open != "" {
		return answer{undecided: fmt.Sprintf("it depends on the header %s, to which the sender's options may give any value", open)}
	}
	return answer{is: true}
}

// equals says whether a key is that of a direct exchange's binding. Whether a key with a
// wildcard is one of which the sender chooses the words isn't in documents.
func (to target) equals(key, bound string) answer {
	if key != bound && topic.HasWildcard(key) && topic.Match(key, bound) {
		return answer{undecided: fmt.Sprintf("the sender chooses the words of the key %q", key)}
	}
	return answer{is: key == bound}
}

func itemsOf(n *jsontree.Node) []*jsontree.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

func textsOf(n *jsontree.Node) []string {
	var texts []string
	for _, item := range itemsOf(n) {
		texts = append(texts, item.Str())
	}
	return texts
}
