package asyncapi3

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/topic"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// bindingVersion is that of AMQP's bindings, the only one that AsyncAPI 3.0.0 takes.
const bindingVersion = "0.3.0"

// FromContract returns the document of a contract. A nil cfg means the defaults. It is
// how asyncapigen makes a document from source code; programs call [Generate].
func FromContract(c *contract.Contract, cfg *asyncapi.Config) *Document {
	two := asyncapi.ExtendedFromContract(c, cfg)
	if cfg == nil || cfg.Description == "" {
		two.Info.Description = "The messages that " + two.Info.Title + " receives and sends."
	}
	w := &writer{
		document: &Document{
			AsyncAPI: specificationVersion, ID: two.ID,
			Info:               Info{Info: two.Info, Tags: two.Tags, ExternalDocs: two.ExternalDocs},
			DefaultContentType: two.DefaultContentType,
			Servers:            Servers{serverOf(two.Servers.Broker)},
			Channels:           Object[Channel]{}, Operations: Object[Operation]{}, Topology: two.Topology,
		},
		channels: make(map[address]string), names: make(map[string]bool), exchanges: make(map[string]Exchange), queues: make(map[string]Queue),
		unknown: make(map[string][]string),
	}
	if two.Components != nil {
		w.document.Components.Schemas = two.Components.Schemas
		w.document.Components.SecuritySchemes = two.Components.SecuritySchemes
	}
	for i, channel := range two.Channels {
		w.queueChannel(channel.Bindings.AMQP, c.Channels[i])
	}
	w.declared(two.Topology)
	for i, channel := range two.Channels {
		w.route(channel, c.Channels[i])
	}
	for i, sent := range asyncapi.SentFromContract(c) {
		w.send(c.Sends[i], sent)
	}
	return w.document
}

// serverOf divides the URL of a server, whose scheme says the protocol.
func serverOf(s asyncapi.Server) Server {
	protocol, rest, ok := strings.Cut(s.URL, "://")
	if !ok {
		protocol, rest = s.Protocol, s.URL
	}
	host, path, hasPath := strings.Cut(rest, "/")
	server := Server{Host: host, Protocol: protocol, ProtocolVersion: s.ProtocolVersion, Description: s.Description}
	if hasPath {
		server.Pathname = "/" + path
	}
	for _, requirement := range s.Security {
		for scheme := range requirement {
			server.Security = append(server.Security, refTo("components", "securitySchemes", scheme))
		}
	}
	return server
}

// writer makes a document.
type writer struct {
	document  *Document
	channels  map[address]string  // their keys
	names     map[string]bool     // that are taken: of channels, messages and operations
	exchanges map[string]Exchange // those that the service declares, by name
	queues    map[string]Queue    // those that it declares beside its routes
	unknown   map[string][]string // arguments of exchanges that source code doesn't determine, by the exchange's name
}

// An address is a channel's. The key of one without an exchange is a queue's name.
type address struct{ exchange, key string }

// name returns a key for an object of a kind that no other has: the text with "_" in
// place of what tools refuse in names.
func (w *writer) name(kind, text string) string {
	plain := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '.' || r == '-' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z') {
			return r
		}
		return '_'
	}, text)
	if plain == "" {
		plain = "_"
	}
	name := plain
	for n := 2; w.names[kind+name]; n++ {
		name = fmt.Sprintf("%s.%d", plain, n)
	}
	w.names[kind+name] = true
	return name
}

func (w *writer) addChannel(text string, channel Channel) string {
	key := w.name("channel ", text)
	if channel.Address != nil && *channel.Address != key && channel.Title == "" {
		channel.Title = text
	}
	w.document.Channels = append(w.document.Channels, Member[Channel]{key, channel})
	return key
}

// queueChannel adds the channel of a route's queue.
func (w *writer) queueChannel(binding asyncapi.AMQPBinding, c contract.Channel) {
	q := binding.Queue
	name := q.Name
	w.channels[address{key: name}] = w.addChannel(name, Channel{
		Address: &name, Description: c.Description,
		Bindings: &Bindings{AMQPBinding{
			Is: "queue", UnknownArguments: w.unknownArguments(c), BindingVersion: bindingVersion,
			Queue: queueOf(q),
		}},
	})
	if binding.Exchange != nil {
		w.exchanges[binding.Exchange.Name] = exchangeOf(*binding.Exchange)
	}
	for _, source := range binding.Sources {
		w.exchanges[source.Exchange.Name] = exchangeOf(source.Exchange)
	}
}

