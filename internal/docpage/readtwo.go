package docpage

import (
	"strconv"
	"strings"

	"github.com/warrenmq/warren/internal/jsontree"
)

// readTwo reads the operations of AsyncAPI 2. In the documents of asyncapigen the
// service receives what is below subscribe; AsyncAPI 2 itself calls that publish.
func (r *reader) readTwo() {
	channels := members(r.root.Get("channels"))
	own := r.isOwn(channels)
	for _, m := range channels {
		channel := r.resolve(m.Value)
		if own {
			r.ownChannel(m.Name, channel)
			continue
		}
		for _, key := range []string{"publish", "subscribe"} {
			if n := r.resolve(channel.Get(key)); n != nil {
				to := r.operationTwo(m.Name, key, channel, n)
				to.Sends = key == "subscribe"
				r.page.Routes = append(r.page.Routes, to)
			}
		}
	}
}

// isOwn reports whether asyncapigen has written the channels, as package difference
// does.
func (r *reader) isOwn(channels []jsontree.Member) bool {
	for _, m := range channels {
		id, publish := m.Value.Get("subscribe").Get("operationId").Str(), m.Value.Get("publish")
		if m.Value.Get("bindings").Get("amqp").Get("is").Str() != "queue" || id == "" {
			return false
		}
		if publish != nil && publish.Get("operationId").Str() != id+".reply" {
			return false
		}
	}
	return true
}

// ownChannel reads a route of asyncapigen's, with its reply.
func (r *reader) ownChannel(name string, channel *jsontree.Node) {
	n := channel.Get("subscribe")
	to := r.operationTwo(name, "subscribe", channel, n)
	if publish := channel.Get("publish"); publish != nil {
		to.Reply = newReply(publish.Get("x-reply-address"))
		to.Reply.Messages = r.messagesTwo(to, publish.Get("message"), "reply")
	}
	to.Extended = channel.Get("bindings").Get("amqp").Get("bindingVersion") != nil
	message := n.Get("message")
	to.Calls = ownCalls(to, items(message.Get("oneOf")))
	r.page.Routes = append(r.page.Routes, to)
}

func (r *reader) operationTwo(name, key string, channel, n *jsontree.Node) *route {
	to := &route{
		Name: n.Get("operationId").Str(), Summary: n.Get("summary").Str(), Description: n.Get("description").Str(),
		Deprecated: isTrue(n.Get("deprecated")), Tags: r.tagsOf(n),
	}
	if to.Name == "" {
		to.Name = key + " " + name
	}
	if to.Description == "" {
		to.Description = channel.Get("description").Str()
	}
	if strings.HasPrefix(to.Description, strings.TrimSuffix(to.Summary, ".")) {
		to.Summary = "" // the description begins with it
	}
	to.ID = r.ids.of("route", key+" "+name, to.Name)
	r.bindings(to, channel.Get("bindings"))
	if to.Queue == nil && to.Exchange == nil {
		to.Facts = append(to.Facts, fact{Name: "channel", Value: name, Code: true})
	}
	to.Facts = append(to.Facts, extensions(channel, "description", "subscribe", "publish", "bindings", "$ref", "servers", "parameters")...)
	r.operation(to, n)
	to.Messages = r.messagesTwo(to, n.Get("message"), "message")
	return to
}

// operation reads what the versions have in common.
func (r *reader) operation(to *route, n *jsontree.Node) {
	to.Failure = readFailure(n.Get("x-failure"))
	to.Sources = r.sources(n.Get("x-source"))
	to.Facts = append(to.Facts, extensions(n.Get("x-consumer"), "arguments", "unknown")...)
	to.Facts = append(to.Facts, extensions(n.Get("x-consumer").Get("arguments"))...)
	if names := unknownOf(n); names != nil {
		to.Facts = append(to.Facts, fact{Name: "not known", Value: strings.Join(names, ", ")})
	}
	for _, m := range members(r.resolve(n.Get("bindings"))) {
		to.Facts = append(to.Facts, operationFacts(m)...)
	}
	for _, f := range extensions(n) {
		if strings.HasPrefix(f.Name, "x-") && f.Name != "x-failure" && f.Name != "x-source" && f.Name != "x-consumer" && f.Name != "x-target" {
			to.Facts = append(to.Facts, f)
		}
	}
}

// unknownOf names what source code doesn't determine of an operation.
func unknownOf(n *jsontree.Node) []string {
	var names []string
	for _, one := range items(n.Get("x-consumer").Get("unknown")) {
		names = append(names, one.Str())
	}
	if isTrue(n.Get("x-failure").Get("unknown")) {
		names = append(names, "what becomes of messages that fail")
	}
	return names
}

