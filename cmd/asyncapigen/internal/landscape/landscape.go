// Package landscape joins the documents of many services: who sends what to whom,
// which messages nobody handles, which handlers nobody sends to, and where the sender's
// contract isn't the receiver's.
//
//	one, err := difference.Read("orders.json", text, difference.ByShape)
//	...
//	m := landscape.New([]*difference.Document{one, other})
//	for _, flow := range m.Flows {
//		fmt.Println(flow.From.Service, flow.To.Service)
//	}
//
// Messages go as the broker routes them: from an exchange to the queues whose bindings
// match, by the type of the exchange. What a document doesn't say, such as the routing
// keys in an exact document of AsyncAPI 2.6.0, is never assumed: such a flow, and a
// finding that depends on it, is Undecided, with the reason. See docs/decisions/0076.
//
// # Files
//
// service.go reads a document, network.go follows exchanges that are bound to others and
// alternate ones, address.go decides what reaches a queue, message.go which message of a handler is meant, join.go
// makes the flows and the findings. text.go and page.go print them.
package landscape

import "github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"

// A Map is how services are joined by their messages. Its JSON form is documented in
// docs/reference/map.schema.json.
type Map struct {
	Services []Service `json:"services"`
	Flows    []Flow    `json:"flows"`
	Findings []Finding `json:"findings"`
}

// A Service is what a document describes.
type Service struct {
	Name        string `json:"name"` // the title, and the file where several have it
	Version     string `json:"version"`
	Description string `json:"description,omitempty"`
	Document    string `json:"document"` // the name of the file
	Server      string `json:"server,omitempty"`
	HidesSends  bool   `json:"hidesSends"` // the document can't say what the service sends

	Operations []Operation `json:"operations"`
}

// An Operation is something that a service does.
type Operation struct {
	Name     string   `json:"name"`
	Action   string   `json:"action"`             // "send" or "receive"
	Queue    string   `json:"queue,omitempty"`    // from which it receives, or to which it sends by the default exchange
	Exchange string   `json:"exchange,omitempty"` // to which it sends, or the first that fills the queue
	Keys     []string `json:"keys,omitempty"`     // of the exchange
	Messages []string `json:"messages"`
}

// An End is an operation of a service.
type End struct {
	Service   string `json:"service"`
	Operation string `json:"operation"`
}

// A Kind says why messages flow.
type Kind string

// The kinds of flows.
const (
	Sent       Kind = "message"     // the service sends it of its own accord
	Replied    Kind = "reply"       // the service answers
	DeadLetter Kind = "dead-letter" // the service couldn't handle it
)

// A Flow is a way of messages from one service to another, or to itself.
type Flow struct {
	Kind          Kind           `json:"kind"`
	From          End            `json:"from"`
	To            End            `json:"to"`
	Messages      []string       `json:"messages"`
	Exchange      string         `json:"exchange,omitempty"` // empty for the default exchange, and for replies to whoever asked
	Keys          []string       `json:"keys,omitempty"`     // with which messages get there
	Queue         string         `json:"queue,omitempty"`    // empty for replies to whoever asked
	Undecided     string         `json:"undecided,omitempty"`
	Disagreements []Disagreement `json:"disagreements,omitempty"`
}

// A Disagreement is a difference between the contract of a sender and that of the
// receiver, as asyncapigen diff reports a change from the one to the other.
type Disagreement struct {
	ID       string `json:"id"`
	Severity string `json:"severity"` // "breaking" or "undecided"
	What     string `json:"what"`
	Example  string `json:"example,omitempty"` // a message that is sent and not accepted
	Sender   string `json:"sender"`            // file:line
	Receiver string `json:"receiver"`
}

// A Finding is something that isn't as it should be, or may not be.
type Finding struct {
	ID        string `json:"id"`
	Undecided bool   `json:"undecided"` // it isn't known
	At        End    `json:"at"`
	Peer      *End   `json:"peer,omitempty"`
	What      string `json:"what"`
	Example   string `json:"example,omitempty"`
}

// The ids of findings.
const (
	NotHandled      = "not-handled"      // a message is sent and no service takes it
	NotSent         = "not-sent"         // no service sends to a handler
	NotAnswered     = "not-answered"     // a sender waits for a reply, and the handler gives it none
	Disagreeing     = "disagreement"     // the receiver doesn't accept what is sent
	DifferentServer = "different-server" // services that are joined name different brokers
)

// New joins the services of documents, in their order.
func New(documents []*difference.Document) *Map {
	j := &joining{m: &Map{Services: []Service{}, Flows: []Flow{}, Findings: []Finding{}}}
	for _, d := range documents {
		j.services = append(j.services, readService(d))
	}
	nameApart(j.services)
	for _, s := range j.services {
		j.m.Services = append(j.m.Services, s.described())
	}
	j.network = newNetwork(j.services)
	j.flows()
	j.findings()
	return j.m
}
