package docpage

import (
	"strconv"
	"strings"

	"github.com/warrenmq/warren/internal/jsontree"
)

// readThree reads the operations of AsyncAPI 3.
func (r *reader) readThree() {
	for _, m := range members(r.root.Get("operations")) {
		n := r.resolve(m.Value)
		channel := r.resolve(n.Get("channel"))
		if n == nil || channel == nil {
			continue
		}
		to := &route{
			Name: m.Name, Summary: n.Get("summary").Str(), Description: n.Get("description").Str(),
			Sends: n.Get("action").Str() == "send", Tags: r.tagsOf(n), ID: r.ids.of("route", m.Name, m.Name),
		}
		if to.Description == "" {
			to.Description = channel.Get("description").Str()
		}
		if strings.HasPrefix(to.Description, strings.TrimSuffix(to.Summary, ".")) {
			to.Summary = ""
		}
		r.bindings(to, channel.Get("bindings"))
		if address := channel.Get("address").Str(); address != "" && (to.Queue == nil || to.Queue.Name != address) {
			to.Facts = append(to.Facts, fact{Name: "address", Value: address, Code: true})
		}
		r.operation(to, n)
		to.Messages = r.messagesThree(to, n, channel, "message")
		if answer := r.resolve(n.Get("reply")); answer != nil {
			to.Reply = r.replyThree(to, answer)
		}
		r.page.Routes = append(r.page.Routes, to)
	}
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
	answer := new(reply)
	channel := r.resolve(n.Get("channel"))
	address := r.resolve(n.Get("address"))
	switch {
	case address.Get("location").Str() != "":
		answer.To = addressText(address)
	case channel.Get("address").Str() != "":
		answer.To = channel.Get("address").Str()
	}
	answer.Messages = r.messagesThree(to, n, channel, "reply")
	return answer
}