// operationFacts are the properties of an operation's messages.
func operationFacts(m jsontree.Member) []fact {
	if m.Name != "amqp" {
		return []fact{{Name: m.Name, Value: compact(m.Value), Code: true}}
	}
	facts := extensions(m.Value, "bindingVersion", "deliveryMode")
	switch m.Value.Get("deliveryMode").Value() {
	case nil:
	default:
		mode := "transient messages"
		if m.Value.Get("deliveryMode").Text == "2" {
			mode = "persistent messages"
		}
		facts = append(facts, fact{Value: mode})
	}
	return facts
}

// sources reads where a route is in the code.
func (r *reader) sources(n *jsontree.Node) []source {
	var all []source
	add := func(what string, n *jsontree.Node) {
		file := n.Get("file").Str()
		if file == "" {
			return
		}
		line := compact(n.Get("line"))
		link := ""
		if r.source != "" {
			link = strings.NewReplacer("{file}", file, "{line}", line).Replace(r.source)
		}
		all = append(all, source{what, file + ":" + line, link})
	}
	add("route", n)
	handler := n.Get("handler")
	what := handler.Get("name").Str()
	if what == "" {
		what = "handler"
	}
	add(what, handler)
	return all
}

// messagesTwo reads the message of an operation, or those that it is one of.
func (r *reader) messagesTwo(to *route, n *jsontree.Node, part string) []message {
	n = r.resolve(n)
	if n == nil {
		return nil
	}
	several := n.Get("oneOf")
	if several == nil {
		return []message{r.message(to, n, part)}
	}
	var all []message
	for i, one := range several.Items {
		if one = r.resolve(one); one != nil {
			all = append(all, r.message(to, one, part+"-"+strconv.Itoa(i+1)))
		}
	}
	return all
}

// message reads a message, of which part is the place in its route.
func (r *reader) message(to *route, n *jsontree.Node, part string) message {
	m := message{
		Name: n.Get("name").Str(), Title: n.Get("title").Str(), Summary: n.Get("summary").Str(), Description: n.Get("description").Str(),
	}
	if m.Title == m.Name {
		m.Title = ""
	}
	shown := m.Name
	if shown == "" {
		shown = part
	}
	m.ID = r.ids.of("message", to.ID+" "+part, strings.TrimPrefix(to.ID, "route-")+"-"+shown)
	for _, known := range []struct{ key, name string }{{"x-routing-key", "routing key"}, {"contentType", "content type"}, {"schemaFormat", "schema format"}} {
		if text := n.Get(known.key).Str(); text != "" {
			m.Facts = append(m.Facts, fact{Name: known.name, Value: text, Code: true})
		}
	}
	if id := n.Get("messageId").Str(); id != "" && id != m.Name {
		m.Facts = append(m.Facts, fact{Name: "id", Value: id, Code: true})
	}
	if text := r.resolve(n.Get("correlationId")).Get("location").Str(); text != "" {
		m.Facts = append(m.Facts, fact{Name: "correlation", Value: text, Code: true})
	}
	if isTrue(n.Get("x-unknown-headers")) {
		m.Facts = append(m.Facts, fact{Name: "not known", Value: "all headers by which it is routed"})
	}
	m.Facts = append(m.Facts, extensions(r.resolve(n.Get("bindings")).Get("amqp"), "bindingVersion")...)
	payload := n.Get("payload")
	if payload.Get("schemaFormat") != nil && payload.Get("schema") != nil { // AsyncAPI 3
		m.Facts = append(m.Facts, fact{Name: "schema format", Value: payload.Get("schemaFormat").Str(), Code: true})
		payload = payload.Get("schema")
	}
	if payload != nil {
		m.Payload = r.schema(payload)
	}
	if headers := n.Get("headers"); headers != nil {
		m.Headers = r.schema(headers)
	}
	m.Examples = r.examples(n.Get("examples"))
	return m
}

func (r *reader) examples(n *jsontree.Node) []example {
	var all []example
	for i, one := range items(n) {
		payload := one.Get("payload")
		if payload == nil {
			continue
		}
		name := one.Get("name").Str()
		if name == "" {
			name = "Example " + strconv.Itoa(i+1)
		}
		text := indented(payload)
		if headers := one.Get("headers"); headers != nil {
			all = append(all, example{name + " headers", indented(headers)})
		}
		all = append(all, example{name, text})
	}
	return all
}
