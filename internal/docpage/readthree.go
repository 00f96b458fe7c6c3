package docpage

import (
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/internal/jsontree"
)

// readThree reads the operations of AsyncAPI 3.
func (r *reader) readThree() {
	for _, m := range members(r.root.Get("operations")) {
		n := r.resolve(m.Value)
		channel := r.resolve(n.Get("channel"))
		if n != nil && channel != nil {
			r.page.Routes = append(r.page.Routes, r.operationThree(m.Name, n, channel))
		}
	}
}

func (r *reader) operationThree(key string, n, channel *jsontree.Node) *route {
	to := &route{
		Name: n.Get("title").Str(), Summary: n.Get("summary").Str(), Description: n.Get("description").Str(),
		Sends: n.Get("action").Str() == "send", Tags: r.tagsOf(n), ID: r.ids.of("route", key, key),
	}
	if to.Name == "" {
		to.Name = key
	}
	if to.Description == "" {
		to.Description = channel.Get("description").Str()
	}
	if strings.HasPrefix(to.Description, strings.TrimSuffix(to.Summary, ".")) {
		to.Summary = ""
	}
	r.bindings(to, channel.Get("bindings"))
	r.bound(to, channel)
	r.target(to, n.Get("x-target"), channel)
	if address := channel.Get("address").Str(); address != "" && to.Exchange == nil && (to.Queue == nil || to.Queue.Name != address) {
		to.Facts = append(to.Facts, fact{Name: "address", Value: address, Code: true})
	}
	r.operation(to, n)
	to.Messages = r.messagesThree(to, n, channel, "message")
	if answer := r.resolve(n.Get("reply")); answer != nil {
		to.Reply = r.replyThree(to, answer)
	}
	if to.Extended = n.Get("x-failure") != nil || n.Get("x-source") != nil; to.Extended && !to.Sends {
		to.Calls = ownCalls(to, r.casesThree(to, n))
	}
	return to
}

// casesThree returns the messages of a route that has several types of them: the
// only one of a route has its name.
func (r *reader) casesThree(to *route, n *jsontree.Node) []*jsontree.Node {
	var cases []*jsontree.Node
	for _, one := range items(n.Get("messages")) {
		if one = r.resolve(one); one != nil && one.Get("name").Str() != to.Name {
			cases = append(cases, one)
		}
	}
	return cases
}

// bound reads the exchanges that fill the queue of a route.
func (r *reader) bound(to *route, channel *jsontree.Node) {
	for _, one := range items(channel.Get("x-bound")) {
		from := r.resolve(r.root.Get("channels").Get(one.Get("channel").Str()))
		exchange := from.Get("bindings").Get("amqp").Get("exchange")
		if exchange == nil {
			continue
		}
		e := newEndpoint(exchange)
		if to.Exchange == nil {
			to.Exchange = e
		}
		b := binding{Exchange: e.Name, Arguments: extensions(one.Get("arguments"))}
		if key := from.Get("address").Str(); key != "" {
			b.Keys = []string{key}
		}
		to.Bindings = joined(to.Bindings, b)
	}
}

// joined adds a binding, to that of the same exchange with the same arguments.
func joined(all []binding, b binding) []binding {
	for i := range all {
		if all[i].Exchange == b.Exchange && slices.Equal(all[i].Arguments, b.Arguments) {
			all[i].Keys = append(all[i].Keys, b.Keys...)
			return all
		}
	}
	return append(all, b)
}

// target reads where the service sends.
func (r *reader) target(to *route, n, channel *jsontree.Node) {
	if !to.Sends || to.Exchange == nil {
		return
	}
	keys := textsOf(n.Get("routingKeys"))
	for _, key := range []string{n.Get("routingKey").Str(), channel.Get("address").Str()} {
		if len(keys) == 0 && key != "" {
			keys = []string{key}
		}
	}
	to.Bindings = []binding{{Exchange: to.Exchange.Name, Keys: keys}}
	to.Facts = append(to.Facts, extensions(n, "exchange", "routingKey", "routingKeys")...)
}

// messagesThree reads the messages that an operation names, which are all of its
// channel where it names none.
func (r *reader) messagesThree(to *route, n, channel *jsontree.Node, part string) []message {
	var all []message
	add := func(n *jsontree.Node, key string) {
		target := r.resolve(n)
		if target == nil {
			return
		}
		m := r.message(to, target, part+"-"+strconv.Itoa(len(all)+1))
		if m.Name == "" {
			m.Name = key
		}
		all = append(all, m)
	}
	if named := n.Get("messages"); named != nil {
		for _, one := range named.Items {
			add(one, lastStep(one.Get("$ref").Str()))
		}
		return all
	}
	for _, m := range members(channel.Get("messages")) {
		add(m.Value, m.Name)
	}
	return all
}

func (r *reader) replyThree(to *route, n *jsontree.Node) *reply {
	channel := r.resolve(n.Get("channel"))
	answer := newReply(r.resolve(n.Get("address")))
	if answer.To == "" {
		answer.To = channel.Get("address").Str()
	}
	if !answer.Asked {
		answer.About = channel.Get("description").Str()
	}
	answer.Messages = r.messagesThree(to, n, channel, "reply")
	return answer
}
