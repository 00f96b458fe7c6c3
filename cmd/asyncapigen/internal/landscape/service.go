package landscape

import (
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"
	"github.com/warrenmq/warren/internal/brokerurl"
	"github.com/warrenmq/warren/internal/jsontree"
)

// A service is a document as it is joined to others.
type service struct {
	Service
	document *difference.Document
	root     *jsontree.Node
	sends    []*sender
	receives []*receiver

	hidesAlternates  bool // the document hasn't all arguments of its exchanges
	hidesDeadLetters bool // the document doesn't say what becomes of all messages that fail
}

// A sender is an operation by which messages leave a service.
type sender struct {
	kind     Kind
	name     string
	to       target
	messages []difference.Message
	reply    *difference.Operation // that it waits for, nil for none
}

// A receiver is an operation with a queue, or with what the document has in place of
// one.
type receiver struct {
	name     string
	queue    string
	bindings []binding
	messages []difference.Message
	answers  *difference.Operation // that go to whoever asked, nil for none
}

func readService(d *difference.Document) *service {
	s := &service{document: d, root: d.Root()}
	info := s.root.Get("info")
	s.Name, s.Version, s.Description = info.Get("title").Str(), info.Get("version").Str(), info.Get("description").Str()
	if s.Name == "" {
		s.Name = d.Name
	}
	s.Document, s.HidesSends = d.Name, d.HidesSends()
	if servers := s.root.Get("servers"); servers != nil && len(servers.Members) > 0 {
		of := s.resolve(servers.Members[0].Value)
		s.Server = brokerurl.WithoutCredentials(of.Get("url").Str() + of.Get("host").Str() + of.Get("pathname").Str())
	}
	for _, o := range d.Operations() {
		if o.Sends {
			s.sends = append(s.sends, &sender{kind: Sent, name: o.Name, to: s.target(o), messages: o.Messages, reply: o.Reply})
			continue
		}
		s.receive(o)
	}
	return s
}

// receive reads a handler, and what it sends: replies to a fixed address and messages
// that it can't handle.
func (s *service) receive(o difference.Operation) {
	r := &receiver{name: o.Name, messages: o.Messages}
	r.queue, r.bindings = s.queueOf(o)
	s.receives = append(s.receives, r)
	if o.Reply != nil {
		if to, isFixed := s.replyTarget(*o.Reply); isFixed {
			s.sends = append(s.sends, &sender{kind: Replied, name: o.Name, to: to, messages: o.Reply.Messages})
		} else {
			r.answers = o.Reply
		}
	}
	s.hidesDeadLetters = s.hidesDeadLetters || o.Node.Get("x-failure").Get("unknown").Value() == true
	if dead := o.Node.Get("x-failure").Get("deadLetters"); dead != nil {
		to := target{exchange: dead.Get("exchange").Str(), keys: []string{dead.Get("routingKey").Str()}}
		s.sends = append(s.sends, &sender{kind: DeadLetter, name: o.Name, to: to, messages: o.Messages})
	}
}

// resolve follows references; nil where they lead nowhere.
func (s *service) resolve(n *jsontree.Node) *jsontree.Node {
	target, _, err := s.root.Resolve(n, "")
	if err != nil {
		return nil
	}
	return target
}

// nameApart adds the files to names that several services have.
func nameApart(services []*service) {
	count := make(map[string]int)
	for _, s := range services {
		count[s.Name]++
	}
	for _, s := range services {
		if count[s.Name] > 1 {
			s.Name += " (" + s.Document + ")"
		}
	}
}

// described returns the service as others see it.
func (s *service) described() Service {
	of := s.Service
	of.Operations = []Operation{}
	for _, r := range s.receives {
		o := Operation{Name: r.name, Action: "receive", Queue: r.queue, Messages: namesOf(r.messages)}
		if len(r.bindings) > 0 {
			o.Exchange = r.bindings[0].exchange
		}
		for _, b := range r.bindings {
			if b.exchange == o.Exchange && !b.unknownKey && b.key != "" {
				o.Keys = append(o.Keys, b.key)
			}
		}
		of.Operations = append(of.Operations, o)
	}
	for _, one := range s.sends {
		if one.kind != Sent {
			continue
		}
		o := Operation{Name: one.name, Action: "send", Exchange: one.to.exchange, Messages: namesOf(one.messages)}
		if o.Exchange == "" {
			o.Queue = one.to.keys[0]
		} else {
			o.Keys = slices.DeleteFunc(slices.Clone(one.to.keys), func(key string) bool { return key == "" })
		}
		of.Operations = append(of.Operations, o)
	}
	return of
}

func namesOf(messages []difference.Message) []string {
	names := make([]string, len(messages))
	for i, m := range messages {
		names[i] = m.Name
	}
	return names
}