// unknownArguments returns what isn't known of the queue of a route and of its bindings, and
// notes what isn't of its exchanges, which have channels of their own.
func (w *writer) unknownArguments(c contract.Channel) []string {
	ofQueue := slices.Clone(c.UnknownArguments)
	note := func(exchange, table string) {
		w.unknown[exchange] = append(w.unknown[exchange], contract.UnknownOf(c.UnknownArguments, table, contract.ExchangeArguments)...)
		ofExchange := contract.UnknownOf(c.UnknownArguments, table, table)
		ofQueue = slices.DeleteFunc(ofQueue, func(name string) bool { return slices.Contains(ofExchange, name) })
	}
	if c.Exchange != nil {
		note(c.Exchange.Name, contract.ExchangeArguments)
	}
	for i, source := range c.Sources {
		note(source.Exchange.Name, contract.SourceExchangeArguments(i))
	}
	return ofQueue
}

// declared notes what is declared beside the routes: channels of it say more than its
// name.
func (w *writer) declared(t *asyncapi.Topology) {
	if t == nil {
		return
	}
	for _, e := range t.Exchanges {
		w.exchanges[e.Name] = exchangeOf(e)
	}
	for _, q := range t.Queues {
		w.queues[q.Name] = *queueOf(q)
	}
}

// queueOf describes a queue that the service declares.
func queueOf(q asyncapi.Queue) *Queue {
	return &Queue{Name: q.Name, Durable: &q.Durable, Exclusive: &q.Exclusive, AutoDelete: q.AutoDelete, PerInstance: q.PerInstance, Arguments: q.Arguments}
}

// exchangeOf describes an exchange that the service declares.
func exchangeOf(e asyncapi.Exchange) Exchange {
	exchange := Exchange{Name: e.Name, Durable: &e.Durable, AutoDelete: e.AutoDelete, Arguments: e.Arguments}
	if slices.Contains([]string{"topic", "direct", "fanout", "default", "headers"}, e.Type) {
		exchange.Type = e.Type
	} else {
		exchange.Other = e.Type
	}
	return exchange
}

// channel returns the key of the channel at an address.
func (w *writer) channel(at address) string {
	if key, ok := w.channels[at]; ok {
		return key
	}
	key := at.key
	queue, ok := w.queues[at.key]
	if !ok {
		queue = Queue{Name: at.key}
	}
	channel := Channel{Address: &key, Bindings: &Bindings{AMQPBinding{Is: "queue", Queue: &queue, BindingVersion: bindingVersion}}}
	text := at.key
	if at.exchange != "" {
		text = "exchange." + strings.TrimSuffix(at.exchange+"."+at.key, ".")
		channel.Title = strings.TrimSuffix("exchange "+at.exchange+", key "+at.key, ", key ")
		channel.Bindings = w.exchangeBindings(at.exchange)
	}
	w.channels[at] = w.addChannel(text, channel)
	return w.channels[at]
}

func (w *writer) exchangeBindings(name string) *Bindings {
	exchange, ok := w.exchanges[name]
	if !ok {
		exchange = Exchange{Name: name}
	}
	unknown := slices.Compact(slices.Sorted(slices.Values(w.unknown[name])))
	return &Bindings{AMQPBinding{Is: "routingKey", Exchange: &exchange, UnknownArguments: unknown, BindingVersion: bindingVersion}}
}

// message adds a message to the components.
func (w *writer) message(id string, m asyncapi.Message) string {
	key := w.name("message ", id)
	w.document.Components.Messages = append(w.document.Components.Messages, Member[Message]{key, Message{
		Name: m.Name, Title: m.Title, Summary: m.Summary, ContentType: m.ContentType, Headers: m.Headers, UnknownHeaders: m.UnknownHeaders, Payload: m.Payload,
		CorrelationID: m.CorrelationID, Bindings: m.Bindings, RoutingKey: m.RoutingKey, Examples: m.Examples,
	}})
	return key
}

// messages adds a message, or those of which it is one, and returns their keys.
func (w *writer) messages(m asyncapi.Message) []string {
	if m.OneOf == nil {
		return []string{w.message(m.MessageID, m)}
	}
	var keys []string
	for _, one := range m.OneOf {
		keys = append(keys, w.message(one.MessageID, one))
	}
	return keys
}

// carry adds messages to a channel, and returns the references to them there.
func (w *writer) carry(channel string, messages []string) []Reference {
	of := w.document.Channels.Get(channel)
	var refs []Reference
	for _, key := range messages {
		if of.Messages.Get(key) == nil {
			of.Messages = append(of.Messages, Member[Reference]{key, refTo("components", "messages", key)})
		}
		refs = append(refs, refTo("channels", channel, "messages", key))
	}
	return refs
}

func (w *writer) addOperation(id string, operation Operation) {
	key := w.name("operation ", id)
	if key != id {
		operation.Title = id
	}
	w.document.Operations = append(w.document.Operations, Member[Operation]{key, operation})
}

// route adds the operation of a route, and the exchanges that fill its queue.
func (w *writer) route(channel asyncapi.Channel, c contract.Channel) {
	subscribe := channel.Subscribe
	queue := w.channel(address{key: c.Queue.Name}) // the key of the channel of 2.6.0 may be encoded
	messages := w.messages(subscribe.Message)
	operation := Operation{
		Action: "receive", Channel: refTo("channels", queue), Summary: subscribe.Summary, Description: subscribe.Description,
		Tags: subscribe.Tags, Bindings: subscribe.Bindings, Messages: w.carry(queue, messages),
		Consumer: subscribe.Consumer, Failure: subscribe.Failure, Source: subscribe.Source,
	}
	for _, binding := range c.Bindings() {
		key := w.channel(address{binding.Exchange, binding.RoutingKey})
		bound := Bound{Channel: key, Arguments: maps.Clone(binding.Arguments)}
		of := w.document.Channels.Get(queue)
		of.Bound = append(of.Bound, bound)
		w.carry(key, w.routed(messages, binding))
	}
	if publish := channel.Publish; publish != nil {
		operation.Reply = w.reply(publish.OperationID, w.messages(publish.Message), publish.Reply)
	}
	w.addOperation(c.Name, operation)
}

// routed returns the messages that an exchange routes by a binding: of those that are
// told apart by their routing keys, the ones whose key matches.
func (w *writer) routed(messages []string, binding runtime.Binding) []string {
	exchange := w.exchanges[binding.Exchange]
	return slices.DeleteFunc(slices.Clone(messages), func(key string) bool {
		routingKey := w.document.Components.Messages.Get(key).RoutingKey
		switch {
		case routingKey == "":
			return false
		case exchange.Type == string(runtime.Direct):
			return routingKey != binding.RoutingKey
		case exchange.Type == string(runtime.Topic):
			return !topic.Match(binding.RoutingKey, routingKey)
		}
		return false
	})
}

// reply describes a reply at a fixed address, or at one that the request names.
func (w *writer) reply(id string, messages []string, to *asyncapi.ReplyAddress) *Reply {
	if to.Location == "" {
		key := w.channel(address{to.Exchange, to.RoutingKey})
		return &Reply{Channel: refTo("channels", key), Messages: w.carry(key, messages)}
	}
	key := w.addChannel(id, Channel{Description: "Where the request wants its reply."})
	return &Reply{
		Address: &ReplyAddress{Location: to.Location, Description: "The queue that gets the reply."},
		Channel: refTo("channels", key), Messages: w.carry(key, messages),
	}
}

// send adds the operation of a message that the service sends.
func (w *writer) send(s contract.Send, sent asyncapi.Sent) {
	channel := w.target(s)
	operation := Operation{
		Action: "send", Channel: refTo("channels", channel), Messages: w.carry(channel, []string{w.message(s.ID, sent.Message)}),
		Description: "Sends to " + s.To.String() + ".",
		Target: &Target{
			Route: s.Route, Exchange: s.To.Exchange, RoutingKey: s.To.RoutingKey, RoutingKeys: slices.Concat(s.Keys, s.Patterns),
			Type: s.Type, Headers: maps.Clone(s.Headers),
		},
	}
	if s.HeadersUnknown {
		operation.Target.Unknown = []string{"headers"}
	}
	if s.Route != "" {
		operation.Description = fmt.Sprintf("Sends to the route %q.", s.Route)
	}
	if s.Source.File != "" {
		operation.Source = &asyncapi.Source{File: s.Source.File, Line: s.Source.Line}
	}
	if sent.Reply != nil {
		reply := w.message(s.ID+".reply", *sent.Reply)
		operation.Reply = w.reply(s.ID+".reply", []string{reply}, &asyncapi.ReplyAddress{Location: replyTo})
	}
	w.addOperation(s.ID, operation)
}

// replyTo is where a request says who wants the reply.
const replyTo = "$message.header#/reply_to"

// target returns the channel to which s goes. The routing key of one that chooses
// between several isn't known before.
func (w *writer) target(s contract.Send) string {
	keys := slices.Concat(s.Keys, s.Patterns)
	switch len(keys) {
	case 0:
		return w.channel(address{s.To.Exchange, s.To.RoutingKey})
	case 1:
		return w.channel(address{s.To.Exchange, keys[0]})
	}
	at := address{s.To.Exchange, "\x00" + strings.Join(keys, "\x00")}
	if key, ok := w.channels[at]; ok {
		return key
	}
	w.channels[at] = w.addChannel("exchange."+s.To.Exchange+".keys", Channel{Bindings: w.exchangeBindings(s.To.Exchange), RoutingKeys: keys})
	return w.channels[at]
}
